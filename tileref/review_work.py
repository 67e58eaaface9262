"""One recording's review as the command does it, in this process or in one of its own."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event as Flag
from typing import Any

from referee import Event
from tileref.session import MakeReader
from tileref.settings import SettingsOfAllRooms
from vision.errors import VisionError
from vision.review.annotate import annotate
from vision.review.folder import FILM, Notice, ReviewError
from vision.review.run import Progress, Review, ReviewJob, StoppedError, WatcherLike
from vision.review.summary import Summary
from vision.review.turn import ReviewedTurn
from vision.sources.frame import Source
from vision.sources.open import SourceOptions, open_source
from vision.watch.setup import WatchSetup
from vision.watch.watcher import Watcher

__all__ = ["Listener", "Work", "do_work", "work_apart"]


@dataclass(frozen=True, slots=True)
class Work:
    """Everything that a review needs, also in another process."""

    job: ReviewJob
    """What to review."""
    settings: SettingsOfAllRooms
    """Values in force."""
    make_reader: MakeReader
    """Builds the reader."""
    annotate: bool = False
    """True to write the annotated film, too."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is told while the review goes on."""

    begun: Callable[[float], None]
    """Called once, with the time in the recording from which it goes on."""
    turn: Callable[[ReviewedTurn], None]
    """Called with every turn, those that an earlier run kept first."""
    notice: Callable[[Notice], None]
    """Called with what source and watching have to say."""
    progress: Callable[[Progress], None]
    """Called after every frame."""
    stopped: Callable[[], bool]
    """Asked after every frame; True stops the review."""


def do_work(work: Work, listener: Listener) -> Summary:
    """Review one recording and return the summary; VisionError or StoppedError where it does not end."""

    def make_watcher(setup: WatchSetup, events: Sequence[Event]) -> WatcherLike:
        reader = work.make_reader(work.settings.read, setup.rules.inventory)
        chosen = work.settings
        return Watcher(reader, setup, chosen.watch, events, turns=chosen.turns, read=chosen.read)

    def opened(recording: str, start_s: float) -> AbstractContextManager[Source]:
        source = open_source(recording, SourceOptions(start_s=start_s, settings=work.settings.source))
        if source.live:
            source.close()
            raise ReviewError(f"{recording} is live, not a recording: use 'tileref watch'.")
        return source

    review = Review(
        work.job,
        opened,
        make_watcher,
        told=listener.turn,
        noticed=listener.notice,
        progressed=listener.progress,
        stopped=listener.stopped,
    )
    listener.begun(review.start_s)
    for turn in review.state.turns:
        listener.turn(turn)
    summary = review.run()
    if work.annotate:
        with opened(work.job.recording, 0.0) as source:
            annotate(source, review.folder, review.state, work.job.setup, stopped=listener.stopped)
        listener.notice(Notice(summary.reached_s, "annotated", f"The film is {review.folder.path / FILM}."))
    return summary


def work_apart(work: Work, connection: Connection, stop: Flag) -> None:
    """Review one recording in a process of its own; everything is told through ``connection``, in order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it, and says so by ``stop``

    def tell(kind: str, what: Any) -> None:
        connection.send((kind, what))

    listener = Listener(
        begun=lambda start_s: tell("begun", start_s),
        turn=lambda turn: tell("turn", turn),
        notice=lambda notice: tell("notice", notice),
        progress=_seldom(lambda progress: tell("progress", progress)),
        stopped=stop.is_set,
    )
    try:
        tell("done", do_work(work, listener))
    except StoppedError:
        tell("stopped", None)
    except VisionError as error:
        tell("error", str(error))
    finally:
        connection.close()


def _seldom(tell: Callable[[Progress], None], every: int = 10) -> Callable[[Progress], None]:
    """Pass on one progress in so many: a frame takes a millisecond, a message not much less."""
    count = 0

    def told(progress: Progress) -> None:
        nonlocal count
        count += 1
        if count % every == 0:
            tell(progress)

    return told
