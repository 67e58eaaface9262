"""What lies in shade is brightened, and nothing else is."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.shade import without_shade

WHITE, INK = (205, 215, 220), (40, 45, 160)


def table(ground: int) -> NDArray[np.uint8]:
    """A row of tiles with ink on them, left to right over a ground of that grey."""
    picture = np.full((480, 640, 3), ground, np.uint8)
    for left in range(20, 600, 60):
        picture[200:270, left : left + 50] = WHITE
        picture[215:240, left + 15 : left + 35] = INK
    return picture


def shaded(picture: NDArray[np.uint8], least: float) -> NDArray[np.uint8]:
    """The same under light that falls off to the right."""
    light = np.linspace(1.0, least, picture.shape[1])[None, :, None]
    return np.asarray(picture * light, np.uint8)


def test_an_evenly_lit_picture_stays_as_it_is() -> None:
    picture = table(150)
    assert without_shade(picture) is picture


def test_tiles_in_shade_become_brighter_and_keep_their_colours() -> None:
    dark = shaded(table(150), 0.25)
    light = without_shade(dark)
    first, last = (22, 202), (562, 202)
    assert dark[last[::-1]].mean() < 0.4 * dark[first[::-1]].mean()
    assert light[last[::-1]].mean() > 0.5 * light[first[::-1]].mean()
    white, ink = (light[y, x].astype(float) for x, y in ((562, 202), (580, 225)))
    assert ink / white == pytest.approx(np.array(INK) / np.array(WHITE), abs=0.04)


@pytest.mark.parametrize("ground", [10, 60, 110])
def test_tiles_on_a_dark_table_keep_their_white(ground: int) -> None:
    picture = table(ground)
    light = without_shade(picture)
    assert light[202, 22:592:60].mean(axis=0) == pytest.approx(np.array(WHITE), rel=0.1)
    assert light.max() < 255


def test_a_black_picture_and_a_tiny_one_are_pictures_still() -> None:
    assert without_shade(np.zeros((480, 640, 3), np.uint8)).max() == 0
    assert without_shade(np.full((2, 3, 3), 9, np.uint8)).shape == (2, 3, 3)
