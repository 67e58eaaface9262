"""What stands on the table all the time, racks and bowls, told from what reaches in for a while."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners
from vision.watch.home_view import Mask, rim

__all__ = ["Furniture"]

_TOUCHES_PX = 4.0
"""So many pixels of the mask beside a rack touch it."""
_BROAD_PX = 6.0
"""So many for each pixel of a tile's width are more than the handle of a mug: an arm that comes in over it."""
_LARGER = 2.0
"""So many times the least area is more than a tile's: beside a rack, bare ground or a tile may look new."""
_RACK_MARGIN = 0.7
"""Widths of a tile, half to each side of a rack's outline, that are taken for it: nothing is seen there."""
_LONG_S = 6.0
"""What touches it by less, for so long in one place, stands there."""
_ARM = 12.0
"""So many times the least area is more than a small mug's: an arm, unless it is as compact as a mug."""
_LARGE_MUG, _COMPACT = 24.0, 0.65
"""The same of a large mug with its shadow, and the least share of the circle around it that it fills; an arm
that comes in fills a third."""
_STOUT, _NO_FINGERS = 2.2, 0.93
"""Or a phone's: so many times as long as wide at most, and the least share of its convex outline that it is."""
_THIN, _THREAD = 0.7, 5.0
"""Nothing that is thinner, in widths of a tile, and longer than a finger is a hand: it is the edge of a cloth
that was dragged, or of a table that is seen from elsewhere now."""
_VERY_LONG_S = 8.0
"""What is smaller stands there after so long in one place, at the border or over whatever of a rack: a mug.
A large one after longer, by how much larger it is."""


class Furniture:
    """Remembers the places that were hidden from the first look on, or for a long time since.

    A hand rests for seconds, a rack for the whole game. What is new and touches the picture's border, or comes
    in over a rack that stands there, reaches in.
    """

    def __init__(self, stays_s: float = 30.0) -> None:
        """``stays_s``: what lies in one place for so long belongs to the table."""
        self._stays_s = stays_s
        self._since: NDArray[np.float64] | None = None
        self.hidden: Mask = np.zeros((0, 0), np.bool_)
        """What was hidden in the last look, (h, w) at home, by what has not stood there for long."""

    def reaches_in(
        self, mask: Mask, seen: Mask, t_s: float, least_area: float, racks: Sequence[Corners] = ()
    ) -> bool:
        """Take in what hides the table at ``t_s``, (h, w) at home; tell whether something new reaches in.

        ``seen``: the part of home that the picture shows, (h, w); its border is where hands come in.
        ``least_area``: pixels of the mask that a hand has at least. ``racks``: (4, 2) each in its
        pixels, where racks stand that are no part of it.
        """
        mask = np.asarray(mask, np.bool_)
        if self._since is None or self._since.shape != mask.shape:
            self._since = np.where(mask, -np.inf, np.inf)
            self.hidden = np.zeros_like(mask)
            return False
        self._since[mask & (self._since <= t_s - self._stays_s)] = -np.inf
        self._since[~mask & (self._since > -np.inf)] = np.inf
        self._since[mask & (self._since == np.inf)] = t_s
        # Edges of what stands flicker with light and noise.
        kernel = np.ones((7, 7), np.uint8)
        stands = (self._since == -np.inf).astype(np.uint8)
        for rack in np.round(np.asarray(racks)).astype(np.int32):
            cv2.fillConvexPoly(stands, rack, 1)
            cv2.polylines(stands, [rack], True, 1, max(round(_RACK_MARGIN * math.sqrt(least_area)), 1))
        old = np.asarray(cv2.dilate(stands, kernel), np.uint8)
        self.hidden = mask & (old == 0)
        fresh = np.asarray(self.hidden, np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(fresh, connectivity=8)
        border = rim(seen, 2)
        at_rim = _touching(old, rim(seen, math.ceil(math.sqrt(least_area))))
        near_old = np.asarray(cv2.dilate(at_rim, kernel)) > 0
        broad = max(_TOUCHES_PX, _BROAD_PX * math.sqrt(least_area))
        for label in range(1, count):
            if stats[label, cv2.CC_STAT_AREA] < least_area:
                continue
            blob = labels == label
            if _is_thread(blob, math.sqrt(least_area)) and not _lies_along(blob, border):
                continue
            rests_s = t_s - float(np.median(self._since[blob]))
            mug_s = _mug_s(blob, stats[label, cv2.CC_STAT_AREA] / least_area)
            if (blob & border).any() and rests_s < mug_s:
                return True
            if stats[label, cv2.CC_STAT_AREA] < _LARGER * least_area:
                continue
            beside = int((blob & near_old).sum())
            if beside > _TOUCHES_PX and rests_s < (mug_s if beside > broad else _LONG_S):
                return True
        return False


def _mug_s(blob: Mask, size: float) -> float:
    """Seconds after which what touches the border and rests is a mug; never where its shape is an arm's.

    ``size``: its area, in least areas of a hand.
    """
    if size <= _ARM:
        return _VERY_LONG_S
    outlines, _ = cv2.findContours(blob.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea)
    _, radius = cv2.minEnclosingCircle(outline)
    compact = float(np.count_nonzero(blob)) >= _COMPACT * math.pi * radius**2
    if not compact:
        _, sides, _ = cv2.minAreaRect(outline)
        filled = cv2.contourArea(outline) / max(cv2.contourArea(cv2.convexHull(outline)), 1.0)
        compact = max(sides) <= _STOUT * min(sides) and filled >= _NO_FINGERS
    return _VERY_LONG_S * size / _ARM if compact and size <= _LARGE_MUG else math.inf


def _is_thread(blob: Mask, tile_px: float) -> bool:
    """True where it is thinner everywhere, and longer than any finger; ``tile_px``: the width of a tile."""
    if np.count_nonzero(blob) < _THIN * _THREAD * tile_px**2 / 2:
        return False
    thick = 2 * float(cv2.distanceTransform(np.pad(blob, 1).astype(np.uint8), cv2.DIST_L2, 5).max())
    across, down = (np.flatnonzero(blob.any(axis=axis)) for axis in (0, 1))
    length = math.hypot(across[-1] - across[0], down[-1] - down[0])
    return thick < _THIN * tile_px and length > _THREAD * tile_px


def _lies_along(blob: Mask, border: Mask) -> bool:
    """True where more of it lies at the picture's border than its end: an arm that the picture cuts off."""
    return bool(np.count_nonzero(blob & border) > 0.2 * np.count_nonzero(blob))


def _touching(old: NDArray[np.uint8], edge: Mask) -> NDArray[np.uint8]:
    """Keep what stands so close to the border that an arm may come in over it and over nothing else."""
    _, labels = cv2.connectedComponents(old, connectivity=8)
    return np.asarray(np.isin(labels, labels[edge & (old > 0)]), np.uint8)
