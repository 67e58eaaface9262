"""Score sheets: the dossier's examples, doubt as ranges, and what no sheet settles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import ALL_TILES, PointRange, SeenTile, parse_tiles
from referee.editions import EDITIONS
from referee.scoring import ScoreSheet, score_sheet


def sheet(edition: str, *racks: str, **options: object) -> ScoreSheet:
    return score_sheet([parse_tiles(rack) for rack in racks], EDITIONS[edition].rules, **options)  # type: ignore[arg-type]


def scores(result: ScoreSheet) -> list[str | None]:
    return [None if line.score is None else str(line.score) for line in result.lines]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_winner_gets_what_the_losers_hold(edition: str) -> None:
    """E04 of the dossier, PW's printed example: 5, 10 and 3 give +18 -5 -10 -3."""
    result = sheet(edition, "", "R5", "B10", "K1 K2")
    assert scores(result) == ["18", "-5", "-10", "-3"]
    assert result.winner == 0


def test_a_joker_left_counts_thirty_or_what_the_house_says() -> None:
    """E05: a loser who holds J and R5 counts -35; 55 at the Mind Sports Olympiad, 105 in New Zealand."""
    assert scores(sheet("ru", "J R5", "")) == ["-35", "35"]
    assert scores(sheet("ru", "J R5", "", joker_value=50)) == ["-55", "55"]
    assert scores(sheet("ru", "J R5", "", joker_value=100)) == ["-105", "105"]


def test_nobody_out_lowest_sum_pays_the_difference() -> None:
    """E06: 12, 20, 7 and 31 give -5 -13 +42 -24."""
    result = sheet("ru", "R12", "R13 R7", "R7", "R13 R13 R5")
    assert scores(result) == ["-5", "-13", "42", "-24"]
    assert result.winner == 2


def test_nobody_out_differs_by_edition() -> None:
    """E07: A holds R13, B holds R1 and R2. Four sheets give B the game by 10, PW gives it to A."""
    for edition in ("ru", "ua", "he", "cards", "xp"):
        assert scores(sheet(edition, "R13", "R1 R2")) == ["-10", "10"]
    assert scores(sheet("pressman", "R13", "R1 R2")) == ["3", "-3"]


@pytest.mark.parametrize(("edition", "racks"), [("ru", ("R7", "B3 B4")), ("pressman", ("R7", "B9"))])
def test_equal_lowest_racks_are_a_question(edition: str, racks: tuple[str, ...]) -> None:
    """E08: unwritten on every sheet."""
    result = sheet(edition, *racks, "R13 B13")
    assert result.winner is None
    assert "equal" in str(result.question)
    assert scores(result) == [None, None, None]


def test_two_empty_racks_are_a_question() -> None:
    assert "only one player" in str(sheet("ru", "", "", "R5").question)
    assert "only one player" in str(sheet("ru", "", "R5", another_is_out=True).question)


def test_another_player_may_be_out() -> None:
    result = sheet("ru", "R5", "B10", another_is_out=True)
    assert scores(result) == ["-5", "-10"]
    assert result.winner is None
    assert result.winner_score == PointRange(15, 15)


def test_doubt_is_a_range_and_may_leave_the_winner_open() -> None:
    assert sheet("ru", "B6/B9 R1", "").winner_score == PointRange(7, 10)
    open_sheet = sheet("ru", "B6/B9", "R8")
    assert open_sheet.winner is None
    assert "Doubtful" in str(open_sheet.question)
    settled = sheet("ru", "B6/B9", "R10")
    assert settled.winner == 0
    assert settled.winner_score == PointRange(1, 4)


@given(
    st.lists(st.lists(st.sampled_from(ALL_TILES), max_size=14), min_size=2, max_size=4),
    st.sampled_from(sorted(EDITIONS)),
)
def test_every_settled_sheet_sums_to_zero(racks: list, edition: str) -> None:
    result = score_sheet([[SeenTile.sure(tile) for tile in rack] for rack in racks], EDITIONS[edition].rules)
    if result.question is None:
        assert sum(line.score.least for line in result.lines if line.score) == 0
        assert all(line.score and line.score.is_sure for line in result.lines)
    else:
        assert result.winner is None
