"""The backs of a pool one by one: which are found again, which came, were pushed, or never were any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from vision.readings import Corners
from vision.watch.patches import Patch, Places, apart
from vision.watch.pool_backs import CERTAIN, ESTABLISHED, WHOLE, Back, BackLook, is_near, nearest
from vision.watch.pool_block import unseen_in_block
from vision.watch.pool_colours import BackColours
from vision.watch.pool_moves import shifted, slid
from vision.watch.pool_pushes import PUSHED
from vision.watch.types import GoneBack

__all__ = ["ALONE", "BESIDE", "KnownBacks"]

_SAME = 0.45
"""Tile widths within which a back is the same."""
BESIDE = 0.75
"""Tile widths within which a back that was not found and one that was are the same."""
ALONE = 4.5
"""Tile widths from the nearest back that was found beyond which one that never was is none: a rack, a mat."""
_MOST_AT_ONCE = 3
"""More than so many that go at once went nowhere: the light changed, or the camera was moved."""
_ADRIFT = 3
"""Looks after which those are no backs any more, if most others lie where they lay."""
_STRAY, _MOSTLY = CERTAIN - ESTABLISHED, 0.5
"""What is found far from a pool that is known is one of it after so many looks more, and only if it was found
in so large a share of them."""
_POOL = 4
"""Fewer backs are no pool beside which others would be something else: tiles on a rack, seen from behind."""
_MOST_NEW = 0.25
"""Share of a pool that may turn out to have been missed by the finder, once the pool is known."""


class KnownBacks:
    """Keeps them from look to look."""

    def __init__(self, whole: int | None) -> None:
        """Begin with none; ``whole`` is how many the pool has, where that is known."""
        self._whole = whole
        self._backs: list[Back] = []
        self._before: Places | None = None
        self._ever = False
        self._looks = 0
        self._colours, self._sunny, self._shadows = BackColours(), False, False
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

    def _newly_found(self, look: BackLook, touched: Callable[[Corners], bool]) -> list[Back]:
        """Return backs that were not known; those far from a pool that is known have to be found often."""
        pool = [back.home for back in self._backs if back.seen >= CERTAIN]
        known = self._looks > ESTABLISHED and len(pool) >= _POOL
        new = [Back(look.quads[at], look.patches[at]) for at in look.free]
        for back, at in zip(new, look.free, strict=True):
            back.came = self._looks > 0 and (at in look.came or touched(back.home))
            told = self._before is not None and back.patch is not None
            back.arrived_at = self._looks if told and at in look.came else None
        if not known:
            for back in new:
                back.early = not self._looks
            return new
        for back in new:
            back.late = self._sunny
            if not is_near(back.home, pool, ALONE * look.width):
                back.seen, back.strayed_at = _STRAY, self._looks
        # A gap in the shade has the outline of a back, too.
        return [back for back in new if back.patch is None or not self._colours.denied_by(back.patch)]

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

    def _pushed(self, back: Back, look: BackLook, far: float) -> bool:
        """True for a back that is not where it was, but no farther off, pixels; it is moved to there.

        Where many came at once the pool was pushed together, and nothing was taken. So it is where a row slid.
        """
        near = nearest(back.home, look.quads, look.came, far)
        if near is None:
            near = shifted(back, look, self.places, BESIDE * look.width)
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
        return not is_near(back.home, [other.home for other in self._backs if other is not back], ALONE * width)
