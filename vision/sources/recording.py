"""A video file: every frame in order, with its own time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import TracebackType

from vision.av_adapter import VideoFile
from vision.errors import SourceError
from vision.sources.frame import Frame, SourceNotice
from vision.sources.health import Health
from vision.sources.settings import SourceSettings
from vision.sources.wording import shown

__all__ = ["RecordingSource"]


class RecordingSource:
    """Plays a recording. Use it as a context manager.

    Black pictures are left out, since there is nothing to see in them; frozen ones are not.
    """

    live = False

    def __init__(
        self,
        path: str | os.PathLike[str],
        settings: SourceSettings | None = None,
        *,
        start_s: float = 0.0,
    ) -> None:
        """Open the file; SourceError says what is wrong with it.

        Args:
            path: the video (mp4, mov, mkv, webm, avi).
            settings: when pictures count as black or frozen.
            start_s: the first frame is the first one from this time on; index and times stay those of the
                whole recording.
        """
        self._settings = settings or SourceSettings()
        self._name = shown(os.fspath(path))
        self._start_s = start_s
        self._closed = False
        self._video = VideoFile(path, self._settings.decode_threads)
        self.duration_s: float | None = self._video.duration_s

    def frames(self) -> Iterator[Frame | SourceNotice]:
        """Yield frames and notices; SourceError where not one picture can be decoded."""
        health = Health(self._name, self._settings, live=False)
        t_s = self._start_s
        any_frame = damaged = False
        for frame in self._video.frames(self._start_s):
            if frame is None:
                damaged = True
                continue
            if damaged and any_frame:
                yield from health.failure(t_s, "unreadable", f"A piece of {self._name} is damaged.")
            damaged, any_frame, t_s = False, True, frame.t_s
            worth_it, notices = health.picture(t_s, frame.luma)
            yield from notices
            if worth_it:
                yield frame
        if self._closed:
            return
        if damaged and not any_frame:
            raise SourceError(f"No picture in {self._name} can be decoded.")
        if self._video.cut_off or damaged:
            yield SourceNotice(t_s, "cut-off", self._cut_off_message(t_s))
        elif not any_frame and self._start_s <= 0:
            raise SourceError(f"There is no picture in {self._name}.")

    def close(self) -> None:
        """Let go of the file; ``frames`` then ends."""
        self._closed = True
        self._video.close()

    def __enter__(self) -> RecordingSource:
        """Return the source."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the source."""
        self.close()

    def _cut_off_message(self, t_s: float) -> str:
        whole = f" of {self.duration_s:.1f} s" if self.duration_s is not None else ""
        return f"{self._name} breaks off after {t_s:.1f} s{whole}; what came before counts."
