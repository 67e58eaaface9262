"""A player's hand that may also do what is not allowed: what fouls are made with."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeVar

from datasets.games.players import Hand, natural, without
from datasets.games.position import LaidSet, Position, is_group, is_run, is_set, number, stands_of
from referee.axes import Rules

_T = TypeVar("_T")

Made = tuple[str, ...] | None
"""The codes of what was made; None where it could not be made."""

Maker = Callable[["Bench"], Made]
"""Leaves a foul on a bench, and says its codes."""


@dataclass(frozen=True, slots=True)
class Foul:
    """A foul that lies on the table."""

    kind: str
    """Which."""
    table: tuple[LaidSet, ...]
    """The table with it."""
    verdict: Literal["illegal", "ask"]
    """What it is."""
    codes: tuple[str, ...]
    """The codes of its faults, as ``referee`` names them; empty for a question."""
    drew: bool = False
    """True where a tile is drawn from the pool before it."""
    puts_right: tuple[LaidSet, ...] | None = None
    """The table as the same player puts it right; None where the table is restored."""


class Bench(Hand):
    """A hand that may also do what is not allowed."""

    def __init__(self, position: Position, seat: int, chance: random.Random, rules: Rules) -> None:
        super().__init__(position, seat)
        self.position, self.seat, self.chance, self.rules = position, seat, chance, rules
        self.verdict: Literal["illegal", "ask"] = "illegal"
        self.drew = False
        self.puts_right: list[LaidSet] | None = None

    def plain_rack(self) -> list[str]:
        """The natural tiles that are held, sorted."""
        return sorted(name for name in self.held() if name != "J")

    def lay_names(self, *names: str) -> None:
        """Lay natural tiles as a set of their own."""
        self.lay([(name, name) for name in names])

    def put(self, at: int, name: str, place: int) -> None:
        """Put a tile of the rack into a set, before ``place``."""
        tiles = self.table[at]
        self.table[at] = (*tiles[:place], (self.take(name), name), *tiles[place:])

    def pick(self, options: Sequence[_T]) -> _T | None:
        """One of the options, None of none."""
        return self.chance.choice(options) if options else None

    def sets(self, jokers: bool = False) -> list[tuple[int, list[str]]]:
        """Sets of the table with what their tiles stand for; with a joker, or without any."""
        return [
            (at, stands_of(tiles))
            for at, tiles in enumerate(self.table)
            if natural(tiles, self.names) is not jokers and is_set(tiles)
        ]

    def joker_at(self, at: int) -> int:
        """The place of the joker in a set."""
        return next(place for place, (key, _) in enumerate(self.table[at]) if self.names[key] == "J")


def next_to(name: str, step: int = 1) -> str:
    """The tile of the same colour, ``step`` numbers on."""
    return f"{name[0]}{number(name) + step}"


def same_number(one: str, other: str) -> bool:
    """True for two tiles of one number in different colours."""
    return number(one) == number(other) and one[0] != other[0]


def made_with(lent: str, held: list[str]) -> list[tuple[str, ...]]:
    """Sets of three from ``lent`` and two of ``held``."""
    others = sorted(set(held) - {lent})
    found = []
    for two in combinations(others, 2):
        three = sorted((lent, *two), key=number)
        if is_run(three) or is_group(three):
            found.append(tuple(three))
    return found


def lend(bench: Bench, at: int, place: int, named: tuple[str, ...]) -> None:
    """Take a tile out of a set of the table, into a new set with tiles of the rack."""
    lent = bench.table[at][place]
    bench.table[at] = without(bench.table[at], place)
    bench.table.append(tuple(lent if name == lent[1] else (bench.take(name), name) for name in named))


def jokers_in(bench: Bench, at: int) -> int:
    """How many jokers a set of the table holds."""
    return sum(bench.names[key] == "J" for key, _ in bench.table[at])


def own_sets(bench: Bench, most: int) -> list[list[tuple[str, ...]]]:
    """One or two sets of natural tiles from the rack that are worth at most ``most`` together."""
    held = bench.plain_rack()
    single = [
        tuple(three)
        for three in (sorted(c, key=number) for c in combinations(sorted(set(held)), 3))
        if is_run(three) or is_group(three)
    ]
    found = [[named] for named in single]
    for one, two in combinations(single, 2):
        if all(held.count(name) >= (*one, *two).count(name) for name in (*one, *two)):
            found.append([one, two])
    return [sets for sets in found if points_of(sets) <= most]


def points_of(sets: list[tuple[str, ...]]) -> int:
    """What sets of natural tiles are worth."""
    return sum(number(name) for named in sets for name in named)


def by_axis(bench: Bench, code: str) -> Made:
    """A fault where the rules are strict about jokers, a question elsewhere."""
    if bench.rules.joker_strict == "fault":
        return (code,)
    bench.verdict = "ask"
    return ()


def swaps_in(bench: Bench) -> list[tuple[int, str, str]]:
    """Sets whose joker's own tile is held, with two other tiles of one number for a new group with it."""
    found = []
    for at, stands in bench.sets(jokers=True):
        own = stands[bench.joker_at(at)]
        if jokers_in(bench, at) != 1 or own not in bench.held():
            continue
        left = bench.plain_rack()
        left.remove(own)
        for one, two in combinations(sorted(set(left)), 2):
            if same_number(one, two) and number(one) != number(own):
                found.append((at, one, two))
    return found


def free_joker(bench: Bench, at: int) -> int:
    """The joker's own tile from the rack takes its place; returns the joker's key."""
    place = bench.joker_at(at)
    key, stands = bench.table[at][place]
    bench.table[at] = without(bench.table[at], place)
    bench.put(at, stands, place)
    return key


def swap_into_new(bench: Bench, at: int, one: str, two: str) -> None:
    """Free a joker by its own tile, into a new group with two tiles of the rack."""
    key = free_joker(bench, at)
    missing = next(colour for colour in "RBKO" if colour not in (one[0], two[0]))
    bench.table.append(((bench.take(one), one), (bench.take(two), two), (key, f"{missing}{number(one)}")))
