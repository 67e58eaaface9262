"""What stands on the table, told from what reaches in over it."""

from __future__ import annotations

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


RACK, MUG, ARM = (40, 5, 80, 14), (50, 40, 68, 58), (45, 0, 60, 40)


@pytest.fixture
def furniture() -> Furniture:
    """A table with a rack at its rim from the first look on."""
    table = Furniture(stays_s=30)
    assert not table.reaches_in(mask(RACK), 0.0, LEAST)
    return table


def test_a_rack_and_a_mug_do_not_reach_in_and_an_arm_over_the_rack_does(furniture: Furniture) -> None:
    assert not furniture.reaches_in(mask(RACK, MUG), 5.0, LEAST)
    assert furniture.reaches_in(mask(RACK, ARM), 6.0, LEAST)
    assert furniture.reaches_in(mask(RACK, (45, 14, 60, 40)), 7.0, LEAST)


def test_what_a_mug_leaves_behind_when_it_is_taken_away_does_not_reach_in(furniture: Furniture) -> None:
    """Its shadow was taken for the ground beside it: where it stood for long, a strip still looks otherwise."""
    for t_s in (5.0, 20.0, 34.0):
        assert not furniture.reaches_in(mask(RACK, MUG), t_s, LEAST)
    for t_s in (36.0, 40.0):
        assert not furniture.reaches_in(mask(RACK, (42, 36, 56, 62)), t_s, LEAST)
    assert furniture.reaches_in(mask(RACK, (45, 14, 60, 40)), 41.0, LEAST)
