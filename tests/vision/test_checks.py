"""A checked cloth's squares pass for backs; a pool on it, or in rows on a plain table, is one all the same."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checks import without_checks, without_ground
from vision.readings import Corners, FoundTile

SIDE = 36
WHITE, PALE, BLUE = (235, 235, 230), (205, 170, 140), (160, 100, 50)


def gingham() -> NDArray[np.uint8]:
    """A cloth of white, pale and blue squares, (720, 1080, 3), with a fold's shade across it."""
    image = np.zeros((720, 1080, 3), np.float32)
    for row in range(20):
        for column in range(30):
            colour = (WHITE, PALE, BLUE)[row % 2 + column % 2]
            image[SIDE * row : SIDE * (row + 1), SIDE * column : SIDE * (column + 1)] = colour
    image *= np.linspace(0.85, 1.0, 1080)[None, :, None]
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), np.uint8)


def square(row: int, column: int) -> Corners:
    x, y = SIDE * column, SIDE * row
    return np.array([[x, y], [x + SIDE, y], [x + SIDE, y + SIDE], [x, y + SIDE]], np.float32)


def back(image: NDArray[np.uint8], x: float, y: float, turned_deg: float) -> Corners:
    """A back laid on the picture, and where it lies."""
    quad = np.array(cv2.boxPoints(((x, y), (34.0, 46.0), turned_deg)), np.float32)
    cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), (215, 225, 228))
    return quad


def left(image: NDArray[np.uint8], quads: list[Corners]) -> list[int]:
    finds = [FoundTile(quad, 0.9, face_down=True) for quad in quads]
    kept = [id(find.corners_xy_px) for find in without_checks(image, finds)]
    return [at for at, quad in enumerate(quads) if id(quad) in kept]


def test_the_squares_of_a_checked_cloth_are_left_out_and_the_backs_on_it_stay() -> None:
    """White ones and pale ones, also those that backs lie beside (composer BT's bt02)."""
    image = gingham()
    backs = [back(image, 160 + 45 * k, 300 + 37 * (k % 3), 25.0 * k + 12) for k in range(7)]
    squares = [square(row, column) for row in range(4, 14) for column in (14, 16, 17, 18)]
    assert left(image, [*squares, *backs]) == list(range(len(squares), len(squares) + 7))


def test_a_square_that_a_back_lies_beside_goes_with_its_neighbours() -> None:
    image = gingham()
    backs = [back(image, 700, y, 30.0) for y in (200, 300, 400)]
    beside = [square(row, 18) for row in range(4, 12)]
    squares = [square(row, 16) for row in range(4, 12)] + [square(row, 17) for row in range(4, 12)]
    assert left(image, [*squares, *beside, *backs]) == [24, 25, 26]


def test_backs_in_rows_with_gaps_as_wide_as_they_are_lie_on_no_checks() -> None:
    """Between them lies the table, and so it does across their corners."""
    image = np.full((720, 1080, 3), (60, 90, 120), np.uint8)
    quads = [back(image, 200 + 68 * column, 150 + 92 * row, 0.0) for row in range(4) for column in range(6)]
    assert left(image, quads) == list(range(24))


def cloth(tone: tuple[int, int, int]) -> NDArray[np.uint8]:
    """A cloth whose broad stripes differ by little, (720, 1080, 3)."""
    image = np.zeros((720, 1080, 3), np.float32)
    image[:] = tone
    for at in range(0, 1080, 4 * SIDE):
        image[:, at : at + 2 * SIDE] *= 1.15
    for at in range(0, 720, 4 * SIDE):
        image[at : at + 2 * SIDE] *= 1.15
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def rows_of(image: NDArray[np.uint8], colour: tuple[int, int, int]) -> list[Corners]:
    """Two rows of ten backs."""
    quads = []
    for k in range(20):
        quads.append(back(image, 500 + 36 * (k % 10), 200 + 60 * (k // 10), 0.0))
        cv2.fillConvexPoly(image, np.round(quads[-1]).astype(np.int32), colour)
    return quads


def shaded(image: NDArray[np.uint8], colour: tuple[int, int, int]) -> list[Corners]:
    """A row of eight backs in a shadow."""
    quads = [back(image, 500 + 36 * k, 500, 0.0) for k in range(8)]
    for quad in quads:
        cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), colour)
    return quads


def kept(image: NDArray[np.uint8], quads: list[Corners]) -> int:
    return len(without_ground(image, [FoundTile(quad, 0.9, face_down=True) for quad in quads]))


def test_squares_of_the_tables_colour_are_no_backs_where_many_backs_stand_out() -> None:
    """Dark green ones on dark green; 64 backs were 127 in one look and 106 in another (ct02)."""
    image = cloth((84, 98, 71))
    backs = rows_of(image, (190, 215, 225))
    squares = [square(row, column) for row in range(10, 14) for column in range(2, 8)]
    assert kept(image, [*backs, *squares]) == len(backs)


def test_backs_of_the_tables_colour_stay_where_none_stand_out_and_in_the_shade() -> None:
    """Pale ones on a pale table, and some that a head's shadow makes as dark as a grey one."""
    pale = cloth((190, 205, 210))
    assert kept(pale, rows_of(pale, (200, 216, 222))) == 20
    grey = cloth((92, 92, 92))
    assert kept(grey, [*rows_of(grey, (190, 215, 225)), *shaded(grey, (76, 98, 102))]) == 28


def test_backs_in_a_shadow_that_only_darkens_stay_beside_a_table_as_dark() -> None:
    grey = cloth((103, 103, 100))
    assert kept(grey, [*rows_of(grey, (190, 210, 222)), *shaded(grey, (95, 105, 111))]) == 28
