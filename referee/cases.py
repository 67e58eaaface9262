"""Cases as JSON Lines: one judged table or turn a line, in and out.

A case: ``{"id", "edition", "opened", "before", "after", "rack", "rules", "variant"}``. ``id`` is given back
as it came. ``edition`` is the code of an edition, ``variant`` one of ``VARIANTS`` on top of it, ``rules``
an object of house rules on top of both. ``before``, ``after`` and ``rack`` (what the player held before the
turn) are in the notation. Without ``before`` the table ``after`` is judged alone, and ``opened`` and
``rack`` say nothing. Other keys are passed over.

A judgement: ``{"id", "verdict", "lean", "violations", "questions", "played", "opening_points"}``; a line that
is no case gives ``{"id", "error"}``, its id null where it has none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from referee.axes import AxisValue, Rules
from referee.editions import VARIANTS, edition
from referee.errors import RefereeError
from referee.seen import SeenTile, parse_tiles
from referee.table import Table, parse_table
from referee.turns import TurnJudgement, judge_turn

__all__ = [
    "CaseError",
    "case_rules",
    "judge_case",
    "judge_line",
    "judge_lines",
    "judgement_json",
    "parsed_line",
]


class CaseError(RefereeError):
    """A line that is no case."""


def judge_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the judgement of every line as JSON, without the line's end; blank lines yield nothing."""
    for line in lines:
        if line.strip():
            yield json.dumps(judge_line(line), ensure_ascii=False)


def judge_line(line: str) -> dict[str, Any]:
    """Return the judgement of one line, or what is wrong with it, as plain values for JSON."""
    name: object = None
    try:
        case = parsed_line(line)
        name = case.get("id")
        return judge_case(case)
    except RefereeError as error:
        return {"id": name, "error": str(error)}


def parsed_line(line: str) -> dict[str, Any]:
    """The case that a line holds; CaseError where it holds none."""
    try:
        case = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise CaseError(f"this line is not JSON: {error}") from error
    if not isinstance(case, dict):
        raise CaseError("a case is a JSON object")
    return case


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no value of JSON")


_MOST_TILES: Final = 500
"""More than the largest box holds, fewer than what would keep the judge busy for long."""

_TEXTS: Final = ("edition", "variant", "before", "after", "rack")


def judge_case(case: Mapping[str, Any]) -> dict[str, Any]:
    """Judge one case, as described above; RefereeError says what is wrong with it."""
    for key in _TEXTS:
        if not isinstance(case.get(key), str | None):
            raise CaseError(f"{key} is a text")
    for key in ("edition", "after"):
        if case.get(key) is None:
            raise CaseError(f"{key} is missing")
    rules = case_rules(case["edition"], case.get("variant"), case.get("rules"))
    before = case.get("before")
    opened = case.get("opened")
    if before is not None and not isinstance(opened, bool):
        raise CaseError("opened is true or false")
    rack = case.get("rack")
    judged = judge_turn(
        None if before is None else _table("before", before),
        _table("after", case["after"]),
        opened=bool(opened),
        rules=rules,
        rack=None if rack is None else _at_most("rack", parse_tiles(rack)),
    )
    return {"id": case.get("id"), **judgement_json(judged)}


def _table(key: str, text: str) -> Table:
    table = parse_table(text)
    _at_most(key, tuple(table.tiles()))
    return table


def _at_most(key: str, tiles: tuple[SeenTile, ...]) -> tuple[SeenTile, ...]:
    if len(tiles) > _MOST_TILES:
        raise CaseError(f"{key} has {len(tiles)} tiles, and no box holds more than {_MOST_TILES}")
    return tiles


def judgement_json(judged: TurnJudgement) -> dict[str, Any]:
    """Return a judgement as plain values for JSON."""
    return {
        "verdict": judged.verdict,
        "lean": judged.lean,
        "violations": [
            {"code": told.code, "tiles": [str(seen) for seen in told.tiles], "message": told.message}
            for told in judged.problems
        ],
        "questions": [
            {"code": told.code, "message": told.message, "answers": list(told.answers)}
            for told in judged.questions
        ],
        "played": [str(seen) for seen in judged.played],
        "opening_points": judged.opening_points,
    }


def case_rules(code: str, variant: str | None, house: object) -> Rules:
    """The rules of a case: the edition, the variant and house rules on top; RefereeError if there are none."""
    if house is None or house == {}:
        return _variant_rules(code, variant)
    if not isinstance(house, dict):
        raise CaseError("rules is an object of axes and values")
    try:
        # The type is part of the key: true would else be taken for a 1 that was asked for before.
        return _house_rules(code, variant, tuple((name, type(v).__name__, v) for name, v in house.items()))
    except TypeError as error:  # a list or an object as a value cannot be hashed
        raise CaseError("rules takes plain texts, numbers and null") from error


@lru_cache(maxsize=64)
def _variant_rules(code: str, variant: str | None) -> Rules:
    rules = edition(code).rules
    if variant is None:
        return rules
    if variant not in VARIANTS:
        raise CaseError(f"there is no variant {variant!r}; the variants are {', '.join(VARIANTS)}")
    return rules.with_house_rules(VARIANTS[variant])


@lru_cache(maxsize=256)
def _house_rules(code: str, variant: str | None, house: tuple[tuple[str, str, AxisValue], ...]) -> Rules:
    return _variant_rules(code, variant).with_house_rules({name: value for name, _, value in house})
