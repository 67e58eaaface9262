"""A colour that the ink speaks against is a doubt: the ink of another colour, or black that has a hue.

Black in a brown that is plainly red is red, and a doubt."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.classify import FaceReadings, tile_white
from vision.inks import (
    are_green,
    are_red,
    doubted_by_ink,
    fourth_beside_red,
    fourth_in_green,
    inks_of,
    less_sure_colours,
)
from vision.rectify import Pyramid

NAVY, BLACK, RED, CRIMSON = (0.15, 0.2, 0.35), (0.15, 0.15, 0.16), (0.8, 0.15, 0.15), (0.45, 0.15, 0.2)
TEAL, MUTED_GREEN = (0.05, 0.3, 0.35), (0.26, 0.51, 0.38)
PALE_ORANGE, PALE_RED = (0.76, 0.6, 0.58), (0.78, 0.58, 0.63)
DIM_GREEN, PALE_DIM_GREEN, WARM_BLACK = (0.31, 0.43, 0.3), (0.39, 0.45, 0.35), (0.28, 0.24, 0.18)
GREEN, PALE_GREEN, BLUE, YELLOW = (0.2, 0.6, 0.3), (0.45, 0.65, 0.53), (0.2, 0.35, 0.75), (0.95, 0.75, 0.2)
SURE_FOURTH = [0, 0, 0, 1.0]
SURE_RED, SURE_BLUE, SURE_BLACK = [1.0, 0, 0, 0], [0, 1.0, 0, 0], [0.001, 0.004, 0.995, 0]


def crop(ink_rgb: tuple[float, float, float], white_rgb: tuple[float, float, float]) -> NDArray[np.uint8]:
    """A seven on a tile of that white, the ink in shares of it, softened as by a lens."""
    face = np.full((64, 48, 3), 255, np.uint8)
    cv2.putText(face, "7", (10, 48), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (0, 0, 0), 5)
    shares = np.asarray(ink_rgb) + (1 - np.asarray(ink_rgb)) * face / 255
    return cv2.GaussianBlur(np.asarray(shares * white_rgb * 255, np.uint8)[..., ::-1], (3, 3), 0)


def settled(rows: list[Any], inks: list[Any], tells: list[bool] | None = None) -> NDArray[np.float64]:
    told = np.ones(len(rows), np.bool_) if tells is None else np.array(tells)
    shown = np.array(inks, np.float64)
    return less_sure_colours(np.array(rows, np.float64), shown, told, are_red(shown))


@pytest.mark.parametrize("ink", [NAVY, BLACK, RED])
def test_an_ink_is_told_alike_in_shadow_and_on_a_yellowed_tile(ink: tuple[float, float, float]) -> None:
    crops = np.stack([crop(ink, white) for white in ((0.95, 0.95, 0.95), (0.5, 0.5, 0.55), (0.9, 0.85, 0.7))])
    inks = inks_of(crops, tile_white(crops))
    assert inks == pytest.approx(np.tile(ink, (3, 1)), abs=0.05)


def test_a_face_that_shows_nothing_has_no_ink() -> None:
    blank = np.full((1, 64, 48, 3), 230, np.uint8)
    assert np.isnan(inks_of(blank, tile_white(blank))).all()


def test_a_sure_colour_in_the_ink_of_another_is_a_doubt_and_that_other_its_next_reading() -> None:
    rows = settled([SURE_BLACK, SURE_BLUE, SURE_BLUE, SURE_BLACK], [NAVY, NAVY, NAVY, BLACK])
    assert rows[0] == pytest.approx([0, 0.2, 0.8, 0], abs=0.01)
    assert rows[1:] == pytest.approx(np.array([SURE_BLUE, SURE_BLUE, SURE_BLACK]))


def test_black_that_has_a_hue_is_a_doubt_though_it_lies_alone() -> None:
    assert settled([SURE_BLACK], [TEAL])[0] == pytest.approx([0, 0.2, 0.8, 0], abs=0.01)
    assert settled([SURE_BLACK], [BLACK])[0] == pytest.approx(SURE_BLACK)


def test_black_that_is_plainly_red_is_red_and_a_doubt() -> None:
    rows = settled([SURE_BLACK, SURE_BLACK, SURE_RED], [CRIMSON, BLACK, CRIMSON])
    assert rows[0] == pytest.approx([0.8, 0, 0.2, 0], abs=0.01)
    assert rows[1:] == pytest.approx(np.array([SURE_BLACK, SURE_RED]))


def test_brown_on_a_table_with_a_bright_red_is_no_more_than_a_doubtful_black() -> None:
    rows = settled([SURE_BLACK, SURE_RED], [CRIMSON, RED])
    assert rows[0][2] == pytest.approx(0.8)


def test_inks_that_differ_leave_the_colours_as_they_were() -> None:
    rows = [SURE_RED, SURE_BLUE, SURE_BLACK]
    assert settled(rows, [RED, NAVY, BLACK]) == pytest.approx(np.array(rows))


def test_jokers_and_faces_without_ink_neither_doubt_nor_are_doubted() -> None:
    nothing = (np.nan, np.nan, np.nan)
    rows = [SURE_BLUE, SURE_BLACK, SURE_RED]
    assert settled(rows, [BLACK, BLACK, nothing], [False, True, True]) == pytest.approx(np.array(rows))


def test_a_colour_that_was_a_doubt_already_keeps_its_probabilities() -> None:
    torn = [0.0, 0.45, 0.55, 0.0]
    assert settled([torn, SURE_BLUE], [NAVY, NAVY])[0] == pytest.approx(torn)


@pytest.mark.parametrize(("numeral", "leading"), [(BLACK, 2), (CRIMSON, 0)])
def test_a_red_mark_below_a_black_numeral_makes_it_no_red_tile(
    numeral: tuple[float, float, float], leading: int
) -> None:
    face = np.full((64, 48, 3), 240, np.uint8)
    cv2.putText(face, "7", (14, 32), cv2.FONT_HERSHEY_SIMPLEX, 0.9, [240 * v for v in numeral[::-1]], 4)
    cv2.circle(face, (24, 48), 8, [240 * v for v in CRIMSON[::-1]], -1)
    corners = np.array([[[5, 6], [42, 6], [42, 57], [5, 57]]], np.float32)
    number = np.eye(15)[[6]]
    told = FaceReadings(number, np.array([SURE_BLACK]), np.array([SURE_BLACK]), np.eye(4)[[0]])
    assert doubted_by_ink(Pyramid(face), told, corners).colour[0].argmax() == leading


@pytest.mark.parametrize(
    ("rows", "inks", "expected"),
    [
        ([SURE_BLUE, SURE_BLUE], [GREEN, BLUE], [SURE_FOURTH, SURE_BLUE]),
        ([SURE_BLUE, SURE_BLUE, SURE_BLUE], [GREEN, PALE_GREEN, BLUE], [SURE_FOURTH, SURE_FOURTH, SURE_BLUE]),
        ([SURE_BLUE, SURE_FOURTH], [GREEN, YELLOW], [SURE_BLUE, SURE_FOURTH]),
        ([SURE_BLUE, SURE_RED], [GREEN, RED], [[0, 0.2, 0, 0.8], SURE_RED]),
        ([SURE_BLUE] * 2 + [SURE_FOURTH], [GREEN, BLUE, YELLOW], [[0, 0.8, 0, 0.2], SURE_BLUE, SURE_FOURTH]),
        (
            [*[SURE_BLUE] * 5, SURE_FOURTH],
            [*[GREEN] * 4, BLUE, YELLOW],
            [*[SURE_FOURTH] * 4, SURE_BLUE, SURE_FOURTH],
        ),
        ([*[SURE_BLUE] * 4, SURE_FOURTH], [*[GREEN] * 4, YELLOW], [*[SURE_BLUE] * 4, SURE_FOURTH]),
        ([[0, 0.9, 0.1, 0], SURE_BLUE], [MUTED_GREEN, BLUE], [SURE_FOURTH, SURE_BLUE]),
        ([SURE_BLUE, SURE_BLUE], [MUTED_GREEN, TEAL], [SURE_BLUE, SURE_BLUE]),
        ([SURE_BLUE, SURE_BLUE], [TEAL, BLUE], [SURE_BLUE, SURE_BLUE]),
        (
            [SURE_BLACK, SURE_BLACK, SURE_BLACK, SURE_BLUE],
            [DIM_GREEN, PALE_DIM_GREEN, WARM_BLACK, BLUE],
            [SURE_FOURTH, SURE_FOURTH, SURE_BLACK, SURE_BLUE],
        ),
        ([SURE_BLACK, SURE_BLUE], [DIM_GREEN, BLUE], [SURE_FOURTH, SURE_BLUE]),
        ([SURE_BLACK, SURE_BLACK], [WARM_BLACK, BLACK], [SURE_BLACK, SURE_BLACK]),
        ([[0, 0.1, 0, 0.9], SURE_BLUE], [GREEN, BLUE], [SURE_FOURTH, SURE_BLUE]),
        ([SURE_FOURTH, SURE_FOURTH, SURE_RED], [GREEN, PALE_GREEN, RED], [SURE_FOURTH, SURE_FOURTH, SURE_RED]),
        ([SURE_FOURTH, SURE_FOURTH], [GREEN, YELLOW], [[0, 0.2, 0, 0.8], SURE_FOURTH]),
    ],
    ids=[
        "beside blue",
        "pale, too",
        "in place of blue",
        "alone",
        "with both",
        "many, with one yellow",
        "many in place of blue",
        "muted",
        "beside teal",
        "teal",
        "dim, beside black",
        "dim, without black",
        "warm light",
        "told, beside blue",
        "told, alone",
        "told, beside yellow",
    ],
)
def test_green_beside_blue_is_a_sets_fourth_colour(
    rows: list[Any], inks: list[Any], expected: list[Any]
) -> None:
    shown = np.array(inks, np.float64)
    told = fourth_in_green(np.array(rows), shown, np.ones(len(rows), np.bool_), are_green(shown))
    assert told == pytest.approx(np.array(expected, np.float64), abs=0.002)


@given(st.lists(st.sampled_from([RED, BLUE, NAVY, TEAL, BLACK, YELLOW, CRIMSON]), min_size=1, max_size=8))
def test_without_green_no_colour_changes(inks: list[tuple[float, float, float]]) -> None:
    shown, rows = np.array(inks), np.array([SURE_BLUE] * len(inks))
    assert fourth_in_green(rows, shown, np.ones(len(inks), np.bool_), are_green(shown)) is rows


@pytest.mark.parametrize(
    ("reds", "sure", "ink", "expected"),
    [
        (3, 0.95, PALE_ORANGE, [0.2, 0, 0, 0.8]),
        (3, 0.95, PALE_RED, [0.95, 0, 0, 0.05]),
        (2, 0.95, PALE_ORANGE, [0.95, 0, 0, 0.05]),
        (3, 0.997, PALE_ORANGE, [0.997, 0, 0, 0.003]),
        (3, 0.95, (np.nan,) * 3, [0.95, 0, 0, 0.05]),
    ],
    ids=["yellower than all reds", "of their ink", "few reds", "sure of it", "no ink seen"],
)
def test_what_is_yellower_than_the_sure_reds_is_rather_orange(
    reds: int, sure: float, ink: tuple[float, float, float], expected: list[float]
) -> None:
    # Numerals of a drawn photograph: thin crimson and orange-red strokes, two metres off.
    rows = np.array([*[[0.999, 0, 0, 0.001]] * reds, [sure, 0, 0, 1 - sure]])
    inks = np.array([*[(0.74, 0.51, 0.59), (0.77, 0.44, 0.56), (0.79, 0.58, 0.64)][:reds], ink])
    told = fourth_beside_red(rows, inks, np.ones(len(rows), np.bool_))
    assert told[-1] == pytest.approx(expected)
    assert told[:-1] == pytest.approx(rows[:-1])
    assert fourth_beside_red(rows, inks, np.arange(len(rows)) < reds) == pytest.approx(rows)
