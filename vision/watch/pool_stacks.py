"""Stacks of backs: where the upper one was taken, the lower one is found in its place, a little off."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners
from vision.watch.patches import apart
from vision.watch.pool_backs import CERTAIN, ESTABLISHED, Back, BackLook, Found, nearest

__all__ = ["lie_off", "lowered"]

_OFF, _TIMES = 0.045, 6.0
"""Tile widths by which a back lies off that is another one, and so many times as far as most backs seem to."""
_SHIFTED = 0.1
"""So far off a row that is put straight shifts its backs: whoever draws jostles few so far."""
_MOST_OFF = 0.6
"""No lower one lies farther off, in tile widths: it was pushed there."""
_ENOUGH = 4
"""Fewer backs do not tell by how much they only seem to lie off."""
_FOLLOWS = 0.3
"""How much each look tells of where a back lies."""
_SAME_LEVELS = 3.0
"""Mean difference in grey levels under which a place looks as it did: a stack has several outlines."""
_HARDLY_OFF, _MUCH_THE_SAME = 0.07, 5.0
"""So little off, in tile widths, it has to look more otherwise: amid a heap outlines shift by as much."""


def lie_off(found: Found, look: BackLook) -> list[Back]:
    """Return the backs that are found off from where they lay: a row that was straightened shifts several.

    Those that never lay at rest do not count: finds amid a heap waver.
    """
    if len(found) < _ENOUGH:
        return []
    _, off = _off(found, look, _SHIFTED)
    backs = [back for (back, _), is_off in zip(found, off, strict=True) if is_off]
    return [back for back in backs if back.at_rest is not None and _is_settled(back)]


def lowered(
    found: Found,
    look: BackLook,
    touched: Callable[[Corners], bool],
    calm_beside: Callable[[Corners], bool],
) -> Back | None:
    """Return the back that was taken off another: that one is found a little off, in two looks.

    It is the only one that lies otherwise, hands were there (``touched``), and beside it the pool is calm: none
    has gone or come or was pushed. ``found`` are the backs of a look, each with its find.
    """
    # The rim of a lower one is found now and then.
    found = [(back, at) for back, at in found if _is_settled(back)]
    if len(found) < _ENOUGH:
        return None
    away, off = _off(found, look, _OFF)
    taken = None
    for (back, at), is_off, by in zip(found, off, away, strict=True):
        home = look.quads[at]
        if by > _MOST_OFF:
            back.lies_anew(home)
            continue
        if not is_off:
            back.off, back.lay = 0, np.asarray(back.lay + _FOLLOWS * (home - back.lay), np.float32)
        if not is_off or _looks_the_same(back, look, hardly=by < _HARDLY_OFF):
            back.keeps_resting(at, look, touched(home))
            continue
        # A find that only wavers lies off on one side, and then on the other.
        wavers = nearest(home, [back.lies, back.lay], range(2), np.inf) == 1
        back.off = 1 if wavers else back.off + 1
        back.lies = home
        if back.off == 1:
            back.taken_off = calm_beside(home) and off.sum() == 1 and touched(home)
        if back.off >= CERTAIN:
            taken = back if back.taken_off and calm_beside(home) else taken
            back.lies_anew(home)
    return taken


def _is_settled(back: Back) -> bool:
    return back.early or back.seen >= ESTABLISHED


def _looks_the_same(back: Back, look: BackLook, *, hardly: bool) -> bool:
    """Say whether the place where it rested looks as it did when nothing lay over it.

    ``hardly``: it lies so little off.
    """
    patch = look.patches_of([back.rested])[0]
    if back.at_rest is None or patch is None:
        return False
    return apart(back.at_rest, patch, look.gain) < (_MUCH_THE_SAME if hardly else _SAME_LEVELS)


def _off(found: Found, look: BackLook, least: float) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return how far each lies from where it lay, tile widths, but for what all of them share.

    And whether that is more than ``least``, and than what most only seem to.
    """
    shift = np.stack([look.quads[at] - back.lay for back, at in found]).mean(axis=1)
    shift = shift - np.median(shift, axis=0)
    away = np.asarray(np.hypot(shift[:, 0], shift[:, 1]), np.float32) / look.width
    return away, away > max(least, _TIMES * float(np.median(away)))
