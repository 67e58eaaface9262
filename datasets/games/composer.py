"""A game under way: turns are filmed one by one, each with its truth from how it was made."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from datasets.games.choreography import Acted, Step, Tempo, act, order_steps
from datasets.games.fouls import Foul, make_foul
from datasets.games.incidents import Course, draw_incidents
from datasets.games.placing import (
    Ground,
    Keys,
    Placer,
    Poses,
    pool_poses,
    pool_width,
    seat_heading,
    seat_place,
)
from datasets.games.players import opening, play
from datasets.games.position import LaidSet, Position, keys_of
from datasets.games.script import Action, GameScript, Lying, Move, Piece, Reach, TrueTurn
from datasets.games.wishes import MOST_ON_TABLE, NAMES, SIDES, GameError, Wishes
from referee import Verdict
from referee.axes import Rules
from referee.tiles import Tile


@dataclass(frozen=True, slots=True)
class Made:
    """What a turn is, from how it was made."""

    played: tuple[str, ...] | None = None
    """What counts as played; None for what the table holds more than before."""
    verdict: Verdict = "legal"
    """What the turn is."""
    violations: tuple[str, ...] = ()
    """The codes of the faults that were put in."""
    foul: str | None = None
    """Which kind of foul was put in."""


LEGAL: Final = Made()
"""A turn without fault."""


class Composer:
    """A game under way: what has been filmed so far, and the position."""

    def __init__(self, wishes: Wishes, position: Position, rules: Rules, chance: random.Random) -> None:
        self.wishes, self.rules, self.chance = wishes, rules, chance
        self.position = position
        self.sides = SIDES[wishes.players]
        # Where nothing is pressed, a draw that nobody can see is no truth to measure by.
        in_view = chance.random() < 0.5 or wishes.signals == "none"
        in_view = wishes.pool_in_view if wishes.pool_in_view is not None else in_view
        self.pool_in_view = in_view and bool(position.pool)
        self.half_size = wishes.half_size or ((17.0, 9.6) if self.pool_in_view else (14.4, 8.1))
        self.pool: Poses = {}
        self.ground = self._lay_out_pool()
        self.placer = Placer(self.ground, chance)
        self.tempo = Tempo.of(wishes.difficulty, wishes.pace)
        self.poses: Poses = {}
        self.lying: list[Lying] = []
        self.moves: list[Move] = []
        self.reaches: list[Reach] = []
        self.turns: list[TrueTurn] = []
        self.signals: list[tuple[float, Literal["end-turn", "draw", "pass"]]] = []
        self.now_s = 0.0
        self.names = tuple(chance.sample(NAMES, wishes.players))
        self.opened_at_start = tuple(position.opened)
        self.racks_at_start = tuple(len(rack) for rack in position.racks)

    def _lay_out_pool(self) -> Ground:
        hard = self.wishes.difficulty == "hard"
        between, across = (0.45, 0.32) if hard else (0.6, 0.4)
        low = (-self.half_size[0], -self.half_size[1])
        high = self.half_size
        if self.pool_in_view:
            side = self.chance.choice((-1, 1))
            poses = pool_poses(len(self.position.pool), self.half_size, side, self.chance)
            width = pool_width(poses, self.half_size)
            while width > 0.75 * self.half_size[0] and self.wishes.signals == "none":
                high = self.half_size = (1.1 * self.half_size[0], 1.1 * self.half_size[1])
                low = (-high[0], -high[1])
                poses = pool_poses(len(self.position.pool), self.half_size, side, self.chance)
                width = pool_width(poses, self.half_size)
            if width > 0.75 * self.half_size[0]:
                self.pool_in_view = False
            else:
                order = self.chance.sample(range(len(poses)), len(poses))
                self.pool = {key: poses[at] for key, at in zip(self.position.pool, order, strict=True)}
                if side < 0:
                    low = (low[0] + width, low[1])
                else:
                    high = (high[0] - width, high[1])
        return Ground(low, high, between, across)

    # --- what lies ---------------------------------------------------------------------------------------

    def facing(self, seat: int) -> float:
        """How a player lays a new set: mostly to the near side."""
        hard = self.wishes.difficulty == "hard"
        own = seat_heading(self.sides[seat])
        if hard and self.chance.random() < (0.3 if own == 180.0 else 0.12):
            return own
        return 0.0

    def arrange(self, table: Sequence[LaidSet], seat: int) -> Poses | None:
        """Where ``table`` lies, coming from the position's table."""
        return self.placer.arrange(
            [keys_in(tiles) for tiles in self.position.table],
            [keys_in(tiles) for tiles in table],
            self.poses,
            self.facing(seat),
            seat_place(self.sides[seat], self.ground),
        )

    def begin(self) -> None:
        """Lay what lies there when the film begins."""
        table, self.position.table = self.position.table, []
        laid = self.arrange(table, 0)
        self.position.table = table
        if laid is None:
            raise GameError("the part of the table in view is too small for the tiles that lie on it")
        self.poses = laid
        self.lying = [Lying(key, pose) for key, pose in sorted(laid.items())]
        self.lying += [Lying(key, pose, True) for key, pose in sorted(self.pool.items())]

    # --- one turn ----------------------------------------------------------------------------------------

    def steps_to(self, table: Sequence[LaidSet], later: Poses) -> list[Step] | None:
        """The steps of a turn that leaves ``table``, with what people do besides."""
        steps = order_steps([keys_in(tiles) for tiles in table], self.poses, later, self.placer)
        if steps is None or self.wishes.difficulty == "easy":
            return steps
        often = 0.16 if self.wishes.difficulty == "hard" else 0.06
        touched = {step.key for step in steps}
        still = [key for key in later if key not in touched]
        if steps and still and self.chance.random() < often:
            key = self.chance.choice(sorted(still))
            pose = self.placer.nudged(key, {**self.poses, **later})
            if pose is not None:
                steps.append(Step(key, later[key], pose))
                later[key] = pose
        return steps

    def drawing(self, seat: int, count: int) -> list[Step]:
        """Take tiles from the pool to a rack; the steps of those that lie in view."""
        steps = []
        for _ in range(min(count, len(self.position.pool))):
            if self.pool:
                key = self.chance.choice(sorted(self.pool))
                self.position.pool.remove(key)
                steps.append(Step(key, self.pool.pop(key), None, face_down=True))
            else:
                key = self.position.pool.pop()
            self.position.racks[seat].append(key)
        return steps

    def film(self, steps: Sequence[Step], seat: int, begin_s: float, tempo: Tempo | None = None) -> float:
        """Film the steps from ``begin_s``; returns when the last hand has left."""
        acted = act(steps, seat, tempo or self.tempo, self.chance).shifted(begin_s)
        self.keep(acted)
        return acted.end_s

    def keep(self, acted: Acted) -> None:
        """Add what hands did to the film."""
        self.moves += acted.moves
        self.reaches += acted.reaches

    def wait_s(self, low: float = 2.5, high: float = 8.0) -> float:
        """How long nothing happens before a turn."""
        return max(low, self.chance.uniform(low, high) / max(1.0, self.wishes.pace))

    def press(self, left_s: float, action: Action) -> float:
        """The end of a turn whose last hand left at ``left_s``: the button, where one is pressed."""
        quiet = action in ("draw", "pass")
        if action == "time-out" or self.wishes.signals == "none" or (
            self.wishes.signals == "quiet" and not quiet
        ):  # fmt: skip
            return left_s
        pressed = left_s + self.chance.uniform(0.3, 1.5)
        self.signals.append((pressed, action if action in ("draw", "pass") else "end-turn"))
        return pressed

    def told(self, seat: int, action: Action, end_s: float, before: str, made: Made) -> None:
        """Write a turn down that led from ``before`` to the position's table; it becomes the past."""
        self.turns.append(
            TrueTurn(
                turn=len(self.turns) + 1,
                player=self.names[seat],
                start_s=round(self.now_s, 3),
                end_s=round(end_s, 3),
                action=action,
                before=before,
                after=self.position.text(),
                played=made.played or (),
                verdict=made.verdict,
                violations=made.violations,
                foul=made.foul,
            )
        )
        self.now_s = end_s

    def turn_to(
        self,
        seat: int,
        table: Sequence[LaidSet],
        action: Action,
        made: Made = LEGAL,
        *,
        extra: Sequence[Step] = (),
        wait_s: tuple[float, float] = (2.5, 8.0),
        later: Poses | None = None,
    ) -> bool:
        """Film a turn that leaves ``table``; False, and nothing done, where it has no room or takes too long.

        ``extra`` steps come first, after a pause in the range of ``wait_s``; ``later`` says where the tiles lie
        in the end, where that is settled.
        """
        later = self.arrange(table, seat) if later is None else dict(later)
        steps = None if later is None else self.steps_to(table, later)
        if later is None or steps is None or not [*extra, *steps]:
            return False
        acted = act([*extra, *steps], seat, self.tempo, self.chance)
        begin = self._begin_s(action, acted.end_s, self.wait_s(*wait_s))
        if begin is None:
            return False
        self.keep(acted.shifted(begin))
        if action == "time-out" and self.wishes.turn_seconds is not None:
            end = self.now_s + self.wishes.turn_seconds
        else:
            end = self.press(begin + acted.end_s, action)
        before = self.position.text()
        if made.played is None:
            made = replace(made, played=self.position.played(table))
        self.position.lay(seat, table)
        self.poses = later
        self.told(seat, action, end, before, made)
        return True

    def _begin_s(self, action: Action, long_s: float, wait_s: float) -> float | None:
        """When the first hand comes in a turn whose hands take ``long_s``; None where the clock forbids it."""
        limit = self.wishes.turn_seconds
        if limit is None or action == "put-back":
            return self.now_s + wait_s
        if action == "time-out":
            begin = limit - long_s - self.chance.uniform(-0.6, 0.9)
            return None if begin < 2.5 else self.now_s + begin
        # The button is pressed 1.5 s after the hand has gone, at the latest.
        latest = limit - long_s - 2.6
        return None if latest < 2.5 else self.now_s + min(wait_s, latest)

    def quiet_turn(self, seat: int) -> None:
        """A draw, or a pass where the pool is empty."""
        action: Action = "draw" if self.position.pool else "pass"
        text = self.position.text()
        steps = self.drawing(seat, self.rules.draw)
        begin = self.now_s + self.wait_s()
        left = self.film(steps, seat, begin) if steps else begin + self.chance.uniform(0.5, 2.0)
        self.told(seat, action, self.press(left, action), text, LEGAL)

    def legal_turn(self, seat: int, *, may_end: bool) -> bool:
        """A legal play; False where none is found, or made."""
        position = self.position
        if len(keys_of(position.table)) > MOST_ON_TABLE - 4:
            return False
        keep = 0 if may_end else 1
        for _ in range(2):
            if position.opened[seat]:
                table = play(position, seat, self.chance, self.rules, keep=keep)
            else:
                table = opening(position, seat, self.chance, self.rules)
            if table is None or len(keys_of(table)) > MOST_ON_TABLE:
                return False
            if self.turn_to(seat, table, "play"):
                position.opened[seat] = True
                return True
        return False

    # --- what goes wrong ---------------------------------------------------------------------------------

    def foul_turn(self, seat: int, foul: Foul, action: Action = "play") -> bool:
        """Film a foul and its put-back; False where it has no room, or takes too long."""
        old = self.position.copy()
        old_poses = dict(self.poses)
        extra = self.drawing(seat, 1) if foul.drew else []
        drawn = self.position.copy()
        made = Made(None, foul.verdict, foul.codes, foul.kind)
        if not self.turn_to(seat, foul.table, action, made, extra=extra):
            self.position = old
            self.pool.update({step.key: step.start for step in extra if step.start is not None})
            return False
        if foul.verdict == "ask" and foul.puts_right is None:
            self.position.opened[seat] = True
            return True
        self.put_back(seat, drawn, old_poses, foul, timed_out=action == "time-out")
        return True

    def put_back(self, seat: int, old: Position, old_poses: Poses, foul: Foul, *, timed_out: bool) -> None:
        """The same player restores the table and draws what it costs; or leaves a legal table another way."""
        wait = (2.0, 4.5) if timed_out else (2.5, 6.0)
        other = [foul.puts_right] if foul.puts_right is not None else []
        if (
            not other
            and not timed_out
            and not foul.drew
            and self.rules.rearrange == "yes"
            and self.chance.random() < self.wishes.another_way
        ):
            chosen = (
                play(old, seat, self.chance, self.rules, keep=1)
                if old.opened[seat]
                else opening(old, seat, self.chance, self.rules)
            )
            other = [tuple(chosen)] if chosen else []
        for table in other:
            if self.turn_to(seat, table, "put-back", Made(old.played(table)), wait_s=wait):
                self.position.opened[seat] = True
                return
        extra = [] if foul.drew else self.drawing(seat, self._penalty(timed_out))
        later = self._restored(old_poses)
        if not self.turn_to(
            seat, old.table, "put-back", Made(()), extra=extra, wait_s=wait, later=later
        ):  # the way back exists: it is the way there
            raise GameError(f"seed {self.wishes.seed}: a foul could not be put back")

    def _penalty(self, timed_out: bool) -> int:
        restorable = self.rules.timeout_restorable
        return (1 if restorable is None else restorable) if timed_out else 1

    def _restored(self, old: Poses) -> Poses:
        """The old places, those that were left not to a hair."""
        later = dict(old)
        for key in sorted(old):
            if self.poses.get(key) != old[key]:
                later[key] = self.placer.nudged(key, later) or old[key]
        return later

    def time_out(self, seat: int, kind: str | None = None) -> bool:
        """A turn that the clock ends: ``untouched``, ``legal`` as it lies, or with a ``foul`` on the table.

        None draws one. False where that cannot be; untouched ones are left out while the pool is in view, for
        the tile that they cost would look like a draw of the next player.
        """
        limit = self.wishes.turn_seconds
        kind = kind or self.chance.choice(("untouched", "legal", "foul", "foul", "foul"))
        if limit is None:
            return False
        if kind == "untouched":
            if self.pool_in_view:
                return False
            self.told(seat, "time-out", self.now_s + limit, self.position.text(), LEGAL)
            untouched = self.rules.timeout_untouched
            self.drawing(seat, 1 if untouched is None else untouched)
            return True
        if not self.position.opened[seat]:
            return False
        if kind == "legal":
            table = play(self.position, seat, self.chance, self.rules, keep=1)
            return table is not None and self.turn_to(seat, table, "time-out")
        for name in self.chance.sample(("pair", "loose-tile", "loose-left", "pair-left"), 4):
            foul = make_foul(self.position, seat, name, self.chance, self.rules)
            if foul is not None:
                return self.foul_turn(seat, foul, "time-out")
        return False

    # --- the whole ---------------------------------------------------------------------------------------

    def script(self, **options: str) -> GameScript:
        """The game as it was composed."""
        duration = round(self.now_s + 4.0, 3)
        names = self.position.names
        tiles = [Tile.parse(names[key]) for key in sorted(names)]
        copies = {key: sum(tiles[k] == tiles[key] for k in range(key)) for key in sorted(names)}
        seen = {lying.key for lying in self.lying} | {move.key for move in self.moves}
        course = Course(self.turns, self.moves, self.lying, self.ground, duration)
        return GameScript(
            seed=self.wishes.seed,
            players=self.names,
            edition=self.wishes.edition,
            seat_sides=self.sides,
            pieces=tuple(Piece(key, tiles[key], copies[key]) for key in sorted(seen)),
            lying=tuple(self.lying),
            moves=tuple(sorted(self.moves, key=lambda move: (move.grasp_s, move.release_s))),
            reaches=tuple(sorted(self.reaches, key=lambda reach: reach.enter_s)),
            incidents=draw_incidents(course, self.wishes.difficulty, self.chance) if self.turns else (),
            turns=tuple(self.turns),
            signals=tuple((round(t_s, 3), kind) for t_s, kind in self.signals),
            duration_s=duration,
            half_size=self.half_size,
            turn_seconds=self.wishes.turn_seconds,
            racks=tuple(tuple(names[key] for key in sorted(rack)) for rack in self.position.racks),
            difficulty=self.wishes.difficulty,
            options={
                "signals": self.wishes.signals,
                "pool": "in-view" if self.pool_in_view else "out-of-view",
                "opened": ",".join("yes" if opened else "no" for opened in self.opened_at_start),
                "rack_sizes": ",".join(map(str, self.racks_at_start)),
                "middle_game": "yes" if self.lying and not self.lying[0].face_down else "no",
                **options,
            },
        )


def keys_in(tiles: LaidSet) -> Keys:
    """The pieces of a set."""
    return tuple(key for key, _ in tiles)
