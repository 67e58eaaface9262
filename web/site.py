"""Everything that one running dashboard holds, made once by the factory and found through the app."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from flask import current_app

from referee import Faces, Inventory
from vision.picture_reader import PictureReader
from vision.settings import ReadSettings
from web.config import WebConfig
from web.desk.desk import Desk
from web.live.hub import Hub
from web.live.picture import LivePicture
from web.live.watching import Watch
from web.review.jobs import Reviews
from web.security.hosts import HostCheck
from web.security.limits import Gate, RateLimit
from web.security.pairing import Pairing
from web.store.database import Database
from web.store.kept import Kept
from web.store.matches import MatchStore
from web.store.pictures import PictureStore

__all__ = ["Readers", "Site", "site"]

EXTENSION: Final = "tileref"


class Readers:
    """The reader of pictures for the box that is played with; loading one takes a while, so it is kept."""

    def __init__(self, config: WebConfig) -> None:
        """Take how readers are made."""
        self._config = config
        self._lock = threading.Lock()
        self._of: tuple[Inventory, ReadSettings, PictureReader] | None = None
        self.busy = threading.Lock()

    def reader(self, inventory: Inventory, faces: Faces) -> PictureReader:
        """Return the reader for a box and its tiles' faces; VisionError where the models cannot be loaded."""
        read = self._config.read.for_faces(faces)
        with self._lock:
            if self._of is None or self._of[:2] != (inventory, read):
                self._of = (inventory, read, self._config.make_reader(read, inventory))
            return self._of[2]


@dataclass(frozen=True, slots=True)
class Site:
    """Everything that one running dashboard holds."""

    config: WebConfig
    """What it was started with."""
    database: Database
    """Its database."""
    store: MatchStore
    """Its matches."""
    kept: Kept
    """Single values."""
    pictures: PictureStore
    """Its pictures."""
    desk: Desk
    """The match that is open."""
    hub: Hub
    """Where changes are announced."""
    live: LivePicture
    """The live picture."""
    watch: Watch
    """The watching of the table."""
    reviews: Reviews
    """Recordings that are reviewed."""
    readers: Readers
    """Readers of pictures."""
    pairing: Pairing
    """The pairing codes."""
    hosts: HostCheck
    """Names under which it answers."""
    pair_limit: RateLimit
    """How often a code may be tried."""
    streams: Gate
    """How many streams there may be."""
    stopping: threading.Event = field(default_factory=threading.Event)
    """Set when the program ends."""

    @property
    def upload_dir(self) -> Path:
        """Where files lie while they are taken in."""
        return self.config.data_dir / "uploads"

    @property
    def alive_file(self) -> Path:
        """Touched while the program runs, so that the next run knows since when it was away."""
        return self.config.data_dir / "alive"

    def keep_pictures_within(self) -> int:
        """Remove pictures beyond the limits of room and age; return how many went."""
        settings, limits = self.desk.settings, self.config.settings
        gigabytes = float(settings.get("keep_gb", limits.keep_gb))
        days = float(settings.get("keep_days", limits.keep_days))
        return self.pictures.keep_within(gigabytes * 1e9, days, self.config.now())

    def end_streams(self) -> None:
        """Let every open page go."""
        self.hub.close()
        self.live.close()

    def close(self) -> None:
        """Stop everything that runs in the background, then close the database."""
        self.stopping.set()
        self.end_streams()
        self.watch.stop()
        self.reviews.stop_all()
        with self.desk.lock:  # an action that is under way is written down whole
            self.database.close()


def site() -> Site:
    """Return the dashboard of the app that is asked."""
    found: Site = current_app.extensions[EXTENSION]
    return found
