"""A turn that may have ended sooner: two players' plays told as one, or a play that its player takes back."""

from __future__ import annotations

import pytest
from watch_desk import ANN, BEN, CAT, CATS, OPENING, Desk, three_who_have_opened

from vision.watch.reach import Reach
from vision.watch.seats import SeatPlaces

BESIDE = ANN + 0.5
"""Where Ben's hands come in, beside Ann's."""
FIRST = f"{OPENING} | K3 K4 K5"
"""What Ben lays first of his opening of 36 points."""


def side_by_side() -> Desk:
    """Ann and Ben reach in from nearly the same place, and were seen to do so too seldom to be known."""
    places = SeatPlaces(2)
    for seat, at in enumerate((ANN, BESIDE)):
        places.learn(seat, Reach(0.0, 1.0, at, 1.0, 9))
    desk = Desk(places=places)
    desk.lies("", 2)
    return desk


def test_who_opened_with_too_little_is_asked_about_where_more_of_it_may_be_in_the_turn_before() -> None:
    """Ben's first set was taken for Ann's, whose turn had lain legally before it (composer X's x03)."""
    desk = side_by_side()
    desk.changes(OPENING, 1.5, by=ANN)
    desk.changes(FIRST, 6, by=ANN + 0.2)
    assert desk.short == [(0, "play", "legal")]
    desk.changes(f"{FIRST} | R8 K8 O8", 6, by=BESIDE)
    assert desk.short[1:] == [(1, "play", "ask")]
    assert [question.code for question in desk.turns[1].questions] == ["whose-turn?"]


def test_nobody_who_comes_from_quite_elsewhere_is_asked_about() -> None:
    places = SeatPlaces(2)
    for seat, at in enumerate((ANN, BEN)):
        places.learn(seat, Reach(0.0, 1.0, at, 1.0, 9))
    desk = Desk(places=places)
    desk.lies("", 2)
    desk.changes(OPENING, 1.5, by=ANN)
    desk.changes(FIRST, 6, by=ANN)
    desk.changes(f"{FIRST} | R8 K8 O8", 6, by=BEN)
    assert desk.short[1:] == [(1, "play", "illegal")]


def test_what_no_turn_before_makes_an_opening_is_a_fault() -> None:
    desk = side_by_side()
    desk.changes(OPENING, 6, by=ANN)
    desk.changes(f"{OPENING} | R8 K8 O8", 6, by=BESIDE)
    assert desk.short[1:] == [(1, "play", "illegal")]


def test_who_may_have_opened_in_the_turn_before_is_not_said_to_have_not() -> None:
    """All of Ben's opening was taken for Ann's; when he builds, it is asked whether he has opened."""
    desk = side_by_side()
    desk.changes(OPENING, 1.5, by=ANN)
    desk.changes(f"{FIRST} | R8 K8 O8", 6, by=ANN + 0.2)
    desk.changes(f"{FIRST} K6 | R8 K8 O8", 6, by=BESIDE)
    assert [verdict for _, _, verdict in desk.short] == ["legal", "ask"]
    assert [question.code for question in desk.turns[1].questions] == ["has-opened?"]


@pytest.mark.parametrize("next_s", [0.9, 1.5])
def test_a_play_that_its_player_takes_back_untold_ends_with_the_next_players_hands(next_s: float) -> None:
    """Nobody saw the draw that made it a fault (composer W's w02): it is not the next player's to answer for."""
    desk = three_who_have_opened()
    desk.changes(f"{CATS} | R1 R2 R3", 6, by=ANN)
    desk.changes(CATS, next_s, by=ANN)
    desk.changes(f"{CATS} | B4 B5 B6", 6, by=BEN)
    assert desk.short[3:] == [(0, "play", "legal"), (0, "put-back", "legal"), (1, "play", "legal")]


def test_tiles_that_another_one_takes_away_are_no_putting_back() -> None:
    desk = three_who_have_opened()
    desk.changes(f"{CATS} | R1 R2 R3", 6, by=ANN)
    desk.changes(CATS, 6, by=BEN)
    assert desk.short[4:] == [(1, "play", "illegal")]


def test_each_draw_ended_when_its_back_was_seen_to_be_gone() -> None:
    """Ann and Ben draw, and Ben's hand comes once more before anyone lays a tile."""
    desk = three_who_have_opened()
    ends_s = []
    for left, by in zip((19, 18, 18), (ANN, BEN, BEN), strict=True):
        desk.moves(by=by)
        ends_s.append(desk.now)
        desk.lies(CATS, 0.5, backs=left)
    desk.changes(f"{CATS} | R1 R2 R3", 6, by=CAT, backs=18)
    assert desk.short[3:] == [(0, "draw", "legal"), (1, "draw", "legal"), (2, "play", "legal")]
    assert [turn.end_s for turn in desk.turns[3:5]] == pytest.approx(ends_s[:2], abs=0.3)
