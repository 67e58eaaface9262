"""How sources are opened and watchers made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from referee import Event
from vision.sources.frame import Frame, Source, SourceNotice
from vision.sources.pushed import PushedSource
from vision.watch.setup import WatchSetup
from vision.watch.types import Signal, WatchEvent

__all__ = ["MakeWatcher", "OpenSource", "WatchTools", "WatcherLike"]


class WatcherLike(Protocol):
    """What is needed of a watcher; see ``vision.watch.watcher.Watcher``."""

    def push(self, frame: Frame) -> list[WatchEvent]:
        """Take the next picture."""
        ...

    def notice(self, notice: SourceNotice) -> list[WatchEvent]:
        """Take what the source has to say."""
        ...

    def signal(self, signal: Signal) -> list[WatchEvent]:
        """Take what a player pressed."""
        ...

    def take_log(self, events: Sequence[Event]) -> list[WatchEvent]:
        """Go on with a log that people have put right, from the table as it was read last."""
        ...


MakeWatcher = Callable[[WatchSetup, Sequence[Event]], WatcherLike]
OpenSource = Callable[[str], Source]


@dataclass(frozen=True, slots=True)
class WatchTools:
    """How sources are opened and watchers made."""

    open_source: OpenSource
    """Opens what a user named; SourceError where that fails."""
    make_watcher: MakeWatcher
    """Makes a watcher; WeightsError where the models cannot be loaded."""
    open_pushed: Callable[[], PushedSource] = PushedSource
    """Opens a source for the pictures that a page sends."""
