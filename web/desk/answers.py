"""From an answered question to the event as it should have been.

A question about a reading is answered by the reading, one about house rules by yes or no. A yes settles its own
question alone: an event is ruled legal only when every question about it has its yes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from referee import (
    AXES,
    Deal,
    DrawForStart,
    Event,
    NotationError,
    Outcome,
    Pass,
    Play,
    Question,
    Racks,
    Rules,
    SeenTile,
    StartMatch,
    Table,
    TimeOut,
    parse_table,
    parse_tiles,
)
from web.errors import Refused

__all__ = ["Answered", "AnswersAre", "answer_event", "answers_are", "question_key"]

AnswersAre = Literal["tiles", "sets", "yes-no", "words", "number", "seats", "ruling", "none"]
"""What the answers on offer are: how a page should draw them."""

_SEATS: Final = ("two-out", "equal-lowest-sum", "equal-lowest-tiles", "match-tied", "joker-drawn-for-start")
_YES: Final = "yes"


@dataclass(frozen=True, slots=True)
class Answered:
    """What an answer leads to."""

    event: Event | None = None
    """The event as it should have been; None where nothing about it changes yet."""
    note: str | None = None
    """The question's key, where the answer is written down until the others are answered."""
    deal: Deal | None = None
    """A new event that the answer amounts to."""


def question_key(question: Question) -> str:
    """What makes a question the same when the event is judged again."""
    return json.dumps([question.code, [str(seen) for seen in question.tiles], list(question.args)])


def answers_are(question: Question) -> AnswersAre:
    """What the answers on offer are."""
    if question.code in _SEATS:
        return "seats"
    if question.code in ("doubtful-tile",):
        return "tiles"
    if question.code in ("sort-or-slide",):
        return "sets"
    if question.code == "timeout-unwritten" or (question.code == "set-up?" and not question.answers):
        return "number"
    if question.code == "only-jokers":
        return "ruling"
    if question.code in ("lowest-in-doubt", "racks-in-doubt"):
        return "none"
    return "yes-no" if set(question.answers) == {"yes", "no"} else "words"


def answer_event(
    event: Event, outcome: Outcome, question: Question, answer: str, given: Mapping[str, str], rules: Rules
) -> Answered:
    """Return what follows from ``answer``; Refused where it is none.

    ``given`` are the answers already written down for questions of this event, by ``question_key``.
    """
    match event:
        case StartMatch():
            return Answered(_with_house_rule(event, question, answer))
        case DrawForStart():
            return Answered(deal=Deal(starter=_seat(answer)))
        case Racks():
            return Answered(replace(event, winner=_seat(answer)))
        case TimeOut() if question.code == "timeout-unwritten":
            return Answered(replace(event, penalty=_seat(answer)))
        case Play() | TimeOut():
            return _about_table(event, outcome, question, answer, given, rules)
        case Pass():
            return Answered(replace(event, ruling="legal" if _yes(answer) else "illegal"))
    raise Refused("no-such-question")


def _about_table(
    event: Play | TimeOut,
    outcome: Outcome,
    question: Question,
    answer: str,
    given: Mapping[str, str],
    rules: Rules,
) -> Answered:
    table = parse_table(event.table)
    if question.code == "doubtful-tile":
        return Answered(replace(event, table=str(with_reading(table, question.tiles[0], read_tile(answer)))))
    if question.code in ("hidden-tile", "hidden-copies"):
        shown = SeenTile.parse("??") if not _yes(answer) else None
        hidden = question.tiles or tuple(seen for seen in table.tiles() if seen.hidden)
        for seen in hidden:
            if seen.hidden:
                table = with_reading(table, seen, shown or SeenTile(seen.candidates))
        return Answered(replace(event, table=str(table)))
    if question.code == "sort-or-slide" and answer in question.answers and answer != "no":
        sets = list(table.sets)
        sets[sets.index(question.tiles)] = parse_tiles(answer)
        return Answered(replace(event, table=str(Table(tuple(sets), table.shared))))
    if answer not in question.answers and answer not in ("legal", "illegal"):
        raise Refused("no-such-answer", answer=answer)
    if not _favourable(outcome, question, answer, rules):
        return Answered(replace(event, ruling="illegal"))
    asked = {question_key(one) for one in outcome.questions}
    if asked <= {*given, question_key(question)}:
        return Answered(replace(event, ruling="legal"))
    return Answered(note=question_key(question))


def _favourable(outcome: Outcome, question: Question, answer: str, rules: Rules) -> bool:
    """Whether an answer allows the turn."""
    if question.code != "group-or-run?" or answer not in ("group", "run") or outcome.turn is None:
        return answer in (_YES, "legal")
    args = dict(question.args)
    short = 0
    for judged in outcome.turn.table.sets:
        by_kind = {kind: 0 for kind in ("group", "run")}
        for reading in judged.readings:
            if reading.as_laid:
                by_kind[reading.kind] = max(by_kind[reading.kind], reading.value)
        if all(by_kind.values()) and set(judged.tiles) <= set(question.tiles):
            short += max(by_kind.values()) - by_kind[answer]
    return int(args["most"]) - short >= rules.opening_points


def _with_house_rule(event: StartMatch, question: Question, answer: str) -> StartMatch:
    axis = str(dict(question.args)["axis"])
    takes = AXES[axis]
    value: str | int | None = answer
    if answer in ("null", "none") and None in takes.values:
        value = None
    elif answer.lstrip("-").isdigit():
        value = int(answer)
    takes.check(value)
    others = tuple(rule for rule in event.rules if rule[0] != axis)
    return replace(event, rules=(*others, (axis, value)))


def with_reading(table: Table, old: SeenTile, new: SeenTile) -> Table:
    """Return the table with the first tile that reads as ``old`` read as ``new``; Refused where none does."""
    for row, tiles in enumerate(table.sets):
        if old in tiles:
            at = tiles.index(old)
            changed = (*tiles[:at], new, *tiles[at + 1 :])
            return Table((*table.sets[:row], changed, *table.sets[row + 1 :]), table.shared)
    raise Refused("no-such-tile")


def read_tile(text: object) -> SeenTile:
    """Return the tile that a person named; Refused where it is none."""
    try:
        return SeenTile.parse(str(text))
    except NotationError as error:
        raise Refused("bad-notation", why=str(error)) from error


def _seat(answer: str) -> int:
    if not answer.isdigit() or len(answer) > 3:
        raise Refused("no-such-answer", answer=answer)
    return int(answer)


def _yes(answer: str) -> bool:
    if answer not in ("yes", "no", "legal", "illegal"):
        raise Refused("no-such-answer", answer=answer)
    return answer in ("yes", "legal")
