"""Give a picture taken in dim or coloured light the brightness and the white of ordinary daylight."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.veil import without_veil

__all__ = ["brightened", "cleared", "is_dim", "without_cast"]

_POWER = 6.0
"""Bright parts tell the light more than dark ones: tiles are bright, and ground may have any colour."""
_GAMMA = 2.2
_TONE = 0.45
"""Linear tone of ordinary pictures' light, 0..1: nine in ten photographs have more."""
_DIM, _MOST = 1.5, 8.0
"""Pictures that need less than the first stay as they are; none is brightened more than the second, linear."""
_STEPS = 4
"""Steps a factor of two in which it is brightened: the frames of a film are brightened alike."""
_CAST = 1.5
"""The strongest channel of ordinary light has less than so many times the weakest one."""


def cleared(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture (H, W, 3) as tiles are read in it: without a veil, and as bright as ordinary ones."""
    return brightened(without_veil(image_bgr))


def brightened(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a dim picture (H, W, 3) as bright as ordinary ones; the same picture where it is."""
    need = _need(image_bgr)
    if need < _DIM:
        return image_bgr
    need = min(need, _MOST)
    return _times(image_bgr, np.full(3, 2 ** (round(_STEPS * np.log2(need)) / _STEPS)))


def is_dim(image_bgr: NDArray[np.uint8]) -> bool:
    """True for a picture (H, W, 3) that was taken in dim light, or shows dark things only."""
    return _need(image_bgr) >= _DIM


def without_cast(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture (H, W, 3) in lamplight or blue shade as in white light; the same where it is white.

    Ground of one colour has a say in what is taken for the light, so that this is for finding tiles, not for
    telling their colours.
    """
    light = np.maximum(_light(image_bgr), 1e-6)
    if light.max() < _CAST * light.min():
        return image_bgr
    return _times(image_bgr, light.mean() / light)


def _need(image_bgr: NDArray[np.uint8]) -> float:
    """Return how many times as bright, linear, a picture had to be to be as bright as ordinary ones."""
    return _TONE / max(float(_light(image_bgr).mean()), 1e-6)


def _light(image_bgr: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the light of a picture (3,), linear, 0..1, BGR.

    Source: shades of grey, Finlayson and Trezzi 2004, "Shades of Gray and Colour Constancy".
    """
    few = np.ascontiguousarray(image_bgr[::4, ::4])
    counts = np.stack([cv2.calcHist([few], [channel], None, [256], [0, 256]).ravel() for channel in range(3)])
    tones = (np.arange(256) / 255.0) ** (_GAMMA * _POWER)
    return np.asarray((counts @ tones / max(counts[0].sum(), 1)) ** (1 / _POWER))


def _times(image_bgr: NDArray[np.uint8], factors: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the picture with its linear channels (BGR) multiplied by ``factors`` (3,)."""
    tones = np.arange(256)[:, None] * factors[None] ** (1 / _GAMMA)
    return np.asarray(cv2.LUT(image_bgr, np.clip(np.rint(tones), 0, 255).astype(np.uint8)[None]), np.uint8)
