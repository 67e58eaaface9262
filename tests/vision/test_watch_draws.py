"""Whose draw it was, by the hands that come and the backs that go."""

from __future__ import annotations

from dataclasses import replace

import pytest
from watch_desk import (
    ANN,
    BEN,
    BENS,
    CAT,
    CATS,
    MORE,
    OPENING,
    THREE,
    Desk,
    arm_from,
    places_at,
    places_seen,
    three_who_have_opened,
)

from vision.watch.sight import Sight

SECOND = f"{CATS} | R1 R2 R3"


@pytest.fixture
def seated() -> Desk:
    return three_who_have_opened()


def after_eight_draws() -> Desk:
    """Ann and Ben, of whom the pool has shown every draw; it is Ann's turn."""
    desk = Desk(places=places_at(ANN, BEN), opened=(True,) * 2, rack_sizes=(14,) * 2)
    desk.lies(BENS, 2)
    for nth, by in enumerate((ANN, BEN) * 4, 1):
        desk.changes(BENS, 3, by=by, backs=20 - nth)
    return desk


def test_a_back_that_the_same_hands_took_before_they_played_is_asked_about(seated: Desk) -> None:
    seated.changes(CATS, 0.5, by=ANN, share=0.5, backs=20)
    seated.changes(SECOND, 5, by=ANN, backs=19)
    (turn,) = seated.turns[3:]
    assert (turn.seat, turn.verdict) == (0, "ask")
    assert [question.code for question in turn.questions] == ["drew-first?"]
    assert dict(turn.questions[0].args) == {"player": "Ann"}


def test_a_draw_waits_as_long_as_a_play_for_the_same_hands_to_come_again(seated: Desk) -> None:
    seated.changes(CATS, 2.4, by=ANN, share=0.5, backs=19)
    seated.changes(SECOND, 5, by=ANN, backs=19)
    (turn,) = seated.turns[3:]
    assert (turn.seat, turn.action, turn.verdict) == (0, "play", "ask")


def test_two_who_drew_in_turn_have_drawn_though_the_next_is_the_first_of_them_again() -> None:
    """Tamara's back was sure to have gone only when Egor had drawn, and then Tamara laid (cl02)."""
    desk = Desk(places=places_at(ANN, BEN), opened=(True,) * 2, rack_sizes=(14,) * 2)
    desk.lies(BENS, 2)
    desk.changes(BENS, 3, by=ANN, backs=19)
    desk.changes(BENS, 3, by=BEN, backs=18)
    desk.changes(BENS, 1.2, by=ANN, backs=18)
    desk.changes(BENS, 1.2, by=BEN, backs=16)
    desk.changes(f"{BENS} | R1 R2 R3", 5, by=ANN, backs=16)
    draws = [(seat, "draw", "legal") for seat in (0, 1, 0, 1)]
    assert desk.short == [*draws, (0, "play", "legal")]


def test_a_back_that_seems_to_go_while_nothing_moves_after_a_play_is_nobodys_draw() -> None:
    """A shadow's edge had come to lie there; the next player's turn passed for two of them (21857)."""
    desk = after_eight_draws()
    desk.changes(MORE, 4, by=ANN, backs=12)
    desk.lies(MORE, 2, backs=11, since=desk.still_since)
    desk.changes(f"{MORE} | O1 O2 O3", 5, by=BEN, backs=11)
    assert desk.short[8:] == [(0, "play", "legal"), (1, "play", "legal")]


@pytest.mark.parametrize(("apart_s", "late_s"), [(1.0, 1.25), (2.0, 1.75), (3.0, 0.0)])
def test_a_draw_whose_hands_come_back_soon_ends_between(seated: Desk, apart_s: float, late_s: float) -> None:
    """Whoever has drawn closes the gap in the row: three seconds later the turn is over (co02)."""
    seated.changes(CATS, 0, by=ANN, backs=19)
    drawn_s = seated.now
    seated.lies(CATS, apart_s, backs=19)
    seated.moves(2.0, by=ANN)
    seated.lies(CATS, 4, backs=19)
    assert seated.short[3:] == [(0, "draw", "legal")]
    assert seated.turns[3].end_s == pytest.approx(drawn_s + late_s, abs=0.2)


def test_a_draw_in_the_first_round_ends_between_though_nobody_looked_since() -> None:
    """Backs are put straight in two reaches, and nothing is still between them (cw01)."""
    desk = Desk(players=THREE, places=places_seen((ANN, 7), (BEN, 0), (CAT, 0)))
    desk.lies(OPENING, 2)
    desk.changes(f"{OPENING} | R1 R2 R3", 5, by=ANN)
    desk.moves(1.5, by=BEN)
    drawn_s = desk.now
    desk.lies(f"{OPENING} | R1 R2 R3", 1.1, backs=19)
    desk.moves(1.0, by=BEN - 0.1)
    desk.moves(2.5, by=BEN + 0.1)
    desk.lies(f"{OPENING} | R1 R2 R3", 5, backs=19)
    assert [(turn.seat, turn.action) for turn in desk.turns] == [(0, "play"), (1, "draw")]
    assert desk.turns[1].end_s == pytest.approx(drawn_s + (1.1 + 3.5) / 2 - 0.25, abs=0.2)


def test_a_back_that_others_took_beside_the_hands_that_played_is_their_draw() -> None:
    """The pool was not sure of it before the play had been told."""
    desk = after_eight_draws()
    desk.moves(1.5, by=ANN, share=0.7)
    desk.lies(MORE, 1, backs=12)
    desk.pool_unsure = True
    desk.lies(MORE, 2.2, backs=12, since=desk.still_since)
    desk.pool_unsure = False
    desk.lies(MORE, 4, backs=11, since=desk.still_since)
    desk.changes(f"{MORE} | O1 O2 O3", 5, by=ANN, backs=11)
    assert desk.short[8:] == [(0, "play", "legal"), (1, "draw", "legal"), (0, "play", "legal")]


@pytest.mark.parametrize("apart_s", [0.8, 1.2])
def test_a_draw_ends_before_a_neighbour_comes_at_once_to_play(apart_s: float) -> None:
    desk = Desk(places=places_seen((0.0, 9), (0.55, 9)), opened=(True,) * 2, rack_sizes=(14,) * 2)
    desk.lies(BENS, 4)
    desk.moves(by=0.0, arms=[arm_from(0.0)])
    drawn_s = desk.now
    desk.lies(BENS, apart_s, backs=19)
    desk.moves(3.0, by=0.58, arms=[arm_from(0.58)])
    desk.lies(MORE, 5, backs=19)
    assert desk.short == [(0, "draw", "legal"), (1, "play", "legal")]
    assert desk.turns[0].end_s == pytest.approx(drawn_s)


def test_who_comes_for_a_mug_is_not_who_drew_before(seated: Desk) -> None:
    """Vera had drawn, and Boris's draw was told only when his hand came for the mug (ck01)."""
    seated.pool_unsure = True
    seated.changes(CATS, 2.6, by=ANN, backs=19)
    seated.pool_unsure = False
    seated.changes(CATS, 2.6, by=BEN, backs=18)
    drawn_s = seated.still_since
    seated.changes(CATS, 1, by=ANN, backs=18)
    seated.changes(SECOND, 5, by=CAT, backs=18)
    assert seated.short[3:] == [(0, "draw", "legal"), (1, "draw", "legal"), (2, "play", "legal")]
    assert seated.turns[4].end_s == pytest.approx(drawn_s)


def test_the_next_players_hands_end_a_draw_that_waits(seated: Desk) -> None:
    seated.changes(CATS, 2.4, by=ANN, backs=19)
    drawn_s = seated.still_since
    seated.changes(SECOND, 5, by=BEN, backs=19)
    assert seated.short[3:] == [(0, "draw", "legal"), (1, "play", "legal")]
    assert seated.turns[3].end_s == pytest.approx(drawn_s)


@pytest.mark.parametrize(("went", "verdict"), [(0, "legal"), (1, "ask")])
def test_the_button_tells_whose_draw_and_play_it_was_where_no_hands_were_seen(went: int, verdict: str) -> None:
    desk = Desk(draws_told=True, automatic=False)
    desk.lies("", 2)
    desk.changes(OPENING, 1, backs=20 - went)
    desk.press("end-turn")
    assert desk.short == [(0, "play", verdict)]


@pytest.mark.parametrize(("went", "verdict"), [(1, "legal"), (2, "ask")])
def test_a_told_draw_that_is_seen_late_is_no_draw_before_playing(went: int, verdict: str) -> None:
    """Ann's draw is told; a back is seen to go only when Ben's hands have played, and with two it was his."""
    desk = Desk(draws_told=True, places=places_at(ANN, BEN))
    desk.lies("", 2)
    desk.press("draw")
    desk.changes("", 1, by=ANN, backs=20 - (went - 1))
    desk.changes(OPENING, 5, by=BEN, backs=20 - went)
    assert desk.short == [(0, "draw", "legal"), (1, "play", verdict)]


@pytest.mark.parametrize(("went", "verdict"), [(1, "legal"), (2, "ask")])
def test_a_told_draw_that_shows_only_with_the_next_play_hides_no_other(went: int, verdict: str) -> None:
    """No look came between Ann's draw and Ben's play: of two backs that are gone by then, one was his."""
    desk = Desk(draws_told=True, automatic=False, opened=(True, True))
    desk.lies("", 2)
    desk.press("draw")
    desk.moves()
    began_s = desk.still_since = desk.now
    seems = replace(desk.lying(OPENING, 19), pool_unsure=went > 1)
    desk.said += desk.keeper.saw(Sight(seems, began_s, True, 1))
    desk.said += desk.keeper.saw(Sight(desk.lying(OPENING, 20 - went), began_s, True, 2))
    desk.ticks(0.2, began_s)
    desk.press("end-turn")
    assert desk.short == [(0, "draw", "legal"), (1, "play", verdict)]


def test_another_look_comes_where_a_told_draw_is_about_to_show() -> None:
    desk = Desk(draws_told=True, automatic=False)
    desk.lies("", 2)
    desk.press("draw")
    desk.moves()
    seems = replace(desk.lying("", 20), pool_unsure=True)
    desk.said += desk.keeper.saw(Sight(seems, desk.now, True, 1))
    assert desk.keeper.wants_more
    desk.said += desk.keeper.saw(Sight(desk.lying("", 19), desk.now, True, 2))
    assert not desk.keeper.wants_more


def test_a_draw_that_only_seems_to_be_one_after_two_looks_is_looked_at_twice_more() -> None:
    """Of a stack the second look saw another edge; what had gone showed when the next hands had come (bh02)."""
    desk = Desk()
    desk.lies("", 2)
    desk.moves(by=ANN)
    seems = replace(desk.lying("", 20), pool_unsure=True)
    for nth, more in enumerate((True, True, True, False), 1):
        desk.said += desk.keeper.saw(Sight(seems, desk.now, True, nth))
        assert desk.keeper.wants_more == more
    desk.said += desk.keeper.saw(Sight(desk.lying("", 19), desk.now, True, 3))
    assert not desk.keeper.wants_more


def test_who_drew_first_and_takes_all_of_it_back_is_asked_about_and_has_put_back(seated: Desk) -> None:
    seated.changes(CATS, 0.5, by=ANN, share=0.5, backs=20)
    seated.changes(SECOND, 2, by=ANN, backs=19)
    seated.changes(CATS, 5, by=ANN, backs=20)
    assert seated.short[3:] == [(0, "play", "ask"), (0, "put-back", "legal")]


def test_a_draw_is_over_when_others_come_however_soon(seated: Desk) -> None:
    seated.changes(CATS, 1, by=ANN, backs=19)
    seated.changes(CATS, 1, by=BEN, backs=18)
    seated.changes(CATS, 3, by=CAT, backs=17)
    assert seated.short[3:] == [(seat, "draw", "legal") for seat in (0, 1, 2)]


def test_two_backs_that_went_in_two_visits_are_two_draws() -> None:
    desk = Desk()
    desk.lies("", 2)
    desk.changes("", 1, backs=19)
    desk.changes("", 3, backs=18)
    assert desk.short == [(0, "draw", "legal"), (1, "draw", "legal")]


@pytest.mark.parametrize(
    ("first", "second", "drew"),
    [(ANN, BEN, [(0, True), (1, False)]), (ANN, ANN, [(0, False)]), (ANN, CAT, [(0, False)])],
)
def test_a_back_that_the_next_players_hands_took_was_the_second_draw(
    seated: Desk, first: float, second: float, drew: list[tuple[int, bool]]
) -> None:
    """Ann reaches in, and nothing is seen to go; then one back goes, with whose hands?"""
    seated.changes(CATS, 2, by=first, backs=20)
    seated.changes(CATS, 5, by=second, backs=19)
    assert [(turn.seat, turn.inferred) for turn in seated.turns[3:]] == drew
    assert {turn.action for turn in seated.turns[3:]} == {"draw"}


def test_a_back_that_seemed_to_be_gone_before_the_next_players_hands_came_was_drawn_by_then(
    seated: Desk,
) -> None:
    """A phone in a hand sways, and four looks could not tell (11918)."""
    seated.pool_unsure = True
    seated.moves(by=ANN)
    left_s = seated.now
    seated.lies(CATS, 2, backs=20)
    seated.pool_unsure = False
    seated.changes(CATS, 5, by=BEN, backs=19)
    assert [(turn.seat, turn.inferred, turn.end_s) for turn in seated.turns[3:]] == [(0, False, left_s)]


@pytest.mark.parametrize(("by", "draws"), [(ANN, 1), (BEN, 2)])
def test_what_a_mended_fault_costs_is_no_draw_of_the_next_player(seated: Desk, by: float, draws: int) -> None:
    seated.changes(f"{CATS} | R1 R2", 6, by=ANN, backs=20)
    seated.changes(CATS, 4, by=ANN, backs=20)
    seated.changes(CATS, 4, by=by, backs=19)
    seated.changes(CATS, 4, by=BEN, backs=18)
    told = [(turn.seat, turn.action) for turn in seated.turns[3:]]
    assert told == [(0, "play"), (0, "put-back"), (1, "draw"), (2, "draw")][: 2 + draws]


def test_what_a_fault_costs_is_drawn_once(seated: Desk) -> None:
    seated.changes(f"{CATS} | R1 R2", 6, by=ANN, backs=20)
    seated.changes(f"{CATS} | R1", 2, by=ANN, backs=19)
    seated.changes(CATS, 4, by=ANN, backs=19)
    seated.changes(CATS, 4, by=ANN, backs=18)
    told = [(turn.seat, turn.action) for turn in seated.turns[3:]]
    assert told == [(0, "play"), (0, "put-back"), (1, "draw")]


def test_a_draw_told_after_a_mended_play_is_the_next_players() -> None:
    desk = Desk(automatic=False, players=THREE, places=places_at(ANN, BEN, CAT))
    desk.lies("", 2)
    for table, by in ((OPENING, ANN), (BENS, BEN), (CATS, CAT)):
        desk.changes(table, 2, by=by)
        desk.press("end-turn")
    desk.changes(CATS, 1, by=ANN, share=0.5, backs=20)
    desk.changes(SECOND, 3, by=ANN, backs=19)
    desk.press("end-turn")
    desk.changes(f"{CATS} | B1 B2 B3", 3, by=ANN, backs=19)
    desk.press("draw")
    assert desk.short[3:] == [(0, "play", "ask"), (0, "put-back", "legal"), (1, "draw", "legal")]


def test_who_draws_while_a_fault_lies_as_it_was_called_goes_on_over_it(seated: Desk) -> None:
    faulty = f"{CATS} | R1 R2"
    seated.changes(faulty, 6, by=ANN)
    seated.changes(faulty, 3, by=BEN, backs=19)
    seated.changes(faulty, 3, by=CAT, backs=18)
    assert seated.short[3:] == [(0, "play", "illegal"), (1, "draw", "legal"), (2, "draw", "legal")]


def test_a_back_that_the_next_player_took_is_not_held_against_who_plays_after() -> None:
    """Ann's draw was not seen; Ben's was, and Ann plays before it is written down."""
    desk = Desk(places=places_at(ANN, BEN), opened=(True, True))
    desk.lies(OPENING, 2)
    desk.changes(OPENING, 5, by=ANN, backs=19)
    desk.changes(OPENING, 5, by=BEN, backs=18)
    desk.changes(OPENING, 1.5, by=ANN, backs=18)
    desk.changes(OPENING, 1.5, by=BEN, backs=17)
    desk.changes(BENS, 5, by=ANN, backs=17)
    told = [(turn.seat, turn.action, turn.verdict) for turn in desk.turns[2:]]
    assert told == [(0, "draw", "legal"), (1, "draw", "legal"), (0, "play", "legal")]


def test_a_draw_that_went_unseen_ends_with_its_players_last_hand() -> None:
    """Nora tapped at the rim, and drew eight seconds later from a heap that showed no less (cf01)."""
    desk = Desk(places=places_at(ANN, BEN), opened=(True, True))
    desk.lies(OPENING, 2)
    desk.changes(OPENING, 1.5, by=ANN)
    desk.changes(OPENING, 2, by=ANN)
    drawn_s = desk.now - 2
    desk.changes(OPENING, 6, by=BEN, backs=19)
    assert desk.short == [(0, "draw", "legal"), (1, "draw", "legal")]
    assert desk.turns[0].end_s == pytest.approx(drawn_s, abs=0.5)


def test_a_draw_that_is_told_waits_for_no_second_look_at_the_pool_and_is_one_draw() -> None:
    desk = Desk()
    desk.lies("", 2)
    desk.changes(OPENING, 5)
    desk.moves()
    since = desk.now
    desk.press("draw")
    seems_gone = replace(desk.lying(OPENING, 20), pool_unsure=True)
    desk.said += desk.keeper.saw(Sight(seems_gone, since, True, 1))
    desk.ticks(0.1, since)
    assert desk.short[1:] == [(1, "draw", "legal")]
    desk.said += desk.keeper.saw(Sight(replace(seems_gone, t_s=desk.now), since, True, 2))
    desk.ticks(0.4, since)
    desk.lies(OPENING, 6, backs=19, since=since)
    assert len(desk.short) == 2, "the back that went was the one of which they told"


@pytest.mark.parametrize(("first", "seats"), [(BEN, [1, 2]), (None, [1])])
def test_who_came_for_nothing_before_the_next_player_has_drawn_from_a_heap(
    first: float | None, seats: list[int]
) -> None:
    """A back went from under others. Places are new, and without that visit the pool is believed."""
    desk = Desk(players=THREE, opened=(True, True, True))
    desk.lies("", 2)
    for table, by in ((OPENING, ANN), (BENS, BEN), (CATS, CAT)):
        desk.changes(table, 5, by=by)
    desk.changes(CATS, 5, by=ANN, backs=19)
    if first is not None:
        desk.changes(CATS, 2, by=first, backs=19)
    desk.changes(f"{CATS} | R1 R2 R3", 0.3, by=CAT, backs=19)
    desk.changes(f"{CATS} | R1 R2 R3 R4", 5, by=CAT, backs=19)
    assert [turn.seat for turn in desk.turns[4:]] == seats
    assert {turn.verdict for turn in desk.turns} == {"legal"}


def test_a_game_that_goes_on_where_the_log_holds_its_pool_for_empty_is_followed_in_turn() -> None:
    """By the Hebrew sheet each plays once more; the pool that is kept may be short of some tiles (11763)."""
    desk = Desk(edition="he", opened=(True, True, True), rack_sizes=(20, 40, 42), players=("Ann", "Ben", "Cat"))
    table = "R6 R7 R8 R9"
    desk.lies(table, 2)
    for row in ("B1 B2 B3", "K1 K2 K3", "O1 O2 O3", "R10 K10 B10", "R11 K11 B11"):
        table = f"{table} | {row}"
        desk.changes(table, 5)
    assert desk.short == [(seat, "play", "legal") for seat in (0, 1, 2, 0, 1)]


def test_who_fills_a_rack_before_anyone_has_played_has_drawn_nothing() -> None:
    """The recording begins with the dealing; the pool is what is left after it."""
    desk = Desk()
    desk.lies("", 2, backs=60)
    for backs in (53, 46, 39, 32):
        desk.changes("", 3, backs=backs)
    assert desk.turns == []
    desk.changes("", 4, backs=31)
    desk.changes(OPENING, 4, backs=31)
    assert desk.short == [(0, "draw", "legal"), (1, "play", "legal")]


def test_who_surely_drew_before_playing_is_told_so_and_takes_all_of_it_back(seated: Desk) -> None:
    """All hands were one player's, and the play came at once: no doubt is left (composers J, K and L)."""
    seated.changes(CATS, 0.5, by=ANN, backs=20)
    seated.changes(SECOND, 6, by=ANN, backs=19)
    assert seated.short[3:] == [(0, "play", "illegal")]
    assert [problem.code for problem in seated.turns[3].problems] == ["played-after-drawing"]
    held = seated.keeper.court.state.racks[0]
    seated.changes(CATS, 6, by=ANN, backs=19)
    assert seated.short[4:] == [(0, "put-back", "legal")]
    assert (seated.keeper.court.state.racks[0], seated.keeper.court.seat) == (held + 1, 1)


def test_a_play_after_a_draw_that_is_put_back_before_it_is_called_is_told_afterwards(seated: Desk) -> None:
    seated.changes(CATS, 0.5, by=ANN, backs=20)
    seated.changes(SECOND, 2, by=ANN, backs=19)
    seated.changes(CATS, 6, by=ANN, backs=19)
    assert seated.short[3:] == [(0, "play", "illegal"), (0, "put-back", "legal")]


@pytest.mark.parametrize("between_s", [1.0, 12.0])
def test_whoever_may_have_let_another_one_draw_between_is_asked(seated: Desk, between_s: float) -> None:
    seated.changes(CATS, 0.5, by=ANN, backs=20)
    if between_s < 6:
        seated.changes(CATS, between_s, by=CAT, backs=20)
    else:
        seated.ticks(between_s, None)
    seated.changes(SECOND, 6, by=ANN, backs=19)
    assert seated.short[3:] == [(0, "play", "ask")]


def test_a_tile_that_is_laid_after_a_draw_is_not_made_right_by_lying_well(seated: Desk) -> None:
    seated.changes(CATS, 0.5, by=ANN, backs=20)
    seated.changes(SECOND, 6, by=ANN, backs=19)
    seated.changes(f"{CATS} | R1 R2 R3 R4", 6, by=ANN, backs=19)
    assert seated.short[3:] == [(0, "play", "illegal")]


@pytest.mark.parametrize(
    ("by", "turns"), [(ANN, [(0, "play", "ask")]), (BEN, [(0, "play", "legal"), (1, "draw", "legal")])]
)
def test_a_back_whose_place_was_covered_until_the_play_was_made_went_before_it(
    seated: Desk, by: float, turns: list[tuple[int, str, str]]
) -> None:
    """By the same hands, unless others came since: then it is the next player's draw (n05)."""
    seated.moves(by=ANN)
    seated.moves(by=ANN)
    seated.lies(f"{CATS} | R1", 0.5, clear=False)
    if by == ANN:
        seated.changes(SECOND, 6, by=ANN, backs=19)
    else:
        seated.changes(SECOND, 1, by=ANN, backs=20)
        seated.changes(SECOND, 5, by=BEN, backs=19)
    assert seated.short[3:] == turns


@pytest.mark.parametrize(("backs", "verdict"), [(19, "legal"), (18, "ask")])
def test_who_played_after_another_ones_unseen_draw_may_have_drawn_as_well(
    seated: Desk, backs: int, verdict: str
) -> None:
    """Ann's draw shows only with Ben's play, and one more than that is gone (m01, through a wide lens)."""
    seated.moves(by=ANN)
    seated.lies(CATS, 0.5, backs=20)
    seated.moves(by=BEN)
    seated.lies(CATS, 0.5, backs=20)
    seated.changes(SECOND, 6, by=BEN, backs=backs)
    assert seated.short[3:] == [(0, "draw", "legal"), (1, "play", verdict)]


def test_a_draw_after_the_play_is_not_held_against_its_player(seated: Desk) -> None:
    """One back had gone when the table was first seen changed; the other one is the next player's."""
    seated.moves(by=ANN)
    seated.lies(CATS, 0.5, backs=20)
    seated.moves(by=BEN)
    seated.lies(CATS, 0.5, backs=20)
    seated.changes(SECOND, 0.5, by=BEN, backs=19)
    seated.changes(SECOND, 5, by=CAT, backs=18)
    assert seated.short[3:5] == [(0, "draw", "legal"), (1, "play", "legal")]


def test_backs_that_were_jostled_beside_a_drawn_one_are_no_draw_of_who_comes_to_play(seated: Desk) -> None:
    """For a look the pool seems to have lost another one as the same hands have played (composer R's r02)."""
    seated.changes(CATS, 0.9, by=ANN, backs=19)
    seated.moves(by=ANN)
    seems_gone = replace(seated.lying(SECOND, 19), pool_unsure=True)
    seated.said += seated.keeper.saw(Sight(seems_gone, seated.now, True, 1))
    seated.lies(SECOND, 6, backs=19, since=seated.now)
    assert seated.short[3:] == [(0, "play", "illegal")]


def test_a_draw_right_after_what_was_asked_is_taken_back_is_the_next_players(seated: Desk) -> None:
    """Before the taking back was called (composer T's t03)."""
    seated.changes(CATS, 0.5, by=ANN, share=0.5, backs=20)
    seated.changes(SECOND, 5, by=ANN, backs=19)
    seated.changes(CATS, 1, by=ANN, backs=19)
    seated.changes(CATS, 5, by=BEN, backs=18)
    assert seated.short[3:] == [(0, "play", "ask"), (0, "put-back", "legal"), (1, "draw", "legal")]


def test_nobody_is_told_of_a_draw_that_only_the_play_let_see(seated: Desk) -> None:
    """Ben may have drawn in the same movement: that is asked."""
    seated.moves(by=ANN)
    seated.lies(CATS, 1)
    seated.moves(by=ANN)
    seated.lies(f"{CATS} | R1", 0.5, clear=False)
    seated.changes(SECOND, 6, by=ANN, share=0.65, backs=19)
    assert [turn.verdict for turn in seated.turns[3:]] in (["ask"], ["legal", "legal"])


def test_all_that_is_left_of_the_pool_is_one_however_few_they_are() -> None:
    """Racks were counted as watching began, so three backs in view are the pool: none has gone, nobody drew."""
    desk = Desk(3, THREE, edition="he", opened=(True,) * 3, rack_sizes=(30, 34, 36))
    desk.lies(OPENING, 2)
    desk.changes(OPENING, 1, by=ANN)
    desk.changes(f"{OPENING} O10", 6, by=BEN)
    assert desk.short == [(0, "play", "legal")]


def test_what_is_seen_to_have_gone_with_the_hands_that_put_a_fault_back_is_its_price() -> None:
    """One look later, and the fault was a question (composer BK's bk02)."""
    desk = Desk(players=THREE)
    desk.lies("", 2)
    desk.changes(OPENING, 5)
    desk.changes(OPENING, 5, backs=19)
    desk.changes(f"{OPENING} O10", 6, backs=19)
    assert desk.short[2:] == [(2, "play", "illegal")]
    desk.moves()
    desk.lies(OPENING, 2.5, backs=19)
    desk.lies(OPENING, 4, backs=18, since=desk.still_since)
    assert desk.short[3:] == [(2, "put-back", "legal")]
