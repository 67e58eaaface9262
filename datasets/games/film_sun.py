"""Hard sun through a window: the heads of those who sit there throw shadows that sway over table and pool.

Convention: places are in widths of the picture, from its upper left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["SunShow"]

Map = NDArray[Any]  # float32

_REDUCED = 4
"""Shadows are painted in a picture so many times smaller."""
_STEP = 0.0006
"""Heads move in steps of so much, which nobody sees."""


@dataclass(frozen=True, slots=True)
class _Head:
    """One head with its shoulders, and where it is over time."""

    at_xy: tuple[float, float]
    wide: float
    slant: float
    """Radians: the way from the head to its body."""
    times_s: NDArray[np.float64]
    offsets_xy: NDArray[np.float64]
    """Shape (N, 2): where it is at each of these times, beside ``at_xy``; between them on a straight way."""

    def place(self, t_s: float) -> tuple[float, float]:
        apart = [np.interp(t_s, self.times_s, self.offsets_xy[:, axis]) for axis in (0, 1)]
        return self.at_xy[0] + float(apart[0]), self.at_xy[1] + float(apart[1])


class SunShow:
    """What the sun leaves in shadow, over a film."""

    def __init__(self, size_wh: tuple[int, int], duration_s: float, strength: float, seed: int) -> None:
        """Draw heads and their sway; ``strength`` 1 leaves a little less than half the light in shadow."""
        rng = np.random.default_rng([seed, 61])
        self._small_wh = (max(8, size_wh[0] // _REDUCED), max(8, size_wh[1] // _REDUCED))
        dark = float(np.clip(rng.uniform(0.5, 0.62) * strength, 0.2, 0.72))
        blue = float(rng.uniform(0.02, 0.1))
        # What the sun leaves out the sky lights, and that is bluer.
        self._kept: tuple[float, ...] = tuple((1 - dark) * (1 + blue * s) for s in (1.0, 0.0, -1.0))
        self._edge_px = float(rng.uniform(0.0012, 0.006)) * self._small_wh[0]
        tall = size_wh[1] / size_wh[0]
        from_side = float(rng.choice([-1.0, 1.0]))
        heads = range(int(rng.integers(1, 3)))
        self._heads = [self._drawn(rng, from_side, (0.5 + k) / 2 * tall, duration_s) for k in heads]

    def _drawn(self, rng: np.random.Generator, side: float, down: float, duration_s: float) -> _Head:
        reach = rng.uniform(0.12, 0.42)
        x = reach if side < 0 else 1 - reach
        times, offsets = [0.0], [rng.normal(0, 0.02, 2)]
        while times[-1] < duration_s:
            times += [times[-1] + rng.uniform(2.0, 14.0)]
            times += [times[-1] + rng.uniform(0.4, 2.0)]
            offsets += [offsets[-1], rng.normal(0, 0.06, 2) * (1.0, 0.7)]
        slant = (np.pi if side < 0 else 0.0) + rng.normal(0, 0.3)
        at = (float(x), float(down + rng.normal(0, 0.05)))
        return _Head(at, float(rng.uniform(0.045, 0.075)), float(slant), np.array(times), np.array(offsets))

    def state(self, t_s: float) -> tuple[float, ...]:
        """Return where the heads are, in steps too small to be seen."""
        return tuple(round(v / _STEP) * _STEP for head in self._heads for v in head.place(t_s))

    def gain(self, state: tuple[float, ...], size_wh: tuple[int, int]) -> Map:
        """Return the share of the light that is left, (H, W, 3), BGR."""
        width, height = self._small_wh
        shade = np.zeros((height, width), np.float32)
        for k, head in enumerate(self._heads):
            middle = np.array(state[2 * k : 2 * k + 2]) * width
            wide, way = head.wide * width, np.array([np.cos(head.slant), np.sin(head.slant)])
            turn = float(np.degrees(head.slant))
            _ellipse(shade, middle, (1.25 * wide, wide), turn)
            _ellipse(shade, middle + way * 1.3 * wide, (0.7 * wide, 0.45 * wide), turn)
            _ellipse(shade, middle + way * 5.0 * wide, (3.4 * wide, 2.3 * wide), turn)
        shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), max(self._edge_px, 0.4)), np.float32)
        shade = np.asarray(cv2.resize(shade, size_wh, interpolation=cv2.INTER_LINEAR), np.float32)
        left = np.array([1 - kept for kept in self._kept], np.float32)
        return np.asarray(1 - shade[..., None] * left, np.float32)


def _ellipse(shade: Map, middle: NDArray[Any], axes: tuple[float, float], turn_deg: float) -> None:
    at, half = (tuple(round(float(v) * 16) for v in pair) for pair in (middle, axes))
    cv2.ellipse(shade, at, half, turn_deg, 0, 360, 1.0, -1, cv2.LINE_AA, 4)
