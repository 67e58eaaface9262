"""Whose turn it is, by the hands that come."""

from __future__ import annotations

import pytest
from watch_desk import (
    ANN,
    BEN,
    BENS,
    CAT,
    CATS,
    OPENING,
    THREE,
    Desk,
    arm_from,
    places_at,
    places_seen,
    three_who_have_opened,
)

from referee import TakeOver
from vision.watch.actors import Actors
from vision.watch.reach import Reach
from vision.watch.seats import SeatPlaces
from vision.watch.sight import Sight
from vision.watch.types import Logged, WatchNotice

SECOND = f"{CATS} | R1 R2 R3"


@pytest.fixture
def seated() -> Desk:
    return three_who_have_opened()


def test_who_is_told_from_the_next_player_may_think(seated: Desk) -> None:
    seated.changes(SECOND, 2.5, by=ANN)
    seated.changes(f"{SECOND} | B4 B5 B6", 5, by=ANN)
    assert [str(tile) for tile in seated.turns[3].played] == ["R1", "R2", "R3", "B4", "B5", "B6"]
    assert len(seated.turns) == 4


@pytest.mark.parametrize("clear", [True, False])
def test_the_next_players_hands_end_the_turn_at_once(seated: Desk, clear: bool) -> None:
    """Also where nothing was ever clear: a third one's hand came to rest as the first one left (11503)."""
    seated.changes(SECOND, 1.2, by=ANN, clear=clear)
    assert len(seated.turns) == 3
    rested_s = seated.now - 1.2
    seated.moves(by=BEN)
    assert seated.short[3:] == [(0, "play", "legal")]
    assert seated.turns[3].end_s - rested_s < 1.0
    seated.lies(f"{SECOND} | B4 B5 B6", 5)
    assert seated.short[4:] == [(1, "play", "legal")]


def test_hands_of_someone_whose_turn_it_is_not_end_nothing(seated: Desk) -> None:
    seated.changes(SECOND, 1.2, by=ANN)
    seated.moves(by=CAT)
    seated.lies(SECOND, 1.0)
    assert len(seated.turns) == 3


def test_what_lay_unchanged_while_somebody_leaned_in_has_lain_long_enough(seated: Desk) -> None:
    """No stretch of stillness was long enough by itself; then somebody else's hands laid more."""
    seated.changes(SECOND, 1.2, by=ANN)
    seated.moves(by=CAT)
    seated.lies(SECOND, 0.8)
    seated.changes(f"{SECOND} | B4 B5 B6", 5, by=CAT)
    assert [turn.seat for turn in seated.turns[3:] if turn.action == "play"] == [0, 2]
    assert all(turn.verdict == "legal" for turn in seated.turns)


def test_a_turn_is_that_of_the_hands_that_played_and_draws_before_it_are_inferred(seated: Desk) -> None:
    seated.changes(SECOND, 5, by=BEN)
    assert seated.short[3:] == [(0, "draw", "legal"), (1, "play", "legal")]
    assert [turn.inferred for turn in seated.turns[3:]] == [True, False]


def test_where_every_draw_is_told_a_missed_turn_is_not_made_up() -> None:
    desk = Desk(players=THREE, draws_told=True)
    desk.lies("", 2)
    table = OPENING
    for more, by in (("", ANN), ("B11 K11 O11", BEN), ("B12 K12 O12", CAT)):
        table = f"{table} | {more}" if more else table
        desk.changes(table, 5, by=by)
    for more, by in (("R1 R2 R3", ANN), ("B4 B5 B6", BEN), ("K1 K2 K3", CAT)):
        table = f"{table} | {more}"
        desk.changes(table, 5, by=by)
    for more, by in (("O1 O2 O3", ANN), ("B7 B8 B9", BEN), ("K4 K5 K6", CAT)):
        table = f"{table} | {more}"
        desk.changes(table, 5, by=by)
    desk.changes(f"{table} | O4 O5 O6", 5, by=BEN)
    assert desk.short[9:] == [(1, "play", "legal")]
    assert [event.code for event in desk.said if isinstance(event, WatchNotice)] == ["turn-missed"]
    assert isinstance([event.event for event in desk.said if isinstance(event, Logged)][-2], TakeOver)


def test_the_putting_back_ends_when_the_next_players_hands_come(seated: Desk) -> None:
    seated.changes(f"{CATS} | R1 R2", 6, by=ANN)
    seated.changes(CATS, 1.0, by=ANN)
    assert seated.short[3:] == [(0, "play", "illegal")]
    seated.moves(by=BEN)
    assert seated.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal")]


def test_no_unseen_draw_is_made_up_for_hands_that_are_rather_those_of_whose_turn_it_is() -> None:
    """Nobody's place is well known yet, and hands came for nothing; the pool in view shows no draw."""
    places = SeatPlaces(3)
    for seat, direction in enumerate((ANN, BEN, CAT)):
        places.learn(seat, Reach(0.0, 1.0, direction, 1.0, 9))
    desk = Desk(players=THREE, places=places)
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    for _ in range(2):
        desk.changes(OPENING, 1, by=CAT)
    desk.changes(f"{OPENING} O10", 6, by=BEN - 0.8)
    assert desk.short == [(0, "play", "legal"), (1, "play", "ask")]
    assert [question.code for question in desk.turns[1].questions] == ["whose-turn?"]


def test_nobody_asks_whose_fault_it_was_where_all_hands_came_from_one_place() -> None:
    """They rested over the table before they laid, and the pool has lost nothing (composer BF's bf04)."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(OPENING, 5, by=BEN, backs=19)
    for _ in range(2):
        desk.changes(OPENING, 1, by=CAT, backs=19)
    desk.changes(f"{OPENING} | R1 R2 R3", 6, by=CAT + 0.2, backs=19)
    assert desk.short[2:] == [(2, "play", "illegal")]


@pytest.mark.parametrize(
    ("by", "told"),
    [(ANN, (0, "put-back", "legal")), (None, (0, "put-back", "legal")), (BEN, (1, "play", "illegal"))],
)
def test_a_play_is_taken_back_by_its_player_and_stolen_by_another(
    seated: Desk, by: float | None, told: tuple[int, str, str]
) -> None:
    seated.changes(f"{BENS} | B12 K12 O12 R12", 5, by=ANN)
    seated.changes(CATS, 6, by=by)
    assert seated.short[3:] == [(0, "play", "legal"), told]


def test_a_table_against_the_rules_that_the_next_player_lets_stand_is_asked_about(seated: Desk) -> None:
    """Nobody called it for as long as a foul takes, and all go on: who is sure that it was seen well?"""
    seated.changes(f"{CATS} | R1 R2", 2, by=ANN)
    seated.changes(f"{CATS} | R1 R2 | B4 B5 B6", 5, by=BEN)
    assert seated.short[3:] == [(0, "play", "ask"), (1, "play", "legal")]
    assert [question.code for question in seated.turns[3].questions] == ["really-so?"]


def test_whoever_goes_on_with_a_table_against_the_rules_has_not_ended_the_turn(seated: Desk) -> None:
    seated.changes(f"{CATS} | R1 R2", 2, by=ANN)
    seated.changes(f"{CATS} | R1 R2 | B4 B5 B6", 1, by=ANN)
    seated.changes(f"{CATS} | R1 R2 R3 | B4 B5 B6", 5, by=ANN)
    assert seated.short[3:] == [(0, "play", "legal")]


def test_who_was_asked_about_and_lays_something_else_instead_has_put_it_right(seated: Desk) -> None:
    seated.changes(CATS, 0.5, by=ANN, share=0.5, backs=20)
    seated.changes(SECOND, 5, by=ANN, backs=19)
    seated.changes(f"{CATS} | B1 B2 B3", 5, by=ANN, backs=19)
    assert seated.short[3:] == [(0, "play", "ask"), (0, "put-back", "legal")]
    assert seated.keeper.court.seat == 1


def test_without_pool_and_button_it_is_asked_whose_opening_was_too_low() -> None:
    desk = Desk(pool=None)
    desk.lies("", 2)
    desk.changes(OPENING, 5)
    desk.changes(f"{OPENING} | R1 R2 R3", 6)
    assert desk.short == [(0, "play", "legal"), (1, "play", "ask")]
    assert [question.code for question in desk.turns[1].questions] == ["whose-turn?"]


def test_before_anyone_has_opened_too_low_an_opening_is_a_fault_whoever_laid_it() -> None:
    desk = Desk(pool=None)
    desk.lies("", 2)
    desk.changes("", 5)
    desk.changes("R1 R2 R3", 7)
    assert [turn.verdict for turn in desk.turns] == ["illegal"]


def test_without_pool_and_button_a_wrong_set_is_still_wrong() -> None:
    desk = Desk(pool=None)
    desk.lies("", 2)
    desk.changes(OPENING, 5)
    desk.changes(f"{OPENING} | R1 R3 R5", 6)
    assert desk.short == [(0, "play", "legal"), (1, "play", "illegal")]


def test_nobody_is_accused_of_a_tile_that_went_while_a_hand_rests() -> None:
    desk = Desk(draws_told=True)
    desk.lies("", 2)
    desk.changes(OPENING, 5)
    desk.moves()
    desk.lies("R10 B10", 1.0, clear=False)
    desk.press("draw")
    desk.lies("R10 B10", 3.0, clear=False)
    desk.changes(OPENING, 5)
    assert desk.short == [(0, "play", "legal"), (1, "draw", "legal")]


def test_what_lies_alone_and_cannot_be_read_is_no_change() -> None:
    desk = Desk(draws_told=True)
    desk.lies("", 2)
    desk.changes("R7/K7/O9", 1)
    desk.press("draw")
    desk.lies("R7/K7/O9", 5)
    assert desk.short == [(0, "draw", "legal")]


@pytest.mark.parametrize(("confidence", "state"), [(0.93, "quiet"), (0.999, "changed")])
def test_what_lies_alone_and_one_look_read_unclearly_is_no_change(confidence: float, state: str) -> None:
    """A back of the pool that read as a seven, in the look in which the button was pressed."""
    desk = Desk()
    desk.lies("", 2)
    desk.changes("K7", 0.4, confidence=confidence)
    assert desk.keeper.state == state


@pytest.mark.parametrize(("second", "verdict"), [(SECOND, "legal"), (f"{CATS} | O7 O8 B9", "illegal")])
def test_a_turn_lasts_until_the_players_resting_hand_has_gone(seated: Desk, second: str, verdict: str) -> None:
    """Whether it was theirs is not known: the end is told within three seconds of either."""
    seated.changes(second, 1, by=ANN)
    seated.changes(second, 3, by=ANN, clear=False)
    rested_s, gone_s = seated.now - 3, seated.now + 1
    seated.changes(second, 6, by=ANN)
    (turn,) = seated.turns[3:]
    assert turn.verdict == verdict
    assert rested_s < turn.end_s < gone_s
    assert gone_s - 3 < turn.end_s < rested_s + 3


def test_a_quick_next_player_ends_a_turn_that_has_to_be_asked_about(seated: Desk) -> None:
    """Hands came a second and a half after it, with three looks of four: two turns were one (cm02)."""
    unclear = f"{CATS} | R7 B7 K7/K8"
    seated.moves(by=ANN)
    seated.lies(unclear, 1.5)
    seated.moves(by=BEN)
    seated.lies(f"{unclear} | B1 B2 B3", 5)
    assert seated.short[3:] == [(0, "play", "ask"), (1, "play", "legal")]


def test_a_hand_that_rests_over_what_lay_clear_for_long_ends_the_turn_no_later(seated: Desk) -> None:
    seated.moves(by=ANN)
    laid_s = seated.now
    seated.lies(SECOND, 2.6)
    seated.changes(SECOND, 3, by=ANN, clear=False)
    seated.changes(SECOND, 4, by=ANN)
    (turn,) = seated.turns[3:]
    assert turn.end_s == pytest.approx(laid_s, abs=1)


def test_a_hand_that_rests_over_a_fault_that_lay_clear_for_long_ends_it_no_later(seated: Desk) -> None:
    """Composer AQ's aq03: five seconds later."""
    seated.moves(by=ANN)
    laid_s = seated.now
    seated.lies(f"{CATS} | R1 R2", 2.8)
    seated.moves(0.5, by=ANN)
    seated.lies(f"{CATS} | R1 R2", 1.5, clear=False)
    seated.moves(0.5, by=ANN)
    seated.lies(f"{CATS} | R1 R2", 7)
    assert seated.short[3:] == [(0, "play", "illegal")]
    assert seated.turns[3].end_s == pytest.approx(laid_s, abs=1)


def test_a_hand_that_comes_back_at_once_and_rests_over_a_fault_ends_it_when_it_goes(seated: Desk) -> None:
    """11838: the second and a half that it rested there counted as if the fault had lain clear for them."""
    seated.moves(by=ANN)
    seated.lies(f"{CATS} | R1 R2", 1.4)
    seated.moves(0.9, by=ANN)
    seated.lies(f"{CATS} | ~R1 ~R2", 1.0, clear=False)
    gone_s = seated.now
    seated.moves(0.8, by=ANN)
    seated.lies(f"{CATS} | R1 R2", 7)
    assert seated.short[3:] == [(0, "play", "illegal")]
    assert seated.turns[3].end_s == pytest.approx(gone_s, abs=1)


@pytest.mark.parametrize("by", [ANN, CAT])
def test_hands_that_are_not_the_next_players_end_no_turn_over_which_somebody_rests(
    seated: Desk, by: float
) -> None:
    seated.changes(SECOND, 1.2, by=ANN, clear=False)
    seated.moves(by=by)
    seated.lies(SECOND, 1.0)
    assert len(seated.turns) == 3


def test_what_seems_gone_under_a_resting_hand_leaves_the_turn_as_good_as_over(seated: Desk) -> None:
    """A hand of the table's colour looks like the bare table (11502)."""
    seated.changes(SECOND, 2.2, by=ANN)
    seated.changes(SECOND.replace(" O12", ""), 3, by=ANN, clear=False)
    seated.changes(f"{SECOND} | B4 B5 B6", 5, by=BEN)
    assert seated.short[3:] == [(0, "play", "legal"), (1, "play", "legal")]


@pytest.mark.parametrize("touched", [True, False])
def test_a_knock_or_hands_after_a_putting_back_put_off_its_end_no_further(touched: bool) -> None:
    """What it cost is drawn out of view, as the pool is; hands may have been busy still."""
    desk = Desk(pool=None, players=THREE, places=places_at(ANN, BEN, CAT), opened=(True, True, True))
    desk.lies(OPENING, 2)
    desk.changes(f"{OPENING} | R1 R2", 6, by=ANN)
    desk.moves(by=ANN)
    restored_s = desk.now
    desk.lies(OPENING, 1.6)
    desk.moves(by=ANN, touched=touched)
    desk.lies(OPENING, 5)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal")]
    assert desk.turns[1].end_s == pytest.approx(restored_s, abs=1.7 if touched else 1)


@pytest.mark.parametrize(
    ("then", "turns"), [(BEN, [(0, "play", "legal"), (1, "play", "legal")]), (ANN, [(0, "play", "legal")])]
)
def test_after_hands_of_two_at_once_those_that_come_next_tell(
    seated: Desk, then: float, turns: list[object]
) -> None:
    seated.changes(SECOND, 2, by=ANN)
    seated.moves(0.5, by=ANN)
    seated.moves(by=BEN, share=0.5)
    seated.lies(f"{SECOND} | B4", 1.5)
    seated.changes(f"{SECOND} | B4 B5 B6", 6, by=then)
    assert seated.short[3:] == turns


def test_whoever_comes_right_after_a_taking_back_is_judged_by_the_table_before_it(seated: Desk) -> None:
    seated.changes(CATS, 0.5, by=ANN, share=0.5, backs=20)
    seated.changes(SECOND, 2, by=ANN, backs=19)
    seated.changes(CATS, 1, by=ANN, backs=20)
    seated.changes(f"{CATS} | B1 B2 B3", 5, by=BEN, backs=20)
    assert seated.short[3:] == [(0, "play", "ask"), (0, "put-back", "legal"), (1, "play", "legal")]


@pytest.mark.parametrize("looked_s", [0.5, 1.5])
def test_hands_of_two_alone_tell_nothing(seated: Desk, looked_s: float) -> None:
    seated.changes(SECOND, 2, by=ANN)
    seated.moves(by=BEN, share=0.5)
    seated.lies(f"{SECOND} | B4", looked_s)
    seated.changes(f"{SECOND} | B4 B5 B6", 6, by=ANN)
    assert seated.short[3:] == [(0, "play", "legal")]


@pytest.mark.parametrize(("other", "turns"), [(CAT, 1), (ANN, 0)], ids=["neither is hers", "one is hers"])
def test_hands_of_two_neither_of_whom_had_the_turn_end_it(seated: Desk, other: float, turns: int) -> None:
    """Lev laid seven, and somebody else pointed meanwhile: Zoya's turn was merged with his (ci03)."""
    seated.changes(SECOND, 2.2, by=ANN)
    seated.moves(by=BEN, share=0.5, arms=[arm_from(BEN), arm_from(other)])
    seated.lies(f"{SECOND} | B4", 0.5)
    assert seated.short[3:] == [(0, "play", "legal")][:turns]


def test_a_mended_foul_beside_which_two_hands_laid_is_put_back_legally(seated: Desk) -> None:
    seated.changes(f"{CATS} | R1 R2", 6, by=ANN)
    seated.changes(SECOND, 2, by=ANN)
    seated.moves(by=BEN, share=0.5)
    seated.lies(f"{SECOND} | B4", 1)
    seated.changes(f"{SECOND} | B4 B5 B6", 6, by=BEN)
    assert seated.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "play", "legal")]


def test_whose_hands_they_were_is_known_though_only_the_second_look_shows_what_they_did(seated: Desk) -> None:
    left = f"{CATS} | R1 R2"
    seated.changes(left, 2, by=ANN)
    seated.moves(by=BEN)
    seated.lies(left, 0.5)
    since = seated.still_since
    seated.lies(f"{left} | B4 B5 B6", 5, since=since)
    assert seated.short[3:] == [(0, "play", "ask"), (1, "play", "legal")]


def test_a_play_that_was_asked_about_may_be_taken_back_over_a_draw(seated: Desk) -> None:
    seated.changes(CATS, 0.5, by=ANN, share=0.5, backs=20)
    seated.changes(SECOND, 5, by=ANN, backs=19)
    seated.changes(SECOND, 3, by=BEN, backs=18)
    seated.changes(CATS, 6, by=ANN, backs=18)
    assert seated.short[3:] == [(0, "play", "ask"), (1, "draw", "legal"), (0, "put-back", "legal")]


def _newly_seated(**setup: object) -> Desk:
    """Three, of whom the first two were seen to reach in once; the pool in view has shown a draw."""
    places = SeatPlaces(3)
    places.learn(0, Reach(0.0, 1.0, ANN, 1.0, 9))
    places.learn(1, Reach(0.0, 1.0, BEN, 1.0, 9))
    desk = Desk(players=THREE, places=places, **setup)
    desk.lies("", 2)
    desk.changes("", 5, by=ANN, backs=19)
    assert desk.short == [(0, "draw", "legal")]
    return desk


def test_a_pool_that_has_lost_nothing_is_believed_before_a_place_that_was_seen_once() -> None:
    """Cat, whom nobody knows yet, sits near Ben: it is her turn, and her many reaches look like his."""
    desk = _newly_seated()
    desk.changes("", 5, by=BEN, backs=18)
    for _ in range(7):
        desk.moves(by=BEN - 0.5)
    desk.changes(OPENING, 5, by=BEN - 0.5, backs=18)
    assert desk.short[1:] == [(1, "draw", "legal"), (2, "play", "legal")]


def test_a_pool_that_has_lost_nothing_is_not_believed_before_two_places_that_are_well_known() -> None:
    """Ann draws from a stack, where nothing is seen to go; Cat was seen too seldom (composer BH's bh02)."""
    desk = Desk(players=THREE, places=places_seen((ANN, 3), (BEN, 3), (CAT, 1)))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=BEN)
    assert desk.short == [(0, "draw", "legal"), (1, "play", "legal")]


def test_what_the_unopened_add_is_a_foul_where_the_pool_shows_every_draw() -> None:
    desk = _newly_seated()
    desk.changes("", 1, backs=19)  # somebody puts a glass down
    desk.changes(OPENING, 5, by=BEN, backs=19)
    desk.changes(f"{OPENING} O10", 6, by=CAT, backs=19)
    assert desk.short[1:] == [(1, "play", "legal"), (2, "play", "illegal")]


def test_a_stolen_tile_that_is_given_back_was_the_thiefs_foul(seated: Desk) -> None:
    """It was the tile that the player before had laid last: taken by Ben, it was not taken back by Ann."""
    seated.changes(f"{BENS} | B12 K12 O12 R12", 5, by=ANN)
    seated.changes(CATS, 2.5, by=BEN)
    seated.changes(CATS, 0.5, by=BEN)
    seated.changes(f"{BENS} | B12 K12 O12 R12", 4, by=BEN)
    assert seated.short[3:] == [(0, "play", "legal"), (1, "play", "illegal"), (1, "put-back", "legal")]


@pytest.mark.parametrize(("by", "turns"), [(2.6, 1), (0.9, 0)], ids=["opposite", "beside"])
def test_hands_from_where_nobody_has_come_yet_end_a_turn_if_they_cannot_be_its_players(
    by: float, turns: int
) -> None:
    """Nobody's place is known, and a legal table has lain for less than a second."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    desk.changes(OPENING, 0.8, by=ANN)
    desk.moves(by=by)
    assert desk.short == [(0, "play", "legal")] * turns


def ben_comes(desk: Desk, table: str, backs: int = 20) -> None:
    """Ben's hands come in, and the table is read as they come."""
    desk.keeper.moves(desk.now)
    comes = Reach(desk.now, desk.now + 0.2, BEN, 1.0, 9)
    desk.said += desk.keeper.reaching(comes)
    desk.said += desk.keeper.saw(Sight(desk.lying(table, backs), comes.end_s, False, 1))
    desk.said += desk.keeper.left_to_next(comes.begin_s)


@pytest.mark.parametrize(
    ("table", "turns"), [(SECOND, [(0, "play", "legal")]), (f"{CATS} | R1 R2", [])], ids=["done", "begun"]
)
def test_a_table_that_is_first_read_as_the_next_players_hands_come_was_left_so(
    seated: Desk, table: str, turns: list[tuple[int, str, str]]
) -> None:
    seated.moves(by=ANN)
    seated.keeper.moves(seated.now)
    comes = Reach(seated.now, seated.now + 0.2, BEN, 1.0, 9)
    assert seated.keeper.reaching(comes) == []
    assert seated.keeper.next_comes_s == comes.begin_s
    seated.said += seated.keeper.saw(Sight(seated.lying(table, 20), comes.end_s, False, 1))
    seated.said += seated.keeper.left_to_next(comes.begin_s)
    assert seated.short[3:] == turns
    assert seated.keeper.next_comes_s is None


def test_a_hand_between_a_table_and_the_next_players_hands_may_have_been_its_players_or_not(
    seated: Desk,
) -> None:
    """It lay for less than two seconds before; the middle is near enough to either end (21846)."""
    seated.moves(by=ANN)
    laid_s = seated.now
    seated.lies(SECOND, 1.6)
    seated.passes(by=CAT, seconds=0.8)
    seated.ticks(0.2, None)
    next_s = seated.now
    ben_comes(seated, SECOND)
    assert seated.short[3:] == [(0, "play", "legal")]
    assert laid_s + 0.5 < seated.turns[-1].end_s < next_s - 0.5


def test_hands_that_come_again_before_anyone_looked_have_left_no_other_hands_table(seated: Desk) -> None:
    """Ben came twice: what lies there is his, whoever's turn it was taken for (bs02)."""
    seated.moves(by=BEN)
    ben_comes(seated, SECOND)
    assert seated.short[3:] == []


def test_hands_that_come_after_a_draw_that_is_told_only_now_lay_there_what_lies_there(seated: Desk) -> None:
    """They came, laid one tile and came again, all before the draw was told (br03)."""
    seated.moves(by=ANN)
    seated.lies(CATS, 1.2, backs=19)
    seated.moves(1.2, by=BEN)
    ben_comes(seated, SECOND, backs=19)
    assert seated.short[3:] == [(0, "draw", "legal")]


def test_a_table_that_was_read_since_the_last_hands_needs_no_look_as_the_next_come(seated: Desk) -> None:
    seated.changes(SECOND, 0.5, by=ANN)
    seated.keeper.moves(seated.now)
    seated.keeper.reaching(Reach(seated.now, seated.now + 0.2, BEN, 1.0, 9))
    assert seated.keeper.next_comes_s is None


def test_whoever_comes_for_the_first_time_and_sits_beside_another_is_whose_turn_it_is() -> None:
    """Cat's hands come in beside Ann's. The pool has lost nothing, and Cat would have had to draw first."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(BENS, 5, by=BEN)
    desk.changes(f"{BENS} | B12 K12", 0.5, by=ANN - 0.2)
    desk.changes(CATS, 5, by=ANN - 0.2)
    desk.changes(f"{CATS} | R1 R2 R3", 5, by=ANN)
    assert desk.short == [(seat, "play", "legal") for seat in (0, 1, 2, 0)]


def test_a_mug_that_is_taken_away_before_the_next_player_comes_does_not_put_off_the_end(seated: Desk) -> None:
    """Nobody has looked at the table between the two (11762)."""
    seated.changes(SECOND, 2.3, by=ANN)
    lay_s = seated.now - 2.3
    seated.moves(2.0, by=ANN)
    ben_comes(seated, SECOND)
    assert seated.short[3:] == [(0, "play", "legal")]
    assert seated.turns[3].end_s - lay_s < 1.5


@pytest.mark.parametrize("by", [ANN, BEN])
def test_a_set_that_its_player_moves_after_putting_a_fault_back_belongs_to_that_turn(
    seated: Desk, by: float
) -> None:
    """Until the last hand of the player is gone (composer R's r03); what others move is theirs."""
    seated.changes(f"{CATS} | R1 R2", 8, by=ANN)
    seated.changes(CATS, 1.5, by=ANN)
    back_s = seated.still_since
    moved = " | ".join(reversed(CATS.split(" | ")))
    seated.moves(3.0, by=by)
    seated.lies(moved, 6)
    assert seated.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal")]
    until_s = seated.still_since if by == ANN else back_s
    assert seated.turns[4].end_s == pytest.approx(until_s, abs=1.2)


def test_hands_that_changed_the_table_end_no_turn_when_they_come_again_whoever_was_to_play() -> None:
    """Three of six tiles were another's turn, and the rest too little for an opening: an accusation (bh02)."""
    actors = Actors(places_at(ANN, BEN, CAT))
    rather_bens = Reach(1.0, 2.0, BEN + 0.4, 1.0, 9)
    actors.reached(rather_bens)
    actors.looked(changed=True)
    assert not actors.is_anothers(Reach(3.0, 4.0, BEN, 1.0, 9), 0, 1)
    assert actors.is_anothers(Reach(3.0, 4.0, CAT, 1.0, 9), 0, 2)
    alone = Actors(places_at(ANN, BEN, CAT))
    alone.reached(Reach(1.0, 2.0, ANN, 1.0, 9))
    alone.looked(changed=True)
    assert alone.is_anothers(Reach(3.0, 4.0, BEN, 1.0, 9), 0, 1)


def test_one_reach_from_an_odd_corner_is_not_rather_anothers_while_nobody_is_likelier() -> None:
    """Jakob, who reaches in over more than a radian, laid in the near corner (21854)."""
    places = SeatPlaces(4)
    for seat, came in enumerate(((0.91, 1.06, 1.13, 1.22, 1.31, 1.48), (-0.6, -0.94, -0.61), (-1.8,), (-2.9,))):
        for from_rad in came:
            places.learn(seat, Reach(0.0, 1.0, from_rad, 1.0, 9))
    actors = Actors(places)
    actors.changes = [Reach(0.0, 1.0, -0.79, 1.0, 9)]
    assert not actors.rather_anothers(Reach(3.0, 4.0, 0.3, 1.0, 9), 1)
    assert actors.rather_anothers(Reach(3.0, 4.0, 0.4, 1.0, 9), 1)


@pytest.mark.parametrize(("other", "was_there"), [(CAT, True), (BEN + 1.2, False)], ids=["points", "another"])
def test_who_pointed_while_another_laid_and_comes_again_was_there(other: float, was_there: bool) -> None:
    """An eager child (ci01): a look at the play in progress ended it."""
    actors = Actors(places_at(ANN, BEN, CAT))
    actors.reached(Reach(1.0, 2.0, ANN, 0.8, 9, (arm_from(ANN, 0.8), arm_from(other, 0.2))))
    assert actors.goes_on(Reach(2.2, 2.6, CAT, 1.0, 9)) is was_there
