"""Tiles with the faces of playing cards: read with their own profile, shown to people by rank and suit."""

from __future__ import annotations

from io import BytesIO, TextIOWrapper

import pytest
from cli_support import Desk, reading_of

from tileref.session import Session
from tileref.settings import SettingsOfAllRooms
from vision.settings import ReadSettings


def test_people_see_ranks_and_suits_and_programs_the_notation(desk: Desk) -> None:
    photo = desk.photo("B4.png", "B11 B12 B13 J | ?6 K1/K10 ??")
    status, out, err = desk.run("read", photo, "--edition", "cards")
    assert (status, err) == (3, "")
    assert out.splitlines()[0] == "J♣ Q♣ K♣ J | 6? A♠/10♠ ??"
    assert "most likely A♠ (60%)" in out
    _, objects = desk.run_json("read", photo, "--edition", "cards")
    assert [tile["tile"] for tile in objects[0]["tiles"]][:3] == ["B11", "B12", "B13"]
    assert desk.run("read", photo)[1].startswith("B11 B12 B13 J |")


def test_a_file_that_is_called_like_a_tile_keeps_its_name(desk: Desk) -> None:
    first, second = desk.photo("B4.png", "R1"), desk.photo("B11.png", "R1")
    for command in ("read", "check", "score"):
        assert second in desk.run(command, first, second, "--edition", "cards")[1]


def test_faults_and_racks_are_told_by_rank_and_suit(desk: Desk) -> None:
    status, out, _ = desk.run("check", desk.photo("table.png", "R1 R2 R12"), "--edition", "cards")
    assert status == 1
    assert "A♥ 2♥ Q♥" in out
    assert "R1" not in out
    assert desk.run("score", desk.photo("rack.png", "O13 K11"), "--edition", "cards")[1].startswith("K♦ J♠")


@pytest.mark.parametrize(
    ("arguments", "used"),
    [
        ((), ""),
        (("--edition", "cards"), "cards"),
        (("--edition", "cards", "--tile-set", "ours"), "ours"),
        (("--tile-set", "cards"), "cards"),
    ],
)
def test_the_edition_brings_the_profile_of_its_faces(desk: Desk, arguments: tuple[str, ...], used: str) -> None:
    _, out, _ = desk.run("read", desk.photo("a.png", "R13"), *arguments)
    assert desk.read_with is not None
    assert desk.read_with.tile_set == used
    assert out == ("K♥\n" if "--edition" in arguments else "R13\n")
    assert ReadSettings().for_faces("numbers") == ReadSettings()


def test_a_terminal_without_suits_gets_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", TextIOWrapper(BytesIO(), "cp1252"))
    session = Session(SettingsOfAllRooms(), faces="cards")
    assert session.show("B11 R10 ?6 J. Is it B13?") == "JC 10H 6? J. Is it KC?"


def test_overlays_name_cards() -> None:
    from vision.overlay import _plate

    tile = reading_of("B11").tiles[0]
    assert (_plate(tile, 0.01, "cards"), _plate(tile, 0.01, "numbers")) == ("JC", "B11")
