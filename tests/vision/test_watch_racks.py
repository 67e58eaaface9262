"""How many tiles the players of a watched game hold."""

from __future__ import annotations

import pytest
from watch_desk import ANN, BEN, OPENING, Desk, places_at

from vision.watch.types import SignalKind


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
    assert desk.keeper.court.over is over


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


@pytest.fixture
def gone_out() -> Desk:
    """Ann has laid her last three tiles."""
    desk = Desk(opened=(True, True), rack_sizes=(3, 9), turn_seconds=30)
    desk.lies("R6 R7 R8 R9", 2)
    desk.changes(f"R6 R7 R8 R9 | {OPENING}", 5)
    assert desk.keeper.court.over
    return desk


@pytest.mark.parametrize("press", [None, "end-turn"])
def test_after_the_end_the_table_is_cleared_without_a_word(gone_out: Desk, press: SignalKind | None) -> None:
    """Racks are laid out, the pool is mixed, time goes by: who is out stays out, and the score can be taken."""
    gone_out.changes(f"R6 R7 R8 R9 | {OPENING} | K1 B5", 12, backs=17)
    if press:
        gone_out.press(press)
    gone_out.changes("R6 R7 R8 R9", 12, backs=17)
    gone_out.changes("", 30, backs=17)
    if press:
        gone_out.press(press)
    gone_out.said += gone_out.keeper.finish(gone_out.now)
    assert gone_out.short == [(0, "play", "legal")]
    assert (gone_out.keeper.court.over, gone_out.keeper.court.state.out) == (True, 0)


def test_who_plays_on_knows_better_than_the_log(gone_out: Desk) -> None:
    """A tile that nobody saw drawn: the rack was not empty."""
    gone_out.changes(f"R6 R7 R8 R9 | {OPENING} | B1 B2 B3", 5)
    assert gone_out.short[1:] == [(1, "play", "legal")]
    assert not gone_out.keeper.court.over


@pytest.mark.parametrize(("by", "draws"), [(BEN, 1), (ANN, 0)])
def test_who_comes_next_and_draws_shows_that_no_rack_was_empty(by: float, draws: int) -> None:
    """Some of Ann's draws were not seen; it takes no play of Ben's to go on. Ann herself may tidy up."""
    desk = Desk(opened=(True, True), rack_sizes=(3, 9), places=places_at(ANN, BEN))
    desk.lies("R6 R7 R8 R9", 2)
    desk.changes(f"R6 R7 R8 R9 | {OPENING}", 5, by=ANN)
    assert desk.keeper.court.someone_is_out
    desk.changes(f"R6 R7 R8 R9 | {OPENING}", 8, by=by, backs=19)
    assert [(turn.seat, turn.action) for turn in desk.turns[1:]] == [(1, "draw")] * draws
