"""Judging a turn: the table before, the table after, and what the player did in between.

The table says which sets lie there and which tiles came or went; it does not say whose rack a tile came from or
in which order it was moved. So the kindest course of the turn counts, and only what no course explains is a
fault. Where a sheet's stricter wording would forbid what another allows, the referee asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from referee.axes import Rules
from referee.difference import added_and_gone
from referee.jokers import IndexSet, JokerMove, judge_jokers
from referee.messages import Lean, Problem, Question, Verdict
from referee.opening import judge_opening
from referee.seen import SURE_TILES, SeenTile
from referee.sets import TableJudgement, judge_set, judge_table
from referee.stock import overdrawn
from referee.table import Table
from referee.tiles import JOKER

__all__ = ["TurnJudgement", "judge_turn"]

_J: Final = JOKER.index


@dataclass(frozen=True, slots=True)
class TurnJudgement:
    """What the rules say about a turn, or about a table alone."""

    verdict: Verdict
    """Illegal with any sure fault, else ask with any question, else legal."""
    lean: Lean | None
    """Where an unanswered question leans; None where nothing leans, or the verdict is no question."""
    table: TableJudgement
    """The table after the turn."""
    turn_problems: tuple[Problem, ...] = ()
    """Faults of the turn itself."""
    turn_questions: tuple[Question, ...] = ()
    """Questions about the turn itself."""
    played: tuple[SeenTile, ...] = ()
    """Tiles that came to the table, in the table's order."""
    gone: tuple[SeenTile, ...] = ()
    """Tiles that were on the table and are not."""
    opening_points: int | None = None
    """The greatest value of an opening; None for any other turn."""
    jokers: tuple[JokerMove, ...] = ()
    """What became of the jokers of sets that changed; empty where tiles are in doubt."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every fault, of the table and of the turn."""
        return (*self.table.problems, *self.turn_problems)

    @property
    def questions(self) -> tuple[Question, ...]:
        """Every question, of the table and of the turn."""
        return (*self.table.questions, *self.turn_questions)


@dataclass(frozen=True, slots=True)
class _Turn:
    """What the comparison of two tables of sure tiles says."""

    told: tuple[Problem | Question, ...] = ()
    opening_points: int | None = None
    jokers: tuple[JokerMove, ...] = ()


def judge_turn(
    before: Table | None,
    after: Table,
    *,
    opened: bool,
    rules: Rules,
    rack: Sequence[SeenTile] | None = None,
    drew: bool = False,
) -> TurnJudgement:
    """Judge the turn that led from ``before`` to ``after``; with ``before`` None, judge the table alone.

    ``opened`` says whether the player had opened before this turn. ``rack`` is what the player held before it,
    as far as that is known; without it, every new tile is taken to come from the rack. ``drew`` says that the
    player was seen to draw in this turn: then nothing may be played (all sheets: a draw ends the turn). A turn
    that leaves the table as it was is a draw or a pass, and legal.

    Doubtful tiles: the turn is illegal only if it is so under every completion, legal only if it is so under
    every one. Beyond a few hundred completions, and where sets cross, only faults that need no completion are
    sure.
    """
    table = judge_table(after, rules.inventory, rules.sets, crossing=rules.crossing == "yes")
    if before is None:
        return _conclude(table, ())
    added, gone = added_and_gone(before, after)
    if drew and added:
        told = (Problem("played-after-drawing", added),)
        return _conclude(table, told, added, gone)
    if before.is_sure and after.is_sure and (rack is None or all(seen.is_sure for seen in rack)):
        turn = _sure_turn(
            _indices(before), _indices(after), opened, rules, _held(rack), (_shared(before), _shared(after))
        )
        return _conclude(table, turn.told, added, gone, turn)
    return _doubtful_turn(table, before, after, (added, gone), opened, rules, rack)


def _indices(table: Table) -> list[IndexSet]:
    return [tuple([seen.index for seen in tiles]) for tiles in table.sets]


def _shared(table: Table) -> Counter[int]:
    """The tiles that lie in two sets, and so are listed once too often."""
    return Counter([seen.index for seen in table.shared_tiles()] if table.shared else ())


def _held(rack: Sequence[SeenTile] | None) -> Counter[int] | None:
    return None if rack is None else Counter(seen.index for seen in rack)


def _conclude(
    table: TableJudgement,
    told: Sequence[Problem | Question],
    added: tuple[SeenTile, ...] = (),
    gone: tuple[SeenTile, ...] = (),
    turn: _Turn | None = None,
) -> TurnJudgement:
    """Put the judgements of table and turn together."""
    problems = tuple(item for item in told if isinstance(item, Problem))
    questions = tuple(item for item in told if isinstance(item, Question))
    lean: Lean | None = None
    if problems or table.verdict == "illegal":
        verdict: Verdict = "illegal"
    elif questions or table.verdict == "ask":
        verdict = "ask"
        leans = {question.lean for question in (*table.questions, *questions)}
        lean = "illegal" if "illegal" in leans else None if None in leans else "legal"
    else:
        verdict = "legal"
    points = turn.opening_points if turn else None
    jokers = turn.jokers if turn else ()
    return TurnJudgement(verdict, lean, table, problems, questions, added, gone, points, jokers)


# --- sure tiles ------------------------------------------------------------------------------------------


def _sure_turn(
    before: list[IndexSet],
    after: list[IndexSet],
    opened: bool,
    rules: Rules,
    held: Counter[int] | None,
    shared: tuple[Counter[int], Counter[int]],
) -> _Turn:
    """Compare two tables of sure tiles; ``shared`` counts those listed twice on each."""
    old, new = _changed(before, after)
    if not old and not new:
        return _Turn()
    count_old = Counter([index for tiles in old for index in tiles])
    count_new = Counter([index for tiles in new for index in tiles])
    if shared[0] or shared[1]:
        count_new += shared[0]
        count_old += shared[1]
    played = count_new - count_old
    gone = count_old - count_new
    told: list[Problem | Question] = []
    vanished = _row(index for index in gone.elements() if index != _J)
    if vanished:
        told.append(Problem("tile-vanished", vanished))
    if gone[_J]:
        told.append(Problem("joker-pocketed", _row([_J] * gone[_J])))
    if not played and not gone and rules.rack_tile != "no":
        if rules.rack_tile == "yes":
            told.append(Problem("nothing-played"))
        else:
            told.append(Question("nothing-played?", answers=("yes", "no"), lean="illegal"))
    if held is not None and (strange := played - held):
        told.append(Problem("not-on-rack", _row(strange.elements())))
    opening = None
    must_open = not opened and rules.opening_points > 0
    if must_open:
        opening = judge_opening(old, new, played + (shared[1] & played), rules)
        told += opening.told
    if rules.rearrange != "yes":
        told += _rearranged(old, new, rules)
    jokers: list[JokerMove] = []
    if any(_J in tiles for tiles in old):
        jokers, about_jokers = judge_jokers(*_with_jokers_slid(before, after, old, new), played, rules)
        if opening is None or (opening.enough and rules.opening_build != "no"):
            told += about_jokers
        elif any(move.how in ("replaced", "freed") for move in jokers):
            told.append(Problem("joker-before-opening"))
    elif not must_open and any(_J in tiles for tiles in before):
        slid_old, slid_new = _with_jokers_slid(before, after, old, new)
        if len(slid_old) > len(old):
            jokers, about_jokers = judge_jokers(slid_old, slid_new, played, rules)
            told += about_jokers
    points = opening.points if opening and played else None
    return _Turn(tuple(told), points, tuple(jokers))


def _row(indices: Iterable[int]) -> tuple[SeenTile, ...]:
    return tuple(SURE_TILES[index] for index in indices)


def _changed(before: list[IndexSet], after: list[IndexSet]) -> tuple[list[IndexSet], list[IndexSet]]:
    """The sets that have no equal on the other table; the order of tiles within a set does not matter."""
    spare: dict[IndexSet, int] = {}
    for tiles in before:
        key = tuple(sorted(tiles))
        spare[key] = spare.get(key, 0) + 1
    new = []
    for tiles in after:
        key = tuple(sorted(tiles))
        if spare.get(key):
            spare[key] -= 1
        else:
            new.append(tiles)
    old = []
    for tiles in reversed(before):
        key = tuple(sorted(tiles))
        if spare.get(key):
            spare[key] -= 1
            old.append(tiles)
    return old[::-1], new


def _with_jokers_slid(
    before: list[IndexSet], after: list[IndexSet], old: list[IndexSet], new: list[IndexSet]
) -> tuple[list[IndexSet], list[IndexSet]]:
    """The changed sets, and those in which nothing but the joker's place differs."""

    def laid(tiles: IndexSet) -> IndexSet:
        return min(tiles, tiles[::-1])

    same = Counter(laid(tiles) for tiles in before if _J in tiles)
    same &= Counter(laid(tiles) for tiles in after if _J in tiles)

    def moved(sets: list[IndexSet], changed: list[IndexSet]) -> list[IndexSet]:
        left = Counter(same)
        told = list(changed)
        unchanged = Counter(sets) - Counter(changed)
        for tiles in unchanged.elements():
            if _J in tiles:
                if left[laid(tiles)]:
                    left[laid(tiles)] -= 1
                else:
                    told.append(tiles)
        return told

    return moved(before, old), moved(after, new)


def _rearranged(old: list[IndexSet], new: list[IndexSet], rules: Rules) -> list[Problem | Question]:
    """What is to be said where sets on the table may not be taken apart."""
    told: list[Problem | Question] = []
    whole = [Counter(tiles) for tiles in new]
    for tiles in old:
        row = _row(tiles)
        if any(not Counter(tiles) - other for other in whole):
            told.append(Question("added-to-set?", row, ("yes", "no")))
        elif rules.rearrange == "no":
            told.append(Problem("set-broken", row))
        else:
            told.append(Question("set-broken?", row, ("yes", "no"), lean="illegal"))
    return told


# --- doubtful tiles --------------------------------------------------------------------------------------

_MOST_COMPLETIONS: Final = 512


def _doubtful_turn(
    table: TableJudgement,
    before: Table,
    after: Table,
    difference: tuple[tuple[SeenTile, ...], tuple[SeenTile, ...]],
    opened: bool,
    rules: Rules,
    rack: Sequence[SeenTile] | None,
) -> TurnJudgement:
    """Judge a turn with doubtful tiles: try the completions, or stay with what is sure without them."""
    added, gone = difference
    old, new = _changed_seen(before, after)
    tiles = [seen for part in (*old, *new) for seen in part] + list(rack or ())
    doubtful = tuple(seen for seen in tiles if not seen.is_sure)
    ask = tuple(dict.fromkeys(_which(seen) for seen in doubtful))
    crossing = before.shared or after.shared
    if crossing or prod(len(seen.candidates) for seen in doubtful) > _MOST_COMPLETIONS:
        return _conclude(table, (*_vanished(gone), *ask), added, gone)
    unchanged = Counter(after.sets) - Counter(new)
    kept = Counter([seen.index for tiles in unchanged.elements() for seen in tiles if seen.is_sure])
    turns = []
    failing = []
    for choice, held in _completions(old, new, rack):
        now = _filled(new, choice[_count(old) :])
        turns.append(_sure_turn(_filled(old, choice), now, opened, rules, held, (Counter(), Counter())))
        laid = kept + Counter([index for tiles in now for index in tiles])
        failing.append(
            overdrawn(laid, rules.inventory)
            or any(judge_set(_row(tiles), rules.sets).verdict == "illegal" for tiles in now)
        )
    points = [turn.opening_points for turn in turns if turn.opening_points is not None]
    best = _Turn(opening_points=max(points, default=None))
    if all(not turn.told for turn in turns):
        return _conclude(table, (), added, gone, best)
    faulty = [[item for item in turn.told if isinstance(item, Problem)] for turn in turns]
    common = tuple(item for item in faulty[0] if all(item in others for others in faulty))
    if common or gone:
        return _conclude(table, common or _vanished(gone), added, gone, best)
    if all(faults or sets_fail for faults, sets_fail in zip(faulty, failing, strict=True)):
        told = (Problem("turn-never-legal", tuple(dict.fromkeys(doubtful))),)
        return _conclude(table, told, added, gone, best)
    return _conclude(table, ask, added, gone, best)


def _vanished(gone: tuple[SeenTile, ...]) -> tuple[Problem, ...]:
    """The fault of tiles that no reading of the table after finds again."""
    return (Problem("tile-vanished", gone),) if gone else ()


def _which(seen: SeenTile) -> Question:
    names = tuple(str(tile) for tile in sorted(seen.candidates))
    return Question("doubtful-tile", (seen,), names if len(names) <= 13 else (), (("tile", str(seen)),))


_SeenSets = list[tuple[SeenTile, ...]]


def _changed_seen(before: Table, after: Table) -> tuple[_SeenSets, _SeenSets]:
    """The sets that have no equal on the other table: an unchanged doubt is the same tile on both."""
    spare = Counter(before.sets)
    new = []
    for tiles in after.sets:
        if spare[tiles]:
            spare[tiles] -= 1
        else:
            new.append(tiles)
    return list(spare.elements()), new


def _count(sets: _SeenSets) -> int:
    return sum(len(tiles) for tiles in sets)


def _completions(
    old: _SeenSets, new: _SeenSets, rack: Sequence[SeenTile] | None
) -> list[tuple[list[int], Counter[int] | None]]:
    """Every choice of candidates, in the order of the sets, with the rack that goes with it."""
    flat = [seen for tiles in (*old, *new) for seen in tiles]
    size = len(flat)
    found: list[tuple[list[int], Counter[int] | None]] = []
    for choice in product(*([tile.index for tile in seen.candidates] for seen in (*flat, *(rack or ())))):
        found.append((list(choice[:size]), None if rack is None else Counter(choice[size:])))
    return found


def _filled(sets: _SeenSets, choice: Sequence[int]) -> list[IndexSet]:
    """The sets with their candidates chosen."""
    supply = iter(choice)
    return [tuple(next(supply) for _ in tiles) for tiles in sets]
