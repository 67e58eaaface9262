"""From a table as it lies to what is said of a turn: whatever was not seen surely becomes a question.

Before anyone is accused, the turn is judged again with everything open that could have been misseen: tiles
read less than very surely, cuts between sets that touch, tiles that changed into one that looks alike. Only a
fault that survives all this is called one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from referee import Colour, Question, SeenTile, Table, Tile
from vision.watch.court import Court, Finding
from vision.watch.look import tile_width
from vision.watch.types import LyingSet, LyingTable, LyingTile

__all__ = ["find", "same_table", "trusted"]

_FAULT_BAR = 0.99
"""A tile read less surely than this is open to its other readings before it makes a fault."""
_LISTED = 0.001
"""Readings under this are not opened."""
_TOUCHING = 1.35
"""Tile widths between middles under which two tiles might lie together after all."""
_LOOSE = 1.15
"""Tile widths between middles over which two neighbours might not lie together."""


def find(court: Court, before: LyingTable, after: LyingTable, *, drew: bool = False) -> Finding:
    """Say what is to be said if the turn ends with ``after`` on the table."""
    old = trusted(before, before)
    finding = court.judge(old, trusted(after, before), drew=drew)
    if finding.verdict != "illegal" or drew:
        return finding
    for question, table in _otherwise(before, after, finding):
        other = court.judge(old, table, drew=drew)
        if other.verdict != "illegal":
            return finding.asking(question, *other.questions)
    return finding


def same_table(one: LyingTable, other: LyingTable) -> bool:
    """True where nothing was added, taken or put elsewhere: by the tiles' identity, or by what they show."""

    def by_keys(lying: LyingTable) -> set[frozenset[int]]:
        return {frozenset(lying_set.keys) for lying_set in lying.sets}

    if by_keys(one) == by_keys(other):
        return True
    table, another = one.table, other.table
    if not table.is_sure or not another.is_sure:
        return False
    return _faces(table) == _faces(another)


def _faces(table: Table) -> list[tuple[int, ...]]:
    return sorted(tuple(sorted(seen.index for seen in tiles)) for tiles in table.sets)


def trusted(lying: LyingTable, baseline: LyingTable) -> Table:
    """Return the table with tiles that are hidden in a set of the baseline taken for what they were there."""
    known = {frozenset(lying_set.keys) for lying_set in baseline.sets}
    tiles = {tile.key: tile.seen for tile in lying.tiles}

    def shown(lying_set: LyingSet) -> tuple[SeenTile, ...]:
        seen = [tiles[key] for key in lying_set.keys]
        if frozenset(lying_set.keys) in known:
            return tuple(replace(tile, hidden=False) if tile.hidden else tile for tile in seen)
        return tuple(seen)

    return Table(tuple(shown(lying_set) for lying_set in lying.sets))


def _otherwise(before: LyingTable, after: LyingTable, finding: Finding) -> Iterator[tuple[Question, Table]]:
    """Yield what the table may be instead, each with the question that would settle it."""
    opened = _opened_up(before, after)
    if opened is not None:
        unsure, table = opened
        yield Question("really-so?", unsure, ("yes", "no")), table
    yield from _recut(before, after)
    yield from _taken_for_another(before, after, finding)


def _with_tiles(lying: LyingTable, baseline: LyingTable, change: Callable[[LyingTile], SeenTile]) -> Table:
    changed = replace(lying, tiles=tuple(replace(tile, seen=change(tile)) for tile in lying.tiles))
    return trusted(changed, baseline)


def _opened_up(before: LyingTable, after: LyingTable) -> tuple[tuple[SeenTile, ...], Table] | None:
    """The table with every tile that is not read very surely open to its other readings."""
    unsure = {
        tile.key: SeenTile.of(
            tile.seen.candidates | {other.tile for other, p in tile.alternatives if p >= _LISTED},
            hidden=tile.seen.hidden,
        )
        for tile in after.tiles
        if tile.seen.is_sure and tile.confidence < _FAULT_BAR and tile.alternatives
    }
    if not unsure:
        return None
    shown = tuple(tile.seen for tile in after.tiles if tile.key in unsure)
    return shown, _with_tiles(after, before, lambda tile: unsure.get(tile.key, tile.seen))


def _recut(before: LyingTable, after: LyingTable) -> Iterator[tuple[Question, Table]]:
    """Sets that nearly touch may be one, and a set with a wider gap in it may be two."""
    tiles = {tile.key: tile for tile in after.tiles}
    known = {frozenset(lying_set.keys) for lying_set in before.sets}

    def question(keys: Sequence[int]) -> Question:
        return Question("which-sets?", tuple(tiles[key].seen for key in keys), ("yes", "no"))

    def apart(one: int, other: int) -> float:
        quads = [tiles[one].corners_xy_px, tiles[other].corners_xy_px]
        return float(np.linalg.norm(quads[0].mean(axis=0) - quads[1].mean(axis=0))) / max(
            tile_width(quads), 1e-6
        )

    for one in after.sets:
        if frozenset(one.keys) in known:
            continue
        others = tuple(s for s in after.sets if s is not one)
        for other in others:
            for first, second in ((one, other), (other, one)):
                if apart(first.keys[-1], second.keys[0]) < _TOUCHING:
                    joined = LyingSet((*first.keys, *second.keys))
                    left = tuple(s for s in others if s is not other)
                    yield question(joined.keys), trusted(replace(after, sets=(*left, joined)), before)
        for at in range(1, len(one.keys)):
            if apart(one.keys[at - 1], one.keys[at]) > _LOOSE:
                parts = LyingSet(one.keys[:at]), LyingSet(one.keys[at:])
                yield question(one.keys), trusted(replace(after, sets=(*others, *parts)), before)


def _taken_for_another(
    before: LyingTable, after: LyingTable, finding: Finding
) -> Iterator[tuple[Question, Table]]:
    """A tile that vanished while one that looks alike came is rather the same tile, read in two ways."""
    gone = [seen for seen in finding.gone if seen.is_sure]
    came = [seen for seen in finding.played if seen.is_sure]
    old = {tile.key for tile in before.tiles}
    for lost in gone:
        for new in came:
            if not _alike(lost.tile, new.tile):
                continue
            for tile in after.tiles:
                if tile.seen == new and tile.key not in old:
                    question = Question("same-tile?", (new,), ("yes", "no"), (("gone", str(lost)),))
                    yield question, _with_tiles(after, before, partial(_swapped, tile.key, lost))
                    break


def _swapped(key: int, other: SeenTile, tile: LyingTile) -> SeenTile:
    return other if tile.key == key else tile.seen


_ALIKE_NUMBERS: Sequence[frozenset[int]] = tuple(
    frozenset(pair)
    for pair in ((6, 9), (1, 7), (3, 8), (5, 6), (8, 9), (6, 8), (11, 1), (10, 1), (12, 2), (13, 3))
)
_ALIKE_COLOURS = frozenset({Colour.RED, Colour.ORANGE}), frozenset({Colour.BLUE, Colour.BLACK})


def _alike(one: Tile, other: Tile) -> bool:
    """True for tiles that are easily taken for each other: number or colour the same, the other near."""
    if one.is_joker or other.is_joker or one.colour is None or other.colour is None:
        return False
    if one.colour is other.colour:
        return frozenset({one.number, other.number}) in _ALIKE_NUMBERS
    return one.number == other.number and frozenset({one.colour, other.colour}) in _ALIKE_COLOURS
