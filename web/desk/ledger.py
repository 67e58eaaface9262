"""The log of a match, gone through: what counts, and the state after every event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee import Correct, Draw, Event, GameState, Outcome, Pass, Play, Racks, TimeOut, replay
from referee.keeper import Keeper
from web.store.matches import Entry

__all__ = ["TURN_EVENTS", "Ledger"]

TURN_EVENTS = (Play, Draw, Pass, TimeOut)
"""What ends a turn."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """A log with its judgement, always what ``referee.replay`` makes of it."""

    entries: tuple[Entry, ...] = ()
    """The log."""
    effective: tuple[Event | None, ...] = ()
    """Every event as later corrections make it; None for one that was taken back, and for corrections."""
    states: tuple[GameState, ...] = ()
    """The match after each event."""
    outcomes: tuple[Outcome, ...] = ()
    """What the referee says of each."""
    corrected_by: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """The corrections of each event that has any, in order."""

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> Ledger:
        """Go through a log."""
        events = [entry.event for entry in entries]
        outcomes = replay(events).outcomes
        effective: list[Event | None] = list(events)
        corrected_by: dict[int, tuple[int, ...]] = {}
        for number, event in enumerate(events):
            if isinstance(event, Correct):
                effective[number] = None
                if outcomes[number].verdict == "legal":
                    effective[event.of] = event.to
                    corrected_by[event.of] = (*corrected_by.get(event.of, ()), number)
        states = []
        state = GameState()
        for number, now in enumerate(effective):
            if now is not None:
                state, _ = Keeper(state, number).take(now)
            states.append(state)
        return cls(tuple(entries), tuple(effective), tuple(states), outcomes, corrected_by)

    def added(self, entry: Entry) -> Ledger:
        """The log with one more event."""
        if isinstance(entry.event, Correct):
            return Ledger.of((*self.entries, entry))
        state, outcome = Keeper(self.state, len(self.entries)).take(entry.event)
        return Ledger(
            (*self.entries, entry),
            (*self.effective, entry.event),
            (*self.states, state),
            (*self.outcomes, outcome),
            self.corrected_by,
        )

    @property
    def state(self) -> GameState:
        """The match after the last event."""
        return self.states[-1] if self.states else GameState()

    @property
    def events(self) -> tuple[Event, ...]:
        """The log without what is kept beside it."""
        return tuple(entry.event for entry in self.entries)

    def before(self, number: int) -> GameState:
        """The match before event ``number``."""
        return self.states[number - 1] if number else GameState()

    def _begins_game(self, number: int) -> bool:
        return self.states[number].phase == "playing" and self.before(number).phase not in ("playing", "ended")

    def game_of(self, number: int) -> int:
        """Which game an event belongs to, from 0; -1 before the first deal."""
        return sum(self._begins_game(n) for n in range(number + 1)) - 1

    @property
    def game_began(self) -> int:
        """The number of the event with which this game began; -1 before the first."""
        return max((n for n in range(len(self.entries)) if self._begins_game(n)), default=-1)

    def counts(self, number: int) -> bool:
        """True for an event that changed the match."""
        return self.effective[number] is not None and self.states[number] != self.before(number)

    def last_step(self) -> int | None:
        """The number of the last event that changed the match or tried to end a turn, its start apart."""
        for number in range(len(self.entries) - 1, 0, -1):
            if self.counts(number) or isinstance(self.effective[number], TURN_EVENTS):
                return number
        return None

    def last_turn(self) -> int | None:
        """The number of the last event of this game that tried to end a turn, counting or not."""
        for number in range(len(self.entries) - 1, self.game_began, -1):
            if isinstance(self.effective[number], TURN_EVENTS):
                return number
        return None

    def has_fouled(self, seat: int | None) -> bool:
        """Whether the last turn was an illegal one of ``seat``, who has to put it back."""
        last = self.last_turn()
        if last is None or self.outcomes[last].verdict != "illegal":
            return False
        return getattr(self.effective[last], "seat", None) == seat

    def puts_back(self, number: int) -> bool:
        """Whether event ``number`` ends a putting-back: a time-out right after a foul of the same player."""
        event = self.effective[number]
        if not isinstance(event, TimeOut) or self.outcomes[number].verdict == "illegal":
            return False
        turns = (
            n for n in range(number - 1, self.game_began, -1) if isinstance(self.effective[n], TURN_EVENTS)
        )
        last = next(turns, None)
        if last is None or self.outcomes[last].verdict != "illegal":
            return False
        return getattr(self.effective[last], "seat", None) == event.seat

    def turns_taken(self) -> int:
        """How many turns of this game are over."""
        numbers = range(self.game_began + 1, len(self.entries))
        return sum(isinstance(self.effective[n], TURN_EVENTS) and self.counts(n) for n in numbers)

    def racks_scored(self) -> int | None:
        """The number of the racks by which the last game was scored; None while another one is played."""
        if self.state.phase != "set-up":
            return None
        for number in range(len(self.entries) - 1, self.game_began, -1):
            if isinstance(self.effective[number], Racks) and self.counts(number):
                return number
        return None

    def racks_in_question(self) -> int | None:
        """The number of this game's shown racks that the referee has questions about."""
        for number in range(len(self.entries) - 1, self.game_began, -1):
            if isinstance(self.effective[number], Racks) and self.outcomes[number].verdict == "ask":
                return number
        return None
