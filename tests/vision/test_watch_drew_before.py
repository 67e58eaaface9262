"""A back that is seen to be gone with a play, or after it: whether it went before, and whose it was."""

from __future__ import annotations

import numpy as np
import pytest
from watch_desk import ANN, BEN, CATS, Desk, three_who_have_opened

from vision.watch.reach import Reach, Stirred

CELL_PX = 16.0
RUN = f"{CATS} | R4 R5 R6"
POOL = np.array([[400, 40], [450, 40], [450, 108], [400, 108]], np.float32)


@pytest.fixture
def desk() -> Desk:
    """It is Ann's turn."""
    return three_who_have_opened()


def stirred(*cells: tuple[slice, slice]) -> Stirred:
    grid = np.zeros((30, 40), np.bool_)
    for rows, columns in cells:
        grid[rows, columns] = True
    return Stirred(grid, CELL_PX)


AT_POOL = slice(3, 6), slice(25, 28)
AT_SETS = slice(17, 20), slice(0, 8)


@pytest.mark.parametrize(
    ("shares", "draws"),
    [
        ([(ANN, 1.0)], []),
        ([(ANN, 1.0), (ANN, 1.0)], []),
        ([(ANN, 0.7)], [(1, "draw", "legal")]),
        ([(ANN, 0.5)], [(1, "draw", "legal")]),
        ([(ANN, 1.0), (BEN, 1.0)], [(1, "draw", "legal")]),
    ],
)
def test_a_back_that_seems_to_go_with_a_play_is_the_next_players_unless_one_person_came(
    desk: Desk, shares: list[tuple[float, float]], draws: list[tuple[int, str, str]]
) -> None:
    """Then something moved in a heap, or a tile on a rack, and the next player has not drawn yet."""
    for by, share in shares:
        desk.moves(by=by, share=share)
    desk.lies(RUN, 0.5, backs=20)
    desk.lies(RUN, 6, backs=19, since=desk.still_since)
    assert desk.short[3:] == [(0, "play", "legal"), *draws]


@pytest.mark.parametrize(
    ("first", "then", "verdict"),
    [
        ([AT_POOL], [AT_SETS], "illegal"),
        ([AT_POOL], [AT_SETS, AT_POOL], "ask"),
        ([AT_SETS], [AT_SETS], "ask"),
    ],
)
def test_a_draw_seen_late_went_before_the_play_if_only_hands_before_it_were_there(
    desk: Desk, first: list[tuple[slice, slice]], then: list[tuple[slice, slice]], verdict: str
) -> None:
    desk.taken_from = POOL
    desk.moves(by=ANN, stirred=stirred(*first))
    desk.lies(CATS, 1, backs=20)
    desk.moves(by=ANN, stirred=stirred(*then))
    desk.lies(RUN, 0.5, backs=20, clear=False)
    desk.lies(RUN, 6, backs=19, since=desk.still_since)
    assert desk.short[3:] == [(0, "play", verdict)]


def test_where_it_is_not_known_where_hands_were_it_is_asked(desk: Desk) -> None:
    desk.taken_from = POOL
    desk.moves(by=ANN)
    desk.lies(CATS, 1, backs=20)
    desk.moves(by=ANN)
    desk.lies(RUN, 0.5, backs=20, clear=False)
    desk.lies(RUN, 6, backs=19, since=desk.still_since)
    assert desk.short[3:] == [(0, "play", "ask")]


def test_a_quick_hand_of_anybody_at_its_place_leaves_it_a_question(desk: Desk) -> None:
    """One that crossed the rim in a single frame is nobody's for sure."""
    desk.taken_from = POOL
    for frames, at in ((1, AT_POOL), (9, AT_SETS)):
        desk.keeper.moves(desk.now)
        desk.keeper.reached(Reach(desk.now, desk.now + 1, ANN, 1.0, frames, (), stirred(at)))
        desk.ticks(1.0, None)
        desk.lies(CATS, 1, backs=20)
    desk.moves(by=ANN, stirred=stirred(AT_SETS))
    desk.lies(RUN, 0.5, backs=20, clear=False)
    desk.lies(RUN, 6, backs=19, since=desk.still_since)
    assert desk.short[3:] == [(0, "play", "ask")]
