"""The referee at the table: pictures in, turns and verdicts out.

``Watcher`` binds the rooms of this package together; each can be used and tested alone. It is called from one
thread and keeps nothing of a picture longer than it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee import Event
from vision.picture_reader import PictureReader
from vision.settings import ReadSettings
from vision.sources.frame import Frame, SourceNotice
from vision.watch.eye import Eye, Glimpse
from vision.watch.gate import KNOCK_S, Activity, Gate
from vision.watch.reach import ANYWHERE, FROM_THE_BEGINNING, Touch
from vision.watch.reach_sense import ReachSense
from vision.watch.seats import LEAST_FRAMES, SeatPlaces
from vision.watch.settings import WatchSettings
from vision.watch.setup import WatchSetup
from vision.watch.sight import Sight
from vision.watch.turn_settings import TurnSettings
from vision.watch.turns import TurnKeeper
from vision.watch.types import HandsOver, Signal, TurnEnded, WatchEvent, WatchNotice

__all__ = ["Watcher"]

_SHARP_ENOUGH = 0.75
"""A picture less sharp than this, against the sharpest of late, is passed over for a moment."""
_WAIT_FOR_SHARP_S = 0.6
_IN_A_HURRY = 0.5
"""Share of the usual time until the first look, where someone pressed the button and waits."""
_GLANCE_APART_S = 1.0
"""Hands that move over the table after the button are looked past so often, until what is seen is legal."""
_SHARPENS = 1.05
"""So many times as sharp as when things came to rest is getting sharper; else what was there before was so."""
_SAME_INSTANT_S = 0.038
"""A picture so soon after the last one tells nothing that the next does not: of 30 and 60 in a second every
second and third is looked at, which is as much as a film of 15 or 20 holds."""
_TURNS_SEATS = 0.1
"""Widths of the picture by which a camera has to be moved until hands come from other directions."""
_LOOK_AGAIN_S = 4.0
"""What rests over the table without moving is looked at again: it may be a mug, and hands are gone."""
_PRINTED_SETS = (
    "The pool is whole, so the sets in view are taken for print. If they were laid in this game, "
    "begin again and say who has opened."
)


class Watcher:
    """Watches one game."""

    def __init__(
        self,
        reader: PictureReader,
        setup: WatchSetup,
        settings: WatchSettings | None = None,
        events: Sequence[Event] = (),
        *,
        turns: TurnSettings | None = None,
        read: ReadSettings | None = None,
    ) -> None:
        """Begin to watch; ``events`` is the log so far of a game that goes on."""
        settings = settings or WatchSettings()
        self._setup = setup
        self._sight: Sight | None = None
        self._early: list[Signal] = []
        self._timing = turns or TurnSettings()
        self._gate = Gate(settings, setup.area_xy_px)
        self._places = SeatPlaces(len(setup.players))
        self._reaches = ReachSense()
        self._turns = TurnKeeper(setup, self._timing, events, self._places)
        begun = bool(self._turns.court.state.table.sets)
        self._eye = Eye(reader, setup, settings, read or ReadSettings(), begun=begun)
        self._gate.heed(self._eye.sun)
        self._moving = False
        self._now_s = 0.0
        self._asked_s = -1e9
        self._looked_s = -1e9
        self._looks = 0
        self._stretch_s = -1e9
        self._still_since_s: float | None = None
        self._sharp_at_rest = 1.0
        self._touch = FROM_THE_BEGINNING
        """Where hands may have been since the last look before they came."""
        self._touch_seen = False
        """True where the table was read since they were there."""
        self._may_have_hands = True
        self._unseen = False
        self._told: set[str] = set()

    @property
    def turns(self) -> TurnKeeper:
        """The turns so far; to be read, not driven."""
        return self._turns

    def push(self, frame: Frame) -> list[WatchEvent]:
        """Take in the next picture; times must not go backwards."""
        self._now_s = frame.t_s
        self._unseen = self._unseen or frame.unseen_s > 0
        if 0 <= frame.t_s - self._asked_s < _SAME_INSTANT_S:
            return self._over(self._turns.tick(frame.t_s, self._still_since_s))
        self._asked_s, self._still_since_s = frame.t_s, None
        activity = self._gate.look(frame)
        moving = activity.moving or activity.shaking or activity.light
        said: list[WatchEvent] = self._dark(activity.too_dark)
        if moving != self._moving:
            self._moving = moving
            said.append(HandsOver(frame.t_s, moving))
            if moving:
                self._turns.moves(frame.t_s)
        said += self._over(self._reach(frame, activity, moving))
        if moving or activity.too_dark:
            if activity.moving and not (activity.too_dark or activity.shaking or activity.light):
                said += self._glance(frame)
            return said + self._over(self._turns.tick(frame.t_s, None))
        since_s = frame.t_s - activity.still_s
        if since_s > self._stretch_s + 1e-3:
            self._stretch_s, self._looks, self._sharp_at_rest = since_s, 0, activity.sharp
        if self._is_due(frame.t_s, activity.still_s, activity.sharp):
            said += self._look(frame, self._stretch_s)
        self._still_since_s = self._stretch_s
        return said + self._over(self._turns.tick(frame.t_s, self._stretch_s))

    def notice(self, notice: SourceNotice) -> list[WatchEvent]:
        """The source has something to say; the game is not touched by it."""
        return [WatchNotice(notice.t_s, notice.code, notice.message)]

    def signal(self, signal: Signal) -> list[WatchEvent]:
        """Someone pressed a button, in the source's time; it waits until the table was in view once."""
        if self._sight is None:
            self._early.append(signal)
            return []
        return self._over(self._turns.signal(signal))

    def take_log(self, events: Sequence[Event]) -> list[WatchEvent]:
        """Go on with another log of this game, which people have put right; what was seen stays.

        The table as it was read last is how it lay before the turn that the log has under way.
        """
        before, self._turns = self._turns, TurnKeeper(self._setup, self._timing, events, self._places)
        self._turns.goes_on_from(before)
        return self._over(self._turns.saw(self._sight)) if self._sight is not None else []

    def finish(self) -> list[WatchEvent]:
        """No more pictures come."""
        return self._over(self._turns.finish(self._now_s))

    def _reach(self, frame: Frame, activity: Activity, moving: bool) -> list[WatchEvent]:
        """Follow from where hands reach in."""
        if moving:
            reach = self._reaches.moving(
                activity.t_s, activity.changed, self._gate.inside, self._gate.cell_px, activity.crept,
                lambda: frame.image_bgr,
            )  # fmt: skip
            return self._turns.reaching(reach)
        over = self._reaches.still()
        if over is None:
            return []
        # Hands that rested over the table can do anything without coming in.
        unseen = over.stirred is None and over.end_s - over.begin_s > KNOCK_S
        unseen |= self._unseen or over.is_cut
        # As a camera is knocked something crosses the rim for a moment, too.
        crossed = over.frames >= (LEAST_FRAMES if over.stirred is None else 1)
        touched = crossed or unseen or self._may_have_hands
        # What stirs at a rack's rim leaves the table as it was; a back that goes shows that itself.
        may_have_gone = touched or over.frames > 0 or over.is_small
        stirred = None if unseen else over.stirred
        if stirred is not None and self._may_have_hands:
            stirred = replace(stirred, swept=None)  # an arm that rests over the rim comes in nowhere
        since = () if self._touch_seen else self._touch.stirred
        self._touch, self._touch_seen = Touch((*since, stirred) if may_have_gone else since), False
        self._unseen = False
        self._may_have_hands = touched
        return self._turns.reached(over, touched=touched)

    def _is_due(self, t_s: float, still_s: float, sharp: float) -> bool:
        """True where this picture is to be read."""
        s = self._timing
        first_look_s = s.first_look_s * (_IN_A_HURRY if self._turns.hurried else 1.0)
        if still_s < first_look_s:
            return False
        if self._looks == 0:
            sharpens = sharp > _SHARPENS * self._sharp_at_rest
            return sharp >= _SHARP_ENOUGH or not sharpens or still_s >= first_look_s + _WAIT_FOR_SHARP_S
        if self._may_have_hands and t_s - self._looked_s >= _LOOK_AGAIN_S:
            return True
        apart_s = 0.0 if self._turns.hurried else s.look_apart_s
        return (self._turns.wants_more or self._eye.learning) and t_s - self._looked_s >= apart_s

    def _look(self, frame: Frame, since_s: float) -> list[WatchEvent]:
        again = self._eye.same_as_last(frame) if self._looks == 0 and not self._turns.wants_more else None
        glimpse = again or self._eye.look(
            frame, touch=self._touch, quick=self._turns.hurried, afresh=self._looks > 0
        )
        self._may_have_hands = not glimpse.clear
        self._looked_s, self._looks = frame.t_s, self._looks + 1
        if glimpse.clear and not self._moving:
            self._reaches.lies_bare(frame.image_bgr, self._gate.cell_px)
        said = self._camera(frame.t_s, glimpse)
        if self._eye.takes_sets_for_print:
            said += self._once(frame.t_s, "printed-sets", _PRINTED_SETS)
        if glimpse.lying is not None:
            self._touch_seen = True
            clear = glimpse.clear and not self._moving
            whole = glimpse.seen_whole and not self._moving
            sight = Sight(glimpse.lying, since_s, clear, self._looks, frame.image_bgr, seen_whole=whole)
            self._sight = sight
            said += self._over(self._turns.saw(sight))
            early, self._early = self._early, []
            for signal in early:
                # What was played unseen lies in what is seen first, and is no turn that could be judged.
                if signal.kind != "end-turn" or not sight.lying.tiles:
                    said += self._over(self._turns.signal(signal))
        return said

    def _glance(self, frame: Frame) -> list[WatchEvent]:
        """Read what lies beside hands that still move, and was not seen.

        That is where the button was pressed, and where the next player's hands come in.
        """
        pressed_s, now_s = self._turns.pressed_s, frame.t_s
        if (next_comes_s := self._turns.next_comes_s) is not None:
            return self._read_moving(frame) + self._over(self._turns.left_to_next(next_comes_s))
        if pressed_s is None or now_s - max(pressed_s, self._looked_s) < self._timing.first_look_s:
            return []
        if self._looked_s >= pressed_s and (now_s - self._looked_s < _GLANCE_APART_S or self._turns.is_legal):
            return []
        return self._read_moving(frame)

    def _read_moving(self, frame: Frame) -> list[WatchEvent]:
        self._turns.stirred_unseen()
        self._touch, self._looks = ANYWHERE, 0
        return self._look(frame, frame.t_s)

    def _over(self, said: list[WatchEvent]) -> list[WatchEvent]:
        """Let go of what belonged to a turn that is over."""
        if any(isinstance(event, TurnEnded) and event.record.verdict != "illegal" for event in said):
            self._eye.turn_over()
        return said

    def _camera(self, t_s: float, glimpse: Glimpse) -> list[WatchEvent]:
        """Say what became of the camera."""
        if glimpse.place == "moved":
            if glimpse.shift > _TURNS_SEATS:
                self._places.forget()
            return [WatchNotice(t_s, "camera-moved", "The camera was moved; its new place is taken over.")]
        if glimpse.place == "lost":
            return self._once(t_s, "camera-lost", "The picture no longer shows the table as it was set up.")
        self._told.discard("camera-lost")
        return []

    def _dark(self, too_dark: bool) -> list[WatchEvent]:
        if too_dark:
            return self._once(self._now_s, "too-dark", "It is too dark to read the tiles.")
        self._told.discard("too-dark")
        return []

    def _once(self, t_s: float, code: str, message: str) -> list[WatchEvent]:
        if code in self._told:
            return []
        self._told.add(code)
        return [WatchNotice(t_s, code, message)]
