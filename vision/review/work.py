"""One recording's review with the real source, reader and watcher, in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from referee import Event
from vision.picture_reader import MakeReader, shipped_reader
from vision.review.annotate import annotate
from vision.review.folder import Notice, ReviewError
from vision.review.run import Progress, Review, ReviewJob
from vision.review.summary import Summary
from vision.review.turn import ReviewedTurn
from vision.settings import ReadSettings
from vision.sources.frame import Source
from vision.sources.open import SourceOptions, open_source
from vision.sources.settings import SourceSettings
from vision.watch.settings import WatchSettings
from vision.watch.setup import WatchSetup
from vision.watch.turn_settings import TurnSettings
from vision.watch.watcher import Watcher
from vision.watch.watcher_like import FinishableWatcher

__all__ = ["Listener", "ReviewSettings", "Work", "do_work", "watcher_for"]


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """The settings of all rooms that a review goes through."""

    read: ReadSettings = field(default_factory=ReadSettings)
    """How pictures are read."""
    source: SourceSettings = field(default_factory=SourceSettings)
    """How they come in."""
    watch: WatchSettings = field(default_factory=WatchSettings)
    """How the game is watched."""
    turns: TurnSettings = field(default_factory=TurnSettings)
    """How turns are followed."""


@dataclass(frozen=True, slots=True)
class Work:
    """Everything that a review needs, also in another process."""

    job: ReviewJob
    """What to review."""
    settings: ReviewSettings = field(default_factory=ReviewSettings)
    """Values in force."""
    make_reader: MakeReader = shipped_reader
    """Builds the reader; something that pickle can name, where the review runs in another process."""
    annotate: bool = False
    """True to write the annotated film, too; ``job.keep_places`` has to be set for it."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is told while the review goes on."""

    begun: Callable[[float], None] = lambda start_s: None
    """Called once, with the time in the recording from which an earlier run goes on; 0 where none does."""
    turn: Callable[[ReviewedTurn], None] = lambda turn: None
    """Called with every turn, those that an earlier run kept first."""
    notice: Callable[[Notice], None] = lambda notice: None
    """Called with what source and watching have to say."""
    progress: Callable[[Progress], None] = lambda progress: None
    """Called after every frame."""
    stopped: Callable[[], bool] = lambda: False
    """Asked after every frame; True stops the review."""


def watcher_for(
    setup: WatchSetup, settings: ReviewSettings, make_reader: MakeReader, events: Sequence[Event] = ()
) -> Watcher:
    """Return the watcher of a game with its reader; VisionError where the weights cannot be used."""
    read = settings.read.for_faces(setup.faces)
    reader = make_reader(read, setup.rules.inventory)
    return Watcher(reader, setup, settings.watch, events, turns=settings.turns, read=read)


def do_work(work: Work, listener: Listener | None = None) -> Summary:
    """Review one recording and return the summary.

    Raises:
        VisionError: the recording, the weights or the folder cannot be used.
        StoppedError: the listener stopped it; what is done is kept.
    """
    listener = listener or Listener()
    settings = work.settings

    def make_watcher(setup: WatchSetup, events: Sequence[Event]) -> FinishableWatcher:
        return watcher_for(setup, settings, work.make_reader, events)

    def opened(recording: str, start_s: float) -> AbstractContextManager[Source]:
        source = open_source(recording, SourceOptions(start_s=start_s, settings=settings.source))
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
    listener.begun(review.start_s if review.resumed else 0.0)
    for turn in review.state.turns:
        listener.turn(turn)
    summary = review.run()
    if work.annotate:
        with opened(work.job.recording, work.job.from_s) as source:
            annotate(
                source, review.folder, review.state, work.job.setup,
                to_s=work.job.to_s, stopped=listener.stopped,
            )  # fmt: skip
    return summary
