"""Points on racks, and the check against the table."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import (
    ALL_TILES,
    NATURAL_TILES,
    STANDARD,
    XP,
    Inventory,
    PointRange,
    SeenTile,
    Table,
    check_total,
    parse_table,
    parse_tiles,
    rack_points,
    tile_points,
)


@pytest.mark.parametrize(
    ("text", "joker", "least", "most"),
    [
        ("", 30, 0, 0),
        ("J R5", 30, 35, 35),  # E05, and with jokers at 50 and 100 as MSO and New Zealand
        ("J R5", 50, 55, 55),
        ("J R5", 100, 105, 105),
        ("J R5", 25, 30, 30),
        ("B?", 30, 1, 13),
        ("?6 K10", 30, 16, 16),  # a doubt about the colour alone leaves the sum sure
        ("B6/B9 J/K2", 30, 8, 39),
        ("??", 30, 1, 30),
        ("~B6", 30, 6, 6),
    ],
)
def test_rack_points(text: str, joker: int, least: int, most: int) -> None:
    points = rack_points(parse_tiles(text), joker)
    assert points == PointRange(least, most)
    assert points.is_sure == (least == most)


seen = st.frozensets(st.sampled_from(ALL_TILES), min_size=1, max_size=3).map(SeenTile)


@given(st.lists(seen, max_size=4))
def test_the_range_is_that_of_all_completions(tiles: list[SeenTile]) -> None:
    sums = [sum(map(tile_points, completion)) for completion in product(*(s.candidates for s in tiles))]
    assert rack_points(tiles) == PointRange(min(sums), max(sums))


@given(st.randoms(use_true_random=False), st.sampled_from([STANDARD, XP, Inventory(1, 2)]), st.integers(0, 60))
def test_a_box_dealt_out_to_table_and_racks_adds_up(random: object, box: Inventory, held: int) -> None:
    tiles = [SeenTile.sure(tile) for tile in box.tiles()]
    random.shuffle(tiles)  # type: ignore[attr-defined]
    held = min(held, len(tiles) - 1)
    table = Table((tuple(tiles[held:]),))
    assert check_total(table, [tiles[: held // 2], [], tiles[held // 2 : held]], box).outcome == "ok"
    if held:
        assert check_total(table, [tiles[1:held]], box).outcome == "mismatch"


def test_the_table_of_745_leaves_43() -> None:
    """E12: the winner must score 43, since 788 - 745 = 43."""
    held = parse_tiles("R13 B13 K13 O4")
    rest = [SeenTile.sure(tile) for tile in STANDARD.tiles()]
    for tile in held:
        rest.remove(tile)
    table = Table((tuple(rest),))
    assert rack_points(rest) == PointRange(745, 745)
    good = check_total(table, [held])
    assert (good.outcome, str(good.expected), str(good.counted)) == ("ok", "43", "43")
    assert good.message == "The racks hold 43 points, as they must: 788 less the table is 43."
    assert check_total(table, [held[:-1]]).outcome == "mismatch"
    assert check_total(table, [[*held[:-1], SeenTile.parse("O4/O5")]]).outcome == "unknown"
    assert check_total(table, [[*held[:-1], SeenTile.parse("O5/O6")]]).outcome == "mismatch"


def test_the_check_counts_jokers_at_30_whatever_the_edition_does() -> None:
    rest = [SeenTile.sure(tile) for tile in (*NATURAL_TILES, *NATURAL_TILES)]
    assert check_total(Table((tuple(rest),)), [parse_tiles("J J")]).outcome == "ok"
    assert check_total(parse_table(""), []).outcome == "mismatch"
