"""Face-down tiles in view: how many lie there, whatever a hand hides for a moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision.readings import Corners
from vision.watch.look import tile_width
from vision.watch.tracks import Fate

__all__ = ["PoolKeeper"]

_SAME = 0.45
"""Tile widths within which a back is the same."""
_CERTAIN = 2
"""Looks in which a back has to be there, or its bare place, before the count changes."""


class _Back:
    def __init__(self, home: Corners) -> None:
        self.home, self.seen, self.missed = home, 1, 0


class PoolKeeper:
    """Counts backs. One that is not found counts as gone only when its place is seen bare, twice."""

    def __init__(self) -> None:
        """Begin with none."""
        self._backs: list[_Back] = []

    @property
    def count(self) -> int | None:
        """How many there are; None where none was ever seen for sure."""
        certain = sum(back.seen >= _CERTAIN for back in self._backs)
        return certain if certain or self._ever else None

    _ever = False

    def update(self, quads: Sequence[Corners], fate_of: Callable[[Sequence[Corners]], Sequence[Fate]]) -> None:
        """Take in the backs of a look, (4, 2) each, at home."""
        width = max(tile_width(list(quads)), 1e-6)
        free = list(range(len(quads)))
        lost: list[_Back] = []
        for back in self._backs:
            middle = back.home.mean(axis=0)
            away = {at: float(np.linalg.norm(quads[at].mean(axis=0) - middle)) / width for at in free}
            near = min(away, key=lambda at: away[at], default=None)
            if near is None or away[near] > _SAME:
                lost.append(back)
                continue
            free.remove(near)
            back.home, back.missed = quads[near], 0
            back.seen += 1
        for back, fate in zip(lost, fate_of([back.home for back in lost]), strict=True):
            if back.seen < _CERTAIN:
                self._backs.remove(back)
            elif free and fate == "bare":
                # It was pushed aside: the count stays.
                near = min(
                    free, key=lambda at: float(np.linalg.norm(quads[at].mean(axis=0) - back.home.mean(axis=0)))
                )
                free.remove(near)
                back.home, back.missed = quads[near], 0
            elif fate == "bare":
                back.missed += 1
                if back.missed >= _CERTAIN:
                    self._backs.remove(back)
        self._backs += [_Back(quads[at]) for at in free]
        self._ever = self._ever or any(back.seen >= _CERTAIN for back in self._backs)
