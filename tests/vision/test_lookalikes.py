"""What tells tiles by their bodies, as it ships."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.lookalikes import LookAlikeNet
from vision.models import load_weights
from vision.picture import load_picture
from vision.reader import Reader
from vision.rectify import Pyramid

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "table.jpg"


def test_the_tiles_of_a_table_have_bodies() -> None:
    table = load_picture(SAMPLE)
    tiles = np.stack([tile.corners_xy_px for tile in Reader.load().read(table).tiles])
    net = LookAlikeNet(load_weights(1).lookalikes)
    assert (net.no_tile(Pyramid(table.image_bgr), tiles) < 0.5).all()


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
    assert not len(LookAlikeNet(load_weights(1).lookalikes).no_tile(pyramid, np.zeros((0, 4, 2), np.float32)))


def test_card_faces_are_read_without_it() -> None:
    assert load_weights(1, cards=True).lookalikes is None
