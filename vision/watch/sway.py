"""How the whole picture has shifted between two frames: a camera sways in a hand or trembles on a shelf."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Shift", "ShiftFinder"]

_PARTS = 4
"""Parts of the picture, each way, that are asked whether they shift alike."""
_TELLS = 0.02
"""What a shift must change of a part, in mean squares of the least contrast that counts, for it to be asked."""
_CLEAR = 0.15
"""Response of the phase correlation under which there is no one shift."""
_LEAST_PX = 0.1

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """Two fine structures (h, w), the first as it would be had the camera moved since."""

    old: Floats
    new: Floats
    """The second, as smooth as the first has become."""
    px: float
    """How far the middle of the picture has shifted."""
    of_all: bool
    """Whether most parts of the picture have shifted so, and not a hand alone."""


class ShiftFinder:
    """Finds shifts between fine structures of one size: pictures less their local mean."""

    def __init__(self, size_wh: tuple[int, int], contrast: float, most_px: float) -> None:
        """Changes weaker than ``contrast``, grey levels, tell nothing; shifts beyond ``most_px`` are none."""
        self._size_wh, self._contrast, self._most_px = size_wh, contrast, most_px
        width, height = size_wh
        # The correlation pads to odd sizes, and its middle is then half a pixel off.
        pattern = np.random.default_rng(0).normal(size=(height, width)).astype(np.float32)
        self._bias_xy = cv2.phaseCorrelate(pattern, pattern)[0]
        self._x = np.arange(0, width, 2, dtype=np.float32) - width / 2
        self._y = (np.arange(0, height, 2, dtype=np.float32) - height / 2)[:, None]

    def between(self, one: Floats, two: Floats) -> Shift | None:
        """Return how the picture has shifted from ``one`` to ``two``; None where there is no one shift."""
        (dx, dy), response = cv2.phaseCorrelate(one, two)
        dx, dy = dx - self._bias_xy[0], dy - self._bias_xy[1]
        far = float(np.hypot(dx, dy))
        if response < _CLEAR or not _LEAST_PX <= far <= self._most_px:
            return None
        # Fine edges are not sampled densely enough to be shifted.
        old, new = (np.asarray(cv2.GaussianBlur(detail, (3, 3), 0), np.float32) for detail in (one, two))
        move = np.array([[1, 0, dx], [0, 1, dy]], np.float64)
        move = self._turned(old, new, move) @ np.vstack([move, (0, 0, 1)])
        shifted = self._warped(old, move, self._size_wh)
        return Shift(shifted, new, far, self._of_all(old, shifted, new))

    def _warped(self, detail: Floats, move: NDArray[np.float64], size_wh: tuple[int, int]) -> Floats:
        """Return a fine structure moved by an affine map (2, 3), in a picture of this size."""
        border = cv2.BORDER_REFLECT
        moved = cv2.warpAffine(detail, move, size_wh, flags=cv2.INTER_CUBIC, borderMode=border)
        return np.asarray(moved, np.float32)

    def _turned(self, one: Floats, two: Floats, move: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the small similarity (2, 3) that brings ``one``, moved, onto ``two``.

        A step of Gauss and Newton, on every other pixel of every other row, which say as much as all of them.
        What differs by more than such a step can explain, a hand, counts for little.
        """
        x, y = self._x, self._y
        right = cv2.Sobel(two, cv2.CV_32F, 1, 0, scale=1 / 8)[::2, ::2]
        down = cv2.Sobel(two, cv2.CV_32F, 0, 1, scale=1 / 8)[::2, ::2]
        halved = two[::2, ::2]
        differ = halved - self._warped(one, move / 2, (halved.shape[1], halved.shape[0]))
        usual = max(self._contrast, float(np.sqrt(np.mean(differ * differ))))
        weight = 1 / np.square(1 + np.square(differ / usual))
        rows = np.stack([right, down, right * x + down * y, down * x - right * y]).reshape(4, -1)
        weighted = rows * weight.reshape(1, -1)
        square = np.asarray(weighted @ rows.T, np.float64)
        # What shifts by d loses its slope times d.
        loss = np.asarray(weighted @ differ.reshape(-1), np.float64)
        step = np.linalg.solve(square + 1e-6 * (1 + np.trace(square)) * np.eye(4), -loss)
        dx, dy, zoom, turn = (float(value) for value in step)
        scaled = np.array([[1 + zoom, -turn], [turn, 1 + zoom]])
        middle = np.array([self._size_wh[0] / 2, self._size_wh[1] / 2])
        shift = middle + np.array([dx, dy]) - scaled @ middle
        return np.column_stack([scaled, shift])

    def _of_all(self, old: Floats, shifted: Floats, new: Floats) -> bool:
        """True where the shift tells what became of most parts of the picture."""
        due, came = shifted - old, new - old
        agree = cv2.resize(due * came, (_PARTS, _PARTS), interpolation=cv2.INTER_AREA)
        weight = cv2.resize(due * due, (_PARTS, _PARTS), interpolation=cv2.INTER_AREA)
        strong = weight > _TELLS * self._contrast**2
        told = strong & (agree > 0.5 * weight)
        spread = min(np.count_nonzero(strong.any(axis=0)), np.count_nonzero(strong.any(axis=1)))
        return bool(spread > _PARTS // 2 and np.count_nonzero(told) > 0.6 * np.count_nonzero(strong))
