"""What a live source reads from: one picture after the other, without a notion of time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import SourceError
from vision.sources.frame import NoticeCode

__all__ = ["Feed", "FeedLostError", "Shot"]


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One upright picture, just taken."""

    luma: NDArray[np.uint8]
    """Brightness, shape (H, W); not to be written to."""
    make_bgr: Callable[[], NDArray[np.uint8]]
    """Makes the picture in colour, shape (H, W, 3)."""

    @classmethod
    def of_bgr(cls, image_bgr: NDArray[np.uint8]) -> Shot:
        """A shot from a colour picture, shape (H, W, 3)."""
        luma = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        return cls(luma, lambda: image_bgr)


class FeedLostError(SourceError):
    """Pictures come no longer; the feed must be opened anew."""

    def __init__(self, code: NoticeCode, message: str) -> None:
        super().__init__(message)
        self.code: NoticeCode = code


class Feed(Protocol):
    """An open camera or connection. ``read`` and ``close`` are called by one thread only."""

    def read(self) -> Shot | None:
        """Wait for the next picture; None for one that is damaged or when interrupted.

        Raises:
            FeedLostError: no picture will come any more.
        """
        ...

    def interrupt(self) -> None:
        """Wake up a waiting ``read``, as far as that can be done; may be called by any thread."""
        ...

    def close(self) -> None:
        """Let go of the device or connection."""
        ...
