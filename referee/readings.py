"""Every reading of a set of sure tiles: what each tile, jokers too, stands for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Final, Literal

from referee.tiles import ALL_TILES, HIGHEST_NUMBER, Colour, Inventory, Tile

__all__ = ["STANDARD_SETS", "Reading", "SetRules", "readings"]

_JOKER: Final = 52


@dataclass(frozen=True, slots=True)
class SetRules:
    """What the form of a set depends on."""

    colours: tuple[Colour, ...] = tuple(Colour)
    """Colours that a joker may stand for."""
    lowest: int = 1
    """The first number of the longest run."""
    highest: int = HIGHEST_NUMBER
    """The last number of the longest run."""
    ace_high: bool = False
    """True where 1 may also follow the highest number and end the run (American rules: 12 13 1)."""

    order: Literal["ask", "any", "laid"] = "ask"
    """A run that lies out of order is asked about, taken as sorted, or a fault."""

    @classmethod
    def of(
        cls,
        inventory: Inventory,
        *,
        ace_high: bool = False,
        order: Literal["ask", "any", "laid"] = "ask",
    ) -> SetRules:
        """The rules for a box; its numbers are taken as one stretch from the first to the last."""
        return cls(inventory.colours, inventory.numbers[0], inventory.numbers[-1], ace_high, order)

    @property
    def line(self) -> tuple[int, ...]:
        """The numbers in the order of a run; a high 1 closes it."""
        line = tuple(range(self.lowest, self.highest + 1))
        return (*line, self.lowest) if self.ace_high else line

    @property
    def longest_run(self) -> int:
        """How many tiles a run has at most: every number once."""
        return self.highest - self.lowest + 1

    @property
    def longest_group(self) -> int:
        """How many tiles a group has at most: every colour once."""
        return len(self.colours)


STANDARD_SETS: Final = SetRules()
"""Four colours, 1 to 13, 1 low: all five sheets agree."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a set."""

    kind: Literal["group", "run"]
    """Group or run."""
    as_laid: bool
    """False where the tiles must be sorted, or a joker slid, before the set lies like this."""
    tiles: tuple[Tile, ...]
    """What each tile of the set stands for, in laid order."""
    places: tuple[int, ...]
    """Each tile's place in the set when it is laid in order, from 0."""

    @property
    def value(self) -> int:
        """Points: every tile counts its number, a joker that of the tile which it stands for."""
        return sum(tile.number or 0 for tile in self.tiles)


@lru_cache(maxsize=1 << 16)
def readings(indices: tuple[int, ...], rules: SetRules = STANDARD_SETS) -> tuple[Reading, ...]:
    """Every reading of the set whose tiles have these indices in ``ALL_TILES``, those as laid first.

    In a free reading the jokers take the missing numbers in ascending order, since which of them takes which
    changes nothing. A set of fewer than three tiles, or without a natural tile, has no reading.
    """
    naturals = [index for index in indices if index != _JOKER]
    if len(indices) < 3 or not naturals:
        return ()
    found = list(_groups(indices, naturals, rules))
    if len({index // HIGHEST_NUMBER for index in naturals}) == 1 and len(set(naturals)) == len(naturals):
        runs = list(_laid_runs(indices, rules))
        known = {frozenset(reading.tiles) for reading in runs}
        found += runs
        found += [reading for reading in _free_runs(indices, rules) if frozenset(reading.tiles) not in known]
    return tuple(found)


def _groups(indices: tuple[int, ...], naturals: list[int], rules: SetRules) -> Iterator[Reading]:
    """Yield the readings as a group, one for every way to share out the absent colours among the jokers."""
    if len(indices) > rules.longest_group or len({index % HIGHEST_NUMBER for index in naturals}) > 1:
        return
    number = naturals[0] % HIGHEST_NUMBER
    colours = {index // HIGHEST_NUMBER for index in naturals}
    if len(colours) < len(naturals):
        return
    box = [place for place, colour in enumerate(Colour) if colour in rules.colours]
    places = tuple(range(len(indices)))
    for absent in permutations([c for c in box if c not in colours], len(indices) - len(naturals)):
        supply = iter(absent)
        full = [next(supply) * HIGHEST_NUMBER + number if i == _JOKER else i for i in indices]
        yield Reading("group", True, tuple(ALL_TILES[i] for i in full), places)


def _laid_runs(indices: tuple[int, ...], rules: SetRules) -> Iterator[Reading]:
    """Yield the readings as a run in laid order, read from either side."""
    length = len(indices)
    if length > rules.longest_run:
        return
    first = next(place for place, index in enumerate(indices) if index != _JOKER)
    colour, number = divmod(indices[first], HIGHEST_NUMBER)
    line = rules.line
    forward = tuple(range(length))
    for places in (forward, forward[::-1]):
        for at, value in enumerate(line):
            start = at - places[first]
            if value != number + 1 or start < 0 or start + length > len(line):
                continue
            full = [colour * HIGHEST_NUMBER + line[start + place] - 1 for place in places]
            if all(index in (_JOKER, wanted) for index, wanted in zip(indices, full, strict=True)):
                yield Reading("run", True, tuple(ALL_TILES[i] for i in full), places)


def _free_runs(indices: tuple[int, ...], rules: SetRules) -> Iterator[Reading]:
    """Yield the readings as a run that its tiles form in some order."""
    length = len(indices)
    line = rules.line
    if length > rules.longest_run:
        return
    naturals = [index for index in indices if index != _JOKER]
    colour = naturals[0] // HIGHEST_NUMBER
    numbers = {index % HIGHEST_NUMBER + 1 for index in naturals}
    for start in range(len(line) - length + 1):
        window = line[start : start + length]
        if not numbers <= set(window):
            continue
        places_of = {number: place for place, number in enumerate(window)}
        spare = iter(place for place, number in enumerate(window) if number not in numbers)
        places = tuple(
            next(spare) if index == _JOKER else places_of[index % HIGHEST_NUMBER + 1] for index in indices
        )
        full = tuple(ALL_TILES[colour * HIGHEST_NUMBER + window[place] - 1] for place in places)
        yield Reading("run", False, full, places)
