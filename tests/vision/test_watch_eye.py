"""A picture is read again wherever it shows something else, however pale and small."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.picture import Picture
from vision.readings import PhotoReading
from vision.settings import ReadSettings
from vision.sources.frame import Frame
from vision.watch.eye import Eye
from vision.watch.settings import WatchSettings
from vision.watch.setup import WatchSetup


class Blind:
    """Reads nothing in any picture."""

    def read(self, picture: Picture) -> PhotoReading:
        height, width = picture.image_bgr.shape[:2]
        return PhotoReading((width, height), "table")


def frame(at: int, seed: int, *, tile: bool = False, light: float = 1.0) -> Frame:
    """A pale cloth with a shade of its own; a far, pale tile of 11 x 13 pixels lies on it, or does not."""
    x, y = np.meshgrid(np.arange(640), np.arange(360))
    cloth = 118 + 12 * np.sin(x / 90) + 8 * np.cos(y / 70)
    image = np.repeat(cloth[..., None], 3, axis=2)
    if tile:
        cv2.rectangle(image, (400, 90), (410, 102), (130, 132, 134), cv2.FILLED)
    noise = np.random.default_rng(seed).normal(0, 3, image.shape)
    return Frame.of_bgr(at, float(at), np.asarray(np.clip(image * light + noise, 0, 255), np.uint8))


@pytest.fixture
def eye() -> Eye:
    """An eye that has seen the bare cloth."""
    looks = Eye(Blind(), WatchSetup(("Ann", "Ben"), "ru"), WatchSettings(), ReadSettings())
    assert looks.look(frame(0, seed=1)).lying is not None
    return looks


@pytest.mark.parametrize("light", [1.0, 1.05, 0.95])
def test_a_picture_that_shows_the_same_is_not_read_again(eye: Eye, light: float) -> None:
    assert eye.same_as_last(frame(1, seed=2, light=light)) is not None


@pytest.mark.parametrize("light", [1.0, 1.05])
def test_a_pale_far_tile_on_a_pale_cloth_is_something_else(eye: Eye, light: float) -> None:
    assert eye.same_as_last(frame(1, seed=2, tile=True, light=light)) is None
