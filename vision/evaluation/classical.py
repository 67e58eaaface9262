"""A classical baseline to compare with: bright quadrilaterals by contours, read by their nearest neighbours.

No network. Tiles are what is brighter and less coloured than the ground, or enclosed by edges, and has a tile's
shape; rows that touch are cut at a tile's width. Faces are described by histograms of oriented gradients and
the mean colour of their ink, and named by a vote of the nearest training crops.
"""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import ALL_TILES, JOKER, Tile
from vision.picture import Picture
from vision.readings import Corners, PhotoReading, TileReading
from vision.rectify import Pyramid

__all__ = ["ClassicalReader", "described", "tile_quads"]

_SIDE = 1000
_ASPECT = 1.4
_BINS = 9
_LEAST_SHARE, _MOST_SHARE = 0.0005, 0.25
_FILLS = 0.8
_NEIGHBOURS = 7
_LEAST_AGREEING = 0.5
"""So many of the neighbours must agree; chosen on the photographs of the train part."""

Floats = NDArray[np.float32]


def described(crops_bgr: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Describe upright crops (N, 64, 48, 3).

    Returns histograms of oriented gradients (N, 1260), in cells of 8 x 8 pixels and blocks of 2 x 2 cells, and
    the mean colour of the ink over the white (N, 3), as logarithms.
    """
    if not len(crops_bgr):
        return np.zeros((0, 1260), np.float32), np.zeros((0, 3), np.float32)
    grey = crops_bgr.astype(np.float32).mean(axis=3)
    down, right = np.gradient(grey, axis=(1, 2))
    size, angle = np.hypot(down, right), np.arctan2(down, right) % np.pi
    bins = np.minimum((angle / np.pi * _BINS).astype(int), _BINS - 1)
    count, height, width = grey.shape
    cells = np.zeros((count, height // 8, width // 8, _BINS), np.float32)
    for k in range(_BINS):
        part = np.where(bins == k, size, 0).reshape(count, height // 8, 8, width // 8, 8)
        cells[..., k] = part.sum(axis=(2, 4))
    corners = [cells[:, y : y + height // 8 - 1, x : x + width // 8 - 1] for y in (0, 1) for x in (0, 1)]
    blocks = np.concatenate(corners, axis=3)
    blocks = blocks / np.sqrt((blocks**2).sum(axis=3, keepdims=True) + 100.0)
    inner = crops_bgr[:, 8:-8, 6:-6].reshape(count, -1, 3).astype(np.float32) + 1
    ratio = np.log(inner / np.percentile(inner, 85, axis=1, keepdims=True))
    far = np.abs(ratio).sum(axis=2)
    ink = far >= np.percentile(far, 92, axis=1, keepdims=True)
    inks = (ratio * ink[..., None]).sum(axis=1) / ink.sum(axis=1, keepdims=True)
    return blocks.reshape(count, -1).astype(np.float32), inks.astype(np.float32)


def tile_quads(image_bgr: NDArray[np.uint8]) -> list[Corners]:
    """Return what may be tiles, each as corners whose first side is a narrow one."""
    scale = min(1.0, _SIDE / max(image_bgr.shape[:2]))
    small = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    soft = cv2.GaussianBlur(grey, (5, 5), 0)
    _, bright = cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    block = (max(small.shape[:2]) // 6) | 1
    local = cv2.adaptiveThreshold(soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, -8)
    edges = cv2.dilate(cv2.Canny(soft, 30, 90), np.ones((3, 3), np.uint8))
    enclosed = cv2.bitwise_not(edges)
    found: list[tuple[float, Corners]] = []
    for mask in (bright, local, cv2.bitwise_and(bright, enclosed), enclosed):
        contours, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            found += _tiles_of(np.asarray(contour), small.shape[0] * small.shape[1])
    found.sort(key=lambda one: -one[0])
    kept: list[Corners] = []
    for _, quad in found:
        middle, side = quad.mean(axis=0), float(np.linalg.norm(quad[1] - quad[0]))
        if all(np.linalg.norm(middle - other.mean(axis=0)) > 0.6 * side for other in kept):
            kept.append(quad)
    return [np.asarray(quad / scale, np.float32) for quad in kept]


def _tiles_of(contour: NDArray[np.int32], picture_area: int) -> list[tuple[float, Corners]]:
    """Return the tiles that a contour may be, with how well it fills its rectangle."""
    rectangle = cv2.minAreaRect(contour)
    (width, height), area = rectangle[1], cv2.contourArea(contour)
    if min(width, height) < 8 or not _LEAST_SHARE < width * height / picture_area < _MOST_SHARE:
        return []
    fills = area / (width * height)
    if fills < _FILLS:
        return []
    box = np.asarray(cv2.boxPoints(rectangle), np.float32)
    if np.linalg.norm(box[1] - box[0]) < np.linalg.norm(box[2] - box[1]):
        box = np.roll(box, -1, axis=0)
    # The first side is the long one now: a lone tile's height, or the length of a row that touches.
    long, short = max(width, height), min(width, height)
    if 1.1 < long / short < 1.9:
        return [(fills, np.roll(box, -1, axis=0))]
    count = round(long / (short / _ASPECT))
    if not 2 <= count <= 13 or abs(long / (short / _ASPECT) / count - 1) > 0.15:
        return []
    shares = np.linspace(0, 1, count + 1)[:, None]
    upper, lower = box[0] + (box[1] - box[0]) * shares, box[3] + (box[2] - box[3]) * shares
    return [
        (0.9 * fills, np.asarray([upper[k], upper[k + 1], lower[k + 1], lower[k]], np.float32))
        for k in range(count)
    ]


class ClassicalReader:
    """Reads a picture without a network; sets and racks are left to others."""

    def __init__(self, memory: Path) -> None:
        """Load what ``python -m vision.training.knn`` wrote."""
        with np.load(memory) as kept:
            self._mean, self._basis, self._shape = kept["mean"], kept["basis"], kept["shape"]
            self._ink, number, colour = kept["ink"], kept["number"], kept["colour"]
        self._tile = np.where(number == 13, len(ALL_TILES) - 1, colour * 13 + number)
        self._number, self._colour = number, colour
        self._square = (self._shape**2).sum(axis=1)

    def read(self, picture: Picture) -> PhotoReading:
        """Read one picture."""
        start = time.perf_counter()
        image = picture.image_bgr
        tiles = []
        quads = tile_quads(image)
        pyramid = Pyramid(image)
        if quads:
            ways = [[np.roll(quad, -2 * k, axis=0) for quad in quads] for k in range(2)]
            read = [self._named(pyramid.crops(way)) for way in ways]
            for k in range(len(quads)):
                way = int(read[1][k][1] > read[0][k][1])
                tile, _, share = read[way][k]
                if share >= _LEAST_AGREEING:
                    tiles.append(TileReading(tile, share, False, ways[way][k]))
        ms = {"all": (time.perf_counter() - start) * 1000}
        size_wh = (image.shape[1], image.shape[0])
        return PhotoReading(size_wh, "table" if tiles else "empty", tuple(tiles), ms=ms)

    def _named(self, crops: NDArray[np.uint8]) -> list[tuple[Tile, float, float]]:
        """Return for each crop its tile, how near the neighbours are, and the share of them that agree."""
        shapes, inks = described(crops)
        points = (shapes - self._mean) @ self._basis
        apart = (points**2).sum(axis=1)[:, None] + self._square[None] - 2 * points @ self._shape.T
        named = []
        for row, ink in zip(apart, inks, strict=True):
            near = np.argpartition(row, _NEIGHBOURS)[:_NEIGHBOURS]
            votes = np.bincount(self._number[near], minlength=14)
            number = int(votes.argmax())
            share = float(votes[number]) / _NEIGHBOURS
            if number == 13:
                named.append((JOKER, -float(row[near].mean()), share))
                continue
            inked = np.flatnonzero(self._number != 13)
            close = inked[np.argpartition(((self._ink[inked] - ink) ** 2).sum(axis=1), 25)[:25]]
            colour = int(np.bincount(self._colour[close], minlength=4).argmax())
            named.append((ALL_TILES[colour * 13 + number], -float(row[near].mean()), share))
        return named
