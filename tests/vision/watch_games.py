"""Whole games watched at the level of sights: scripts of ``datasets``, hands as directions, some draws unseen.

No picture is made, so that a hundred games take minutes: ``python tests/vision/watch_games.py FIRST COUNT
SHARE`` watches COUNT games from seed FIRST on, in which that SHARE of the draws comes from stacks that look as
before, and prints what ``tileref evaluate`` would.
"""

from __future__ import annotations

import math
import random
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from watch_desk import BACK, Desk

from datasets.games.composing import draw_script
from datasets.games.script import GameScript, Reach, TrueTurn
from vision.evaluation.games import GameScore, score_game
from vision.evaluation.games_summary import games_summary
from vision.review.turn import reviewed
from vision.watch import reach as seen
from vision.watch.types import GoneBack, LyingTable

__all__ = ["watched"]

_POOL = 60
"""So many backs lie there at the beginning, ten to a row."""
_SIDES = {"near": math.pi / 2, "right": 0.0, "far": -math.pi / 2, "left": math.pi}
_ASIDE_RAD = 0.15
"""Standard deviation of a seat's place at its side, and of each reach from there."""
_FROM_NOWHERE, _FOR_NOTHING = 0.03, 0.08
"""Shares of reaches that are seen to come from nowhere, and of turns after which somebody takes a nut."""
_HALF_SIZE = (18.0, 11.0)
"""Half of the table that is in view, tile widths."""


class _PoolDesk(Desk):
    """A desk beside a pool of which every back has its place."""

    def lying(self, text: str, backs: int | None = None, confidence: float = 0.9999) -> LyingTable:
        """See :class:`Desk`."""
        assert backs is not None
        gone = tuple(
            GoneBack(BACK + np.array([60.0 * (k % 10), 80.0 * (k // 10)], np.float32), False)
            for k in range(_POOL - backs)
        )
        lying = super().lying(text, None, confidence)
        return replace(lying, backs=backs, taken=len(gone), taken_from=gone)


class _Game:
    """One game as it is watched."""

    def __init__(self, script: GameScript, unseen: float) -> None:
        self._script, self._unseen = script, unseen
        self._chance = random.Random(f"watched {script.seed}")
        self._from = [_SIDES[side] + self._chance.gauss(0, _ASIDE_RAD) for side in script.seat_sides]
        self.desk = _PoolDesk(pool=_POOL, players=script.players)
        self._backs, self._table = _POOL, ""

    def watch(self) -> None:
        """Watch it to its end."""
        self._lies(1.0)
        for turn in self._script.turns:
            self._turn(turn)
        self._lies(6.0)

    def _turn(self, turn: TrueTurn) -> None:
        seat = self._script.players.index(turn.player)
        reaches = [
            r for r in self._script.reaches if r.seat == seat and turn.start_s <= r.leave_s <= turn.end_s + 0.5
        ]
        for at, one in enumerate(reaches):
            self._lies(one.enter_s - self.desk.now)
            self._reaches(seat, one)
            laid = turn.played[: at + 1] if turn.action == "play" else ()
            self._table = " | ".join(filter(None, (turn.before, " ".join(laid))))
            if one is reaches[-1]:
                self._table = turn.after
                self._backs -= turn.action == "draw" and self._chance.random() >= self._unseen
        if self._chance.random() < _FOR_NOTHING:
            self._lies(0.8)
            self.desk.moves(0.6, by=self._direction(self._chance.randrange(len(self._from))))

    def _lies(self, seconds: float) -> None:
        if seconds > 0.25:
            self.desk.lies(self._table, round(seconds, 1), backs=self._backs)

    def _reaches(self, seat: int, one: Reach) -> None:
        desk, seconds = self.desk, round(max(0.3, one.leave_s - max(one.enter_s, self.desk.now)), 1)
        if self._chance.random() >= _FROM_NOWHERE:
            desk.moves(seconds, by=self._direction(seat))
            return
        desk.keeper.moves(desk.now)
        begin_s = desk.now
        desk.ticks(seconds, None)
        desk.said += desk.keeper.reached(seen.Reach(begin_s, desk.now, None, 0.0, 9))

    def _direction(self, seat: int) -> float:
        return self._from[seat] + self._chance.gauss(0, _ASIDE_RAD)


def watched(seed: int, unseen: float) -> GameScore:
    """Return how a game was refereed of whose draws that share went unseen, probability 0..1 each."""
    chance = random.Random(f"game {seed}")
    script = draw_script(
        seed, players=chance.randint(2, 4), turns=chance.randint(24, 36), difficulty="easy", signals="none",
        half_size=_HALF_SIZE, pool_in_view=True,
    )  # fmt: skip
    game = _Game(script, unseen)
    game.watch()
    setup = game.desk.setup
    found = [reviewed(record, setup.players, setup.rules) for record in game.desk.turns]
    return score_game(str(seed), "sights", script.difficulty, script.turns, found)


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2])
    sys.stdout.write(games_summary([watched(seed, float(sys.argv[3])) for seed in range(first, first + count)]))
