"""Score sheets: the dossier's examples, doubt as ranges, and what no sheet settles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import ALL_TILES, PointRange, SeenTile, parse_tiles
from referee.editions import EDITIONS
from referee.match import GameResult, games_in_round, standing
from referee.scoring import ScoreSheet, check_scores, score_sheet


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


# --- who never opened, sums, and matches ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "house", "expected"),
    [
        ("ru", {}, ["71", "-61", "-10"]),
        ("pressman", {}, ["71", "-61", "51"]),  # B's 61 go to A and to C
        ("ru", {"never_opened": 100}, ["110", "-100", "-10"]),
        ("ru", {"never_opened": 200}, ["210", "-200", "-10"]),
    ],
)
def test_never_opened(edition: str, house: dict[str, object], expected: list[str]) -> None:
    """E10: 61 held by one who never opened; PW adds them to each opponent, MSO, NZ and TW count 100 or 200."""
    racks = [parse_tiles(rack) for rack in ("", "J R13 B13 O5", "R10")]
    rules = EDITIONS[edition].rules.with_house_rules(house)
    result = score_sheet(racks, rules, opened=[True, False, True])
    assert scores(result) == expected
    assert check_scores([int(score or 0) for score in scores(result)], result.surplus) is None


def test_sums_are_checked_as_written_down() -> None:
    assert check_scores([18, -5, -10, -3]) is None
    fault = check_scores([18, -5, -10, 3])
    assert fault is not None
    assert fault.message == "The scores of this game sum to 6, and they must sum to 0."


def test_as_many_answers_as_racks() -> None:
    with pytest.raises(ValueError, match="2 players, and there are 1"):
        score_sheet([()], EDITIONS["ru"].rules, opened=[True, True])


def one_line_match(points: tuple[int, ...], winners: tuple[int, ...]) -> list[GameResult]:
    """Games with these winners; the points, of which the sheets print the sums, all fall in the last."""
    nothing = (0,) * len(points)
    return [
        GameResult(points if at == len(winners) - 1 else nothing, winner) for at, winner in enumerate(winners)
    ]


@pytest.mark.parametrize(
    ("edition", "points", "winners", "leader"),
    [
        ("ru", (-24, -54, 45, 33), (0, 2, 3, 2), 2),  # E01: one game to the first, two to the third
        ("cards", (-14, -29, 4, 39), (0, 2, 3), 3),  # E02: by points
        ("he", (39, 4, -29, -14), (0, 1, 3), 0),  # E03: one game each for three, so points
    ],
)
def test_printed_matches(edition: str, points: tuple[int, ...], winners: tuple[int, ...], leader: int) -> None:
    """E01 to E03, the sheets' printed tables; their totals sum to zero."""
    games = one_line_match(points, winners)
    result = standing(games, EDITIONS[edition].rules)
    assert result.points == points
    assert result.leader == leader
    assert check_scores(result.points) is None


@pytest.mark.parametrize(
    ("edition", "leader"),
    [("ru", 0), ("ua", 0), ("he", 0), ("cards", 1), ("pressman", 1), ("xp", 1), ("pressman2009", 1)],
)
def test_games_or_points(edition: str, leader: int) -> None:
    """E09: A wins +10 and +5 and loses 40: most games, and fewest points."""
    games = [GameResult((10, -10), 0), GameResult((5, -5), 0), GameResult((-40, 40), 1)]
    result = standing(games, EDITIONS[edition].rules)
    assert (result.games_won, result.points) == ((2, 1), (-25, 25))
    assert result.leader == leader
    flipped = {"games": "points", "points": "games"}[EDITIONS[edition].rules.match_by]
    assert standing(games, EDITIONS[edition].rules.with_house_rules({"match_by": flipped})).leader != leader


def test_a_level_match_is_a_question() -> None:
    level = standing([GameResult((10, -10), 0), GameResult((-10, 10), 1)], EDITIONS["ru"].rules)
    assert level.leader is None
    assert str(level.question) == "Players 1, 2 are level in games and in points. Who wins the match?"


def test_what_is_no_match() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        standing([], EDITIONS["ru"].rules)
    with pytest.raises(ValueError, match="no seat 2"):
        GameResult((1, -1), 2)
    assert games_in_round(4) == 4
