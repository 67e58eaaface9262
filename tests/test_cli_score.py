"""``tileref score``: sums, the sheet, and the check against the table."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cli_support import Desk, reading_of

from referee import JOKER, NATURAL_TILES, Table, parse_tiles


def all_but(racks: str) -> str:
    """The rest of the box, as one long row: what lies on the table once the pool is empty."""
    left = [str(tile) for tile in (*NATURAL_TILES, JOKER) for _ in range(2)]
    for seen in parse_tiles(racks):
        left.remove(str(seen))
    return " ".join(left)


def test_one_rack_is_named_and_summed(desk: Desk) -> None:
    rack = desk.photo("rack.png", "R5 K13 | J", "rack")
    assert desk.run("score", rack) == (0, "R5 K13 J\nSum: 48\n", "")
    assert desk.run("score", rack, "--joker", "50")[1] == "R5 K13 J\nSum: 68\n"
    status, objects = desk.run_json("score", rack)
    assert (status, objects) == (
        0,
        [{"photo": rack, "tiles": ["R5", "K13", "J"], "sum": 48, "least": 48, "most": 48, "doubt": False}],
    )


def test_a_table_is_summed_with_a_word(desk: Desk) -> None:
    table = desk.photo("table.png", "R1 R2 R3 | B4 K4 O4 | J", "table")
    status, out, said = desk.run("score", table)
    assert (status, out.splitlines()[-1]) == (0, "Sum: 48")
    assert (
        said == f"tileref: {table} looks like a table, with tiles in 3 groups; they are summed all the same.\n"
    )
    flat = desk.photo("flat.png", "R1 R2 R3 | K13 B7", "table")
    assert desk.run("score", flat)[2] == ""


def test_doubt_is_a_range_and_status_3(desk: Desk) -> None:
    rack = desk.photo("rack.png", "R5 B6/B9", "rack")
    status, out, _ = desk.run("score", rack)
    assert status == 3
    assert out.splitlines()[-1] == "Sum: 11 to 14"
    _, objects = desk.run_json("score", rack)
    assert (objects[0]["sum"], objects[0]["least"], objects[0]["most"]) == (None, 11, 14)
    unread = desk.photo("unread.png", "R5 ??", "rack")
    assert desk.run_json("score", unread)[1][0]["most"] == 35


def test_several_racks_give_a_score_sheet(desk: Desk) -> None:
    ann, bob, cem = (
        desk.photo(f"{n}.png", t, "rack") for n, t in (("ann", "R5"), ("bob", ""), ("cem", "J K1"))
    )
    status, out, _ = desk.run("score", ann, bob, cem)
    assert status == 0
    sheet = out.splitlines()[-3:]
    assert sheet[0].split()[1:] == ["holds", "5", "scores", "-5"]
    assert sheet[1].split()[1:] == ["holds", "0", "scores", "+36", "winner"]
    assert sheet[2].split()[1:] == ["holds", "31", "scores", "-31"]
    _, objects = desk.run_json("score", ann, bob, cem)
    assert len(objects) == 4
    assert objects[3]["winner"] == bob
    assert [line["score"] for line in objects[3]["sheet"]] == [[-5, -5], [36, 36], [-31, -31]]


def test_the_edition_matters_where_nobody_is_out(desk: Desk) -> None:
    """E07 of the dossier."""
    racks = [desk.photo("a.png", "R13", "rack"), desk.photo("b.png", "R1 R2", "rack")]
    assert desk.run_json("score", *racks)[1][2]["winner"] == racks[1]
    assert desk.run_json("score", *racks, "--edition", "pressman")[1][2]["winner"] == racks[0]


def test_another_player_out(desk: Desk) -> None:
    racks = [desk.photo("a.png", "R13", "rack"), desk.photo("b.png", "R1 R2", "rack")]
    last = desk.run_json("score", *racks, "--out")[1][2]
    assert (last["winner"], last["winner_score"]) == (None, [16, 16])


def test_an_open_winner_is_status_3(desk: Desk) -> None:
    racks = [desk.photo("a.png", "R7", "rack"), desk.photo("b.png", "B3 B4", "rack")]
    status, out, _ = desk.run("score", *racks)
    assert status == 3
    assert "Question: Nobody went out." in out


@pytest.mark.parametrize("edition_joker", [[], ["--joker", "25"]])
def test_the_table_confirms_the_sum(desk: Desk, edition_joker: list[str]) -> None:
    """788 less the table, with jokers at 30 whatever they count in the score."""
    rack = desk.photo("rack.png", "R5 J", "rack")
    table = desk.photo("table.png", all_but("R5 J"))
    status, out, _ = desk.run("score", rack, "--table", table, *edition_joker)
    assert status == 0
    assert "788 less the table is 35" in out


def test_the_table_contradicts_the_sum(desk: Desk) -> None:
    rack = desk.photo("rack.png", "R5 J", "rack")
    table = desk.photo("table.png", all_but("R5 R4 J"))
    status, out, _ = desk.run("score", rack, "--table", table)
    assert status == 1
    assert "Fault: " in out
    assert desk.run_json("score", rack, "--table", table)[1][-1]["total"]["outcome"] == "mismatch"


def test_doubt_leaves_the_sum_check_open_unless_it_cannot_be_right(desk: Desk) -> None:
    table = desk.photo("table.png", all_but("R5 J"))
    near = desk.photo("near.png", "R5/R6 J", "rack")
    far = desk.photo("far.png", "R7/R8 J", "rack")
    assert desk.run("score", near, "--table", table)[0] == 3
    assert desk.run("score", far, "--table", table)[0] == 1


def test_copies_are_counted_across_racks_and_table(desk: Desk) -> None:
    racks = [
        desk.photo("a.png", "R5 R5", "rack"),
        desk.photo("b.png", "R5 B?", "rack"),
        desk.photo("c.png", "", "rack"),
    ]
    status, out, _ = desk.run("score", *racks)
    assert status == 1
    assert "Fault: R5 is there 3 times, and the box holds 2." in out
    assert desk.run("score", *racks, "--edition", "xp")[0] == 3


def test_an_unusable_rack_or_table_stops_the_sheet_not_the_sums(desk: Desk) -> None:
    rack = desk.photo("a.png", "R5", "rack")
    status, out, err = desk.run("score", rack, "gone.png")
    assert status == 2
    assert "Sum: 5" in out
    assert "Score sheet" not in out
    assert len(err.splitlines()) == 1
    assert desk.run("score", rack, "--table", "gone.png")[0] == 2
    assert desk.run("score", rack, "--table", rack)[0] == 2


@pytest.mark.parametrize("joker", ["-1", "x", "2000"])
def test_a_joker_counts_something_sensible(desk: Desk, joker: str) -> None:
    with pytest.raises(SystemExit) as left:
        desk.run("score", desk.photo("a.png", "R5", "rack"), f"--joker={joker}")
    assert left.value.code == 2


def test_the_whole_box_is_worth_788() -> None:
    table = Table((parse_tiles(all_but("")),))
    assert sum(tile.tile.number or 30 for tile in table.tiles()) == 788


def test_a_rack_of_which_one_row_is_told_from_a_table_is_summed_whole(desk: Desk) -> None:
    shown = reading_of("R1 R2 | B10 K13")
    photo = desk.photo("a.png", replace(shown, on_rack=(2, 3)))
    _, objects = desk.run_json("score", photo)
    assert objects[0]["sum"] == 26
