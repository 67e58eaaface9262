"""Who acts, by where hands come from: places at the rim, learnt for each seat as the game goes on."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from vision.readings import Corners
from vision.watch.reach import Reach

__all__ = ["Actors", "SeatPlaces"]

_KEPT = 16
"""So many reaches of a seat are remembered: whoever moves the chair is known again after a few."""
_LEAST_SPREAD_RAD, _MOST_SPREAD_RAD = np.radians(16.0), np.radians(35.0)
_NEW_SPREAD_RAD = np.radians(14.0)
"""Added to the spread while a seat was seen once, half of it after two, and so on."""
_FAR = 0.25
"""Share of reaches that go to a far corner of the table, and so come in beside the usual place."""
_BETWEEN = 0.15
"""How much seldomer than those two someone else comes between a player and the next one."""
_ANYWHERE = 1 / (2 * np.pi)
"""Density of directions where nothing is known."""
_TAKES_UP = 0.14
"""Share of the table's rim that one player takes up."""
_STRANGE = 0.04
"""Share of reaches that come from anywhere: somebody leans over, or puts a mug down."""
_ONE_PERSON = 0.6
"""A reach of which less came from one place was more than one person's."""
_WELL_KNOWN = 3
"""Reaches from which on a place is known well."""
_LEAST_FRAMES = 2
"""A single frame in which something crosses the rim is a knock or a flicker as well as a hand."""
_EARLY_S = 0.5
"""A hand that came longer before a turn began was one of the turn before."""
_RATHER = 0.5
"""Probability under which a seat is rather not meant."""
_NOT_THEIRS = 0.15
"""Probability of a seat under which a reach is rather another's, who may have changed the table as well."""
_MAY_BE = 0.4
"""Probability of a seat from which on a reach may well be that seat's."""
_SURE = 0.9
"""Probability from which on a seat is named."""
_SURE_OF_NEW = 0.8
"""The same of a seat whose hands have not come yet, in the room that the others leave."""
_TOLD, _HITS_A_MISS = 12, 3
"""Of so many turns whose player was known, hands must have named it so many times as often as another."""


class SeatPlaces:
    """Where at the rim the hands of each seat come in."""

    def __init__(self, seats: int) -> None:
        """Begin with ``seats`` players whose places nobody knows."""
        self._seen: list[deque[float]] = [deque(maxlen=_KEPT) for _ in range(seats)]
        self._told: deque[bool] = deque(maxlen=_TOLD)

    def forget(self) -> None:
        """The camera was moved: all directions are others now."""
        for seen in self._seen:
            seen.clear()
        self._told.clear()

    def learn(self, seat: int, reach: Reach) -> None:
        """Take in a reach that is known to be a seat's."""
        if reach.from_rad is not None and _is_ones(reach):
            self._seen[seat].append(reach.from_rad)

    def check(self, seat: int, reaches: Sequence[Reach]) -> None:
        """Compare what a turn's reaches say with whose it is known to be, before they are learnt."""
        shares = self.shares(reaches)
        if max(shares) > _RATHER and any(_is_ones(reach) for reach in reaches):
            self._told.append(shares[seat] == max(shares))

    @property
    def tell_apart(self) -> bool:
        """False where hands have named the wrong player too often: all of them reach in from one side, say."""
        hits = sum(self._told)
        return hits >= _HITS_A_MISS * (len(self._told) - hits)

    def knows(self, seat: int) -> bool:
        """True where the place of a seat is known."""
        return bool(self._seen[seat])

    def room(self, acting: int) -> float:
        """How many times as likely as anywhere somebody sits where no known seat is, nor the ``acting`` one."""
        taken = sum(self.knows(seat) or seat == acting for seat in range(len(self._seen)))
        return 1 / (1 - taken * _TAKES_UP)

    @property
    def well_known(self) -> bool:
        """True where every seat was seen to reach in several times."""
        return all(len(seen) >= _WELL_KNOWN for seen in self._seen)

    def shares(
        self, reaches: Sequence[Reach], of_seat: tuple[int, Sequence[Reach]] | None = None
    ) -> list[float]:
        """Return the probability of each seat that the reaches, of one person, are that seat's.

        ``of_seat``: a seat, and reaches that are taken for its own besides those that were learnt.
        """
        evidence = np.zeros(len(self._seen))
        for reach in reaches:
            if reach.from_rad is not None and _is_ones(reach):
                at, own = reach.from_rad, reach.share
                # What did not come from there tells nothing of whose the hands were.
                evidence += [
                    np.log(own * self._density(seat, at, of_seat) + (1 - own) * _ANYWHERE)
                    for seat in range(len(self._seen))
                ]
        likely = np.exp(evidence - evidence.max())
        return [float(share) for share in likely / likely.sum()]

    def seat_of(self, reaches: Sequence[Reach]) -> int | None:
        """Return the seat that the reaches, of one person, surely are of; None where that is not sure."""
        shares = self.shares(reaches)
        best = int(np.argmax(shares))
        return best if shares[best] >= _SURE and self.knows(best) else None

    def _density(self, seat: int, from_rad: float, of_seat: tuple[int, Sequence[Reach]] | None = None) -> float:
        known = list(self._seen[seat])
        if of_seat is not None and of_seat[0] == seat:
            known += [reach.from_rad for reach in of_seat[1] if reach.from_rad is not None]
        if not known:
            return _ANYWHERE
        seen = np.exp(1j * np.array(known))
        # The reach in whose direction the others are nearest: a stranger's among them moves it little.
        apart = np.abs(np.angle(seen[:, None] / seen[None, :]))
        middle = seen[int(apart.sum(axis=1).argmin())]
        own = np.sort(np.abs(np.angle(seen / middle)))[: max(2, int(0.8 * len(seen)))]
        spread = float(np.clip(np.sqrt((own**2).mean()), _LEAST_SPREAD_RAD, _MOST_SPREAD_RAD))
        spread += _NEW_SPREAD_RAD / len(seen)
        off = float(np.angle(np.exp(1j * from_rad) / middle))
        near = (1 - _FAR) * _bell(off, spread) + _FAR * _bell(off, 2 * spread)
        return float((1 - _STRANGE) * near + _STRANGE * _ANYWHERE)


def _is_ones(reach: Reach) -> bool:
    """True where it was seen from where the hands came, and they were one person's."""
    return reach.from_rad is not None and reach.share >= _ONE_PERSON and reach.frames >= _LEAST_FRAMES


def _bell(off: float, spread: float) -> float:
    return float(np.exp(-(off**2) / (2 * spread**2)) / (spread * np.sqrt(2 * np.pi)))


class Actors:
    """The reaches of the turn under way, and what they say of whose it is."""

    def __init__(self, places: SeatPlaces) -> None:
        """``places`` outlives the turns."""
        self.places = places
        self.visits: list[Reach] = []
        """Reaches in this turn that left the table as it was."""
        self.changes: list[Reach] = []
        """Reaches in this turn since the table is not as it was, the one that changed it first among them."""
        self._open: list[Reach] = []
        self._held: list[Reach] = []
        """Those before the last look, while nothing has moved since: a later look may show what they did."""

    def reached(self, reach: Reach) -> None:
        """A reach is over, and nobody has looked yet at what it left."""
        self._open.append(reach)
        self._held = []

    @property
    def _came(self) -> list[Reach]:
        """Reaches that left what lies there now."""
        return self._open or self._held

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

    def looked(self, *, changed: bool, anew: bool = True) -> None:
        """The table was read: it lies as when the turn began, or is ``changed``; ``anew`` since the last look.

        Hands that left a changed table as it was are not those that changed it.
        """
        if changed and anew:
            self.visits = [reach for reach in self.visits if reach not in self._held]
            self.changes += self._came
        elif not changed:
            self.visits += [*self.changes, *self._open]
            self.changes = []
        self._held, self._open = self._came, []

    def turn_over(self, seat: int | None, from_to_s: tuple[float, float], *, certain: bool) -> None:
        """A turn of ``seat``, from when to when, is over; learn where that player's hands come from.

        Without ``certain``, turns may have gone by unseen, and this was another player's.
        """
        if seat is not None and certain:
            start_s, end_s = from_to_s
            own = [r for r in (self.changes or self.visits) if start_s - _EARLY_S <= r.begin_s < end_s]
            if self.changes and own:
                self.places.check(seat, own)
            # Of those who came for nothing, the last is whose turn ended with it.
            for reach in own if self.changes else own[-1:]:
                self.places.learn(seat, reach)
        self.visits, self.changes = [], []

    @property
    def seat(self) -> int | None:
        """Who changed the table in this turn; None where that is not sure, or others came besides."""
        seat = self.foremost
        if seat is None:
            return None
        ones = [self.places.shares([reach])[seat] for reach in self.changes if _is_ones(reach)]
        return seat if min(ones) >= _NOT_THEIRS else None

    @property
    def foremost(self) -> int | None:
        """Who changed the table in this turn by all reaches together, whoever came besides."""
        return self.places.seat_of(self.changes) if self.changes else None

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
        came = [r for r in (*self.visits, *self._came) if _is_ones(r) and r.end_s <= went_s]
        if not came or self.changes or not self.places.well_known:
            return False
        return seat is not None and self.places.seat_of([max(came, key=lambda r: r.end_s)]) == seat

    def next_took_it(self, acting: int, other: int, went_s: float) -> bool:
        """True where what had gone by ``went_s`` went with the ``other`` seat's hands, after ``acting``'s."""
        late = [reach for reach in self._came if reach not in self.visits]
        came = [reach for reach in (*self.visits, *late) if _is_ones(reach) and reach.end_s <= went_s]
        if self.changes or not self.places.well_known:
            return False
        return self._are_anothers(self._after_own(came, acting), acting, other)

    def _after_own(self, reaches: Sequence[Reach], acting: int) -> Sequence[Reach]:
        """Those that came after the last one that was surely the ``acting`` seat's; none where none was."""
        for at in reversed(range(len(reaches))):
            if _is_ones(reaches[at]) and self.places.shares([reaches[at]])[acting] >= _SURE:
                return reaches[at + 1 :]
        return ()

    def _are_anothers(self, reaches: Sequence[Reach], acting: int, other: int) -> bool:
        known = self.places.knows(other)
        if not reaches or not (known or (self.directed and any(_is_ones(reach) for reach in reaches))):
            return False
        shares = self.places.shares(reaches, (acting, self.changes))
        if not known:
            shares[other] *= self.places.room(acting)
        sure = _SURE if known else _SURE_OF_NEW
        # Those whose turn it is not come between seldom.
        rest = sum(share for seat, share in enumerate(shares) if seat not in (acting, other))
        return shares[other] >= sure * (shares[other] + shares[acting] + _BETWEEN * rest)

    def came_for_nothing(self, seat: int) -> bool:
        """True where hands that were rather this seat's than all others' came and left the table as it was."""
        own = [reach for reach in self.visits if _is_ones(reach)]
        return self.places.knows(seat) and any(self.places.shares([reach])[seat] > _RATHER for reach in own)

    def rather_anothers(self, reach: Reach, acting: int) -> bool:
        """True where the hands that came are rather not those of the seat that was ``acting`` in this turn."""
        if not _is_ones(reach):
            return False
        return self.places.shares([*self._open, reach], (acting, self.changes))[acting] < _RATHER

    def others_came(self, acting: int) -> bool:
        """True where those who came since the last look were rather not the seat ``acting`` in this turn."""
        return self._are_rather_not(self._came, acting)

    def others_came_last(self, acting: int) -> bool:
        """True where those who came since the last look were others, or others after the seat ``acting``."""
        return self._are_rather_not(self._late(acting), acting)

    def _are_rather_not(self, reaches: Sequence[Reach], acting: int) -> bool:
        if not any(_is_ones(reach) for reach in reaches):
            return False
        return self.places.shares(reaches, (acting, self.changes))[acting] < _RATHER

    def _late(self, acting: int) -> Sequence[Reach]:
        """Those since the last look; where they were the ``acting`` seat first and someone else then, these."""
        last = self._after_own(self._came, acting)
        return last if any(_is_ones(reach) for reach in last) else self._came

    def may_be(self, seat: int) -> bool:
        """True where some of the hands that changed the table may well have been this seat's."""
        return any(self.places.shares([r])[seat] >= _MAY_BE for r in self.changes if _is_ones(r))

    def changed_s(self, acting: int) -> float | None:
        """When the hands were gone that changed the table last.

        None where nobody saw who was where, or where those that came since may be the ``acting`` seat's.
        """
        if not self.changes or not all(reach.arms for reach in self.changes):
            return None
        last = self.changes[-1]
        since = [r for r in (*self.visits, *self._came) if r.begin_s > last.begin_s and r.frames]
        others = all(_is_ones(r) and self.places.shares([r])[acting] < _RATHER for r in since)
        return last.end_s if others else None

    @property
    def two_came(self) -> bool:
        """True where two people's hands came at once since the last look."""
        return any(reach.from_rad is not None and not _is_ones(reach) for reach in self._came)

    def still_acts(self, acting: int) -> bool:
        """True where those who came since the last look were rather the seat ``acting`` in this turn.

        Where they were that seat first and someone else then, the last ones tell.
        """
        if not self._came or not (self.places.knows(acting) or self.directed):
            return False
        return self.places.shares(self._late(acting), (acting, self.changes))[acting] >= _RATHER

    @property
    def directed(self) -> bool:
        """True where it was seen from where the hands came that changed the table in this turn."""
        return any(_is_ones(reach) for reach in self.changes)

    def is_rather(self, seat: int) -> bool:
        """True where the hands that changed the table are rather this seat's than all others' together."""
        return self.directed and self.places.knows(seat) and self.places.shares(self.changes)[seat] > _RATHER

    def is_rather_not(self, seat: int) -> bool:
        """True where the hands that changed the table are rather another seat's than this one's."""
        shares = self.places.shares(self.changes)
        return self.directed and shares[seat] < _RATHER and shares[seat] < max(shares) / 2
