"""A game that is watched without any picture: tables come as texts, hands as directions, time as seconds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np

from referee import SeenTile, Tile, parse_table
from vision.readings import Corners
from vision.watch.reach import Arm, Reach, Stirred
from vision.watch.seats import SeatPlaces
from vision.watch.setup import WatchSetup
from vision.watch.sight import Sight
from vision.watch.turn_settings import TurnSettings
from vision.watch.turns import TurnKeeper
from vision.watch.types import (
    GoneBack,
    LyingSet,
    LyingTable,
    LyingTile,
    Signal,
    SignalKind,
    TurnEnded,
    TurnRecord,
    WatchEvent,
)

__all__ = [
    "ANN",
    "BEN",
    "BENS",
    "CAT",
    "CATS",
    "MORE",
    "OPENING",
    "PLAYERS",
    "THREE",
    "Desk",
    "arm_from",
    "places_at",
    "places_seen",
    "three_who_have_opened",
]

OPENING = "R10 B10 K10"
BACK = np.array([[400, 40], [450, 40], [450, 108], [400, 108]], np.float32)
"""Where a tile of the pool lies, pixels."""
PLAYERS = ("Ann", "Ben")
THREE = ("Ann", "Ben", "Cat")
_FAR_PX = 1e5
"""All of a table is nearer than this."""
ANN, BEN, CAT = 0.0, 2 * math.pi / 3, -2 * math.pi / 3
"""Where their hands come in."""
BENS = f"{OPENING} | B11 K11 O11"
CATS = f"{BENS} | B12 K12 O12"
MORE = f"{BENS} | R1 R2 R3"


class Desk:
    """A game that is watched: tables come as texts, time as seconds."""

    def __init__(
        self,
        pool: int | None = 20,
        players: Sequence[str] = PLAYERS,
        places: SeatPlaces | None = None,
        edition: str = "ru",
        **setup: Any,
    ) -> None:
        self.pool = pool
        self.setup = WatchSetup(tuple(players), edition, **setup)
        self.keeper = TurnKeeper(self.setup, TurnSettings(), places=places)
        self.now = 0.0
        self.said: list[WatchEvent] = []
        self._keys: dict[str, list[int]] = {}
        self._next = count(1)
        self.still_since = 0.0
        self.may_be: dict[str, str] = {}
        """Tiles by name, and what else each of them may be."""
        self.taken_from: tuple[Corners, ...] = (BACK,) * 20
        """Where the backs lay that have gone, or will."""
        self.of_heap = False
        """Whether only a heap that looks otherwise tells of them."""
        self.pool_unsure = False
        """Whether a back seems to be gone, and another look will tell."""
        self.at_border = False
        """Whether sets lie where the picture ends."""

    def lying(self, text: str, backs: int | None = None, confidence: float = 0.9999) -> LyingTable:
        """The table that a text tells of; a tile keeps its key as long as it is named again."""
        used: Counter[str] = Counter()
        tiles, sets = [], []
        for row, seen_set in enumerate(parse_table(text).sets):
            keys = []
            for at, seen in enumerate(seen_set):
                name = str(replace(seen, hidden=False))
                known = self._keys.setdefault(name, [])
                if used[name] == len(known):
                    known.append(next(self._next))
                key = known[used[name]]
                used[name] += 1
                corner = np.array([60.0 * at, 90.0 * row], np.float32)
                quad = corner + np.array([[0, 0], [50, 0], [50, 68], [0, 68]], np.float32)
                others = tuple((SeenTile.sure(tile), 0.005) for tile in seen.candidates)
                if name in self.may_be:
                    others = ((SeenTile.sure(Tile.parse(self.may_be[name])), 0.05),)
                tiles.append(LyingTile(key, seen, quad, confidence, 1, others))
                keys.append(key)
            sets.append(LyingSet(tuple(keys), may_go_on=self.at_border))
        taken = 20 - backs if backs else 0
        gone = tuple(GoneBack(place, self.of_heap) for place in self.taken_from[:taken])
        return LyingTable(
            self.now, tuple(tiles), tuple(sets), backs,
            taken=taken, taken_from=gone, pool_unsure=self.pool_unsure,
        )  # fmt: skip

    def forgets(self, name: str) -> None:
        """The tile that has borne this name for longest is gone; another of that name keeps its own key."""
        self._keys[name].pop(0)

    def moves(
        self,
        seconds: float = 1.0,
        by: float | None = None,
        share: float = 1.0,
        arms: Sequence[Arm] = (),
        stirred: Stirred | None = None,
        touched: bool = True,
    ) -> None:
        """Hands are over the table; they come from direction ``by``, with that ``share`` of all that moves."""
        self.keeper.moves(self.now)
        reach = Reach(self.now, self.now + seconds, by, share, 9, tuple(arms), stirred)
        if by is not None:
            self.said += self.keeper.reaching(reach)
        self.ticks(seconds, None)
        self.now = reach.end_s
        if by is not None:
            self.said += self.keeper.reached(reach, touched=touched)

    def passes(self, by: float, seconds: float = 0.4) -> None:
        """A hand comes in over the rim and touches nothing."""
        self.moves(seconds, by=by, touched=False, arms=[arm_from(by, anywhere=False)])

    def lies(
        self,
        text: str,
        seconds: float,
        *,
        backs: int | None = None,
        clear: bool = True,
        since: float | None = None,
        seen_whole: bool = False,
        **kind: float,
    ) -> None:
        """The table comes to rest (or has lain so ``since``), is read again and again, and stays so."""
        self.still_since, looks = self.now if since is None else since, 0
        end = self.now + seconds
        backs = self.pool if backs is None else backs
        while self.now < end - 1e-9:
            looks += 1
            lies = self.lying(text, backs, **kind)
            self.said += self.keeper.saw(
                Sight(lies, self.still_since, clear, looks, seen_whole=clear or seen_whole)
            )
            self.ticks(min(0.5, end - self.now), self.still_since)

    def press(self, kind: SignalKind) -> None:
        """Someone presses a button."""
        self.said += self.keeper.signal(Signal(self.now, kind))

    def ticks(self, seconds: float, since: float | None) -> None:
        for _ in range(round(seconds * 10)):
            self.now += 0.1
            self.said += self.keeper.tick(self.now, since)

    @property
    def turns(self) -> list[TurnRecord]:
        return [event.record for event in self.said if isinstance(event, TurnEnded)]

    @property
    def short(self) -> list[tuple[int | None, str, str]]:
        return [(turn.seat, turn.action, turn.verdict) for turn in self.turns]

    def changes(
        self, text: str, seconds: float, by: float | None = None, share: float = 1.0, **kind: Any
    ) -> None:
        """A hand changes the table, and leaves."""
        self.moves(by=by, share=share)
        self.lies(text, seconds, **kind)


def arm_from(by: float, share: float = 1.0, *, anywhere: bool = True) -> Arm:
    """An arm that moved all over the table, or only over its rim."""
    return Arm(by, share, 9, np.array([[anywhere]]), np.array([[False]]), _FAR_PX)


def places_at(*directions: float) -> SeatPlaces:
    """Players whose hands were seen to come in from these directions several times."""
    return places_seen(*((direction, 3) for direction in directions))


def places_seen(*seen: tuple[float, int]) -> SeatPlaces:
    """Players whose hands were seen to come in from a direction so many times each."""
    places = SeatPlaces(len(seen))
    for seat, (direction, times) in enumerate(seen):
        for _ in range(times):
            places.learn(seat, Reach(0.0, 1.0, direction, 1.0, 9))
    return places


def three_who_have_opened() -> Desk:
    """Ann, Ben and Cat, each of whom was seen to reach in several times; it is Ann's turn."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(BENS, 5, by=BEN)
    desk.changes(CATS, 5, by=CAT)
    assert desk.short == [(0, "play", "legal"), (1, "play", "legal"), (2, "play", "legal")]
    return desk
