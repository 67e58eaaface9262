"""Finds that the refiner takes for no tile, and that are tiles all the same.

A tile that the picture's border cuts, or that lies in deep shade, may look like none from close by. Where it is
as large as the others and reads clearly and alike by two sets of corners, it is one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.find import distinct, elsewhere
from vision.quads import quad_sides, sides_apart
from vision.readings import FoundTile

__all__ = ["read_alike", "worth_hearing"]

_ALIKE = 0.3
"""Logarithm of how much a side may differ from the usual one: a playing card with a numeral is larger."""


def worth_hearing(
    found: Sequence[FoundTile], refined: Sequence[FoundTile], accepted: Sequence[FoundTile]
) -> list[tuple[FoundTile, FoundTile]]:
    """Return the refused finds that may be tiles, each as found and as refined.

    ``refined`` has one for each of ``found``; ``accepted`` are the tiles that the picture shows for sure.
    """
    if not accepted:
        return []
    usual = np.median(_short_and_long(accepted), axis=0)
    pairs = [(one, other) for one, other in zip(found, refined, strict=True) if other.refused]
    fits = sides_apart(_short_and_long([one for one, _ in pairs]), usual) < _ALIKE
    fitting = [one for (one, _), fit in zip(pairs, fits, strict=True) if fit]
    new = distinct(elsewhere(fitting, accepted))
    return [(one, other) for one, other in pairs if any(one is fresh for fresh in new)]


def read_alike(ones: NDArray[np.float64], others: NDArray[np.float64], clear: float) -> NDArray[np.bool_]:
    """Tell which finds (N,) two looks read as the same tile, both from ``clear`` on.

    ``ones`` and ``others`` (N, tiles) are how probable each look makes each tile.
    """
    alike = ones.argmax(axis=1) == others.argmax(axis=1)
    return np.asarray(alike & (np.minimum(ones.max(axis=1), others.max(axis=1)) >= clear))


def _short_and_long(tiles: Sequence[FoundTile]) -> NDArray[np.float32]:
    """Return the sides of tiles, shape (N, 2), the shorter one first."""
    if not tiles:
        return np.zeros((0, 2), np.float32)
    return np.sort(quad_sides(np.stack([tile.corners_xy_px for tile in tiles])), axis=1)
