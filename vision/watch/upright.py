"""Backs that stand: a rack seen from behind or from its end shows its tiles' backs, and they are no pool.

A tile that is played from such a rack was not drawn. All tiles that lie have one shape on the table's plane;
what stands has another, seen from aside. Only a whole group of such backs is left out: of one alone, the finder
may have set the corners wrongly.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.layout.plane import quad_areas, tile_frames
from vision.quads import linked
from vision.readings import Corners
from vision.watch.look import Look

__all__ = ["without_upright"]

_ENOUGH = 12
"""Fewer tiles, faces and backs, tell little of the plane."""
_BENT = 0.45
"""So far from the shape of all is what stands: those of two racks were 0.6 to 0.9; of 1,800 backs that lay, in
20 games, 9 were beyond this, and made no group."""
_BESIDE = 1.9
"""Roots of a back's area within which its neighbours' middles lie."""


def without_upright(look: Look) -> tuple[Look, list[Corners]]:
    """Return the look without groups of backs that stand, and where these are, (4, 2) each, at home."""
    if not look.backs or len(look.backs) + len(look.faces) < _ENOUGH:
        return look, []
    quads = np.asarray([*look.backs, *(face.home for face in look.faces)], np.float64)
    backs = len(look.backs)
    bent = _bent(quads, backs) > _BENT
    if not bent.any():
        return look, []
    groups = _groups(quads[:backs])
    stand = np.array([bent[groups == group].mean() > 1 / 2 for group in groups])
    stand &= np.bincount(groups)[groups] > 1
    if not stand.any() or stand.mean() > 1 / 2:
        return look, []
    lie = tuple(back for back, up in zip(look.backs, stand, strict=True) if not up)
    return replace(look, backs=lie), [back for back, up in zip(look.backs, stand, strict=True) if up]


def _bent(quads: NDArray[np.float64], backs: int) -> NDArray[np.float64]:
    """Return how far each of the first so many quads is from the shape of all, whichever side is its top."""
    turned = np.roll(quads[:backs], 1, axis=1)
    own = np.arange(len(quads) + backs) < len(quads)
    for _ in range(2):
        frames = tile_frames(np.concatenate([quads, turned]), own)
        bent = np.minimum(frames.bent[:backs], frames.bent[len(quads) :])
        if (bent <= _BENT).all():
            break
        own[:backs] = bent <= _BENT
    return bent


def _groups(quads: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return a number for each quad, the same for those that lie side by side."""
    middles, sides = quads.mean(axis=1), np.sqrt(np.abs(quad_areas(quads)))
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    touch = apart <= _BESIDE * np.minimum(sides[:, None], sides[None])
    return np.asarray(linked(touch).argmax(axis=1))
