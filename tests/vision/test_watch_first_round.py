"""The first round: whose hands they are before any player's place is known, and what goes by that later."""

from __future__ import annotations

import pytest
from watch_desk import ANN, BEN, BENS, CAT, CATS, OPENING, THREE, Desk, places_at


def test_the_next_of_four_ends_a_turn_before_anyone_is_known() -> None:
    """Two others are unknown as well, but hands from a new place are the next player's (composer U's u04)."""
    desk = Desk(players=("Ann", "Ben", "Cat", "Dan"), pool=None, draws_told=True)
    desk.lies("", 2)
    desk.moves(by=ANN)
    desk.changes(OPENING, 1.4, by=ANN)
    desk.changes(BENS, 1.4, by=BEN)
    desk.changes(CATS, 6, by=CAT)
    assert desk.short == [(0, "play", "legal"), (1, "play", "legal"), (2, "play", "legal")]


@pytest.mark.parametrize(("other", "turns"), [(BEN + 1.2, 2), (BEN + 0.1, 1)])
def test_a_set_from_quite_another_place_is_the_next_players_before_anyone_is_known(
    other: float, turns: int
) -> None:
    """A breath after the one before; from nearly the same place it is more of that play (composer V's v01)."""
    desk = Desk(players=("Ann", "Ben", "Cat", "Dan"))
    desk.lies("", 2)
    desk.changes(OPENING, 1.2, by=BEN)
    desk.moves(0.5, by=other, share=0.6)
    desk.changes(BENS, 6, by=other)
    assert desk.short[:turns] == [(seat, "play", "legal") for seat in range(turns)]
    assert len(desk.turns) == turns


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
