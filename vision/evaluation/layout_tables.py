"""Synthetic tables and racks in the picture, with their truth, for measuring the layout reader.

Convention: pixels, x right, y down; corners clockwise from the tile's own upper left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.evaluation.layout_classes import CLASSES, Floats, Rng, rectangles
from vision.layout.plane import quad_areas

__all__ = ["LaidTable", "draw_rack", "draw_table", "photograph"]


@dataclass(frozen=True, slots=True, eq=False)
class LaidTable:
    """A synthetic table in the picture, with its truth."""

    corners_xy_px: Floats
    """Shape (N, 4, 2)."""
    sets: tuple[tuple[int, ...], ...]
    """Indices of the tiles of each set, in reading order."""
    broken: frozenset[int]
    """Sets (indices) that lost a tile from their middle: whole or split there, both count as right."""


def photograph(rng: Rng, plane_xy: Floats, elevation_deg: tuple[float, float] = (25.0, 90.0)) -> Floats:
    """Project points (..., 2) of the plane (tile widths) to pixels, by a camera at random place and angle."""
    flat = plane_xy.reshape(-1, 2)
    roll = rng.uniform(-np.pi, np.pi)
    turn = np.array([[np.cos(roll), np.sin(roll)], [-np.sin(roll), np.cos(roll)]])
    flat = (flat - flat.mean(axis=0)) @ turn
    elevation = np.deg2rad(rng.uniform(*elevation_deg))
    fov = np.deg2rad(rng.uniform(40.0, 75.0))
    radius = max(float(np.hypot(flat[:, 0], flat[:, 1]).max()), 1.5)
    distance = radius / np.tan(fov / 2) * rng.uniform(1.0, 1.3) + radius * np.cos(elevation)
    depth = distance - flat[:, 1] * np.cos(elevation)
    picture = 1000.0 * flat * [1.0, np.sin(elevation)] / depth[:, None]
    return np.asarray(picture.reshape(plane_xy.shape))


def draw_table(rng: Rng, name: str, jitter: float, missing: float) -> LaidTable:
    """Draw one table of a class. ``jitter``: corner error as a share of the tile's size in the picture."""
    height = float(rng.uniform(1.3, 1.5))
    poses = CLASSES[name](rng, height)
    corners = photograph(rng, rectangles(np.vstack(poses), height))
    area = np.abs(quad_areas(corners))
    width = np.sqrt(area / height)
    corners = corners + rng.normal(0.0, 1.0, corners.shape) * (jitter * width)[:, None, None]
    stays = rng.random(len(corners)) >= missing
    order = rng.permutation(np.flatnonzero(stays))
    number = {int(tile): place for place, tile in enumerate(order)}
    sets: list[tuple[int, ...]] = []
    broken: set[int] = set()
    start = 0
    for laid in poses:
        tiles = list(range(start, start + len(laid)))
        start += len(laid)
        kept = [tile for tile in tiles if stays[tile]]
        if kept and len(kept) <= kept[-1] - kept[0]:
            broken.add(len(sets))
        if kept:
            sets.append(tuple(number[tile] for tile in kept))
    return LaidTable(corners[order], tuple(sets), frozenset(broken))


def draw_rack(rng: Rng, jitter: float) -> tuple[LaidTable, Floats]:
    """Draw a rack of one to three steps, tiles with gaps; returns it and the rack's front, (4, 2)."""
    height = float(rng.uniform(1.3, 1.5))
    steps = int(rng.integers(1, 4))
    rise, back = rng.uniform(0.75, 1.1) * height, rng.uniform(0.1, 0.5)
    solid: list[Floats] = []
    sizes: list[int] = []
    for step in range(steps):
        x = rng.uniform(0.0, 4.0)
        size = int(rng.integers(1, 9))
        for _ in range(size):
            pose = np.array([[x, step * rise, np.deg2rad(rng.normal(0, 1.0))]])
            flat = rectangles(pose, height)[0]
            solid.append(np.column_stack([flat, np.full(4, (steps - step) * back)]))
            x += 1.0 + (rng.uniform(0.0, 0.08) if rng.random() < 0.5 else rng.uniform(0.1, 2.5))
        sizes.append(size)
    far = max(float(tile[:, 0].max()) for tile in solid) + 0.5
    low, high = -0.6 * height, (steps - 1) * rise + 0.6 * height
    front = np.array([[-1, low, steps * back], [far, low, steps * back], [far, high, back], [-1, high, back]])
    points = np.array([*solid, front])
    points = points - points.mean(axis=(0, 1))
    yaw, pitch, roll = np.deg2rad([rng.uniform(-35, 35), rng.uniform(-5, 40), rng.uniform(-15, 15)])
    about_y = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
    about_x = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
    about_z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    seen = points @ (about_z @ about_x @ about_y).T
    depth = seen[..., 2:] + float(np.abs(seen[..., 0]).max()) * rng.uniform(2.2, 4.0) + 3.0
    picture = 1000.0 * seen[..., :2] / depth
    corners, quad = picture[:-1], picture[-1]
    width = np.sqrt(np.abs(quad_areas(corners)) / height)
    corners = corners + rng.normal(0.0, 1.0, corners.shape) * (jitter * width)[:, None, None]
    ends = np.cumsum(sizes)
    rows = tuple(tuple(range(end - size, end)) for end, size in zip(ends.tolist(), sizes, strict=True))
    return LaidTable(corners, rows, frozenset()), quad
