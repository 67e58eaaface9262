"""A table: the sets that lie on it.

Notation: tiles apart by blanks, sets apart by bars, ``B4 B5 B6 | K8 R8 J``. The dossier's dots between tiles
are read too (``B4.B5.B6 | K8.R8.J``), never printed. An empty table prints as an empty text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.errors import NotationError
from referee.seen import SeenTile, parse_tiles, print_tiles

__all__ = ["Table", "TileSet", "parse_table"]

TileSet = tuple[SeenTile, ...]
"""Tiles that lie together, in laid order; a loose tile is a set of one."""


@dataclass(frozen=True, slots=True)
class Table:
    """Every set on the table. Raises ValueError for a set without tiles."""

    sets: tuple[TileSet, ...] = ()
    """The sets; their order means nothing to the rules."""

    def __post_init__(self) -> None:
        """Refuse a set of no tiles."""
        if not all(self.sets):
            raise ValueError("a set on the table has at least one tile")

    def __str__(self) -> str:
        """The notation: ``B4 B5 B6 | K8 R8 J``."""
        return " | ".join(print_tiles(tiles) for tiles in self.sets)

    def tiles(self) -> Iterator[SeenTile]:
        """Yield every tile, set by set."""
        for tiles in self.sets:
            yield from tiles

    @property
    def is_sure(self) -> bool:
        """True where every tile has one candidate."""
        return all(tile.is_sure for tile in self.tiles())


def parse_table(text: str) -> Table:
    """Return the table that ``text`` describes; NotationError for a word that is no tile, or an empty set."""
    if text.strip() in ("", "-", "∅"):
        return Table()
    sets = tuple(parse_tiles(part) for part in text.split("|"))
    if not all(sets):
        raise NotationError(f"{text!r} has a set without tiles: put at least one between two bars")
    return Table(sets)
