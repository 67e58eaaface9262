"""One ink, one colour: a tile set's numerals are printed in four inks, so faces of one ink are of one colour.

Colours here are shares of a tile's own white, RGB 0..1, so that light and shadow count little.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.classify import JOKER_CLASS, FaceReadings, Probabilities, tile_white
from vision.rectify import Pyramid

__all__ = ["inks_of", "one_colour_an_ink", "told_by_ink"]

_MARGIN_PX = (8, 7)
"""Rows and columns at the rim of a crop that may show another tile, or none."""
_DEEPEST = 0.97
"""Quantile of the distance from white at which ink is printed in full; the very deepest may be noise."""
_FULL = 0.8
"""Share of that distance from which on a pixel is ink, not its blurred edge."""
_PALE = 0.15
"""Nearer to white than this is no ink."""
_FEW_PX = 6
_SAME = 0.05
"""Inks as near as this are one; two inks of a set are farther apart, as is one in two lights."""
_WIDE_PX = 40.0
"""A narrower tile's ink is mixed with what is around it."""
_CHANGED = 0.85
"""What the others make another colour is not more probable than this, and so a doubt."""
_VOTE = 0.02
"""No face speaks against a colour with less than this probability."""
_UNSURE = 0.995
"""Faces whose colour is less probable than this are told by the others of their ink."""


def told_by_ink(pyramid: Pyramid, readings: FaceReadings, corners: NDArray[np.float32]) -> FaceReadings:
    """Return the readings of the faces at ``corners`` (N, 4, 2), set upright, with unsure colours so told."""
    if (readings.colour.max(axis=1, initial=0.0) >= _UNSURE).all():
        return readings
    crops = pyramid.crops(list(corners))
    numbered = readings.number.argmax(axis=1) < JOKER_CLASS
    return replace(
        readings, colour=one_colour_an_ink(readings.colour, inks_of(crops, tile_white(crops)), numbered)
    )


def inks_of(crops_bgr: NDArray[np.uint8], white: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return each face's ink (N, 3); NaN where none is seen.

    ``crops_bgr`` (N, 64, 48, 3) are upright crops, ``white`` (N, 3) each tile's own white, RGB 0..1.
    """
    rows, columns = _MARGIN_PX
    inks = np.full((len(crops_bgr), 3), np.nan)
    for k, crop in enumerate(crops_bgr):
        shown = crop[rows:-rows, columns:-columns, ::-1].reshape(-1, 3) / 255
        shares = np.clip(shown / np.maximum(white[k], 0.05), 0, 1.2)
        depth = np.linalg.norm(1 - shares, axis=1)
        full = depth >= max(_FULL * float(np.quantile(depth, _DEEPEST)), _PALE)
        if np.count_nonzero(full) >= _FEW_PX:
            inks[k] = np.median(shares[full], axis=0)
    return inks


def one_colour_an_ink(
    colour: Probabilities, inks: NDArray[np.float64], tells: NDArray[np.bool_]
) -> Probabilities:
    """Return the colours (N, 4) with those of unsure faces weighed with what the others of their ink say.

    ``inks`` (N, 3) as :func:`inks_of` returns them; ``tells`` (N,) says which faces count, those that show a
    numeral large enough: jokers are printed in any ink. So many votes count as the root of their number, for
    they err together; a colour that they change stays a doubt.
    """
    told = np.flatnonzero(tells & ~np.isnan(inks).any(axis=1))
    votes = np.log(np.maximum(colour[told], _VOTE))
    settled = colour.copy()
    for k in told[colour[told].max(axis=1) < _UNSURE]:
        near = (np.linalg.norm(inks[told] - inks[k], axis=1) < _SAME) & (told != k)
        if near.any():
            odds = np.log(np.maximum(colour[k], 1e-9)) + votes[near].sum(axis=0) / np.sqrt(near.sum())
            share = np.exp(odds - odds.max())
            settled[k] = _no_surer(share / share.sum(), int(colour[k].argmax()))
    return settled


def _no_surer(share: NDArray[np.float64], before: int) -> NDArray[np.float64]:
    """Return the colours (4,) with the first one held down where it was another ``before``."""
    first = int(share.argmax())
    if first == before or share[first] <= _CHANGED:
        return share
    held = share * (1 - _CHANGED) / max(1 - share[first], 1e-12)
    held[first] = _CHANGED
    return np.asarray(held / held.sum())
