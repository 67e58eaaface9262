"""A turn as a review keeps it: plain values, with their form in JSON both ways.

A ``TurnRecord`` carries pictures and the watcher's own objects; a review of two hours keeps none of these in
memory, only what its outputs tell.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from referee import Problem, Question, Rules, SeenTile, Table, Verdict, judge_table, put_back
from vision.readings import Corners
from vision.watch.types import Action, LyingTable, TurnRecord

__all__ = ["Asked", "Fault", "ReviewedTurn", "ShownTile", "reviewed"]

Mark = Literal["new", "gone", "fault", "doubt", "hidden"]
"""Came in this turn; left in this turn; part of a fault; not read surely; covered."""


@dataclass(frozen=True, slots=True)
class ShownTile:
    """A tile as the report shows it."""

    text: str
    """What it is, in the notation."""
    corners_xy: tuple[tuple[float, float], ...] = ()
    """Its four corners in fractions of the kept picture's width and height; empty where that is not known."""
    marks: tuple[Mark, ...] = ()
    """What is to be said of it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A sure fault."""

    code: str
    """The referee's code."""
    tiles: tuple[str, ...]
    """The tiles that it is about."""
    message: str
    """One sentence."""
    args: tuple[tuple[str, str | int], ...] = ()
    """What the sentence is made of besides the tiles, for other languages."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that only the players can settle."""

    code: str
    """The referee's code."""
    tiles: tuple[str, ...]
    """The tiles that it is about."""
    message: str
    """One sentence or two."""
    answers: tuple[str, ...]
    """The answers on offer."""
    args: tuple[tuple[str, str | int], ...] = ()
    """What the sentence is made of besides the tiles, for other languages."""


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """One turn."""

    turn: int
    """Number, from 1; a put-back has a number of its own."""
    seat: int | None
    """Whose turn, from 0; None where that is not known."""
    player: str | None
    """The same by name."""
    start_s: float
    """When it began, seconds of the recording."""
    end_s: float
    """When it ended."""
    action: Action
    """What was done."""
    inferred: bool
    """True where nobody said so and no tile shows it."""
    before: str
    """The table before, in the notation."""
    after: str
    """The table after."""
    played: tuple[str, ...]
    """Tiles that came to the table."""
    verdict: Verdict
    """Legal, illegal, ask."""
    faults: tuple[Fault, ...] = ()
    """Every sure fault."""
    questions: tuple[Asked, ...] = ()
    """Everything that has to be asked."""
    opening_points: int | None = None
    """What an opening counted; None for any other turn."""
    put_back: tuple[str, ...] = ()
    """After a foul: how the table is put back, step by step."""
    sets_before: tuple[tuple[ShownTile, ...], ...] = ()
    """The table before, to be drawn."""
    sets_after: tuple[tuple[ShownTile, ...], ...] = ()
    """The table after, to be drawn."""
    picture_before: str | None = None
    """File of the picture of the table before, within the review's folder."""
    picture_after: str | None = None
    """File of the picture of the table after."""
    picture_wh: tuple[int, int] | None = None
    """Width and height of both, pixels."""

    @property
    def seconds(self) -> float:
        """How long it took."""
        return max(0.0, self.end_s - self.start_s)

    @property
    def leaves_the_game_as_seen(self) -> bool:
        """True where the log's table is the table in view, so that watching may begin again after it."""
        return self.verdict != "illegal" and self.action != "unknown"

    def line(self) -> dict[str, Any]:
        """Return the turn as ``--json`` prints it; keys and their order are a contract with other programs."""
        return {
            "turn": self.turn,
            "player": self.player,
            "start_s": round(self.start_s, 3),
            "end_s": round(self.end_s, 3),
            "action": self.action,
            "inferred": self.inferred,
            "before": self.before,
            "after": self.after,
            "played": list(self.played),
            "verdict": self.verdict,
            "violations": [fault.code for fault in self.faults],
            "questions": [
                {"code": asked.code, "message": asked.message, "answers": list(asked.answers)}
                for asked in self.questions
            ],
        }

    def with_pictures(self, before: str | None, after: str | None, size_wh: tuple[int, int]) -> ReviewedTurn:
        """Return the turn with the files of its pictures."""
        return replace(self, picture_before=before, picture_after=after, picture_wh=size_wh)

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> ReviewedTurn:
        """Return what ``to_json`` wrote; KeyError or TypeError where something else did."""
        return cls(
            **{
                **plain,
                "played": tuple(plain["played"]),
                "faults": tuple(
                    Fault(f["code"], tuple(f["tiles"]), f["message"], _args_from(f)) for f in plain["faults"]
                ),
                "questions": tuple(
                    Asked(q["code"], tuple(q["tiles"]), q["message"], tuple(q["answers"]), _args_from(q))
                    for q in plain["questions"]
                ),
                "put_back": tuple(plain["put_back"]),
                "sets_before": _sets_from(plain["sets_before"]),
                "sets_after": _sets_from(plain["sets_after"]),
                "picture_wh": None if plain["picture_wh"] is None else tuple(plain["picture_wh"]),
            }
        )


def _args_from(plain: dict[str, Any]) -> tuple[tuple[str, str | int], ...]:
    return tuple((name, value) for name, value in plain.get("args", ()))


def _sets_from(plain: list[list[dict[str, Any]]]) -> tuple[tuple[ShownTile, ...], ...]:
    return tuple(
        tuple(
            ShownTile(tile["text"], tuple((x, y) for x, y in tile["corners_xy"]), tuple(tile["marks"]))
            for tile in one
        )
        for one in plain
    )


def reviewed(
    record: TurnRecord,
    players: tuple[str, ...],
    rules: Rules,
    *,
    number: int | None = None,
    window_xywh_px: tuple[float, float, float, float] | None = None,
) -> ReviewedTurn:
    """Return a turn as it is kept, without its pictures.

    Args:
        record: the turn as it was seen.
        players: names, by seat.
        rules: the rules in force, for faults by set and the put-back plan.
        number: the turn's number where it differs from the record's own, as in a review that was resumed.
        window_xywh_px: the part of the picture that is kept, to which places are related; None for no places.
    """
    known = record.seat is not None and 0 <= record.seat < len(players)
    gone = _gone(record)
    after = _shown(record.after, record.lying_after, window_xywh_px)
    before = _shown(record.before, record.lying_before, window_xywh_px)
    after = _marked_new(after, record)
    if record.verdict == "illegal":
        after = _marked_faulty(after, record, rules)
    before = _marked_first(before, gone, "gone")
    return ReviewedTurn(
        turn=record.turn if number is None else number,
        seat=record.seat,
        player=players[record.seat] if known and record.seat is not None else None,
        start_s=record.start_s,
        end_s=record.end_s,
        action=record.action,
        inferred=record.inferred,
        before=str(record.before),
        after=str(record.after),
        played=tuple(str(seen) for seen in record.played),
        verdict=record.verdict,
        faults=tuple(dict.fromkeys(_fault(problem) for problem in record.problems)),
        questions=tuple(dict.fromkeys(_asked(question) for question in record.questions)),
        opening_points=record.opening_points,
        put_back=_plan(record, rules),
        sets_before=before,
        sets_after=after,
    )


def _fault(problem: Problem) -> Fault:
    return Fault(problem.code, tuple(str(seen) for seen in problem.tiles), problem.message, problem.args)


def _asked(question: Question) -> Asked:
    tiles = tuple(str(seen) for seen in question.tiles)
    return Asked(question.code, tiles, question.message, question.answers, question.args)


def _plan(record: TurnRecord, rules: Rules) -> tuple[str, ...]:
    before, after = record.before, record.after
    if record.verdict != "illegal" or before.shared or after.shared:
        return ()
    if not (before.is_sure and after.is_sure):
        return ()  # a doubt may be read differently before and after; a plan would move tiles that lie right
    return tuple(step.message for step in put_back(_uncovered(after), _uncovered(before), rules.sets))


def _uncovered(table: Table) -> Table:
    """The table with covered tiles as they are remembered: they are the same tiles."""
    return Table(tuple(tuple(SeenTile(seen.candidates) for seen in tiles) for tiles in table.sets))


_Sets = tuple[tuple[ShownTile, ...], ...]


def _shown(
    table: Table, lying: LyingTable | None, window_xywh_px: tuple[float, float, float, float] | None
) -> _Sets:
    """The table to be drawn, each tile with its place where the two tell of the same sets."""
    places: dict[tuple[int, int], Corners] = {}
    if lying is not None and window_xywh_px is not None and lying.table.sets == table.sets:
        by_key = {tile.key: tile.corners_xy_px for tile in lying.tiles}
        for row, one in enumerate(lying.sets):
            for at, key in enumerate(one.keys):
                places[row, at] = by_key[key]
    return tuple(
        tuple(
            ShownTile(
                str(seen).removeprefix("~"),
                _fractions(places.get((row, at)), window_xywh_px),
                (*(("doubt",) if not seen.is_sure else ()), *(("hidden",) if seen.hidden else ())),
            )
            for at, seen in enumerate(tiles)
        )
        for row, tiles in enumerate(table.sets)
    )


def _fractions(
    corners: Corners | None, window_xywh_px: tuple[float, float, float, float] | None
) -> tuple[tuple[float, float], ...]:
    if corners is None or window_xywh_px is None:
        return ()
    left, top, width, height = window_xywh_px
    return tuple((round((float(x) - left) / width, 5), round((float(y) - top) / height, 5)) for x, y in corners)


def _gone(record: TurnRecord) -> Counter[str]:
    """Tiles that lay there before and do not lie there now."""
    now = Counter(str(seen).removeprefix("~") for seen in record.after.tiles())
    return Counter(str(seen).removeprefix("~") for seen in record.before.tiles()) - now


def _marked_new(sets: _Sets, record: TurnRecord) -> _Sets:
    """Mark what came: by the tiles' own keys where they are known, else by what they show."""
    lying = record.lying_after
    if record.added_keys and lying is not None and lying.table.sets == record.after.sets:
        added = set(record.added_keys)
        return tuple(
            tuple(
                _with(tile, "new") if key in added else tile for tile, key in zip(tiles, one.keys, strict=True)
            )
            for tiles, one in zip(sets, lying.sets, strict=True)
        )
    return _marked_first(sets, Counter(str(seen).removeprefix("~") for seen in record.played), "new")


def _marked_faulty(sets: _Sets, record: TurnRecord, rules: Rules) -> _Sets:
    """Mark every set that is illegal by itself, else the tiles that the faults name, new ones first."""
    judged = judge_table(record.after, rules.inventory, rules.sets)
    sets = tuple(
        tuple(_with(tile, "fault") for tile in tiles) if one.verdict == "illegal" else tiles
        for tiles, one in zip(sets, judged.sets, strict=True)
    )
    in_sets = {problem for one in judged.sets for problem in one.problems}
    for problem in record.problems:
        if problem not in in_sets:
            named = Counter(str(seen).removeprefix("~") for seen in problem.tiles)
            sets = _marked_first(sets, named, "fault", rather="new")
    return sets


def _marked_first(sets: _Sets, named: Counter[str], mark: Mark, rather: Mark | None = None) -> _Sets:
    """Mark as many tiles of each text as are named, those that carry ``rather`` first."""
    left = Counter(named)
    chosen: set[tuple[int, int]] = set()
    order = [(row, at) for row, tiles in enumerate(sets) for at in range(len(tiles))]
    if rather is not None:
        order.sort(key=lambda place: rather not in sets[place[0]][place[1]].marks)
    for row, at in order:
        if left[sets[row][at].text] > 0:
            left[sets[row][at].text] -= 1
            chosen.add((row, at))
    return tuple(
        tuple(_with(tile, mark) if (row, at) in chosen else tile for at, tile in enumerate(tiles))
        for row, tiles in enumerate(sets)
    )


def _with(tile: ShownTile, mark: Mark) -> ShownTile:
    return tile if mark in tile.marks else replace(tile, marks=(*tile.marks, mark))
