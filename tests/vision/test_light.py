"""Dim and coloured light is made ordinary; an ordinary picture stays as it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.light import brightened, is_dim, without_cast

RNG = np.random.default_rng(3)
TABLE = RNG.integers(90, 210, (80, 120, 1), np.uint8).repeat(3, axis=2)
TABLE[20:60, 30:90] = 225  # a tile's white
TABLE[30:40, 40:50] = 30  # ink
LAMP = np.array([0.35, 0.75, 1.2])  # BGR, linear


def under(light: NDArray[np.float64] | float) -> NDArray[np.uint8]:
    """The table under another light, of which 1 is the one it has."""
    linear = (TABLE / 255.0) ** 2.2 * light
    return np.rint(255 * np.clip(linear, 0, 1) ** (1 / 2.2)).astype(np.uint8)


def test_an_ordinary_picture_is_the_same_picture() -> None:
    assert brightened(TABLE) is TABLE
    assert without_cast(TABLE) is TABLE


@pytest.mark.parametrize("light", [0.05, 0.12, 0.25])
def test_what_was_taken_in_dim_light_is_as_bright_as_other_pictures(light: float) -> None:
    seen = under(light)
    assert is_dim(seen)
    assert not is_dim(TABLE)
    clear = brightened(seen)
    white = clear[45:55, 60:80].mean()
    assert white > max(1.5 * seen[45:55, 60:80].mean(), 140)
    assert white < 245, "nothing is burnt out"
    assert clear[32:38, 42:48].mean() < 0.3 * white, "ink stays dark"


def test_a_black_picture_is_brightened_no_more_than_eight_times() -> None:
    noise = RNG.integers(0, 5, (80, 120, 3), np.uint8)
    assert brightened(noise).max() <= np.rint(4 * 8 ** (1 / 2.2))


def test_frames_of_one_dim_film_are_brightened_alike() -> None:
    """A hand that comes into view changes the light by a little."""
    one, other = under(0.09), under(0.09)
    other[:10] = 200 * 0.09 ** (1 / 2.2)
    assert np.array_equal(brightened(one)[30:], brightened(other)[30:])


@pytest.mark.parametrize("light", [LAMP, LAMP[::-1], LAMP**0.6], ids=["lamp", "blue shade", "half corrected"])
def test_a_cast_is_taken_away(light: NDArray[np.float64]) -> None:
    seen = under(light)
    white = without_cast(seen)[45:55, 60:80].reshape(-1, 3).astype(float).mean(axis=0)
    was = seen[45:55, 60:80].reshape(-1, 3).astype(float).mean(axis=0)
    assert np.ptp(was) / was.mean() > 0.15
    assert np.ptp(white) / white.mean() < 0.04


@given(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))
def test_a_picture_of_one_colour_is_no_error(blue: int, green: int, red: int) -> None:
    flat = np.full((8, 8, 3), (blue, green, red), np.uint8)
    assert brightened(flat).shape == flat.shape
    assert without_cast(flat).shape == flat.shape
