"""Films."""

from __future__ import annotations

import os
from fractions import Fraction
from types import TracebackType
from typing import Any

import av
import av.error
import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import SourceError
from vision.sources.wording import shown

__all__ = ["VideoWriter"]

_WRITER_TICK = Fraction(1, 90_000)


class VideoWriter:
    """Writes pictures with their times as an mp4 (H.264) that browsers play. Use it as a context manager.

    The film is written beside its place under another name and moved there at the end.
    """

    def __init__(
        self, path: str | os.PathLike[str], size_wh: tuple[int, int], rate_hz: int = 30, crf: int = 23
    ) -> None:
        """Begin a film of ``size_wh`` pixels; an odd side is rounded up by repeating its last line.

        Args:
            path: where the film is to lie, overwritten if something is there.
            size_wh: width and height of every picture.
            rate_hz: about how many pictures a second come; their own times count.
            crf: quality, 0 (best) to 51.

        Raises:
            SourceError: the place cannot be written.
        """
        self._path = os.fspath(path)
        self._unfinished_path = f"{self._path}.unfinished"
        self._size_wh = size_wh
        self._last_stamp = -1
        try:
            self._container: Any = av.open(
                f"file:{self._unfinished_path}", "w", format="mp4", options={"movflags": "faststart"}
            )
            self._stream = self._container.add_stream("libx264", rate=rate_hz)
            self._stream.width, self._stream.height = (side + side % 2 for side in size_wh)
            self._stream.pix_fmt = "yuv420p"
            self._stream.codec_context.time_base = _WRITER_TICK
            self._stream.options = {"crf": str(crf), "preset": "veryfast"}
            self._container.start_encoding()
        except av.error.FFmpegError as error:
            raise self._unwritable(error) from error

    def write(self, t_s: float, image_bgr: NDArray[np.uint8]) -> None:
        """Add a picture, shape (H, W, 3); a time that does not advance is put just after the one before."""
        height, width = image_bgr.shape[:2]
        if (width, height) != self._size_wh:
            raise ValueError(
                f"pictures must be {self._size_wh[0]} x {self._size_wh[1]}, not {width} x {height}"
            )
        if width % 2 or height % 2:
            padded = cv2.copyMakeBorder(image_bgr, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE)
            image_bgr = np.asarray(padded, np.uint8)
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(image_bgr), format="bgr24")
        self._last_stamp = max(self._last_stamp + 1, round(t_s / _WRITER_TICK))
        frame.pts, frame.time_base = self._last_stamp, _WRITER_TICK
        self._mux(frame)

    def close(self) -> None:
        """Finish the film and move it to its place; SourceError where that cannot be done."""
        if self._container is None:
            return
        if self._last_stamp >= 0:
            self._mux(None)
        try:
            self._container.close()
            self._container = None
            os.replace(self._unfinished_path, self._path)
        except (av.error.FFmpegError, OSError) as error:
            raise self._unwritable(error) from error

    def __enter__(self) -> VideoWriter:
        """Return the writer."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finish the film; also after an error, with the pictures until then."""
        self.close()

    def _mux(self, frame: Any) -> None:
        try:
            self._container.mux(self._stream.encode(frame))
        except (av.error.FFmpegError, OSError) as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: BaseException) -> SourceError:
        why = getattr(error, "strerror", None) or "the disk refuses it"
        return SourceError(f"The video {shown(self._path)} cannot be written: {why}.")
