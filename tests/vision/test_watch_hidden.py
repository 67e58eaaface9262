"""Tiles out of view when a turn ends, out of tables in time: hidden is never gone, nor the next one's fault."""

from __future__ import annotations

import pytest
from watch_desk import OPENING, Desk

from vision.watch.types import WatchNotice


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.lies("", 2)
    return desk


def test_a_set_of_which_nothing_is_in_view_is_asked_about(desk: Desk) -> None:
    desk.changes("R10 B10 K10 | K5 K6", 2)
    desk.changes("R10 B10 K10 | ~K5 ~K6", 6)
    assert [turn.verdict for turn in desk.turns] == ["ask"], "nobody is accused of what cannot be seen"


@pytest.mark.parametrize(("moved", "verdicts"), [(False, ["legal", "legal"]), (True, ["legal", "illegal"])])
def test_a_tile_found_gone_after_the_button_went_in_the_turn_before(moved: bool, verdicts: list[str]) -> None:
    desk = Desk(automatic=False, opened=(True, True))
    row, rest = "B2 B3 B4 B5", "B3 B4 B5"
    desk.lies(row, 2)
    desk.changes(f"~{row} | {OPENING}", 0.5)
    desk.press("end-turn")
    if moved:
        desk.moves()
    desk.lies(f"{rest} | {OPENING}", 2, since=None if moved else desk.still_since)
    desk.changes(f"{rest} O5 | {OPENING} O10" if moved else f"{rest} | {OPENING} O10", 2)
    desk.press("end-turn")
    assert [turn.verdict for turn in desk.turns] == verdicts


def test_a_tile_that_was_asked_about_under_a_hand_is_not_missed_from_who_comes_next() -> None:
    """A foul is put back, and the button is pressed with a hand still over the place where the tile lay."""
    desk = Desk(automatic=False, opened=(True, True))
    desk.lies("O1 O2 O3 O4", 2)
    desk.changes("O1 O2 O3 O4 B5", 2)
    desk.press("end-turn")
    desk.changes("O1 O2 O3 O4 ~B5", 1, clear=False)
    desk.press("end-turn")
    desk.lies("O1 O2 O3 O4 ~B5", 6, clear=False)
    desk.changes("O1 O2 O3 O4", 2)
    desk.press("draw")
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "ask"), (1, "draw", "legal")]


def test_who_comes_next_is_not_charged_with_what_was_out_of_view_when_the_button_was_pressed() -> None:
    """It was seen for a moment, taken back under the hand, and the next player has moved since."""
    desk = Desk(automatic=False, opened=(True, True))
    desk.lies("R6 R7 R8 R9", 2)
    desk.changes("R6 | ~B7 ~K7 R7 | R8 R9", 1, clear=False)
    desk.press("end-turn")
    desk.lies("R6 | ~B7 ~K7 R7 | R8 R9", 6, clear=False)
    desk.changes("R6 R7 R8 R9 | O4 O5 O6", 2)
    desk.press("end-turn")
    assert desk.turns[-1].seat == 1
    assert desk.turns[-1].verdict == "ask"
    assert {str(tile) for one in desk.turns[-1].questions for tile in one.tiles} == {"~B7", "~K7"}


def test_a_tile_that_was_hidden_only_while_it_was_taken_is_missed() -> None:
    desk = Desk(automatic=False, opened=(True, True))
    desk.lies("R6 R7 R8 R9", 2)
    desk.changes(f"R6 R7 R8 R9 | {OPENING}", 2)
    desk.press("end-turn")
    desk.changes(f"R6 R7 R8 ~R9 | {OPENING}", 1)
    desk.changes(f"R6 R7 R8 | {OPENING} | B1 K1 O1", 2)
    desk.press("end-turn")
    assert [turn.verdict for turn in desk.turns] == ["legal", "illegal"]


def test_what_a_vanished_tile_leaves_behind_is_not_the_next_players_fault() -> None:
    desk = Desk(automatic=False, opened=(True, True))
    desk.lies("B3 B4 B5", 2)
    desk.changes(f"~B3 B4 B5 | {OPENING}", 0.5)
    desk.press("end-turn")
    desk.lies(f"B4 B5 | {OPENING}", 2, since=desk.still_since)
    desk.changes(f"B4 B5 | {OPENING} O10", 2)
    desk.press("end-turn")
    assert [turn.verdict for turn in desk.turns] == ["legal", "legal"]
    assert "left-faulty" in [event.code for event in desk.said if isinstance(event, WatchNotice)]


def test_who_was_asked_about_tiles_that_have_gone_has_not_opened_by_them() -> None:
    desk = Desk(opened=(False, False))
    desk.lies("R1 R2 R3", 2)
    desk.changes("R1 R2 R3 | K5 K6", 2)
    desk.changes("R1 R2 R3 | ~K5 ~K6", 6)
    assert [turn.verdict for turn in desk.turns] == ["ask"]
    desk.lies("R1 R2 R3", 1, since=desk.still_since)
    assert desk.short[1:] == [(0, "put-back", "legal")]
    assert desk.keeper.court.has_opened(0) is False


@pytest.mark.parametrize("opened", [True, False])
def test_what_was_asked_about_and_went_out_of_view_was_taken_back_by_its_player(opened: bool) -> None:
    desk = Desk(opened=(opened, True))
    desk.lies("R1 R2 R3", 2)
    desk.changes("R1 R2 R3 | K5 K6", 2)
    desk.changes("R1 R2 R3 | ~K5 ~K6", 6)
    went_s = desk.now
    desk.changes("R1 R2 R3 | ~K5 ~K6", 2)
    desk.changes(f"R1 R2 R3 | {OPENING}", 5)
    assert desk.short == [(0, "play", "ask"), (0, "put-back", "legal"), (1, "play", "legal")]
    assert desk.turns[1].end_s <= went_s + 1.5
    assert desk.keeper.court.has_opened(0) is opened


def test_a_tile_that_is_remembered_where_it_was_moved_from_has_not_been_stolen() -> None:
    """A nine was moved while something lay on its place: for a turn there seem to be two."""
    desk = Desk(opened=(True, True))
    desk.lies("R1 R2 R3", 2)
    desk.changes("R1 R2 R3 | B7 B8 B9 B10", 5)
    desk.changes("R1 R2 R3 | B6 B7 B8 ~B9 | B9 B10 B11", 5)
    assert desk.short == [(0, "play", "legal"), (1, "play", "legal")]
    desk.forgets("B9")
    desk.changes("R1 R2 R3 | B6 B7 B8 | B9 B10 B11 | R4 R5 R6", 5)
    assert desk.short[2:] == [(0, "play", "legal")]
    assert [str(tile) for tile in desk.turns[2].played] == ["R4", "R5", "R6"]


@pytest.mark.parametrize("moved", [False, True])
def test_what_a_remembered_tile_leaves_behind_is_held_against_nobody(moved: bool) -> None:
    desk = Desk(opened=(True, True))
    desk.lies("R1 R2 R3", 2)
    desk.changes("R1 R2 R3 | B7 B8 B9", 5)
    desk.changes("R1 R2 R3 | B7 B8 ~B9 | B9 B10 B11", 5)
    desk.forgets("B9")
    rest = "R1 R2 R3 | B7 B8 | B9 B10 B11"
    if moved:
        desk.moves()
    desk.lies(rest, 1, since=None if moved else desk.still_since)
    desk.changes(f"{rest} | R4 R5 R6", 5)
    assert desk.short[2:] == [(0, "play", "legal")]
    assert [event.code for event in desk.said if isinstance(event, WatchNotice)] == ["left-faulty"]


@pytest.mark.parametrize(("clear", "verdict"), [(True, "illegal"), (False, "ask")])
def test_nobody_is_accused_at_a_time_out_by_what_lies_beside_a_hand(clear: bool, verdict: str) -> None:
    desk = Desk(opened=(True, True), turn_seconds=15)
    desk.lies("R6 R7 R8 R9", 2)
    desk.moves(12)
    desk.lies("R6 R7 R8", 8, clear=clear)
    assert (desk.turns[0].action, desk.turns[0].verdict) == ("time-out", verdict)


def test_a_tile_that_was_in_view_when_its_twin_was_laid_was_not_that_twin() -> None:
    """Taken in the turn after, it is out of view for a look, and then missed (11748)."""
    desk = Desk(opened=(True, True))
    desk.lies("R1 R2 R3 | B7 B8 B9", 2)
    desk.changes("R1 R2 R3 | B7 B8 B9 | B9 B10 B11", 5)
    desk.changes("R1 R2 R3 | B7 B8 ~B9 | B9 B10 B11", 0.5)
    desk.forgets("B9")
    desk.lies("R1 R2 R3 | B7 B8 | B9 B10 B11", 20, since=desk.still_since)
    assert desk.short == [(0, "play", "legal"), (1, "play", "illegal")]
