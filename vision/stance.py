"""Do the tiles stand on a rack, or lie on a table? Asked of each one's surroundings, settled by all."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classify import softmax
from vision.network import Network
from vision.quads import edge_to_edge, linked, quad_axes
from vision.readings import Corners, as_corners
from vision.rectify import LOOSE_SIDE_PX, STANCE_SPAN, Pyramid, as_network_input, square_around
from vision.robust import quantile

_FIRST_ASKED = 24
"""Of so many tiles every one is asked; of more these, evenly, and the others where some of these may stand."""
_MAY_STAND = 0.1
_SURE_ENOUGH = 0.87
"""Calling a table a rack leaves it unjudged, so that the tiles' mean has to be clear."""
_ROW, _SURE_OF_ROW = 4, 0.97
"""So many tiles edge to edge, and more, tell so clearly by themselves that they stand, whatever is in view.

Such rows of tables come to 0.95 in 1,000."""
_DEEP = 4.0
"""Tiers of racks, one behind the other, lie within so many heights of their tiles; rows of a table do not."""


def surroundings(pyramid: Pyramid, corners_xy_px: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return tiles (N, 4, 2) with what lies around them, upright in the picture, as squares (N, 64, 64, 3)."""
    low, high = corners_xy_px.min(axis=1), corners_xy_px.max(axis=1)
    sides = (high - low).max(axis=1) * STANCE_SPAN
    around = [square_around(c, float(s)) for c, s in zip((low + high) / 2, sides, strict=True)]
    return pyramid.crops(around, (LOOSE_SIDE_PX, LOOSE_SIDE_PX), 0.0)


class StanceNet:
    """The stance net on ONNX Runtime."""

    def __init__(self, model: Network) -> None:
        """Wrap a loaded model."""
        self._model = model

    def on_rack(self, pyramid: Pyramid, corners_xy_px: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return for each tile (N, 4, 2) the probability that it stands on a rack, shape (N,).

        Of very many tiles some are asked, evenly; where hardly one of them stands, the others get their mean.
        """
        n = len(corners_xy_px)
        if not n:
            return np.zeros(0)
        first = np.zeros(n, np.bool_)
        first[np.linspace(0, n - 1, min(n, _FIRST_ASKED)).astype(int)] = True
        asked = self._asked(pyramid, corners_xy_px[first])
        every = np.full(n, asked.mean())
        every[first] = asked
        if not first.all() and asked.mean() >= _MAY_STAND:
            every[~first] = self._asked(pyramid, corners_xy_px[~first])
        return every

    def _asked(self, pyramid: Pyramid, corners_xy_px: NDArray[np.float32]) -> NDArray[np.float64]:
        seen = as_network_input(surroundings(pyramid, corners_xy_px))
        return softmax(self._model({"squares": seen})["stance"])[:, 1]


def racks_around(
    on_rack: NDArray[np.float64], corners_xy_px: NDArray[np.float32], *, by_row: bool = True
) -> list[Corners]:
    """Return the racks in view: the box around all tiles, or with ``by_row`` around rows, that stand on one.

    None where nearly all seem to stand, but in more rows than racks have: a table seen from low.
    """
    if not len(on_rack):
        return []
    if float(on_rack.mean()) >= _SURE_ENOUGH:
        return [] if _depth(corners_xy_px) > _DEEP else [_box_around(corners_xy_px)]
    if not by_row:
        return []
    rows = np.unique(linked(edge_to_edge(corners_xy_px)), axis=0)
    stand = [row for row in rows if row.sum() >= _ROW and float(on_rack[row].mean()) >= _SURE_OF_ROW]
    return [_box_around(corners_xy_px[row]) for row in stand]


def _depth(corners_xy_px: NDArray[np.float32]) -> float:
    """Return how many of their heights tiles (N, 4, 2) lie behind each other, but for a tenth at each end."""
    across, down = quad_axes(corners_xy_px)
    along = np.median(across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-6), axis=0)
    behind = np.array([-along[1], along[0]], np.float32)
    heights, at = np.abs(down @ behind), corners_xy_px.mean(axis=1) @ behind
    return float((quantile(at, 0.9) - quantile(at, 0.1)) / max(float(np.median(heights)), 1e-6))


def _box_around(corners_xy_px: NDArray[np.float32]) -> Corners:
    return as_corners(cv2.boxPoints(cv2.minAreaRect(corners_xy_px.reshape(-1, 2))))
