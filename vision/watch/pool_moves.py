"""Backs that lie no more where they lay, and were not taken: pushed a little, under others, or never there."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.readings import Corners
from vision.watch.look import shared_area, tile_width
from vision.watch.pool_backs import Back, BackLook, is_near, nearest

__all__ = ["buried", "laid_over", "lay_at", "lie_apart", "pushed_out", "shifted", "slid"]

_OVER = 0.25
"""Share of its old place that a back covers which was pushed a little."""
_LAP, _NEARLY_NONE = 0.1, 0.05
"""Share of it by which a back seems to lie over another one, cut a little large, and of a pool that lies apart
in which some are found twice."""
_ROW, _STRAIGHT, _IN_ROW = 2, 0.97, 0.75
"""So many widths at least a row has slid along itself, by the cosine to its backs' sides, and so near to each
width of its way a back lies."""
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
    """Return the find that came at the far end of a row whose first one left: all slid on, to close a gap.

    Each of them was found where the next one had lain.
    """
    middles = np.stack([quad.mean(axis=0) for quad in look.quads])
    start, sides = back.home.mean(axis=0), (back.home[1] - back.home[0], back.home[3] - back.home[0])
    for at in look.came:
        way = middles[at] - start
        far = float(np.hypot(*way))
        steps = round(far / look.width)
        straight = max(abs(float(way @ side)) / max(far * float(np.hypot(*side)), 1e-6) for side in sides)
        if steps < _ROW or straight < _STRAIGHT:
            continue
        between = start + way * np.arange(1, steps)[:, None] / steps
        away = np.linalg.norm(between[:, None] - middles[None], axis=2).min(axis=1)
        if (away <= _IN_ROW * look.width).all():
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
