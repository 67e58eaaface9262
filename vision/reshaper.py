"""Finds are read in another shape where they do not read in the one their corners were set to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.classify import Classifier, FaceReadings, read_faces
from vision.decide import faced, tile_probabilities
from vision.find import distinct
from vision.readings import Corners, FoundTile, corners_of
from vision.rectify import Pyramid
from vision.shapes import less_sure_numbers, other_shapes, unlike_the_rest

__all__ = ["Reshaper"]

_CLEAR = 0.8
"""What reads this clearly keeps its shape."""
_OTHERWISE = 0.97
"""A find has to read this clearly in a shape other than its corners were set to; few look-alikes do."""
_AGAIN = 0.5
"""A face that is shaped unlike the others has to read half as clearly in another shape."""


class Reshaper:
    """Reads finds in other shapes."""

    def __init__(self, classifier: Classifier, tile_bar: float) -> None:
        """``tile_bar``: what reads less clearly is a doubt anyway."""
        self._classifier, self._tile_bar = classifier, tile_bar

    def set_anew(
        self,
        pyramid: Pyramid,
        found: Sequence[FoundTile],
        readings: FaceReadings,
        corners: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """Return the corners, with other ones for unclear finds that read clearly so."""
        clear = faced(readings).max(axis=1, initial=0.0) >= _CLEAR
        anew = self._other_shapes(pyramid, corners, clear, corners_of(found))
        settled = corners.copy()
        for k, quad in anew.items():
            settled[k] = quad
        return settled

    def dragged(
        self, pyramid: Pyramid, finds: list[FoundTile], accepted: Sequence[FoundTile]
    ) -> list[FoundTile]:
        """Return finds whose corners were set on a tile beside, where they read clearly in another shape."""
        own, known = corners_of(finds), corners_of(accepted)
        clear = np.arange(len(own) + len(known)) >= len(own)
        anew = self._other_shapes(pyramid, np.concatenate([own, known]), clear, own)
        return distinct([replace(finds[k], corners_xy_px=quad) for k, quad in anew.items()])

    def _other_shapes(
        self,
        pyramid: Pyramid,
        corners: NDArray[np.float32],
        clear: NDArray[np.bool_],
        found: NDArray[np.float32],
    ) -> dict[int, Corners]:
        """Return another shape for those of the unclear ones that read clearly in it; see ``other_shapes``."""
        of, shapes = other_shapes(corners, clear, found)
        if not len(of):
            return {}
        read, upright = read_faces(pyramid, shapes, self._classifier, cuts=False)
        worth = faced(read).max(axis=1)
        best = {int(k): int(np.where(of == k, worth, -1.0).argmax()) for k in np.unique(of)}
        return {k: upright[at] for k, at in best.items() if worth[at] >= _OTHERWISE}

    def doubted(
        self,
        pyramid: Pyramid,
        readings: FaceReadings,
        corners: NDArray[np.float32],
        found: Sequence[FoundTile],
    ) -> FaceReadings:
        """Return the readings with doubts where a face is not shaped as all are and reads so in no other shape.

        Half a thirteen's face may read as a sure three.
        """
        likely = tile_probabilities(readings)
        bent = unlike_the_rest(corners) & (likely.max(axis=1, initial=0.0) >= self._tile_bar)
        of, shapes = other_shapes(corners, ~bent, corners_of(found))
        if not len(of):
            return readings
        told, _ = read_faces(pyramid, shapes, self._classifier, cuts=False)
        again = tile_probabilities(told)[np.arange(len(of)), likely.argmax(axis=1)[of]] >= _AGAIN
        return replace(readings, number=less_sure_numbers(readings.number, of, told.number, again))
