"""Random legal games are never judged illegal, and their mutations never legal unless they are."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from legal_games import Turn, legal_turns

from referee import Rules, edition, judge_turn, parse_table, parse_tiles

SHEETS = ["ru", "ua", "en", "he", "cards", "pressman", "xp", "pressman2009"]


def verdict(turn: Turn, rules: Rules, *, with_rack: bool = True) -> str:
    rack = parse_tiles(" ".join(turn.rack)) if with_rack else None
    return judge_turn(
        parse_table(turn.before), parse_table(turn.after), opened=turn.opened, rules=rules, rack=rack
    ).verdict


@pytest.mark.parametrize("code", SHEETS)
def test_legal_games_of_200_turns(code: str) -> None:
    rules = edition(code).rules
    for turn in legal_turns(1, 400):
        judged = judge_turn(
            parse_table(turn.before),
            parse_table(turn.after),
            opened=turn.opened,
            rules=rules,
            rack=parse_tiles(" ".join(turn.rack)),
        )
        assert judged.verdict == "legal", (turn, judged.problems, judged.questions)
        assert sorted(map(str, judged.played)) == sorted(turn.played)


def test_the_games_show_every_kind_of_turn() -> None:
    turns = legal_turns(1, 400)[:200]
    assert sum(not turn.played for turn in turns) > 20
    assert sum(not turn.opened and bool(turn.played) for turn in turns) > 3
    assert sum("J" in turn.after and turn.opened for turn in turns) > 20
    assert sum(untouched(turn) is False for turn in turns) > 40


def untouched(turn: Turn) -> bool:
    """True where every old set lies on as it was."""
    old, new = (Counter(t.strip() for t in text.split("|") if t.strip()) for text in (turn.before, turn.after))
    return not old - new


def sets_of(text: str) -> list[list[str]]:
    return [part.split() for part in text.split("|") if part.strip()]


def joined(sets: list[list[str]]) -> str:
    return " | ".join(" ".join(tiles) for tiles in sets if tiles)


def legal_set(tiles: list[str]) -> bool:
    """The definition, for at most one joker and tiles in order."""
    naturals = [tile for tile in tiles if tile != "J"]
    numbers = {int(tile[1:]) for tile in naturals}
    colours = {tile[0] for tile in naturals}
    if not 3 <= len(tiles) <= 13:
        return False
    if len(numbers) == 1 and len(colours) == len(naturals) and len(tiles) <= 4:
        return True
    if len(colours) > 1 or len(numbers) < len(naturals):
        return False
    starts = {int(tile[1:]) - at for at, tile in enumerate(tiles) if tile != "J"}
    start = min(starts)
    return len(starts) == 1 and start >= 1 and start + len(tiles) - 1 <= 13


Mutant = tuple[Turn, bool]
"""A turn, and whether its rack is to be told."""


def drop(turn: Turn, chance: random.Random) -> Iterator[Mutant]:
    """A tile that lay on the table is gone."""
    sets = sets_of(turn.after)
    old = Counter(tile for tiles in sets_of(turn.before) for tile in tiles)
    new = Counter(tile for tiles in sets for tile in tiles)
    places = [(a, b) for a, tiles in enumerate(sets) for b, tile in enumerate(tiles) if new[tile] == old[tile]]
    if places:
        a, b = chance.choice(places)
        del sets[a][b]
        yield Turn(turn.before, joined(sets), turn.opened, turn.rack, ()), True


def pocket_a_joker(turn: Turn, chance: random.Random) -> Iterator[Mutant]:
    """A joker of the table goes to the rack."""
    sets = sets_of(turn.after)
    places = [(a, tiles.index("J")) for a, tiles in enumerate(sets) if "J" in tiles]
    if places and turn.before.count("J") == turn.after.count("J"):
        a, b = chance.choice(places)
        del sets[a][b]
        yield Turn(turn.before, joined(sets), turn.opened, turn.rack, ()), True


def third_copy(turn: Turn, chance: random.Random) -> Iterator[Mutant]:
    """A tile that lies there twice comes a third time, from a rack that is not told."""
    sets = sets_of(turn.after)
    twice = [tile for tile, count in Counter(t for tiles in sets for t in tiles).items() if count == 2]
    if twice:
        n = int(chance.choice([t for t in twice if t != "J"] or ["R7"])[1:])
        sets.append([f"{colour}{n}" for colour in "RBK"])
        sets.append([f"{colour}{n}" for colour in "RBK"])
        sets.append([f"{colour}{n}" for colour in "RBKO"])
        yield Turn(turn.before, joined(sets), True, turn.rack, ()), False


def move_before_opening(turn: Turn, chance: random.Random) -> Iterator[Mutant]:
    """Sets of the table are used by a player who has not opened."""
    if turn.opened and turn.played and not untouched(turn):
        yield Turn(turn.before, turn.after, False, turn.rack, turn.played), True


def play_what_the_rack_lacks(turn: Turn, chance: random.Random) -> Iterator[Mutant]:
    """A played tile was not on the rack."""
    if turn.played:
        rack = tuple(tile for tile in turn.rack if tile not in turn.played)
        yield Turn(turn.before, turn.after, turn.opened, rack, turn.played), True


def set_aside(turn: Turn, chance: random.Random) -> Iterator[Mutant]:
    """A tile is pushed out of its set and left lying."""
    sets = sets_of(turn.after)
    if sets:
        tiles = chance.choice(sets)
        sets.append([tiles.pop(chance.randrange(len(tiles)))])
        yield Turn(turn.before, joined(sets), turn.opened, turn.rack, turn.played), True


def swap(turn: Turn, chance: random.Random) -> Iterator[Mutant]:
    """Two tiles of different sets change places, and a set no longer stands."""
    sets = sets_of(turn.after)
    if len(sets) > 1:
        one, other = chance.sample(sets, 2)
        a, b = chance.randrange(len(one)), chance.randrange(len(other))
        one[a], other[b] = other[b], one[a]
        if not all(map(legal_set, sets)):
            yield Turn(turn.before, joined(sets), turn.opened, turn.rack, turn.played), True


def change_a_tile(turn: Turn, chance: random.Random) -> Iterator[Mutant]:
    """A tile of the table turns into another that the rack does not hold."""
    sets = sets_of(turn.after)
    if sets:
        tiles = chance.choice(sets)
        at = chance.randrange(len(tiles))
        other = f"{chance.choice('RBKO')}{chance.randint(1, 13)}"
        if other != tiles[at] and other not in turn.rack and tiles[at] not in turn.played:
            tiles[at] = other
            yield Turn(turn.before, joined(sets), turn.opened, turn.rack, ()), True


def only_rearrange(turn: Turn, chance: random.Random) -> Iterator[Mutant]:
    """The table is changed as before, but by someone whose tiles lay there already."""
    if turn.played and not untouched(turn):
        sets = sets_of(turn.before) + [[tile] for tile in turn.played]
        yield Turn(joined(sets), turn.after, True, turn.rack, ()), True


SURE_FAULTS = [drop, pocket_a_joker, third_copy, move_before_opening, play_what_the_rack_lacks, set_aside]


@pytest.mark.parametrize("mutate", [*SURE_FAULTS, swap, change_a_tile, only_rearrange])
def test_mutations_are_never_judged_legal(mutate: Callable[[Turn, random.Random], Iterator[Mutant]]) -> None:
    chance = random.Random(5)
    tried = 0
    for turn in legal_turns(1, 400):
        for mutant, with_rack in mutate(turn, chance):
            tried += 1
            for code in ("ru", "ua", "pressman"):
                judged = verdict(mutant, edition(code).rules, with_rack=with_rack)
                expected = ("illegal",) if mutate in SURE_FAULTS and code != "ua" else ("illegal", "ask")
                assert judged in expected, (code, mutant)
    assert tried >= 20


def test_openings_below_the_mark_are_illegal() -> None:
    rules = edition("ru").rules
    tried = 0
    for turn in legal_turns(1, 400):
        if turn.opened or not turn.played:
            continue
        points = sum(int(tile[1:]) for tile in turn.played)
        for need in (points, points + 1):
            tried += 1
            told = verdict(turn, rules.with_house_rules({"opening_points": min(need, 100)}))
            assert told == ("legal" if need <= points else "illegal")
    assert tried >= 10
