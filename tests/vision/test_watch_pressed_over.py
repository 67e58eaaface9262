"""The button, pressed over a fault beside a mug that was just put down, and the tiles taken back at once."""

from __future__ import annotations

import pytest
from watch_desk import OPENING, Desk

FAULT = f"{OPENING} | R1 R2 R3"


def pressed_over_a_fault(*, clears: bool) -> Desk:
    """Ben's opening is too low; the mug is known to stand there only once a tile has gone back."""
    desk = Desk(automatic=False)
    desk.lies("", 2)
    desk.changes(OPENING, 2)
    desk.press("end-turn")
    desk.lies(OPENING, 1)
    desk.moves()
    desk.lies(FAULT, 1, clear=False)
    desk.press("end-turn")
    desk.lies(FAULT, 2, clear=False)
    desk.moves()
    desk.lies(f"{OPENING} | R1 R2", 2, clear=False)
    desk.moves()
    desk.lies(f"{OPENING} | R1", 12, clear=clears)
    return desk


@pytest.mark.parametrize(("clears", "verdict"), [(True, "illegal"), (False, "ask")])
def test_what_the_button_was_pressed_over_counts_though_it_goes_back_before_the_table_is_clear(
    clears: bool, verdict: str
) -> None:
    """Composer AO's first: what was told was the half of it that lay there five seconds later."""
    desk = pressed_over_a_fault(clears=clears)
    assert desk.short == [(0, "play", "legal"), (1, "play", verdict)]
    assert sorted(map(str, desk.turns[1].played)) == ["R1", "R2", "R3"]
