"""What has come to stand near a tile may hide it; what stood there before does not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.watch.beside import Beside

STEP = 2.0
PLACE = np.array([[200, 200], [240, 200], [240, 256], [200, 256]], np.float32)


def things(*boxes: tuple[int, int, int, int]) -> NDArray[np.bool_]:
    """Boxes (left, top, right, bottom) in pixels of home, 640 x 480."""
    shown = np.zeros((240, 320), np.bool_)
    for box in boxes:
        left, top, right, bottom = (int(side / STEP) for side in box)
        shown[top:bottom, left:right] = True
    return shown


NO_TILES = things()
RACK, COFFEE, FAR = (100, 150, 180, 190), (190, 120, 260, 170), (500, 400, 600, 470)


@pytest.mark.parametrize(
    ("now", "hides"), [((RACK,), False), ((RACK, COFFEE), True), ((RACK, FAR), False), ((), False)]
)
def test_only_what_came_since_and_stands_near_may_hide_a_tile(
    now: tuple[tuple[int, int, int, int], ...], hides: bool
) -> None:
    beside = Beside()
    beside.see([PLACE], [PLACE], things(RACK), NO_TILES)
    assert beside.came(PLACE, things(*now), STEP) is hides


def test_it_hides_the_tile_for_as_long_as_it_stands() -> None:
    beside = Beside()
    beside.see([PLACE], [PLACE], things(), NO_TILES)
    for _ in range(20):
        assert beside.came(PLACE, things(COFFEE), STEP)
        beside.see([], [PLACE], things(COFFEE), NO_TILES)
    assert not beside.came(PLACE, things(), STEP)


def test_a_tile_that_is_in_view_beside_a_mug_is_not_hidden_by_it_later() -> None:
    beside = Beside()
    beside.see([PLACE], [PLACE], things(COFFEE), NO_TILES)
    assert not beside.came(PLACE, things(COFFEE), STEP)


def test_of_a_place_where_no_tile_was_nothing_is_said() -> None:
    beside = Beside()
    assert not beside.came(PLACE, things(COFFEE), STEP)
    beside.see([PLACE], [PLACE], things(), NO_TILES)
    beside.see([], [], things(), NO_TILES)
    assert not beside.came(PLACE, things(COFFEE), STEP), "its tile has gone"


def test_a_stripe_of_the_cloth_that_shows_where_tiles_lay_hides_nothing() -> None:
    """Stripes are never learned as ground (composer AW's third)."""
    beside = Beside()
    stripe = 215, 150, 232, 300
    beside.see(
        [PLACE], [PLACE], things((215, 150, 232, 190), (215, 266, 232, 300)), things((160, 190, 280, 266))
    )
    assert not beside.came(PLACE, things(stripe), STEP)
    assert beside.came(PLACE, things(stripe, COFFEE), STEP), "nor does a mug hide behind it"
