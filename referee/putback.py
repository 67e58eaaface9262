"""The put-back plan: from the table as it lies to the table before the turn, in the fewest moves.

A move lifts one tile and lays it down elsewhere. Tiles that are never lifted stay where they lie, so a set of
the old table can only grow out of what lies in one place now; in a run they also keep their order, which may be
read from either side. The fewest moves therefore follow from the best matching of old sets with places, by how
many tiles can stay: found exactly, as an assignment problem.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from referee.messages import Note
from referee.readings import STANDARD_SETS, SetRules, readings
from referee.seen import SeenTile
from referee.table import Table, TileSet

__all__ = ["PutBackStep", "put_back"]


@dataclass(frozen=True, slots=True)
class PutBackStep:
    """One move of one tile."""

    tile: SeenTile
    """The tile to lift."""
    kind: Literal["to-rack", "to-set", "to-new-set", "from-rack"]
    """Back to the rack; to what is left of an old set; as the first of an old set; from the rack to a set."""
    lies_in: TileSet
    """The set as it lies when the tile is lifted; empty for one that is on the rack."""
    goes_to: TileSet
    """The old set that it belongs to; empty for one that goes to the rack."""
    table: Table
    """The table after the move."""

    @property
    def note(self) -> Note:
        """The move as a code with its tiles; ``note.message`` is an English sentence."""
        lies_in, goes_to = (" ".join(map(str, tiles)) for tiles in (self.lies_in, self.goes_to))
        return Note(f"put-back-{self.kind}", (self.tile,), (("lies_in", lies_in), ("goes_to", goes_to)))

    @property
    def message(self) -> str:
        """The move as an English sentence."""
        return self.note.message


def put_back(now: Table, before: Table, rules: SetRules = STANDARD_SETS) -> tuple[PutBackStep, ...]:
    """Return the fewest moves that lead from ``now`` to ``before``, in the order in which to carry them out.

    First the tiles that the table did not hold go back to the rack, then every old set is filled up. Tiles are
    the same if they read the same; the order of sets, and of tiles in a group, does not matter. Raises
    ValueError for tables whose sets cross.
    """
    if now.shared or before.shared:
        raise ValueError("there is no put-back plan for sets that cross")
    places = [list(tiles) for tiles in now.sets]
    match = _best_match([[_stays(old, place, rules) for place in places] for old in before.sets])
    stay = [[False] * len(place) for place in places]
    for old, at in zip(before.sets, match, strict=True):
        if at is not None:
            for kept in _kept(old, places[at], rules):
                stay[at][kept] = True
    return tuple(_Mover(before, places, stay, match, rules).steps())


def _is_group(tiles: Sequence[SeenTile], rules: SetRules) -> bool:
    """True for a set in which the order of the tiles says nothing."""
    if not all(seen.is_sure for seen in tiles):
        return False
    found = readings(tuple(seen.index for seen in tiles), rules)
    return bool(found) and all(reading.kind == "group" for reading in found)


def _kept(old: TileSet, place: Sequence[SeenTile], rules: SetRules) -> list[int]:
    """Which tiles of ``place`` may stay where they lie while it becomes ``old``: as many as can be."""
    if _is_group(old, rules):
        need = Counter(old)
        kept = []
        for at, seen in enumerate(place):
            if need[seen]:
                need[seen] -= 1
                kept.append(at)
        return kept
    forward = _common(old, place)
    backward = _common(old[::-1], place)
    return forward if len(forward) >= len(backward) else backward


def _stays(old: TileSet, place: Sequence[SeenTile], rules: SetRules) -> int:
    return len(_kept(old, place, rules))


def _common(old: Sequence[SeenTile], place: Sequence[SeenTile]) -> list[int]:
    """The places, in ``place``, of a longest common subsequence."""
    best = [[0] * (len(place) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for k in range(len(place) - 1, -1, -1):
            same = old[i] == place[k]
            best[i][k] = best[i + 1][k + 1] + 1 if same else max(best[i + 1][k], best[i][k + 1])
    kept = []
    i = k = 0
    while i < len(old) and k < len(place):
        if old[i] == place[k]:
            kept.append(k)
            i, k = i + 1, k + 1
        elif best[i + 1][k] >= best[i][k + 1]:
            i += 1
        else:
            k += 1
    return kept


def _best_match(weights: list[list[int]]) -> list[int | None]:
    """For each row the column that it is matched with, each column once, for the greatest sum of weights.

    Kuhn and Munkres' method with potentials; a row that gains nothing is matched with None.
    """
    rows, columns = len(weights), len(weights[0]) if weights else 0
    size = max(rows, columns)
    cost = [[-weights[r][c] if r < rows and c < columns else 0 for c in range(size)] for r in range(size)]
    row_potential, column_potential = [0] * (size + 1), [0] * (size + 1)
    owner = [0] * (size + 1)
    for row in range(1, size + 1):
        owner[0] = row
        column = 0
        slack = [size * 1000] * (size + 1)
        came_from = [0] * (size + 1)
        done = [False] * (size + 1)
        while owner[column]:
            done[column] = True
            at, step, following = owner[column], size * 1000, 0
            for other in range(1, size + 1):
                if done[other]:
                    continue
                reduced = cost[at - 1][other - 1] - row_potential[at] - column_potential[other]
                if reduced < slack[other]:
                    slack[other], came_from[other] = reduced, column
                if slack[other] < step:
                    step, following = slack[other], other
            for other in range(size + 1):
                if done[other]:
                    row_potential[owner[other]] += step
                    column_potential[other] -= step
                else:
                    slack[other] -= step
            column = following
        while column:
            owner[column] = owner[came_from[column]]
            column = came_from[column]
    match: list[int | None] = [None] * rows
    for column in range(1, columns + 1):
        row = owner[column] - 1
        if row < rows and weights[row][column - 1]:
            match[row] = column - 1
    return match


class _Mover:
    """Carries the moves out on a copy of the table, so that every step can say how it then lies."""

    def __init__(
        self,
        before: Table,
        places: list[list[SeenTile]],
        stay: list[list[bool]],
        match: list[int | None],
        rules: SetRules,
    ) -> None:
        self._sets = list(before.sets)
        self._places = places
        self._stay = stay
        self._match = match
        self._groups = [_is_group(tiles, rules) for tiles in before.sets]

    def steps(self) -> list[PutBackStep]:
        """Every move, in order."""
        needs = [self._missing(row) for row in range(len(self._sets))]
        wanted = sum(needs, Counter())
        steps = [self._to_rack(*found) for found in self._surplus(wanted)]
        for row, need in enumerate(needs):
            for seen in sorted(need.elements(), key=self._sets[row].index):
                steps.append(self._to_set(row, seen))
        return steps

    def _missing(self, row: int) -> Counter[SeenTile]:
        at = self._match[row]
        kept = (
            []
            if at is None
            else [s for s, stays in zip(self._places[at], self._stay[at], strict=True) if stays]
        )
        return Counter(self._sets[row]) - Counter(kept)

    def _surplus(self, wanted: Counter[SeenTile]) -> list[tuple[SeenTile, int]]:
        """The loose tiles that no old set needs, each with its place."""
        loose = [
            (seen, at)
            for at, place in enumerate(self._places)
            for seen, stays in zip(place, self._stay[at], strict=True)
            if not stays
        ]
        left = Counter(wanted)
        surplus = []
        for seen, at in loose:
            if left[seen]:
                left[seen] -= 1
            else:
                surplus.append((seen, at))
        return surplus

    def _lift(self, seen: SeenTile, at: int) -> TileSet:
        """Take a loose tile off a place; returns the set as it lay."""
        lay = tuple(self._places[at])
        index = next(k for k, tile in enumerate(lay) if tile == seen and not self._stay[at][k])
        del self._places[at][index], self._stay[at][index]
        return lay

    def _table(self) -> Table:
        return Table(tuple(tuple(place) for place in self._places if place))

    def _to_rack(self, seen: SeenTile, at: int) -> PutBackStep:
        lay = self._lift(seen, at)
        return PutBackStep(seen, "to-rack", lay, (), self._table())

    def _to_set(self, row: int, seen: SeenTile) -> PutBackStep:
        old = self._sets[row]
        source = next(
            (
                at
                for at, place in enumerate(self._places)
                if any(tile == seen and not stays for tile, stays in zip(place, self._stay[at], strict=True))
            ),
            None,
        )
        lay = () if source is None else self._lift(seen, source)
        new = self._match[row] is None
        if new:
            self._match[row] = len(self._places)
            self._places.append([])
            self._stay.append([])
        self._lay(row, seen)
        kind: Literal["to-set", "to-new-set", "from-rack"] = (
            "from-rack" if source is None else "to-new-set" if new else "to-set"
        )
        return PutBackStep(seen, kind, lay, old, self._table())

    def _lay(self, row: int, seen: SeenTile) -> None:
        """Lay a tile where it belongs among those that stay; loose ones lie on, aside."""
        at = self._match[row]
        assert at is not None
        place, stay = self._places[at], self._stay[at]
        kept = [tile for tile, stays in zip(place, stay, strict=True) if stays]
        index = self._index(row, kept, seen)
        position = len(place)
        passed = 0
        for k, stays in enumerate(stay):
            if stays:
                if passed == index:
                    position = k
                    break
                passed += 1
        place.insert(position, seen)
        stay.insert(position, True)

    def _index(self, row: int, kept: list[SeenTile], seen: SeenTile) -> int:
        """Before which of the kept tiles a tile goes."""
        if self._groups[row]:
            return len(kept)
        for old in (self._sets[row], self._sets[row][::-1]):
            for index in range(len(kept) + 1):
                tried = [*kept[:index], seen, *kept[index:]]
                if len(_common(old, tried)) == len(tried):
                    return index
        return len(kept)
