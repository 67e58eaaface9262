"""Drawn pictures of one row of tiles, and a reader that is told what lies there."""

from __future__ import annotations

import cv2
import numpy as np

from referee import Tile
from vision.picture import Picture
from vision.readings import Corners, PhotoReading, SetReading, TileReading, as_corners
from vision.sources.frame import Frame

__all__ = ["Told", "place", "row_of"]

_TOGETHER_PX = 35
"""Middles of tiles that lie in one set are no farther apart."""


class Told:
    """Reads what it is told lies there: a tile and the x of its middle, in pixels, from left to right."""

    def __init__(self, top: int = 100) -> None:
        """``top``: y of the row's upper edge, pixels."""
        self.row: list[tuple[str, float]] = []
        self.top = top

    def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
        height, width = picture.image_bgr.shape[:2]
        tiles = tuple(TileReading(Tile.parse(name), 0.999, False, place(x, self.top)) for name, x in self.row)
        sets: list[list[int]] = []
        for at, (_, x) in enumerate(self.row):
            if not sets or x - self.row[at - 1][1] > _TOGETHER_PX:
                sets.append([])
            sets[-1].append(at)
        return PhotoReading((width, height), "table", tiles, tuple(SetReading(tuple(one)) for one in sets))


def place(x: float, top: int) -> Corners:
    """A tile of 30 x 40 pixels."""
    return as_corners([(x - 15, top), (x + 15, top), (x + 15, top + 40), (x - 15, top + 40)])


def row_of(
    index: int, t_s: float, told: Told, arm: tuple[int, int] | None = None, arm_y: tuple[int, int] = (0, 150)
) -> Frame:
    """A mottled cloth, 640 x 360, with these tiles on it, and an arm between two x, from above unless told."""
    spots = np.random.default_rng(7).normal(120, 40, (90, 160, 1)).astype(np.float32)
    image = np.asarray(
        np.clip(np.repeat(cv2.resize(spots, (640, 360))[..., None], 3, axis=2), 0, 255), np.uint8
    )
    for name, x in told.row:
        cv2.rectangle(
            image, (round(x) - 15, told.top), (round(x) + 15, told.top + 40), (225, 235, 240), cv2.FILLED
        )
        at = round(x) - 12, told.top + 28
        cv2.putText(image, name[1:], at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, (30, 30, 30), 2)
    if arm is not None:
        cv2.rectangle(image, (arm[0], arm_y[0]), (arm[1], arm_y[1]), (40, 60, 200), cv2.FILLED)
    return Frame.of_bgr(index, t_s, image)
