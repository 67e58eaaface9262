"""Review recordings of games: find the turns, judge each, and write a report.

For each recording a folder is written: game.json, the referee's log; turns.csv;
report.html, which needs nothing else. An interrupted review goes on where it
stopped when the same command is given again. Several recordings are reviewed
side by side, each in a process of its own.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from tileref.game_arguments import SetupError, add_game, setup_of
from tileref.machine import this_machine
from tileref.session import Session, emit_json
from tileref.status import Status, worst
from vision.errors import VisionError
from vision.review.moments import read_moment

if TYPE_CHECKING:
    from vision.review.folder import Notice
    from vision.review.run import Progress
    from vision.review.summary import Summary
    from vision.review.turn import ReviewedTurn
    from vision.review.work import Work


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "recordings",
        nargs="+",
        metavar="VIDEO",
        help="recordings: video files, folders of stills, or demo, the game that comes with the program",
    )
    add_game(parser)
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="where the files go (NAME-review here; with several recordings a folder in DIR for each)",
    )
    parser.add_argument(
        "--from",
        type=_moment,
        default=0.0,
        dest="from_s",
        metavar="TIME",
        help="when the game begins, such as 95 or 1:35: all before it, the dealing, say, is passed over",
    )
    parser.add_argument(
        "--to", type=_moment, default=math.inf, dest="to_s", metavar="TIME", help="when it is over"
    )
    parser.add_argument(
        "--signals", type=Path, metavar="FILE", help="what was pressed: lines t_s,signal (end-turn, draw, pass)"
    )
    parser.add_argument(
        "--racks",
        type=Path,
        metavar="FILE",
        help="what was left on the racks, JSON by name: scores the game",
    )
    parser.add_argument("--annotate", action="store_true", help="also write the recording with what was seen")
    parser.add_argument(
        "--fresh", action="store_true", help="begin anew where an interrupted review could go on"
    )
    parser.add_argument(
        "--jobs", type=_jobs, metavar="N", help="how many recordings at a time (as many as there are cores)"
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON: one object a line for each turn, then the summary"
    )


def _moment(text: str) -> float:
    try:
        return read_moment(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _jobs(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= 256:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of recordings at a time: write 1 or more")
    return number


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Review every recording; the status tells the worst that was met."""
    setup = setup_of(arguments)
    if arguments.to_s <= arguments.from_s:
        raise SetupError("The game ends before it begins: give --to a later time than --from.")
    _know_the_demo(arguments.recordings, setup.players)
    from vision.review.racks import read_racks
    from vision.review.run import ReviewJob
    from vision.review.signals import read_signals
    from vision.review.work import Work

    signals = read_signals(arguments.signals) if arguments.signals is not None else ()
    racks = read_racks(arguments.racks, setup.players) if arguments.racks is not None else ()
    chosen = session.settings.for_review()
    folders = _folders(arguments.recordings, arguments.out)
    works = [
        Work(
            ReviewJob(
                recording,
                folder,
                setup,
                signals,
                racks,
                repr((chosen, arguments.annotate)),
                arguments.fresh,
                arguments.annotate,
                arguments.from_s,
                arguments.to_s,
            ),
            chosen,
            session.make_reader,
            arguments.annotate,
        )
        for recording, folder in zip(arguments.recordings, folders, strict=True)
    ]
    desk = _Desk(session, arguments.json, several=len(works) > 1)
    jobs = min(arguments.jobs or this_machine().cores, len(works))
    statuses = _one_by_one(works, desk) if jobs == 1 else _side_by_side(works, desk, jobs)
    return worst(statuses)


def _know_the_demo(recordings: Sequence[str], players: Sequence[str]) -> None:
    """Raise SetupError where the bundled game is to be refereed with fewer or more players than play in it."""
    from vision.recorded import DEMO, bundled_game

    game = bundled_game() if DEMO in recordings else None
    if game is not None and len(players) != len(game.players):
        names = ",".join(game.players)
        raise SetupError(f"The recorded game has {len(game.players)} players: say --players {names}.")


def _folders(recordings: Sequence[str], out: Path | None) -> list[Path]:
    """A folder for each recording: ``out`` itself for one, else one by the recording's name, never twice."""
    if out is not None and len(recordings) == 1:
        return [out]
    base = Path() if out is None else out
    folders: list[Path] = []
    for recording in recordings:
        stem = Path(recording.rstrip("/")).stem or "recording"
        name = stem if out is not None else f"{stem}-review"
        tried = [base / name, *(base / f"{name}-{number}" for number in range(2, len(recordings) + 2))]
        folders.append(next(folder for folder in tried if folder not in folders))
    return folders


@dataclass(slots=True)
class _Desk:
    """Prints what reviews tell, as they tell it."""

    session: Session
    as_json: bool
    several: bool
    reached: dict[str, Progress] = field(default_factory=dict)
    _drawn: float = 0.0
    _width: int = 0

    def begun(self, work: Work, start_s: float) -> None:
        """A review begins, or goes on."""
        if start_s > 0:
            from vision.review.report import clock

            self.complain(f"{work.job.recording}: the review goes on at {clock(start_s)}; --fresh begins anew.")

    def turn(self, work: Work, turn: ReviewedTurn) -> None:
        """A turn was found."""
        from tileref.turn_text import turn_text

        self.clear()
        if self.as_json:
            emit_json({**self._label(work), **turn.line()})
            return
        for line in turn_text(turn, self.session.show):
            print(f"{work.job.recording}: {line}" if self.several else line, flush=True)

    def notice(self, work: Work, notice: Notice) -> None:
        """Source or watching have something to say."""
        from vision.review.report import clock

        self.complain(f"{work.job.recording}, {clock(notice.t_s)}: {notice.message}")

    def done(self, work: Work, summary: Summary) -> Status:
        """A review is done."""
        from tileref.turn_text import summary_text

        self.reached.pop(work.job.recording, None)
        self.clear()
        if self.as_json:
            emit_json({**self._label(work), **summary.line()})
        else:
            for line in summary_text(summary):
                print(f"{work.job.recording}: {line}" if self.several else line)
            print(f"The report is {work.job.folder / 'report.html'}.", flush=True)
        return Status.FAULT if summary.fouls else Status.DOUBT if summary.questions else Status.FINE

    def failed(self, work: Work, error: str) -> Status:
        """A recording cannot be used."""
        self.reached.pop(work.job.recording, None)
        self.complain(error)
        if self.as_json:
            emit_json({"recording": work.job.recording, "error": error})
        return Status.UNUSABLE

    def stopped(self, works: Sequence[Work]) -> None:
        """The user has stopped it."""
        folders = ", ".join(str(work.job.folder) for work in works)
        self.complain(f"What is done is kept in {folders}; the same command goes on from there.")

    def progress(self, work: Work, progress: Progress) -> None:
        """Draw how far it is, where someone watches; at most five times a second."""
        self.reached[work.job.recording] = progress
        now = time.monotonic()
        if now - self._drawn < 0.2 or not sys.stderr.isatty():
            return
        self._drawn = now
        line = progress_line(list(self.reached.values()))
        print(f"\r{line:<{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = len(line)

    def complain(self, sentence: str) -> None:
        """Say something on standard error, below no half-drawn line."""
        self.clear()
        self.session.complain(sentence)

    def clear(self) -> None:
        """Wipe the line that tells the progress."""
        if self._width:
            print(f"\r{'':<{self._width}}\r", end="", file=sys.stderr, flush=True)
            self._width = 0

    def _label(self, work: Work) -> dict[str, Any]:
        return {"recording": work.job.recording} if self.several else {}


def progress_line(reached: Sequence[Progress]) -> str:
    """Return how far the reviews that run are, and how long the slowest will still take."""
    from vision.review.report import clock

    now_s = sum(progress.reached_s for progress in reached)
    turns = sum(progress.turns for progress in reached)
    lengths = [progress.duration_s for progress in reached]
    parts = [clock(now_s)]
    if all(length for length in lengths):
        whole_s = sum(length or 0.0 for length in lengths)
        parts = [f"{clock(now_s)} of {clock(whole_s)}", f"{min(1.0, now_s / whole_s):.0%}"]
    parts.append(f"{turns} {'turn' if turns == 1 else 'turns'}")
    left = [progress.left_s for progress in reached]
    if left and all(seconds is not None for seconds in left):
        parts.append(f"{clock(max(seconds or 0.0 for seconds in left))} left")
    return " · ".join(parts)


# --- one after the other, or side by side --------------------------------------------------------------------


def _one_by_one(works: Sequence[Work], desk: _Desk) -> list[Status]:
    from vision.review.run import StoppedError
    from vision.review.work import Listener, do_work

    statuses = []
    with _interruptible() as interrupted:
        for work in works:
            listener = Listener(
                begun=partial(desk.begun, work),
                turn=partial(desk.turn, work),
                notice=partial(desk.notice, work),
                progress=partial(desk.progress, work),
                stopped=lambda: bool(interrupted),
            )
            try:
                statuses.append(desk.done(work, do_work(work, listener)))
            except StoppedError:
                desk.stopped([work])
                raise KeyboardInterrupt from None
            except VisionError as error:
                statuses.append(desk.failed(work, str(error)))
    return statuses


def _side_by_side(works: Sequence[Work], desk: _Desk, jobs: int) -> list[Status]:
    """Each review in a process of its own, at most ``jobs`` at a time."""
    from tileref.review_work import work_apart

    context = multiprocessing.get_context("spawn")  # a fork would share the networks' threads
    stop = context.Event()
    waiting = [_with_threads(work, jobs) for work in works][::-1]
    running: dict[Connection, tuple[Work, Any]] = {}
    statuses: list[Status] = []
    unfinished: list[Work] = []
    with _interruptible() as interrupted:
        while waiting or running:
            if interrupted:
                stop.set()
                unfinished += waiting
                waiting = []
            while waiting and len(running) < jobs:
                work = waiting.pop()
                here, there = context.Pipe(duplex=False)
                process = context.Process(target=work_apart, args=(work, there, stop), daemon=True)
                process.start()
                there.close()
                running[here] = (work, process)
            for ready in wait(list(running), timeout=0.5):
                assert isinstance(ready, Connection)
                work, process = running[ready]
                try:
                    kind, what = ready.recv()
                except EOFError:
                    kind, what = "died", None
                if kind in ("done", "error", "stopped", "died"):
                    del running[ready]
                    ready.close()
                    process.join()
                match kind:
                    case "begun":
                        desk.begun(work, what)
                    case "turn":
                        desk.turn(work, what)
                    case "notice":
                        desk.notice(work, what)
                    case "progress":
                        desk.progress(work, what)
                    case "done":
                        statuses.append(desk.done(work, what))
                    case "error":
                        statuses.append(desk.failed(work, what))
                    case "stopped":
                        unfinished.append(work)
                    case "died":
                        sentence = (
                            f"{work.job.recording}: its process ended unexpectedly; the turns so far are kept."
                        )
                        statuses.append(desk.failed(work, sentence))
    if unfinished:
        desk.stopped(unfinished)
        raise KeyboardInterrupt
    return statuses


def _with_threads(work: Work, jobs: int) -> Work:
    """The work with its share of the processor's cores, unless the user has set their number."""
    if work.settings.read.threads:
        return work
    threads = max(1, this_machine().cores // jobs)
    return replace(work, settings=replace(work.settings, read=replace(work.settings.read, threads=threads)))


@contextmanager
def _interruptible() -> Iterator[list[int]]:
    """Ctrl-C puts something into the list, so that a review ends between two frames; the second one is rude."""
    pressed: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield pressed  # only the main thread hears signals
        return

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)
