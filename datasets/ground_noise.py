"""Small noise kit for procedural surfaces: float32 fields, fast enough to make one for every picture."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

__all__ = ["colourise", "fbm", "finish", "lit_bumps", "mix", "noise", "rgb", "stretch", "wobble"]

Map = NDArray[Any]  # float32


def noise(rng: Generator, size: int, cells_x: float, cells_y: float | None = None) -> Map:
    """Return smooth noise (size, size), about -1..1, with so many lumps across and down."""
    nx = int(np.clip(np.ceil(cells_x), 2, size))
    ny = int(np.clip(np.ceil(cells_x if cells_y is None else cells_y), 2, size))
    field = rng.random((ny, nx), dtype=np.float32) * 2 - 1
    return np.asarray(cv2.resize(field, (size, size), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def fbm(
    rng: Generator, size: int, cells: float, octaves: int = 4, gain: float = 0.5, aspect: float = 1.0
) -> Map:
    """Return several octaves of noise (size, size), about -1..1; ``aspect`` stretches it along y."""
    total = np.zeros((size, size), np.float32)
    weight, norm = 1.0, 0.0
    for k in range(octaves):
        across = cells * 2**k
        if across > size:
            break
        total += np.float32(weight) * noise(rng, size, across, across / aspect)
        norm += weight
        weight *= gain
    return total / np.float32(max(norm * 0.7, 1e-6))


def rgb(*values: float) -> Map:
    """Return an sRGB colour (3,) from 0..255 values."""
    return np.asarray(values, np.float32) / np.float32(255)


def mix(a: Map, b: Map, share: Map) -> Map:
    """Return ``a`` to ``b`` (colours (3,) or (..., 3)) by ``share`` (H, W) 0..1."""
    s = np.clip(share, 0, 1)[..., None].astype(np.float32)
    return np.asarray(a + (b - a) * s, dtype=np.float32)


def colourise(field: Map, stops: list[Map]) -> Map:
    """Map a field (H, W) 0..1 through colours at even stops."""
    table = np.stack(stops)
    position = np.linspace(0, 1, 256) * (len(stops) - 1)
    low = np.minimum(position.astype(int), len(stops) - 2)
    part = (position - low)[:, None].astype(np.float32)
    ramp = (table[low] * (1 - part) + table[low + 1] * part).astype(np.float32)
    index = np.clip(field * 255, 0, 255).astype(np.uint8)
    return np.asarray(ramp[index], dtype=np.float32)


def finish(picture: Map) -> Map:
    """Return a picture clipped to 0..1, float32."""
    return np.asarray(np.clip(picture, 0, 1), dtype=np.float32)


def stretch(field: Map) -> Map:
    """Scale a field to 0..1."""
    low, high = float(field.min()), float(field.max())
    return (field - np.float32(low)) / np.float32(max(high - low, 1e-6))


def lit_bumps(height: Map, rng: Generator, strength: float) -> Map:
    """Return shading (H, W) around 1 of a height field (texels) lit from a random side."""
    angle = rng.uniform(0, 2 * np.pi)
    slope = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3) * np.float32(np.cos(angle))
    slope += cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3) * np.float32(np.sin(angle))
    return np.asarray(np.clip(1 + slope * np.float32(strength / 8), 0.3, 1.7), dtype=np.float32)


def wobble(rng: Generator, size: int, cells: float, amount: float) -> tuple[Map, Map]:
    """Return x and y texel coordinates (size, size), shifted smoothly by up to about ``amount`` texels."""
    grid = np.arange(size, dtype=np.float32)
    dx, dy = noise(rng, size, cells), noise(rng, size, cells)
    return grid[None] + dx * np.float32(amount), grid[:, None] + dy * np.float32(amount)
