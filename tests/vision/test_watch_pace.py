"""How quick these players are tells where one turn ends and the next begins."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from watch_desk import ANN, OPENING, Desk, places_at

from vision.watch.pace import Pace

NEARLY = ANN + 0.5
"""Where Ben's hands come in, next to Ann's."""
BETWEEN = ANN + 0.33
"""May be either's."""
SECONDS = st.lists(st.floats(0.01, 20.0), max_size=20)


def test_of_players_of_whom_little_was_seen_a_pause_tells_nothing() -> None:
    pace = Pace()
    pace.learn(between_s=[1.5] * 4, within_s=[0.3] * 4)
    assert pace.odds(1.5) == 1.0
    assert pace.usual_pause_s == math.inf


@given(between_s=SECONDS, within_s=SECONDS, pause_s=st.floats(-1.0, 60.0))
def test_a_pause_never_tells_more_than_eight_to_one(
    between_s: list[float], within_s: list[float], pause_s: float
) -> None:
    pace = Pace()
    pace.learn(between_s=between_s, within_s=within_s)
    assert 1 / 8 <= pace.odds(pause_s) <= 8


def test_a_pause_as_between_turns_speaks_for_the_next_player_and_one_as_within_against() -> None:
    pace = Pace()
    pace.learn(between_s=[1.2, 1.4, 1.5, 1.6, 1.8, 2.0], within_s=[0.2, 0.3, 0.3, 0.4, 0.5, 0.6])
    assert pace.odds(1.5) > 4
    assert pace.odds(0.35) < 0.5
    assert pace.usual_pause_s == pytest.approx(1.55)


def quick_neighbours() -> tuple[Desk, str]:
    """Ann and Ben, side by side, who lay a set in turn, tile by tile, 0.4 s apart and 1.5 s between turns."""
    desk, table = Desk(places=places_at(ANN, NEARLY)), ""
    desk.lies("", 2)
    for nth, number in enumerate((10, 11, 12, 13, 9, 8)):
        by, row = (ANN, NEARLY)[nth % 2], f"R{number} B{number} K{number}".split()
        for tiles in (1, 2, 3):
            desk.changes(f"{table} | {' '.join(row[:tiles])}".strip(" |"), 0.4 if tiles < 3 else 1.5, by=by)
        table = f"{table} | {' '.join(row)}".strip(" |")
    return desk, table


@pytest.mark.parametrize(("pause_s", "turns"), [(1.5, 8), (0.4, 7)])
def test_hands_that_may_be_either_neighbours_are_the_next_ones_after_a_pause_as_between_turns(
    pause_s: float, turns: int
) -> None:
    """Two quick ones side by side: their turns became one (dd03)."""
    desk, table = quick_neighbours()
    assert len(desk.turns) == 5
    desk.changes(f"{table} | O1 O2 O3", pause_s, by=ANN)
    desk.changes(f"{table} | O1 O2 O3 O4", 4, by=BETWEEN)
    assert [seat for seat, *_ in desk.short] == [nth % 2 for nth in range(turns)]


def test_the_opening_of_a_quick_game_is_no_pause_that_is_known() -> None:
    """Nothing was learnt by then."""
    desk = Desk(places=places_at(ANN, NEARLY))
    desk.lies("", 2)
    desk.changes("R10 B10", 1.5, by=ANN)
    desk.changes(OPENING, 1.5, by=BETWEEN)
    desk.changes(f"{OPENING} O10", 4, by=ANN)
    assert desk.short == [(0, "play", "legal")]
