"""One referee acts while a room full of people looks on: how long until the answer, and until all saw it."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from web.bench.visitor import Visitor
from web.security.pairing import Pairing
from web.store.database import Database
from web.store.kept import Kept

__all__ = ["BenchError", "Figures", "Load", "measure"]

_TABLES: Final = ("R10 B10 K10", "R10 B10 K10 O10", "R10 R11 R12", "B10 B11 B12 B13")
_PUSH_APART_S: Final = 0.25
"""A page that is the camera sends its pictures so far apart."""
_WAIT_S: Final = 30.0


class BenchError(RuntimeError):
    """The measurement could not be made; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Load:
    """Who is in the room."""

    spectators: int = 40
    """Pages that follow the stream of events."""
    with_stills: int = 20
    """So many of them also fetch the picture of the table at every change."""
    tablets: int = 2
    """Players' tablets: the stream of events, and the live picture."""
    actions: int = 200
    """How often the referee acts."""
    apart_s: float = 0.25
    """So far apart."""
    camera_jpegs: tuple[bytes, ...] = ()
    """What a page's camera sends all the while, in turn: two the same in a row are a frozen camera. Empty: no
    camera is on."""


@dataclass(slots=True)
class Figures:
    """What was measured. Milliseconds, one entry an action."""

    answered_ms: list[float] = field(default_factory=list)
    """From sending an action to its answer."""
    all_saw_ms: list[float] = field(default_factory=list)
    """From sending it until the last page had the new state."""
    stills: int = 0
    """Pictures of the table that spectators fetched."""
    live_pictures: int = 0
    """Live pictures that arrived, all watchers together."""
    sent_bytes: int = 0
    """What the streams of events carried."""
    wall_s: float = 0.0
    """How long it took."""
    server_cpu_s: float | None = None
    """Processor time of the server meanwhile; None where the system does not tell."""


class _Page:
    """One page in the room: follows the stream, and remembers when it had which state."""

    def __init__(self, visitor: Visitor, figures: Figures, *, stills: bool = False) -> None:
        self._visitor, self._figures, self._stills = visitor, figures, stills
        self.newest = 0
        self.had = threading.Condition()
        self.when: dict[int, float] = {}

    def follow(self) -> None:
        """Follow the stream to its end."""
        for event in self._visitor.events():
            now = time.perf_counter()
            self._figures.sent_bytes += len(event.data)
            if event.name != "state" or event.number is None:
                continue
            with self.had:
                self.newest = event.number
                self.when[event.number] = now
                self.had.notify_all()
            still = event.json()["camera"]["still"] if self._stills else None
            if still is not None and self._visitor.get(still).status == 200:
                self._figures.stills += 1

    def saw(self, version: int) -> float:
        """When the state ``version``, or a later one, was there; BenchError where it never came."""
        with self.had:
            if not self.had.wait_for(lambda: self.newest >= version, _WAIT_S):
                raise BenchError(f"A page did not get the new state within {_WAIT_S:g} seconds.")
            return min(at for number, at in self.when.items() if number >= version)


def measure(load: Load, command: tuple[str, ...] = (sys.executable, "-m", "tileref")) -> Figures:
    """Start a dashboard of its own, fill the room, let the referee act, and return what it took.

    BenchError where the program does not start, or a page is left behind.
    """
    with tempfile.TemporaryDirectory() as folder:
        codes = _codes(Path(folder))
        room = _Room(codes)
        try:
            with _served(Path(folder), command) as (port, process):
                return _measured(load, room, port, process.pid)
        finally:
            room.leave()


class _Room:
    """Everyone who looks on, each in a thread."""

    def __init__(self, codes: dict[str, str]) -> None:
        self._codes = codes
        self.ended = threading.Event()
        self._visitors: list[Visitor] = []
        self._threads: list[threading.Thread] = []

    def visitor(self, port: int, role: str | None = None) -> Visitor:
        """Let someone in, with the code of a role, or as the referee at this computer."""
        made = Visitor(port)
        self._visitors.append(made)
        if role is not None and made.post("/pair", {"code": self._codes[role]}).status != 303:
            raise BenchError("The dashboard that was to be measured takes no pairing code.")
        return made

    def let(self, work: Callable[..., None], *given: Any) -> None:
        """Let ``work`` go on beside the others until it ends, or the server does."""

        def run() -> None:
            with contextlib.suppress(OSError, RuntimeError, ValueError, http.client.HTTPException):
                work(*given)

        self._threads.append(threading.Thread(target=run, daemon=True))
        self._threads[-1].start()

    def leave(self) -> None:
        """Wait until everyone is gone; the server has ended, and with it every stream."""
        self.ended.set()
        for thread in self._threads:
            thread.join(10)
        for visitor in self._visitors:
            visitor.close()


def _codes(folder: Path) -> dict[str, str]:
    """The pairing codes of a folder that nobody serves yet, by role."""
    database = Database(folder / "tileref.db")
    try:
        codes = Pairing(Kept(database)).codes(1)
    finally:
        database.close()
    return {one.role: one.code for one in codes}


@contextmanager
def _served(folder: Path, command: tuple[str, ...]) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    # The streams of all come from one address here.
    options = ("serve", "--port", "0", "--data", str(folder), "--set", "serve.streams_each=1000")
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        found = re.search(r"://127\.0\.0\.1:(\d+)/", process.stdout.readline())
        if found is None:
            raise BenchError("The dashboard that was to be measured does not answer.")
        yield int(found[1]), process
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def _measured(load: Load, room: _Room, port: int, pid: int) -> Figures:
    figures = Figures()
    referee = room.visitor(port)
    source = "browser" if load.camera_jpegs else None
    referee.do("start", players=["Ann", "Ben"], edition="ru", source=source, automatic=False)
    referee.do("deal", starter=0)
    if load.camera_jpegs:
        room.let(_push, room.visitor(port), load.camera_jpegs, room.ended)
        _until(lambda: referee.get("/live.jpg").status == 200)
        for _ in range(load.tablets):
            room.let(_watch_live, room.visitor(port, "player"), figures)
    pages = [_Page(room.visitor(port, "player"), figures) for _ in range(load.tablets)]
    for number in range(load.spectators):
        pages.append(_Page(room.visitor(port, "spectator"), figures, stills=number < load.with_stills))
    for page in pages:
        room.let(page.follow)
    for page in pages:
        page.saw(1)
    began, cpu_s = time.perf_counter(), _cpu_s(pid)
    for number in range(load.actions):
        _act(referee, number, pages, figures)
        time.sleep(load.apart_s)
    figures.wall_s = time.perf_counter() - began
    figures.server_cpu_s = None if cpu_s is None else (_cpu_s(pid) or 0.0) - cpu_s
    return figures


def _act(referee: Visitor, number: int, pages: list[_Page], figures: Figures) -> None:
    """One action, and until everyone saw it: a turn that is judged, then the same turn taken back."""
    sent = time.perf_counter()
    if number % 2:
        answer = referee.do("undo")
    else:
        answer = referee.do("end-turn", table=_TABLES[number // 2 % len(_TABLES)])
    figures.answered_ms.append((time.perf_counter() - sent) * 1000)
    figures.all_saw_ms.append((max(page.saw(answer["version"]) for page in pages) - sent) * 1000)


def _push(visitor: Visitor, jpegs: Sequence[bytes], ended: threading.Event) -> None:
    for jpeg in itertools.cycle(jpegs):
        if ended.wait(_PUSH_APART_S):
            return
        visitor.post("/camera/frame", jpeg, "image/jpeg")


def _watch_live(visitor: Visitor, figures: Figures) -> None:
    with visitor.opened("/live.mjpg") as stream:
        for line in stream:
            figures.live_pictures += line.startswith(b"Content-Length:")


def _until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + _WAIT_S
    while not true():
        if time.monotonic() > end:
            raise BenchError("The dashboard that was to be measured does not answer.")
        time.sleep(0.05)


def _cpu_s(pid: int) -> float | None:
    """Processor time that a process has taken; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None
