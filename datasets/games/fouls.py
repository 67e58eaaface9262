"""Fouls, each made on purpose: what it is follows from how it was made, never from asking the referee.

Every maker takes a ``Bench``, a player's hand over the table, and leaves the foul on it with the codes that
belong to it, or returns None where the position has not what it takes. Verdicts depend on the edition's axes
where the sheets differ; a kind that an edition allows is not made for it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from datasets.games import fouls_jokers, fouls_opening, fouls_sets
from datasets.games.bench import Bench, Foul, Maker
from datasets.games.players import play
from datasets.games.position import LaidSet, Position
from referee.axes import Rules

__all__ = ["CLIPS_ONLY", "KINDS", "OPENED", "UNOPENED", "Foul", "illegal_kinds", "make_foul"]


def _after_drawing(bench: Bench) -> tuple[str, ...] | None:
    """A legal play, after a tile was drawn."""
    table = play(bench.position, bench.seat, bench.chance, bench.rules, keep=1, solver=0)
    if table is None or not bench.position.pool:
        return None
    bench.table = table
    bench.drew = True
    return ("played-after-drawing",)


OPENED: Final[Mapping[str, Maker]] = MappingProxyType(
    {**fouls_sets.MAKERS, "played-after-drawing": _after_drawing, **fouls_jokers.MAKERS}
)
"""Fouls of players who have opened."""

UNOPENED: Final[Mapping[str, Maker]] = fouls_opening.MAKERS
"""Fouls of players who have not."""

KINDS: Final = (*OPENED, *UNOPENED)
"""Every kind of foul, and of question, that can be made."""

CLIPS_ONLY: Final = ("third-copy", "set-broken")
"""Kinds that no whole game has: they need a tile of another box, or rules without rearranging."""


def make_foul(
    position: Position, seat: int, kind: str, chance: random.Random, rules: Rules, *, pool_in_view: bool = False
) -> Foul | None:
    """Make a foul of ``kind`` in ``position``; None where that cannot be, or the rules allow it.

    Raises KeyError for a kind that there is not. ``played-after-drawing`` needs the pool in view.
    """
    makers = OPENED if kind in OPENED else UNOPENED
    maker = makers[kind]
    if position.opened[seat] is not (kind in OPENED) or (kind == "played-after-drawing" and not pool_in_view):
        return None
    bench = Bench(position, seat, chance, rules)
    codes = maker(bench)
    if codes is None or _shown(bench.table, position) == _shown(position.table, position):
        return None  # equal tiles changed places: nobody could tell
    table = tuple(tiles for tiles in bench.table if tiles)
    right = None if bench.puts_right is None else tuple(bench.puts_right)
    return Foul(kind, table, bench.verdict, tuple(sorted(codes)), bench.drew, right)


def _shown(table: list[LaidSet], position: Position) -> Counter[tuple[str, ...]]:
    return Counter(tuple(sorted(position.names[key] for key, _ in tiles)) for tiles in table)


def illegal_kinds(rules: Rules) -> tuple[str, ...]:
    """The kinds of fouls for whole games that a sheet surely forbids; questions are left to clips."""
    asked = {"out-of-order", "joker-slides", "opening-slides", "group-or-run", "joker-in-opening"}
    if rules.joker_strict != "fault":
        asked |= {"joker-lifted", "joker-to-old-set", "joker-without-rack-tile"}
    if rules.opening_build != "no":
        asked.add("opening-builds")
    if rules.rack_tile != "yes":
        asked.add("nothing-played")
    return tuple(kind for kind in KINDS if kind not in asked and kind not in CLIPS_ONLY)
