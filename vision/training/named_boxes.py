"""Boxes with names, for training a plain 53-class detector on the very shards that the finder learns from.

Shards store where every tile lies, and apart from that crops with what they show. Cut again from the stored
picture, a tile's crop is the stored one but for the JPEG, and so the names come back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import Pyramid
from vision.training.shards import CROP_MARGIN, CROP_SIZE_WH, JOKER_CLASS, TILE

__all__ = ["CLASSES", "NamedBoxes", "named_boxes"]

CLASSES = 53
"""Colours red, blue, black, orange with 1 to 13 each, then the joker, as in ``referee.tiles.ALL_TILES``."""

_READABLE = 0.3
_SAME = 12.0
"""A crop that differs by less than this many grey levels in the mean is the same one."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedBoxes:
    """One picture of a shard."""

    jpeg: bytes
    """The stored picture."""
    size_wh: tuple[int, int]
    """Its width and height."""
    boxes_xyxy_px: NDArray[np.float32]
    """Shape (N, 4): upright boxes of the readable faces, clipped to the frame."""
    classes: NDArray[np.intp]
    """Shape (N,): what they show."""


def named_boxes(stem: Path) -> Iterator[NamedBoxes]:
    """Yield the pictures of a shard of which every readable face has its name; others are left out."""
    jpegs = stem.with_suffix(".bin").read_bytes()
    with np.load(stem.with_suffix(".npz")) as shard:
        offsets, objects, pictures = shard["offsets"], shard["objects"], shard["pictures"]
        crops, rows = shard["crops"], shard["crop_rows"]
    for index in range(len(pictures)):
        jpeg = jpegs[offsets[index] : offsets[index + 1]]
        own = objects[(objects[:, 0] == index) & (objects[:, 1] == TILE) & (objects[:, 3] >= _READABLE)]
        mine = (rows[:, 0] == index) & (rows[:, 1] <= JOKER_CLASS)
        if pictures[index][2] or mine.sum() < len(own):
            continue  # grey, or with more faces than crops were kept
        names = _names(jpeg, own, crops[mine], rows[mine])
        if names is None:
            continue
        width, height = (int(v) for v in pictures[index][:2])
        quads = own[:, 4:].reshape(-1, 4, 2)
        limit = np.array([width, height], np.float32)
        boxes = np.concatenate(
            [np.clip(quads.min(axis=1), 0, limit), np.clip(quads.max(axis=1), 0, limit)], axis=1
        )
        yield NamedBoxes(jpeg, (width, height), boxes.astype(np.float32), names)


def _names(
    jpeg: bytes, own: NDArray[np.float32], crops: NDArray[np.uint8], rows: NDArray[np.float32]
) -> NDArray[np.intp] | None:
    """Return the class of each object, or None where one of them cannot be told."""
    names = np.zeros(len(own), np.intp)
    if not len(own):
        return names
    image = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    again = Pyramid(image).crops(own[:, 4:].reshape(-1, 4, 2), CROP_SIZE_WH, CROP_MARGIN)
    small = again[:, ::4, ::4].astype(np.int16).reshape(len(own), 1, -1)
    stored = crops[:, ::4, ::4].astype(np.int16).reshape(1, len(crops), -1)
    apart = np.abs(small - stored).mean(axis=2)
    free = set(range(len(crops)))
    for k in np.argsort(apart.min(axis=1)):
        near = min(free, key=lambda j: float(apart[k, j]))
        if apart[k, near] > _SAME:
            return None
        free.remove(near)
        number, colour = int(rows[near, 1]), int(rows[near, 2])
        names[k] = CLASSES - 1 if number == JOKER_CLASS else colour * 13 + number
    return names
