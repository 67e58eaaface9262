"""The tiles of a table against those of the box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from math import prod
from typing import Final, Literal

from referee.messages import Problem, Question
from referee.seen import SURE_TILES, SeenTile
from referee.table import Table, TileSet
from referee.tiles import ALL_TILES, Inventory, Tile

__all__ = ["judge_copies", "overdrawn", "stock_in_doubt"]


def judge_copies(table: Table, inventory: Inventory) -> tuple[tuple[Problem, ...], tuple[Question, ...]]:
    """Compare the sure tiles with the box: too many is a fault, or a question where one of them is covered."""
    sure = [seen for seen in table.tiles() if seen.index >= 0]
    all_counts = Counter([seen.index for seen in sure])
    seen_counts = all_counts - Counter([seen.index for seen in sure if seen.hidden])
    problems = []
    questions = []
    for index, all_count in sorted(all_counts.items()):
        if all_count <= min(inventory.copies, inventory.jokers) and inventory.is_full:
            continue
        tile = ALL_TILES[index]
        seen_count = seen_counts[index]
        limit = inventory.count(tile)
        if seen_count > limit:
            args = _copies_args(tile, seen_count, limit)
            problems.append(Problem("too-many-copies", (SeenTile.sure(tile),) * seen_count, args))
        elif all_count > limit:
            args = _copies_args(tile, all_count, limit)
            covered = SeenTile.of([tile], hidden=True)
            tiles = (SeenTile.sure(tile),) * seen_count + (covered,) * (all_count - seen_count)
            questions.append(Question("hidden-copies", tiles, ("yes", "no"), args))
    return tuple(problems), tuple(questions)


def _copies_args(tile: Tile, count: int, limit: int) -> tuple[tuple[str, str | int], ...]:
    return (("tile", str(tile)), ("count", count), ("limit", limit))


def overdrawn(counts: Counter[int], inventory: Inventory) -> bool:
    """True where ``counts``, by index, takes more of a tile than the box holds."""
    return any(count > inventory.count(ALL_TILES[index]) for index, count in counts.items())


_MOST_COMPLETIONS: Final = 512


def stock_in_doubt(
    table: Table, inventory: Inventory, is_illegal: Callable[[TileSet], bool]
) -> Literal["clear", "open", "never"]:
    """Whether doubtful tiles can all be read within the box.

    ``clear``: however they are read. ``open``: in some readings the box does not hold so many copies; also
    where there are too many readings to try. ``never``: every reading takes too many, or leaves an illegal set.
    """
    doubtful = [seen for seen in table.tiles() if not seen.is_sure and not seen.hidden]
    sure = Counter([seen.index for seen in table.tiles() if seen.is_sure and not seen.hidden])
    might = sure + Counter([tile.index for seen in doubtful for tile in seen.candidates])
    if not overdrawn(might, inventory):
        return "clear"
    if table.shared or prod(len(seen.candidates) for seen in doubtful) > _MOST_COMPLETIONS:
        return "open"
    unsure_sets = [tiles for tiles in table.sets if any(not s.is_sure and not s.hidden for s in tiles)]
    too_many = stands = False
    for choice in product(*([tile.index for tile in seen.candidates] for seen in doubtful)):
        excess = overdrawn(sure + Counter(choice), inventory)
        too_many = too_many or excess
        if not excess:
            supply = iter(choice)
            filled = [
                tuple(s if s.is_sure or s.hidden else SURE_TILES[next(supply)] for s in tiles)
                for tiles in unsure_sets
            ]
            stands = stands or not any(map(is_illegal, filled))
    return "never" if not stands else "open" if too_many else "clear"
