"""Whose turn it was, by hands that may be one of two players', or one's who has not come yet."""

from __future__ import annotations

from watch_desk import ANN, BEN, BENS, CAT, OPENING, THREE, Desk, places_seen

from vision.watch.seats import SeatPlaces


def test_who_drew_and_plays_is_asked_where_the_next_player_can_hardly_be_meant() -> None:
    """Whoever of two they are (composer BM's first)."""
    desk = Desk(players=THREE, places=places_seen((ANN, 3), (0.0, 0), (CAT, 3)))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.moves(by=ANN + 0.75)
    desk.lies(OPENING, 1, backs=19)
    desk.changes(f"{OPENING} | B11 B12 B13", 6, by=ANN + 0.75, backs=19)
    assert desk.short == [(0, "play", "legal"), (1, "play", "ask")]
    assert [question.code for question in desk.turns[1].questions] == ["drew-first?"]


def test_hands_from_a_place_of_their_own_are_those_of_who_has_not_come_yet_and_drew() -> None:
    """From a stack, that looks as before; all others' places are well known (composer BL's second)."""
    desk = Desk(players=THREE, places=places_seen((ANN, 4), (BEN, 4), (0.0, 0)))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(BENS, 5, by=BEN)
    desk.moves(by=CAT)
    desk.lies(BENS, 4)
    desk.changes(f"{BENS} | R1", 0.6, by=ANN)
    desk.changes(f"{BENS} | R1 R2", 8, by=ANN)
    assert desk.short[2:] == [(2, "draw", "legal"), (0, "play", "illegal")]


def test_two_who_reach_in_at_once_as_one_draws_teach_nobodys_place() -> None:
    places = SeatPlaces(3)
    desk = Desk(players=THREE, places=places)
    desk.lies("", 2)
    desk.moves(by=ANN, share=0.68)
    desk.lies("", 4, backs=19)
    desk.moves(by=BEN)
    desk.lies("", 4, backs=18)
    assert desk.short == [(0, "draw", "legal"), (1, "draw", "legal")]
    assert (places.knows(0), places.knows(1)) == (False, True)
