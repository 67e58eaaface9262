"""From where hands reach in: the place at the picture's rim that an arm crosses, for every stretch of motion.

People keep their places at a table. So the side an arm comes from tells who acts, without knowing anyone.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Reach", "ReachSense"]

Grid = NDArray[np.bool_]

_BINS = 36
_RIM_CELLS = 2
"""Cells from the rim within which an arm crosses it."""
_LEAST_DEPTH = 0.15
"""Share of the way to the middle that must be reached: those who sort their racks at the rim reach less far."""
_CLOSE = np.ones((5, 5), np.uint8)
"""An even sleeve changes at its edges only."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Hands over the table, from their coming to their going."""

    begin_s: float
    """When something began to move."""
    end_s: float
    """The last frame that is in here."""
    from_rad: float | None
    """Direction from the area's middle to where most of it came in, x to the right, y down, as if the area were
    square; None where nothing came over the rim."""
    share: float = 0.0
    """The part of it that came from there, 0..1: less than about 0.6 is more than one person."""
    frames: int = 0
    """In how many frames something crossed the rim."""


class ReachSense:
    """Follows which cells of the gate's grid change, frame by frame, while something moves."""

    def __init__(self) -> None:
        """Begin with nothing moving."""
        self._weight = np.zeros(_BINS)
        self._begin_s: float | None = None
        self._end_s = 0.0
        self._frames = 0
        self._inside: Grid | None = None
        self._bins = np.zeros((0, 0), np.intp)
        self._depth = np.zeros((0, 0), np.float32)

    def moving(self, t_s: float, changed: Grid | None, inside: Grid) -> Reach:
        """Take in a frame in which something moves; return the reach so far.

        ``changed`` are the cells that changed in the area, bool (h, w); None where that cannot be told, because
        the camera shakes or the light changes. ``inside`` are the cells of the area itself.
        """
        if self._begin_s is None:
            self._begin_s, self._frames = t_s, 0
            self._weight[:] = 0
        self._end_s = t_s
        if changed is not None:
            self._take(changed, inside)
        return self._so_far()

    def still(self) -> Reach | None:
        """Nothing moves any more: return the reach that is over, if there was one."""
        if self._begin_s is None:
            return None
        reach = self._so_far()
        self._begin_s = None
        return reach

    def _so_far(self) -> Reach:
        assert self._begin_s is not None
        whole = float(self._weight.sum())
        if not whole:
            return Reach(self._begin_s, self._end_s, None)
        near = self._weight + np.roll(self._weight, 1) + np.roll(self._weight, -1)
        peak = int(near.argmax())
        around = [(peak + step) % _BINS for step in (-1, 0, 1)]
        middles = np.exp(2j * np.pi * (np.array(around) + 0.5) / _BINS)
        direction = float(np.angle((self._weight[around] * middles).sum()))
        return Reach(self._begin_s, self._end_s, direction, float(near[peak]) / whole, self._frames)

    def _take(self, changed: Grid, inside: Grid) -> None:
        if (
            self._inside is None
            or self._inside.shape != inside.shape
            or not np.array_equal(self._inside, inside)
        ):
            self._measure(inside)
        closed = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, _CLOSE)
        count, labels = cv2.connectedComponents(closed, connectivity=8)
        at_rim = (self._depth <= _RIM_CELLS) & inside
        half = float(self._depth.max())
        crossed = False
        for label in range(1, count):
            blob = labels == label
            rim = blob & at_rim
            deep = float(self._depth[blob].max()) / max(half, 1.0)
            if np.count_nonzero(rim) < 2 or deep < _LEAST_DEPTH:
                continue
            crossed = True
            directions = np.exp(2j * np.pi * (self._bins[rim] + 0.5) / _BINS)
            middle = float(np.angle(directions.mean())) % (2 * np.pi)
            self._weight[int(middle / (2 * np.pi) * _BINS) % _BINS] += deep * deep
        self._frames += crossed

    def _measure(self, inside: Grid) -> None:
        """Say for each cell how far from the rim it lies, and in which direction from the middle."""
        self._inside = inside.copy()
        padded = cv2.copyMakeBorder(inside.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
        self._depth = np.asarray(cv2.distanceTransform(padded, cv2.DIST_C, 3)[1:-1, 1:-1], np.float32)
        ys, xs = np.nonzero(inside)
        low, high = np.array([xs.min(), ys.min()]), np.array([xs.max(), ys.max()])
        middle, half = (low + high) / 2, np.maximum((high - low) / 2, 1.0)
        rows, columns = np.mgrid[0 : inside.shape[0], 0 : inside.shape[1]]
        angle = np.arctan2((rows - middle[1]) / half[1], (columns - middle[0]) / half[0]) % (2 * np.pi)
        self._bins = np.asarray((angle / (2 * np.pi) * _BINS).astype(np.intp) % _BINS)
