"""Makes a picture of a table fit to be shown to strangers: all but the tiles is blurred beyond recognition.

No face is looked for, as one that was not found would be shown: what is not a tile is blurred, all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners

__all__ = ["mask_of_tiles", "tiles_only"]

_CELLS: Final = 24
"""The picture's longer side is left with so many averages: a head that fills a third of it is eight of them."""
_MARGIN: Final = 1.25
"""Tiles are shown with so much of what is around them, as a factor."""


def tiles_only(image_bgr: NDArray[np.uint8], tiles_xy_px: Sequence[Corners]) -> NDArray[np.uint8]:
    """Return the picture, shape (H, W, 3), with all but the tiles blurred; without tiles all of it is."""
    height, width = image_bgr.shape[:2]
    cell = max(height, width) / _CELLS
    coarse_wh = (max(1, round(width / cell)), max(1, round(height / cell)))
    coarse = cv2.resize(image_bgr, coarse_wh, interpolation=cv2.INTER_AREA)
    blurred = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    mask = mask_of_tiles((height, width), tiles_xy_px, _MARGIN)
    return np.asarray(np.where(mask[:, :, None] > 0, image_bgr, blurred), np.uint8)


def mask_of_tiles(
    shape_hw: tuple[int, int], tiles_xy_px: Sequence[Corners], margin: float
) -> NDArray[np.uint8]:
    """Return a mask of shape (H, W), 255 where tiles lie, made ``margin`` times as large; else 0."""
    mask = np.zeros(shape_hw, np.uint8)
    for corners in tiles_xy_px:
        centre = corners.mean(axis=0)
        wider = centre + (corners - centre) * margin
        cv2.fillConvexPoly(mask, np.round(wider).astype(np.int32), 255)
    return mask
