"""Which way a joker lies: its picture tells little of its top, its shape and its neighbours tell more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.layout.plane import tile_frames
from vision.quads import quad_axes

__all__ = ["jokers_upright"]

_UPRIGHT = 0.9
"""Width by height under which a tile's shape tells which sides are its short ones."""
_ENOUGH = 3
"""Fewer other tiles than this say nothing of a tile's shape."""
_BESIDE = 1.5
"""A neighbour's middle is no further off than this, in the tile's own sides."""
_FITS, _BETTER = 0.3, 0.5
"""A quarter turned, its sides differ from the neighbour's by no more than the first, in its longer side, and by
so much less than as they are, as a share."""
_PERHAPS = 1.06
"""On the plane, what is so many times as wide as tiles are may lie across."""


def jokers_upright(corners: NDArray[np.float32], jokers: Sequence[bool]) -> NDArray[np.float32]:
    """Turn jokers, and whatever else tells no way, that seem to lie across.

    ``corners`` are (N, 4, 2), pixels; a joker whose first side is long where the other tiles' is short, on
    the plane, or in the picture or beside a neighbour where that is not clear, begins at the wrong corner. It
    is turned the way that its nearest neighbour is up. Returns all corners.
    """
    faces = ~np.asarray(jokers, bool)
    if not len(corners) or faces.all() or faces.sum() < _ENOUGH:
        return corners
    edges = np.roll(corners, -1, axis=1) - corners
    # Far away and seen aslant, tiles look square however they lie; on the plane they do not.
    on_plane = tile_frames(corners.astype(np.float64), faces)
    if on_plane.height >= 1 / _UPRIGHT:
        across = on_plane.width > np.sqrt(on_plane.height)
        perhaps = on_plane.width > _PERHAPS
    else:
        sides = np.linalg.norm(edges, axis=2)
        shape = (sides[:, 0] + sides[:, 2]) / np.maximum(sides[:, 1] + sides[:, 3], 1e-6)
        across = (shape > 1 / _UPRIGHT) & (float(np.median(shape[faces])) <= _UPRIGHT)
        perhaps = np.ones(len(corners), np.bool_)
    middles, known = corners.mean(axis=1), np.flatnonzero(faces)
    near = known[np.linalg.norm(middles[:, None] - middles[known], axis=2).argmin(axis=1)]
    across |= perhaps & _crosswise(corners, near)
    upright = corners.copy()
    for at in np.flatnonzero(~faces & across):
        turns = [np.roll(corners[at], -quarter, axis=0) for quarter in (1, 3)]
        upright[at] = max(turns, key=lambda quad: float((quad[1] - quad[0]) @ edges[near[at], 0]))
    return upright


def _crosswise(corners: NDArray[np.float32], near: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell which (N, 4, 2) lie as the face nearest to each, ``near`` (N,), once turned by a quarter."""
    right, down = quad_axes(corners)
    longer = np.maximum(np.linalg.norm(right, axis=1), np.linalg.norm(down, axis=1))
    middles = corners.mean(axis=1)
    beside = np.linalg.norm(middles - middles[near], axis=1) <= _BESIDE * longer
    as_read = _unlike(right, right[near]) + _unlike(down, down[near])
    turned = _unlike(right, down[near]) + _unlike(down, right[near])
    return np.asarray(beside & (turned < np.minimum(_FITS * longer, _BETTER * as_read)))


def _unlike(ones: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """By how many pixels sides (N, 2) differ, whichever way they run, (N,)."""
    apart = np.linalg.norm([ones - others, ones + others], axis=2)
    return np.asarray(apart.min(axis=0), np.float32)
