"""Text to tiles, tables and back."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import (
    ALL_TILES,
    ANY_TILE,
    JOKER,
    NATURAL_TILES,
    STANDARD,
    XP,
    Colour,
    Inventory,
    NotationError,
    SeenTile,
    Table,
    Tile,
    parse_table,
    parse_tiles,
)

tiles = st.sampled_from(ALL_TILES)
colour_doubt = st.sampled_from([SeenTile.parse(f"{c.value}?") for c in Colour])
number_doubt = st.sampled_from([SeenTile.parse(f"?{n}") for n in range(1, 14)])
listed = st.frozensets(tiles, min_size=1, max_size=20).map(SeenTile)
plain_seen = st.one_of(tiles.map(SeenTile.sure), colour_doubt, number_doubt, listed, st.just(ANY_TILE))
seen_tiles = st.builds(lambda seen, hidden: SeenTile(seen.candidates, hidden), plain_seen, st.booleans())
tables = st.lists(st.lists(seen_tiles, min_size=1, max_size=8).map(tuple), max_size=6).map(
    lambda sets: Table(tuple(sets))
)


@given(tiles)
def test_tile_text_goes_both_ways(tile: Tile) -> None:
    assert Tile.parse(str(tile)) == tile


@given(seen_tiles)
def test_seen_tile_text_goes_both_ways(seen: SeenTile) -> None:
    assert SeenTile.parse(str(seen)) == seen


@given(tables)
def test_table_text_goes_both_ways(table: Table) -> None:
    assert parse_table(str(table)) == table


@given(tables)
def test_printed_text_is_canonical(table: Table) -> None:
    assert str(parse_table(str(table))) == str(table)


@pytest.mark.parametrize(
    ("text", "count", "canonical"),
    [
        ("B4", 1, "B4"),
        (" b12 ", 1, "B12"),
        ("B?", 13, "B?"),
        ("?6", 4, "?6"),
        ("?13", 4, "?13"),
        ("B9/B6", 2, "B6/B9"),
        ("J/B6", 2, "B6/J"),
        ("??", 53, "??"),
        ("~B6", 1, "~B6"),
        ("~K?", 13, "~K?"),
        ("B?/?6", 16, "B?/?6"),
        ("O6/K6/B6/R6", 4, "?6"),
        ("O?/K?/B?/R?", 52, "R?/B?/K?/O?"),
    ],
)
def test_forms_of_doubt(text: str, count: int, canonical: str) -> None:
    seen = SeenTile.parse(text)
    assert len(seen.candidates) == count
    assert str(seen) == canonical
    assert seen.hidden == text.startswith("~")


@pytest.mark.parametrize(
    "text", ["", "B", "B0", "B14", "G4", "B04", "4B", "?0", "?", "???", "B4/", "~", "~~B4", "JJ"]
)
def test_what_is_no_tile(text: str) -> None:
    with pytest.raises(NotationError, match="is not a tile"):
        SeenTile.parse(text)


def test_the_dossiers_dots_are_read() -> None:
    assert parse_table("B4.B5.B6 | K8.R8.J") == parse_table("B4 B5 B6|K8 R8 J")


@pytest.mark.parametrize("text", ["", " ", "-", "∅"])
def test_empty_table(text: str) -> None:
    assert parse_table(text) == Table()
    assert str(parse_table(text)) == ""
    assert parse_tiles(text) == ()


@pytest.mark.parametrize("text", ["B4 B5 B6 |", "| B4", "B4 || B5"])
def test_a_set_without_tiles_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="without tiles"):
        parse_table(text)


def test_order_and_identity() -> None:
    assert sorted([JOKER, Tile.parse("O1"), Tile.parse("R13"), Tile.parse("R2")]) == parse_all("R2 R13 O1 J")
    assert [tile.index for tile in ALL_TILES] == list(range(53))
    assert len(set(ALL_TILES)) == 53
    assert Tile(Colour.BLUE, 4) == Tile.parse("B4")
    assert Tile.parse("B4") != "B4"


def parse_all(text: str) -> list[Tile]:
    return [Tile.parse(word) for word in text.split()]


@given(seen_tiles)
def test_values_survive_pickling(seen: SeenTile) -> None:
    assert pickle.loads(pickle.dumps(seen)) == seen


def test_sure_and_doubtful() -> None:
    assert SeenTile.parse("B4") == SeenTile.sure(Tile.parse("B4"))
    assert SeenTile.parse("~B4").is_sure
    assert SeenTile.parse("~B4").tile == Tile.parse("B4")
    with pytest.raises(ValueError, match="13 candidates"):
        _ = SeenTile.parse("B?").tile
    with pytest.raises(ValueError, match="at least one candidate"):
        SeenTile(frozenset())


@pytest.mark.parametrize(
    ("colour", "number"), [(Colour.RED, 0), (Colour.RED, 14), (None, 4), (Colour.RED, None)]
)
def test_tiles_that_cannot_be(colour: Colour | None, number: int | None) -> None:
    with pytest.raises(ValueError, match="tile"):
        Tile(colour, number)


def test_inventories_add_up() -> None:
    # 2 x 4 x 13 + 2 and 3 x 4 x 13 + 4; values 2 x 4 x 91 + 60 and 3 x 4 x 91 + 120, where 91 = 1 + ... + 13.
    assert (STANDARD.total, XP.total) == (106, 160)
    assert (STANDARD.total_value(), XP.total_value()) == (788, 1212)
    for box in (STANDARD, XP, Inventory(1, 0, (Colour.RED,), (1, 2, 3))):
        assert len(list(box.tiles())) == box.total
        assert sum(box.count(tile) for tile in ALL_TILES) == box.total
    assert Inventory(1, 0, (Colour.RED,), (1, 2, 3)).count(NATURAL_TILES[5]) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        {"copies": 0},
        {"jokers": -1},
        {"colours": ()},
        {"colours": (Colour.RED, Colour.RED)},
        {"numbers": (2, 1)},
        {"numbers": (0, 1)},
        {"numbers": ()},
    ],
)
def test_boxes_that_cannot_be(arguments: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="box"):
        Inventory(**arguments)  # type: ignore[arg-type]
