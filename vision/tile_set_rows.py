"""Where the faces of a set lie when they are laid out to be learnt: rows of thirteen, and what is beside.

Corners are (x, y) pixels of the upright picture, clockwise. Which way is up is not known here: a row's quads
run along the row as the picture shows it, and :meth:`Row.other_way` gives the same row read from its other end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.quads import quad_axes
from vision.readings import Corners

__all__ = ["LaidOut", "Row", "find_rows"]

ROW_LENGTH = 13

_LEAST_ROW = 8
"""Fewer tiles side by side are no row."""
_NEXT, _FAR, _ASIDE = 0.6, 2.6, 0.45
"""A neighbour lies so many widths on at least and at most, and less than so many heights aside."""
_SAME_SIZE = 1.35
_SAME_WIDTH = 1.7
"""Neighbours in a row differ by less; corners are sometimes set by a numeral instead of the tile."""
_SURE_SCORE = 0.5
_SAME_WAY = np.cos(np.radians(20))
_NEAR_ROWS = 3.0
"""What lies within so many tile heights of a row belongs to the picture."""

Floats = NDArray[np.float64]
Fill = Callable[[Corners], Corners | None]
"""Looks for a tile at a place: corners where there should be one in, its exact corners out, or None."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """Tiles side by side."""

    quads: NDArray[np.float32]
    """Shape (n, 4, 2): in order along the row; the first side of each quad runs along it, too."""

    def other_way(self) -> Row:
        """Return the row as it reads from its other end, every tile the other way up."""
        return Row(np.roll(self.quads[::-1], 2, axis=1))

    @property
    def middle(self) -> Floats:
        """The mean (2,) of its tiles' middles."""
        return np.asarray(self.quads.mean(axis=(0, 1)), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class LaidOut:
    """One photograph of rows."""

    rows: tuple[Row, ...]
    """From one side of the picture to the other, all running the same way."""
    beside: NDArray[np.float32]
    """Shape (m, 4, 2): tiles of the same size that lie near the rows; turned like the rows."""
    beside_score: NDArray[np.float64]
    """Shape (m,): how sure the finder was of each."""


def find_rows(corners: NDArray[np.float32], score: NDArray[np.float64], fill: Fill) -> LaidOut:
    """Sort the tiles of a photograph, corners (N, 4, 2), into rows.

    ``score`` (N,) is how sure the finder was of each: rows are made of sure ones. ``fill`` looks
    where a row seems to lack one.
    """
    none = LaidOut((), np.zeros((0, 4, 2), np.float32), np.zeros(0))
    sure = score >= _SURE_SCORE
    if sure.sum() < _LEAST_ROW:
        return none
    along = _direction(corners[sure])
    quads = _turned_alike(corners, along)
    chains = _chains(quads[sure])
    rows = [_filled(quads[sure][chain], fill) for chain in chains if len(chain) >= _LEAST_ROW]
    if not rows:
        return none
    down = np.array([-along[1], along[0]])
    rows.sort(key=lambda row: float(row.middle @ down))
    kept = _beside(quads, rows)
    return LaidOut(tuple(rows), quads[kept], score[kept])


def _direction(corners: NDArray[np.float32]) -> Floats:
    """Return the direction (2,) in which most tiles are narrow, to the right of the picture."""
    sides = np.roll(corners, -1, axis=1) - corners
    lengths = np.linalg.norm(sides, axis=2)
    wide = (lengths[:, 0] + lengths[:, 2] > lengths[:, 1] + lengths[:, 3]).astype(int)
    across = np.stack([side[w] - side[w + 2] for side, w in zip(sides, wide, strict=True)]).astype(np.float64)
    angle = np.arctan2(across[:, 1], across[:, 0])
    middle = np.angle(np.exp(2j * angle).mean()) / 2
    along = np.array([np.cos(middle), np.sin(middle)])
    return -along if along[0] < -1e-9 else along


def _turned_alike(corners: NDArray[np.float32], along: Floats) -> NDArray[np.float32]:
    """Return the quads, each beginning with the side that runs along ``along`` (2,)."""
    sides = np.roll(corners, -1, axis=1) - corners
    first = (sides @ along).argmax(axis=1)
    return np.stack([np.roll(q, -int(k), axis=0) for q, k in zip(corners, first, strict=True)])


def _axes(quads: NDArray[np.float32]) -> tuple[Floats, Floats, Floats, Floats]:
    """Return middles (N, 2), the direction of the first side (N, 2), widths and heights (N,)."""
    across, down = (axis.astype(np.float64) for axis in quad_axes(quads))
    width = np.maximum(np.linalg.norm(across, axis=1), 1e-6)
    height = np.maximum(np.linalg.norm(down, axis=1), 1e-6)
    return quads.mean(axis=1).astype(np.float64), across / width[:, None], width, height


def _chains(quads: NDArray[np.float32]) -> list[list[int]]:
    """Return which tiles lie side by side, in order."""
    middle, own, width, height = _axes(quads)
    apart = middle[None] - middle[:, None]
    ahead = np.einsum("ijk,ik->ij", apart, own) / width[:, None]
    aside = np.abs(apart[..., 0] * own[:, 1, None] - apart[..., 1] * own[:, 0, None]) / height[:, None]
    alike = np.abs(np.log(width[:, None] / width[None])) < np.log(_SAME_WIDTH)
    straight = own @ own.T > _SAME_WAY
    fits = (ahead > _NEXT) & (ahead < _FAR) & (aside < _ASIDE) & alike & straight
    cost = np.where(fits, ahead, np.inf)
    nearest = cost.argmin(axis=1)
    after = {i: int(j) for i, j in enumerate(nearest) if np.isfinite(cost[i, j])}
    before: dict[int, int] = {}
    for i, j in after.items():
        if j not in before or cost[i, j] < cost[before[j], j]:
            before[j] = i
    chains = []
    for first in range(len(quads)):
        if first in before:
            continue
        chain = [first]
        while chain[-1] in after and before.get(after[chain[-1]]) == chain[-1]:
            chain.append(after[chain[-1]])
        chains.append(chain)
    return chains


def _filled(quads: NDArray[np.float32], fill: Fill) -> Row:
    """Return the row with the tiles that the finder missed in it, or at its ends."""
    middles = quads.mean(axis=1)
    steps = np.linalg.norm(np.diff(middles, axis=0), axis=1)
    places = np.concatenate([[0], np.cumsum(np.maximum(np.round(steps / np.median(steps)), 1))]).astype(int)
    known = {int(place): quad for place, quad in zip(places, quads, strict=True)}
    for place in range(places[-1] + 1):
        if place not in known:
            found = fill(_expected(known, place))
            if found is not None:
                known[place] = found
    for step in (-1, 1):
        while len(known) < ROW_LENGTH:
            place = (min(known) if step < 0 else max(known)) + step
            found = fill(_expected(known, place))
            if found is None:
                break
            known[place] = found
    return Row(np.stack([known[place] for place in sorted(known)]))


def _expected(known: dict[int, NDArray[np.float32]], place: int) -> Corners:
    """Return where the tile at ``place`` should lie: on the line through its two nearest neighbours."""
    one, other = sorted(known, key=lambda k: abs(k - place))[:2]
    share = (place - one) / (other - one)
    return np.asarray(known[one] + (known[other] - known[one]) * share, np.float32)


def _beside(quads: NDArray[np.float32], rows: Sequence[Row]) -> NDArray[np.bool_]:
    """Tell which tiles lie near the rows and are in none of them."""
    in_rows = np.concatenate([row.quads for row in rows])
    row_middles, row_own, row_width, row_height = _axes(in_rows)
    middle, own, width, height = _axes(quads)
    apart = np.linalg.norm(middle[:, None] - row_middles[None], axis=2)
    nearest = apart.argmin(axis=1)
    gap = apart.min(axis=1)
    size = np.sqrt(width * height / (row_width * row_height)[nearest])
    return np.asarray(
        (gap > 0.5 * row_width[nearest])
        & (gap < _NEAR_ROWS * row_height[nearest])
        & (np.abs(np.log(size)) < np.log(_SAME_SIZE))
        & ((own * row_own[nearest]).sum(axis=1) > _SAME_WAY)
    )
