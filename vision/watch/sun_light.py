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
_LEAST_SHARE, _LARGE_SHARE = 0.002, 0.01
"""Share of the picture that has to tell, and that a shadow has to take up which is told by itself alone."""
_ONE_LIGHT = 0.08
"""How far the colours may lie apart, median distance, that are of one light."""
_LEAST_COLOUR, _MOST_COLOUR = (-0.2, -0.45), (0.35, 0.2)
"""Red and blue for each unit of log brightness, at least and at most: the sky is bluer than the sun."""
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


class _Line:
    """The line along which looks go between sun and shadow."""

    def __init__(self) -> None:
        self.way: Floats | None = None
        """Shape (2,): redder and bluer by so much, for each unit of log brightness."""
        self.most = 0.0
        self.looks_ago = 0

    @property
    def is_of_late(self) -> bool:
        return self.way is not None and self.looks_ago <= _OF_LATE

    def take(self, way: Floats, most: float) -> None:
        """Take in what one picture told of it."""
        if most > _MOST_DARK or (way < _LEAST_COLOUR).any() or (way > _MOST_COLOUR).any():
            return
        if self.way is None or not self.is_of_late:
            self.way, self.most = way, most
        weight = _RATE * min(1.0, most / self.most) ** 2  # the edge of a shadow says little, and that roughly
        self.way = np.asarray(self.way + weight * (way - self.way), np.float32)
        self.most = max(most, _FADES * self.most)
        self.looks_ago = 0

    def explains(self, apart: Floats, tolerance: Floats) -> Mask:
        """Return where a difference, (h, w, 3), lies along it."""
        assert self.way is not None
        red, blue, bright = cv2.split(apart)
        rest = cv2.magnitude(red - bright * self.way[0], blue - bright * self.way[1])
        return np.asarray((rest < tolerance) & (np.abs(bright) < _BEYOND * self.most))


class SunLight:
    """Knows how looks change between sun and shadow, once that was seen.

    Of the ground by itself, and of tiles, which are brighter: a camera's tone curve takes from what is bright.
    """

    def __init__(self) -> None:
        """Know nothing yet."""
        self._ground, self._tiles = _Line(), _Line()

    @property
    def is_out(self) -> bool:
        """True where its shadows have been seen of late."""
        return self._ground.is_of_late or self._tiles.is_of_late

    @property
    def is_on_ground(self) -> bool:
        """True where they were seen on the ground, too: tiles on a rack are darker than those that lie."""
        return self._ground.is_of_late

    def passes(self) -> None:
        """Another look begins: shadows that are not seen any more are forgotten in time."""
        self._ground.looks_ago += 1
        self._tiles.looks_ago += 1

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
            self._ground.take(way, float(quantile(np.abs(told[:, 2]), 0.8)))

    def learn_from_opposites(self, apart: Floats, foreign: Mask, ground: Mask, level: Floats) -> None:
        """Take in how a picture differs from the ground, (h, w, 3), where it is ``foreign`` to it, (h, w).

        ``ground`` is where it does not, ``level`` the picture's log brightness: what the sun lights again is
        no brighter than what it lit before; a sheet of paper is.
        """
        sides = []
        for sign in (1, -1):
            side = _side(apart, foreign, sign, _LEAST_SHARE)
            if side is None:
                return
            there, middle = side
            if sign > 0 and np.median(level[there]) > quantile(level[ground], _LIT) + _NO_BRIGHTER:
                return
            sides.append(middle)
        bright, dark = sides
        ways = bright[:2] / bright[2], dark[:2] / dark[2]
        if float(np.abs(ways[0] - ways[1]).max()) <= _ONE_LIGHT:
            way = np.asarray((ways[0] + ways[1]) / 2, np.float32)
            self._ground.take(way, float(max(bright[2], dark[2])))

    def learn_from_shadow(self, apart: Floats, foreign: Mask) -> None:
        """Take in how dark the ground is, (h, w, 3), in a shadow, where it is ``foreign`` to it, (h, w).

        Only while tiles are seen in sun and shadow: else it may be a sleeve.
        """
        if not self._tiles.is_of_late or self._tiles.way is None:
            return
        side = _side(apart, foreign, -1, _LARGE_SHARE)
        if side is None:
            return
        middle = side[1]
        way = np.asarray(middle[:2] / middle[2], np.float32)
        if (way * self._tiles.way >= 0).all():
            self._ground.take(way, float(middle[2]))

    def learn_from_bodies(self, bodies_bgr: Floats) -> None:
        """Take in the colours, (N, 3), 0..255, of tiles of one kind in one picture, some in the shade."""
        if len(bodies_bgr) < 2 * _FEWEST:
            return
        looks = look_of(bodies_bgr[None])[0]
        looks = looks[np.argsort(looks[:, 2])]
        gaps = np.diff(looks[:, 2])[_FEWEST - 1 : len(looks) - _FEWEST]
        cut = _FEWEST + int(gaps.argmax())
        dark, bright = looks[:cut], looks[cut:]
        middles = [np.median(side, axis=0) for side in (dark, bright)]
        apart = middles[1] - middles[0]
        off = (np.abs(side - middle) for side, middle in zip((dark, bright), middles, strict=True))
        spread = max(float(np.median(one, axis=0).max()) for one in off)
        if gaps.max() < _GAP or apart[2] < _LEAST or spread > _ALIKE:
            return
        self._tiles.take(np.asarray(apart[:2] / apart[2], np.float32), float(apart[2]))

    def relit(self, was_bgr: Floats, now_bgr: Floats) -> Mask:
        """Return where colours (h, w, 3), 0..255, are only brighter or darker by the sun, and that much."""
        apart = _looks_apart(was_bgr, now_bgr)
        return self.explains(apart, _tolerance(was_bgr, now_bgr)) & (np.abs(apart[..., 2]) > _RELIT)

    def alone(self, was_bgr: Floats, now_bgr: Floats) -> Mask:
        """Return where colours (h, w, 3), 0..255, have changed by what the sun's light can do, or by less."""
        return self.explains(_looks_apart(was_bgr, now_bgr), _ROUGHLY * _tolerance(was_bgr, now_bgr))

    def explains(self, apart: Floats, tolerance: Floats) -> Mask:
        """Return where such a difference, (h, w, 3), is the light's; ``tolerance`` (h, w) is that in colour."""
        told = np.zeros(apart.shape[:2], np.bool_)
        for line in (self._ground, self._tiles):
            if line.is_of_late:
                told |= line.explains(apart, tolerance)
        return told


def _side(apart: Floats, foreign: Mask, sign: int, least_share: float) -> tuple[Mask, Floats] | None:
    """Return where what is ``foreign`` is all brighter (``sign`` 1) or darker (-1) in one way, and by how much.

    ``apart`` (h, w, 3) is how the picture differs from the ground; by how much, (3,), is that times ``sign``.
    None where it is less than ``least_share`` of the picture, or differs in colour.
    """
    there = foreign & (sign * apart[..., 2] > _LEAST)
    there = cv2.erode(there.astype(np.uint8), _SQUARE).astype(bool)
    told = apart[there] * sign
    if len(told) < least_share * foreign.size:
        return None
    middle = np.median(told, axis=0)
    if float(np.median(np.abs(told[:, :2] - middle[:2]).max(axis=1))) > _ALIKE:
        return None
    return there, middle


def _looks_apart(was_bgr: Floats, now_bgr: Floats) -> Floats:
    return np.asarray(look_of(now_bgr) - look_of(was_bgr), np.float32)


def _tolerance(was_bgr: Floats, now_bgr: Floats) -> Floats:
    return colour_noise(np.asarray(np.minimum(was_bgr, now_bgr).min(axis=2), np.float32))
