"""Rules, turns, games and scores of Rummikub; it never sees a picture."""

from __future__ import annotations

from referee.errors import NotationError, RefereeError
from referee.seen import ANY_TILE, SeenTile, parse_tiles, print_tiles
from referee.table import Table, TileSet, parse_table
from referee.tiles import ALL_TILES, JOKER, NATURAL_TILES, STANDARD, XP, Colour, Inventory, Tile

__all__ = [
    "ALL_TILES",
    "ANY_TILE",
    "JOKER",
    "NATURAL_TILES",
    "STANDARD",
    "XP",
    "Colour",
    "Inventory",
    "NotationError",
    "RefereeError",
    "SeenTile",
    "Table",
    "Tile",
    "TileSet",
    "parse_table",
    "parse_tiles",
    "print_tiles",
]
