"""What has come to stand near a tile's place since the tile was last seen: it may hide the tile, and look bare.

A mug may have the table's own colour; its coffee, its handle or its shadow have not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.readings import Corners
from vision.watch.home_view import Mask
from vision.watch.look import known_at, still_known

__all__ = ["Beside"]

_NEAR = 2.5
"""Tile widths from a place's middle within which a thing may hide it: things that stand reach far upward."""
_TOUCHING = 1.2
"""Tile widths from its middle within which it covers a part of the tile, or stands against it."""
_LEAST = 0.5
"""Squares of a tile's width that must be new within them."""
_FLICKER = np.ones((5, 5), np.uint8)
"""By so much the edge of what stands there may move with noise and light."""


class Beside:
    """Remembers what stood near each tile when it was last in view."""

    def __init__(self) -> None:
        """Begin without any tile."""
        self._known: list[tuple[Corners, _Around]] = []

    def see(self, homes: Sequence[Corners], lying: Sequence[Corners], things: Mask, tiles: Mask) -> None:
        """Take in the places, (4, 2) each, at home, of tiles in view, and of all that still lie there.

        ``things``: what is neither ground nor tile, (h, w), home's pixels reduced by a whole number; ``tiles``:
        where tiles are seen.
        """
        around = _Around(things, things | tiles)
        self._known = [*((home, around) for home in homes), *still_known(self._known, lying, homes)]

    def touches(self, home: Corners, things: Mask, step: float) -> bool:
        """Say whether something stands against a tile, or on a part of it, that did not when it was in view."""
        before = known_at(self._known, home)
        return before is not None and _is_new(home, things, step, before.things, _TOUCHING)

    def came(self, home: Corners, things: Mask, step: float) -> bool:
        """Say whether something stands near ``home`` that did not when a tile was last in view there.

        ``step``: pixels of home to one of ``things``. Where tiles lay then the cloth's stripes may show.
        """
        before = known_at(self._known, home)
        return before is not None and _is_new(home, things, step, before.filled, _NEAR)


class _Around(NamedTuple):
    """What was seen when a tile was last in view."""

    things: Mask
    filled: Mask
    """These, and where tiles were seen."""


def _is_new(home: Corners, things: Mask, step: float, before: Mask, near: float) -> bool:
    """Say whether ``things`` stand so near a place, in tile widths, that were not there ``before``."""
    if before.shape != things.shape:
        return False
    width = float(np.linalg.norm(home[1] - home[0])) / step
    x, y = (home.mean(axis=0) / step).tolist()
    reach = near * width
    top, left = max(int(y - reach), 0), max(int(x - reach), 0)
    part = slice(top, int(y + reach) + 1), slice(left, int(x + reach) + 1)
    old = cv2.dilate(before[part].astype(np.uint8), _FLICKER) > 0 if before[part].size else before[part]
    new = things[part] & ~old
    return float(np.count_nonzero(new)) >= _LEAST * width**2
