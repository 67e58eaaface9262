"""Crops: the tile's own up is at the top, whatever its place, size and angle in the picture."""

import cv2
import numpy as np
import pytest

from vision.rectify import READ_SIZE_WH, Pyramid, face_corners, turned


def picture_with_tile(angle: float, width_px: float) -> tuple[np.ndarray, np.ndarray]:
    """A grey picture with one white tile whose own upper half is red; returns it and the tile's corners."""
    side = int(width_px * 4)
    image = np.full((side, side, 3), 90, np.uint8)
    x = np.array([np.cos(angle), np.sin(angle)]) * width_px / 2
    y = np.array([-np.sin(angle), np.cos(angle)]) * width_px * 1.4 / 2
    c = np.array([side / 2, side / 2])
    corners = np.float32([c - x - y, c + x - y, c + x + y, c - x + y])
    cv2.fillConvexPoly(image, corners.round().astype(int), (255, 255, 255))
    upper = np.float32([c - x - y, c + x - y, c + x, c - x])
    cv2.fillConvexPoly(image, upper.round().astype(int), (0, 0, 255))
    return image, corners


@pytest.mark.parametrize("angle", np.linspace(0, 6, 7))
@pytest.mark.parametrize("width_px", [20, 60, 400])
def test_upright_half_is_at_the_top(angle: float, width_px: float) -> None:
    image, corners = picture_with_tile(angle, width_px)
    crop = Pyramid(image).crop(corners)
    assert crop.shape == (READ_SIZE_WH[1], READ_SIZE_WH[0], 3)
    upper, lower = crop[11:29, 8:-8].mean(axis=(0, 1)), crop[36:53, 8:-8].mean(axis=(0, 1))
    assert upper[2] > 230
    assert upper[0] < 40
    assert lower.min() > 220


def test_turned_twice_is_upside_down() -> None:
    image, corners = picture_with_tile(0.3, 80)
    pyramid = Pyramid(image)
    upright, flipped = pyramid.crop(corners), pyramid.crop(turned(corners, 2))
    assert np.abs(upright.astype(int) - flipped[::-1, ::-1]).mean() < 3


def test_face_lies_where_face_corners_say() -> None:
    quad = face_corners((100, 140), 0.25)
    # 100 = w (1 + 2 * 0.25), so the face is 66.7 wide and the margin 16.7; pixel centres at integers.
    assert quad[0] == pytest.approx([100 / 6 - 0.5, 140 / 6 - 0.5], abs=1e-4)
    assert quad[2] == pytest.approx([500 / 6 - 0.5, 700 / 6 - 0.5], abs=1e-4)


def test_no_tiles_no_crops() -> None:
    assert Pyramid(np.zeros((10, 10, 3), np.uint8)).crops([]).shape == (0, 64, 48, 3)
