"""Photographs changed on purpose: the truth goes with the picture, and the tile stays where it says."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.labels import LabelledTile
from datasets.photos import LabelledPhoto
from referee.tiles import Tile
from vision.evaluation.changed import CHANGES, changed, measure_change
from vision.evaluation.truth import PictureTruth
from vision.picture import Picture
from vision.readings import PhotoReading, TileReading

_SIZE_WH = (420, 300)
_CORNERS = np.array([[100, 100], [180, 100], [180, 212], [100, 212]], np.float32)


def _photo(folder: Path) -> LabelledPhoto:
    image = np.full((_SIZE_WH[1], _SIZE_WH[0], 3), 60, np.uint8)
    image[100:212, 100:180] = 220
    path = folder / "a.png"
    cv2.imwrite(str(path), image)
    tile = LabelledTile(Tile.parse("B4"), _CORNERS, 1.0, 1.0, 0, 0)
    return LabelledPhoto("a", path, _SIZE_WH, (tile,), True, "table", ((0,),))


@pytest.mark.parametrize("name", CHANGES)
def test_the_tile_lies_where_the_changed_truth_says(name: str, tmp_path: Path) -> None:
    photo = _photo(tmp_path)
    truth, image = changed(PictureTruth.of_photo(photo), photo.image_bgr(), CHANGES[name])
    assert truth.size_wh == (image.shape[1], image.shape[0])
    (tile,) = truth.tiles
    inside = np.zeros(image.shape[:2], np.uint8)
    middle = tile.corners_xy_px.mean(axis=0)
    cv2.fillConvexPoly(inside, np.rint(middle + 0.9 * (tile.corners_xy_px - middle)).astype(np.int32), 1)
    around = np.zeros_like(inside)
    cv2.fillConvexPoly(around, np.rint(middle + 1.3 * (tile.corners_xy_px - middle)).astype(np.int32), 1)
    cv2.fillConvexPoly(around, np.rint(middle + 1.1 * (tile.corners_xy_px - middle)).astype(np.int32), 0)
    grey = image.mean(axis=2)
    assert grey[inside > 0].mean() > 1.3 * grey[around > 0].mean()


def test_every_change_is_another_picture(tmp_path: Path) -> None:
    photo = _photo(tmp_path)
    seen = {
        changed(PictureTruth.of_photo(photo), photo.image_bgr(), change)[1].tobytes()
        for change in CHANGES.values()
    }
    assert len(seen) == len(CHANGES)


def test_who_reads_the_changed_place_is_right(tmp_path: Path) -> None:
    photo = _photo(tmp_path)
    truth, _ = changed(PictureTruth.of_photo(photo), photo.image_bgr(), CHANGES["a quarter turn"])

    def perfect(picture: Picture) -> PhotoReading:
        reading = TileReading(Tile.parse("B4"), 1.0, False, truth.tiles[0].corners_xy_px)
        return PhotoReading(picture.size_wh, "table", (reading,))

    total = measure_change(CHANGES["a quarter turn"], [photo], perfect)
    assert (total.true, total.right, total.false) == (1, 1, 0)
    assert measure_change(CHANGES["as it is"], [photo], perfect).right == 0
