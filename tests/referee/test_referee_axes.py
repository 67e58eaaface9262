"""Every axis decides something: one case each whose outcome flips with it."""

from __future__ import annotations

import pytest
from test_referee_turns import FLIPS

from referee import (
    AXES,
    Deal,
    Draw,
    Event,
    GameResult,
    Pass,
    Play,
    Racks,
    Rules,
    StartMatch,
    TimeOut,
    judge_turn,
    parse_table,
    parse_tiles,
    replay,
    score_sheet,
    standing,
)

THIRTY = "R10 B10 K10"


def verdicts(house: dict[str, str | int | None], *events: Event, players: int = 2) -> list[str]:
    start = StartMatch(tuple("abcdef"[:players]), "ru", tuple(house.items()))
    return [outcome.verdict for outcome in replay([start, *events]).outcomes]


def dry(house: dict[str, str | int | None], *events: Event) -> list[str]:
    """As ``verdicts``, for a game of two whose pool is empty after the first draw."""
    box: dict[str, str | int | None] = {"copies": 1, "jokers": 1, "rack_size": 20, "highest": 11, "draw": 3}
    start = StartMatch(("a", "b"), "ru", tuple({**box, **house}.items()))
    drawn: list[Event] = [Draw(0), Draw(1)]
    return [outcome.verdict for outcome in replay([start, Deal(0), *drawn, *events]).outcomes[4:]]


def test_players_max() -> None:
    assert verdicts({"players_max": 4}, players=5) == ["illegal"]
    assert verdicts({"players_max": 6}, players=5) == ["legal"]


def test_rack_size() -> None:
    shown = {
        size: replay([StartMatch(("a", "b"), "ru", (("rack_size", size),)), Deal(0)]).state for size in (14, 16)
    }
    assert {size: state.pool for size, state in shown.items()} == {14: 78, 16: 74}


def test_draw_and_river() -> None:
    assert verdicts({"river": "yes", "draw": 2}, Deal(0), Draw(0, "K5"))[-1] == "legal"
    assert verdicts({"river": "no", "draw": 2}, Deal(0), Draw(0, "K5"))[-1] == "illegal"
    racks = [
        replay([StartMatch(("a", "b"), "ru", (("draw", tiles),)), Deal(0), Draw(0)]).state.racks
        for tiles in (1, 2)
    ]
    assert racks == [(15, 14), (16, 14)]


def test_turn_seconds() -> None:
    def told(seconds: int | None) -> list[str]:
        start = StartMatch(("a", "b"), "ru", (("turn_seconds", seconds),))
        outcome = replay([start, Deal(0, t_s=0), Draw(0, t_s=90)]).outcomes[-1]
        return [problem.code for problem in outcome.problems]

    assert (told(60), told(120), told(None)) == (["overtime"], [], [])


def test_crossing() -> None:
    after = parse_table("R2 R3 R4#1 R5 | R4#1 K4 B4")
    judged = [
        judge_turn(parse_table("R3 R4 R5"), after, opened=True, rules=Rules(crossing=word)).verdict
        for word in ("yes", "no")
    ]
    assert judged == ["legal", "illegal"]


def test_pool_empty() -> None:
    turns: list[Event] = [Play(0, THIRTY), Pass(1), Draw(0)]
    assert dry({"pool_empty": "stuck"}, *turns) == ["legal", "legal", "illegal"]
    after_one_turn_each = dry({"pool_empty": "one-turn"}, *turns[:2], Racks(("", "")))
    assert after_one_turn_each[-1] == "ask"  # the game is over: the racks may be shown
    assert dry({"pool_empty": "stuck"}, *turns[:2], Racks(("", "")))[-1] == "illegal"
    assert dry({"pool_empty": "must-play"}, Pass(0)) == ["ask"]
    assert dry({"pool_empty": "must-play"}, Pass(0, ruling="legal")) == ["legal"]
    assert dry({"pool_empty": "must-play"}, Pass(0, ruling="illegal")) == ["illegal"]


@pytest.mark.parametrize(
    "axis", ["timeout_untouched", "timeout_restorable", "timeout_unrestorable", "timeout_strays"]
)
def test_time_outs(axis: str) -> None:
    now, known = {
        "timeout_untouched": ("", True),
        "timeout_restorable": ("R1 R2", True),
        "timeout_unrestorable": ("R1 R2", False),
        "timeout_strays": ("R1 R2", False),
    }[axis]
    held = set()
    for value in ("rack", "pool") if axis == "timeout_strays" else (0, 5):
        start = StartMatch(("a", "b"), "ru", ((axis, value),))
        held.add(replay([start, Deal(0), TimeOut(0, now, known)]).state.racks[0])
    assert len(held) == 2


def test_scores() -> None:
    racks = [parse_tiles("R13"), parse_tiles("R1 R2"), parse_tiles("J J R1")]
    winners = {score_sheet(racks, Rules(none_out=word)).winner for word in ("sum", "tiles")}
    assert winners == {0, 1}
    out = [(), parse_tiles("J R5")]
    assert [score_sheet(out, Rules(joker_points=points)).winner_score.least for points in (30, 50)] == [35, 55]  # type: ignore[union-attr]
    never = [
        score_sheet([*racks, ()], Rules(never_opened=word), opened=[False, True, True, True]).lines[1].score
        for word in ("none", "opponents")
    ]
    assert [score.least for score in never if score] == [-3, 10]
    games = [GameResult((5, -5), 0), GameResult((5, -5), 0), GameResult((-20, 20), 1)]
    assert [standing(games, Rules(match_by=word)).leader for word in ("games", "points")] == [0, 1]


def test_no_axis_is_left_out() -> None:
    here = {"players_max", "rack_size", "draw", "river", "turn_seconds", "crossing", "pool_empty", "none_out"}
    here |= {"timeout_untouched", "timeout_restorable", "timeout_unrestorable", "timeout_strays"}
    here |= {"joker_points", "never_opened", "match_by"}
    assert {axis for _, axis, *_ in FLIPS} | here == set(AXES)


def test_unclear_sheets_ask_at_set_up() -> None:
    def asked(code: str, **house: str | int) -> list[str]:
        outcome = replay([StartMatch(("a", "b"), code, tuple(house.items()))]).outcomes[0]
        return [str(dict(question.args)["axis"]) for question in outcome.questions]

    assert asked("ru") == []
    assert asked("ua") == ["opening_joker", "opening_build", "timeout_restorable"]
    assert asked("ua", opening_joker="no", opening_build="no") == ["timeout_restorable"]
    assert asked("cards") == ["opening_joker", "pool_empty", "timeout_untouched"]


def test_a_match_ends_as_agreed() -> None:
    def game(number: int) -> list[Event]:
        return [Deal(0), Play(0, THIRTY), Racks(("", "R5 B5 K5"))]

    house = (("rack_size", 3),)
    two: list[Event] = [StartMatch(("a", "b"), "ru", house, games=2), *game(1), *game(2)]
    assert replay(two[:-3]).state.match_over is False
    assert replay(two).state.match_over is True
    assert replay([*two, Deal(0)]).outcomes[-1].verdict == "illegal"
    points: list[Event] = [StartMatch(("a", "b"), "ru", house, to_points=15), *game(1)]
    assert replay(points).state.match_over is True
    assert replay(points[:-1]).state.match_over is False
