"""How many tiles the players of a watched game hold."""

from __future__ import annotations

import pytest
from watch_desk import OPENING, Desk


@pytest.mark.parametrize(("penalty", "over"), [(0, True), (1, False), (None, False)])
def test_who_drew_for_a_foul_is_not_taken_to_have_gone_out(penalty: int | None, over: bool) -> None:
    """This sheet is silent on what a foul costs: the pool tells, or nobody knows how many tiles are held."""
    pool = None if penalty is None else 20
    desk = Desk(pool=pool, opened=(True, True), rack_sizes=(4, 9), edition="pressman")
    desk.lies(OPENING, 2)
    left = None if penalty is None else 20 - penalty
    desk.changes(f"{OPENING} | R9", 6, backs=20 if pool else None)
    desk.changes(OPENING, 5, backs=left)
    desk.changes(f"{OPENING} | B11 K11 O11", 5, backs=left)
    desk.changes(f"{OPENING} | B11 K11 O11 | R1 R2 R3 R4", 5, backs=left)
    assert [turn.verdict for turn in desk.turns] == ["illegal", "legal", "legal", "legal"]
    assert (desk.keeper.court.seat is None) is over


@pytest.mark.parametrize("edition", ["he", "ru"])
def test_a_pool_that_is_only_thought_to_be_empty_ends_no_game(edition: str) -> None:
    """Two tiles are left, and a foul costs three by the sheet: how many were drawn, nobody saw."""
    desk = Desk(pool=None, opened=(True, True), rack_sizes=(60, 41), edition=edition)
    desk.lies(OPENING, 2)
    desk.changes(f"{OPENING} | R9", 6)
    desk.changes(OPENING, 5)
    desk.changes(f"{OPENING} | B11 K11 O11", 5)
    desk.changes(f"{OPENING} | B11 K11 O11 | R1 R2 R3 R4", 5)
    desk.changes(f"{OPENING} | B11 K11 O11 | R1 R2 R3 R4 | B1 B2 B3", 5)
    assert [turn.seat for turn in desk.turns] == [0, 0, 1, 0, 1]
    assert desk.keeper.court.seat == 0
