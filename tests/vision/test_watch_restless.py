"""A restless table: hands that rest beside the tiles, fidget, come at once, or from nowhere."""

from __future__ import annotations

from dataclasses import replace

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

from vision.watch.reach import Reach
from vision.watch.sight import Sight
from vision.watch.unseen import DrawKeeper

NEXT = f"{CATS} | R1 R2 R3"
FOUL = f"{CATS} | R1 R2"
BIG = "K6 O6 R6 | K8 O8 R8"
LOW = f"{BIG} | B5 K5 O5"
BESIDE = ANN + 0.9
"""So near to Ann that it is not told from her place before both are known."""


@pytest.fixture
def seated() -> Desk:
    return three_who_have_opened()


def by_nobody(desk: Desk, seconds: float = 1.0, frames: int = 9) -> None:
    """Hands come of which nobody sees from where."""
    begin_s = desk.now
    desk.keeper.moves(begin_s)
    desk.ticks(seconds, None)
    desk.said += desk.keeper.reached(Reach(begin_s, desk.now, None, 0.0, frames))


def opens_too_low(desk: Desk, by: float) -> None:
    """Ann has opened in the first round; beside her Ben lays fifteen, first with hands from nowhere."""
    desk.lies("", 2)
    takes(desk, BIG, ANN, 20, 6)
    by_nobody(desk, 1.6)
    desk.lies(LOW.removesuffix(" O5"), 0.5)
    desk.moves(by=by, arms=[arm_from(by)])


def takes(desk: Desk, table: str, by: float, backs: int, seconds: float) -> None:
    """Somebody's hand changes the table or the pool, and its arm is seen."""
    desk.moves(by=by, arms=[arm_from(by)])
    desk.lies(table, seconds, backs=backs)


def lays_sets(desk: Desk, apart_s: float, pause_s: float) -> str:
    """Ann, Ben and Cat lay two sets each, tile by tile, and leave pauses; return the table."""
    lay = CATS
    for nth, row in enumerate(("R1 R2 R3", "B4 B5 B6", "O7 O8 O9", "K2 K3 K4", "R5 R6 R7", "B8 B9 B10")):
        tiles, by = row.split(), (ANN, BEN, CAT)[nth % 3]
        for count in (1, 2, 3):
            takes(desk, f"{lay} | {' '.join(tiles[:count])}", by, 20, apart_s if count < 3 else pause_s)
        lay = f"{lay} | {row}"
    return lay


def test_a_turn_is_over_where_a_hand_has_rested_beside_it_until_the_next_player_lays(seated: Desk) -> None:
    takes(seated, NEXT, ANN, 20, 0.3)
    seated.passes(CAT)
    seated.lies(NEXT, 4.0, clear=False)
    seated.passes(CAT)
    takes(seated, f"{NEXT} | B1 B2 B3", BEN, 20, 5)
    assert seated.short[3:] == [(0, "play", "legal"), (1, "play", "legal")]


def test_a_putting_back_is_over_where_its_hand_has_rested_until_the_next_player_draws(seated: Desk) -> None:
    takes(seated, FOUL, ANN, 20, 4)
    takes(seated, CATS, ANN, 19, 0.3)
    seated.passes(ANN)
    seated.lies(CATS, 2.0, clear=False, backs=19)
    seated.passes(ANN)
    takes(seated, CATS, BEN, 18, 6)
    assert seated.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "draw", "legal")]


def test_who_lays_another_opening_at_once_after_taking_a_low_one_back_is_still_its_player() -> None:
    """Nobody's place is known well yet."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    for low in ("O6", "O6 O7"):
        takes(desk, low, ANN, 20, 0.5)
    takes(desk, "O6 O7 O8", ANN, 20, 7)
    takes(desk, "", ANN, 20, 0.5)
    takes(desk, "B12 O12", ANN, 20, 0.5)
    takes(desk, "B12 O12 R12", ANN, 20, 5)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal")]


def test_a_foul_that_its_player_rests_a_hand_beside_and_puts_back_was_one(seated: Desk) -> None:
    takes(seated, FOUL, ANN, 20, 0.3)
    seated.passes(ANN)
    seated.lies(FOUL, 3.2, clear=False)
    seated.passes(ANN)
    takes(seated, CATS, ANN, 19, 5)
    assert seated.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal")]


def test_whose_own_hand_goes_on_over_a_try_has_not_left_it(seated: Desk) -> None:
    """What does not work out is taken back, and a tile is drawn (db03)."""
    takes(seated, FOUL, ANN, 20, 1)
    for _ in range(3):
        seated.moves(0.8, by=ANN, arms=[arm_from(ANN)])
        seated.lies(FOUL, 0.6)
    takes(seated, CATS, ANN, 20, 0.4)
    takes(seated, CATS, ANN, 19, 5)
    assert seated.short[3:] == [(0, "draw", "legal")]


@pytest.mark.parametrize(("pause_s", "asked"), [(1.6, True), (4.0, False)])
def test_a_fault_left_for_as_long_as_players_leave_what_they_have_done_is_asked_about(
    seated: Desk, pause_s: float, asked: bool
) -> None:
    """In dc03 quick players left it for 1.3 seconds; in db03 slow ones tried things out for as long."""
    for nth in range(6):
        takes(seated, CATS, (ANN, BEN, CAT)[nth % 3], 19 - nth, pause_s)
    takes(seated, FOUL, ANN, 14, 1.3)
    takes(seated, CATS, ANN, 14, 0.4)
    takes(seated, CATS, ANN, 13, 5)
    fault = [(0, "play", "ask"), (0, "put-back", "legal")]
    assert seated.short[-2:] == (fault if asked else [(2, "draw", "legal"), (0, "draw", "legal")])


@pytest.mark.parametrize(("paid", "told"), [(3, True), (0, False)])
def test_a_fault_beside_a_mug_over_which_its_player_goes_on_is_one_if_it_is_paid_for(
    seated: Desk, paid: int, told: bool
) -> None:
    seated.moves(by=ANN)
    for at in range(3):
        if at:
            seated.moves(0.6, by=ANN, arms=[arm_from(ANN)])
        seated.lies(FOUL, 2.5, clear=False, seen_whole=True)
    takes(seated, CATS, ANN, 20, 1.5)
    takes(seated, CATS, ANN, 20 - paid, 5)
    assert seated.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal")][: 2 * told]


def test_hands_at_the_rim_are_not_over_what_lies_there(seated: Desk) -> None:
    """Who sorts the rack has laid it."""
    takes(seated, FOUL, ANN, 20, 1.5)
    for _ in range(6):
        seated.passes(ANN)
        seated.lies(FOUL, 1.5)
    takes(seated, CATS, ANN, 20, 5)
    assert seated.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal")]


def test_what_goes_from_a_pool_that_was_whole_beside_a_play_was_drawn_after_it(seated: Desk) -> None:
    """By whose hands it was laid nobody saw, and others had come and touched nothing: no draws went unseen."""
    for backs, by in ((19, ANN), (18, BEN), (17, CAT)):
        takes(seated, CATS, by, backs, 4)
    told = len(seated.short)
    by_nobody(seated)
    seated.lies(FOUL, 1.0, backs=17)
    seated.passes(BEN)
    seated.lies(FOUL, 0.5, backs=17)
    takes(seated, FOUL, ANN, 16, 1)
    takes(seated, CATS, ANN, 16, 5)
    assert seated.short[told:] == [(0, "play", "illegal"), (0, "put-back", "legal")]


def test_two_plays_that_are_taken_back_together_are_no_theft(seated: Desk) -> None:
    """They were one turn, told too early; nobody saw who laid the first part."""
    by_nobody(seated)
    seated.lies(NEXT, 5)
    takes(seated, f"{NEXT} | B1 B2 B3", BEN, 20, 5)
    takes(seated, CATS, CAT, 19, 6)
    assert "illegal" not in [verdict for _, _, verdict in seated.short]


def test_a_play_of_which_nobody_saw_the_hands_is_taken_back_by_whoever_does_that(seated: Desk) -> None:
    by_nobody(seated)
    seated.lies(f"{CATS.replace('B12', 'R12 B12')}", 5)
    takes(seated, CATS, CAT, 20, 6)
    assert seated.short[-1][1:] == ("put-back", "legal")


def test_a_turn_is_over_by_a_pause_whoever_else_reached_in_meanwhile() -> None:
    """Four arms come and go; nobody's place is known (bn02)."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    takes(desk, OPENING, ANN, 20, 2.1)
    desk.moves(1.0, by=ANN, share=0.4, arms=[arm_from(ANN, 0.4, anywhere=False), arm_from(BEN, 0.6)])
    desk.lies(OPENING, 1.5)
    assert desk.short == [(0, "play", "legal")]


def test_no_look_is_forced_where_two_peoples_hands_were_there_at_once(seated: Desk) -> None:
    """One of them may go on, and the neighbour who comes ends nothing (bn01)."""
    arms = [arm_from(ANN, 0.55, anywhere=False), arm_from(CAT, 0.45)]
    seated.moves(1.0, by=ANN, share=0.55, arms=arms)
    seated.keeper.moves(seated.now)
    seated.keeper.reaching(Reach(seated.now, seated.now + 0.2, BEN, 1.0, 9))
    assert seated.keeper.next_comes_s is None


@pytest.mark.parametrize("draws", [5, 7])
def test_a_pool_that_has_shown_every_draw_has_shown_all_there_were(draws: int) -> None:
    """A hand that fidgets has drawn nothing then, where the next player's takes the one back that goes."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT))
    desk.lies("", 2)
    for nth in range(draws):
        takes(desk, "", (ANN, BEN, CAT)[nth % 3], 19 - nth, 4)
    told = len(desk.short)
    assert told == draws
    own, following = (ANN, BEN, CAT)[draws % 3], (ANN, BEN, CAT)[(draws + 1) % 3]
    desk.moves(1.0, by=own, arms=[arm_from(own, anywhere=False)])
    desk.lies("", 1, backs=20 - draws)
    takes(desk, "", following, 19 - draws, 5)
    assert len(desk.short) - told == (2 if draws < 6 else 1)


def test_a_question_whose_turn_it_was_is_answered_by_who_pays_for_it() -> None:
    """Cat's hand had come besides, and nobody's place was known well; who laid it pays, and takes it back."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    takes(desk, OPENING, ANN, 20, 4)
    desk.moves(0.5, by=CAT, arms=[arm_from(CAT, anywhere=False)])
    takes(desk, f"{OPENING} O10", BEN, 20, 2.5)
    takes(desk, f"{OPENING} O10", BEN, 19, 0.5)
    takes(desk, OPENING, BEN, 19, 5)
    assert desk.short[1:] == [(1, "play", "illegal"), (1, "put-back", "legal")]


def test_who_takes_back_what_was_asked_about_right_after_drawing_has_paid_for_it() -> None:
    """Nobody's place is known in the first round, and some of the hands that laid it came from nowhere."""
    desk = Desk(players=THREE)
    opens_too_low(desk, BESIDE)
    desk.moves(0.3, by=BESIDE - 0.3, arms=[arm_from(BESIDE - 0.3)])
    desk.lies(LOW, 3.1)
    takes(desk, LOW, BESIDE + 0.3, 19, 0.6)
    takes(desk, LOW.replace("B5 ", ""), BESIDE - 0.1, 19, 0.5)
    takes(desk, BIG, BESIDE, 19, 4)
    assert desk.short[1:] == [(1, "play", "ask"), (1, "put-back", "legal")]


@pytest.mark.parametrize("after_s", [2.0, 2.8])
def test_a_flicker_tells_nothing_of_whose_hands_took_the_price_of_a_fault(after_s: float) -> None:
    """It came right after them; the draw was the next player's, and all names were one on (11890)."""
    desk = Desk(players=THREE)
    opens_too_low(desk, BESIDE)
    desk.lies(LOW, after_s)
    takes(desk, LOW, BESIDE + 0.4, 19, 0.5)
    desk.keeper.moves(desk.now)
    flicker = Reach(desk.now, desk.now + 0.3, None)
    desk.ticks(0.3, None)
    desk.said += desk.keeper.reached(flicker, touched=False)
    desk.lies(LOW, 0.5, backs=19)
    takes(desk, LOW.replace("B5 ", ""), BESIDE, 19, 0.5)
    takes(desk, BIG, BESIDE, 19, 5)
    assert desk.short[1:] == [(1, "play", "illegal"), (1, "put-back", "legal")]


@pytest.mark.parametrize("off_rad", [0.3, 0.5, 0.7])
def test_who_takes_a_fault_away_and_at_once_lays_otherwise_goes_on(off_rad: float) -> None:
    """The fault was called as it was taken away: those hands still tell of whoever comes next (sights)."""
    desk = Desk(players=THREE, places=places_seen((1.7, 2), (0.0, 3), (-1.55, 4)))
    desk.lies("", 2)
    takes(desk, "K8 K9 K10 K11", 1.7, 20, 5)
    takes(desk, "K8 K9 K10 K11 | R10 R11 R12", 0.0, 20, 5)
    lay = "K8 K9 K10 K11 | R10 R11 R12 | B11 O11 K11"
    takes(desk, lay, -1.55, 20, 5)
    takes(desk, lay, 1.7, 19, 4)
    takes(desk, f"{lay} | O6", 0.0, 19, 2.5)
    takes(desk, lay, 0.2, 19, 0.4)
    takes(desk, f"{lay} R11", off_rad, 19, 5)
    assert desk.short[4:] == [(1, "play", "illegal"), (1, "put-back", "legal")]


def test_a_camera_that_trembles_before_the_next_hand_comes_shortens_no_pause() -> None:
    """Nobody's place is known; the next player's set lies there two seconds after the last hand (bp01)."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    takes(desk, OPENING, ANN, 20, 1.0)
    by_nobody(desk, 0.2, frames=0)
    desk.ticks(0.7, desk.now)
    takes(desk, BENS, ANN + 1.2, 20, 5)
    assert desk.short == [(0, "play", "legal"), (1, "play", "legal")]


def test_a_draw_is_over_as_its_hand_goes_however_often_it_rests() -> None:
    """A back seems to be gone under the hand that still thinks over the pool (bo01)."""
    desk, draws = Desk(), DrawKeeper(told=False)

    def look(still_since_s: float, backs: int, *, clear: bool, unsure: bool = False) -> Sight:
        lying = replace(desk.lying(CATS, backs), pool_unsure=unsure)
        return Sight(lying, still_since_s, clear, 1)

    draws.turn_begins(look(0.0, 20, clear=True))
    draws.nothing_changed(look(0.0, 20, clear=True))
    draws.nothing_changed(look(4.0, 20, clear=False, unsure=True))
    last = look(9.0, 19, clear=True)
    draws.nothing_changed(last)
    assert draws.ends_s(last) == [9.0]


@pytest.mark.parametrize(("by", "verdict"), [(BEN + 0.5, "legal"), (BEN - 0.5, "ask")])
def test_who_has_opened_by_these_hands_has_opened_whoever_else_may_have(
    seated: Desk, by: float, verdict: str
) -> None:
    """Ben's opening came from rather nearer to Cat's place; from just there it is built on (bo01)."""
    came = [Reach(0.0, 1.0, BEN + 0.5, 1.0, 9)] * 2
    seated.keeper.court.may_be_others(1, had_opened=False, others=[2], came=came)
    takes(seated, CATS, ANN, 19, 4)
    takes(seated, CATS.replace("R10", "O10 R10"), by, 19, 5)
    assert seated.turns[-1].verdict == verdict


def test_hands_whose_opening_was_taken_back_have_not_opened_by_it(seated: Desk) -> None:
    """What was in doubt of that opening says nothing of a later one."""
    court, came = seated.keeper.court, [Reach(0.0, 1.0, BEN, 1.0, 9)] * 2
    court.may_be_others(1, had_opened=False, others=[2], came=came)
    assert court.told_as(1) == tuple(came)
    court.took_back(court.state.table, seated.now, 1, had_opened=False)
    court.may_have_opened(1)
    assert court.has_opened(1) is None
    assert court.told_as(1) == ()


def test_whether_its_player_has_opened_puts_off_no_end(seated: Desk) -> None:
    """A second of a table that is legal whoever has opened, and then the next player's hands (bo01)."""
    seated.keeper.court.may_have_opened(0)
    seated.keeper.court._opened[0] = None
    takes(seated, CATS.replace("R10", "O10 R10"), ANN, 20, 0.9)
    takes(seated, f"{CATS.replace('R10', 'O10 R10')} | R1 R2 R3", BEN, 20, 5)
    assert [(turn.seat, turn.action) for turn in seated.turns[3:]] == [(0, "play"), (1, "play")]


@pytest.mark.parametrize(("beside", "turns"), [(False, 3), (True, 2)])
def test_two_reaches_each_tell_players_apart_who_sit_far_from_one_another(beside: bool, turns: int) -> None:
    """Ben has drawn from a stack that shows nothing: against such a pool Cat's hands are believed."""
    bens = CAT - 0.7 if beside else BEN
    desk = Desk(players=THREE, places=places_seen((ANN, 3), (bens, 2), (CAT, 2)))
    desk.lies("", 2)
    takes(desk, OPENING, ANN, 19, 5)
    takes(desk, BENS, CAT, 19, 5)
    assert len(desk.short) == turns


@pytest.mark.parametrize(("asked", "verdict"), [(0, "illegal"), (1, "ask"), (2, "legal")])
def test_a_pool_that_twice_seemed_to_lose_a_tile_before_a_play_is_not_asked_about_again(
    seated: Desk, asked: int, verdict: str
) -> None:
    """Backs are pushed aside to make room for sets; nobody has put back what was asked about (bp03)."""
    seated.keeper._drew_in_vain = asked
    seated.lies(CATS, 2)
    takes(seated, CATS, ANN, 19, 0.5)
    takes(seated, NEXT, ANN, 19, 5)
    assert seated.turns[-1].verdict == verdict


def test_a_play_that_stands_though_it_was_asked_about_was_asked_about_in_vain(seated: Desk) -> None:
    seated.changes(CATS, 0.5, by=ANN, share=0.5, backs=19)
    takes(seated, NEXT, ANN, 19, 5)
    assert [question.code for question in seated.turns[-1].questions] == ["drew-first?"]
    takes(seated, f"{NEXT} | B1 B2 B3", BEN, 19, 5)
    assert seated.keeper._drew_in_vain == 1


@pytest.mark.parametrize(("of_heap", "verdict"), [(False, "illegal"), (True, "ask")])
def test_nobody_is_accused_of_a_draw_by_a_heap_that_has_not_shown_the_draws_of_a_game(
    seated: Desk, of_heap: bool, verdict: str
) -> None:
    """What is pushed aside looks otherwise, too (bp03)."""
    seated.of_heap = of_heap
    seated.lies(CATS, 2)
    takes(seated, CATS, ANN, 19, 0.5)
    takes(seated, NEXT, ANN, 19, 5)
    assert seated.turns[-1].verdict == verdict


def test_a_theft_of_the_last_play_is_one_though_another_was_taken_back_before(seated: Desk) -> None:
    """The table lay so before both; only the last play is taken away, by hands that did not make it."""
    takes(seated, CATS.replace("R10", "O10 R10"), ANN, 20, 5)
    takes(seated, CATS, ANN, 20, 5)
    takes(seated, CATS.replace("B12", "R12 B12"), BEN, 20, 5)
    takes(seated, CATS, CAT, 20, 6)
    assert seated.turns[-1].verdict == "illegal"


@pytest.mark.parametrize(
    ("by", "after_s", "busy_s", "over_s"),
    [
        (ANN, 1.5, 3.0, (1.5 + 3.0) / 2 - 0.25),  # her own hands straighten it: she may have been done before
        (CAT, 0.5, 3.0, (0.5 + 3.0) / 2 - 0.25),  # somebody tidies up as she leaves
        (CAT, 1.5, 3.0, 0.85),  # somebody reaches for the crisps
        (ANN, 1.5, 6.0, 0.85),  # it is done, and she thinks about something else
    ],
)
def test_hands_that_come_back_at_once_may_have_been_busy_still(
    by: float, after_s: float, busy_s: float, over_s: float
) -> None:
    """Then the middle is said, where that is near enough to both (composer BS's bs01, BO's bo02).

    Hands have left a little before nothing moves any more.
    """
    desk = three_who_have_opened()
    desk.changes(NEXT, after_s, by=ANN)
    laid_s = desk.still_since
    desk.moves(busy_s, by=by)
    desk.lies(NEXT, 5)
    assert desk.turns[-1].end_s - laid_s == pytest.approx(over_s)


def test_hands_that_come_back_to_what_they_have_put_back_may_have_been_busy_still() -> None:
    """The same after a fault (our 11860)."""
    desk = three_who_have_opened()
    desk.changes(FOUL, 6, by=ANN)
    desk.changes(CATS, 2.2, by=ANN)
    put_back_s = desk.still_since
    desk.moves(1.5, by=ANN)
    desk.lies(CATS, 5)
    assert desk.turns[-1].action == "put-back"
    assert desk.turns[-1].end_s - put_back_s == pytest.approx((2.2 + 1.5) / 2 - 0.25)


@pytest.mark.parametrize(("by", "told"), [(None, True), (ANN, False)])
def test_a_tile_that_lies_alone_for_long_is_a_fault_unless_its_players_hands_come_to_it(
    by: float | None, told: bool
) -> None:
    """A camera that trembles, or a lamp, is no hand; who comes again and again goes on laying (co02)."""
    desk = three_who_have_opened()
    desk.moves(by=ANN, arms=[arm_from(ANN)])
    alone = f"{CATS} | R1"
    for _ in range(5):
        desk.lies(alone, 1.1)
        if by is not None:
            desk.moves(0.5, by=by, arms=[arm_from(by)])
        else:
            desk.keeper.moves(desk.now)
            flicker = Reach(desk.now, desk.now + 0.2, None)
            desk.ticks(0.2, None)
            desk.said += desk.keeper.reached(flicker, touched=False)
    desk.lies(alone, 0.9)
    desk.changes(CATS, 5, by=ANN)
    assert bool(desk.short[3:]) is told


def test_a_fault_that_is_paid_for_before_it_is_taken_back_lay_there_before_that(seated: Desk) -> None:
    """Quick players: the price was counted from the look after it, and so there was none."""
    for nth in range(6):
        takes(seated, CATS, (ANN, BEN, CAT)[nth % 3], 19 - nth, 1.6)
    takes(seated, FOUL, ANN, 14, 1.3)
    takes(seated, FOUL, ANN, 13, 0.6)
    takes(seated, CATS, ANN, 13, 5)
    assert seated.short[-2:] == [(0, "play", "ask"), (0, "put-back", "legal")]


@pytest.mark.parametrize(("tiles_apart_s", "asked"), [(0.1, True), (1.3, False)])
def test_in_the_first_turns_the_pauses_of_a_turn_tell_whether_a_fault_was_left(
    tiles_apart_s: float, asked: bool
) -> None:
    """Nobody knows yet how quick they are (de02); who lays tile after tile so slowly thinks as long."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT))
    desk.lies("", 2)
    row, lay = [*OPENING.split(), "O4"], []
    for tile in row:
        lay.append(tile)
        takes(desk, " ".join(lay), ANN, 20, tiles_apart_s if tile != row[-1] else 1.4)
    takes(desk, "", ANN, 20, 0.4)
    takes(desk, "", ANN, 19, 6)
    fault = [(0, "play", "ask"), (0, "put-back", "legal")]
    assert desk.short == (fault if asked else [(0, "draw", "legal")])


def test_where_a_nut_is_taken_over_a_fault_its_player_is_learnt_by_the_hands_that_made_it() -> None:
    """Told late, the last hand of that time was learnt: the neighbour's, who took the nut."""
    desk = Desk(players=THREE, places=places_seen((ANN, 1), (BEN, 0), (CAT, 0)))
    desk.lies("", 2)
    takes(desk, "", ANN, 19, 4)
    takes(desk, "O4 O5 O6", BEN, 19, 1.9)
    desk.passes(CAT)
    takes(desk, "O4 O5 O6", BEN, 18, 0.7)
    takes(desk, "", BEN, 18, 5)
    assert desk.short[1:] == [(1, "play", "illegal"), (1, "put-back", "legal")]
    places = desk.keeper._actors.places
    assert places.came_elsewhere(1, Reach(0.0, 1.0, CAT, 1.0, 9))
    assert places.came_just_there(1, Reach(0.0, 1.0, BEN, 1.0, 9))


def test_what_was_asked_about_and_goes_by_hands_from_nowhere_is_put_back_before_the_next_draw(
    seated: Desk,
) -> None:
    """Nobody saw whose hands they were, and the next player drew: somebody was called a thief."""
    takes(seated, f"{CATS} | R7 B7 K7/K8", ANN, 20, 6)
    assert seated.short[3:] == [(0, "play", "ask")]
    by_nobody(seated)
    seated.lies(CATS, 1.1, backs=20)
    takes(seated, CATS, BEN, 19, 4)
    assert seated.short[4:] == [(0, "put-back", "legal"), (1, "draw", "legal")]


UNSURE = f"{CATS} | R7 B7 K7/K8"


def test_who_takes_away_what_was_asked_about_and_puts_it_right_is_asked_and_nothing_breaks(
    seated: Desk,
) -> None:
    takes(seated, f"{UNSURE} O7", ANN, 20, 6)
    takes(seated, f"{UNSURE} | R1 R2 R3", BEN, 20, 2.4)
    takes(seated, f"{UNSURE} O7 | B4 B5 B6", BEN, 20, 6)
    assert [turn[:2] for turn in seated.short[3:]] == [(0, "play"), (1, "play"), (1, "put-back")]


def test_a_tile_that_was_asked_about_a_round_ago_is_nobodys_to_take(seated: Desk) -> None:
    takes(seated, f"{UNSURE} O7", ANN, 20, 6)
    for nth, by in enumerate((BEN, CAT, ANN, BEN)):
        takes(seated, f"{UNSURE} O7", by, 19 - nth, 4)
    takes(seated, UNSURE, CAT, 16, 8)
    assert seated.short[-1] == (2, "play", "illegal")


@pytest.mark.parametrize("by", [BEN, CAT])
def test_who_points_at_a_fault_has_not_made_it(seated: Desk, by: float) -> None:
    """The price of three tiles was three players' draws."""
    takes(seated, FOUL, ANN, 20, 0.4)
    seated.moves(0.6, by=by, arms=[arm_from(by, anywhere=False)])
    seated.lies(FOUL, 0.4)
    for backs in (20, 19, 18, 17):
        takes(seated, CATS, ANN, backs, 0.6)
    seated.lies(CATS, 5, backs=17)
    assert seated.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal")]


def test_what_was_asked_about_and_is_lifted_for_a_moment_by_unseen_hands_stays_one_play(seated: Desk) -> None:
    takes(seated, UNSURE, ANN, 20, 6)
    by_nobody(seated)
    seated.lies(CATS, 0.8)
    by_nobody(seated)
    seated.lies(UNSURE, 4)
    takes(seated, f"{UNSURE} | O4 O5 O6", BEN, 20, 6)
    assert seated.short[3:] == [(0, "play", "ask"), (1, "play", "legal")]


def test_a_fault_that_somebody_pointed_at_amid_it_lay_there_for_its_longest_time(seated: Desk) -> None:
    for nth in range(6):
        takes(seated, CATS, (ANN, BEN, CAT)[nth % 3], 19 - nth, 1.6)
    seated.changes(FOUL, 0.6, by=ANN, backs=14)
    seated.moves(0.4, by=BEN, arms=[arm_from(BEN, anywhere=False)])
    seated.lies(FOUL, 1.5, backs=14)
    takes(seated, CATS, ANN, 14, 0.4)
    takes(seated, CATS, ANN, 13, 5)
    assert seated.short[-2:] == [(0, "play", "ask"), (0, "put-back", "legal")]


@pytest.mark.parametrize(
    ("apart_s", "pause_s", "lay_s", "verdict"),
    [(1.7, 4.0, 1.9, "ask"), (0.2, 4.0, 1.9, "illegal"), (0.2, 1.5, 1.5, "illegal"), (0.9, 1.5, 1.5, "ask")],
    ids=["as they think", "longer than they think", "as quick ones leave a turn", "or think"],
)
def test_a_pair_that_is_taken_back_and_paid_for_is_told_where_nobody_here_thinks_for_so_long(
    seated: Desk, apart_s: float, pause_s: float, lay_s: float, verdict: str
) -> None:
    """In dg03 somebody looked at two tiles for 1.9 seconds, and changed her mind; in di01 1.5 were a fault."""
    lay = lays_sets(seated, apart_s, pause_s)
    takes(seated, f"{lay} | O11 O12", ANN, 20, lay_s)
    takes(seated, lay, ANN, 20, 0.5)
    takes(seated, lay, ANN, 19, 6)
    assert seated.short[-2:] == [(0, "play", verdict), (0, "put-back", "legal")]


def test_draws_that_left_nothing_to_see_are_told_evenly_until_somebody_came() -> None:
    """All of them were told as the turn before ended: passes of 11930 were seconds too early."""
    desk = Desk(pool=None, players=THREE, places=places_at(ANN, BEN, CAT), opened=(True,) * 3)
    desk.lies(CATS, 2)
    takes(desk, f"{CATS} | R1 R2 R3", ANN, 0, 15)
    takes(desk, f"{CATS} | R1 R2 R3 R4", ANN, 0, 5)
    ends_s = [round(turn.end_s, 1) for turn in desk.turns]
    assert [turn[:2] for turn in desk.short] == [(0, "play"), (1, "draw"), (2, "draw"), (0, "play")]
    assert ends_s[2] - ends_s[1] == pytest.approx(ends_s[1] - ends_s[0], abs=0.2)
    assert ends_s[1] - ends_s[0] > 4
