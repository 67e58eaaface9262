"""Finds that the refiner takes for no tile: which are heard, and which are believed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.readings import FoundTile, as_corners
from vision.refused import read_alike, worth_hearing


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


def test_a_find_is_heard_once() -> None:
    twice = [_tile(200), _tile(202)]
    heard = worth_hearing(twice, [_refusing(tile) for tile in twice], TABLE)
    assert len(heard) == 1


def test_two_looks_have_to_agree_clearly() -> None:
    ones = np.array([[0.95, 0.0], [0.95, 0.0], [0.95, 0.0]])
    others = np.array([[0.92, 0.0], [0.0, 0.97], [0.8, 0.1]])
    assert read_alike(ones, others, 0.9).tolist() == [True, False, False]
