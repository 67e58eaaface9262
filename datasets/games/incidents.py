"""What happens besides the game, put where it leaves the truth of the turns as it is.

Hands and people who are no part of a turn come ``CLEAR_S`` after one ended at the earliest and go before the
next ends; in hard games some come at once, and leave in time. A mug stands where no tile is moved meanwhile.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from datasets.games.placing import Ground
from datasets.games.script import (
    Difficulty,
    GameScript,
    Incident,
    IncidentKind,
    Lying,
    Move,
    Pose,
    TrueTurn,
)

CLEAR_S = 1.9
"""How long the view stays clear after a turn."""

_MUG_REACH = 3.0

_WEIGHTS: dict[Difficulty, dict[IncidentKind, float]] = {
    "easy": {"shadow": 2, "exposure": 1, "mug": 0.5},
    "normal": {
        "mug": 2, "lean": 1.5, "bump": 0.6, "turn": 0.3, "sag": 0.3, "shake": 1,
        "exposure": 1.5, "lamp": 0.8, "shadow": 2, "hand-rests": 1.5,
    },
    "hard": {
        "mug": 2.5, "lean": 2, "bump": 1, "turn": 0.7, "sag": 0.5, "shake": 1.5,
        "exposure": 1.5, "lamp": 1, "shadow": 2, "hand-rests": 2,
    },
}  # fmt: skip
_PER_TURN: dict[Difficulty, float] = {"easy": 0.06, "normal": 0.2, "hard": 0.35}
_HANDS: tuple[IncidentKind, ...] = ("lean", "hand-rests")


@dataclass(frozen=True, slots=True)
class Course:
    """What a game's incidents have to keep clear of."""

    turns: Sequence[TrueTurn]
    """In order."""
    moves: Sequence[Move]
    """All."""
    lying: Sequence[Lying]
    """What lies there at the beginning."""
    ground: Ground
    """Where sets are laid."""
    duration_s: float
    """How long the game is."""


def draw_incidents(course: Course, difficulty: Difficulty, chance: random.Random) -> tuple[Incident, ...]:
    """Draw what happens besides, in order of time; the same moment is never taken twice by hands."""
    count = round(len(course.turns) * _PER_TURN[difficulty] + chance.uniform(-0.5, 0.9))
    weights = _WEIGHTS[difficulty]
    found: list[Incident] = []
    for kind in chance.choices(list(weights), list(weights.values()), k=max(0, count)):
        one_for_all = kind in ("bump", "turn", "sag")
        if one_for_all and sum(incident.kind == kind for incident in found) >= 2:
            continue
        incident = _one(course, kind, difficulty, chance, found)
        if incident is not None:
            found.append(incident)
    return tuple(sorted(found, key=lambda incident: (incident.start_s, incident.end_s)))


def held_in_hand(script: GameScript) -> GameScript:
    """Return the same game, filmed with a phone in a hand: the picture sways from beginning to end."""
    sway = Incident("sway", 0.0, script.duration_s, None, 1.0)
    return replace(script, incidents=(sway, *script.incidents), options={**script.options, "held": "yes"})


def in_the_sun(script: GameScript) -> GameScript:
    """Return the same game in hard sun from one side, in which heads throw shadows that sway."""
    chance = random.Random(f"sun {script.seed}")
    sun = Incident("sun", 0.0, script.duration_s, None, chance.uniform(0.8, 1.15))
    return replace(script, incidents=(sun, *script.incidents), options={**script.options, "sun": "yes"})


def _one(
    course: Course, kind: IncidentKind, difficulty: Difficulty, chance: random.Random, others: list[Incident]
) -> Incident | None:
    strength = chance.uniform(0.6, 1.3) * (1.25 if difficulty == "hard" else 1.0)
    if kind == "mug":
        return _mug(course, chance, others, strength)
    at = chance.randrange(len(course.turns))
    turn = course.turns[at]
    began = turn.start_s + CLEAR_S
    if kind in _HANDS:
        long = chance.uniform(1.5, 6.0 if kind == "hand-rests" else 3.5)
        soon = difficulty == "hard" and chance.random() < 0.2
        if soon:
            start = turn.start_s + chance.uniform(0.1, 0.5)
            long = min(long, 1.8)
        else:
            start = chance.uniform(began + 0.7, max(began + 0.7, turn.end_s - long - 1.6))
        end = start + long
        if end > turn.end_s - 1.4 or any(_clash(start, end, other) for other in others):
            return None
        where = _place(course, start - 1, end + 1, chance, 2.0)
        return None if where is None else Incident(kind, start, end, where, strength)
    low, high = (turn.start_s, turn.end_s) if difficulty == "hard" else (began, turn.end_s)
    start = chance.uniform(low, max(low, high - 0.5))
    long = {
        "bump": chance.uniform(0.2, 0.6),
        "turn": chance.uniform(0.5, 1.5),
        "sag": chance.uniform(30.0, 120.0),
        "shake": chance.uniform(0.5, 2.0),
        "exposure": chance.uniform(0.2, 1.5),
        "lamp": chance.uniform(0.05, 0.3),
        "shadow": chance.uniform(1.0, 3.5),
    }[kind]
    return Incident(kind, start, min(start + long, course.duration_s), None, strength)


def _clash(start_s: float, end_s: float, other: Incident) -> bool:
    return other.kind in (*_HANDS, "mug") and start_s < other.end_s + 1.5 and other.start_s < end_s + 1.5


def _mug(course: Course, chance: random.Random, others: list[Incident], strength: float) -> Incident | None:
    """A mug that is put down in one turn and taken away some turns later, each time with the view clear."""
    first = chance.randrange(len(course.turns))
    last = min(len(course.turns) - 1, first + chance.randint(1, 4))
    start = course.turns[first].start_s + CLEAR_S + chance.uniform(0.0, 0.6)
    end = course.turns[last].start_s + CLEAR_S + 2.0 + chance.uniform(0.0, 0.6)
    late = start + 2.0 > course.turns[first].end_s - 1.4 or end > course.turns[last].end_s - 1.4
    crowded = any(
        (other.kind == "mug" and _clash(start, end, other))
        or (other.kind in _HANDS and (_clash(start, start + 2, other) or _clash(end - 2, end, other)))
        for other in others
    )  # fmt: skip
    if late or crowded or last == first:
        return None
    where = _place(course, start - 0.3, end + 0.3, chance, _MUG_REACH)
    return None if where is None else Incident("mug", start, end, where, min(strength, 1.2))


def _place(course: Course, start_s: float, end_s: float, chance: random.Random, reach: float) -> Pose | None:
    """A place, rather over tiles, near which nothing is moved from ``start_s`` to ``end_s``."""
    lies = {lying.key: lying.pose for lying in course.lying if not lying.face_down}
    busy: list[Pose] = []
    for move in course.moves:
        if move.grasp_s <= end_s and move.release_s >= start_s:
            busy += [pose for pose in (move.start, move.end) if pose is not None]
        if move.release_s < start_s:
            if move.end is None:
                lies.pop(move.key, None)
            else:
                lies[move.key] = move.end
    low, high = course.ground.low, course.ground.high
    tiles = [lies[key] for key in sorted(lies)]
    for attempt in range(20):
        if tiles and attempt < 12 and chance.random() < 0.7:
            near = chance.choice(tiles)
            spot = Pose(near.x + chance.uniform(-1.5, 1.5), near.y + chance.uniform(-1.5, 1.5))
        else:
            spot = Pose(chance.uniform(low[0] + 2, high[0] - 2), chance.uniform(low[1] + 2, high[1] - 2))
        inside = low[0] + 1 < spot.x < high[0] - 1 and low[1] + 1 < spot.y < high[1] - 1
        if inside and all(math.hypot(spot.x - pose.x, spot.y - pose.y) > reach for pose in busy):
            return spot
    return None
