"""Actions that put an earlier step right. Nothing is overwritten: every one of them is an event of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee import (
    Change,
    Correct,
    Deal,
    Declare,
    Draw,
    Event,
    EventError,
    Note,
    Outcome,
    Pass,
    Play,
    Question,
    RefereeError,
    SeenTile,
    TakeOver,
    TimeOut,
    correction,
    event_from_json,
)
from web.desk.answers import answer_event, question_key, read_tile
from web.desk.body import Body
from web.desk.desk import Desk, OpenMatch
from web.desk.notes import partial_answers, standing_notes
from web.desk.setting_up import refuse_if_illegal
from web.desk.who import Who
from web.errors import NotFound, Refused, WrongMoment

__all__ = [
    "answer",
    "correct",
    "open_questions",
    "preview_correct",
    "restore",
    "rule",
    "table_questions",
    "undo",
]


def undo(desk: Desk, body: Body, who: Who) -> dict[str, Any]:
    """Take back the last step, a turn that does not count among them: it is what the page shows."""
    match = desk.match
    if match.mode == "clock":
        numbers = [number for number, entry in standing_notes(match.notes) if entry.note["kind"] != "answer"]
        if not numbers:
            raise WrongMoment("nothing-to-undo")
        _take_back_note(desk, match, numbers[-1])
        return {"number": numbers[-1]}
    number = match.ledger.last_step()
    if number is None:
        raise WrongMoment("nothing-to-undo")
    desk.log(Correct(number, None), Note("undone"))
    return {"number": number}


def _take_back_note(desk: Desk, match: OpenMatch, number: int) -> None:
    now = desk.now()
    entry = match.notes[number]
    clock = match.clock.anchored(now)
    if entry.note["kind"] in ("turn", "game", "deal"):
        began = [
            e.note["t_s"]
            for n, e in standing_notes(match.notes)
            if e.note["kind"] in ("turn", "deal") and n < number
        ]
        # The turn that is taken up again goes on where it was left.
        clock = clock.wound_to(entry.note.get("t_s", began[-1] if began else clock.anchor_t_s), now)
        running = entry.note["kind"] != "deal"
        clock = clock.resumed(now) if running else clock.paused(now)
    desk.note({"kind": "take-back", "of": number}, Note("undone"), clock=clock)


def restore(desk: Desk, body: Body, who: Who) -> None:
    """Bring an event back as it was first written."""
    match = desk.match
    number = _number(match, body)
    first = match.ledger.entries[number].event
    if isinstance(first, Correct) or match.ledger.effective[number] == first:
        raise WrongMoment("nothing-to-restore", number=number)
    desk.log(Correct(number, first), Note("restored"))


def correct(desk: Desk, body: Body, who: Who) -> dict[str, Any]:
    """Replace an earlier event, or take it back."""
    wanted = _correction(desk.match, body)
    changes = correction(desk.match.ledger.events, wanted)
    event, outcome, _ = desk.preview(wanted)
    refuse_if_illegal(outcome)
    desk.log(event, Note("corrected"))
    return {"changed": changes}


def preview_correct(desk: Desk, body: Body, who: Who) -> dict[str, Any]:
    """Tell what a correction would change."""
    return {"changes": correction(desk.match.ledger.events, _correction(desk.match, body))}


def _correction(match: OpenMatch, body: Body) -> Correct:
    number = _number(match, body)
    to = body.raw("to")
    try:
        event = None if to is None else event_from_json(to)
    except EventError as error:
        raise Refused("bad-notation", why=str(error)) from error
    was = match.ledger.effective[number] or match.ledger.entries[number].event
    if isinstance(event, Correct) or (event is not None and number == 0 and type(event) is not type(was)):
        raise Refused("bad-request", why="an event is corrected to another event of the match")
    if event is None and number == 0:
        raise Refused("bad-request", why="the start of a match is not taken back")
    if event is not None and getattr(event, "t_s", None) is None:
        event = at_time(event, getattr(was, "t_s", None))
    return Correct(number, event)


def at_time(event: Event, t_s: float | None) -> Event:
    """Return the event at another time; one that carries no time as it is."""
    match event:
        case Deal() | TakeOver() | Play() | Draw() | Pass() | TimeOut() | Declare():
            return replace(event, t_s=t_s)
    return event


def _number(match: OpenMatch, body: Body) -> int:
    number = body.whole("number", 0, 1_000_000)
    if number >= len(match.ledger.entries):
        raise NotFound("no-such-event", number=number)
    return number


def rule(desk: Desk, body: Body, who: Who) -> None:
    """Write down what the players decided on an event."""
    match = desk.match
    number = _number(match, body)
    event = match.ledger.effective[number]
    if not isinstance(event, Play | Pass | TimeOut):
        raise WrongMoment("no-such-question")
    legal = body.word("ruling", ("legal", "illegal")) == "legal"
    desk.log(Correct(number, replace(event, ruling="legal" if legal else "illegal")), Note("corrected"))


# --- questions -------------------------------------------------------------------------------------------


def open_questions(match: OpenMatch) -> list[tuple[str, int, Question]]:
    """The open questions of this game, and of its setting up: id, number of the event, question."""
    found = []
    ledger = match.ledger
    for number, outcome in enumerate(ledger.outcomes):
        event = ledger.effective[number]
        if event is None or outcome.verdict != "ask" or not (number == 0 or number > ledger.game_began):
            continue
        if _superseded(match, number, event):
            continue
        answered = partial_answers(match.notes, number)
        known = set(answered)  # set and turn may ask the same
        for place, question in enumerate(outcome.questions):
            if question_key(question) not in known:
                known.add(question_key(question))
                found.append((f"e{number}.{place}", number, question))
    found.reverse()
    return found


def _superseded(match: OpenMatch, number: int, event: Event) -> bool:
    """True where a later event has settled what this one asked about, without being an answer."""
    kind = type(event).__name__
    if kind == "DrawForStart":
        return match.state.phase != "set-up" or match.state.starter is not None
    if kind == "Racks":
        return match.ledger.racks_in_question() != number
    return False


def table_questions(desk_table: Any) -> list[tuple[str, str, Question]]:
    """Questions about readings of the table as it lies: id, the tile's key, question."""
    found = []
    for tiles in desk_table.sets:
        for tile in tiles:
            seen = desk_table.tile(tile)
            if not seen.is_sure:
                names = tuple(str(one) for one in sorted(seen.candidates))
                answers = names if len(names) <= 13 else ()
                question = Question("doubtful-tile", (seen,), answers, (("tile", str(seen)),))
                found.append((f"t{tile.key}", tile.key, question))
    return found


def answer(desk: Desk, body: Body, who: Who) -> None:
    """Answer an open question."""
    match = desk.match
    wanted = body.text("id", most=100)
    text = (
        body.text("answer", most=2000) if not isinstance(body.raw("answer"), int) else str(body.raw("answer"))
    )
    for name, key, _ in table_questions(desk.lying()):
        if name == wanted:
            desk.read_as(key, read_tile(text))
            return
    for name, number, question in open_questions(match):
        if name == wanted:
            _answer(desk, match, number, question, text)
            return
    raise WrongMoment("no-such-question")


def _answer(desk: Desk, match: OpenMatch, number: int, question: Question, text: str) -> None:
    event = match.ledger.effective[number]
    outcome: Outcome = match.ledger.outcomes[number]
    given = partial_answers(match.notes, number)
    if event is None:
        raise WrongMoment("no-such-question")
    try:
        answered = answer_event(event, outcome, question, text, given, match.state.rules)
    except Refused:
        raise
    except RefereeError as error:
        raise Refused("bad-notation", why=str(error)) from error
    except ValueError as error:  # a set that is not there any more
        raise WrongMoment("no-such-question") from error
    if answered.note is not None:
        note = {"kind": "answer", "number": number, "question": answered.note, "answer": text}
        desk.note(note, Note("answered"))
    elif answered.deal is not None:
        deal = replace(answered.deal, t_s=match.clock.t_s(desk.now()))
        event, outcome, after = desk.preview(deal)
        refuse_if_illegal(outcome)
        desk.log(event, Note("game-begins", args=(("player", match.name(after.turn)),)))
    elif answered.event is not None:
        fixed, verdict, _ = desk.preview(Correct(number, answered.event))
        refuse_if_illegal(verdict)
        desk.log(fixed, Note("answered"))


def changes_json(changes: tuple[Change, ...], told: Any) -> list[dict[str, Any]]:
    """What a correction changes, as plain values; ``told`` makes a plain value of a problem or a question."""

    def outcome(said: Outcome) -> dict[str, Any]:
        return {
            "verdict": said.verdict,
            "told": [told(one) for one in (*said.problems, *said.questions)],
            "played": [str(tile) for tile in said.turn.played] if said.turn else [],
        }

    return [
        {"number": change.number, "before": outcome(change.before), "after": outcome(change.after)}
        for change in changes
    ]


def seen_or_none(body: Body, name: str) -> SeenTile | None:
    """A tile, or None for none."""
    return read_tile(body.text(name, most=400)) if body.has(name) else None
