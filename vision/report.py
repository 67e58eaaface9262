"""What was read from a photograph, as the referee's values, as JSON, and as text.

A doubtful tile goes to the referee with all its likely readings, and a face without any reading as ``??``:
nothing is ever judged on a guess.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.seen import ANY_TILE, SeenTile
from referee.table import Table, TileSet
from vision.readings import Corners, PhotoReading, SetReading, TileReading

__all__ = [
    "doubts", "is_sure", "lying_table", "reading_json", "reading_text", "seen_sets", "seen_table", "seen_tile",
]  # fmt: skip

LIKELY = 0.01
"""Readings of a doubtful tile that are less probable than this are left out of its candidates."""


def seen_tile(reading: TileReading, likely: float = LIKELY) -> SeenTile:
    """Return the tile as the referee sees it: one candidate where it is sure, else all likely readings.

    A doubt that names no other reading may be anything.
    """
    if not reading.doubt:
        return SeenTile.sure(reading.tile)
    others = {tile for tile, probability in reading.alternatives if probability >= likely} - {reading.tile}
    return SeenTile.of({reading.tile, *others}) if others else ANY_TILE


def seen_sets(reading: PhotoReading, likely: float = LIKELY) -> tuple[TileSet, ...]:
    """Return the sets (rows, on a rack) as the referee sees them, in reading order."""
    return tuple(
        tuple(seen_tile(reading.tiles[i], likely) if i >= 0 else ANY_TILE for i in one.members)
        for one in reading.sets
        if one.members
    )


def seen_table(reading: PhotoReading, likely: float = LIKELY) -> Table:
    """Return the whole photograph as a table of sets (of rows, for a rack)."""
    return Table(seen_sets(reading, likely))


def lying_table(reading: PhotoReading, likely: float = LIKELY) -> Table:
    """Return the table in the photograph, without the rows of racks in view."""
    return seen_table(replace(reading, sets=reading.lying), likely)


def is_sure(reading: PhotoReading) -> bool:
    """Tell whether every face and every cut between sets was read surely."""
    return (
        not any(tile.doubt for tile in reading.tiles)
        and not reading.unreadable
        and not any(one.doubt for one in reading.sets)
    )


def reading_json(photo: str, reading: PhotoReading) -> dict[str, Any]:
    """Return the JSON object of one photograph; its keys and their order are a contract with other programs.

    ``corners`` are pixels of the upright picture, from the tile's own upper left, clockwise. ``sets`` list
    indices into ``tiles``; a face without any reading is only counted, in ``unreadable``. Of a table with a
    rack in view ``on_rack``, after all others, lists those that stand.
    """
    apart = reading.kind == "table" and reading.on_rack
    return {
        "photo": photo,
        "size": list(reading.size_wh),
        "kind": reading.kind,
        "tiles": [_tile_json(tile) for tile in reading.tiles],
        "sets": [read for one in reading.sets if (read := [i for i in one.members if i >= 0])],
        "face_down": len(reading.face_down_xy_px),
        "unreadable": len(reading.unreadable),
        "ms": {stage: round(float(ms), 1) for stage, ms in reading.ms.items()},
        **({"on_rack": [i for i in reading.on_rack if i >= 0]} if apart else {}),
    }


def _tile_json(tile: TileReading) -> dict[str, Any]:
    return {
        "tile": str(tile.tile),
        "confidence": round(float(tile.confidence), 4),
        "doubt": bool(tile.doubt),
        "corners": _corners_json(tile.corners_xy_px),
        "alternatives": [[str(other), round(float(p), 4)] for other, p in tile.alternatives],
    }


def _corners_json(corners_xy_px: Corners) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in corners_xy_px]


def reading_text(reading: PhotoReading, likely: float = LIKELY) -> list[str]:
    """Return what was read, for a person: the notation on the first line, then a sentence for each doubt."""
    if reading.kind == "empty" or not reading.sets:
        lines = ["No tiles face up."]
    else:
        lines = [str(seen_table(reading, likely))]
    if reading.kind == "table" and reading.standing:
        count = len(reading.standing)
        which = "group stands" if count == 1 else f"{count} groups stand"
        lines.append(f"The last {which} on a rack.")
    lines += doubts(reading, likely)
    lines += reading.notes
    if reading.face_down_xy_px:
        lines.append(_counted(len(reading.face_down_xy_px), "tile lies face down.", "tiles lie face down."))
    return lines


def doubts(reading: PhotoReading, likely: float = LIKELY) -> list[str]:
    """Return one sentence for each thing that was not read surely."""
    where = "row" if reading.kind == "rack" else "set"
    return [
        sentence
        for place, one in enumerate(reading.sets, start=1)
        for sentence in _doubts_of_set(reading, one, f"{where} {place}", likely)
    ]


def _doubts_of_set(reading: PhotoReading, one: SetReading, where: str, likely: float) -> list[str]:
    sentences = []
    for position, index in enumerate(one.members, start=1):
        if index < 0:
            sentences.append(f"Tile {position} of {where} cannot be read.")
        elif (tile := reading.tiles[index]).doubt:
            best = f"{tile.tile} ({tile.confidence:.0%})"
            sentences.append(
                f"Tile {position} of {where} is in doubt: {seen_tile(tile, likely)}, most likely {best}."
            )
    if one.doubt:
        sentences.append(f"It is in doubt where {where} begins and ends.")
    return sentences


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
