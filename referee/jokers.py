"""Jokers between two tables: which moved, what freed them, and where they went.

A joker stays if it stands for the same tile before and after, beside an old neighbour. Jokers cannot be told
apart, so of all ways to match them the kindest counts. What the camera cannot see is taken kindly too: which of
two equal tiles is which, and the order of the moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final, Literal

from referee.axes import Rules
from referee.messages import Lean, Problem, Question
from referee.readings import Reading, readings
from referee.seen import SURE_TILES, SeenTile
from referee.table import TileSet
from referee.tiles import JOKER, Tile

__all__ = ["IndexSet", "JokerMove", "judge_jokers"]

IndexSet = tuple[int, ...]
"""A set of sure tiles as indices into ``ALL_TILES``, in laid order."""

_J: Final = JOKER.index

_Place = tuple[IndexSet, int]
_Told = tuple[Problem | Question, ...]


@dataclass(frozen=True, slots=True)
class JokerMove:
    """What became of one joker of the table."""

    before: TileSet
    """The set that it lay in."""
    after: TileSet | None
    """The set that it lies in; None for a joker that left the table."""
    stood_for: tuple[Tile, ...]
    """What it stood for; several where that was open."""
    stands_for: tuple[Tile, ...]
    """What it stands for now."""
    how: Literal["stays", "slides", "replaced", "freed", "gone"]
    """Stays; moved within its own set; freed by its tile; freed otherwise; gone from the table."""


def judge_jokers(
    before: Sequence[IndexSet], after: Sequence[IndexSet], played: Counter[int], rules: Rules
) -> tuple[list[JokerMove], list[Problem | Question]]:
    """Follow every joker from the changed sets ``before`` to the changed sets ``after``.

    ``played`` counts the tiles that came from the rack, by index. Returns the moves, one for each joker that
    lay on the table, and what is wrong with them or open about them.
    """
    old = [(tiles, at) for tiles in before for at, index in enumerate(tiles) if index == _J]
    new = [(tiles, at) for tiles in after for at, index in enumerate(tiles) if index == _J]
    judge = _Judge(before, after, played, rules)
    best: tuple[int, list[JokerMove], list[Problem | Question]] | None = None
    for pairs in _matchings(old, new):
        moves = []
        told: list[Problem | Question] = []
        for start, goal in pairs:
            move, words = judge.move(start, goal)
            moves.append(move)
            told += words
        cost = sum(map(_cost, told)) * 8 + sum(move.how != "stays" for move in moves)
        if best is None or cost < best[0]:
            best = cost, moves, told
        if not cost:
            break
    moves, told = (best[1], best[2]) if best else ([], [])
    if rules.joker_sets == "add-only":
        told += judge.broken_sets()
    return moves, list(dict.fromkeys(told))


_MOST_MATCHED: Final = 4


def _matchings(old: list[_Place], new: list[_Place]) -> list[list[tuple[_Place, _Place | None]]]:
    """Every way to find the old jokers among the new ones; beyond four of them, in order only."""
    if max(len(old), len(new)) > _MOST_MATCHED:
        padded: list[_Place | None] = [*new, *[None] * len(old)]
        return [list(zip(old, padded, strict=False))]
    goals: list[_Place | None] = [*new, *[None] * (len(old) - len(new))]
    return [list(zip(old, chosen, strict=True)) for chosen in permutations(goals, len(old))]


def _cost(told: Problem | Question) -> int:
    if isinstance(told, Problem):
        return 100
    return 1 if told.lean == "legal" else 10


def _row(tiles: IndexSet) -> tuple[SeenTile, ...]:
    return tuple(SURE_TILES[index] for index in tiles)


def _laid(tiles: IndexSet, rules: Rules) -> list[Reading]:
    """The readings as laid, or the free ones where there is no other or order is nothing."""
    found = readings(tiles, rules.sets)
    laid = [reading for reading in found if reading.as_laid]
    return list(found) if rules.run_order == "any" or not laid else laid


class _Judge:
    """The two tables, and what can be asked of them."""

    def __init__(
        self, before: Sequence[IndexSet], after: Sequence[IndexSet], played: Counter[int], rules: Rules
    ) -> None:
        self._before = [(tiles, Counter(tiles)) for tiles in before]
        self._after = [Counter(tiles) for tiles in after]
        self._played = played
        self._rules = rules

    def move(self, start: _Place, goal: _Place | None) -> tuple[JokerMove, _Told]:
        """What is to be said of a joker that went from ``start`` to ``goal``."""
        tiles, at = start
        stood = {reading.tiles[at] for reading in _laid(tiles, self._rules)}
        if goal is None:
            return JokerMove(_row(tiles), None, tuple(sorted(stood)), (), "gone"), ()
        end, end_at = goal
        stands = {reading.tiles[end_at] for reading in _laid(end, self._rules)}

        def moved(how: Literal["stays", "slides", "replaced", "freed"]) -> JokerMove:
            return JokerMove(_row(tiles), _row(end), tuple(sorted(stood)), tuple(sorted(stands)), how)

        neighbours = Counter(tiles) - Counter({_J: 1})
        stays = bool(stood & stands) and bool(neighbours & (Counter(end) - Counter({_J: 1})))
        if stays or not stood or not stands:
            return moved("stays"), ()
        row = _row(end)
        if self._rules.joker_reuse == "frozen":
            return moved("freed"), (self._strict("joker-frozen", row, "illegal"),)
        by_rack, by_table = self._replaced(tiles, stood)
        inside = not Counter(tiles) - Counter(end)
        told = [*self._freed(tiles, by_rack, by_table), *self._reused(end, inside)]
        if inside:
            return moved("slides"), tuple(told)
        return moved("replaced" if by_rack or by_table else "freed"), tuple(told)

    def _strict(self, code: str, row: tuple[SeenTile, ...], lean: Lean) -> Problem | Question:
        """A fault where the rules are strict about jokers, a question elsewhere."""
        if self._rules.joker_strict == "fault":
            return Problem(code, row)
        return Question(f"{code}?", row, ("yes", "no"), lean=lean)

    def _replaced(self, tiles: IndexSet, stood: set[Tile]) -> tuple[bool, bool]:
        """Whether its tile took the joker's place: from the rack, or from another set of the table."""
        naturals = Counter(index for index in tiles if index != _J)
        need = [tile.index for tile in stood]
        three = len(tiles) == 3 and len(naturals) == 2 and len(need) > 1
        if self._rules.group_of_three == "both" and three:
            together = naturals + Counter(need)
            taken = any(not together - after for after in self._after)
            return taken and all(self._played[index] for index in need), taken
        by_rack = by_table = False
        for index in need:
            wanted = naturals + Counter({index: 1})
            for after in self._after:
                if wanted - after:
                    continue
                by_rack = by_rack or self._played[index] > 0
                by_table = by_table or any(
                    origin != tiles and rest[index] and not (rest - Counter({index: 1})) & after
                    for origin, rest in self._before
                )
        return by_rack, by_table

    def _freed(self, tiles: IndexSet, by_rack: bool, by_table: bool) -> _Told:
        """What is to be said of how the joker came free."""
        row = _row(tiles)
        freed = self._rules.joker_freed
        if freed == "exact-rack":
            return () if by_rack else (self._strict("joker-not-replaced", row, "illegal"),)
        three = len(tiles) == 3 and tiles.count(_J) == 1
        if self._rules.group_of_three == "both" and three and not (by_rack or by_table):
            group = len({index % 13 for index in tiles if index != _J}) == 1
            if group and self._one_colour_came(tiles):
                return (Problem("joker-needs-both", row),)
        if freed == "any" or by_rack or by_table:
            return ()
        if freed == "replaced" or self._left_whole(tiles):
            return (Question("joker-not-replaced?", row, ("yes", "no"), lean="legal"),)
        return ()

    def _one_colour_came(self, tiles: IndexSet) -> bool:
        """True where a group of three was filled up with one of its two missing colours."""
        naturals = Counter(index for index in tiles if index != _J)
        number = tiles[0] % 13 if tiles[0] != _J else tiles[1] % 13
        return any(
            not naturals - after and all(index % 13 == number for index in after if index != _J)
            for after in self._after
        )

    def _left_whole(self, tiles: IndexSet) -> bool:
        """True where the joker was simply lifted off: what is left of its set lies on as a set of its own."""
        rest = Counter(tiles)
        while rest[_J]:
            rest[_J] -= 1
            if any(after == +rest for after in self._after):
                return True
        return False

    def _reused(self, end: IndexSet, inside: bool) -> _Told:
        """What is to be said of where the joker went."""
        reuse = self._rules.joker_reuse
        row = _row(end)
        if reuse == "any":
            return ()
        if inside:
            return (Question("joker-slides?", row, ("yes", "no"), lean="legal"),)
        goal = Counter(end)
        if any(not old - goal for _, old in self._before):
            return (self._strict("joker-in-old-set", row, "illegal"),)
        need = {"new": 0, "new+rack": 1, "new+2rack": 2}.get(reuse, 0)
        own = (goal - Counter({_J: 1})) & self._played
        if own.total() < need:
            told = self._strict("joker-without-rack-tile", row, "illegal")
            return (_with_args(told, (("count", need),)),)
        return ()

    def broken_sets(self) -> list[Problem | Question]:
        """A fault for every set with a joker that was taken apart, where it may only be added to."""
        told: list[Problem | Question] = []
        for tiles, whole in self._before:
            if not whole[_J]:
                continue
            stood = {
                reading.tiles[at].index
                for reading in readings(tiles, self._rules.sets)
                for at, index in enumerate(tiles)
                if index == _J
            }
            swapped = [whole - Counter({_J: 1}) + Counter({index: 1}) for index in stood]
            if all(kept - after for kept in (whole, *swapped) for after in self._after):
                told.append(Problem("joker-set-broken", _row(tiles)))
        return told


def _with_args(told: Problem | Question, args: tuple[tuple[str, str | int], ...]) -> Problem | Question:
    if isinstance(told, Problem):
        return Problem(told.code, told.tiles, args)
    return Question(told.code, told.tiles, told.answers, args, told.lean)
