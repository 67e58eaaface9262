"""Whose turn it is where nobody tells of draws and the pool is out of view: by the hands alone (j03)."""

from __future__ import annotations

import pytest
from watch_desk import ANN, BEN, BENS, CAT, MORE, OPENING, THREE, Desk


def opened(players: tuple[str, ...] = ("Ann", "Ben")) -> Desk:
    """Nobody's place is known as the game begins; Ann and Ben open."""
    desk = Desk(pool=None, players=players)
    desk.lies("", 2)
    desk.changes(OPENING, 5, by=ANN)
    desk.changes(BENS, 5, by=BEN)
    return desk


def test_places_are_learnt_from_turns_before_which_nobody_came_for_nothing() -> None:
    desk = opened()
    desk.changes(MORE, 5, by=BEN)
    assert desk.short[2:] == [(0, "draw", "legal"), (1, "play", "legal")]
    assert [turn.inferred for turn in desk.turns] == [False, False, True, False]


def test_a_whole_round_of_draws_is_seen_by_the_hands_that_came_one_after_the_other() -> None:
    desk = opened()
    left_s = []
    for by in (ANN, BEN):
        desk.moves(by=by)
        left_s.append(desk.now)
        desk.lies(BENS, 4)
    desk.changes(MORE, 5, by=ANN)
    assert desk.short[2:] == [(0, "draw", "legal"), (1, "draw", "legal"), (0, "play", "legal")]
    assert [turn.end_s for turn in desk.turns[2:4]] == pytest.approx(left_s)


def test_draws_after_the_last_play_are_told_when_the_recording_ends() -> None:
    desk = opened()
    for by in (ANN, BEN):
        desk.moves(by=by)
        desk.lies(BENS, 4)
    assert len(desk.turns) == 2
    desk.said += desk.keeper.finish(desk.now)
    assert desk.short[2:] == [(0, "draw", "legal"), (1, "draw", "legal")]


def test_who_comes_as_another_leaves_hands_something_over() -> None:
    desk = opened()
    desk.moves(by=ANN)
    desk.lies(BENS, 0.6)
    desk.moves(by=BEN)
    desk.lies(BENS, 4)
    desk.changes(MORE, 5, by=ANN)
    assert desk.short[2:] == [(0, "play", "legal")]


def test_hands_that_come_again_and_again_are_one_players_thoughts() -> None:
    desk = opened()
    for _ in range(3):
        desk.moves(by=ANN)
        desk.lies(BENS, 2)
    desk.changes(MORE, 5, by=ANN)
    assert desk.short[2:] == [(0, "play", "legal")]


@pytest.mark.parametrize("known", [True, False])
def test_one_whose_place_is_not_known_yet_draws(known: bool) -> None:
    """The third player's place is new in either case; the second one's only where that player never came."""
    desk = Desk(pool=None, players=THREE)
    desk.lies("", 2)
    table = OPENING
    desk.changes(table, 5, by=ANN)
    if known:
        table = BENS
        desk.changes(table, 5, by=BEN)
        first = 2
    else:
        first = 1
    desk.moves(by=BEN if not known else CAT)
    desk.lies(table, 4)
    desk.changes(f"{table} | R11 R12 R13", 5, by=CAT if not known else ANN)
    assert desk.short[first:] == [(first, "draw", "legal"), ((first + 1) % 3, "play", "legal")]
