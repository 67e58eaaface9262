"""Finds that the refiner takes for no tile: which are heard, and which are believed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.readings import FoundTile, as_corners
from vision.refused import after_all, read_alike, worth_hearing


def _tile(x: float, width: float = 50.0, height: float = 70.0) -> FoundTile:
    return FoundTile(as_corners([[x, 0], [x + width, 0], [x + width, height], [x, height]]), 0.6)


def _refusing(found: FoundTile) -> FoundTile:
    return replace(found, refused=True)


TABLE = [_tile(0), _tile(60), _tile(120)]


@pytest.mark.parametrize(
    ("tile", "heard"),
    [
        (_tile(200), True),
        (_tile(200, 70, 50), True),  # lies across
        (_tile(200, 50, 110), False),  # a playing card
        (_tile(200, 30, 40), False),  # a button
        (_tile(65), False),  # a tile that is there already
    ],
)
def test_what_is_as_large_as_the_tiles_and_is_none_of_them_is_heard(tile: FoundTile, heard: bool) -> None:
    found, refined = [*TABLE, tile], [*TABLE, _refusing(tile)]
    assert worth_hearing(found, refined, TABLE) == ([(tile, refined[-1])] if heard else [])


def test_a_picture_without_any_tile_tells_no_size_and_nothing_is_heard() -> None:
    assert worth_hearing([_tile(0)], [_refusing(_tile(0))], []) == []


def test_a_find_as_large_as_one_of_two_tiles_is_heard() -> None:
    """The other is cut off and looks much smaller: the middling size of both is nobody's."""
    table, pair = [_tile(0), _tile(60, 26, 40)], (_tile(120), _refusing(_tile(120)))
    assert worth_hearing([pair[0]], [pair[1]], table) == [pair]


def test_a_find_is_heard_once() -> None:
    twice = [_tile(200), _tile(202)]
    heard = worth_hearing(twice, [_refusing(tile) for tile in twice], TABLE)
    assert len(heard) == 1


def test_two_looks_have_to_agree_clearly() -> None:
    ones = np.array([[0.95, 0.0], [0.95, 0.0], [0.95, 0.0]])
    others = np.array([[0.92, 0.0], [0.0, 0.97], [0.8, 0.1]])
    assert read_alike(ones, others, 0.9).tolist() == [True, False, False]


def test_what_has_a_body_and_reads_clearly_is_a_tile_where_it_was_refined() -> None:
    """Unlike what only reads alike, which is one where it was found."""
    found = [_tile(200), _tile(300), _tile(400)]
    refined = [_refusing(_tile(tile.corners_xy_px[0, 0] + 3)) for tile in found]
    pairs = list(zip(found, refined, strict=True))
    ones, others = np.array([[0.0, 0.2], [0.95, 0.0], [0.0, 0.2]]), np.array([[0.97, 0.0]] * 3)
    none = np.array([0.1, 0.6, 0.6])
    tiles = after_all(pairs, TABLE, ones, others, none)
    assert [float(tile.corners_xy_px[0, 0]) for tile in tiles] == [203, 300]
    assert not any(tile.refused for tile in tiles)


def test_no_body_lies_over_another_tile() -> None:
    pair = (_tile(95), _refusing(_tile(95)))
    reads = np.array([[0.0, 0.99]])
    assert not after_all([pair], TABLE, reads * 0.5, reads, np.array([0.05]))
    assert after_all([pair], TABLE[:1], reads * 0.5, reads, np.array([0.05]))


def test_far_tiles_are_heard_at_the_size_that_is_due_there() -> None:
    """Rows of a table seen from low: each is 0.8 times as large as the one before it."""
    rows = [
        _tile(60 * size * k, 50 * size, 70 * size).corners_xy_px + np.float32([0, y])
        for size, y in ((1.0, 400), (0.8, 300), (0.6, 200))
        for k in range(4)
    ]
    table = [FoundTile(as_corners(quad), 0.9) for quad in rows]
    far = FoundTile(as_corners(_tile(0, 20, 28).corners_xy_px + np.float32([300, 100])), 0.15)
    near = FoundTile(as_corners(far.corners_xy_px + np.float32([0, 300])), 0.15)
    for find, heard in ((far, True), (near, False)):
        refined = [*table, _refusing(find)]
        assert bool(worth_hearing([*table, find], refined, table)) == heard
