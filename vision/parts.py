"""A part of a tile found as a tile: where wide numerals fill the face, half of a 12 looks like a 2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.find import usual_sides
from vision.quads import is_elsewhere, quad_sides, sides_apart
from vision.readings import Corners, FoundTile

__all__ = ["made_whole"]

_SMALL = 0.75
"""Share of a neighbour's area under which a find may be a part."""
_GROWS = 1.25
"""A whole is so many times as large as its part."""
_ALIKE = 0.25
"""Logarithm of how much a whole's sides may differ from a neighbour's."""
_FITS = 0.4
"""The same of the side that a part shares with its whole."""
_CLEAR = 0.95
"""A whole that reads so clearly is the tile."""
_CLEARER = 0.98
"""So clearly it has to read where its part is a clear other tile: half of a 12 is a clear 2."""
_PART_CLEAR = 0.8
"""From here on a part is clear; where it reads as its whole does, it is left as it lies."""
_MOST = 12
"""Of more finds the largest are tried: a picture full of tiny tiles must not take long."""
_LEGIBLE_PX = 20.0
"""Shorter side of a part under which its whole does not overrule what it clearly reads."""


def made_whole(
    tiles: Sequence[FoundTile],
    refine: Callable[[Sequence[FoundTile]], list[FoundTile]],
    numbers: Callable[[Sequence[FoundTile]], NDArray[np.float64]],
) -> list[FoundTile]:
    """Return the tiles, and in place of faces that are part of a larger tile that one.

    A face that is smaller than what lies around it is tried with its sides grown to theirs. It may be whole,
    and farther away: what they read tells. ``refine`` finds exact corners, ``numbers`` (N, classes) says how
    probable each number and the joker are.
    """
    usual = usual_sides(tiles)
    if usual is None:
        return list(tiles)
    usual = np.sort(usual, axis=1)
    corners = np.stack([tile.corners_xy_px for tile in tiles])
    middles, sides = corners.mean(axis=1), quad_sides(corners)
    areas = sides.prod(axis=1)
    small = [
        at for at, tile in enumerate(tiles) if not tile.face_down and areas[at] < _SMALL * usual[at].prod()
    ]
    small = sorted(small, key=lambda at: -float(areas[at]))[:_MOST]
    grown = [(at, quad) for at in small for quad in _grown(corners[at], usual[at])]
    refined = refine([replace(tiles[at], corners_xy_px=quad, box_xyxy_px=None) for at, quad in grown])
    wholes = [
        (at, tile)
        for (at, _), tile in zip(grown, refined, strict=True)
        if not (tile.refused or tile.face_down)
        and _is_whole(tile.corners_xy_px, float(areas[at]), usual[at])
        and is_elsewhere(tile.corners_xy_px, np.delete(middles, at, axis=0))
    ]
    if not wholes:
        return list(tiles)
    parts = list(dict.fromkeys(at for at, _ in wholes))
    read = numbers([*(tiles[at] for at in parts), *(tile for _, tile in wholes)])
    settled = list(tiles)
    for part, at in zip(read[: len(parts)], parts, strict=True):
        mine = [k for k, (of, _) in enumerate(wholes) if of == at]
        best = max(mine, key=lambda k: float(read[len(parts) + k].max()))
        if _is_part(part, read[len(parts) + best], float(sides[at].min())):
            settled[at] = wholes[best][1]
    return settled


def _is_part(part: NDArray[np.float64], whole: NDArray[np.float64], short_px: float) -> bool:
    """True where what a find and the larger tile around it read, (classes,) each, speaks for the larger one."""
    clear = part.max() >= _PART_CLEAR
    if clear and (part.argmax() == whole.argmax() or short_px < _LEGIBLE_PX):
        return False
    return bool(whole.max() >= (_CLEARER if clear else _CLEAR))


def _is_whole(quad: Corners, part: float, usual: NDArray[np.float32]) -> bool:
    sides = np.sort(quad_sides(quad[None])[0])
    return bool(sides_apart(sides, usual) < _ALIKE) and float(sides.prod()) >= _GROWS * part


def _grown(quad: Corners, usual: NDArray[np.float32]) -> list[Corners]:
    """The quad (4, 2) with one side moved outward, each way in which its sides become the ``usual`` ones."""
    a, b, c, d = quad
    width, height = np.maximum(quad_sides(quad[None])[0], 1e-6)
    grown = []
    for wide, high in (usual, usual[::-1]):
        if abs(np.log(width / max(wide, 1e-6))) < _FITS and high > height:
            by = high / height
            grown += [[a, b, b + (c - b) * by, a + (d - a) * by], [d + (a - d) * by, c + (b - c) * by, c, d]]
        if abs(np.log(height / max(high, 1e-6))) < _FITS and wide > width:
            by = wide / width
            grown += [[a, a + (b - a) * by, d + (c - d) * by, d], [b + (a - b) * by, b, c, c + (d - c) * by]]
    return [np.array(corners, np.float32) for corners in grown]
