"""Which found tile is which true one.

A found tile matches a true one where the overlap of their outlines in the frame (intersection over union) is at
least one half, one to one, largest overlap first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners

__all__ = ["MATCH_IOU", "Matches", "Outlines", "corner_errors", "match"]

MATCH_IOU = 0.5
"""Least overlap of a match."""
_COVERED = 0.5
"""Share of a found tile inside something that does not count, from which on it does not count either."""
_SPLIT_INSIDE = 0.6
_MERGED_COVER = 0.5


class Outlines:
    """Convex outlines clipped to the frame, with their areas."""

    def __init__(self, quads_xy_px: Sequence[Corners], size_wh: tuple[int, int]) -> None:
        """Take corners of shape (4, 2) each, and the picture's width and height."""
        width, height = size_wh
        frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
        self.hulls: list[NDArray[np.float32]] = []
        self.areas: list[float] = []
        for quad in quads_xy_px:
            hull = np.asarray(cv2.convexHull(np.asarray(quad, np.float32)), np.float32)
            area, clipped = cv2.intersectConvexConvex(hull, frame)
            inside = area > 0 and clipped is not None
            self.hulls.append(np.asarray(clipped if inside else hull, np.float32))
            self.areas.append(float(area) if inside else 0.0)
        self.boxes = np.array(
            [[*hull.reshape(-1, 2).min(axis=0), *hull.reshape(-1, 2).max(axis=0)] for hull in self.hulls]
        ).reshape(-1, 4)

    def intersections(self, other: Outlines) -> NDArray[np.float64]:
        """Return the shared areas, shape (len(self), len(other)), square pixels."""
        shared = np.zeros((len(self.hulls), len(other.hulls)))
        low = np.maximum(self.boxes[:, None, :2], other.boxes[None, :, :2])
        high = np.minimum(self.boxes[:, None, 2:], other.boxes[None, :, 2:])
        for i, j in np.argwhere((high > low).all(axis=2)):
            if self.areas[i] and other.areas[j]:
                shared[i, j], _ = cv2.intersectConvexConvex(self.hulls[i], other.hulls[j])
        return shared

    def overlaps(self, other: Outlines) -> NDArray[np.float64]:
        """Return the intersections over unions, shape (len(self), len(other)); 0 where there is no union."""
        shared = self.intersections(other)
        union = np.add.outer(np.array(self.areas), np.array(other.areas)) - shared
        return np.asarray(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0))


@dataclass(frozen=True, slots=True)
class Matches:
    """Found tiles and true ones, matched."""

    true_of: dict[int, int]
    """Found index to true index."""
    ignored: frozenset[int]
    """Found tiles that lie on something that does not count."""
    split: frozenset[int]
    """Unmatched found tiles that lie within one true tile."""
    merged: frozenset[int]
    """Unmatched found tiles that cover several true ones."""

    def unmatched(self, found: int) -> list[int]:
        """Indices below ``found`` that match nothing and are not ignored."""
        return [k for k in range(found) if k not in self.true_of and k not in self.ignored]


def match(
    found: Sequence[Corners], true: Sequence[Corners], ignore: Sequence[Corners], size_wh: tuple[int, int]
) -> Matches:
    """Match found tiles to true ones; ``ignore`` holds what is neither right nor wrong to find."""
    seen, real, free = Outlines(found, size_wh), Outlines(true, size_wh), Outlines(ignore, size_wh)
    all_true = Outlines([*true, *ignore], size_wh)
    iou = seen.overlaps(all_true)
    true_of: dict[int, int] = {}
    ignored: set[int] = set()
    taken: set[int] = set()
    pairs = np.argwhere(iou >= MATCH_IOU)
    for i, j in sorted(((int(i), int(j)) for i, j in pairs), key=lambda pair: -iou[pair]):
        if i in true_of or i in ignored or j in taken:
            continue
        taken.add(j)
        if j < len(true):
            true_of[i] = j
        else:
            ignored.add(i)
    rest = [k for k in range(len(found)) if k not in true_of and k not in ignored]
    on_free = seen.intersections(free)
    on_true = seen.intersections(real)
    split, merged = set(), set()
    for k in rest:
        area = seen.areas[k]
        if area == 0 or (on_free[k].max(initial=0.0) >= _COVERED * area):
            ignored.add(k)
        elif sum(share >= _MERGED_COVER * a for share, a in zip(on_true[k], real.areas, strict=True) if a) > 1:
            merged.add(k)
        elif on_true[k].max(initial=0.0) >= _SPLIT_INSIDE * area:
            split.add(k)
    return Matches(true_of, frozenset(ignored), frozenset(split), frozenset(merged))


def corner_errors(found: Corners, true: Corners, size_wh: tuple[int, int]) -> tuple[float, float, int]:
    """Return mean and largest corner error in tile widths, and by how many quarter turns ``found`` is off.

    The error is taken in the turn that fits best, over the true corners that lie in the frame; where none
    does, it is NaN.
    """
    across = (np.linalg.norm(true[1] - true[0]) + np.linalg.norm(true[2] - true[3])) / 2
    turns = [np.linalg.norm(np.roll(found, turn, axis=0) - true, axis=1) for turn in range(4)]
    turn = int(np.argmin([errors.sum() for errors in turns]))
    inside = ((true >= -0.5) & (true <= np.array(size_wh) - 0.5)).all(axis=1)
    if not inside.any() or across == 0:
        return float("nan"), float("nan"), turn
    errors = turns[turn][inside] / across
    return float(errors.mean()), float(errors.max()), turn
