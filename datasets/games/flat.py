"""Plane geometry of lying tiles: corners, overlaps, boxes around sets. Tile widths, y towards the near side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from datasets.games.script import Pose

ASPECT = 1.35
"""Height of a tile over its width."""

Point = tuple[float, float]

_REACH = math.hypot(1.0, ASPECT)


@dataclass(frozen=True, slots=True)
class Box:
    """An upright or turned rectangle."""

    x: float
    """Its middle."""
    y: float
    """Its middle."""
    half_u: float
    """Half its length along the heading."""
    half_v: float
    """Half its length across."""
    heading: float
    """Degrees clockwise."""

    def grown(self, along: float, across: float) -> Box:
        """The box with so much more on every side."""
        return Box(self.x, self.y, self.half_u + along, self.half_v + across, self.heading)

    def moved(self, dx: float, dy: float) -> Box:
        """The box elsewhere."""
        return Box(self.x + dx, self.y + dy, self.half_u, self.half_v, self.heading)

    @property
    def radius(self) -> float:
        """Of the circle around it."""
        return math.hypot(self.half_u, self.half_v)

    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Clockwise from its own upper left."""
        (ux, uy), (vx, vy) = axes(self.heading)
        a, b = self.half_u, self.half_v
        return (
            (self.x - a * ux - b * vx, self.y - a * uy - b * vy),
            (self.x + a * ux - b * vx, self.y + a * uy - b * vy),
            (self.x + a * ux + b * vx, self.y + a * uy + b * vy),
            (self.x - a * ux + b * vx, self.y - a * uy + b * vy),
        )


def axes(heading: float) -> tuple[Point, Point]:
    """Unit vectors: rightwards and downwards of what lies at ``heading``."""
    angle = math.radians(heading)
    return (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))


def tile_box(pose: Pose, margin: float = 0.0) -> Box:
    """The rectangle of a tile, with ``margin`` on every side."""
    return Box(pose.x, pose.y, 0.5 + margin, ASPECT / 2 + margin, pose.heading)


def boxes_overlap(one: Box, other: Box) -> bool:
    """True where two rectangles have a point in common (separating axes)."""
    distance = math.hypot(one.x - other.x, one.y - other.y)
    if distance >= one.radius + other.radius:
        return False
    a, b = one.corners(), other.corners()
    for heading in (one.heading, other.heading):
        for ax, ay in axes(heading):
            pa = [x * ax + y * ay for x, y in a]
            pb = [x * ax + y * ay for x, y in b]
            if max(pa) <= min(pb) or max(pb) <= min(pa):
                return False
    return True


def tiles_overlap(one: Pose, other: Pose, margin: float = 0.0) -> bool:
    """True where two tiles overlap, or come nearer than ``margin``."""
    if abs(one.x - other.x) > _REACH + margin or abs(one.y - other.y) > _REACH + margin:
        return False
    return boxes_overlap(tile_box(one, margin), tile_box(other))


def turn_between(one: float, other: float) -> float:
    """Degrees from one heading to another, -180 to 180."""
    return (other - one + 180.0) % 360.0 - 180.0


def mean_heading(headings: Sequence[float]) -> float:
    """The mean of headings that lie within half a turn."""
    first = headings[0]
    return first + sum(turn_between(first, heading) for heading in headings) / len(headings)


def box_around(poses: Iterable[Pose]) -> Box:
    """The smallest rectangle, turned as the tiles are, around them."""
    tiles = list(poses)
    heading = mean_heading([pose.heading for pose in tiles])
    if len(tiles) > 2:
        chord = math.degrees(math.atan2(tiles[-1].y - tiles[0].y, tiles[-1].x - tiles[0].x))
        heading = chord if abs(turn_between(heading, chord)) < 45 else heading
    (ux, uy), (vx, vy) = axes(heading)
    points = [point for pose in tiles for point in tile_box(pose).corners()]
    us = [x * ux + y * uy for x, y in points]
    vs = [x * vx + y * vy for x, y in points]
    mid_u, mid_v = (min(us) + max(us)) / 2, (min(vs) + max(vs)) / 2
    return Box(
        mid_u * ux + mid_v * vx,
        mid_u * uy + mid_v * vy,
        (max(us) - min(us)) / 2,
        (max(vs) - min(vs)) / 2,
        heading,
    )
