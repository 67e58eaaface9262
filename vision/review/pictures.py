"""The pictures that a report shows: cut to the tiles, made smaller, kept as JPEG."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import no_wider
from vision.watch.types import LyingTable, TurnRecord

__all__ = ["Window", "turn_window", "write_picture"]

Window = tuple[float, float, float, float]
"""Left, top, width and height of a part of a picture, pixels."""

WIDEST_PX = 1200
QUALITY = 80
_MARGIN_TILES = 1.5
_LEAST_SHARE = 0.45
"""A window is never narrower than this share of the picture: few tiles are shown with the table around them."""


def turn_window(record: TurnRecord) -> Window | None:
    """Return the part of the picture that shows all tiles before and after the turn; None without a picture."""
    image = record.picture_after if record.picture_after is not None else record.picture_before
    if image is None:
        return None
    height, width = image.shape[:2]
    corners = [*_corners(record.lying_before), *_corners(record.lying_after)]
    if not corners:
        return 0.0, 0.0, float(width), float(height)
    points = np.concatenate(corners)
    tile = float(np.median([np.linalg.norm(c[1] - c[0]) for c in corners]))
    low = points.min(axis=0) - _MARGIN_TILES * tile
    high = points.max(axis=0) + _MARGIN_TILES * tile
    left, right = _stretched(float(low[0]), float(high[0]), _LEAST_SHARE * width, width)
    top, bottom = _stretched(float(low[1]), float(high[1]), (right - left) * 0.5, height)
    return left, top, right - left, bottom - top


def _corners(lying: LyingTable | None) -> list[NDArray[np.float32]]:
    return [] if lying is None else [tile.corners_xy_px for tile in lying.tiles]


def _stretched(low: float, high: float, least: float, size: float) -> tuple[float, float]:
    """The span, at least so long and within the picture, in whole pixels."""
    missing = max(0.0, min(least, size) - (high - low)) / 2
    low, high = low - missing, high + missing
    if low < 0:
        low, high = 0.0, high - low
    if high > size:
        low, high = low - (high - size), size
    return float(np.floor(max(0.0, low))), float(np.ceil(min(size, high)))


def write_picture(image_bgr: NDArray[np.uint8], window: Window, path: Path) -> tuple[int, int]:
    """Write the part of a picture, at most ``WIDEST_PX`` wide; return its size. OSError where it cannot."""
    left, top, width, height = (round(value) for value in window)
    part = no_wider(image_bgr[top : top + height, left : left + width], WIDEST_PX)
    done, data = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise OSError(None, "the picture cannot be encoded", str(path))
    path.write_bytes(data.tobytes())
    return part.shape[1], part.shape[0]
