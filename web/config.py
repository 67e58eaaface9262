"""What a dashboard is started with."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from vision import recorded
from vision.picture_reader import MakeReader, shipped_reader
from vision.settings import ReadSettings
from vision.sources.settings import SourceSettings
from vision.watch.minute_settings import MinuteSettings
from vision.watch.settings import WatchSettings
from vision.watch.turn_settings import TurnSettings
from web.settings import ServeSettings

__all__ = ["WebConfig", "bundled_game"]


def bundled_game() -> Path | None:
    """Return the recorded game that comes with the program; None where this copy has none."""
    game = recorded.bundled_game()
    return None if game is None else game.film


@dataclass(frozen=True, slots=True)
class WebConfig:
    """What a dashboard is started with."""

    data_dir: Path
    """The folder where everything is kept."""
    lan: bool = False
    """Whether others in the local network may ask; they then need a pairing code."""
    https: bool = False
    """Whether the pages are served over TLS: cookies are then never sent without."""
    port: int = 8377
    """Where it listens, for the addresses that it shows."""
    names: tuple[str, ...] = ()
    """Further host names under which it answers."""
    language: str = "en"
    """The language of pages for browsers that ask for none that there is."""
    recordings: Path | None = None
    """The one folder whose recordings may be named for a review."""
    demo: Path | None = None
    """The bundled recorded game."""
    given_source: str | None = None
    """The source that the command line named."""
    settings: ServeSettings = field(default_factory=ServeSettings)
    """Limits and rhythms."""
    read: ReadSettings = field(default_factory=ReadSettings)
    """How pictures are read."""
    source: SourceSettings = field(default_factory=SourceSettings)
    """How cameras and recordings are opened."""
    watch: WatchSettings = field(default_factory=WatchSettings)
    """How pictures in time are looked at."""
    turns: TurnSettings = field(default_factory=TurnSettings)
    """How turns are told apart."""
    minute: MinuteSettings = field(default_factory=MinuteSettings)
    """What is kept of the last minute for a report of a problem."""
    make_reader: MakeReader = shipped_reader
    """Builds the reader of pictures."""
    now: Callable[[], float] = time.time
    """The clock on the wall, seconds of the epoch."""

    def review_settings(self) -> dict[str, Any]:
        """Return the values that a review in another process needs, by room, as plain values."""
        rooms: dict[str, Any] = {
            "read": self.read,
            "source": self.source,
            "watch": self.watch,
            "turns": self.turns,
        }
        return {name: asdict(values) for name, values in rooms.items()}
