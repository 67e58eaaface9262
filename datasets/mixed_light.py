"""A finished picture as if taken in other light: sheens, shade, lamps, and what cameras make of them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.random import Generator

from datasets.labels import LabelledPicture
from datasets.light import Map, to_linear, to_srgb

__all__ = ["in_mixed_light"]


def in_mixed_light(picture: LabelledPicture, rng: Generator) -> LabelledPicture:
    """Return the picture in other light, truth unchanged; the same generator state gives the same picture.

    Sheens of a window or a lamp are added, linear, as on glossy tiles; shade is multiplied. Then the camera
    exposes, balances, sharpens not quite rightly, and stores a JPEG.
    """
    lit = to_linear(picture.image_bgr[:, :, ::-1].astype(np.float32) / 255)
    height, width = lit.shape[:2]
    lit = lit * _tint(rng, 0.25) * float(2 ** rng.uniform(-1.2, 0.5))
    if rng.random() < 0.4:
        shade = _side(height, width, rng)[..., None] * float(rng.uniform(0.3, 0.85))
        lit = lit * (1 - shade * _tint(rng, 0.12))
    if rng.random() < 0.7:
        for _ in range(int(rng.integers(1, 3))):
            field = _spot(height, width, rng) if rng.random() < 0.6 else _side(height, width, rng)
            strength = float(rng.uniform(0.05, 0.8)) * float(np.quantile(lit, 0.95))
            lit = lit + field[..., None] * strength * _tint(rng, 0.3)
    shown = to_srgb(np.clip(lit, 0, 1).astype(np.float32))
    if rng.random() < 0.4:
        grey = shown.mean(axis=2, keepdims=True)
        shown = np.clip(grey + float(np.exp(rng.normal(0, 0.3))) * (shown - grey), 0, 1)
    if rng.random() < 0.4:
        shown = cv2.GaussianBlur(shown, (0, 0), float(rng.uniform(0.4, 1.8)))
    if rng.random() < 0.5:
        shown = shown + rng.normal(0, rng.uniform(0.004, 0.03), shown.shape)
    image = np.clip(np.rint(255 * shown[:, :, ::-1]), 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        quality = int(rng.integers(35, 95))
        stored = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        image = np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)
    return replace(picture, image_bgr=image)


def _tint(rng: Generator, spread: float) -> Map:
    """Return a light's colour (3,), RGB: from lamp to sky, a little green or pink."""
    warm, green = rng.normal(0, spread), rng.normal(0, spread / 4)
    return np.asarray(np.exp([warm, green, -warm]), np.float32)


def _spot(height: int, width: int, rng: Generator) -> Map:
    """Return a soft, stretched spot, (H, W), 0..1."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / max(height, width)
    along, turn = np.exp(rng.uniform(np.log(0.08), np.log(0.5), 2)), rng.uniform(0, np.pi)
    x, y = x - rng.uniform(0, width / max(height, width)), y - rng.uniform(0, height / max(height, width))
    a, b = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    return np.asarray(np.exp(-0.5 * ((a / along[0]) ** 2 + (b / along[1]) ** 2)), np.float32)


def _side(height: int, width: int, rng: Generator) -> Map:
    """Return light over one side of the picture, (H, W), 0..1, with a soft or a rather sharp edge."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / max(height, width)
    turn = rng.uniform(0, 2 * np.pi)
    away = (x - rng.uniform(0.2, 0.8)) * np.cos(turn) + (y - rng.uniform(0.2, 0.6)) * np.sin(turn)
    return np.asarray(1 / (1 + np.exp(-away * np.exp(rng.uniform(np.log(3), np.log(40))))), np.float32)
