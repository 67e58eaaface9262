"""Sets that may go on beyond the picture: beside their last tile, another one would be cut by its border."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from referee import ANY_TILE, SeenTile, SetRules, judge_set
from vision.quads import quad_axes
from vision.readings import Corners

__all__ = ["may_go_on", "missing"]

_OUT_OF_VIEW: Final = replace(ANY_TILE, hidden=True)
"""A tile of which nothing is seen."""


def may_go_on(quads: Sequence[Corners], size_wh: tuple[int, int]) -> bool:
    """Tell whether a further tile of a set on the table could lie where the picture ends.

    ``quads`` are the corners (4, 2) of its tiles, in reading order, in the picture's pixels; ``size_wh`` is the
    picture's width and height.
    """
    limit = np.array(size_wh, np.float32)
    return any(bool(((quad < 0) | (quad > limit)).any()) for quad in _next_places(quads))


def missing(tiles: Sequence[SeenTile], rules: SetRules) -> tuple[SeenTile, ...]:
    """Return the tiles out of view with which a faulty set is legal; empty where none would make it so."""
    more = (_OUT_OF_VIEW,) * max(1, 3 - len(tiles))
    return more if judge_set((*tiles, *more), rules).verdict != "illegal" else ()


def _next_places(quads: Sequence[Corners]) -> Iterator[Corners]:
    """Yield where a tile before the first of these, (4, 2) each, and one after the last would lie, pixels."""
    across, _ = quad_axes(np.stack([quads[0], quads[-1]]))
    for quad, width, sign in ((quads[0], across[0], -1), (quads[-1], across[-1], 1)):
        course = quads[-1].mean(axis=0) - quads[0].mean(axis=0) if len(quads) > 1 else width
        along = course / max(float(np.linalg.norm(course)), 1e-6)
        yield quad + sign * along * float(np.linalg.norm(width))
