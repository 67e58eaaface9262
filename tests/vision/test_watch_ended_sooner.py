"""A turn that may have ended sooner: two players' plays told as one, or a play that its player takes back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from watch_desk import ANN, BEN, BENS, CAT, CATS, OPENING, THREE, Desk, places_seen, three_who_have_opened

from vision.watch.reach import Reach, Stirred
from vision.watch.seats import SeatPlaces
from vision.watch.sight import Sight
from vision.watch.unseen import DrawKeeper

BESIDE = ANN + 0.5
"""Where Ben's hands come in, beside Ann's."""
FIRST = f"{OPENING} | K3 K4 K5"
"""What Ben lays first of his opening of 36 points."""


def side_by_side(bens: float = BESIDE) -> Desk:
    """Ann and Ben reach in from nearly the same place, and were seen to do so too seldom to be known."""
    places = SeatPlaces(2)
    for seat, at in enumerate((ANN, bens)):
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


def test_who_takes_away_what_was_laid_since_the_turn_before_perhaps_ended_is_asked_about() -> None:
    """It may be a fault of Ben's, put back, that was taken for a part of Ann's turn."""
    desk = side_by_side()
    desk.changes(OPENING, 1.5, by=ANN)
    desk.changes(FIRST, 6, by=ANN + 0.2)
    desk.changes(OPENING, 6, by=BESIDE)
    assert desk.short[1:] == [(1, "play", "ask")]


def test_nobody_who_comes_from_quite_elsewhere_is_asked_about() -> None:
    desk = side_by_side(BEN)
    desk.changes(OPENING, 1.5, by=ANN)
    desk.changes(FIRST, 6, by=ANN)
    desk.changes(f"{FIRST} | R8 K8 O8", 6, by=BEN)
    assert desk.short[1:] == [(1, "play", "illegal")]


def test_what_no_turn_before_makes_an_opening_is_a_fault() -> None:
    desk = side_by_side()
    desk.changes(OPENING, 6, by=ANN)
    desk.changes(f"{OPENING} | R8 K8 O8", 7, by=BESIDE)
    assert desk.short[1:] == [(1, "play", "illegal")]


def test_who_may_have_opened_in_the_turn_before_is_not_said_to_have_not() -> None:
    """All of Ben's opening was taken for Ann's; when he builds, it is asked whether he has opened."""
    desk = side_by_side()
    desk.changes(OPENING, 1.5, by=ANN)
    desk.changes(f"{FIRST} | R8 K8 O8", 6, by=ANN + 0.2)
    desk.changes(f"{FIRST} K6 | R8 K8 O8", 6, by=BESIDE)
    assert [verdict for _, _, verdict in desk.short] == ["legal", "ask"]
    assert [question.code for question in desk.turns[1].questions] == ["has-opened?"]


@pytest.mark.parametrize("next_s", [1.3, 1.8])
def test_a_play_that_its_player_takes_back_untold_ends_with_the_next_players_hands(next_s: float) -> None:
    """Nobody saw the draw that made it a fault (composer W's w02): the next player does not answer for it."""
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
    """Two players draw, and a hand comes once more before anyone lays a tile."""
    desk, draws = Desk(), DrawKeeper(told=False)

    def sight(still_since_s: float, backs: int) -> Sight:
        return Sight(desk.lying(CATS, backs), still_since_s, True, 1)

    draws.turn_begins(sight(0.0, 20))
    for still_since_s, backs in ((2.0, 19), (4.0, 18), (6.0, 18)):
        draws.nothing_changed(sight(still_since_s, backs))
    assert draws.ends_s(sight(6.0, 18)) == [2.0, 4.0]
    assert draws.ends_s(sight(6.0, 17)) == [2.0, 4.0, 6.0]


def test_draws_that_the_pool_shows_late_are_no_miscounts() -> None:
    """A fault is still told of after them (a reviewer's script)."""
    desk, draws = Desk(), DrawKeeper(told=True)
    draws.turn_begins(Sight(desk.lying(CATS, 20), 0.0, True, 1))
    for told, (taken_late, now) in enumerate(((20, 19), (19, 18)), start=1):
        draws.turn_begins(Sight(desk.lying(CATS, taken_late), 4.0 * told, True, 1), explained=1)
        draws.turn_begins(Sight(desk.lying(CATS, now), 4.0 * told + 2, True, 1))
    draws.nothing_changed(Sight(desk.lying(CATS, 17), 12.0, True, 1))
    play = Sight(desk.lying(CATS, 17), 14.0, True, 1)
    draws.table_changed(play)
    assert draws.went_before_play(play)


def test_draws_that_are_seen_together_ended_with_the_last_hands_that_came() -> None:
    desk, draws = Desk(), DrawKeeper(told=False)
    draws.turn_begins(Sight(desk.lying(CATS, 20), 0.0, True, 1))
    for still_since_s, backs in ((2.0, 20), (4.0, 20), (6.0, 18)):
        draws.nothing_changed(Sight(desk.lying(CATS, backs), still_since_s, True, 1))
    assert draws.ends_s(Sight(desk.lying(CATS, 18), 6.0, True, 1)) == [4.0, 6.0]


def test_whoever_takes_a_play_back_and_lays_another_one_at_once_has_taken_no_tile() -> None:
    """Their turn had been told by then."""
    desk = three_who_have_opened()
    desk.changes(f"{CATS} | R1 R2 R3", 6, by=ANN)
    desk.changes(CATS, 0.5, by=ANN)
    desk.changes(f"{CATS} | O4 O5 O6", 6, by=ANN)
    assert desk.short[3:] == [(0, "play", "legal"), (0, "put-back", "legal")]
    desk.changes(f"{CATS} | O4 O5 O6 | B4 B5 B6", 6, by=BEN)
    assert desk.short[5:] == [(1, "play", "legal")]


def test_tiles_lifted_for_a_moment_and_laid_again_are_no_putting_back() -> None:
    """The next player's hand passes meanwhile."""
    desk = three_who_have_opened()
    desk.changes(f"{CATS} | R1 R2 R3", 6, by=ANN)
    desk.changes(CATS, 1.0, by=ANN)
    desk.moves(0.5, by=BEN)
    desk.changes(f"{CATS} | R1 R2 R3", 6, by=ANN)
    assert desk.short[3:] == [(0, "play", "legal")]


def test_a_turn_worth_two_openings_may_have_been_two() -> None:
    """Nobody knows the places yet: that the next player has not opened is asked, not said."""
    desk = Desk()
    desk.lies("", 2)
    desk.changes("R10 B10 K10 | B11 K11 O11", 6)
    desk.changes("R10 B10 K10 O10 | B11 K11 O11", 6)
    assert [verdict for _, _, verdict in desk.short] == ["legal", "ask"]
    assert [question.code for question in desk.turns[1].questions] == ["has-opened?"]


def cats_opening_told_as_bens() -> Desk:
    """Ben's draw from a stack went unseen, Cat's opening was told as his (composer BH's bh02)."""
    desk = Desk(players=THREE, places=places_seen((ANN, 3), (BEN, 3), (CAT, 1)))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(BENS, 5, by=CAT)
    assert desk.short == [(0, "play", "legal"), (1, "play", "legal")]
    return desk


def test_whose_hands_opened_in_anothers_turn_is_asked_whether_they_have_opened() -> None:
    desk = cats_opening_told_as_bens()
    desk.changes(f"{BENS} R11", 5, by=CAT)
    assert desk.short[2:] == [(2, "play", "ask")]
    assert [question.code for question in desk.turns[2].questions] == ["has-opened?"]


def test_whose_turn_was_anothers_opening_is_asked_whether_they_have_opened() -> None:
    """As above, and Ben lays what would be too little."""
    desk = cats_opening_told_as_bens()
    desk.changes(BENS, 5, by=CAT, backs=19)
    desk.changes(BENS, 5, by=ANN, backs=18)
    desk.changes(f"{BENS} | R1 R2 R3", 5, by=BEN, backs=18)
    assert desk.short[2:] == [(2, "draw", "legal"), (0, "draw", "legal"), (1, "play", "ask")]
    assert [question.code for question in desk.turns[-1].questions] == ["has-opened?"]


def test_a_turn_ends_with_the_hands_that_left_it_whatever_moves_by_itself_since() -> None:
    """A lens that hunts keeps the picture from coming to rest for two seconds (composer BF's bf01)."""
    desk = three_who_have_opened()
    desk.moves(by=ANN)
    gone_s = desk.now
    for _ in range(4):
        desk.ticks(0.3, desk.now)
        desk.keeper.moves(desk.now)
        desk.ticks(0.3, None)
        nothing = Stirred(np.zeros((9, 16), np.bool_), 40.0)
        desk.keeper.reached(Reach(desk.now - 0.3, desk.now, None, stirred=nothing))
    desk.lies(f"{CATS} | R1 R2 R3", 5)
    assert desk.short[3:] == [(0, "play", "legal")]
    assert 0 <= desk.turns[3].end_s - gone_s < 1.0


def test_what_seemed_to_have_gone_and_was_looked_at_twice_went_with_the_hands_that_came_since() -> None:
    desk, draws = Desk(), DrawKeeper(told=False)
    whole, unsure = desk.lying(CATS, 20), replace(desk.lying(CATS, 20), pool_unsure=True)
    draws.turn_begins(Sight(whole, 0.0, True, 1))
    for still_since_s, looks in ((2.0, 1), (2.0, 2), (5.0, 1)):
        draws.nothing_changed(Sight(unsure, still_since_s, True, looks))
    now = Sight(desk.lying(CATS, 19), 5.0, True, 2)
    draws.nothing_changed(now)
    assert draws.ends_s(now) == [5.0]


def test_who_was_asked_and_takes_back_first_a_part_of_it_and_then_the_rest_has_stolen_nothing() -> None:
    """What lay after the first part was legal, too, for as long as a turn takes to end (11825)."""
    desk = three_who_have_opened()
    desk.changes(CATS, 0.5, by=ANN, share=0.5, backs=20)
    desk.changes(f"{CATS} R12 | R1 R2 R3", 5, by=ANN, backs=19)
    assert desk.short[3:] == [(0, "play", "ask")]
    desk.changes(f"{CATS} R12", 4, by=ANN, backs=19)
    desk.changes(CATS, 5, by=ANN, backs=19)
    assert desk.short[4:] == [(0, "put-back", "legal"), (0, "put-back", "legal")]
    desk.changes(f"{CATS} | B4 B5 B6", 5, by=BEN, backs=19)
    assert desk.short[6:] == [(1, "play", "legal")]


def test_who_takes_back_the_rest_two_seconds_later_has_put_back_once() -> None:
    """The hands that go on are not another player's, who would end it (11918)."""
    desk = three_who_have_opened()
    desk.changes(CATS, 0.5, by=ANN, share=0.5, backs=20)
    desk.changes(f"{CATS} R12 | R1 R2 R3", 5, by=ANN, backs=19)
    desk.changes(f"{CATS} R12", 1.9, by=ANN, backs=19)
    desk.changes(CATS, 5, by=ANN, backs=19)
    assert desk.short[3:] == [(0, "play", "ask"), (0, "put-back", "legal")]


def test_a_set_laid_beside_what_is_left_of_it_is_another_players() -> None:
    """From a place that is nearer to the one who mended than to any other."""
    desk = three_who_have_opened()
    desk.changes(CATS, 0.5, by=ANN, share=0.5, backs=20)
    desk.changes(f"{CATS} R12 | R1 R2 R3", 5, by=ANN, backs=19)
    desk.changes(f"{CATS} R12", 1.9, by=ANN, backs=19)
    desk.changes(f"{CATS} R12 | B4 B5 B6", 5, by=0.9, backs=19)
    assert desk.short[3:] == [(0, "play", "ask"), (0, "put-back", "legal"), (1, "play", "legal")]
