"""How sources are opened and watchers made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee import Event, Note
from vision.errors import CameraMissingError, VisionError
from vision.sources.frame import Source
from vision.sources.pushed import PushedSource
from vision.watch.setup import WatchSetup
from vision.watch.watcher_like import CorrectableWatcher

__all__ = ["MakeWatcher", "OpenSource", "WatchTools", "why_not"]


MakeWatcher = Callable[[WatchSetup, Sequence[Event]], CorrectableWatcher]
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
    patience_s: float = 8.0
    """Longer than a watcher waits for hands to go. After so long without an answer of it, a press is answered
    from the table as it was read."""


def why_not(error: VisionError) -> Note:
    """Return what a page says of a source that cannot be used, in its own language where that is common."""
    if isinstance(error, CameraMissingError):
        return Note("camera-missing", args=(("number", error.index),))
    return Note("source-unusable", args=(("why", str(error)),))
