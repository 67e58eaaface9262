"""Two ways to find the best move without integer programming, to check the solver by.

``every_table`` lays the tiles in every possible way, for the referee to judge each: all rules are in it, but it
is for a handful of tiles. ``Numbers`` is the dynamic programme of van Rijn, Takes and Vis (2015), which walks
from the ones to the thirteens and remembers only which runs are open; jokers are tiles of any colour there, and
what the rules ask of jokers is not in it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, product

from referee.axes import Rules
from referee.seen import SURE_TILES
from referee.table import Table
from referee.tiles import ALL_TILES, JOKER

J = JOKER.index
Laid = tuple[int, ...]


# --- positions --------------------------------------------------------------------------------------------


def legal_set(rng: random.Random, jokers: bool) -> list[int]:
    """A random set, half of them with a joker where there may be one."""
    if rng.random() < 0.4:
        number = rng.randrange(13)
        tiles = [colour * 13 + number for colour in rng.sample(range(4), rng.choice((3, 3, 4)))]
    else:
        length = rng.choice((3, 3, 3, 4, 4, 5, 6, 7))
        start = rng.randrange(14 - length)
        colour = rng.randrange(4)
        tiles = [colour * 13 + start + step for step in range(length)]
    if jokers and rng.random() < 0.5:
        tiles[rng.randrange(len(tiles))] = J
    return tiles


def position(
    rng: random.Random, rules: Rules, tiles: int, rack: int, *, jokers: bool = True, close: bool = False
) -> tuple[Table, list[int]]:
    """A legal table of at most ``tiles`` tiles and a rack; with ``close``, of few kinds, so that more fits."""
    supply = Counter({tile.index: rules.inventory.count(tile) for tile in ALL_TILES})
    if close:
        numbers = rng.randrange(9)
        supply = Counter({i: n for i, n in supply.items() if i == J or numbers <= i % 13 < numbers + 5})
    table: list[list[int]] = []
    for _ in range(60):
        new = legal_set(rng, jokers)
        if sum(map(len, table)) + len(new) <= tiles and not Counter(new) - supply:
            table.append(new)
            supply -= Counter(new)
    pool = [index for index in sorted(supply.elements()) if jokers or index != J]
    held = rng.sample(pool, min(rack, len(pool)))
    if jokers and supply[J] and rng.random() < 0.3:
        held[0] = J
    if Counter(held)[J] > supply[J]:
        held.remove(J)
    return laid_table(table), held


def laid_table(sets: list[list[int]] | list[Laid]) -> Table:
    return Table(tuple(tuple(SURE_TILES[index] for index in tiles) for tiles in sets))


# --- every table --------------------------------------------------------------------------------------------


def every_set(rules: Rules, supply: Counter[int]) -> list[Laid]:
    """Every set that ``supply`` can lay, runs in order, by trying every span and every place of a joker."""
    found: set[Laid] = set()
    for number in range(13):
        for size in (3, 4):
            for colours in combinations(range(4), size):
                whole = [colour * 13 + number for colour in colours]
                for spots in product((False, True), repeat=size):
                    tiles = [index for index, joker in zip(whole, spots, strict=True) if not joker]
                    found.add((*tiles, *[J] * (size - len(tiles))))
    for colour in range(4):
        for start in range(13):
            for end in range(start + 3, 14):
                whole = [colour * 13 + number for number in range(start, end)]
                if sum(index not in supply for index in whole) > supply[J]:
                    continue
                for more in range(min(supply[J], len(whole)) + 1):
                    for spots in combinations(range(len(whole)), more):
                        found.add(tuple(J if at in spots else index for at, index in enumerate(whole)))
    return sorted(tiles for tiles in found if set(tiles) != {J} and not Counter(tiles) - supply)


def every_table(rules: Rules, table: Counter[int], rack: Counter[int]) -> Iterator[tuple[Laid, ...]]:
    """Yield every way to lay all of ``table`` and at least one tile of ``rack``."""
    sets = every_set(rules, table + rack)
    by_tile: dict[int, list[Laid]] = {}
    for tiles in sets:
        for index in set(tiles):
            by_tile.setdefault(index, []).append(tiles)
    seen: set[tuple[Laid, ...]] = set()

    def lay(must: Counter[int], may: Counter[int], laid: tuple[Laid, ...]) -> Iterator[tuple[Laid, ...]]:
        key = tuple(sorted(laid))
        if key in seen:
            return
        seen.add(key)
        if not must:
            if sum(may.values()) < sum(rack.values()):
                yield laid
            choices = sets
        else:
            choices = by_tile.get(min(must), [])
        for tiles in choices:
            need = Counter(tiles)
            if not need - (must + may):
                from_rack = need - must
                yield from lay(must - need, may - from_rack, (*laid, tiles))

    yield from lay(table, rack, ())


# --- number by number ---------------------------------------------------------------------------------------

Runs = tuple[int, ...]
"""How long each open run of a colour is, 3 standing for 3 or more."""


class Numbers:
    """The dynamic programme for one position; ``worth`` says what each tile from the rack counts.

    At every number, each colour's tiles go on with open runs, open new ones, or go into groups. A run that is
    not gone on with has to have three tiles; groups can be made of the rest if no colour has more tiles than
    there are groups, and the groups have three or four each.
    """

    def __init__(self, table: Counter[int], rack: Counter[int], worth: Callable[[int, int], int]) -> None:
        """``worth`` takes a tile's index and the number (1 to 13) that it stands for."""
        self._table = table
        self._rack = rack
        self._worth = worth
        self._known: dict[tuple[int, Runs, int], list[tuple[int, int, Runs, int]]] = {}

    def sums(self, best_only: bool) -> set[tuple[int, int]]:
        """Every sum of worth that can be reached, with the jokers laid; with ``best_only``, just the best."""
        jokers = self._table[J] + self._rack[J]
        states: dict[tuple[int, tuple[Runs, ...]], set[int]] = {(0, ((),) * 4): {0}}
        for number in range(1, 14):
            after: dict[tuple[int, tuple[Runs, ...]], set[int]] = {}
            for (used, runs), sums in states.items():
                options = [
                    self._colour(colour * 13 + number - 1, runs[colour], jokers - used) for colour in range(4)
                ]
                for choice in product(*options):
                    now = used + sum(option[0] for option in choice)
                    if now > jokers or not groups_fit([option[3] for option in choice]):
                        continue
                    gain = sum(option[1] for option in choice)
                    reached = after.setdefault((now, tuple(option[2] for option in choice)), set())
                    reached.update(value + gain for value in sums)
                    if best_only:
                        best = max(reached)
                        reached.intersection_update({best})
            states = after
        return {
            (value, used)
            for (used, runs), sums in states.items()
            if used >= self._table[J] and all(length == 3 for open_runs in runs for length in open_runs)
            for value in sums
        }

    def _colour(self, index: int, runs: Runs, jokers: int) -> list[tuple[int, int, Runs, int]]:
        """Every way to use one colour's tiles of a number: jokers, worth, runs then open, tiles for groups."""
        key = index, runs, jokers
        if key in self._known:
            return self._known[key]
        number = index % 13 + 1
        found = set()
        for own in range(self._rack[index] + 1):
            for more in range(jokers + 1):
                tiles = self._table[index] + own + more
                gain = own * self._worth(index, number) + more * self._worth(J, number)
                for goes_on in product((True, False), repeat=len(runs)):
                    if any(length < 3 and not on for length, on in zip(runs, goes_on, strict=True)):
                        continue
                    left = tiles - sum(goes_on)
                    for new in range(left + 1):
                        longer = [min(3, n + 1) for n, on in zip(runs, goes_on, strict=True) if on]
                        found.add((more, gain, tuple(sorted([*longer, *[1] * new])), left - new))
        self._known[key] = sorted(found)
        return self._known[key]


def groups_fit(tiles: list[int]) -> bool:
    """Whether so many tiles of each colour, all of one number, part into groups."""
    total = sum(tiles)
    return total == 0 or any(3 * n <= total <= 4 * n and max(tiles) <= n for n in range(1, total // 3 + 1))
