"""From what a watcher sees to the desk's table, and what people put right there back to its events."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee import Event, Play, Table, parse_table
from referee.difference import added_and_gone
from vision.watch.types import LyingTable
from web.desk.answers import with_reading
from web.desk.seen import SeenNow, TileNow
from web.errors import Refused

__all__ = ["as_it_was", "seen_now", "with_corrections"]


def seen_now(lying: LyingTable, size_wh: tuple[int, int], at_s: float) -> SeenNow:
    """Return what a watcher saw as the desk's table, corners in shares of the picture."""
    by_key = {tile.key: tile for tile in lying.tiles}
    size = np.asarray(size_wh, np.float32)

    def tile_now(key: int) -> TileNow:
        tile = by_key[key]
        corners = tuple((float(x), float(y)) for x, y in tile.corners_xy_px / size)
        return TileNow(f"c{key}", tile.seen, tile.alternatives, corners)

    return SeenNow(
        "camera",
        tuple(tuple(tile_now(key) for key in one.keys) for one in lying.sets),
        tuple(one.doubt for one in lying.sets),
        (),
        lying.backs,
        at_s,
    )


def as_it_was(before: Table, now: Table) -> bool:
    """True where nothing came to the table, nothing went, and the sets are the same, doubts apart."""
    added, gone = added_and_gone(before, now)
    if added or gone:
        return False
    if not (before.is_sure and now.is_sure):
        return sorted(map(len, before.sets)) == sorted(map(len, now.sets))
    return sorted(sorted(map(str, one)) for one in before.sets) == sorted(
        sorted(map(str, one)) for one in now.sets
    )


def with_corrections(event: Event, seen: SeenNow | None) -> Event:
    """Return a play with the readings that people put right while the turn was under way."""
    if not isinstance(event, Play) or seen is None or not seen.corrected:
        return event
    table = parse_table(event.table)
    for tiles in seen.sets:
        for tile in tiles:
            if tile.key in seen.corrected:
                try:
                    table = with_reading(table, tile.seen, seen.corrected[tile.key])
                except Refused:
                    continue
    return replace(event, table=str(table))
