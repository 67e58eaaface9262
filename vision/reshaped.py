"""Other shapes for finds that do not read: the finder's own, a quarter turn of it, and that of a tile beside.

At the picture's border, and where a tile is nearly square, corners come out turned or dragged to a neighbour's,
while the finder had the tile's middle right.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.find import covered_shares, quad_sides

__all__ = ["other_shapes"]

_NEAR = 0.5
"""Narrow sides between the middle of a find and that of the same one as the finder saw it."""
_OVER_OTHERS = 0.3
"""No tile lies over others by more than this share of it; between two of them their numerals read as one."""


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
    rank = np.repeat(np.array([0, 1]), [len(shapes), len(others)])
    over = covered_shares(np.concatenate([np.stack(shapes), corners[others]]), rank)[: len(shapes)]
    free = over <= _OVER_OTHERS
    return np.array(numbers, np.intp)[free], np.stack(shapes)[free]
