"""Two tiles found as one."""

from __future__ import annotations

import numpy as np
import pytest

from vision.doubles import rather_two, with_halves
from vision.readings import FoundTile


def tile(x: float, y: float, width: float = 30.0, height: float = 42.0, *, back: bool = False) -> FoundTile:
    quad = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)
    return FoundTile(quad, 0.8, back)


ROW = [tile(100 + 31 * at, 50) for at in range(5)]


@pytest.mark.parametrize(
    ("wide", "middles"),
    [
        (tile(300, 52, 61, 42), [(315.25, 73), (345.75, 73)]),
        (tile(300, 52, 30, 85), [(315, 73.25), (315, 115.75)]),
        (tile(300, 52), []),
        (tile(300, 52, 36, 50), []),
        (tile(300, 52, 120, 21), []),
        (tile(300, 52, 61, 42, back=True), []),
    ],
    ids=["beside", "above", "one tile", "a nearer tile", "of another shape", "a back"],
)
def test_what_is_as_large_as_two_tiles_is_offered_as_two(
    wide: FoundTile, middles: list[tuple[float, float]]
) -> None:
    faces, backs = ([*ROW], [wide]) if wide.face_down else ([*ROW, wide], [])
    found, doubles = with_halves(faces, backs)
    assert found[: len(faces)] == faces
    assert [half.corners_xy_px.mean(axis=0).tolist() for half in found[len(faces) :]] == [
        pytest.approx(middle) for middle in middles
    ]
    assert doubles == ([(5, [6, 7])] if middles else [])


def test_a_half_that_was_found_besides_is_left_out() -> None:
    found, doubles = with_halves([*ROW, tile(300, 52, 61, 42), tile(333, 53)], [])
    assert doubles == [(5, [7])]
    assert found[7].corners_xy_px.mean(axis=0).tolist() == pytest.approx([315.25, 73])


def test_two_finds_alone_tell_no_size() -> None:
    assert with_halves([tile(0, 0), tile(100, 0, 61, 42)], [])[1] == []


@pytest.mark.parametrize(
    ("whole", "halves", "two"),
    [(0.7, [0.99, 0.99], True), (0.97, [0.99, 0.99], False), (0.7, [0.99, 0.4], False), (0.85, [0.9], True)],
)
def test_two_tiles_are_told_from_one_by_what_they_read(whole: float, halves: list[float], two: bool) -> None:
    assert rather_two(whole, halves, 0.8) is two
