"""What a numeral's ink says against its colour: a doubt where the ink is another colour's, or black has a hue.

It doubts, and but for a black that is plainly red and a green beside blues it names no colour: told by ink,
colours of small and dim tiles were wrong more often than by themselves.
Inks here are shares of a tile's own white, RGB 0..1, so that light and shadow count little.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.classify import COLOUR_LETTERS, JOKER_CLASS, FaceReadings, Probabilities, tile_white
from vision.ink_depth import DEEPEST, PALE, ink_depth
from vision.rectify import Pyramid
from vision.robust import quantile

__all__ = [
    "are_green",
    "are_red",
    "doubted_by_ink",
    "fourth_beside_red",
    "fourth_in_green",
    "inks_of",
    "less_sure_colours",
    "suits_doubted_by_ink",
]

_FULL = 0.8
"""Share of that distance from which on a pixel is ink, not its blurred edge."""
_FEW_PX = 6
_NUMERAL_PX = 46
"""Rows of a crop that show the numeral; what is below may be a mark in another ink."""
_NEAR = 0.1
"""Inks nearer than this may be one."""
_NEARER = 0.7
"""So much nearer than any ink of its own colour is the other colour's, as a share."""
_KNOWN = 0.97
"""Faces whose colour is more probable than this say what inks the colours have."""
_HUE = 0.2
"""Black differs less than this between red, green and blue."""
_LIKE_BLACK = 0.13
"""An ink as near as this to a black without a hue is that black, in warmer light."""
_HELD = 0.8
"""A colour that the ink speaks against is no more probable than this: of such, four in five are right."""
_REDDER = 0.18
"""So much more red than green and blue no black is: brown of another colour's tiles, under any light."""
_REDDISH = 0.1
"""So much more red no spade is, nor a club."""
_NO_OTHER_RED = 0.3
"""Where sure reds are printed in another ink than that, a set may call its brown black."""
_GREENER = 0.16
"""So much more green than red and blue no set's blue is, the greenest teal either."""
_GREENISH = 0.08
"""The same where another numeral of the picture is plainly green."""
_HUE_OF_GREEN, _NO_BLUE, _NO_BLACK = 0.1, 0.5, 0.13
"""In shares of its depth, green is more green than the first; by so much more green than the blues, and the
blacks, of its picture no blue is, and no black."""
_PLAIN = 0.04
"""Less green than this is black."""
_SURELY_RED, _REDS = 0.995, 3
"""Reds so sure, and so many, say what red this set has."""
_YELLOWER = 0.1
"""By so much more yellow than all of these, in shares of its depth, no red is: nine in ten of a picture's reds
lie nearer to each other than this."""
_OUTNUMBERED = 4
"""So many greens beside blues to one orange or yellow are the fourth colour, and that is none."""
_SHALLOW = 0.1
"""Of ink paler than this the hue is noise."""
_BLUER = 0.08
"""So much more blue than green a blue is that lies beside a green fourth colour."""
_BLACK, _RED, _BLUE, _FOURTH = (COLOUR_LETTERS.index(letter) for letter in "KRBO")


def doubted_by_ink(pyramid: Pyramid, readings: FaceReadings, corners: NDArray[np.float32]) -> FaceReadings:
    """Return the readings of the faces at ``corners`` (N, 4, 2), upright, less sure where the ink says so."""
    if not len(corners):
        return readings
    crops = pyramid.crops(list(corners))
    numbered = readings.number.argmax(axis=1) < JOKER_CLASS
    white = tile_white(crops)
    inks = inks_of(crops, white)

    def plainly(are_so: Callable[[NDArray[np.float64]], NDArray[np.bool_]]) -> NDArray[np.bool_]:
        """Tell which faces are so as a whole, and their numeral, too."""
        so = are_so(inks)
        so[so] = are_so(inks_of(crops[so, :_NUMERAL_PX], white[so]))
        return so

    colour = less_sure_colours(readings.colour, inks, numbered, plainly(are_red))
    colour = fourth_beside_red(colour, inks, numbered)
    return replace(readings, colour=fourth_in_green(colour, inks, numbered, plainly(are_green)))


def suits_doubted_by_ink(
    pyramid: Pyramid, readings: FaceReadings, corners: NDArray[np.float32]
) -> FaceReadings:
    """Return the readings of card faces at ``corners`` (N, 4, 2), upright: hearts and diamonds alone are red.

    A spade or a club in an ink that is rather red than black is rather one of these, and a doubt.
    """
    black = np.isin(readings.colour.argmax(axis=1), (_BLUE, _BLACK))
    black &= readings.number.argmax(axis=1) < JOKER_CLASS
    if not black.any():
        return readings
    crops = pyramid.crops(list(corners[black]))
    red = np.zeros(len(corners), np.bool_)
    inks = inks_of(crops, tile_white(crops))
    red[black] = inks[:, 0] - inks[:, 1:].max(axis=1) >= _REDDISH
    colour = readings.colour.copy()
    for k in np.flatnonzero(red):
        rather = np.where(np.isin(np.arange(4), (_RED, _FOURTH)), colour[k], 0.0)
        colour[k] = _HELD * rather / max(rather.sum(), 1e-9) + (1 - _HELD) * colour[k]
    return replace(readings, colour=colour)


def inks_of(crops_bgr: NDArray[np.uint8], white: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return each face's ink (N, 3); NaN where none is seen.

    ``crops_bgr`` (N, 64, 48, 3) are upright crops, ``white`` (N, 3) each tile's own white, RGB 0..1.
    """
    inks = np.full((len(crops_bgr), 3), np.nan)
    for k, (shares, depth) in enumerate(zip(*ink_depth(crops_bgr, white), strict=True)):
        full = depth >= max(_FULL * float(quantile(depth.ravel(), DEEPEST)), PALE)
        if np.count_nonzero(full) >= _FEW_PX:
            inks[k] = quantile(shares[full].T, 0.5)
    return inks


def are_red(inks: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which inks (N, 3) are so red that they are no black; none where nothing is seen."""
    return np.asarray(inks[:, 0] - inks[:, 1:].max(axis=1) >= _REDDER)


def are_green(inks: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which inks (N, 3) are plainly green; none where nothing is seen."""
    return np.asarray(_greenness(inks) >= _GREENER)


def _greenness(inks: NDArray[np.float64]) -> NDArray[np.float64]:
    """By how much each ink (N, 3) is more green than red and blue."""
    return np.asarray(inks[:, 1] - inks[:, ::2].max(axis=1))


def fourth_beside_red(
    colour: Probabilities, inks: NDArray[np.float64], tells: NDArray[np.bool_]
) -> Probabilities:
    """Return the colours (N, 4) where a set's orange is nearly its red: a doubt, and rather the fourth colour.

    A set's red is one ink. What is less surely red than several others, and plainly yellower than all of these,
    is none. Arguments as of :func:`less_sure_colours`.
    """
    seen = tells & ~np.isnan(inks).any(axis=1)
    reds = seen & (colour[:, _RED] >= _SURELY_RED)
    if reds.sum() < _REDS:
        return colour
    yellow = (inks[:, 1] - inks[:, 2]) / np.maximum(1 - inks.mean(axis=1), _SHALLOW)
    settled = colour.copy()
    for k in np.flatnonzero(seen & ~reds & (colour.argmax(axis=1) == _RED)):
        if yellow[k] >= yellow[reds].max() + _YELLOWER:
            settled[k] = _held(np.where(np.arange(4) == _FOURTH, colour[k].sum(), 0.0), _RED)
    return settled


def fourth_in_green(
    colour: Probabilities, inks: NDArray[np.float64], tells: NDArray[np.bool_], green: NDArray[np.bool_]
) -> Probabilities:
    """Return the colours (N, 4) where a set's fourth colour is green, which passes for its blue.

    Beside blue numerals, and with no orange or yellow in view, green is the fourth colour. Beside orange or
    yellow, and with no blue in view, it is what this set has for blue, as read. Else what passes for blue is a
    doubt, and with none of these in view rather the fourth colour: sets with a green one are more than sets
    without a blue. Arguments as of :func:`less_sure_colours`; ``green`` (N,) says which are plainly so.
    """
    seen = tells & ~np.isnan(inks).any(axis=1)
    first, known = colour.argmax(axis=1), colour.max(axis=1) >= _KNOWN
    blues = seen & known & (first == _BLUE) & (inks[:, 2] - inks[:, 1] >= _BLUER)
    greenness = _greenness(inks)
    plain = seen & known & (first == _BLACK) & (greenness < _PLAIN)
    # A set's blue is one ink and its black is one: what is so much greener is none of them. Pale prints have
    # less of a hue than dark ones.
    hue = greenness / np.maximum(1 - inks.mean(axis=1), _SHALLOW)
    no_blue = blues.any() & (hue >= _HUE_OF_GREEN) & (hue - _median(hue[blues]) >= _NO_BLUE)
    no_black = plain.any() & (first == _BLACK) & (hue - _median(hue[plain]) >= _NO_BLACK)
    green = green | no_blue | (no_black & (greenness >= _GREENISH))
    taken = seen & green & (first != _RED)
    if not taken.any():
        return colour
    # Where one is plainly green, paler prints of that ink are told from the blues and blacks, too.
    taken |= seen & (((first == _BLUE) & (greenness >= _GREENISH)) | no_black)
    blue = bool(blues.any())
    warm_ones = int((seen & known & (first == _FOURTH) & (inks[:, 0] > inks[:, 1])).sum())
    # One orange among many greens, beside blues, is a thing that was taken for a tile, or a red.
    warm = warm_ones > 0 and not (blue and _OUTNUMBERED * warm_ones <= int(taken.sum()))
    settled = colour.copy()
    for k in np.flatnonzero(taken):
        as_fourth = first[k] == _FOURTH
        if warm:
            if blue or as_fourth:
                settled[k] = _held(colour[k], _BLUE if as_fourth else _FOURTH)
        elif blue or not as_fourth:
            settled[k, [_BLUE, _BLACK, _FOURTH]] = 0.0
            settled[k, _FOURTH] = colour[k, [_BLUE, _BLACK, _FOURTH]].sum()
            if not blue:
                settled[k] = _held(settled[k], int(first[k]))
    return settled


def _median(values: NDArray[np.float64]) -> float:
    return float(np.median(values)) if len(values) else 0.0


def less_sure_colours(
    colour: Probabilities, inks: NDArray[np.float64], tells: NDArray[np.bool_], red: NDArray[np.bool_]
) -> Probabilities:
    """Return the colours (N, 4), those that the ink speaks against held down to a doubt.

    None is changed but black in an ink that is plainly red, on a table without a brighter one: that is red, and
    a doubt.
    ``inks`` (N, 3) as :func:`inks_of` returns them; ``tells`` (N,) says which faces show a numeral: jokers are
    printed in any ink; ``red`` (N,) which of them are plainly red, the numeral, too.
    """
    told = np.flatnonzero(tells & ~np.isnan(inks).any(axis=1))
    first, known = colour[told].argmax(axis=1), colour[told].max(axis=1) >= _KNOWN
    apart = np.linalg.norm(inks[told][:, None] - inks[told][None], axis=2)
    np.fill_diagonal(apart, np.inf)
    reds, brown = known & (first == _RED), (first == _BLACK) & red[told]
    if reds.any():
        brown &= apart[:, reds].min(axis=1) <= _NO_OTHER_RED
    known &= ~brown
    hued = np.ptp(inks[told], axis=1) > _HUE
    plain = known & (first == _BLACK) & ~hued
    settled = colour.copy()
    for row, k in enumerate(told):
        if brown[row]:
            settled[k] = _held(np.where(np.arange(4) == _RED, colour[k].sum(), 0.0), _BLACK)
            continue
        alike = known & (first == first[row])
        own = float(apart[row, alike].min(initial=np.inf))
        others = np.where(known & ~alike, apart[row], np.inf)
        nearest = int(others.argmin())
        if others[nearest] < min(_NEAR, _NEARER * own):
            settled[k] = _held(colour[k], int(first[nearest]))
        elif first[row] == _BLACK and hued[row] and apart[row, plain].min(initial=np.inf) > _LIKE_BLACK:
            settled[k] = _held(colour[k], int(colour[k].argsort()[-2]))
    return settled


def _held(colour: NDArray[np.float64], other: int) -> NDArray[np.float64]:
    """Return the colours (4,) with the first no surer than a doubt; what it loses goes to the ``other``."""
    held = colour.copy()
    lost = max(float(colour.max()) - _HELD, 0.0)
    held[colour.argmax()] -= lost
    held[other] += lost
    return held
