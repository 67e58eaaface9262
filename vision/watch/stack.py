"""Still frames laid on each other: what a sensor makes up differs from frame to frame, the table does not."""

from __future__ import annotations

from collections import deque
from typing import Final

import numpy as np

from vision.sources.frame import Frame

__all__ = ["FrameStack"]

_MOST: Final = 4
"""More frames take away little more noise, and a camera that trembles would blur the table."""
_NOISY: Final = 1.5
"""Grey levels of noise from which on a picture is worth it."""
_STEP: Final = 4
"""Noise is measured on every so many pixels each way."""
_MOVES: Final = 25
"""Grey levels beyond which a pixel's change is no noise."""


class FrameStack:
    """The last frames of a stretch in which nothing moved."""

    def __init__(self) -> None:
        """Begin without a frame."""
        self._frames: deque[Frame] = deque(maxlen=_MOST)

    def clear(self) -> None:
        """Something moves."""
        self._frames.clear()

    def add(self, frame: Frame) -> None:
        """Take in the next frame in which nothing moved since the last one."""
        if self._frames and self._frames[-1].size_wh != frame.size_wh:
            self._frames.clear()
        self._frames.append(frame)

    def merged(self, frame: Frame) -> Frame:
        """Return ``frame``, the last that was taken in, or the mean of all where they are noisy."""
        if len(self._frames) < 2 or self._frames[-1] is not frame or _noise(*list(self._frames)[-2:]) < _NOISY:
            return frame
        mean = np.mean([one.image_bgr for one in self._frames], axis=0, dtype=np.float32)
        return Frame.of_bgr(frame.index, frame.t_s, np.asarray(np.rint(mean), np.uint8))


def _noise(one: Frame, other: Frame) -> float:
    """Return the standard deviation of the noise in each of two frames of the same scene, grey levels."""
    parts = (frame.luma[::_STEP, ::_STEP].astype(np.int16) for frame in (one, other))
    apart = np.abs(next(parts) - next(parts))
    # The mean of |a - b| for two normal values of deviation s is 2 s / sqrt(pi).
    still = apart[apart < _MOVES]
    return float(still.mean()) * np.sqrt(np.pi) / 2 if still.size else 0.0
