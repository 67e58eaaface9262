"""Backs of a close block that the finder does not see: places beside known backs that look just like them.

The edges between blank backs are faint, and the finder sees now these of a block and now those. Where tiles lie
edge to edge, though, the next place is a tile's width away, and shows whether a back lies there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.quads import quad_axes, turned_rad
from vision.readings import Corners
from vision.watch.patches import SAME_LIGHT, Patch, Places, apart, dimness

__all__ = ["unseen_in_block"]

_ENOUGH = 4
"""Fewer known backs than this are no block."""
_STEPS = 3
"""So many tiles from a known back a place is looked at; the error of a tile's width adds up."""
_LIKE_LEVELS, _LIKE_TIMES = 7.0, 2.0
"""Grey levels, and medians of what neighbours differ by, below which a place looks like the back beside it."""
_MOST_LIKE_LEVELS = 14.0
_MOST_TIMES = 1.5
"""The finder sees at least so many of a block's backs that no more than this times as many are missing."""
_ROW_STEPS, _OFF_ROW, _TURNED_RAD = 2, 0.25, np.radians(8.0)
"""Two backs lie in a row or a column up to so many tiles apart, off by less than this share of one, and turned
by less."""
_FREE = 0.7
"""Tile widths within which no other tile's middle may lie."""


def unseen_in_block(
    known: Sequence[tuple[Corners, Patch]],
    others: Sequence[Corners],
    now: Places,
    most: float = float("inf"),
) -> list[tuple[Corners, Patch]]:
    """Return where backs lie, (4, 2) at home, that are not ``known`` or among ``others``, and how they look.

    Nothing where more than ``most`` would come of it, or far more than there are known ones: then the table
    looks as the backs do.
    """
    if len(known) < _ENOUGH:
        return []
    bar = _like(known)
    most = min(most, _MOST_TIMES * len(known) + _ENOUGH)
    taken = np.stack([*(home for home, _ in known), *others]).mean(axis=1)
    found: list[tuple[Corners, Patch]] = []
    edge = _in_rows(known)
    for _ in range(_STEPS):
        fresh: list[tuple[Corners, Patch]] = []
        for home, patch in edge:
            free = [quad for quad in _beside(home) if _is_free(quad, taken)]
            for quad, looks in zip(free, now.patches(free), strict=True):
                if apart(patch, looks, SAME_LIGHT) < bar and _is_free(quad, taken):
                    fresh.append((quad, looks))
                    taken = np.concatenate([taken, quad.mean(axis=0)[None]])
        found += fresh
        edge = fresh
        if len(found) > most:
            return []
    return found


def _in_rows(known: Sequence[tuple[Corners, Patch]]) -> list[tuple[Corners, Patch]]:
    """Return those that lie in a row or column with another one: beside a scattered one lies anything."""
    quads = np.stack([home for home, _ in known])
    middles, (rights, downs) = quads.mean(axis=1), quad_axes(quads)
    kept = []
    for at, (home, patch) in enumerate(known):
        axes = np.stack([rights[at], downs[at]])
        steps = (middles - middles[at]) @ np.linalg.pinv(axes)
        whole = np.round(steps)
        near = (np.abs(whole).max(axis=1) <= _ROW_STEPS) & (np.abs(whole).sum(axis=1) > 0)
        in_row = near & (np.abs(steps - whole).max(axis=1) <= _OFF_ROW)
        if any(turned_rad(home, known[other][0]) <= _TURNED_RAD for other in np.flatnonzero(in_row).tolist()):
            kept.append((home, patch))
    return kept


def _beside(home: Corners) -> list[Corners]:
    """The four places that share an edge with a tile's."""
    (right,), (down,) = quad_axes(home[None])
    return [np.asarray(home + shift, np.float32) for shift in (right, -right, down, -down)]


def _is_free(quad: Corners, taken: NDArray[np.float32]) -> bool:
    width = float(np.linalg.norm(quad[1] - quad[0]))
    away = taken - quad.sum(axis=0) / 4
    return float(np.hypot(away[:, 0], away[:, 1]).min()) > _FREE * width


def _like(known: Sequence[tuple[Corners, Patch]]) -> float:
    """The difference in grey levels up to which two neighbours look alike, by those that are known."""
    middles = np.stack([home.mean(axis=0) for home, _ in known])
    away = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    np.fill_diagonal(away, np.inf)
    usual = float(
        np.median(
            [apart(known[at][1], known[int(away[at].argmin())][1], SAME_LIGHT) for at in range(len(known))]
        )
    )
    dim = dimness([patch for _, patch in known])
    return float(np.clip(_LIKE_TIMES * usual, dim * _LIKE_LEVELS, dim * _MOST_LIKE_LEVELS))
