"""From what a user writes to a source."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from vision.errors import SourceError
from vision.recorded import DEMO, bundled_game
from vision.sources.camera import CameraSource
from vision.sources.frame import Source
from vision.sources.recording import RecordingSource
from vision.sources.settings import SourceSettings
from vision.sources.stills import SUFFIXES, StillsSource
from vision.sources.stream import StreamSource
from vision.sources.wording import is_address, shown

__all__ = ["SourceOptions", "open_source"]

_SCHEMES = ("http", "https", "rtsp", "rtsps")


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """How a source is opened."""

    start_s: float = 0.0
    """Recordings and stills: frames before this time are passed over."""
    backend: str = ""
    """Cameras: the way to it, a name of ``vision.opencv_camera.BACKENDS``; empty for the usual one."""
    fourcc: str = ""
    """Cameras: the coding asked for, such as ``MJPG`` or ``YUYV``; empty for the usual one."""
    settings: SourceSettings = field(default_factory=SourceSettings)
    """Sizes, limits and pauses."""


def open_source(text: str, options: SourceOptions | None = None) -> Source:
    """Return the source that ``text`` names.

    It is a camera's number (``0``, or ``/dev/video0``), a video file, a folder of pictures, an address
    (``http://``, ``https://``, ``rtsp://``), or ``demo`` for the game that comes with the program (a file of
    that name is ``./demo``). A camera or an address is first tried when frames are asked for.

    Raises:
        SourceError: one sentence that says what is wrong with it.
    """
    options = options or SourceOptions()
    settings = options.settings
    if text == DEMO and (game := bundled_game()) is not None:
        text = str(game.film)
    device = re.fullmatch(r"(?:/dev/video)?(\d{1,4})", text, re.ASCII)
    if device:
        return CameraSource(int(device[1]), settings, backend=options.backend, fourcc=options.fourcc)
    if is_address(text):
        if text.partition(":")[0].lower() not in _SCHEMES:
            raise SourceError(f"{shown(text)} is no address that can be read: {', '.join(_SCHEMES)} can.")
        return StreamSource(text, settings)
    if not text or not os.path.lexists(text):
        raise SourceError(
            f"There is no file or folder {shown(text) or 'without a name'}; "
            "a camera is named by its number, and an address begins with http:// or rtsp://."
        )
    if os.path.isdir(text):
        return StillsSource(text, settings, start_s=options.start_s)
    if os.path.splitext(text)[1].lower() in SUFFIXES:
        raise SourceError(f"{shown(text)} is a single picture; a game needs a video or a folder of pictures.")
    return RecordingSource(text, settings, start_s=options.start_s)
