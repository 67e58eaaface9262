"""What is pressed before the table was ever in view, and pictures that come faster than anything moves."""

from __future__ import annotations

import math

import pytest
from watch_pictures import Told, row_of

from vision.watch.gate import Gate
from vision.watch.setup import WatchSetup
from vision.watch.types import Signal, SignalKind, TurnEnded, TurnRecord
from vision.watch.watcher import Watcher


def film(
    watcher: Watcher, told: Told, seconds: tuple[float, float], fps: int, *, arm: bool
) -> list[TurnRecord]:
    ended = []
    for at in range(round(seconds[0] * fps), round(seconds[1] * fps)):
        x = 420 + round(120 * math.sin(6 * at / fps))
        picture = row_of(at, at / fps, told, (x, x + 60) if arm else None)
        ended += [event.record for event in watcher.push(picture) if isinstance(event, TurnEnded)]
    return ended


@pytest.mark.parametrize("kind", ["draw", "pass"])
def test_a_button_that_was_pressed_before_the_table_was_in_view_counts(kind: SignalKind) -> None:
    told = Told()
    watcher = Watcher(told, WatchSetup(("Ann", "Ben"), "ru"))
    film(watcher, told, (0, 2), 10, arm=True)
    assert not watcher.signal(Signal(2.0, kind))
    turns = film(watcher, told, (2, 3), 10, arm=True)
    turns += film(watcher, told, (3, 7), 10, arm=False)
    told.row = [("R11", 60.0), ("B11", 92.0), ("O11", 124.0)]
    turns += film(watcher, told, (7, 8), 10, arm=True)
    turns += film(watcher, told, (8, 12), 10, arm=False)
    assert [(turn.action, turn.seat, turn.verdict) for turn in turns] == [
        (kind, 0, "legal"),
        ("play", 1, "legal"),
    ]
    assert turns[0].start_s <= turns[0].end_s <= 2.1


def test_a_play_that_nobody_saw_is_no_turn() -> None:
    told = Told()
    told.row = [("R11", 60.0), ("B11", 92.0), ("O11", 124.0)]
    watcher = Watcher(told, WatchSetup(("Ann", "Ben"), "ru"))
    film(watcher, told, (0, 2), 10, arm=True)
    watcher.signal(Signal(2.0, "end-turn"))
    assert not film(watcher, told, (2, 8), 10, arm=False)


@pytest.mark.parametrize(("fps", "most"), [(15, 15), (25, 25), (30, 16), (60, 21)])
def test_of_fast_pictures_not_all_are_looked_at(fps: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    look = Gate.look

    def counted(self: Gate, frame):
        asked.append(frame.t_s)
        return look(self, frame)

    monkeypatch.setattr(Gate, "look", counted)
    told = Told()
    watcher = Watcher(told, WatchSetup(("Ann", "Ben"), "ru"))
    film(watcher, told, (0, 2), fps, arm=False)
    film(watcher, told, (2, 4), fps, arm=True)
    for since_s in (1, 3):
        assert most - 1 <= sum(since_s <= t_s < since_s + 1 for t_s in asked) <= most
