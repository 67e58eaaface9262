"""How large tiles are anywhere in a picture, by those that were found in it.

On a plane the distance's inverse changes evenly over the picture, and a tile's area with its third power.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import square_sides
from vision.readings import Corners

__all__ = ["TileSizes", "parts_of_tiles"]

_LEAST = 5
"""Fewer tiles do not tell how their size changes."""
_ROUNDS, _CLOSE = 4, 0.04
"""Rounds of a fit that outliers do not move, and residuals that weigh alike in it, in shares of the mean."""

_EVEN = 0.005
"""How much speaks for no change at all, in shares of what as many tiles tell a spread of theirs apart."""
_PART, _WITHIN = 0.8, 0.8
"""A part is smaller than this share of its tile, and so much of it lies within that."""


@dataclass(frozen=True, slots=True, eq=False)
class TileSizes:
    """The size that is due at each place of a picture."""

    plane: NDArray[np.float64]
    """(3,): its product with (x, y, 1) is the cube root of a tile's area there, square pixels."""

    @classmethod
    def of(cls, corners: Sequence[Corners]) -> TileSizes | None:
        """Take the tiles with these corners, (4, 2) each; None where they are few."""
        if len(corners) < _LEAST:
            return None
        quads = np.stack(corners)
        size = square_sides(quads) ** (2 / 3)
        middles = quads.mean(axis=1).astype(np.float64)
        centre, spread = middles.mean(axis=0), max(float(np.ptp(middles, axis=0).max()), 1.0)
        places = np.column_stack([(middles - centre) / spread, np.ones(len(middles))])
        weights, close = np.ones(len(size)), _CLOSE * float(size.mean())
        fit = np.zeros(3)
        for _ in range(_ROUNDS):
            # Along a row tiles do not tell how they change across it: then they do not.
            even = np.eye(2, 3) * (_EVEN * np.sqrt(len(size)) * weights.mean())
            rows, told = (
                np.concatenate([places * weights[:, None], even]),
                np.concatenate([size * weights, [0, 0]]),
            )
            fit, *_ = np.linalg.lstsq(rows, told, rcond=None)
            weights = np.maximum(np.abs(size - places @ fit), close) ** -0.5
        slope = fit[:2] / spread
        return cls(np.array([*slope, fit[2] - slope @ centre]))

    def sides_at(self, middles_xy_px: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the side (N,) of a square as large as a tile at each place (N, 2), pixels.

        0 beyond the horizon.
        """
        return np.asarray(np.maximum(_places(middles_xy_px) @ self.plane, 0.0) ** 1.5)


def parts_of_tiles(corners: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell which finds (N, 4, 2) lie within larger ones that are rather of the size that is due there.

    The half of a tile with its numeral reads as clearly as the tile.
    """
    parts = np.zeros(len(corners), np.bool_)
    sizes = TileSizes.of(list(corners))
    if sizes is None:
        return parts
    middles, sides = corners.mean(axis=1), square_sides(corners)
    areas = sides**2
    off = np.abs(np.log(sides / np.maximum(sizes.sides_at(middles), 1.0)))
    near = np.linalg.norm(middles[:, None] - middles[None], axis=2) < sides[None] / 2
    for k, larger in np.argwhere(near & (areas[:, None] < _PART * areas[None])):
        shared, _ = cv2.intersectConvexConvex(corners[k], corners[larger])
        parts[k] |= shared >= _WITHIN * areas[k] and off[k] > off[larger]
    return parts


def _places(middles_xy_px: NDArray[np.floating]) -> NDArray[np.float64]:
    return np.column_stack([middles_xy_px.astype(np.float64), np.ones(len(middles_xy_px))])
