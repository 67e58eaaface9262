"""What is no draw though it seems that a back has gone: nobody was there, or it never was a back."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from pool_pictures import HEIGHT, HOME, PLACES, WIDTH, look, picture, quad, settled_pool

from vision.readings import Corners
from vision.watch.patches import HomePicture
from vision.watch.pool import PoolKeeper
from vision.watch.pool_backs import Back, BackLook, gaps_among
from vision.watch.tracks import Fate

RACK = [(300 + 32 * k, 20) for k in range(3)]
"""Tiles on a rack, seen from behind, far from the pool that is left of them."""
LOW_ROWS = [(60, 84), (93, 84), (60, 108), (93, 108)]
POOL = PLACES[6:9] + PLACES[12:15]


@pytest.fixture
def pool() -> PoolKeeper:
    return settled_pool()


def anywhere(home: Corners) -> bool:
    return True


def nowhere(home: Corners) -> bool:
    return False


def see_bare(pool: PoolKeeper, lying: list[tuple[int, int]], touched: Callable[[Corners], bool]) -> None:
    """These lie there, and the table is bare beside them."""
    found = [quad(place) for place in lying]
    image = HomePicture(picture(lying), HOME)
    pool.update(found, lambda homes: ["bare"] * len(homes), image, touched=touched)


def test_nothing_is_taken_from_where_no_hand_was(pool: PoolKeeper) -> None:
    """One of two backs that look gone lay where hands were."""
    rest = [place for place in PLACES if place not in (PLACES[2], PLACES[8])]
    there = quad(PLACES[8]).mean(axis=0)

    def touched(home: Corners) -> bool:
        return bool(np.linalg.norm(home.mean(axis=0) - there) < WIDTH)

    for _ in range(3):
        see_bare(pool, rest, touched)
    assert (pool.count, pool.taken) == (17, 1)
    assert np.allclose(pool.gone[-1].place.mean(axis=0), there)


def test_a_back_that_looks_otherwise_after_a_knock_is_not_taken(pool: PoolKeeper) -> None:
    """No hands were there; and once they have been, it is compared with how it looked after the knock."""
    image = picture(PLACES)
    x, y = PLACES[8]
    cv2.rectangle(image, (x, y), (x + WIDTH, y + HEIGHT), (120, 130, 130), cv2.FILLED)
    rest = [quad(place) for place in PLACES if place != PLACES[8]]
    for touched in (nowhere, nowhere, anywhere, anywhere):
        pool.update(rest, lambda homes: ["covered"] * len(homes), HomePicture(image, HOME), touched=touched)
    assert (pool.count, pool.taken) == (18, 0)


def test_a_draw_that_one_look_saw_is_not_forgotten_over_a_knock(pool: PoolKeeper) -> None:
    rest = PLACES[:8] + PLACES[9:]
    for touched in (anywhere, nowhere, nowhere, anywhere):
        see_bare(pool, rest, touched)
    assert (pool.count, pool.taken) == (17, 1)


def test_what_comes_into_view_far_from_the_pool_is_no_part_of_it_at_once() -> None:
    """Tiles on a rack, seen from behind for a moment: what is played from there is no draw."""
    pool = PoolKeeper()
    for _ in range(8):
        look(pool, picture(POOL), POOL)
    for _ in range(3):
        look(pool, picture([*POOL, *RACK]), [*POOL, *RACK])
    assert (pool.count, pool.taken) == (6, 0)
    for _ in range(3):
        look(pool, picture([*POOL, *RACK[:2]]), [*POOL, *RACK[:2]])
    assert pool.taken == 0


def test_what_lies_there_for_long_is_of_the_pool_wherever_it_is() -> None:
    pool = PoolKeeper()
    for _ in range(8):
        look(pool, picture(POOL), POOL)
    for _ in range(8):
        look(pool, picture([*POOL, *RACK]), [*POOL, *RACK])
    assert pool.count == 9
    for _ in range(3):
        look(pool, picture([*POOL, *RACK[:2]]), [*POOL, *RACK[:2]])
    assert (pool.count, pool.taken) == (8, 1)


def see(pool: PoolKeeper, lying: list[tuple[int, int]], faces: list[Corners]) -> None:
    found = [quad(place) for place in lying]
    image = picture(lying)
    for face in faces:
        cv2.fillConvexPoly(image, face.astype(np.int32), (235, 235, 235))
    pool.update(found, lambda homes: ["taken"] * len(homes), HomePicture(image, HOME), faces)


def test_where_a_tile_was_laid_face_up_lay_no_back(pool: PoolKeeper) -> None:
    """A motif of the cloth that was taken for one."""
    rest = PLACES[:8] + PLACES[9:]
    for _ in range(3):
        see(pool, rest, [quad((PLACES[8][0] + 6, PLACES[8][1] - 4))])
    assert (pool.count, pool.taken) == (17, 0)


def test_what_has_not_a_tiles_size_is_no_back() -> None:
    """Before any tile lies face up, the checks of a cloth may be backs."""
    pool = PoolKeeper()
    checks = [np.array([[x, 200], [x + 80, 200], [x + 80, 280], [x, 280]], np.float32) for x in (20, 120, 220)]
    tiles = [quad(place) for place in PLACES[:6]]
    for _ in range(3):
        pool.update([*tiles, *checks], lambda homes: ["covered"] * len(homes), HomePicture(picture([]), HOME))
    assert pool.count == 9
    faces = [quad((310 + 35 * k, 200)) for k in range(3)]
    for _ in range(3):
        see(pool, PLACES[:6], faces)
    assert (pool.count, pool.taken) == (6, 0)


def test_a_pool_far_behind_all_tiles_that_lie_face_up_is_one(pool: PoolKeeper) -> None:
    """Seen from low, they are several times as large."""
    near = [np.array([[x, 780], [x + 70, 780], [x + 70, 870], [x, 870]], np.float32) for x in (10, 90, 170)]
    for _ in range(3):
        see(pool, PLACES, near)
    assert (pool.count, pool.taken) == (18, 0)
    for _ in range(3):
        see(pool, PLACES[1:], near)
    assert (pool.count, pool.taken) == (17, 1)


def test_a_back_right_behind_a_row_is_taken_all_the_same() -> None:
    """Seen from low, tiles are not as high in the picture as they are wide, and rows lie close."""
    pool = PoolKeeper()
    low = [np.array([[x, y], [x + 30, y], [x + 30, y + 22], [x, y + 22]], np.float32) for x, y in LOW_ROWS]
    faces = [quad_below + np.array([0, 24], np.float32) for quad_below in low[2:]]
    for lying in ([low] * 3) + ([low[:2] + low[3:]] * 3):
        image = np.full((300, 400, 3), (60, 90, 50), np.uint8)
        for one, colour in ((lying, (200, 215, 220)), (faces, (235, 235, 235))):
            cv2.fillPoly(image, [place.astype(np.int32) for place in one], colour)
        pool.update(lying, lambda homes: ["bare"] * len(homes), HomePicture(image, HOME), faces)
    assert (pool.count, pool.taken) == (3, 1)


PALE = (200, 205, 208)


def on_white(lying: list[tuple[int, int]]) -> NDArray[np.uint8]:
    """White backs with their shadows on a cloth that is nearly as white, with red stripes."""
    image = np.full((300, 400, 3), PALE, np.float32)
    image[:, 164:184] = (70, 70, 160)
    for x, y in lying:
        cv2.rectangle(image, (x + 3, y + 3), (x + WIDTH + 3, y + HEIGHT + 3), (165, 170, 172), cv2.FILLED)
    for x, y in lying:
        cv2.rectangle(image, (x, y), (x + WIDTH, y + HEIGHT), (208, 216, 220), cv2.FILLED)
    noise = np.random.default_rng(len(lying)).normal(0, 3, image.shape)
    return np.asarray(np.clip(image + noise, 0, 255), np.uint8)


def see_on_white(pool: PoolKeeper, image: NDArray[np.uint8], found: list[tuple[int, int]], fate: Fate) -> None:
    pool.update([quad(place) for place in found], lambda homes: [fate] * len(homes), HomePicture(image, HOME))


def test_a_back_that_looks_as_it_did_before_fingers_lay_over_it_is_no_gap() -> None:
    """It was found beside them, and looks otherwise once they have gone (bp03)."""
    clean, fingers = on_white(PLACES), on_white(PLACES)
    x, y = PLACES[8]
    cv2.rectangle(fingers, (x + 14, y + 10), (x + 80, y + 20), (70, 100, 150), cv2.FILLED)
    home = quad(PLACES[8])
    back = Back(home, HomePicture(clean, HOME).patches([home])[0])
    under = BackLook([home], HomePicture(fingers, HOME), WIDTH)
    after = BackLook([home], HomePicture(clean, HOME), WIDTH)
    bare = BackLook([home], HomePicture(on_white([*PLACES[:8], *PLACES[9:]]), HOME), WIDTH)
    back.looks(under.patches[0], under)
    assert not gaps_among([(back, 0)], after)
    assert gaps_among([(back, 0)], bare)


def test_a_white_back_that_is_pushed_by_half_its_width_on_white_is_not_taken() -> None:
    """It looks as if it had lain there before, but for the gap that it leaves (bo03)."""
    pool, few = PoolKeeper(), PLACES[7:12]
    for _ in range(3):
        see_on_white(pool, on_white(few), few, "bare")
    (x, y), *others = few[1:]
    pushed = [few[0], (x - 16, y), *others]
    for _ in range(3):
        see_on_white(pool, on_white(pushed), pushed, "bare")
    assert (pool.count, pool.taken) == (5, 0)


def test_what_comes_and_goes_far_from_the_pool_is_none_of_it() -> None:
    """A note pad was found now and then, and seen for what it is once an arm had passed over it (bp01)."""
    pool = PoolKeeper()
    for _ in range(8):
        look(pool, picture(POOL), POOL)
    for at in range(24):
        look(pool, picture([*POOL, RACK[0]]), [*POOL, *RACK[: at % 3 == 0]])
    for _ in range(3):
        look(pool, picture(POOL), POOL)
    assert (pool.count, pool.taken) == (6, 0)


def test_of_a_pool_that_lies_apart_none_is_gone_where_all_are_found() -> None:
    """A mat's pale corner beside them was pushed away; a pool that has more tiles may lose one there (bp03)."""
    x, y = PLACES[8]
    corner = on_white(PLACES)
    cv2.rectangle(corner, (x - 14, y + 4), (x - 3, y + 34), (208, 216, 220), cv2.FILLED)
    bare = on_white(PLACES)
    cv2.rectangle(bare, (x - 14, y + 4), (x - 3, y + 34), (100, 105, 110), cv2.FILLED)
    taken = []
    for whole in (18, 50):
        pool = PoolKeeper(whole)
        for image in [corner] * 3 + [bare] * 3:
            see_on_white(pool, image, PLACES, "bare")
        taken.append(pool.taken)
    assert taken == [0, 1]


def laminate(lying: list[tuple[int, int]]) -> NDArray[np.uint8]:
    """White backs, each in a soft shadow, on a table that is nearly as white."""
    image = np.full((300, 400, 3), (222, 216, 212), np.float32)
    shade = np.zeros(image.shape[:2], np.float32)
    for x, y in lying:
        cv2.rectangle(shade, (x, y), (x + WIDTH, y + HEIGHT), 24, cv2.FILLED)
    image -= cv2.GaussianBlur(shade, (0, 0), 12)[..., None]
    for x, y in lying:
        cv2.rectangle(image, (x, y), (x + WIDTH, y + HEIGHT), (206, 204, 202), cv2.FILLED)
    noise = np.random.default_rng(len(lying)).normal(0, 1.5, image.shape)
    return np.asarray(np.clip(image + noise, 0, 255), np.uint8)


def see_laminate(pool: PoolKeeper, lying: list[tuple[int, int]]) -> None:
    found = [quad(place) for place in lying]
    pool.update(found, lambda homes: ["bare"] * len(homes), HomePicture(laminate(lying), HOME))


@pytest.mark.parametrize("drawn", [1, 8, 17])
def test_a_white_back_that_goes_from_a_white_table_with_its_soft_shadow_is_seen_to(drawn: int) -> None:
    """bz02: its place changes little more than what lies around it, but the table's own colour shows."""
    pool = PoolKeeper()
    for _ in range(8):
        see_laminate(pool, PLACES)
    left = [place for place in PLACES if place != PLACES[drawn]]
    for _ in range(3):
        see_laminate(pool, left)
    assert (pool.count, pool.taken) == (len(left), 1)


def test_what_was_found_once_where_a_hand_rested_is_no_back_that_goes(pool: PoolKeeper) -> None:
    """bz02's first draw, before anybody had drawn: all names were one on after it."""
    beside = (360, 200)
    with_hand = picture([*PLACES, beside])
    for found in ([], [beside]):
        look(pool, with_hand, [*PLACES, *found])
    for _ in range(3):
        see_bare(pool, PLACES, anywhere)
    assert (pool.count, pool.taken) == (len(PLACES), 0)
