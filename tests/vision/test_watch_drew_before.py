"""A back that is seen to be gone with a play, or after it: whether it went before, and whose it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from watch_desk import (
    ANN,
    BACK,
    BEN,
    CAT,
    CATS,
    THREE,
    Desk,
    places_at,
    places_seen,
    three_who_have_opened,
)

from vision.watch.reach import Reach, Stirred
from vision.watch.sight import Sight

CELL_PX = 16.0
RUN = f"{CATS} | R4 R5 R6"


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
BESIDE = BACK + np.array([120, 0], np.float32)
AT_BESIDE = slice(3, 6), slice(33, 36)
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
    desk.moves(by=ANN, stirred=stirred(*first))
    desk.lies(CATS, 1, backs=20)
    desk.moves(by=ANN, stirred=stirred(*then))
    desk.lies(RUN, 0.5, backs=20, clear=False)
    desk.lies(RUN, 6, backs=19, since=desk.still_since)
    assert desk.short[3:] == [(0, "play", verdict)]


def test_where_it_is_not_known_where_hands_were_it_is_asked(desk: Desk) -> None:
    desk.moves(by=ANN)
    desk.lies(CATS, 1, backs=20)
    desk.moves(by=ANN)
    desk.lies(RUN, 0.5, backs=20, clear=False)
    desk.lies(RUN, 6, backs=19, since=desk.still_since)
    assert desk.short[3:] == [(0, "play", "ask")]


def test_a_quick_hand_of_anybody_at_its_place_leaves_it_a_question(desk: Desk) -> None:
    """One that crossed the rim in a single frame is nobody's for sure."""
    for frames, at in ((1, AT_POOL), (9, AT_SETS)):
        desk.keeper.moves(desk.now)
        desk.keeper.reached(Reach(desk.now, desk.now + 1, ANN, 1.0, frames, (), stirred(at)))
        desk.ticks(1.0, None)
        desk.lies(CATS, 1, backs=20)
    desk.moves(by=ANN, stirred=stirred(AT_SETS))
    desk.lies(RUN, 0.5, backs=20, clear=False)
    desk.lies(RUN, 6, backs=19, since=desk.still_since)
    assert desk.short[3:] == [(0, "play", "ask")]


def _two_draws_pending(desk: Desk, *hands: float, at: Sequence[Stirred | None] = (None, None)) -> None:
    """Two backs have gone when the second hands are gone; the pool is sure of it only then."""
    desk.taken_from = BACK, BESIDE
    for gone, (by, places) in enumerate(zip(hands, at, strict=True), 1):
        desk.moves(by=by, stirred=places)
        rests_s = desk.now
        for looks, seems in enumerate((True, gone < len(hands)), 1):
            lying = replace(desk.lying(CATS, 20 - gone), pool_unsure=seems)
            desk.said += desk.keeper.saw(Sight(lying, rests_s, True, looks))
            desk.ticks(0.4, rests_s)
    assert len(desk.short) == 3


def test_whoever_took_the_second_of_two_backs_and_plays_is_asked_about(desk: Desk) -> None:
    """Ann draws, Ben draws and plays, and the pool is settled only then: a turn each (composer U's u01).

    Ann's hand may have taken both.
    """
    _two_draws_pending(desk, ANN, BEN)
    desk.changes(RUN, 6, by=BEN, backs=18)
    assert desk.short[3:] == [(0, "draw", "legal"), (1, "play", "ask")]
    assert [question.code for question in desk.turns[4].questions] == ["drew-first?"]


def test_who_plays_after_two_draws_of_others_has_not_drawn(desk: Desk) -> None:
    _two_draws_pending(desk, ANN, BEN)
    desk.changes(RUN, 6, by=CAT, backs=18)
    assert desk.short[3:] == [(0, "draw", "legal"), (1, "draw", "legal"), (2, "play", "legal")]
    assert not any(turn.inferred for turn in desk.turns)


def test_two_backs_that_one_player_took_are_not_held_against_the_next(desk: Desk) -> None:
    _two_draws_pending(desk, ANN, ANN)
    desk.changes(RUN, 6, by=BEN, backs=18)
    assert desk.short[3:] == [(0, "draw", "legal"), (1, "play", "legal")]


@pytest.mark.parametrize(
    ("anns", "verdict"),
    [([AT_POOL], "illegal"), ([AT_POOL, AT_BESIDE], "ask"), ([AT_SETS], "ask")],
)
def test_who_alone_was_at_the_second_of_two_places_has_taken_that_back(
    desk: Desk, anns: list[tuple[slice, slice]], verdict: str
) -> None:
    """A hand before theirs was at the other one (composers U's u01 and W's w02)."""
    _two_draws_pending(desk, ANN, BEN, at=[stirred(*anns), stirred(AT_BESIDE)])
    desk.moves(by=BEN, stirred=stirred(AT_SETS))
    desk.lies(RUN, 6, backs=18)
    assert desk.short[3:] == [(0, "draw", "legal"), (1, "play", verdict)]


@pytest.mark.parametrize(
    ("bens", "from_heap", "verdict"),
    [
        (AT_SETS, False, "illegal"),
        (AT_POOL, False, "ask"),
        (AT_BESIDE, False, "illegal"),
        (AT_BESIDE, True, "ask"),
    ],
)
def test_whoever_was_not_where_the_back_lay_has_not_taken_it(
    desk: Desk, bens: tuple[slice, slice], from_heap: bool, verdict: str
) -> None:
    """Ben only points at something (AB's first). Where a heap looks otherwise, another may have gone."""
    desk.of_heap = from_heap
    desk.moves(by=BEN, stirred=stirred(bens))
    desk.lies(CATS, 0.3, backs=20)
    desk.moves(by=ANN, stirred=stirred(AT_POOL))
    desk.lies(CATS, 0.5, backs=19)
    desk.moves(by=ANN, stirred=stirred(AT_SETS))
    desk.lies(RUN, 6, backs=19)
    assert desk.short[3:] == [(0, "play", verdict)]


def test_of_a_heap_that_shows_another_back_as_gone_all_hands_count(desk: Desk) -> None:
    desk.moves(by=ANN, stirred=stirred(AT_BESIDE))
    desk.lies(CATS, 0.5, backs=19)
    desk.moves(by=ANN, stirred=stirred(AT_SETS))
    desk.lies(RUN, 6, backs=19)
    assert desk.short[3:] == [(0, "play", "illegal")]


@pytest.mark.parametrize(("before", "verdict"), [(AT_POOL, "illegal"), (AT_SETS, "legal")])
def test_where_draws_are_told_a_back_that_nobody_came_to_before_the_play_was_not_drawn(
    before: tuple[slice, slice], verdict: str
) -> None:
    """A motif of a cloth that was taken for one went with the play (composer L's third)."""
    desk = Desk(players=THREE, draws_told=True, places=places_at(ANN, BEN, CAT), opened=(True, True, True))
    desk.lies("", 2)
    desk.moves(by=ANN, stirred=stirred(before))
    desk.lies("", 0.5, backs=20)
    desk.moves(by=ANN, stirred=stirred(AT_SETS))
    desk.lies("R4 R5 R6", 6, backs=19)
    assert desk.short == [(0, "play", verdict)]


def test_a_play_that_stood_as_another_player_drew_is_not_taken_back_any_more() -> None:
    """A tile of it is taken to the rack after that (composer AC's first)."""
    desk = Desk(players=("Ann", "Ben"), places=places_at(ANN, BEN), opened=(True, True))
    desk.lies("R1 R2 R3", 2)
    desk.changes("R1 R2 R3 R4", 6, by=ANN)
    desk.moves(by=BEN, stirred=stirred(AT_POOL))
    desk.lies("R1 R2 R3 R4", 0.4, backs=19)
    desk.changes("R1 R2 R3", 8, by=ANN, backs=19)
    assert desk.short == [(0, "play", "legal"), (1, "draw", "legal"), (0, "play", "illegal")]


@pytest.mark.parametrize("by", [ANN, None])
def test_whoever_draws_instead_takes_the_own_play_back(desk: Desk, by: float | None) -> None:
    desk.changes(RUN, 6, by=ANN)
    desk.moves(3, by=by, stirred=stirred(AT_SETS, AT_POOL))
    desk.lies(CATS, 8, backs=19)
    assert desk.short[3:] == [(0, "play", "legal"), (0, "put-back", "legal")]


@pytest.mark.parametrize(("then", "first"), [(ANN, [(0, "play", "legal")]), (CAT, [(0, "draw", "legal")])])
def test_of_two_backs_that_are_seen_gone_at_once_the_first_is_drawn_as_others_come(
    desk: Desk, then: float, first: list[tuple[int, str, str]]
) -> None:
    """Not where those whose turn it is go on and play: then nobody knows who took them (AC's first)."""
    desk.taken_from = BACK, BESIDE
    desk.moves(by=None if then == CAT else BEN)
    desk.lies(CATS, 0.8, backs=20)
    desk.moves(by=None if then == CAT else ANN)
    desk.lies(CATS, 0.6, backs=18)
    desk.moves(by=then)
    desk.lies(RUN, 8, backs=18)
    assert desk.short[3:4] == first


def test_backs_that_prove_to_be_gone_after_a_putting_back_are_its_price_while_nobody_has_come(
    desk: Desk,
) -> None:
    """In 11918 the second one was the next player's draw, and all names were one on."""
    desk.changes(f"{CATS} | R1 R2", 4, by=ANN)
    desk.changes(CATS, 3.5, by=ANN, backs=19)
    desk.lies(CATS, 4, backs=17, since=desk.still_since)
    desk.changes(RUN, 5, by=BEN, backs=17)
    assert desk.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "play", "legal")]


@pytest.mark.parametrize(("bens", "draws"), [(3, []), (0, [(1, "draw", "legal")])])
def test_a_back_that_goes_amid_hands_of_one_place_is_no_draw_of_one_who_is_known_to_sit_elsewhere(
    bens: int, draws: list[tuple[int, str, str]]
) -> None:
    """A heap that flickers as its neighbour lays (11918)."""
    desk = Desk(players=THREE, places=places_seen((ANN, 3), (BEN, bens), (CAT, 0)), opened=(True,) * 3)
    desk.lies(CATS, 2)
    desk.moves(by=ANN)
    desk.lies(f"{CATS} | R4", 0.5)
    for _ in range(2):
        desk.moves(by=ANN)
    desk.lies(RUN, 0.5, backs=20)
    desk.lies(RUN, 6, backs=19, since=desk.still_since)
    assert desk.short == [(0, "play", "legal"), *draws]


@pytest.mark.parametrize(("drew", "verdict"), [(ANN + 0.6, "ask"), (BEN, "illegal")])
def test_what_goes_by_the_hands_that_laid_it_is_asked_about_unless_surely_another_has_drawn_since(
    drew: float, verdict: str
) -> None:
    """The price, taken from elsewhere, was told as somebody's draw, and who took it back as a thief."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), opened=(True,) * 3)
    desk.lies(CATS, 2)
    desk.changes(f"{CATS} | R1 R2 R3", 6, by=ANN)
    desk.moves(by=drew)
    desk.lies(f"{CATS} | R1 R2 R3", 4, backs=19)
    desk.changes(f"{CATS} | R1 R2", 0.5, by=ANN, backs=19)
    desk.changes(CATS, 0.5, by=ANN, backs=19)
    desk.changes(f"{CATS} | B4 B5 B6", 8, by=ANN, backs=19)
    assert desk.short[-1][2] == verdict


def test_what_a_putting_back_cost_beyond_the_told_draws_is_counted_once_as_later_backs_are_seen_late() -> None:
    """Else the pool is not believed any more, and who drew and plays is believed (game 11939)."""
    desk = Desk(players=THREE, draws_told=True, places=places_at(ANN, BEN, CAT), opened=(True, True, True))
    desk.lies("R1 R2 R3", 2, backs=20)
    desk.changes("R1 R2 R3 | B5 B6", 12, by=ANN, backs=20)
    desk.changes("R1 R2 R3", 12, by=ANN, backs=19)
    lies, backs = "R1 R2 R3", 19
    for draws, plays, more in ((BEN, CAT, "R1 R2 R3 R4"), (ANN, BEN, "R1 R2 R3 R4 R5")):
        desk.moves(by=draws, stirred=stirred(AT_POOL))
        desk.lies(lies, 0.3, backs=backs)
        desk.press("draw")
        lies, backs = more, backs - 1
        desk.moves(by=plays, stirred=stirred(AT_SETS))
        desk.lies(lies, 5, backs=backs)
    desk.moves(by=CAT, stirred=stirred(AT_POOL))
    desk.lies(lies, 0.5, backs=backs - 1)
    desk.moves(by=CAT, stirred=stirred(AT_SETS))
    desk.lies(f"{lies} R6", 8, backs=backs - 1)
    assert [turn[:2] for turn in desk.short[2:]] == [
        (1, "draw"), (2, "play"), (0, "draw"), (1, "play"), (2, "play"),
    ]  # fmt: skip
    assert desk.short[-1][2] == "illegal"
