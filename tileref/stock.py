"""More copies of a tile than the box holds, all of them read surely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from referee.seen import SeenTile
from referee.tiles import Inventory

__all__ = ["sure_excess"]


def sure_excess(tiles: Iterable[SeenTile], inventory: Inventory) -> list[str]:
    """Return one sentence for each tile that is surely there more often than ``inventory`` holds it."""
    counts = Counter(seen.tile for seen in tiles if seen.is_sure and not seen.hidden)
    return [
        f"{tile} is there {count} times, and the box holds {inventory.count(tile)}."
        for tile, count in sorted(counts.items())
        if count > inventory.count(tile)
    ]
