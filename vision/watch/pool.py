"""Face-down tiles in view: how many lie there, and how many were taken, whatever a hand hides for a moment.

The finder misses some of the backs of a crowded pool, now these and now those; what looks like a back beside
backs is one that it missed (``pool_block``). A back that is not found is compared with how its place looked
while it lay there, and one that is newly found with how its place looked just before: only where the picture
itself has changed has anything happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

import numpy as np

from vision.readings import Corners
from vision.watch.home_view import Floats, Mask
from vision.watch.look import tile_width
from vision.watch.patches import Patch, Places, apart, half_calm, light
from vision.watch.pool_backs import (
    CERTAIN,
    ESTABLISHED,
    TAKEN_LEVELS,
    WHOLE,
    Back,
    BackLook,
    PoolSizes,
    TileSizes,
    back_has_gone,
    gaps_among,
    is_near,
    known_among,
    laid_bare,
    may_have_gone,
    nearest,
    not_alone,
    without_doubles,
)
from vision.watch.pool_block import unseen_in_block
from vision.watch.pool_colours import BARED_SURELY, BackColours, bare_places
from vision.watch.pool_heap import HeapKeeper
from vision.watch.pool_moves import buried, laid_over, lay_at, lie_apart, shifted, slid
from vision.watch.pool_pushes import PUSHED, Pushes, how_far
from vision.watch.pool_stacks import lowered
from vision.watch.sun_light import SunLight
from vision.watch.tracks import Fate
from vision.watch.types import GoneBack

__all__ = ["PoolKeeper"]

_SAME = 0.45
"""Tile widths within which a back is the same."""
_NUDGED = 0.2
"""Tile widths over which it was pushed."""
_BESIDE = 0.75
"""Tile widths within which a back that was not found and one that was are the same."""
_PLAINLY = 2.0
"""So many times the change that counts is plain where the table lies bare, or half of what lies around is as
it was: what was put down beside it is near, or the side of its neighbour came into view."""
_ALONE = 4.5
"""Tile widths from the nearest back that was found beyond which one that never was is none: a rack, a mat."""
_MOST_AT_ONCE = 3
"""More than so many that go at once went nowhere: the light changed, or the camera was moved."""
_ADRIFT = 3
"""Looks after which those are no backs any more, if most others lie where they lay."""
_STRAY, _MOSTLY = CERTAIN - ESTABLISHED, 0.5
"""What is found far from a pool that is known is one of it after so many looks more, and only if it was found
in so large a share of them."""
_ON_TOP = 0.65
"""Share of a pool in view up to which the rest of it lies under these."""
_MOST_SEEN = 0.95
"""Share of a pool that is found at least where none lie under others."""
_POOL = 4
"""Fewer backs are no pool beside which others would be something else: tiles on a rack, seen from behind."""
_MOST_NEW = 0.25
"""Share of a pool that may turn out to have been missed by the finder, once the pool is known."""


class PoolKeeper:
    """Counts backs. One that is not found counts as taken only when its place has changed, in two looks."""

    def __init__(self, whole: int | None = None) -> None:
        """Begin with none; ``whole`` is how many the pool has, where that is known."""
        self._whole = whole
        self._backs: list[Back] = []
        self._before: Places | None = None
        self._ever = False
        self._looks = 0
        self._grew = False
        self._colours, self._sunny, self._shadows = BackColours(), False, False
        self._heap, self._taken_before, self._pushes = HeapKeeper(), 0, Pushes()
        self.gone: list[GoneBack] = []
        """Those that were seen to go since the beginning, by their places at home, the last one last."""

    @property
    def count(self) -> int | None:
        """How many there are; None where none was ever seen for sure. A whole pool is, by the first look."""
        first = self._looks == 1 and len(self._backs) >= WHOLE
        certain = sum(first or back.seen >= CERTAIN for back in self._backs)
        return certain if certain or self._ever else None

    @property
    def taken(self) -> int:
        """How many were seen to go, since the beginning."""
        return len(self.gone)

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
        return self._seems_gone or any(back.off and back.taken_off for back in self._backs)

    @property
    def _seems_gone(self) -> bool:
        return any(back.missed for back in self._backs) or self._heap.unsure

    @property
    def learning(self) -> bool:
        """True while the first looks go on showing backs that were not known: another one may show more."""
        return self._grew and self._looks < ESTABLISHED

    def update(
        self,
        quads: Sequence[Corners],
        fate_of: Callable[[Sequence[Corners]], Sequence[Fate]],
        now: Places | None = None,
        faces: Sequence[Corners] = (),
        *,
        touched: Callable[[Corners], bool] = lambda _: True,
        sun: SunLight | None = None,
        perhaps: Sequence[Corners] = (),
    ) -> None:
        """Take in the backs of a look, (4, 2) each, at home, and the picture itself, where there is one.

        ``faces`` are the tiles that lie face up, at home. Nothing has gone from a place, (4, 2) at home, that
        was not ``touched`` since it was looked for last: the camera was knocked, or the light changed. ``sun``
        is what hard shadows do to what they fall on. ``perhaps`` are finds too faint to be backs, (4, 2) each,
        unless one was known there: one that was turned a little is hard to see.
        """
        self._sunny = sun is not None and sun.is_out
        self._shadows = sun is not None and sun.is_on_ground
        sizes, usual = TileSizes(faces), PoolSizes([back.home for back in self._backs if back.early])
        quads = [quad for quad in quads if sizes.fit(quad) and usual.fit(quad)]
        quads += known_among(perhaps, self._backs, quads)
        self._backs = [back for back in self._backs if back.missed or sizes.fit(back.home)]
        known_before, places_before, gone_before = len(self._backs), self.places, self.taken
        look = BackLook(quads, now, max(tile_width(list(quads)), 1e-6))
        found, lost = self._matched(look)
        look.gain, look.bar = light([(back.patch, look.patches[at]) for back, at in found], TAKEN_LEVELS)
        gaps = gaps_among(found, look)
        lost += [back for back, at in found if at in gaps]
        found = [(back, at) for back, at in found if at not in gaps]
        if now is not None:
            self._colours.see(
                [look.patches[at] for _, at in found], look.gain,
                lambda: bare_places([*quads, *(back.home for back in self._backs)], faces, now),
            )  # fmt: skip
            if sun is not None:
                sun.learn_from_bodies(self._colours.now)
        for back, at in found:
            if np.linalg.norm((quads[at] - back.home).mean(axis=0)) > _NUDGED * look.width:
                look.moved_to.append(quads[at])
            back.home, back.found, back.lost_at = quads[at], True, None
            back.looks(look.patches[at], look)
            back.lies_there()
            back.seen += 1
        lost = without_doubles(lost, quads, _BESIDE * look.width)
        for back in lost:
            back.lost_at = self._looks if back.lost_at is None else back.lost_at
        self._backs = [back for back, _ in found] + lost
        lost = lost if now is None else may_have_gone(lost, now, look.gain, touched)
        look.came = [at for at in look.free if self._is_new(look, at)]
        gone = self._gone(lost, look, fate_of)
        far = how_far(look, found, len(gone), self._looks)
        gone = [back for back in gone if not (self._pushed(back, look, far) or self._had_come(back, look))]
        if now is not None:
            gone = self._without_adrift(gone, most_found=len(found) > len(lost))
            gone = self._forget(buried(gone, look.moved, PUSHED * look.width), gone)
            gone = self._forget(laid_over(gone, faces), gone)
        for back in gone:
            self._miss(back)
        self._backs += self._newly_found(look, touched)
        if now is not None:
            self._looks += 1
            if not self._sunny:
                self._backs += self._unseen(look, now, faces, gaps)
            relit = partial(self._relit, sun) if sun is not None and sun.is_out else None
            most_gone = self._heap.most_gone(quads, places_before, faces, now, fate_of, touched, relit)
            # Where the pool has so many more than are in view, they lie under these.
            stacked = self._whole is not None and len(found) <= _ON_TOP * (self._whole - self.taken)
            changing, known = self._heap.changing, self.count or 0
            only_pushed = self._pushes.explain(look, found, places_before, known, changing=changing)
            if most_gone and (only_pushed or not self._may_be(lost, len(quads))):
                most_gone = 0
            self._see_heap(most_gone, lost, quads)
            missed = any(back.missed for back in self._backs)
            stirred = look.came or look.moved or self.taken > gone_before or missed or self._sunny
            calm = stacked and not stirred

            def calm_beside(home: Corners) -> bool:
                return calm and not self._heap.unsure_elsewhere(home)

            if (off := lowered(found, look, touched, calm_beside)) is not None:
                self.gone.append(GoneBack(off.home, of_heap=True))
                if not self._heap.changing:  # or it tells of the same one a look later
                    self._taken_before = self.taken
        self._backs = not_alone(self._backs, _ALONE * look.width) if quads else self._backs
        self._grew = len(self._backs) > known_before
        self._ever = self._ever or any(back.seen >= CERTAIN for back in self._backs)
        self._before = now

    def _relit(self, sun: SunLight, was: Floats, now: Floats, backs: Mask) -> Mask:
        """Return where only the sun's light has changed, (h, w): a back is one before and after, or never."""
        relit = sun.relit(was, now)
        on_backs = relit & backs
        relit[on_backs] = self._colours.told(was[on_backs]) == self._colours.told(now[on_backs])
        return relit

    def _matched(self, look: BackLook) -> tuple[list[tuple[Back, int]], list[Back]]:
        """Return the backs that lie where one is found, each with that find, and the others.

        Those finds are not free any more.
        """
        found: list[tuple[Back, int]] = []
        lost: list[Back] = []
        for back in self._backs:
            near = nearest(back.home, look.quads, look.free, _SAME * look.width)
            if near is None:
                lost.append(back)
            else:
                look.free.remove(near)
                found.append((back, near))
        return found, lost

    def _gone(
        self, lost: Sequence[Back], look: BackLook, fate_of: Callable[[Sequence[Corners]], Sequence[Fate]]
    ) -> list[Back]:
        """Return those of the ``lost`` that have gone; forget the guesses among them.

        Those that were only nudged are moved to where they lie now.
        """
        here = look.patches_of([back.home for back in lost])
        away = [
            None if patch is None or back.patch is None else apart(back.patch, patch, look.gain)
            for back, patch in zip(lost, here, strict=True)
        ]
        asked = [
            k
            for k, (one, patch) in enumerate(zip(away, here, strict=True))
            if self._seems_bare(one, patch, look)
        ]
        fates = dict(zip(asked, fate_of([lost[k].home for k in asked]) if asked else [], strict=True))
        gone: list[tuple[Back, Patch | None, float]] = []
        for k, (back, patch, otherwise) in enumerate(zip(lost, here, away, strict=True)):
            if patch is None or back.patch is None or otherwise is None:
                went, changed = fates[k] != "covered", False
            else:
                changed = otherwise >= look.bar
                fate = fates.get(k)
                plain = fate == "bare" or (
                    fate not in (None, "covered") and half_calm(back.patch, patch, look.gain)
                )
                went = plain or back_has_gone(back.patch, patch, look)
                went = went and not back.looks_as_once(patch, look)
                went = went and not self._colours.shown_by(patch, in_sun=self._shadows)
                went = went or (self._sunny and self._colours.bared(patch))
                back.patch = back.patch * look.gain  # the light goes on changing until the back is found again
                if not went:
                    # It lies there though it was not found, or something covers it.
                    back.lies_there()
                    back.seen += not back.found
                    nudged = nearest(back.home, look.quads, look.free, _BESIDE * look.width)
                    if nudged is not None and back.found:
                        look.move(back, nudged)
            if changed and not went and not back.found and back.seen < ESTABLISHED:
                self._backs.remove(back)  # what covers a guess may be what was taken for a back
            elif went and self._was_none(back, patch, look.width):
                self._backs.remove(back)
            elif went:
                gone.append((back, patch, np.inf if otherwise is None else otherwise))
        bare = laid_bare(gone, look.width)
        left = [back for back, _, _ in gone if back not in bare]
        return without_doubles(left, [back.home for back in left if back.found], _BESIDE * look.width)

    def _seems_bare(self, otherwise: float | None, patch: Patch | None, look: BackLook) -> bool:
        """Say whether a place may lie bare, by how it looks: then it is asked what the ground tells of it."""
        if otherwise is None or patch is None or otherwise >= _PLAINLY * look.bar:
            return True
        return otherwise >= look.bar and self._colours.bared(patch, BARED_SURELY)

    def _newly_found(self, look: BackLook, touched: Callable[[Corners], bool]) -> list[Back]:
        """Return backs that were not known; those far from a pool that is known have to be found often."""
        pool = [back.home for back in self._backs if back.seen >= CERTAIN]
        known = self._looks > ESTABLISHED and len(pool) >= _POOL
        new = [Back(look.quads[at], look.patches[at]) for at in look.free]
        for back, at in zip(new, look.free, strict=True):
            back.came = self._looks > 0 and (at in look.came or touched(back.home))
            told = self._looks > 0 and self._before is not None and back.patch is not None
            back.arrived_at = self._looks if told and at in look.came else None
        if not known:
            for back in new:
                back.early = not self._looks
            return new
        for back in new:
            back.late = self._sunny
            if not is_near(back.home, pool, _ALONE * look.width):
                back.seen, back.strayed_at = _STRAY, self._looks
        # A gap in the shade has the outline of a back, too.
        return [back for back in new if back.patch is None or not self._colours.denied_by(back.patch)]

    def _unseen(
        self, look: BackLook, now: Places, faces: Sequence[Corners], gaps: AbstractSet[int]
    ) -> list[Back]:
        """Return backs that must lie between those of a block though nothing found them."""
        known = [
            (quad, patch)
            for at, (quad, patch) in enumerate(zip(look.quads, look.patches, strict=True))
            if patch is not None and at not in gaps
        ]
        new = self._looks <= ESTABLISHED
        most = float("inf") if new else max(_MOST_AT_ONCE, _MOST_NEW * len(self._backs))
        if self._whole is not None:
            most = min(most, self._whole - self.taken - len(self._backs))  # there are no more
        others = [*faces, *(back.home for back in self._backs)]
        return [Back(home, patch, found=False) for home, patch in unseen_in_block(known, others, now, most)]

    def _see_heap(self, most_gone: int, lost: Sequence[Back], quads: Sequence[Corners]) -> None:
        """A heap has lost a back where none was seen to go, and no more than the one place tells of.

        It was one of those ``lost`` from there, if one was known that none of the ``quads`` shows elsewhere.
        """
        if most_gone and self.taken == self._taken_before:
            self.gone.append(GoneBack(self._heap.gone_from, of_heap=True))
            there = [
                back for back in lost if self._heap.went_from(back.home) and not is_near(back.home, quads, 1)
            ]
            went = [back for back in lost if back.missed] or there[:1]
            self._backs = [back for back in self._backs if back not in went]
        elif most_gone:
            del self.gone[self._taken_before + most_gone :]
        if not self._heap.changing:
            self._taken_before = self.taken

    def _may_be(self, lost: Sequence[Back], seen: int) -> bool:
        """Say whether one of those ``lost`` is what a heap tells of, or one of more than were ``seen``."""
        if self._whole is None or seen < _MOST_SEEN * (self._whole - self.taken):
            return True
        return any(lay_at(self._heap.gone_from, back.home) for back in lost) or not lie_apart(self.places)

    def _pushed(self, back: Back, look: BackLook, far: float) -> bool:
        """True for a back that is not where it was, but no farther off, pixels; it is moved to there.

        Where many came at once the pool was pushed together, and nothing was taken. So it is where a row slid.
        """
        near = nearest(back.home, look.quads, look.came, far)
        if near is None:
            near = shifted(back, look, self.places, _BESIDE * look.width)
        if near is None:
            near = slid(back, look)
        if near is not None:
            look.move(back, near)
        return near is not None

    def _had_come(self, back: Back, look: BackLook) -> bool:
        """True for one that the last look saw where none had lain, but not yet that it had left its place."""
        if back.lost_at != self._looks - 1:
            return False
        came = [one for one in self._backs if one is not back and one.arrived_at == back.lost_at]
        near = nearest(back.home, [one.home for one in came], range(len(came)), PUSHED * look.width)
        if near is None:
            return False
        came[near].arrived_at = None
        self._backs.remove(back)
        return True

    def _without_adrift(self, gone: Sequence[Back], *, most_found: bool) -> list[Back]:
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

    def _forget(self, none: Sequence[Back], gone: Sequence[Back]) -> list[Back]:
        """Forget those that went nowhere, or never were any; return the others of the ``gone``."""
        self._backs = [back for back in self._backs if back not in none]
        return [back for back in gone if back not in none]

    def _miss(self, back: Back) -> None:
        """A back is not where it was: taken, where it is the second look that says so.

        A patch of sun that looked like one, or was guessed to be, has wandered off; a note pad that looked like
        one far from the others is seen for what it is.
        """
        back.missed += 1
        if back.missed >= CERTAIN:
            self._backs.remove(back)
            none = (self._sunny and (back.late or not back.found)) or self._strays(back)
            if not none:
                self.gone.append(GoneBack(back.home))

    def _strays(self, back: Back) -> bool:
        """True for one that came late, far from the pool, and was found in few of the looks since."""
        if back.strayed_at is None:
            return False
        found = back.seen - _STRAY + 1
        return found < _MOSTLY * (self._looks - back.strayed_at)

    def _was_none(self, back: Back, patch: Patch | None, width: float) -> bool:
        """True for what was taken for a back and has gone before that was sure, or never was found again."""
        if back.seen <= 0 or back.seen >= CERTAIN:
            return back.seen <= 0
        once = back.came or (back.early and self._looks > ESTABLISHED)
        return once or patch is None or not back.found or self._is_alone(back, width)

    def _is_alone(self, back: Back, width: float) -> bool:
        """True for one far from all others: a drawn tile that is carried past."""
        return not is_near(
            back.home, [other.home for other in self._backs if other is not back], _ALONE * width
        )

    def _is_new(self, look: BackLook, at: int) -> bool:
        """Say whether a back that was not known has come, or was only not found until now."""
        home, patch = look.quads[at], look.patches[at]
        if self._before is None or patch is None:
            return True
        if not self._before.shows(home):
            return False
        before = self._before.patches([home])[0]
        lay_in_shade = self._sunny and self._colours.shown_by(before, in_sun=self._shadows)
        return apart(before, patch, look.gain) >= look.bar and not lay_in_shade
