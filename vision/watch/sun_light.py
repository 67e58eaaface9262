"""The sun on a part of the table: what its light adds.

It is told where the ground's own grain is seen in both lights, by tiles that lie in either, and by what a
shadow that moves leaves bright and makes dark: an arm does one of these, and a sheet of paper the other.

A head that leans over throws a shadow with a hard edge, and what the sun lights again was perhaps learnt in the
shade. Either way the ground's look goes along one line: brighter by so much is redder by so much of that.
Looks are those of :mod:`vision.watch.cover`: log(R/G), log(B/G), log brightness.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.robust import quantile
from vision.watch.home_view import Floats, Mask, colour_noise, look_of

__all__ = ["SunLight"]

_LEAST = 0.25
"""Log brightness from which on a change tells what the light is like."""
_LEAST_SHARE = 0.002
"""Share of the picture that has to tell."""
_ONE_LIGHT = 0.08
"""How far the colours may lie apart, median distance, that are of one light."""
_MOST_COLOUR = 0.24
"""Colour for each unit of log brightness, at most: the sky's light beside the sun's."""
_RELIT = 0.15
"""Log brightness from which on a place lies in another light."""
_BEYOND = 1.5
"""So many times the change in brightness that was seen there may be of it."""
_SQUARE = np.ones((3, 3), np.uint8)
_MOST_DARK = 1.3
"""Log brightness that the sun's shadow takes at most: the sky is left. A black telephone takes more."""
_ALIKE = 0.03
"""Spread of colour within what a shadow left or took."""
_LIT, _NO_BRIGHTER = 0.85, 0.1
"""Share of the ground than which the sun lights nothing much brighter, in log brightness."""
_FEWEST, _GAP = 2, 0.2
"""Tiles that have to lie in either light, and the log brightness between the two kinds in which none does."""
_ROUGHLY = np.float32(1.6)
"""So many times the tolerance in pictures of one moment: what moves beside the light differs by far more."""
_OF_LATE = 40
"""Looks for which the sun is out after its shadow was seen."""
_RATE, _FADES = 0.3, 0.98
"""Weight of the newest picture, and how fast the strongest shadow is forgotten."""


class SunLight:
    """Knows how the ground's look changes between sun and shadow, once that was seen."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._way: Floats | None = None
        self._most = 0.0
        self._looks_ago = 0

    @property
    def is_out(self) -> bool:
        """True where its shadows have been seen of late."""
        return self._way is not None and self._looks_ago <= _OF_LATE

    def passes(self) -> None:
        """Another look begins: shadows that are not seen any more are forgotten in time."""
        self._looks_ago += 1

    def learn(self, apart: Floats, grained: Mask) -> None:
        """Take in how a picture differs from the ground, (h, w, 3); its own grain is seen where ``grained``."""
        tell = grained & (np.abs(apart[..., 2]) > _LEAST)
        if np.count_nonzero(tell) < _LEAST_SHARE * grained.size:
            return
        told = apart[tell]
        bright = told[:, 2:]
        way = np.asarray((told[:, :2] * bright).sum(axis=0) / np.square(bright).sum(), np.float32)
        rest = np.hypot(*(told[:, :2] - bright * way).T)
        if float(np.median(rest)) <= _ONE_LIGHT:
            self._take(way, float(quantile(np.abs(told[:, 2]), 0.8)))

    def learn_from_opposites(self, apart: Floats, foreign: Mask, ground: Mask, level: Floats) -> None:
        """Take in how a picture differs from the ground, (h, w, 3), where it is ``foreign`` to it, (h, w).

        ``ground`` is where it does not, ``level`` the picture's log brightness: what the sun lights again is
        no brighter than what it lit before; a sheet of paper is.
        """
        sides = []
        for sign in (1, -1):
            there = foreign & (sign * apart[..., 2] > _LEAST)
            there = cv2.erode(there.astype(np.uint8), _SQUARE).astype(bool)
            told = apart[there] * sign
            if len(told) < _LEAST_SHARE * foreign.size:
                return
            middle = np.median(told, axis=0)
            if float(np.median(np.abs(told[:, :2] - middle[:2]).max(axis=1))) > _ALIKE:
                return
            if sign > 0 and np.median(level[there]) > quantile(level[ground], _LIT) + _NO_BRIGHTER:
                return
            sides.append(middle)
        bright, dark = sides
        ways = bright[:2] / bright[2], dark[:2] / dark[2]
        if float(np.abs(ways[0] - ways[1]).max()) <= _ONE_LIGHT:
            self._take(np.asarray((ways[0] + ways[1]) / 2, np.float32), float(max(bright[2], dark[2])))

    def learn_from_bodies(self, bodies_bgr: Floats) -> None:
        """Take in the colours, (N, 3), 0..255, of tiles of one kind in one picture, some in the shade."""
        if len(bodies_bgr) < 2 * _FEWEST:
            return
        looks = look_of(bodies_bgr[None])[0]
        looks = looks[np.argsort(looks[:, 2])]
        gaps = np.diff(looks[:, 2])[_FEWEST - 1 : len(looks) - _FEWEST]
        cut = _FEWEST + int(gaps.argmax())
        dark, bright = looks[:cut], looks[cut:]
        apart = np.median(bright, axis=0) - np.median(dark, axis=0)
        spread = max(float(side.std(axis=0).max()) for side in (dark, bright))
        if gaps.max() < _GAP or apart[2] < _LEAST or spread > _ONE_LIGHT:
            return
        self._take(np.asarray(apart[:2] / apart[2], np.float32), float(apart[2]))

    def _take(self, way: Floats, most: float) -> None:
        if most > _MOST_DARK or float(np.abs(way).max()) > _MOST_COLOUR:
            return
        self._looks_ago = 0
        if self._way is None:
            self._way, self._most = way, most
            return
        weight = _RATE * min(1.0, most / self._most) ** 2  # the edge of a shadow says little, and that roughly
        self._way = np.asarray(self._way + weight * (way - self._way), np.float32)
        self._most = max(most, _FADES * self._most)

    def relit(self, was_bgr: Floats, now_bgr: Floats) -> Mask:
        """Return where colours (h, w, 3), 0..255, are only brighter or darker by the sun, and that much."""
        apart = _looks_apart(was_bgr, now_bgr)
        return self.explains(apart, _tolerance(was_bgr, now_bgr)) & (np.abs(apart[..., 2]) > _RELIT)

    def alone(self, was_bgr: Floats, now_bgr: Floats) -> Mask:
        """Return where colours (h, w, 3), 0..255, have changed by what the sun's light can do, or by less."""
        return self.explains(_looks_apart(was_bgr, now_bgr), _ROUGHLY * _tolerance(was_bgr, now_bgr))

    def explains(self, apart: Floats, tolerance: Floats) -> Mask:
        """Return where such a difference, (h, w, 3), is the light's; ``tolerance`` (h, w) is that in colour."""
        if self._way is None or not self.is_out:
            return np.zeros(apart.shape[:2], np.bool_)
        red, blue, bright = cv2.split(apart)
        rest = cv2.magnitude(red - bright * self._way[0], blue - bright * self._way[1])
        return np.asarray((rest < tolerance) & (np.abs(bright) < _BEYOND * self._most))


def _looks_apart(was_bgr: Floats, now_bgr: Floats) -> Floats:
    return np.asarray(look_of(now_bgr) - look_of(was_bgr), np.float32)


def _tolerance(was_bgr: Floats, now_bgr: Floats) -> Floats:
    return colour_noise(np.asarray(np.minimum(was_bgr, now_bgr).min(axis=2), np.float32))
