"""Bare table where a thing stood that was taken for table itself: a phone, a coaster, a patch of sunlight.

What lies there from the first picture on, as dark as a shadow or without colour, is learned as ground. Once it
is taken away its place shows what lies around it, and that is no hand and nothing that was put down.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.robust import MEDIAN_TO_SD
from vision.watch.home_view import Floats, HomeView, Mask

__all__ = ["bared"]

_RING = np.ones((19, 19), np.uint8)
"""What lies so near around a place tells how the table looks there."""
_LEAST_CELLS, _LEAST_RING = 12, 40
"""Cells of a place that are looked at, and of what lies around it for it to tell anything."""
_COLOUR_TIMES, _LIGHT = 1.4, 0.2
"""Multiples of the view's tolerance in colour, and log brightness, by which table may differ from table."""
_SPREADS = 2.0
"""So many standard deviations of what lies around come on top."""
_SPECKS = np.ones((3, 3), np.uint8)


def bared(view: HomeView, ground: Floats, known: Mask, foreign: Mask) -> Mask:
    """Return which of the ``foreign`` cells (h, w) show the table as it looks around them.

    And were remembered, in ``ground`` (h, w, 3), as something that does not: a motley cloth is remembered as it
    looks around, and what lies on it is never taken for it.
    """
    found = np.zeros(foreign.shape, np.uint8)
    there = foreign & view.free & known
    calm = view.free & known & ~foreign
    count, labels, stats, _ = cv2.connectedComponentsWithStats(there.astype(np.uint8), connectivity=8)
    reach = _RING.shape[0] // 2
    for label in range(1, count):
        x, y, width, height, size = stats[label].tolist()
        if size < _LEAST_CELLS:
            continue
        part = slice(max(y - reach, 0), y + height + reach), slice(max(x - reach, 0), x + width + reach)
        place = labels[part] == label
        ring = (cv2.dilate(place.astype(np.uint8), _RING) > 0) & calm[part]
        if np.count_nonzero(ring) < _LEAST_RING:
            continue
        around = view.look[part][ring]
        middle = np.median(around, axis=0)
        spread = _SPREADS * MEDIAN_TO_SD * np.median(np.abs(around - middle), axis=0)
        colour = _COLOUR_TIMES * view.noise[part][place] + float(np.hypot(*spread[:2]))
        now, before = (
            _apart(looks[part][place] - middle, colour, _LIGHT + float(spread[2]))
            for looks in (view.look, ground)
        )
        found[part][place] = (now < 1) & (before > 1)
    return np.asarray(cv2.morphologyEx(found, cv2.MORPH_OPEN, _SPECKS) > 0)


def _apart(looks: Floats, colour: Floats, light: float) -> Floats:
    """Return how far differences of looks, (N, 3), are from none, in these tolerances."""
    return np.maximum(np.hypot(looks[:, 0], looks[:, 1]) / colour, np.abs(looks[:, 2]) / np.float32(light))
