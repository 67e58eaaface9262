"""Tiles that the finder passed over, and such as the picture's border cuts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cut_off import cut_off
from vision.readings import Corners, FoundTile
from vision.rectify import Pyramid
from vision.unfound import between, passed_over

WIDTH, HEIGHT = 40.0, 56.0
PICTURE_WH = (640, 480)
BODY, TABLE = (200, 215, 220), (90, 60, 40)
FIVE, SEVEN = 4, 6


def _quad(x: float, y: float, width: float = WIDTH, height: float = HEIGHT) -> Corners:
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def _picture(*tiles: Corners) -> Pyramid:
    shown = np.full((PICTURE_WH[1], PICTURE_WH[0], 3), TABLE, np.uint8)
    for tile in tiles:
        cv2.fillConvexPoly(shown, tile.astype(np.int32), BODY)
    return Pyramid(shown)


ROW = [_quad(200, 200), _quad(241, 200), _quad(282, 200)]
LAST = _quad(323, 200)


class Seen:
    """What there is to read: a five wherever a quad lies on the tile that was passed over."""

    def __init__(
        self, at: Corners, probability: float, *, refused: bool = False, aside_px: float = 0.0
    ) -> None:
        self._at, self._probability = at, probability
        self._refused, self._aside_px = refused, aside_px
        self.asked = 0

    def refine(self, tiles: Sequence[FoundTile]) -> list[FoundTile]:
        moved = (self._at + np.array([self._aside_px, 0])).astype(np.float32)
        return [replace(t, corners_xy_px=moved, refused=self._refused) for t in tiles]

    def read(self, quads: NDArray[np.float32]) -> NDArray[np.float64]:
        self.asked += len(quads)
        told = np.full((len(quads), 14), 1e-4)
        near = np.linalg.norm(quads.mean(axis=1) - self._at.mean(axis=0), axis=1) < 12
        told[near, FIVE] = self._probability
        return told


def _more(seen: Seen, *shown: Corners, finds: Sequence[FoundTile] = ()) -> NDArray[np.float32]:
    clear = np.full(len(ROW), 0.99)
    return passed_over(_picture(*ROW, *shown), np.stack(ROW), clear, finds, seen.refine, seen.read)


def test_a_tile_at_the_end_of_a_row_that_nobody_found_is_one() -> None:
    assert _more(Seen(LAST, 0.99), LAST) == pytest.approx(LAST[None])


def test_so_is_one_beside_a_tile_that_its_numeral_fills() -> None:
    """A joker at the end of 8 8 J was passed over: of the bold 8 too little was body."""
    picture = _picture(*ROW, LAST)
    cv2.fillConvexPoly(picture.level(0), ROW[2].astype(np.int32), (40, 40, 40))
    seen = Seen(LAST, 0.99)
    more = passed_over(picture, np.stack(ROW), np.full(len(ROW), 0.99), (), seen.refine, seen.read)
    assert more == pytest.approx(LAST[None])


def test_the_bare_table_beside_a_row_is_not_even_read() -> None:
    seen = Seen(LAST, 0.99)
    assert not len(_more(seen))
    assert seen.asked == 0


@pytest.mark.parametrize(
    "seen",
    [Seen(LAST, 0.9), Seen(LAST, 0.99, refused=True), Seen(LAST, 0.99, aside_px=-20)],
    ids=["reads vaguely", "the refiner takes it for none", "it lies over the row's last tile"],
)
def test_what_looks_like_a_tile_beside_a_row_may_be_none(seen: Seen) -> None:
    assert not len(_more(seen, LAST))


def test_a_find_that_lost_its_place_to_one_that_was_none_is_a_tile_all_the_same() -> None:
    apart = _quad(420, 330)
    assert _more(Seen(apart, 0.99), apart, finds=[FoundTile(apart, 0.4)]) == pytest.approx(apart[None])


def test_a_find_that_is_among_the_tiles_is_not_added_again() -> None:
    assert not len(_more(Seen(ROW[0], 0.99), finds=[FoundTile(ROW[0] + 3, 0.4)]))


@pytest.mark.parametrize("find", [ROW[1], ROW[1] + np.float32(9)], ids=["in its place", "a little aside"])
def test_what_was_found_between_two_tiles_of_a_row_is_one_whatever_it_reads(find: Corners) -> None:
    twice = [FoundTile(find, 0.4), FoundTile(find + 2, 0.2)]
    assert between(_picture(*ROW), np.stack([ROW[0], ROW[2]]), twice) == pytest.approx(ROW[1][None], abs=1)


@pytest.mark.parametrize(
    ("others", "shown"),
    [([ROW[0]], ROW), ([ROW[0], ROW[2]], [ROW[0], ROW[2]]), ([ROW[0], LAST], [*ROW, LAST])],
    ids=["at the end of a row", "over the bare table", "in a gap too wide for one"],
)
def test_a_find_elsewhere_is_no_tile_of_the_row(others: list[Corners], shown: list[Corners]) -> None:
    assert not len(between(_picture(*shown), np.stack(others), [FoundTile(ROW[1], 0.4)]))


def _cut(
    find: Corners, told: Sequence[tuple[int, float]], known: Sequence[Corners] = ROW
) -> NDArray[np.float32]:
    """What becomes of a find that reads so in the places of its first way to lie, and as nothing in others."""
    answers = [list(told), [(SEVEN, 0.01)] * 9]

    def read(quads: NDArray[np.float32]) -> NDArray[np.float64]:
        read_as = np.full((len(quads), 14), 1e-4)
        for row, (tile, probability) in zip(read_as, answers.pop(0), strict=True):
            row[tile] = probability
        return read_as

    return cut_off([FoundTile(find, 0.3)], np.stack(known), PICTURE_WH, read)


HALF = _quad(300, 450, 38, 40)
"""The upper half of a tile at the lower border."""


@pytest.mark.parametrize(
    ("told", "is_tile"),
    [
        ([(FIVE, 0.95)] * 9, True),
        ([(FIVE, 0.95)] * 6 + [(SEVEN, 0.95)] * 3, True),
        ([(FIVE, 0.95)] * 5 + [(SEVEN, 0.95)] * 4, False),
        ([(FIVE, 0.8)] * 9, False),
    ],
    ids=["everywhere alike", "nearly everywhere", "here so and there so", "vaguely"],
)
def test_what_the_border_cuts_is_a_tile_where_it_reads_alike_wherever_it_may_lie(
    told: list[tuple[int, float]], is_tile: bool
) -> None:
    found = _cut(HALF, told)
    assert len(found) == is_tile
    for quad in found:
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        assert sides == pytest.approx([WIDTH, HEIGHT, WIDTH, HEIGHT], abs=0.1)


@pytest.mark.parametrize(
    ("find", "known"),
    [(_quad(300, 300, 38, 40), ROW), (_quad(300, 400, 120, 100), ROW), (HALF, ROW[:2])],
    ids=["in mid-picture", "far larger than a tile", "two tiles tell no size"],
)
def test_only_what_the_border_may_cut_is_asked(find: Corners, known: list[Corners]) -> None:
    assert not len(_cut(find, [(FIVE, 0.95)] * 9, known))


@pytest.mark.parametrize(
    ("ground", "tiles", "as_tile"),
    [
        # A tile's width of carpet, and of a pale cloth, was an unreadable tile.
        ((71, 82, 89), (76, 96, 107), (74, 93, 103)),
        ((134, 164, 184), (146, 172, 186), (141, 168, 184)),
    ],
    ids=["dark", "pale"],
)
def test_the_ground_between_two_sets_is_no_tile_though_it_is_nearly_as_dark(
    ground: tuple[int, ...], tiles: tuple[int, ...], as_tile: tuple[int, ...]
) -> None:
    shown = np.full((PICTURE_WH[1], PICTURE_WH[0], 3), ground, np.uint8)
    for tile in (ROW[0], ROW[2]):
        cv2.fillConvexPoly(shown, tile.astype(np.int32), tiles)
    ends = np.stack([ROW[0], ROW[2]])
    assert not len(between(Pyramid(shown), ends, [FoundTile(ROW[1], 0.4)]))
    cv2.fillConvexPoly(shown, ROW[1].astype(np.int32), as_tile)
    assert len(between(Pyramid(shown), ends, [FoundTile(ROW[1], 0.4)])) == 1
