"""How places of the table look: small upright cut-outs, compared from look to look.

What differs where a tile lay, while nothing around it does, is the tile: nothing covers both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners
from vision.robust import quantile
from vision.watch.look import Homography, bring, known_at, known_at_each, still_known

__all__ = [
    "INNER",
    "PLACE_IN_PATCH",
    "SAME_LIGHT",
    "Gain",
    "HomePicture",
    "Patch",
    "PatchMemory",
    "Places",
    "apart",
    "correlation",
    "dimness",
    "half_calm",
    "has_gone",
    "is_light_alone",
    "light",
]

Patch = NDArray[np.float32]
"""Shape (24, 20, 3): a place and what lies around it, upright, BGR; the place itself is the inner half."""

PLACE_IN_PATCH = np.array([[5, 6], [15, 6], [15, 18], [5, 18]], np.float32)
"""Where in a patch the corners of the place itself lie, (4, 2) x, y."""

Gain = NDArray[np.float32]
"""Shape (3,): how much brighter blue, green and red are."""
SAME_LIGHT: Gain = np.ones(3, np.float32)
"""Neither brighter nor darker."""

_CHANGED_LEVELS = 16.0
"""Mean difference in grey levels from which on a place looks otherwise."""
_BRIGHT_LEVELS, _LEAST_DIM = 140.0, 0.4
"""Tiles darker than this, the median of their places, lie in dim light: all differences are smaller in it, down
to the least share that is told from noise."""
_CHANGED_TIMES = 3.0
"""The same, in medians of what places differ by on which the same tile lies still."""
_AROUND = 0.5
"""Share of a place's change from which on its surroundings have changed as well: something covers both."""
_LEAST_AROUND, _MORE_AROUND = 2.5, 5.0
"""Grey levels by which nine tenths, and three quarters, of what lies around have changed where something lies
over all of it: where tiles were taken 2.0 and 4.5 at most, under a head as brown as the table 3.4 and 5.6."""
_SMOOTHER, _SMOOTH_LEVELS = 0.55, 20.0
"""Share of the figure around a tile, and standard deviation in grey levels, up to which something smooth may
lie over it: a checked cloth keeps its own, and a white one has none."""
_AROUND_COVERED = 0.25
"""The same where the ground tells that the place is covered."""
_HALF_AROUND = 0.1
"""The same of half of the surroundings, where something came to stand nearby: a mug as grey as the table."""
_UNTOUCHED_LEVELS, _UNTOUCHED_TIMES = 3.0, 2.5
"""The same two measures below which a place looks just as it did: another figure would show. Times the quarter:
of what lay in a hand's shadow in the last look more than half may look otherwise in this one."""
_CALM_LEVELS = 6.0
"""Grey levels by which noise changes a place at most."""
_NO_FIGURE = 1e-3
"""Standard deviation in grey levels of what is all alike."""
_BEYOND = 0.2
"""Tile widths by which a place may reach beyond the picture and still be seen."""
_SAME_RED, _SAME_BLUE = 0.05, 0.065
"""Change of log(R/G) and log(B/G) up to which a place has kept its hue: shaded backs had 0.046 and 0.057."""
_ALL_OF_IT, _LIT_AGAIN = 0.75, 1.3
"""Share of a place that changes where a back was taken, and how much brighter it is out of a shadow."""
INNER = np.zeros((24, 20), np.bool_)
INNER[7:17, 6:14] = True
"""The pixels of a patch, (24, 20), that the place itself takes up, without its edges."""
_PLACE = np.zeros((24, 20), np.bool_)
_PLACE[6:18, 5:15] = True
"""All of it."""
_PARTLY = 0.2
"""Share of a place that shows that something narrower than a tile lies over it."""


class Places(Protocol):
    """A picture, seen as places at home."""

    def patches(self, homes: Sequence[Corners]) -> list[Patch]:
        """Return how places at home, (4, 2) each, look in this picture."""
        ...

    def shows(self, home: Corners) -> bool:
        """Say whether nearly all of a place at home, (4, 2), lies within this picture."""
        ...

    def crop(self, home: Corners, scale: float) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return how an upright rectangle at home, (4, 2), looks, ``scale`` times as large: (h, w, 3), BGR.

        And (h, w), what of it lies within the picture.
        """
        ...


class HomePicture:
    """A settled picture whose places are asked for by where they are at home."""

    def __init__(self, image_bgr: NDArray[np.uint8], from_home: Homography) -> None:
        """Take the picture (H, W, 3) and the homography from home's pixels to its own."""
        self._image, self._from_home = image_bgr, from_home

    def patches(self, homes: Sequence[Corners]) -> list[Patch]:
        """Return how places at home, (4, 2) each, look in this picture."""
        frame = 2 * PLACE_IN_PATCH
        cut = []
        for home in homes:
            matrix = cv2.getPerspectiveTransform(bring(home, self._from_home), frame)
            patch = cv2.warpPerspective(self._image, matrix, (40, 48), borderMode=cv2.BORDER_REPLICATE)
            small = cv2.resize(patch, (20, 24), interpolation=cv2.INTER_AREA)
            cut.append(np.asarray(small, np.float32))
        return cut

    def crop(self, home: Corners, scale: float) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return how an upright rectangle at home, (4, 2), looks, ``scale`` times as large: (h, w, 3), BGR.

        And (h, w), what of it lies within the picture.
        """
        width, height = np.maximum(np.round((home[2] - home[0]) * scale), 1).astype(int)
        frame = 2 * np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        matrix = cv2.getPerspectiveTransform(bring(home, self._from_home), frame)
        size = (2 * int(width), 2 * int(height))
        large = cv2.warpPerspective(self._image, matrix, size, borderMode=cv2.BORDER_REPLICATE)
        small = cv2.resize(large, (int(width), int(height)), interpolation=cv2.INTER_AREA)
        whole = np.full(self._image.shape[:2], 255, np.uint8)
        within = cv2.warpPerspective(whole, matrix, size)
        seen = cv2.resize(within, (int(width), int(height)), interpolation=cv2.INTER_AREA) == 255
        return np.asarray(small, np.float32), np.asarray(seen)

    def shows(self, home: Corners) -> bool:
        """Say whether nearly all of a place at home, (4, 2), lies within this picture."""
        here = bring(home, self._from_home)
        height, width = self._image.shape[:2]
        beyond = _BEYOND * float(np.linalg.norm(here[1] - here[0]))
        return bool((here > -beyond).all() and (here < [width + beyond, height + beyond]).all())


def light(
    pairs: Sequence[tuple[Patch | None, Patch | None]], least_levels: float = _CHANGED_LEVELS
) -> tuple[Gain, float]:
    """Return how much brighter the picture is than the last, and what difference means a change.

    ``least_levels``: the least mean difference in grey levels that does, in good light.
    """
    both = [(old, new) for old, new in pairs if old is not None and new is not None]
    if len(both) < 3:
        return SAME_LIGHT, least_levels
    ratios = [new.mean(axis=(0, 1)) / np.maximum(old.mean(axis=(0, 1)), 1.0) for old, new in both]
    gain = np.median(ratios, axis=0).astype(np.float32)
    usual = float(np.median([apart(old, new, gain) for old, new in both]))
    return gain, max(least_levels * dimness([new for _, new in both]), _CHANGED_TIMES * usual)


def dimness(patches: Sequence[Patch]) -> float:
    """Return the share, up to 1, to which differences in grey levels shrink in the light that these lie in."""
    level = float(np.median([patch[INNER].mean() for patch in patches]))
    return min(max(level / _BRIGHT_LEVELS, _LEAST_DIM), 1.0)


def apart(old: Patch, new: Patch, gain: Gain) -> float:
    """Mean difference in grey levels within the place itself."""
    return float(np.abs(old * gain - new)[INNER].mean())


def correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Return how far two pictures of one size show one figure, in whatever light: -1 to 1; 0 without any."""
    if min(float(one.std()), float(other.std())) < _NO_FIGURE:
        return 0.0
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def has_gone(
    old: Patch, new: Patch, gain: Gain, bar: float, most_around: float = _AROUND, most_half: float = 1.0
) -> bool:
    """Say whether the place looks otherwise while what lies around it does not: then nothing covers both.

    ``most_around``: share of the place's change by which its surroundings may have changed besides, three
    quarters of them; ``most_half``: the same for half of them.
    """
    here = apart(old, new, gain)
    if here < bar or _around(old, new, gain, 75) >= most_around * here:
        return False
    return _around(old, new, gain, 50) < most_half * here


def half_calm(old: Patch, new: Patch, gain: Gain) -> bool:
    """Say whether half of what lies around is just what it was, but for noise."""
    return _around(old, new, gain, 50) < _CALM_LEVELS


def _around(old: Patch, new: Patch, gain: Gain, percent: float) -> float:
    """By how many grey levels that percent of the surroundings has changed at most."""
    return float(np.percentile(np.abs(old * gain - new).mean(axis=2)[~INNER], percent))


def is_light_alone(old: Patch, new: Patch, gain: Gain, bar: float) -> bool:
    """Say whether only the light has changed in a place: the edge of a shadow lies over it, or has left it.

    What was taken away changes all of its place, and mostly the hue; the sun's shadow takes a little red.
    """
    before, now = (old * gain)[INNER], new[INNER]
    changed = np.abs(before - now).mean(axis=1) > bar
    if not changed.any():
        return False
    (red, blue, bright), (red_now, blue_now, bright_now) = (_hue(side[changed]) for side in (before, now))
    same_hue = abs(red_now - red) < _SAME_RED and abs(blue_now - blue) < _SAME_BLUE
    in_part = float(changed.mean()) < _ALL_OF_IT
    return same_hue and (in_part or bright_now > _LIT_AGAIN * bright)


def _hue(pixels: NDArray[np.float32]) -> tuple[float, float, float]:
    """Return log(R/G), log(B/G) and G, medians of pixels (N, 3)."""
    blue, green, red = (pixels[:, at] + 3.0 for at in range(3))
    return (
        float(np.median(np.log(red / green))),
        float(np.median(np.log(blue / green))),
        float(np.median(green)),
    )


class PatchMemory:
    """How each tile's place looked when it was last seen there."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: list[tuple[Corners, Patch]] = []
        self._now: list[tuple[Corners, Patch]] = []
        self._before_now: list[Patch | None] = []
        self._earlier: list[tuple[Corners, Patch]] = []
        self._gain, self._bar, self._calm = SAME_LIGHT, _CHANGED_LEVELS, _UNTOUCHED_LEVELS

    def see(self, homes: Sequence[Corners], picture: HomePicture) -> None:
        """Take in the places, (4, 2) each, at home, where tiles are seen now."""
        self._now = list(zip(homes, picture.patches(homes), strict=True))
        self._before_now = known_at_each(self._known, homes)
        pairs = [(old, patch) for old, (_, patch) in zip(self._before_now, self._now, strict=True)]
        self._gain, self._bar = light(pairs)
        both = [apart(old, new, self._gain) for old, new in pairs if old is not None]
        self._calm = max(_UNTOUCHED_LEVELS, _UNTOUCHED_TIMES * float(np.percentile(both, 25))) if both else 0.0

    def bodies(self) -> NDArray[np.float32]:
        """Return the colours, (N, 3) BGR, of the bodies of the tiles that are seen now."""
        found = []
        for _, patch in self._now:
            inner = patch[INNER]
            level = inner.mean(axis=1)
            found.append(quantile(inner[level >= quantile(level, 0.5)].T, 0.5))
        return np.asarray(found, np.float32).reshape(-1, 3)

    def untouched(self, home: Corners) -> bool:
        """Say whether what is seen at ``home`` now looks just as what was seen there before."""
        before = self._before(home)
        now = next((patch for place, patch in self._now if place is home), None)
        return before is not None and now is not None and apart(before, now, self._gain) < self._calm

    def gone(
        self,
        home: Corners,
        picture: HomePicture,
        *,
        covered: bool = False,
        like_ground: bool = False,
        beside: bool = False,
    ) -> bool:
        """Say whether a tile that was seen at ``home`` and is not found there now has gone.

        Where the ground tells that its place is ``covered``, nothing around it may look otherwise. Where all of
        it has the colour of the ground, the tile beside it may have gone as well: half of what lies around is
        just what it was. ``beside``: something stands near it that did not when the tile was in view.
        """
        most_around = _AROUND_COVERED if covered else _AROUND

        def went(before: Patch, now: Patch) -> bool:
            here = apart(before, now, self._gain)
            most_half = max(_HALF_AROUND, _CALM_LEVELS / max(here, _CALM_LEVELS)) if beside else 1.0
            if has_gone(before, now, self._gain, self._bar, most_around, most_half):
                return True
            return like_ground and here >= self._bar and half_calm(before, now, self._gain)

        return any(went(before, now) for before, now in self._before_and_now(home, picture))

    def is_otherwise_around(self, home: Corners, picture: HomePicture) -> bool:
        """Say whether all around a place where a tile was seen looks otherwise, and smoother, than then."""
        seen = self._before_and_now(home, picture)
        if not seen:
            return False
        before, now = seen[0]
        least, more = (_around(before, now, self._gain, percent) for percent in (10, 25))
        if least < _LEAST_AROUND or more < _MORE_AROUND:
            return False
        figure = float((before * self._gain)[~INNER].std())
        return bool(now[~INNER].std() < max(_SMOOTHER * figure, _SMOOTH_LEVELS))

    def is_partly_there(self, home: Corners, picture: HomePicture) -> bool:
        """Say whether a part of a place where a tile was seen looks just as it did: a finger is narrower."""
        seen = self._before_and_now(home, picture)
        if not seen:
            return False
        before, now = seen[0]
        same = np.abs(before * self._gain - now).mean(axis=2)[_PLACE] < _CALM_LEVELS
        return bool(same.mean() >= _PARTLY)

    def may_have_gone(self, home: Corners, picture: HomePicture) -> bool:
        """Say whether a tile's place looks otherwise, and half of what lies around it is just what it was.

        What covers a tile is mostly larger; of one that has gone its side, in view from low, has gone as well.
        """
        return any(
            has_gone(before, now, self._gain, self._bar) and half_calm(before, now, self._gain)
            for before, now in self._before_and_now(home, picture)
        )

    def _before_and_now(self, home: Corners, picture: HomePicture) -> list[tuple[Patch, Patch]]:
        """Return how the place looked while a tile was seen there, newest first, each with how it looks now.

        None where the picture does not show it.
        """
        seen = [before for before in (self._before(home), known_at(self._earlier, home)) if before is not None]
        if not seen or not picture.shows(home):
            return []
        now = picture.patches([home])[0]
        return [(before, now) for before in seen]

    def keep(self, lying: Sequence[Corners]) -> None:
        """Remember what was seen, and of the rest what still belongs to a tile of ``lying``."""
        fresh = [home for home, _ in self._now]
        old = still_known(self._known, lying, fresh)
        rest = [(home, patch * self._gain) for home, patch in old]  # the light goes on changing meanwhile
        earlier = [*self._disturbed(), *still_known(self._earlier, lying, fresh)]
        self._earlier = [(home, patch * self._gain) for home, patch in earlier]
        self._known = [*self._now, *rest]

    def _disturbed(self) -> list[tuple[Corners, Patch]]:
        """Return how places looked before something came beside the tile that is still seen there: a hand."""
        seen = [*self._earlier, *self._known]
        return [
            (home, calm)
            for (home, patch), before in zip(self._now, self._before_now, strict=True)
            if before is not None
            and apart(before, patch, self._gain) < self._bar
            and not half_calm(before, patch, self._gain)
            and (calm := known_at(seen, home)) is not None
        ]

    def _before(self, home: Corners) -> Patch | None:
        return known_at(self._known, home)
