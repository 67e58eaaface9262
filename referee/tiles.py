"""Tiles, and the box they come from.

Notation: a colour letter and a number, ``B4``; ``J`` is a joker. The text is the same in every edition, also
where the faces are playing cards (``B11`` is the jack of clubs).
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import total_ordering
from types import MappingProxyType
from typing import Final

from referee.errors import NotationError

__all__ = ["ALL_TILES", "JOKER", "NATURAL_TILES", "STANDARD", "XP", "Colour", "Inventory", "Tile"]

HIGHEST_NUMBER: Final = 13


class Colour(enum.Enum):
    """The four inks; the value is the letter of the notation."""

    RED = "R"
    BLUE = "B"
    BLACK = "K"
    ORANGE = "O"

    @property
    def letter(self) -> str:
        """The letter that stands for the colour in the notation."""
        return str(self.value)


_COLOUR_ORDER: Final = MappingProxyType({colour: place for place, colour in enumerate(Colour)})


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """One kind of tile. Ordered by colour (red, blue, black, orange), then number; the joker comes last.

    Raises ValueError for a number outside 1..13, or for a colour without a number and the reverse.
    """

    colour: Colour | None
    """The ink; None for a joker."""
    number: int | None
    """1..13; None for a joker."""
    index: int = field(init=False, repr=False)
    """Place in ``ALL_TILES``: 0..51 for naturals, 52 for the joker."""

    def __post_init__(self) -> None:
        """Check the pair and work out the index."""
        if self.colour is None and self.number is None:
            index = 52
        elif self.colour is None or self.number is None:
            raise ValueError("a tile has both a colour and a number, and a joker has neither")
        elif not 1 <= self.number <= HIGHEST_NUMBER:
            raise ValueError(f"a tile's number is 1 to {HIGHEST_NUMBER}, not {self.number}")
        else:
            index = _COLOUR_ORDER[self.colour] * HIGHEST_NUMBER + self.number - 1
        object.__setattr__(self, "index", index)

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Return the tile that ``text`` names, such as ``B4`` or ``J``; NotationError otherwise."""
        tile = _BY_TEXT.get(text) or _BY_TEXT.get(text.strip().upper())
        if tile is None:
            raise NotationError(f"{text!r} is not a tile: write a colour R, B, K or O and 1 to 13, or J")
        return tile

    @property
    def is_joker(self) -> bool:
        """True for the joker."""
        return self.index == 52

    def __str__(self) -> str:
        """The notation: ``B4``, ``J``."""
        return "J" if self.colour is None else f"{self.colour.letter}{self.number}"

    def __eq__(self, other: object) -> bool:
        """Tiles are equal when they are of one kind."""
        return self.index == other.index if isinstance(other, Tile) else NotImplemented

    def __lt__(self, other: Tile) -> bool:
        """By colour, then number, the joker last."""
        return self.index < other.index if isinstance(other, Tile) else NotImplemented

    def __hash__(self) -> int:
        """The index: fast, and the same in every process."""
        return self.index


JOKER: Final = Tile(None, None)

NATURAL_TILES: Final = tuple(Tile(colour, number) for colour in Colour for number in range(1, 14))
"""The 52 kinds with a number."""

ALL_TILES: Final = (*NATURAL_TILES, JOKER)
"""The 53 kinds, in order."""

_BY_TEXT: Final = MappingProxyType({str(tile): tile for tile in ALL_TILES})


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a box holds. Raises ValueError when a figure cannot be."""

    copies: int = 2
    """How many of each natural tile."""
    jokers: int = 2
    """How many jokers."""
    colours: tuple[Colour, ...] = tuple(Colour)
    """The colours in the box."""
    numbers: tuple[int, ...] = tuple(range(1, HIGHEST_NUMBER + 1))
    """The numbers in the box, ascending."""

    def __post_init__(self) -> None:
        """Refuse a box that cannot be."""
        if self.copies < 1 or self.jokers < 0:
            raise ValueError("a box holds at least one copy of a tile and no fewer than no jokers")
        if not self.colours or len(set(self.colours)) != len(self.colours):
            raise ValueError("a box holds at least one colour, each named once")
        if not self.numbers or list(self.numbers) != sorted(set(self.numbers) & set(range(1, 14))):
            raise ValueError(f"the numbers of a box ascend within 1..{HIGHEST_NUMBER}")

    def count(self, tile: Tile) -> int:
        """How many of ``tile`` the box holds; 0 for one that it lacks."""
        if tile.is_joker:
            return self.jokers
        return self.copies if tile.colour in self.colours and tile.number in self.numbers else 0

    @property
    def is_full(self) -> bool:
        """True where the box holds all 52 natural tiles."""
        return len(self.colours) * len(self.numbers) == len(NATURAL_TILES)

    @property
    def total(self) -> int:
        """How many tiles the box holds: 106 for the standard one, 160 for XP."""
        return self.copies * len(self.colours) * len(self.numbers) + self.jokers

    def total_value(self, joker_value: int = 30) -> int:
        """The points of all tiles, each joker at ``joker_value``: 788 standard, 1212 XP, at 30."""
        return self.copies * len(self.colours) * sum(self.numbers) + self.jokers * joker_value

    def tiles(self) -> Iterator[Tile]:
        """Yield every tile of the box, each as often as it is there."""
        for tile in ALL_TILES:
            for _ in range(self.count(tile)):
                yield tile


STANDARD: Final = Inventory()
"""Two of each tile and two jokers: 106 (RU «8 наборов фишек четырёх цветов… и 2 джокера»)."""

XP: Final = Inventory(copies=3, jokers=4)
"""Three of each tile and four jokers: 160 (the Goliath XP sheet, for five or six players)."""
