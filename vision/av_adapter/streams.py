"""What reading from files and from connections have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import av
import av.error
import av.stream

from vision.errors import SourceError

__all__ = ["FILE_FORMATS", "decoded_pieces", "prepared_stream", "video_stream"]

# Named, because playlists would reach for other files and addresses, and text would pass for a picture.
FILE_FORMATS = "mov,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,ogg,asf,mxf,h264,hevc,mjpeg,m4v,dv,ivf"
"""FFmpeg's names of the containers that are read."""
_MAX_PIXELS = 64_000_000


def video_stream(container: Any, name: str) -> Any:
    """Return the container's stream of moving pictures; SourceError where there is none."""
    cover = av.stream.Disposition.attached_pic
    stream = next((s for s in container.streams.video if not s.disposition & cover), None)
    if stream is None:
        raise SourceError(f"There are no moving pictures in {name}.")
    return stream


def prepared_stream(container: Any, name: str, threads: int, thread_type: str) -> Any:
    """Return the stream, ready to be decoded; SourceError where that cannot be done here."""
    stream = video_stream(container, name)
    if stream.codec_context is None:
        raise SourceError(f"The video in {name} is of a kind that cannot be decoded here.")
    stream.thread_type = thread_type
    stream.codec_context.thread_count = threads
    stream.codec_context.options = {"max_pixels": str(_MAX_PIXELS)}
    return stream


def decoded_pieces(decode: Callable[[], list[Any]]) -> list[Any]:
    """Return what the decoder gives, with None for what is damaged."""
    try:
        return [None if frame.is_corrupt else frame for frame in decode()]
    except (av.error.EOFError, BlockingIOError):
        return []
    except av.error.FFmpegError:
        return [None]
