"""Where there is no room for a tile: the gap between two rows looks like a narrow one, now and then."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.quads import quad_axes

__all__ = ["have_room"]

_ROOM = 1.7
"""So far apart, in a tile's extent along the line between them, have two tiles to lie with one between them:
twice, and in rows that are half a tile out of step 1.8 times."""
_MIDWAY = 0.35
"""Extents by which what lies between two tiles may be nearer to one of them."""


def have_room(
    corners: NDArray[np.float32], which: NDArray[np.bool_], clear: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Tell which of the quads have room for a tile, shape (N,).

    Args:
        corners: (N, 4, 2) pixels.
        which: (N,) those that are asked about; the others have.
        clear: (N,) those that are tiles for sure.
    """
    room = np.ones(len(corners), np.bool_)
    asked, tiles = np.flatnonzero(which), np.flatnonzero(clear)
    if not len(asked) or len(tiles) < 2:
        return room
    middles = corners.mean(axis=1)
    across, down = (axis[tiles] for axis in quad_axes(corners))
    one, other = np.triu_indices(len(tiles), 1)
    apart = middles[tiles[other]] - middles[tiles[one]]
    away = np.maximum(np.hypot(apart[:, 0], apart[:, 1]), 1e-6)
    line = apart / away[:, None]
    extents = [np.abs((axis[at] * line).sum(axis=1)) for axis in (across, down) for at in (one, other)]
    extent = np.maximum(sum(extents) / 2, 1e-6)
    close = away < _ROOM * extent
    midway = (middles[tiles[one[close]]] + middles[tiles[other[close]]]) / 2
    for k in asked:
        off = np.linalg.norm(midway - middles[k], axis=1)
        room[k] = not (off < _MIDWAY * extent[close]).any()
    return room
