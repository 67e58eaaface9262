"""What is found among tiles and has not their size, and what of a hidden tile looks like a back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee import Tile
from vision.readings import Corners, PhotoReading, SetReading, TileReading
from vision.watch.look import (
    Look,
    SeenFace,
    backs_beside,
    laid_bare_by,
    look_of,
    without_gaps,
    without_misfits,
)
from vision.watch.tracks import Tracker

SEVEN = Tile.parse("R7")


def quad(x: float, y: float, width: float = 30.0, height: float = 42.0) -> Corners:
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def look(*alone: Corners) -> Look:
    """Two rows of five tiles, and what lies alone."""
    rows = [quad(40 + 31 * at, 60 + 120 * row) for row in range(2) for at in range(5)]
    faces = tuple(SeenFace({SEVEN: 0.9}, home, home) for home in (*rows, *alone))
    sets = (
        (tuple(range(5)), False),
        (tuple(range(5, 10)), False),
        *(((at,), False) for at in range(10, 10 + len(alone))),
    )
    return Look(0.0, faces, sets, (), np.eye(3))


@pytest.mark.parametrize(
    ("found", "known", "stays"),
    [
        (quad(400, 60), [], True),
        (quad(400, 60, 12, 16), [], False),
        (quad(400, 60, 61, 42), [], False),
        (quad(400, 60, 61, 42), [quad(402, 60), quad(432, 60)], False),
        (quad(400, 60, 38, 52), [quad(402, 62, 36, 50)], True),
        (np.array([[414, 60], [444, 60], [430, 102], [400, 102]], np.float32), [], False),
    ],
    ids=[
        "a tile",
        "a mesh of the cloth",
        "two tiles as one",
        "the same where both are known",
        "a known one",
        "the handle of a mug",
    ],
)
def test_what_lies_alone_has_to_have_the_size_of_tiles(
    found: Corners, known: list[Corners], stays: bool
) -> None:
    left, never = without_misfits(look(found), known)
    assert len(left.faces) == 10 + stays
    assert len(left.sets) == 2 + stays
    assert not never


@pytest.mark.parametrize("aside_px", [0, 6])
def test_a_tile_whose_corner_a_mug_hides_keeps_the_place_where_it_lay(aside_px: int) -> None:
    """Its corners were found askew, so it had never fitted, and was gone from the next look on (11879)."""
    lay, found = quad(400, 60), np.array([[407, 60], [437, 60], [423, 102], [393, 102]], np.float32)
    found = found + np.float32([aside_px, 0])
    (tracker, last), seven = (Tracker(), len(look().faces)), []
    for shape in (lay, lay, found, found, found):
        left, never = without_misfits(look(shape), [track.home for track in tracker.lying()])
        seven = tracker.update(left, lambda homes: ["bare"] * len(homes))[last:]
        assert not never
    assert tracker.tracks[seven[0]].home.tolist() == lay.tolist()


def test_numbers_on_a_score_pad_are_no_tiles_however_many_they_are() -> None:
    """Its cells bent the plane that they were measured by, and were jokers for 20 s (ay02)."""
    cells = [quad(300 + 64 * (at % 2), 240 + 18 * at, 60, 17) for at in range(6)]
    assert len(without_misfits(look(*cells), [])[0].faces) == 10
    pad = look(*cells)
    joined = replace(pad, sets=(*pad.sets[:2], ((10, 11), False), ((12, 13), False), ((14, 15), False)))
    left, never = without_misfits(joined, cells[:2])
    assert len(left.sets) == 2, "nor where two are side by side, and were taken for tiles before"
    assert len(never) == 2


def test_far_from_the_rows_a_tile_may_be_of_another_size() -> None:
    """They hardly tell how the table is slanted across themselves."""
    rows = [quad(300 + 31 * at, 300) for at in range(8)]
    far = quad(300, 40, 26, 30)
    faces = tuple(SeenFace({SEVEN: 0.9}, home, home) for home in (*rows, far))
    one_row = Look(0.0, faces, ((tuple(range(8)), False), ((8,), False)), (), np.eye(3))
    assert len(without_misfits(one_row, [])[0].faces) == 9


@pytest.mark.parametrize(
    ("listed", "shape", "stays"),
    [
        (None, quad(40, 60, 300, 70), False),
        (None, quad(40, 60, 70, 300), False),
        ({SEVEN: 0.3}, quad(40, 60, 300, 70), False),
        ({SEVEN: 0.9}, quad(40, 60, 300, 70), True),
        (None, quad(40, 60, 36, 80), True),
    ],
    ids=["a rack", "a rack at the side", "one that hardly reads", "what reads clearly", "a tile from aslant"],
)
def test_on_an_empty_table_a_rack_is_no_tile(
    listed: dict[Tile, float] | None, shape: Corners, stays: bool
) -> None:
    empty = Look(0.0, (SeenFace(listed, shape, shape),), (((0,), False),), (), np.eye(3))
    assert len(without_misfits(empty, [])[0].faces) == stays


def test_what_a_mug_leaves_free_of_a_tile_is_no_back_of_the_pool() -> None:
    rim, pool = quad(412, 66), [quad(500 + 31 * at, 60) for at in range(4)]
    shown = replace(look(), backs=(rim, *pool))
    assert len(backs_beside(shown, [quad(400, 60), *(face.home for face in shown.faces)])) == 4
    assert len(backs_beside(shown, [face.home for face in shown.faces])) == 5
    assert len(backs_beside(shown, [])) == 5


def test_a_guess_at_what_rather_shows_no_numeral_is_no_reading_at_the_table() -> None:
    tiles = tuple(
        TileReading(SEVEN, 0.4, True, quad(40 + 31 * at, 60), no_numeral=none)
        for at, none in enumerate((0.2, 0.6))
    )
    reading = PhotoReading((400, 300), "table", tiles, (SetReading((0, 1)),))
    faces = look_of(reading, 0.0, np.eye(3)).faces
    assert [face.listed for face in faces] == [{SEVEN: 0.4}, None]


@pytest.mark.parametrize(
    ("right", "seen"), [(500, 3), (80, 3), (60, 3), (30, 0)], ids=["inside", "one beyond", "two", "outside"]
)
def test_a_set_across_the_borders_of_the_area_counts_whole(right: float, seen: int) -> None:
    tiles = tuple(TileReading(SEVEN, 0.9, False, quad(40 + 31 * at, 60)) for at in range(3))
    reading = PhotoReading((600, 300), "table", tiles, (SetReading((0, 1, 2)),))
    area = np.array([[0, 0], [right, 0], [right, 200], [0, 200]], np.float32)
    assert len(look_of(reading, 0.0, np.eye(3), area_home=area).faces) == seen


@pytest.mark.parametrize(("listed", "is_bare"), [({SEVEN: 0.93}, True), ({SEVEN: 0.995}, False), (None, True)])
def test_what_reads_for_certain_over_a_back_is_not_what_lay_under_it(
    listed: dict[Tile, float] | None, is_bare: bool
) -> None:
    """A joker was laid where a back had been pushed aside, and was none for the rest of the game (bp03)."""
    place = quad(400, 60)
    whole = Look(0.0, (SeenFace(listed, place, place),), (((0,), False),), (), np.eye(3))
    left = without_gaps(whole, [place])
    assert left.faces == ()
    assert len(laid_bare_by(whole, left)) == is_bare
