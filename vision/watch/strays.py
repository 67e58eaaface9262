"""What only seems to be a tile that was laid: likenesses, writing, what went out of view and has gone since."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np

from vision.watch.look import shared_area
from vision.watch.types import LyingTable, LyingTile

__all__ = ["left_over", "strays", "without", "without_alone", "without_rows", "without_strays"]

_SEEN_OFTEN = 4
"""Looks from which on what lies alone, and is out of view now, was no passing likeness."""
_CLEAR, _OFTEN = 0.98, 3
"""What lies alone and was read less clearly in fewer looks may be a back: those read as tiles now and then."""
_ONCE_CLEARLY = 0.95
"""So surely at least one look has to read what lies alone: weak looks at a mug's handle add up to a 1."""
_OVER = 0.4
"""Share of a tile's place that no other takes up: tiles lie beside each other."""


def strays(lying: LyingTable, other: LyingTable) -> frozenset[int]:
    """What lies alone here, is not in the other table, and was not read surely, or only once and not since."""
    tiles = {tile.key: tile for tile in lying.tiles}
    there = other.keys
    return frozenset(
        key for key in lying.alone - there if len(tiles[key].seen.candidates) > 1 or _in_passing(tiles[key])
    )


def _in_passing(tile: LyingTile) -> bool:
    """True for what a few looks showed, unclearly or not the last one, or many and none of them clearly.

    A gap among backs may read as a tile.
    """
    few = (tile.seen.hidden and tile.looks < _SEEN_OFTEN) or (tile.looks < _OFTEN and tile.confidence < _CLEAR)
    return few or tile.clearest < _ONCE_CLEARLY


def without_strays(lying: LyingTable, before: LyingTable) -> LyingTable:
    """Leave out what came since ``before``, lies alone and was not read surely, or once and not since.

    No play is made of that, nor of two such things side by side of which neither was ever read clearly: dice.
    Nor of what reads now here and now a little beside, as writing on a score pad does.
    """
    tiles, there = {tile.key: tile for tile in lying.tiles}, before.keys
    dim = {key for key, tile in tiles.items() if tile.clearest < _ONCE_CLEARLY} - there
    pairs = frozenset(
        key for one in lying.sets if len(one.keys) == 2 and dim >= {*one.keys} for key in one.keys
    )
    over = _over_each_other(lying, there)
    rest = without_rows(without(lying, pairs), over)
    return without_alone(rest, strays(rest, before))


def without_alone(lying: LyingTable, keys: AbstractSet[int]) -> LyingTable:
    """Leave out those tiles that lie alone."""
    alone = lying.alone & keys
    if not alone:
        return lying
    tiles = tuple(tile for tile in lying.tiles if tile.key not in alone)
    return replace(lying, tiles=tiles, sets=tuple(one for one in lying.sets if alone.isdisjoint(one.keys)))


def without(lying: LyingTable, keys: AbstractSet[int]) -> LyingTable:
    """Leave out those tiles, wherever they lie."""
    tiles = tuple(tile for tile in lying.tiles if tile.key not in keys)
    rows = (replace(one, keys=tuple(key for key in one.keys if key not in keys)) for one in lying.sets)
    return replace(lying, tiles=tiles, sets=tuple(one for one in rows if one.keys))


def without_rows(lying: LyingTable, keys: AbstractSet[int]) -> LyingTable:
    """Leave out those of the tiles that lie in rows of nothing else."""
    return without(lying, frozenset().union(*(row for row in lying.rows if row <= keys)))


def left_over(lying: LyingTable, sets: AbstractSet[frozenset[int]]) -> frozenset[int]:
    """What is out of view, and of which all that came with it has left the table: so it has, too.

    ``sets`` are those of this turn so far. On a motley cloth a bare place may look covered.
    """
    here = lying.keys
    unseen = (row for row in lying.rows if row <= lying.hidden)
    left = (row for row in unseen if any(row < one and here.isdisjoint(one - row) for one in sets))
    return frozenset(key for row in left for key in row)


def _over_each_other(lying: LyingTable, there: AbstractSet[int]) -> frozenset[int]:
    """The tiles but for those ``there`` that take up one another's places."""
    fresh = [tile for tile in lying.tiles if tile.key not in there]
    over: set[int] = set()
    for one, other in combinations(fresh, 2):
        away = np.abs(one.corners_xy_px.mean(axis=0) - other.corners_xy_px.mean(axis=0)).max()
        if away > np.ptp(one.corners_xy_px, axis=0).max():
            continue
        least = min(cv2.contourArea(tile.corners_xy_px) for tile in (one, other))
        if shared_area(one.corners_xy_px, other.corners_xy_px) >= _OVER * least:
            over |= {one.key, other.key}
    return frozenset(over)
