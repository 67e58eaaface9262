"""Finds that lie by themselves and are of another size than the tiles: rather prints that look like a tile.

The corner of a playing card or a headline reads as surely as a tile. But a set's tiles are of one size, which
changes evenly with the distance.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.classify import NO_NUMERAL_CLASS, FaceReadings

__all__ = ["guesses_of_odd_size", "of_odd_size"]

_FEW = 4
"""So few tiles tell no size."""
_SLOPE_OF = 7
"""So many tell how it changes over the picture."""
_ALONE = 1.5
"""Nearest tiles' middles are further off than this, in a find's own sides."""
_OTHERWISE = 0.28
"""Logarithm by which a side may differ from the size that is due there."""
_ROUNDS, _CLOSE = 4, 0.03
"""Rounds of a fit that outliers do not move, and residuals that weigh alike in it."""
_NO_TILE = 0.55
"""So probable it is that such a find is no tile."""


def guesses_of_odd_size(readings: FaceReadings, corners: NDArray[np.float32]) -> FaceReadings:
    """Return the readings of the faces at ``corners`` (N, 4, 2), those of an odd size as guesses."""
    odd = of_odd_size(corners)
    if not odd.any():
        return readings
    number = readings.number.copy()
    number[odd] *= 1 - _NO_TILE
    number[odd, NO_NUMERAL_CLASS] += _NO_TILE
    return replace(readings, number=number)


def of_odd_size(corners: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell which faces (N, 4, 2) lie by themselves and are larger or smaller than the others say."""
    odd = np.zeros(len(corners), np.bool_)
    if len(corners) <= _FEW:
        return odd
    quads = corners.astype(np.float64)
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    area = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])
    side, middles = np.sqrt(np.maximum(area, 1.0)), quads.mean(axis=1)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    for k in np.flatnonzero(apart.min(axis=1) > _ALONE * side):
        others = np.arange(len(corners)) != k
        odd[k] = abs(np.log(side[k]) - _due(middles[others], np.log(side[others]), middles[k])) > _OTHERWISE
    return odd


def _due(middles: NDArray[np.float64], sizes: NDArray[np.float64], at: NDArray[np.float64]) -> float:
    """Return the logarithm of the size a tile has ``at`` (2,), by those of others at ``middles`` (M, 2)."""
    if len(sizes) < _SLOPE_OF:
        return float(np.median(sizes))
    spread = max(float(np.ptp(middles, axis=0).max()), 1.0)
    places = np.column_stack([(middles - at) / spread, np.ones(len(sizes))])
    weights, due = np.ones(len(sizes)), 0.0
    for _ in range(_ROUNDS):
        fit, *_ = np.linalg.lstsq(places * weights[:, None], sizes * weights, rcond=None)
        due = float(fit[2])
        weights = np.maximum(np.abs(sizes - places @ fit), _CLOSE) ** -0.5
    return due
