"""What a look shows of face-down tiles: which lie where, which look otherwise, and which may be gone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.quads import turned_rad
from vision.readings import Corners
from vision.watch.look import tile_width
from vision.watch.patches import SAME_LIGHT, Gain, Patch, Places, apart, has_gone, is_light_alone

__all__ = [
    "CERTAIN",
    "ESTABLISHED",
    "TAKEN_LEVELS",
    "WHOLE",
    "Back",
    "BackLook",
    "Found",
    "PoolSizes",
    "TileSizes",
    "back_has_gone",
    "gaps_among",
    "is_near",
    "known_among",
    "laid_bare",
    "may_have_gone",
    "nearest",
    "not_alone",
    "without_doubles",
]

CERTAIN = 2
"""Looks in which a back has to be there, or its bare place, before the count changes."""
ESTABLISHED = 6
"""Looks from which on a back that was never found, or not at first, is one all the same, whatever covers it."""
_AROUND = 0.75
"""A back's neighbours lie so close that its own shadow and theirs change, too, when it is taken..."""
_HALF_AROUND = 0.25
"""...but for half of what lies around, which changes where an arm rests over a part of the pool."""
TAKEN_LEVELS = 10.0
"""Mean difference in grey levels from which on a back's place looks otherwise: white lies on white cloth."""
_OVER, _OVERLAP = 3.0, 1.0
"""Whose look changes so many times as much as another's, within so many tile widths, lay over that one."""
WHOLE = 12
"""So many backs in one look are no other things."""
_LIES_THERE = 0.75
"""Tile widths within which a find is a back that was known, turned or pushed a little."""
_JUST_SO, _TURNED_RAD = 0.12, np.radians(6.0)
"""Tile widths, and an angle, up to which it lies as it lay."""
_NEAREST, _LARGER = 5, 1.25
"""So many backs of a pool tell how large one beside them is, and none is so many times as large."""
_ENOUGH_FACES, _BESIDE_FACE, _OTHER_SIZE = 2, (15.0, 2.0), 3.0
"""With so many tiles face up so near, in widths along and up the picture, what is so many times as large as
these, or as small, is no back."""


class Back:
    """One face-down tile: where it lies, and how its place looks."""

    def __init__(self, home: Corners, patch: Patch | None, *, found: bool = True) -> None:
        """``home``, (4, 2), is where it lies; without ``found`` it is only guessed to lie there."""
        self.home, self.patch, self.seen, self.missed, self.found = home, patch, 1, 0, found
        self.looked: Patch | None = None
        """How its place looked before it looked otherwise: fingers that lay over a part of it go again."""
        self.adrift = 0
        """In how many looks it had gone with too many others."""
        self.late = False
        """True where it was first found when the pool was known, and the sun lit patches of the table."""
        self.early = False
        """True where it was found in the first look of all."""
        self.came = False
        """True where nothing like it lay before it was found, or hands were there: it may be part of these."""
        self.arrived_at: int | None = None
        """The look in which it came to where none lay, from where was not known; None where it did not, or was
        found in the first look of all."""
        self.lost_at: int | None = None
        """The look since which it has not been found; None where it was found in the last one."""
        self.strayed_at: int | None = None
        """The look in which it was first found far from a pool that was known; None where it was not."""
        self.touched = False
        """True where hands may have been there since it was looked for."""
        self.lay, self.lies, self.off, self.taken_off = home, home, 0, False
        """Where it has lain for some looks, where it was found off there and in how many, and whether it may be
        another one."""
        self.at_rest: Patch | None = None
        """How its place looked when nothing lay over it."""
        self.rested = home
        """Where it was found then: finds waver, and what is compared is one place."""

    def lies_there(self) -> None:
        """It was looked for, and nothing says that it has gone."""
        self.missed = self.adrift = 0
        self.touched = False

    def lies_anew(self, home: Corners) -> None:
        """It was pushed there."""
        self.lay, self.off, self.at_rest = home, 0, None

    def looks(self, patch: Patch | None, look: BackLook) -> None:
        """Take in how its place looks where it was found."""
        old, self.patch = self.patch, patch
        if old is not None and patch is not None and apart(old, patch, look.gain) >= look.bar:
            self.looked = old * look.gain
        elif self.looked is not None:
            self.looked = self.looked * look.gain

    def keeps_resting(self, at: int, look: BackLook, touched: bool) -> None:
        """It lies where it lay, as a find of the look; keep how it looks there, unless hands ``touched`` it.

        They may lie over it.
        """
        if not touched:
            self.at_rest, self.rested = look.patches[at], look.quads[at]
        elif self.at_rest is not None:
            self.at_rest = self.at_rest * look.gain

    def looks_as_once(self, patch: Patch, look: BackLook) -> bool:
        """Say whether its place looks as it did before something lay over it."""
        return self.looked is not None and apart(self.looked, patch, look.gain) < look.bar


@dataclass(slots=True, eq=False)
class BackLook:
    """The backs that a look found, and what has become of them so far."""

    quads: Sequence[Corners]
    """(4, 2) each, at home."""
    now: Places | None
    """The picture itself."""
    width: float
    """A tile's width, at home."""
    patches: Sequence[Patch | None] = field(init=False)
    free: list[int] = field(init=False)
    """The finds that are none of the backs that were known."""
    came: list[int] = field(default_factory=list)
    """Those of them where nothing like it lay before."""
    moved: list[Corners] = field(default_factory=list)
    """Where backs lay that were pushed aside."""
    moved_to: list[Corners] = field(default_factory=list)
    """Where these lie now, and others that were nudged."""
    gain: Gain = field(default_factory=lambda: SAME_LIGHT)
    bar: float = TAKEN_LEVELS
    """How the light has changed, and how far apart patches are that show something else."""

    def __post_init__(self) -> None:
        self.patches = self.patches_of(self.quads)
        self.free = list(range(len(self.quads)))

    def patches_of(self, homes: Sequence[Corners]) -> Sequence[Patch | None]:
        """Return how places, (4, 2) each, look now; None each where there is no picture."""
        return [None] * len(homes) if self.now is None else self.now.patches(homes)

    def move(self, back: Back, at: int) -> None:
        """A back lies where one was found, which is no other back."""
        self.moved.append(back.home)
        self.moved_to.append(self.quads[at])
        back.home, back.patch, back.looked, back.missed = self.quads[at], self.patches[at], None, 0
        back.lies_anew(back.home)
        self.free.remove(at)
        if at in self.came:
            self.came.remove(at)


Found = Sequence[tuple[Back, int]]
"""Backs that lie where a look found one, each with that find."""


def gaps_among(found: Found, look: BackLook) -> set[int]:
    """Return which finds lie where a back has gone: a gap in a block has the outline of a tile, too.

    It does not look as the back did, in its own outline, for what was nudged aside does. And it does not in the
    old one: another, a little off, would show the neighbours as changed, too.
    """
    other = []
    for back, at in found:
        old, own = back.patch, look.patches[at]
        if old is None or own is None or back.looks_as_once(own, look):
            continue
        if apart(old, own, look.gain) >= look.bar:
            other.append((back.home, old, at))
    there = look.patches_of([home for home, _, _ in other])
    return {
        at
        for (_, old, at), new in zip(other, there, strict=True)
        if new is not None and back_has_gone(old, new, look)
    }


def laid_bare(gone: Sequence[tuple[Back, Patch | None, float]], width: float) -> list[Back]:
    """Return those that only look otherwise because one that lay over them has gone, and keep how they look."""
    bare = []
    for back, patch, otherwise in gone:
        over = [one.home for one, _, other in gone if other >= _OVER * otherwise]
        if patch is not None and is_near(back.home, over, _OVERLAP * width):
            back.patch, back.missed = patch, 0
            bare.append(back)
    return bare


def back_has_gone(old: Patch, new: Patch, look: BackLook) -> bool:
    """Say whether what lay in a place has gone, by how it looks."""
    if not has_gone(old, new, look.gain, look.bar, _AROUND, _HALF_AROUND):
        return False
    return not is_light_alone(old, new, look.gain, look.bar)


def without_doubles(backs: Sequence[Back], found: Sequence[Corners], within: float) -> list[Back]:
    """Leave out backs that were never found and lie over one of those ``found``: they were guessed wrong."""
    return [back for back in backs if back.found or not is_near(back.home, found, within)]


def may_have_gone(
    lost: Sequence[Back], now: Places, gain: Gain, touched: Callable[[Corners], bool]
) -> list[Back]:
    """Return the backs that may have gone; keep how the others look now.

    What is out of view is not gone. Nor is what lay there in the last look, unless its place was ``touched``.
    """
    perhaps = []
    for back in lost:
        back.touched = back.touched or touched(back.home)
        if not now.shows(back.home):
            back.missed, back.patch = 0, None if back.patch is None else back.patch * gain
        elif back.missed or back.adrift or back.touched:
            perhaps.append(back)
        else:
            back.patch = now.patches([back.home])[0]
    return perhaps


def not_alone(backs: Sequence[Back], within: float) -> list[Back]:
    """Leave out backs that were never found and have none near that was, nor one that was found again."""
    once, again = ([back.home for back in backs if back.found and back.seen >= least] for least in (1, CERTAIN))
    return [
        back
        for back in backs
        if back.found or is_near(back.home, once if back.seen < CERTAIN else again, within)
    ]


class TileSizes:
    """How large tiles are, by those that lie face up."""

    def __init__(self, faces: Sequence[Corners]) -> None:
        """``faces`` are these tiles, (4, 2) each."""
        self._sizes = np.array([cv2.contourArea(face) for face in faces])
        self._middles = np.array([face.mean(axis=0) for face in faces]).reshape(-1, 2)
        self._reach = np.sqrt(np.maximum(self._sizes, 1.0))[:, None] * _BESIDE_FACE

    def fit(self, home: Corners) -> bool:
        """Say whether a place, (4, 2), has the size of the tiles at its height, where some lie there.

        A cloth's checks have not. What lies higher in the picture is farther away, and looks smaller.
        """
        beside = self._sizes[(np.abs(self._middles - home.mean(axis=0)) <= self._reach).all(axis=1)]
        if len(beside) < _ENOUGH_FACES:
            return True
        size, own = float(np.median(beside)), cv2.contourArea(home)
        return max(size, own) <= _OTHER_SIZE * min(size, own)


def known_among(perhaps: Sequence[Corners], backs: Sequence[Back], quads: Sequence[Corners]) -> list[Corners]:
    """Return which finds that may be backs, (4, 2) each, are one that was known and is none of the ``quads``.

    It was turned or pushed a little: where one lay just so, and has gone, the gap it left may look like it.
    """
    known = [back.home for back in backs if back.found]
    known = [home for home in known if not is_near(home, quads, _LIES_THERE * tile_width([home]))]
    kept = []
    for quad in perhaps:
        width = tile_width([quad])
        near = nearest(quad, known, range(len(known)), _LIES_THERE * width)
        if near is not None and (
            not is_near(quad, [known[near]], _JUST_SO * width) or turned_rad(quad, known[near]) > _TURNED_RAD
        ):
            kept.append(quad)
    return kept


class PoolSizes:
    """How large the backs of a pool are, by those that the first look found."""

    def __init__(self, backs: Sequence[Corners]) -> None:
        """``backs`` are these, (4, 2) each; fewer than a dozen may be other things, and tell nothing."""
        self._tell = len(backs) >= WHOLE
        self._sizes = np.array([cv2.contourArea(back) for back in backs])
        self._middles = np.array([back.mean(axis=0) for back in backs]).reshape(-1, 2)

    def fit(self, home: Corners) -> bool:
        """Say whether a place, (4, 2), is no larger than those nearest to it: a cloth's checks are."""
        if not self._tell:
            return True
        away = self._middles - home.mean(axis=0)
        nearest = np.hypot(away[:, 0], away[:, 1]).argsort()[:_NEAREST]
        return cv2.contourArea(home) <= _LARGER * float(np.median(self._sizes[nearest]))


def is_near(home: Corners, quads: Sequence[Corners], within: float) -> bool:
    """Say whether one of these places, (4, 2) each, is as near as that, pixels."""
    return nearest(home, quads, range(len(quads)), within) is not None


def nearest(home: Corners, quads: Sequence[Corners], among: Sequence[int], within: float) -> int | None:
    """Return which place of those ``among`` them lies nearest; None where none is as near as that, pixels."""
    if not len(among):
        return None
    apart = (np.stack([quads[at] for at in among]) - home).mean(axis=1)
    away = np.hypot(apart[:, 0], apart[:, 1])
    near = int(away.argmin())
    return among[near] if away[near] <= within else None
