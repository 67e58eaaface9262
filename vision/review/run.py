"""Review a recording: every frame in order to the watcher, every turn to the folder, the report at the end."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from referee import Event, GameLog, Problem, Question, Racks, replay
from vision.review.folder import SEEN, Notice, ReviewError, ReviewFolder, ReviewState, source_identity
from vision.review.pictures import Window, turn_window, write_picture
from vision.review.report import report_html
from vision.review.summary import Summary, summarise
from vision.review.turn import ReviewedTurn, reviewed
from vision.sources.frame import Source, SourceNotice
from vision.sources.held import held
from vision.watch.setup import WatchSetup
from vision.watch.types import (
    HandsOver,
    Logged,
    Signal,
    TableSeen,
    TurnEnded,
    TurnRecord,
    WatchEvent,
    WatchNotice,
)
from vision.watch.watcher_like import FinishableWatcher

__all__ = ["OpenRecording", "Progress", "Review", "ReviewJob", "StoppedError"]


class OpenRecording(Protocol):
    """Opens a recording at a time of its own."""

    def __call__(self, recording: str, start_s: float) -> AbstractContextManager[Source]:
        """Return the source; SourceError where it cannot be used."""
        ...


MakeWatcher = Callable[[WatchSetup, Sequence[Event]], FinishableWatcher]
"""Makes a watcher; the events are the log so far, when a review goes on."""


class StoppedError(Exception):
    """Someone asked the review to stop; what is done is kept."""


@dataclass(frozen=True, slots=True)
class ReviewJob:
    """One recording to be reviewed."""

    recording: str
    """Path or address."""
    folder: Path
    """Where its files go."""
    setup: WatchSetup
    """Who plays, by which rules."""
    signals: tuple[Signal, ...] = ()
    """What the players pressed, in order of time."""
    racks: tuple[str, ...] = ()
    """What each player held at the end, by seat, in the notation; empty where that is not known."""
    options: str = ""
    """Whatever else changes the result, as text: a review goes on only with the same."""
    fresh: bool = False
    """True to begin anew where an unfinished review could go on."""
    keep_places: bool = False
    """True to keep where the tiles lay at every look, which the annotated film needs."""
    from_s: float = 0.0
    """When the game begins, seconds of the recording: what was before, the dealing, say, is not looked at."""
    to_s: float = math.inf
    """When it is over."""
    called: str = ""
    """What people call the recording; empty where that is its path."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a review is."""

    reached_s: float
    """Seconds of the recording."""
    duration_s: float | None
    """Its length; None where nobody knows it."""
    elapsed_s: float
    """Time since this run began."""
    begun_at_s: float
    """Where in the recording this run began."""
    turns: int
    """Turns so far."""

    @property
    def left_s(self) -> float | None:
        """The time that the rest will take; None where nobody can say."""
        done = self.reached_s - self.begun_at_s
        if self.duration_s is None or done <= 0 or self.elapsed_s < 1:
            return None
        return max(0.0, self.duration_s - self.reached_s) * self.elapsed_s / done


_SAVE_EVERY_S = 10.0


class Review:
    """One run of one review. Make it, look at ``resumed``, then ``run`` it."""

    def __init__(
        self,
        job: ReviewJob,
        open_recording: OpenRecording,
        make_watcher: MakeWatcher,
        *,
        told: Callable[[ReviewedTurn], None] = lambda turn: None,
        noticed: Callable[[Notice], None] = lambda notice: None,
        progressed: Callable[[Progress], None] = lambda progress: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Look for an unfinished review in the folder, and go back to where it can go on.

        Args:
            job: what to do.
            open_recording: opens the recording.
            make_watcher: makes the watcher.
            told: called with every new turn, at once.
            noticed: called with everything that source and watcher have to say.
            progressed: called after every frame.
            stopped: asked after every frame; True ends the run with ``StoppedError``.

        Raises:
            ReviewError: the folder cannot be used, or the recording is not there.
        """
        self._job = job
        self._open = open_recording
        self._make_watcher = make_watcher
        self._told, self._noticed, self._progressed, self._stopped = told, noticed, progressed, stopped
        self._folder = ReviewFolder(job.folder)
        options = (job.setup, job.signals, job.racks, job.options)
        stretch = (job.from_s, job.to_s)
        whole = stretch == (0.0, math.inf)
        identity = source_identity(job.recording, options if whole else (*options, stretch))
        found = None if job.fresh else self._folder.load(identity)
        if job.fresh:
            self._folder.load("")  # refuses a folder that holds another game's log
        self.state = ReviewState(identity, job.called or job.recording, reached_s=job.from_s)
        self.start_s = job.from_s
        self._events: tuple[Event, ...] = ()
        if found is not None:
            state, start_s, length = found.rewound()
            events = self._folder.events(length)
            if events is not None and state.turns:
                self.state, self.start_s, self._events = state, start_s, events
        self._resumed = bool(self.state.turns)
        if not self._resumed:
            self._folder.begin()
        self._log: GameLog
        self._seen: IO[str]

    @property
    def resumed(self) -> bool:
        """True where an earlier run's turns were kept."""
        return self._resumed

    @property
    def folder(self) -> ReviewFolder:
        """The review's folder."""
        return self._folder

    def run(self) -> Summary:
        """Look at the recording to its end and write everything; return the summary.

        Raises:
            SourceError: the recording cannot be used; what an earlier run kept stays.
            ReviewError: a file cannot be written.
            StoppedError, KeyboardInterrupt: stopped in the middle; turns, log and report so far are written.
        """
        self._folder.save(self.state)
        try:
            with self._folder.log() as log, self._places() as places:
                self._log, self._seen = log, places
                try:
                    self._watch()
                    self.state.finished = True
                finally:
                    if self.state.frames:
                        summary = self._write()  # however it ends, what is done stays
        finally:
            if not self.state.frames:
                self._folder.discard()
        return summary

    def _watch(self) -> None:
        began = time.perf_counter()
        saved = began
        with self._open(self._job.recording, self.start_s) as source:
            length_s = source.duration_s
            self.state.duration_s = None if length_s is None else min(length_s, self._job.to_s)
            watcher = self._make_watcher(self._job.setup.told_by(self._job.signals), self._events)
            signals = [signal for signal in self._job.signals if self.start_s < signal.t_s <= self._job.to_s]
            frames = held(source.frames(), self._job.to_s)
            while True:
                asked = time.perf_counter()
                taken = next(frames, None)
                got = time.perf_counter()
                self.state.decoding_s += got - asked
                if taken is None:
                    break
                while signals and signals[0].t_s <= taken.t_s:
                    self._take(watcher.signal(signals.pop(0)))
                if isinstance(taken, SourceNotice):
                    self._take(watcher.notice(taken))
                else:
                    self._take(watcher.push(taken))
                    self._advance(taken.t_s)
                done = time.perf_counter()
                self.state.processing_s += done - got
                if done - saved > _SAVE_EVERY_S:
                    self._folder.save(self.state)
                    saved = time.perf_counter()
                self._progressed(
                    Progress(
                        self.state.reached_s,
                        self.state.duration_s,
                        done - began,
                        self.start_s,
                        len(self.state.turns),
                    )
                )
                if self._stopped():
                    raise StoppedError
            if not self.state.frames:
                raise ReviewError(f"{self._job.recording} shows nothing from second {self.start_s:g} on.")
            got = time.perf_counter()
            for signal in signals:
                self._take(watcher.signal(signal))
            self._take(watcher.finish())
            self._score()
            self.state.processing_s += time.perf_counter() - got

    def _score(self) -> None:
        """Log the racks, where they are known and the game has come to its end."""
        if not self._job.racks:
            return
        if replay(self._log.events).state.phase == "ended":
            racks = Racks(self._job.racks)
            shown = replay([*self._log.events, racks]).outcomes[-1]
            remarks: list[Problem | Question] = [*shown.problems, *shown.questions]
            for remark in remarks:
                self._say(Notice(self.state.reached_s, remark.code, str(remark)))
            if not any(remark.code == "out-holds-tiles" for remark in remarks):
                self._log.append(racks)
            return
        message = "No one was seen to go out, so the racks are not scored."
        self._say(Notice(self.state.reached_s, "not-scored", message))

    def _advance(self, t_s: float) -> None:
        self.state.frames += 1
        self.state.watched_s += max(0.0, t_s - self.state.reached_s)
        self.state.reached_s = max(self.state.reached_s, t_s)

    def _take(self, happened: Sequence[WatchEvent]) -> None:
        turns = 0
        for event in happened:
            match event:
                case Logged():
                    self._log.append(event.event)
                case TurnEnded():
                    self._end_turn(event.record)
                    turns += 1
                case WatchNotice():
                    self._say(Notice(event.t_s, event.code, event.message))
                case TableSeen() | HandsOver():
                    self._keep_places(event)
        if turns:
            # Only now does the log hold all that these turns brought.
            self.state.log_lengths += [len(self._log.events)] * turns
            self._folder.save(self.state)

    def _end_turn(self, record: TurnRecord) -> None:
        number = len(self.state.turns) + 1
        window = turn_window(record)
        turn = reviewed(
            record,
            self._job.setup.players,
            self._job.setup.rules,
            number=number,
            window_xywh_px=window,
        )
        if window is not None:
            turn = self._with_pictures(turn, record, window)
        self.state.turns.append(turn)
        self._told(turn)

    def _with_pictures(self, turn: ReviewedTurn, record: TurnRecord, window: Window) -> ReviewedTurn:
        names: dict[str, str] = {}
        size_wh = (0, 0)
        for when, image in (("before", record.picture_before), ("after", record.picture_after)):
            if image is None:
                continue
            names[when] = f"pictures/turn-{turn.turn:03d}-{when}.jpg"
            try:
                size_wh = write_picture(image, window, self._folder.path / names[when])
            except OSError as error:
                raise ReviewError(f"{names[when]} cannot be written: {error.strerror}.") from error
        return turn.with_pictures(names.get("before"), names.get("after"), size_wh)

    def _say(self, notice: Notice) -> None:
        self.state.notices.append(notice)
        self._noticed(notice)

    # --- where tiles lay, for the annotated film -------------------------------------------------------------

    def _places(self) -> AbstractContextManager[IO[str]]:
        path = self._folder.path / SEEN if self._job.keep_places else Path(os.devnull)
        kept = []
        if self._job.keep_places and path.exists():
            for line in path.read_text("utf-8", "replace").splitlines(keepends=True):
                if line.endswith("\n") and json.loads(line)["t_s"] <= self.start_s:
                    kept.append(line)
        stream = path.open("w", encoding="utf-8")
        stream.writelines(kept)
        return stream

    def _keep_places(self, event: TableSeen | HandsOver) -> None:
        if not self._job.keep_places:
            return
        plain: dict[str, Any]
        if isinstance(event, HandsOver):
            plain = {"t_s": event.t_s, "moving": event.moving}
        else:
            tiles = [
                [str(tile.seen), [[round(float(v), 1) for v in corner] for corner in tile.corners_xy_px]]
                for tile in event.lying.tiles
            ]
            plain = {"t_s": event.lying.t_s, "verdict": event.verdict, "tiles": tiles}
        self._seen.write(json.dumps(plain) + "\n")

    # --- what comes out ----------------------------------------------------------------------------------

    def _write(self) -> Summary:
        summary = summarise(self.state, self._job.setup, replay(self._log.events))
        self._folder.save(self.state)
        self._folder.write_report(report_html(self.state, self._job.setup, summary, self._folder.path))
        return summary
