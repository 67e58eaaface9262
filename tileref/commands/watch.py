"""Referee a game live: one line a turn, with its verdict, as it is played.

SOURCE is a camera's number, an address (http://, rtsp://), or a recording. On a
terminal, Enter ends a turn, d says that a tile was drawn, p that the turn was
passed, q quits. With --out the referee's log is written as it happens, and the
same command goes on with a game that was broken off.
"""

from __future__ import annotations

import argparse
import os
import queue
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from referee import Event, EventError, GameLog, StartMatch, replay
from tileref.game_arguments import SetupError, add_game, setup_of
from tileref.session import Session, emit_json
from tileref.status import Status
from vision.errors import VisionError
from vision.watch.setup import WatchSetup

if TYPE_CHECKING:
    from vision.review.folder import ReviewState
    from vision.sources.frame import Source
    from vision.watch.last_minute import NotedWatcher
    from vision.watch.types import SignalKind, WatchEvent
    from vision.watch.watcher import Watcher

KEYS: Final[dict[str, SignalKind]] = {"\n": "end-turn", "\r": "end-turn", "d": "draw", "p": "pass"}
LOG = "game.json"


class WatchError(VisionError):
    """A game cannot be watched, or its log not kept."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("source", metavar="SOURCE", help="a camera's number, an address, or a recording")
    add_game(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help=f"write the log to DIR/{LOG}, or go on with it")
    parser.add_argument("--size", type=_size, metavar="WxH", help="the camera's picture, such as 1920x1080")
    parser.add_argument("--rate", type=_rate, metavar="HZ", help="the camera's pictures a second")
    parser.add_argument("--backend", default="", metavar="NAME", help="the way to the camera, such as v4l2")
    parser.add_argument("--fourcc", default="", metavar="CODE", help="the camera's coding, such as MJPG")
    parser.add_argument("--json", action="store_true", help="print JSON: one object a line for each turn")


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{2,5})x(\d{2,5})", text.lower(), re.ASCII)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no picture size: write it as 1920x1080")
    return int(match[1]), int(match[2])


def _rate(text: str) -> float:
    if re.fullmatch(r"\d{1,3}(\.\d{1,3})?", text, re.ASCII) is None or not float(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of pictures a second: write it as 30")
    return float(text)


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Watch until the source ends or the user quits; the status tells the worst turn."""
    setup = setup_of(arguments)
    from vision.review.folder import ReviewState
    from vision.review.summary import summarise

    state = ReviewState("", arguments.source)
    with ExitStack() as stack:
        source = stack.enter_context(_source(arguments, session))
        log = stack.enter_context(_log(arguments.out, setup)) if arguments.out is not None else None
        game = _Game(session, setup, state, log, arguments.json)
        if log is not None and log.events:
            session.complain(f"The game goes on from {arguments.out / LOG}.")
        watcher = _noted(_watcher(session, setup, game.events), arguments, session)
        pressed = stack.enter_context(_keys(source.close))
        game.watch(source, watcher, pressed)
    summary = summarise(state, setup, replay(game.events))
    if arguments.json:
        emit_json(summary.line())
    else:
        from tileref.turn_text import summary_text

        print("\n".join(summary_text(summary)), flush=True)
    return Status.FAULT if summary.fouls else Status.DOUBT if summary.questions else Status.FINE


def _source(arguments: argparse.Namespace, session: Session) -> Source:
    from vision.sources.open import SourceOptions, open_source

    settings = session.settings.source
    wishes: dict[str, Any] = {}
    if arguments.size is not None:
        wishes["camera_width_px"], wishes["camera_height_px"] = arguments.size
    if arguments.rate is not None:
        wishes["camera_rate_hz"] = arguments.rate
    try:
        settings = replace(settings, **wishes)
    except ValueError as error:
        raise SetupError(f"The camera cannot be asked for that: {error}.") from error
    options = SourceOptions(backend=arguments.backend, fourcc=arguments.fourcc, settings=settings)
    return open_source(arguments.source, options)


def _watcher(session: Session, setup: WatchSetup, events: tuple[Event, ...]) -> Watcher:
    from vision.watch.watcher import Watcher

    chosen = session.settings
    reader = session.make_reader(chosen.read, setup.rules.inventory)
    return Watcher(reader, setup, chosen.watch, events, turns=chosen.turns, read=chosen.read)


def _noted(watcher: Watcher, arguments: argparse.Namespace, session: Session) -> NotedWatcher:
    """Keep the last minute beside the log, for ``tileref report-problem``."""
    from vision.user_data import data_folder
    from vision.watch.last_minute import FOLDER, LastMinute, NotedWatcher

    return NotedWatcher(watcher, LastMinute((arguments.out or data_folder()) / FOLDER, session.settings.minute))


def _log(folder: Path, setup: WatchSetup) -> GameLog:
    """Open the log; WatchError where it cannot be, or is another game's, or one's that is over."""
    path = folder / LOG
    try:
        folder.mkdir(parents=True, exist_ok=True)
        log = GameLog(path)
    except OSError as error:
        raise WatchError(f"{path} cannot be written: {error.strerror}.") from error
    except (EventError, UnicodeDecodeError) as error:
        raise WatchError(f"{path} is no log of a game: {error}.") from error
    began = next((event for event in log.events if isinstance(event, StartMatch)), None)
    if began is not None and began != setup.start:
        log.close()
        raise WatchError(
            f"{path} is the log of another game ({', '.join(began.players)}; {began.edition}): "
            "name another folder, or the same players and rules."
        )
    state = replay(log.events).state
    if state.phase == "ended" or state.results:
        log.close()
        raise WatchError(f"The game in {path} is over: name another folder for the next one.")
    return log


class _Game:
    """Hands pictures and keys to the watcher, and tells what comes of them."""

    def __init__(
        self, session: Session, setup: WatchSetup, state: ReviewState, log: GameLog | None, as_json: bool
    ) -> None:
        self._session, self._setup, self._state = session, setup, state
        self._log, self._as_json = log, as_json
        self._events: list[Event] = list(log.events) if log is not None else []
        # The log's clock goes on where it stopped; the source's begins at 0 again.
        self._ahead_s = max((getattr(event, "t_s", None) or 0.0 for event in self._events), default=0.0)

    @property
    def events(self) -> tuple[Event, ...]:
        """The log so far."""
        return tuple(self._events)

    def watch(self, source: Source, watcher: NotedWatcher, pressed: queue.SimpleQueue[SignalKind]) -> None:
        """Watch until the source ends."""
        from vision.sources.frame import SourceNotice
        from vision.sources.held import held
        from vision.watch.types import Signal

        for given in source.frames() if source.live else held(source.frames()):
            taken = replace(given, t_s=given.t_s + self._ahead_s) if self._ahead_s else given
            while not pressed.empty():
                self._take(watcher.signal(Signal(taken.t_s, pressed.get())))
            if isinstance(taken, SourceNotice):
                self._take(watcher.notice(taken))
                continue
            self._take(watcher.push(taken))
            self._state.frames += 1
            self._state.watched_s += max(0.0, taken.t_s - max(self._state.reached_s, self._ahead_s))
            self._state.reached_s = max(self._state.reached_s, taken.t_s)
        self._take(watcher.finish())
        self._state.finished = True

    def _take(self, happened: list[WatchEvent]) -> None:
        from vision.review.folder import Notice
        from vision.review.turn import reviewed
        from vision.watch.types import Logged, TurnEnded, WatchNotice

        for event in happened:
            match event:
                case Logged():
                    self._events.append(event.event)
                    if self._log is not None:
                        self._log.append(event.event)
                case TurnEnded():
                    turn = reviewed(event.record, self._setup.players, self._setup.rules)
                    self._state.turns.append(turn)
                    if self._as_json:
                        emit_json(turn.line())
                    else:
                        from tileref.turn_text import turn_text

                        print("\n".join(turn_text(turn, self._session.show)), flush=True)
                case WatchNotice():
                    self._state.notices.append(Notice(event.t_s, event.code, event.message))
                    self._session.complain(event.message)


@contextmanager
def _keys(quit_now: Callable[[], None]) -> Iterator[queue.SimpleQueue[SignalKind]]:
    """Read keys while the game is watched, where there is a terminal; they need no Enter."""
    pressed: queue.SimpleQueue[SignalKind] = queue.SimpleQueue()
    if not sys.stdin.isatty():
        yield pressed
        return
    try:
        import select
        import termios
        import tty
    except ModuleNotFoundError:  # Windows has no such terminals; the dashboard has buttons
        yield pressed
        return
    done = threading.Event()
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)

    def listen() -> None:
        while not done.is_set():
            ready, _, _ = select.select([number], [], [], 0.1)
            key = os.read(number, 1).decode("ascii", "replace").lower() if ready else ""
            if key in KEYS:
                pressed.put(KEYS[key])
            elif key == "q" or (ready and not key):
                quit_now()
                return

    listener = threading.Thread(target=listen, daemon=True)
    tty.setcbreak(number)
    try:
        listener.start()
        print("Enter: end of turn. d: drew. p: passed. q: quit.", file=sys.stderr)
        yield pressed
    finally:
        done.set()
        listener.join(1.0)
        termios.tcsetattr(number, termios.TCSADRAIN, before)
