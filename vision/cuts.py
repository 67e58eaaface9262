"""Slightly different cuts of one tile: what holds for all of them holds for the tile.

A crop that lies a little aside, is a little larger or a little turned reads a little otherwise; the mean of
several is surer than any of them. Source: test-time augmentation, Krizhevsky et al. 2012, "ImageNet
classification with deep convolutional neural networks".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.quads import quad_axes

_SIZES = (0.94, 1.06)
_TURNS = (np.radians(3.0), np.radians(-3.0))
_ASIDE = ((0.04, 0.0), (-0.04, 0.0), (0.0, 0.04), (0.0, -0.04))
"""In shares of the tile's width and height."""
COUNT = len(_SIZES) + len(_TURNS) + len(_ASIDE)


def nearby_cuts(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return other cuts of tiles (N, 4, 2): larger, smaller, turned, moved; shape (COUNT, N, 4, 2), pixels."""
    middle = corners.mean(axis=1, keepdims=True)
    own = corners - middle
    across, down = quad_axes(corners)
    cuts = [middle + size * own for size in _SIZES]
    for turn in _TURNS:
        cos, sin = np.cos(turn), np.sin(turn)
        cuts.append(middle + own @ np.array([[cos, sin], [-sin, cos]], np.float32))
    cuts += [corners + (x * across + y * down)[:, None] for x, y in _ASIDE]
    return np.stack(cuts).astype(np.float32)
