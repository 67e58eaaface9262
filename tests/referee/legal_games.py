"""Random games in which every turn is legal by construction, on every sheet that rearranges the table.

Every tile carries what it stands for, so a set is known to be legal without asking the referee: a natural tile
stands for itself, a joker for the tile it was laid for. Jokers never come in the opening and never two to a
set, and are freed only by their exact tile from the rack, into a new set with two tiles from the rack.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

COLOURS = "RBKO"

Laid = tuple[str, str]
"""A tile's name, and the natural tile that it stands for."""


@dataclass(frozen=True)
class Turn:
    """One legal turn, as the judge is asked about it."""

    before: str
    after: str
    opened: bool
    rack: tuple[str, ...]
    played: tuple[str, ...]


def number(tile: str) -> int:
    return int(tile[1:])


def is_run(stands: list[str]) -> bool:
    numbers = [number(tile) for tile in stands]
    return len({tile[0] for tile in stands}) == 1 and numbers == list(
        range(numbers[0], numbers[0] + len(stands))
    )


def text(table: list[list[Laid]]) -> str:
    return " | ".join(" ".join(name for name, _ in tiles) for tiles in table)


def new_sets(rack: list[str], jokers: bool) -> list[list[Laid]]:
    """Sets of three or four that a rack holds, with at most one joker."""
    kinds = sorted(set(rack) - {"J"})
    found = []
    for n in range(1, 14):
        same = [tile for tile in kinds if number(tile) == n]
        found += [[(tile, tile) for tile in group] for size in (3, 4) for group in combinations(same, size)]
        if jokers and "J" in rack:
            for pair in combinations(same, 2):
                missing = next(c for c in COLOURS if c not in (pair[0][0], pair[1][0]))
                found.append([(pair[0], pair[0]), (pair[1], pair[1]), ("J", f"{missing}{n}")])
    for colour in COLOURS:
        for start in range(1, 12):
            for size in (3, 4, 5):
                run = [f"{colour}{n}" for n in range(start, start + size)]
                if number(run[-1]) > 13:
                    continue
                lack = [tile for tile in run if tile not in kinds]
                if not lack:
                    found.append([(tile, tile) for tile in run])
                elif jokers and "J" in rack and len(lack) == 1:
                    found.append([("J" if tile == lack[0] else tile, tile) for tile in run])
    return found


class Game:
    """One game under way; ``turns`` plays it."""

    def __init__(self, chance: random.Random, players: int = 3) -> None:
        self.chance = chance
        self.pool = [f"{c}{n}" for c in COLOURS for n in range(1, 14)] * 2 + ["J", "J"]
        chance.shuffle(self.pool)
        self.racks = [[self.pool.pop() for _ in range(14)] for _ in range(players)]
        self.opened = [False] * players
        self.table: list[list[Laid]] = []

    def turns(self) -> Iterator[Turn]:
        """Play until the pool is empty or a rack is."""
        seat = 0
        while self.pool and all(self.racks):
            before, held, opened = text(self.table), tuple(self.racks[seat]), self.opened[seat]
            if self.opened[seat]:
                for _ in range(self.chance.randint(1, 3)):
                    self._play(self.racks[seat])
            else:
                self._open(seat)
            played = tuple((Counter(held) - Counter(self.racks[seat])).elements())
            if not played:
                self.racks[seat].append(self.pool.pop())
            yield Turn(before, text(self.table), opened, held, played)
            seat = (seat + 1) % len(self.racks)

    def _lay(self, rack: list[str], tiles: list[Laid]) -> None:
        for name, _ in tiles:
            rack.remove(name)
        self.table.append(tiles)

    def _open(self, seat: int) -> None:
        held = list(self.racks[seat])
        chosen: list[list[Laid]] = []
        while options := new_sets(held, jokers=False):
            chosen.append(self.chance.choice(options))
            for name, _ in chosen[-1]:
                held.remove(name)
        if sum(number(tile) for tiles in chosen for _, tile in tiles) >= 30:
            for tiles in chosen:
                self._lay(self.racks[seat], tiles)
            self.opened[seat] = True

    def _play(self, rack: list[str]) -> None:
        ways = [self._new_set, self._extend, self._borrow, self._split, self._swap_joker]
        self.chance.shuffle(ways)
        for way in ways:
            if rack and way(rack):
                return

    def _new_set(self, rack: list[str]) -> bool:
        options = new_sets(rack, jokers=True)
        if options:
            self._lay(rack, self.chance.choice(options))
        return bool(options)

    def _extend(self, rack: list[str]) -> bool:
        for tiles in self.chance.sample(self.table, len(self.table)):
            stands = [tile for _, tile in tiles]
            for name in self.chance.sample(rack, len(rack)):
                if name == "J":
                    continue
                if is_run(stands):
                    if is_run([*stands, name]):
                        tiles.append((name, name))
                    elif is_run([name, *stands]):
                        tiles.insert(0, (name, name))
                    else:
                        continue
                elif len(tiles) == 3 and number(name) == number(stands[0]) and name not in stands:
                    tiles.append((name, name))
                else:
                    continue
                rack.remove(name)
                return True
        return False

    def _loose(self) -> list[tuple[list[Laid], int]]:
        """Natural tiles that their set can spare."""
        found = []
        for tiles in self.table:
            if len(tiles) > 3:
                ends = (0, len(tiles) - 1) if is_run([t for _, t in tiles]) else range(len(tiles))
                found += [(tiles, at) for at in ends if tiles[at][0] != "J"]
        return found

    def _borrow(self, rack: list[str]) -> bool:
        """A tile of the table with at least two from the rack."""
        options = []
        loose = self._loose()
        for tiles, at in self.chance.sample(loose, min(3, len(loose))):
            name = tiles[at][0]
            for made in new_sets([*rack, name], jokers=False):
                own = Counter(n for n, _ in made) - Counter({name: 1})
                if any(n == name for n, _ in made) and not own - Counter(rack) and name not in own:
                    options.append((tiles, at, made))
        if not options:
            return False
        tiles, at, made = self.chance.choice(options)
        rack.append(tiles.pop(at)[0])
        self._lay(rack, made)
        return True

    def _split(self, rack: list[str]) -> bool:
        """A run of five or more takes a second copy of a middle tile and falls in two."""
        for tiles in self.table:
            stands = [tile for _, tile in tiles]
            if len(tiles) < 5 or not is_run(stands) or any(name == "J" for name, _ in tiles):
                continue
            for at in range(2, len(tiles) - 2):
                if stands[at] in rack:
                    rack.remove(stands[at])
                    self.table.append([(stands[at], stands[at]), *tiles[at + 1 :]])
                    del tiles[at + 1 :]
                    return True
        return False

    def _swap_joker(self, rack: list[str]) -> bool:
        """A joker's exact tile from the rack frees it, into a new set with two more."""
        for tiles in self.table:
            for at, (name, stands) in enumerate(tiles):
                if name != "J" or stands not in rack:
                    continue
                left = list(rack)
                left.remove(stands)
                left = [tile for tile in left if tile != "J"]
                options = [
                    made for made in new_sets([*left, "J"], jokers=True) if any(n == "J" for n, _ in made)
                ]
                if options:
                    tiles[at] = (stands, stands)
                    rack.remove(stands)
                    rack.append("J")
                    self._lay(rack, self.chance.choice(options))
                    return True
        return False


@cache
def legal_turns(seed: int, count: int) -> tuple[Turn, ...]:
    """The first ``count`` turns of random games, one after the other."""
    chance = random.Random(seed)
    turns: list[Turn] = []
    while len(turns) < count:
        turns += Game(chance).turns()
    return tuple(turns[:count])
