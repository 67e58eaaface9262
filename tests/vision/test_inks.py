"""Faces of one ink have one colour: what the others of an ink say of one whose colour is not sure."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.classify import tile_white
from vision.inks import inks_of, one_colour_an_ink

NAVY, BLACK, RED = (0.15, 0.2, 0.35), (0.15, 0.15, 0.16), (0.8, 0.15, 0.15)
SURE_BLUE, SURE_BLACK, TORN = [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.6, 0.4, 0.0]


def crop(ink_rgb: tuple[float, float, float], white_rgb: tuple[float, float, float]) -> NDArray[np.uint8]:
    """A seven on a tile of that white, the ink in shares of it, softened as by a lens."""
    face = np.full((64, 48, 3), 255, np.uint8)
    cv2.putText(face, "7", (10, 48), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (0, 0, 0), 5)
    shares = np.asarray(ink_rgb) + (1 - np.asarray(ink_rgb)) * face / 255
    return cv2.GaussianBlur(np.asarray(shares * white_rgb * 255, np.uint8)[..., ::-1], (3, 3), 0)


def settled(rows: list[list[float]], inks: list[Any], tells: list[bool] | None = None) -> NDArray[np.float64]:
    told = np.ones(len(rows), np.bool_) if tells is None else np.array(tells)
    return one_colour_an_ink(np.array(rows), np.array(inks, np.float64), told)


@pytest.mark.parametrize("ink", [NAVY, BLACK, RED])
def test_an_ink_is_told_alike_in_shadow_and_on_a_yellowed_tile(ink: tuple[float, float, float]) -> None:
    crops = np.stack([crop(ink, white) for white in ((0.95, 0.95, 0.95), (0.5, 0.5, 0.55), (0.9, 0.85, 0.7))])
    inks = inks_of(crops, tile_white(crops))
    assert inks == pytest.approx(np.tile(ink, (3, 1)), abs=0.05)


def test_a_face_that_shows_nothing_has_no_ink() -> None:
    blank = np.full((1, 64, 48, 3), 230, np.uint8)
    assert np.isnan(inks_of(blank, tile_white(blank))).all()


def test_an_unsure_colour_is_told_by_the_others_of_its_ink() -> None:
    rows = settled([TORN, SURE_BLACK, SURE_BLACK, SURE_BLUE], [BLACK, BLACK, BLACK, NAVY])
    assert rows[0].argmax() == 2
    assert rows.sum(axis=1) == pytest.approx(1.0)


def test_the_others_make_a_colour_surer_and_one_that_they_change_stays_a_doubt() -> None:
    others, inks = [SURE_BLACK] * 6, [BLACK] * 7
    assert settled([[0.0, 0.3, 0.7, 0.0], *others], inks)[0, 2] > 0.99
    assert settled([[0.0, 0.7, 0.3, 0.0], *others], inks)[0, 2] == pytest.approx(0.85)


def test_other_inks_and_jokers_and_faces_without_ink_say_nothing() -> None:
    nothing = (np.nan, np.nan, np.nan)
    rows = settled(
        [TORN, SURE_BLACK, SURE_BLACK, SURE_BLACK], [NAVY, BLACK, NAVY, nothing], [True, True, False, True]
    )
    assert rows[0] == pytest.approx(TORN)


def test_a_sure_colour_stands_whatever_the_others_of_its_ink_say() -> None:
    assert settled([SURE_BLUE, *[SURE_BLACK] * 9], [BLACK] * 10)[0] == pytest.approx(SURE_BLUE)


def test_where_all_of_an_ink_are_unsure_it_stays_so() -> None:
    rows = settled([[0.0, 0.5, 0.5, 0.0]] * 6, [BLACK] * 6)
    assert rows.max() == pytest.approx(0.5)
