"""The view of the table: what is measured on drawn tiles whose camera, blur and light are known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.tiles import Tile
from vision.readings import PhotoReading, TileReading
from vision.view import ViewMeasure, grade_view, measure_view, worst_grade
from vision.view_settings import ViewSettings

WIDTH, HEIGHT = 1.0, 1.4
SIZE_WH = (960, 720)


def seen_from(
    elevation_deg: float, tile_px: float, turn: bool = False
) -> tuple[NDArray[np.uint8], PhotoReading]:
    """Draw four rows of six tiles, seen by a camera that looks down so steeply, and their perfect reading."""
    e = np.radians(elevation_deg)
    distance = 25.0
    focal = tile_px * distance
    right, down, ahead = (
        np.array([1, 0, 0.0]),
        np.array([0, np.sin(e), -np.cos(e)]),
        np.array([0, -np.cos(e), -np.sin(e)]),
    )
    lens = -distance * ahead

    def project(points: NDArray[np.float64]) -> NDArray[np.float32]:
        away = np.column_stack([points, np.zeros(len(points))]) - lens
        depth = away @ ahead
        flat = np.column_stack([away @ right, away @ down]) * focal / depth[:, None]
        return (flat + (np.array(SIZE_WH) - 1) / 2).astype(np.float32)

    face = np.full((140, 100, 3), 205, np.uint8)
    cv2.putText(face, "8", (12, 110), cv2.FONT_HERSHEY_SIMPLEX, 4.2, (30, 30, 30), 14, cv2.LINE_AA)
    image = np.full((SIZE_WH[1], SIZE_WH[0], 3), 90, np.uint8)
    tiles = []
    for row in range(4):
        for column in range(6):
            x, y = (column - 3) * 1.05, (row - 2) * 1.7
            own = np.array([[x, y], [x + WIDTH, y], [x + WIDTH, y + HEIGHT], [x, y + HEIGHT]])
            if turn and (row + column) % 2:
                own = np.roll(own, 2, axis=0)
            corners = project(own)
            flat = np.array([[0, 0], [100, 0], [100, 140], [0, 140]], np.float32) - 0.5
            warp = cv2.getPerspectiveTransform(flat, corners)
            cv2.warpPerspective(face, warp, SIZE_WH, image, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
            tiles.append(TileReading(Tile.parse("B8"), 0.99, False, corners))
    return image, PhotoReading(SIZE_WH, "table", tuple(tiles))


@pytest.mark.parametrize("elevation_deg", [30, 45, 60, 80])
@pytest.mark.parametrize("turn", [False, True])
def test_the_angle_of_a_known_camera_is_found(elevation_deg: float, turn: bool) -> None:
    measured = measure_view(*seen_from(elevation_deg, 40, turn)).angle_deg
    assert measured is not None
    # Straight down and 75 degrees differ by 3 % in height only.
    assert abs(measured - elevation_deg) < (12 if elevation_deg > 70 else 6)


def test_width_and_light_are_measured_on_the_tiles() -> None:
    measured = measure_view(*seen_from(85, 40))
    assert measured.tiles == 24
    assert measured.tile_px == pytest.approx(40, rel=0.03)
    assert measured.luma == pytest.approx(205, abs=3)
    assert measured.washed_out == 0
    assert measured.glare == 0


def test_blur_is_measured_in_tile_widths_whatever_the_size_and_light() -> None:
    for tile_px in (30, 60):
        image, reading = seen_from(80, tile_px)
        soft = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.05 * tile_px), np.uint8)
        dim = np.asarray(soft // 2, np.uint8)
        sharp, bright, dark = (measure_view(picture, reading).blur or 0 for picture in (image, soft, dim))
        assert sharp < 0.03 < bright
        assert bright == pytest.approx(0.05, abs=0.015)
        assert dark == pytest.approx(bright, abs=0.004)


def test_glare_is_told_from_a_picture_that_is_too_bright_everywhere() -> None:
    image, reading = seen_from(80, 40)
    shining = image.copy()
    for tile in reading.tiles[:6]:
        centre = tile.corners_xy_px.mean(axis=0)
        cv2.circle(shining, (round(float(centre[0])), round(float(centre[1]))), 12, (255, 255, 255), -1)
    measured = measure_view(shining, reading)
    assert measured.glare == pytest.approx(6 / 24)
    assert measured.washed_out == 0
    everywhere = measure_view(np.asarray(np.clip(image.astype(int) + 60, 0, 255), np.uint8), reading)
    assert everywhere.glare == 0
    assert (everywhere.washed_out or 0) > 0.5


def test_grades_follow_the_bounds_and_bad_ones_say_what_to_do() -> None:
    fine = ViewMeasure(60, 40, 36, 70, 0.02, 180, 0.0, 0.0, 0.0)
    assert {one.grade for one in grade_view(fine)} == {"good"}
    poor = ViewMeasure(60, 24, 20, 40, 0.05, 80, 0.3, 0.05, 0.1)
    assert {one.grade for one in grade_view(poor)} == {"borderline"}
    worst = ViewMeasure(60, 12, 10, 20, 0.08, 50, 0.8, 0.2, 0.5)
    findings = grade_view(worst)
    assert {one.grade for one in findings} == {"bad"}
    assert all(one.mend for one in findings)
    assert worst_grade(findings) == "bad"
    assert worst_grade(grade_view(fine, ViewSettings(good_tile_px=37))) == "borderline"


def test_a_picture_without_tiles_is_bad_and_says_so() -> None:
    empty = PhotoReading((100, 100), "empty")
    measured = measure_view(np.zeros((100, 100, 3), np.uint8), empty)
    (finding,) = grade_view(measured)
    assert (finding.name, finding.grade) == ("tiles", "bad")


def test_few_tiles_do_not_tell_the_angle() -> None:
    image, reading = seen_from(60, 40)
    few = PhotoReading(reading.size_wh, "table", reading.tiles[:3])
    measured = measure_view(image, few)
    assert measured.angle_deg is None
    assert "angle" not in {one.name for one in grade_view(measured)}


def test_bounds_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(ValueError, match="tile_px"):
        ViewSettings(good_tile_px=10, least_tile_px=20)
    with pytest.raises(ValueError, match="blur"):
        ViewSettings(good_blur=0.5, most_blur=0.1)
