"""Squares of a cloth that pass for backs: its pattern goes on both ways, and it is the table's colour."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import quad_axes, turned_rad, with_neighbours
from vision.readings import FoundTile

__all__ = ["without_checks", "without_ground"]

_SAME, _OTHER = 24.0, 34.0
"""Grey levels in any channel up to which two squares of a cloth are of one colour, with a fold's shade over
them, and from which on two are of different ones."""
_PATCH = 0.2
"""A square's colour is the mean of a patch so many times as broad."""
_MANY = 6
"""With so many squares a cloth is checked."""
_STANDS_OUT, _LIKE_TABLE, _LESS_LIKE = 90.0, 40.0, 0.02
"""Grey levels in any channel from which on a back is not of the table's colour, and up to which it is, if the
channels' shares are nearer to the table's, by so much, than to those of the backs that stand out: one in the
shade keeps its own."""
_THINNED = 4
"""Every so many pixels tell the table's colour."""
_ALIGNED_RAD = np.radians(8.0)
"""Squares of a cloth that lie side by side are turned against each other by less."""


def without_checks(image_bgr: NDArray[np.uint8], finds: Sequence[FoundTile]) -> list[FoundTile]:
    """Leave out finds that are squares of a checked cloth, in a picture (H, W, 3), 8 bit.

    Beside such a square lie others of another colour, and after these its own colour again, both ways; and what
    lies across the corner is not what lies beside it, as a table between backs is.
    """
    if len(finds) < _MANY:
        return list(finds)
    quads = np.stack([find.corners_xy_px for find in finds])
    sure = _corners(quads, image_bgr) >= 2
    if sure.sum() < _MANY:
        return list(finds)
    checks = with_neighbours(quads, sure, _aligned(quads, sure))
    return [find for find, check in zip(finds, checks, strict=True) if not check]


def without_ground(image_bgr: NDArray[np.uint8], finds: Sequence[FoundTile]) -> list[FoundTile]:
    """Leave out finds that have the colour of the table, in a picture (H, W, 3), where many others stand out.

    A box's backs are of one plastic: where many are far from the median colour of all that lies around, what is
    near that, and no back in the shade, is a part of the table: a square of a cloth of nearly one tone.
    """
    if len(finds) < 2 * _MANY:
        return list(finds)
    quads = np.stack([find.corners_xy_px for find in finds])
    colours = _means(image_bgr, quads.mean(axis=1), _reach(*quad_axes(quads)))
    if not (np.fmax.reduce(colours) - np.fmin.reduce(colours) > _STANDS_OUT - _LIKE_TABLE).any():
        return list(finds)  # all of one colour, whatever the table's is
    thin = image_bgr[::_THINNED, ::_THINNED]
    beside = np.ones(thin.shape[:2], np.uint8)
    cv2.fillPoly(beside, list(np.round(quads / _THINNED).astype(np.int32)), 0)
    if not beside.any():
        return list(finds)
    table = np.median(thin[beside > 0], axis=0)[None]
    apart = np.abs(colours - table).max(axis=1)
    stand_out = apart > _STANDS_OUT
    if stand_out.sum() < 2 * _MANY:
        return list(finds)
    hues, backs = _hue(colours), np.median(_hue(colours[stand_out]), axis=0)[None]
    like = np.abs(hues - _hue(table)).max(axis=1) + _LESS_LIKE < np.abs(hues - backs).max(axis=1)
    ground = (apart < _LIKE_TABLE) & like
    if ground.sum() < _MANY:
        return list(finds)
    return [find for find, is_ground in zip(finds, ground, strict=True) if not is_ground]


def _hue(colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the shares of the channels (N, 3), which no shadow changes by much."""
    return np.asarray(colours / np.maximum(colours.sum(axis=1, keepdims=True), 1.0), np.float64)


def _aligned(quads: NDArray[np.float32], sure: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which of the quads (N, 4, 2) are turned as the ``sure`` one is that lies nearest."""
    middles = quads.mean(axis=1)
    away = np.linalg.norm(middles[:, None] - middles[sure][None], axis=2)
    nearest = quads[sure][away.argmin(axis=1)]
    return np.array([turned_rad(*pair) < _ALIGNED_RAD for pair in zip(quads, nearest, strict=True)])


def _corners(quads: NDArray[np.float32], image_bgr: NDArray[np.uint8]) -> NDArray[np.int_]:
    """Return in how many of the four quadrants around each of N places (N, 4, 2) the pattern goes on."""
    across, down = quad_axes(quads)
    middles = quads.mean(axis=1)
    reach = _reach(across, down)

    @cache
    def colour(right: int, below: int) -> NDArray[np.float64]:
        """Return the mean colours (N, 3) of what lies so many places away; nan out of the picture."""
        return _means(image_bgr, middles + right * across + below * down, reach)

    own = colour(0, 0)
    found = np.zeros(len(quads), np.int_)
    for right, below in product((-1, 1), (-1, 1)):
        beside, under, corner = colour(right, 0), colour(0, below), colour(right, below)
        again = _same(own, colour(2 * right, 0)) & _same(own, colour(0, 2 * below))
        others = _differ(own, beside) & _differ(own, under)
        found += again & others & (_differ(corner, beside) | _differ(corner, under) | _differ(beside, under))
    return found


def _reach(across: NDArray[np.float32], down: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return how broad the patches are that tell places' colours, (N,), of places with these sides, (N, 2)."""
    return np.asarray(np.sqrt(np.linalg.norm(across, axis=1) * np.linalg.norm(down, axis=1)) * _PATCH)


def _means(
    image_bgr: NDArray[np.uint8], at: NDArray[np.float32], reach: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return mean colours (N, 3) around points (N, 2) of a picture; nan where one lies out of it."""
    half = np.maximum(reach, 1.0)[:, None]
    low, high = np.floor(at - half).astype(int), np.ceil(at + half).astype(int)
    inside = (low >= 0).all(axis=1) & (high < image_bgr.shape[1::-1]).all(axis=1)
    means = np.full((len(at), 3), np.nan)
    for k in np.flatnonzero(inside):
        (x0, y0), (x1, y1) = low[k], high[k]
        means[k] = cv2.mean(image_bgr[y0:y1, x0:x1])[:3]
    return means


def _same(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(np.abs(one - other).max(axis=1) < _SAME)


def _differ(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(np.abs(one - other).max(axis=1) > _OTHER)
