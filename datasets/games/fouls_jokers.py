"""Fouls with the jokers of the table, and questions about them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Final

from datasets.games.bench import (
    Bench,
    Made,
    Maker,
    by_axis,
    free_joker,
    jokers_in,
    next_to,
    same_number,
)
from datasets.games.players import additions, natural, spare, without
from datasets.games.position import is_group, is_run, number


def _joker_left_alone(bench: Bench) -> Made:
    """A joker at the end of what stays legal without it is put aside, and another tile added."""
    options = []
    for at, stands in bench.sets(jokers=True):
        if is_group(stands) and len(stands) == 4 and jokers_in(bench, at) == 1:
            options += [(at, *found) for found in additions(bench) if found[0] != at]
    options = [found for found in options if natural(bench.table[found[1]], bench.names)]
    chosen = bench.pick(options)
    if chosen is None:
        return None
    at, other, name, side = chosen
    bench.put(other, name, len(bench.table[other]) if side == "last" else 0)
    place = bench.joker_at(at)
    bench.table.append((bench.table[at][place],))
    bench.table[at] = without(bench.table[at], place)
    return ("too-few",)


def _joker_lifted(bench: Bench) -> Made:
    """A joker taken off a group of four without its own tile in its place."""
    groups = [
        at
        for at, stands in bench.sets(jokers=True)
        if is_group(stands) and len(stands) == 4 and jokers_in(bench, at) == 1
    ]
    held = sorted(set(bench.plain_rack()))
    chosen = bench.pick(
        [
            (at, *two)
            for at in groups
            for two in combinations(held, 2)
            if same_number(*two) and number(two[0]) != number(bench.table[at][0][1])
        ]
    )
    if chosen is None or bench.rules.joker_freed == "any" or bench.rules.joker_reuse == "frozen":
        return None
    at, one, two = chosen
    place = bench.joker_at(at)
    key = bench.table[at][place][0]
    bench.table[at] = without(bench.table[at], place)
    missing = next(colour for colour in "RBKO" if colour not in (one[0], two[0]))
    bench.table.append(((bench.take(one), one), (bench.take(two), two), (key, f"{missing}{number(one)}")))
    if bench.rules.joker_freed == "exact-rack":
        return by_axis(bench, "joker-not-replaced")
    bench.verdict = "ask"
    return ()


def _joker_to_old_set(bench: Bench) -> Made:
    """A joker freed by its own tile is added to a run that lay there."""
    options = []
    for at, stands in bench.sets(jokers=True):
        if jokers_in(bench, at) == 1 and stands[bench.joker_at(at)] in bench.held():
            options += [(at, other) for other, run in bench.sets() if is_run(run) and number(run[-1]) < 13]
    chosen = bench.pick(options)
    if chosen is None or bench.rules.joker_reuse in ("any", "frozen"):
        return None
    at, other = chosen
    key = free_joker(bench, at)
    bench.table[other] = (*bench.table[other], (key, next_to(bench.table[other][-1][1])))
    return by_axis(bench, "joker-in-old-set")


def _joker_without_rack_tile(bench: Bench) -> Made:
    """A joker freed by its own tile goes into a new set with two tiles of the table, none from the rack."""
    lent = [(at, place) for at, place in spare(bench)]
    options = []
    for at, stands in bench.sets(jokers=True):
        if jokers_in(bench, at) == 1 and stands[bench.joker_at(at)] in bench.held():
            for (a, i), (b, j) in combinations(lent, 2):
                one, two = bench.table[a][i][1], bench.table[b][j][1]
                if a != b and (one[0] == two[0] and abs(number(one) - number(two)) == 1):
                    options.append((at, (a, i), (b, j)))
                if a != b and same_number(one, two):
                    options.append((at, (a, i), (b, j)))
    chosen = bench.pick([found for found in options if _end_free(bench, found)])
    if chosen is None or bench.rules.joker_reuse not in ("new+rack", "new+2rack"):
        return None
    at, (a, i), (b, j) = chosen
    tiles = sorted((bench.table[a][i], bench.table[b][j]), key=lambda laid: number(laid[1]))
    key = free_joker(bench, at)
    for row, place in ((a, i), (b, j)):
        bench.table[row] = without(bench.table[row], place)
    if tiles[0][1][0] == tiles[1][1][0]:
        goal = next_to(tiles[1][1])
    else:
        missing = next(colour for colour in "RBKO" if colour not in (tiles[0][1][0], tiles[1][1][0]))
        goal = f"{missing}{number(tiles[0][1])}"
    bench.table.append((*tiles, (key, goal)))
    return by_axis(bench, "joker-without-rack-tile")


def _end_free(bench: Bench, found: tuple[int, tuple[int, int], tuple[int, int]]) -> bool:
    """True where a joker fits above the two tiles."""
    _, one, two = found
    return max(number(bench.table[at][place][1]) for at, place in (one, two)) < 13


def _joker_slides(bench: Bench) -> Made:
    """The joker's own tile takes its place at the end of a run, and the joker moves on by one."""
    options = []
    for at, stands in bench.sets(jokers=True):
        last = bench.joker_at(at) == len(stands) - 1 and jokers_in(bench, at) == 1
        if is_run(stands) and last and number(stands[-1]) < 13 and stands[-1] in bench.held():
            options.append(at)
    if not options or bench.rules.joker_reuse in ("any", "frozen"):
        return None
    at = bench.chance.choice(options)
    key = free_joker(bench, at)
    bench.table[at] = (*bench.table[at], (key, next_to(bench.table[at][-1][1])))
    bench.verdict = "ask"
    return ()


MAKERS: Final[Mapping[str, Maker]] = MappingProxyType(
    {
        "joker-left-alone": _joker_left_alone,
        "joker-lifted": _joker_lifted,
        "joker-to-old-set": _joker_to_old_set,
        "joker-without-rack-tile": _joker_without_rack_tile,
        "joker-slides": _joker_slides,
    }
)
"""By kind."""
