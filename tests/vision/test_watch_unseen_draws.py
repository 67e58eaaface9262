"""Draws that no look at the pool has shown: the order of play tells of them, or the hands that came."""

from __future__ import annotations

import math

import numpy as np
import pytest
from watch_desk import (
    ANN,
    BACK,
    BEN,
    CAT,
    CATS,
    OPENING,
    THREE,
    Desk,
    arm_from,
    places_at,
    three_who_have_opened,
)

from vision.watch.reach import Arm, Reach
from vision.watch.seats import SeatPlaces

FOUR = ("Ann", "Ben", "Cat", "Dan")
AT = (0.0, math.pi / 2, math.pi, -math.pi / 2)


def test_a_pool_that_comes_into_view_with_a_play_shows_no_draw_before_it() -> None:
    """Ann draws from a pool that nothing has found yet; it is found as Ben plays (composer AO's ao03)."""
    desk = Desk(pool=None, players=THREE)
    desk.lies("", 2)
    desk.changes("", 2, by=ANN)
    desk.changes(OPENING, 6, by=BEN, backs=20)
    assert desk.short == [(0, "draw", "legal"), (1, "play", "legal")]


def test_a_pool_that_was_in_view_shows_that_nobody_drew_before() -> None:
    desk = Desk(players=THREE)
    desk.lies("", 2)
    desk.changes("", 2, by=ANN)
    desk.changes(OPENING, 6, by=BEN)
    assert desk.short == [(0, "play", "legal")]


def _seen_once() -> Desk:
    """Four players, each of whom was seen to reach in once; it is Ann's turn."""
    places = SeatPlaces(4)
    for seat, at in enumerate(AT):
        places.learn(seat, Reach(0.0, 1.0, at, 1.0, 9))
    desk = Desk(players=FOUR, places=places)
    desk.lies("", 2)
    return desk


def test_who_came_in_the_order_of_play_before_a_back_was_seen_to_go_drew_too() -> None:
    """Three draws in a row, of which a dim pool shows the last (composer AP's ap01)."""
    desk = _seen_once()
    desk.changes("", 4, by=AT[0])
    desk.changes("", 4, by=AT[1])
    desk.changes("", 5, by=AT[2], backs=19)
    assert [(turn.seat, turn.action, turn.inferred) for turn in desk.turns] == [
        (0, "draw", True),
        (1, "draw", True),
        (2, "draw", False),
    ]


@pytest.mark.parametrize("came", [(0, 2, 1), (0, 0, 0), (2, 1, 0), (1, 2)])
def test_who_came_in_another_order_did_not(came: tuple[int, ...]) -> None:
    desk = _seen_once()
    for seat in came[:-1]:
        desk.changes("", 4, by=AT[seat])
    desk.changes("", 5, by=AT[came[-1]], backs=19)
    assert desk.short == [(0, "draw", "legal")]


def test_who_took_the_next_back_drew_it_though_every_place_was_seen_but_once() -> None:
    """Ann's draw from a stack changes nothing that is seen, and Ben's shows."""
    desk = _seen_once()
    desk.changes("", 4, by=AT[0])
    desk.changes("", 5, by=AT[1], backs=19)
    assert [(turn.seat, turn.inferred) for turn in desk.turns] == [(0, True), (1, False)]


def test_who_has_not_come_before_drew_first_where_the_next_one_took_a_back() -> None:
    """Cat's hands come from where nobody's ever did, then Ann's from just there where hers came."""
    places = SeatPlaces(3)
    places.learn(0, Reach(0.0, 1.0, ANN, 1.0, 9))
    places.learn(1, Reach(0.0, 1.0, BEN, 1.0, 9))
    desk = Desk(players=THREE, places=places)
    desk.lies("", 2)
    for by, left in ((ANN, 19), (BEN, 18), (CAT, 18), (ANN, 17)):
        desk.changes("", 5, by=by, backs=left)
    assert [(turn.seat, turn.inferred) for turn in desk.turns] == [
        (0, False),
        (1, False),
        (2, True),
        (0, False),
    ]


@pytest.mark.parametrize("ones", [(0.0, 1.2), (0.9, AT[1]), (AT[2], AT[1])])
def test_who_reaches_over_to_draw_draws_once(ones: tuple[float, float]) -> None:
    """Those who took it came from nobody's place, or those before from another than whose turn it is."""
    desk = _seen_once()
    desk.changes("", 4, by=ones[0])
    desk.changes("", 5, by=ones[1], backs=19)
    assert desk.short == [(0, "draw", "legal")]


def test_a_pool_that_has_shown_every_draw_hides_one_all_the_same() -> None:
    desk = three_who_have_opened()
    for left, by in enumerate((ANN, BEN, CAT) * 2):
        desk.changes(CATS, 5, by=by, backs=19 - left)
    desk.moves(by=ANN, arms=[arm_from(ANN)])
    desk.lies(CATS, 5, backs=14)
    desk.moves(by=BEN, arms=[arm_from(BEN)])
    desk.lies(CATS, 5, backs=13)
    assert [(turn.seat, turn.inferred) for turn in desk.turns[9:]] == [(0, True), (1, False)]


def test_a_hand_over_the_sets_amid_such_a_pool_draws_nothing() -> None:
    """Backs have gone at both ends of the table, and none between."""
    desk = three_who_have_opened()
    ends = (BACK - np.array([400, 0], np.float32), BACK + np.array([600, 0], np.float32))
    desk.taken_from = ends * 10
    for left, by in enumerate((ANN, BEN, CAT) * 2):
        desk.changes(CATS, 5, by=by, backs=19 - left)
    swept = np.zeros((20, 120), np.bool_)
    swept[:, 48:53] = True
    desk.moves(by=ANN, arms=[Arm(ANN, 1.0, 9, swept, np.zeros_like(swept), 10.0)])
    desk.lies(CATS, 5, backs=14)
    desk.moves(by=BEN, arms=[arm_from(BEN)])
    desk.lies(CATS, 5, backs=13)
    assert [(turn.seat, turn.inferred) for turn in desk.turns[9:]] == [(0, False)]


def test_a_try_of_the_next_player_that_is_taken_back_makes_nobody_elses_draw_theirs() -> None:
    """Ann's draw from a stack went unseen; Ben tries a tile, takes it back and draws (dd01)."""
    desk = _seen_once()
    desk.changes("", 4, by=AT[0] + 0.5)
    desk.changes("O5", 1.2, by=AT[1])
    desk.changes("", 0.5, by=AT[1])
    desk.changes("", 5, by=AT[1], backs=19)
    assert [(turn.seat, turn.inferred) for turn in desk.turns] == [(0, True), (1, False)]


def test_a_pool_that_was_unsure_before_anybody_came_tells_of_no_draw_by_them() -> None:
    desk = three_who_have_opened()
    desk.pool_unsure = True
    desk.lies(CATS, 2, backs=20)
    desk.moves(by=ANN)
    left_s = desk.now
    desk.lies(CATS, 3, backs=20)
    desk.pool_unsure = False
    desk.changes(CATS, 5, by=BEN, backs=19)
    desk.changes(CATS, 5, by=CAT, backs=18)
    assert [turn.seat for turn in desk.turns[3:]] == [0, 1, 2]
    assert desk.turns[3].end_s >= left_s


def test_what_one_player_alone_took_in_two_visits_is_one_draw() -> None:
    """A pool that loses another back by a mistake makes up no draw of the next player (ap01)."""
    desk = three_who_have_opened()
    desk.changes(CATS, 1, by=ANN, backs=19)
    desk.changes(CATS, 5, by=ANN, backs=18)
    desk.changes(f"{CATS} | R1 R2 R3", 5, by=BEN, backs=18)
    assert desk.short[3:] == [(0, "draw", "legal"), (1, "play", "legal")]


@pytest.mark.parametrize("off", [0.0, math.radians(64)])
def test_the_backs_that_a_fault_costs_are_nobodys_draws(off: float) -> None:
    """Its player takes them one by one, right after putting the tiles back (ao03).

    Or reaches over to a pool that is nearer to the next player (composer AS's as02).
    """
    desk = three_who_have_opened()
    desk.changes(f"{CATS} | R1 R2", 6, by=ANN)
    desk.changes(CATS, 1.0, by=ANN)
    desk.changes(CATS, 1.0, by=ANN + off, backs=19)
    desk.changes(CATS, 1.0, by=ANN, backs=18)
    desk.changes(CATS, 5, by=ANN, backs=17)
    desk.changes(CATS, 5, by=BEN, backs=16)
    assert desk.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "draw", "legal")]


def test_no_round_of_draws_is_made_up_for_hands_that_go_on_while_one_rests_over_the_table() -> None:
    """Ann's turn was told too early; the pool has lost nothing as far as is seen, nobody else came (cs02)."""
    desk = Desk(players=FOUR, places=places_at(*AT))
    desk.lies("", 2)
    for drawn, at in enumerate(AT, 1):
        desk.changes("", 5, by=at, backs=20 - drawn)
    desk.changes(OPENING, 5, by=AT[0], backs=16)
    table = f"{OPENING} | B11 K11 O11"
    for _ in range(2):
        desk.moves(0.8, by=AT[0] + 0.2)
    desk.lies(f"{OPENING} | B11", 0.5, backs=16, clear=False)
    desk.moves(1.0, by=AT[0] + 0.2)
    desk.lies(table, 1.0, backs=16, clear=False)
    desk.moves(1.0, by=AT[1])
    desk.changes(f"{table} | R11 R12 R13", 5, by=AT[1], backs=16)
    assert desk.short[4:] == [(0, "play", "legal"), (0, "play", "legal"), (1, "play", "legal")]


@pytest.mark.parametrize(("came", "seats"), [(True, [0, 1, 2, 0]), (False, [0, 1, 2])])
def test_a_pool_of_which_many_lie_under_others_may_hide_a_draw(came: bool, seats: list[int]) -> None:
    """Cat's hand came for nothing to a heap that had shown Ben's draw, and Ann's lay again (cw02)."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    for table in ("K10", "K10 K11", "K10 K11 K12"):
        desk.changes(table, 0.6, by=ANN)
    desk.lies("K10 K11 K12", 4)
    desk.moves(by=BEN)
    desk.lies("K10 K11 K12", 1.6, backs=19)
    if came:
        desk.moves(by=CAT)
    desk.lies("K10 K11 K12", 1.6, backs=19, since=None if came else desk.still_since)
    for table in ("K10 K11 K12 | R3", "K10 K11 K12 | R3 B3", "K10 K11 K12 | R3 B3 K3"):
        desk.changes(table, 0.6, by=ANN, backs=19)
    desk.lies("K10 K11 K12 | R3 B3 K3", 7, backs=19)
    assert [turn.seat for turn in desk.turns] == seats


def test_after_a_fault_that_was_made_right_a_back_is_the_next_players_draw() -> None:
    """It costs nothing; Dan, who is new, comes in nearer to the pool, as far from Cat's place as from his."""
    desk = Desk(players=FOUR)
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=0.5)
    desk.changes(f"{OPENING} | R11 B11 K11", 5, by=2.0, backs=20)
    low = f"{OPENING} | R11 B11 K11 | O2 O3"
    for _ in range(2):
        desk.changes(low, 4, by=-1.8, backs=20)
    desk.changes(f"{OPENING} | R11 B11 K11 | O11 O12 O13", 5, by=-1.8, backs=20)
    made_right = len(desk.turns)
    assert desk.turns[-1].action == "put-back"
    desk.moves(by=-2.4)
    desk.lies(f"{OPENING} | R11 B11 K11 | O11 O12 O13", 5, backs=19)
    assert desk.short[made_right:] == [(3, "draw", "legal")]
