"""Whether backs of the pool were only pushed about: out of a block, together, or a row of them straight."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.readings import Corners
from vision.watch.pool_backs import ESTABLISHED, BackLook, Found, is_near
from vision.watch.pool_moves import lie_apart, pushed_out
from vision.watch.pool_stacks import lie_off

__all__ = ["PUSHED", "Pushes", "how_far"]

PUSHED = 3.0
"""Tile widths over which a back may be pushed aside."""
_TOGETHER, _EVEN = 6, 1
"""More that come at once were pushed there, from wherever: of the second beside others, if as many went."""
_SEVERAL = 2
"""Where one alone is nudged, it may have lain under the one that was taken."""
_STRAIGHTENED = 4
"""So many lie a little off where somebody has put a row straight."""


def how_far(look: BackLook, found: Found, gone: int, looks: int) -> float:
    """Return how far, pixels, backs may have been pushed in a look in which so many seem to have gone.

    ``looks`` are those at this pool by now.
    """
    pool = [back.home for back, _ in found]
    beside = sum(is_near(look.quads[at], pool, PUSHED * look.width) for at in look.came)
    anywhere = len(look.came) > _TOGETHER or (beside > _EVEN and beside >= gone)
    return np.inf if anywhere and looks > ESTABLISHED else PUSHED * look.width


class Pushes:
    """Remembers what was pushed out while a heap's look has not settled."""

    def __init__(self) -> None:
        """Begin with nothing pushed."""
        self._out = 0

    def explain(
        self, look: BackLook, found: Found, lay: Sequence[Corners], count: int, *, changing: bool
    ) -> bool:
        """Take in what was pushed about, and say whether nothing has gone from a pool that lies apart.

        ``lay`` are the places before, ``count`` the backs that are known; once the heap is not ``changing``, it
        looks as it will from now on, and what was pushed lies there.
        """
        all_found = len(look.quads) >= count
        if all_found:  # no hand lies over them
            self._out = max(self._out, pushed_out(look.moved_to, lay))
        off = lie_off(found, look)
        straightened = off if len(off) >= _STRAIGHTENED else []
        pushed = all_found and self._out >= _SEVERAL
        if not changing:
            self._out = 0
            for back in straightened:
                back.lies_anew(back.home)
        return (pushed or bool(straightened)) and lie_apart(look.quads)
