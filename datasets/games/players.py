"""Players who always play legally: openings, new sets, additions, rearrangements, jokers freed.

What they lay is legal by construction, on every sheet that rearranges the table: jokers come in a group or
inside a run, one to a set, and are freed only by their exact tile from the rack, into a new set with two
tiles from the rack. Larger rearrangements come from ``referee.solver``, over sets and racks without jokers.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from datasets.games.position import (
    COLOURS,
    LaidSet,
    LaidTile,
    Position,
    is_group,
    is_run,
    is_set,
    keys_of,
    number,
    stands_of,
)
from referee.axes import Rules
from referee.seen import SeenTile
from referee.solver import MoveError, find_move
from referee.table import Table
from referee.tiles import Tile

_MOST_MOVED = 13
_LIMIT_S = 30.0

Named = list[tuple[str, str]]
"""A set that could be laid: what each face shows, and what it stands for."""


def new_sets(held: Sequence[str], jokers: bool) -> list[Named]:
    """Legal sets of three to five tiles that ``held`` has, with at most one joker each, not at a run's end."""
    kinds = set(held) - {"J"}
    with_joker = jokers and "J" in held
    found: list[Named] = []
    for value in range(1, 14):
        same = sorted(tile for tile in kinds if number(tile) == value)
        found += [[(tile, tile) for tile in group] for size in (3, 4) for group in combinations(same, size)]
        if with_joker:
            for pair in combinations(same, 2):
                missing = next(c for c in COLOURS if c not in (pair[0][0], pair[1][0]))
                found.append([(pair[0], pair[0]), (pair[1], pair[1]), ("J", f"{missing}{value}")])
    for colour in COLOURS:
        for start in range(1, 12):
            for size in range(3, min(6, 15 - start)):
                run = [f"{colour}{value}" for value in range(start, start + size)]
                lack = [tile for tile in run if tile not in kinds]
                if not lack:
                    found.append([(tile, tile) for tile in run])
                elif with_joker and len(lack) == 1 and lack[0] not in (run[0], run[-1]):
                    found.append([("J" if tile == lack[0] else tile, tile) for tile in run])
    return found


class Hand:
    """A turn in the making: the table as it will be, and what the player still holds."""

    def __init__(self, position: Position, seat: int) -> None:
        self.names = position.names
        self.rack = list(position.racks[seat])
        self.table: list[LaidSet] = list(position.table)
        self.old = list(position.table)

    def held(self) -> list[str]:
        """What the player still holds."""
        return [self.names[key] for key in self.rack]

    def take(self, name: str) -> int:
        """Take a tile of this name from the rack."""
        key = next(key for key in self.rack if self.names[key] == name)
        self.rack.remove(key)
        return key

    def lay(self, named: Named) -> None:
        """Lay a new set from the rack."""
        self.table.append(tuple((self.take(name), stands) for name, stands in named))

    def moved(self) -> int:
        """How many pieces lie in another set than before, or came."""
        home = {key: at for at, tiles in enumerate(self.old) for key, _ in tiles}
        count = 0
        for tiles in self.table:
            homes = Counter(home.get(key, -1) for key, _ in tiles)
            most = max((n for at, n in homes.items() if at >= 0), default=0)
            count += len(tiles) - most
        return count


def natural(tiles: LaidSet, names: dict[int, str]) -> bool:
    """True for a set without a joker."""
    return all(names[key] != "J" for key, _ in tiles)


def opening(position: Position, seat: int, chance: random.Random, rules: Rules) -> list[LaidSet] | None:
    """A table with an opening that is worth enough, or None where the rack or luck has none."""
    jokers = rules.opening_joker == "yes" and chance.random() < 0.5
    for _ in range(12):
        hand = Hand(position, seat)
        points = 0
        while options := new_sets(hand.held(), jokers):
            chosen = chance.choice(options)
            worth = sum(number(stands) for _, stands in chosen)
            if points + worth >= rules.opening_points and points and chance.random() < 0.3:
                chosen = max(options, key=lambda named: sum(number(stands) for _, stands in named))
                worth = sum(number(stands) for _, stands in chosen)
            hand.lay(chosen)
            points += worth
            if points >= rules.opening_points and chance.random() < 0.8:
                break
        if points >= rules.opening_points and len(hand.rack) > 0:
            return hand.table
    return None


def play(
    position: Position, seat: int, chance: random.Random, rules: Rules, *, keep: int = 0, solver: float = 0.3
) -> list[LaidSet] | None:
    """A legal table that an opened player can leave, or None where nothing was found.

    ``keep`` tiles at least stay on the rack; ``solver`` is the probability that the rearrangement that plays
    the most tiles is looked for first.
    """
    if chance.random() < solver:
        table = _best(position, seat, rules)
        if table is not None and len(position.racks[seat]) - _grown(position, table) >= keep:
            return table
    hand = Hand(position, seat)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        before = (list(hand.rack), list(hand.table))
        # A freed joker stands alone: together with other moves, equal tiles could make it look otherwise.
        swap = hand.table == hand.old and chance.random() < 0.5
        if not _step(hand, chance, swap=swap):
            break
        if len(hand.rack) < keep or hand.moved() > _MOST_MOVED:
            hand.rack, hand.table = before
            break
        if _joker_freed(hand):
            break
    return None if hand.table == hand.old else _checked(hand.table)


def _grown(position: Position, table: Sequence[LaidSet]) -> int:
    return len(keys_of(table)) - len(keys_of(position.table))


def _joker_freed(hand: Hand) -> bool:
    """True where a joker of the table left all its old neighbours."""
    for old in hand.old:
        for key, _ in old:
            if hand.names[key] == "J":
                now = next(tiles for tiles in hand.table if any(other == key for other, _ in tiles))
                if not {other for other, _ in old} & {other for other, _ in now} - {key}:
                    return True
    return False


def _checked(table: list[LaidSet]) -> list[LaidSet]:
    for tiles in table:
        if not is_set(tiles):
            raise AssertionError(f"a player laid what is no set: {tiles}")
    return table


def _step(hand: Hand, chance: random.Random, *, swap: bool) -> bool:
    ways = [_new, _extend, _extend, _borrow, _split]
    chance.shuffle(ways)
    if swap:
        ways.insert(0, _swap)
    return any(hand.rack and way(hand, chance) for way in ways)


def _new(hand: Hand, chance: random.Random) -> bool:
    options = new_sets(hand.held(), jokers=True)
    if options:
        hand.lay(chance.choice(options))
    return bool(options)


def additions(hand: Hand) -> list[tuple[int, str, str]]:
    """Every natural tile on the rack that some set can take: set, name, and ``first`` or ``last``."""
    found = []
    for at, tiles in enumerate(hand.table):
        stands = stands_of(tiles)
        for name in sorted(set(hand.held()) - {"J"}):
            if is_run(stands):
                if is_run([*stands, name]):
                    found.append((at, name, "last"))
                if is_run([name, *stands]):
                    found.append((at, name, "first"))
            elif is_group([*stands, name]):
                found.append((at, name, "last"))
    return found


def add(hand: Hand, at: int, laid: LaidTile, side: str) -> None:
    """Put a tile to an end of a set."""
    tiles = hand.table[at]
    hand.table[at] = (*tiles, laid) if side == "last" else (laid, *tiles)


def _extend(hand: Hand, chance: random.Random) -> bool:
    options = additions(hand)
    if options:
        at, name, side = chance.choice(options)
        add(hand, at, (hand.take(name), name), side)
    return bool(options)


def spare(hand: Hand) -> list[tuple[int, int]]:
    """Tiles that their set can do without, by set and place; only of sets without a joker."""
    found = []
    for at, tiles in enumerate(hand.table):
        if len(tiles) > 3 and natural(tiles, hand.names):
            ends = (0, len(tiles) - 1) if is_run(stands_of(tiles)) else range(len(tiles))
            found += [(at, place) for place in ends]
    return found


def without(tiles: LaidSet, place: int) -> LaidSet:
    """The set less one tile."""
    return tiles[:place] + tiles[place + 1 :]


def _borrow(hand: Hand, chance: random.Random) -> bool:
    """A tile of the table with at least two from the rack."""
    options = []
    for at, place in spare(hand):
        name = hand.table[at][place][1]
        held = [tile for tile in hand.held() if tile not in (name, "J")]
        for named in new_sets([*held, name], jokers=False):
            if (name, name) in named:
                options.append((at, place, named))
    if not options:
        return False
    at, place, named = chance.choice(options)
    lent = hand.table[at][place]
    hand.table[at] = without(hand.table[at], place)
    hand.table.append(tuple(lent if name == lent[1] else (hand.take(name), stands) for name, stands in named))
    return True


def _split(hand: Hand, chance: random.Random) -> bool:
    """A run of five or more takes a second copy of a middle tile and falls in two."""
    for at in chance.sample(range(len(hand.table)), len(hand.table)):
        tiles = hand.table[at]
        stands = stands_of(tiles)
        if len(tiles) < 5 or not is_run(stands) or not natural(tiles, hand.names):
            continue
        for place in range(2, len(tiles) - 2):
            if stands[place] in hand.held():
                again = (hand.take(stands[place]), stands[place])
                hand.table[at] = tiles[: place + 1]
                hand.table.append((again, *tiles[place + 1 :]))
                return True
    return False


def _swap(hand: Hand, chance: random.Random) -> bool:
    """A joker's exact tile from the rack frees it, into a new set with two more."""
    for at, tiles in enumerate(hand.table):
        for place, (key, stands) in enumerate(tiles):
            if hand.names[key] != "J" or stands not in hand.held():
                continue
            left = [tile for tile in hand.held() if tile != "J"]
            left.remove(stands)
            options = [
                named
                for named in new_sets([*left, "J"], jokers=True)
                if any(name == "J" for name, _ in named) and len(named) == 3
            ]
            if not options:
                continue
            own = (hand.take(stands), stands)
            hand.table[at] = (*tiles[:place], own, *tiles[place + 1 :])
            hand.table.append(
                tuple(
                    (key if name == "J" else hand.take(name), meant) for name, meant in chance.choice(options)
                )
            )
            return True
    return False


def _best(position: Position, seat: int, rules: Rules) -> list[LaidSet] | None:
    """The rearrangement of all sets without a joker that plays the most tiles; None for one too long to lay."""
    plain = [tiles for tiles in position.table if natural(tiles, position.names)]
    others = [tiles for tiles in position.table if not natural(tiles, position.names)]
    rack = [key for key in position.racks[seat] if position.names[key] != "J"]
    seen = Table(tuple(tuple(_sure(name) for _, name in tiles) for tiles in plain))
    held = [_sure(position.names[key]) for key in rack]
    try:
        best = find_move(seen, held, opened=True, rules=rules, question="most-tiles", time_limit_s=_LIMIT_S)
    except MoveError:  # more tiles than the box holds: there is one of another box
        return None
    if best.move is None:
        return None
    fresh = [[str(tile) for tile in tiles] for tiles in best.move.table.sets]
    hand = Hand(position, seat)
    hand.table = others + _with_keys(plain, fresh, rack, position)
    if hand.moved() > _MOST_MOVED or not all(map(is_set, hand.table)):
        return None
    return hand.table


def _sure(name: str) -> SeenTile:
    return SeenTile.sure(Tile.parse(name))


def _with_keys(
    plain: Sequence[LaidSet], fresh: Sequence[Sequence[str]], rack: Sequence[int], position: Position
) -> list[LaidSet]:
    """Give the tiles of ``fresh`` sets pieces: those of sets that stay, else those that move least."""
    left = list(plain)
    kept: dict[int, LaidSet] = {}
    for at, names in enumerate(fresh):
        same = next((tiles for tiles in left if sorted(stands_of(tiles)) == sorted(names)), None)
        if same is not None:
            left.remove(same)
            kept[at] = same
    home = {key: row for row, tiles in enumerate(left) for key, _ in tiles}
    loose = list(home)
    # First every tile of the table has to be used, then the rack's.
    supply = {name: [key for key in loose if position.names[key] == name] for names in fresh for name in names}
    for key in rack:
        supply.setdefault(position.names[key], []).append(key)
    laid = []
    for at, names in enumerate(fresh):
        if at in kept:
            laid.append(kept[at])
            continue
        rows = Counter(home[key] for name in names for key in supply[name] if key in home)
        chosen: list[LaidTile] = []
        for name in names if is_run(names) or is_group(names) else sorted(names, key=number):
            supply[name].sort(key=lambda key: (key not in home, -rows[home[key]] if key in home else 0))
            chosen.append((supply[name].pop(0), name))
        laid.append(tuple(chosen))
    return laid
