"""How large tiles are anywhere, by those that were found: rows too far off for a look, and parts of tiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.far_rows import far_rows
from vision.tile_sizes import TileSizes, parts_of_tiles

SIZE = (1200, 900)


def projected(x: float, y: float, low: float) -> NDArray[np.float32]:
    """A tile of 1 x 1.4 at (x, y) on a table, as a camera sees it that looks ``low``: 0 from above."""
    flat = np.array([[-0.5, -0.7], [0.5, -0.7], [0.5, 0.7], [-0.5, 0.7]]) + np.array([x, y])
    depth = 1 - low * flat[:, 1] / 10
    seen = flat * [60, 60 * (1 - 0.5 * low)] / depth[:, None]
    return (seen + np.array([SIZE[0] / 2, SIZE[1] * 0.4])).astype(np.float32)


def table(low: float, rows: tuple[float, ...] = (4.0, 1.0, -3.0)) -> list[NDArray[np.float32]]:
    return [projected(x, y, low) for y in rows for x in np.arange(-4.0, 5.0, 2.0)]


@given(st.floats(0, 0.9), st.floats(-4, 4), st.floats(-12, 4))
def test_the_size_that_is_due_is_that_of_a_tile_there(low: float, x: float, y: float) -> None:
    """Derivation: an area goes with the third power of the distance's inverse, which is even in the picture."""
    sizes = TileSizes.of(table(low))
    assert sizes is not None
    quad = projected(x, y, low)
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    area = float(np.abs(np.cross(np.append(across, 0), np.append(down, 0))[2]))
    assert sizes.sides_at(quad.mean(axis=0)[None])[0] == pytest.approx(np.sqrt(area), rel=0.12)


def test_few_tiles_tell_nothing_and_nothing_lies_beyond_the_horizon() -> None:
    assert TileSizes.of(table(0.5)[:4]) is None
    sizes = TileSizes.of(table(0.8))
    assert sizes is not None
    assert sizes.sides_at(np.array([[600.0, -3000.0]])) == pytest.approx([0.0])


def test_a_table_from_above_has_no_far_rows_and_one_from_low_has() -> None:
    assert far_rows(table(0.0), SIZE, 0.53) is None
    far = far_rows(table(0.8), SIZE, 0.53)
    assert far is not None
    x0, y0, x1, y1 = far.window
    assert 0 <= x0 < x1 <= SIZE[0]
    assert 0 <= y0 < y1 < 0.6 * SIZE[1]
    assert far.scale > 1
    middles = np.stack([projected(0, y, 0.8).mean(axis=0) for y in (-9.0, 4.0)])
    assert far.hold(middles).tolist() == [True, False]
    assert far_rows(table(0.8), SIZE, 2.0) is None, "a look that is near enough already"


def test_the_half_of_a_tile_with_its_numeral_is_a_part_of_it() -> None:
    tiles = table(0.3)
    whole = tiles[3]
    half = np.stack([whole[0], whole[1], (whole[1] + whole[2]) / 2, (whole[0] + whole[3]) / 2])
    assert np.flatnonzero(parts_of_tiles(np.stack([*tiles, half]))).tolist() == [len(tiles)]


def test_two_tiles_that_were_found_as_one_do_not_swallow_either() -> None:
    tiles = [projected(x, y, 0.3) for y in (4.0, 1.0, -3.0) for x in np.arange(-4.0, 5.0)]
    both = np.stack([tiles[2][0], tiles[3][1], tiles[3][2], tiles[2][3]])
    assert not parts_of_tiles(np.stack([*tiles, both])).any()
    assert not parts_of_tiles(np.zeros((0, 4, 2), np.float32)).any()


def test_a_single_row_does_not_tell_how_tiles_change_across_it() -> None:
    """Else its tiles' small unevenness would lead anywhere."""
    rng = np.random.default_rng(3)
    row = [projected(x, 0.0, 0.0) + rng.normal(0, 0.5, (4, 2)).astype(np.float32) for x in range(-4, 5)]
    sizes = TileSizes.of(row)
    assert sizes is not None
    here, far = sizes.sides_at(np.array([[600.0, 360.0], [600.0, 0.0]]))
    assert far == pytest.approx(here, rel=0.25)
