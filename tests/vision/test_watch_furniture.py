"""What stands on the table, told from what reaches in over it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.watch.furniture import Furniture

LEAST = 80.0


def mask(*boxes: tuple[int, int, int, int]) -> NDArray[np.bool_]:
    """Boxes (left, top, right, bottom) in a picture of 120 x 80."""
    shown = np.zeros((80, 120), np.bool_)
    for left, top, right, bottom in boxes:
        shown[top:bottom, left:right] = True
    return shown


ALL = mask((0, 0, 120, 80))
RACK, MUG, ARM = (40, 5, 80, 14), (50, 40, 68, 58), (45, 0, 60, 40)


@pytest.fixture
def furniture() -> Furniture:
    """A table with a rack at its rim from the first look on."""
    table = Furniture(stays_s=30)
    assert not table.reaches_in(mask(RACK), ALL, 0.0, LEAST)
    return table


def test_a_rack_and_a_mug_do_not_reach_in_and_an_arm_over_the_rack_does(furniture: Furniture) -> None:
    assert not furniture.reaches_in(mask(RACK, MUG), ALL, 5.0, LEAST)
    assert furniture.reaches_in(mask(RACK, ARM), ALL, 6.0, LEAST)
    assert furniture.reaches_in(mask(RACK, (45, 14, 60, 40)), ALL, 7.0, LEAST)


def test_an_arm_over_a_rack_whose_tiles_are_in_view_reaches_in() -> None:
    """Where the rack stands, nothing is foreign, and the arm begins only beyond it."""
    table, rack = Furniture(), np.array([[40, 0], [80, 0], [80, 14], [40, 14]], np.float32)
    assert not table.reaches_in(mask(), ALL, 0.0, LEAST, [rack])
    assert table.reaches_in(mask((45, 15, 60, 40)), ALL, 1.0, LEAST, [rack])
    assert not table.reaches_in(mask(MUG), ALL, 2.0, LEAST, [rack])
    assert not table.reaches_in(mask((45, 15, 60, 40)), ALL, 3.0, LEAST)


def test_a_mug_whose_handle_touches_the_rack_stands_there_after_a_while(furniture: Furniture) -> None:
    handle = (56, 14, 66, 40)
    assert furniture.reaches_in(mask(RACK, MUG, handle), ALL, 5.0, LEAST), "it may be a finger"
    assert not furniture.reaches_in(mask(RACK, MUG, handle), ALL, 12.0, LEAST)


def test_an_arm_that_rests_over_the_rack_reaches_in_as_long_as_it_stays(furniture: Furniture) -> None:
    for t_s in (5.0, 12.0, 20.0):
        assert furniture.reaches_in(mask(RACK, (44, 0, 66, 70)), ALL, t_s, LEAST)


def test_a_mug_that_hides_a_part_of_the_rack_stands_there_after_a_while(furniture: Furniture) -> None:
    before_the_rack = (50, 8, 72, 44)
    for t_s in (5.0, 12.0):
        assert furniture.reaches_in(mask(RACK, before_the_rack), ALL, t_s, LEAST), "it may be a hand"
    assert not furniture.reaches_in(mask(RACK, before_the_rack), ALL, 13.5, LEAST)


def test_what_a_mug_leaves_behind_when_it_is_taken_away_does_not_reach_in(furniture: Furniture) -> None:
    """Its shadow was taken for the ground beside it: where it stood for long, a strip still looks otherwise."""
    for t_s in (5.0, 20.0, 34.0):
        assert not furniture.reaches_in(mask(RACK, MUG), ALL, t_s, LEAST)
    for t_s in (36.0, 40.0):
        assert not furniture.reaches_in(mask(RACK, (42, 36, 56, 62)), ALL, t_s, LEAST)
    assert furniture.reaches_in(mask(RACK, (45, 14, 60, 40)), ALL, 41.0, LEAST)


def test_where_a_moved_camera_no_longer_sees_home_an_arm_comes_in_at_the_edge_of_what_it_sees(
    furniture: Furniture,
) -> None:
    seen = mask((0, 0, 105, 80))
    arm = (70, 40, 104, 55)
    assert furniture.reaches_in(mask(RACK, arm), seen, 5.0, LEAST)
    assert not furniture.reaches_in(mask(RACK, arm), ALL, 6.0, LEAST)


def test_the_bare_place_of_a_tile_beside_the_rack_is_no_hand(furniture: Furniture) -> None:
    """A back was drawn: the ground under it looks new, and is as large as a tile."""
    assert not furniture.reaches_in(mask(RACK, (50, 15, 60, 27)), ALL, 5.0, LEAST)
    assert furniture.reaches_in(mask(RACK, (50, 15, 60, 40)), ALL, 6.0, LEAST)


def test_a_mug_at_the_border_stands_there_after_a_while_and_an_arm_never_does(furniture: Furniture) -> None:
    at_border = (10, 60, 32, 80)
    for t_s in (5.0, 12.0):
        assert furniture.reaches_in(mask(RACK, at_border), ALL, t_s, LEAST), "it may be a hand"
    assert not furniture.reaches_in(mask(RACK, at_border), ALL, 13.5, LEAST)
    for t_s in (14.0, 24.0):
        assert furniture.reaches_in(mask(RACK, (90, 30, 120, 76)), ALL, t_s, LEAST)


def test_a_large_mug_at_the_border_is_told_from_an_arm_by_its_shape(furniture: Furniture) -> None:
    rows, columns = np.mgrid[:80, :120]
    large = np.hypot(rows - 62, columns - 30) < 19
    for t_s in (5.0, 12.0):
        assert furniture.reaches_in(mask(RACK) | large, ALL, t_s, LEAST)
    assert not furniture.reaches_in(mask(RACK) | large, ALL, 15.0, LEAST)


def test_a_phone_that_was_pushed_half_over_the_border_stands_there_after_a_while(furniture: Furniture) -> None:
    """Nothing was clear for 20 seconds, and a fault and its putting-back went by unseen (bi02)."""
    phone, arm = mask(RACK).astype(np.uint8), mask(RACK).astype(np.uint8)
    cv2.fillConvexPoly(phone, np.array([[0, 20], [31, 20], [16, 66], [0, 66]]), 1)
    cv2.fillConvexPoly(arm, np.array([[0, 30], [45, 22], [45, 40], [0, 44]]), 1)
    cv2.fillConvexPoly(arm, np.array([[40, 18], [62, 26], [62, 31], [40, 48]]), 1)
    assert furniture.reaches_in(phone > 0, ALL, 5.0, LEAST)
    assert not furniture.reaches_in(phone > 0, ALL, 15.0, LEAST)
    assert furniture.reaches_in(arm > 0, ALL, 16.0, LEAST)
    assert furniture.reaches_in(arm > 0, ALL, 27.0, LEAST)


def test_the_edge_of_a_cloth_that_was_dragged_is_no_arm(furniture: Furniture) -> None:
    """It runs off the picture, thin and long (composer BJ's bj01)."""
    edge = (60, 20, 120, 24)
    assert not furniture.reaches_in(mask(RACK, edge), ALL, 5.0, LEAST)


def test_a_sleeve_along_the_border_is_an_arm_however_little_is_in_the_picture(furniture: Furniture) -> None:
    assert furniture.reaches_in(mask(RACK, (115, 20, 120, 75)), ALL, 5.0, LEAST)


def test_a_finger_is_a_hand(furniture: Furniture) -> None:
    assert furniture.reaches_in(mask(RACK, (90, 40, 120, 45)), ALL, 5.0, LEAST)
