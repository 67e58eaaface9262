"""Which way round digits are up, where only other tiles can tell: by how these lie, and where their ink is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.ink_depth import DEEPEST, MARGIN_PX, PALE, ink_depth
from vision.quads import linked, quad_axes
from vision.robust import quantile

__all__ = ["heights_facing", "in_row", "ink_heights", "neighbours_facing"]

_BESIDE = 1.6
"""Neighbours' middles are nearer than this, in tile widths."""
_IN_LINE = 0.4
"""Tiles of one row lie less than this above or below each other, in shares of their height."""
_NEAR_ODDS, _FAR_ODDS = 4.0, 2.0
"""Log odds for the way of the tiles beside, and of the table."""
_APART = 0.1
"""By so much of a crop's height numerals of one row lie higher or lower than others (standard deviation)."""
_MOST_ODDS = 8.0
"""Log odds that the height of the ink gives at most."""
_INK = 0.5
"""Share of the depth in which ink is printed in full from which on a pixel is ink."""


def neighbours_facing(
    corners: NDArray[np.float32],
    known: NDArray[np.bool_],
    row_of: NDArray[np.bool_],
    rather: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return, for each tile (N, 4, 2), the log odds that its neighbours give to its being upright.

    A round digit without a mark looks the same upside down; then only the tiles beside it tell. Players lay
    the tiles of a set the same way up, nearly always; whoever sits opposite lays the next set the other way.
    ``known`` (N,) says whose way is known by itself; without such a tile in its row, all known ones of the
    table give a little, and so do round digits of its row that surely seem to lie so, ``rather`` (N,).
    ``row_of`` (N, N) as of :func:`in_row`.
    """
    up = corners[:, :2].mean(axis=1) - corners[:, 2:].mean(axis=1)
    up = up / np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-6)
    width = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
    centres = corners.mean(axis=1)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2) / np.maximum(width, 1e-6)[:, None]
    agree = up @ up.T
    odds = np.zeros(len(corners))
    for k in range(len(corners)):
        others = known.copy()
        others[k] = False
        row = others & row_of[k]
        near = row & (apart[k] < _BESIDE)
        if row.any():
            odds[k] = _NEAR_ODDS * agree[k, near if near.any() else row].mean()
            continue
        for some in (others, rather & row_of[k]):
            if some.any():
                odds[k] += _FAR_ODDS * agree[k, some].mean()
    return odds


def heights_facing(
    heights: NDArray[np.float64], known: NDArray[np.bool_], row_of: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return, for each of N tiles, the log odds that its ink's height gives to its being upright.

    A set's numerals are printed at one height, and what hides or adds a part of one tile of a row, such as the
    row in front on a rack, does so to those beside it: a round digit whose ink lies where that of its upright
    neighbours does is upright, too. ``heights`` (N,) as of :func:`ink_heights`; ``known`` (N,) says whose way
    is known by itself, ``row_of`` (N, N) as of :func:`in_row` who is of whose row.
    """
    tells = known & ~np.isnan(heights)
    odds = np.zeros(len(heights))
    for k in np.flatnonzero(~np.isnan(heights)):
        row = tells & row_of[k]
        if row.any():
            usual = float(np.median(heights[row]))
            odds[k] = (1 - 2 * heights[k]) * (1 - 2 * usual) / (2 * _APART**2)
    return np.clip(odds, -_MOST_ODDS, _MOST_ODDS)


def in_row(corners: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell, for each tile (N, 4, 2), which others (N, N) are of its row: beside it, or beside such ones."""
    right, down = quad_axes(corners)
    area = right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]
    centres = corners.mean(axis=1)
    off = centres[None] - centres[:, None]
    scale = np.where(np.abs(area) > 1, area, np.inf)[:, None]
    along = (off[..., 0] * down[:, 1, None] - off[..., 1] * down[:, 0, None]) / scale
    across = (right[:, 0, None] * off[..., 1] - right[:, 1, None] * off[..., 0]) / scale
    beside = (np.abs(along) < _BESIDE) & (np.abs(across) < _IN_LINE) & np.isfinite(scale)
    row = linked(beside | beside.T)
    np.fill_diagonal(row, False)
    return row


def ink_heights(crops_bgr: NDArray[np.uint8], white: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return at what share of its height the middle of each crop's ink lies, 0 at the top; NaN without ink.

    ``crops_bgr`` (N, 64, 48, 3) are upright crops, ``white`` (N, 3) each tile's own white, RGB 0..1.
    """
    _, depth = ink_depth(crops_bgr, white)
    full = quantile(depth.reshape(len(depth), -1), DEEPEST)
    inked = np.any(depth >= _INK * full[:, None, None], axis=2)
    first, last = inked.argmax(axis=1), inked.shape[1] - 1 - inked[:, ::-1].argmax(axis=1)
    heights = (MARGIN_PX[0] + (first + last + 1) / 2) / crops_bgr.shape[1]
    return np.where(full >= PALE, heights, np.nan)
