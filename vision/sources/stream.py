"""A camera on the network: HTTP (MJPEG or a video) or RTSP."""

from __future__ import annotations

from vision.av_adapter import NetworkVideo
from vision.errors import SourceError
from vision.sources.feed import FeedLostError, Shot
from vision.sources.live import LiveSource
from vision.sources.settings import SourceSettings
from vision.sources.wording import shown

__all__ = ["StreamSource"]


class StreamSource(LiveSource):
    """Reads a live address. Use it as a context manager."""

    def __init__(self, address: str, settings: SourceSettings | None = None) -> None:
        """Prepare the source for an address such as ``http://HOST/video`` or ``rtsp://HOST/stream``."""
        settings = settings or SourceSettings()
        super().__init__(shown(address), lambda: _Connection(address, settings), settings)


class _Connection:
    def __init__(self, address: str, settings: SourceSettings) -> None:
        self._video = NetworkVideo(address, settings.open_timeout_s, settings.read_timeout_s)

    def read(self) -> Shot | None:
        try:
            return self._video.read()
        except SourceError as error:
            raise FeedLostError("unplugged", str(error)) from error

    def interrupt(self) -> None:
        """A wait for the network ends by its time-out only."""

    def close(self) -> None:
        self._video.close()
