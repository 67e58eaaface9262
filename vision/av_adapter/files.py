"""Recordings."""

from __future__ import annotations

import os
import threading
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any

import av
import av.error

from vision.av_adapter.pixels import Upright
from vision.av_adapter.streams import FILE_FORMATS, decoded_pieces, prepared_stream, video_stream
from vision.errors import SourceError
from vision.sources.clock import FrameClock
from vision.sources.frame import Frame
from vision.sources.wording import shown

__all__ = ["VideoFile"]

_FORMATS_WITH_DURATION = ("mov", "matroska", "avi")
"""Containers that state their duration; for others it is estimated from the file's size."""
_CUT_OFF_S = 0.5
_SAME_TIME_S = 1e-6


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a frame stands in its file."""

    origin: int
    """The first frame's stamp."""
    stamp: int
    """The frame's own stamp."""
    index: int
    """The frame's number."""
    seek_stamp: int
    """Where decoding must begin for it."""


class VideoFile:
    """A recording: every frame in order, with its own time."""

    def __init__(self, path: str | os.PathLike[str], threads: int = 0) -> None:
        """Open the file; SourceError says what is wrong with it. ``threads`` 0 leaves their number open."""
        self._path = os.fspath(path)
        self._threads = threads
        self._lock = threading.Lock()
        self._closed = self._begun = False
        self._cut_off = False
        _refuse_unusable_file(self._path)
        self._container, stream = self._opened()
        self._tick = stream.time_base or Fraction(1, 1000)
        self._interval_s = float(1 / stream.average_rate) if stream.average_rate else 1 / 30
        told_us = self._container.duration
        self._duration_s = told_us / 1e6 if told_us and told_us > 0 else None

    @property
    def duration_s(self) -> float | None:
        """How long the recording is, as far as its file says."""
        return self._duration_s

    @property
    def cut_off(self) -> bool:
        """After the last frame: whether the recording ends in the middle."""
        return self._cut_off

    def frames(self, start_s: float = 0.0) -> Iterator[Frame | None]:
        """Yield the frames from ``start_s`` seconds on; None for each piece that cannot be decoded.

        A frame has the same index and time wherever reading began.
        """
        place = self._place(start_s) if start_s > 0 else None
        if place is not None:
            pieces = self._decoded(place.seek_stamp)
            first = next((f for f in pieces if f is not None and (f.pts or 0) >= place.stamp), None)
            if first is not None and first.pts == place.stamp:
                yield from self._timed(chain([first], pieces), place.origin, place.index)
                return
        for frame in self._timed(self._decoded(), None, 0):
            if frame is None or frame.t_s >= start_s - _SAME_TIME_S:
                yield frame

    def close(self) -> None:
        """Let go of the file; frames that were handed out stay good."""
        with self._lock:
            self._closed = True
            self._container.close()

    def _opened(self) -> tuple[Any, Any]:
        options = {"format_whitelist": FILE_FORMATS, "protocol_whitelist": "file"}
        try:
            container = av.open(f"file:{self._path}", container_options=options, metadata_errors="replace")
        except av.error.FFmpegError as error:
            raise SourceError(_why_not_read(self._path, error)) from error
        try:
            return container, prepared_stream(container, shown(self._path), self._threads, "AUTO")
        except SourceError:
            container.close()
            raise

    def _decoded(self, seek_stamp: int | None = None) -> Iterator[Any]:
        """Yield PyAV's frames in order of display; None for what cannot be decoded."""
        with self._lock:
            if self._closed:
                return
            container, stream = self._begin(seek_stamp)
        packets = container.demux([s for s in container.streams if s is stream or s.type == "audio"])
        end_s, count, torn = 0.0, 0, False
        while True:
            with self._lock:
                if self._closed:
                    return
                try:
                    packet = next(packets, None)
                except av.error.FFmpegError:
                    torn = True
                    # The decoder still holds what came before.
                    pieces = decoded_pieces(lambda: stream.codec_context.decode(None))
                    break
                if packet is None:
                    pieces = []
                    break
                if packet.pts is not None:
                    end_s = max(end_s, float((packet.pts + (packet.duration or 0)) * packet.time_base))
                if packet.stream is not stream:
                    continue
                count += packet.size > 0
                if packet.is_corrupt:  # half a packet, mostly the last: the decoder would fill it up with grey
                    torn = True
                    continue
                pieces = decoded_pieces(packet.decode)
                if torn and packet.size > 0:
                    torn, pieces = False, [None, *pieces]
            yield from pieces
        yield from pieces
        whole_count = count if seek_stamp is None else None
        self._cut_off = torn or self._ends_early(container, stream, end_s, whole_count)

    def _begin(self, seek_stamp: int | None) -> tuple[Any, Any]:
        """Return the container, at its start or at the key frame before a stamp."""
        if self._begun:
            self._container.close()
            self._container, _ = self._opened()
        self._begun = True
        stream = video_stream(self._container, shown(self._path))
        if seek_stamp is not None:
            try:
                self._container.seek(seek_stamp, stream=stream)
            except av.error.FFmpegError:  # it cannot be sought in: everything is decoded
                self._container.close()
                self._container, stream = self._opened()
        return self._container, stream

    def _ends_early(self, container: Any, stream: Any, end_s: float, count: int | None) -> bool:
        """Tell by the packets whether the container promised more; ``count`` where all were read."""
        kind = container.format.name
        if not any(name in kind for name in _FORMATS_WITH_DURATION):
            return False
        if count is not None and "mov" in kind and count < len(stream.index_entries):
            return True
        # Some containers count their duration from zero, others from the first stamp.
        reached_s = max(end_s, end_s - (container.start_time or 0) / 1e6)
        return self._duration_s is not None and reached_s < self._duration_s - _CUT_OFF_S

    def _timed(self, pieces: Iterable[Any], origin: int | None, index: int) -> Iterator[Frame | None]:
        clock, upright = FrameClock(self._interval_s), Upright()
        for decoded in pieces:
            if decoded is None:
                index += 1
                yield None
                continue
            if origin is None:
                origin = decoded.pts or 0
            stamp_s = None if decoded.pts is None else float((decoded.pts - origin) * self._tick)
            shot = upright.shot(decoded)
            yield Frame(index, clock.at(stamp_s), shot.luma, shot.make_bgr)
            index += 1

    def _place(self, start_s: float) -> _Place | None:
        """Find the first frame from ``start_s`` on by the packets' stamps, without decoding.

        Returns None where they do not tell; then everything must be decoded.
        """
        container, stream = self._opened()
        try:
            origin = next((frame.pts for frame in container.decode(stream)), None)
        except av.error.FFmpegError:
            origin = None
        finally:
            container.close()
        if origin is None:
            return None
        container, stream = self._opened()
        wanted = origin + (start_s - _SAME_TIME_S) / float(self._tick)
        stamps: list[int] = []
        keys: list[tuple[int, int]] = []
        try:
            for packet in container.demux(stream):
                if packet.size == 0 or packet.is_discard:
                    continue
                if packet.pts is None or packet.dts is None:
                    return None
                stamps.append(packet.pts)
                if packet.is_keyframe:
                    keys.append((packet.pts, min(packet.pts, packet.dts)))
        except av.error.FFmpegError:
            pass  # cut off; what came before it counts
        finally:
            container.close()
        jumps_back = any(b <= a - 1 / self._tick for a, b in pairwise(stamps))
        stamps = sorted(stamp for stamp in stamps if stamp >= origin)
        at = bisect_left(stamps, wanted)
        if at >= len(stamps) or jumps_back or len(set(stamps)) < len(stamps):
            return None
        seek_stamp = next((seek for pts, seek in reversed(keys) if pts <= stamps[at]), None)
        return None if seek_stamp is None else _Place(origin, stamps[at], at, seek_stamp)


def _refuse_unusable_file(path: str) -> None:
    """Raise SourceError for what is no readable, filled file."""
    name = shown(path)
    try:
        if os.path.isdir(path):
            raise SourceError(f"{name} is a folder, not a video.")
        if not os.path.exists(path):
            raise SourceError(f"There is no file {name}.")
        if not os.path.isfile(path):
            raise SourceError(f"{name} is a device or a pipe, not a video file.")
        with open(path, "rb") as file:
            if not file.read(1):
                raise SourceError(f"{name} is empty.")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise SourceError(f"{name} cannot be opened: {why}.") from error


def _why_not_read(path: str, error: Exception) -> str:
    try:
        with open(path, "rb") as file:
            head = file.read(12)
    except OSError:
        head = b""
    if head[4:8] in (b"ftyp", b"mdat", b"wide", b"free"):
        return (
            f"{shown(path)} is damaged, or was cut off before its index was written, "
            "so nothing in it can be read."
        )
    if isinstance(error, ValueError):
        return f"{shown(path)} is not a video that can be read (mp4, mov, mkv, webm, avi)."
    return f"{shown(path)} is damaged, so nothing in it can be read."
