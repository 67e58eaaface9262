"""Sets with doubtful tiles: what holds for some completion, and what holds for all.

A completion picks one candidate for every tile. There may be 53**13 of them, so both questions are settled by
the structure of groups and runs: the first by matching tiles to the places of a run, the second by counting
the legal completions exactly and comparing with their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Final

from referee.readings import SetRules, readings
from referee.table import TileSet
from referee.tiles import HIGHEST_NUMBER, Colour

__all__ = ["can_stand", "surely_legal"]

_JOKER: Final = 52

_Options = Sequence[frozenset[int]]


def _options(tiles: TileSet) -> list[frozenset[int]]:
    """Each tile's candidates as indices."""
    return [frozenset(tile.index for tile in seen.candidates) for seen in tiles]


def _box_colours(rules: SetRules) -> list[int]:
    return [place for place, colour in enumerate(Colour) if colour in rules.colours]


@lru_cache(maxsize=4096)
def can_stand(tiles: TileSet, rules: SetRules) -> bool:
    """True where some completion is legal, or to be asked about: not every completion is illegal."""
    if not 3 <= len(tiles) <= rules.longest_run:
        return False
    options = _options(tiles)
    if all(_JOKER in option for option in options):
        return True
    return _can_be_group(options, rules) or _can_be_run(options, rules)


def _can_be_group(options: _Options, rules: SetRules) -> bool:
    return any(
        naturals > 0
        for number in range(rules.lowest, rules.highest + 1)
        for naturals in _groups_of(options, number, rules)
    )


def _groups_of(options: _Options, number: int, rules: SetRules) -> dict[int, int]:
    """How many completions are groups of ``number`` by how many natural tiles they hold."""
    if len(options) > rules.longest_group:
        return {}
    ways: dict[int, int] = {0: 1}  # by the set of colours in use, as bits
    for option in options:
        after: dict[int, int] = {}
        for used, count in ways.items():
            if _JOKER in option:
                after[used] = after.get(used, 0) + count
            for colour in _box_colours(rules):
                if not used >> colour & 1 and colour * HIGHEST_NUMBER + number - 1 in option:
                    with_it = used | 1 << colour
                    after[with_it] = after.get(with_it, 0) + count
        ways = after
    counts: dict[int, int] = {}
    for used, count in ways.items():
        counts[used.bit_count()] = counts.get(used.bit_count(), 0) + count
    return counts


def _can_be_run(options: _Options, rules: SetRules) -> bool:
    """True where the tiles that must be natural find different numbers within one stretch of a colour."""
    length = len(options)
    line = rules.line
    stubborn = [option for option in options if _JOKER not in option]
    for colour in _box_colours(rules):
        base = colour * HIGHEST_NUMBER - 1
        for start in range(len(line) - length + 1):
            window = {base + number for number in line[start : start + length]}
            if _can_match([option & window for option in stubborn]):
                return True
    return False


def _can_match(options: _Options) -> bool:
    """True where every option can be given an element of its own (Kuhn's augmenting paths)."""
    owner: dict[int, int] = {}

    def place(who: int, tried: set[int]) -> bool:
        for element in options[who]:
            if element not in tried:
                tried.add(element)
                if element not in owner or place(owner[element], tried):
                    owner[element] = who
                    return True
        return False

    return all(place(who, set()) for who in range(len(options)))


@lru_cache(maxsize=4096)
def surely_legal(tiles: TileSet, rules: SetRules) -> bool:
    """True where every completion is legal as it lies.

    With two natural tiles or more, a completion is of at most one form: a group of one number, or a run of
    one colour, start and direction, as two such runs agree in one place at most. So the forms are counted one
    by one. Completions with a single natural tile are judged one by one; jokers alone are never sure.
    """
    if not 3 <= len(tiles) <= rules.longest_run:
        return False
    options = _options(tiles)
    if all(_JOKER in option for option in options):
        return False
    legal = _count_single_natural(options, rules)
    for number in range(rules.lowest, rules.highest + 1):
        legal += sum(count for naturals, count in _groups_of(options, number, rules).items() if naturals > 1)
    length = len(options)
    line = rules.line
    for colour in _box_colours(rules):
        base = colour * HIGHEST_NUMBER - 1
        for start in range(len(line) - length + 1):
            window = [base + number for number in line[start : start + length]]
            legal += _count_laid(options, window) + _count_laid(options, window[::-1])
    return legal == prod(len(option) for option in options)


def _count_laid(options: _Options, wanted: list[int]) -> int:
    """How many completions hold ``wanted`` or a joker in each place, and two natural tiles at least."""
    pairs = [(index in option, _JOKER in option) for option, index in zip(options, wanted, strict=True)]
    none, one, more = 1, 0, 0
    for natural, joker in pairs:
        more = more * (natural + joker) + one * natural
        one = one * joker + none * natural
        none = none * joker
    return more


def _count_single_natural(options: _Options, rules: SetRules) -> int:
    """How many completions with one natural tile, and jokers else, are legal as they lie."""
    count = 0
    for place, option in enumerate(options):
        if all(_JOKER in other for at, other in enumerate(options) if at != place):
            for index in option - {_JOKER}:
                laid = [_JOKER] * len(options)
                laid[place] = index
                found = readings(tuple(laid), rules)
                count += bool(found) and found[0].as_laid
    return count
