"""One review in a process of its own: ``python -m web.review.work FOLDER``.

FOLDER holds ``job.json``. What happens is told as JSON, one object a line, on standard output. A recording from
outside is decoded here and nowhere else: whatever it does to the decoder, the dashboard goes on.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from referee import Event, RefereeError
from vision.errors import VisionError
from vision.reader import Reader
from vision.review.run import Progress, Review, ReviewJob, WatcherLike
from vision.settings import ReadSettings
from vision.sources.frame import Source
from vision.sources.open import SourceOptions, open_source
from vision.watch.setup import WatchSetup
from vision.watch.watcher import Watcher

__all__ = ["main"]

_TELL_EVERY_S = 0.5


def _tell(**what: Any) -> None:
    print(json.dumps(what, ensure_ascii=True, allow_nan=False), flush=True)


def main(folder: Path) -> int:
    """Review what ``job.json`` in ``folder`` describes; return 0 where it came to its end."""
    if hasattr(os, "nice"):
        os.nice(5)  # a game that is being played goes before
    job = json.loads((folder / "job.json").read_text("utf-8"))
    read = ReadSettings(**job["read"])
    told_s = 0.0

    def progressed(progress: Progress) -> None:
        nonlocal told_s
        if time.monotonic() - told_s >= _TELL_EVERY_S:
            told_s = time.monotonic()
            _tell(kind="progress", reached_s=progress.reached_s, duration_s=progress.duration_s)

    def opened(recording: str, start_s: float) -> AbstractContextManager[Source]:
        return open_source(recording, SourceOptions(start_s=start_s))

    try:
        setup = WatchSetup(
            tuple(job["players"]),
            job["edition"],
            tuple((axis, value) for axis, value in job["rules"].items()),
            job["variant"],
            automatic=job["automatic"],
        )
        reader = Reader.load(read, setup.rules.inventory)

        def make_watcher(setup: WatchSetup, events: Sequence[Event]) -> WatcherLike:
            return Watcher(reader, setup, events=events, read=read)

        review = Review(
            ReviewJob(job["recording"], folder, setup),
            opened,
            make_watcher,
            told=lambda turn: _tell(kind="turn", number=turn.turn),
            progressed=progressed,
        )
        review.run()
    except (VisionError, RefereeError) as error:
        _tell(kind="failed", why=str(error))
        return 2
    _tell(kind="done")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
