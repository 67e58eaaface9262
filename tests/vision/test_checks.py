"""A checked cloth's squares pass for backs; a pool on it, or in rows on a plain table, is one all the same."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checks import without_checks
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
