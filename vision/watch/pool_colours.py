"""The colours that backs have in the light of now: in the sun, in a shadow, and between the two at its edge.

All backs of a box are of one colour, so what lies in the sun shows how one looks there that is found no more,
and what lies in the shade how it would look in the shade. Colours are BGR, 0..255.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.quads import quad_axes
from vision.readings import Corners
from vision.watch.patches import INNER, SAME_LIGHT, Gain, Patch, Places

__all__ = ["BARED_SURELY", "BackColours", "bare_places"]

_EVEN = 6.0
"""Standard deviation in grey levels up to which a back lies in one light."""
_LOOKS = 12
"""Looks for which a light is remembered: shadows come and go."""
_FEWEST = 4
"""Fewer backs tell nothing of their colours."""
_ALIKE = 2
"""Backs that have to have a colour."""
_OWN, _MIXED = 9.0, 14.0
"""Levels of any colour within which a pixel has a back's own colour, and from the way between two of them."""
_ALL = 0.9
"""Share of a place of the backs' own colours and mixtures of two of these from which on a back lies there..."""
_RATHER, _TIMES = 0.15, 2.0
"""...and of own ones that it has beside so many times the ground's, where the ground has mixtures,"""
_MOSTLY = 0.5
"""and this at least out of the sun: there a bare place may have the noise of a dim picture."""
_HARDLY = 0.5
"""Share of a place of either kind up to which no back lies there."""
_GROUND_TOO = 0.25
"""Share of the bare places beside the backs from which on the ground has these colours, too."""
_BARED, BARED_SURELY = 0.3, 0.75
"""Share of a place of the ground's own colours, and so many times the backs', from which on it lies bare; and
from which on it surely does."""
_BESIDE, _APART = 1.3, 1.15
"""Tile widths (or heights) to a bare place beside a back, and at least from all others."""
_MOST_ASKED = 24
_BRIGHT_LEVELS, _LEAST_DIM = 120.0, 0.3
"""Colours darker than this have smaller differences, down to this share."""
_DISTINCT = 4.0
"""Levels within which two colours are one."""

Colours = NDArray[np.float32]


class BackColours:
    """Knows how the backs of a pool look in each of the lights that fall on it."""

    def __init__(self) -> None:
        """Know none yet."""
        self._seen: deque[Colours] = deque(maxlen=_LOOKS)
        self._known: Colours = np.zeros((0, 3), np.float32)
        self.now: Colours = np.zeros((0, 3), np.float32)
        """The colours, (N, 3), of backs of the last look that lay in one light each."""
        self._bare: Callable[[], Sequence[Patch]] = list
        self._ground: tuple[float, float] | None = None
        """Shares of the ground beside the backs that have their own colours, and these or mixtures of them."""
        self._beside: BackColours | None = None
        """The ground's own colours there."""

    def see(self, patches: Sequence[Patch | None], gain: Gain, bare: Callable[[], Sequence[Patch]]) -> None:
        """Take in how the backs look that were found; all is so many times as bright as in the look before.

        ``bare``, asked only when it is needed, is how places beside the backs look.
        """
        self._bare, self._ground, self._beside = cache(bare), None, None
        even = [np.median(patch[INNER], axis=0) for patch in patches if patch is not None and _is_even(patch)]
        self.now = np.asarray(even, np.float32).reshape(-1, 3)
        self._seen = deque((colours * gain for colours in self._seen), maxlen=_LOOKS)
        near = np.abs(self.now[:, None] - self.now[None]).max(axis=2) < _OWN
        self.now = self.now[near.sum(axis=1) >= _ALIKE]  # what is alone may be a gap that was found as a back
        if len(self.now) >= _FEWEST:
            self._seen.append(_distinct(self.now))
        if self._seen:
            self._known = _distinct(np.concatenate(list(self._seen)))

    def shown_by(self, patch: Patch, *, in_sun: bool = False) -> bool:
        """Say whether a place surely shows a back by its colours; none does where the ground has these, too.

        ``in_sun`` the edges of shadows lie over backs, and a part of one is enough, whose outline they shifted.
        """
        if not len(self._known):
            return False
        own, either = self._share(patch[INNER])
        if either < (_HARDLY if in_sun else _ALL):
            return False
        if self._ground is None:
            bare = np.concatenate([np.zeros((0, 3), np.float32), *(one[INNER] for one in self._bare())])
            self._ground = self._share(bare) if len(bare) else (1.0, 1.0)
        ground_own, ground_either = self._ground
        if ground_either < _GROUND_TOO:
            return True
        least = _RATHER + _TIMES * ground_own
        return ground_own < _GROUND_TOO and own >= (least if in_sun else max(least, _MOSTLY))

    def denied_by(self, patch: Patch) -> bool:
        """Say whether a place has hardly any of the backs' colours, in whatever light of now."""
        return len(self._known) > 0 and self._share(patch[INNER])[1] < _HARDLY

    def bared(self, patch: Patch, least: float = _BARED) -> bool:
        """Say whether a place shows rather the ground's own colours than the backs'."""
        if self._beside is None:
            self._beside = BackColours()
            self._beside.see(self._bare(), SAME_LIGHT, list)
        if not len(self._known) or not len(self._beside._known):
            return False
        return self._beside._share(patch[INNER])[0] >= max(least, _TIMES * self._share(patch[INNER])[0])

    def told(self, pixels: Colours) -> NDArray[np.bool_]:
        """Say which pixels (N, 3) have a back's colour in a light of now, or one between two of these."""
        return self._told(pixels)[1] if len(self._known) else np.zeros(len(pixels), np.bool_)

    def _share(self, pixels: Colours) -> tuple[float, float]:
        """Return shares of pixels (N, 3): of the backs' own colours, and of these and their mixtures."""
        own, either = self._told(pixels)
        return float(own.mean()), float(either.mean())

    def _told(self, pixels: Colours) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Say which pixels (N, 3) have a back's own colour, and which have one or lie between two of them."""
        # In dim light all differences are smaller.
        dim = np.clip(self._known.mean(axis=1) / _BRIGHT_LEVELS, _LEAST_DIM, 1)
        own = (np.abs(pixels[:, None] - self._known[None]).max(axis=2) < _OWN * dim).any(axis=1)
        levels = self._known.sum(axis=1)
        dark, bright = self._known[levels.argmin()], self._known[levels.argmax()]
        way = bright - dark
        at = np.clip((pixels - dark) @ way / max(float(way @ way), 1e-6), 0, 1)
        between = np.abs(pixels - dark - at[:, None] * way).max(axis=1) < _MIXED * dim.max()
        return own, own | between


def bare_places(backs: Sequence[Corners], others: Sequence[Corners], now: Places) -> list[Patch]:
    """Return how it looks beside ``backs``, (4, 2) each at home, where neither these nor ``others`` lie."""
    if not backs:
        return []
    quads = np.stack(backs)
    across, down = quad_axes(quads)
    shifts = np.concatenate([_BESIDE * across, -_BESIDE * across, _BESIDE * down, -_BESIDE * down])
    beside = np.concatenate([quads] * 4) + shifts[:, None]
    middles = np.stack([*quads, *others]).mean(axis=1)
    away = np.linalg.norm(beside.mean(axis=1)[:, None] - middles[None], axis=2).min(axis=1)
    width = float(np.median(np.linalg.norm(across, axis=1)))
    free = [quad.astype(np.float32) for quad, far in zip(beside, away, strict=True) if far > _APART * width]
    free = [quad for quad in free if now.shows(quad)]
    return now.patches(free[:: max(1, len(free) // _MOST_ASKED)])


def _is_even(patch: Patch) -> bool:
    return bool(patch[INNER].std(axis=0).max() < _EVEN)


def _distinct(colours: Colours) -> Colours:
    """Return colours (N, 3) less those that differ from none before them by more than can be seen."""
    kept = np.unique(np.round(colours / _DISTINCT), axis=0) * _DISTINCT
    return np.asarray(kept, np.float32)
