"""The solver against the dynamic programme, on hundreds of random positions, jokers included."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from moves_by_hand import Numbers, position

from referee.axes import Rules
from referee.editions import EDITIONS
from referee.seen import SURE_TILES
from referee.solver import find_move
from referee.table import Table

RULES = EDITIONS["he"].rules
"""Only asks about jokers; so with ``accept="ask"`` sets and tiles are all there is, as in the programme."""

SEEDS = [range(start, start + 50) for start in range(0, 500, 50)]


def best(numbers: Numbers) -> int:
    return max((value for value, _ in numbers.sums(best_only=True)), default=-1)


@pytest.mark.parametrize("seeds", SEEDS, ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")
def test_most_tiles_and_most_points(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        table, held = position(
            rng, RULES, rng.choice((6, 9, 12, 15)), rng.choice((3, 5, 6)), close=seed % 2 == 0
        )
        on_table, rack = Counter(seen.index for seen in table.tiles()), Counter(held)
        row = [SURE_TILES[index] for index in held]
        tiles = Numbers(on_table, rack, lambda index, number: 1)
        points = Numbers(on_table, rack, lambda index, number: 30 if index == 52 else number)
        # Jokers of the table count as well in the programme, which cannot tell whose a joker is.
        most_tiles = best(tiles) - on_table[52]
        most_points = best(points) - 30 * on_table[52]
        where = f"seed {seed}: {table} with {' '.join(map(str, row))}"
        for question, want in (("most-tiles", most_tiles), ("most-points", most_points)):
            found = find_move(table, row, opened=True, rules=RULES, question=question, accept="ask")
            if want <= 0:
                assert found.status == "infeasible", where
                continue
            assert found.status == "optimal", where
            assert found.move is not None
            have = len(found.move.played) if question == "most-tiles" else found.move.points
            assert have == want, f"{question}, {where}"
        anything = find_move(table, row, opened=True, rules=RULES, question="any", accept="ask")
        assert (anything.move is not None) == (most_tiles > 0), where


def test_openings() -> None:
    """The most valuable opening and the smallest one that is enough, from racks with at most one joker."""
    rules = RULES.with_house_rules({"opening_points": 30})
    enough = 0
    for seed in range(150):
        _, rack = position(random.Random(seed), Rules(jokers=1), 0, 12, close=True)
        sums = Numbers(Counter(), Counter(rack), lambda index, number: number).sums(best_only=False)
        values = {value for value, _ in sums if value >= 30}
        row = [SURE_TILES[index] for index in rack]
        for question, choose in (("most-points", max), ("smallest-opening", min)):
            found = find_move(Table(), row, opened=False, rules=rules, question=question)
            have = None if found.move is None else found.move.points
            assert have == choose(values, default=None), f"seed {seed}: {' '.join(map(str, row))}"
        enough += bool(values)
    assert enough >= 40
