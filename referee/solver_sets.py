"""The catalogue: every legal set that can be laid from some tiles, jokers included.

A set is laid in order, so that a joker in a run stands for one tile; sets with a joker that they could do
without (5 5 5 J) are there, for the joker has to lie somewhere. A run of six or more is two or three shorter
ones lying end to end, so that runs of up to five are enough to say what can be laid at all; only
where a rule looks at a set as a whole are the longer ones needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice, product
from typing import Final

from referee.jokers import IndexSet
from referee.readings import Reading, SetRules, readings
from referee.tiles import JOKER, Colour, Tile

__all__ = [
    "SHORT_RUN",
    "buildable",
    "catalogue",
    "layouts",
    "same_tiles",
    "set_values",
    "stands_for",
    "unlike",
]

_J: Final = JOKER.index
_NUMBERS: Final = 13

SHORT_RUN: Final = 5
"""Every longer run parts into runs of 3 to 5."""


@lru_cache(maxsize=64)
def catalogue(rules: SetRules, jokers: int, longest: int) -> tuple[IndexSet, ...]:
    """Every set with up to ``jokers`` jokers, as laid, runs having up to ``longest`` tiles."""
    return tuple(dict.fromkeys([*_groups(rules, jokers), *_runs(rules, jokers, longest)]))


def _groups(rules: SetRules, jokers: int) -> Iterator[IndexSet]:
    places = [place for place, colour in enumerate(Colour) if colour in rules.colours]
    for number in range(rules.lowest, rules.highest + 1):
        kinds = [place * _NUMBERS + number - 1 for place in places]
        for size in range(1, len(kinds) + 1):
            for naturals in combinations(kinds, size):
                for more in range(max(0, 3 - size), min(jokers, len(kinds) - size) + 1):
                    yield (*naturals, *[_J] * more)


def _runs(
    rules: SetRules, jokers: int, longest: int, only_colour: int | None = None, shortest: int = 3
) -> Iterator[IndexSet]:
    line = rules.line
    places = [place for place, colour in enumerate(Colour) if colour in rules.colours]
    for place in places if only_colour is None else [only_colour]:
        for length in range(shortest, min(longest, rules.longest_run) + 1):
            for start in range(len(line) - length + 1):
                window = [place * _NUMBERS + number - 1 for number in line[start : start + length]]
                for more in range(min(jokers, length - 1) + 1):
                    for spots in combinations(range(length), more):
                        yield tuple(_J if at in spots else index for at, index in enumerate(window))


def buildable(sets: Iterable[IndexSet], supply: Sequence[int]) -> list[IndexSet]:
    """The sets for which ``supply`` (a count for each of ``ALL_TILES``) has the tiles."""
    here = {index for index, count in enumerate(supply) if count}
    jokers = supply[_J]
    return [tiles for tiles in sets if here.issuperset(tiles) and tiles.count(_J) <= jokers]


def same_tiles(tiles: IndexSet) -> IndexSet:
    """What two sets share that differ only in how they lie."""
    return tuple(sorted(tiles))


def unlike(sets: Iterable[IndexSet]) -> list[IndexSet]:
    """The first of all sets that have the same tiles."""
    first: dict[IndexSet, IndexSet] = {}
    for tiles in sets:
        first.setdefault(same_tiles(tiles), tiles)
    return list(first.values())


def _laid_readings(tiles: IndexSet, rules: SetRules) -> list[Reading]:
    """The readings that count for a set as it lies: all of them where the order of a run is nothing."""
    found = readings(tiles, rules)
    return [reading for reading in found if reading.as_laid or rules.order == "any"] or list(found)


@lru_cache(maxsize=1 << 15)
def stands_for(tiles: IndexSet, at: int, rules: SetRules) -> frozenset[Tile]:
    """What the tile at place ``at`` may stand for."""
    return frozenset(reading.tiles[at] for reading in _laid_readings(tiles, rules))


def set_values(tiles: IndexSet, rules: SetRules) -> tuple[int, int]:
    """A set's value in an opening; and as the poorer of group and run, where it is as much one as the other."""
    by_kind: dict[str, int] = {}
    for reading in _laid_readings(tiles, rules):
        by_kind[reading.kind] = max(reading.value, by_kind.get(reading.kind, 0))
    return max(by_kind.values()), min(by_kind.values())


_MOST_LAYOUTS: Final = 64


def layouts(sets: Sequence[IndexSet], rules: SetRules, *, joined: bool) -> Iterator[list[IndexSet]]:
    """Yield the ways to lay ``sets``, as given first: jokers put elsewhere in their runs, some dozens of ways.

    With ``joined``, runs that follow each other become one; nothing is yielded where there are none.
    """
    if joined:
        whole = _joined(sets, rules)
        if len(whole) == len(sets):
            return
        sets = whole
    choices = [_other_layouts(tiles, rules) for tiles in sets]
    yield from (list(choice) for choice in islice(product(*choices), _MOST_LAYOUTS))


def _other_layouts(tiles: IndexSet, rules: SetRules) -> list[IndexSet]:
    if _J not in tiles:
        return [tiles]
    same = same_tiles(tiles)
    naturals = [index for index in tiles if index != _J]
    if len({index // _NUMBERS for index in naturals}) > 1:
        return [tiles]
    others = _runs(rules, tiles.count(_J), len(tiles), naturals[0] // _NUMBERS, len(tiles))
    return list(dict.fromkeys([tiles, *(other for other in others if same_tiles(other) == same)]))


def _joined(sets: Sequence[IndexSet], rules: SetRules) -> list[IndexSet]:
    """The sets, runs put together that follow each other, groups first."""
    spans = [(_span(tiles, rules), tiles) for tiles in sets]
    whole = [tiles for span, tiles in spans if span is None]
    runs = sorted((span, tiles) for span, tiles in spans if span is not None)
    while runs:
        (colour, low, high), tiles = runs.pop(0)
        following = [
            at
            for at, ((other, start, _), more) in enumerate(runs)
            if other == colour and start == high + 1 and len(tiles) + len(more) <= rules.longest_run
        ]
        if following:
            (_, _, end), more = runs.pop(following[0])
            runs.insert(0, ((colour, low, end), tiles + more))
        else:
            whole.append(tiles)
    return whole


def _span(tiles: IndexSet, rules: SetRules) -> tuple[int, int, int] | None:
    """The colour's place, first and last number of a run that lies ascending; None for any other set."""
    for reading in readings(tiles, rules):
        numbers = [tile.number or 0 for tile in reading.tiles]
        if reading.kind == "run" and numbers == list(range(numbers[0], numbers[0] + len(tiles))):
            return reading.tiles[0].index // _NUMBERS, numbers[0], numbers[-1]
    return None
