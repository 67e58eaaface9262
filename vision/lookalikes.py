"""Is a find a tile, or a print, a card, a key? Asked of its body, its edges and what lies around it.

The classifier reads a printed numeral as surely as an engraved one; what tells them apart is the tile itself,
and the other finds of the picture: a set's tiles are of one body, one size and one light.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.classify import JOKER_CLASS, NO_NUMERAL_CLASS, FaceReadings, softmax
from vision.decide import faced
from vision.network import Network
from vision.quads import quad_axes, square_sides
from vision.rectify import LOOSE_SIDE_PX, Pyramid, as_network_input

__all__ = ["BODY_MARGIN", "SIGNS", "LookAlikeNet", "bodies", "signs"]

BODY_MARGIN = 0.4
"""Margin around the face in what is looked at, in shares of the tile's side."""
SIGNS = 11
"""So many further signs are told of each find."""
_NONE, _AMONG = "none", "among"
_READS = 0.9
"""What reads so clearly tells how large tiles are, if anything does."""
_FAR = 12.0
"""Finds further apart than this, in their own sides, are by themselves."""


def bodies(pyramid: Pyramid, corners_xy_px: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return finds (N, 4, 2) with what lies around them, as squares (N, 64, 64, 3)."""
    return pyramid.crops(list(corners_xy_px), (LOOSE_SIDE_PX, LOOSE_SIDE_PX), BODY_MARGIN)


def signs(
    clear: NDArray[np.floating],
    number: NDArray[np.floating],
    corners: NDArray[np.float32],
    size_wh: tuple[int, int],
) -> NDArray[np.float32]:
    """Return what else tells of finds (N, 4, 2) of one picture, shape (N, ``SIGNS``).

    How they read (``clear`` (N,): how probable the likeliest tile is; ``number`` (N, 15) as of
    :class:`vision.classify.FaceReadings`), how large they are beside the others, where they lie, and how near
    and how much turned against the nearest one.
    """
    if not len(corners):
        return np.zeros((0, SIGNS), np.float32)
    side, middles = square_sides(corners), corners.mean(axis=1).astype(np.float64)
    across, down = quad_axes(corners)
    long = np.log(np.linalg.norm(down, axis=1).clip(1) / np.linalg.norm(across, axis=1).clip(1))
    sure = clear >= _READS if (clear >= _READS).any() else np.ones(len(clear), np.bool_)
    usual = float(np.median(side[sure]))
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    nearest = apart.argmin(axis=1)
    far = np.minimum(apart[np.arange(len(side)), nearest] / side, _FAR)
    angle = np.arctan2(across[:, 1], across[:, 0])
    by_itself = np.isinf(apart.min(axis=1))
    told = [
        clear, number[:, JOKER_CLASS], number[:, NO_NUMERAL_CLASS],
        np.log(side / usual), long - np.median(long[sure]), np.log(side / max(size_wh)) / 3 + 1,
        np.log1p(far), np.where(by_itself, 0.0, np.abs(np.sin(2 * (angle - angle[nearest])))),
        middles[:, 0] / size_wh[0] - 0.5, middles[:, 1] / size_wh[1] - 0.5,
        np.full(len(side), np.log1p(len(side)) / 4),
    ]  # fmt: skip
    return np.stack(told, axis=1).astype(np.float32)


class LookAlikeNet:
    """The net that knows tiles by their bodies."""

    def __init__(self, model: Network | None) -> None:
        """Wrap a loaded model; without one nothing is known."""
        self._model = model

    @property
    def knows(self) -> bool:
        """True where it has a model."""
        return self._model is not None

    def no_tile(self, pyramid: Pyramid, corners_xy_px: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return for each find (N, 4, 2) how probable it is that it is no tile, (N,); 0.5 is not known."""
        nothing = np.zeros((len(corners_xy_px), SIGNS), np.float32)
        return self._told(pyramid, corners_xy_px, nothing, _NONE)

    def no_tile_among(
        self, pyramid: Pyramid, corners_xy_px: NDArray[np.float32], readings: FaceReadings
    ) -> NDArray[np.float64]:
        """Return the same of all finds of a picture, each judged beside the others."""
        height, width = pyramid.level(0).shape[:2]
        clear = faced(readings).max(axis=1, initial=0.0)
        told = signs(clear, readings.number, corners_xy_px, (width, height))
        return self._told(pyramid, corners_xy_px, told, _AMONG)

    def _told(
        self, pyramid: Pyramid, corners_xy_px: NDArray[np.float32], told: NDArray[np.float32], output: str
    ) -> NDArray[np.float64]:
        if self._model is None or not len(corners_xy_px):
            return np.full(len(corners_xy_px), 0.5)
        seen = {"squares": as_network_input(bodies(pyramid, corners_xy_px))}
        if _AMONG in self._model.outputs:
            return softmax(self._model({**seen, "signs": told})[output])[:, 1]
        # An older file judges each by itself.
        return softmax(self._model(seen)[_NONE])[:, 1]
