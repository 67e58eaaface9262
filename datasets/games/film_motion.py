"""Where every piece and every hand of a filmed game is at any time: the script, played."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from datasets.games.script import GameScript, Incident, Move, Pose

__all__ = ["Flying", "HandAt", "Motion", "Rest", "ease"]

Array = NDArray[Any]  # float64
Grip = Literal["grip", "slide", "flat"]
Border = Callable[[Array, Array], Array]
"""Takes a place on the table and a shoulder, both (2,); gives where between them the picture ends."""

_AWAY = {"near": (0.0, 1.0), "far": (0.0, -1.0), "left": (-1.0, 0.0), "right": (1.0, 0.0)}


def ease(share: float) -> float:
    """Return how far a hand has come after ``share`` (0..1) of its time: slow, fast, slow."""
    s = min(max(share, 0.0), 1.0)
    return s * s * s * (10 - 15 * s + 6 * s * s)


def _arrive(share: float) -> float:
    """Return the same for what comes in over the border at full speed."""
    return float(1 - (1 - min(max(share, 0.0), 1.0)) ** 2.4)


def _leave(share: float) -> float:
    """Return the same for what goes out at full speed."""
    return float(min(max(share, 0.0), 1.0) ** 2.4)


@dataclass(frozen=True, slots=True)
class Rest:
    """A piece that lies."""

    pose: Pose
    """Where."""
    face_down: bool
    """Which side is up."""


@dataclass(frozen=True, slots=True)
class Flying:
    """A piece in a hand."""

    key: int
    """Which."""
    pose: Pose
    """Where, seen from straight above."""
    up: float
    """Tile widths between it and the table."""
    face_down: bool
    """Which side is up."""


@dataclass(frozen=True, slots=True)
class HandAt:
    """A hand in, or near, the picture."""

    look: int
    """Whose: the seat, or -1 - seat for a player's other hand."""
    tip_xy: tuple[float, float]
    """Where it grips, tile widths."""
    up: float
    """Tile widths between its fingertips and the table."""
    angle: float
    """Direction from the grip to the shoulder in radians, x to y."""
    reach_angle: float
    """The middle of these directions during the reach."""
    open_: float
    """0 gripping, 1 open."""
    grip: Grip
    """How the fingers are held."""


@dataclass(frozen=True, slots=True, eq=False)
class _Stop:
    """A time at which a hand is at a place, with what it does from there to the next stop."""

    t_s: float
    xy: Array
    up: float
    open_: float
    moves: tuple[int, ...] = ()
    stay: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Stay:
    """One reach of a hand with all its stops."""

    look: int
    enter_s: float
    leave_s: float
    shoulder: Array
    stops: tuple[_Stop, ...]
    reach_angle: float
    grip: Grip


@dataclass(slots=True)
class Motion:
    """The script, ready to be asked for any time; its seed and ``seed`` settle everything random."""

    script: GameScript
    """What is played."""
    border: Border
    """Where the picture ends."""
    thickness: float
    """Of a tile, tile widths."""
    seed: int = 0
    """Settles arcs and lifts."""
    _shoulders: list[Array] = field(default_factory=list, init=False)
    _paths: list[tuple[Array, float, Array, float, float, float, bool]] = field(
        default_factory=list, init=False
    )
    _stays: list[_Stay] = field(default_factory=list, init=False)
    _events: dict[int, list[tuple[float, int]]] = field(default_factory=dict, init=False)
    _starts: list[tuple[float, int]] = field(default_factory=list, init=False)
    _longest_s: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        """Work out shoulders, ways and reaches."""
        self._place_shoulders()
        self._paths = [self._path(move) for move in self.script.moves]
        for index, move in enumerate(self.script.moves):
            self._events.setdefault(move.key, []).append((move.grasp_s, index))
        for events in self._events.values():
            events.sort()
        self._starts = sorted((move.grasp_s, index) for index, move in enumerate(self.script.moves))
        self._longest_s = max((m.release_s - m.grasp_s for m in self.script.moves), default=0.0)
        self._plan_reaches()

    def rests(self, t_s: float) -> dict[int, Rest]:
        """Return the pieces that lie in view at a time, by key."""
        found: dict[int, Rest] = {}
        begin = {lying.key: Rest(lying.pose, lying.face_down) for lying in self.script.lying}
        for piece in self.script.pieces:
            rest = begin.get(piece.key)
            for grasp_s, index in self._events.get(piece.key, ()):
                if grasp_s > t_s:
                    break
                move = self.script.moves[index]
                lies = move.release_s <= t_s and move.end is not None
                rest = Rest(move.end, move.face_down) if lies and move.end is not None else None
            if rest is not None:
                found[piece.key] = rest
        return found

    def changes(self) -> list[float]:
        """Return the times at which what lies changes, in order."""
        return sorted({t for move in self.script.moves for t in (move.grasp_s, move.release_s)})

    def flying(self, t_s: float) -> list[Flying]:
        """Return the pieces that are moved at a time."""
        found = []
        first = bisect_left(self._starts, (t_s - self._longest_s, -1))
        last = bisect_right(self._starts, (t_s, len(self.script.moves)))
        for _, index in self._starts[first:last]:
            move = self.script.moves[index]
            if move.grasp_s <= t_s < move.release_s:
                pose, up = self._on_path(index, t_s)
                found.append(Flying(move.key, pose, up, move.face_down))
        return found

    def hands(self, t_s: float) -> list[HandAt]:
        """Return the hands at a time."""
        return [self._hand(stay, t_s) for stay in self._stays if stay.enter_s <= t_s <= stay.leave_s]

    def _place_shoulders(self) -> None:
        half_w, half_d = self.script.half_size
        rng = np.random.default_rng([self.script.seed, self.seed, 11])
        sides = self.script.seat_sides
        for seat, side in enumerate(sides):
            away = np.array(_AWAY[side])
            along = np.array([-away[1], away[0]])
            mates = [k for k, other in enumerate(sides) if other == side]
            wide = half_w if side in ("near", "far") else half_d
            share = (mates.index(seat) + 1) / (len(mates) + 1) * 2 - 1
            deep = half_d if side in ("near", "far") else half_w
            at = away * (deep + rng.uniform(13, 18)) + along * (share * wide + rng.uniform(1.5, 5.0))
            self._shoulders.append(at)

    def _path(self, move: Move) -> tuple[Array, float, Array, float, float, float, bool]:
        """Return start, heading, end, heading, height, sideways bow and whether it slides."""
        # By the time: tiles that are carried together go alike.
        rng = np.random.default_rng([self.script.seed, self.seed, 12, round(1000 * move.grasp_s)])
        shoulder = self._shoulders[move.seat]
        ends = [None if p is None else np.array([p.x, p.y]) for p in (move.start, move.end)]
        here = [p for p in ends if p is not None] or [np.zeros(2)]
        start = ends[0] if ends[0] is not None else self.border(here[0], shoulder)
        end = ends[1] if ends[1] is not None else self.border(here[-1], shoulder)
        turn = float(rng.normal(0, 25))
        first = move.start.heading if move.start is not None else (move.end.heading if move.end else 0) + turn
        last = move.end.heading if move.end is not None else first + turn
        last = first + (last - first + 180) % 360 - 180
        inside = move.start is not None and move.end is not None
        far = float(np.linalg.norm(end - start))
        slides = bool(inside and (far < 1.6 or rng.random() < 0.3))
        height = 0.0 if slides else float(rng.uniform(0.35, 1.1)) * min(1.0, 0.3 + far / 4)
        return start, first, end, last, height, float(rng.normal(0, 0.06)) * far, slides

    def _on_path(self, index: int, t_s: float) -> tuple[Pose, float]:
        move = self.script.moves[index]
        start, first, end, last, height, bow, _ = self._paths[index]
        share = (t_s - move.grasp_s) / max(move.release_s - move.grasp_s, 1e-3)
        s = _arrive(share) if move.start is None else _leave(share) if move.end is None else ease(share)
        way = end - start
        length = max(float(np.linalg.norm(way)), 1e-6)
        at = start + s * way + np.array([-way[1], way[0]]) / length * bow * np.sin(np.pi * s)
        heading = first + (last - first) * ease(share * 1.25 - 0.1)
        rise = min(1.0, share / 0.25) if move.start is not None else 1.0
        sink = min(1.0, (1 - share) / 0.25) if move.end is not None else 1.0
        up = height * ease(min(rise, sink))
        return Pose(float(at[0]), float(at[1]), float(heading)), up

    def _plan_reaches(self) -> None:
        script = self.script
        taken: set[int] = set()
        grouped = []
        for reach in script.reaches:
            seat, enter_s, leave_s = reach.seat, reach.enter_s, reach.leave_s
            own = [
                k
                for k, move in enumerate(script.moves)
                if k not in taken
                and move.seat == seat
                and move.grasp_s > enter_s - 0.5
                and move.release_s < leave_s + 0.5
            ]
            taken.update(own)
            grouped.append((seat, enter_s, leave_s, own))
        for k, move in enumerate(script.moves):
            if k not in taken:  # no reach was written down for it
                grouped.append((move.seat, move.grasp_s - 0.7, move.release_s + 0.7, [k]))
        for seat, enter_s, leave_s, own in grouped:
            self._stays.append(self._stay(seat, self._shoulders[seat], enter_s, leave_s, own, None))
        for incident in script.incidents:
            if incident.kind == "hand-rests" and incident.where is not None:
                shoulder = self._nearest_shoulder(incident.where)
                seat = next(k for k, s in enumerate(self._shoulders) if s is shoulder)
                enter_s, leave_s = incident.start_s - 0.6, incident.end_s + 0.6
                self._stays.append(self._stay(-1 - seat, shoulder, enter_s, leave_s, [], incident))
        for incident in script.incidents:
            if incident.kind == "mug" and incident.where is not None:
                self._carry_mug(incident)
        self._stays.sort(key=lambda stay: stay.enter_s)

    def _nearest_shoulder(self, where: Pose) -> Array:
        spot = np.array([where.x, where.y])
        return min(self._shoulders, key=lambda s: float(np.linalg.norm(s - spot)))

    def _carry_mug(self, incident: Incident) -> None:
        """Let a hand put a mug down, and another take it away."""
        assert incident.where is not None
        spot = np.array([incident.where.x, incident.where.y])
        shoulder = self._nearest_shoulder(incident.where)
        seat = next(k for k, s in enumerate(self._shoulders) if s is shoulder)
        grip = spot + (shoulder - spot) / max(float(np.linalg.norm(shoulder - spot)), 1e-6) * 1.9
        edge = self.border(spot, shoulder)
        edge = edge + (edge - spot) / max(float(np.linalg.norm(edge - spot)), 1e-6) * 3
        angle = float(np.arctan2(*(shoulder - grip)[::-1]))
        for begin, end in ((incident.start_s, incident.start_s + 1.9), (incident.end_s - 1.9, incident.end_s)):
            middle = begin + 0.95
            stops = (
                _Stop(begin, edge, 1.6, 0.5),
                _Stop(middle - 0.15, grip, 1.3, 0.5),
                _Stop(middle + 0.15, grip, 1.3, 0.5),
                _Stop(end, edge, 1.6, 0.5),
            )
            self._stays.append(_Stay(-1 - seat, begin, end, shoulder, stops, angle, "grip"))

    def mug_at(self, incident: Incident, t_s: float) -> tuple[float, float, float] | None:
        """Return x, y and height of an incident's mug at a time, or None while it is not there."""
        assert incident.where is not None
        if not incident.start_s <= t_s <= incident.end_s:
            return None
        spot = np.array([incident.where.x, incident.where.y])
        middles = incident.start_s + 0.95, incident.end_s - 0.95
        if middles[0] - 0.1 <= t_s <= middles[1] + 0.1:
            return float(spot[0]), float(spot[1]), 0.0
        shoulder = self._nearest_shoulder(incident.where)
        for stay in self._stays:
            ours = abs(stay.enter_s - incident.start_s) < 1e-6 or abs(stay.leave_s - incident.end_s) < 1e-6
            if ours and stay.shoulder is shoulder and stay.enter_s <= t_s <= stay.leave_s:
                hand = self._hand(stay, t_s)
                grip = np.array(stay.stops[1].xy)
                at = spot + np.array(hand.tip_xy) - grip
                lift = 0.8 * ease(abs(t_s - (stay.enter_s + 0.95)) - 0.1)
                return float(at[0]), float(at[1]), lift
        return None

    def _stay(
        self,
        seat: int,
        shoulder: Array,
        enter_s: float,
        leave_s: float,
        own: Sequence[int],
        rest: Incident | None,
    ) -> _Stay:
        moves = self.script.moves
        stops: list[_Stop] = []
        top = self.thickness
        groups: dict[tuple[float, float], list[int]] = {}
        for k in own:  # two tiles may be carried at once
            groups.setdefault((moves[k].grasp_s, moves[k].release_s), []).append(k)
        for (grasp_s, release_s), group in groups.items():
            start = np.mean([self._paths[k][0] for k in group], axis=0)
            end = np.mean([self._paths[k][2] for k in group], axis=0)
            stops.append(_Stop(grasp_s, start, top, 0.0, moves=tuple(group)))
            stops.append(_Stop(release_s, end, top, 0.0))
        if rest is not None and rest.where is not None:
            spot = np.array([rest.where.x, rest.where.y])
            stops.append(_Stop(rest.start_s, spot, top, 0.6, stay=True))
            stops.append(_Stop(rest.end_s, spot, top, 0.6))
        stops.sort(key=lambda stop: stop.t_s)
        if not stops:
            rng = np.random.default_rng([self.script.seed, self.seed, 13, int(enter_s * 1000)])
            spot = shoulder * 0.25 + rng.normal(0, 0.15, 2) * np.array(self.script.half_size)
            middle = (enter_s + leave_s) / 2
            hold = max(0.0, (leave_s - enter_s) / 2 - 0.7)
            stops = [
                _Stop(middle - hold, spot, top + 0.4, 0.7, stay=True),
                _Stop(middle + hold, spot, top + 0.4, 0.7),
            ]
        first = self.border(stops[0].xy, shoulder)
        last = self.border(stops[-1].xy, shoulder)
        enter_s, leave_s = min(enter_s, stops[0].t_s), max(leave_s, stops[-1].t_s)
        whole = (_Stop(enter_s, first, top + 0.8, 1.0), *stops, _Stop(leave_s, last, top + 0.8, 1.0))
        ways = [np.arctan2(*(shoulder - stop.xy)[::-1]) for stop in whole]
        mean = float(np.angle(np.mean(np.exp(1j * np.array(ways)))))
        slides = [self._paths[k][6] for k in own]
        grip: Grip = "flat" if rest is not None else "slide" if slides and all(slides) else "grip"
        return _Stay(seat, enter_s, leave_s, shoulder, whole, mean, grip)

    def _hand(self, stay: _Stay, t_s: float) -> HandAt:
        stops = stay.stops
        k = 0
        while k + 2 < len(stops) and stops[k + 1].t_s <= t_s:
            k += 1
        a = stops[k]
        if a.moves:
            move = self.script.moves[a.moves[0]]
            held = [self._on_path(k, min(t_s, move.release_s)) for k in a.moves]
            xy = np.mean([(pose.x, pose.y) for pose, _ in held], axis=0)
            lift = self.thickness + float(np.mean([up for _, up in held]))
            letting_go = max(0.0, 1 - (move.release_s - t_s) / 0.08) * 0.4
            opening = letting_go if move.end is not None else 0.0
        elif a.stay:
            xy, lift, opening = a.xy, a.up, a.open_
        else:
            xy, lift, opening = self._between(stay, k, t_s)
        toward = stay.shoulder - xy
        angle = float(np.arctan2(toward[1], toward[0]))
        return HandAt(
            stay.look, (float(xy[0]), float(xy[1])), lift, angle, stay.reach_angle, opening, stay.grip
        )

    def _between(self, stay: _Stay, k: int, t_s: float) -> tuple[Array, float, float]:
        """Return place, height and opening of an empty hand that goes from one stop to the next."""
        a, b = stay.stops[k], stay.stops[k + 1]
        gap = max(b.t_s - a.t_s, 1e-3)
        far = float(np.linalg.norm(b.xy - a.xy))
        need = 0.3 + 0.05 * far
        leaving = k + 2 == len(stay.stops)
        short = gap <= 1.6 * need
        if leaving:
            s = _leave((t_s - a.t_s) / gap if short else (t_s - (b.t_s - need)) / need)
        elif k == 0:
            s = _arrive((t_s - a.t_s) / (gap if short else 1.3 * need))
        elif short:
            s = ease((t_s - a.t_s) / gap)
        else:  # it waits above what it will take next
            s = ease((t_s - a.t_s) / (1.2 * need))
        hop = 0.8 * np.sin(np.pi * s) * min(1.0, far / 3)
        waits = 0.5 * ease((b.t_s - t_s) / 0.2) * ease((t_s - a.t_s) / 0.2) if s > 0.98 or s < 0.02 else 0.0
        xy = a.xy + s * (b.xy - a.xy)
        opening = min(1.0, (t_s - a.t_s) / 0.12) * min(1.0, max(0.0, (b.t_s - t_s) / 0.15))
        if k == 0:
            opening = min(1.0, (b.t_s - t_s) / 0.15)
        if leaving:
            opening = min(1.0, (t_s - a.t_s) / 0.12) * 0.7
        if b.stay or (k > 0 and stay.stops[k - 1].stay):
            opening = 0.6
        lift = a.up + s * (b.up - a.up) + hop + max(0.0, waits)
        # A piece that comes from the rack is gripped all the way.
        if b.moves and self.script.moves[b.moves[0]].start is None:
            opening = 0.0
        return xy, lift, float(np.clip(opening, 0, 1))
