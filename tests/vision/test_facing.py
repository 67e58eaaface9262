"""Which way a round digit is up: its ink lies where that of its upright neighbours does."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.classify import tile_white
from vision.facing import heights_facing, in_row, ink_heights, neighbours_facing

TILE = np.float32([[0, 0], [10, 0], [10, 14], [0, 14]])


def row(count: int, down: float = 0.0) -> NDArray[np.float32]:
    return np.stack([TILE + np.float32([11 * k, down]) for k in range(count)])


def facing(quads: NDArray[np.float32], heights: list[float], known: list[bool]) -> NDArray[np.float64]:
    return heights_facing(np.array(heights), np.array(known), in_row(quads))


def by_neighbours(quads: NDArray[np.float32], known: object, rather: object = None) -> NDArray[np.float64]:
    none = np.zeros(len(quads), np.bool_)
    return neighbours_facing(
        quads, np.array(known), in_row(quads), none if rather is None else np.array(rather)
    )


@pytest.mark.parametrize(("height", "upright"), [(0.65, True), (0.35, False)])
def test_ink_as_low_as_beside_it_is_upright_where_the_row_in_front_hides_the_rest(
    height: float, upright: bool
) -> None:
    behind, front = row(3), row(4, down=12)
    heights = [0.66, height, 0.64, 0.35, 0.36, 0.34, 0.35]
    odds = facing(np.concatenate([behind, front]), heights, [True, False, True, *[True] * 4])
    # (1 - 2 * 0.65) ** 2 / (2 * 0.1 ** 2) = 4.5
    assert odds[1] == pytest.approx(4.5 if upright else -4.5, abs=0.1)


def test_numerals_in_the_middle_tell_nothing() -> None:
    assert abs(facing(row(3), [0.5, 0.5, 0.5], [True, False, True])[1]) < 0.01


def test_without_an_upright_tile_in_its_row_nothing_is_told() -> None:
    quads = np.concatenate([row(2), row(2, down=30)])
    assert facing(quads, [0.35, 0.35, 0.65, 0.65], [False, False, True, True])[:2].tolist() == [0, 0]
    assert facing(row(2), [0.35, np.nan], [False, True]).tolist() == [0, 0]
    assert facing(row(2), [np.nan, 0.35], [False, True]).tolist() == [0, 0]
    assert facing(np.zeros((2, 4, 2), np.float32), [0.3, 0.3], [False, True]).tolist() == [0, 0]


@given(
    st.lists(st.floats(0.1, 0.9), min_size=2, max_size=6),
    st.floats(-3, 3),
    st.floats(0.2, 40),
)
def test_a_tile_lying_the_other_way_is_told_the_opposite(
    heights: list[float], turn: float, size: float
) -> None:
    known = [False, *[True] * (len(heights) - 1)]
    c, s = np.cos(turn), np.sin(turn)
    quads = (row(len(heights)) @ np.array([[c, s], [-s, c]]) * size).astype(np.float32)
    over = quads.copy()
    over[0] = np.roll(over[0], 2, axis=0)
    one = facing(quads, heights, known)[0]
    assert abs(one) <= 8
    assert facing(over, [1 - heights[0], *heights[1:]], known)[0] == pytest.approx(-one, abs=1e-6)


@pytest.mark.parametrize(("at", "share"), [(24, 0.375), (40, 0.625)])
def test_the_height_of_ink_is_its_middle_whatever_the_light(at: int, share: float) -> None:
    crop = np.full((64, 48, 3), 90, np.uint8)
    cv2.rectangle(crop, (18, at - 8), (30, at + 7), (20, 20, 80), -1)
    crops = np.stack([crop, crop // 2, np.full_like(crop, 90)])
    heights = ink_heights(crops, tile_white(crops))
    assert heights[:2] == pytest.approx([share, share], abs=0.02)
    assert np.isnan(heights[2])


def test_tiles_above_and_below_say_little_however_near_a_flat_view_brings_them() -> None:
    flat = np.float32([[0, 0], [14, 0], [14, 10], [0, 10]])
    rows = [flat + np.float32([15 * k, 11 * line]) for line in range(3) for k in range(3)]
    known = np.array([True, True, True, False, False, False, True, True, True])
    odds = by_neighbours(np.stack(rows), known)
    assert 0 < odds[4] <= 2
    known[3] = True
    assert by_neighbours(np.stack(rows), known)[4] > 3


def test_round_digits_of_its_row_that_surely_seem_upright_give_a_little() -> None:
    rows = np.concatenate([row(3), row(3, down=40)])
    none = np.zeros(6, np.bool_)
    rather = np.array([True, False, True, False, False, False])
    assert by_neighbours(rows, none)[1] == 0
    assert by_neighbours(rows, none, rather)[1] == pytest.approx(2)
    over = rows.copy()
    over[1] = np.roll(over[1], 2, axis=0)
    assert by_neighbours(over, none, rather)[1] == pytest.approx(-2)
    assert by_neighbours(rows, none, rather)[4] == 0
    firm = np.array([True, False, False, False, False, False])
    assert by_neighbours(rows, firm, rather)[1] == pytest.approx(4)
