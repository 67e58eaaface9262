"""Face-down tiles in view: how many lie there, and how many were taken, whatever a hand hides for a moment.

The finder misses some of the backs of a crowded pool, now these and now those; what looks like a back beside
backs is one that it missed (``pool_block``). A back that is not found is compared with how its place looked
while it lay there, and one that is newly found with how its place looked just before: only where the picture
itself has changed has anything happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision.readings import Corners
from vision.watch.look import tile_width
from vision.watch.patches import Gain, Patch, Places, apart, half_calm, has_gone, light
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
_MOST_NEW = 0.25
"""Share of a pool that may turn out to have been missed by the finder, once the pool is known."""


class _Back:
    def __init__(self, home: Corners, patch: Patch | None, *, found: bool = True) -> None:
        self.home, self.patch, self.seen, self.missed, self.found = home, patch, 1, 0, found


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
        width = max(tile_width(list(quads)), 1e-6)
        patches: Sequence[Patch | None] = now.patches(quads) if now is not None else [None] * len(quads)
        free = list(range(len(quads)))
        lost: list[_Back] = []
        found: list[tuple[_Back, int]] = []
        for back in self._backs:
            near = _nearest(back.home, quads, free, _SAME * width)
            if near is None:
                lost.append(back)
            else:
                free.remove(near)
                found.append((back, near))
        gain, bar = light([(back.patch, patches[at]) for back, at in found], _TAKEN_LEVELS)
        gaps = _gaps(found, patches, now, gain, bar)
        lost += [back for back, at in found if at in gaps]
        found = [(back, at) for back, at in found if at not in gaps]
        for back, at in found:
            back.home, back.patch, back.missed, back.found = quads[at], patches[at], 0, True
            back.seen += 1
        lost = _without_doubles(lost, quads, _BESIDE * width)
        self._backs = [back for back, _ in found] + lost
        lost = lost if now is None else _may_have_gone(lost, now, gain, touched=touched)
        came = [at for at in free if self._is_new(quads[at], patches[at], gain, bar)]
        here = now.patches([back.home for back in lost]) if now is not None else [None] * len(lost)
        fates = fate_of([back.home for back in lost])
        gone = []
        for back, patch, fate in zip(lost, here, fates, strict=True):
            if patch is None or back.patch is None:
                went, changed = fate != "covered", False
            else:
                here_now = apart(back.patch, patch, gain)
                changed = here_now >= bar
                plain = here_now >= _PLAINLY * bar and (
                    fate == "bare" or (fate != "covered" and half_calm(back.patch, patch, gain))
                )
                went = plain or _has_gone(back.patch, patch, gain, bar)
                back.patch = back.patch * gain  # the light goes on changing until the back is found again
                if not went:
                    back.missed = 0  # it lies there though it was not found, or something covers it
                    back.seen += not back.found
                    nudged = _nearest(back.home, quads, free, _BESIDE * width)
                    if nudged is not None and back.found:
                        _move(back, nudged, quads, patches, came, free)
            if changed and not went and not back.found and back.seen < _ESTABLISHED:
                self._backs.remove(back)  # what covers a guess may be what was taken for a back
            elif (
                went
                and back.seen < _CERTAIN
                and (patch is None or not back.found or self._is_alone(back, width))
            ):
                self._backs.remove(back)
            elif went:
                gone.append(back)
        gone = _without_doubles(gone, [back.home for back in gone if back.found], _BESIDE * width)
        if now is None or len(gone) <= _MOST_AT_ONCE:
            for back in gone:
                self._miss(back, quads, patches, came, free, width)
        self._backs += [_Back(quads[at], patches[at]) for at in free]
        if now is not None:
            known = [
                (quad, patch)
                for at, (quad, patch) in enumerate(zip(quads, patches, strict=True))
                if patch is not None and at not in gaps
            ]
            self._looks += 1
            new = self._looks <= _ESTABLISHED
            most = float("inf") if new else max(_MOST_AT_ONCE, _MOST_NEW * len(self._backs))
            others = [*faces, *(back.home for back in self._backs)]
            unseen = unseen_in_block(known, others, now, most)
            self._backs += [_Back(home, patch, found=False) for home, patch in unseen]
            most_gone = self._heap.most_gone(quads, places_before, faces, now, fate_of, touched=touched)
            self._see_heap(most_gone, lost, quads)
        self._backs = _not_alone(self._backs, _ALONE * width) if quads else self._backs
        self._grew = len(self._backs) > known_before
        self._ever = self._ever or any(back.seen >= _CERTAIN for back in self._backs)
        self._before = now

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

    def _miss(
        self,
        back: _Back,
        quads: Sequence[Corners],
        patches: Sequence[Patch | None],
        came: list[int],
        free: list[int],
        width: float,
    ) -> None:
        """A back is not where it was: pushed aside, or taken."""
        near = _nearest(back.home, quads, came, _PUSHED * width)
        if near is not None:
            _move(back, near, quads, patches, came, free)
            return
        back.missed += 1
        if back.missed >= _CERTAIN:
            self._backs.remove(back)
            self.taken += 1

    def _is_alone(self, back: _Back, width: float) -> bool:
        """True for one far from all others: a drawn tile that is carried past."""
        return not _is_near(
            back.home, [other.home for other in self._backs if other is not back], _ALONE * width
        )

    def _is_new(self, home: Corners, patch: Patch | None, gain: Gain, bar: float) -> bool:
        """Say whether a back that was not known has come, or was only not found until now."""
        if self._before is None or patch is None:
            return True
        if not self._before.shows(home):
            return False
        return apart(self._before.patches([home])[0], patch, gain) >= bar


def _move(
    back: _Back,
    at: int,
    quads: Sequence[Corners],
    patches: Sequence[Patch | None],
    came: list[int],
    free: list[int],
) -> None:
    """A back lies where one was found, which is no other back."""
    back.home, back.patch, back.missed = quads[at], patches[at], 0
    free.remove(at)
    if at in came:
        came.remove(at)


def _gaps(
    found: Sequence[tuple[_Back, int]],
    patches: Sequence[Patch | None],
    now: Places | None,
    gain: Gain,
    bar: float,
) -> set[int]:
    """Return which finds lie where a back has gone: a gap in a block has the outline of a tile, too.

    It does not look as the back did, in its own outline, for what was nudged aside does. And it does not in the
    old one: another, a little off, would show the neighbours as changed, too.
    """
    other = []
    for back, at in found:
        old, own = back.patch, patches[at]
        if old is not None and own is not None and apart(old, own, gain) >= bar:
            other.append((back.home, old, at))
    there = now.patches([home for home, _, _ in other]) if now is not None else []
    return {at for (_, old, at), new in zip(other, there, strict=True) if _has_gone(old, new, gain, bar)}


def _has_gone(old: Patch, new: Patch, gain: Gain, bar: float) -> bool:
    return has_gone(old, new, gain, bar, _AROUND, _HALF_AROUND)


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
