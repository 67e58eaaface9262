"""The play of the bundled game: what is written down by hand is what the referee says of it."""

from __future__ import annotations

from collections import Counter

import pytest

from datasets.games.sample import EDITION, PLAYERS, draw_sample
from datasets.games.script import GameScript
from referee import judge_turn, parse_table
from referee.editions import edition as edition_of


@pytest.fixture(scope="module")
def script() -> GameScript:
    return draw_sample()


def test_the_truth_is_what_the_referee_says(script: GameScript) -> None:
    rules = edition_of(EDITION).rules
    before: dict[int, str] = {}
    opened = dict.fromkeys(PLAYERS, False)
    for turn in script.turns:
        before[turn.turn] = turn.before
        if turn.action == "put-back":
            # A put-back is measured against the table before the foul.
            assert turn.after == before[turn.turn - 1]
            continue
        if turn.action == "draw":
            assert turn.after == turn.before
            continue
        found = judge_turn(
            parse_table(turn.before), parse_table(turn.after), opened=opened[turn.player], rules=rules
        )
        assert found.verdict == turn.verdict, turn
        assert sorted({problem.code for problem in found.problems}) == list(turn.violations), turn
        opened[turn.player] |= turn.verdict == "legal"


def test_it_shows_what_it_is_to_show(script: GameScript) -> None:
    assert 120 <= script.duration_s <= 180
    numbers = [int(str(seen)[1:]) for seen in parse_table(script.turns[0].after).tiles()]
    assert sum(numbers) == 28
    assert [turn.foul for turn in script.turns if turn.foul] == ["low-opening", "colour-repeated"]
    actions = Counter(turn.action for turn in script.turns)
    assert actions == {"play": 9, "put-back": 2, "draw": 2}
    # One is out, and the others have something to add up.
    assert sorted(map(len, script.racks)) == [0, 9, 10]
    box = Counter(str(tile) for tile in edition_of(EDITION).rules.inventory.tiles())
    held = Counter(name for rack in script.racks for name in rack)
    lying = Counter(script.turns[-1].after.replace("|", " ").split())
    assert not (held + lying) - box


def test_another_seed_moves_hands_but_not_the_game(script: GameScript) -> None:
    other = draw_sample(3)
    assert other.moves != script.moves
    assert [turn.after for turn in other.turns] == [turn.after for turn in script.turns]
    assert draw_sample() == script
