"""Fouls of players who have not opened."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Final

from datasets.games.bench import (
    Bench,
    Made,
    Maker,
    lend,
    made_with,
    next_to,
    own_sets,
    points_of,
    same_number,
    swap_into_new,
    swaps_in,
)
from datasets.games.players import additions, natural, spare
from datasets.games.position import number


def _opening_codes(bench: Bench, *codes: str, built: bool) -> tuple[str, ...]:
    """``codes``, and that the table was used, where the rules forbid that."""
    used = ("built-before-opening",) if built and bench.rules.opening_build == "no" else ()
    return tuple(sorted((*codes, *used)))


def _low_opening(bench: Bench) -> Made:
    """Legal sets from the rack that are worth too little, as nearly enough as they can be."""
    choices = own_sets(bench, bench.rules.opening_points - 1)
    if not choices:
        return None
    best = sorted(choices, key=lambda sets: -points_of(sets))[:3]
    for named in bench.chance.choice(best):
        bench.lay_names(*named)
    return ("opening-too-low",)


def _unopened_adds(bench: Bench) -> Made:
    """A player who has not opened adds to a set of the table."""
    options = [found for found in additions(bench) if natural(bench.table[found[0]], bench.names)]
    chosen = bench.pick(options)
    if chosen is None:
        return None
    at, name, side = chosen
    bench.put(at, name, len(bench.table[at]) if side == "last" else 0)
    return _opening_codes(bench, "opening-too-low", built=True)


def _opening_builds(bench: Bench) -> Made:
    """An opening that is worth enough, and an addition to the table in the same turn."""
    need = bench.rules.opening_points
    enough = [sets for sets in own_sets(bench, 99) if points_of(sets) >= need]
    chosen = bench.pick(enough)
    old = len(bench.table)
    if chosen is None or bench.rules.opening_build == "yes":
        return None
    for named in chosen:
        bench.lay_names(*named)
    options = [
        found for found in additions(bench) if found[0] < old and natural(bench.table[found[0]], bench.names)
    ]
    adding = bench.pick(options)
    if adding is None:
        return None
    at, name, side = adding
    bench.put(at, name, len(bench.table[at]) if side == "last" else 0)
    if bench.rules.opening_build == "ask":
        bench.verdict = "ask"
        return ()
    return ("built-before-opening",)


def _opening_with_table_tile(bench: Bench) -> Made:
    """An opening that holds a tile of the table."""
    options = [
        (at, place, named)
        for at, place in spare(bench)
        for named in made_with(bench.table[at][place][1], bench.plain_rack())
    ]
    chosen = bench.pick(options)
    if chosen is None:
        return None
    lend(bench, *chosen)
    return _opening_codes(bench, "opening-too-low", built=True)


def _joker_before_opening(bench: Bench) -> Made:
    """A player who has not opened frees a joker of the table, for a new set."""
    chosen = bench.pick(swaps_in(bench))
    if chosen is None:
        return None
    swap_into_new(bench, *chosen)
    return _opening_codes(bench, "opening-too-low", "joker-before-opening", built=True)


def _joker_in_opening(bench: Bench) -> Made:
    """An opening with a joker in a group, where the sheet leaves it open."""
    held = sorted(set(bench.plain_rack()))
    pairs = [two for two in combinations(held, 2) if same_number(*two) and number(two[0]) >= 10]
    chosen = bench.pick(pairs)
    if chosen is None or "J" not in bench.held() or bench.rules.opening_joker == "yes":
        return None
    _lay_group_with_joker(bench, *chosen)
    if bench.rules.opening_joker == "ask":
        bench.verdict = "ask"
        return ()
    return ("joker-in-opening",)


def _lay_group_with_joker(bench: Bench, one: str, two: str) -> None:
    missing = next(colour for colour in "RBKO" if colour not in (one[0], two[0]))
    bench.lay([(one, one), (two, two), ("J", f"{missing}{number(one)}")])


def _opening_slides(bench: Bench) -> Made:
    """An opening whose joker lies at the low end of its run: enough only if it were slid."""
    need = bench.rules.opening_points
    held = set(bench.plain_rack())
    low = [
        name
        for name in sorted(held)
        if next_to(name) in held and 2 <= number(name) <= 11 and 3 * number(name) < need <= 3 * number(name) + 3
    ]
    chosen = bench.pick(low)
    if chosen is None or "J" not in bench.held() or bench.rules.opening_joker != "yes":
        return None
    bench.lay([("J", next_to(chosen, -1)), (chosen, chosen), (next_to(chosen), next_to(chosen))])
    bench.verdict = "ask"
    return ()


def _group_or_run(bench: Bench) -> Made:
    """An opening of a tile and two jokers, enough as a run and too little as a group."""
    need = bench.rules.opening_points
    jokers = [key for key in bench.rack if bench.names[key] == "J"]
    chosen = bench.pick(
        [name for name in bench.plain_rack() if 3 * number(name) < need <= 3 * number(name) + 3]
    )
    if chosen is None or len(jokers) < 2 or number(chosen) > 11 or bench.rules.opening_joker != "yes":
        return None
    bench.lay([(chosen, chosen), ("J", next_to(chosen)), ("J", next_to(chosen, 2))])
    bench.verdict = "ask"
    return ()


MAKERS: Final[Mapping[str, Maker]] = MappingProxyType(
    {
        "low-opening": _low_opening,
        "unopened-adds": _unopened_adds,
        "opening-builds": _opening_builds,
        "opening-with-table-tile": _opening_with_table_tile,
        "joker-before-opening": _joker_before_opening,
        "joker-in-opening": _joker_in_opening,
        "opening-slides": _opening_slides,
        "group-or-run": _group_or_run,
    }
)
"""By kind."""
