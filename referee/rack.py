"""What is left on racks, in points, and the check of the losers' total against the table.

Values: a natural tile counts its number, a joker what the edition says: 30 on all five sheets, 25 in Dutch
clubs, 50 at the Mind Sports Olympiad, 100 in New Zealand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from referee.messages import Note, Problem
from referee.seen import SeenTile
from referee.table import Table
from referee.tiles import STANDARD, Inventory, Tile

__all__ = ["JOKER_ON_RACK", "PointRange", "TotalCheck", "check_total", "rack_points", "tile_points"]

JOKER_ON_RACK: Final = 30
"""Points of a joker left on a rack, on all five sheets."""


@dataclass(frozen=True, slots=True)
class PointRange:
    """A sum of points that doubtful tiles leave open."""

    least: int
    """The smallest sum that the candidates allow."""
    most: int
    """The greatest sum that the candidates allow."""

    @property
    def is_sure(self) -> bool:
        """True where every candidate gives the same sum."""
        return self.least == self.most

    def __add__(self, other: PointRange) -> PointRange:
        """Both sums together."""
        return PointRange(self.least + other.least, self.most + other.most)

    def __str__(self) -> str:
        """``43``, or ``40-46`` where it is not sure."""
        return str(self.least) if self.is_sure else f"{self.least}-{self.most}"


def tile_points(tile: Tile, joker_value: int = JOKER_ON_RACK) -> int:
    """Points of one tile; a joker counts ``joker_value``."""
    return joker_value if tile.number is None else tile.number


def rack_points(tiles: Sequence[SeenTile], joker_value: int = JOKER_ON_RACK) -> PointRange:
    """The sum of ``tiles``; a hidden tile counts as what is remembered."""
    total = PointRange(0, 0)
    for seen in tiles:
        points = [tile_points(tile, joker_value) for tile in seen.candidates]
        total += PointRange(min(points), max(points))
    return total


@dataclass(frozen=True, slots=True)
class TotalCheck:
    """Whether racks and table add up to the box."""

    outcome: Literal["ok", "mismatch", "unknown"]
    """``unknown`` where doubtful tiles leave it open."""
    expected: PointRange
    """What the racks must hold: the box less the table."""
    counted: PointRange
    """What the racks do hold."""
    note: Note
    """The outcome as a code with its sentence; a ``Problem`` where it is a mismatch."""

    @property
    def message(self) -> str:
        """The outcome as an English sentence."""
        return self.note.message


def check_total(
    table: Table, racks: Sequence[Sequence[SeenTile]], inventory: Inventory = STANDARD
) -> TotalCheck:
    """Check the racks against the table, where the pool is empty and one rack is out.

    All other tiles then lie on the table, so the losers' racks hold the whole box less the table: 788 less
    the table's value in the standard box, 1212 in XP, with every joker at 30 on both sides whatever the
    edition counts for it. The winner's empty rack may be given or left out. It is only a check of sums: tiles
    of equal value that were read for each other pass.
    """
    box = inventory.total_value(JOKER_ON_RACK)
    laid = rack_points(tuple(table.tiles()))
    expected = PointRange(box - laid.most, box - laid.least)
    counted = sum((rack_points(rack) for rack in racks), PointRange(0, 0))
    args = (("box", box), ("expected", str(expected)), ("counted", str(counted)))
    if counted.most < expected.least or expected.most < counted.least:
        return TotalCheck("mismatch", expected, counted, Problem("total-mismatch", args=args))
    if expected.is_sure and counted.is_sure:
        return TotalCheck("ok", expected, counted, Note("total-ok", args=args))
    return TotalCheck("unknown", expected, counted, Note("total-unknown", args=args))
