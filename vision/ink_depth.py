"""How far from its tile's own white each pixel of a face is: what ink is found by."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["DEEPEST", "MARGIN_PX", "PALE", "ink_depth"]

MARGIN_PX = (8, 7)
"""Rows and columns at the rim of a crop that may show another tile, or none."""
DEEPEST = 0.97
"""Quantile of the distance from white at which ink is printed in full; the very deepest may be noise."""
PALE = 0.15
"""Nearer to white than this is no ink."""


def ink_depth(crops_bgr: NDArray[np.uint8], white: NDArray[np.float32]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the pixels inside the rim as shares of white, (N, H, W, 3), RGB, and how far each is from it.

    ``crops_bgr`` (N, 64, 48, 3) are upright crops, ``white`` (N, 3) each tile's own white, RGB 0..1.
    """
    rows, columns = MARGIN_PX
    shown = crops_bgr[:, rows:-rows, columns:-columns, ::-1] / 255
    shares = np.clip(shown / np.maximum(white, 0.05)[:, None, None], 0, 1.2)
    depth: NDArray[Any] = np.linalg.norm(1 - shares, axis=3)
    return shares, depth
