"""Racks that are being counted: photographed or typed, put right by tapping, accepted one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee import SeenTile
from web.desk.seen import TileNow
from web.errors import Refused

__all__ = ["RackNow", "racks_from_json", "racks_to_json"]


@dataclass(frozen=True, slots=True)
class RackNow:
    """One rack as far as it is known."""

    tiles: tuple[TileNow, ...] = ()
    """Its tiles, in reading order."""
    given: bool = False
    """Whether anyone has told what it holds."""
    accepted: bool = False
    """Whether it counts so."""
    picture: str | None = None
    """The name of its photograph."""
    notes: tuple[str, ...] = ()
    """What the reading remarked, in English."""

    @property
    def seen(self) -> tuple[SeenTile, ...]:
        """The tiles as the referee takes them."""
        return tuple(tile.seen for tile in self.tiles)

    def with_tile(self, at: int, seen: SeenTile | None) -> RackNow:
        """The rack with one tile put right, added at the end, or, for None, taken out."""
        if not 0 <= at <= len(self.tiles) or (at == len(self.tiles) and seen is None):
            raise Refused("no-such-tile")
        if seen is None:
            tiles = (*self.tiles[:at], *self.tiles[at + 1 :])
        elif at == len(self.tiles):
            tiles = (*self.tiles, TileNow(str(at), seen))
        else:
            tiles = (*self.tiles[:at], replace(self.tiles[at], seen=seen), *self.tiles[at + 1 :])
        return replace(self, tiles=tiles, given=True, accepted=False)


def racks_to_json(racks: Mapping[int, RackNow]) -> dict[str, Any]:
    """As plain values."""
    return {
        str(seat): {
            "tiles": [
                [
                    tile.key,
                    str(tile.seen),
                    [[str(seen), share] for seen, share in tile.likely],
                    None if tile.corners is None else [list(corner) for corner in tile.corners],
                ]
                for tile in rack.tiles
            ],
            "given": rack.given,
            "accepted": rack.accepted,
            "picture": rack.picture,
            "notes": list(rack.notes),
        }
        for seat, rack in racks.items()
    }


def racks_from_json(plain: Mapping[str, Any]) -> dict[int, RackNow]:
    """The racks of ``racks_to_json``."""
    return {
        int(seat): RackNow(
            tuple(
                TileNow(
                    key,
                    SeenTile.parse(text),
                    tuple((SeenTile.parse(other), share) for other, share in likely),
                    None if corners is None else tuple((x, y) for x, y in corners),
                )
                for key, text, likely, corners in rack["tiles"]
            ),
            rack["given"],
            rack["accepted"],
            rack["picture"],
            tuple(rack["notes"]),
        )
        for seat, rack in plain.items()
    }
