"""The desk: one open match, one writer, everything confirmed on disk before anyone hears of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from referee import (
    Correct,
    Event,
    Faces,
    GameState,
    Note,
    RefereeError,
    StartMatch,
    edition,
    event_from_json,
    event_to_json,
    parse_table,
)
from referee.keeper import Keeper
from web.desk.clock import Clock
from web.desk.ledger import Ledger
from web.desk.notes import ClockGame, clock_game
from web.desk.racks import RackNow, racks_from_json, racks_to_json
from web.desk.seen import SeenNow, typed
from web.errors import NotFound, Refused, WrongMoment
from web.store.kept import Kept
from web.store.matches import Entry, MatchStore, Mode, NoteEntry, StoredMatch

__all__ = ["CameraNow", "Desk", "OpenMatch", "View", "Watching"]

Said = Sequence[Note]
"""What is announced."""

AWAY_S = 6.0
"""After a longer silence than this the program was away, and the clock of an open match is stopped."""


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """The match on the desk."""

    id: str
    """Made by the program."""
    title: str
    """What people call it."""
    mode: Mode
    """How much of it is kept."""
    started_at: float
    """Seconds of the epoch."""
    ledger: Ledger
    """The log, gone through."""
    notes: tuple[NoteEntry, ...]
    """What was settled beside it."""
    clock: Clock
    """Its clock."""
    racks: Mapping[int, RackNow] = field(default_factory=dict)
    """Racks that are being counted, by seat."""
    typed: str | None = None
    """The table as someone typed it since the turn began."""

    @property
    def state(self) -> GameState:
        """What the referee makes of the log."""
        return self.ledger.state

    @property
    def faces(self) -> Faces:
        """What is printed on the tiles."""
        start = self.ledger.effective[0]
        return edition(start.edition).faces if isinstance(start, StartMatch) else "numbers"

    @property
    def by_clock(self) -> ClockGame:
        """What the notes make of a match in mode ``clock``."""
        return clock_game(self.notes)

    @property
    def turn(self) -> int | None:
        """Whose turn it is."""
        return self.state.turn if self.mode == "full" else self.by_clock.turn

    @property
    def turn_began_s(self) -> float | None:
        """When the turn began, by the clock."""
        return self.state.turn_began_s if self.mode == "full" else self.by_clock.turn_began_s

    @property
    def turn_number(self) -> int | None:
        """Which turn of the game it is, from 1; None where no game is played."""
        if self.turn is None:
            return None
        return 1 + (self.ledger.turns_taken() if self.mode == "full" else self.by_clock.turns)

    @property
    def under_way(self) -> bool:
        """True while a game is played."""
        return self.turn is not None

    def name(self, seat: int | None) -> str:
        """A player's name."""
        players = self.state.players
        return players[seat] if seat is not None and 0 <= seat < len(players) else ""

    def table_now(self) -> SeenNow:
        """The table as it lies as far as no camera sees it."""
        if self.typed is not None:
            return typed(parse_table(self.typed), "typed")
        return typed(self.state.table, "log")


@dataclass(frozen=True, slots=True)
class CameraNow:
    """What is to be said of the camera."""

    source: str | None = None
    """Which one; None for none."""
    state: Literal["off", "starting", "running", "lost", "ended"] = "off"
    """Whether it gives pictures."""
    moving: bool = False
    """Whether something moves over the table."""
    waiting: bool = False
    """Whether a turn was ended by the button, and is being looked at."""
    told: Note | None = None
    """The last notice."""
    opening_points: int | None = None
    """The opening so far, as the watcher counts it."""


@dataclass(frozen=True, slots=True)
class View:
    """All that a snapshot is made of, at one moment."""

    version: int
    """Grows with every change."""
    match: OpenMatch | None
    """The match on the desk."""
    seen: SeenNow | None
    """What the camera sees."""
    camera: CameraNow
    """What is to be said of the camera."""
    settings: Mapping[str, Any]
    """The settings of the table."""


class Watching(Protocol):
    """Whoever watches the table through a camera."""

    def signal(self, kind: Literal["end-turn", "draw", "pass"]) -> bool:
        """Pass on a button; False where nobody watches."""
        ...

    def log_changed(self) -> None:
        """Say that the log has changed by other hands than the watcher's."""
        ...


class Desk:
    """Keeps one match open. Every method may be called from any thread."""

    def __init__(
        self,
        store: MatchStore,
        kept: Kept,
        publish: Callable[[int, Said], None],
        now: Callable[[], float],
        defaults: Mapping[str, Any],
    ) -> None:
        """Take where to keep things, whom to tell of changes, and the clock on the wall."""
        self.lock = threading.RLock()
        self.store, self.kept, self.now = store, kept, now
        self.watching: Watching | None = None
        self._publish = publish
        self._match: OpenMatch | None = None
        self._seen: SeenNow | None = None
        self._camera = CameraNow()
        self._settings = {**defaults, **kept.get("settings", {})}
        self._version = int(now() * 1000)

    # --- looking -----------------------------------------------------------------------------------------

    def view(self) -> View:
        """Return all that a snapshot is made of."""
        with self.lock:
            return View(self._version, self._match, self._seen, self._camera, dict(self._settings))

    @property
    def version(self) -> int:
        """The number of the last change."""
        return self._version

    @property
    def match(self) -> OpenMatch:
        """The match on the desk; WrongMoment where there is none."""
        if self._match is None:
            raise WrongMoment("no-match")
        return self._match

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the table."""
        return dict(self._settings)

    def lying(self) -> SeenNow:
        """The table as it lies, by camera, hand or log."""
        return self._seen if self._seen is not None else self.match.table_now()

    @property
    def seen(self) -> SeenNow | None:
        """What the camera sees."""
        return self._seen

    # --- opening and closing -----------------------------------------------------------------------------

    def begin(self, title: str, mode: Mode, start: StartMatch) -> None:
        """Begin a match and lay it on the desk; Refused where the referee refuses it."""
        with self.lock:
            first = self._checked(start)
            _, outcome = Keeper(GameState(), 0).take(first)
            if outcome.verdict == "illegal":
                raise Refused.saying(outcome.problems[0])
            at = self.now()
            clock = Clock(at, running=False)
            match_id = self.store.create(title, mode, [first], at, {"clock": clock.to_json()})
            self._lay(self.store.load(match_id))
            self.tell(Note("match-begins"))

    def open(self, match_id: str, away_since: float | None = None) -> None:
        """Lay a kept match on the desk; if the program was away from it, its clock stopped at that moment."""
        with self.lock:
            self._lay(self.store.load(match_id))
            now = self.now()
            match = self.match
            since = (
                match.clock.anchor_wall_s if away_since is None else max(away_since, match.clock.anchor_wall_s)
            )
            said = [Note("match-opened")]
            if match.clock.running and now - since > AWAY_S:
                self.commit(clock=match.clock.paused(since))
                said.append(Note("paused-away"))
            self.tell(*said)

    def close(self) -> None:
        """Take the match from the desk; its clock stands still."""
        with self.lock:
            self.commit(clock=self.match.clock.paused(self.now()))
            self._match, self._seen = None, None
            self.kept.set("open", None)
            self.tell(Note("match-closed"))

    def _lay(self, stored: StoredMatch) -> None:
        working = stored.working
        clock = (
            Clock.from_json(working["clock"]) if "clock" in working else Clock(stored.started_at, running=False)
        )
        self._match = OpenMatch(
            stored.id,
            stored.title,
            stored.mode,
            stored.started_at,
            Ledger.of(stored.entries),
            stored.notes,
            clock,
            racks_from_json(working.get("racks", {})),
            working.get("typed"),
        )
        self._seen = None
        self.kept.set("open", stored.id)

    # --- writing -----------------------------------------------------------------------------------------

    def preview(self, event: Event) -> tuple[Event, Any, GameState]:
        """Return the event in canonical form, what the referee would say of it now, and the match after it."""
        event = self._checked(event)
        ledger = self.match.ledger
        if isinstance(event, Correct):
            after = ledger.added(Entry(event, self.now()))
            return event, after.outcomes[-1], after.state
        state, outcome = Keeper(ledger.state, len(ledger.entries)).take(event)
        return event, outcome, state

    def log(self, event: Event, *said: Note, picture: str | None = None, by_watcher: bool = False) -> Any:
        """Write an event and what follows from it for the clock; return what the referee says of it."""
        with self.lock:
            match = self.match
            event, outcome, _ = self.preview(event)
            now = self.now()
            entry = Entry(event, now, picture)
            ledger = match.ledger.added(entry)
            self.commit(event=entry, ledger=ledger, clock=self._clock_after(ledger, event))
            self.tell(*said)
            if self.watching is not None and not by_watcher:
                self.watching.log_changed()
            return outcome

    def _clock_after(self, ledger: Ledger, event: Event) -> Clock:
        match, now = self.match, self.now()
        old, new = match.state, ledger.state
        if (old.turn, old.turn_began_s, old.phase) == (new.turn, new.turn_began_s, new.phase):
            return match.clock.anchored(now)
        if isinstance(event, Correct):
            undone = match.ledger.effective[event.of] if event.to is None else None
            t_s = getattr(undone, "t_s", None) or new.turn_began_s
            return match.clock.wound_to(t_s, now) if t_s is not None else match.clock.new_turn(now)
        clock = match.clock.new_turn(now)
        return clock.resumed(now) if new.phase == "playing" else clock.paused(now)

    def note(self, note: Mapping[str, Any], *said: Note, clock: Clock | None = None) -> None:
        """Write a note beside the log."""
        with self.lock:
            self.commit(note=note, clock=clock)
            self.tell(*said)

    def commit(
        self,
        *,
        event: Entry | None = None,
        ledger: Ledger | None = None,
        note: Mapping[str, Any] | None = None,
        clock: Clock | None = None,
        racks: Mapping[int, RackNow] | None = None,
        typed_table: str | Literal[False] | None = False,
    ) -> None:
        """Write changes in one transaction, then take them over; nobody is told yet.

        A turn that changes hands clears the table that was typed; a game that begins clears the racks.
        """
        with self.lock:
            match, now = self.match, event.recorded_at if event is not None else self.now()
            changed = match
            if event is not None and ledger is not None:
                changed = replace(changed, ledger=ledger)
            if note is not None:
                changed = replace(changed, notes=(*match.notes, NoteEntry(note, now)))
            if clock is not None:
                changed = replace(changed, clock=clock)
            if racks is not None:
                changed = replace(changed, racks=racks)
            if typed_table is not False:
                changed = replace(changed, typed=typed_table)
            elif changed.state.table != match.state.table or changed.turn != match.turn:
                changed = replace(changed, typed=None)
            if changed.state.phase != match.state.phase and changed.state.phase in ("playing", "set-up"):
                changed = replace(changed, racks={})
            with self.store.write(match.id, now) as writing:
                if event is not None:
                    writing.events(len(match.ledger.entries), [event.event], event.picture)
                if note is not None:
                    writing.note(len(match.notes), note)
                if changed.clock != match.clock:
                    writing.working("clock", changed.clock.to_json())
                if changed.racks != match.racks:
                    writing.working("racks", racks_to_json(changed.racks) or None)
                if changed.typed != match.typed:
                    writing.working("typed", changed.typed)
            self._match = changed

    def tell(self, *said: Note) -> None:
        """Let everyone know that something changed, and announce ``said``."""
        with self.lock:
            self._version = max(self._version + 1, int(self.now() * 1000))
            self._publish(self._version, said)

    def set_settings(self, changes: Mapping[str, Any]) -> None:
        """Keep settings of the table."""
        with self.lock:
            self._settings.update(changes)
            self.kept.set("settings", self._settings)

    # --- the camera --------------------------------------------------------------------------------------

    def see(self, seen: SeenNow | None, **camera: Any) -> None:
        """Take what the camera sees now; corrections of tiles that still lie there stay."""
        with self.lock:
            if seen is not None and self._seen is not None:
                keys = seen.all_keys
                kept = {key: tile for key, tile in self._seen.corrected.items() if key in keys}
                seen = replace(seen, corrected={**kept, **seen.corrected})
            self._seen = seen
            self._camera = replace(self._camera, **camera)
            self.tell()

    def camera(self, *said: Note, **changes: Any) -> None:
        """Take what is to be said of the camera."""
        with self.lock:
            self._camera = replace(self._camera, **changes)
            self.tell(*said)

    def read_as(self, key: str, seen: Any) -> None:
        """Put one reading of the table as it lies right; NotFound for a tile that lies there no more."""
        with self.lock:
            lying = self.lying()
            if key not in lying.all_keys:
                raise NotFound("no-such-tile")
            put_right = lying.with_tile(key, seen)
            try:
                table = put_right.table
            except ValueError as error:
                raise Refused("bad-notation", why=str(error)) from error
            if lying.source == "camera":
                self._seen = put_right
            else:
                self.commit(typed_table=str(table))
            self.tell()

    def _checked(self, event: Event) -> Event:
        try:
            return event_from_json(event_to_json(event))
        except RefereeError as error:
            raise Refused("bad-notation", why=str(error)) from error
