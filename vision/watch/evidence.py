"""What all looks at one tile together say about it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from referee import ALL_TILES, SeenTile, Tile
from vision.readings import TileReading

__all__ = ["Evidence", "number_worth", "probabilities"]

_FLOOR = 2e-4
"""What a reading gives to a tile that it does not list: never nothing, for a reading can be wrong."""
_MOST = 64.0
"""Looks beyond so many add nothing: a long look at the same glare does not make it true."""
_FAINT, _CLEAR_LOOKS = 0.5, 2
"""A look that gives no number so much, for a hand lay over half of the tile, tells nothing once there are so
many clearer ones."""


def probabilities(reading: TileReading) -> dict[Tile, float]:
    """Return the probabilities that one reading lists; they need not add up to one."""
    return {reading.tile: reading.confidence, **dict(reading.alternatives)}


def number_worth(listed: Mapping[Tile, float], tile: Tile) -> float:
    """Return the probability of the tile's number, in whatever colour, or of a joker."""
    return sum(worth for other, worth in listed.items() if other.number == tile.number)


@dataclass(slots=True)
class Evidence:
    """Looks at one tile, added up.

    Looks at a tile that lies still are alike, and so their errors: n looks count as the square root of n
    independent ones.
    """

    logs: dict[Tile, float] = field(default_factory=dict)
    """Sum of log probabilities over the looks; a tile not listed had the floor's each time."""
    clearest: dict[Tile, float] = field(default_factory=dict)
    """The greatest probability that a single look gave to a tile."""
    looks: int = 0
    """How many looks could be read."""
    blind: int = 0
    """How many found a face that could not be read, or hardly."""
    faint: int = 0
    """How many of the looks told no number, and count until two clear ones came."""
    clear: int = 0
    """How many told one."""
    _first: dict[Tile, float] = field(default_factory=dict, init=False)

    def add(self, listed: Mapping[Tile, float] | None) -> None:
        """Add a look: its probabilities, or None for a face that could not be read."""
        if listed is None:
            self.blind += 1
        elif _is_faint(listed):
            if self.clear >= _CLEAR_LOOKS:
                self.blind += 1
            else:
                self.faint += 1
                self._count(listed)
        else:
            self.clear += 1
            if self.clear == 1:
                self._first = dict(listed)
            elif self.clear == _CLEAR_LOOKS and self.faint:
                self.blind, self.faint = self.blind + self.faint, 0
                self.logs, self.clearest, self.looks = {}, {}, 0
                self._count(self._first)
            self._count(listed)

    def _count(self, listed: Mapping[Tile, float]) -> None:
        for tile in listed.keys() | self.logs.keys():
            before = self.logs.get(tile, self.looks * math.log(_FLOOR))
            self.logs[tile] = before + math.log(max(listed.get(tile, 0.0), _FLOOR))
            self.clearest[tile] = max(self.clearest.get(tile, 0.0), listed.get(tile, 0.0))
        self.looks += 1

    def posterior(self) -> list[tuple[Tile, float]]:
        """Return every tile worth naming with its probability, likeliest first; empty without a reading."""
        if not self.looks:
            return []
        scale = math.sqrt(min(self.looks, _MOST)) / self.looks
        weights = {tile: value * scale for tile, value in self.logs.items()}
        rest = math.log(_FLOOR) * self.looks * scale
        top = max(*weights.values(), rest)
        shares = {tile: math.exp(value - top) for tile, value in weights.items()}
        total = sum(shares.values()) + math.exp(rest - top) * (len(ALL_TILES) - len(shares))
        return sorted(((t, s / total) for t, s in shares.items()), key=lambda pair: (-pair[1], pair[0].index))

    def best(self) -> tuple[Tile | None, float]:
        """Return the likeliest tile and its probability; None where nothing was read."""
        found = self.posterior()
        return found[0] if found else (None, 0.0)

    def likelihood(self, tile: Tile) -> float:
        """Return the probability that this is ``tile``."""
        return dict(self.posterior()).get(tile, _FLOOR if self.looks else 1.0 / len(ALL_TILES))

    def seen(self, bar: float, alternative_bar: float, *, hidden: bool = False) -> SeenTile:
        """Return the tile as the referee takes it: sure from ``bar`` on, else what it may be."""
        found = self.posterior()
        if not found:
            return SeenTile.of(ALL_TILES, hidden=hidden)
        if found[0][1] >= bar:
            return SeenTile.of([found[0][0]], hidden=hidden) if hidden else SeenTile.sure(found[0][0])
        return SeenTile.of(_likely(found, alternative_bar), hidden=hidden)


def _is_faint(listed: Mapping[Tile, float]) -> bool:
    """True where no number, nor a joker, is told: in the shade a colour may be in doubt."""
    return max((number_worth(listed, tile) for tile in listed), default=0.0) < _FAINT


def _likely(found: list[tuple[Tile, float]], bar: float) -> Iterable[Tile]:
    """The best reading and all others above the bar; a doubt with one candidate would be none."""
    named = [tile for tile, share in found if share >= bar]
    return named if len(named) > 1 else [tile for tile, _ in found[:2]]
