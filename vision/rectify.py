"""Upright crops of tiles, cut from the full-resolution picture.

Convention: corners as in :mod:`vision.readings`. A crop is (height, width, 3) uint8 BGR with the tile's own
up at the top; the tile's face fills it but for a margin on each side, given in shares of the tile's side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners
from vision.recall import Recall, Rows

READ_SIZE_WH = (48, 64)
"""Width and height of the crop that the classifier reads, pixels."""
READ_MARGIN = 0.11
"""Margin around the face in that crop, in shares of the tile's side."""

LOOSE_SIDE_PX = 64
"""Side of the square cut-out that the refiner looks at, pixels."""
LOOSE_SPAN = 1.35
"""Side of that square, in shares of the longer side of the tile's box."""

STANCE_SPAN = 2.6
"""Side of the square that tells whether a tile stands on a rack, in the same shares."""

_SAME_LENGTH = 0.03
"""A length that all tiles of a picture tell changes by no more than this when a few are laid."""
_MAX_SHRINK = 1.6
"""A warp samples four neighbours; shrinking by more than this per step would alias thin digits."""


class Pyramid:
    """A picture with its halvings, made on demand, so that every crop is cut from the size that suits it."""

    def __init__(self, image_bgr: NDArray[np.uint8], recall: Recall | None = None) -> None:
        """Take ``image_bgr`` of shape (H, W, 3), and what was read of the picture before it in a film."""
        self._levels = [image_bgr]
        self._recall = recall

    def rows(
        self,
        kind: str,
        quads: NDArray[np.float32],
        around: float,
        read: Callable[[NDArray[np.intp]], Rows],
    ) -> Rows:
        """Return what is read at ``quads`` (N, 4, 2), by name; see :meth:`vision.recall.Recall.rows`.

        ``around``: what is looked at beside a quad, in shares of the longer side of its box.
        """
        if self._recall is None:
            return read(np.arange(len(quads)))
        low, high = quads.min(axis=1), quads.max(axis=1)
        reach = around * (high - low).max(axis=1, keepdims=True)
        boxes = np.concatenate([low - reach, high + reach], axis=1)
        return self._recall.rows(kind, quads.reshape(-1, 8), boxes, read)

    def steady(self, kind: str, length_px: float) -> float:
        """Return a length as it was in the picture before, where it is much the same; see ``Recall.steady``."""
        if self._recall is None:
            return length_px
        return self._recall.steady(kind, length_px, _SAME_LENGTH)

    @property
    def recalls(self) -> bool:
        """True where it is known what was read of the picture before."""
        return self._recall is not None

    def level(self, k: int) -> NDArray[np.uint8]:
        """Return the picture halved ``k`` times (fewer where it would vanish)."""
        while len(self._levels) <= k:
            last = self._levels[-1]
            size_wh = (max(last.shape[1] // 2, 1), max(last.shape[0] // 2, 1))
            self._levels.append(np.asarray(cv2.resize(last, size_wh, interpolation=cv2.INTER_AREA), np.uint8))
        return self._levels[k]

    def crop(
        self,
        corners_xy_px: Corners,
        size_wh: tuple[int, int] = READ_SIZE_WH,
        margin: float = READ_MARGIN,
    ) -> NDArray[np.uint8]:
        """Cut the upright crop of one tile; what lies outside the picture repeats its border."""
        return np.asarray(self.crops([corners_xy_px], size_wh, margin)[0])

    def crops(
        self,
        all_corners_xy_px: Iterable[Corners],
        size_wh: tuple[int, int] = READ_SIZE_WH,
        margin: float = READ_MARGIN,
    ) -> NDArray[np.uint8]:
        """Return the crops of several tiles, shape (N, height, width, 3)."""
        width, height = size_wh
        every = list(all_corners_xy_px)
        cut = np.empty((len(every), height, width, 3), np.uint8)
        if not every:
            return cut
        quads = np.stack(every)
        sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
        across, along = (sides[:, :2] + sides[:, 2:]).T / 2
        shrink = np.maximum(across * (1 + 2 * margin) / width, along * (1 + 2 * margin) / height)
        levels = np.clip(np.ceil(np.log2(np.maximum(shrink, 1e-6) / _MAX_SHRINK)), 0, 6).astype(int)
        full, face = self._levels[0], face_corners(size_wh, margin)
        for k in np.unique(levels):
            source = self.level(int(k))
            scale = np.array([source.shape[1] / full.shape[1], source.shape[0] / full.shape[0]], np.float32)
            here = np.flatnonzero(levels == k)
            scaled = ((quads[here] + 0.5) * scale - 0.5).astype(np.float32)
            for row, quad in zip(here, scaled, strict=True):
                warp = cv2.getPerspectiveTransform(quad, face)
                cv2.warpPerspective(
                    source, warp, size_wh, dst=cut[row], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
                )
        return cut


def as_network_input(crops_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return crops (N, H, W, 3) as networks take them: (N, 3, H, W) float32, RGB 0..1."""
    n, height, width, _ = crops_bgr.shape
    rgb = np.empty((n, 3, height, width), np.float32)
    if n:
        for k, plane in enumerate(cv2.split(crops_bgr.reshape(n * height, width, 3))):
            np.divide(plane.reshape(n, height, width), np.float32(255), out=rgb[:, 2 - k])
    return rgb


def face_corners(size_wh: tuple[int, int], margin: float) -> Corners:
    """Return where the four corners of the face lie in a crop of ``size_wh`` with ``margin``, shape (4, 2)."""
    width, height = size_wh
    x = width * margin / (1 + 2 * margin)
    y = height * margin / (1 + 2 * margin)
    quad = [[x, y], [width - x, y], [width - x, height - y], [x, height - y]]
    return np.asarray(quad, np.float32) - 0.5


def square_around(centre_xy_px: NDArray[np.floating], side_px: float) -> Corners:
    """Return the corners of an upright square of ``side_px`` around a point, shape (4, 2)."""
    half = side_px / 2
    offsets = np.asarray([[-half, -half], [half, -half], [half, half], [-half, half]], np.float32)
    return np.asarray(np.asarray(centre_xy_px, np.float32) + offsets, np.float32)


def turned(corners_xy_px: Corners, quarter_turns: int) -> Corners:
    """Return the same quad read after the tile was taken to be turned clockwise by ``quarter_turns``.

    ``turned(c, 2)`` starts at the opposite corner: upside down becomes upright.
    """
    return np.roll(corners_xy_px, -quarter_turns, axis=0)
