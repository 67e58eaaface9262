"""The table as it lies now, wherever that is known from: the camera, a hand at the keyboard, or the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from referee import SeenTile, Table

__all__ = ["Corner", "SeenNow", "TileNow", "typed"]

Corner = tuple[float, float]
"""(x, y) in shares of the picture's width and height."""


@dataclass(frozen=True, slots=True)
class TileNow:
    """One tile that lies there."""

    key: str
    """Names it as long as it lies there."""
    seen: SeenTile
    """What it is, as far as is known."""
    likely: tuple[tuple[SeenTile, float], ...] = ()
    """Other likely readings with their shares, likeliest first."""
    corners: tuple[Corner, ...] | None = None
    """Where in the picture; None where no picture shows it."""


@dataclass(frozen=True, slots=True)
class SeenNow:
    """The table as it lies."""

    source: Literal["camera", "typed", "log"]
    """Where it is known from."""
    sets: tuple[tuple[TileNow, ...], ...] = ()
    """Sets in reading order."""
    cuts_in_doubt: tuple[bool, ...] = ()
    """For each set, whether it is uncertain where it begins and ends."""
    shared: tuple[tuple[tuple[int, int], tuple[int, int]], ...] = ()
    """Tiles that lie in two sets, as in ``referee.Table``."""
    backs: int | None = None
    """Face-down tiles in view."""
    at_s: float | None = None
    """When it was seen, seconds of the epoch."""
    corrected: Mapping[str, SeenTile] = field(default_factory=dict)
    """Readings that people put right, by key."""
    before: tuple[tuple[TileNow, ...], ...] = ()
    """The sets as they lay before the turn, where a picture showed them."""

    @property
    def table(self) -> Table:
        """The table as the referee takes it, with what people put right."""
        return Table(tuple(tuple(self.tile(tile) for tile in one) for one in self.sets), self.shared)

    def tile(self, tile: TileNow) -> SeenTile:
        """What a tile is, after corrections."""
        return self.corrected.get(tile.key, tile.seen)

    @property
    def all_keys(self) -> frozenset[str]:
        """The keys of all tiles."""
        return frozenset(tile.key for one in self.sets for tile in one)

    def with_tile(self, key: str, seen: SeenTile) -> SeenNow:
        """The same table with one reading put right."""
        return replace(self, corrected={**self.corrected, key: seen})


def typed(table: Table, source: Literal["typed", "log"], at_s: float | None = None) -> SeenNow:
    """Return a table that no picture shows; a tile's key is its set and place."""
    sets = tuple(
        tuple(TileNow(f"{row}.{at}", seen) for at, seen in enumerate(tiles))
        for row, tiles in enumerate(table.sets)
    )
    return SeenNow(source, sets, (False,) * len(sets), table.shared, None, at_s)
