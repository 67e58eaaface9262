"""What changes again and again by itself, a clock on a phone: it is no hand, and ends no stillness.

Hands and tiles move once and lie still; they change more cells of the gate's grid than a digit does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Restless"]

_MOST_CELLS, _MOST_SIDE = 32, 9
"""Cells in all, and along either side, of what may be such a thing; two digits that changed at once had 29."""
_SHORT_S = 0.6
"""It changes at one blow, and is still again within this time."""
_TIMES, _WITHIN_S = 3, 15.0
"""So often within so long, and it is known."""
_LASTING_S = 6.0
"""So is what has changed without end for so long, and stayed as small: a running stop-watch."""
_FORGOTTEN_S = 10.0
"""It is forgotten when nothing has changed there for so long."""
_SAME_SHARE = 0.5
"""Share of the smaller one's cells that changes in one place have in common."""

_RIGHT_BESIDE = np.ones((3, 3), np.uint8)
"""Cells around one that belong to it: another digit is a little wider."""

Cells = NDArray[np.bool_]


@dataclass(slots=True, eq=False)
class _Spot:
    """A place that changed by itself."""

    cells: Cells
    last_s: float
    times_s: list[float] = field(default_factory=list)
    lasting: bool = False
    """It changes without end."""

    @property
    def known(self) -> bool:
        """True once it has done so often enough."""
        return self.lasting or len(self.times_s) >= _TIMES


class Restless:
    """Learns such places of the gate's grid, frame by frame."""

    def __init__(self, shape: tuple[int, int]) -> None:
        """Know none yet."""
        self._spots: list[_Spot] = []
        self._calm = self._ended = np.ones(shape, np.bool_)
        self._changed: Cells | None = None
        self._since_s = 0.0

    @property
    def calm(self) -> Cells:
        """All other cells, bool (h, w)."""
        return self._calm

    def take(self, t_s: float, changed: Cells | None, least: float) -> None:
        """Take in the cells (h, w) that changed; None where that cannot be told.

        ``least`` is how many have to change for anything to have happened.
        """
        if changed is None:
            self._changed = None
            return
        told = changed & self._ended if self._spots else changed
        if np.count_nonzero(told) >= least:
            if self._changed is None:
                self._changed, self._since_s = np.zeros_like(changed), t_s
            self._changed |= told
            if t_s - self._since_s > _LASTING_S and _is_small(self._changed):
                self._spots.append(_Spot(self._changed, t_s, lasting=True))
                self._changed = None
                self._settle()
        elif self._changed is not None:
            cells, self._changed = self._changed, None
            if t_s - self._since_s <= _SHORT_S and _is_small(cells):
                self._note(cells, t_s)
        if self._spots:
            self._forget(t_s, changed)

    def _note(self, cells: Cells, t_s: float) -> None:
        spot = next((one for one in self._spots if _is_there(one.cells, cells)), None)
        if spot is None:
            spot = _Spot(cells, t_s)
            self._spots.append(spot)
        elif _is_small(both := spot.cells | cells):
            spot.cells = both
        spot.times_s = [*(one for one in spot.times_s if spot.known or t_s - one <= _WITHIN_S), t_s][-_TIMES:]
        self._settle()

    def _forget(self, t_s: float, changed: Cells) -> None:
        for spot in self._spots:
            if (spot.cells & changed).any():
                spot.last_s = t_s
        keep = [
            spot for spot in self._spots if t_s - spot.last_s <= (_FORGOTTEN_S if spot.known else _WITHIN_S)
        ]
        if len(keep) < len(self._spots):
            self._spots = keep
            self._settle()

    def _settle(self) -> None:
        """Work out which cells are none of the places that are known."""
        shape = self._calm.shape
        self._calm = _all_but([spot for spot in self._spots if spot.known], shape)
        self._ended = _all_but([spot for spot in self._spots if spot.lasting], shape)


def _all_but(spots: Sequence[_Spot], shape: tuple[int, ...]) -> Cells:
    calm = np.ones(shape, np.bool_)
    for spot in spots:
        calm &= cv2.dilate(spot.cells.astype(np.uint8), _RIGHT_BESIDE) == 0
    return calm


def _is_small(cells: Cells) -> bool:
    rows, columns = np.flatnonzero(cells.any(axis=1)), np.flatnonzero(cells.any(axis=0))
    side = max(int(np.ptp(rows)), int(np.ptp(columns))) + 1 if len(rows) else 0
    return side <= _MOST_SIDE and int(np.count_nonzero(cells)) <= _MOST_CELLS


def _is_there(one: Cells, other: Cells) -> bool:
    common = np.count_nonzero(one & other)
    return bool(common >= _SAME_SHARE * min(np.count_nonzero(one), np.count_nonzero(other)))
