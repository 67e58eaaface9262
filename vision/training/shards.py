"""Training data on disk: shards of rendered (or photographed) pictures with their truth and stored crops.

A shard is one ``.npz`` of labels and one ``.bin`` of JPEG pictures end to end. Corners are (x, y) pixels of the
stored picture, clockwise from the tile's own upper left.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.labels import LabelledPicture
from referee.tiles import Colour, Tile
from vision.rectify import Pyramid, turned

CROP_SIZE_WH = (66, 88)
"""Stored crops are larger than what the classifier reads, so that training can shift and turn within them."""
CROP_MARGIN = 0.22
"""Margin of the stored crop, in shares of the tile's side."""

JOKER_CLASS = 13
NO_NUMERAL_CLASS = 14
"""Number classes: 0..12 are the numbers 1..13, then the joker, then 'no face to read here'."""
COLOURS = (Colour.RED, Colour.BLUE, Colour.BLACK, Colour.ORANGE)
"""Colour classes in order."""

TILE, BACK, RACK = 0, 1, 2
"""Finder classes."""
NOTHING = 3
"""Class of what looks like a tile and is none: kept for the refiner, no object for the finder.

Shards made before look-alikes were drawn have no such rows."""

_PER_PICTURE = 28
_DECOYS, _DECOY_CROPS = 12, 3
_FACE_SHOWS = 0.3
_READABLE = 0.3


@dataclass
class _Lists:
    jpegs: list[bytes]
    picture: list[tuple[int, int, int]]
    objects: list[NDArray[np.float32]]
    crops: list[NDArray[np.uint8]]
    crop_rows: list[tuple[int, int, int, float, int]]


def tile_classes(tile: Tile) -> tuple[int, int]:
    """Return (number class, colour class) of a tile; a joker's colour class is -1."""
    if tile.number is None or tile.colour is None:
        return JOKER_CLASS, -1
    return tile.number - 1, COLOURS.index(tile.colour)


class ShardWriter:
    """Collects labelled pictures and writes one shard."""

    def __init__(self) -> None:
        """Start empty."""
        self._x = _Lists([], [], [], [], [])

    def __len__(self) -> int:
        """Return the number of pictures collected."""
        return len(self._x.jpegs)

    def add(self, labelled: LabelledPicture, rng: np.random.Generator) -> None:
        """Add one picture: its objects, some of its look-alikes, some of its crops for the classifier."""
        image = labelled.image_bgr
        index = len(self._x.jpegs)
        grey = int(labelled.families.get("sensor") == "grey")
        self._x.jpegs.append(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 93])[1].tobytes())
        self._x.picture.append((image.shape[1], image.shape[0], grey))
        rows = []
        for tile in labelled.tiles:
            if tile.visible < _FACE_SHOWS:
                continue
            kind = BACK if tile.face_down else TILE
            rows.append([index, kind, tile.visible, tile.numeral_visible, *tile.corners_xy_px.ravel()])
        rows += [[index, RACK, 1.0, 1.0, *quad.ravel()] for quad in labelled.racks_xy_px]
        decoys = labelled.decoys_xy_px
        rows += [[index, NOTHING, 1.0, 0.0, *decoys[k].ravel()] for k in rng.permutation(len(decoys))[:_DECOYS]]
        if rows:
            self._x.objects.append(np.asarray(rows, np.float32))
        self._add_crops(labelled, index, grey, rng)

    def _add_crops(self, labelled: LabelledPicture, index: int, grey: int, rng: np.random.Generator) -> None:
        pyramid = Pyramid(labelled.image_bgr)
        faces = [t for t in labelled.tiles if t.tile is not None and t.numeral_visible >= _READABLE]
        for k in rng.permutation(len(faces))[:_PER_PICTURE]:
            face = faces[k]
            assert face.tile is not None
            number, colour = tile_classes(face.tile)
            self._crop(pyramid, face.corners_xy_px, (index, number, colour, face.numeral_visible, grey))
        others = [t for t in labelled.tiles if t.face_down or (t.visible > 0.3 and t.numeral_visible < 0.08)]
        for k in rng.permutation(len(others))[:2]:
            corners = turned(others[k].corners_xy_px, int(rng.integers(4)))
            self._crop(pyramid, corners, (index, NO_NUMERAL_CLASS, -1, 0.0, grey))
        decoys = labelled.decoys_xy_px
        for k in rng.permutation(len(decoys))[:_DECOY_CROPS]:
            corners = turned(decoys[k], int(rng.integers(4)))
            self._crop(pyramid, corners, (index, NO_NUMERAL_CLASS, -1, 0.0, grey))
        if rng.random() < 0.25:
            quad = _empty_quad(labelled, rng)
            if quad is not None:
                self._crop(pyramid, quad, (index, NO_NUMERAL_CLASS, -1, 0.0, grey))

    def _crop(
        self, pyramid: Pyramid, corners: NDArray[np.float32], row: tuple[int, int, int, float, int]
    ) -> None:
        self._x.crops.append(pyramid.crop(corners, CROP_SIZE_WH, CROP_MARGIN))
        self._x.crop_rows.append(row)

    def write(self, stem: Path) -> None:
        """Write ``stem.bin`` and ``stem.npz``; the latter last, so that a shard in sight is whole."""
        lengths = [len(j) for j in self._x.jpegs]
        stem.with_suffix(".bin").write_bytes(b"".join(self._x.jpegs))
        size = (0, CROP_SIZE_WH[1], CROP_SIZE_WH[0], 3)
        np.savez(
            stem.with_suffix(".part.npz"),
            offsets=np.cumsum([0, *lengths]),
            pictures=np.asarray(self._x.picture, np.int32).reshape(-1, 3),
            objects=np.concatenate(self._x.objects) if self._x.objects else np.zeros((0, 12), np.float32),
            crops=np.stack(self._x.crops) if self._x.crops else np.zeros(size, np.uint8),
            crop_rows=np.asarray(self._x.crop_rows, np.float32).reshape(-1, 5),
        )
        stem.with_suffix(".part.npz").rename(stem.with_suffix(".npz"))


def _empty_quad(labelled: LabelledPicture, rng: np.random.Generator) -> NDArray[np.float32] | None:
    """Return a tile-sized quad that holds no tile's centre, or None when none is met in a few tries."""
    height, width = labelled.image_bgr.shape[:2]
    centres = [t.corners_xy_px.mean(axis=0) for t in labelled.tiles]
    for _ in range(5):
        size = float(np.exp(rng.uniform(np.log(0.03), np.log(0.3)))) * width
        centre = rng.uniform([0, 0], [width, height])
        if all(np.linalg.norm(c - centre) > 1.2 * size for c in centres):
            angle = rng.uniform(0, 2 * np.pi)
            x = np.array([np.cos(angle), np.sin(angle)]) * size / 2
            y = np.array([-np.sin(angle), np.cos(angle)]) * size * rng.uniform(1.2, 1.5) / 2
            return np.asarray([centre - x - y, centre + x - y, centre + x + y, centre - x + y], np.float32)
    return None


def shard_stems(*folders: Path) -> list[Path]:
    """Return the whole shards in these folders, in order, folder by folder."""
    return [stem for folder in folders for stem in _stems(folder)]


def _stems(folder: Path) -> list[Path]:
    return sorted(p.with_suffix("") for p in folder.glob("*.npz") if not p.name.endswith(".part.npz"))
