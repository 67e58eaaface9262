"""What is needed of a watcher, for whoever asks one; see :class:`vision.watch.watcher.Watcher`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from referee import Event
from vision.sources.frame import Frame, SourceNotice
from vision.watch.types import Signal, WatchEvent

__all__ = ["CorrectableWatcher", "FinishableWatcher", "WatcherLike", "WholeWatcher"]


class WatcherLike(Protocol):
    """Takes pictures, notices and buttons, and says what happened."""

    def push(self, frame: Frame) -> list[WatchEvent]:
        """Take the next picture."""
        ...

    def notice(self, notice: SourceNotice) -> list[WatchEvent]:
        """Take what the source has to say."""
        ...

    def signal(self, signal: Signal) -> list[WatchEvent]:
        """Take what a player pressed."""
        ...


class FinishableWatcher(WatcherLike, Protocol):
    """A watcher of a recording, which ends."""

    def finish(self) -> list[WatchEvent]:
        """No more pictures come."""
        ...


class CorrectableWatcher(WatcherLike, Protocol):
    """A watcher of a game whose log people may put right meanwhile."""

    def take_log(self, events: Sequence[Event]) -> list[WatchEvent]:
        """Go on with a log that people have put right, from the table as it was read last."""
        ...


class WholeWatcher(FinishableWatcher, CorrectableWatcher, Protocol):
    """A watcher that can do both."""
