"""A rack whose faces the camera sees is no set of the table, however long its owner plays from it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee import Tile
from vision.readings import Corners
from vision.watch.look import Look, SeenFace
from vision.watch.open_racks import OpenRacks

SIZE = (1280, 720)
HELD = "R3 B11 O6 B8 K1 R7 K9 B13"


def quad(x: float, y: float) -> Corners:
    return np.array([[x, y], [x + 30, y], [x + 30, y + 42], [x, y + 42]], np.float32)


def look(*rows: tuple[str, float, float]) -> Look:
    """Rows of tiles, each with where its first one lies."""
    faces: list[SeenFace] = []
    sets = []
    for tiles, x, y in rows:
        names = [Tile.parse(name) for name in tiles.split()]
        sets.append((tuple(range(len(faces), len(faces) + len(names))), False))
        for at, tile in enumerate(names):
            faces.append(SeenFace({tile: 0.98}, quad(x + 32 * at, y), quad(x + 32 * at, y)))
    return Look(0.0, tuple(faces), tuple(sets), (), np.eye(3))


def shown(seen: Look) -> list[str]:
    return [
        " ".join(str(next(iter(seen.faces[at].listed or {}))) for at in members) for members, _ in seen.sets
    ]


def test_what_stands_on_a_rack_is_left_out_and_told_where_it_is() -> None:
    left, standing = OpenRacks().without(look((HELD, 500, 670), ("R4 R5 R6", 300, 300)), SIZE)
    assert shown(left) == ["R4 R5 R6"]
    assert len(standing) == 8


def test_a_rack_stays_one_while_tiles_come_and_go_and_the_game_goes_on() -> None:
    racks = OpenRacks()
    racks.without(look((HELD, 500, 670)), SIZE)
    racks.turn_over()
    left, _ = racks.without(
        look(("R3 B11", 500, 670), ("O6 K9 B13 R1", 660, 670), ("B8 K8 R8", 300, 300)), SIZE
    )
    assert shown(left) == ["B8 K8 R8"]
    # One drawn at its end, and one at the end of that.
    left, _ = racks.without(look((HELD + " R2 R10", 500, 670)), SIZE)
    assert shown(left) == []


def test_rows_of_a_rack_that_gaps_break_apart_are_one_rack() -> None:
    left, _ = OpenRacks().without(look((HELD, 300, 670), ("R9 B9 K9", 620, 670)), SIZE)
    assert shown(left) == []


def test_sets_are_cut_anew_without_the_tiles_that_stand() -> None:
    """A reader that takes what stands for lying sees another plane, and cuts sets that touch."""
    left, _ = OpenRacks().without(look((HELD, 500, 670), ("R4", 300, 300), ("R5 R6", 332, 300)), SIZE)
    assert shown(left) == ["R4 R5 R6"]


def test_a_set_that_is_laid_next_to_a_rack_is_one() -> None:
    racks = OpenRacks()
    racks.without(look((HELD, 300, 670)), SIZE)
    racks.turn_over()
    rows = (HELD, 300, 670), ("B8 R8 K8", 600, 660), ("R1", 570, 670)
    assert shown(racks.without(look(*rows), SIZE)[0]) == ["B8 R8 K8"]


def test_a_set_that_is_laid_next_to_a_rack_tile_by_tile_is_one() -> None:
    racks = OpenRacks()
    racks.without(look((HELD, 300, 670)), SIZE)
    racks.turn_over()
    racks.without(look((HELD, 300, 670), ("R1", 600, 670)), SIZE)
    left, _ = racks.without(look((HELD, 300, 670), ("R1 R2 R3", 600, 670)), SIZE)
    assert shown(left) == ["R1 R2 R3"]


def test_what_stands_at_a_racks_end_and_is_no_set_is_its_own() -> None:
    racks = OpenRacks()
    racks.without(look((HELD, 300, 670)), SIZE)
    racks.turn_over()
    assert shown(racks.without(look((HELD, 300, 670), ("R3 R7 R9", 570, 670)), SIZE)[0]) == []


def test_at_the_rim_a_row_that_gaps_break_into_parts_that_are_no_sets_is_a_rack() -> None:
    parts = ("O8 K5", 287, 670), ("K4 B8", 400, 668), ("K8 K3 K6 R8", 510, 666)
    racks = OpenRacks()
    assert shown(racks.without(look(*parts, ("R4 R5 R6", 300, 300)), SIZE)[0]) == ["R4 R5 R6"]
    racks.turn_over()
    # One of them alone, later, and the lower step between it and the border.
    assert shown(racks.without(look(("K5", 319, 670), ("B10 R2", 420, 705)), SIZE)[0]) == []


def test_sets_and_begun_ones_in_a_line_at_the_rim_are_no_rack() -> None:
    rows = ("R4 R5", 300, 670), ("K9 B9 O9", 400, 670), ("B1", 540, 670), ("K1 K2 K3", 600, 670)
    assert shown(OpenRacks().without(look(*rows), SIZE)[0]) == [row[0] for row in rows]


def test_a_rack_that_the_reader_saw_to_be_one_stays_one() -> None:
    """Two rows with gaps, the upper one not near the border."""
    racks = OpenRacks()
    rows = ("R1 R2 R4", 500, 670), ("B5 B9", 510, 610), ("O3", 700, 612)
    upright = [look(row).faces for row in rows]
    assert shown(racks.without(replace(look(), standing=tuple(upright)), SIZE)[0]) == []
    # With sets on the table its look says less; one more stands in each row by now.
    left, _ = racks.without(look(*rows, ("K7", 640, 611), ("K9", 640, 670), ("R4 R5 R6", 300, 300)), SIZE)
    assert shown(left) == ["R4 R5 R6"]


@pytest.mark.parametrize("y", [300, 600, 670])
def test_sets_that_the_reader_took_for_a_rack_are_read_as_soon_as_it_does_not(y: int) -> None:
    racks = OpenRacks()
    rows = ("R4 R5 R6", 500, y), ("B1 K1 O1", 200, y), ("B8 K9", 800, y)
    upright = tuple(look(row).faces for row in rows)
    assert shown(racks.without(replace(look(), standing=upright), SIZE)[0]) == []
    assert shown(racks.without(look(*rows), SIZE)[0]) == [row[0] for row in rows]


def test_a_rack_is_not_learnt_from_its_look_where_sets_lie() -> None:
    racks = OpenRacks()
    seen = replace(look(("R4 R5 R6", 300, 300)), standing=(look((HELD, 500, 600)).faces,))
    racks.without(seen, SIZE)
    assert racks.bodies == []


def test_a_rack_in_a_corner_takes_no_column_of_the_table() -> None:
    racks = OpenRacks()
    rows = ("R3 B11 O6 B8", 20, 600), ("K1 R7 K9", 20, 670)
    racks.without(replace(look(), standing=tuple(look(row).faces for row in rows)), SIZE)
    assert shown(racks.without(look(*rows, ("R4 R5 R6", 20, 60)), SIZE)[0]) == ["R4 R5 R6"]


@pytest.mark.parametrize(
    "row",
    ["R3 R4 R5 R6 R7 R8", "R5 R6 R7 R8 K9", "R3 B3 K3 O3 R3", "R5 R6 J R8 K9 R10", "R3 B11 O6 K1"],
    ids=["a run", "one with a wrong tile", "too large a group", "with a joker, and wrong", "too few"],
)
def test_sets_and_faulty_ones_are_none(row: str) -> None:
    left, standing = OpenRacks().without(look((row, 500, 670)), SIZE)
    assert shown(left) == [row]
    assert not standing


def test_amid_a_table_with_sets_on_it_no_row_is_a_rack_but_one_at_the_rim_is() -> None:
    rows = ("R4 R5 R6", 300, 100), (HELD, 500, 300)
    assert shown(OpenRacks().without(look(*rows), SIZE)[0]) == [row[0] for row in rows]
    assert shown(OpenRacks().without(look(rows[0], (HELD, 500, 670)), SIZE)[0]) == ["R4 R5 R6"]


def test_what_is_laid_once_a_turn_is_over_is_no_rack() -> None:
    racks = OpenRacks()
    racks.without(look(), SIZE)
    racks.turn_over()
    assert shown(racks.without(look((HELD, 500, 670)), SIZE)[0]) == [HELD]
    assert racks.bodies == []


TIERS = (("B1 R11 B4 B5 B3 B8", 300, 540), ("K2 R2", 620, 545), ("K8 K7", 300, 600), ("O10 O11", 450, 605))


def test_what_nobody_can_have_laid_stands_in_two_steps_on_a_rack_at_the_border() -> None:
    """Two colours in a row are no sign of it, nor is a set in line with them (composer BL's third)."""
    racks = OpenRacks()
    left, _ = racks.without(look(*TIERS, ("K3 K4 K5", 800, 550)), SIZE)
    assert shown(left) == []
    racks.turn_over()
    again = (("R10", 560, 540), ("B7 B9", 700, 610), ("K3 K4 K5", 800, 550))
    left, _ = racks.without(look(*TIERS, *again, ("K9 B9 O9", 500, 300)), SIZE)
    assert shown(left) == ["K9 B9 O9"]


@pytest.mark.parametrize(("row", "xy"), [("K9 B9 O9", (500, 300)), ("R5 R7", (500, 200))])
def test_where_something_lies_amid_the_table_its_rows_are_no_rack(row: str, xy: tuple[int, int]) -> None:
    left, _ = OpenRacks().without(look(*TIERS, (row, *xy)), SIZE)
    assert sorted(shown(left)) == sorted([tiles for tiles, _, _ in TIERS] + [row])
