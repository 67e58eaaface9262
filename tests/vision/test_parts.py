"""A part of a tile found as a tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.parts import made_whole
from vision.readings import FoundTile

ONE, TWO, TWELVE = 0, 1, 11


def tile(x: float, y: float, width: float = 30.0, height: float = 42.0, *, back: bool = False) -> FoundTile:
    quad = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)
    return FoundTile(quad, 0.8, back)


ROW = [tile(100 + 40 * at, 50) for at in range(5)]
HALF = tile(315, 50, 15, 42)
"""The right half of a 12 that lies from 300 to 330."""


def _settled(
    finds: list[FoundTile], part: tuple[int, float], whole: tuple[int, float], *, snaps: bool = True
) -> FoundTile:
    """What becomes of the last find, where quads grown to the left lie on a tile, and others on none."""

    def refine(tiles: Sequence[FoundTile]) -> list[FoundTile]:
        good = [snaps and abs(float(t.corners_xy_px[:, 0].min()) - 300) < 2 for t in tiles]
        return [replace(t, refused=not lies) for t, lies in zip(tiles, good, strict=True)]

    def numbers(tiles: Sequence[FoundTile]) -> NDArray[np.float64]:
        read = np.full((len(tiles), 14), 1e-4)
        for row, t in zip(read, tiles, strict=True):
            number, probability = part if np.ptp(t.corners_xy_px[:, 0]) < 20 else whole
            row[number] = probability
        return read

    return made_whole(finds, refine, numbers)[-1]


@pytest.mark.parametrize(
    ("part", "whole", "grows"),
    [
        ((TWO, 0.997), (TWELVE, 0.99), False),
        ((TWO, 0.6), (TWELVE, 0.96), True),
        ((TWO, 0.6), (TWELVE, 0.9), False),
        ((TWO, 0.6), (TWO, 0.97), True),
        ((TWO, 0.97), (TWO, 0.99), False),
    ],
    ids=["small print tells too little", "a clear whole", "a vague one", "clearer", "clear and the same"],
)
def test_a_small_find_is_the_larger_tile_that_reads_clearly(
    part: tuple[int, float], whole: tuple[int, float], grows: bool
) -> None:
    left = float(_settled([*ROW, HALF], part, whole).corners_xy_px[:, 0].min())
    assert left == pytest.approx(300 if grows else 315, abs=1)


@pytest.mark.parametrize(("probability", "grows"), [(0.99, True), (0.96, False)])
def test_the_half_of_a_twelve_that_reads_a_clear_two_is_a_clearer_twelve(
    probability: float, grows: bool
) -> None:
    large = [replace(t, corners_xy_px=t.corners_xy_px * 2) for t in (*ROW, HALF)]

    def refine(tiles: Sequence[FoundTile]) -> list[FoundTile]:
        return [replace(t, refused=abs(float(t.corners_xy_px[:, 0].min()) - 600) > 4) for t in tiles]

    def numbers(tiles: Sequence[FoundTile]) -> NDArray[np.float64]:
        read = np.full((len(tiles), 14), 1e-4)
        for row, t in zip(read, tiles, strict=True):
            half = np.ptp(t.corners_xy_px[:, 0]) < 40
            row[TWO if half else TWELVE] = 0.997 if half else probability
        return read

    left = float(made_whole(large, refine, numbers)[-1].corners_xy_px[:, 0].min())
    assert left == pytest.approx(600 if grows else 630, abs=2)


def test_what_was_found_besides_is_nobodys_whole() -> None:
    found = [*ROW, tile(300, 50, 29, 42), HALF]
    assert _settled(found, (ONE, 0.3), (TWELVE, 1.0)) is found[-1]


@pytest.mark.parametrize("snaps", [True, False])
def test_where_no_tile_is_nothing_grows(snaps: bool) -> None:
    grown = _settled([*ROW, HALF], (TWO, 0.3), (TWELVE, 1.0), snaps=snaps)
    assert (float(np.ptp(grown.corners_xy_px[:, 0])) > 25) is snaps


def test_faces_of_one_size_and_few_finds_and_backs_are_left_alone() -> None:
    def never(tiles: Sequence[FoundTile]) -> list[FoundTile]:
        assert not tiles
        return []

    def unread(tiles: Sequence[FoundTile]) -> NDArray[np.float64]:
        raise AssertionError("nothing is to be read")

    for finds in (ROW, [*ROW[:2], HALF], [*ROW, replace(HALF, face_down=True)]):
        assert made_whole(finds, never, unread) == finds
