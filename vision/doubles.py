"""Two tiles found as one, where the light leaves no seam between two that lie edge to edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.find import usual_sides
from vision.quads import is_elsewhere, quad_sides, sides_apart
from vision.readings import Corners, FoundTile

__all__ = ["Double", "rather_two", "with_halves"]

Double = tuple[int, list[int]]
"""A find that may be two tiles, and its halves, by index."""


_DOUBLE = (1.6, 2.5)
"""Times a neighbour's area between which a find may be two tiles."""
_ALIKE = 0.2
"""Logarithm of how much a half's sides may differ from a neighbour's."""
_SURE = 0.95
"""A whole that reads so surely is one tile."""


def with_halves(faces: Sequence[FoundTile], backs: Sequence[FoundTile]) -> tuple[list[FoundTile], list[Double]]:
    """Add the halves of each face that is twice as large as what lies around it; say which are whose.

    A half that was found besides is left out. The halves stand as the whole does. It may still be one tile, at
    another distance: what they read tells (:func:`rather_two`).
    """
    found, doubles = list(faces), list[Double]()
    usual = usual_sides([*faces, *backs])
    if usual is None:
        return found, doubles
    corners = np.stack([tile.corners_xy_px for tile in (*faces, *backs)])
    areas, middles = quad_sides(corners).prod(axis=1), corners.mean(axis=1)
    for at, tile in enumerate(faces):
        if not _DOUBLE[0] < float(areas[at]) / max(float(usual[at].prod()), 1e-6) < _DOUBLE[1]:
            continue
        rest = np.delete(middles, at, axis=0)
        fresh = [half for half in _halves(tile.corners_xy_px, np.sort(usual[at])) if is_elsewhere(half, rest)]
        if fresh:
            doubles.append((at, list(range(len(found), len(found) + len(fresh)))))
            found += [replace(tile, corners_xy_px=half, box_xyxy_px=None) for half in fresh]
    return found, doubles


def rather_two(whole: float, halves: Sequence[float], clear: float) -> bool:
    """Say whether a find is two tiles, by the probability of the likeliest reading of it and of its halves.

    ``clear``: from where on a reading is clear.
    """
    return whole < _SURE and min(halves) >= clear


def _halves(quad: Corners, usual: NDArray[np.float32]) -> list[Corners]:
    """The two halves, (4, 2) each, beside or above each other; none where neither has the ``usual`` sides."""
    a, b, c, d = quad
    beside = [np.array([a, (a + b) / 2, (c + d) / 2, d]), np.array([(a + b) / 2, b, c, (c + d) / 2])]
    above = [np.array([a, b, (b + c) / 2, (a + d) / 2]), np.array([(a + d) / 2, (b + c) / 2, c, d])]
    for halves in (beside, above):
        own = np.sort(quad_sides(np.stack(halves)).mean(axis=0))
        if float(sides_apart(own, usual)) < _ALIKE:
            return [np.asarray(half, np.float32) for half in halves]
    return []
