"""A view made worse on purpose: what each step does to a picture, and that its truth goes with it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.labels import LabelledTile
from datasets.photos import LabelledPhoto
from referee.tiles import Tile
from vision.evaluation.degraded import STEPS, Step, measure_step
from vision.picture import Picture
from vision.readings import PhotoReading, TileReading


def _photo(folder: Path) -> LabelledPhoto:
    image = np.full((300, 400, 3), 80, np.uint8)
    image[100:212, 100:180] = 220
    path = folder / "a.png"
    cv2.imwrite(str(path), image)
    corners = np.array([[100, 100], [180, 100], [180, 212], [100, 212]], np.float32)
    tile = LabelledTile(Tile.parse("B4"), corners, 1.0, 1.0, 0, 0)
    return LabelledPhoto("a", path, (400, 300), (tile,), True, "table", ((0,),))


def test_the_truth_is_scaled_with_the_picture(tmp_path: Path) -> None:
    def perfect(picture: Picture) -> PhotoReading:
        assert picture.size_wh == (100, 75)  # 80 pixels a tile brought to 20
        corners = np.array([[25, 25], [45, 25], [45, 53], [25, 53]], np.float32)
        return PhotoReading(picture.size_wh, "table", (TileReading(Tile.parse("B4"), 1.0, False, corners),))

    total, views = measure_step(Step(width_px=20), [_photo(tmp_path)], perfect)
    assert (total.true, total.right, total.f1) == (1, 1, 1.0)
    assert views[0].tile_px == pytest.approx(20)


def test_each_step_does_what_it_says() -> None:
    rng = np.random.default_rng(0)
    image = rng.integers(40, 200, (60, 60, 3), np.uint8)
    assert Step().apply(image) is image
    assert Step(blur=0.1).apply(image).std() < 0.3 * image.std()
    assert Step(light=0.25).apply(image).mean() == pytest.approx(image.mean() * 0.25 ** (1 / 2.2), rel=0.03)
    assert (Step(light=4.0).apply(image) >= image).all()
    assert len(set(STEPS)) == len(STEPS)
