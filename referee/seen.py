"""Tiles as they were seen: doubt and cover are values of their own.

Notation: ``B4`` is sure; ``B?`` is blue with any number (13 candidates), ``?6`` a six of any colour (four),
``B6/B9`` one of those listed, ``??`` anything at all (53). ``~`` in front of any says that the tile is hidden
now and remembered so: ``~B6``. Longer doubts combine the forms: ``B?/?6/J``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from referee.errors import NotationError
from referee.tiles import ALL_TILES, JOKER, NATURAL_TILES, Colour, Tile

__all__ = ["ANY_TILE", "SURE_TILES", "SeenTile", "parse_tiles", "print_tiles"]

_EVERYTHING: Final = frozenset(ALL_TILES)


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile on the table or on a rack, as far as it is known. Raises ValueError without a candidate."""

    candidates: frozenset[Tile]
    """What it may be; one candidate means that it is sure."""
    hidden: bool = False
    """True while something covers it: then ``candidates`` is what is remembered, not what is seen."""
    index: int = field(init=False, repr=False, compare=False)
    """The one candidate's place in ``ALL_TILES``; -1 for a doubtful tile."""

    def __post_init__(self) -> None:
        """Refuse a tile that can be nothing."""
        if not self.candidates:
            raise ValueError("a seen tile has at least one candidate")
        index = next(iter(self.candidates)).index if len(self.candidates) == 1 else -1
        object.__setattr__(self, "index", index)

    @classmethod
    def sure(cls, tile: Tile) -> SeenTile:
        """The tile, read surely."""
        return SURE_TILES[tile.index]

    @classmethod
    def of(cls, tiles: Iterable[Tile], *, hidden: bool = False) -> SeenTile:
        """A tile that may be any of ``tiles``."""
        return cls(frozenset(tiles), hidden)

    @classmethod
    def parse(cls, text: str) -> SeenTile:
        """Return the seen tile that ``text`` names, ``B4``, ``B?`` or ``~B6/B9``; else NotationError."""
        return _parse(text)

    @property
    def is_sure(self) -> bool:
        """True where there is one candidate; a hidden tile is sure of what is remembered."""
        return self.index >= 0

    @property
    def tile(self) -> Tile:
        """The one candidate; ValueError for a doubtful tile."""
        if self.index < 0:
            raise ValueError(f"{self} is doubtful: it has {len(self.candidates)} candidates")
        return ALL_TILES[self.index]

    def __str__(self) -> str:
        """The notation, in its one canonical form."""
        return ("~" if self.hidden else "") + _print_candidates(self.candidates)


SURE_TILES: Final = tuple(SeenTile(frozenset({tile})) for tile in ALL_TILES)
"""Every tile of ``ALL_TILES``, surely read, in the same order."""

ANY_TILE: Final = SeenTile(_EVERYTHING)
"""``??``: a face of which nothing is known."""


@lru_cache(maxsize=4096)
def _parse(text: str) -> SeenTile:
    """``SeenTile.parse``; the same few texts come again and again."""
    body = text.strip().upper()
    hidden = body.startswith("~")
    candidates: set[Tile] = set()
    for atom in body.removeprefix("~").split("/"):
        candidates.update(_atom(atom, text))
    if len(candidates) == 1 and not hidden:
        return SeenTile.sure(candidates.pop())
    return SeenTile(frozenset(candidates), hidden)


def _atom(atom: str, whole: str) -> Iterable[Tile]:
    """The candidates that one part of ``whole`` names."""
    if atom == "??":
        return ALL_TILES
    if len(atom) == 2 and atom[1] == "?":
        found = [tile for tile in NATURAL_TILES if tile.colour and tile.colour.letter == atom[0]]
    elif atom.startswith("?"):
        found = [tile for tile in NATURAL_TILES if str(tile.number) == atom[1:]]
    else:
        found = [tile for tile in ALL_TILES if str(tile) == atom]
    if not found:
        raise NotationError(
            f"{whole!r} is not a tile: write B4, J, B? (any blue), ?6 (any six), B6/B9, ?? or ~B6 (hidden)"
        )
    return found


def _print_candidates(candidates: frozenset[Tile]) -> str:
    """Whole colours first, then whole numbers not yet covered, then single tiles in order, the joker last."""
    if len(candidates) == 1:
        return str(next(iter(candidates)))
    if candidates == _EVERYTHING:
        return "??"
    left = set(candidates)
    parts: list[str] = []
    for colour in Colour:
        whole = {tile for tile in NATURAL_TILES if tile.colour is colour}
        if whole <= candidates:
            parts.append(f"{colour.letter}?")
            left -= whole
    for number in range(1, 14):
        whole = {tile for tile in NATURAL_TILES if tile.number == number}
        if whole <= candidates and whole & left:
            parts.append(f"?{number}")
            left -= whole
    parts += [str(tile) for tile in sorted(left - {JOKER})]
    if JOKER in left:
        parts.append(str(JOKER))
    return "/".join(parts)


def parse_tiles(text: str) -> tuple[SeenTile, ...]:
    """Return the tiles that ``text`` lists, apart by blanks or dots; ``-``, ``∅`` and blanks alone mean none.

    Raises NotationError at the first word that is no tile.
    """
    if text.strip() in ("", "-", "∅"):
        return ()
    return tuple(_parse(word) for word in text.replace(".", " ").split())


def print_tiles(tiles: Iterable[SeenTile | Tile]) -> str:
    """The canonical text of a row of tiles, apart by blanks."""
    return " ".join(str(tile) for tile in tiles)
