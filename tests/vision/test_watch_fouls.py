"""Foul turns and their putting back, out of tables in time: no picture is needed for that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from watch_desk import (
    ANN,
    BEN,
    CAT,
    CATS,
    OPENING,
    THREE,
    Desk,
    arm_from,
    places_at,
    three_who_have_opened,
)

from referee import replay
from vision.watch.types import Logged, LyingTable, WatchNotice


def three_at(table: str) -> Desk:
    """Three who have opened, whose places are known, and what lies before them; it is Ann's turn."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), opened=(True,) * 3, rack_sizes=(14,) * 3)
    desk.lies(table, 2)
    return desk


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.lies("", 2)
    return desk


@pytest.mark.parametrize(("think_s", "told"), [(4.5, [(0, "play", "legal")]), (7.0, [(0, "play", "illegal")])])
def test_who_lays_one_set_of_an_opening_and_thinks_is_called_only_after_long(
    desk: Desk, think_s: float, told: list[tuple[int, str, str]]
) -> None:
    """24 points lay there, and the other set was still on the rack (cw03)."""
    desk.changes("O8 K8 R8", think_s, by=ANN)
    if think_s < 7:
        desk.changes("O8 K8 R8 | R9 R10 R11", 5, by=ANN)
    assert desk.short == told


@pytest.mark.parametrize("lay_s", [3.5, 5.0])
def test_a_low_opening_over_which_the_next_player_draws_is_a_fault_before_that_draw(lay_s: float) -> None:
    """Nobody had called it; with no pool in view the next player's hands tell that no more comes to it."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT))
    desk.lies("", 2)
    desk.changes("O8 K8 R8", lay_s, by=ANN)
    for by, backs in ((BEN, 19), (CAT, 18)):
        desk.moves(by=by, arms=[arm_from(by)])
        desk.lies("O8 K8 R8", 5, backs=backs)
    desk.changes("O8 K8 R8 | R10 B10 K10", 8, by=ANN, backs=18)
    assert desk.short == [
        (0, "play", "illegal"), (1, "draw", "legal"), (2, "draw", "legal"), (0, "play", "legal"),
    ]  # fmt: skip


def test_a_fidget_while_somebody_thinks_about_an_opening_is_no_turn() -> None:
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT))
    desk.lies("", 2)
    desk.changes("O8 K8 R8", 3.5, by=ANN)
    desk.passes(BEN)
    desk.lies("O8 K8 R8", 1.5)
    desk.changes("O8 K8 R8 | R10 B10 K10", 5, by=ANN)
    assert desk.short == [(0, "play", "legal")]


def test_a_foul_and_its_putting_back_are_two_turns_of_the_same_player(desk: Desk) -> None:
    desk.changes("R9 B9 K9", 7)
    assert desk.short == [(0, "play", "illegal")]
    assert [problem.code for problem in desk.turns[0].problems] == ["opening-too-low"]
    desk.changes("R9 B9", 3)
    assert len(desk.turns) == 1, "half put back is not put back"
    desk.changes("", 3)
    desk.changes(OPENING, 3)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "play", "legal")]


def test_a_foul_is_put_back_though_a_mug_at_the_rim_looks_like_an_arm(desk: Desk) -> None:
    desk.changes(OPENING, 5)
    desk.changes(f"{OPENING} | R1 R2", 5)
    desk.moves()
    restored_s = desk.now
    desk.lies("~R10 ~B10 K10", 6, clear=False)
    assert desk.short[1:] == [(1, "play", "illegal"), (1, "put-back", "legal")]
    assert desk.turns[-1].end_s == pytest.approx(restored_s, abs=1)


def test_a_hand_that_rests_over_what_was_put_back_does_not_put_it_back_later() -> None:
    """The fault was paid for, and the table seen to lie as before it (af01)."""
    desk = Desk(places=places_at(ANN, BEN))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(f"{OPENING} | R1 R2", 7, by=BEN)
    desk.moves(by=BEN)
    restored_s = desk.now
    desk.lies(OPENING, 2.5, backs=19)
    desk.moves(0.5, by=BEN)
    desk.lies(OPENING, 2, backs=19, clear=False)
    desk.moves(0.5, by=BEN)
    desk.lies(OPENING, 5, backs=19)
    assert desk.short[1:] == [(1, "play", "illegal"), (1, "put-back", "legal")]
    assert desk.turns[-1].end_s == pytest.approx(restored_s, abs=1)


def test_a_foul_that_may_lie_under_an_arm_is_not_put_back_yet(desk: Desk) -> None:
    desk.changes(OPENING, 5)
    desk.changes(f"{OPENING} | R1 R2", 7)
    desk.changes(f"{OPENING} | ~R1 ~R2", 6, clear=False)
    assert desk.short[1:] == [(1, "play", "illegal")]


def test_who_has_begun_a_set_may_think_before_laying_more(desk: Desk) -> None:
    desk.changes("R9", 5)
    desk.changes("R9 B9", 5)
    desk.changes("R9 B9 O9 | R10 B10", 5)
    desk.changes("R9 B9 O9 | R10 B10 K10", 5)
    assert desk.short == [(0, "play", "legal")]


def test_a_set_that_is_begun_and_taken_back_was_a_foul(desk: Desk) -> None:
    desk.changes(OPENING, 5)
    desk.changes(f"{OPENING} | R1 R2", 4)
    assert desk.short == [(0, "play", "legal")]
    desk.changes(OPENING, 3)
    assert desk.short[1:] == [(1, "play", "illegal"), (1, "put-back", "legal")]


def test_a_foul_may_be_mended_into_a_legal_table(desk: Desk) -> None:
    desk.changes("R10 B10 K10 | B4", 6)
    desk.changes(OPENING, 3)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal")]
    assert desk.keeper.court.state.opened == (True, False)
    assert desk.keeper.court.seat == 1


def test_a_foul_that_is_put_back_before_it_is_called_is_told_afterwards(desk: Desk) -> None:
    desk.changes("R9 B9 K9", 3)
    assert desk.short == []
    desk.changes("", 3)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal")]
    illegal = desk.turns[0]
    assert str(illegal.after) == "R9 B9 K9"


def test_a_foul_that_is_told_afterwards_is_put_back_by_then_though_the_next_hands_come_at_once() -> None:
    """In a quick game a set, laid half a second after it, was a part of the fault (bc02)."""
    desk = Desk(places=places_at(ANN, BEN))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(f"{OPENING} | R1 R2", 4, by=BEN)
    desk.moves(by=BEN)
    desk.lies(OPENING, 0.5)
    desk.changes(f"{OPENING} | K1", 0.4, by=ANN)
    desk.changes(f"{OPENING} | K1 K2 K3", 5, by=ANN)
    assert desk.short[1:] == [(1, "play", "illegal"), (1, "put-back", "legal"), (0, "play", "legal")]


def test_a_fault_whose_tile_is_laid_aside_before_it_is_taken_back_ended_where_it_was_a_fault(
    desk: Desk,
) -> None:
    """The set was pushed together again first, and the tile lay alone for three seconds more (AV's av03)."""
    desk.changes(OPENING, 5)
    desk.changes(f"{OPENING} R1", 2.6)
    laid_s = desk.still_since
    desk.changes(f"{OPENING} | R1", 3)
    desk.changes(OPENING, 4)
    assert desk.short[1:] == [(1, "play", "illegal"), (1, "put-back", "legal")]
    assert desk.turns[1].end_s == pytest.approx(laid_s, abs=1)
    assert str(desk.turns[1].after) == f"{OPENING} R1"


def test_a_foul_over_which_hands_keep_moving_is_told_once_it_is_put_back(desk: Desk) -> None:
    """It never lies still for long, but it lies so for longer than anyone leaves a table in passing."""
    for _ in range(4):
        desk.changes("R9 B9 K9", 1)
    desk.changes("", 3)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal")]


def test_a_foul_over_which_others_pointed_for_a_while_is_told_once_it_is_put_back() -> None:
    """Their arms hid some of it when it had lain for long enough, and it lay open after that (cd03)."""
    desk = three_at(OPENING)
    desk.changes(f"{OPENING} | K9 R9", 1.6, by=ANN)
    desk.moves(by=BEN)
    desk.lies(f"{OPENING} | ~K9 ~R9", 1.2, clear=False)
    desk.moves(by=BEN)
    desk.lies(f"{OPENING} | K9 R9", 1.2)
    desk.changes(OPENING, 5, by=ANN)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal")]


@pytest.mark.parametrize("seen_whole", [True, False])
def test_a_foul_that_was_seen_part_by_part_past_resting_hands_is_told_once_it_is_put_back(
    seen_whole: bool,
) -> None:
    """A hand rested at the rim, then another one pointed from elsewhere: the table never lay clear (ch01)."""
    desk = three_at(OPENING)
    desk.changes(f"{OPENING} | K9 R9", 1.2, by=ANN, clear=False)
    desk.moves(by=BEN)
    desk.lies(f"{OPENING} | K9 R9", 1.6, clear=False, seen_whole=seen_whole)
    desk.changes(OPENING, 1, by=ANN, clear=False)
    desk.lies(OPENING, 4, since=desk.still_since)
    assert desk.short == ([(0, "play", "illegal"), (0, "put-back", "legal")] if seen_whole else [])


def test_a_tile_that_seemed_gone_before_others_came_was_not_taken_by_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sonja laid a twelve and took an orange four to her rack; others pointed before a second look (ch02)."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), opened=(True,) * 3, rack_sizes=(14,) * 3)
    fours = "R4 B4 K4 O4"
    desk.lies(f"{fours} | {OPENING}", 2)
    desk.changes(f"{fours} | {OPENING} | R1 R2 R3", 1.2, by=ANN)
    desk.moves(by=ANN)
    with monkeypatch.context() as unsure:
        sure = desk.lying

        def lying(*told: Any, **more: Any) -> LyingTable:
            lies = sure(*told, **more)
            return replace(lies, tiles_unsure=True, seem_gone=lies.hidden)

        unsure.setattr(desk, "lying", lying)
        desk.lies(f"R4 B4 K4 ~O4 | {OPENING} | R1 R2 R3", 0.4)
    taken_s = desk.now
    desk.moves(4.0, by=BEN, arms=[arm_from(BEN, anywhere=False)])
    desk.lies(f"R4 B4 K4 | {OPENING} | R1 R2 R3", 4)
    assert desk.short == [(0, "play", "illegal")]
    assert desk.turns[0].end_s == pytest.approx(taken_s, abs=2.5)


def test_a_foul_that_two_seem_to_have_laid_is_whose_turn_it_is_once_the_table_before_was_the_last() -> None:
    """Ann's hand rested at the rim as Ben laid, and Ben's own came to take it back (cj01)."""
    desk = three_at(OPENING)
    legal = f"{OPENING} | B7 B8 B9"
    desk.changes(legal, 2.6, by=ANN)
    desk.moves(by=BEN, share=0.5)
    desk.lies(f"{OPENING} | R6 B7 B8 B9", 2.4)
    desk.moves(by=BEN)
    desk.lies(legal, 4)
    assert desk.short == [(0, "play", "legal"), (1, "play", "illegal"), (1, "put-back", "legal")]


@pytest.mark.parametrize(
    ("by", "told"),
    [
        (BEN, [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "play", "legal")]),
        (ANN, [(0, "play", "illegal"), (0, "put-back", "legal")]),
    ],
    ids=["the next player laid", "the same one laid otherwise"],
)
def test_a_foul_that_is_put_back_before_the_next_one_lays_unseen_between(
    by: float, told: list[tuple[int, str, str]]
) -> None:
    """A head leaned in, and the table was looked at again when Pavel had laid in his turn (cj02)."""
    desk = three_at(OPENING)
    desk.changes(f"{OPENING} | B1 K1", 2.4, by=ANN)
    desk.moves(by=CAT)
    desk.lies(f"{OPENING} | B1 K1", 2.4)
    desk.moves(by=ANN)
    desk.moves(by=by)
    desk.lies(f"{OPENING} | R5 R6 R7", 1)
    desk.moves(by=CAT if by == BEN else BEN)
    desk.lies(f"{OPENING} | R5 R6 R7", 4)
    assert desk.short == told


def test_what_such_a_foul_costs_is_no_draw_where_only_a_second_look_shows_it() -> None:
    desk = three_at(OPENING)
    desk.changes(f"{OPENING} | B1 K1", 2.4, by=ANN, backs=20)
    desk.moves(by=CAT)
    desk.lies(f"{OPENING} | B1 K1", 2.4, backs=20)
    desk.moves(by=ANN)
    desk.moves(by=BEN)
    laid = f"{OPENING} | R5 R6 R7"
    desk.pool_unsure = True
    desk.lies(laid, 0.4, backs=20)
    desk.pool_unsure = False
    desk.lies(laid, 0.6, backs=17, since=desk.still_since)
    desk.moves(by=CAT)
    desk.lies(laid, 8, backs=17)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "play", "legal")]


def test_a_foul_of_which_less_was_hidden_later_is_told_once_it_is_put_back() -> None:
    """A head leaned in at the rim all the time, and a hand pointed at a seven meanwhile (cj02)."""
    desk = three_at(OPENING)
    desk.changes(f"{OPENING} | K9 R9", 0.8, by=ANN, clear=False)
    desk.moves(by=BEN)
    desk.lies("R10 B10 ~K10 | K9 R9", 2.4, clear=False)
    desk.moves(by=BEN)
    desk.lies(f"{OPENING} | K9 R9", 1.2, clear=False)
    desk.changes(OPENING, 5, by=ANN)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal")]


def test_who_ends_turns_with_the_button_may_try_things_out() -> None:
    desk = Desk(automatic=False)
    desk.lies("", 2)
    desk.changes("R9 B9 K9", 8)
    desk.changes("", 3)
    desk.changes(OPENING, 2)
    desk.press("end-turn")
    assert desk.short == [(0, "play", "legal")]


def test_a_game_that_goes_on_over_a_foul_is_followed(desk: Desk) -> None:
    desk.changes(OPENING, 3)
    desk.changes("R10 B10 K10 | R9 B9 K9 | R1", 8)
    desk.lies("R10 B10 K10 | R9 B9 K9 | R1", 3)
    desk.changes("R10 B10 K10 O10 | R9 B9 K9 | R1", 6)
    desk.changes("R10 B10 K10 O10 | R9 B9 K9 | R1 | B11 K11 O11", 6)
    plays = [(0, "play", "legal"), (1, "play", "illegal"), (0, "play", "legal"), (1, "play", "legal")]
    assert desk.short == plays
    assert [event.code for event in desk.said if isinstance(event, WatchNotice)] == ["played-on"]
    events = [event.event for event in desk.said if isinstance(event, Logged)]
    assert str(replay(events).state.table) == "R10 B10 K10 O10 | R9 B9 K9 | R1 | B11 K11 O11"
    # A set that is in dispute accuses nobody who builds on it.
    desk.changes("R10 B10 K10 O10 | R9 B9 K9 | R1 R3 | B11 K11 O11", 6)
    assert desk.short == [*plays, (0, "play", "ask")]


def test_a_game_that_goes_on_over_what_became_of_a_foul_is_followed() -> None:
    """It was put back into another table against the rules, and the game goes on over that one."""
    desk = Desk(opened=(True, True))
    left = "R10 B10 K10 | R9 B9"
    desk.lies("R10 B10 K10", 2)
    desk.changes("R10 B10 K10 | R9 B9 K8", 6)
    desk.changes(left, 6)
    desk.changes(f"{left} | B11 K11 O11", 6)
    assert desk.short == [(0, "play", "illegal"), (1, "play", "legal")]
    desk.changes(f"{left} | B11 K11 O11 | K1 K2 K3", 6)
    assert desk.short[2:] == [(0, "play", "legal")]


def test_draws_of_more_than_a_fault_costs_go_on_over_it_where_no_hands_are_seen() -> None:
    """A film without hands, or a picture a turn: nothing else says that the game goes on."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    desk.changes("R9 B9 K9", 7)
    for backs in (19, 18, 17):
        desk.changes("R9 B9 K9", 5, backs=backs)
    assert desk.short == [(0, "play", "illegal")], "they may be what it costs"
    for backs in (16, 15):
        desk.changes("R9 B9 K9", 5, backs=backs)
    assert [action for _, action, _ in desk.short] == ["play", "draw", "draw"]


def test_a_foul_that_may_be_misread_and_is_wholly_put_back_stays_a_question() -> None:
    desk = three_who_have_opened()
    desk.may_be["K8"] = "K9"
    desk.changes(f"{CATS} | R9 B9 K8", 2.5, by=ANN, confidence=0.94)
    assert desk.short[3:] == []
    desk.changes(CATS, 3.5, by=ANN)
    assert desk.short[3:] == [(0, "play", "ask"), (0, "put-back", "legal")]


def test_a_draw_over_a_foul_that_lies_is_the_next_players(desk: Desk) -> None:
    desk.changes("R9 B9 K9", 7)
    desk.press("draw")
    assert desk.short == [(0, "play", "illegal"), (1, "draw", "legal")]


def test_a_draw_right_after_a_putting_back_is_the_next_players(desk: Desk) -> None:
    desk.changes("R9 B9 K9", 6)
    desk.changes("", 1)
    desk.press("draw")
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "draw", "legal")]


def test_the_button_over_a_foul_warns_once() -> None:
    desk = Desk(automatic=False)
    desk.lies("", 2)
    desk.changes("R9 B9 K9", 3)
    desk.press("end-turn")
    desk.lies("R9 B9 K9", 3)
    desk.press("end-turn")
    assert desk.short == [(0, "play", "illegal")]
    desk.lies("R9 B9 K9", 3)
    desk.press("end-turn")
    assert desk.short == [(0, "play", "illegal"), (1, "draw", "legal")]
    codes = [event.code for event in desk.said if isinstance(event, WatchNotice)]
    assert codes == ["not-put-back", "played-on"]


@pytest.mark.parametrize(
    ("laid", "verdict"), [("R1 R2", "ask"), ("R1 B2 K3", "illegal")], ids=["wants another", "none in any case"]
)
def test_a_set_that_may_go_on_beyond_the_picture_is_asked_about(desk: Desk, laid: str, verdict: str) -> None:
    desk.changes(OPENING, 5)
    desk.changes("R11 B11 K11 | " + OPENING, 5)
    desk.at_border = True
    desk.changes(f"R11 B11 K11 | {OPENING} | {laid}", 8)
    assert desk.short[2:] == [(0, "play", verdict)]
    assert [one.code for one in desk.turns[2].questions] == (["goes-beyond?"] if verdict == "ask" else [])
    desk.changes(f"R11 B11 K11 | {OPENING} | {laid} | O1 K1 R1", 8)
    assert len(desk.short) == 4 or verdict == "illegal", "it is not asked about again"


def test_a_tile_that_vanished_is_a_fault() -> None:
    desk = Desk(automatic=False, opened=(True, True))
    desk.lies("R6 B6 K6 O6", 2)
    desk.changes("B6 K6 O6 | B1 K1 O1", 3)
    desk.press("end-turn")
    (turn,) = desk.turns
    assert turn.verdict == "illegal"
    assert "tile-vanished" in [problem.code for problem in turn.problems]


def test_a_play_that_is_taken_back_is_put_back_by_its_player(desk: Desk) -> None:
    """A fault that no camera sees, a tile drawn before playing, is settled at the table: nobody is accused."""
    desk.changes(OPENING, 3)
    desk.changes("", 6)
    assert desk.short == [(0, "play", "legal"), (0, "put-back", "legal")]
    desk.changes("R11 B11 K11", 3)
    desk.changes("R11 B11 K11 O11", 6)
    assert desk.short[2:] == [(1, "play", "legal"), (0, "play", "illegal")]


@pytest.mark.parametrize(("by", "short"), [(BEN, (1, "put-back", "legal")), (CAT + 0.75, (2, "play", "ask"))])
def test_who_takes_what_the_player_before_laid_has_not_put_it_back(
    by: float, short: tuple[int, str, str]
) -> None:
    """Hands that came from between two places, and rather not from Ben's, are asked about."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), opened=(True, True, True), automatic=False)
    desk.lies("R1 R2 R3", 2)
    for table, hands in (("R1 R2 R3 R4", ANN), ("R1 R2 R3 R4 R5", BEN), ("R1 R2 R3 R4", by)):
        desk.changes(table, 1, by=hands)
        desk.press("end-turn")
    assert desk.short[2] == short
    desk.changes("R1 R2 R3 R4 R5", 1, by=by)
    desk.press("end-turn")
    assert desk.short[3] == ((2, "play", "legal") if by == BEN else (2, "put-back", "legal"))


def test_a_foul_that_is_put_right_in_another_way_is_told_by_the_tile_that_was_taken_back(desk: Desk) -> None:
    desk.changes(f"{OPENING} | R9", 3)
    desk.changes(f"{OPENING} | B1 B2 B3", 3)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal")]
    assert [str(tile) for tile in desk.turns[0].played] == ["R10", "B10", "K10", "R9"]


def test_an_unfinished_table_that_is_finished_is_no_foul(desk: Desk) -> None:
    desk.changes(f"{OPENING} | B1 B2", 3)
    desk.changes(f"{OPENING} | B1 B2 B3", 3)
    assert desk.short == [(0, "play", "legal")]


def test_a_tile_that_was_away_for_long_and_is_brought_back_was_gone_against_the_rules(desk: Desk) -> None:
    desk.changes(OPENING, 3)
    desk.changes(f"{OPENING} | B10 B11 B12 B13", 3)
    for _ in range(5):
        desk.changes(f"{OPENING} | B10 B11 B12", 1)
    desk.changes(f"{OPENING} | B9 B10 B11 B12 B13", 3)
    assert desk.short[2:] == [(0, "play", "illegal"), (0, "put-back", "legal")]


def test_a_tile_that_is_held_for_a_moment_and_laid_down_again_is_no_foul(desk: Desk) -> None:
    desk.changes(OPENING, 3)
    desk.changes(f"{OPENING} | B10 B11 B12 B13", 3)
    desk.changes(f"{OPENING} | B10 B11 B12", 3)
    desk.changes(f"{OPENING} | B9 B10 B11 B12 B13", 3)
    assert desk.short[2:] == [(0, "play", "legal")]


def test_the_last_play_may_be_taken_up_and_laid_down_again_with_more(desk: Desk) -> None:
    desk.changes(OPENING, 3)
    for _ in range(5):
        desk.changes("", 1)
    desk.changes(f"{OPENING} | B10 B11 B12", 4)
    assert desk.short[0] == (0, "play", "legal")
    assert "illegal" not in {verdict for _, _, verdict in desk.short}


def test_a_row_that_was_torn_apart_and_joined_again_is_somebody_thinking(desk: Desk) -> None:
    desk.changes(OPENING, 3)
    desk.changes(f"{OPENING} | B10 B11 B12 B13", 3)
    desk.changes(f"{OPENING} | B10 B11 B12 | B13", 6)
    desk.changes(f"{OPENING} | B10 B11 B12 B13", 3)
    desk.changes(f"{OPENING} | B9 B10 B11 B12 B13", 3)
    assert desk.short[2:] == [(0, "play", "legal")]


@pytest.mark.parametrize(("lay_s", "is_foul"), [(2.2, False), (4.5, True)])
def test_a_run_that_is_cut_and_joined_again_with_nothing_laid_is_a_thought(
    desk: Desk, lay_s: float, is_foul: bool
) -> None:
    """Seven tiles were three and four for 1.7 s, and an eighth was laid then (cutout-11806)."""
    desk.changes(OPENING, 3)
    desk.changes(f"{OPENING} | B8 B9 B10 B11 B12 B13", 3)
    desk.changes(f"{OPENING} | B8 B9 B10 | B11 B12 B13", lay_s)
    desk.changes(f"{OPENING} | B8 B9 B10 B11 B12 B13", 2)
    desk.changes(f"{OPENING} | B7 B8 B9 B10 B11 B12 B13", 4)
    foul = [(0, "play", "illegal"), (0, "put-back", "legal")]
    assert desk.short[2:4] == (foul if is_foul else [(0, "play", "legal")])


def test_a_row_that_stays_torn_apart_is_a_foul(desk: Desk) -> None:
    desk.changes(OPENING, 3)
    desk.changes(f"{OPENING} | B10 B11 B12 B13", 3)
    desk.changes(f"{OPENING} | B10 B11 B12 | B13", 14)
    assert desk.short[2:] == [(0, "play", "illegal")]


FOUL = "K3 O3 R3 | K5 O5 R5"


def test_what_was_taken_back_with_its_set_is_gone_though_its_place_looks_covered(desk: Desk) -> None:
    """On a motley carpet one bare place of six was taken for a covered one."""
    desk.changes(FOUL, 7)
    assert desk.short == [(0, "play", "illegal")]
    desk.changes("~O5", 4)
    assert desk.short[1:] == [(0, "put-back", "legal")]
    desk.changes(f"~O5 | {OPENING}", 5)
    assert desk.short[2:] == [(1, "play", "legal")]
    assert "O5" not in str(desk.turns[2].after)


def test_what_was_taken_back_is_gone_though_two_of_its_places_look_covered(desk: Desk) -> None:
    """On a striped cloth, after the camera was knocked (composer AW's third)."""
    desk.changes(FOUL, 6)
    desk.changes("K3 ~O3 ~R3 | ~K5 ~O5 R5", 1)
    desk.changes("~O3 ~R3 | ~K5 ~O5", 4)
    assert desk.short[1:] == [(0, "put-back", "legal")]
    desk.changes(f"~O3 ~R3 | ~K5 ~O5 | {OPENING}", 5)
    assert desk.short[2:] == [(1, "play", "legal")]


def test_what_may_lie_there_after_a_putting_back_is_held_against_nobody() -> None:
    """What was asked about then stays out of view, and is gone some turns later."""
    desk = Desk(automatic=False, opened=(True, True))
    desk.lies(OPENING, 2)
    desk.changes(f"{OPENING} | K8 O8", 2)
    desk.press("end-turn")
    desk.changes(f"{OPENING} | ~K8 ~O8", 2, clear=False)
    desk.press("end-turn")
    desk.lies(f"{OPENING} | ~K8 ~O8", 6, clear=False)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "ask")]
    desk.changes(f"{OPENING} | ~K8 ~O8 | B1 B2 B3", 2)
    desk.press("end-turn")
    assert desk.short[2:] == [(1, "play", "legal")]
    desk.forgets("K8")
    desk.forgets("O8")
    desk.changes(f"{OPENING} | B1 B2 B3 B4", 2)
    desk.press("end-turn")
    assert desk.short[3:] == [(0, "play", "ask")], (
        "it may have been taken up since, but nobody is accused of it"
    )


def test_what_nobody_could_ever_read_between_two_sets_is_asked_about_before_they_are_one_faulty_set(
    desk: Desk,
) -> None:
    """In the dark, carpet between two tiles passed for a face: O5 O6 O7 ?? O6 O7 O8 was no run."""
    desk.changes(OPENING, 5)
    desk.changes(f"{OPENING} | O9 O10 O11 ?? O10 O11 O12", 9)
    assert desk.short[1:] == [(1, "play", "ask")]
    assert [question.code for question in desk.turns[-1].questions] == ["really-so?"]


def test_a_faulty_set_stays_one_whatever_cannot_be_read_in_it(desk: Desk) -> None:
    desk.changes(OPENING, 5)
    desk.changes(f"{OPENING} | O9 R3 ?? O10 O11 O12", 9)
    assert desk.short[1:] == [(1, "play", "illegal")]


def test_what_nobody_could_ever_read_and_is_gone_was_taken_by_nobody(desk: Desk) -> None:
    """A gap between two rows passed for a tile for a while; then somebody had made it vanish (bh01)."""
    desk.changes(OPENING, 5)
    desk.changes(f"{OPENING} | R9 R10 R11 ??", 6)
    desk.changes(f"{OPENING} | R9 R10 R11", 6)
    desk.changes(f"{OPENING} | R9 R10 R11 R12", 6)
    assert desk.short[1:] == [(1, "play", "ask"), (0, "play", "legal")]


def test_nobody_is_accused_of_having_taken_with_a_play_what_was_never_read(desk: Desk) -> None:
    desk.changes(OPENING, 5)
    desk.changes(f"{OPENING} | R9 R10 R11 ??", 6)
    desk.changes(f"{OPENING} | R9 R10 R11 | B9 B10 B11", 6)
    assert desk.short[1:] == [(1, "play", "ask"), (0, "play", "ask")]


def test_a_third_copy_that_also_spoils_its_set_is_asked_about(desk: Desk) -> None:
    """One tile misread, or mirrored in the table's shine, explains both faults; a third copy alone is one."""
    desk.changes("J R9 R10 R11", 5)
    desk.changes("J R9 R10 R11 | J J", 6)
    assert desk.short == [(0, "play", "legal"), (1, "play", "ask")]
    other = Desk()
    other.lies("", 2)
    other.changes("R10 B10 K10", 5)
    other.changes("R10 B10 K10 | R10 B10 O10 | K10 O10 R10", 6)
    assert other.short == [(0, "play", "legal"), (1, "play", "illegal")]


@pytest.mark.parametrize(
    ("after", "told"),
    [("~R10 B10 K10", [(1, "play", "illegal"), (1, "put-back", "legal")]), (OPENING, [])],
    ids=["mug", "hand"],
)
def test_a_foul_beside_what_hid_tiles_is_told_where_that_proves_to_stand_there(
    desk: Desk, after: str, told: list[tuple[int, str, str]]
) -> None:
    """A mug was put down just before: only what rests for long is known from a hand (11744)."""
    desk.changes(OPENING, 5)
    desk.changes("~R10 B10 K10 | R9 B9 K9 R8", 3, clear=False)
    desk.changes(after, 2.5)
    assert desk.short[1:] == told


def test_a_foul_costs_the_tiles_that_were_seen_to_be_drawn_for_it() -> None:
    """The Hebrew sheet says three; people settle it otherwise (11763)."""
    desk = Desk(edition="he", opened=(True, True), rack_sizes=(48, 50))
    desk.lies("R6 R7 R8 R9", 2)
    assert desk.keeper.court.state.pool == 4
    desk.changes("R6 R7 R8 R9 B1", 6)
    desk.changes("R6 R7 R8 R9", 3, backs=19)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal")]
    state = desk.keeper.court.state
    assert (state.racks, state.pool) == ((49, 50), 3)


@pytest.mark.parametrize("lay_s", [0.9, 1.4])
def test_a_group_that_another_lifts_is_no_putting_back_of_who_was_asked_about_it(lay_s: float) -> None:
    """Ann's opening was asked about; Ben lifts it to use it, and somebody reaches for crisps meanwhile."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT))
    bens = "B11 K11 O11"
    cats = f"{bens} | B12 K12 O12"
    used = f"{cats} | {OPENING} O10"
    desk.lies("", 2)
    desk.changes("", 6, by=ANN, backs=19)
    desk.changes(bens, 6, by=BEN, backs=19)
    desk.changes(cats, 6, by=CAT, backs=19)
    desk.changes(cats, 0.5, by=ANN, share=0.5, backs=19)
    desk.changes(f"{cats} | {OPENING}", 6, by=ANN, backs=18)
    assert desk.short[-1] == (0, "play", "ask")
    desk.moves(by=BEN, share=0.5)
    desk.lies(cats, lay_s, backs=18)
    desk.changes(cats, 0.5, by=CAT, backs=18)
    desk.changes(used, 6, by=BEN, backs=18)
    desk.changes(f"{used} | B1 B2 B3", 6, by=CAT, backs=18)
    desk.changes(f"{used} | B1 B2 B3 | R1 R2 R3", 6, by=ANN, backs=18)
    assert "illegal" not in {turn.verdict for turn in desk.turns}


def test_what_was_no_fault_but_a_likeness_that_keeps_changing_does_not_cost_the_rest_of_the_game() -> None:
    desk = three_who_have_opened()
    desk.changes(f"{CATS} | R9 B9", 8, by=ANN)
    assert desk.short[3:] == [(0, "play", "illegal")]
    bens = f"{CATS} | O1 O2 O3"
    desk.changes(f"{bens} | R7 B2", 10, by=BEN)
    desk.changes(f"{bens} | R4 R5 R6 | R13 B9", 12, by=CAT)
    assert [event.code for event in desk.said if isinstance(event, WatchNotice)] == ["played-on"]
    desk.changes(f"{bens} | R4 R5 R6 R7 | R13 B9", 8, by=ANN)
    assert [(action, verdict) for _, action, verdict in desk.short[4:]] == [("play", "legal")]


def test_a_fault_is_its_players_whatever_a_half_covered_table_looked_like_since() -> None:
    """The pool is not sure then, and for the next player, who has opened, it would be legal (BK's bk01)."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(OPENING, 1, by=BEN)
    desk.changes(OPENING, 5, by=BEN, backs=19)
    desk.changes(f"{OPENING} | B1 B2 B3", 2.2, by=CAT, share=0.5, backs=19)
    desk.moves(by=CAT, share=0.5)
    desk.pool_unsure = True
    desk.lies(f"{OPENING} | ~B1 ~B2 B3", 0.5, backs=19)
    desk.pool_unsure = False
    desk.changes(OPENING, 4, by=CAT, backs=18)
    assert desk.short[1:] == [(1, "draw", "legal"), (2, "play", "illegal"), (2, "put-back", "legal")]


def test_a_tile_that_comes_back_after_others_pointed_at_its_place_shows_a_fault_and_its_price() -> None:
    """Ann took a five to her rack with a play; she lays it back, draws three, and takes hers back (bx01)."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), opened=(True,) * 3, rack_sizes=(14,) * 3)
    fives, lies = "R5 B5 K5 O5", "K4 K5 K6"
    desk.lies(f"{fives} | {lies}", 2)
    desk.changes(f"R5 B5 K5 | K3 {lies}", 2.4, by=ANN)
    desk.passes(CAT, 2.2)
    desk.lies(f"R5 B5 K5 | K3 {lies}", 2.2)
    desk.forgets("O5")
    desk.changes(f"{fives} | K3 {lies}", 1.0, by=ANN)
    for left in (19, 18, 17):
        desk.changes(f"{fives} | K3 {lies}", 1.0, by=ANN, backs=left)
    desk.changes(f"{fives} | {lies}", 6, by=ANN, backs=17)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal")]


@pytest.mark.parametrize(
    ("gone", "taker", "told"),
    [
        (3, ANN, [(0, "play", "illegal"), (0, "put-back", "legal")]),
        (1, ANN, [(0, "draw", "legal")]),  # a thought, taken back
        (3, BEN, [(0, "draw", "legal")]),  # others took them: no fault is told by that
    ],
)
def test_a_fault_taken_back_at_once_is_one_where_the_same_hands_pay_for_it(
    gone: int, taker: float, told: list[tuple[int, str, str]]
) -> None:
    """It lay for a second and a half, too short to be called (bz02, shown quicker)."""
    desk = three_at(OPENING)
    desk.changes(f"{OPENING} | K9 R9", 1.4, by=ANN)
    desk.moves(by=ANN)
    desk.lies(OPENING, 0.2, backs=20)
    desk.changes(OPENING, 0.5, by=taker, backs=20 - gone)
    desk.changes(OPENING, 3, by=CAT, backs=20 - gone)
    assert desk.short[: len(told)] == told


@pytest.mark.parametrize(
    ("amid", "told"),
    [(True, [(0, "play", "illegal"), (0, "put-back", "legal")]), (False, [(0, "draw", "legal")])],
)
def test_a_back_taken_amid_the_putting_back_of_a_short_fault_pays_for_it(
    amid: bool, told: list[tuple[int, str, str]]
) -> None:
    """Nobody who thought better of it draws before all is back."""
    desk = three_at(OPENING)
    desk.changes(f"{OPENING} | K9 R9", 1.4, by=ANN)
    desk.changes(f"{OPENING} | R9", 0.8, by=ANN, backs=20 - amid)
    desk.changes(OPENING, 2, by=ANN, backs=19)
    desk.changes(f"{OPENING} | R5 R6 R7", 5, by=BEN, backs=19)
    assert desk.short == [*told, (1, "play", "legal")]


@pytest.mark.parametrize(("laid_s", "told"), [(1.4, [(0, "play", "ask"), (0, "put-back", "legal")]), (0.4, [])])
def test_who_had_a_tile_of_the_table_for_a_moment_and_then_draws_is_asked(
    laid_s: float, told: list[tuple[int, str, str]]
) -> None:
    """It may have been its price, or their draw; what no two looks show was in a hand (by02)."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), opened=(True,) * 3, rack_sizes=(14,) * 3)
    fives = "R5 B5 K5 O5"
    desk.lies(fives, 2)
    desk.changes("R5 B5 K5", laid_s, by=ANN)
    desk.changes(fives, 0.6, by=ANN)
    desk.changes(fives, 2, by=ANN, backs=19)
    desk.changes(f"{fives} | R1 R2 R3", 5, by=BEN, backs=19)
    assert desk.short == [*(told or [(0, "draw", "legal")]), (1, "play", "legal")]


def test_what_one_look_could_not_see_and_the_next_saw_gone_was_in_a_hand() -> None:
    """The table lay so for two looks, and its player pays for it: it is asked (cq03)."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), opened=(True,) * 3, rack_sizes=(14,) * 3)
    fives = "R5 B5 K5 O5"
    desk.lies(fives, 2)
    desk.moves(by=ANN)
    desk.lies("R5 B5 K5 ~O5 | R9", 0.5)
    desk.lies("R5 B5 K5 | R9", 0.5, since=desk.still_since)
    desk.changes(f"{fives} | ~R9", 0.5, by=ANN)
    desk.changes(fives, 0.5, by=ANN)
    desk.lies(fives, 1.5, backs=19, since=desk.still_since)
    desk.changes(f"{fives} | R1 R2 R3", 5, by=BEN, backs=19)
    assert desk.short == [(0, "play", "ask"), (0, "put-back", "legal"), (1, "play", "legal")]


def test_sets_that_lie_otherwise_in_one_look_are_not_agreed_upon_by_what_is_in_view() -> None:
    """Who tries, joins them again, takes all back and draws has thought: the same tiles lay legally before."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), opened=(True,) * 3, rack_sizes=(14,) * 3)
    desk.lies(OPENING, 2)
    desk.moves(by=ANN)
    desk.lies(f"{OPENING} O10 | R1 R2 R3", 1.5)
    desk.moves(0.5, by=ANN)
    desk.lies(f"{OPENING} | O10 | R1 R2 R3", 0.4)
    desk.changes(f"{OPENING} | R1 R2 R3", 0.5, by=ANN, backs=19)
    desk.changes(OPENING, 6, by=ANN, backs=19)
    desk.changes(f"{OPENING} | B5 B6 B7", 5, by=BEN, backs=19)
    assert desk.short == [(0, "draw", "legal"), (1, "play", "legal")]


@pytest.mark.parametrize(
    ("tile", "payer", "told"),
    [
        ("B9", ANN, True),
        ("B9", (ANN + CAT) / 2, True),
        ("B9", BEN, False),
        ("R13", ANN, False),
        ("R11", ANN, False),
        ("| R6 R7 B8", ANN, False),
    ],
    ids=[
        "fits nothing",
        "and drew nearer to the pool",
        "and the next one drew",
        "fits",
        "once more",
        "own tiles",
    ],
)
def test_who_takes_back_a_tile_that_never_fits_and_draws_is_asked(tile: str, payer: float, told: bool) -> None:
    """It was a fault that its player saw, or a misread tile; what fits is a thought (cr03, ct03)."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), opened=(True,) * 3, rack_sizes=(14,) * 3)
    run = "R10 R11 R12"
    desk.lies(run, 2)
    desk.changes(f"{run} {tile}", 1.4, by=ANN)
    desk.changes(run, 0.6, by=ANN)
    desk.changes(run, 5, by=payer, backs=19)
    asked = [(0, "play", "ask"), (0, "put-back", "legal")]
    assert desk.short[:2] == asked if told else desk.short[0][1:] == ("draw", "legal")
