"""How hands carry out a turn: in which order tiles move, in how many reaches, and when."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from datasets.games.flat import tiles_overlap
from datasets.games.placing import Keys, Placer, Poses
from datasets.games.script import Difficulty, Move, Pose, Reach


@dataclass(frozen=True, slots=True)
class Step:
    """One piece from one place to another."""

    key: int
    """The piece."""
    start: Pose | None
    """From where; None from the rack."""
    end: Pose | None
    """To where; None to the rack."""
    goal: int = -1
    """Index of the set that it joins; -1 for none."""
    face_down: bool = False
    """True for a tile of the pool."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """How fast hands are."""

    pace: float = 1.0
    """2 is twice as fast."""
    longest_pause_s: float = 1.3
    """The longest pause within a turn with no hand over the table."""
    pause_chance: float = 0.2
    """How often there is one."""
    pair_chance: float = 0.3
    """How often two tiles are carried at once."""

    @classmethod
    def of(cls, difficulty: Difficulty, pace: float) -> Tempo:
        """The tempo of a difficulty."""
        if difficulty == "hard":
            return cls(pace, 2.5, 0.3, 0.35)
        return cls(pace, 1.3, 0.1 if difficulty == "easy" else 0.2, 0.15 if difficulty == "easy" else 0.3)


@dataclass(frozen=True, slots=True)
class Acted:
    """What the hands did, from time zero."""

    moves: tuple[Move, ...]
    """In order of time."""
    reaches: tuple[Reach, ...]
    """In order of time."""
    end_s: float
    """When the last hand has left."""

    def shifted(self, by_s: float) -> Acted:
        """The same, later."""
        return Acted(
            tuple(
                Move(m.key, m.seat, m.grasp_s + by_s, m.release_s + by_s, m.start, m.end, m.face_down)
                for m in self.moves
            ),
            tuple(Reach(r.seat, r.enter_s + by_s, r.leave_s + by_s) for r in self.reaches),
            self.end_s + by_s,
        )


def order_steps(sets: Sequence[Keys], now: Poses, later: Poses, placer: Placer) -> list[Step] | None:
    """Steps that lead from one arrangement to another and never put a tile where another lies.

    ``sets`` are those of the later arrangement. A tile that is in the way for good goes aside first. None where
    there is no place for it.
    """
    goal = {key: at for at, keys in enumerate(sets) for key in keys}
    place = {key: at for keys in sets for at, key in enumerate(keys)}
    lying = dict(now)
    todo = [
        key for key in sorted(later, key=lambda key: (goal[key], place[key])) if lying.get(key) != later[key]
    ]
    gone = [key for key in now if key not in later]
    steps: list[Step] = []
    for key in gone:
        steps.append(Step(key, lying.pop(key), None))
    last = -1
    while todo:
        ready = [key for key in todo if not _blockers(key, later[key], lying)]
        if ready:
            key = min(ready, key=lambda key: (goal[key] != last, key not in lying, goal[key], place[key]))
            steps.append(Step(key, lying.get(key), later[key], goal[key]))
            lying[key] = later[key]
            todo.remove(key)
            last = goal[key]
            continue
        blocking = next(other for key in todo for other in _blockers(key, later[key], lying) if other in todo)
        aside = placer.parking(lying, later, lying[blocking])
        if aside is None:
            return None
        steps.append(Step(blocking, lying[blocking], aside))
        lying[blocking] = aside
    return steps


def _blockers(key: int, pose: Pose, lying: Poses) -> list[int]:
    return [other for other, lies in lying.items() if other != key and tiles_overlap(pose, lies)]


def act(steps: Sequence[Step], seat: int, tempo: Tempo, chance: random.Random) -> Acted:
    """Give the steps their times: reaches that carry one tile or two, or stay for several."""
    moves: list[Move] = []
    reaches: list[Reach] = []
    scale = 1.0 / tempo.pace
    t = 0.0
    left = list(steps)
    while left:
        enter = t
        carried = 0
        most = chance.choice((1, 2, 3, 5))
        while left:
            group = _group(left, tempo, chance)
            first = group[0]
            if carried and (first.start is None or carried >= most):
                break
            del left[: len(group)]
            if first.start is None:
                grasp = t
                release = grasp + scale * chance.uniform(0.8, 1.6)
            else:
                grasp = t + scale * (chance.uniform(0.4, 0.8) if carried == 0 else chance.uniform(0.25, 0.6))
                release = grasp + scale * chance.uniform(0.8, 1.7)
            moves += [
                Move(step.key, seat, grasp, release, step.start, step.end, step.face_down) for step in group
            ]
            t = release
            carried += len(group)
            if first.end is None:
                break
        # A hand that takes a tile to its rack is out of view when the tile is.
        leave = t if moves[-1].end is None else t + scale * chance.uniform(0.3, 0.7)
        reaches.append(Reach(seat, enter, leave))
        t = leave
        if left:
            if chance.random() < tempo.pause_chance:
                t += chance.uniform(0.6, tempo.longest_pause_s)
            else:
                t += min(1.0, scale * chance.uniform(0.15, 0.6))
    return Acted(tuple(moves), tuple(reaches), reaches[-1].leave_s if reaches else 0.0)


def _group(left: Sequence[Step], tempo: Tempo, chance: random.Random) -> list[Step]:
    """The next step, with the one after it where one hand can carry both to neighbouring places."""
    first = left[0]
    if len(left) > 1 and first.goal >= 0 and first.goal == left[1].goal and first.key != left[1].key:
        second = left[1]
        together = (first.start is None) == (second.start is None)
        if together and first.end and second.end and _near(first.end, second.end):
            beside = first.start is None or (second.start is not None and _near(first.start, second.start))
            if beside and chance.random() < tempo.pair_chance:
                return [first, second]
    return [first]


def _near(one: Pose, other: Pose) -> bool:
    return abs(one.x - other.x) < 1.4 and abs(one.y - other.y) < 1.4
