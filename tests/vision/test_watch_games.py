"""Whole games at the level of sights: nobody is accused, whatever draws from stacks did to the names."""

from __future__ import annotations

import pytest
from watch_games import Trouble, watched


@pytest.mark.parametrize("seed", [1, 2, 16, 26])
def test_games_in_which_every_draw_is_seen_are_refereed_right(seed: int) -> None:
    score = watched(seed, Trouble())
    assert score.f1 > 0.95
    assert score.shares["legal-as-illegal"].count == 0


@pytest.mark.parametrize("seed", [3, 11, 16, 25])
def test_nobody_is_accused_where_a_third_of_the_draws_goes_unseen(seed: int) -> None:
    """Of these 16 and 25 were, over openings that had been told as another's."""
    score = watched(seed, Trouble(unseen=0.3))
    assert score.shares["legal-as-illegal"].count == 0
    assert score.phantom_fouls == 0


RESTLESS = Trouble(restless=0.2, meddling=0.1, resting=0.2, crowded=0.2, nowhere=0.1)


@pytest.mark.parametrize(
    ("seed", "trouble"),
    [(105, Trouble(mistaken=0.1)), (118, RESTLESS), (135, RESTLESS), (155, RESTLESS)],
    ids=["somebody is mistaken for another", *["restless"] * 3],
)
def test_nobody_is_accused_at_a_restless_table(seed: int, trouble: Trouble) -> None:
    """In each of these somebody was: whoever put a play back that had been told as another's."""
    score = watched(seed, trouble)
    assert score.shares["legal-as-illegal"].count == 0
    assert score.phantom_fouls == 0
    assert score.shares["verdict"].count >= 0.85 * score.shares["verdict"].of


QUICK = Trouble(quick_s=1.2)
SIDE_BY_SIDE = Trouble(quick_s=1.2, beside_rad=0.45, scatter_rad=0.1)


@pytest.mark.parametrize(
    ("seed", "trouble"),
    [(615, QUICK), (600, SIDE_BY_SIDE), (604, SIDE_BY_SIDE), (610, SIDE_BY_SIDE)],
    ids=["at four sides", *["side by side"] * 3],
)
def test_quick_players_are_followed(seed: int, trouble: Trouble) -> None:
    """They leave 1.2 to 1.8 seconds between turns, and pay a fault at once: a sixth of the turns was lost."""
    score = watched(seed, trouble)
    assert score.f1 > 0.92
    assert score.shares["legal-as-illegal"].count == 0
    assert score.phantom_fouls == 0
