"""Pictures brought home and reduced, for telling the bare table from what lies on it.

Convention: quadrilaterals are (N, 4, 2) in full-resolution pixels of the picture at hand; ``to_home`` (3, 3)
maps that picture to home. A grid's cells are home's pixels, reduced to about 480 on the longer side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners

__all__ = [
    "Floats",
    "HomeGrid",
    "HomeView",
    "Mask",
    "colour_noise",
    "detail_of",
    "look_of",
    "mean_around",
    "rim",
]

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

_SIDE_PX = 480
_COLOUR_TOLERANCE = 0.055
"""Least tolerance in log(R/G) and log(B/G)."""
_GROWN = 1.3
"""Tiles are cut out of the ground by this much larger: their sides, shadows and gleams are no ground."""
_SUBCELL_BITS = 4
"""Corners are painted to a sixteenth of a cell."""


@dataclass(frozen=True, slots=True, eq=False)
class HomeView:
    """A picture brought home and reduced."""

    look: Floats
    """Shape (h, w, 3): log(R/G), log(B/G), log brightness with the exposure taken out."""
    noise: Floats
    """Tolerance in colour, (h, w): dark pixels have little."""
    valid: Mask
    """Where the picture shows home at all."""
    tiles: Mask
    """Where tiles were seen, grown."""
    clipped: Mask
    """Where a colour is at its brightest, so that its look is not to be trusted, (h, w)."""
    detail: Floats
    """Log brightness less its surroundings', (h, w)."""

    @property
    def free(self) -> Mask:
        """Where the picture shows home and no tile was seen, (h, w)."""
        return np.asarray(self.valid & ~self.tiles)


class HomeGrid:
    """Brings pictures of one size to one reduced grid. ValueError where they are too small for that."""

    def __init__(self, size_wh: tuple[int, int]) -> None:
        """Take pictures of ``size_wh`` pixels."""
        self.size_wh = size_wh
        self.step = max(1, round(max(size_wh) / _SIDE_PX))
        width, height = (side // self.step for side in size_wh)
        if min(width, height) < 8:
            raise ValueError(f"pictures must have at least 8x8 pixels, not {size_wh[0]}x{size_wh[1]}")
        self.shape = (height, width)

    def reduced(self, points: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return points (..., 2) at home in cells."""
        return np.asarray((points + 0.5) / self.step - 0.5, np.float32)

    def home(self, quads_xy_px: Sequence[Corners], to_home: object) -> NDArray[np.float32]:
        """Return quadrilaterals (N, 4, 2) at home, reduced."""
        quads = np.asarray(quads_xy_px, np.float32).reshape(-1, 1, 2)
        if not len(quads):
            return np.zeros((0, 4, 2), np.float32)
        mapped = np.asarray(cv2.perspectiveTransform(quads, np.asarray(to_home, np.float64)), np.float32)
        return self.reduced(mapped.reshape(-1, 4, 2))

    def painted(self, quads: NDArray[np.float32], grow: float = _GROWN) -> Mask:
        """Return the cells (h, w) inside of quadrilaterals (N, 4, 2) given in cells, ``grow`` times as wide."""
        mask = np.zeros(self.shape, np.uint8)
        for quad in _grown(quads, grow):
            cv2.fillConvexPoly(mask, quad, 1, cv2.LINE_8, _SUBCELL_BITS)
        return mask.astype(bool)

    def painted_apart(
        self, quads: NDArray[np.float32], grow: float = _GROWN
    ) -> Iterator[tuple[tuple[slice, slice], Mask]]:
        """Yield, for each of N quadrilaterals (N, 4, 2), a part of the grid and its cells that lie inside."""
        limits = np.array(self.shape[::-1])
        for quad, grown in zip(quads, _grown(quads, grow), strict=True):
            x0, y0 = np.minimum(np.maximum(quad.min(axis=0), 0).astype(int), limits)
            x1, y1 = np.minimum(np.maximum(quad.max(axis=0) + 2, 0).astype(int), limits)
            mask = np.zeros((max(y1 - y0, 0), max(x1 - x0, 0)), np.uint8)
            if mask.size:
                shift = np.array([x0, y0], np.int32) << _SUBCELL_BITS
                cv2.fillConvexPoly(mask, grown - shift, 1, cv2.LINE_8, _SUBCELL_BITS)
            yield (slice(y0, y1), slice(x0, x1)), mask.astype(bool)

    def with_tiles(self, view: HomeView, tile_quads: NDArray[np.float32]) -> HomeView:
        """Return a view of its own with the tiles at ``tile_quads`` (N, 4, 2), in cells, cut out."""
        look, noise = view.look.copy(), view.noise.copy()
        return replace(view, look=look, noise=noise, tiles=self.painted(tile_quads))

    def view(self, image_bgr: NDArray[np.uint8], matrix: NDArray[np.float64]) -> HomeView:
        """Bring a picture (H, W, 3) home; no tiles are cut out of it yet."""
        step, (height, width) = self.step, self.shape
        cut = image_bgr[: height * step, : width * step]
        small = cv2.resize(cut, (width, height), interpolation=cv2.INTER_AREA) if step > 1 else cut
        down = np.array([[1 / step, 0, 0.5 / step - 0.5], [0, 1 / step, 0.5 / step - 0.5], [0, 0, 1]])
        way = down @ matrix @ np.linalg.inv(down)
        if np.abs(way / way[2, 2] - np.eye(3)).max() > 1e-9:
            valid = cv2.warpPerspective(np.full(self.shape, 255, np.uint8), way, (width, height)) > 250
            small = cv2.warpPerspective(small, way, (width, height), borderMode=cv2.BORDER_REPLICATE)
        else:
            valid = np.ones(self.shape, bool)
        values = cv2.GaussianBlur(small, (0, 0), 0.8).astype(np.float32)
        one, other, third = cv2.split(values)
        most, least = cv2.max(cv2.max(one, other), third), cv2.min(cv2.min(one, other), third)
        look = look_of(values)
        clipped = np.asarray(most > 250)
        detail = detail_of(look[..., 2])
        noise = colour_noise(np.asarray(least, np.float32))
        return HomeView(
            look=look,
            noise=noise,
            valid=np.asarray(valid),
            tiles=np.zeros(self.shape, bool),
            clipped=clipped,
            detail=np.asarray(detail, np.float32),
        )


def _grown(quads: NDArray[np.float32], grow: float) -> NDArray[np.int32]:
    """Return quadrilaterals (N, 4, 2) ``grow`` times as wide, in sixteenths of a cell."""
    middle = quads.mean(axis=1, keepdims=True)
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    away = quads - middle
    # The same width of rim on all sides, whatever the tile's proportions.
    reach = np.linalg.norm(away, axis=2, keepdims=True)
    rim = (grow - 1) * sides.min(axis=1)[:, None, None] * 0.7
    grown = middle + away * (1 + rim / np.maximum(reach, 1e-3))
    return np.asarray(np.round(grown * (1 << _SUBCELL_BITS)), np.int32)


def look_of(values_bgr: Floats) -> Floats:
    """Return log(R/G), log(B/G) and log brightness of colours (h, w, 3), BGR, 0..255."""
    logs = cv2.log(values_bgr + 3)  # dark pixels have no colour to speak of
    blue, green, red = logs[..., 0], logs[..., 1], logs[..., 2]
    look = np.dstack([red - green, blue - green, 0.25 * blue + 0.5 * green + 0.25 * red])
    return np.asarray(look, np.float32)


def colour_noise(least: Floats) -> Floats:
    """Return the tolerance in colour, (h, w), where the least of three colours is so bright, 0..255."""
    return np.asarray(_COLOUR_TOLERANCE + 2.0 / (least + 3), np.float32)


def detail_of(brightness: Floats) -> Floats:
    """Return brightness (h, w) less that of its surroundings: the grain of what is seen."""
    return np.asarray(brightness - cv2.blur(brightness, (9, 9)), np.float32)


def rim(seen: Mask, wide: int) -> Mask:
    """Return the part of what is ``seen``, (h, w), that lies within so many pixels of its border."""
    kernel = np.ones((2 * wide + 1, 2 * wide + 1), np.uint8)
    inner = cv2.erode(seen.astype(np.uint8), kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(seen & (inner == 0))


def mean_around(
    values: Floats, where: Mask, side: int, border: int = cv2.BORDER_DEFAULT
) -> tuple[Floats, Floats]:
    """Return the mean of ``values`` (h, w, c) that count in a square around each cell, and how many do, 0..1.

    ``side`` is the square's, in cells, odd; ``border`` OpenCV's way with what lies beyond the grid.
    """
    weight = where.astype(np.float32)
    share = cv2.boxFilter(weight, cv2.CV_32F, (side, side), borderType=border)
    total = cv2.boxFilter(values * weight[..., None], cv2.CV_32F, (side, side), borderType=border)
    mean = total.reshape(values.shape) / np.maximum(share, 1e-6)[..., None]
    return np.asarray(mean, np.float32), np.asarray(share, np.float32)
