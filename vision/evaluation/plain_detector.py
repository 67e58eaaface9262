"""A plain 53-class detector as a reader, to compare with: boxes and classes from one network, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.tiles import ALL_TILES
from vision.onnx_adapter import OnnxModel
from vision.picture import Picture
from vision.readings import PhotoReading, TileReading

__all__ = ["PlainDetector"]

_STRIDE = 32
_GREY = 114

Network = Callable[[Mapping[str, NDArray[np.uint8]]], Mapping[str, NDArray[np.float32]]]
"""From inputs to outputs, by the names in the file."""


class PlainDetector:
    """The detector on ONNX Runtime; sets and racks are left to others."""

    def __init__(self, model: Network, size_px: int = 640, score: float = 0.25, overlap: float = 0.5) -> None:
        """Take the network, the longer side it sees, the least score, and the overlap of boxes that are one."""
        self._model, self._size, self._score, self._overlap = model, size_px, score, overlap

    @classmethod
    def from_file(cls, path: Path, threads: int = 0) -> PlainDetector:
        """Open an ONNX file of ``vision.training.yolo53``."""
        model = OnnxModel.from_file(path, threads)
        return cls(model, int(model.metadata.get("size_px", 640)))

    def read(self, picture: Picture) -> PhotoReading:
        """Read one picture; boxes stand for corners."""
        image = picture.image_bgr
        scale = self._size / max(image.shape[:2])
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else 1)
        height, width = small.shape[:2]
        canvas = np.full((-(-height // _STRIDE) * _STRIDE, -(-width // _STRIDE) * _STRIDE, 3), _GREY, np.uint8)
        canvas[:height, :width] = small
        out = self._model({"image_bgr": canvas[None]})["objects"][0]
        tiles = self._tiles(np.asarray(out, np.float32), scale)
        size_wh = (image.shape[1], image.shape[0])
        return PhotoReading(size_wh, "table" if tiles else "empty", tuple(tiles))

    def _tiles(self, out: NDArray[np.float32], scale: float) -> list[TileReading]:
        """Return the tiles of the network's output (4 + 53, anchors), each place once."""
        classes = out[4:].argmax(axis=0)
        scores = out[4:].max(axis=0)
        some = np.flatnonzero(scores >= self._score)
        x, y, w, h = out[:4, some] / scale
        boxes = np.stack([x - w / 2, y - h / 2, w, h], axis=1)
        kept = cv2.dnn.NMSBoxes(boxes.tolist(), scores[some].tolist(), self._score, self._overlap)
        tiles = []
        for k in np.asarray(kept, int).ravel():
            left, top, wide, high = boxes[k]
            corners = [[left, top], [left + wide, top], [left + wide, top + high], [left, top + high]]
            tile, score = ALL_TILES[int(classes[some[k]])], float(scores[some[k]])
            tiles.append(TileReading(tile, score, False, np.asarray(corners, np.float32)))
        return tiles
