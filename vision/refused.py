"""Finds that the refiner takes for no tile, and that are tiles all the same.

A tile that the picture's border cuts, or that lies in deep shade, may look like none from close by. Where it is
as large as the others and reads clearly and alike by two sets of corners, it is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.find import distinct, elsewhere
from vision.quads import are_free, quad_sides, sides_apart
from vision.readings import FoundTile, corners_of
from vision.tile_sizes import TileSizes

__all__ = ["after_all", "read_alike", "worth_hearing"]

_CLEAR = 0.9
"""Such finds, and those that the finder saw faintly, have to read this clearly."""
_BODY = 0.25
"""What is less probably no tile than this has a tile's body."""

_FEW = 4
"""So few tiles have no usual size."""
_ALIKE = 0.3
"""Logarithm of how much a side may differ from the usual one: a playing card with a numeral is larger."""


def worth_hearing(
    found: Sequence[FoundTile], refined: Sequence[FoundTile], accepted: Sequence[FoundTile]
) -> list[tuple[FoundTile, FoundTile]]:
    """Return the refused finds that may be tiles, each as found and as refined.

    ``refined`` has one for each of ``found``; ``accepted`` are the tiles that the picture shows for sure.
    """
    if not accepted:
        return []
    pairs = [(one, other) for one, other in zip(found, refined, strict=True) if other.refused]
    ones = [one for one, _ in pairs]
    apart = sides_apart(_short_and_long(ones)[:, None], _due(ones, accepted))
    fits = apart.min(axis=1, initial=np.inf) < _ALIKE
    fitting = [one for (one, _), fit in zip(pairs, fits, strict=True) if fit]
    new = distinct(elsewhere(fitting, accepted))
    return [(one, other) for one, other in pairs if any(one is fresh for fresh in new)]


def read_alike(ones: NDArray[np.float64], others: NDArray[np.float64], clear: float) -> NDArray[np.bool_]:
    """Tell which finds (N,) two looks read as the same tile, both from ``clear`` on.

    ``ones`` and ``others`` (N, tiles) are how probable each look makes each tile.
    """
    alike = ones.argmax(axis=1) == others.argmax(axis=1)
    return np.asarray(alike & (np.minimum(ones.max(axis=1), others.max(axis=1)) >= clear))


def after_all(
    pairs: Sequence[tuple[FoundTile, FoundTile]],
    accepted: Sequence[FoundTile],
    ones: NDArray[np.float64],
    others: NDArray[np.float64],
    none: NDArray[np.float64],
) -> list[FoundTile]:
    """Return those of the ``pairs`` that are tiles after all, N of which :func:`worth_hearing` gave.

    What reads alike as found and as refined is one as found. Else what reads clearly as refined, has a tile's
    body there and lies over none of the ``accepted`` is one there. ``ones`` and ``others`` as of
    :func:`read_alike`; ``none`` (N,) is how probable it is that each refined find is no tile.
    """
    bodied = (none < _BODY) & (others.max(axis=1) >= _CLEAR)
    bodied &= are_free(corners_of([near for _, near in pairs]), corners_of(accepted))
    alike = read_alike(ones, others, _CLEAR)
    return [
        one if reads else replace(near, refused=False)
        for (one, near), has_body, reads in zip(pairs, bodied, alike, strict=True)
        if has_body or reads
    ]


def _due(finds: Sequence[FoundTile], accepted: Sequence[FoundTile]) -> NDArray[np.float32]:
    """Return the sides (N, M, 2), the shorter one first, that a tile may have where each find lies.

    Of few tiles one that is cut off may be the middling one: there each of them tells.
    """
    each = _short_and_long(accepted)
    usual = np.median(each, axis=0)
    sizes = TileSizes.of([tile.corners_xy_px for tile in accepted])
    if sizes is None or not finds:
        told = each if len(each) < _FEW else usual[None]
        return np.broadcast_to(told, (len(finds), *told.shape))
    due = sizes.sides_at(corners_of(finds).mean(axis=1))
    middling = float(np.median(sizes.sides_at(corners_of(accepted).mean(axis=1))))
    return np.asarray(usual * (due / max(middling, 1.0))[:, None, None], np.float32)


def _short_and_long(tiles: Sequence[FoundTile]) -> NDArray[np.float32]:
    """Return the sides of tiles, shape (N, 2), the shorter one first."""
    if not tiles:
        return np.zeros((0, 2), np.float32)
    return np.sort(quad_sides(np.stack([tile.corners_xy_px for tile in tiles])), axis=1)
