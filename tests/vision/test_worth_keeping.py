"""Which finds are tiles: what reads clearly or is surely found, and what lies edge to edge with such a tile."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from referee.tiles import Inventory
from vision.classify import NO_NUMERAL_CLASS, FaceReadings
from vision.reader import Reader
from vision.readings import FoundTile
from vision.settings import ReadSettings

_NONE = cast(Any, None)
_READER = Reader(_NONE, _NONE, _NONE, _NONE, ReadSettings(), Inventory())


def _kept(*finds: tuple[float, float, float, float]) -> list[bool]:
    """Each find: where it begins, its score, how clearly its number reads, how surely it has no face."""
    number = np.zeros((len(finds), 15))
    corners = np.zeros((len(finds), 4, 2), np.float32)
    for row, (x, _, clear, blank) in enumerate(finds):
        number[row, :5] = (1 - blank) * (1 - clear) / 4
        number[row, 0] = (1 - blank) * clear
        number[row, NO_NUMERAL_CLASS] = blank
        corners[row] = np.array([[x, 0], [x + 40, 0], [x + 40, 56], [x, 56]])
    colour = np.tile([1.0, 0.0, 0.0, 0.0], (len(finds), 1))
    faces = [FoundTile(quad, find[1], False) for quad, find in zip(corners, finds, strict=True)]
    readings = FaceReadings(number, colour, colour, colour)
    return [bool(one) for one in _READER._worth_keeping(faces, readings, corners, [])]


def test_a_weak_find_that_reads_half_clearly_counts_beside_a_tile() -> None:
    sure, weak = (0.0, 0.9, 0.99, 0.0), (40.0, 0.3, 0.65, 0.02)
    assert _kept(sure, weak) == [True, True]
    assert _kept((400.0, 0.9, 0.99, 0.0), weak) == [True, False]


def test_what_is_hardly_readable_or_may_have_no_face_does_not() -> None:
    sure = (0.0, 0.9, 0.99, 0.0)
    assert _kept(sure, (40.0, 0.3, 0.4, 0.02)) == [True, False]
    assert _kept(sure, (40.0, 0.3, 0.75, 0.2)) == [True, False]


def test_what_reads_clearly_is_a_tile_wherever_it_lies() -> None:
    assert _kept((0.0, 0.3, 0.95, 0.01), (400.0, 0.9, 0.3, 0.01)) == [True, True]


def test_a_gap_between_two_rows_that_looks_like_a_narrow_tile_has_no_room_for_one() -> None:
    """Wood between B11 and O8, 25 pixels wide beside tiles of 38: "??" that was taken later (bh01)."""
    left, gap = (0.0, 0.9, 0.99, 0.0), (33.0, 0.65, 0.3, 0.5)
    assert _kept(left, gap, (66.0, 0.9, 0.99, 0.0)) == [True, False, True]
    assert _kept(left, gap, (82.0, 0.9, 0.99, 0.0)) == [True, True, True], "it may be a tile that none can read"
    assert _kept(left, (33.0, 0.65, 0.99, 0.0), (66.0, 0.9, 0.99, 0.0)) == [True, True, True], "it reads"
