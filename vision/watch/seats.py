"""Where at the rim each player's hands come in, learnt as the game goes on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from vision.watch.reach import Reach
from vision.watch.tones import SeatTones, Tone, mostly_right

__all__ = [
    "LEAST_FRAMES",
    "RATHER",
    "SURE",
    "SURE_OF_NEW",
    "SeatPlaces",
    "are_from_elsewhere",
    "are_from_one_place",
    "are_same_hands",
    "by_one",
    "from_elsewhere",
    "from_opposite",
    "is_ones",
    "same_place",
]

_KEPT = 16
"""So many reaches of a seat are remembered: whoever moves the chair is known again after a few."""
_LEAST_SPREAD_RAD, _MOST_SPREAD_RAD = np.radians(12.0), np.radians(35.0)
_NEW_SPREAD_RAD = np.radians(10.0)
"""Added to the spread while a seat was seen once, half of it after two, and so on."""
_FAR = 0.25
"""Share of reaches that go to a far corner of the table, and so come in beside the usual place."""
_ELSEWHERE_RAD = np.radians(60.0)
"""Nobody who keeps the chair reaches in at two places farther apart, but to lay here and to draw there."""
_OPPOSITE_RAD = np.radians(100.0)
"""Nor is that done from places farther apart than this."""
_SAME_HANDS_RAD = np.radians(20.0)
"""Of a few reaches of one person some are no farther apart."""
_ALIKE_RAD = np.radians(8.0)
"""Reaches that come in nearer to each other than this tell much the same."""
_ANYWHERE = 1 / (2 * np.pi)
"""Density of directions where nothing is known."""
_TAKES_UP = 0.14
"""Share of the table's rim that one player takes up."""
_STRANGE = 0.04
"""Share of reaches that come from anywhere: somebody leans over, or puts a mug down."""
_ONE_PERSON = 0.6
"""A reach of which less came from one place was more than one person's."""
_SEVERAL = 2
"""One reach of somebody may come from anywhere."""
_WELL_KNOWN = 3
"""Reaches from which on a place is known well."""
LEAST_FRAMES = 2
"""A single frame in which something crosses the rim is a knock or a flicker as well as a hand."""
RATHER = 0.5
"""Probability under which a seat is rather not meant."""
SURE = 0.9
"""Probability from which on a seat is named."""
SURE_OF_NEW = 0.8
"""The same of a seat whose hands have not come yet, in the room that the others leave."""
_TOLD = 12
"""Of so many turns whose player was known it is kept whether hands named it."""


class SeatPlaces:
    """Where at the rim the hands of each seat come in."""

    def __init__(self, seats: int) -> None:
        """Begin with ``seats`` players whose places nobody knows."""
        self._seen: list[deque[float]] = [deque(maxlen=_KEPT) for _ in range(seats)]
        self._told: deque[bool] = deque(maxlen=_TOLD)
        self._laid_from_rad: list[float] = []
        self._laid_unseen = False
        """Whether some play that counts was made by hands of which nobody knows from where they came."""
        self._tones = SeatTones(seats)

    @property
    def seats(self) -> int:
        """How many players there are."""
        return len(self._seen)

    def forget(self) -> None:
        """The camera was moved: all directions are others now."""
        for seen in self._seen:
            seen.clear()
        self._told.clear()
        self._laid_from_rad.clear()
        self._laid_unseen = True

    def learn(self, seat: int, reach: Reach) -> None:
        """Take in a reach that is known to be a seat's."""
        if reach.from_rad is not None and is_ones(reach):
            self._seen[seat].append(reach.from_rad)
            self._tones.learn(seat, reach.tones)

    def laid(self, reaches: Sequence[Reach]) -> None:
        """Keep from where hands came that made a play which counts, whoever's it was taken for."""
        self._laid_from_rad += [r.from_rad for r in reaches if r.from_rad is not None and is_ones(r)]
        self._laid_unseen |= not (reaches and all(map(is_ones, reaches)))

    def have_laid_from(self, reaches: Sequence[Reach]) -> bool:
        """True where a play that counts was made before by hands from where some of these came."""
        places = [r.from_rad for r in reaches if is_ones(r)]
        return any(_apart_rad(at, laid) <= _SAME_HANDS_RAD for at in places for laid in self._laid_from_rad)

    def have_never_laid(self, reaches: Sequence[Reach]) -> bool:
        """True where every play that counts was made by hands from elsewhere than several of these came.

        Whoever they are, they have not opened.
        """
        if self._laid_unseen or len(reaches) < _SEVERAL or not all(map(is_ones, reaches)):
            return False
        apart = (_apart_rad(one.from_rad, laid) for one in reaches for laid in self._laid_from_rad)
        return all(away > _ELSEWHERE_RAD for away in apart)

    def check(self, seat: int, reaches: Sequence[Reach]) -> None:
        """Compare what a turn's reaches say with whose it is known to be, before they are learnt.

        Of whom nobody has seen yet they can only name another: that counts where they came from nearly there.
        """
        shares = self.shares(reaches)
        named = int(np.argmax(shares))
        fair = self.knows(seat) or any(self.came_just_there(named, reach) for reach in reaches)
        if fair and shares[named] > RATHER and any(is_ones(reach) for reach in reaches):
            self._told.append(seat == named)
        self._tones.check(seat, [reach.tones for reach in reaches if is_ones(reach)])

    @property
    def tell_apart(self) -> bool:
        """False where hands have named the wrong player too often: all of them reach in from one side, say."""
        return mostly_right(self._told)

    def knows(self, seat: int) -> bool:
        """True where the place of a seat is known."""
        return bool(self._seen[seat])

    def is_known(self, reach: Reach) -> bool:
        """True where these hands rather came from a place that is known than from anywhere."""
        at = reach.from_rad
        if at is None:
            return False
        return any(self._density(seat, at) > _ANYWHERE for seat in range(self.seats) if self.knows(seat))

    def room(self, acting: int) -> float:
        """How many times as likely as anywhere somebody sits where no known seat is, nor the ``acting`` one."""
        taken = sum(self.knows(seat) or seat == acting for seat in range(len(self._seen)))
        return 1 / (1 - taken * _TAKES_UP)

    def is_well_known(self, seat: int) -> bool:
        """True where a seat was seen to reach in several times."""
        return len(self._seen[seat]) >= _WELL_KNOWN

    def was_seen_twice(self, seat: int) -> bool:
        """True where a seat was seen to reach in more than once."""
        return len(self._seen[seat]) >= _SEVERAL

    def came_just_there(self, seat: int, reach: Reach) -> bool:
        """True where it came from as near to one of the seat's as those of one person are to each other."""
        seen = self._seen[seat]
        return any(_apart_rad(reach.from_rad, other) <= _LEAST_SPREAD_RAD for other in seen)

    def came_elsewhere(self, seat: int, reach: Reach) -> bool:
        """True where this one came from so far from all of the seat's that nobody reaches in at both."""
        return all(_apart_rad(reach.from_rad, other) > _ELSEWHERE_RAD for other in self._seen[seat])

    @property
    def well_known(self) -> bool:
        """True where every seat was seen to reach in several times."""
        return all(map(self.is_well_known, range(self.seats)))

    @property
    def told_apart(self) -> bool:
        """True where every place is well known, and hands have told whose they are."""
        return self.well_known and self.tell_apart

    def tells_apart(self, one: int, other: int) -> bool:
        """True where the places of these two are well known, or far apart, and hands have told them."""
        if not self.tell_apart:
            return False
        if self.is_well_known(one) and self.is_well_known(other):
            return True
        apart = (_apart_rad(ones, others) for ones in self._seen[one] for others in self._seen[other])
        return self.was_seen_twice(one) and self.was_seen_twice(other) and min(apart) > _ELSEWHERE_RAD

    def shares(
        self, reaches: Sequence[Reach], of_seat: tuple[int, Sequence[Reach]] | None = None
    ) -> list[float]:
        """Return the probability of each seat that the reaches, of one person, are that seat's.

        ``of_seat``: a seat, and reaches that are taken for its own besides those that were learnt.
        """
        evidence = np.zeros(len(self._seen))
        tones: list[Tone] = []
        seen, well_known = [reach for reach in reaches if is_ones(reach)], self.well_known
        for reach in seen:
            at, own = reach.from_rad, reach.share
            assert at is not None
            # Who goes to one corner of the table several times comes in there each time; of new places a
            # second reach tells as much as the first.
            alike = sum(_apart_rad(at, other.from_rad) <= _ALIKE_RAD for other in seen)
            alike = alike if well_known else max(alike / 2, 1)
            # What did not come from there tells nothing of whose the hands were.
            evidence += [
                np.log(own * self._density(seat, at, of_seat) + (1 - own) * _ANYWHERE) / np.sqrt(alike)
                for seat in range(len(self._seen))
            ]
            tones += reach.tones
        more = None if of_seat is None else (of_seat[0], [tone for one in of_seat[1] for tone in one.tones])
        # A sleeve that was pushed up says the same with every reach: it counts once.
        evidence += self._tones.evidence(tones, more)
        likely = np.exp(evidence - evidence.max())
        return [float(share) for share in likely / likely.sum()]

    def seat_of(self, reaches: Sequence[Reach]) -> int | None:
        """Return the seat that the reaches, of one person, surely are of; None where that is not sure.

        Who comes from elsewhere than all others, whose places are known well, is the one who has not come yet.
        """
        shares = self.shares(reaches)
        best = int(np.argmax(shares))
        if self.knows(best):
            return best if shares[best] >= SURE else None
        others = [seen for seat, seen in enumerate(self._seen) if seat != best]
        if len(others) < 2 or any(len(seen) < _WELL_KNOWN for seen in others):
            return None
        own = shares[best] * self.room(best)
        return best if own >= SURE_OF_NEW * (own + 1 - shares[best]) else None

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


def is_ones(reach: Reach) -> bool:
    """True where it was seen from where the hands came, and they were one person's."""
    return reach.from_rad is not None and reach.share >= _ONE_PERSON and reach.frames >= LEAST_FRAMES


def same_place(one: Reach, other: Reach) -> bool:
    """True where both came from one place at the rim, as far as one reach of each can tell."""
    return bool(_apart_rad(one.from_rad, other.from_rad) <= _MOST_SPREAD_RAD)


def are_same_hands(one: Reach, others: Iterable[Reach]) -> bool:
    """True where it was seen from where it came, just where one of the others did."""
    seen = (other for other in others if is_ones(other))
    return is_ones(one) and any(_apart_rad(one.from_rad, other.from_rad) <= _ALIKE_RAD for other in seen)


def from_elsewhere(one: Reach, other: Reach) -> bool:
    """True where they came from places so far apart that nobody reaches in at both."""
    return bool(_apart_rad(one.from_rad, other.from_rad) > _ELSEWHERE_RAD)


def from_opposite(one: Reach, other: Reach) -> bool:
    """True where they came from so far apart that nobody lays at the one and draws at the other."""
    return bool(_apart_rad(one.from_rad, other.from_rad) > _OPPOSITE_RAD)


def by_one(reaches: Iterable[Reach]) -> list[list[Reach]]:
    """Put those together that followed each other from one place at the rim."""
    visits: list[list[Reach]] = []
    for reach in reaches:
        if visits and same_place(reach, visits[-1][-1]):
            visits[-1].append(reach)
        else:
            visits.append([reach])
    return visits


def are_from_one_place(ones: Sequence[Reach], others: Sequence[Reach]) -> bool:
    """True where all of them came from one place at the rim, as far as it was seen, and it was of each."""
    return _all_are(same_place, ones, others)


def are_from_elsewhere(ones: Sequence[Reach], others: Sequence[Reach]) -> bool:
    """True where all of them came from too far from all ``others`` to be among them, as far as it was seen."""
    return _all_are(from_elsewhere, ones, others)


def _all_are(so: Callable[[Reach, Reach], bool], ones: Sequence[Reach], others: Sequence[Reach]) -> bool:
    """True where there are some of both, each seen to be one person's, and ``so`` to all of the others."""
    if not (ones and others and all(map(is_ones, (*ones, *others)))):
        return False
    return all(so(one, other) for one in ones for other in others)


def _apart_rad(one: float | None, other: float | None) -> float:
    """Return the angle between two directions, 0..pi; nan where one is not known, which is near nothing."""
    if one is None or other is None:
        return float("nan")
    return float(abs(np.angle(np.exp(1j * (one - other)))))


def _bell(off: float, spread: float) -> float:
    return float(np.exp(-(off**2) / (2 * spread**2)) / (spread * np.sqrt(2 * np.pi)))
