"""Two players side by side, whose hands come in from nearly the same place (k02, n03)."""

from __future__ import annotations

import pytest
from watch_desk import ANN, BEN, BENS, CAT, MORE, OPENING, THREE, Desk, arm_from, places_at, places_seen

from vision.watch.reach import Reach
from vision.watch.seats import SeatPlaces

BESIDE = ANN + 0.7
"""Where Ben's hands come in, beside Ann's."""


def told_wrong(*directions: float) -> SeatPlaces:
    """Places by which hands have named the wrong player as often as the right one."""
    places = places_at(*directions)
    for seat, other in ((0, 1), (1, 0)) * 2:
        places.check(seat, [Reach(0.0, 1.0, directions[seat], 1.0, 9)])
        places.check(seat, [Reach(0.0, 1.0, directions[other], 1.0, 9)])
    return places


def test_hands_that_tell_nobody_apart_are_not_believed_against_a_pool_that_lost_nothing() -> None:
    """The neighbour's hands: the last player went on only where hands tell whose they are."""
    four = OPENING.replace("K10", "K10 O10")
    for places, seat in ((told_wrong(ANN, BEN), 0), (places_at(ANN, BEN), 1)):
        desk = Desk(places=places)
        desk.lies("", 2)
        desk.changes(four, 5, by=ANN)
        desk.changes(BENS.replace(OPENING, four), 5, by=BEN)
        desk.changes(BENS.replace(OPENING, four), 5, by=ANN, backs=19)
        desk.changes(MORE.replace(OPENING, four), 5, by=BEN, backs=19)
        before = len(desk.turns)
        desk.changes(MORE, 6, by=BEN, backs=19)
        assert desk.short[before:] == [(seat, "play", "illegal")]


@pytest.mark.parametrize(("by", "player"), [(BESIDE + 0.1, 0), (BEN, 1)], ids=["may be Ann's", "Ben's"])
def test_a_turn_was_missed_only_where_hands_can_hardly_be_those_of_whose_turn_it_is(
    by: float, player: int
) -> None:
    desk = Desk(draws_told=True, places=places_at(ANN, BESIDE if player == 0 else BEN))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(BENS, 5, by=BESIDE if player == 0 else BEN)
    before = len(desk.turns)
    desk.changes(MORE, 5, by=by)
    assert desk.short[before:] == [(player, "play", "legal")]


def test_what_is_laid_after_a_fault_was_put_back_is_the_next_players_however_soon() -> None:
    """The neighbour who has the next turn comes from where those came who put it back."""
    desk = Desk(places=places_at(ANN, ANN + 0.1))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(BENS, 5, by=ANN)
    desk.changes(f"{BENS} | R1 R2", 6, by=ANN)
    desk.changes(BENS, 1.0, by=ANN)
    desk.changes(MORE, 5, by=ANN)
    assert desk.short[2:] == [(0, "play", "illegal"), (0, "put-back", "legal"), (1, "play", "legal")]


@pytest.mark.parametrize(("by", "verdict"), [(CAT, "illegal"), (BEN, "ask")], ids=["not yet", "before"])
def test_too_low_an_opening_is_a_fault_where_nobody_has_opened_who_may_have_laid_it(
    by: float, verdict: str
) -> None:
    """Ann and Ben have opened; whether Ben has drawn unseen since nobody knows (p02)."""
    places = SeatPlaces(4)
    for seat, direction in ((0, ANN), (1, BEN)) * 3:
        places.learn(seat, Reach(0.0, 1.0, direction, 1.0, 9))
    desk = Desk(players=("Ann", "Ben", "Cat", "Dan"), places=places)
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.moves(by=BEN)
    desk.lies(OPENING, 1)
    desk.changes(BENS, 5, by=BEN)
    before = len(desk.turns)
    desk.moves(by=by)
    desk.changes(MORE, 7, by=by)
    assert [turn.verdict for turn in desk.turns[before:]] == [verdict]


@pytest.mark.parametrize(("lay_s", "turns"), [(3.5, 1), (12.0, 2)])
def test_after_a_long_while_a_neighbours_hands_are_the_next_players(lay_s: float, turns: int) -> None:
    """Hovering over the legal table, they put off its end until they lay tiles themselves (q02)."""
    desk = Desk(places=places_at(ANN, ANN + 0.3))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(BENS, 5, by=ANN + 0.3)
    before = len(desk.turns)
    desk.changes(MORE, 1.0, by=ANN)
    for _ in range(round((lay_s - 1.5) / 2)):
        desk.moves(by=ANN + 0.1)
        desk.lies(MORE, 1.0)
    desk.changes(f"{MORE} R4", 5, by=ANN + 0.1)
    assert [turn.action for turn in desk.turns[before:]] == ["play"] * turns


MELDS = (OPENING, "B11 K11 O11", "B12 K12 O12", "R1 R2 R3", "B4 B5 B6")


@pytest.mark.parametrize(("turns", "by", "verdict"), [(5, CAT, "illegal"), (3, ANN, "ask")])
def test_who_sits_far_from_the_others_is_told_of_a_play_after_a_draw(
    turns: int, by: float, verdict: str
) -> None:
    """Though hands have named the wrong one of two who sit side by side as often as the right one (q02)."""
    desk = Desk(players=("Ann", "Ben", "Cat"), places=told_wrong(ANN, BESIDE, CAT))
    desk.lies("", 2)
    for turn in range(turns):
        desk.changes(" | ".join(MELDS[: turn + 1]), 5, by=(ANN, BESIDE, CAT)[turn % 3])
    table, before = " | ".join(MELDS[:turns]), len(desk.turns)
    desk.changes(table, 0.5, by=by)
    desk.changes(f"{table} | O4 O5 O6", 6, by=by, backs=19)
    assert [(turn.action, turn.verdict) for turn in desk.turns[before:]] == [("play", verdict)]


def test_nobody_is_told_that_they_have_not_opened_by_hands_that_are_sooner_anothers() -> None:
    """Ann, who has opened, sits beside Cat, and draws from a stack go unseen: names may be wrong."""
    desk = Desk(players=THREE, places=places_at(ANN, BEN, ANN + 0.6))
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(OPENING, 5, by=BEN, backs=19)
    desk.changes(f"{OPENING} O10", 6, by=ANN + 0.25, backs=19)
    assert desk.short == [(0, "play", "legal"), (1, "draw", "legal"), (2, "play", "ask")]
    assert [question.code for question in desk.turns[2].questions] == ["whose-turn?"]


@pytest.mark.parametrize(
    ("pause_s", "fidgets", "turns"), [(1.2, False, [0, 1]), (0.6, False, [0]), (0.4, True, [0])]
)
def test_after_far_longer_than_ever_in_a_turn_the_hands_beside_are_the_next_players(
    pause_s: float, fidgets: bool, turns: list[int]
) -> None:
    """Two sit side by side, and of one nobody has seen any hand; the other paused for half a second (co03)."""
    desk = Desk(places=places_seen((2.0, 9), (0.0, 0)), opened=(True,) * 2, rack_sizes=(14,) * 2)
    desk.lies(OPENING, 2)
    lay = OPENING
    for tile, by in (("| B1", 2.2), ("B2", 2.0), ("B3", 1.8)):
        lay = f"{lay} {tile}"
        desk.moves(by=by, arms=[arm_from(by)])
        desk.lies(lay, 0.4)
    desk.lies(lay, pause_s - 0.4, since=desk.still_since)
    if fidgets:
        desk.moves(0.6, by=1.5, arms=[arm_from(1.5)])
        desk.lies(lay, 0.3)
    for tile in ("| R1", "R2", "R3"):
        lay = f"{lay} {tile}"
        desk.moves(by=1.3, arms=[arm_from(1.3)])
        desk.lies(lay, 0.4)
    desk.lies(lay, 4, since=desk.still_since)
    assert [seat for seat, _, _ in desk.short] == turns
