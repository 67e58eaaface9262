"""Where one set might end and the next begin otherwise than it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from watch_desk import Desk

from vision.watch.recut import recut
from vision.watch.types import LyingTable


def lying_at(lying: LyingTable, rows_xy_px: Sequence[tuple[float, float]]) -> LyingTable:
    """The same with each set shifted, and seen from so low that tiles are as wide as high."""
    shifts = {key: rows_xy_px[row] for row, one in enumerate(lying.sets) for key in one.keys}
    low = np.array([1.0, 0.69], np.float32)
    moved = [
        replace(tile, corners_xy_px=low * (tile.corners_xy_px + np.asarray(shifts[tile.key], np.float32)))
        for tile in lying.tiles
    ]
    return replace(lying, tiles=tuple(moved))


def test_a_set_right_above_another_is_not_taken_for_its_continuation() -> None:
    """bw02: K8 K9 K10, cut off a run, lay above the rest; middles were 1.36 widths apart, seen from low."""
    desk = Desk()
    before = desk.lying("K5 K6 K7 K8 K9 K10")
    after = lying_at(desk.lying("K8 K9 K10 | K5 K6 K7"), [(120.0, 0.0), (0.0, 0.0)])
    assert max(len(question.tiles) for question, _ in recut(before, after)) == 3


def test_sets_that_nearly_touch_end_to_end_may_be_one() -> None:
    desk = Desk()
    before = desk.lying("")
    after = desk.lying("R5 R6 R7 R8 R9 R10")
    (row,) = after.sets
    cut = replace(after, sets=(replace(row, keys=row.keys[:3]), replace(row, keys=row.keys[3:])))
    joined = [[str(tile) for tile in question.tiles] for question, _ in recut(before, cut)]
    assert ["R5", "R6", "R7", "R8", "R9", "R10"] in joined


@pytest.mark.parametrize(("widths", "asked"), [(1.42, True), (1.5, False)])
def test_a_tile_that_lies_crookedly_off_its_set_may_belong_to_it(widths: float, asked: bool) -> None:
    """bx03: seen from low, a child's three lay 0.42 of a width away; half a tile away is apart."""
    desk = Desk()
    after = lying_at(desk.lying("O3 R3 | B3"), [(0.0, 0.0), (60.0 + 50.0 * widths, -90.0)])
    joined = [[str(tile) for tile in question.tiles] for question, _ in recut(desk.lying(""), after)]
    assert (["O3", "R3", "B3"] in joined) is asked
