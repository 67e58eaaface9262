"""Webcams through OpenCV: the only place that opens a capture device."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import CameraMissingError, SourceError

__all__ = ["BACKENDS", "OpenCvCamera"]

BACKENDS = {
    "any": cv2.CAP_ANY,
    "v4l2": cv2.CAP_V4L2,
    "dshow": cv2.CAP_DSHOW,
    "msmf": cv2.CAP_MSMF,
    "avfoundation": cv2.CAP_AVFOUNDATION,
    "gstreamer": cv2.CAP_GSTREAMER,
}
"""The operating systems' ways to a camera, by name."""
_USUAL_BACKEND = {"linux": "v4l2", "win32": "dshow", "darwin": "avfoundation"}


class OpenCvCamera:
    """An open camera."""

    def __init__(
        self, index: int, width_px: int, height_px: int, rate_hz: float, backend: str = "", fourcc: str = ""
    ) -> None:
        """Open the camera and ask it for a picture size and rate, of which it gives what it can.

        Args:
            index: number of the camera, from 0.
            width_px: the width to ask for; 0 leaves it to the camera, like the two below.
            height_px: the height to ask for.
            rate_hz: pictures a second to ask for.
            backend: a name of ``BACKENDS``; empty for the operating system's usual one.
            fourcc: the camera's coding, such as ``MJPG`` or ``YUYV``; empty asks for ``MJPG``, without which
                many webcams give large pictures at a low rate only.

        Raises:
            SourceError: there is no such camera, or it is in use.
        """
        name = (backend or _USUAL_BACKEND.get(sys.platform, "any")).lower()
        if name not in BACKENDS:
            raise SourceError(f"There is no camera backend {backend!r}; there are {', '.join(BACKENDS)}.")
        if fourcc and (len(fourcc) != 4 or not fourcc.isascii()):
            raise SourceError(f"{fourcc!r} names no coding of four letters, such as MJPG.")
        with _quiet_opencv():
            self._capture = cv2.VideoCapture(index, BACKENDS[name])
            if not self._capture.isOpened():
                raise CameraMissingError(index)
            letters: Any = cv2.VideoWriter.fourcc(*(fourcc or "MJPG"))
            self._capture.set(cv2.CAP_PROP_FOURCC, letters)
            for key, value in (
                (cv2.CAP_PROP_FRAME_WIDTH, width_px),
                (cv2.CAP_PROP_FRAME_HEIGHT, height_px),
                (cv2.CAP_PROP_FPS, rate_hz),
            ):
                if value:
                    self._capture.set(key, value)
            self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def read(self) -> NDArray[np.uint8] | None:
        """Wait for the next picture, BGR of shape (H, W, 3); None where none came."""
        with _quiet_opencv():
            try:
                came, image_bgr = self._capture.read()
            except cv2.error:
                return None
        if not came or image_bgr is None or image_bgr.ndim != 3:
            return None
        return np.asarray(image_bgr, np.uint8)

    def close(self) -> None:
        """Let go of the camera."""
        self._capture.release()


@contextmanager
def _quiet_opencv() -> Iterator[None]:
    """Keep OpenCV's own words from the terminal; what they mean is said in ours."""
    log = cv2.utils.logging
    level = log.setLogLevel(log.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        log.setLogLevel(level)
