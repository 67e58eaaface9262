"""The button, pressed while hands are still over the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from watch_desk import OPENING, Desk

from vision.watch.setup import WatchSetup
from vision.watch.sight import Sight
from vision.watch.types import Signal


def under_a_hand(*, automatic: bool = True) -> Desk:
    """Ann's hand rests over the table, and nothing new is seen beside it."""
    desk = Desk(automatic=automatic)
    desk.lies("", 2)
    desk.moves()
    desk.lies("", 0.5, clear=False)
    return desk


def test_what_lies_under_a_hand_at_the_button_is_waited_for() -> None:
    """With nothing new in view, it was a draw, or all that was laid lies under the hand."""
    desk = under_a_hand()
    desk.press("end-turn")
    pressed_s = desk.now
    desk.lies("", 4, clear=False)
    assert desk.turns == []
    desk.changes(OPENING, 1)
    assert desk.short == [(0, "play", "legal")]
    assert desk.turns[0].end_s == pytest.approx(pressed_s)


@pytest.mark.parametrize("row", ["R10 B10 K10/K11/K13", "R10 B10"])
def test_what_is_not_legal_under_a_hand_at_the_button_is_waited_for(row: str) -> None:
    desk = Desk(automatic=False)
    desk.lies("", 2)
    desk.changes(row, 0.5, clear=False)
    desk.press("end-turn")
    desk.lies(row, 3.5, clear=False)
    assert desk.turns == []
    desk.changes(OPENING, 1)
    assert desk.short == [(0, "play", "legal")]


def test_a_putting_back_under_a_hand_at_the_button_is_waited_for() -> None:
    desk = Desk(automatic=False)
    desk.lies("", 2)
    desk.changes("R1 R2", 2)
    desk.press("end-turn")
    desk.changes("~R1 ~R2", 0.5, clear=False)
    desk.press("end-turn")
    desk.lies("~R1 ~R2", 3.5, clear=False)
    desk.changes("", 1)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal")]


def with_plays_told(**setup: Any) -> Desk:
    """Ann and Ben, as a recording is watched of which only ends of plays are told."""
    told = WatchSetup(("Ann", "Ben"), "ru").told_by([Signal(5.0, "end-turn")])
    return Desk(
        automatic=told.automatic, draws_told=told.draws_told, only_plays_told=told.only_plays_told, **setup
    )


def test_where_only_ends_of_plays_are_told_draws_and_puttings_back_are_seen() -> None:
    """Nobody pressed anything for what left the table as it was (cg03)."""
    desk = with_plays_told()
    desk.lies("", 2)
    desk.changes("", 5, backs=19)
    desk.changes(OPENING, 2, backs=19)
    desk.press("end-turn")
    desk.changes(OPENING, 5, backs=18)
    desk.changes(f"{OPENING} | R1 R2", 6, backs=18)
    assert len(desk.turns) == 3, "whoever ends plays by a button may try things out"
    desk.press("end-turn")
    desk.changes(OPENING, 5, backs=17)
    assert desk.short == [
        (0, "draw", "legal"),
        (1, "play", "legal"),
        (0, "draw", "legal"),
        (1, "play", "illegal"),
        (1, "put-back", "legal"),
    ]


@pytest.mark.parametrize("after_s", [1.0, 4.0, 9.0])
def test_the_button_that_is_pressed_for_a_draw_that_was_seen_ends_it_once(after_s: float) -> None:
    """Whoever presses for every turn presses for draws, too, sooner or later."""
    desk = with_plays_told(opened=(False, True), rack_sizes=(14, 14))
    desk.lies(OPENING, 2)
    desk.changes(OPENING, after_s, backs=19)
    desk.press("end-turn")
    desk.lies(OPENING, 2, backs=19, since=desk.still_since)
    desk.changes(f"{OPENING} | R1 R2 R3", 2, backs=19)
    desk.press("end-turn")
    assert desk.short == [(0, "draw", "legal"), (1, "play", "legal")]


def test_a_hand_that_stays_holds_up_nobody_who_goes_on() -> None:
    desk = under_a_hand()
    desk.press("end-turn")
    desk.lies("", 3, clear=False)
    desk.press("draw")
    assert desk.short[:1] == [(0, "draw", "legal")]
    desk.lies("", 4, backs=19)
    assert desk.short == [(0, "draw", "legal"), (1, "draw", "legal")]


def test_what_may_be_a_tile_is_looked_at_again_before_the_button_says_it_is_none() -> None:
    desk = Desk(draws_told=True)
    desk.lies("", 2)
    desk.press("draw")
    desk.moves()
    desk.said += desk.keeper.saw(Sight(desk.lying("O9", 20, confidence=0.9), desk.now, True, 1))
    assert desk.keeper.state == "quiet"
    assert desk.keeper.wants_more
    desk.press("end-turn")
    assert len(desk.turns) == 1, "the next look comes at once"


@pytest.mark.parametrize("automatic", [True, False])
def test_who_presses_again_because_nothing_was_said_has_pressed_once(automatic: bool) -> None:
    desk = under_a_hand(automatic=automatic)
    for _ in range(2):
        desk.press("end-turn")
        desk.lies("", 1.5, clear=False)
    desk.changes(OPENING, 3)
    assert desk.short == [(0, "play", "legal")]


def test_only_hands_that_were_seen_to_rest_are_waited_for() -> None:
    """Ann draws and presses; Ben, who comes at once, is not taken for her."""
    desk = Desk(automatic=False)
    desk.lies("", 2)
    desk.moves()
    desk.press("end-turn")
    desk.moves(4.0)
    desk.lies(OPENING, 1)
    desk.press("end-turn")
    desk.lies(OPENING, 2)
    assert desk.short == [(0, "draw", "legal"), (1, "play", "legal")]


def test_a_back_that_seems_to_have_gone_before_the_play_is_looked_at_again_before_the_button_counts() -> None:
    """One hand draws and plays, and the button comes at the first look: the second one shows the back gone."""
    desk = Desk(pool=20, draws_told=True, automatic=False, opened=(True, True))
    desk.lies("", 2)
    desk.moves()
    began_s = desk.still_since = desk.now
    seems = replace(desk.lying(OPENING, 20), pool_unsure=True)
    desk.said += desk.keeper.saw(Sight(seems, began_s, True, 1))
    desk.ticks(0.1, began_s)
    desk.press("end-turn")
    assert desk.turns == []
    desk.said += desk.keeper.saw(Sight(desk.lying(OPENING, 19), began_s, True, 2))
    desk.ticks(0.2, began_s)
    assert desk.short == [(0, "play", "ask")]
    assert [question.code for question in desk.turns[0].questions] == ["drew-first?"]


@pytest.mark.parametrize(("backs", "said"), [(20, (0, "unknown", "ask")), (19, (0, "draw", "legal"))])
def test_a_turn_that_ends_otherwise_than_draws_do_and_of_which_nothing_is_seen_is_asked_about(
    backs: int, said: tuple[int, str, str]
) -> None:
    """A mug may hide what was laid; a back that has gone tells of a draw, whichever button was pressed."""
    desk = Desk(draws_told=True, draws_told_apart=True, automatic=False)
    desk.lies("", 2)
    desk.changes("", 1, backs=backs)
    desk.press("end-turn")
    assert desk.short == [said]
    codes = [question.code for question in desk.turns[0].questions]
    assert codes == (["nothing-seen?"] if backs == 20 else [])
    desk.changes(OPENING, 1, backs=backs)
    desk.press("end-turn")
    assert desk.short[1:] == [(1, "play", "legal")]


def test_a_play_that_is_first_seen_after_the_next_draw_was_told_is_the_turn_before() -> None:
    """For seconds the table was not to be seen: a play and then a draw are two turns, unless ends are told."""
    desk = Desk(draws_told=True, opened=(True, True))
    desk.lies("", 2)
    desk.moves(6)
    desk.press("draw")
    desk.lies(OPENING, 2)
    assert desk.short == [(0, "play", "legal"), (1, "draw", "legal")]


def test_who_tells_draws_in_a_recording_tells_plays_by_the_end_of_the_turn() -> None:
    setup = WatchSetup(("Ann", "Ben"), "ru")
    assert setup.told_by([Signal(3.0, "draw"), Signal(7.0, "end-turn")]).draws_told_apart
    assert not setup.told_by([Signal(3.0, "end-turn"), Signal(7.0, "end-turn")]).draws_told_apart


@pytest.mark.parametrize("pressed_after_s", [0.5, 6.0])
def test_the_button_for_a_putting_back_that_was_told_already_ends_nobodys_turn(pressed_after_s: float) -> None:
    """Only one pressed long after it is the next player's, of whom nothing was seen."""
    desk = Desk(draws_told=True, draws_told_apart=True)
    desk.lies("", 2)
    desk.changes("R1 R2", 1)
    desk.press("end-turn")
    desk.changes("", 4)
    told = [(0, "play", "illegal"), (0, "put-back", "legal")]
    assert desk.short == told
    desk.lies("", pressed_after_s)
    desk.press("end-turn")
    assert desk.short == (told if pressed_after_s < 1 else [*told, (1, "unknown", "ask")])


def test_a_button_pressed_before_a_putting_back_is_seen_was_pressed_for_it() -> None:
    """What was asked about had gone out of view, and is gone at the first look after the button."""
    desk = Desk(draws_told=True, draws_told_apart=True)
    desk.lies("", 2)
    desk.changes("R1 R2", 0.5, clear=False)
    desk.press("end-turn")
    desk.lies("R1 R2", 8, clear=False)
    assert desk.short == [(0, "play", "ask")]
    desk.changes("~R1 ~R2", 1)
    desk.moves()
    desk.press("end-turn")
    desk.lies("", 3)
    assert desk.short == [(0, "play", "ask"), (0, "put-back", "legal")]


def test_a_tile_that_seems_to_have_gone_is_looked_for_again_before_the_button_counts() -> None:
    """One hand takes a tile and lays another, and the button comes right after the first look (11742)."""
    desk = Desk(automatic=False, opened=(True, True))
    desk.lies("R6 R7 R8 R9", 2)
    desk.moves()
    began_s = desk.still_since = desk.now
    seems = replace(desk.lying(f"R6 R7 R8 ~R9 | {OPENING}"), tiles_unsure=True)
    desk.said += desk.keeper.saw(Sight(seems, began_s, True, 1))
    desk.ticks(0.1, began_s)
    desk.press("end-turn")
    assert desk.turns == []
    desk.said += desk.keeper.saw(Sight(desk.lying(f"R6 R7 R8 | {OPENING}"), began_s, True, 2))
    desk.ticks(0.1, began_s)
    assert desk.short == [(0, "play", "illegal")]


def test_a_told_draw_waits_for_no_hand_that_rests_beside_all_tiles() -> None:
    """The next player tries a tile before the hand has gone: who drew played nothing (composer BK's bk03)."""
    desk = Desk(pool=None)
    desk.lies("", 2)
    desk.changes(OPENING, 1)
    desk.press("end-turn")
    desk.moves()
    desk.lies(OPENING, 0.5, clear=False)
    desk.press("draw")
    desk.lies(OPENING, 0.5, clear=False)
    desk.changes(f"{OPENING} O10", 2, clear=False)
    assert desk.short == [(0, "play", "legal"), (1, "draw", "legal")]
