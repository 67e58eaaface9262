"""Who puts a fault back: what it costs, what they lay instead, and who may have opened before."""

from __future__ import annotations

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
    places_seen,
    three_who_have_opened,
)

from vision.watch.reach import Reach

MORE_THAN_OPENING = f"{OPENING} | R11 B11 K11"


def two_who_have_opened() -> Desk:
    desk = Desk(places=places_at(ANN, BEN))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(f"{OPENING} | B12 K12 O12", 5, by=BEN)
    return desk


def test_hands_that_have_not_opened_and_take_a_fault_back_unasked_are_told_of_it() -> None:
    """What lay there passed for a moment as one of two sets that somebody else may have opened with (br01)."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    desk.changes(OPENING, 0.6, by=ANN)
    desk.changes(MORE_THAN_OPENING, 5, by=ANN + 0.1)
    desk.changes(f"{MORE_THAN_OPENING} | R1 R2 R3", 2.6, by=BEN)
    desk.changes(MORE_THAN_OPENING, 5, by=BEN)
    assert desk.short[1:] == [(1, "play", "illegal"), (1, "put-back", "legal")]


def test_a_back_that_goes_while_a_fault_is_put_back_is_its_price_though_the_rest_is_legal() -> None:
    """An opening that built on the table: with the tile taken back that was added, what is left would do."""
    desk = Desk(places=places_at(ANN, BEN))
    desk.lies("", 2)
    desk.changes("R10 B10 K10", 5, by=ANN)
    desk.changes("R10 B10 K10 O10 | R11 B11 K11", 2.4, by=BEN)
    desk.moves(by=BEN + 0.8)
    desk.changes("R10 B10 K10 | R11 B11 K11", 0.6, by=BEN, backs=19)
    desk.changes("R10 B10 K10 | R11 B11", 0.6, by=BEN, backs=19)
    desk.changes("R10 B10 K10", 6, by=BEN, backs=19)
    assert desk.short == [(0, "play", "legal"), (1, "play", "illegal"), (1, "put-back", "legal")]


def after_a_fault_is_taken_back_at_once_lays(by: float) -> Desk:
    desk = two_who_have_opened()
    table = f"{OPENING} | B12 K12 O12"
    desk.changes(f"{table} | R1 R2", 2.4, by=ANN)
    desk.changes(table, 0.6, by=ANN)
    desk.changes(f"{table} | B5 B6 B7", 6, by=by)
    return desk


def test_who_takes_a_fault_back_before_it_is_called_may_lay_another_set_at_once() -> None:
    desk = after_a_fault_is_taken_back_at_once_lays(by=ANN)
    assert desk.short[2:] == [(0, "play", "illegal"), (0, "put-back", "legal")]
    assert [str(tile) for tile in desk.turns[-1].played] == ["B5", "B6", "B7"]


def test_what_the_next_player_lays_at_once_is_no_putting_back() -> None:
    desk = after_a_fault_is_taken_back_at_once_lays(by=BEN)
    assert desk.short[2:] == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "play", "legal")]


@pytest.mark.parametrize(("bens", "verdict"), [(BEN, "illegal"), (ANN + 0.5, "ask")])
def test_two_sets_that_one_may_have_opened_with_are_not_of_hands_from_elsewhere(
    bens: float, verdict: str
) -> None:
    """Both are worth an opening, and may be two players' who sit side by side."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    desk.changes(OPENING, 0.6, by=ANN)
    desk.changes(MORE_THAN_OPENING, 5, by=ANN + 0.1)
    desk.changes(f"{MORE_THAN_OPENING} | R1 R2 R3", 7, by=bens)
    assert desk.short == [(0, "play", "legal"), (1, "play", verdict)]
    desk.changes(MORE_THAN_OPENING, 5, by=bens)
    assert desk.short[2:] == [(1, "put-back", "legal")]


@pytest.mark.parametrize("unseen", [False, True], ids=["each hand seen", "one of them unseen"])
def test_who_drew_and_takes_the_own_play_back_has_put_it_back_though_names_are_wrong(unseen: bool) -> None:
    """It passed as another's, and what it cost as a draw of the next player's."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    if unseen:
        desk.ticks(1.0, None)
        desk.said += desk.keeper.reached(Reach(desk.now - 1.0, desk.now, None, 0.0, 9))
        desk.lies("R10 B10", 0.6)
    desk.changes(OPENING, 5, by=BEN)
    desk.moves(by=BEN + 0.1)
    desk.lies(OPENING, 1, backs=19)
    desk.changes("R10 B10", 0.6, by=BEN, backs=19)
    desk.changes("", 6, by=BEN - 0.1, backs=19)
    assert desk.short == [(0, "play", "legal"), (1, "draw", "legal"), (0, "put-back", "legal")]
    desk.changes(OPENING, 5, by=ANN, backs=19)
    assert desk.short[3:] == [(1, "play", "legal")], "the draw was nobody's turn"


def test_hands_that_take_all_of_a_play_away_and_did_not_make_it_have_not_put_it_back() -> None:
    desk = Desk(players=THREE, places=places_at(ANN, BEN, BEN + 2))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.moves(by=BEN)
    desk.lies(OPENING, 4, backs=19)
    desk.changes("", 8, by=BEN + 2, backs=19)
    assert desk.short[1:] == [(1, "draw", "legal"), (2, "play", "illegal")]


def test_the_first_round_tells_who_has_not_opened_by_hands_from_elsewhere_than_the_opener() -> None:
    """One reach has shown where the opener sits (composer BL's second)."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(f"{OPENING} | O4 O5", 0.6, by=BEN)
    desk.changes(f"{OPENING} | O4 O5 O6", 7, by=BEN + 0.1)
    assert desk.short == [(0, "play", "legal"), (1, "play", "illegal")]


def asked_about() -> tuple[Desk, float]:
    """Ann has opened; Ben, who sits beside her, has laid too little, which is asked about."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    bens = ANN + 0.7
    desk.changes(f"{OPENING} | O4 O5 O6", 6, by=bens)
    return desk, bens


def test_what_was_asked_about_and_is_taken_back_after_a_draw_by_the_same_hands_was_one_turn() -> None:
    """Hands that may be the opener's: whose turn it was is asked, and the draw is told as the next player's."""
    desk, bens = asked_about()
    desk.moves(by=bens)
    desk.lies(f"{OPENING} | O4 O5 O6", 4, backs=19)
    desk.changes(OPENING, 6, by=bens, backs=19)
    assert desk.short == [
        (0, "play", "legal"),
        (1, "play", "ask"),
        (2, "draw", "legal"),
        (1, "put-back", "legal"),
    ]
    desk.changes(f"{OPENING} | R11 B11 K11", 5, by=CAT, backs=19)
    assert desk.short[4:] == [(2, "play", "legal")]


def test_what_was_asked_about_and_is_taken_back_costs_what_the_same_hands_take_then() -> None:
    """The first look after the hands shows no more what they took; a second later the price comes (bs02)."""
    desk, bens = asked_about()
    desk.moves(by=bens)
    since = desk.now
    desk.lies(f"{OPENING} | ~O4 ~O5 ~O6", 0.4)
    desk.lies(OPENING, 0.8, since=since)
    desk.moves(by=bens + 0.1)
    desk.lies(OPENING, 6, backs=19)
    assert desk.short == [(0, "play", "legal"), (1, "play", "ask"), (1, "put-back", "legal")]


def test_who_fidgets_long_after_putting_back_has_put_it_back_before() -> None:
    """In br03 the player's hand hung over the rim, and again a second later."""
    desk = two_who_have_opened()
    table = f"{OPENING} | B12 K12 O12"
    desk.changes(f"{table} | R1 R2", 5, by=ANN)
    desk.changes(table, 2.2, by=ANN)
    restored_s = desk.now - 2.2
    for seconds in (0.8, 4.0):
        desk.moves(0.4, by=ANN)
        desk.lies(table, seconds)
    assert desk.short[-1] == (0, "put-back", "legal")
    assert desk.turns[-1].end_s - restored_s < 2.5, "or in the middle between, where it is not sure"


def test_two_tiles_that_make_no_set_wait_for_the_third_as_two_do_that_might() -> None:
    """K7 B8 lay there for five seconds before K9 came: the fault is all three (bp02)."""
    desk = two_who_have_opened()
    table = f"{OPENING} | B12 K12 O12"
    desk.changes(f"{table} | K7 B8", 4.4, by=ANN)
    desk.changes(f"{table} | K7 B8 K9", 6, by=ANN)
    assert [(turn.action, turn.verdict, len(turn.played)) for turn in desk.turns[2:]] == [
        ("play", "illegal", 3)
    ]


def test_a_fault_is_paid_for_by_whoever_put_it_back_though_hands_came_but_once_before() -> None:
    """Early in a game one reach of each player is known (composer BS's bs02)."""
    desk = Desk(players=THREE, places=places_seen((ANN, 1), (BEN, 1), (CAT, 1)), opened=(True, True, True))
    desk.lies(CATS, 2)
    desk.changes(f"{CATS} | R1 R2", 6, by=ANN)
    desk.changes(CATS, 3, by=ANN)
    desk.changes(CATS, 4, by=ANN, backs=19)
    desk.changes(CATS, 5, by=BEN, backs=18)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "draw", "legal")]


def test_backs_that_went_before_hands_came_for_nothing_went_with_those_before() -> None:
    """Three tiles that Ann takes for her fault; then Ben scratches twice, and draws (composer BS's bs02)."""
    desk = three_who_have_opened()
    desk.changes(f"{CATS} | R1 R2", 6, by=ANN)
    desk.changes(CATS, 4, by=ANN)
    desk.changes(CATS, 1, by=ANN, backs=17)
    desk.changes(CATS, 1, by=BEN, backs=17)
    desk.changes(CATS, 1, by=BEN, backs=17)
    desk.changes(CATS, 5, by=BEN, backs=16)
    assert desk.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "draw", "legal")]


def test_who_may_not_have_opened_and_takes_back_what_was_added_is_asked_about_it() -> None:
    """It lay for three seconds, and a tile was drawn for it (our 21845)."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT))
    desk.lies(CATS, 2)
    desk.changes(f"{CATS} R12", 2.5, by=ANN)
    desk.changes(f"{CATS} R12", 0.6, by=ANN, backs=19)
    desk.changes(CATS, 5, by=ANN, backs=19)
    assert desk.short == [(0, "play", "ask"), (0, "put-back", "legal")]


@pytest.mark.parametrize(("lay_s", "asked"), [(5.2, True), (3.8, False)])
def test_sets_that_were_left_torn_apart_are_asked_about_once_put_back(lay_s: float, asked: bool) -> None:
    """In BT's films they lay so for five seconds, whoever came to the rim; who thinks is back sooner."""
    desk = three_who_have_opened()
    torn = CATS.replace("R10 B10 K10", "R10 B10 | K10")
    desk.moves(by=ANN)
    desk.lies(torn, lay_s / 2)
    desk.passes(CAT)
    desk.lies(torn, lay_s / 2 - 0.4)
    desk.changes(CATS, 5, by=ANN, backs=19)
    turns = [(0, "play", "ask"), (0, "put-back", "legal")] if asked else [(0, "draw", "legal")]
    assert desk.short[3:] == turns


def test_a_putting_back_ends_when_what_it_costs_is_drawn() -> None:
    """The end was told 4 s too soon, as of the moment when all lay as before (cb01)."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), opened=(True,) * 3, rack_sizes=(14,) * 3)
    desk.lies(OPENING, 2)
    desk.changes(f"{OPENING} | K9 R9", 7, by=ANN)
    desk.changes(OPENING, 0.3, by=ANN)
    desk.changes(OPENING, 0.8, by=ANN, backs=19)
    for _ in range(2):
        desk.moves(1.4, by=ANN)
    paid_s = desk.now
    fidget = Reach(desk.now, desk.now + 0.3, CAT, 1.0, 4)
    desk.ticks(0.3, None)
    desk.said += desk.keeper.reached(fidget, touched=False)
    desk.lies(OPENING, 0.6, backs=17)
    desk.changes(f"{OPENING} | R1 R2 R3", 5, by=BEN, backs=17)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "play", "legal")]
    assert desk.turns[1].end_s == pytest.approx(paid_s, abs=0.5)


def test_who_pays_before_all_is_back_has_not_put_back_yet() -> None:
    """Ann took an eleven and laid a thirteen; with the eleven back it would be a play (cb02)."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT), opened=(True,) * 3, rack_sizes=(14,) * 3)
    before = "R8 R9 R10 R11 | K13 B13 O13"
    desk.lies(before, 2)
    desk.changes("R8 R9 R10 | K13 B13 O13 R13", 2.9, by=ANN)
    desk.passes(CAT, 2.2)
    desk.lies("R8 R9 R10 | K13 B13 O13 R13", 2.4)
    desk.changes(f"{before} R13", 0.6, by=ANN)
    desk.changes(f"{before} R13", 1.0, by=ANN + 0.7, backs=19)
    desk.changes(f"{before} R13", 3.2, by=ANN + 0.7, backs=18)
    desk.changes(before, 1.5, by=ANN, backs=18)
    restored_s = desk.still_since
    desk.changes(f"{before} | R1 R2 R3", 5, by=BEN, backs=18)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "play", "legal")]
    assert desk.turns[1].end_s == pytest.approx(restored_s, abs=1)


def test_who_puts_a_fault_back_and_is_back_soon_pays_for_it_though_no_back_is_seen_to_go() -> None:
    """The back lay across the picture's border, and who took it came in nearer to the pool (cr03)."""
    desk = three_who_have_opened()
    desk.changes(f"{CATS} | R1 R2", 6, by=ANN)
    desk.changes(CATS, 1.6, by=ANN)
    restored_s = desk.still_since
    desk.moves(3.0, by=(ANN + CAT) / 2)
    desk.lies(CATS, 5)
    assert desk.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal")]
    paid_s = restored_s + 1.6 + 3.0
    assert max(paid_s - desk.turns[-1].end_s, desk.turns[-1].end_s - restored_s) < 3.0


def test_the_next_players_hands_pay_for_nothing() -> None:
    desk = three_who_have_opened()
    desk.changes(f"{CATS} | R1 R2", 6, by=ANN)
    desk.changes(CATS, 1.6, by=ANN)
    restored_s = desk.still_since
    desk.moves(3.0, by=BEN)
    desk.lies(CATS, 5)
    assert desk.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal")]
    assert desk.turns[-1].end_s == pytest.approx(restored_s + 0.7, abs=0.3)


def after_a_low_opening_is_taken_back_comes(by: float) -> Desk:
    """In the first round, so that nobody's place is known; soon after, and from elsewhere than it was laid."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    desk.changes("K6 K7 K8", 6, by=2.18)
    desk.changes("", 0.6, by=2.18)
    for _ in range(2):
        desk.moves(1.0, by=by)
        desk.ticks(0.3, desk.now)
    return desk


def test_a_back_that_goes_soon_after_a_fault_is_put_back_is_its_price_from_wherever_it_is_taken() -> None:
    """Who draws comes in nearer to the pool (cs01)."""
    desk = after_a_low_opening_is_taken_back_comes(by=0.81)
    desk.lies("", 0.5)
    desk.lies("", 2, backs=19, since=desk.still_since)
    desk.moves(2.0, by=-2.0)
    desk.lies("", 4, backs=18)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "draw", "legal")]


def test_who_comes_from_the_other_side_of_the_table_soon_after_is_the_next() -> None:
    """Of three who sit a third of the round apart: nobody lays here and draws there."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    desk.changes("K6 K7 K8", 6, by=ANN)
    desk.changes("", 1.0, by=ANN)
    desk.moves(1.0, by=BEN)
    desk.lies("", 5, backs=19)
    desk.changes(OPENING, 5, by=CAT, backs=19)
    assert desk.short[:3] == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "draw", "legal")]
    assert desk.short[3:] == [(2, "play", "legal")]


def test_somebody_elses_hand_beside_the_pay_does_not_make_it_a_draw() -> None:
    """Ann pays, and Cat points meanwhile: known places tell more than how far round the table they are."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, CAT))
    desk.lies("", 2)
    desk.changes("K6 K7 K8", 6, by=ANN)
    desk.changes("", 1.0, by=ANN)
    desk.moves(0.8, by=ANN)
    desk.passes(CAT)
    desk.lies("", 5, backs=19)
    desk.changes(OPENING, 5, by=BEN, backs=19)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "play", "legal")]


def test_who_lays_soon_after_a_fault_is_put_back_is_the_next() -> None:
    desk = after_a_low_opening_is_taken_back_comes(by=0.81)
    desk.lies(OPENING, 5)
    assert desk.short == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "play", "legal")]


@pytest.mark.parametrize(
    ("arms", "told"),
    [
        ((ANN, CAT), (1, "play", "illegal")),
        ((ANN, BEN), (0, "put-back", "legal")),  # one was Ben's: he may have laid it
        ((CAT, CAT + 0.5), (0, "put-back", "legal")),  # none was Ann's: whose was the third?
    ],
)
def test_who_takes_the_tile_that_was_laid_last_was_not_at_it(
    arms: tuple[float, float], told: tuple[int, str, str]
) -> None:
    """Two arms were there as Ann laid it (cv01)."""
    desk = three_who_have_opened()
    with_one = CATS.replace("K10", "K10 O10")
    desk.moves(by=arms[0], share=0.55, arms=[arm_from(arms[0], 0.55), arm_from(arms[1], 0.45)])
    desk.lies(with_one, 5)
    desk.moves(by=BEN, arms=[arm_from(BEN)])
    desk.lies(CATS, 6)
    assert desk.short[3:] == [(0, "play", "legal"), told]


@pytest.mark.parametrize(("after_s", "turns"), [(0.6, 5), (1.6, 6)])
def test_who_draws_at_once_after_a_fault_was_put_back_pays_from_wherever_the_hand_comes(
    after_s: float, turns: int
) -> None:
    """The pool lies beside Ben's place: so soon no other comes, and all names were one on (cx01)."""
    desk = three_who_have_opened()
    desk.changes(f"{CATS} | R1 R2", 5, by=ANN)
    desk.changes(CATS, after_s, by=ANN)
    desk.moves(1.2, by=BEN, arms=[arm_from(BEN)])
    desk.lies(CATS, 5, backs=19)
    assert desk.short[3:5] == [(0, "play", "illegal"), (0, "put-back", "legal")]
    assert len(desk.turns) == turns


@pytest.mark.parametrize(("by", "told"), [(0.7, (1, "put-back", "legal")), (-2.0, (2, "play", "illegal"))])
def test_whose_hands_take_away_what_was_asked_about_and_lay_another_set_have_mended_it(
    by: float, told: tuple[int, str, str]
) -> None:
    """Ben lays from elsewhere than he drew: the next player was called to order (sights of game 615)."""
    desk = Desk(players=THREE, places=places_seen((ANN, 4), (1.7, 2), (CAT, 4)))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(f"{OPENING} | O4 O5 O6", 7, by=0.7)
    assert desk.short[1:] == [(1, "play", "ask")]
    for table in (f"{OPENING} | O6 | B12", f"{OPENING} | B12 K12"):
        desk.changes(table, 0.5, by=by + 0.1)
    desk.changes(f"{OPENING} | B12 K12 O12", 7, by=by)
    assert desk.short[2:] == [told]
