"""The button, pressed while the next player's hand moves over the table already."""

from __future__ import annotations

import math

import pytest
from watch_pictures import Told, row_of

from vision.watch.setup import WatchSetup
from vision.watch.types import Signal, TurnEnded, TurnRecord
from vision.watch.watcher import Watcher

FPS = 10


class Camera:
    """Films one table."""

    def __init__(self, *, automatic: bool = False) -> None:
        self.told, self.at = Told(), 0
        setup = WatchSetup(("Ann", "Ben"), "ru", automatic=automatic, opened=(True, True), draws_told=automatic)
        self.watcher = Watcher(self.told, setup)
        self.turns: list[TurnRecord] = []

    def films(self, seconds: float, *, arm: bool = False, arm_y: tuple[int, int] = (0, 150)) -> None:
        """Go on for so long; an ``arm`` never rests, and hides none of the row's first 400 pixels."""
        for _ in range(round(seconds * FPS)):
            x = 480 + round(60 * math.sin(self.at))
            picture = row_of(self.at, self.at / FPS, self.told, (x, x + 60) if arm else None, arm_y)
            for event in self.watcher.push(picture):
                if isinstance(event, TurnEnded):
                    self.turns.append(event.record)
            self.at += 1

    def press(self) -> None:
        for event in self.watcher.signal(Signal(self.at / FPS, "end-turn")):
            if isinstance(event, TurnEnded):
                self.turns.append(event.record)


def test_what_lies_beside_a_hand_that_never_rests_is_seen_once_the_button_is_pressed() -> None:
    camera = Camera()
    camera.told.row = [("K2", 60.0), ("K3", 92.0), ("K4", 124.0)]
    camera.films(3)
    camera.films(0.5, arm=True)
    camera.told.row += [("R9", 240.0), ("B9", 272.0), ("O9", 304.0)]
    camera.films(1, arm=True)
    camera.press()
    camera.films(4, arm=True)
    (turn,) = camera.turns
    assert (turn.action, turn.verdict) == ("play", "legal")
    assert sorted(str(tile) for tile in turn.played) == ["B9", "O9", "R9"]


def test_nobody_is_accused_by_what_lies_beside_a_hand_that_never_rests() -> None:
    camera = Camera()
    camera.told.row = [("K2", 60.0), ("K3", 92.0), ("K4", 124.0)]
    camera.films(3)
    camera.told.row += [("R9", 240.0), ("B9", 272.0)]
    camera.films(1, arm=True)
    camera.press()
    camera.films(7, arm=True)
    (turn,) = camera.turns
    assert (turn.action, turn.verdict) == ("play", "ask")


def test_nobody_is_accused_by_a_picture_in_motion_whatever_moves() -> None:
    """A hand that does not touch the picture's border, as far as anyone can tell."""
    camera = Camera()
    camera.told.row = [("K2", 60.0), ("K3", 92.0), ("K4", 124.0)]
    camera.films(3)
    camera.told.row += [("R9", 240.0), ("B9", 272.0)]
    camera.films(1, arm=True, arm_y=(60, 240))
    camera.press()
    camera.films(7, arm=True, arm_y=(60, 240))
    assert [turn.verdict for turn in camera.turns] == ["ask"]


@pytest.mark.parametrize("finished", [True, False])
def test_a_table_is_read_as_the_next_players_hands_come_in(finished: bool) -> None:
    """Ann sits above, Ben below; neither leaves the table alone for long enough to be read."""
    camera = Camera(automatic=True)
    above, below = (0, 150), (150, 360)
    camera.told.row = [("K2", 60.0), ("K3", 92.0), ("K4", 124.0)]
    camera.films(3)
    for name, x, arm_y in (("K5", 156.0, above), ("K6", 188.0, below)):
        camera.films(1, arm=True, arm_y=arm_y)
        camera.told.row.append((name, x))
        camera.films(5)
    camera.films(1, arm=True, arm_y=above)
    camera.told.row += [("R9", 300.0), ("B9", 332.0), *([("O9", 364.0)] if finished else [])]
    camera.films(0.5)
    camera.films(1, arm=True, arm_y=below)
    assert [turn.verdict for turn in camera.turns] == ["legal"] * (3 if finished else 2)
