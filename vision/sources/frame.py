"""Pictures in time, and what a source says when there are none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from types import TracebackType
from typing import Literal, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

NoticeCode = Literal["unplugged", "frozen", "black", "unreadable", "retrying", "back", "cut-off", "untimed"]
"""``unplugged``: no picture comes. ``frozen``: the same picture over and over. ``black``: nothing to see.
``unreadable``: damaged data. ``retrying``: a new attempt, after a pause. ``back``: pictures come again.
``cut-off``: the recording ends in the middle; what came before it counts. ``untimed``: pictures that do not say
when they were taken."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One upright picture with its time. Colour is made only when it is asked for: the gate needs none."""

    index: int
    """Number within the source, from 0; frames that were dropped live leave gaps."""
    t_s: float
    """Seconds since the source's first frame: the frame's own time, never its number over a rate."""
    luma: NDArray[np.uint8]
    """Brightness, shape (H, W), full resolution; may be a view on the decoder's memory: do not write."""
    make_bgr: Callable[[], NDArray[np.uint8]] = field(repr=False)
    """Makes the picture in colour, shape (H, W, 3)."""
    unseen_s: float = 0.0
    """Seconds before it of which there is no picture: hands may have come and gone."""

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height, pixels."""
        return self.luma.shape[1], self.luma.shape[0]

    @cached_property
    def image_bgr(self) -> NDArray[np.uint8]:
        """The picture in colour, shape (H, W, 3); made at the first call, kept with the frame."""
        return self.make_bgr()

    @classmethod
    def of_bgr(cls, index: int, t_s: float, image_bgr: NDArray[np.uint8]) -> Frame:
        """A frame from a colour picture, shape (H, W, 3)."""
        luma = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        return cls(index, t_s, luma, lambda: image_bgr)


@dataclass(frozen=True, slots=True)
class SourceNotice:
    """Something that the source has to say; the state of the game is not touched by it."""

    t_s: float
    """Seconds since the source's first frame."""
    code: NoticeCode
    """What is the matter."""
    message: str
    """The same as one sentence for the user, in English."""


class Source(Protocol):
    """A source of pictures in time. Use it as a context manager. Black pictures are left out everywhere."""

    live: bool
    """True where the newest frame wins and time is now; False where every frame comes, in order."""
    duration_s: float | None
    """How long a recording is, as far as its file says; None live."""

    def frames(self) -> Iterator[Frame | SourceNotice]:
        """Yield frames and notices until the source ends; SourceError where it cannot be opened."""
        ...

    def close(self) -> None:
        """Let go of device, file or connection; ``frames`` then ends."""
        ...

    def __enter__(self) -> Source:
        """Return the source."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the source."""
        ...
