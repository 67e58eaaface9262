"""Which way a joker lies: its picture tells little of its top, its shape and its neighbours tell more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.layout.plane import tile_frames

__all__ = ["jokers_upright"]

_UPRIGHT = 0.9
"""Width by height under which a tile's shape tells which sides are its short ones."""
_ENOUGH = 3
"""Fewer other tiles than this say nothing of a tile's shape."""


def jokers_upright(corners: NDArray[np.float32], jokers: Sequence[bool]) -> NDArray[np.float32]:
    """Turn jokers that seem to lie across.

    ``corners`` are (N, 4, 2), pixels; a joker whose first side is long where the other tiles' is short, on
    the plane, or in the picture where that is not clear, begins at the wrong corner. It is turned the way that
    its nearest neighbour is up. Returns all corners.
    """
    faces = ~np.asarray(jokers, bool)
    if not len(corners) or faces.all() or faces.sum() < _ENOUGH:
        return corners
    edges = np.roll(corners, -1, axis=1) - corners
    # Far away and seen aslant, tiles look square however they lie; on the plane they do not.
    on_plane = tile_frames(corners.astype(np.float64), faces)
    if on_plane.height >= 1 / _UPRIGHT:
        across = on_plane.width > np.sqrt(on_plane.height)
    else:
        sides = np.linalg.norm(edges, axis=2)
        shape = (sides[:, 0] + sides[:, 2]) / np.maximum(sides[:, 1] + sides[:, 3], 1e-6)
        across = (shape > 1 / _UPRIGHT) & (float(np.median(shape[faces])) <= _UPRIGHT)
    upright = corners.copy()
    middles = corners.mean(axis=1)
    for at in np.flatnonzero(~faces & across):
        near = np.flatnonzero(faces)[np.linalg.norm(middles[faces] - middles[at], axis=1).argmin()]
        turns = [np.roll(corners[at], -quarter, axis=0) for quarter in (1, 3)]
        upright[at] = max(turns, key=lambda quad: float((quad[1] - quad[0]) @ edges[near, 0]))
    return upright
