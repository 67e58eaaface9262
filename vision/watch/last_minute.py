"""The last minute of a watched game on disk: pictures, readings and what was said, for a report of a problem.

A ring: the oldest go as new ones come, within limits of time and room. It stays when the program ends, however
it ends, and belongs to this computer: nothing sends it anywhere. A disk that refuses never harms the game.
"""

from __future__ import annotations

import json
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from referee import Event, event_to_json
from vision.picture import jpeg_of, no_wider
from vision.sources.frame import Frame, SourceNotice
from vision.watch.minute_settings import MinuteSettings
from vision.watch.types import HandsOver, Logged, Signal, TableSeen, TurnEnded, WatchEvent, WatchNotice
from vision.watch.watcher_like import WholeWatcher

__all__ = ["FOLDER", "RECORD", "LastMinute", "NotedWatcher"]

FOLDER: Final = "last-minute"
"""The folder's name within the data folder."""
RECORD: Final = "said.jsonl"
"""What was read and said, one object a line, each with ``at`` (seconds of the epoch) and ``t_s``."""
_QUALITY: Final = 80
_MOST_LINES: Final = 2000
"""The record is shortened to the newer half when it grows beyond this."""
_LOG: Final = logging.getLogger("tileref.last-minute")


class LastMinute:
    """Writes the ring. Pictures are named by the milliseconds of the epoch at which they were kept."""

    def __init__(
        self, folder: Path, settings: MinuteSettings | None = None, now: Callable[[], float] = time.time
    ) -> None:
        """Keep the ring in ``folder``, going on with what lies there."""
        self._folder, self._settings, self._now = folder, settings or MinuteSettings(), now
        self._last_s: float | None = None
        self._lines = 0
        self._kept: deque[tuple[Path, int]] = deque()
        self._working = self._settings.keep_s > 0
        if self._working:
            self._guard(self._open)

    def frame(self, frame: Frame) -> None:
        """Keep the picture, unless the last one is hardly older."""
        last = self._last_s
        if not self._working or (last is not None and 0 <= frame.t_s - last < self._settings.apart_s):
            return
        self._last_s = frame.t_s
        jpeg = jpeg_of(no_wider(frame.image_bgr, self._settings.width_px), _QUALITY)
        self._guard(lambda: self._keep(jpeg, frame.t_s))

    def said(self, line: dict[str, Any]) -> None:
        """Write one line of the record."""
        if self._working:
            self._guard(lambda: self._write(line))

    def _open(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._kept.extend((path, path.stat().st_size) for path in sorted(self._folder.glob("*.jpg")))
        record = self._folder / RECORD
        if record.exists():
            with record.open("rb") as lines:
                self._lines = sum(1 for _ in lines)

    def _keep(self, jpeg: bytes, t_s: float) -> None:
        path = self._folder / f"{round(self._now() * 1000):014d}.jpg"
        path.write_bytes(jpeg)
        if not self._kept or self._kept[-1][0] != path:
            self._kept.append((path, len(jpeg)))
        room = self._settings.room_mb * 1e6
        oldest = f"{round((self._now() - self._settings.keep_s) * 1000):014d}"
        while len(self._kept) > 1 and (
            self._kept[0][0].stem < oldest or sum(size for _, size in self._kept) > room
        ):
            self._kept.popleft()[0].unlink(missing_ok=True)
        self._write({"what": "picture", "file": path.name, "t_s": round(t_s, 3)})

    def _write(self, line: dict[str, Any]) -> None:
        record = self._folder / RECORD
        text = json.dumps({"at": round(self._now(), 3), **line}, ensure_ascii=False, allow_nan=False)
        with record.open("a", encoding="utf-8") as lines:
            lines.write(text + "\n")
        self._lines += 1
        if self._lines > _MOST_LINES:
            newer = record.read_text("utf-8", "replace").splitlines(keepends=True)[-_MOST_LINES // 2 :]
            part = record.with_suffix(".part")
            part.write_text("".join(newer), encoding="utf-8")
            part.replace(record)
            self._lines = len(newer)

    def _guard(self, write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            self._working = False
            _LOG.warning("The last minute is no longer kept: %s cannot be written (%s).", self._folder, error)


class NotedWatcher:
    """A watcher all of whose pictures and words are kept for a while."""

    def __init__(self, watcher: WholeWatcher, minute: LastMinute) -> None:
        """Note what ``watcher`` sees and says in ``minute``."""
        self._watcher, self._minute = watcher, minute
        self._size_wh = (1, 1)

    def push(self, frame: Frame) -> list[WatchEvent]:
        """Pass the picture on."""
        self._size_wh = frame.size_wh
        self._minute.frame(frame)
        return self._noted(self._watcher.push(frame))

    def notice(self, notice: SourceNotice) -> list[WatchEvent]:
        """Pass on what the source has to say."""
        return self._noted(self._watcher.notice(notice))

    def signal(self, signal: Signal) -> list[WatchEvent]:
        """Pass on what a player pressed."""
        self._minute.said({"what": "pressed", "t_s": round(signal.t_s, 3), "kind": signal.kind})
        return self._noted(self._watcher.signal(signal))

    def take_log(self, events: Sequence[Event]) -> list[WatchEvent]:
        """Pass on that people have put the log right."""
        return self._noted(self._watcher.take_log(events))

    def finish(self) -> list[WatchEvent]:
        """Pass on that no more pictures come."""
        return self._noted(self._watcher.finish())

    def _noted(self, happened: list[WatchEvent]) -> list[WatchEvent]:
        for event in happened:
            self._minute.said(line_of(event, self._size_wh))
        return happened


def line_of(event: WatchEvent, size_wh: tuple[int, int]) -> dict[str, Any]:
    """Return what a watcher said as a JSON object; places of tiles are shares of the picture's ``size_wh``."""
    match event:
        case TableSeen():
            size = np.asarray(size_wh, np.float32)
            return {
                "what": "reading",
                "t_s": round(event.lying.t_s, 3),
                "table": str(event.lying.table),
                "backs": event.lying.backs,
                "verdict": event.verdict,
                "problems": [problem.code for problem in event.problems],
                "questions": [question.code for question in event.questions],
                "tiles": [
                    [str(tile.seen), round(tile.confidence, 4), np.round(tile.corners_xy_px / size, 4).tolist()]
                    for tile in event.lying.tiles
                ],
            }
        case HandsOver():
            return {"what": "hands", "t_s": round(event.t_s, 3), "moving": event.moving}
        case TurnEnded():
            record = event.record
            return {
                "what": "turn",
                "t_s": round(record.end_s, 3),
                "seat": record.seat,
                "action": record.action,
                "inferred": record.inferred,
                "before": str(record.before),
                "after": str(record.after),
                "verdict": record.verdict,
                "problems": [problem.code for problem in record.problems],
                "questions": [question.code for question in record.questions],
            }
        case Logged():
            return {"what": "event", "event": event_to_json(event.event)}
        case WatchNotice():
            return {"what": "notice", "t_s": round(event.t_s, 3), "code": event.code, "message": event.message}


def last_lines(folder: Path) -> Sequence[str]:
    """Return the record's lines; empty where there is none. OSError where it cannot be read."""
    record = folder / RECORD
    return record.read_text("utf-8", "replace").splitlines() if record.exists() else []
