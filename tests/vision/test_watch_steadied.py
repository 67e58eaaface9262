"""A camera that sags by a pixel shows what it showed before, and only what lies otherwise is read anew."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.recall import Recall
from vision.watch.steadied import Steadied
from vision.watch.ways import Homography

SIZE_WH = (1280, 720)
TILE = np.array([[600.0, 300.0, 640.0, 350.0]], np.float32)


def table(*, tile: bool = False) -> np.ndarray:
    """Dark racks and sets on a pale cloth; perhaps a tile amid it."""
    picture = np.full((SIZE_WH[1], SIZE_WH[0], 3), 200, np.uint8)
    for at in range(12):
        corner = (60 + 100 * at, 60 + 43 * at)
        cv2.rectangle(picture, corner, (corner[0] + 80, corner[1] + 40), (40, 60, 90), cv2.FILLED)
    cv2.rectangle(picture, (0, 500), (200, 720), (40, 60, 90), cv2.FILLED)
    if tile:
        x0, y0, x1, y1 = (round(float(value)) for value in TILE[0])
        cv2.rectangle(picture, (x0, y0), (x1, y1), (250, 255, 255), cv2.FILLED)
    return cv2.GaussianBlur(picture, (0, 0), 0.8)


def sagged(dx: float, dy: float, turn_deg: float = 0.0) -> Homography:
    """The way home from a camera that has moved so since the first picture."""
    turned = cv2.getRotationMatrix2D((640, 360), turn_deg, 1.0)
    turned[:, 2] += dx, dy
    return np.vstack([turned, (0, 0, 1)])


def shot(scene: np.ndarray, to_home: Homography) -> np.ndarray:
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return cv2.warpPerspective(scene, to_home, SIZE_WH, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def test_a_camera_that_sags_little_by_little_shows_the_same_but_for_what_is_laid() -> None:
    steadied, recall, plain = Steadied(), Recall(), Recall()
    for step in range(9):
        to_home = sagged(0.1 * step, 0.3 * step, 0.01 * step)
        image, read_to_home = steadied.picture(shot(table(), to_home), to_home)
        recall.see(image)
        plain.see(shot(table(), to_home))
        assert np.allclose(read_to_home, np.eye(3), atol=0.5)
    everything = np.array([[0.0, 0.0, *SIZE_WH]], np.float32)
    assert plain.touched(everything).all()
    assert not recall.touched(everything).any()
    recall.see(steadied.picture(shot(table(tile=True), to_home), to_home)[0])
    assert recall.touched(TILE).all()


def test_what_has_moved_out_of_view_is_shown_as_it_was() -> None:
    steadied = Steadied()
    first, _ = steadied.picture(table(), np.eye(3))
    to_home = sagged(6.0, 0.0)
    image, read_to_home = steadied.picture(shot(table(), to_home), to_home)
    assert np.array_equal(read_to_home, np.eye(3))
    assert np.abs(image.astype(int) - first.astype(int)).max() <= 3


@pytest.mark.parametrize("to_home", [sagged(40.0, 0.0), sagged(0.0, 0.0, 5.0), sagged(0.1, 0.1)])
def test_a_camera_that_was_moved_or_not_at_all_is_read_as_it_came(to_home: Homography) -> None:
    steadied = Steadied()
    steadied.picture(table(), np.eye(3))
    came = shot(table(), to_home)
    image, read_to_home = steadied.picture(came, to_home)
    assert image is came
    assert read_to_home is to_home


def test_a_picture_of_another_size_is_read_as_it_came() -> None:
    steadied = Steadied()
    steadied.picture(table(), np.eye(3))
    small = np.ascontiguousarray(table()[::2, ::2])
    assert steadied.picture(small, sagged(2.0, 0.0))[0] is small
