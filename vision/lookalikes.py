"""Is a find a tile, or a print, a card, a key? Asked of its body, its edges and what lies around it.

The classifier reads a printed numeral as surely as an engraved one; what tells them apart is the tile itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.classify import softmax
from vision.network import Network
from vision.rectify import LOOSE_SIDE_PX, Pyramid, as_network_input

__all__ = ["BODY_MARGIN", "LookAlikeNet", "bodies"]

BODY_MARGIN = 0.4
"""Margin around the face in what is looked at, in shares of the tile's side."""


def bodies(pyramid: Pyramid, corners_xy_px: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return finds (N, 4, 2) with what lies around them, as squares (N, 64, 64, 3)."""
    return pyramid.crops(list(corners_xy_px), (LOOSE_SIDE_PX, LOOSE_SIDE_PX), BODY_MARGIN)


class LookAlikeNet:
    """The net that knows tiles by their bodies."""

    def __init__(self, model: Network | None) -> None:
        """Wrap a loaded model; without one nothing is known."""
        self._model = model

    def no_tile(self, pyramid: Pyramid, corners_xy_px: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return for each find (N, 4, 2) how probable it is that it is no tile, (N,); 0.5 is not known."""
        if self._model is None or not len(corners_xy_px):
            return np.full(len(corners_xy_px), 0.5)
        squares = as_network_input(bodies(pyramid, corners_xy_px))
        return softmax(self._model({"squares": squares})["none"])[:, 1]
