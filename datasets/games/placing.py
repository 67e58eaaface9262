"""Where sets and pool lie on the table, and where tiles go when sets change."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from datasets.games.flat import (
    ASPECT,
    Box,
    axes,
    box_around,
    boxes_overlap,
    mean_heading,
    tile_box,
    tiles_overlap,
)
from datasets.games.script import Pose

Keys = tuple[int, ...]
"""The pieces of a set, in laid order."""

Poses = dict[int, Pose]
"""Where face-up pieces lie."""

_RIM = 0.35
_SAFE = 0.004


@dataclass(frozen=True, slots=True)
class Ground:
    """The part of the table on which sets are laid, and how carefully."""

    low: tuple[float, float]
    """The far left corner."""
    high: tuple[float, float]
    """The near right corner."""
    between: float = 0.6
    """The least distance between two sets in a row."""
    across: float = 0.4
    """The least distance between two rows."""
    set_turn: float = 4.0
    """How far a set may be turned, degrees."""
    tile_turn: float = 3.0
    """How far a tile may be turned within its set, degrees."""

    def holds(self, box: Box) -> bool:
        """True for a box that is whole within."""
        return all(
            self.low[0] + _RIM <= x <= self.high[0] - _RIM and self.low[1] + _RIM <= y <= self.high[1] - _RIM
            for x, y in box.corners()
        )


class Placer:
    """Finds places; all chance comes from ``chance``."""

    def __init__(self, ground: Ground, chance: random.Random) -> None:
        self.ground = ground
        self.chance = chance
        self.row_offset = chance.uniform(0.0, 0.5)

    def arrange(
        self,
        before: Sequence[Keys],
        after: Sequence[Keys],
        poses: Poses,
        facing: float,
        near: tuple[float, float],
    ) -> Poses | None:
        """Where the pieces of ``after`` lie, given where those of ``before`` do; None where there is no room.

        What can stay stays. New sets face ``facing`` (degrees) and lie rather near the place ``near``.
        """
        placed: Poses = {}
        boxes: list[Box] = []
        changed = []
        same = Counter(before)
        for keys in after:
            if same[keys] and all(key in poses for key in keys):
                same[keys] -= 1
                placed.update({key: poses[key] for key in keys})
                boxes.append(box_around(placed[key] for key in keys))
            else:
                changed.append(keys)
        homes = {keys: self._home(keys, before) for keys in changed}
        changed.sort(key=lambda keys: -len(set(keys) & set(homes[keys])))
        for keys in changed:
            laid = self._near_home(keys, homes[keys], poses, boxes) if homes[keys] else None
            if laid is None:
                middle = _middle([poses[key] for key in keys if key in poses]) or near
                laid = self.fresh(keys, boxes, facing, middle)
            if laid is None:
                return None
            placed.update(laid)
            boxes.append(box_around(laid[key] for key in keys))
        return placed

    def _home(self, keys: Keys, before: Sequence[Keys]) -> Keys:
        """The old set of which most tiles are in ``keys``; empty where none is."""
        best = max(before, key=lambda old: len(set(old) & set(keys)), default=())
        return best if set(best) & set(keys) else ()

    def _near_home(self, keys: Keys, home: Keys, poses: Poses, boxes: list[Box]) -> Poses | None:
        laid = self._kept(keys, home, poses)
        (ux, uy), (vx, vy) = axes(box_around(laid[key] for key in keys).heading)
        steps = [(0.0, 0.0)]
        steps += [(sign * d, 0.0) for d in (0.3, 0.6, 0.9, 1.3, 1.8, 2.4) for sign in (1, -1)]
        steps += [(d, sign * 0.4) for d in (0.0, 0.6, -0.6) for sign in (1, -1)]
        for along, across in steps:
            dx, dy = along * ux + across * vx, along * uy + across * vy
            moved = {key: Pose(p.x + dx, p.y + dy, p.heading) for key, p in laid.items()}
            if self._free(box_around(moved[key] for key in keys), boxes):
                return laid if not along and not across else moved
        return None

    def _free(self, box: Box, boxes: Sequence[Box], room: float = 0.0) -> bool:
        """True for a box within the ground, clear of the others with ``room`` at its ends besides."""
        grown = box.grown(self.ground.between + room, self.ground.across)
        return self.ground.holds(box) and not any(boxes_overlap(grown, other) for other in boxes)

    def _kept(self, keys: Keys, home: Keys, poses: Poses) -> Poses:
        """The set where its home lies: the pieces that can keep their places do, the others join on."""
        old_at = {key: at for at, key in enumerate(home)}
        shifts = Counter(at - old_at[key] for at, key in enumerate(keys) if key in old_at)
        shift = shifts.most_common(1)[0][0]
        anchors = [at for at, key in enumerate(keys) if key in old_at and at - old_at[key] == shift]
        laid = {keys[at]: poses[keys[at]] for at in anchors}
        heading = mean_heading([laid[keys[at]].heading for at in anchors])
        if len(home) > 2:
            heading = box_around([poses[key] for key in home]).heading
        for at in range(anchors[0], anchors[-1]):
            if keys[at] not in laid:
                slot = poses[home[at - shift]]
                laid[keys[at]] = self._into_slot(slot, heading, [poses[key] for key in home], at - shift)
        for at in range(anchors[-1] + 1, len(keys)):
            laid[keys[at]] = self._beside(laid[keys[at - 1]], heading, 1)
        for at in range(anchors[0] - 1, -1, -1):
            laid[keys[at]] = self._beside(laid[keys[at + 1]], heading, -1)
        return laid

    def _into_slot(self, slot: Pose, heading: float, row: list[Pose], at: int) -> Pose:
        """A tile in the place of another, turned a little otherwise if its neighbours leave room."""
        others = row[:at] + row[at + 1 :]
        for _ in range(5):
            pose = Pose(slot.x, slot.y, heading + self._turn())
            if not any(tiles_overlap(pose, other, _SAFE) for other in others):
                return pose
        return slot

    def _turn(self) -> float:
        most = self.ground.tile_turn
        return max(-most, min(most, self.chance.gauss(0.0, most / 2)))

    def _beside(self, last: Pose, heading: float, side: int) -> Pose:
        """The next tile of a row, after ``last`` or before it."""
        (ux, uy), (vx, vy) = axes(heading)
        gap = self.chance.choice((0.0, self.chance.uniform(0.0, 0.04), self.chance.uniform(0.0, 0.12)))
        drift = self.chance.uniform(-0.04, 0.04)
        turned = heading + self._turn()
        away = 1.0
        while True:
            pose = Pose(last.x + side * away * ux + drift * vx, last.y + side * away * uy + drift * vy, turned)
            if not tiles_overlap(pose, last, _SAFE):
                break
            away += 0.008
        return Pose(pose.x + side * gap * ux, pose.y + side * gap * uy, turned)

    def row(self, keys: Keys, x: float, y: float, heading: float) -> Poses:
        """A new set around (x, y)."""
        laid = {keys[0]: Pose(0.0, 0.0, heading + self._turn())}
        for before, key in pairwise(keys):
            laid[key] = self._beside(laid[before], heading, 1)
        box = box_around(laid[key] for key in keys)
        return {key: Pose(p.x + x - box.x, p.y + y - box.y, p.heading) for key, p in laid.items()}

    def fresh(self, keys: Keys, boxes: Sequence[Box], facing: float, near: tuple[float, float]) -> Poses | None:
        """A free place for a set; with room to grow, and at the usual rows, where that can be had."""
        turned = self.chance.gauss(0.0, self.ground.set_turn / 2)
        heading = facing + max(-self.ground.set_turn, min(self.ground.set_turn, turned))
        laid = self.row(keys, 0.0, 0.0, heading)
        box = box_around(laid[key] for key in keys)
        for room, fine in ((1.1, False), (0.0, False), (0.0, True)):
            spots = []
            for x, y in self._spots(fine):
                here = box.moved(x, y)
                if self._free(here, boxes, room):
                    far = math.hypot(x - near[0], y - near[1])
                    spots.append((far + self.chance.uniform(0.0, 4.0), x, y))
            if spots:
                _, x, y = min(spots)
                return {key: Pose(p.x + x, p.y + y, p.heading) for key, p in laid.items()}
        return None

    def _spots(self, fine: bool) -> list[tuple[float, float]]:
        """Middles to try: rows with some disorder, or everywhere."""
        low, high = self.ground.low, self.ground.high
        pitch = 0.35 if fine else ASPECT + 0.72
        step = 0.35 if fine else 0.6
        y = low[1] + _RIM + ASPECT / 2 + (0.0 if fine else self.row_offset)
        spots = []
        while y < high[1]:
            x = low[0] + _RIM + 1.0
            while x < high[0]:
                wobble = 0.0 if fine else self.chance.uniform(-0.12, 0.12)
                spots.append((x + self.chance.uniform(-0.1, 0.1), y + wobble))
                x += step
            y += pitch
        return spots

    def parking(self, now: Poses, later: Poses, near: Pose) -> Pose | None:
        """A place for a tile that is in the way, clear of all that lies there and will."""
        taken = [*now.values(), *later.values()]
        spots = sorted(self._spots(True), key=lambda spot: math.hypot(spot[0] - near.x, spot[1] - near.y))
        for x, y in spots:
            pose = Pose(x, y, near.heading + self._turn())
            clear = not any(tiles_overlap(pose, other, 0.15) for other in taken)
            if clear and self.ground.holds(tile_box(pose)):
                return pose
        return None

    def nudged(self, key: int, poses: Poses) -> Pose | None:
        """The place of a tile that is straightened, or knocked a little; None where it has no room."""
        old = poses[key]
        for _ in range(6):
            pose = Pose(
                old.x + self.chance.uniform(-0.06, 0.06),
                old.y + self.chance.uniform(-0.06, 0.06),
                old.heading + self.chance.uniform(-3.0, 3.0),
            )
            others = (p for other, p in poses.items() if other != key)
            if not any(tiles_overlap(pose, other, _SAFE) for other in others):
                return pose
        return None


def _middle(poses: Sequence[Pose]) -> tuple[float, float] | None:
    if not poses:
        return None
    return sum(p.x for p in poses) / len(poses), sum(p.y for p in poses) / len(poses)


def pool_poses(count: int, half_size: tuple[float, float], side: int, chance: random.Random) -> list[Pose]:
    """Face-down tiles in loose rows at the left (side -1) or right (1) of the view, from the rim inwards."""
    loose = chance.random() < 0.5
    across, down = (1.28, 1.66) if loose else (1.07, 1.44)
    shake, turn = (0.07, 7.0) if loose else (0.015, 1.2)
    rows = int((2 * half_size[1] - 1.2) // down)
    top = -(rows - 1) * down / 2
    poses = []
    for at in range(count):
        column, row = divmod(at, rows)
        poses.append(
            Pose(
                side * (half_size[0] - 0.85 - column * across) + chance.uniform(-shake, shake),
                top + row * down + chance.uniform(-shake, shake),
                chance.choice((0.0, 180.0)) + chance.uniform(-turn, turn),
            )
        )
    return poses


def pool_width(poses: Sequence[Pose], half_size: tuple[float, float]) -> float:
    """How much of the width of the view a pool takes."""
    return max((half_size[0] - abs(pose.x) for pose in poses), default=0.0) + 0.5


def seat_heading(side: str) -> float:
    """How a tile lies that is upright for the player at a side."""
    return {"near": 0.0, "right": -90.0, "far": 180.0, "left": 90.0}[side]


def seat_place(side: str, ground: Ground) -> tuple[float, float]:
    """A place on the ground in front of the player at a side."""
    mid = (ground.low[0] + ground.high[0]) / 2, (ground.low[1] + ground.high[1]) / 2
    if side in ("near", "far"):
        return mid[0], mid[1] + (0.35 if side == "near" else -0.35) * (ground.high[1] - ground.low[1])
    return mid[0] + (0.35 if side == "right" else -0.35) * (ground.high[0] - ground.low[0]), mid[1]
