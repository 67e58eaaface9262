"""Who acts, by where the hands of the turn under way came from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import takewhile

from vision.readings import Corners
from vision.watch.comers import HARDLY, NOT_THEIRS
from vision.watch.reach import Reach, Touch
from vision.watch.seats import (
    LEAST_FRAMES,
    RATHER,
    SURE,
    are_from_one_place,
    from_elsewhere,
    is_ones,
    same_place,
)
from vision.watch.takers import Takers

__all__ = ["Actors"]

_MAY_BE = 0.4
"""Probability of a seat from which on a reach may well be that seat's."""
_SURELY_NOT = 0.005
"""Probability of a seat under which hands were not its own: one reach from elsewhere leaves more."""
_NOBODY_ELSES = 0.95
"""Probability of a seat from which on hands are told from all others', whoever else is mistaken for whom."""
_AT_ONCE_S = 6.0
"""Whoever draws and waits longer with the play may have let another one draw between, out of view."""
_LOOKED_S = 1.0
"""For so long nobody was there, and the table was looked at."""


class Actors(Takers):
    """What the reaches of the turn under way say of whose it is."""

    def may_not_be(self, seat: int, later: Sequence[Reach]) -> bool:
        """True where some that changed the table in this turn, ``later`` ones, may have been another seat's."""
        if not self.places.told_apart or not any(map(is_ones, later)):
            return True
        return self.places.shares(later)[seat] < SURE

    def may_have_gone_on(self, since: Sequence[Reach]) -> bool:
        """True where those that changed the table may be who came ``since`` a moment of the turn before."""
        return not any(from_elsewhere(one, other) for one in since for other in self.changes if is_ones(other))

    def only_came_since(self, since_s: float, ones: Sequence[Reach], until_s: float = math.inf) -> bool:
        """True where all hands of that time came from the one place from where ``ones`` did, as far as seen."""
        return are_from_one_place(self._since(since_s, until_s), [reach for reach in ones if is_ones(reach)])

    def rather_came_since(self, acting: int, other: int, since_s: float, until_s: float = math.inf) -> bool:
        """True where hands were seen then, and each may be the ``acting`` seat's, hardly ``other``'s."""
        since = [reach for reach in self._since(since_s, until_s) if is_ones(reach)]
        shares = [self.places.shares([reach]) for reach in since]
        return bool(since) and all(one[other] < NOT_THEIRS and one[acting] > HARDLY for one in shares)

    def _since(self, since_s: float, until_s: float) -> list[Reach]:
        return [r for r in (*self.visits, *self.changes, *self._open) if since_s < r.end_s <= until_s]

    def left_it_to(self, seat: int, following: int, since_s: float) -> tuple[float, list[Reach]] | None:
        """Return when that ``seat``'s hands were gone since then, and the ``following`` one's that came after.

        None where it is not surely they who were there first, and these alone after them.
        """
        came = sorted((*self.visits, *self.idle, *self.changes), key=lambda reach: reach.end_s)
        last_s = max((reach.end_s for reach in self.changes), default=since_s)
        later = [r for r in came if is_ones(r) and r.begin_s >= since_s and r.end_s <= last_s]
        theirs = [self.places.shares([reach])[following] > RATHER for reach in later]
        own = len(later) - sum(1 for _ in takewhile(bool, reversed(theirs)))
        if not 0 < own < len(later) or self.places.shares(later[own:])[following] < SURE:
            return None
        if self.places.shares([later[own - 1]])[seat] < SURE:
            return None
        return later[own - 1].end_s, later[own:]

    def surely_changed_it(self, seat: int | None, since_s: float) -> bool:
        """True where all hands that changed the table came since then, and surely were that seat's."""
        if seat is None or self.seat != seat or not self.places.well_known:
            return False
        came = [reach for reach in self.changes if is_ones(reach) and reach.begin_s >= since_s]
        return len(came) == len(self.changes) and self.places.shares(came)[seat] >= SURE

    def all_were(self, seat: int, places: Sequence[Corners], went_s: float | None) -> bool:
        """True where all who came to places, (4, 2) pixels each, surely were this seat, and played at once.

        Others may have come and gone before it: ``went_s`` is when a back was first seen to be gone from there.
        """
        came = [reach for reach in self._at(places) if reach.frames >= LEAST_FRAMES]
        while len(came) > 1 and went_s is not None and self.places.seat_of(came[:1]) not in (None, seat):
            if came[1].begin_s - came[0].end_s < _LOOKED_S or went_s < came[1].end_s:
                break
            came = came[1:]
        if not came or not all(is_ones(reach) for reach in came) or self.seat != seat:
            return False
        if not (self.places.well_known and self.places.seat_of(came) == seat):
            return False
        each = min(self.places.shares([reach])[seat] for reach in came)
        played = min(self.places.shares([reach])[seat] for reach in self.changes if is_ones(reach))
        if not self.places.tell_apart and min(each, played) < _NOBODY_ELSES:
            return False
        waited_s = self.changes[0].begin_s - came[-1].end_s
        return each > RATHER and waited_s <= _AT_ONCE_S

    def changed_it_since(self, seat: int, since_s: float) -> bool:
        """True where hands that changed the table came since then, and rather were that seat's."""
        came = [reach for reach in self.changes if is_ones(reach) and reach.begin_s >= since_s]
        return bool(came) and self.places.knows(seat) and self.places.shares(came)[seat] > RATHER

    def _at(self, places: Sequence[Corners]) -> list[Reach]:
        """Return what of those that left the table as it was in this turn may have been at places.

        All of them where none was, or no place is given: of a heap it is hard to see which one has gone.
        """
        there = [reach.at(places) or reach for reach in self.visits if _at_any([reach], places)]
        return there or self.visits

    def were_there_until_s(
        self, seat: int | None, places: Sequence[Corners], within_s: tuple[float, float]
    ) -> float | None:
        """When hands rather of that ``seat`` than of all others had gone from places, (4, 2) pixels each.

        Of those that came and went within a time and left the table as it was; None where none was there.
        """
        begin_s, end_s = within_s
        came = [r for r in self.visits if r.begin_s > begin_s and r.end_s <= end_s and is_ones(r)]
        there = [r for r in came if _at_any([r], places)]
        own = [r.end_s for r in there if seat is not None and self.places.shares([r])[seat] > RATHER]
        return max(own, default=None)

    def some_came_to(self, places: Sequence[Corners]) -> bool:
        """True where some that left the table as it was in this turn may have been at places, (4, 2) each."""
        return _at_any(self.visits, places)

    def were_there_first(self, seat: int, places: Sequence[Corners]) -> bool:
        """True where of all hands in this turn only some of that ``seat`` were at places, (4, 2) pixels each.

        They came for nothing, before any that changed the table.
        """
        if _at_any(self.changes, places):
            return False
        there = [reach for reach in self.visits if _at_any([reach], places)]
        return bool(there) and all(
            is_ones(reach)
            and reach.stirred is not None
            and reach.end_s <= self.changes[0].begin_s
            and self.places.shares([reach])[seat] > RATHER
            for reach in there
        )

    @property
    def same_hands_changed_it_last(self) -> bool:
        """True where those who came before in this turn, as far as places tell, changed the table last."""
        if not self.changes:
            return False
        last = self.changes[-1]
        rest = [r for r in (*self.visits, *self.changes[:-1]) if r.frames >= LEAST_FRAMES]
        later = any(r.begin_s > last.begin_s for r in (*self.visits, *self._came))
        return bool(rest) and not later and is_ones(last) and all(same_place(last, r) for r in rest)

    @property
    def all_came_from_there(self) -> bool:
        """True where whoever left the table as it was in this turn came from where those did who changed it."""
        ones = all(map(is_ones, (*self.visits, *self.changes)))
        return ones and all(same_place(visit, change) for visit in self.visits for change in self.changes)

    def are_hardly(self, seat: int) -> bool:
        """True where those who changed the table were hardly this seat, by any of their reaches and by all."""
        return self._exclude(seat, HARDLY)

    def surely_not(self, seat: int) -> bool:
        """True where the hands that changed the table came more than once, and not from this seat's place.

        Or where all of them came from far away from all that ever were this seat's, a few at least.
        """
        if not self.places.tell_apart:
            return False
        well_known = self.places.is_well_known(seat)
        far = all(is_ones(reach) and self.places.came_elsewhere(seat, reach) for reach in self.changes)
        enough = well_known or (self.places.was_seen_twice(seat) and len(self.changes) > 1)
        return (far and enough and bool(self.changes)) or (well_known and self._exclude(seat, _SURELY_NOT))

    def _exclude(self, seat: int, below: float) -> bool:
        if any(self.places.shares([r])[seat] >= _MAY_BE for r in self.changes if is_ones(r)):
            return False
        return self.directed and self.places.shares(self.changes)[seat] < below

    def changed_s(self, acting: int) -> float | None:
        """When the hands were gone that changed the table last.

        None where nobody saw who was where, or where those that came since may be the ``acting`` seat's.
        """
        if not self.changes or not all(reach.arms for reach in self.changes):
            return None
        last = self.changes[-1]
        since = [r for r in (*self.visits, *self._came) if r.begin_s > last.begin_s and r.frames]
        others = all(is_ones(r) and self.places.shares([r])[acting] < RATHER for r in since)
        return last.end_s if others else None

    def is_rather(self, seat: int) -> bool:
        """True where the hands that changed the table are rather this seat's than all others' together."""
        return self.directed and self.places.knows(seat) and self.places.shares(self.changes)[seat] > RATHER

    def is_sooner_than(self, seat: int, other: int) -> bool:
        """True where those who changed the table may be this seat, and far sooner than the ``other``."""
        shares = self.places.shares(self.changes)
        known = self.directed and self.places.knows(other)
        return known and shares[seat] >= NOT_THEIRS and shares[other] < NOT_THEIRS * shares[seat]

    def rather_than(self, seat: int) -> list[int]:
        """Whose hands changed the table rather than this seat's; none where nobody knows."""
        if not self.is_rather_not(seat):
            return []
        shares = self.places.shares(self.changes)
        return [other for other, share in enumerate(shares) if share > shares[seat]]

    @property
    def have_laid_before(self) -> bool:
        """True where hands from where these came made a play that counts before, whoever's it was taken for."""
        return self.places.have_laid_from(self.changes)

    @property
    def have_never_laid(self) -> bool:
        """True where those who changed the table have made no play that counts, whoever they are."""
        return self.places.have_never_laid(self.changes)

    def are_sooner_anothers(self, seat: int) -> bool:
        """True where the hands that changed the table are another seat's with a higher probability."""
        shares = self.places.shares(self.changes)
        return self.directed and shares[seat] < max(shares)

    def is_rather_not(self, seat: int) -> bool:
        """True where the hands that changed the table are rather another seat's than this one's."""
        shares = self.places.shares(self.changes)
        return self.directed and shares[seat] < RATHER and shares[seat] < max(shares) / 2

    def last_took_one(self, since_s: float, places: Sequence[Corners]) -> bool:
        """True where of the hands in this turn only those that came ``since_s`` were at one of some places.

        All places, (4, 2) pixels each, are empty now, and at each of the others hands were before.
        """
        last = [reach for reach in self.visits if reach.end_s > since_s]
        before = [reach for reach in self.visits if reach.end_s <= since_s]
        alone = [place for place in places if not _at_any(before, [place])]
        return len(alone) == 1 and _at_any(last, alone)


def _at_any(reaches: Iterable[Reach], places: Sequence[Corners]) -> bool:
    """Say whether some may have been at one of these places, (4, 2) pixels each."""
    touch = Touch(tuple(reach.stirred for reach in reaches))
    return any(touch.at(place) for place in places)
