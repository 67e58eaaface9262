"""Looks at a camera: whether it opens, and which size and rate it really gives."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

from tileref.doctor.check import Check
from vision.errors import SourceError
from vision.sources.settings import SourceSettings

if TYPE_CHECKING:  # what is missing on this computer may be NumPy
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["OpenCamera", "check_camera"]

_WATCHED_S: Final = 2.0
"""So long pictures are counted."""
_WARM_UP: Final = 5
"""The first pictures come late, while the camera sets its exposure."""
_SLOW_SHARE: Final = 0.6
"""A camera that gives less than this share of the rate asked for is said to be slow."""


class OpenedCamera(Protocol):
    """What is needed of a camera; see ``vision.opencv_camera.OpenCvCamera``."""

    def read(self) -> NDArray[np.uint8] | None:
        """Wait for the next picture."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


OpenCamera = Callable[[int, SourceSettings], OpenedCamera]


def open_camera(index: int, asked: SourceSettings) -> OpenedCamera:
    """Open a real camera; SourceError where that fails."""
    from vision.opencv_camera import OpenCvCamera

    return OpenCvCamera(index, asked.camera_width_px, asked.camera_height_px, asked.camera_rate_hz)


def check_camera(
    index: int,
    asked: SourceSettings,
    *,
    wanted: bool,
    open_it: OpenCamera = open_camera,
    clock: Callable[[], float] = time.monotonic,
) -> Check:
    """Open camera ``index`` and measure what it gives.

    Args:
        index: its number, from 0.
        asked: the size and rate to ask for.
        wanted: whether the user named it: then it fails where there is none.
        open_it: opens it.
        clock: seconds that only go forward.
    """
    name = f"camera {index}"
    try:
        camera = open_it(index, asked)
    except SourceError as error:
        mend = (
            "Plug it in, close other programs that use it (a video call, a browser), allow this program to use "
            "cameras in the system's privacy settings, or name another: --camera 1"
        )
        if wanted:
            return Check(name, "failed", str(error), mend)
        return Check(name, "note", f"{error} Photographs, recordings and 'tileref demo' need none.", mend)
    try:
        sizes, count, seconds = _watch(camera, clock)
    finally:
        camera.close()
    if not count:
        return Check(
            name, "failed", "It opens, but gives no picture.",
            "Unplug it and plug it in again, into the computer itself rather than a hub.",
        )  # fmt: skip
    width, height = sizes[-1]
    rate = count / seconds if seconds > 0 else float("nan")
    figures: dict[str, Any] = {
        "size": [width, height],
        "rate_hz": round(rate, 1),
        "asked": [asked.camera_width_px, asked.camera_height_px, asked.camera_rate_hz],
    }
    told = f"It gives {width} x {height} at {rate:.1f} pictures a second"
    if width < asked.camera_width_px or height < asked.camera_height_px:
        return Check(
            name, "note", f"{told}, not the {asked.camera_width_px} x {asked.camera_height_px} asked for.",
            "Bring it nearer to the table, so that tiles are large enough; 'tileref doctor --photo' tells.",
            figures,
        )  # fmt: skip
    if rate < _SLOW_SHARE * asked.camera_rate_hz:
        return Check(
            name, "note", f"{told}, not the {asked.camera_rate_hz:g} asked for.",
            "Give more light, plug it into a faster port, or ask for a smaller picture "
            "(--set source.camera_width_px=1280 --set source.camera_height_px=720).", figures,
        )  # fmt: skip
    return Check(name, "fine", f"{told}.", figures=figures)


def _watch(camera: OpenedCamera, clock: Callable[[], float]) -> tuple[list[tuple[int, int]], int, float]:
    """Return the sizes met, and how many pictures came in how many seconds after the warm-up."""
    sizes: list[tuple[int, int]] = []
    begun = started = clock()
    count = 0
    while clock() - started < _WATCHED_S and clock() - begun < 5 * _WATCHED_S:
        image_bgr = camera.read()
        if image_bgr is None:
            continue
        sizes.append((image_bgr.shape[1], image_bgr.shape[0]))
        if len(sizes) <= _WARM_UP:
            started = clock()
        else:
            count += 1
    return sizes, count, clock() - started
