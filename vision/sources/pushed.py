"""Pictures that a browser pushes."""

from __future__ import annotations

import threading

from vision.errors import PictureError, SourceError
from vision.picture import decode_picture
from vision.sources.feed import Shot
from vision.sources.live import LiveSource
from vision.sources.settings import SourceSettings

__all__ = ["PushedSource"]


class PushedSource(LiveSource):
    """A live source that others push pictures into, from any thread. Use it as a context manager."""

    def __init__(self, settings: SourceSettings | None = None, name: str = "The browser's camera") -> None:
        """Prepare the source; messages call it ``name``."""
        settings = settings or SourceSettings()
        self._mailbox = _Mailbox(settings.max_megapixels)
        self._max_bytes = int(settings.push_max_mb * 1e6)
        super().__init__(name, lambda: self._mailbox, settings, reopens=False)

    def push_jpeg(self, data: bytes) -> None:
        """Leave a picture; the reader decodes it unless a newer one replaces it first.

        Raises:
            SourceError: it is no JPEG, or too large.
        """
        if len(data) > self._max_bytes:
            raise SourceError(
                f"The picture has {len(data) / 1e6:.1f} MB, more than the {self._max_bytes / 1e6:g} MB allowed."
            )
        if not data.startswith(b"\xff\xd8\xff"):
            raise SourceError("The picture is not a JPEG.")
        self._mailbox.put(data)


class _Mailbox:
    """A feed with room for one picture: the newest."""

    def __init__(self, max_megapixels: float) -> None:
        self._max_megapixels = max_megapixels
        self._changed = threading.Condition()
        self._data: bytes | None = None
        self._interrupted = False

    def put(self, data: bytes) -> None:
        with self._changed:
            self._data = data
            self._changed.notify_all()

    def read(self) -> Shot | None:
        with self._changed:
            while self._data is None and not self._interrupted:
                self._changed.wait()
            data, self._data = self._data, None
        if data is None:
            return None
        try:
            picture = decode_picture(data, "The pushed picture", self._max_megapixels)
        except PictureError:
            return None
        return Shot.of_bgr(picture.image_bgr)

    def interrupt(self) -> None:
        with self._changed:
            self._interrupted = True
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._data = None
