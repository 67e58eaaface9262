"""Whose hands these are, by where they came from before."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from vision.watch.actors import Actors
from vision.watch.reach import Reach
from vision.watch.seats import RATHER, SeatPlaces

ANGLES = st.floats(-math.pi, math.pi)
WOBBLES = st.lists(st.floats(-0.2, 0.2), min_size=6, max_size=6)


def reach(from_rad: float | None, begin_s: float = 0.0, share: float = 1.0) -> Reach:
    return Reach(begin_s, begin_s + 1.0, from_rad, share, 9)


def seated(seats: int, turned: float, times: int = 4) -> tuple[SeatPlaces, list[float]]:
    """Players spread evenly round the table, whose hands were seen a few times."""
    places = SeatPlaces(seats)
    at = [turned + 2 * math.pi * seat / seats for seat in range(seats)]
    for seat, direction in enumerate(at):
        for step in range(times):
            places.learn(seat, reach(direction + 0.1 * (step - times / 2)))
    return places, at


@given(st.integers(2, 4), ANGLES, WOBBLES)
def test_hands_are_told_apart_however_the_players_sit(seats: int, turned: float, wobbles: list[float]) -> None:
    places, at = seated(seats, turned)
    for seat, direction in enumerate(at):
        assert places.seat_of([reach(direction + wobbles[seat])]) == seat


@given(st.integers(2, 4), ANGLES)
def test_shares_are_probabilities(seats: int, turned: float) -> None:
    places, _ = seated(seats, 0.3)
    shares = places.shares([reach(turned)])
    assert len(shares) == seats
    assert abs(sum(shares) - 1) < 1e-9


def test_nobody_is_named_before_anything_was_seen() -> None:
    places = SeatPlaces(3)
    assert places.seat_of([reach(0.0)]) is None
    assert not any(places.knows(seat) for seat in range(3))


def test_between_two_players_nobody_is_named() -> None:
    places, _ = seated(4, 0.0)
    assert places.seat_of([reach(math.pi / 4)]) is None


def test_hands_of_two_people_say_nothing() -> None:
    places, at = seated(4, 0.0)
    assert places.seat_of([reach(at[1], share=0.5)]) is None
    assert places.seat_of([reach(at[1]), reach(at[3])]) is None
    places.learn(0, reach(at[2], share=0.5))
    places.learn(0, reach(None))
    assert places.seat_of([reach(at[2])]) == 2


def test_hands_that_came_in_part_from_elsewhere_name_nobody() -> None:
    places, at = seated(4, 0.3)
    assert places.seat_of([reach(at[2], share=1.0)]) == 2
    assert places.seat_of([reach(at[2], share=0.7)]) is None


def test_where_two_came_before_anyone_looked_nobody_is_named() -> None:
    places, at = seated(4, 0.3)
    actors = Actors(places)
    for came, named in (([2], 2), ([2, 2], 2), ([1, 2, 2], None)):
        for seat in came:
            actors.reached(reach(at[seat]))
        actors.looked(changed=True)
        assert actors.seat == named
        actors.turn_over(None, (0.0, 1.0), certain=False)


def test_someone_who_leaned_over_once_moves_no_place() -> None:
    places, at = seated(4, 0.0, times=6)
    places.learn(0, reach(at[2]))
    assert places.seat_of([reach(at[2])]) == 2
    assert places.seat_of([reach(at[0])]) == 0


def test_whoever_changes_chairs_is_known_again_after_a_while() -> None:
    places, at = seated(2, 0.0, times=16)
    for _ in range(16):
        places.learn(0, reach(at[1]))
        places.learn(1, reach(at[0]))
    assert places.seat_of([reach(at[0])]) == 1


def test_a_camera_that_was_moved_is_begun_anew() -> None:
    places, at = seated(3, 0.0)
    places.forget()
    assert places.seat_of([reach(at[0])]) is None


def test_of_the_reaches_of_a_turn_those_that_changed_the_table_are_learnt() -> None:
    actors = Actors(SeatPlaces(2))
    actors.reached(reach(2.0, 1.0))
    actors.looked(changed=False)
    actors.reached(reach(0.0, 4.0))
    actors.looked(changed=True)
    actors.turn_over(0, (0.0, 9.0), certain=True)
    assert actors.places.shares([reach(0.0)])[0] > 0.7
    assert actors.places.shares([reach(2.0)])[0] < 0.3


def test_a_hand_of_the_turn_before_is_not_learnt_as_the_next_players() -> None:
    actors = Actors(SeatPlaces(2))
    actors.reached(reach(0.0, begin_s=3.0))
    actors.looked(changed=False)
    actors.turn_over(1, (5.0, 9.0), certain=True)
    assert not actors.places.knows(1)


def test_where_draws_go_by_unseen_nothing_is_learnt() -> None:
    actors = Actors(SeatPlaces(2))
    actors.reached(reach(0.0))
    actors.looked(changed=True)
    actors.turn_over(0, (0.0, 9.0), certain=False)
    assert not actors.places.knows(0)


def test_the_next_players_hands_are_told_from_those_that_play() -> None:
    places, at = seated(3, 0.0)
    actors = Actors(places)
    actors.reached(reach(at[0], 1.0))
    actors.looked(changed=True)
    assert actors.is_anothers(reach(at[1], 5.0), acting=0, other=1)
    assert not actors.is_anothers(reach(at[0], 5.0), acting=0, other=1)
    assert not actors.is_anothers(reach(at[2], 5.0), acting=0, other=1)


def test_hands_that_leave_a_changed_table_as_it_is_did_not_change_it() -> None:
    places, at = seated(3, 0.0)
    actors = Actors(places)
    actors.reached(reach(at[0], 1.0))
    actors.looked(changed=True)
    for _ in range(3):
        actors.reached(reach(at[1], 2.0))
        actors.looked(changed=True, anew=False)
    assert actors.seat == 0


def test_of_hands_that_came_one_after_the_other_the_last_ones_tell() -> None:
    places, at = seated(2, 0.0)
    actors = Actors(places)
    actors.reached(reach(at[0], 1.0))
    assert actors.still_acts(0)
    actors.reached(reach(at[1], 3.0))
    assert not actors.still_acts(0)
    actors.reached(reach(at[0], 5.0))
    assert actors.still_acts(0)


@given(st.integers(2, 4), ANGLES)
def test_players_round_a_table_are_told_apart(seats: int, turned: float) -> None:
    places, at = seated(seats, turned)
    assert places.tell_apart
    for seat in [*range(seats)] * 3:
        places.check(seat, [reach(at[seat])])
    assert places.tell_apart


def test_who_has_not_been_seen_yet_does_not_make_hands_tell_nobody_apart() -> None:
    """Their hands rather look like those of the one whose only reach is known (composer AK's first)."""
    places = SeatPlaces(3)
    places.learn(0, reach(0.0))
    places.check(1, [reach(0.6)])
    assert places.tell_apart


def test_players_whose_hands_all_come_from_one_side_are_not_told_apart() -> None:
    """A camera that stands before the table, and hands that come into its picture from below."""
    places = SeatPlaces(3)
    for turn in range(9):
        hand = [reach(math.pi / 2 + 0.05 * (turn % 2))]
        places.check(turn % 3, hand)
        places.learn(turn % 3, hand[0])
    places.check(0, [reach(math.pi / 2 + 0.2)])
    for seat in range(1, 3):
        places.learn(seat, reach(math.pi / 2 + 0.2))
    for seat in (0, 1, 0):
        places.check(seat, [reach(math.pi / 2 + 0.45), reach(math.pi / 2 + 0.4)])
        places.learn(2, reach(math.pi / 2 + 0.4))
    assert not places.tell_apart
    places.forget()
    assert places.tell_apart


def test_eight_reaches_from_one_place_beside_one_that_was_seen_once_are_not_rather_that_ones() -> None:
    """Who has not come yet opened 53 degrees from where a neighbour drew once (da01)."""
    places = SeatPlaces(3)
    places.learn(0, reach(0.88))
    assert places.shares([reach(1.8, float(at)) for at in range(8)])[0] < RATHER
