"""People who tidy up, draw from aside or fidget: when their turn was over, and whose it was."""

from __future__ import annotations

import pytest
from test_watch_restless import BESIDE, BIG, FOUL, LOW, by_nobody, opens_too_low, takes
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
    places_seen,
    three_who_have_opened,
)

from vision.watch.reach import Reach


@pytest.fixture
def seated() -> Desk:
    return three_who_have_opened()


@pytest.mark.parametrize("nearer", [0.0, 0.25])
def test_where_a_low_opening_was_asked_about_its_player_pays_whoever_fidgets_meanwhile(nearer: float) -> None:
    """Ann's hand has rested at the rim since; Ben draws, and takes the tiles back one by one."""
    desk = Desk(players=THREE)
    opens_too_low(desk, BESIDE)
    desk.moves(0.3, by=BESIDE - 0.3, arms=[arm_from(BESIDE - 0.3)])
    desk.lies(LOW, 3.1)
    desk.passes(ANN)
    desk.lies(LOW, 1.4)
    takes(desk, LOW, BESIDE + nearer, 19, 0.6)
    takes(desk, LOW.replace("B5 ", ""), BESIDE - 0.1, 19, 0.5)
    takes(desk, BIG, BESIDE, 19, 4)
    assert desk.short[1:] == [(1, "play", "ask"), (1, "put-back", "legal")]


def test_who_lays_from_elsewhere_than_a_great_opening_came_from_has_not_opened_by_it() -> None:
    """Of Cat's three hands one came from nowhere; what Ann laid may have been two players' openings."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    takes(desk, BIG.replace("6", "13"), ANN, 20, 6)
    assert desk.keeper.court.has_opened(2) is None
    takes(desk, BIG.replace("6", "13"), BEN, 19, 5)
    rows = f"{BIG.replace('6', '13')} | B5 K5 O5"
    takes(desk, rows.removesuffix(" K5 O5"), CAT, 19, 0.5)
    by_nobody(desk)
    desk.lies(rows.removesuffix(" O5"), 0.5, backs=19)
    takes(desk, rows, CAT + 0.2, 19, 7)
    assert desk.short[2:] == [(2, "play", "illegal")]


@pytest.mark.parametrize(("by", "verdict"), [(CAT, "illegal"), (BEN + 0.3, "ask")])
def test_whose_hands_an_opening_rather_came_from_is_known_by_where_they_lay_next(
    by: float, verdict: str
) -> None:
    """Ben's opening came from rather nearer to Cat's place: from her own far one she has not opened."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), opened=(True, False, False))
    desk.lies(OPENING, 2)
    desk.keeper.court.may_be_others(
        1, had_opened=False, others=[2], came=[Reach(0.0, 1.0, BEN + 0.4, 1.0, 9)] * 2
    )
    takes(desk, OPENING, ANN, 19, 4)
    takes(desk, OPENING, BEN, 18, 4)
    desk.lies(OPENING, 0.5, backs=18)
    takes(desk, f"{OPENING} O10", by, 18, 5)
    assert desk.turns[-1].verdict == verdict


def test_a_row_put_straight_after_the_first_turn_ends_it_between() -> None:
    """Nobody's place is known yet; the same hands come back after a second (a table of people who tidy up)."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    takes(desk, OPENING, ANN, 20, 1.4)
    laid_s = desk.now - 1.4
    desk.moves(2.6, by=ANN + 0.1, arms=[arm_from(ANN + 0.1)])
    tidied_s = desk.now
    desk.lies(OPENING, 5)
    assert desk.short == [(0, "play", "legal")]
    assert desk.turns[0].end_s == pytest.approx((laid_s + tidied_s) / 2, abs=0.5)


@pytest.mark.parametrize(("by", "late_s"), [(ANN, 1.45), (BEN, 0.0)])
def test_who_draws_from_aside_and_puts_a_row_straight_ends_between(
    seated: Desk, by: float, late_s: float
) -> None:
    """Whoever draws comes in nearer to the pool; a neighbour who does that was not at it."""
    takes(seated, CATS, ANN + 0.9, 19, 1.4)
    drawn_s = seated.now - 1.4
    seated.moves(2.0, by=by, arms=[arm_from(by)])
    seated.lies(CATS, 5, backs=19)
    assert seated.turns[3].end_s == pytest.approx(drawn_s + late_s, abs=0.2)


def test_a_putting_back_that_was_paid_for_is_over_whoever_takes_a_nut(seated: Desk) -> None:
    """Ben has, from his own place, before Cat plays (cv02)."""
    takes(seated, FOUL, ANN, 20, 5)
    takes(seated, CATS, ANN, 19, 1.3)
    restored_s = seated.now - 1.3
    seated.moves(4.5, by=CAT, arms=[arm_from(CAT)])
    seated.lies(CATS, 5, backs=19)
    assert seated.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal")]
    assert seated.turns[4].end_s == pytest.approx(restored_s + 0.85, abs=0.3)


def test_a_draw_before_a_fault_that_was_put_back_ended_when_the_back_was_gone() -> None:
    """Two are new; of the fault, and the draw before it, it is told as it is put back (ct02)."""
    desk = Desk(players=(*THREE, "Dan"), places=places_seen((0.9, 0), (-0.8, 0), (0.0, 0), (0.0, 0)))
    desk.lies("", 2)
    for by, backs in ((0.9, 19), (-0.8, 18)):
        takes(desk, "", by, backs, 4)
    takes(desk, "", -0.85, 17, 1.3)
    drawn_s = desk.now - 1.3
    desk.passes(2.2)
    desk.lies("", 1.0, backs=17)
    low = "B5 B6 B7"
    for by, table in ((3.4, "B5"), (3.1, "B5 B6"), (3.6, low)):
        takes(desk, table, by, 17, 0.6)
    desk.lies(low, 2.4, backs=17)
    desk.moves(1.7, by=4.0, arms=[arm_from(4.0)])
    takes(desk, low.removeprefix("B5 "), 3.26, 16, 0.4)
    takes(desk, "", 3.2, 16, 5)
    assert [(turn.seat, turn.action) for turn in desk.turns[2:]] == [(2, "draw"), (3, "play"), (3, "put-back")]
    assert desk.turns[2].end_s == pytest.approx(drawn_s, abs=0.3)


@pytest.mark.parametrize(("pool", "over_s"), [(20, 0.85), (None, 1.35)])
def test_with_no_pool_in_view_who_comes_back_to_what_was_put_back_may_pay(
    pool: int | None, over_s: float
) -> None:
    """Ann's hand comes in from aside; where a pool shows that she has paid, it is no matter."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), pool=pool, opened=(True,) * 3)
    desk.lies(OPENING, 2)
    desk.changes(f"{OPENING} | R1 R2", 6, by=ANN)
    backs = None if pool is None else pool - 1
    desk.changes(OPENING, 1.6, by=ANN, backs=backs)
    put_back_s = desk.still_since
    desk.moves(1.6, by=ANN - 0.8, arms=[arm_from(ANN - 0.8)])
    desk.lies(OPENING, 5, backs=backs)
    assert [turn.action for turn in desk.turns] == ["play", "put-back"]
    assert desk.turns[1].end_s - put_back_s == pytest.approx(over_s, abs=0.1)


def test_who_takes_a_nut_after_tidying_up_has_ended_the_turn_with_that_all_the_same() -> None:
    """The middle was not told any more of a turn tidied for four seconds, as its player came again (dj03)."""
    desk = three_who_have_opened()
    desk.changes(f"{CATS} | R1 R2 R3", 0.6, by=ANN)
    desk.moves(3.9, by=ANN, arms=[arm_from(ANN)])
    tidied_s = desk.now
    desk.lies(f"{CATS} | R1 R2 R3", 1.9)
    desk.moves(3.0, by=ANN, arms=[arm_from(ANN)])
    desk.lies(f"{CATS} | R1 R2 R3", 2.0)
    desk.changes(f"{CATS} | R1 R2 R3 | B4 B5 B6", 5, by=BEN)
    assert desk.short[3:] == [(0, "play", "legal"), (1, "play", "legal")]
    assert abs(desk.turns[3].end_s - tidied_s) < 3
