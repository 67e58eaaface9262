"""One review in a process of its own: ``python -m web.review.work FOLDER``.

FOLDER holds ``job.json``. What happens is told as JSON, one object a line, on standard output. A recording from
outside is decoded here and nowhere else: whatever it does to the decoder, the dashboard goes on.
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from referee import RefereeError
from vision.errors import VisionError
from vision.review.run import Progress, ReviewJob, StoppedError
from vision.review.work import Listener, ReviewSettings, Work, do_work
from vision.settings import ReadSettings
from vision.sources.settings import SourceSettings
from vision.watch.settings import WatchSettings
from vision.watch.setup import WatchSetup
from vision.watch.turn_settings import TurnSettings

__all__ = ["main"]

_TELL_EVERY_S = 0.5


def _tell(**what: Any) -> None:
    print(json.dumps(what, ensure_ascii=True, allow_nan=False), flush=True)


def _work(folder: Path) -> Work:
    """The review that ``job.json`` in ``folder`` describes."""
    job = json.loads((folder / "job.json").read_text("utf-8"))
    setup = WatchSetup(
        tuple(job["players"]),
        job["edition"],
        tuple((axis, value) for axis, value in job["rules"].items()),
        job["variant"],
        automatic=job["automatic"],
    )
    values = job["settings"]
    settings = ReviewSettings(
        ReadSettings(**values["read"]),
        SourceSettings(**values["source"]),
        WatchSettings(**values["watch"]),
        TurnSettings(**values["turns"]),
    )
    # Jobs of older versions have none of these three.
    from_s, to_s, called = job.get("from_s") or 0.0, job.get("to_s") or math.inf, job.get("called", "")
    return Work(ReviewJob(job["recording"], folder, setup, from_s=from_s, to_s=to_s, called=called), settings)


def main(folder: Path) -> int:
    """Review what ``job.json`` in ``folder`` describes; return 0 where it came to its end."""
    if hasattr(os, "nice"):
        os.nice(5)  # a game that is being played goes before
    stopping = threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: stopping.set())
    told_s = 0.0

    def progressed(progress: Progress) -> None:
        nonlocal told_s
        if time.monotonic() - told_s >= _TELL_EVERY_S:
            told_s = time.monotonic()
            _tell(kind="progress", reached_s=progress.reached_s, duration_s=progress.duration_s)

    listener = Listener(
        turn=lambda turn: _tell(kind="turn", number=turn.turn), progress=progressed, stopped=stopping.is_set
    )
    try:
        do_work(_work(folder), listener)
    except (VisionError, RefereeError) as error:
        _tell(kind="failed", why=str(error))
        return 2
    except StoppedError:
        return 3
    _tell(kind="done")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
