"""The photograph with what was read drawn on it: each tile outlined and named, each set joined by a line.

Outlines are green where a tile is sure, amber where it is in doubt, magenta where it has no reading, grey
where it lies face down; the name says it too (``B6/B9``, ``??``), so that colour is never the only sign.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.editions import Faces, plain_suits, show_text
from vision.readings import Corners, PhotoReading, TileReading
from vision.report import LIKELY, seen_tile

__all__ = ["draw_overlay"]

SURE_BGR = (60, 170, 30)
DOUBT_BGR = (0, 150, 255)
UNREADABLE_BGR = (200, 0, 200)
FACE_DOWN_BGR = (140, 140, 140)
SET_BGR = (230, 120, 20)


def draw_overlay(
    image_bgr: NDArray[np.uint8], reading: PhotoReading, likely: float = LIKELY, faces: Faces = "numbers"
) -> NDArray[Any]:
    """Return a copy of the upright picture, shape (H, W, 3), with the reading drawn on it.

    With card faces, tiles are named by rank and the suit's first letter (``JC``, ``10H``).

    Raises ValueError where the picture is not the one that was read, by its size.
    """
    if (image_bgr.shape[1], image_bgr.shape[0]) != reading.size_wh:
        raise ValueError(
            f"the picture is {image_bgr.shape[1]} x {image_bgr.shape[0]}, "
            f"but the reading is of {reading.size_wh[0]} x {reading.size_wh[1]}"
        )
    canvas: NDArray[Any] = image_bgr.copy()
    quads = [tile.corners_xy_px for tile in reading.tiles]
    pen = _Pen(canvas, [*quads, *reading.unreadable, *reading.face_down_xy_px])
    for one in reading.sets:
        pen.join([quads[i] if i >= 0 else reading.unreadable[-1 - i] for i in one.members])
    for corners in reading.face_down_xy_px:
        pen.outline(corners, FACE_DOWN_BGR)
    for corners in reading.unreadable:
        pen.outline(corners, UNREADABLE_BGR)
        pen.name(corners, "??", UNREADABLE_BGR)
    for tile in reading.tiles:
        colour = DOUBT_BGR if tile.doubt else SURE_BGR
        pen.outline(tile.corners_xy_px, colour)
    for tile in reading.tiles:
        colour = DOUBT_BGR if tile.doubt else SURE_BGR
        pen.name(tile.corners_xy_px, _plate(tile, likely, faces), colour)
    return canvas


def _plate(tile: TileReading, likely: float, shown: Faces) -> str:
    """Return a tile's name, short enough to lie on it."""
    text = str(seen_tile(tile, likely))
    return plain_suits(show_text(text if len(text) <= 7 else f"{tile.tile}/..", shown))


class _Pen:
    """Draws on one canvas with strokes and letters that fit its tiles."""

    def __init__(self, canvas: NDArray[Any], corners: list[Corners]) -> None:
        widths = [float(np.linalg.norm(c[1] - c[0])) for c in corners]
        self._canvas = canvas
        self._tile_px = float(np.median(widths)) if widths else 40.0
        self._stroke = max(1, round(self._tile_px / 22))

    def outline(self, corners: Corners, colour: tuple[int, int, int]) -> None:
        """Outline one tile; a bar inside its upper edge shows which way is up."""
        points = np.round(corners).astype(np.int32)
        cv2.polylines(self._canvas, [points], True, colour, self._stroke, cv2.LINE_AA)
        inward = (corners[3] - corners[0] + corners[2] - corners[1]) * 0.04
        bar = np.round(corners[:2] + inward).astype(np.int32)
        cv2.polylines(self._canvas, [bar], False, colour, self._stroke, cv2.LINE_AA)

    def join(self, members: list[Corners]) -> None:
        """Draw a line through the middles of a set's tiles, with a knob at its first tile."""
        middles = np.round([corners.mean(axis=0) for corners in members]).astype(np.int32)
        if len(middles) > 1:
            cv2.polylines(self._canvas, [middles], False, SET_BGR, self._stroke, cv2.LINE_AA)
        first = (int(middles[0][0]), int(middles[0][1]))
        cv2.circle(self._canvas, first, self._stroke * 2, SET_BGR, -1, cv2.LINE_AA)

    def name(self, corners: Corners, text: str, colour: tuple[int, int, int]) -> None:
        """Write the tile's name on a plate at its lower edge, upright in the picture and inside it."""
        scale = max(0.35, self._tile_px / 75)
        thick = max(1, round(scale * 1.6))
        (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
        middle = corners.mean(axis=0) * 0.4 + (corners[2] + corners[3]) * 0.3
        left = int(np.clip(middle[0] - width / 2, 2, max(2, self._canvas.shape[1] - width - 2)))
        base = int(
            np.clip(middle[1] + height / 2, height + 2, max(height + 2, self._canvas.shape[0] - below - 2))
        )
        cv2.rectangle(
            self._canvas, (left - 2, base - height - 2), (left + width + 2, base + below), (255, 255, 255), -1
        )
        cv2.putText(
            self._canvas, text, (left, base), cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thick, cv2.LINE_AA
        )
