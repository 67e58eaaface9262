"""A lamp that lights a part of the table: how much the light differs from the one that the ground is known in.

Light has soft edges, and what lies or reaches over the table has not. So what looks otherwise than the ground
is the ground in another light where that goes over into unchanged ground without an edge.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.watch.home_view import Floats, Mask, mean_around

__all__ = ["lamp_light"]

_LEAST_SHARE = 0.02
"""Share of the known ground that has to be lit otherwise: less is no lamp."""
_LEAST_CALM = 0.03
"""Share of it, in one piece with what is lit otherwise, that looks as it did."""
_BLURRED = 7
"""Cells over which noise is taken out."""
_EDGE = 0.09
"""Tolerances a cell from which on a difference has an edge: of one tolerance, in noise, over seven cells."""
_FIELD_PX = (9, 41, 161)
"""Cells over which the light is carried to where the ground cannot be seen, the nearest first."""
_ENOUGH = 0.05
"""Share of those cells that have to tell."""


def lamp_light(apart: Floats, in_tolerances: Floats, foreign: Mask, known: Mask) -> Floats | None:
    """Return what to take from a picture's look, (h, w, 3), to see it in the light the ground is known in.

    ``apart`` (h, w, 3) is the picture's look less the ground's, ``in_tolerances`` the same in what may be.
    ``foreign`` (h, w) is where they differ by more, ``known`` where both are seen. None without a lamp.
    """
    total = max(int(np.count_nonzero(known)), 1)
    if np.count_nonzero(foreign & known) < _LEAST_SHARE * total:
        return None
    soft = known & ~_edges(in_tolerances, known)
    count, labels = cv2.connectedComponents(soft.astype(np.uint8), connectivity=4)
    calm = np.bincount(labels[soft & ~foreign], minlength=count)
    lit = np.bincount(labels[soft & foreign], minlength=count)
    is_lit = (calm >= _LEAST_CALM * total) & (lit >= _LEAST_SHARE * total)
    is_lit[0] = False
    if not is_lit.any():
        return None
    return _carried(apart, np.asarray(soft & is_lit[labels]))


def _edges(apart: Floats, known: Mask) -> Mask:
    """Return where the difference, in tolerances, goes up or down within few cells."""
    smooth, _ = mean_around(apart, known, _BLURRED, cv2.BORDER_CONSTANT)
    steep = np.zeros(known.shape, np.float32)
    for channel in cv2.split(smooth):
        across, down = (
            cv2.Sobel(channel, cv2.CV_32F, dx, 1 - dx, ksize=3, scale=1 / 8, borderType=cv2.BORDER_REPLICATE)
            for dx in (1, 0)
        )
        steep = np.maximum(steep, cv2.magnitude(across, down))
    return np.asarray(steep > _EDGE)


def _carried(apart: Floats, tell: Mask) -> Floats:
    field = np.zeros_like(apart)
    missing = np.ones(tell.shape, bool)
    for side in _FIELD_PX:
        mean, share = mean_around(apart, tell, side, cv2.BORDER_CONSTANT)
        here = missing & (share >= _ENOUGH)
        field[here] = mean[here]
        missing &= ~here
    if missing.any() and not missing.all():
        field[missing] = field[~missing].mean(axis=0)
    return field
