"""From where hands reach in, out of the cells that change."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.watch.reach import Reach
from vision.watch.reach_sense import ReachSense

WIDE, HIGH = 60, 34
INSIDE = np.ones((HIGH, WIDE), np.bool_)
TOWARDS = {"right": 0.0, "near": math.pi / 2, "left": math.pi, "far": -math.pi / 2}


def arm(side: str, depth: int = 14, at: float = 0.5, thick: int = 4) -> NDArray[np.bool_]:
    """An arm that comes in over one side of the picture, at a share of that side's length."""
    cells = np.zeros((HIGH, WIDE), np.bool_)
    if side in ("near", "far"):
        x = int(at * WIDE)
        rows = slice(HIGH - depth, HIGH) if side == "near" else slice(0, depth)
        cells[rows, x - thick // 2 : x + thick // 2] = True
    else:
        y = int(at * HIGH)
        columns = slice(WIDE - depth, WIDE) if side == "right" else slice(0, depth)
        cells[y - thick // 2 : y + thick // 2, columns] = True
    return cells


def sensed(*frames: NDArray[np.bool_] | None, inside: NDArray[np.bool_] = INSIDE) -> Reach:
    sense = ReachSense()
    for at, changed in enumerate(frames):
        sense.moving(0.1 * at, changed, inside)
    reach = sense.still()
    assert reach is not None
    return reach


@pytest.mark.parametrize("side", TOWARDS)
def test_an_arm_is_told_by_the_side_that_it_crosses(side: str) -> None:
    reach = sensed(*[arm(side, depth) for depth in (6, 9, 13, 9, 6)])
    assert reach.from_rad is not None
    off = math.remainder(reach.from_rad - TOWARDS[side], 2 * math.pi)
    assert abs(off) < math.radians(15)
    assert reach.share > 0.9
    assert (reach.begin_s, reach.end_s, reach.frames) == (0.0, 0.4, 5)


def slanted(from_xy: tuple[float, float], to_xy: tuple[float, float]) -> NDArray[np.bool_]:
    """An arm that lies between two points, cells."""
    way = np.linspace(from_xy, to_xy, 99)
    rows, columns = np.mgrid[0:HIGH, 0:WIDE]
    apart = np.hypot(rows[..., None] - way[:, 1], columns[..., None] - way[:, 0]).min(axis=2)
    return np.asarray(apart <= 2.0)


@pytest.mark.parametrize("to", [(7, 19), (30, 14), (53, 19)])
def test_who_reaches_for_a_far_corner_sits_where_the_arm_comes_from(to: tuple[int, int]) -> None:
    """In cy02 it crossed the rim nearer to the neighbour's place than to the own one."""
    reach = sensed(*[slanted((30, 47), to)] * 4)
    assert reach.from_rad is not None
    crossed = math.remainder(reach.from_rad - TOWARDS["near"], 2 * math.pi)
    assert abs(crossed) < math.radians(16)
    assert reach.arms[0].from_rad == pytest.approx(reach.from_rad)


def test_two_people_at_once_are_not_one() -> None:
    assert sensed(*[arm("near") | arm("far")] * 4).share < 0.6


def fingers(side: str) -> NDArray[np.bool_]:
    """What moves of a hand at work at that side's rim, the rest of its arm being one colour."""
    return arm(side, depth=7)


def test_a_hand_at_work_at_the_far_rim_came_from_where_its_arm_came_and_goes() -> None:
    comes = [arm("near", depth) for depth in (6, 14, 22, 30)]
    reach = sensed(*comes, *[fingers("far")] * 9, *reversed(comes))
    assert reach.from_rad is not None
    assert abs(math.remainder(reach.from_rad - TOWARDS["near"], 2 * math.pi)) < math.radians(15)
    assert reach.share > 0.9
    assert reach.frames == 17
    assert len(reach.arms) == 1
    assert reach.arms[0].was_at([np.array([[29, 1], [31, 1], [31, 3], [29, 3]], np.float32)])


def test_another_who_comes_and_goes_while_somebody_rests_is_another() -> None:
    comes = [arm("near", depth) for depth in (6, 10, 14)]
    other = [arm("far", depth) for depth in (6, 9, 12, 12, 12, 9, 6)]
    reach = sensed(*comes, *other, *reversed(comes))
    assert reach.share < 0.6
    assert len(reach.arms) == 2


def test_who_sorts_a_rack_at_the_rim_does_not_reach_in() -> None:
    reach = sensed(*[arm("near", depth=2, thick=12)] * 4)
    assert (reach.from_rad, reach.frames) == (None, 0)


def test_what_moves_in_the_middle_alone_came_from_nowhere() -> None:
    cells = np.zeros((HIGH, WIDE), np.bool_)
    cells[15:19, 28:33] = True
    assert sensed(cells, cells).from_rad is None


def test_frames_in_which_the_camera_shakes_say_nothing() -> None:
    assert sensed(None, None).from_rad is None
    assert sensed(None, arm("left"), None).frames == 1


def test_the_area_has_its_own_rim() -> None:
    inside = np.zeros((HIGH, WIDE), np.bool_)
    inside[6:28, 20:55] = True
    reach = sensed(*[arm("left", depth=34) & inside] * 3, inside=inside)
    assert reach.from_rad is not None
    assert abs(math.remainder(reach.from_rad - math.pi, 2 * math.pi)) < math.radians(15)


def test_every_stretch_begins_anew() -> None:
    sense = ReachSense()
    sense.moving(0.0, arm("left"), INSIDE)
    assert sense.still() is not None
    assert sense.still() is None
    again = sense.moving(1.0, arm("right"), INSIDE)
    assert again.begin_s == 1.0
    assert again.from_rad is not None
    assert abs(math.remainder(again.from_rad, 2 * math.pi)) < math.radians(15)


def spots(*corners: tuple[int, int], side: int = 3) -> NDArray[np.bool_]:
    """Small things that are otherwise, by their left upper cells."""
    cells = np.zeros((HIGH, WIDE), np.bool_)
    for x, y in corners:
        cells[y : y + side, x : x + side] = True
    return cells


def test_what_changes_from_one_picture_to_the_next_is_a_cut_of_a_film_without_hands() -> None:
    back = spots((20, 12))
    assert sensed(back, back).is_cut
    assert not sensed(*[back] * 5).is_cut, "hands may have done that"
    assert not sensed(arm("near"), back).is_cut, "an arm came in"
    assert not sensed(back, None).is_cut, "the camera was knocked, or the light changed"
    knock = spots(*[(x, y) for x in range(4, 50, 9) for y in (8, 20)], side=1)
    assert not sensed(knock, knock).is_cut
    assert not sensed(spots((15, 10), side=14)).is_cut


def test_what_fades_in_slowly_is_small_though_no_frame_shows_it_change() -> None:
    nothing, back = np.zeros_like(INSIDE), spots((20, 12))
    sense = ReachSense()
    for at in range(6):
        sense.moving(0.1 * at, nothing, INSIDE, 1.0, back if at == 2 else None)
    reach = sense.still()
    assert reach is not None
    assert reach.is_small
    assert not reach.is_cut
    assert not sensed(nothing).is_small


def test_a_hand_that_rests_for_a_moment_far_from_its_own_rim_came_from_where_it_came_before() -> None:
    """It reaches for the pool at the far rim, and rests over it for a moment before it goes back."""
    comes = [arm("near", depth) for depth in (6, 14, 22, 30)]
    sense = ReachSense()
    for at, changed in enumerate([*comes, *[fingers("far")] * 4]):
        sense.moving(0.1 * at, changed, INSIDE)
    assert sense.still() is not None
    for at, changed in enumerate([*[fingers("far")] * 4, *reversed(comes)]):
        sense.moving(1.0 + 0.1 * at, changed, INSIDE)
    back = sense.still()
    assert back is not None
    assert back.from_rad is not None
    assert abs(math.remainder(back.from_rad - TOWARDS["near"], 2 * math.pi)) < math.radians(15)
    assert back.share > 0.9
