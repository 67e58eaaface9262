"""Tables seen at a flat angle: which pictures are stretched, by how much, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.tiles import Tile
from vision.flat_views import Stretch, reads_more, stretched, taken_back, worth_stretching
from vision.picture import picture_from_array
from vision.readings import PhotoReading, TileReading

SIZE = (800, 600)


def quad(x: float, y: float, high: float, turn: float = 0.0, wide: float = 1.0) -> NDArray[np.float32]:
    """A tile of 40 x 57 pixels, turned, on a table seen ``high`` and ``wide`` times as high and wide."""
    local = np.array([[-20, -28.4], [20, -28.4], [20, 28.4], [-20, 28.4]])
    c, s = np.cos(turn), np.sin(turn)
    return (local @ np.array([[c, s], [-s, c]]) * [wide, high] + [x, y]).astype(np.float32)


def reading(quads: Sequence[NDArray[np.float32]], doubts: int) -> PhotoReading:
    tiles = tuple(TileReading(Tile.parse("R5"), 0.99, k < doubts, q) for k, q in enumerate(quads))
    return PhotoReading(SIZE, "table", tiles, ms={"find": 1.0})


def row(high: float, turns: Sequence[float] = (0.0,), wide: float = 1.0) -> list[NDArray[np.float32]]:
    return [quad(100 + 60 * k, 300, high, turns[k % len(turns)], wide) for k in range(8)]


@pytest.mark.parametrize(
    "turns", [(0.0,), (0.0, np.pi / 2), (0.3, -0.4, 1.9)], ids=["a row", "two ways", "about"]
)
def test_a_flat_view_is_stretched_along_the_side_that_looks_short(turns: Sequence[float]) -> None:
    told = worth_stretching(reading(row(0.7, turns), 1))
    assert told is not None
    # 1.35 times more than it looks flat.
    assert (told.wide, told.high) == (1.0, pytest.approx(1.35 / 0.7, abs=0.02))
    sideways = worth_stretching(reading(row(1.0, turns, wide=0.7), 1))
    assert sideways is not None
    assert (sideways.high, sideways.wide) == (1.0, pytest.approx(1.35 / 0.7, abs=0.02))


def test_however_flat_it_is_stretched_no_more_than_that() -> None:
    assert worth_stretching(reading(row(0.3), 1)) == Stretch(1.0, 2.2)


@pytest.mark.parametrize(
    ("high", "doubts", "tiles"),
    [(1.0, 2, 8), (0.6, 0, 8), (0.6, 6, 8), (0.6, 0, 0)],
    ids=["from above", "nothing in doubt", "too little is sure", "nothing read"],
)
def test_what_is_left_as_it_is(high: float, doubts: int, tiles: int) -> None:
    assert worth_stretching(reading(row(high)[:tiles], doubts)) is None


def test_it_is_taken_where_plainly_more_is_sure() -> None:
    plain = reading(row(0.6), 4)
    assert not reads_more(reading(row(0.6), 3), plain)
    assert reads_more(reading(row(0.6), 2), plain)


def test_what_gainsays_a_sure_tile_is_no_more_of_it() -> None:
    plain = reading(row(0.6), 4)
    halves = [TileReading(Tile.parse("B1"), 0.99, False, quad(x, 300, 0.6, wide=0.5)) for x in (330, 350)]
    flat = reading(row(0.6), 0)
    told_otherwise = replace(flat, tiles=(*flat.tiles[:4], *halves, flat.tiles[5]))
    assert len(told_otherwise.tiles) == plain.sure_tiles + 3
    assert not reads_more(told_otherwise, plain)
    where_nothing_was_sure = replace(flat, tiles=(*flat.tiles[4:], *halves))
    assert reads_more(replace(flat, tiles=(*flat.tiles[4:], *flat.tiles[:2])), plain)
    assert not reads_more(where_nothing_was_sure, plain)


@given(st.floats(1, 2.2), st.booleans())
def test_corners_come_back_to_where_they_are_in_the_picture(by: float, sideways: bool) -> None:
    stretch = Stretch(by, 1.0) if sideways else Stretch(1.0, by)
    image = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    wider = stretched(picture_from_array(image, "x"), stretch).image_bgr
    plain = reading(row(0.6), 1)
    scale = np.array([wider.shape[1], wider.shape[0]], np.float32) / np.array(SIZE, np.float32)
    moved = [((q + 0.5) * scale - 0.5).astype(np.float32) for q in row(0.6)]
    flat = PhotoReading(
        (wider.shape[1], wider.shape[0]), "table", reading(moved[:6], 0).tiles,
        face_down_xy_px=(moved[6],), unreadable=(moved[7],), maybe_down_xy_px=(moved[0],),
    )  # fmt: skip
    back = taken_back(flat, plain)
    assert back.size_wh == SIZE
    shown = [tile.corners_xy_px for tile in back.tiles]
    for got, want in zip([*shown, *back.face_down_xy_px, *back.unreadable], row(0.6), strict=True):
        assert got == pytest.approx(want, abs=0.01)
    assert back.maybe_down_xy_px[0] == pytest.approx(row(0.6)[0], abs=0.01)


def test_a_phones_largest_picture_grows_no_larger() -> None:
    image = np.zeros((3000, 8000, 3), np.uint8)
    wider = stretched(picture_from_array(image, "x"), Stretch(1.0, 2.0)).image_bgr
    height, width = wider.shape[:2]
    assert height * width == pytest.approx(16e6, rel=0.01)
    assert height / width == pytest.approx(2 * 3000 / 8000, rel=0.01)
