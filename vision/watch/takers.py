"""Who left the table as it was in the turn under way, and may have drawn: by where hands came from."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from vision.readings import Corners
from vision.watch.comers import HARDLY, SOON_S, TURN_S, Comers
from vision.watch.reach import Reach
from vision.watch.seats import RATHER, SURE_OF_NEW, by_one, from_elsewhere, is_ones, same_place

__all__ = ["Takers"]


class Takers(Comers):
    """What the reaches that left the table as it was say of who took backs."""

    def took_it(self, seat: int | None, went_s: float) -> bool:
        """True where what had gone by ``went_s`` surely went with the hands of that ``seat``."""
        came = list(filter(is_ones, self._gone_by(went_s)))
        if not came or self.changes or not self.places.well_known:
            return False
        return seat is not None and self.places.seat_of([max(came, key=attrgetter("end_s"))]) == seat

    def took(self, went_s: Sequence[float]) -> list[Reach]:
        """Return whose hands, of those that left the table as it was, were gone last before each moment."""
        return [max(came, key=attrgetter("end_s")) for came in map(self._gone_by, went_s) if came]

    def took_rather(self, seat: int | None, other: int, went_s: float) -> bool:
        """True where what had gone by ``went_s`` went rather with the hands of that ``seat``, who came last.

        So it did with any that followed these at once, unless they were nearly surely the ``other`` seat's.
        """
        if seat is None or self.changes:
            return False
        own, goes_on, left_s = False, True, self.left_s
        for reach in sorted(self._visits_so_far, key=attrgetter("end_s")):
            if reach.end_s <= went_s:
                shares = self.places.shares([reach]) if is_ones(reach) else [0.0] * self.places.seats
                at_once = goes_on and reach.begin_s - left_s < TURN_S and shares[other] < SURE_OF_NEW
                own = goes_on = shares[seat] > RATHER or at_once
                left_s = reach.end_s
        return own

    def stayed_until_s(self, seat: int, went_s: float) -> float:
        """When the ``seat``'s hands, with which a back had gone by ``went_s``, were gone at last.

        Whoever has drawn closes the gap, or puts the pool or a row straight: they came back soon, from where
        they drew or lay tiles, and left the table as it was.
        """
        last, until_s = None, went_s
        for reach in sorted(filter(is_ones, self._visits_so_far), key=attrgetter("end_s")):
            if reach.end_s > went_s:
                if last is None or reach.begin_s - last.end_s >= SOON_S:
                    break
                knows, share = self.places.knows(seat), self.places.shares([reach])[seat]
                if not (share > RATHER if knows else same_place(last, reach)):
                    break
                until_s = reach.end_s
            last = reach
        return until_s

    @property
    def _visits_so_far(self) -> list[Reach]:
        """Those that left the table as it was, and those since the last look, each once."""
        return [*self.visits, *(reach for reach in self._came if reach not in self.visits)]

    def _gone_by(self, went_s: float) -> list[Reach]:
        """Those of them that were gone by a moment."""
        return [reach for reach in self._visits_so_far if reach.end_s <= went_s]

    def next_took_it(
        self, acting: int, other: int, went_s: float, pool: Sequence[Corners] | None = None
    ) -> bool:
        """True where what had gone by ``went_s`` went with the ``other`` seat's hands, after ``acting``'s.

        Those count that are known to have been at places of the ``pool``, (4, 2) pixels each, if it is given.
        """
        came = list(filter(is_ones, self._gone_by(went_s)))
        if pool is not None:
            came = [reach for reach in came if reach.arms and reach.at(pool) is not None]
        if self.changes:
            return False
        if self.places.well_known:
            return self._are_anothers(self._after_own(came, acting), acting, other)
        return self._came_there_after(came, acting, other)

    def _came_there_after(self, came: Sequence[Reach], acting: int, other: int) -> bool:
        """True where the last came from just where the ``other`` seat's came before, right after ``acting``'s.

        Far from these, which came from where nobody else's ever did, and from all that ever were ``acting``'s.
        """
        places = self.places
        theirs = [reach for reach in came if places.came_just_there(other, reach)]
        before = [reach for reach in came if reach not in theirs]
        if not theirs or not before or came != [*before, *theirs] or not self._may_only_be(acting, before[-1]):
            return False
        return all(
            from_elsewhere(before[-1], reach) and places.came_elsewhere(acting, reach) for reach in theirs
        )

    def _may_only_be(self, seat: int, reach: Reach) -> bool:
        """True where it came from far from all that were ever others', and not from all of the seat's own."""
        others = (one for one in range(self.places.seats) if one != seat)
        if self.places.knows(seat) and self.places.came_elsewhere(seat, reach):
            return False
        return all(self.places.came_elsewhere(other, reach) for other in others)

    def came_round(self, acting: int, went_s: float) -> int:
        """Return how many came in the order of play from the ``acting`` seat on before who took a back.

        It had gone by ``went_s``. At least two, all for nothing and each rather at the own place, and the last
        was hardly ``acting``: so many do not reach in one after the other out of turn. Else 0.
        """
        came = [reach for reach in self.visits if is_ones(reach) and reach.begin_s < went_s]
        if self.changes or not came or not self.places.tell_apart:
            return 0
        passed, players = -1, self.places.seats
        for reach in came:
            shares = self.places.shares([reach])
            if passed + 1 < players and shares[(acting + passed + 1) % players] > RATHER:
                passed += 1
            elif passed < 0 or shares[(acting + passed) % players] <= RATHER:
                return 0
        return passed if passed > 1 and shares[acting] < HARDLY else 0

    def only_visited(self, seat: int) -> bool:
        """True where all hands that left the table as it was in this turn surely were this seat's."""
        return bool(self.visits) and self._all_surely(self.visits, seat)

    def came_for_nothing(self, seat: int) -> bool:
        """True where hands that were rather this seat's than all others' came and left the table as it was."""
        own = [reach for reach in self.visits if is_ones(reach)]
        if not self.places.knows(seat):
            return any(self.places.seat_of([reach]) == seat for reach in own)
        return any(self.places.shares([reach])[seat] > RATHER for reach in own)

    def came_in_turn(self, seat: int) -> list[float]:
        """When hands were gone that came for nothing in the order of play from ``seat`` on, before those that
        changed the table: turns that left nothing to see.

        Those whose place is not known yet are told apart by where they came from. Who comes as somebody leaves
        hands something over, or talks: nobody's turn is that short.
        """
        counted: list[Sequence[Reach]] = []
        players = self.places.seats
        for visit in by_one(filter(is_ones, self.visits)):
            whose, turn_of = self.places.seat_of(visit), (seat + len(counted)) % players
            if whose is None and (self.places.knows(turn_of) or self.places.is_known(visit[-1])):
                continue
            if counted and whose == (turn_of - 1) % players:
                counted[-1] = visit
            elif counted and visit[0].begin_s - counted[-1][-1].end_s < TURN_S:
                continue
            elif whose in (None, turn_of):
                counted.append(visit)
        ends_s = [visit[-1].end_s for visit in counted]
        actor = self.foremost
        if actor is not None:
            passed = (actor - seat) % players
            return ends_s[: len(ends_s) - (len(ends_s) - passed) % players] if len(ends_s) >= passed else []
        own = counted and any(is_ones(reach) and same_place(reach, counted[-1][-1]) for reach in self.changes)
        return ends_s[:-1] if own else ends_s
