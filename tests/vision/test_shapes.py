"""Finds that do not read by the corners they were given, and read in another shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.tiles import Inventory
from vision import reader as room
from vision import reshaper
from vision.classify import NO_NUMERAL_CLASS, FaceReadings
from vision.readings import FoundTile, as_corners
from vision.rectify import Pyramid
from vision.settings import ReadSettings
from vision.shapes import less_sure_numbers, other_shapes, unlike_the_rest

Quads = NDArray[np.float32]
PICTURE = Pyramid(np.full((100, 400, 3), 200, np.uint8))


def quad(x: float, y: float = 0.0, width: float = 50.0, height: float = 70.0) -> Quads:
    return as_corners([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])


SKEWED = as_corners([[100, 10], [190, 0], [170, 80], [60, 60]])


def shapes_of(clear: Sequence[bool], corners: Sequence[Quads], found: Sequence[Quads]) -> tuple[Any, Any]:
    return other_shapes(np.stack(corners), np.array(clear), np.stack(found))


def test_an_unclear_find_may_lie_as_the_finder_saw_it_or_turned_or_like_the_clear_tile_nearest_to_it() -> None:
    beside, own = quad(30), quad(102, 4, 48, 66)
    of, shapes = shapes_of([True, False], [beside, SKEWED], [beside, own])
    assert of.tolist() == [1, 1, 1]
    assert shapes[0] == pytest.approx(own)
    assert shapes[1] == pytest.approx(np.roll(own, 1, axis=0))
    assert shapes[2] == pytest.approx(quad(101, 2))


@pytest.mark.parametrize(
    "found",
    [[quad(300)], [quad(30, 10), quad(300)]],
    ids=["the finder saw nothing there", "where the finder saw it lies a clear tile"],
)
def test_what_the_finder_did_not_see_apart_from_the_clear_tiles_has_no_other_shape(found: list[Quads]) -> None:
    of, shapes = shapes_of([True, False], [quad(30), quad(36, 12)], found)
    assert len(of) == 0
    assert shapes.shape == (0, 4, 2)


def test_no_shape_lies_over_other_tiles_where_their_numerals_would_read_as_its_own() -> None:
    above, below, between = quad(30, 0), quad(34, 74), quad(32, 38)
    of, shapes = shapes_of([True, True, False], [above, below, quad(44, 40)], [above, below, between])
    assert len(of) == 0
    assert shapes.shape == (0, 4, 2)


class Refiner:
    """Sets corners as it is told to."""

    def __init__(self, *refined: FoundTile) -> None:
        self._refined = refined

    def refine(self, pyramid: Pyramid, tiles: Sequence[FoundTile]) -> list[FoundTile]:
        return list(self._refined[: len(tiles)])


def reading(clear: Callable[[Quads], bool]) -> Callable[..., tuple[FaceReadings, Quads]]:
    """Reads a seven where a quad is clear, and no numeral elsewhere."""

    def read_faces(pyramid: Pyramid, corners: Quads, classifier: object, *, cuts: bool = True) -> Any:
        number = np.full((len(corners), 15), 1e-4)
        for row, one in zip(number, corners, strict=True):
            row[6 if clear(one) else NO_NUMERAL_CLASS] = 1.0
        even, turn = np.full((len(corners), 4), 0.0), np.full((len(corners), 4), 0.0)
        even[:, 0] = turn[:, 0] = 1.0
        return FaceReadings(number / number.sum(axis=1, keepdims=True), even, even, turn), corners

    return read_faces


def reader_with(refiner: Refiner) -> room.Reader:
    none: Any = None
    some: Any = refiner
    return room.Reader(none, some, none, none, ReadSettings(), Inventory())


@pytest.mark.parametrize("reads", [True, False])
def test_a_find_that_was_dragged_onto_the_tile_beside_it_counts_where_it_reads(
    reads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = FoundTile(quad(30), 0.8), FoundTile(quad(90), 0.5)
    dragged = replace(other, corners_xy_px=quad(32))
    for module in (room, reshaper):
        monkeypatch.setattr(module, "read_faces", reading(lambda at: reads and float(at[:, 0].min()) > 80))
    tiles = reader_with(Refiner(one, dragged)).refined(PICTURE, [one, other])
    assert [round(float(tile.corners_xy_px[0, 0])) for tile in tiles] == ([30, 90] if reads else [30])


@pytest.mark.parametrize("reads", [True, False])
def test_what_only_the_refiner_takes_for_a_back_is_a_face_where_it_reads(
    reads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = FoundTile(quad(30), 0.6)
    monkeypatch.setattr(room, "read_faces", reading(lambda at: reads))
    (tile,) = reader_with(Refiner(replace(found, face_down=True))).refined(PICTURE, [found])
    assert tile.face_down is not reads


def test_half_a_tile_in_a_row_is_unlike_the_rest_and_where_few_lie_nothing_is() -> None:
    row = [quad(60 * k) for k in range(6)]
    row[2] = quad(140, 0, 28)
    assert unlike_the_rest(np.stack(row)).tolist() == [False, False, True, False, False, False]
    assert not unlike_the_rest(np.stack(row[:3])).any()


def test_tiles_that_are_smaller_the_farther_they_lie_are_all_alike() -> None:
    far = np.array([[1.0, 0.2, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0015, 1.0]])
    flat = np.stack([quad(60 * (k % 4), 90 * (k // 4)) for k in range(12)])
    seen = np.concatenate([flat, np.ones((12, 4, 1))], axis=2) @ far.T
    assert not unlike_the_rest(np.asarray(seen[..., :2] / seen[..., 2:], np.float32)).any()


def test_a_number_that_no_other_shape_shows_is_a_doubt_and_one_that_any_shows_stays() -> None:
    number = np.zeros((2, 15))
    number[:, 2] = 1.0
    told = np.zeros((3, 15))
    told[[0, 1, 2], [12, 12, 2]] = 1.0
    held = less_sure_numbers(number, np.array([0, 0, 1]), told, np.array([False, False, True]))
    assert (held[0, 2], held[0, 12]) == pytest.approx((0.8, 0.2))
    assert held[1] == pytest.approx(number[1])
