"""A pool of blank tiles on a plain table, as pictures, and a keeper that has seen it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners
from vision.watch.patches import HomePicture
from vision.watch.pool import PoolKeeper

__all__ = ["HEIGHT", "HOME", "PLACES", "WIDTH", "look", "picture", "quad", "settled_pool"]

WIDTH, HEIGHT = 30, 40
PLACES = [(60 + 45 * column, 60 + 60 * row) for row in range(3) for column in range(6)]
HOME = np.eye(3)


def quad(place: tuple[int, int]) -> Corners:
    x, y = place
    return np.array([[x, y], [x + WIDTH, y], [x + WIDTH, y + HEIGHT], [x, y + HEIGHT]], np.float32)


def picture(places: list[tuple[int, int]], gain: float = 1.0) -> NDArray[np.uint8]:
    """A green table with blank tiles, and a sensor's noise."""
    image = np.full((300, 400, 3), (60, 90, 50), np.float32)
    for x, y in places:
        cv2.rectangle(image, (x, y), (x + WIDTH, y + HEIGHT), (200, 215, 220), cv2.FILLED)
    noise = np.random.default_rng(len(places)).normal(0, 3, image.shape)
    return np.asarray(np.clip(image * gain + noise, 0, 255), np.uint8)


def look(pool: PoolKeeper, image: NDArray[np.uint8], found: list[tuple[int, int]]) -> tuple[int, int]:
    pool.update(
        [quad(place) for place in found], lambda homes: ["covered"] * len(homes), HomePicture(image, HOME)
    )
    return pool.count or 0, pool.taken


def settled_pool() -> PoolKeeper:
    """A keeper that has seen all of ``PLACES`` twice."""
    keeper = PoolKeeper()
    for _ in range(2):
        look(keeper, picture(PLACES), PLACES)
    return keeper
