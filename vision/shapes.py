"""Other shapes for finds that do not read: the finder's own, a quarter turn of it, and that of a tile beside.

At the picture's border, and where a tile is nearly square, corners come out turned or dragged to a neighbour's,
while the finder had the tile's middle right.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.layout.plane import tile_frames
from vision.quads import are_free, quad_sides

__all__ = ["less_sure_numbers", "other_shapes", "unlike_the_rest"]

_NEAR = 0.5
"""Narrow sides between the middle of a find and that of the same one as the finder saw it."""
_TELL_THE_SHAPE = 4
"""What differs from the shape of so many tiles at least may be half a tile, or lie askew on one."""
_HELD = 0.8
"""A number that is read in no other shape is no more probable than this, and so a doubt."""


def other_shapes(
    corners: NDArray[np.float32], clear: NDArray[np.bool_], found: NDArray[np.float32]
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Return shapes (M, 4, 2) that unclear finds may have, and the number (M,) of the find each is for.

    ``corners`` (N, 4, 2) are the finds, pixels; ``clear`` (N,) tells which read clearly; ``found`` (K, 4, 2) is
    how the finder saw all it saw, these among it.
    """
    numbers: list[int] = []
    shapes: list[NDArray[np.float32]] = []
    middles = corners.mean(axis=1)
    narrow = quad_sides(corners).min(axis=1)
    others = np.flatnonzero(clear)
    for k in np.flatnonzero(~clear):
        away = np.linalg.norm(found.mean(axis=1) - middles[k], axis=1)
        own = found[int(away.argmin())]
        if away.min() > _NEAR * narrow[k]:
            continue
        middle = own.mean(axis=0)
        apart = np.linalg.norm(middles[others] - middle, axis=1)
        if (apart < _NEAR * narrow[others]).any():
            continue  # a tile that reads lies there
        options = [own, np.roll(own, 1, axis=0)]
        if len(others):
            beside = int(others[int(apart.argmin())])
            options.append(corners[beside] - middles[beside] + middle)
        numbers += [int(k)] * len(options)
        shapes += [np.asarray(option, np.float32) for option in options]
    if not shapes:
        return np.zeros(0, np.intp), np.zeros((0, 4, 2), np.float32)
    free = are_free(np.stack(shapes), corners[others])
    return np.array(numbers, np.intp)[free], np.stack(shapes)[free]


def unlike_the_rest(corners: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell which faces (N, 4, 2) are not shaped as all are, seen from above; none where few tell that shape."""
    if len(corners) < _TELL_THE_SHAPE:
        return np.zeros(len(corners), np.bool_)
    return tile_frames(corners.astype(np.float64)).misshapen


def less_sure_numbers(
    number: NDArray[np.float64], of: NDArray[np.intp], told: NDArray[np.float64], again: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the numbers (N, 15) less sure for faces that read so in none of their other shapes.

    ``of`` (M,) is the face of each other shape, ``told`` (M, 15) its number, ``again`` (M,) whether it is the
    same.
    """
    held = number.copy()
    for k in np.setdiff1d(of, of[again]):
        held[k] = _HELD * number[k] + (1 - _HELD) * told[of == k].mean(axis=0)
    return held
