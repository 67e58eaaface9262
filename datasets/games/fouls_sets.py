"""Fouls: sets that are none, tiles left behind, tiles that disappear."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Final

from datasets.games.bench import (
    Bench,
    Made,
    Maker,
    jokers_in,
    lend,
    made_with,
    next_to,
    own_sets,
    same_number,
)
from datasets.games.players import additions, natural, spare, without
from datasets.games.position import is_group, is_run, number


def _pair(bench: Bench) -> Made:
    """Two tiles that would go together, and no third."""
    held = bench.plain_rack()
    options = [
        (one, two)
        for one, two in combinations(sorted(set(held)), 2)
        if number(one) == number(two) or (one[0] == two[0] and abs(number(one) - number(two)) == 1)
    ]
    chosen = bench.pick(options)
    if chosen is None:
        return None
    bench.lay_names(*sorted(chosen, key=number))
    return ("too-few",)


def _loose_tile(bench: Bench) -> Made:
    """A single tile put down."""
    held = bench.plain_rack()
    if not held:
        return None
    bench.lay_names(bench.chance.choice(held))
    return ("too-few",)


def _colour_repeated(bench: Bench) -> Made:
    """A group of three with a colour twice: the fourth tile has a colour that lies there."""
    options: list[tuple[int, str]] = [
        (at, name)
        for at, stands in bench.sets()
        if is_group(stands) and len(stands) == 3
        for name in set(bench.plain_rack()) & set(stands)
    ]
    held = bench.plain_rack()
    doubles = sorted({name for name in held if held.count(name) == 2})
    new = [(name, other) for name in doubles for other in sorted(set(held)) if same_number(name, other)]
    if new and (not options or bench.chance.random() < 0.5):
        name, other = bench.chance.choice(new)
        bench.lay_names(name, other, name)
        return ("colour-repeated",)
    chosen = bench.pick(sorted(options))
    if chosen is None:
        return None
    bench.put(chosen[0], chosen[1], 3)
    return ("colour-repeated",)


def _fifth_tile(bench: Bench) -> Made:
    """A fifth tile in a group of four."""
    chosen = bench.pick(
        sorted(
            (at, name)
            for at, stands in bench.sets()
            if is_group(stands) and len(stands) == 4
            for name in set(bench.plain_rack()) & set(stands)
        )
    )
    if chosen is None:
        return None
    bench.put(chosen[0], chosen[1], 4)
    return ("colour-repeated", "too-many")


def _fifth_joker(bench: Bench) -> Made:
    """A joker in a group that has all four colours."""
    groups = [at for at, stands in bench.sets() if is_group(stands) and len(stands) == 4]
    if not groups or "J" not in bench.held():
        return None
    at = bench.chance.choice(groups)
    tiles = bench.table[at]
    bench.table[at] = (*tiles, (bench.take("J"), tiles[0][1]))
    return ("no-place-for-joker", "too-many")


def _mixed_run(bench: Bench) -> Made:
    """The next number of a run, in another colour."""
    options = []
    for at, stands in bench.sets():
        if is_run(stands):
            for name in sorted(set(bench.plain_rack())):
                if name[0] != stands[0][0] and number(name) == number(stands[-1]) + 1:
                    options.append((at, name, len(stands)))
                if name[0] != stands[0][0] and number(name) == number(stands[0]) - 1:
                    options.append((at, name, 0))
    held = sorted(set(bench.plain_rack()))
    new = [
        (one, next_to(one), other)
        for one in held
        for other in held
        if next_to(one) in held and other[0] != one[0] and number(other) == number(one) + 2
    ]
    if new and (not options or bench.chance.random() < 0.5):
        bench.lay_names(*bench.chance.choice(new))
        return ("mixed-colours",)
    chosen = bench.pick(options)
    if chosen is None:
        return None
    bench.put(*chosen)
    return ("mixed-colours",)


def _numbers_differ(bench: Bench) -> Made:
    """A group with a tile of another number."""
    chosen = bench.pick(
        [
            (at, name)
            for at, stands in bench.sets()
            if is_group(stands) and len(stands) == 3
            for name in sorted(set(bench.plain_rack()))
            if number(name) != number(stands[0]) and name[0] not in {tile[0] for tile in stands}
        ]
    )
    if chosen is None:
        return None
    bench.put(chosen[0], chosen[1], 3)
    return ("numbers-differ",)


def _gap(bench: Bench) -> Made:
    """A run that leaves out a number."""
    options = []
    for at, stands in bench.sets():
        if is_run(stands):
            for name in sorted(set(bench.plain_rack())):
                far = name[0] == stands[0][0] and not {1, 13} <= {number(name), *map(number, stands)}
                if far and 2 <= number(name) - number(stands[-1]) <= 3:
                    options.append((at, name, len(stands)))
                if far and 2 <= number(stands[0]) - number(name) <= 3:
                    options.append((at, name, 0))
    chosen = bench.pick(options)
    if chosen is None:
        return None
    bench.put(*chosen)
    return ("gap",)


def _number_repeated(bench: Bench) -> Made:
    """A number twice in a run."""
    chosen = bench.pick(
        [
            (at, name, stands.index(name))
            for at, stands in bench.sets()
            if is_run(stands) and len(stands) < 13
            for name in sorted(set(bench.plain_rack()) & set(stands))
        ]
    )
    if chosen is None:
        return None
    bench.put(*chosen)
    return ("number-repeated",)


def _wrap(bench: Bench) -> Made:
    """A run that goes on from 13 to 1."""
    options = []
    for at, stands in bench.sets():
        if is_run(stands) and len(stands) < 12:
            first, last = f"{stands[0][0]}1", f"{stands[0][0]}13"
            if stands[-1] == last and first in bench.held():
                options.append((at, first, len(stands)))
            if stands[0] == first and last in bench.held():
                options.append((at, last, 0))
    chosen = bench.pick(options)
    if chosen is None or bench.rules.ace != "low":
        return None
    bench.put(*chosen)
    return ("wrap",)


def _out_of_order(bench: Bench) -> Made:
    """A run that does not lie in order: asked about, and then sorted by the same player."""
    held = bench.plain_rack()
    chosen = bench.pick([one for one in sorted(set(held)) if {next_to(one), next_to(one, 2)} <= set(held)])
    if chosen is None or bench.rules.run_order != "ask":
        return None
    bench.lay_names(chosen, next_to(chosen, 2), next_to(chosen))
    *others, (first, last, middle) = bench.table
    bench.puts_right = [*others, (first, middle, last)]
    bench.verdict = "ask"
    return ()


def _pair_left(bench: Bench) -> Made:
    """A tile taken out of a set of three for a new set: two are left."""
    options = []
    for at, stands in bench.sets():
        if len(stands) == 3:
            for place in (0, 2):
                names = made_with(stands[place], bench.plain_rack())
                options += [(at, place, named) for named in names]
    chosen = bench.pick(options)
    if chosen is None:
        return None
    at, place, named = chosen
    lend(bench, at, place, named)
    return ("too-few",)


def _loose_left(bench: Bench) -> Made:
    """A tile that is left alone beside the set that it was taken from, which gets another."""
    options = []
    for at, stands in bench.sets():
        for name in sorted(set(bench.plain_rack())):
            if is_run(stands) and is_run([*stands, name]):
                options.append((at, name, len(stands), 0))
            elif is_run(stands) and is_run([name, *stands]):
                options.append((at, name, 0, len(stands)))
            elif is_group([*stands, name]) and len(stands) == 3:
                options.append((at, name, 3, 0))
    chosen = bench.pick(options)
    if chosen is None:
        return None
    at, name, place, loose = chosen
    bench.put(at, name, place)
    bench.table.append((bench.table[at][loose],))
    bench.table[at] = without(bench.table[at], loose)
    return ("too-few",)


def _tile_vanished(bench: Bench) -> Made:
    """A tile of the table is taken to the rack; at times another is laid elsewhere, so that it shows less."""
    options = spare(bench)
    chosen = bench.pick(options)
    if chosen is None:
        return None
    at, place = chosen
    gone = bench.table[at][place][1]
    bench.table[at] = without(bench.table[at], place)
    adding = [
        (other, name, side)
        for other, name, side in additions(bench)
        if name != gone and natural(bench.table[other], bench.names)
    ]
    if adding and bench.chance.random() < 0.6:
        other, name, side = bench.chance.choice(adding)
        bench.put(other, name, len(bench.table[other]) if side == "last" else 0)
    return ("tile-vanished",)


def _joker_pocketed(bench: Bench) -> Made:
    """A joker of the table is taken to the rack, its tile in its place, or lifted off a group of four."""
    options: list[tuple[int, bool]] = []
    for at, stands in bench.sets(jokers=True):
        if jokers_in(bench, at) == 1:
            if stands[bench.joker_at(at)] in bench.held():
                options.append((at, True))
            if is_group(stands) and len(stands) == 4:
                options.append((at, False))
    chosen = bench.pick(options)
    if chosen is None:
        return None
    at, swapped = chosen
    place = bench.joker_at(at)
    own = bench.table[at][place][1]
    bench.table[at] = without(bench.table[at], place)
    if swapped:
        bench.put(at, own, place)
    return ("joker-pocketed",)


def _nothing_played(bench: Bench) -> Made:
    """Tiles of the table moved about, and none added."""
    options: list[tuple[int, int, int, int]] = []
    for at, place in spare(bench):
        name = bench.table[at][place][1]
        for other, stands in bench.sets():
            if other == at:
                continue
            if is_run(stands) and is_run([*stands, name]):
                options.append((at, place, other, len(stands)))
            elif is_run(stands) and is_run([name, *stands]):
                options.append((at, place, other, 0))
            elif is_group(stands) and is_group([*stands, name]):
                options.append((at, place, other, 3))
    long = [at for at, stands in bench.sets() if is_run(stands) and len(stands) >= 6]
    if bench.rules.rack_tile == "no" or not (options or long):
        return None
    if long and (not options or bench.chance.random() < 0.5):
        at = bench.chance.choice(long)
        tiles = bench.table[at]
        cut = bench.chance.randint(3, len(tiles) - 3)
        bench.table[at] = tiles[:cut]
        bench.table.append(tiles[cut:])
    else:
        at, place, other, goal = bench.chance.choice(options)
        tile = bench.table[at][place]
        bench.table[other] = (*bench.table[other][:goal], tile, *bench.table[other][goal:])
        bench.table[at] = without(bench.table[at], place)
    if bench.rules.rack_tile == "ask":
        bench.verdict = "ask"
        return ()
    return ("nothing-played",)


def _third_copy(bench: Bench) -> Made:
    """A legal set with a tile of which the box cannot hold so many."""
    copies = bench.rules.copies
    laid = [name for _, stands in bench.sets() for name in stands]
    options = [
        named
        for named in own_sets(bench, 99)
        if len(named) == 1 and any(laid.count(name) == copies for name in named[0])
    ]
    chosen = bench.pick(options)
    if chosen is None:
        return None
    bench.lay_names(*chosen[0])
    return ("too-many-copies",)


def _set_broken(bench: Bench) -> Made:
    """A tile taken off a set for a new one, where sets stay as they lie."""
    options = [
        (at, place, named)
        for at, place in spare(bench)
        for named in made_with(bench.table[at][place][1], bench.plain_rack())
    ]
    chosen = bench.pick(options)
    if chosen is None or bench.rules.rearrange == "yes":
        return None
    lend(bench, *chosen)
    if bench.rules.rearrange == "ask":
        bench.verdict = "ask"
        return ()
    return ("set-broken",)


MAKERS: Final[Mapping[str, Maker]] = MappingProxyType(
    {
        "pair": _pair,
        "loose-tile": _loose_tile,
        "colour-repeated": _colour_repeated,
        "fifth-tile": _fifth_tile,
        "fifth-joker": _fifth_joker,
        "mixed-run": _mixed_run,
        "numbers-differ": _numbers_differ,
        "gap": _gap,
        "number-repeated": _number_repeated,
        "wrap": _wrap,
        "pair-left": _pair_left,
        "loose-left": _loose_left,
        "tile-vanished": _tile_vanished,
        "joker-pocketed": _joker_pocketed,
        "nothing-played": _nothing_played,
        "out-of-order": _out_of_order,
        "third-copy": _third_copy,
        "set-broken": _set_broken,
    }
)
"""By kind."""
