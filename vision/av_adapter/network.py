"""Connections that give pictures."""

from __future__ import annotations

import errno
from typing import Any

import av
import av.error

from vision.av_adapter.pixels import Upright
from vision.av_adapter.streams import FILE_FORMATS, decoded_pieces, prepared_stream
from vision.errors import SourceError
from vision.sources.feed import Shot
from vision.sources.wording import shown

__all__ = ["NetworkVideo"]

_FORMATS = f"{FILE_FORMATS},mp4,rtsp,sdp,mpjpeg,jpeg_pipe"
_PROTOCOLS = "http,https,tcp,tls,udp,rtp,rtsp,httpproxy,crypto"


class NetworkVideo:
    """A connection that gives pictures: HTTP (MJPEG or a video) or RTSP. Only one thread may use it."""

    def __init__(self, address: str, open_timeout_s: float, read_timeout_s: float) -> None:
        """Connect; SourceError says what is wrong with the address."""
        self._name = shown(address)
        options = {
            "format_whitelist": _FORMATS,
            "protocol_whitelist": _PROTOCOLS,
            "rtsp_transport": "tcp",
            "fflags": "nobuffer",
            "analyzeduration": "1000000",
            "fpsprobesize": "0",
        }
        try:
            self._container = av.open(
                address,
                container_options=options,
                metadata_errors="replace",
                timeout=(open_timeout_s, read_timeout_s),
            )
        except (av.error.FFmpegError, ValueError) as error:
            raise SourceError(_why_not_connected(self._name, error)) from error
        try:
            # Threads by frame would hold back the newest picture.
            stream = prepared_stream(self._container, self._name, 0, "SLICE")
        except SourceError:
            self._container.close()
            raise
        self._packets = self._container.demux(stream)
        self._upright = Upright()
        self._waiting: list[Any] = []

    def read(self) -> Shot | None:
        """Return the next picture, or None for a damaged one.

        Raises:
            SourceError: the connection has ended.
        """
        while not self._waiting:
            try:
                packet = next(self._packets, None)
            except av.error.FFmpegError as error:
                raise SourceError(_why_not_connected(self._name, error)) from error
            if packet is None or packet.size == 0:
                raise SourceError(f"{self._name} has ended the connection.")
            self._waiting = decoded_pieces(packet.decode)
        decoded = self._waiting.pop(0)
        return None if decoded is None else self._upright.shot(decoded)

    def close(self) -> None:
        """Close the connection."""
        self._container.close()


def _why_not_connected(name: str, error: Exception) -> str:
    if isinstance(error, (av.error.ExitError, TimeoutError)):
        return f"No pictures come from {name}: no answer in time."
    if isinstance(error, ConnectionRefusedError):
        return f"No pictures come from {name}: nothing answers there."
    if isinstance(error, av.error.HTTPUnauthorizedError | av.error.HTTPForbiddenError):
        return f"No pictures come from {name}: it wants another user name or password."
    if isinstance(error, ValueError) or getattr(error, "errno", None) == errno.EIO:
        return f"No pictures come from {name}: what it sends is not a video that can be read."
    return f"No pictures come from {name}: {getattr(error, 'strerror', None) or error}."
