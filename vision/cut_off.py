"""Tiles that the picture's border cuts, where their corners come out wrong.

What lies outside the picture nobody sees: of such a tile the finder sees a part, and the refiner often takes it
for no tile. The other faces tell how large it is. It is one where it reads alike wherever it may lie.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.quads import are_free, is_elsewhere, quad_axes, quad_sides
from vision.readings import FoundTile, stacked

__all__ = ["cut_off"]

_BORDER_PX = 3.0
"""What reaches so near the picture's edge may go on beyond it."""
_LARGER = 1.3
"""Times the longer side of the other faces that a find may be long."""
_MEAN, _CLEAR = 0.6, 0.9
"""How clearly it has to read as one and the same number, on average over all places and in the best."""
_FEW = 3
"""Of fewer faces none tells how large a tile is."""
_MOST = 6
"""Of more such finds the likeliest are looked at."""


def cut_off(
    finds: Sequence[FoundTile],
    corners: NDArray[np.float32],
    size_wh: tuple[int, int],
    read: Callable[[NDArray[np.float32]], NDArray[np.float64]],
    steady: Callable[[str, float], float] = lambda _, side_px: side_px,
) -> NDArray[np.float32]:
    """Return the corners (M, 4, 2) of tiles among ``finds`` that the picture's border cuts, pixels.

    ``corners`` (N, 4, 2) are the faces that are known, ``size_wh`` is the picture's; ``read`` tells how
    probable each number and the joker are at corners (K, 4, 2), shape (K, 14); ``steady`` returns in place of a
    side that of the picture before, where there is one that is much the same.
    """
    tiles: list[NDArray[np.float32]] = []
    known = corners
    if len(corners) >= _FEW:
        sides = np.sort(np.median(quad_sides(corners), axis=0)).tolist()
        short, long = (steady(f"cut off, {k}", side) for k, side in enumerate(sides))
        may_be = [find for find in finds if _may_be_cut(find, known, size_wh, _LARGER * long)]
        for find in sorted(may_be, key=lambda one: -one.score)[:_MOST]:
            quad = find.corners_xy_px
            for begun in (quad, np.roll(quad, 1, axis=0)):
                places = _places(begun, short, long)
                told = read(places)
                number = int(told.mean(axis=0).argmax())
                best = places[[int(told[:, number].argmax())]]
                clear = told[:, number].mean() >= _MEAN and told[:, number].max() >= _CLEAR
                if clear and are_free(best, known).all():
                    tiles.append(best[0])
                    known = np.concatenate([known, best])
                    break
    return stacked(tiles)


def _may_be_cut(
    find: FoundTile, known: NDArray[np.float32], size_wh: tuple[int, int], longest_px: float
) -> bool:
    quad = find.corners_xy_px
    low, high = quad.min(axis=0), quad.max(axis=0)
    at_border = (low <= _BORDER_PX).any() or (high >= np.array(size_wh) - 1 - _BORDER_PX).any()
    if find.face_down or not at_border or quad_sides(quad[None]).max() > longest_px:
        return False
    return is_elsewhere(quad, known.mean(axis=1))


def _places(quad: NDArray[np.float32], short: float, long: float) -> NDArray[np.float32]:
    """Return where a tile (9, 4, 2) of these sides may lie of which a find shows a part: as the find is turned,
    and flush with one side or the other, or in the middle, both across and down."""
    across, down = (axes[0] for axes in quad_axes(quad[None]))
    width, height = max(float(np.linalg.norm(across)), 1e-6), max(float(np.linalg.norm(down)), 1e-6)
    across, down = across / width, down / height
    half_w, half_h = short / 2, long / 2
    face = np.array([[-half_w, -half_h], [half_w, -half_h], [half_w, half_h], [-half_w, half_h]], np.float32)
    face = face[:, :1] * across + face[:, 1:] * down
    middles = [
        quad.mean(axis=0) + x * (width - short) / 2 * across + y * (height - long) / 2 * down
        for y in (-1, 0, 1)
        for x in (-1, 0, 1)
    ]
    return np.asarray(np.stack(middles)[:, None] + face, np.float32)
