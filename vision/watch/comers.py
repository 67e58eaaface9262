"""Who came in the turn under way, by where hands came from: since the last look, or for nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from operator import attrgetter

from vision.readings import Corners
from vision.watch.reach import Reach
from vision.watch.seats import (
    LEAST_FRAMES,
    RATHER,
    SURE,
    SURE_OF_NEW,
    are_from_one_place,
    from_opposite,
    is_ones,
    same_place,
)
from vision.watch.turn_reaches import ALONE, TurnReaches, pauses_s

__all__ = ["HARDLY", "NOT_THEIRS", "SOON_S", "TURN_S", "Comers"]

_BETWEEN = 0.15
"""How much seldomer than those two someone else comes between a player and the next one."""
NOT_THEIRS = 0.15
"""Probability of a seat under which a reach is rather another's, who may have changed the table as well."""
_PAUSES, _PAUSE_S, _LONGER, _AFTER_PAUSE = 2, 1.0, 1.5, 0.1
"""Where a player has paused so often in a turn, a pause of so many seconds, and so many times as long as the
longest of these, speaks for the next one: by so much less sure it has to be by where these hands come from."""
_AS_LIKELY = 0.9
"""Whoever is as likely as this share of the likeliest is not rather another, but one of two."""
HARDLY = 0.03
"""Probability of a seat from which on hands may be its own: neighbours come from nearly the same place."""
SOON_S = 2.5
"""Hands that come so soon after the ones before, from the same place, may be at the same turn."""
TURN_S = 1.5
"""Less time between one player's hands and another's, and only one of them had a turn."""


class Comers(TurnReaches):
    """What the reaches of the turn under way say of who has come."""

    @property
    def seat(self) -> int | None:
        """Who changed the table in this turn; None where that is not sure, or others came besides."""
        seat = self.foremost
        if seat is None:
            return None
        ones = [self.places.shares([reach])[seat] for reach in self.changes if is_ones(reach)]
        return seat if min(ones) >= NOT_THEIRS else None

    @property
    def foremost(self) -> int | None:
        """Who changed the table in this turn by all reaches together, whoever came besides."""
        return self.places.seat_of(self.changes) if self.changes else None

    def is_anothers(self, reach: Reach, acting: int, other: int, *, puts_back: bool = False) -> bool:
        """True where the hands that come are the ``other`` seat's, and not of the one ``acting`` in this turn.

        Those that came since the last look count as well. Who ``puts_back`` a fault pauses as it comes.
        """
        less_sure = _AFTER_PAUSE if not puts_back and self._came_after_pause(reach) else 0.0
        return self._are_anothers([*self._open, reach], acting, other, less_sure)

    def comes_next(self, reach: Reach, acting: int, other: int) -> bool:
        """True where these hands are the ``other`` seat's, whoever came between the last look and them."""
        return self._are_anothers([reach], acting, other)

    def _after_own(self, reaches: Sequence[Reach], acting: int) -> Sequence[Reach]:
        """Those that came after the last one that was surely the ``acting`` seat's; none where none was."""
        for at in reversed(range(len(reaches))):
            if is_ones(reaches[at]) and self.places.shares([reaches[at]])[acting] >= SURE:
                return reaches[at + 1 :]
        return ()

    def _are_anothers(self, reaches: Sequence[Reach], acting: int, other: int, less_sure: float = 0.0) -> bool:
        known = self.places.knows(other)
        own_known = self.directed or self.places.knows(acting)
        if not reaches or not (known or (own_known and any(is_ones(reach) for reach in reaches))):
            return False
        last = [reach for reach in self.changes if is_ones(reach)][-1:]
        if last and self.places.shares(last)[other] > RATHER:
            return False  # whoever's turn it was taken for, the same hands go on
        shares = self.places.shares(reaches, (acting, self.changes))
        shares[other] *= self._odds_of_turn(reaches)
        if not known:
            shares[other] *= self.places.room(acting)
        sure = (SURE if known else SURE_OF_NEW) - less_sure
        # Those whose turn it is not come between seldom; of those whom nobody knows either, one counts.
        others = [seat for seat in range(len(shares)) if seat not in (acting, other)]
        seen = [seat for seat in others if known or self.places.knows(seat)]
        new = max((shares[seat] for seat in others if seat not in seen), default=0.0)
        rest = sum(shares[seat] for seat in seen) + new
        return shares[other] >= sure * (shares[other] + shares[acting] + _BETWEEN * rest)

    def _odds_of_turn(self, reaches: Sequence[Reach]) -> float:
        """How many times as likely a turn began with these as not, by how long nobody had come before them."""
        pause_s = self._pause_before_s(reaches) if reaches else -inf
        return self.odds_of_end(pause_s) if pause_s > -inf else 1.0

    def _pause_before_s(self, reaches: Sequence[Reach]) -> float:
        """How long nobody had come before these; minus infinity where none of this turn's hands did."""
        came = (*self.changes, *self.idle, *(reach for reach in self._open if reach not in reaches))
        return reaches[0].begin_s - max((reach.end_s for reach in came), default=inf)

    def rather_began(self, seat: int, before: int) -> bool:
        """True where who changed the table may well be the ``seat`` whose turn begins, after so long a pause.

        By where the hands came from alone they would be those of the seat ``before``. Nobody came between.
        """
        shares = self.places.shares(self.changes)
        surely = shares[before] >= SURE * (shares[before] + shares[seat] * self.odds_of_beginning)
        return not (self.visits or surely)

    def _came_after_pause(self, reach: Reach) -> bool:
        """True where hands come after far longer than ever in this turn before: its player rather is done."""
        pauses = pauses_s(self.changes)
        if len(pauses) < _PAUSES:
            return False
        return self._pause_before_s([reach]) >= max(_PAUSE_S, _LONGER * max(pauses))

    def _all_surely(self, reaches: Sequence[Reach], seat: int) -> bool:
        """True where each of them surely was this seat's, and hands have told whose they are."""
        surely = (is_ones(reach) and self.places.shares([reach])[seat] >= SURE for reach in reaches)
        return self.places.told_apart and all(surely)

    def rather_anothers(self, reach: Reach, acting: int) -> bool:
        """True where the hands that came are rather not those of the seat that was ``acting`` in this turn."""
        return is_ones(reach) and self._are_rather_not([*self._open, reach], acting)

    def others_came(self, acting: int, *, surely: bool = False) -> bool:
        """True where those since the last look were rather not the seat ``acting`` in this turn, or hardly.

        Where they were that seat first and someone else then, the last ones tell.
        """
        return self._are_rather_not(self._late(acting), acting, NOT_THEIRS if surely else RATHER)

    def others_were_there_s(self, acting: int, since_s: float) -> float | None:
        """For how long hands came before the last look, and ``since_s``; None where all may be ``acting``'s."""
        came = [reach for reach in self._came if reach.begin_s >= since_s]
        if not any(self._are_rather_not([arm], acting) for reach in came for arm in reach.each):
            return None
        return sum(reach.end_s - reach.begin_s for reach in came)

    def others_came_for_nothing(self, acting: int) -> bool:
        """True where those who left the table as it was in this turn were rather not the seat ``acting``."""
        return self._are_rather_not(self.visits, acting)

    def _are_rather_not(self, reaches: Sequence[Reach], acting: int, below: float = RATHER) -> bool:
        if not any(is_ones(reach) for reach in reaches):
            return False
        shares = self.places.shares(reaches, (acting, self.changes))
        return shares[acting] < min(below, _AS_LIKELY * max(shares))

    def _late(self, acting: int) -> Sequence[Reach]:
        """Those since the last look; where they were the ``acting`` seat first and someone else then, these."""
        last = self._after_own(self._came, acting)
        return last if any(is_ones(reach) for reach in last) else self._came

    def went_straight_on(self, other: int) -> bool:
        """True where those since the last look came at once after the ones before, and from the same place.

        They can hardly be the ``other`` seat's. Those before count also where a fault was called since.
        """
        came = self._came
        before = max(self._all_but(came), key=attrgetter("end_s"), default=None)
        if before is None or not came or not all(map(is_ones, (before, *came))):
            return False
        if came[0].begin_s - before.end_s >= TURN_S or self.places.shares(came)[other] >= NOT_THEIRS:
            return False
        return all(same_place(before, reach) for reach in came)

    def went_back_there(self, other: int) -> bool:
        """True where those since the last look came from where all did who changed the table in this turn.

        And not from where the ``other`` seat rather sits, as far as that is known.
        """
        came = list(filter(is_ones, self._came))
        if not are_from_one_place(came, list(filter(is_ones, self.changes))):
            return False
        return not self.places.knows(other) or self.places.shares(came)[other] < RATHER

    def goes_on(self, reach: Reach) -> bool:
        """True where all that came since the last look came from the same place as these hands.

        Or where these were there at once with others: who points meanwhile is not the next to play.
        """
        beside = (arm for came in self._came if len(came.arms) > 1 for arm in came.each)
        if _was_among(reach, beside):
            return True
        return are_from_one_place([reach], self._came)

    def was_at_rest(self, reach: Reach) -> bool:
        """True where the last hands seen before the last look crossed the rim there, and elsewhere, too.

        Where they rest over the table yet, it is they who move: an arm along the rim, or its shadow.
        """
        came = (*self._all_but(self._open), *self.idle)
        seen = (one for one in came if one.from_rad is not None)
        last = max(seen, key=attrgetter("end_s"), default=None)
        return last is not None and not is_ones(last) and _was_among(reach, last.each)

    def came_opposite(self, came: Sequence[Reach]) -> bool:
        """True where all came from farther than anybody reaches from where all did who came before them."""
        others = list(filter(is_ones, self._all_but(came)))
        return bool(others) and all(from_opposite(one, other) for one in came for other in others)

    def _all_but(self, came: Sequence[Reach]) -> list[Reach]:
        """Those of this turn, and of before a fault was called in it, without some."""
        return [reach for reach in (*self.visits, *self.changes, *self._earlier) if reach not in came]

    def with_those_before(self, reach: Reach) -> list[Reach]:
        """Return these hands with those since the last look that they followed at once, from the same place."""
        came = [reach]
        for before in filter(is_ones, reversed(self._came)):
            if not same_place(before, reach) or came[0].begin_s - before.end_s >= TURN_S:
                break
            came.insert(0, before)
        return came

    @property
    def since_look(self) -> Sequence[Reach]:
        """Those that came since the last look."""
        return self._came

    @property
    def two_came(self) -> bool:
        """True where two people's hands came at once since the last look."""
        return any(reach.from_rad is not None and not is_ones(reach) for reach in self._came)

    @property
    def were_alone(self) -> bool:
        """True where those who changed the table in this turn were seen, and nobody else beside them."""
        return all(is_ones(reach) and reach.share >= ALONE for reach in self.changes)

    def none_was(self, acting: int) -> bool:
        """True where all hands since the last look were seen, and each was hardly the ``acting`` seat's."""
        arms = [arm for reach in self._came if reach.from_rad is not None for arm in reach.each]
        seen = self.places.well_known and all(map(is_ones, arms))
        return seen and all(self.places.shares([arm])[acting] < HARDLY for arm in arms)

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

    def were_hardly(self, other: int) -> bool:
        """True where those since the last look can hardly be the ``other`` seat's."""
        came = list(filter(is_ones, self._came))
        return bool(came) and self.places.shares(came)[other] < NOT_THEIRS

    def hardly_acts(self, acting: int) -> bool:
        """True where those who came since the last look can hardly be the seat ``acting``, known or not."""
        return self.directed and self._are_rather_not(self._late(acting), acting, NOT_THEIRS)

    def own_gone_s(self, acting: int, places: Sequence[Corners]) -> float:
        """When the last hands were gone that left what lies there as it is, and rather are that seat's.

        Of those that may have been at places, (4, 2) pixels each; minus infinity where none came.
        """
        if not self.places.knows(acting):
            return -inf
        came = (r for r in (*self.idle, *self._came) if is_ones(r) and r.at(places) is not None)
        return max((r.end_s for r in came if self.places.shares([r])[acting] > RATHER), default=-inf)

    @property
    def directed(self) -> bool:
        """True where it was seen from where the hands came that changed the table in this turn."""
        return any(is_ones(reach) for reach in self.changes)


def _was_among(reach: Reach, arms: Iterable[Reach]) -> bool:
    """True where one of these came from the same place as the hands that come, as far as it was seen."""
    return any(is_ones(arm) and same_place(arm, reach) for arm in arms)
