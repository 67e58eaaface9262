"""What tells tiles by their bodies, as it ships."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.classify import FaceReadings, read_faces
from vision.lookalikes import SIGNS, LookAlikeNet, signs
from vision.models import load_weights
from vision.picture import load_picture
from vision.reader import Reader
from vision.rectify import Pyramid

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "table.jpg"


def test_the_tiles_of_a_table_have_bodies() -> None:
    table, reader = load_picture(SAMPLE), Reader.load()
    tiles = np.stack([tile.corners_xy_px for tile in reader.read(table).tiles])
    net, pyramid = LookAlikeNet(load_weights(1).lookalikes), Pyramid(table.image_bgr)
    assert (net.no_tile(pyramid, tiles) < 0.5).all()
    readings, corners = read_faces(pyramid, tiles, reader.classifier)
    assert (net.no_tile_among(pyramid, corners, readings) < 0.3).all()


def test_signs_tell_of_size_and_of_what_lies_nearest() -> None:
    """Two tiles edge to edge, 40 px wide, and a find by itself, twice as large, turned by 30 degrees."""
    box = np.array([[-20, -28], [20, -28], [20, 28], [-20, 28]], np.float64)
    angle = np.deg2rad(30)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    quads = np.stack([box, box, 2 * box @ turn]) + np.array([[[100, 100]], [[140, 100]], [[400, 100]]])
    quads = quads.astype(np.float32)
    number = np.full((3, 15), 1 / 15)
    told = signs(np.array([0.99, 0.98, 0.5]), number, quads, (500, 200))
    assert told.shape == (3, SIGNS)
    assert told[:, 3] == pytest.approx([0, 0, np.log(2)], abs=1e-3)
    side = np.sqrt(40 * 56)
    assert told[:, 6] == pytest.approx(np.log1p([40 / side, 40 / side, 260 / (2 * side)]), abs=1e-3)
    assert told[:, 7] == pytest.approx([0, 0, np.sin(2 * angle)], abs=1e-3)
    assert signs(np.zeros(0), np.zeros((0, 15)), np.zeros((0, 4, 2), np.float32), (5, 5)).shape == (0, SIGNS)
    alone = signs(np.ones(1), number[:1], quads[:1], (500, 200))
    assert np.isfinite(alone).all()


@pytest.mark.parametrize("cloth", [(250, 250, 250), (200, 220, 120), (60, 90, 40)])
def test_dots_of_a_cloth_have_none(cloth: tuple[int, int, int]) -> None:
    """Such dots were sure jokers."""
    image = np.full((300, 400, 3), cloth, np.uint8)
    for x, y in np.ndindex(8, 6):
        cv2.circle(image, (20 + 50 * x + 25 * (y % 2), 25 + 50 * y), 14, (30, 30, 200), -1, cv2.LINE_AA)
    dot = np.array([[-20, -28], [20, -28], [20, 28], [-20, 28]], np.float32)
    finds = np.stack([dot + np.array([20 + 50 * x, 125]) for x in (2, 3, 5)]).astype(np.float32)
    assert (LookAlikeNet(load_weights(1).lookalikes).no_tile(Pyramid(image), finds) > 0.8).all()


def test_without_a_model_nothing_is_known() -> None:
    pyramid = Pyramid(np.zeros((40, 40, 3), np.uint8))
    assert LookAlikeNet(None).no_tile(pyramid, np.zeros((3, 4, 2), np.float32)).tolist() == [0.5] * 3
    three = np.full((3, 15), 1 / 15), np.full((3, 4), 1 / 4), np.full((3, 4), 1 / 4), np.full((3, 4), 1 / 4)
    among = LookAlikeNet(None).no_tile_among(pyramid, np.zeros((3, 4, 2), np.float32), FaceReadings(*three))
    assert among.tolist() == [0.5] * 3
    assert not len(LookAlikeNet(load_weights(1).lookalikes).no_tile(pyramid, np.zeros((0, 4, 2), np.float32)))


def test_card_faces_are_read_without_it() -> None:
    assert load_weights(1, cards=True).lookalikes is None
