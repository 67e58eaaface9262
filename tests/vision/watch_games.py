"""Whole games watched at the level of sights: scripts of ``datasets``, hands as directions, some draws unseen.

No picture is made, so that a hundred games take minutes: ``python tests/vision/watch_games.py FIRST COUNT
[TROUBLE=SHARE ...]`` watches COUNT games from seed FIRST on, with what :class:`Trouble` knows besides
(``unseen=0.3``: that share of the draws comes from stacks that look as before), and prints what ``tileref
evaluate`` would.
"""

from __future__ import annotations

import math
import random
import sys
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from watch_desk import BACK, Desk, arm_from

from datasets.games.composer import Composer
from datasets.games.composing import draw_script
from datasets.games.script import GameScript, Pose, Reach, TrueTurn
from vision.evaluation.games import GameScore, score_game
from vision.evaluation.games_summary import games_summary
from vision.review.turn import reviewed
from vision.watch.reach import Reach as SeenReach
from vision.watch.types import GoneBack, LyingTable

__all__ = ["Trouble", "watched"]

_POOL = 60
"""So many backs lie there at the beginning, ten to a row."""
_SIDES = {"near": math.pi / 2, "right": 0.0, "far": -math.pi / 2, "left": math.pi}
_ASIDE_RAD = 0.15
"""Standard deviation of a seat's place at its side, and of each reach from there."""
_POOL_RAD = -math.pi / 4
"""Where the pool lies, seen from the middle."""
_FROM_NOWHERE, _FOR_NOTHING = 0.03, 0.08
"""Shares of reaches that are seen to come from nowhere, and of turns after which somebody takes a nut."""
_HALF_SIZE = (18.0, 11.0)
"""Half of the table that is in view, tile widths."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What goes wrong in a game besides; shares and probabilities 0..1."""

    unseen: float = 0.0
    """Of the draws, those from stacks that look as before."""
    scatter_rad: float = _ASIDE_RAD
    """Standard deviation of where a reach comes in, of its seat's place."""
    nowhere: float = _FROM_NOWHERE
    """Of the reaches, those that are seen to come from nowhere."""
    restless: float = 0.0
    """Of the pauses between two hands, those in which somebody else's comes and touches nothing."""
    meddling: float = 0.0
    """The same where it straightens what lies there."""
    resting: float = 0.0
    """Of the pauses, those in which somebody's hand comes, rests beside all tiles for a while and goes."""
    mistaken: float = 0.0
    """Of the reaches, those that are seen to come from where somebody else sits."""
    crowded: float = 0.0
    """Of the reaches, those beside which another's hand moves more, and touches nothing."""
    aside: float = 0.0
    """How far from where a player lays tiles the same one's hand comes in to draw, at most; radians."""
    tidying: float = 0.0
    """Of the turns after which there is time for it, those whose player comes back and puts a row straight."""
    beside_rad: float = 0.0
    """All sit next to each other at the near side, so far apart; 0 for each at a side."""
    quick_s: float = 0.0
    """The shortest pause between two turns of quick players, the longest half as long again; 0 for usual."""


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


def _rows(up: dict[int, Pose]) -> list[list[int]]:
    """The tiles that lie next to one another, each row from its left end."""
    beside: dict[int, int] = {}
    for key, pose in up.items():
        along = np.array([math.cos(math.radians(pose.heading)), math.sin(math.radians(pose.heading))])
        for other, its in up.items():
            away = np.array([its.x - pose.x, its.y - pose.y])
            if 0.5 < away @ along < 1.4 and abs(along[0] * away[1] - along[1] * away[0]) < 0.5:
                beside[key] = other
    rows = []
    for key in sorted(set(up) - set(beside.values()), key=lambda one: (up[one].y, up[one].x)):
        row = [key]
        while row[-1] in beside and beside[row[-1]] not in row:
            row.append(beside[row[-1]])
        rows.append(row)
    return rows


class _Game:
    """One game as it is watched."""

    def __init__(self, script: GameScript, trouble: Trouble) -> None:
        self._script, self._trouble = script, trouble
        self._chance = random.Random(f"watched {script.seed}")
        self._from = [_SIDES[side] + self._chance.gauss(0, _ASIDE_RAD) for side in script.seat_sides]
        if trouble.beside_rad:
            middle = (len(self._from) - 1) / 2
            self._from = [math.pi / 2 + (seat - middle) * trouble.beside_rad for seat in range(len(self._from))]
        self.desk = _PoolDesk(pool=_POOL, players=script.players)
        self._names = {piece.key: str(piece.tile) for piece in script.pieces}
        self._left_s = 0.0
        self.turns: list[TrueTurn] = []
        self._stacked = {move.key for move in script.moves if self._chance.random() < trouble.unseen}

    def watch(self) -> None:
        """Watch it to its end."""
        self._lies(1.0)
        for turn in self._script.turns:
            self._turn(turn)
            self.turns.append(self._tidied(turn))
        self._lies(6.0)

    def _turn(self, turn: TrueTurn) -> None:
        seat = self._script.players.index(turn.player)
        for one in self._script.reaches:
            if one.seat == seat and max(turn.start_s, self._left_s + 0.05) <= one.leave_s <= turn.end_s + 0.5:
                if self._happens(self._trouble.restless):
                    self._fidgets(one.enter_s - self.desk.now, touches=False)
                if self._happens(self._trouble.meddling):
                    self._fidgets(one.enter_s - self.desk.now, touches=True)
                if self._happens(self._trouble.resting):
                    self._rests(one.enter_s - self.desk.now)
                self._lies(one.enter_s - self.desk.now)
                self._reaches(seat, one)
                self._left_s = one.leave_s
        if self._happens(_FOR_NOTHING):
            self._lies(0.8)
            by = self._direction(self._anyone())
            self.desk.moves(0.6, by=by, arms=[arm_from(by, anywhere=False)])

    def _tidied(self, turn: TrueTurn) -> TrueTurn:
        """Say when a turn ended, whose player may have come back to put a row straight."""
        if not self._happens(self._trouble.tidying):
            return turn
        pause_s, seconds = self._chance.uniform(0.4, 1.6), self._chance.uniform(1.5, 5.0)
        later = [one.enter_s for one in self._script.reaches if one.enter_s > turn.end_s + 0.5]
        if min(later, default=math.inf) < self.desk.now + pause_s + seconds + 1.5:
            return turn
        self._lies(pause_s)
        by = self._direction(self._script.players.index(turn.player))
        self.desk.moves(round(seconds, 1), by=by, arms=[arm_from(by)])
        self._left_s = self.desk.now
        return replace(turn, end_s=self.desk.now)

    def _happens(self, share: float) -> bool:
        return share > 0 and self._chance.random() < share

    def _fidgets(self, within_s: float, *, touches: bool) -> None:
        """Somebody's hand comes and goes while nothing happens, if there is time for it."""
        seconds = self._chance.uniform(0.4, 1.2)
        if within_s < seconds + 0.6:
            return
        self._lies(self._chance.uniform(0.3, within_s - seconds - 0.2))
        by = self._direction(self._anyone())
        self.desk.moves(round(seconds, 1), by=by, touched=touches, arms=[arm_from(by, anywhere=touches)])

    def _rests(self, within_s: float) -> None:
        if within_s < 1.6:
            return
        self._lies(0.3)
        by = self._direction(self._anyone())
        self.desk.passes(by)
        self._lies(self._chance.uniform(0.4, within_s - 1.2), clear=False)
        self.desk.passes(by)

    def _anyone(self) -> int:
        return self._chance.randrange(len(self._from))

    def _table(self, now_s: float) -> tuple[str, int]:
        """What lies face up at a moment, and how many backs seem to."""
        up = {piece.key: piece.pose for piece in self._script.lying if not piece.face_down}
        backs = _POOL
        for move in self._script.moves:
            if move.release_s <= now_s:
                up.pop(move.key, None)
                if move.end is not None and not move.face_down:
                    up[move.key] = move.end
                backs -= move.face_down and move.key not in self._stacked
        return " | ".join(" ".join(self._names[key] for key in row) for row in _rows(up)), backs

    def _lies(self, seconds: float, *, clear: bool = True) -> None:
        if seconds > 0.25:
            table, backs = self._table(max(self.desk.now, self._left_s))
            self.desk.lies(table, round(seconds, 1), backs=backs, clear=clear)

    def _reaches(self, seat: int, one: Reach) -> None:
        desk, seconds = self.desk, round(max(0.3, one.leave_s - max(one.enter_s, self.desk.now)), 1)
        if self._chance.random() >= self._trouble.nowhere:
            mistaken = self._happens(self._trouble.mistaken)
            by = self._direction(self._anyone() if mistaken else seat) + self._aside(seat, one)
            arms = [arm_from(by)]
            if self._happens(self._trouble.crowded):
                by = self._direction(self._anyone())
                arms = [arm_from(by, 0.6, anywhere=False), arm_from(arms[0].from_rad, 0.4)]
            desk.moves(seconds, by=by, share=arms[0].share, arms=arms)
            return
        desk.keeper.moves(desk.now)
        begin_s = desk.now
        desk.ticks(seconds, None)
        desk.said += desk.keeper.reached(SeenReach(begin_s, desk.now, None, 0.0, 9))

    def _aside(self, seat: int, one: Reach) -> float:
        """How far nearer to the pool a hand comes in, radians."""
        draws = (move.face_down and one.enter_s <= move.release_s <= one.leave_s for move in self._script.moves)
        if not self._trouble.aside or not any(draws):
            return 0.0
        away = (_POOL_RAD - self._from[seat] + math.pi) % math.tau - math.pi
        return math.copysign(min(abs(away), self._trouble.aside), away)

    def _direction(self, seat: int) -> float:
        return self._from[seat] + self._chance.gauss(0, self._trouble.scatter_rad)


def watched(seed: int, trouble: Trouble) -> GameScore:
    """Return how a game was refereed."""
    chance = random.Random(f"game {seed}")

    def quickly(game: Composer, low: float = 2.5, high: float = 8.0) -> float:
        return game.chance.uniform(trouble.quick_s, 1.5 * trouble.quick_s)

    with patch.object(Composer, "wait_s", quickly) if trouble.quick_s else nullcontext():
        script = draw_script(
            seed, players=chance.randint(2, 4), turns=chance.randint(24, 36), difficulty="easy", signals="none",
            half_size=_HALF_SIZE, pool_in_view=True,
        )  # fmt: skip
    game = _Game(script, trouble)
    game.watch()
    setup = game.desk.setup
    found = [reviewed(record, setup.players, setup.rules) for record in game.desk.turns]
    return score_game(str(seed), "sights", script.difficulty, game.turns, found)


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2])
    told = Trouble(**{name: float(value) for name, value in (one.split("=") for one in sys.argv[3:])})
    sys.stdout.write(games_summary([watched(seed, told) for seed in range(first, first + count)]))
