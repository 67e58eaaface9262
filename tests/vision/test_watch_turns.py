"""Turns out of tables in time: no picture is needed for that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from watch_desk import OPENING, Desk

from referee import Deal, Play, SeenTile, StartMatch, TimeOut, replay
from vision.watch.sight import Sight
from vision.watch.turn_settings import TurnSettings
from vision.watch.turns import TurnKeeper
from vision.watch.types import Logged, LyingSet, LyingTable, WatchNotice


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.lies("", 2)
    return desk


def test_a_turn_ends_by_itself_when_a_legal_table_is_clear_and_still(desk: Desk) -> None:
    desk.changes(OPENING, 1.5)
    assert desk.short == []
    desk.lies(OPENING, 3)
    assert desk.short == [(0, "play", "legal")]
    (turn,) = desk.turns
    assert [str(tile) for tile in turn.played] == ["R10", "B10", "K10"]
    assert (str(turn.before), str(turn.after), turn.opening_points) == ("", OPENING, 30)


def test_the_log_tells_the_same_game(desk: Desk) -> None:
    desk.changes(OPENING, 3)
    desk.changes(f"{OPENING} | B11 K11 O11", 3)
    events = [event.event for event in desk.said if isinstance(event, Logged)]
    state = replay(events).state
    assert str(state.table) == f"{OPENING} | B11 K11 O11"
    assert (state.racks, state.opened, state.turn) == ((11, 11), (True, True), 0)


def test_hands_over_the_table_end_no_turn(desk: Desk) -> None:
    desk.changes(OPENING, 6, clear=False)
    assert desk.short == []


def test_an_unfinished_table_is_no_turn_yet(desk: Desk) -> None:
    desk.changes("R10 B10", 3)
    desk.changes(OPENING, 3)
    assert desk.short == [(0, "play", "legal")]


def test_the_button_ends_a_turn_at_once() -> None:
    desk = Desk(automatic=False)
    desk.lies("", 2)
    desk.changes(OPENING, 8)
    assert desk.short == []
    pressed = desk.now
    desk.press("end-turn")
    assert desk.short == [(0, "play", "legal")]
    assert desk.turns[0].end_s == pytest.approx(pressed)


def test_the_button_waits_for_hands_to_leave() -> None:
    desk = Desk(automatic=False)
    desk.lies("", 2)
    desk.moves()
    pressed = desk.now
    desk.press("end-turn")
    desk.moves(0.5)
    desk.lies(OPENING, 1.5)
    assert desk.short == [(0, "play", "legal")]
    assert desk.turns[0].end_s == pytest.approx(pressed)


def test_the_button_judges_no_table_that_was_read_before_hands_changed_it() -> None:
    desk = Desk(automatic=False)
    desk.lies("", 2)
    desk.moves()
    came_to_rest = desk.now
    desk.ticks(0.2, came_to_rest)  # at rest, but not read yet
    desk.press("end-turn")
    assert desk.turns == []
    desk.lies(OPENING, 1)
    assert desk.short == [(0, "play", "legal")]


def test_the_button_after_a_turn_that_ended_by_itself_means_that_end(desk: Desk) -> None:
    desk.changes(OPENING, 3)
    desk.press("end-turn")
    assert desk.short == [(0, "play", "legal")]


def test_the_button_on_an_unchanged_table_is_an_inferred_draw(desk: Desk) -> None:
    desk.press("end-turn")
    assert desk.short == [(0, "draw", "legal")]
    assert desk.turns[0].inferred


def test_signals_tell_draws_and_passes(desk: Desk) -> None:
    desk.press("draw")
    desk.lies("", 2)
    desk.press("pass")
    assert desk.short == [(0, "draw", "legal"), (1, "pass", "legal")]
    assert not desk.turns[0].inferred


def test_a_draw_told_before_the_turn_before_it_has_ended_belongs_to_the_next_player(desk: Desk) -> None:
    desk.changes(OPENING, 1)
    desk.press("draw")
    assert desk.short == [(0, "play", "legal"), (1, "draw", "legal")]


def test_a_back_fewer_in_the_pool_is_a_draw() -> None:
    desk = Desk()
    desk.lies("", 2, backs=20)
    desk.moves()
    desk.lies("", 3, backs=19)
    assert desk.short == [(0, "draw", "legal")]


def test_a_draw_before_a_play_ends_its_own_turn() -> None:
    desk = Desk()
    desk.lies("", 2, backs=20)
    desk.changes(OPENING, 3, backs=19)
    assert desk.short == [(0, "draw", "legal"), (1, "play", "legal")]


def test_nobody_draws_and_plays() -> None:
    desk = Desk()
    desk.lies("", 2, backs=20)
    desk.changes(OPENING, 1, backs=20)
    desk.changes(OPENING, 1, backs=19)
    assert desk.short == [(0, "play", "legal"), (1, "draw", "legal")]


def test_hands_that_came_for_nothing_may_have_drawn(desk: Desk) -> None:
    """Ann has opened and Ben has not: a single tile laid by Ben would be a foul, by Ann it is none."""
    desk.changes(OPENING, 3)
    desk.changes(OPENING, 3)
    desk.changes("R10 B10 K10 O10", 3)
    assert desk.short == [(0, "play", "legal"), (1, "draw", "legal"), (0, "play", "legal")]
    assert [turn.inferred for turn in desk.turns] == [False, True, False]


def test_without_such_hands_it_is_the_next_players_foul(desk: Desk) -> None:
    desk.changes(OPENING, 3)
    desk.changes("R10 B10 K10 O10", 6)
    assert desk.short == [(0, "play", "legal"), (1, "play", "illegal")]


def test_backs_tell_nothing_where_draws_are_told() -> None:
    desk = Desk(draws_told=True)
    desk.lies("", 2, backs=20)
    desk.moves()
    desk.lies("", 3, backs=19)
    assert desk.short == []


def test_a_doubt_is_asked_about_and_counts() -> None:
    desk = Desk(automatic=False)
    desk.lies("", 2)
    desk.changes("R10 B10 K10/K9", 3)
    desk.press("end-turn")
    assert desk.short == [(0, "play", "ask")]
    assert desk.keeper.court.seat == 1


def test_nobody_is_accused_by_a_tile_that_is_not_read_surely() -> None:
    sure, unsure = Desk(automatic=False), Desk(automatic=False)
    for desk, confidence in ((sure, 0.9999), (unsure, 0.95)):
        desk.lies("", 2)
        desk.keeper.court._opened[0] = True
        lying = desk.lying("R6 R7 R9", confidence=confidence)
        nine = lying.tiles[2]
        others = ((SeenTile.parse("R8"), 0.02),)
        lying = replace(lying, tiles=(*lying.tiles[:2], replace(nine, alternatives=others)))
        desk.moves()
        desk.said += desk.keeper.saw(Sight(lying, desk.now, True, 9))
        desk.ticks(0.5, desk.now)
        desk.press("end-turn")
    assert [turn.verdict for turn in sure.turns] == ["illegal"]
    assert [turn.verdict for turn in unsure.turns] == ["ask"]


def test_a_tile_that_turned_into_its_likeness_is_asked_about() -> None:
    desk = Desk(automatic=False, opened=(True, True))
    desk.lies("R6 B6 K6 O6", 2)
    desk.changes("R9 B6 K6 O6", 3)
    desk.press("end-turn")
    (turn,) = desk.turns
    assert turn.verdict == "ask"
    assert "same-tile?" in [question.code for question in turn.questions]


def test_a_tile_that_spoils_its_set_as_another_vanished_is_asked_about() -> None:
    """O6 read as O7 in a run that was relaid; a true exchange leaves good sets, and is a foul."""
    turns = []
    for before, after, opened in (
        ("O4 O5 O6 O7 O8", "O4 O5 O7 O7 O8 O9", True),
        ("R6 B6 K6", "R6 B6 O6", True),
        ("R6 B6 K6", "R6 B6 O6", False),
        ("B3 B4 B5 B6", "B4 B5 B6 B7", False),
    ):
        desk = Desk(automatic=False, opened=(opened, opened))
        desk.lies(before, 2)
        desk.changes(after, 3)
        desk.press("end-turn")
        turns += desk.turns
    assert [turn.verdict for turn in turns] == ["ask", "illegal", "illegal", "illegal"]
    assert "same-tile?" in [question.code for question in turns[0].questions]


def test_time_runs_out_on_an_unfinished_table() -> None:
    desk = Desk(turn_seconds=30)
    desk.lies("", 10)
    desk.changes("R10 B10", 1)
    while desk.now < 34:
        desk.moves(1)
    assert desk.short == [(0, "time-out", "illegal")]
    assert desk.turns[0].end_s == pytest.approx(30, abs=0.2)
    desk.lies("", 3)
    assert desk.short[1:] == [(0, "put-back", "legal")]
    assert desk.keeper.court.seat == 1
    assert [type(e.event) for e in desk.said if isinstance(e, Logged)].count(TimeOut) == 1


def test_watching_begins_in_mid_game_and_asks_only_where_it_matters() -> None:
    desk = Desk(automatic=False)
    desk.lies("R6 B6 K6 | O1 O2 O3", 2)
    desk.changes("R6 B6 K6 | O1 O2 O3 O4", 3)
    desk.press("end-turn")
    (turn,) = desk.turns
    assert turn.verdict == "ask"
    assert [question.code for question in turn.questions] == ["has-opened?"]
    desk.lies("R6 B6 K6 | O1 O2 O3 O4", 1)
    desk.changes("R6 B6 K6 | O1 O2 O3 O4 | R11 B11 K11", 3)
    desk.press("end-turn")
    assert desk.turns[1].verdict == "legal", "thirty points are enough whoever had opened"


def test_a_speck_of_the_cloth_is_no_tile_to_begin_with() -> None:
    desk = Desk()
    desk.lies("K12/K13/J", 2)
    desk.changes(f"K12/K13/J | {OPENING}", 5)
    desk.changes(f"K12/K13/J | {OPENING} | R1 B1 O1 K1", 9)
    assert desk.short == [(0, "play", "legal"), (1, "play", "illegal")]
    assert [type(event.event) for event in desk.said if isinstance(event, Logged)][:2] == [StartMatch, Deal]
    assert [problem.code for problem in desk.turns[1].problems] == ["opening-too-low"]
    assert "K12" not in str(desk.turns[1].after)


def test_what_was_faulty_when_watching_began_is_nobodys_fault() -> None:
    desk = Desk(opened=(True, True))
    desk.lies("R1 R2 R3 | K4 K6 K7", 2)
    desk.changes("R1 R2 R3 R4 | K4 K6 K7", 5)
    desk.changes("R1 R2 R3 R4 | K4 K6 K7 K8", 9)
    assert [event.code for event in desk.said if isinstance(event, WatchNotice)] == ["faulty-before"]
    assert desk.short[0] == (0, "play", "legal")
    assert desk.turns[1].verdict == "ask", "whoever touches it is asked"


@pytest.mark.parametrize("opened", [(True, True), (False, False), None])
def test_a_tile_cut_off_in_the_first_look_belongs_to_its_set_in_the_next(
    opened: tuple[bool, bool] | None,
) -> None:
    desk = Desk(opened=opened)
    desk.lies("K5 K6 K7 | K7/K8", 0.4)
    desk.lies("K5 K6 K7 K7/K8", 6, since=desk.still_since)
    assert desk.turns == []


def test_the_looks_before_the_first_turn_tell_what_was_faulty() -> None:
    desk = Desk(opened=(True, True))
    desk.lies("R1 R2 R3 | K4/K5/J K6 K7", 0.4)
    rest = "K4 K6 K7"
    desk._keys[rest.split()[0]] = desk._keys["K4/K5/J"]
    desk.lies(f"R1 R2 R3 | {rest}", 2, since=desk.still_since)
    desk.changes(f"R1 R2 R3 R4 | {rest}", 5)
    assert desk.short == [(0, "play", "legal")]


def test_a_question_of_who_had_opened_makes_up_no_draws() -> None:
    desk = Desk()
    desk.lies("R1 R2 R3", 2)
    desk.changes("R1 R2 R3 | K4 K5 K6", 5)
    desk.changes("R1 R2 R3 | K4 K5 K6", 1.5)  # a hand that points, or one that drew
    desk.changes("R1 R2 R3 R4 | K4 K5 K6", 5)
    assert desk.short == [(0, "play", "ask"), (1, "play", "ask")]
    assert {question.code for turn in desk.turns for question in turn.questions} == {"has-opened?"}


def test_a_hidden_tile_in_an_old_set_raises_no_question(desk: Desk) -> None:
    desk.changes(OPENING, 3)
    desk.changes("R10 ~B10 K10 | B11 K11 O11", 3)
    assert desk.short == [(0, "play", "legal"), (1, "play", "legal")]


def test_a_game_goes_on_from_its_log(desk: Desk) -> None:
    desk.changes(OPENING, 3)
    events = [event.event for event in desk.said if isinstance(event, Logged)]
    again = Desk()
    again.keeper = TurnKeeper(again.setup, TurnSettings(), events)
    again.lies(OPENING, 2)
    again.changes(f"{OPENING} | B11 K11 O11", 3)
    assert again.short == [(1, "play", "legal")]
    fresh = [event.event for event in again.said if isinstance(event, Logged)]
    assert [type(event) for event in fresh] == [Play]


def test_tiles_that_nobody_touched_are_the_sets_they_were(desk: Desk) -> None:
    desk.changes("R10 B10 K10 | R1 R2 R3", 3)
    tiles = desk.lying("R10 B10 K10 | R1 R2 R3").tiles
    keys = [tile.key for tile in tiles]
    for cut in ([keys[:1], keys[1:3], keys[3:]], [keys], [keys[:3], keys[3:4], keys[4:]]):
        desk.moves()
        shaken = tuple(replace(t, corners_xy_px=t.corners_xy_px + np.float32([40, 9])) for t in tiles)
        lying = LyingTable(desk.now, shaken, tuple(LyingSet(tuple(part)) for part in cut))
        for looks in range(1, 9):
            desk.said += desk.keeper.saw(Sight(lying, desk.now, True, looks))
            desk.ticks(0.5, desk.now)
    assert desk.short == [(0, "play", "legal")]
    # Where a tile is really taken away, the cut is what it is.
    desk.changes("R10 K10 | R1 R2 R3", 6)
    assert desk.short[-1] == (1, "play", "illegal")


def test_a_tile_that_seems_to_be_gone_is_looked_at_again(desk: Desk) -> None:
    desk.changes(OPENING, 3)
    assert not desk.keeper.wants_more
    unsure = replace(desk.lying(OPENING), tiles_unsure=True)
    desk.keeper.saw(Sight(unsure, desk.now, True, 1))
    assert desk.keeper.wants_more
