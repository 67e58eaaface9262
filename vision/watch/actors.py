"""Who acts, by where the hands of the turn under way came from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vision.readings import Corners
from vision.watch.reach import Reach, Touch
from vision.watch.seats import (
    LEAST_FRAMES,
    RATHER,
    SURE,
    SURE_OF_NEW,
    are_from_one_place,
    by_one,
    from_elsewhere,
    is_ones,
    same_place,
)
from vision.watch.turn_reaches import ALONE, TurnReaches

__all__ = ["Actors"]

_BETWEEN = 0.15
"""How much seldomer than those two someone else comes between a player and the next one."""
_NOT_THEIRS = 0.15
"""Probability of a seat under which a reach is rather another's, who may have changed the table as well."""
_MAY_BE = 0.4
"""Probability of a seat from which on a reach may well be that seat's."""
_AS_LIKELY = 0.9
"""Whoever is as likely as this share of the likeliest is not rather another, but one of two."""
_HARDLY = 0.03
"""Probability of a seat from which on hands may be its own: neighbours come from nearly the same place."""
_SURELY_NOT = 0.005
"""Probability of a seat under which hands were not its own: one reach from elsewhere leaves more."""
_NOBODY_ELSES = 0.95
"""Probability of a seat from which on hands are told from all others', whoever else is mistaken for whom."""
_AT_ONCE_S = 6.0
"""Whoever draws and waits longer with the play may have let another one draw between, out of view."""
_LOOKED_S = 1.0
"""For so long nobody was there, and the table was looked at."""
_TURN_S = 1.5
"""Less time between one player's hands and another's, and only one of them had a turn."""


class Actors(TurnReaches):
    """What the reaches of the turn under way say of whose it is."""

    @property
    def seat(self) -> int | None:
        """Who changed the table in this turn; None where that is not sure, or others came besides."""
        seat = self.foremost
        if seat is None:
            return None
        ones = [self.places.shares([reach])[seat] for reach in self.changes if is_ones(reach)]
        return seat if min(ones) >= _NOT_THEIRS else None

    @property
    def foremost(self) -> int | None:
        """Who changed the table in this turn by all reaches together, whoever came besides."""
        return self.places.seat_of(self.changes) if self.changes else None

    def may_not_be(self, seat: int, later: Sequence[Reach]) -> bool:
        """True where some that changed the table in this turn, ``later`` ones, may have been another seat's."""
        if not self.places.told_apart or not any(map(is_ones, later)):
            return True
        return self.places.shares(later)[seat] < SURE

    def may_have_gone_on(self, since: Sequence[Reach]) -> bool:
        """True where those that changed the table may be who came ``since`` a moment of the turn before."""
        return not any(from_elsewhere(one, other) for one in since for other in self.changes if is_ones(other))

    def only_came_since(self, since_s: float, ones: Sequence[Reach]) -> bool:
        """True where all hands since then came from the one place from where ``ones`` did, as far as seen."""
        since = [r for r in (*self.visits, *self.changes, *self._open) if r.end_s > since_s]
        return are_from_one_place(since, [reach for reach in ones if is_ones(reach)])

    def are_those(self, ones: Sequence[Reach]) -> bool:
        """True where all that changed the table in this turn came from the one place of ``ones``."""
        return are_from_one_place(self.changes, ones)

    def surely_changed_it(self, seat: int | None, since_s: float) -> bool:
        """True where all hands that changed the table came since then, and surely were that seat's."""
        if seat is None or self.seat != seat or not self.places.well_known:
            return False
        came = [reach for reach in self.changes if is_ones(reach) and reach.begin_s >= since_s]
        return len(came) == len(self.changes) and self.places.shares(came)[seat] >= SURE

    def is_anothers(self, reach: Reach, acting: int, other: int) -> bool:
        """True where the hands that come are the ``other`` seat's, and not of the one ``acting`` in this turn.

        Those that came since the last look count as well.
        """
        return self._are_anothers([*self._open, reach], acting, other)

    def comes_next(self, reach: Reach, acting: int, other: int) -> bool:
        """True where these hands are the ``other`` seat's, whoever came between the last look and them."""
        return self._are_anothers([reach], acting, other)

    def took_it(self, seat: int | None, went_s: float) -> bool:
        """True where what had gone by ``went_s`` surely went with the hands of that ``seat``."""
        came = [r for r in (*self.visits, *self._came) if is_ones(r) and r.end_s <= went_s]
        if not came or self.changes or not self.places.well_known:
            return False
        return seat is not None and self.places.seat_of([max(came, key=lambda r: r.end_s)]) == seat

    def next_took_it(self, acting: int, other: int, went_s: float) -> bool:
        """True where what had gone by ``went_s`` went with the ``other`` seat's hands, after ``acting``'s."""
        late = [reach for reach in self._came if reach not in self.visits]
        came = [reach for reach in (*self.visits, *late) if is_ones(reach) and reach.end_s <= went_s]
        if self.changes or not self.places.well_known:
            return False
        return self._are_anothers(self._after_own(came, acting), acting, other)

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
        return passed if passed > 1 and shares[acting] < _HARDLY else 0

    def _after_own(self, reaches: Sequence[Reach], acting: int) -> Sequence[Reach]:
        """Those that came after the last one that was surely the ``acting`` seat's; none where none was."""
        for at in reversed(range(len(reaches))):
            if is_ones(reaches[at]) and self.places.shares([reaches[at]])[acting] >= SURE:
                return reaches[at + 1 :]
        return ()

    def _are_anothers(self, reaches: Sequence[Reach], acting: int, other: int) -> bool:
        known = self.places.knows(other)
        if not reaches or not (known or (self.directed and any(is_ones(reach) for reach in reaches))):
            return False
        last = [reach for reach in self.changes if is_ones(reach)][-1:]
        if last and self.places.shares(last)[other] > RATHER:
            return False  # whoever's turn it was taken for, the same hands go on
        shares = self.places.shares(reaches, (acting, self.changes))
        if not known:
            shares[other] *= self.places.room(acting)
        sure = SURE if known else SURE_OF_NEW
        # Those whose turn it is not come between seldom; of those whom nobody knows either, one counts.
        others = [seat for seat in range(len(shares)) if seat not in (acting, other)]
        seen = [seat for seat in others if known or self.places.knows(seat)]
        new = max((shares[seat] for seat in others if seat not in seen), default=0.0)
        rest = sum(shares[seat] for seat in seen) + new
        return shares[other] >= sure * (shares[other] + shares[acting] + _BETWEEN * rest)

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

    def _at(self, places: Sequence[Corners]) -> list[Reach]:
        """Return what of those that left the table as it was in this turn may have been at places.

        All of them where none was, or no place is given: of a heap it is hard to see which one has gone.
        """
        there = [reach.at(places) or reach for reach in self.visits if _at_any([reach], places)]
        return there or self.visits

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

    def last_took_one(self, since_s: float, places: Sequence[Corners]) -> bool:
        """True where of the hands in this turn only those that came ``since_s`` were at one of some places.

        All places, (4, 2) pixels each, are empty now, and at each of the others hands were before.
        """
        last = [reach for reach in self.visits if reach.end_s > since_s]
        before = [reach for reach in self.visits if reach.end_s <= since_s]
        alone = [place for place in places if not _at_any(before, [place])]
        return len(alone) == 1 and _at_any(last, alone)

    def only_visited(self, seat: int) -> bool:
        """True where all hands that left the table as it was in this turn surely were this seat's."""
        return bool(self.visits) and self._all_surely(self.visits, seat)

    def _all_surely(self, reaches: Sequence[Reach], seat: int) -> bool:
        """True where each of them surely was this seat's, and hands have told whose they are."""
        surely = (is_ones(reach) and self.places.shares([reach])[seat] >= SURE for reach in reaches)
        return self.places.told_apart and all(surely)

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
            elif counted and visit[0].begin_s - counted[-1][-1].end_s < _TURN_S:
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

    def rather_anothers(self, reach: Reach, acting: int) -> bool:
        """True where the hands that came are rather not those of the seat that was ``acting`` in this turn."""
        if not is_ones(reach):
            return False
        return self.places.shares([*self._open, reach], (acting, self.changes))[acting] < RATHER

    def others_came(self, acting: int, *, surely: bool = False) -> bool:
        """True where those since the last look were rather not the seat ``acting`` in this turn, or hardly.

        Where they were that seat first and someone else then, the last ones tell.
        """
        return self._are_rather_not(self._late(acting), acting, _NOT_THEIRS if surely else RATHER)

    def others_were_there_s(self, acting: int, since_s: float) -> float | None:
        """For how long hands came before the last look, and ``since_s``; None where all may be ``acting``'s."""
        came = [reach for reach in self._came if reach.begin_s >= since_s]
        if not any(self._are_rather_not([arm], acting) for reach in came for arm in reach.each):
            return None
        return sum(reach.end_s - reach.begin_s for reach in came)

    def others_came_for_nothing(self, acting: int) -> bool:
        """True where those who left the table as it was in this turn were rather not the seat ``acting``."""
        return self._are_rather_not(self.visits, acting)

    def others_came_last(self, acting: int) -> bool:
        """True where those who came since the last look were others, or others after the seat ``acting``."""
        return self._are_rather_not(self._late(acting), acting)

    def _are_rather_not(self, reaches: Sequence[Reach], acting: int, below: float = RATHER) -> bool:
        if not any(is_ones(reach) for reach in reaches):
            return False
        shares = self.places.shares(reaches, (acting, self.changes))
        return shares[acting] < min(below, _AS_LIKELY * max(shares))

    def _late(self, acting: int) -> Sequence[Reach]:
        """Those since the last look; where they were the ``acting`` seat first and someone else then, these."""
        last = self._after_own(self._came, acting)
        return last if any(is_ones(reach) for reach in last) else self._came

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
        return self._exclude(seat, _HARDLY)

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

    def went_straight_on(self, other: int) -> bool:
        """True where those since the last look came at once after the ones before, and from the same place.

        They can hardly be the ``other`` seat's.
        """
        came = self._came
        before = max((r for r in (*self.visits, *self.changes) if r not in came), key=_end_s, default=None)
        if before is None or not came or not all(map(is_ones, (before, *came))):
            return False
        if came[0].begin_s - before.end_s >= _TURN_S or self.places.shares(came)[other] >= _NOT_THEIRS:
            return False
        return all(same_place(before, reach) for reach in came)

    @property
    def two_came(self) -> bool:
        """True where two people's hands came at once since the last look."""
        return any(reach.from_rad is not None and not is_ones(reach) for reach in self._came)

    @property
    def first_hand_s(self) -> float | None:
        """When the first came since the last look that was seen to come in; None where none was."""
        return next((reach.begin_s for reach in self._came if reach.frames >= LEAST_FRAMES), None)

    @property
    def came_from_nowhere(self) -> bool:
        """True where of none since the last look it was seen from where they came."""
        return not any(is_ones(reach) for reach in self._came)

    def only_came(self, acting: int) -> bool:
        """True where one hand came since the last look, or all that came were surely the ``acting`` seat's."""
        came = self._came
        if not all(is_ones(r) and r.share >= ALONE and len(r.arms) <= 1 for r in came):
            return False
        if len(came) <= 1:
            return bool(came)
        return self._all_surely(came, acting)

    def still_acts(self, acting: int, at_least: float = RATHER) -> bool:
        """True where those who came since the last look were the seat ``acting``, by that probability and more.

        Where they were that seat first and someone else then, the last ones tell.
        """
        if not self._came or not (self.places.knows(acting) or self.directed):
            return False
        return self.places.shares(self._late(acting), (acting, self.changes))[acting] >= at_least

    def hardly_acts(self, acting: int) -> bool:
        """True where those who came since the last look can hardly be the seat ``acting``, known or not."""
        return self.directed and self._are_rather_not(self._late(acting), acting, _NOT_THEIRS)

    @property
    def directed(self) -> bool:
        """True where it was seen from where the hands came that changed the table in this turn."""
        return any(is_ones(reach) for reach in self.changes)

    def is_rather(self, seat: int) -> bool:
        """True where the hands that changed the table are rather this seat's than all others' together."""
        return self.directed and self.places.knows(seat) and self.places.shares(self.changes)[seat] > RATHER

    def is_sooner_than(self, seat: int, other: int) -> bool:
        """True where those who changed the table may be this seat, and far sooner than the ``other``."""
        shares = self.places.shares(self.changes)
        known = self.directed and self.places.knows(other)
        return known and shares[seat] >= _NOT_THEIRS and shares[other] < _NOT_THEIRS * shares[seat]

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


def _end_s(reach: Reach) -> float:
    return reach.end_s


def _at_any(reaches: Iterable[Reach], places: Sequence[Corners]) -> bool:
    """Say whether some may have been at one of these places, (4, 2) pixels each."""
    touch = Touch(tuple(reach.stirred for reach in reaches))
    return any(touch.at(place) for place in places)
