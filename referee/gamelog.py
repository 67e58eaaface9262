"""A log of events on disk: JSON Lines, only ever appended to, and synced with every event."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

from referee.events import HEADER, Event, EventError, event_line, import_log

__all__ = ["GameLog"]


class GameLog:
    """An open log. Use it as a context manager, or ``close`` it.

    A line that was cut off while it was written, by a crash or a full disk, is no event: it is dropped when the
    log is opened again. Raises EventError for a file that is no log, OSError for one that cannot be opened.
    """

    def __init__(self, path: str | Path) -> None:
        """Open the log at ``path``, or begin one where there is no file."""
        self._path = Path(path)
        self._events: tuple[Event, ...] = ()
        text = self._path.read_text("utf-8", errors="strict") if self._path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        if whole:
            self._events = import_log(whole)
        elif text and not HEADER.startswith(text):
            raise EventError(f"{self._path} is no log: it begins with {text[:40]!r}")
        self._file = self._path.open("r+b" if self._path.exists() else "x+b")
        self._file.truncate(len(whole.encode("utf-8")))
        self._file.seek(0, os.SEEK_END)
        if not whole:
            self._write(HEADER)

    @property
    def events(self) -> tuple[Event, ...]:
        """Every event so far."""
        return self._events

    def append(self, event: Event) -> None:
        """Write ``event`` and wait until it is on disk; EventError for an event that cannot be."""
        self._write(event_line(event))
        self._events = (*self._events, event)

    def _write(self, line: str) -> None:
        self._file.write(f"{line}\n".encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> GameLog:
        """Return the log itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()
