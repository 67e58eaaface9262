"""Backs that lie no more where they lay, and were not taken: pushed a little, under others, or never there."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners
from vision.watch.look import shared_area, tile_width
from vision.watch.pool_backs import Back, BackLook, is_near, nearest

__all__ = ["buried", "laid_over", "lay_at", "lie_apart", "pushed_out", "shifted", "slid"]

_OVER = 0.25
"""Share of its old place that a back covers which was pushed a little."""
_LAP, _NEARLY_NONE = 0.1, 0.05
"""Share of it by which a back seems to lie over another one, cut a little large, and of a pool that lies apart
in which some are found twice."""
_ROW, _ASIDE, _IN_ROW = 2, 0.5, 0.45
"""So many places at least the first of a row was from its gap, so many widths aside at most, and so near to
each place between a back lies."""
_OUT = 0.3
"""Share of its place that lay bare before, where a back was pushed out of the pool."""
_FAR_OUT = 0.9
"""The same where it lay under none before: it counts for two."""
_LAY_AT = 0.5
"""Sides of a square as large as a back within which the middle of what changed lies where it has gone."""
_LAID_OVER = 0.4
"""Share of its place over which a tile lies face up where no back was: rows seen from low overlap less."""


def shifted(back: Back, look: BackLook, lying: Sequence[Corners], within: float) -> int | None:
    """Return the find that lies over a part of where a back lay; None in a pool of which some lie over others.

    White on white looks as if it had lain there before; but it could not, of these ``lying``, (4, 2) each. It
    lies ``within`` so many pixels.
    """
    near = nearest(back.home, look.quads, look.free, within)
    if near is None or not lie_apart(lying):
        return None
    over = shared_area(back.home, look.quads[near]) >= _OVER * cv2.contourArea(back.home)
    return near if over else None


def slid(back: Back, look: BackLook) -> int | None:
    """Return the find that came in the gap of a row whose first one left: all between slid on, to close it.

    Each of them was found where the next one had lain. The row goes on beyond the gap, and begins after
    ``back``: whoever draws one from its middle, or puts one down at its end, has closed none.
    """
    if not look.came:
        return None
    middles = np.stack([quad.mean(axis=0) for quad in look.quads])
    start, near = back.home.mean(axis=0), _IN_ROW * look.width

    def lies(place: NDArray[np.float32]) -> bool:
        return bool(np.linalg.norm(middles - place, axis=1).min() <= near)

    for side in (back.home[1] - back.home[0], back.home[3] - back.home[0]):
        pitch = float(np.hypot(*side))
        unit = side / max(pitch, 1e-6)
        for at in look.came:
            along = float((middles[at] - start) @ unit)
            steps = round(abs(along) / max(pitch, 1e-6))
            if steps < _ROW or np.hypot(*(middles[at] - start - along * unit)) > _ASIDE * look.width:
                continue
            step = (middles[at] - start) / steps
            row = all(lies(start + step * nth) for nth in (*range(1, steps), steps + 1))
            if row and not lies(start - step) and not lies(start):
                return at
    return None


def pushed_out(moved_to: Sequence[Corners], lay: Sequence[Corners]) -> int:
    """Return how many of the places to which backs were pushed, (4, 2), none took of those that ``lay``.

    One that was bare counts for two: no lower one of a stack lies so far off.
    """
    out = 0
    for home in moved_to:
        over = sum(shared_area(home, one) for one in lay if is_near(one, [home], 2 * tile_width([home])))
        bare = 1 - over / max(cv2.contourArea(home), 1e-6)
        out += 2 if bare >= _FAR_OUT else int(bare >= _OUT)
    return out


def lie_apart(homes: Sequence[Corners]) -> bool:
    """Say whether nearly none of these places, (4, 2) each, lies over another one."""
    over = 0
    for home in homes:
        near = [one for one in homes if one is not home and is_near(one, [home], 2 * tile_width([home]))]
        over += any(shared_area(home, one) > _LAP * cv2.contourArea(home) for one in near)
    return over <= _NEARLY_NONE * len(homes)


def lay_at(place: Corners, home: Corners) -> bool:
    """Say whether what went from a place, an upright rectangle (4, 2), may be the back that lay at ``home``."""
    return is_near(place, [home], _LAY_AT * float(np.sqrt(cv2.contourArea(home))))


def buried(gone: Sequence[Back], moved: Sequence[Corners], within: float) -> list[Back]:
    """Return all but one of those that went where others were pushed aside: they lie under these."""
    return [back for back in gone if not back.missed and is_near(back.home, moved, within)][1:]


def laid_over(gone: Sequence[Back], faces: Sequence[Corners]) -> list[Back]:
    """Return those over which a tile lies face up now: it was laid on a motif of the cloth."""
    return [
        back
        for back in gone
        if any(shared_area(back.home, face) >= _LAID_OVER * cv2.contourArea(back.home) for face in faces)
    ]
