"""``tileref check``: verdicts, the faults named, and doubt that is never a fault."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from cli_support import Desk, reading_of


@pytest.mark.parametrize(
    ("shown", "status", "verdict"),
    [
        ("B4 B5 B6 | K8 R8 J", 0, "legal"),
        ("B4 B5 B7", 1, "illegal"),
        ("B4 B5", 1, "illegal"),
        ("B4", 1, "illegal"),
        ("B6 B5 B4", 0, "legal"),  # the camera may face the player
        ("R12 R13 J", 3, "ask"),  # the joker only fits at the other end
        ("B4 B5 B6/B9", 3, "ask"),
        ("B4 B5 ??", 3, "ask"),
        ("B4 R9 ??", 1, "illegal"),  # nothing makes these a set
        ("B8 K8 R8/O8", 0, "legal"),  # whichever it is
        ("B4 B5 B6/B9 | K1 K5 K9", 1, "illegal"),  # a sure fault beside a doubt
        ("B4 B5 B6 | B4 K4 O4 | B4 R4 K4", 1, "illegal"),  # three copies of B4
        ("B4 B5 B6 | B4 K4 O4 | B4/R4 R3 R5", 3, "ask"),
    ],
)
def test_verdicts(desk: Desk, shown: str, status: int, verdict: str) -> None:
    photo = desk.photo("a.png", shown)
    given, objects = desk.run_json("check", photo)
    assert (given, objects[0]["verdict"]) == (status, verdict)
    assert list(objects[0]) == ["photo", "verdict", "sets", "problems", "questions"]
    assert bool(objects[0]["problems"]) == (status == 1)
    assert (status != 3) or objects[0]["questions"]
    assert desk.run("check", photo)[0] == status


def test_each_illegal_set_is_named_with_its_tiles_and_reason(desk: Desk) -> None:
    photo = desk.photo("a.png", "B4 B5 B6 | K8 R8 | O1 O2 O4")
    status, out, err = desk.run("check", photo)
    lines = out.splitlines()
    assert (status, err) == (1, "")
    assert lines[:2] == ["B4 B5 B6 | K8 R8 | O1 O2 O4", "Illegal."]
    assert lines[2].startswith("Fault in set 2 (K8 R8): ")
    assert lines[3].startswith("Fault in set 3 (O1 O2 O4): ")
    assert len(lines) == 4
    _, objects = desk.run_json("check", photo)
    assert [problem["set"] for problem in objects[0]["problems"]] == [1, 2]
    assert objects[0]["problems"][0]["tiles"] == ["K8", "R8"]


def test_a_legal_table_is_said_to_be_legal(desk: Desk) -> None:
    assert desk.run("check", desk.photo("a.png", "B4 B5 B6 | K8 R8 J")) == (
        0,
        "B4 B5 B6 | K8 R8 J\nLegal: all 2 sets are groups or runs.\n",
        "",
    )
    assert desk.run("check", desk.photo("a.png", "B4 B5 B6"))[1].splitlines()[1] == (
        "Legal: the one set is a group or a run."
    )


def test_an_empty_table_is_legal(desk: Desk) -> None:
    status, out, _ = desk.run("check", desk.photo("a.png", ""))
    assert status == 0
    assert "nothing on the table" in out


@pytest.mark.parametrize("shown", ["B4 B5", "B4 B5 B6", "B4 B5 B6 B9"])
def test_a_doubtful_cut_is_a_question_never_a_fault(desk: Desk, shown: str) -> None:
    photo = desk.photo("a.png", reading_of(f"K8 R8 J | {shown}", doubtful_sets=(1,)))
    status, objects = desk.run_json("check", photo)
    assert status == 3
    assert objects[0]["problems"] == []
    assert [question["code"] for question in objects[0]["questions"]] == ["doubtful-cut"]
    assert objects[0]["questions"][0]["set"] == 1


@pytest.mark.parametrize("shown", ["K1/K7", "??", "K1/K7 ??"])
def test_what_nobody_knows_to_be_a_tile_is_a_question_never_a_fault(desk: Desk, shown: str) -> None:
    """A mug's handle beside the sets, read as a doubtful 1."""
    status, objects = desk.run_json("check", desk.photo("a.png", f"K8 R8 J | {shown}"))
    assert (status, objects[0]["problems"]) == (3, [])
    assert "Do tiles lie here?" in objects[0]["questions"][0]["message"]


@pytest.mark.parametrize(
    ("shown", "moved_px", "status"),
    [
        ("R8", 60, 3),
        ("K5 K6", 60, 3),
        ("K5 K6", 0, 1),
        ("K5 R9", 60, 1),
        ("K5 K6 K7", 60, 0),
        ("K5 K6", -270, 3),
    ],
)
def test_a_set_that_may_go_on_beyond_the_picture_is_asked_about(
    desk: Desk, shown: str, moved_px: int, status: int
) -> None:
    """What cannot be seen is not gone; but K5 R9 is no set however it goes on."""
    reading = reading_of(shown)
    tiles = tuple(
        replace(one, corners_xy_px=one.corners_xy_px - np.array([moved_px, 0], np.float32))
        for one in reading.tiles
    )
    given, objects = desk.run_json("check", desk.photo("a.png", replace(reading, tiles=tiles)))
    assert given == status
    assert [question["code"] for question in objects[0]["questions"]] == (["may-go-on"] if status == 3 else [])


def test_a_rack_cannot_be_checked_and_stops_nothing(desk: Desk) -> None:
    rack = desk.photo("rack.png", "B4 B5", "rack")
    table = desk.photo("table.png", "B4 B5 B6")
    status, out, err = desk.run("check", rack, table)
    assert status == 2
    assert err == f"tileref: {rack} shows a rack; only a table can be checked.\n"
    assert "Legal" in out
    _, objects = desk.run_json("check", rack, table)
    assert list(objects[0]) == ["photo", "error"]
    assert objects[1]["verdict"] == "legal"


def test_the_edition_says_what_the_box_holds(desk: Desk) -> None:
    photo = desk.photo("a.png", "B4 B5 B6 | B4 K4 O4 | B4 R4 K4")
    assert desk.run("check", photo, "--edition", "xp")[0] == 0


def test_of_several_the_worst_wins(desk: Desk) -> None:
    legal = desk.photo("legal.png", "B4 B5 B6")
    ask = desk.photo("ask.png", "B4 B5 B?")
    illegal = desk.photo("illegal.png", "B4 B5")
    assert desk.run("check", legal, ask)[0] == 3
    assert desk.run("check", ask, illegal, legal)[0] == 1
    assert desk.run("check", illegal, "gone.png")[0] == 2


def test_a_rack_in_view_is_shown_and_not_judged(desk: Desk) -> None:
    """Its row, judged as a set, would be called illegal."""
    shown = reading_of("B4 B5 B6 | R1 O9 K12 B2")
    photo = desk.photo("a.png", replace(shown, on_rack=shown.sets[1].members))
    status, objects = desk.run_json("check", photo)
    assert (status, objects[0]["verdict"]) == (0, "legal")
    assert objects[0]["sets"] == ["B4 B5 B6"]
    assert objects[0]["standing"] == ["R1 O9 K12 B2"]
    assert desk.run("check", photo)[1].splitlines() == [
        "B4 B5 B6",
        "Legal: the one set is a group or a run.",
        "Not judged, as it stands on a rack: R1 O9 K12 B2.",
    ]


def test_a_table_with_nothing_but_a_rack_in_view_has_nothing_to_judge(desk: Desk) -> None:
    shown = reading_of("R1 O9 K12 B2")
    photo = desk.photo("a.png", replace(shown, on_rack=shown.sets[0].members))
    assert desk.run("check", photo)[1].splitlines() == [
        "Not judged, as it stands on a rack: R1 O9 K12 B2.",
        "Legal: there is nothing on the table.",
    ]
