"""Face-down tiles in view: how many lie there, and how many were taken, whatever a hand hides for a moment.

The finder misses some of the backs of a crowded pool, now these and now those; what looks like a back beside
backs is one that it missed (``pool_block``). A back that is not found is compared with how its place looked
while it lay there, and one that is newly found with how its place looked just before: only where the picture
itself has changed has anything happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from vision.watch.pool_colours import BARED_SURELY, bare_places
from vision.watch.pool_heap import HeapKeeper
from vision.watch.pool_known import ALONE, BESIDE, KnownBacks
from vision.watch.pool_moves import buried, laid_over, lay_at, lie_apart
from vision.watch.pool_pushes import PUSHED, Pushes, how_far
from vision.watch.pool_stacks import lowered
from vision.watch.sun_light import SunLight
from vision.watch.tracks import Fate
from vision.watch.types import GoneBack

__all__ = ["PoolKeeper"]

_NUDGED = 0.2
"""Tile widths over which it was pushed."""
_PLAINLY = 2.0
"""So many times the change that counts is plain where the table lies bare, or half of what lies around is as
it was: what was put down beside it is near, or the side of its neighbour came into view."""
_ON_TOP = 0.65
"""Share of a pool in view up to which the rest of it lies under these."""
_MOST_SEEN = 0.95
"""Share of a pool that is found at least where none lie under others."""


class PoolKeeper(KnownBacks):
    """Counts backs. One that is not found counts as taken only when its place has changed, in two looks."""

    def __init__(self, whole: int | None = None) -> None:
        """Begin with none; ``whole`` is how many the pool has, where that is known."""
        super().__init__(whole)
        self._grew = False
        self._heap, self._taken_before, self._pushes = HeapKeeper(), 0, Pushes()

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
        lost = without_doubles(lost, quads, BESIDE * look.width)
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
        self._backs = not_alone(self._backs, ALONE * look.width) if quads else self._backs
        self._grew = len(self._backs) > known_before
        self._ever = self._ever or any(back.seen >= CERTAIN for back in self._backs)
        self._before = now

    def _relit(self, sun: SunLight, was: Floats, now: Floats, backs: Mask) -> Mask:
        """Return where only the sun's light has changed, (h, w): a back is one before and after, or never."""
        relit = sun.relit(was, now)
        on_backs = relit & backs
        relit[on_backs] = self._colours.told(was[on_backs]) == self._colours.told(now[on_backs])
        return relit

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
                    nudged = nearest(back.home, look.quads, look.free, BESIDE * look.width)
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
        return without_doubles(left, [back.home for back in left if back.found], BESIDE * look.width)

    def _seems_bare(self, otherwise: float | None, patch: Patch | None, look: BackLook) -> bool:
        """Say whether a place may lie bare, by how it looks: then it is asked what the ground tells of it."""
        if otherwise is None or patch is None or otherwise >= _PLAINLY * look.bar:
            return True
        return otherwise >= look.bar and self._colours.bared(patch, BARED_SURELY)

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
