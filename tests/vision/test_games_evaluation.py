"""Measuring reviews of recorded games: pairing turns, and what counts as right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.games.script import TrueTurn
from vision.evaluation.games import END_S, GameScore, Share, pair_turns, score_game
from vision.evaluation.games_summary import GameTotals, games_json, games_summary
from vision.review.turn import Asked, Fault, ReviewedTurn


def true_turn(number: int, end_s: float, **other: Any) -> TrueTurn:
    values: dict[str, Any] = {
        "player": "Ann",
        "action": "play",
        "before": "B4 B5 B6",
        "after": "B4 B5 B6 | R4 K4 O4",
        "played": ("R4", "K4", "O4"),
        "verdict": "legal",
    }
    return TrueTurn(turn=number, start_s=end_s - 5, end_s=end_s, **{**values, **other})


def found_as(turn: TrueTurn, **other: Any) -> ReviewedTurn:
    """A turn found exactly as it was, but for what is told otherwise."""
    found = ReviewedTurn(
        turn=turn.turn,
        seat=0,
        player=turn.player,
        start_s=turn.start_s,
        end_s=turn.end_s,
        action=turn.action,
        inferred=False,
        before=turn.before,
        after=turn.after,
        played=turn.played,
        verdict=turn.verdict,
    )
    return replace(found, **other)


def scored(true: Sequence[TrueTurn], found: Sequence[ReviewedTurn]) -> GameScore:
    return score_game("game", "drawn", "normal", true, found)


def test_a_perfect_review() -> None:
    true = [
        true_turn(1, 10),
        true_turn(2, 20, action="draw", played=(), after="B4 B5 B6"),
        true_turn(3, 30, verdict="illegal", violations=("gap",)),
        true_turn(4, 40, verdict="ask"),
    ]
    score = scored(true, [found_as(turn) for turn in true])
    assert (score.true, score.found, score.paired, score.f1, score.failures) == (4, 4, 4, 1.0, ())
    for metric in ("played", "verdict", "player", "action", "before", "after"):
        assert score.shares[metric] == Share(4, 4)
    assert score.shares["draws"] == Share(1, 1)
    assert score.shares["legal-as-illegal"] == Share(0, 2)
    assert score.shares["legal-as-ask"] == Share(0, 2)
    assert score.shares["illegal-as-legal"] == Share(0, 1)


def test_the_end_may_be_three_seconds_off() -> None:
    true = [true_turn(1, 10), true_turn(2, 20)]
    near = [found_as(true[0], end_s=13.0), found_as(true[1], end_s=17.0)]
    assert scored(true, near).paired == 2
    far = [found_as(true[0], end_s=13.1), found_as(true[1], end_s=16.9)]
    score = scored(true, far)
    assert score.paired == 0
    assert [failure.turn for failure in score.failures] == [1, None, None, 2]
    assert score.shares["played"] == Share(0, 2)


def test_a_missed_foul_has_passed_and_a_made_up_one_is_told() -> None:
    true = [true_turn(1, 10, verdict="illegal"), true_turn(2, 30, verdict="illegal"), true_turn(3, 50)]
    found = [found_as(true[1], verdict="legal"), found_as(true[2], end_s=70.0, verdict="illegal")]
    score = scored(true, found)
    assert score.shares["illegal-as-legal"] == Share(2, 2)
    assert score.shares["legal-as-illegal"] == Share(0, 1)
    assert score.phantom_fouls == 1


def test_accusing_the_innocent_and_asking_are_counted_apart() -> None:
    true = [true_turn(1, 10), true_turn(2, 20), true_turn(3, 30, verdict="ask")]
    found = [
        found_as(true[0], verdict="illegal", faults=(Fault("gap", (), "A gap."),)),
        found_as(true[1], verdict="ask", questions=(Asked("doubtful-tile", (), "Which?", ()),)),
        found_as(true[2], verdict="legal"),
    ]
    score = scored(true, found)
    assert score.shares["legal-as-illegal"] == Share(1, 2)
    assert score.shares["legal-as-ask"] == Share(1, 2)
    assert score.shares["verdict"] == Share(0, 3)
    assert score.failures[0].what == ("illegal (gap), truly legal",)


@pytest.mark.parametrize(
    ("played", "right"),
    [
        (("O4", "K4", "R4"), True),
        (("R4", "~K4", "O4"), True),
        (("R4", "K4"), False),
        (("R4", "K4", "O4", "O4"), False),
        (("R4", "K4", "O4/O5"), False),
    ],
)
def test_tiles_played_must_be_exactly_right(played: tuple[str, ...], right: bool) -> None:
    true = [true_turn(1, 10)]
    score = scored(true, [found_as(true[0], played=played)])
    assert score.shares["played"] == Share(int(right), 1)


def test_tables_are_the_same_whatever_their_order() -> None:
    true = [true_turn(1, 10)]
    same = found_as(true[0], after="O4 R4 K4 | B6 B5 B4")
    assert scored(true, [same]).shares["after"] == Share(1, 1)
    joined = found_as(true[0], after="B4 B5 B6 R4 K4 O4")
    assert scored(true, [joined]).shares["after"] == Share(0, 1)


ENDS = st.lists(st.integers(0, 20).map(lambda half: half / 2), max_size=4).map(sorted)


@settings(max_examples=80, deadline=None)
@given(ENDS, ENDS)
def test_the_pairing_is_the_best_there_is(true: list[float], found: list[float]) -> None:
    pairs = pair_turns(true, found)
    assert len({i for i, _ in pairs}) == len({k for _, k in pairs}) == len(pairs)
    assert all(abs(true[i] - found[k]) <= END_S for i, k in pairs)
    best = (0, 0.0)
    for size in range(1, min(len(true), len(found)) + 1):
        for rows in combinations(range(len(true)), size):
            for columns in permutations(range(len(found)), size):
                apart = [abs(true[i] - found[k]) for i, k in zip(rows, columns, strict=True)]
                if max(apart) <= END_S:
                    best = max(best, (size, -sum(apart)))
    assert (len(pairs), -sum(abs(true[i] - found[k]) for i, k in pairs)) == best


def test_sums_and_summary() -> None:
    true = [true_turn(1, 10), true_turn(2, 20)]
    good = replace(
        scored(true, [found_as(turn) for turn in true]), watched_s=100.0, processing_s=20.0, decoding_s=5.0
    )
    bad = score_game("other", "cut-out", "normal", true, [found_as(true[0], after="B1 | B2")])
    totals = GameTotals([good, bad])
    assert (totals.true, totals.found, totals.paired) == (4, 3, 3)
    assert totals.f1 == pytest.approx(6 / 7)
    assert totals.times_real_time == 5.0
    assert totals.times_with_decoding == 4.0
    text = games_summary([good, bad])
    assert "75.0% (3 of 4; 30.1% to 95.4%)" in text
    assert "| other | 2 | - | 20.0 s | not found |" in text
    assert "B1 / B2" in text
    plain = games_json([good, bad])
    assert list(plain["groups"]) == ["all", "kind cut-out", "kind drawn"]
    assert plain["groups"]["kind drawn"]["turns"]["f1"] == 1.0
    assert plain["games"][1]["failures"][0]["turn"] == 1
    failed = GameScore("gone", "drawn", "easy", error="It cannot be read.")
    assert "- gone: It cannot be read." in games_summary([failed])
