"""Watches the table through a source of pictures, and tells the desk what it sees.

Two threads: one takes pictures as they come and shows them live, the other reads them. The watcher's own turns
are taken over only while its log is the desk's (``following``). Once someone else has written to the log, the
table is merely read, until it lies as the log says; then a new watcher goes on from there.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from referee import Event, Inventory, Note, Play, RefereeError, StartMatch, Table, TakeOver, parse_table
from referee.difference import added_and_gone
from vision.errors import VisionError
from vision.readings import Corners
from vision.sources.frame import Frame, Source, SourceNotice
from vision.sources.pushed import PushedSource
from vision.watch.setup import WatchSetup
from vision.watch.types import (
    HandsOver,
    Logged,
    LyingTable,
    Signal,
    SignalKind,
    TableSeen,
    TurnEnded,
    WatchEvent,
    WatchNotice,
)
from web.desk.answers import with_reading
from web.desk.desk import CameraNow, Desk, OpenMatch
from web.desk.fixing import at_time
from web.desk.playing import announce
from web.desk.seen import SeenNow, TileNow
from web.errors import Refused, StoreError, WebError, WrongMoment
from web.live.picture import LivePicture, encode, table_alone
from web.store.pictures import PictureStore

__all__ = ["BROWSER", "MakeWatcher", "OpenSource", "Watch", "WatcherLike"]

BROWSER: Final = "browser"
"""The source whose pictures a page sends."""

_PRESSED_S: Final = 8.0
"""After so long without an answer of the watcher, the next press is answered from the table as it was read."""


class WatcherLike(Protocol):
    """What is needed of a watcher; see ``vision.watch.watcher.Watcher``."""

    def push(self, frame: Frame) -> list[WatchEvent]:
        """Take the next picture."""
        ...

    def notice(self, notice: SourceNotice) -> list[WatchEvent]:
        """Take what the source has to say."""
        ...

    def signal(self, signal: Signal) -> list[WatchEvent]:
        """Take what a player pressed."""
        ...


MakeWatcher = Callable[[WatchSetup, Sequence[Event]], WatcherLike]
OpenSource = Callable[[str], Source]


@dataclass(frozen=True, slots=True)
class WatchTools:
    """How sources are opened and watchers made."""

    open_source: OpenSource
    """Opens what a user named; SourceError where that fails."""
    make_watcher: MakeWatcher
    """Makes a watcher; WeightsError where the models cannot be loaded."""
    inventory: Callable[[], Inventory] | None = None
    """Kept for callers that share a reader."""


class Watch:
    """Watches through one source at a time. Every method may be called from any thread."""

    def __init__(
        self,
        desk: Desk,
        live: LivePicture,
        pictures: PictureStore,
        tools: WatchTools,
        *,
        fps: float,
        width_px: int,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        """Watch for ``desk``; nothing is opened yet."""
        self._desk, self._live, self._pictures, self._tools = desk, live, pictures, tools
        self._fps, self._width_px, self._pause = fps, width_px, pause
        self._lock = threading.RLock()
        self._run: _Run | None = None

    def start(self, source: str) -> None:
        """Watch through ``source``; WebError where it is refused at once, a notice where it fails later."""
        self.stop()
        try:
            opened = PushedSource() if source == BROWSER else self._tools.open_source(source)
        except VisionError as error:
            raise Refused("source-unusable", why=str(error)) from error
        with self._lock:
            self._run = _Run(self, opened)
            self._desk.camera(
                Note("camera-starting"), source=source, state="starting", told=None, moving=False, waiting=False
            )
            self._run.begin()

    def stop(self) -> None:
        """Let go of the source."""
        with self._lock:
            run, self._run = self._run, None
        if run is not None:
            run.end()
            self._live.show(None)
            self._desk.see(None, **_plain(CameraNow()))

    @property
    def running(self) -> bool:
        """True while a source is watched."""
        return self._run is not None

    @property
    def source_pushed(self) -> PushedSource | None:
        """The source that takes pictures from a page, where that is what is watched."""
        run = self._run
        return run.source if run is not None and isinstance(run.source, PushedSource) else None

    def signal(self, kind: Literal["end-turn", "draw", "pass"]) -> bool:
        """Pass on a button; False where the desk has to answer it itself."""
        run = self._run
        return run is not None and run.press(kind)

    def log_changed(self) -> None:
        """Say that the log has changed by other hands than the watcher's."""
        run = self._run
        if run is not None:
            run.unfollow()


def _plain(camera: CameraNow) -> dict[str, Any]:
    return {name: getattr(camera, name) for name in ("source", "state", "moving", "waiting", "told")}


class _Run:
    """One source being watched."""

    def __init__(self, watch: Watch, source: Source) -> None:
        self._watch, self.source = watch, source
        self._desk, self._live = watch._desk, watch._live
        self._stopped = threading.Event()
        self._came = threading.Condition()
        self._frame: Frame | None = None
        self._notices: deque[SourceNotice] = deque()
        self._source_over = False
        self._pressed: tuple[SignalKind, float] | None = None
        self._handed_on = False
        self._following = False
        self._watcher: WatcherLike | None = None
        self._watcher_of: tuple[Any, ...] | None = None
        self._baseline: SeenNow | None = None
        self._size_wh = (1, 1)
        self._threads = [
            threading.Thread(target=self._take_pictures, name="pictures", daemon=True),
            threading.Thread(target=self._read, name="reading", daemon=True),
        ]

    def begin(self) -> None:
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        self._stopped.set()
        self.source.close()
        with self._came:
            self._came.notify_all()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(5.0)

    def press(self, kind: SignalKind) -> bool:
        if not self._following or self._source_over:
            return False
        with self._came:
            self._pressed, self._handed_on = (kind, time.monotonic()), False
            self._came.notify_all()
        return True

    def unfollow(self) -> None:
        self._following = False

    # --- taking pictures -------------------------------------------------------------------------------------

    def _take_pictures(self) -> None:
        began, shown = time.monotonic(), -1e9
        try:
            with self.source as source:
                for item in source.frames():
                    if self._stopped.is_set():
                        return
                    if isinstance(item, Frame) and not source.live:
                        ahead = item.t_s - (time.monotonic() - began)
                        if ahead > 0 and self._stopped.wait(ahead):
                            return
                    with self._came:
                        if isinstance(item, Frame):
                            self._frame = item
                        else:
                            self._notices.append(item)
                        self._came.notify_all()
                    if isinstance(item, Frame) and time.monotonic() - shown >= 1 / self._watch._fps:
                        shown = time.monotonic()
                        if self._live.watchers or self._live.newest is None:
                            self._live.show(encode(item.image_bgr, self._watch._width_px))
            self._over(Note("camera-ended"), "ended")
        except VisionError as error:
            self._over(Note("source-unusable", args=(("why", str(error)),)), "lost")

    def _over(self, told: Note, state: str) -> None:
        with self._came:
            self._source_over = True
            self._came.notify_all()
        if not self._stopped.is_set():
            self._desk.camera(told, state=state, told=told, moving=False, waiting=False)

    # --- reading them ----------------------------------------------------------------------------------------

    def _read(self) -> None:
        try:
            while not self._stopped.is_set():
                frame, notices = self._next()
                for notice in notices:
                    self._noticed(notice)
                if frame is not None:
                    self._size_wh = frame.size_wh
                    self._look(frame)
                elif self._source_over:
                    return
        except VisionError as error:
            self._over(Note("source-unusable", args=(("why", str(error)),)), "lost")

    def _next(self) -> tuple[Frame | None, list[SourceNotice]]:
        with self._came:
            self._came.wait_for(
                lambda: self._frame or self._notices or self._source_over or self._stopped.is_set(), 1.0
            )
            frame, self._frame = self._frame, None
            notices = list(self._notices)
            self._notices.clear()
            return frame, notices

    def _noticed(self, notice: SourceNotice) -> None:
        told = Note("camera-notice", args=(("why", notice.message), ("notice", notice.code)))
        state = "running" if notice.code in ("back", "cut-off") else "lost"
        self._desk.camera(told, told=told, state=state)

    def _look(self, frame: Frame) -> None:
        view = self._desk.view()
        if view.camera.state != "running":
            self._desk.camera(state="running")
        match = view.match
        if match is None or match.mode != "full" or match.state.phase != "playing":
            if self._watcher is not None:
                self._watcher, self._watcher_of, self._following = None, None, False
                self._desk.see(None)
            return
        watcher = self._watcher_for(match)
        happened = watcher.push(frame)
        with self._came:
            pressed, first = self._pressed, not self._handed_on
            self._handed_on = True
        if pressed is not None and first:
            happened += watcher.signal(Signal(frame.t_s, pressed[0]))
        self._take(happened, frame)
        if self._pressed is not None and time.monotonic() - self._pressed[1] > _PRESSED_S:
            self._answer_here(self._pressed[0])

    def _watcher_for(self, match: OpenMatch) -> WatcherLike:
        """The watcher for this match: one that follows its log, or one that only reads the table."""
        settings = self._desk.settings
        of = (match.id, match.ledger.game_began, str(settings.get("area")), settings["automatic"])
        if self._watcher is None or self._watcher_of != of:
            self._watcher_of, self._following, self._baseline = of, False, None
            self._watcher = self._watch._tools.make_watcher(self._setup(match), ())
        return self._watcher

    def _setup(self, match: OpenMatch) -> WatchSetup:
        start = match.ledger.effective[0]
        assert isinstance(start, StartMatch)
        settings = self._desk.settings
        return WatchSetup(
            start.players,
            start.edition,
            start.rules,
            start.variant,
            automatic=bool(settings["automatic"]),
            area_xy_px=self._area(),
        )

    def _area(self) -> Corners | None:
        shares = self._desk.settings.get("area")
        if not shares:
            return None
        return np.asarray(shares, np.float32) * np.asarray(self._size_wh, np.float32)

    def _take(self, happened: Sequence[WatchEvent], frame: Frame) -> None:
        ended = [event.record for event in happened if isinstance(event, TurnEnded)]
        picture = None
        for event in happened:
            match event:
                case TableSeen():
                    self._seen(event, frame)
                case HandsOver():
                    self._desk.camera(moving=event.moving)
                case Logged() if self._following:
                    if picture is None and ended and ended[0].picture_after is not None:
                        picture = self._keep(ended[0].picture_after, ended[0].lying_after)
                    self._log(event.event, picture)
                case WatchNotice():
                    told = Note("camera-notice", args=(("why", event.message), ("notice", event.code)))
                    self._answered()
                    self._desk.camera(told, told=told, waiting=False)
        if ended:
            self._answered()
            self._desk.camera(waiting=False)

    def _seen(self, event: TableSeen, frame: Frame) -> None:
        image = event.image_bgr if event.image_bgr is not None else frame.image_bgr
        lying = seen_now(event.lying, (image.shape[1], image.shape[0]), self._desk.now())
        alone = table_alone(image, self._area(), [tile.corners_xy_px for tile in event.lying.tiles])
        self._live.show_still(None if alone is None else encode(alone, self._watch._width_px))
        with self._desk.lock:
            view = self._desk.view()
            if view.match is None or view.match.state.phase != "playing":
                return
            if as_it_was(view.match.state.table, lying.table):
                self._baseline = lying
                if not self._following:
                    # The table lies as the log says: from here the watcher can go on by itself.
                    self._watcher = self._watch._tools.make_watcher(
                        self._setup(view.match), view.match.ledger.events
                    )
                    self._following = True
            before = self._baseline.sets if self._baseline is not None else ()
            self._desk.see(replace(lying, before=before))

    def _log(self, event: Event, picture: str | None) -> None:
        """Take over an event of the watcher's log, with the desk's own time and corrections."""
        with self._desk.lock:
            if not self._following:
                return
            if isinstance(event, TakeOver):
                self._following = False  # only people take over what was not judged
                return
            match = self._desk.match
            event = at_time(event, match.clock.t_s(self._desk.now()))
            corrected = self._corrected(event)
            try:
                checked, outcome, after = self._desk.preview(corrected)
                if outcome.verdict == "illegal" and outcome.turn is None:
                    raise WrongMoment("wrong-phase")
                said = announce(match, checked, outcome, after)
                self._desk.log(checked, *said, picture=picture, by_watcher=True)
            except (RefereeError, WebError):
                self._following = False
                return
            if corrected != event:
                self._following = False

    def _corrected(self, event: Event) -> Event:
        """The event with the readings that people put right while the turn was under way."""
        seen = self._desk.seen
        if not isinstance(event, Play) or seen is None or not seen.corrected:
            return event
        table = parse_table(event.table)
        for tiles in seen.sets:
            for tile in tiles:
                if tile.key in seen.corrected:
                    try:
                        table = with_reading(table, tile.seen, seen.corrected[tile.key])
                    except Refused:
                        continue
        return replace(event, table=str(table))

    def _keep(self, image_bgr: NDArray[np.uint8], lying: LyingTable | None) -> str | None:
        """Keep the picture of a turn, the table alone; None where there is none, or the disk is full."""
        tiles = [tile.corners_xy_px for tile in lying.tiles] if lying is not None else []
        alone = table_alone(image_bgr, self._area(), tiles)
        if alone is None:
            return None
        try:
            jpeg = encode(alone, 1600)
            return self._watch._pictures.add(jpeg, "table", self._desk.match.id, self._desk.now())
        except StoreError:
            return None

    def _answered(self) -> None:
        with self._came:
            self._pressed = None

    def _answer_here(self, kind: SignalKind) -> None:
        """The watcher has nothing to say to a button: it is answered from the table as it was read."""
        self._answered()
        self._following = False
        told = Note(
            "camera-notice", args=(("why", "The table could not be read; press again."), ("notice", kind))
        )
        self._desk.camera(told, told=told, waiting=False)


def seen_now(lying: LyingTable, size_wh: tuple[int, int], at_s: float) -> SeenNow:
    """Return what a watcher saw as the desk's table, corners in shares of the picture."""
    by_key = {tile.key: tile for tile in lying.tiles}
    size = np.asarray(size_wh, np.float32)

    def tile_now(key: int) -> TileNow:
        tile = by_key[key]
        corners = tuple((float(x), float(y)) for x, y in tile.corners_xy_px / size)
        return TileNow(f"c{key}", tile.seen, tile.alternatives, corners)

    return SeenNow(
        "camera",
        tuple(tuple(tile_now(key) for key in one.keys) for one in lying.sets),
        tuple(one.doubt for one in lying.sets),
        (),
        lying.backs,
        at_s,
    )


def as_it_was(before: Table, now: Table) -> bool:
    """True where nothing came to the table, nothing went, and the sets are the same, doubts apart."""
    added, gone = added_and_gone(before, now)
    if added or gone:
        return False
    if not (before.is_sure and now.is_sure):
        return sorted(map(len, before.sets)) == sorted(map(len, now.sets))
    return sorted(sorted(map(str, one)) for one in before.sets) == sorted(
        sorted(map(str, one)) for one in now.sets
    )
