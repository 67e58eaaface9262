"""Quads: how large they are, how they are turned, and which of them lie side by side or over each other.

Corners are (x, y) in pixels, clockwise from the tile's own upper left.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners
from vision.robust import quantile

__all__ = [
    "SAME_MIDDLE", "are_elsewhere", "are_free", "covered_shares", "edge_to_edge", "flush", "is_elsewhere",
    "linked", "quad_axes", "quad_sides", "sides_apart", "square_sides", "turned_rad", "usual_width",
    "with_neighbours",
]  # fmt: skip

_NEXT_CORNER = [1, 2, 3, 0]
SAME_MIDDLE = 0.5
"""Two tiles whose middles are nearer than this share of the shorter side are one."""
_TOUCHING, _ALIKE_SIDES = 1.2, 0.3
"""Tiles edge to edge: sides apart at most, by the longer one; logarithm of how much the sides may differ."""
_FLUSH = 0.2
"""Corners of two tiles with an edge in common are no further apart than this share of the shorter side."""
_OVER_OTHERS = 0.3
"""No tile lies over others by more than this share of it; between two of them their numerals read as one."""


def usual_width(quads: Sequence[Corners]) -> float | None:
    """Return how wide most of the quads, (4, 2) each, are, pixels; None where there are none."""
    return float(quantile(quad_sides(np.stack(quads))[:, 0], 0.5)) if quads else None


def quad_sides(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return mean width and height of quads (N, 4, 2), pixels, shape (N, 2)."""
    steps = corners[:, _NEXT_CORNER] - corners
    lengths = np.hypot(steps[..., 0], steps[..., 1])
    return np.asarray((lengths[:, :2] + lengths[:, 2:]) / 2, np.float32)


def quad_axes(corners: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the mean vectors across and down quads (N, 4, 2), pixels, each of shape (N, 2)."""
    across = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def square_sides(corners: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the side (N,) of a square as large as each quad (N, 4, 2), pixels; at least 1."""
    across, down = (axis.astype(np.float64) for axis in quad_axes(corners))
    return np.sqrt(np.maximum(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]), 1.0))


def turned_rad(one: Corners, other: Corners) -> float:
    """Return by how much one is turned against the other, 0..pi/4: whichever of their sides is the first."""
    across, _ = quad_axes(np.stack([one, other]))
    turned = float(np.subtract(*np.arctan2(across[:, 1], across[:, 0])))
    return abs((turned + np.pi / 4) % (np.pi / 2) - np.pi / 4)


def sides_apart(ones: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return by how much sides (..., 2) differ, as the larger of their two logarithms, shape (...)."""
    ratio = np.maximum(ones, 1e-6) / np.maximum(others, 1e-6)
    return np.asarray(np.abs(np.log(ratio)).max(axis=-1), np.float32)


def is_elsewhere(quad: Corners, middles_xy_px: NDArray[np.float32]) -> bool:
    """True for a quad (4, 2) that is none of the tiles with these middles (N, 2) found again; N is not 0."""
    return bool(are_elsewhere(quad[None], middles_xy_px)[0])


def are_elsewhere(quads: NDArray[np.float32], middles_xy_px: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Say the same of each of quads (K, 4, 2), shape (K,)."""
    apart = quads.mean(axis=1)[:, None] - middles_xy_px[None]
    nearest = np.hypot(apart[..., 0], apart[..., 1]).min(axis=1)
    return np.asarray(nearest > SAME_MIDDLE * quad_sides(quads).min(axis=1))


def edge_to_edge(corners: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell which of the quads (N, 4, 2) lie side by side and are of one size, shape (N, N); each by itself."""
    middles = corners.mean(axis=1)
    sides = quad_sides(corners)
    away = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    longer = np.maximum(sides[:, None].max(axis=2), sides[None].max(axis=2))
    alike = sides_apart(sides[:, None], sides[None]) < _ALIKE_SIDES
    return np.asarray(alike & (away < _TOUCHING * longer))


def flush(corners: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell which of the quads (N, 4, 2) have an edge in common, nearly from end to end, shape (N, N)."""
    shorter = quad_sides(corners).min(axis=1)
    begin, end = corners, np.roll(corners, -1, axis=1)
    # All go round the same way, so that an edge of two is begun by the one where the other ends it.
    off = np.maximum(
        np.linalg.norm(begin[:, None, :, None] - end[None, :, None], axis=4),
        np.linalg.norm(end[:, None, :, None] - begin[None, :, None], axis=4),
    ).min(axis=(2, 3))
    return np.asarray(off < _FLUSH * np.minimum(shorter[:, None], shorter[None]))


def linked(touch: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which are linked, over others too, by who touches whom, shape (N, N); each touches itself."""
    reach = touch
    for _ in range(len(touch).bit_length()):
        reach = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
    return np.asarray(reach)


def with_neighbours(
    corners: NDArray[np.float32], sure: NDArray[np.bool_], may: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Add to the sure ones of ``corners`` (N, 4, 2) what ``may`` join them: edge to edge, and of their size."""
    touch = edge_to_edge(corners)
    now, before = sure.copy(), np.zeros(len(corners), bool)
    while (now != before).any():
        before, now = now, now | (may & (touch & now).any(axis=1))
    return now


def covered_shares(corners: NDArray[np.float32], by: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return for every quad of (N, 4, 2) what share of it lies under others that rank higher in ``by`` (N,)."""
    shares = np.zeros(len(corners))
    if len(corners) < 2:
        return shares
    centres = corners.mean(axis=1)
    reach = np.linalg.norm(corners - centres[:, None], axis=2).max(axis=1)
    for k, quad in enumerate(corners):
        area = float(cv2.contourArea(quad))
        near = np.linalg.norm(centres - centres[k], axis=1) < reach + reach[k]
        for other in np.flatnonzero(near & (by > by[k])):
            shares[k] += cv2.intersectConvexConvex(quad, corners[other])[0] / max(area, 1e-6)
    return shares


def are_free(quads: NDArray[np.float32], corners: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell which of ``quads`` (K, 4, 2) lie over none of the tiles at ``corners`` (N, 4, 2), shape (K,)."""
    rank = np.repeat(np.array([0, 1]), [len(quads), len(corners)])
    return np.asarray(covered_shares(np.concatenate([quads, corners]), rank)[: len(quads)] <= _OVER_OTHERS)
