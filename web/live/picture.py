"""The live picture: the newest JPEG, for any number of watchers; and the table alone, for spectators."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import jpeg_of, no_wider
from vision.privacy import mask_of_tiles
from vision.readings import Corners

__all__ = ["LivePicture", "encode", "multipart", "table_alone"]

BOUNDARY: Final = "tileref-frame"
_QUALITY: Final = 80
_REPEAT_S: Final = 5.0
"""A picture that does not change is sent again after so long, so that a dead connection is noticed."""


def encode(image_bgr: NDArray[np.uint8], max_width_px: int, quality: int = _QUALITY) -> bytes:
    """Return a picture of shape (H, W, 3) as a JPEG, no wider than ``max_width_px``."""
    return jpeg_of(no_wider(image_bgr, max_width_px), quality)


def table_alone(
    image_bgr: NDArray[np.uint8], area_xy_px: Corners | None, tiles_xy_px: Sequence[Corners]
) -> NDArray[np.uint8] | None:
    """Return the picture with everything grey but the table, so that no rack is in view.

    The table is ``area_xy_px`` (4, 2) where that is set, else the tiles that lie in sets, with a margin of half
    a tile. None where neither says what the table is.
    """
    height, width = image_bgr.shape[:2]
    if area_xy_px is not None:
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [np.round(area_xy_px).astype(np.int32)], 255)
    elif tiles_xy_px:
        mask = mask_of_tiles((height, width), tiles_xy_px, 1.5)
    else:
        return None
    return np.asarray(np.where(mask[:, :, None] > 0, image_bgr, np.uint8(90)), np.uint8)


class LivePicture:
    """The newest picture. One writer, many watchers."""

    def __init__(self) -> None:
        """Begin without a picture."""
        self._changed = threading.Condition()
        self._jpeg: bytes | None = None
        self._number = 0
        self._still: bytes | None = None
        self.watchers = 0
        self.closed = False

    def show(self, jpeg: bytes | None) -> None:
        """Take the newest picture, or None where there is none any more."""
        with self._changed:
            self._jpeg = jpeg
            self._number += 1
            if jpeg is None:
                self._still = None
            self._changed.notify_all()

    def show_still(self, jpeg: bytes | None) -> None:
        """Take the table alone."""
        self._still = jpeg

    @property
    def still(self) -> bytes | None:
        """The table alone, as it was read last."""
        return self._still

    @property
    def newest(self) -> bytes | None:
        """The newest picture."""
        return self._jpeg

    def frames(self) -> Iterator[bytes]:
        """Yield the newest picture whenever there is a newer one, until there is none."""
        with self._changed:
            self.watchers += 1
        seen = -1
        try:
            while True:
                with self._changed:
                    if self._number == seen and not self.closed:
                        self._changed.wait(_REPEAT_S)
                    jpeg, seen = self._jpeg, self._number
                    if self.closed or jpeg is None:
                        return
                yield jpeg
        finally:
            with self._changed:
                self.watchers -= 1

    def close(self) -> None:
        """Let every watcher go."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()


def multipart(frames: Iterator[bytes]) -> Iterator[bytes]:
    """Yield pictures as parts of a ``multipart/x-mixed-replace`` body."""
    for jpeg in frames:
        head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
        yield head.encode() + jpeg + b"\r\n"
    yield f"--{BOUNDARY}--\r\n".encode()
