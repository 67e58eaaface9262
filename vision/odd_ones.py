"""Finds that lie by themselves and are not like the tiles: prints, and flowers of a cloth.

The corner of a playing card or a headline reads as surely as a tile. But a set's tiles are of one size, which
changes evenly with the distance, and of one body.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.classify import NO_NUMERAL_CLASS, FaceReadings
from vision.decide import faced
from vision.lookalikes import LookAlikeNet
from vision.quads import edge_to_edge, flush, linked, square_sides
from vision.rectify import Pyramid
from vision.tile_sizes import parts_of_tiles
from vision.unfound import bodies_of

__all__ = [
    "guesses_of_odd_size", "of_odd_body", "of_odd_size", "without_look_alikes", "without_odd_bodies",
    "without_odd_ones",
]  # fmt: skip

Bodies = Callable[[], NDArray[np.float64]]

_FEW = 4
"""So few tiles tell no size."""
_SLOPE_OF = 7
"""So many tell how it changes over the picture."""
_ALONE = 1.5
"""Nearest tiles' middles are further off than this, in a find's own sides."""
_OTHERWISE = 0.28
"""Logarithm by which a side may differ from the size that is due there."""
_ROUNDS, _CLOSE = 4, 0.03
"""Rounds of a fit that outliers do not move, and residuals that weigh alike in it."""
_VAGUE, _SURE, _SEVERAL = 0.4, 0.9, 8
"""What reads less clearly than the first may be nothing; so many that read so clearly show the tiles' body."""
_TINT, _SPREADS = 0.05, 3.0
"""By so much of a logarithm, and so many times as much as nearly all of these, another body differs in tint."""
_NEARLY_ALL = 0.95
_STRANGE = 0.42
"""By so much of a logarithm no tile differs in tint, in whatever light: 4,500 in 189 pictures do not."""
_DARKEST = 5.0
"""Grey levels below which a channel tells no tint."""
_BODY, _RATHER = 0.3, 0.8
"""By its body a find is a tile if less probably none than the first; from the second on it is a guess."""
_UNCLEAR, _NOTHING = (0.3, 0.6, 0.9), (0.5, 0.6, 0.8, 0.9)
"""What reads less clearly than each of the first is nothing from each of the others on; else from the last."""
_PLAINLY_NONE = 0.93
"""So probably no tile, a find is none beside a tile, too: a flower of the cloth that a set touches."""
_FAIRLY_SURE = 0.8
"""What reads so clearly and lies flush with a tile is a guess even so."""
_ROW, _NOTHING_IN_ROWS = 3, 0.95
"""So many finds edge to edge that read clearly are hardly nothing: only from here on."""
_NO_TILE = 0.55
"""So probable it is that such a find is no tile."""


def guesses_of_odd_size(readings: FaceReadings, corners: NDArray[np.float32]) -> FaceReadings:
    """Return the readings of the faces at ``corners`` (N, 4, 2), those of an odd size as guesses."""
    return _guesses(readings, of_odd_size(corners))


def without_odd_ones(
    pyramid: Pyramid, readings: FaceReadings, corners: NDArray[np.float32], look_alikes: LookAlikeNet
) -> tuple[FaceReadings, NDArray[np.float32]]:
    """Return the readings and corners (N, 4, 2) of a photograph's faces without what proves to be no tile.

    See :func:`vision.tile_sizes.parts_of_tiles`, :func:`without_odd_bodies` and :func:`without_look_alikes`.
    """
    if not len(corners):
        return readings, corners
    whole = ~parts_of_tiles(corners)
    readings, at = readings.only(whole), corners[whole]
    clear = faced(readings).max(axis=1)
    readings, corners = without_odd_bodies(readings, at, clear, lambda: bodies_of(pyramid, at))
    height, width = pyramid.level(0).shape[:2]
    outside = (corners < 0) | (corners > np.array([width - 1, height - 1], np.float32))
    cut = np.asarray(outside.any(axis=(1, 2)))
    return without_look_alikes(readings, corners, look_alikes.no_tile_among(pyramid, corners, readings), cut)


def without_look_alikes(
    readings: FaceReadings,
    corners: NDArray[np.float32],
    none: NDArray[np.float64],
    cut: NDArray[np.bool_] | None = None,
) -> tuple[FaceReadings, NDArray[np.float32]]:
    """Return the readings and corners (N, 4, 2) without what only looks like a tile, or with it as a guess.

    ``none`` (N,) is how probable it is that each is no tile, by its body and the others. What lies edge to edge
    with a tile is one, unless it plainly is none; it is a guess even then where it lies flush with the tile and
    reads clearly. Of what the border cuts, ``cut`` (N,), too little is seen to leave it out, if it is as large
    as a tile is there.
    """
    touching = edge_to_edge(corners)
    beside = touching & (none < _BODY)[None]
    np.fill_diagonal(beside, False)
    clear = faced(readings).max(axis=1)
    both_clear = touching & (clear >= _SURE)[None] & (clear >= _SURE)[:, None]
    plainly = none > _PLAINLY_NONE
    in_line = plainly & (clear >= _FAIRLY_SURE)
    if in_line.any():
        in_line &= (beside & flush(corners)).any(axis=1)
    alone = ~beside.any(axis=1) | (plainly & ~in_line)
    from_here = np.array(_NOTHING)[np.searchsorted(_UNCLEAR, clear, side="right")]
    from_here[linked(both_clear).sum(axis=1) >= _ROW] = _NOTHING_IN_ROWS
    # More, not as much: half says that nothing is known of it.
    nothing = alone & (none > from_here)
    if cut is not None:
        for k in np.flatnonzero(nothing & cut & (clear >= _VAGUE)):
            nothing[k] = not _is_of_size(corners, none < _BODY, int(k))
    return _guesses(readings, (alone & (none >= _RATHER)) | in_line).only(~nothing), corners[~nothing]


def without_odd_bodies(
    readings: FaceReadings, corners: NDArray[np.float32], clear: NDArray[np.float64], bodies: Bodies
) -> tuple[FaceReadings, NDArray[np.float32]]:
    """Return the readings and corners of faces without what is nothing, and with what is quite odd as guesses.

    Arguments as of :func:`of_odd_body`.
    """
    odd, strange = of_odd_body(clear, bodies, corners)
    nothing = odd & (clear < _VAGUE)
    return _guesses(readings, strange).only(~nothing), corners[~nothing]


def _guesses(readings: FaceReadings, which: NDArray[np.bool_]) -> FaceReadings:
    """Return the readings with those of ``which`` (N,) as rather no tile."""
    if not which.any():
        return readings
    number = readings.number.copy()
    number[which] *= 1 - _NO_TILE
    number[which, NO_NUMERAL_CLASS] += _NO_TILE
    return replace(readings, number=number)


def of_odd_size(corners: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell which faces (N, 4, 2) lie by themselves and are larger or smaller than the others say."""
    odd = np.zeros(len(corners), np.bool_)
    if len(corners) <= _FEW:
        return odd
    side, middles = square_sides(corners), corners.astype(np.float64).mean(axis=1)
    for k in np.flatnonzero(_alone(corners)):
        others = np.arange(len(corners)) != k
        odd[k] = abs(np.log(side[k]) - _due(middles[others], np.log(side[others]), middles[k])) > _OTHERWISE
    return odd


def of_odd_body(
    clear: NDArray[np.float64], bodies: Bodies, corners: NDArray[np.float32]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which faces (N, 4, 2) lie apart from all tiles and have another tint, and which quite another.

    ``clear`` (N,) is how probable each one's likeliest tile is, ``bodies`` tells the colour (N, 3) around
    what is printed on it, grey levels. None where few read clearly.
    """
    sure = clear >= _SURE
    apart = _alone(corners, sure)
    if sure.sum() < _SEVERAL or not apart.any():
        none = np.zeros(len(corners), np.bool_)
        return none, none
    shades = np.log(np.maximum(bodies(), _DARKEST))
    tints = shades - shades.mean(axis=1, keepdims=True)
    off = np.abs(tints - np.median(tints[sure], axis=0)).max(axis=1)
    usual = float(np.quantile(off[sure], _NEARLY_ALL, method="lower"))
    odd = apart & (off >= max(_TINT, _SPREADS * usual))
    return odd, odd & (off >= _STRANGE)


def _is_of_size(corners: NDArray[np.float32], tiles: NDArray[np.bool_], find: int) -> bool:
    """Tell whether one of the finds (N, 4, 2) is as large as ``tiles`` (N,) among them say; not without any."""
    if not tiles.any():
        return False
    sizes, middles = np.log(square_sides(corners)), corners.astype(np.float64).mean(axis=1)
    return bool(abs(sizes[find] - _due(middles[tiles], sizes[tiles], middles[find])) <= _OTHERWISE)


def _alone(corners: NDArray[np.float32], others: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """Tell which of the faces (N, 4, 2) lie by themselves, as far as ``others`` (N,) goes, or all of them."""
    middles = corners.mean(axis=1)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    if others is not None:
        apart[:, ~others] = np.inf
    return np.asarray(apart.min(axis=1, initial=np.inf) > _ALONE * square_sides(corners))


def _due(middles: NDArray[np.float64], sizes: NDArray[np.float64], at: NDArray[np.float64]) -> float:
    """Return the logarithm of the size a tile has ``at`` (2,), by those of others at ``middles`` (M, 2)."""
    if len(sizes) < _SLOPE_OF:
        return float(np.median(sizes))
    spread = max(float(np.ptp(middles, axis=0).max()), 1.0)
    places = np.column_stack([(middles - at) / spread, np.ones(len(sizes))])
    weights, due = np.ones(len(sizes)), 0.0
    for _ in range(_ROUNDS):
        fit, *_ = np.linalg.lstsq(places * weights[:, None], sizes * weights, rcond=None)
        due = float(fit[2])
        weights = np.maximum(np.abs(sizes - places @ fit), _CLOSE) ** -0.5
    return due
