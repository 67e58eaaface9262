"""From a decoded frame to arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sources.feed import Shot

__all__ = ["Upright"]


class Upright:
    """Takes the frames of one stream to upright arrays."""

    def __init__(self) -> None:
        self._rotation: int | None = None
        self._turn: Callable[[NDArray[Any]], NDArray[np.uint8]] | None = None

    def shot(self, decoded: Any) -> Shot:
        """Return PyAV's frame as a shot."""
        # Looking at the side data ties the frame into a circle, and its pixels would wait for the collector;
        # so that is done once, and again only where the rotation is another.
        if decoded.rotation != self._rotation:
            self._rotation, self._turn = decoded.rotation, _turn_of(decoded)
        turn = self._turn
        luma = _luma(decoded) if turn is None else turn(_luma(decoded))
        luma.flags.writeable = False

        def make_bgr() -> NDArray[np.uint8]:
            image_bgr = decoded.to_ndarray(format="bgr24")
            return np.ascontiguousarray(image_bgr if turn is None else turn(image_bgr))

        return Shot(luma, make_bgr)


def _luma(decoded: Any) -> NDArray[np.uint8]:
    """Return the brightness, shape (H, W): a view where the format has a plane of eight bits for it."""
    parts = decoded.format.components
    if not (parts[0].is_luma and parts[0].bits == 8 and all(part.plane > 0 for part in parts[1:])):
        decoded = decoded.reformat(format="yuv420p")
    plane = decoded.planes[0]
    if plane.line_size < decoded.width:  # stored upside down
        return np.array(decoded.to_ndarray(format="gray"), np.uint8)
    rows = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)
    return rows[: decoded.height, : decoded.width]


def _turn_of(decoded: Any) -> Callable[[NDArray[Any]], NDArray[np.uint8]] | None:
    """Return what turns the stored picture upright, or None where it is so already.

    The display matrix takes a stored point (x, y) to (a x + c y, b x + d y), y downwards, in the order
    a b u c d v x y w; only quarter turns and mirrorings occur.
    """
    side_data = decoded.side_data.get("DISPLAYMATRIX")
    if side_data is None:
        return None
    a, b, _, c, d = np.frombuffer(bytes(side_data), np.int32)[:5].astype(float)
    swaps = abs(a) + abs(d) < abs(b) + abs(c)
    flip_x, flip_y = (c < 0, b < 0) if swaps else (a < 0, d < 0)
    if not (swaps or flip_x or flip_y):
        return None

    def turn(pixels: NDArray[Any]) -> NDArray[np.uint8]:
        turned: Any = cv2.transpose(pixels) if swaps else pixels
        if flip_x or flip_y:
            turned = cv2.flip(turned, -1 if flip_x and flip_y else 1 if flip_x else 0)
        return np.asarray(turned, np.uint8)

    return turn
