"""What came to a table and what went, doubtful tiles included."""

from __future__ import annotations

from collections import Counter

from referee.seen import SeenTile
from referee.table import Table

__all__ = ["added_and_gone"]


def added_and_gone(before: Table, after: Table) -> tuple[tuple[SeenTile, ...], tuple[SeenTile, ...]]:
    """Return the tiles only on ``after`` and those only on ``before``, each in its table's order.

    Equal readings are taken for the same tile first; a tile is then taken for one whose candidates it shares,
    as many as can be, so a doubt alone never makes a tile new or gone. Being hidden makes no difference.
    """
    left = Counter(seen.candidates for seen in before.tiles())
    added = []
    for seen in after.tiles():
        if left[seen.candidates]:
            left[seen.candidates] -= 1
        else:
            added.append(seen)
    gone = []
    for seen in reversed(list(before.tiles())):
        if left[seen.candidates]:
            left[seen.candidates] -= 1
            gone.append(seen)
    gone.reverse()
    if all(seen.is_sure for seen in (*added, *gone)):
        return tuple(added), tuple(gone)
    return _matched(added, gone)


def _matched(added: list[SeenTile], gone: list[SeenTile]) -> tuple[tuple[SeenTile, ...], tuple[SeenTile, ...]]:
    """Pair as many tiles as share a candidate (Kuhn's augmenting paths), and return the others."""
    partner: dict[int, int] = {}

    def pair(new: int, tried: set[int]) -> bool:
        for old, seen in enumerate(gone):
            if old not in tried and seen.candidates & added[new].candidates:
                tried.add(old)
                if old not in partner or pair(partner[old], tried):
                    partner[old] = new
                    return True
        return False

    for new in range(len(added)):
        pair(new, set())
    kept = set(partner.values())
    return (
        tuple(seen for place, seen in enumerate(added) if place not in kept),
        tuple(seen for place, seen in enumerate(gone) if place not in partner),
    )
