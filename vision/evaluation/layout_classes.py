"""Classes of synthetic layouts: how sets lie on a table, from tidy to careless.

Convention: on the plane x right, y down, tile widths, angles clockwise; a pose is (x, y, angle) of a tile's
centre and its own right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["CLASSES", "Floats", "Rng", "rectangles"]

Floats = NDArray[np.float64]
Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Looseness:
    """How tiles lie within a set, in tile widths, tile heights and degrees."""

    gap: tuple[float, float] = (0.0, 0.07)
    """Least and most space between neighbours."""
    offset: float = 0.02
    """Most shift of a tile off its row, either way, tile heights."""
    turn: float = 1.5
    """Most turn of a tile, either way."""
    flips: float = 0.0
    """Share of tiles upside down; never the majority of a set."""
    bend: float = 0.0
    """Most turn from tile to tile of a curved row."""


def rectangles(poses: Floats, height: float) -> Floats:
    """Corners, shape (N, 4, 2), of tiles at poses (x, y, angle), width 1."""
    half = np.array([[-0.5, -height / 2], [0.5, -height / 2], [0.5, height / 2], [-0.5, height / 2]])
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    turn = np.stack([np.stack([cos, -sin], axis=1), np.stack([sin, cos], axis=1)], axis=1)
    return np.asarray(poses[:, None, :2] + np.einsum("nij,kj->nki", turn, half))


def gap_between(one: Floats, other: Floats) -> float:
    """Least distance of two convex polygons along the edge normals; negative where they overlap."""
    best = -np.inf
    for polygon in (one, other):
        edges = np.roll(polygon, -1, axis=0) - polygon
        normals = np.stack([edges[:, 1], -edges[:, 0]], axis=1)
        normals /= np.hypot(normals[:, 0], normals[:, 1])[:, None]
        low, high = one @ normals.T, other @ normals.T
        best = max(best, float(np.maximum(high.min(0) - low.max(0), low.min(0) - high.max(0)).max()))
    return best


def lay_set(rng: Rng, size: int, how: Looseness, height: float) -> Floats:
    """Poses (size, 3) of one set along x, left to right, not overlapping."""
    bend = np.deg2rad(rng.uniform(-how.bend, how.bend))
    flips = np.zeros(size, dtype=bool)
    flips[rng.permutation(size)[: min((size - 1) // 2, rng.binomial(size, how.flips))]] = True
    poses = np.zeros((size, 3))
    place, course = np.zeros(2), 0.0
    for index in range(size):
        if index:
            gap = rng.uniform(*how.gap)
            ahead = np.array([np.cos(course + bend / 2), np.sin(course + bend / 2)])
            place = place + ahead * (1.0 + gap)
            course += bend
        shift = rng.uniform(-how.offset, how.offset) * height
        turn = np.deg2rad(rng.uniform(-how.turn, how.turn))
        for _ in range(40):
            poses[index] = [
                place[0] - shift * np.sin(course),
                place[1] + shift * np.cos(course),
                course + turn,
            ]
            if not index:
                break
            two = rectangles(poses[index - 1 : index + 1], height)
            if gap_between(two[0], two[1]) >= min(how.gap[0], 0.0) - 0.005:
                break
            place = place + ahead * 0.02
    poses[:, 2] += np.pi * flips
    poses[:, :2] -= poses[:, :2].mean(axis=0)
    return poses


def moved(poses: Floats, x: float, y: float, angle: float) -> Floats:
    """Poses turned about the origin, then shifted."""
    cos, sin = np.cos(angle), np.sin(angle)
    xy = poses[:, :2] @ np.array([[cos, sin], [-sin, cos]]) + [x, y]
    return np.column_stack([xy, poses[:, 2] + angle])


def footprint(poses: Floats, height: float, ahead: float, aside: float) -> Floats:
    """Box (4, 2) round a set along its own course, stretched at the ends and at the sides."""
    corners = rectangles(poses, height).reshape(-1, 2)
    course = poses[-1, :2] - poses[0, :2]
    angle = np.arctan2(course[1], course[0]) if len(poses) > 1 else poses[0, 2]
    back = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    own = corners @ back
    margin = np.array([ahead, aside])
    low, high = own.min(0) - margin, own.max(0) + margin
    return np.asarray(np.array([low, [high[0], low[1]], high, [low[0], high[1]]]) @ back.T)


def scattered(
    rng: Rng,
    sets: Sequence[Floats],
    height: float,
    angle: Callable[[], float],
    ahead: float = 0.5,
    aside: float = 0.12,
) -> list[Floats]:
    """Put sets on the table at random places and the angles asked for, as tightly as they fit."""
    tiles = sum(len(poses) for poses in sets)
    side = 1.6 * np.sqrt(tiles * height)
    placed: list[Floats] = []
    boxes: list[Floats] = []
    for poses in sorted(sets, key=len, reverse=True):
        turn = angle()
        while True:
            x, y = rng.uniform(-side / 2, side / 2, 2)
            here = moved(poses, x, y, turn)
            box = footprint(here, height, ahead, aside)
            if not any(_near(box, other) and gap_between(box, other) <= 0 for other in boxes):
                break
            side *= 1.01
        placed.append(here)
        boxes.append(box)
    return placed


def _near(one: Floats, other: Floats) -> bool:
    """Tell whether the upright boxes of two polygons overlap."""
    return bool(((one.max(0) > other.min(0)) & (other.max(0) > one.min(0))).all())


def in_lines(
    rng: Rng,
    sets: Sequence[Floats],
    height: float,
    between: tuple[float, float],
    lines: tuple[float, float],
    tilt: float = 1.0,
    per_line: int = 3,
) -> list[Floats]:
    """Put sets end to end on level lines; ``between`` ends in widths, ``lines`` apart in heights."""
    placed: list[Floats] = []
    y = 0.0
    for start in range(0, len(sets), per_line):
        x = rng.uniform(-1.0, 1.0)
        line: list[Floats] = []
        for poses in sets[start : start + per_line]:
            here = moved(poses, 0, 0, np.deg2rad(rng.uniform(-tilt, tilt)))
            here[:, 0] += x - rectangles(here, height)[..., 0].min()
            x = float(rectangles(here, height)[..., 0].max()) + rng.uniform(*between)
            line.append(here)
        if placed:
            # Let the line down until it is its distance below everything above it.
            above = [footprint(poses, height, 0, 0) for poses in placed[-2 * per_line :]]
            below = [footprint(here, height, 0, 0) for here in line]
            aim, down = rng.uniform(*lines) * height, y
            for _ in range(100):
                apart = min(gap_between(box + np.array([0.0, down]), other) for box in below for other in above)
                if apart >= aim - 0.01:
                    break
                down += max(0.02, 0.8 * (aim - apart))
            for here in line:
                here[:, 1] += down
        y = float(np.mean([here[:, 1].mean() for here in line]))
        placed += line
    return placed


def _sizes(rng: Rng, count: int, least: int = 3) -> list[int]:
    return [int(n) for n in rng.choice([3, 3, 3, 4, 4, 5, 6, 8], count) if n >= least]


Maker = Callable[[Rng, float], list[Floats]]


def _near_level(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness(), height) for n in _sizes(rng, 10)]
    return in_lines(rng, sets, height, (1.0, 2.0), (0.3, 1.0), tilt=2.0)


def _turned(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness(), height) for n in _sizes(rng, 10)]
    return scattered(rng, sets, height, lambda: np.deg2rad(rng.uniform(-10, 10)))


def _mixed(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness(), height) for n in _sizes(rng, 10)]
    return scattered(rng, sets, height, lambda: np.pi / 2 * rng.integers(0, 4))


def _any_angle(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness(), height) for n in _sizes(rng, 10)]
    return scattered(rng, sets, height, lambda: rng.uniform(-np.pi, np.pi), ahead=0.25)


_LOOSE = Looseness(gap=(0.0, 0.6), offset=0.1, turn=6.0)


def _loose(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, _LOOSE, height) for n in _sizes(rng, 10)]
    return scattered(rng, sets, height, lambda: rng.uniform(-np.pi, np.pi), ahead=0.75, aside=0.15)


def _loose_lines(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness((0.1, 0.5), 0.08, 5.0), height) for n in _sizes(rng, 10)]
    return in_lines(rng, sets, height, (1.2, 2.0), (0.1, 0.5), tilt=3.0)


def _end_to_end(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness(), height) for n in _sizes(rng, 10)]
    return in_lines(rng, sets, height, (0.3, 0.8), (0.2, 0.8))


def _end_to_end_close(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness(gap=(0.0, 0.04)), height) for n in _sizes(rng, 10)]
    return in_lines(rng, sets, height, (0.18, 0.3), (0.2, 0.8))


def _stacked(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness(), height) for n in _sizes(rng, 10)]
    return in_lines(rng, sets, height, (0.5, 2.0), (0.0, 0.05), per_line=2)


def _curved(rng: Rng, height: float) -> list[Floats]:
    how = Looseness(gap=(0.0, 0.12), offset=0.03, turn=2.0, bend=9.0)
    sets = [lay_set(rng, n, how, height) for n in rng.integers(4, 9, 8)]
    return scattered(rng, sets, height, lambda: rng.uniform(-np.pi, np.pi), ahead=0.4)


def _zigzag(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness((0.0, 0.15), 0.17, 4.0), height) for n in _sizes(rng, 10)]
    return scattered(rng, sets, height, lambda: rng.uniform(-0.4, 0.4))


def _tile_turns(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness((0.0, 0.15), 0.05, 12.0), height) for n in _sizes(rng, 10)]
    return scattered(rng, sets, height, lambda: rng.uniform(-0.4, 0.4))


def _some_crooked(rng: Rng, height: float) -> list[Floats]:
    neat, crooked = Looseness((0.0, 0.12), 0.03, 3.0), Looseness((0.0, 0.2), 0.14, 7.0)
    sets = [lay_set(rng, n, crooked if at % 4 == 0 else neat, height) for at, n in enumerate(_sizes(rng, 10))]
    return scattered(rng, sets, height, lambda: rng.uniform(-np.pi, np.pi))


def _upside_down(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness(flips=0.2), height) for n in _sizes(rng, 10)]
    return scattered(rng, sets, height, lambda: rng.uniform(-np.pi, np.pi))


def _full(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness((0, 0.12), 0.05, 3.0), height) for n in _sizes(rng, 25)]
    if rng.random() < 0.5:
        return in_lines(rng, sets, height, (0.5, 1.5), (0.1, 0.5), tilt=4.0, per_line=5)
    return scattered(rng, sets, height, lambda: rng.uniform(-0.3, 0.3), ahead=0.3, aside=0.08)


def _right_angles(rng: Rng, height: float) -> list[Floats]:
    pairs: list[Floats] = []
    seams: list[int] = []
    for _ in range(4):
        one = lay_set(rng, int(rng.integers(3, 6)), Looseness(), height)
        other = moved(
            lay_set(rng, int(rng.integers(3, 6)), Looseness(), height), 0, 0, np.pi / 2 * rng.choice([-1, 1])
        )
        # The other set's side touches the first one's end (or the other way about), somewhere along it.
        reach = float(np.ptp(rectangles(other, height)[..., 1])) / 2
        other[:, 0] += rectangles(one, height)[..., 0].max() - rectangles(other, height)[..., 0].min()
        other[:, 0] += rng.uniform(0.0, 0.1)
        other[:, 1] += rng.uniform(-reach, reach)
        pairs.append(np.vstack([one, other]))
        seams.append(len(one))
    groups = scattered_groups(rng, pairs, height)
    return [part for group, seam in zip(groups, seams, strict=True) for part in (group[:seam], group[seam:])]


def scattered_groups(rng: Rng, groups: Sequence[Floats], height: float) -> list[Floats]:
    """Put groups of tiles at any angle, clear of each other, in the given order."""
    placed: list[Floats] = []
    side = 8.0
    for poses in groups:
        while True:
            x, y = rng.uniform(-side, side, 2)
            here = moved(poses - [*poses[:, :2].mean(0), 0.0], x, y, rng.uniform(-np.pi, np.pi))
            box = footprint(here, height, 0.3, 0.3)
            if all(gap_between(box, footprint(other, height, 0.3, 0.3)) > 0 for other in placed):
                break
            side *= 1.02
        placed.append(here)
    return placed


def _with_strays(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness(), height) for n in _sizes(rng, 7)]
    sets += [np.zeros((1, 3)) for _ in range(6)]
    return scattered(rng, sets, height, lambda: rng.uniform(-np.pi, np.pi), ahead=0.5)


def _players(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness((0, 0.12), 0.03, 3.0), height) for n in _sizes(rng, 12)]
    turns = [rng.choice([0, np.pi / 2, np.pi, -np.pi / 2]) + rng.normal(0, 0.1) for _ in sets]
    return scattered(rng, sets, height, lambda: float(rng.choice(turns)), ahead=0.3)


def _close_up(rng: Rng, height: float) -> list[Floats]:
    sets = [lay_set(rng, n, Looseness(turn=3.0), height) for n in _sizes(rng, int(rng.integers(1, 3)))]
    return scattered(rng, sets, height, lambda: rng.uniform(-np.pi, np.pi))


CLASSES: dict[str, Maker] = {
    "near level, a tile apart": _near_level,
    "turned up to 10 degrees": _turned,
    "mixed 0/90 degrees": _mixed,
    "any angle": _any_angle,
    "loose (gaps to 0.6), any angle": _loose,
    "loose, end to end": _loose_lines,
    "end to end, gap 0.3-0.8": _end_to_end,
    "end to end, gap 0.18-0.3": _end_to_end_close,
    "rows touching above each other": _stacked,
    "curved rows": _curved,
    "zigzag to 0.34 heights": _zigzag,
    "tiles turned up to 12 degrees": _tile_turns,
    "some crooked sets among neat ones": _some_crooked,
    "upside down within a set": _upside_down,
    "full table, 25 sets": _full,
    "meeting at right angles": _right_angles,
    "sets and stray tiles": _with_strays,
    "facing four players": _players,
    "one or two sets, close up": _close_up,
}
"""Classes of layout and what draws them: (generator, tile height in widths) -> poses of each set."""
