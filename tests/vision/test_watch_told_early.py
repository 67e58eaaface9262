"""A turn that was told too early: its player's hands come again, and the pool has lost nothing since."""

from __future__ import annotations

import math

import pytest
from watch_desk import (
    ANN,
    BEN,
    BENS,
    CAT,
    CATS,
    OPENING,
    Desk,
    places_at,
    places_seen,
    three_who_have_opened,
)

from vision.watch.types import WatchNotice

BENS_RUN = f"{CATS} | R1 R2 R3"
CATS_RUN = f"{BENS_RUN} R4 | O4 O5 O6"

DORA = -math.pi / 2


def notices(desk: Desk) -> list[str]:
    return [event.code for event in desk.said if isinstance(event, WatchNotice)]


@pytest.fixture
def desk() -> Desk:
    """Ann has drawn, which the pool has shown, and Ben has laid; it is Cat's turn."""
    desk = three_who_have_opened()
    desk.changes(CATS, 6, by=ANN, backs=19)
    desk.changes(BENS_RUN, 6, by=BEN, backs=19)
    assert desk.short[3:] == [(0, "draw", "legal"), (1, "play", "legal")]
    return desk


def four_of_whom_the_last_has_not_opened() -> Desk:
    """Ann, Ben and Cat have opened, and Dora has drawn; it is Ann's turn."""
    desk = Desk(players=("Ann", "Ben", "Cat", "Dora"), places=places_at(ANN, BEN, math.pi, DORA))
    desk.lies("", 2)
    for table, by in ((OPENING, ANN), (BENS, BEN), (CATS, math.pi)):
        desk.changes(table, 6, by=by)
    desk.changes(CATS, 6, by=DORA, backs=19)
    assert desk.short[3:] == [(3, "draw", "legal")]
    return desk


def test_whoever_lays_more_goes_on_and_nobody_has_drawn_meanwhile(desk: Desk) -> None:
    desk.changes(f"{BENS_RUN} R4", 6, by=BEN, backs=19)
    assert desk.short[5:] == [(1, "play", "legal")]
    assert notices(desk) == ["goes-on"]
    desk.changes(CATS_RUN, 6, by=CAT, backs=19)
    assert desk.short[6:] == [(2, "play", "legal")]
    assert notices(desk) == ["goes-on"]


def test_a_back_that_went_meanwhile_is_the_draws_of_those_between(desk: Desk) -> None:
    desk.moves(by=CAT)
    desk.lies(BENS_RUN, 0.5, backs=18)
    desk.moves(by=ANN)
    desk.lies(BENS_RUN, 0.5, backs=17)
    desk.changes(f"{BENS_RUN} R4", 6, by=BEN, backs=17)
    assert desk.short[5:] == [(2, "draw", "legal"), (0, "draw", "legal"), (1, "play", "legal")]
    assert notices(desk) == []


def test_what_is_laid_so_against_the_rules_is_theirs_and_theirs_to_put_back(desk: Desk) -> None:
    desk.changes(f"{BENS_RUN} R5", 6, by=BEN, backs=19)
    desk.changes(BENS_RUN, 6, by=BEN, backs=19)
    desk.changes(f"{BENS_RUN} | O4 O5 O6", 6, by=CAT, backs=19)
    assert desk.short[5:] == [(1, "play", "illegal"), (1, "put-back", "legal"), (2, "play", "legal")]


def test_of_whoever_plays_after_a_draw_it_is_asked_whether_they_drew(desk: Desk) -> None:
    desk.changes(BENS_RUN, 6, by=CAT, backs=18)
    assert desk.short[5:] == [(2, "draw", "legal")]
    desk.changes(f"{BENS_RUN} | O4 O5 O6", 6, by=CAT, backs=18)
    assert desk.short[6:] == [(2, "play", "ask")]
    assert [question.code for question in desk.turns[-1].questions] == ["drew-first?"]
    desk.changes(BENS_RUN, 6, by=CAT, backs=18)
    assert desk.short[7:] == [(2, "put-back", "legal")]


def test_what_was_asked_and_is_taken_back_at_once_was_theirs(desk: Desk) -> None:
    desk.changes(BENS_RUN, 6, by=CAT, backs=18)
    desk.changes(f"{BENS_RUN} | O4 O5 O6", 3.2, by=CAT, backs=18)
    desk.changes(BENS_RUN, 6, by=CAT, backs=18)
    assert [turn[:2] for turn in desk.short[6:]] == [(2, "play"), (2, "put-back")]


def test_nobody_is_accused_by_hands_of_what_is_legal_for_the_next_player() -> None:
    """Dora has drawn, not opened, and seems to build; for Ann, whose turn it is by the pool, it is legal."""
    desk = four_of_whom_the_last_has_not_opened()
    desk.changes(f"{CATS} R12", 6, by=DORA, backs=19)
    assert desk.short[-1] == (0, "play", "ask")
    assert [question.code for question in desk.turns[-1].questions] == ["whose-turn?"]
    assert notices(desk) == []


def test_where_all_between_came_for_nothing_a_heap_may_have_hidden_their_draws(desk: Desk) -> None:
    for by in (CAT, ANN):
        desk.moves(by=by)
        desk.lies(BENS_RUN, 0.5, backs=19)
    desk.changes(f"{BENS_RUN} R4", 6, by=BEN, backs=19)
    assert desk.short[5:] == [(2, "draw", "legal"), (0, "draw", "legal"), (1, "play", "legal")]


def test_who_lays_at_once_after_putting_back_goes_on_with_the_turn() -> None:
    """Three others' draws were made up in the second between, as the pool is out of view (our 11864)."""
    places = places_seen((ANN, 2), (BEN, 2), (math.pi, 2), (DORA, 2))
    desk = Desk(pool=None, players=("Ann", "Ben", "Cat", "Dora"), places=places, opened=(True,) * 4)
    desk.lies(OPENING, 2)
    desk.changes(f"{OPENING} | R1 R2", 6, by=ANN)
    desk.changes(OPENING, 3, by=ANN)
    assert desk.short[-1] == (0, "put-back", "legal")
    desk.changes(f"{OPENING} | K5 O5 R5", 5, by=ANN)
    assert desk.short[2:] == [(0, "play", "legal")]
