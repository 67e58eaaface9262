"""One source being watched: what the watcher says becomes states and events of the desk.

Two threads: one takes pictures as they come and shows them live, the other reads them. The watcher's own turns
are taken over only while its log is the desk's (``following``). Once someone else has written to the log, the
watcher takes that log over as soon as the table lies as it says; until then it tells only when the table has
come to rest after the button, and the desk judges it.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from referee import Event, Note, RefereeError, StartMatch, TakeOver
from vision.errors import VisionError
from vision.readings import Corners
from vision.sources.frame import Frame, Source, SourceNotice
from vision.watch.setup import WatchSetup
from vision.watch.types import (
    HandsOver,
    Logged,
    LyingTable,
    Signal,
    SignalKind,
    TableSeen,
    TurnEnded,
    TurnRecord,
    WatchEvent,
    WatchNotice,
)
from vision.watch.watcher_like import CorrectableWatcher
from web.desk.desk import Desk, OpenMatch
from web.desk.fixing import at_time
from web.desk.playing import announce, judge_as_it_lies
from web.desk.seen import SeenNow
from web.errors import StoreError, WebError, WrongMoment
from web.live.lying import as_it_was, seen_now, with_corrections
from web.live.picture import LivePicture, encode, table_alone
from web.live.tools import WatchTools, why_not
from web.store.pictures import PictureStore

__all__ = ["Run"]

_OF_GAME: Final = frozenset(
    ["faulty-before", "goes-on", "left-faulty", "not-put-back", "played-on", "printed-sets", "turn-missed"]
)
"""What a watcher says of its own game; the rest is about the camera."""
_UNWATCHED_S: Final = 1.0
"""While nobody looks, the live picture is renewed so seldom."""


@dataclass(frozen=True, slots=True)
class _Press:
    """A button, until the watcher has answered it."""

    kind: SignalKind
    """Which."""
    at_s: float
    """When, by the computer's own clock."""
    handed_on: bool = False
    """Whether the watcher knows of it."""


class Run:
    """One source being watched."""

    def __init__(
        self,
        source: Source,
        desk: Desk,
        live: LivePicture,
        pictures: PictureStore,
        tools: WatchTools,
        fps: float,
        width_px: int,
    ) -> None:
        """Take the source, opened, and whom to tell; nothing happens before ``begin``."""
        self.source = source
        self._desk, self._live, self._pictures, self._tools = desk, live, pictures, tools
        self._fps, self._width_px = fps, width_px
        self._stopped = threading.Event()
        self._came = threading.Condition()
        self._frame: tuple[Frame, float] | None = None
        self._notices: deque[SourceNotice] = deque()
        self._source_over = False
        self._pressed: _Press | None = None
        self._impatient = False
        self._read_any = False
        self._following = False
        self._watcher: CorrectableWatcher | None = None
        self._watcher_of: tuple[Any, ...] | None = None
        self._baseline: SeenNow | None = None
        self._logged = -1
        self._size_wh = (1, 1)
        self._threads = [
            threading.Thread(target=self._told, args=(self._take_pictures,), name="pictures", daemon=True),
            threading.Thread(target=self._told, args=(self._read,), name="reading", daemon=True),
        ]

    def begin(self) -> None:
        """Begin to watch."""
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Let go of the source, and wait until nobody watches any more."""
        self._stopped.set()
        self.source.close()
        with self._came:
            self._came.notify_all()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(5.0)

    def press(self, kind: SignalKind) -> bool:
        """Pass a button on; False where the desk has to answer it, as the table was read last."""
        match = self._desk.view().match
        if kind == "draw" and self._following and match is not None and match.ledger.has_fouled(match.turn):
            kind = "end-turn"  # drawing belongs to the putting-back; a draw would be the next player's
        with self._came:
            reads = self._watcher is not None and not self._source_over
            if not reads or self._impatient or (not self._following and kind != "end-turn"):
                self._impatient = False
                return False
            self._pressed = _Press(kind, time.monotonic())
            self._came.notify_all()
        return True

    def unfollow(self) -> None:
        """Take nothing over until the table lies as the log says; a button that waits is without object."""
        self._following = False
        if self._pressed is not None:
            self._no_longer_waits()

    def _told(self, work: Callable[[], None]) -> None:
        """Do ``work``; a fault of the program in it ends the watching, and is told."""
        done = False
        try:
            work()
            done = True
        finally:
            if not done:
                self._over(Note("went-wrong"), "lost")

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
                            self._frame = (item, time.monotonic())
                        else:
                            self._notices.append(item)
                        self._came.notify_all()
                    apart_s = 1 / self._fps if self._live.watchers else _UNWATCHED_S
                    if isinstance(item, Frame) and time.monotonic() - shown >= apart_s:
                        shown = time.monotonic()
                        self._live.show(encode(item.image_bgr, self._width_px))
            self._over(Note("camera-ended"), "ended")
        except VisionError as error:
            self._over(why_not(error), "lost")

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
                came, notices = self._next()
                for notice in notices:
                    self._noticed(notice)
                if came is not None:
                    self._size_wh = came[0].size_wh
                    self._look(*came)
                pressed = self._pressed
                if pressed is not None and time.monotonic() - pressed.at_s > self._tools.patience_s:
                    self._answer_here()
                if came is None and self._source_over:
                    return
        except VisionError as error:
            self._over(why_not(error), "lost")

    def _next(self) -> tuple[tuple[Frame, float] | None, list[SourceNotice]]:
        """The newest picture with the moment when it came, and all notices, as soon as there is anything."""
        with self._came:
            self._came.wait_for(
                lambda: self._frame or self._notices or self._source_over or self._stopped.is_set(), 1.0
            )
            came, self._frame = self._frame, None
            notices = list(self._notices)
            self._notices.clear()
            return came, notices

    def _noticed(self, notice: SourceNotice) -> None:
        told = Note("camera-notice", args=(("why", notice.message), ("notice", notice.code)))
        state = "running" if notice.code in ("back", "cut-off", "untimed") else "lost"
        self._desk.camera(told, told=told, state=state)

    def _look(self, frame: Frame, came_s: float) -> None:
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
        self._take(watcher.push(frame), frame)
        pressed = self._to_hand_on(came_s)
        if pressed is not None:
            self._take(watcher.signal(Signal(frame.t_s, pressed.kind)), frame)
        self._begin_turn()

    def _to_hand_on(self, came_s: float) -> _Press | None:
        """The button that the watcher is to hear of now.

        A picture that came before the button was pressed shows what the table was, not what the player is done
        with: reading one may take a while, and meanwhile tiles were laid.
        """
        with self._came:
            pressed = self._pressed
            if pressed is None or pressed.handed_on or came_s < pressed.at_s or not self._read_any:
                return None
            self._pressed = replace(pressed, handed_on=True)
            return pressed

    def _watcher_for(self, match: OpenMatch) -> CorrectableWatcher:
        """The watcher for this match: one that follows its log, or one that only reads the table."""
        settings = self._desk.settings
        of = (match.id, match.ledger.game_began, str(settings.get("area")), settings["automatic"])
        if self._watcher is None or self._watcher_of != of:
            self._watcher_of, self._following, self._baseline, self._read_any = of, False, None, False
            self._watcher = self._tools.make_watcher(self._setup(match), ())
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
        """Pass on what the watcher says; its log is the desk's only if it was so before."""
        ended = [event.record for event in happened if isinstance(event, TurnEnded)]
        followed, picture, told_over = self._following, None, False
        for event in happened:
            match event:
                case TableSeen():
                    self._seen(event, frame)
                case HandsOver():
                    self._desk.camera(moving=event.moving)
                case Logged() if followed and self._following:
                    if picture is None and ended:
                        picture = self._picture_of(ended[0])
                    with self._desk.lock:  # nobody sees the turn over and its end still waited for
                        self._log(event.event, picture, put_back=any(one.action == "put-back" for one in ended))
                        if ended:
                            told_over = True
                            self._no_longer_waits()
                case WatchNotice() if followed or event.code not in _OF_GAME:
                    told = Note("camera-notice", args=(("why", event.message), ("notice", event.code)))
                    self._desk.camera(told, told=told)
        pressed = self._pressed
        answered = bool(ended) or any(isinstance(e, WatchNotice) and e.code in _OF_GAME for e in happened)
        if followed:
            if answered and not told_over:
                self._no_longer_waits()
        elif pressed is not None and pressed.handed_on:
            if self._following:  # the log was taken over meanwhile: now the watcher's own word counts
                self._pressed = replace(pressed, handed_on=False)
            elif answered:
                self._judge_here(self._picture_of(ended[0]) if ended else None)

    def _judge_here(self, picture: str | None) -> None:
        """The table has come to rest after the button: the desk judges it as it lies."""
        self._answered()
        with self._desk.lock:
            try:
                judge_as_it_lies(self._desk, picture)
            except WebError as error:
                self._desk.camera(error.note, told=error.note)
            self._desk.camera(waiting=False)

    def _seen(self, event: TableSeen, frame: Frame) -> None:
        image = event.image_bgr if event.image_bgr is not None else frame.image_bgr
        lying = seen_now(event.lying, (image.shape[1], image.shape[0]), self._desk.now())
        alone = table_alone(image, self._area(), [tile.corners_xy_px for tile in event.lying.tiles])
        self._live.show_still(None if alone is None else encode(alone, self._width_px))
        self._read_any = True
        with self._desk.lock:
            view = self._desk.view()
            if view.match is None or view.match.state.phase != "playing":
                return
            if as_it_was(view.match.state.table, lying.table):
                self._baseline = lying
                self._follow(view.match)
            before = self._baseline.sets if self._baseline is not None else ()
            self._desk.see(replace(lying, before=before))

    def _begin_turn(self) -> None:
        """After an entry of the log: a table that lies as logged is how it lay before the turn that begins."""
        with self._desk.lock:
            view = self._desk.view()
            seen = view.seen
            if view.match is None or seen is None or len(view.match.ledger.entries) == self._logged:
                return
            self._logged = len(view.match.ledger.entries)
            if seen.source == "camera" and as_it_was(view.match.state.table, seen.table):
                self._baseline = seen
                self._desk.see(replace(seen, before=seen.sets))
                self._follow(view.match)

    def _follow(self, match: OpenMatch) -> None:
        """The table lies as the log says: from here the watcher can go on by itself."""
        if self._following or self._watcher is None or match.state.phase != "playing":
            return
        self._watcher.take_log(match.ledger.events)  # what it says of the table is known already
        self._following = True

    def _log(self, event: Event, picture: str | None, *, put_back: bool) -> None:
        """Take over an event of the watcher's log, with the desk's own time and corrections."""
        with self._desk.lock:
            if not self._following:
                return
            if isinstance(event, TakeOver):
                self._following = False  # only people take over what was not judged
                return
            match = self._desk.match
            event = at_time(event, match.clock.t_s(self._desk.now()))
            corrected = with_corrections(event, self._desk.seen)
            try:
                checked, outcome, after = self._desk.preview(corrected)
                if outcome.verdict == "illegal" and outcome.turn is None:
                    raise WrongMoment("wrong-phase")
                said = announce(match, checked, outcome, after, put_back=put_back)
                self._desk.log(checked, *said, picture=picture, by_watcher=True)
            except (RefereeError, WebError) as error:
                self._following = False
                told = error.note if isinstance(error, StoreError) else Note("resynchronised")
                self._desk.camera(told, told=told)
                return
            if corrected != event:
                self._following = False

    def _picture_of(self, turn: TurnRecord) -> str | None:
        """Keep the picture with which a turn ended; None where there is none."""
        return None if turn.picture_after is None else self._keep(turn.picture_after, turn.lying_after)

    def _keep(self, image_bgr: NDArray[np.uint8], lying: LyingTable | None) -> str | None:
        """Keep the picture of a turn, the table alone; None where there is none, or the disk is full."""
        tiles = [tile.corners_xy_px for tile in lying.tiles] if lying is not None else []
        alone = table_alone(image_bgr, self._area(), tiles)
        if alone is None:
            return None
        try:
            jpeg = encode(alone, 1600)
            return self._pictures.add(jpeg, "table", self._desk.match.id, self._desk.now())
        except StoreError:
            return None

    def _no_longer_waits(self) -> None:
        """A button was answered, or is without object, and the page says so."""
        self._answered()
        self._desk.camera(waiting=False)

    def _answered(self) -> None:
        with self._came:
            self._pressed = None

    def _answer_here(self) -> None:
        """The watcher has nothing to say to a button: it is answered from the table as it was read."""
        self._answered()
        self._following, self._impatient = False, True
        why = "The table could not be read in time; press again, and it counts as it was read last."
        told = Note("camera-notice", args=(("why", why), ("notice", "press-again")))
        self._desk.camera(told, told=told, waiting=False)
