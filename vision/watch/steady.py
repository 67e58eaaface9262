"""Sets whose tiles have not been touched are the sets they were, however a later look cuts them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.watch.look import tile_width
from vision.watch.types import LyingSet, LyingTable

__all__ = ["steadied"]

_MOVED = 0.3
"""Tile widths from which on a tile has been moved."""


def steadied(before: LyingTable, now: LyingTable) -> LyingTable:
    """Return ``now`` with sets of untouched tiles cut as in ``before``, where nothing has joined them."""
    still = _untouched(before, now)
    if not still:
        return now
    old = [one for one in before.sets if still.issuperset(one.keys)]
    set_of = {key: at for at, one in enumerate(old) for key in one.keys}
    cut = now.rows
    if all(frozenset(one.keys) in cut for one in old):
        return now
    # Sets of both tables that share tiles belong together; where they hold the same tiles, the old cut stands.
    kept: list[LyingSet] = []
    changed: list[LyingSet] = []
    for one in now.sets:
        (changed if any(key in set_of for key in one.keys) else kept).append(one)
    while changed:
        group, keys = [changed.pop(0)], set()
        while True:
            keys = {key for one in group for key in one.keys}
            olds = {set_of[key] for key in keys if key in set_of}
            whole = keys | {key for at in olds for key in old[at].keys}
            more = [one for one in changed if whole & set(one.keys)]
            if not more:
                break
            group += more
            changed = [one for one in changed if one not in more]
        same = keys == {key for at in olds for key in old[at].keys}
        kept += [old[at] for at in sorted(olds)] if same else group
    return replace(now, sets=tuple(kept))


def _untouched(before: LyingTable, now: LyingTable) -> set[int]:
    """Return the keys of tiles that lie where they did, whatever the camera has done."""
    places = {tile.key: tile.corners_xy_px for tile in before.tiles}
    both = [tile for tile in now.tiles if tile.key in places]
    if not both:
        return set()
    away = np.stack([tile.corners_xy_px.mean(axis=0) - places[tile.key].mean(axis=0) for tile in both])
    away = np.linalg.norm(away - np.median(away, axis=0), axis=1)
    bar = _MOVED * tile_width([tile.corners_xy_px for tile in both])
    return {tile.key for tile, far in zip(both, away, strict=True) if far <= bar}
