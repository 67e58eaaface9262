"""Face-down tiles in view: how many lie there, and how many were taken, whatever a hand hides for a moment.

The finder misses some of the backs of a crowded pool, now these and now those; what looks like a back beside
backs is one that it missed (``pool_block``). A back that is not found is compared with how its place looked
while it lay there, and one that is newly found with how its place looked just before: only where the picture
itself has changed has anything happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

import numpy as np

from vision.readings import Corners
from vision.watch.look import tile_width
from vision.watch.patches import SAME_LIGHT, Gain, Patch, Places, apart, half_calm, has_gone, light
from vision.watch.pool_block import unseen_in_block
from vision.watch.pool_heap import HeapKeeper
from vision.watch.tracks import Fate

__all__ = ["PoolKeeper"]

_SAME = 0.45
"""Tile widths within which a back is the same."""
_BESIDE = 0.75
"""Tile widths within which a back that was not found and one that was are the same."""
_CERTAIN = 2
"""Looks in which a back has to be there, or its bare place, before the count changes."""
_ESTABLISHED = 6
"""Looks from which on a back that was never found is one all the same, whatever covers it for a while."""
_PUSHED = 3.0
"""Tile widths over which a back may be pushed aside."""
_AROUND = 0.75
"""A back's neighbours lie so close that its own shadow and theirs change, too, when it is taken..."""
_HALF_AROUND = 0.25
"""...but for half of what lies around, which changes where an arm rests over a part of the pool."""
_TAKEN_LEVELS = 10.0
"""Mean difference in grey levels from which on a back's place looks otherwise: white lies on white cloth."""
_PLAINLY = 2.0
"""So many times the change that counts is plain where the table lies bare, or half of what lies around is as
it was: what was put down beside it is near, or the side of its neighbour came into view."""
_ALONE = 4.5
"""Tile widths from the nearest back that was found beyond which one that never was is none: a rack, a mat."""
_MOST_AT_ONCE = 3
"""More than so many that go at once went nowhere: the light changed, or the camera was moved."""
_OVER, _OVERLAP = 3.0, 1.0
"""Whose look changes so many times as much as another's, within so many tile widths, lay over that one."""
_ADRIFT = 3
"""Looks after which those are no backs any more, if most others lie where they lay."""
_MOST_NEW = 0.25
"""Share of a pool that may turn out to have been missed by the finder, once the pool is known."""


class _Back:
    def __init__(self, home: Corners, patch: Patch | None, *, found: bool = True) -> None:
        self.home, self.patch, self.seen, self.missed, self.found = home, patch, 1, 0, found
        self.adrift = 0
        """In how many looks it had gone with too many others."""


@dataclass(slots=True, eq=False)
class _Look:
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
    gain: Gain = field(default_factory=lambda: SAME_LIGHT)
    bar: float = _TAKEN_LEVELS
    """How the light has changed, and how far apart patches are that show something else."""

    def __post_init__(self) -> None:
        self.patches = self.patches_of(self.quads)
        self.free = list(range(len(self.quads)))

    def patches_of(self, homes: Sequence[Corners]) -> Sequence[Patch | None]:
        """Return how places, (4, 2) each, look now; None each where there is no picture."""
        return [None] * len(homes) if self.now is None else self.now.patches(homes)

    def move(self, back: _Back, at: int) -> None:
        """A back lies where one was found, which is no other back."""
        self.moved.append(back.home)
        back.home, back.patch, back.missed = self.quads[at], self.patches[at], 0
        self.free.remove(at)
        if at in self.came:
            self.came.remove(at)


class PoolKeeper:
    """Counts backs. One that is not found counts as taken only when its place has changed, in two looks."""

    def __init__(self) -> None:
        """Begin with none."""
        self._backs: list[_Back] = []
        self._before: Places | None = None
        self._ever = False
        self._looks = 0
        self._grew = False
        self._heap, self._taken_before = HeapKeeper(), 0
        self.taken = 0
        """How many were seen to go, since the beginning."""

    @property
    def count(self) -> int | None:
        """How many there are; None where none was ever seen for sure."""
        certain = sum(back.seen >= _CERTAIN for back in self._backs)
        return certain if certain or self._ever else None

    @property
    def homes(self) -> list[Corners]:
        """Where backs lie, found in the last look or not."""
        return [back.home for back in self._backs if not back.missed]

    @property
    def places(self) -> list[Corners]:
        """The same, and where one seems to be gone since the last look."""
        return [back.home for back in self._backs]

    @property
    def unsure(self) -> bool:
        """True where one seems to be gone, and another look will tell."""
        return any(back.missed for back in self._backs) or self._heap.unsure

    @property
    def learning(self) -> bool:
        """True while the first looks go on showing backs that were not known: another one may show more."""
        return self._grew and self._looks < _ESTABLISHED

    def update(
        self,
        quads: Sequence[Corners],
        fate_of: Callable[[Sequence[Corners]], Sequence[Fate]],
        now: Places | None = None,
        faces: Sequence[Corners] = (),
        *,
        touched: bool = True,
    ) -> None:
        """Take in the backs of a look, (4, 2) each, at home, and the picture itself, where there is one.

        ``faces`` are the tiles that lie face up, at home. Unless it was ``touched``, nothing has gone since the
        last look: the camera was knocked, or the light changed.
        """
        known_before, places_before = len(self._backs), self.places
        look = _Look(quads, now, max(tile_width(list(quads)), 1e-6))
        found, lost = self._matched(look)
        look.gain, look.bar = light([(back.patch, look.patches[at]) for back, at in found], _TAKEN_LEVELS)
        gaps = _gaps(found, look)
        lost += [back for back, at in found if at in gaps]
        found = [(back, at) for back, at in found if at not in gaps]
        for back, at in found:
            back.home, back.patch, back.found = quads[at], look.patches[at], True
            back.missed = back.adrift = 0
            back.seen += 1
        lost = _without_doubles(lost, quads, _BESIDE * look.width)
        self._backs = [back for back, _ in found] + lost
        lost = lost if now is None else _may_have_gone(lost, now, look.gain, touched=touched)
        look.came = [at for at in look.free if self._is_new(look, at)]
        gone = [back for back in self._gone(lost, look, fate_of) if not self._pushed(back, look)]
        if now is not None:
            gone = self._without_adrift(gone, most_found=len(found) > len(lost))
            gone = self._without_buried(gone, look)
        for back in gone:
            self._miss(back)
        self._backs += [_Back(quads[at], look.patches[at]) for at in look.free]
        if now is not None:
            self._looks += 1
            self._backs += self._unseen(look, now, faces, gaps)
            most_gone = self._heap.most_gone(quads, places_before, faces, now, fate_of, touched=touched)
            self._see_heap(most_gone, lost, quads)
        self._backs = _not_alone(self._backs, _ALONE * look.width) if quads else self._backs
        self._grew = len(self._backs) > known_before
        self._ever = self._ever or any(back.seen >= _CERTAIN for back in self._backs)
        self._before = now

    def _matched(self, look: _Look) -> tuple[list[tuple[_Back, int]], list[_Back]]:
        """Return the backs that lie where one is found, each with that find, and the others.

        Those finds are not free any more.
        """
        found: list[tuple[_Back, int]] = []
        lost: list[_Back] = []
        for back in self._backs:
            near = _nearest(back.home, look.quads, look.free, _SAME * look.width)
            if near is None:
                lost.append(back)
            else:
                look.free.remove(near)
                found.append((back, near))
        return found, lost

    def _gone(
        self, lost: Sequence[_Back], look: _Look, fate_of: Callable[[Sequence[Corners]], Sequence[Fate]]
    ) -> list[_Back]:
        """Return those of the ``lost`` that have gone; forget the guesses among them.

        Those that were only nudged are moved to where they lie now.
        """
        here = look.patches_of([back.home for back in lost])
        away = [
            None if patch is None or back.patch is None else apart(back.patch, patch, look.gain)
            for back, patch in zip(lost, here, strict=True)
        ]
        asked = [k for k, one in enumerate(away) if one is None or one >= _PLAINLY * look.bar]
        fates = dict(zip(asked, fate_of([lost[k].home for k in asked]) if asked else [], strict=True))
        gone: list[tuple[_Back, Patch | None, float]] = []
        for k, (back, patch, otherwise) in enumerate(zip(lost, here, away, strict=True)):
            if patch is None or back.patch is None or otherwise is None:
                went, changed = fates[k] != "covered", False
            else:
                changed = otherwise >= look.bar
                fate = fates.get(k)
                plain = fate == "bare" or (
                    fate not in (None, "covered") and half_calm(back.patch, patch, look.gain)
                )
                went = plain or _has_gone(back.patch, patch, look)
                back.patch = back.patch * look.gain  # the light goes on changing until the back is found again
                if not went:
                    # It lies there though it was not found, or something covers it.
                    back.missed = back.adrift = 0
                    back.seen += not back.found
                    nudged = _nearest(back.home, look.quads, look.free, _BESIDE * look.width)
                    if nudged is not None and back.found:
                        look.move(back, nudged)
            if changed and not went and not back.found and back.seen < _ESTABLISHED:
                self._backs.remove(back)  # what covers a guess may be what was taken for a back
            elif (
                went
                and back.seen < _CERTAIN
                and (patch is None or not back.found or self._is_alone(back, look.width))
            ):
                self._backs.remove(back)
            elif went:
                gone.append((back, patch, np.inf if otherwise is None else otherwise))
        laid_bare = _laid_bare(gone, look.width)
        left = [back for back, _, _ in gone if back not in laid_bare]
        return _without_doubles(left, [back.home for back in left if back.found], _BESIDE * look.width)

    def _unseen(
        self, look: _Look, now: Places, faces: Sequence[Corners], gaps: AbstractSet[int]
    ) -> list[_Back]:
        """Return backs that must lie between those of a block though nothing found them."""
        known = [
            (quad, patch)
            for at, (quad, patch) in enumerate(zip(look.quads, look.patches, strict=True))
            if patch is not None and at not in gaps
        ]
        new = self._looks <= _ESTABLISHED
        most = float("inf") if new else max(_MOST_AT_ONCE, _MOST_NEW * len(self._backs))
        others = [*faces, *(back.home for back in self._backs)]
        return [_Back(home, patch, found=False) for home, patch in unseen_in_block(known, others, now, most)]

    def _see_heap(self, most_gone: int, lost: Sequence[_Back], quads: Sequence[Corners]) -> None:
        """A heap has lost a back where none was seen to go, and no more than the one place tells of.

        It was one of those ``lost`` from there, if one was known that none of the ``quads`` shows elsewhere.
        """
        if most_gone and self.taken == self._taken_before:
            self.taken += 1
            there = [
                back for back in lost if self._heap.went_from(back.home) and not _is_near(back.home, quads, 1)
            ]
            went = [back for back in lost if back.missed] or there[:1]
            self._backs = [back for back in self._backs if back not in went]
        elif most_gone:
            self.taken = min(self.taken, self._taken_before + most_gone)
        if not self._heap.changing:
            self._taken_before = self.taken

    def _pushed(self, back: _Back, look: _Look) -> bool:
        """True for a back that is not where it was, but near; it is moved to there."""
        near = _nearest(back.home, look.quads, look.came, _PUSHED * look.width)
        if near is not None:
            look.move(back, near)
        return near is not None

    def _without_adrift(self, gone: Sequence[_Back], *, most_found: bool) -> list[_Back]:
        """Leave out those that went with too many others, and forget them in time, uncounted.

        Until then nothing is concluded of the others.
        """
        crowd = [back for back in gone if not (back.adrift or back.missed)]
        adrift = [back for back in gone if back.adrift] + (crowd if len(crowd) > _MOST_AT_ONCE else [])
        settled = all(back.adrift >= _ADRIFT for back in adrift)
        for back in adrift:
            back.adrift += 1
        if most_found:
            self._backs = [back for back in self._backs if back.adrift <= _ADRIFT]
        return [back for back in gone if back not in adrift] if settled else []

    def _without_buried(self, gone: Sequence[_Back], look: _Look) -> list[_Back]:
        """Leave out all but one of those that went where others were pushed aside: the rest is under these."""
        near = [
            back for back in gone if not back.missed and _is_near(back.home, look.moved, _PUSHED * look.width)
        ]
        buried = near[1:]
        self._backs = [back for back in self._backs if back not in buried]
        return [back for back in gone if back not in buried]

    def _miss(self, back: _Back) -> None:
        """A back is not where it was: taken, where it is the second look that says so."""
        back.missed += 1
        if back.missed >= _CERTAIN:
            self._backs.remove(back)
            self.taken += 1

    def _is_alone(self, back: _Back, width: float) -> bool:
        """True for one far from all others: a drawn tile that is carried past."""
        return not _is_near(
            back.home, [other.home for other in self._backs if other is not back], _ALONE * width
        )

    def _is_new(self, look: _Look, at: int) -> bool:
        """Say whether a back that was not known has come, or was only not found until now."""
        home, patch = look.quads[at], look.patches[at]
        if self._before is None or patch is None:
            return True
        if not self._before.shows(home):
            return False
        return apart(self._before.patches([home])[0], patch, look.gain) >= look.bar


def _gaps(found: Sequence[tuple[_Back, int]], look: _Look) -> set[int]:
    """Return which finds lie where a back has gone: a gap in a block has the outline of a tile, too.

    It does not look as the back did, in its own outline, for what was nudged aside does. And it does not in the
    old one: another, a little off, would show the neighbours as changed, too.
    """
    other = []
    for back, at in found:
        old, own = back.patch, look.patches[at]
        if old is not None and own is not None and apart(old, own, look.gain) >= look.bar:
            other.append((back.home, old, at))
    there = look.patches_of([home for home, _, _ in other])
    return {
        at
        for (_, old, at), new in zip(other, there, strict=True)
        if new is not None and _has_gone(old, new, look)
    }


def _laid_bare(gone: Sequence[tuple[_Back, Patch | None, float]], width: float) -> list[_Back]:
    """Return those that only look otherwise because one that lay over them has gone, and keep how they look."""
    bare = []
    for back, patch, otherwise in gone:
        over = [one.home for one, _, other in gone if other >= _OVER * otherwise]
        if patch is not None and _is_near(back.home, over, _OVERLAP * width):
            back.patch, back.missed = patch, 0
            bare.append(back)
    return bare


def _has_gone(old: Patch, new: Patch, look: _Look) -> bool:
    return has_gone(old, new, look.gain, look.bar, _AROUND, _HALF_AROUND)


def _without_doubles(backs: Sequence[_Back], found: Sequence[Corners], within: float) -> list[_Back]:
    """Leave out backs that were never found and lie over one of those ``found``: they were guessed wrong."""
    return [back for back in backs if back.found or not _is_near(back.home, found, within)]


def _may_have_gone(lost: Sequence[_Back], now: Places, gain: Gain, *, touched: bool) -> list[_Back]:
    """Return the backs that may have gone; keep how the others look now.

    What is out of view is not gone. Nor is what lay there in the last look, unless it was ``touched`` since.
    """
    perhaps = []
    for back in lost:
        if not now.shows(back.home):
            back.missed, back.patch = 0, None if back.patch is None else back.patch * gain
        elif touched or back.missed:
            perhaps.append(back)
        else:
            back.patch = now.patches([back.home])[0]
    return perhaps


def _not_alone(backs: Sequence[_Back], within: float) -> list[_Back]:
    """Leave out backs that were never found and have none near that was."""
    found = [back.home for back in backs if back.found]
    return [back for back in backs if back.found or _is_near(back.home, found, within)]


def _is_near(home: Corners, quads: Sequence[Corners], within: float) -> bool:
    return _nearest(home, quads, range(len(quads)), within) is not None


def _nearest(home: Corners, quads: Sequence[Corners], among: Sequence[int], within: float) -> int | None:
    if not len(among):
        return None
    apart = (np.stack([quads[at] for at in among]) - home).mean(axis=1)
    away = np.hypot(apart[:, 0], apart[:, 1])
    near = int(away.argmin())
    return among[near] if away[near] <= within else None
