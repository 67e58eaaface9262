"""``tileref read``: the JSON contract, the text, the overlays, and the exit statuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cli_support import Desk, corners_at, reading_of
from PIL import Image

KEYS = ["photo", "size", "kind", "tiles", "sets", "face_down", "unreadable", "ms"]
TILE_KEYS = ["tile", "confidence", "doubt", "corners", "alternatives"]


def test_the_json_contract(desk: Desk) -> None:
    photo = desk.photo("a.png", reading_of("B4 B5 B6/B9 | K8 ?? J", face_down=2))
    status, objects = desk.run_json("read", photo)
    assert status == 3
    assert len(objects) == 1
    found = objects[0]
    assert list(found) == KEYS
    assert found["photo"] == photo
    assert found["size"] == [400, 300]
    assert found["kind"] == "table"
    assert [list(tile) for tile in found["tiles"]] == [TILE_KEYS] * 5
    assert [tile["tile"] for tile in found["tiles"]] == ["B4", "B5", "B6", "K8", "J"]
    assert [tile["doubt"] for tile in found["tiles"]] == [False, False, True, False, False]
    assert found["tiles"][0]["confidence"] == 0.998
    assert found["tiles"][2]["confidence"] == 0.6
    assert found["tiles"][2]["alternatives"] == [["B9", 0.4]]
    assert found["tiles"][1]["corners"] == corners_at(1, 0).tolist()
    # The unreadable face is counted, and is in no set; all others are in exactly one.
    assert found["sets"] == [[0, 1, 2], [3, 4]]
    assert found["face_down"] == 2
    assert found["unreadable"] == 1
    assert list(found["ms"]) == ["find", "classify", "load"]
    assert all(isinstance(ms, float) for ms in found["ms"].values())


def test_a_set_of_unreadable_faces_alone_is_no_set_in_json(desk: Desk) -> None:
    _, objects = desk.run_json("read", desk.photo("a.png", "?? ?? | B4"))
    assert objects[0]["sets"] == [[0]]
    assert objects[0]["unreadable"] == 2


@pytest.mark.parametrize("kind", ["table", "rack"])
def test_the_kind_is_told(desk: Desk, kind: str) -> None:
    _, objects = desk.run_json("read", desk.photo("a.png", "B4 | R5", kind))  # type: ignore[arg-type]
    assert objects[0]["kind"] == kind


def test_a_picture_without_tiles_is_a_result(desk: Desk) -> None:
    photo = desk.photo("empty.png", "")
    status, objects = desk.run_json("read", photo)
    assert status == 0
    assert (objects[0]["kind"], objects[0]["tiles"], objects[0]["sets"]) == ("empty", [], [])
    assert desk.run("read", photo) == (0, "No tiles face up.\n", "")


def test_unusable_photographs_keep_their_place_and_stop_nothing(desk: Desk) -> None:
    good = desk.photo("good.png", "B4 B5 B6")
    gone = str(desk.folder / "gone.jpg")
    text = desk.folder / "text.jpg"
    text.write_text("no picture")
    status, out, err = desk.run("read", gone, good, str(text), good, "--json")
    objects = [json.loads(line) for line in out.splitlines()]
    assert status == 2
    assert [one["photo"] for one in objects] == [gone, good, str(text), good]
    assert [list(one) for one in objects] == [["photo", "error"], KEYS, ["photo", "error"], KEYS]
    assert len(err.splitlines()) == 2
    assert [one["error"] for one in (objects[0], objects[2])] == [
        line.removeprefix("tileref: ") for line in err.splitlines()
    ]


def test_a_name_that_is_no_text_is_told_as_given(desk: Desk) -> None:
    status, objects = desk.run_json("read", "gone\udcff\nname.jpg")
    assert status == 2
    assert objects[0]["photo"] == "gone\udcff\nname.jpg"


@pytest.mark.parametrize(
    ("shown", "status"),
    [
        ("B4 B5 B6 | K8 R8 J", 0),
        ("B4 R9", 0),  # reading is not judging: no set is faulted here
        ("B4 B5 B?", 3),
        ("B4 ?? B6", 3),
        ("B4 | B4 | B4", 1),
        ("B4 | B4 | B4 | R?", 1),
        ("B4 | B4 | B4/B5", 3),
        ("J J J", 1),
    ],
)
def test_statuses(desk: Desk, shown: str, status: int) -> None:
    assert desk.run("read", desk.photo("a.png", shown))[0] == status


def test_a_doubtful_cut_is_status_3(desk: Desk) -> None:
    photo = desk.photo("a.png", reading_of("B4 B5 B6 | B7 B8", doubtful_sets=(1,)))
    status, out, _ = desk.run("read", photo)
    assert status == 3
    assert "where set 2 begins and ends" in out


def test_of_several_photographs_the_worst_status_wins(desk: Desk) -> None:
    fine = desk.photo("fine.png", "B4 B5 B6")
    doubt = desk.photo("doubt.png", "B4 B5 B?")
    excess = desk.photo("excess.png", "B4 | B4 | B4")
    gone = str(desk.folder / "gone.png")
    assert desk.run("read", fine, doubt)[0] == 3
    assert desk.run("read", doubt, excess, fine)[0] == 1
    assert desk.run("read", excess, gone, doubt)[0] == 2


def test_the_box_depends_on_the_edition(desk: Desk) -> None:
    photo = desk.photo("a.png", "B4 | B4 | B4")
    assert desk.run("read", photo, "--edition", "xp")[0] == 0


def test_text(desk: Desk) -> None:
    first = desk.photo("a.png", "B4 B5 B6/B9 | K8 R8 J")
    assert desk.run("read", first) == (
        3,
        "B4 B5 B6/B9 | K8 R8 J\nTile 3 of set 1 is in doubt: B6/B9, most likely B6 (60%).\n",
        "",
    )
    rack = desk.photo("rack.png", reading_of("R1 ?? | ?6", "rack", face_down=1))
    status, out, _ = desk.run("read", first, rack)
    assert status == 3
    assert out.splitlines() == [
        f"{first}:",
        "  B4 B5 B6/B9 | K8 R8 J",
        "  Tile 3 of set 1 is in doubt: B6/B9, most likely B6 (60%).",
        f"{rack}:",
        "  R1 ?? | ?6",
        "  Tile 2 of row 1 cannot be read.",
        "  Tile 1 of row 2 is in doubt: ?6, most likely R6 (60%).",
        "  1 tile lies face down.",
    ]


def test_notes_of_the_reading_reach_the_user(desk: Desk) -> None:
    noted = replace(reading_of("B4"), notes=("Something is odd.",))
    photo = desk.photo("a.png", noted)
    assert desk.run("read", photo)[1] == "B4\nSomething is odd.\n"
    _, out, err = desk.run("read", photo, "--json")
    assert len(out.splitlines()) == 1
    assert err == f"tileref: {photo}: Something is odd.\n"


def test_unlikely_alternatives_are_not_in_the_text(desk: Desk) -> None:
    reading = reading_of("B6/B9")
    tile = reading.tiles[0]
    rare = replace(tile, alternatives=(*tile.alternatives, (tile.alternatives[0][0].parse("R1"), 0.001)))
    photo = desk.photo("a.png", replace(reading, tiles=(rare,)))
    assert desk.run("read", photo)[1].startswith("B6/B9\n")
    assert desk.run("read", photo, "--set", "read.alternative_bar=0")[1].startswith("R1/B6/B9\n")


def test_a_doubt_without_alternatives_may_be_anything(desk: Desk) -> None:
    reading = reading_of("B6/B9")
    alone = replace(reading.tiles[0], alternatives=())
    assert desk.run("read", desk.photo("a.png", replace(reading, tiles=(alone,))))[1].startswith("??\n")


def test_overlays_are_drawn_beside_never_over_a_photograph(desk: Desk) -> None:
    photo = desk.photo("a.png", reading_of("B4 B6/B9 ?? | J", face_down=1))
    (desk.folder / "two").mkdir()
    before = Path(photo).read_bytes()
    other = desk.folder / "two" / "a.png"
    other.write_bytes(before)
    trap = desk.photo("a-read.jpg", "B4")
    trap_before = Path(trap).read_bytes()
    status, _, err = desk.run("read", photo, str(other), trap, "--overlay", str(desk.folder))
    assert (status, err) == (3, "")
    assert Path(photo).read_bytes() == before
    assert Path(trap).read_bytes() == trap_before
    drawn = sorted(path.name for path in desk.folder.glob("*-read*.jpg"))
    assert drawn == ["a-read-2.jpg", "a-read-3.jpg", "a-read-read.jpg", "a-read.jpg"]
    with Image.open(desk.folder / "a-read-2.jpg") as image:
        assert image.size == (400, 300)
        pixels = np.asarray(image).astype(int)
    assert (np.abs(pixels - (90, 120, 90)).max(axis=2) > 60).sum() > 500


def test_an_overlay_folder_that_cannot_be_is_refused_in_one_line(desk: Desk) -> None:
    photo = desk.photo("a.png", "B4")
    status, out, err = desk.run("read", photo, "--overlay", photo)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_verbose_remarks_go_to_standard_error(desk: Desk) -> None:
    photo = desk.photo("a.png", "B4")
    status, out, err = desk.run("read", photo, "--verbose")
    assert (status, out) == (0, "B4\n")
    assert "400 x 300" in err
    assert "find 1" in err


def test_rows_of_a_rack_beside_a_table_are_said_to_be_some(desk: Desk) -> None:
    shown = reading_of("B4 B5 B6 | R1 O9 K12 | B2")
    photo = desk.photo("a.png", replace(shown, on_rack=(3, 4, 5, 6)))
    _, out, _ = desk.run("read", photo)
    assert out.splitlines() == ["B4 B5 B6 | R1 O9 K12 | B2", "The last 2 groups stand on a rack."]
    _, objects = desk.run_json("read", photo)
    assert list(objects[0]) == [*KEYS, "on_rack"]
    assert objects[0]["on_rack"] == [3, 4, 5, 6]
