"""A game's position by physical tiles, and what a set is, without asking the referee.

Every tile on the table carries what it stands for: a natural tile for itself, a joker for the tile it was laid
for. So a set is known to be legal or not from how it was made.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.axes import Rules

COLOURS = "RBKO"

LaidTile = tuple[int, str]
"""A piece's key, and the natural tile that it stands for."""

LaidSet = tuple[LaidTile, ...]
"""A set in laid order."""

Names = dict[int, str]
"""What each piece's face shows, by key."""


@dataclass(slots=True)
class Position:
    """Where every piece of the box is, between two turns."""

    names: Names
    """What the faces show."""
    racks: list[list[int]]
    """Keys, by seat."""
    pool: list[int]
    """Keys; the last is drawn next."""
    opened: list[bool]
    """Who has opened, by seat."""
    table: list[LaidSet]
    """The sets on the table."""

    def copy(self) -> Position:
        """Return one that can be changed without changing this."""
        return Position(
            self.names,
            [list(rack) for rack in self.racks],
            list(self.pool),
            list(self.opened),
            list(self.table),
        )

    def held(self, seat: int) -> list[str]:
        """What a player holds."""
        return [self.names[key] for key in self.racks[seat]]

    def text(self, table: Sequence[LaidSet] | None = None) -> str:
        """The table in the notation."""
        sets = self.table if table is None else table
        return " | ".join(" ".join(self.names[key] for key, _ in tiles) for tiles in sets)

    def lay(self, seat: int, table: Sequence[LaidSet]) -> None:
        """Make ``table`` the table; what came to it leaves the player's rack, and what is gone joins it."""
        old = keys_of(self.table)
        new = keys_of(table)
        self.racks[seat] = [key for key in self.racks[seat] if key not in new] + sorted(old - new)
        self.table = list(table)

    def played(self, table: Sequence[LaidSet]) -> tuple[str, ...]:
        """The tiles that ``table`` holds more than this position's table, sorted."""
        return tuple(sorted(self.names[key] for key in keys_of(table) - keys_of(self.table)))


def keys_of(table: Iterable[LaidSet]) -> set[int]:
    """The pieces of a table."""
    return {key for tiles in table for key, _ in tiles}


def number(tile: str) -> int:
    """The number of a natural tile."""
    return int(tile[1:])


def is_run(stands: Sequence[str]) -> bool:
    """True for consecutive numbers of one colour, ascending as laid."""
    numbers = [number(tile) for tile in stands]
    ascending = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return len(stands) >= 3 and ascending and len({tile[0] for tile in stands}) == 1


def is_group(stands: Sequence[str]) -> bool:
    """True for three or four equal numbers of different colours."""
    colours = {tile[0] for tile in stands}
    return 3 <= len(stands) == len(colours) and len({number(tile) for tile in stands}) == 1


def stands_of(tiles: LaidSet) -> list[str]:
    """What the tiles of a set stand for."""
    return [stands for _, stands in tiles]


def is_set(tiles: LaidSet) -> bool:
    """True for a legal set, laid in order."""
    stands = stands_of(tiles)
    return is_run(stands) or is_group(stands)


def deal(chance: random.Random, players: int, rules: Rules) -> Position:
    """Shuffle the box of ``rules`` and deal the racks; keys are places in the unshuffled box."""
    names = {key: str(tile) for key, tile in enumerate(rules.inventory.tiles())}
    pool = list(names)
    chance.shuffle(pool)
    racks = [[pool.pop() for _ in range(rules.rack_size)] for _ in range(players)]
    return Position(names, racks, pool, [rules.opening_points == 0] * players, [])
