"""The exact corners of each tile, from a square cut-out around where the finder saw it.

Corners are (x, y) pixels of the full picture, clockwise from the tile's own upper left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.classify import softmax
from vision.network import Network
from vision.quads import quad_sides
from vision.readings import Corners, FoundTile, as_corners
from vision.recall import Rows
from vision.rectify import LOOSE_SIDE_PX, LOOSE_SPAN, Pyramid, as_network_input, square_around

_ROUNDS = 2
_LOOKED_AT = LOOSE_SPAN - 1
"""What is looked at around a find, in shares of its longer side."""
_NEITHER = 2
_STRAYED, _SEEN = 0.25, 0.5
"""From so many narrow sides on that a corner was moved, other cuts are asked, of what was seen so surely."""
_OTHER_CUTS = (0.9, 1.1)
"""Shares of the finder's box from which the corners are set otherwise where one cut led astray."""


class Refiner:
    """The refiner on ONNX Runtime."""

    def __init__(self, model: Network) -> None:
        """Wrap a loaded model."""
        self._model = model

    def refine(self, pyramid: Pyramid, tiles: Sequence[FoundTile]) -> list[FoundTile]:
        """Return the tiles with exact corners; what seems to be none is marked as refused.

        Each round cuts anew around the corners of the last one; what it is, both say together.
        """
        if not tiles:
            return []
        shown, corners = np.stack([_shown(t) for t in tiles]), np.stack([t.corners_xy_px for t in tiles])
        told = self._corners(pyramid, "corners", shown)
        kind = told["kinds"].argmax(axis=1)
        quads = self._not_astray(pyramid, tiles, shown, corners, _begun_as(told["quads"], corners))
        return [
            replace(tile, corners_xy_px=quad, face_down=bool(k == 1), refused=bool(k == _NEITHER))
            for tile, quad, k in zip(tiles, quads, kind, strict=True)
        ]

    def _not_astray(
        self,
        pyramid: Pyramid,
        tiles: Sequence[FoundTile],
        shown: NDArray[np.float32],
        corners: NDArray[np.float32],
        quads: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """Return the corners (N, 4, 2); of sure finds moved far, those of the cut that moves them least.

        A tile as wide as it is high looks like one turned by 45 degrees in one cut of many.
        """
        narrow = quad_sides(corners).min(axis=1)
        moved = _moved(quads, corners) / narrow
        astray = (moved >= _STRAYED) & (np.array([t.score for t in tiles]) >= _SEEN)
        if not astray.any():
            return quads
        settled = quads.copy()
        near, boxes = corners[astray], shown[astray]
        middles = boxes.mean(axis=1, keepdims=True)
        for share in _OTHER_CUTS:
            cut = np.asarray(middles + share * (boxes - middles), np.float32)
            other = _begun_as(self._corners(pyramid, f"corners {share}", cut)["quads"], near)
            nearer = _moved(other, near) < _moved(settled[astray], near)
            settled[np.flatnonzero(astray)[nearer]] = other[nearer]
        return settled

    def _corners(self, pyramid: Pyramid, kind: str, shown: NDArray[np.float32]) -> Rows:
        return pyramid.rows(kind, shown, _LOOKED_AT, lambda which: self._told(pyramid, shown[which]))

    def _told(self, pyramid: Pyramid, quads: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """Return corners and kinds of what the finder saw at ``quads`` (N, 4, 2)."""
        height, width = pyramid.level(0).shape[:2]
        limit = np.array([width, height], np.float32)
        kinds = np.ones((len(quads), 3))
        for _ in range(_ROUNDS):
            # The box of what the frame shows, as in training.
            low, high = np.clip(quads.min(axis=1), 0, limit), np.clip(quads.max(axis=1), 0, limit)
            centres = (low + high) / 2
            sides = np.maximum((high - low).max(axis=1) * LOOSE_SPAN, 4.0)
            around = [square_around(c, float(s)) for c, s in zip(centres, sides, strict=True)]
            squares = pyramid.crops(around, (LOOSE_SIDE_PX, LOOSE_SIDE_PX), 0.0)
            out = self._model({"squares": as_network_input(squares)})
            quads = (out["corners"] * sides[:, None, None] + centres[:, None]).astype(np.float32)
            kinds *= softmax(out["kind"])
        return {"quads": quads, "kinds": kinds.astype(np.float32)}


def _moved(quads: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return by how much the corner that differs most does, of each two quads (N, 4, 2), pixels, shape (N,)."""
    return np.asarray(np.linalg.norm(quads - others, axis=2).max(axis=1))


def _begun_as(quads: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return ``quads`` (N, 4, 2), each begun at the corner that is the first in ``others``.

    The finder, which sees the neighbours too, knows better which way is up; and a crop that is upright from
    the start need not be read twice.
    """
    corner = np.arange(4)
    turns = quads[:, (corner[:, None] + corner) % 4]
    turn = np.linalg.norm(turns - others[:, None], axis=3).sum(axis=2).argmin(axis=1)
    return np.asarray(turns[np.arange(len(quads)), turn])


def _shown(tile: FoundTile) -> Corners:
    """Return the box that the finder drew, as a quad; its own corners where it drew none."""
    if tile.box_xyxy_px is None:
        return tile.corners_xy_px
    left, top, right, bottom = tile.box_xyxy_px
    return as_corners([[left, top], [right, top], [right, bottom], [left, bottom]])
