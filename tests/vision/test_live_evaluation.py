"""Recorded games played as a camera would show them, and how soon their verdicts stood."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sources_support import Clock

from referee import Table, Verdict
from tileref.cli import main
from vision.evaluation.live import FilmFeed, LiveTiming, Verdicts
from vision.evaluation.live_summary import live_json, live_summary
from vision.recorded import bundled_game
from vision.sources.feed import FeedLostError
from vision.sources.frame import Frame, SourceNotice
from vision.watch.turn_settings import TurnSettings
from vision.watch.types import HandsOver, Signal, TurnEnded, TurnRecord

PICTURE = np.zeros((4, 6, 3), np.uint8)


def feed_of(*times_s: float, over: Callable[[], None] = lambda: None, **more: Any) -> tuple[FilmFeed, Clock]:
    clock = Clock()
    items = [Frame.of_bgr(at, t_s, PICTURE + np.uint8(at)) for at, t_s in enumerate(times_s)]
    shown = [items[0], SourceNotice(0.0, "black", "Black."), *items[1:]]
    return FilmFeed(shown, over, clock=clock, pause=clock.pause, **more), clock


def shown_at(feed: FilmFeed) -> int:
    shot = feed.read()
    assert shot is not None
    return int(shot.make_bgr()[0, 0, 0])


def test_a_films_pictures_come_at_their_own_times() -> None:
    feed, clock = feed_of(0.0, 0.5, 0.75)
    assert [(shown_at(feed), clock.now_s) for _ in range(3)] == [(0, 100.0), (1, 100.5), (2, 100.75)]


def test_pictures_that_should_have_been_shown_by_now_are_passed_over() -> None:
    feed, clock = feed_of(0.0, 0.5, 0.75, 1.0)
    shown_at(feed)
    clock.pause(0.9)
    assert (shown_at(feed), clock.now_s) == (3, 101.0)


@pytest.mark.parametrize(("to_s", "count"), [(9.0, 3), (0.6, 2)])
def test_the_film_ends_with_its_last_picture_or_where_it_is_to(to_s: float, count: int) -> None:
    over: list[bool] = []
    feed, _ = feed_of(0.0, 0.5, 0.75, over=lambda: over.append(True), to_s=to_s)
    assert [shown_at(feed) for _ in range(count)] == list(range(count))
    with pytest.raises(FeedLostError):
        feed.read()
    assert over == [True]


def ended(verdict: Verdict = "legal", *, inferred: bool = False) -> TurnEnded:
    table = Table()
    return TurnEnded(TurnRecord(1, 0, 0.0, 1.0, "play", inferred, table, table, (), verdict))


@pytest.fixture
def timing() -> LiveTiming:
    return LiveTiming("a game")


@pytest.fixture
def verdicts(timing: LiveTiming) -> Verdicts:
    return Verdicts(timing, TurnSettings(settle_s=1.5, pause_s=3.0, foul_settle_s=4.0, button_after_s=2.0))


def test_from_each_button_to_its_own_verdict(verdicts: Verdicts, timing: LiveTiming) -> None:
    verdicts.press(Signal(10.0, "end-turn"))
    verdicts.take([ended(inferred=True)], 10.1)  # a draw before it
    verdicts.take([ended()], 10.4)
    verdicts.press(Signal(20.0, "draw"))
    verdicts.take([ended()], 20.25)
    verdicts.press(Signal(30.0, "end-turn"))
    verdicts.press(Signal(40.0, "end-turn"))
    verdicts.take([ended("illegal")], 41.5)
    assert timing.buttons == pytest.approx([0.4, 1.5])
    assert timing.told == pytest.approx([0.25])
    assert (timing.by_itself, timing.unanswered) == ([], 1)


def test_a_turn_that_ended_by_itself_stands_before_its_button(verdicts: Verdicts, timing: LiveTiming) -> None:
    verdicts.take([HandsOver(10.0, True), HandsOver(11.0, False)], 11.0)
    verdicts.take([ended()], 14.25)
    verdicts.press(Signal(15.0, "end-turn"))
    verdicts.press(Signal(25.0, "end-turn"))
    verdicts.take([ended()], 25.5)
    assert timing.by_itself == pytest.approx([0.25])
    assert timing.buttons == pytest.approx([0.0, 0.5])


def test_a_fault_is_to_lie_longer_and_the_next_hands_end_a_turn_in_time(
    verdicts: Verdicts, timing: LiveTiming
) -> None:
    verdicts.take([HandsOver(11.0, False)], 11.0)
    verdicts.take([ended("illegal")], 15.5)
    verdicts.take([HandsOver(20.0, False), HandsOver(21.0, True)], 21.0)
    verdicts.take([ended()], 29.0)
    assert timing.by_itself == pytest.approx([0.5, 0.0])


def test_all_games_are_told_together() -> None:
    timings = [
        LiveTiming("one", [0.2, 0.4], [], [0.1], 0, 60.0, 600),
        LiveTiming("two", [1.2], [0.3], [], 1, 60.0),
    ]
    measured = live_json(timings)
    assert measured["all"]["buttons"] == {
        "count": 3, "median": 0.4, "nine_of_ten": pytest.approx(1.04), "most": 1.2, "soon": 2
    }  # fmt: skip
    assert "| from the button to the verdict | 3 | 0.40 | 1.04 | 1.20 | 2 of 3 |" in live_summary(timings)
    assert "Games: 2; 120 s; 5.0 pictures a second" in live_summary(timings)


def test_the_bundled_game_is_played_in_its_own_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = bundled_game()
    assert game is not None
    status = main(["evaluate", "--games", str(game.film.parent), "--live", "2", "--out", str(tmp_path)])
    assert status == 0
    assert "| from the button to the verdict | 0 | - |" in capsys.readouterr().out
    told = json.loads((tmp_path / "live.json").read_text("utf-8"))
    assert told["looked_at"] > 0
    assert told["games"][0]["error"] is None


@pytest.mark.parametrize("wish", [["--rendered", "1", "--live"], ["--games", ".", "--live", "--jobs", "2"]])
def test_what_cannot_be_played_live_is_refused_in_a_sentence(
    wish: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *wish]) == 2
    assert capsys.readouterr().err.count("\n") == 1
