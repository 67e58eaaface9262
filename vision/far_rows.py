"""Where on a table seen from low its far tiles lie, too small for a look that suits most of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.finder_looks import BEST_TILE_PX
from vision.readings import Corners
from vision.recall import Window
from vision.tile_sizes import TileSizes

__all__ = ["FarRows", "far_rows"]

_SQUARER = 1.2
"""A square as large as a tile has a side so many times its width."""
_SMALL_PX, _LEAST_PX = 30.0, 10.0
"""Narrower than the first in a look's copy tiles are missed in it; narrower than the second they are lost."""
_WORTH = 0.06
"""Share of the picture that has to lie so far off."""
_NEARER = 1.3
"""A look that is nearer by less sees the same."""
_GRID = 24
_MOST_ENLARGED = 2.5


@dataclass(frozen=True, slots=True, eq=False)
class FarRows:
    """Where far tiles may lie, and how near to look."""

    window: Window
    """Left, top, right, bottom, pixels."""
    scale: float
    """Of the copy in which they are as large as the finder sees best."""
    sizes: TileSizes
    """How large tiles are where."""
    small_px: float
    """Side of a square as large as the smallest tile that the look before sees well."""

    def hold(self, middles_xy_px: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Tell at which places (N, 2) tiles are so small."""
        return np.asarray(self.sizes.sides_at(middles_xy_px) < self.small_px)


def far_rows(corners: Sequence[Corners], size_wh: tuple[int, int], scale: float) -> FarRows | None:
    """Return where tiles are too small for a look at a copy of this ``scale``, by those that it found.

    None where it found few, no part of the picture lies so far off, or no look would be much nearer.
    """
    sizes = TileSizes.of(corners)
    if sizes is None:
        return None
    xs, ys = (np.linspace(0, side - 1, _GRID) for side in size_wh)
    grid = np.stack(np.meshgrid(xs, ys), axis=2).reshape(-1, 2)
    sides, small = sizes.sides_at(grid), _SMALL_PX * _SQUARER / scale
    far = (sides < small) & (sides > _LEAST_PX * _SQUARER)
    if far.mean() < _WORTH:
        return None
    cell = np.array(size_wh) / _GRID
    x0, y0 = np.maximum(grid[far].min(axis=0) - cell, 0).astype(int).tolist()
    x1, y1 = np.minimum(grid[far].max(axis=0) + cell + 1, size_wh).astype(int).tolist()
    nearer = min(BEST_TILE_PX * _SQUARER / float(np.median(sides[far])), _MOST_ENLARGED)
    if nearer < _NEARER * scale:
        return None
    return FarRows((x0, y0, x1, y1), nearer, sizes, small)
