"""Play recorded games as a camera would show them, and measure how soon their verdicts stand.

The film's pictures come at their own times from a thread of their own; whoever is still busy with one misses
those that come meanwhile, as at the table. What the players pressed is pressed at the same moments.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from datasets.games.write import RecordedGame
from referee import RefereeError
from vision.errors import VisionError
from vision.evaluation.games_run import game_setup
from vision.picture_reader import MakeReader, shipped_reader
from vision.review.signals import read_signals
from vision.review.work import ReviewSettings, watcher_for
from vision.sources.feed import FeedLostError, Shot
from vision.sources.frame import Frame, SourceNotice
from vision.sources.live import LiveSource
from vision.sources.open import SourceOptions, open_source
from vision.watch.turn_settings import TurnSettings
from vision.watch.types import HandsOver, Signal, TurnEnded, WatchEvent
from vision.watch.watcher import Watcher

__all__ = ["FilmFeed", "LiveTiming", "Verdicts", "watch_live"]

_LATE_S = 0.1
"""A picture that comes so late is passed over: the decoder cannot follow."""


@dataclass(slots=True)
class LiveTiming:
    """How soon the verdicts of one game stood, seconds."""

    game: str
    """The game's name."""
    buttons: list[float] = field(default_factory=list)
    """From each ``end-turn`` to the verdict; 0 where it stood already."""
    told: list[float] = field(default_factory=list)
    """From each told draw or pass to its turn."""
    by_itself: list[float] = field(default_factory=list)
    """From the end of the set stillness to the verdict, where nothing was pressed; 0 where it stood by then."""
    unanswered: int = 0
    """Buttons after which no turn ended before the next one."""
    watched_s: float = 0.0
    """So much of the film was shown."""
    looked_at: int = 0
    """So many of its pictures were taken in; the others came while one was."""
    error: str | None = None
    """Why it could not be watched; None where it was."""


class FilmFeed:
    """A film whose pictures come when a camera would give them. ``over`` is called after the last one."""

    def __init__(
        self,
        items: Iterable[Frame | SourceNotice],
        over: Callable[[], None],
        to_s: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Show ``items`` up to ``to_s`` of the film."""
        self._items = iter(items)
        self._over, self._to_s, self._clock, self._pause = over, to_s, clock, pause
        self.began_s: float | None = None
        """The clock's time at the film's time 0; None before the first picture."""

    def read(self) -> Shot | None:
        """Wait for the next picture, and pass over those that should have been shown by now."""
        for item in self._items:
            if not isinstance(item, Frame):
                continue
            if item.t_s > self._to_s:
                break
            now_s = self._clock()
            if self.began_s is None:
                self.began_s = now_s - item.t_s
            wait_s = self.began_s + item.t_s - now_s
            if wait_s < -_LATE_S:
                continue
            if wait_s > 0:
                self._pause(wait_s)
            return Shot(item.luma, item.make_bgr)
        self._over()
        raise FeedLostError("unplugged", "The film is over.")

    def interrupt(self) -> None:
        """Nothing: no read waits for longer than to the next picture."""

    def close(self) -> None:
        """Nothing: the film is its owner's to close."""


class Verdicts:
    """Keeps the time from what should end a turn to its verdict."""

    def __init__(self, timing: LiveTiming, turns: TurnSettings) -> None:
        """Write into ``timing``, by the settings in force."""
        self._timing, self._turns = timing, turns
        self._pressed: Signal | None = None
        self._clear_s: float | None = None
        self._by_itself_s = -math.inf

    def press(self, signal: Signal) -> None:
        """Something was pressed, at a time of the film."""
        if self._pressed is not None:
            self._timing.unanswered += 1
        self._pressed = signal
        if signal.kind == "end-turn" and signal.t_s - self._by_itself_s <= self._turns.button_after_s:
            self._timing.buttons.append(0.0)
            self._pressed = None
        self._by_itself_s = -math.inf

    def take(self, happened: Iterable[WatchEvent], now_s: float) -> None:
        """Take in what the watcher says at a time of the film."""
        for event in happened:
            if isinstance(event, HandsOver):
                self._clear_s = None if event.moving else event.t_s
            elif isinstance(event, TurnEnded) and not event.record.inferred:
                self._stands(event, now_s)

    def _stands(self, event: TurnEnded, now_s: float) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is not None:
            kept = self._timing.buttons if pressed.kind == "end-turn" else self._timing.told
            kept.append(max(now_s - pressed.t_s, 0.0))
            return
        self._by_itself_s = now_s
        turns = self._turns
        set_s = max(turns.settle_s, turns.pause_s)
        if event.record.verdict == "illegal":
            set_s = turns.foul_settle_s
        # Where the next hands end a turn it stands before it has lain still for that long.
        late_s = 0.0 if self._clear_s is None else now_s - self._clear_s - set_s
        self._timing.by_itself.append(max(late_s, 0.0))


def watch_live(
    game: RecordedGame,
    name: str,
    settings: ReviewSettings,
    *,
    to_s: float = math.inf,
    make_reader: MakeReader = shipped_reader,
    with_signals: bool = True,
    with_area: bool = False,
) -> LiveTiming:
    """Watch a recorded game, or its first ``to_s`` seconds, in its own time; one that cannot be says why."""
    timing = LiveTiming(name)
    try:
        setup = game_setup(game, with_area=with_area)
        path = game.signals_path if with_signals else None
        signals = () if path is None else read_signals(path)
        watcher = watcher_for(setup, settings, make_reader)
        with open_source(str(game.source), SourceOptions(settings=settings.source)) as film:
            feed = FilmFeed(film.frames(), lambda: source.close(), to_s)
            with LiveSource("The film", lambda: feed, settings.source, reopens=False) as source:
                _watch(source, feed, watcher, signals, Verdicts(timing, settings.turns), timing)
    except (VisionError, RefereeError) as error:
        timing.error = str(error)
    return timing


def _watch(
    source: LiveSource,
    feed: FilmFeed,
    watcher: Watcher,
    signals: Sequence[Signal],
    verdicts: Verdicts,
    timing: LiveTiming,
) -> None:
    waiting = list(signals)
    for taken in _frames(source):
        while waiting and waiting[0].t_s <= taken.t_s:
            signal = waiting.pop(0)
            verdicts.press(signal)
            verdicts.take(watcher.signal(signal), _film_s(feed))
        verdicts.take(watcher.push(taken), _film_s(feed))
        timing.looked_at += 1
        timing.watched_s = taken.t_s


def _frames(source: LiveSource) -> Iterator[Frame]:
    return (taken for taken in source.frames() if isinstance(taken, Frame))


def _film_s(feed: FilmFeed) -> float:
    """Return how far a camera would be by now."""
    assert feed.began_s is not None
    return time.monotonic() - feed.began_s
