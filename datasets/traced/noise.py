"""Seamless noise for textures: arrays of rows and columns with mean 0 and deviation 1."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Floats", "lookup", "mix", "noise", "relief", "to_bytes"]

Floats = NDArray[np.floating[Any]]


def noise(
    rng: np.random.Generator,
    size: tuple[int, int],
    fall: float = 1.6,
    stretch: float = 1.0,
    lowest: float = 1.0,
) -> Floats:
    """Return noise whose spectrum falls by ``fall``; ``stretch`` > 1 draws it out along the rows.

    ``lowest`` is the smallest number of waves across the picture.
    """
    white = rng.standard_normal(size, dtype=np.float32)
    fy = np.fft.fftfreq(size[0], 1 / size[0])[:, None]
    fx = np.fft.rfftfreq(size[1], 1 / size[1])[None, :] * stretch
    wave = np.sqrt(fy * fy + fx * fx)
    gain = np.where(wave < lowest, 0.0, np.maximum(wave, 1e-6) ** -fall)
    out = np.fft.irfft2(np.fft.rfft2(white) * gain, s=size)
    return np.asarray((out - out.mean()) / (out.std() + 1e-9), np.float32)


def relief(height: Floats, texel: float) -> NDArray[np.uint8]:
    """Return the normal map of a height field in mm, ``texel`` mm apart; row 0 is the upper edge."""
    right = (np.roll(height, -1, 1) - np.roll(height, 1, 1)) / (2 * texel)
    down = (np.roll(height, -1, 0) - np.roll(height, 1, 0)) / (2 * texel)
    normal = np.stack([-right, down, np.ones_like(height)], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    return to_bytes((normal * 0.5 + 0.5) * 255)


def to_bytes(image: Floats) -> NDArray[np.uint8]:
    """Return an image of 0..255 as bytes."""
    return np.asarray(np.clip(np.rint(image), 0, 255), np.uint8)


def mix(first: tuple[float, ...], second: tuple[float, ...], share: Floats) -> Floats:
    """Return the picture that goes from ``first`` (share 0) to ``second`` (share 1)."""
    one, two = np.array(first, np.float32), np.array(second, np.float32)
    return np.asarray(one + (two - one) * np.clip(share, 0, 1)[..., None])


def lookup(image: Floats, rows: Floats, columns: Floats) -> Floats:
    """Return ``image`` at wrapped, rounded places."""
    places = np.rint(rows).astype(int) % image.shape[0], np.rint(columns).astype(int) % image.shape[1]
    return np.asarray(image[places])
