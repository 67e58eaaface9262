"""The colour of arms: whose hands they are where places alone do not tell."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.watch.reach import Reach
from vision.watch.reach_sense import ReachSense
from vision.watch.seats import SeatPlaces
from vision.watch.tones import SeatTones, Tone

BLUE, BROWN, OTHER = (40.0, 0.0, -25.0), (60.0, 14.0, 20.0), (25.0, -12.0, 9.0)
CELL_PX, ROWS, COLUMNS = 8, 34, 60
INSIDE = np.ones((ROWS, COLUMNS), np.bool_)


def tones(lab: tuple[float, float, float], count: int = 4, seed: int = 0) -> tuple[Tone, ...]:
    """Samples of an arm of that colour, a little apart."""
    noise = np.random.default_rng(seed).normal(0, 1.5, (count, 3))
    return tuple(np.asarray(np.array(lab) + one, np.float32) for one in noise)


def knowing(*colours: tuple[float, float, float], times: int = 3) -> SeatTones:
    seats = SeatTones(len(colours))
    for seat, colour in enumerate(colours):
        for seed in range(times):
            seats.learn(seat, tones(colour, seed=seed))
    return seats


def test_a_colour_speaks_for_who_has_shown_it() -> None:
    seats = knowing(BLUE, BROWN)
    assert seats.evidence(tones(BROWN, seed=9)).argmax() == 1
    assert seats.evidence(tones(BLUE, seed=9)).argmax() == 0


def test_one_reach_says_no_more_than_so_much() -> None:
    said = knowing(BLUE, BROWN, times=12).evidence(tones(BLUE, 20, seed=9))
    assert 1.0 < np.ptp(said) <= 2.5


def test_a_colour_that_nobody_has_shown_says_next_to_nothing() -> None:
    assert np.ptp(knowing(BLUE, BROWN).evidence(tones(OTHER))) < 0.1


def test_equal_arms_say_nothing() -> None:
    assert np.ptp(knowing(BROWN, BROWN).evidence(tones(BROWN, seed=9))) < 0.3


def test_nobody_is_told_by_colour_before_all_have_shown_theirs() -> None:
    seats = SeatTones(2)
    for seed in range(3):
        seats.learn(0, tones(BROWN, seed=seed))
    assert not seats.evidence(tones(BROWN, seed=9)).any()


def test_colours_that_have_named_the_wrong_player_are_not_asked() -> None:
    seats = knowing(BLUE, BROWN)
    for _ in range(3):
        seats.check(1, [tones(BLUE, seed=9)])
    assert not seats.evidence(tones(BLUE, seed=9)).any()
    for _ in range(10):
        seats.check(0, [tones(BLUE, seed=9)])
    assert seats.evidence(tones(BLUE, seed=9)).argmax() == 0


def test_two_players_side_by_side_are_told_apart_by_their_sleeves() -> None:
    places = SeatPlaces(2)
    for seed in range(8):
        for seat, colour in enumerate((BLUE, BROWN)):
            places.learn(seat, Reach(0.0, 1.0, 1.5, 1.0, 9, tones=tones(colour, seed=seed)))
    comes = [Reach(0.0, 1.0, 1.5, 1.0, 9, tones=tones(BROWN, seed=seed)) for seed in (8, 9)]
    assert places.shares(comes)[1] > 0.9
    assert places.shares([Reach(0.0, 1.0, 1.5, 1.0, 9)] * 2) == pytest.approx([0.5, 0.5], abs=0.05)


def test_a_sleeve_that_was_pushed_up_says_the_same_once_with_every_reach() -> None:
    """Nobody becomes another one by it, however often they reach in (a reviewer's script)."""
    places = SeatPlaces(2)
    for seed in range(8):
        for seat, colour, at in ((0, BLUE, 1.2), (1, BROWN, 2.2)):
            places.learn(seat, Reach(0.0, 1.0, at, 1.0, 9, tones=tones(colour, seed=seed)))
    bare = [Reach(0.0, 1.0, 1.4, 1.0, 9, tones=tones(BROWN, seed=seed)) for seed in range(9, 14)]
    assert places.shares(bare)[0] > 0.9


# --- from pictures ---------------------------------------------------------------------------------------


def picture(depth: int = 0, bgr: tuple[int, int, int] = (0, 0, 0), gain: float = 1.0) -> NDArray[np.uint8]:
    """A green table, and an arm that reaches in over the left side."""
    image = np.full((ROWS * CELL_PX, COLUMNS * CELL_PX, 3), (60, 110, 70), np.float32)
    top = ROWS // 2 * CELL_PX
    cv2.rectangle(image, (0, top - 16), (depth * CELL_PX - 1, top + 16), bgr, cv2.FILLED)
    return np.asarray(np.clip(image * gain, 0, 255), np.uint8)


def arm(depth: int) -> NDArray[np.bool_]:
    cells = np.zeros((ROWS, COLUMNS), np.bool_)
    cells[ROWS // 2 - 2 : ROWS // 2 + 2, :depth] = True
    return cells


def reach_of(bgr: tuple[int, int, int], *, bare: bool = True, gain: float = 1.0) -> Reach:
    """An arm of that colour comes in, and the light is otherwise by then."""
    sense = ReachSense()
    if bare:
        sense.lies_bare(picture(), CELL_PX)
    for at, depth in enumerate((8, 14, 18, 14, 8)):
        image = picture(depth, bgr, gain)
        sense.moving(0.2 * at, arm(depth), INSIDE, CELL_PX, picture=lambda image=image: image)
    reach = sense.still()
    assert reach is not None
    return reach


@pytest.mark.parametrize("gain", [1.0, 0.85], ids=["same light", "dimmer"])
def test_an_arm_is_sampled_where_it_crosses_the_rim_in_the_light_of_the_bare_table(gain: float) -> None:
    bgr = (150, 70, 40)
    reach = reach_of(bgr, gain=gain)
    lab = cv2.cvtColor(np.full((1, 1, 3), np.array(bgr) / 255, np.float32), cv2.COLOR_BGR2LAB)[0, 0]
    assert reach.from_rad is not None
    assert abs(math.remainder(reach.from_rad - math.pi, 2 * math.pi)) < 0.3
    assert len(reach.tones) >= 3
    assert np.abs(np.mean(reach.tones, axis=0) - lab).max() < 10
    assert reach.arms[0].tones == reach.tones


def test_nothing_is_sampled_before_the_table_was_seen_bare_nor_of_what_looks_like_it() -> None:
    assert reach_of((150, 70, 40), bare=False).tones == ()
    assert reach_of((60, 110, 70)).tones == ()
