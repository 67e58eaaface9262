"""A veil of light over a picture is taken away; a picture without one stays as it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.veil import without_veil

RNG = np.random.default_rng(3)
TABLE = RNG.integers(90, 230, (80, 120, 3), np.uint8)
TABLE[10:20, 10:20] = 20  # ink


def test_a_picture_with_dark_ink_is_the_same_picture() -> None:
    assert without_veil(TABLE) is TABLE


@pytest.mark.parametrize("veil", [60, 120, 180])
def test_ink_under_a_veil_is_dark_again_and_what_is_bright_stays_bright(veil: int) -> None:
    seen = np.rint(TABLE * ((255 - veil) / 255) + veil).astype(np.uint8)
    clear = without_veil(seen).astype(float)
    assert clear[12:18, 12:18].mean() == pytest.approx(50, abs=3)
    bright = TABLE > 220
    assert clear[bright].mean() == pytest.approx(TABLE[bright].mean(), abs=12)


@given(st.integers(0, 255))
def test_a_picture_of_one_tone_is_no_error(tone: int) -> None:
    flat = np.full((8, 8, 3), tone, np.uint8)
    assert without_veil(flat).shape == flat.shape
