"""The first round: whose hands they are before any player's place is known."""

from __future__ import annotations

import pytest
from watch_desk import ANN, BEN, BENS, CAT, CATS, OPENING, Desk

from vision.watch.reach import Reach
from vision.watch.seats import SeatPlaces


def test_the_next_of_four_ends_a_turn_before_anyone_is_known() -> None:
    """Two others are unknown as well, but hands from a new place are the next player's (composer U's u04)."""
    desk = Desk(players=("Ann", "Ben", "Cat", "Dan"), pool=None, draws_told=True)
    desk.lies("", 2)
    desk.moves(by=ANN)
    desk.changes(OPENING, 1.4, by=ANN)
    desk.changes(BENS, 1.4, by=BEN)
    desk.changes(CATS, 6, by=CAT)
    assert desk.short == [(0, "play", "legal"), (1, "play", "legal"), (2, "play", "legal")]


@pytest.mark.parametrize(("other", "turns"), [(BEN + 1.2, 2), (BEN + 0.1, 1)])
def test_a_set_from_quite_another_place_is_the_next_players_before_anyone_is_known(
    other: float, turns: int
) -> None:
    """A breath after the one before; from nearly the same place it is more of that play (composer V's v01)."""
    desk = Desk(players=("Ann", "Ben", "Cat", "Dan"))
    desk.lies("", 2)
    desk.changes(OPENING, 1.2, by=BEN)
    desk.moves(0.5, by=other, share=0.6)
    desk.changes(BENS, 6, by=other)
    assert desk.short[:turns] == [(seat, "play", "legal") for seat in range(turns)]
    assert len(desk.turns) == turns


@pytest.mark.parametrize(("from_ben", "verdict"), [(1.3, "illegal"), (0.9, "ask")])
def test_too_low_an_opening_is_a_fault_where_no_hands_of_who_has_opened_ever_came_from_there(
    from_ben: float, verdict: str
) -> None:
    """Nothing is told, and the first hands of all were nobody's yet (composers AK's and AM's first games)."""
    places = SeatPlaces(4)
    for seat, direction in ((0, ANN), (1, BEN)):
        for _ in range(2):
            places.learn(seat, Reach(0.0, 1.0, direction, 1.0, 9))
    desk = Desk(players=("Ann", "Ben", "Cat", "Dan"), pool=None, places=places)
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(BENS, 5, by=BEN)
    desk.changes(f"{BENS} | R1 R2 R3", 8, by=BEN + from_ben)
    assert desk.short == [(0, "play", "legal"), (1, "play", "legal"), (2, "play", verdict)]


def test_what_is_drawn_before_a_play_that_was_asked_about_is_taken_back_is_its_fine() -> None:
    """Nobody knows yet whose hands come from there; names go on from who put it back (composer AY's third)."""
    desk = Desk(players=("Ann", "Ben", "Cat", "Dan"))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(OPENING, 3, by=BEN + 0.6, backs=19)
    desk.changes(BENS, 5, by=CAT)
    desk.changes(BENS, 3, by=CAT + 1.4, backs=18)
    desk.changes(f"{BENS} | R1 R2 R3", 5, by=ANN)
    added = f"{OPENING} O10 | B11 K11 O11 | R1 R2 R3"
    desk.changes(added, 5, by=CAT - 0.2)
    assert desk.short[5:] == [(1, "play", "ask")]
    desk.changes(added, 1, by=BEN + 0.4, backs=17)
    desk.changes(f"{BENS} | R1 R2 R3", 2, by=BEN + 0.9, backs=17)
    desk.changes(f"{BENS} | R1 R2 R3 R4", 5, by=CAT, backs=17)
    assert desk.short[6:] == [(1, "put-back", "legal"), (2, "play", "legal")]
