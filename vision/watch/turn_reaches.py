"""The reaches of the turn under way: those that left the table as it was, and those that changed it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf

from vision.readings import Corners
from vision.watch.pace import Pace
from vision.watch.reach import Reach
from vision.watch.seats import SeatPlaces

__all__ = ["ALONE", "TurnReaches", "pauses_s"]

ALONE = 0.9
"""Share of a reach that came from one place from which on nobody else was there."""
_EARLY_S = 0.5
"""A hand that came longer before a turn began was one of the turn before."""


class TurnReaches:
    """Keeps them, and learns from a turn that is over where its player reaches in."""

    def __init__(self, places: SeatPlaces) -> None:
        """``places`` outlives the turns."""
        self.places = places
        self.visits: list[Reach] = []
        """Reaches in this turn that left the table as it was."""
        self.changes: list[Reach] = []
        """Reaches in this turn since the table is not as it was, the one that changed it first among them."""
        self.idle: list[Reach] = []
        """Reaches in this turn that left the changed table as it was, as far as was seen then."""
        self.left_s = -inf
        """When the last hands of the turn before were gone."""
        self.pace = Pace()
        self._paused_before_s: list[float] = []
        """Pauses between those who changed the table in the turn before."""
        self._open: list[Reach] = []
        self._held: list[Reach] = []
        """Those before the last look, while nothing has moved since: a later look may show what they did."""
        self._earlier: list[Reach] = []
        """The same before those that have come since then."""

    @property
    def odds_of_beginning(self) -> float:
        """How many times as likely the pause before the first of these hands is between two turns as within."""
        first_s = self.came_first_s
        if not 0 < self.left_s < first_s:
            return 1.0
        return self.pace.odds(first_s - self.left_s, self._paused_before_s)

    @property
    def came_first_s(self) -> float:
        """When the first hands of this turn came; minus infinity where none did."""
        return min((reach.begin_s for reach in (*self.visits, *self.changes)), default=-inf)

    def odds_of_end(self, pause_s: float) -> float:
        """The same where nobody has come for so long since the table was changed."""
        return self.pace.odds(pause_s, pauses_s(self.changes))

    def reached(self, reach: Reach) -> None:
        """A reach is over, and nobody has looked yet at what it left."""
        self._open.append(reach)
        self._earlier, self._held = self._held or self._earlier, []

    @property
    def _came(self) -> list[Reach]:
        """Reaches that left what lies there now."""
        return self._open or self._held

    @property
    def came_s(self) -> float | None:
        """When the last of those came; None where none did."""
        return self._came[-1].begin_s if self._came else None

    @property
    def gone_s(self) -> float:
        """When the last hands were gone that left what lies there now; some have come."""
        return max(reach.end_s for reach in self._came)

    def changed_at(self, quads: Sequence[Corners], *, more_move: bool = False) -> None:
        """The table lies otherwise at these places, (4, 2) pixels each: hands that were at none did not do it.

        They count as those that left it as it was; all of them only where ``more_move`` over it yet.
        """
        were = [reach.at(quads) for reach in self._came]
        none_was_there = more_move and not any(were)
        if not none_was_there and not any(reach is not None and reach.arms for reach in were):
            return
        rest = [reach for reach in self.visits if reach not in self._came]
        self.visits = rest + [reach for reach, at in zip(self._came, were, strict=True) if at is None]
        there = [reach for reach in were if reach is not None]
        self._held, self._open = ([], there) if self._open else (there, [])

    def changed_earlier(self, quads: Sequence[Corners]) -> bool:
        """What lies otherwise at these places was so in the last look, which could not tell.

        Return whether those before it did that, and none that came since was there, as far as it was seen.
        """
        were = [reach.at(quads) if reach.arms else reach for reach in self._open]
        if not (self._open and self._earlier) or any(were):
            return False
        self.visits = [reach for reach in self.visits if reach not in self._earlier] + self._open
        self._held, self._open = self._earlier, []
        return True

    def looked(self, *, changed: bool, anew: bool = True) -> None:
        """The table was read: it lies as when the turn began, or is ``changed``; ``anew`` since the last look.

        Hands that left a changed table as it was are not those that changed it.
        """
        if changed and anew:
            self.visits = [reach for reach in self.visits if reach not in self._held]
            self.changes += [reach for reach in self._came if not any(reach is one for one in self.changes)]
            self.idle = [reach for reach in self.idle if not any(reach is one for one in self._came)]
        elif changed:
            self.idle += self._open
        else:
            # A second look may have shown what those before it did, who seemed to have left it as it was.
            idle_s = {reach.begin_s for reach in self.idle}
            shown = [reach for reach in self._held if reach.begin_s in idle_s]
            self.visits += [*self.changes, *shown, *self._open]
            self.changes, self.idle = [], []
        self._held, self._open, self._earlier = self._came, [], []

    def turn_over(self, seat: int | None, from_to_s: tuple[float, float], *, certain: bool) -> None:
        """A turn of ``seat``, from when to when, is over; learn where that player's hands come from.

        Without ``certain``, turns may have gone by unseen, and this was another player's.
        """
        if seat is not None and certain:
            start_s, end_s = from_to_s
            own = [r for r in (self.changes or self.visits) if start_s - _EARLY_S <= r.begin_s < end_s]
            if self.changes and own:
                self.places.check(seat, own)
            # Of those who came for nothing, the last is whose turn ended with it, if nobody came besides.
            alone = [reach for reach in own[-1:] if reach.share >= ALONE]
            for reach in own if self.changes else alone:
                self.places.learn(seat, reach)
            if self.changes:
                self.pace.learn(within_s=pauses_s(own))
        if came := [*self.visits, *self.changes]:
            first_s = min(reach.begin_s for reach in came)
            if first_s > self.left_s > 0:
                self.pace.learn(between_s=[first_s - self.left_s])
            self.left_s = max(reach.end_s for reach in came)
        self._paused_before_s = pauses_s(self.changes)
        self.visits, self.changes, self.idle, self._earlier = [], [], [], []


def pauses_s(reaches: Sequence[Reach]) -> list[float]:
    """Return how long nobody came between these."""
    return [after.begin_s - before.end_s for before, after in pairwise(reaches)]
