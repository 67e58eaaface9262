"""Where one set ends and the next begins, where that can be seen in more than one way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from referee import Question
from vision.quads import quad_axes
from vision.readings import Corners
from vision.watch.look import tile_width
from vision.watch.types import LyingSet, LyingTable

__all__ = ["recut"]

_TOUCHING = 1.45
"""Tile widths between middles under which two tiles might lie together after all."""
_LOOSE = 1.15
"""Tile widths between middles over which two neighbours might not lie together."""
_IN_LINE = 0.6
"""Tile heights by which two neighbours of one set may be shifted: what lies above another is in another row."""


def recut(before: LyingTable, after: LyingTable) -> Iterator[tuple[Question, LyingTable]]:
    """Sets that nearly touch may be one, and a set with a wider gap in it may be two."""
    tiles = {tile.key: tile for tile in after.tiles}
    known = before.rows
    fresh = [one for one in after.sets if frozenset(one.keys) not in known]

    def question(keys: Sequence[int]) -> Question:
        return Question("which-sets?", tuple(tiles[key].seen for key in keys), ("yes", "no"))

    def apart(one: int, other: int) -> float:
        quads = [tiles[one].corners_xy_px, tiles[other].corners_xy_px]
        return float(np.linalg.norm(quads[0].mean(axis=0) - quads[1].mean(axis=0))) / max(
            tile_width(quads), 1e-6
        )

    def touch(first: LyingSet, second: LyingSet) -> bool:
        ends = first.keys[-1], second.keys[0]
        return apart(*ends) < _TOUCHING and _in_line(*(tiles[key].corners_xy_px for key in ends))

    for one in fresh:
        others = tuple(s for s in after.sets if s is not one)
        for other in others:
            for first, second in ((one, other), (other, one)):
                if touch(first, second):
                    joined = LyingSet((*first.keys, *second.keys))
                    left = tuple(s for s in others if s is not other)
                    yield question(joined.keys), replace(after, sets=(*left, joined))
        for at in range(1, len(one.keys)):
            if apart(one.keys[at - 1], one.keys[at]) > _LOOSE:
                parts = LyingSet(one.keys[:at]), LyingSet(one.keys[at:])
                yield question(one.keys), replace(after, sets=(*others, *parts))
    for chain in _chains(fresh, touch):
        joined = LyingSet(tuple(key for one in chain for key in one.keys))
        left = tuple(s for s in after.sets if s not in chain)
        yield question(joined.keys), replace(after, sets=(*left, joined))


def _in_line(one: Corners, other: Corners) -> bool:
    """Say whether a tile, (4, 2), may lie in the row of ``one``, by how far it is shifted off that."""
    across, down = (sides[0] for sides in quad_axes(one[None]))
    step = (other - one).mean(axis=0)
    shifted, height = (abs(float(across[0] * way[1] - across[1] * way[0])) for way in (step, down))
    return shifted <= _IN_LINE * height


def _chains(
    sets: Sequence[LyingSet], touch: Callable[[LyingSet, LyingSet], bool]
) -> Iterator[tuple[LyingSet, ...]]:
    """Rows of three and more sets, each of which nearly touches the next."""
    for start in sets:
        chain = [start]
        while True:
            after = next((s for s in sets if s not in chain and touch(chain[-1], s)), None)
            if after is None:
                break
            chain.append(after)
            if len(chain) > 2:
                yield tuple(chain)
