"""Brighten the parts of a picture that lie in shade, so that tiles there are found as all others are."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["without_shade"]

_SIDE_PX = 100
"""Longer side of the picture on which light is measured."""
_BRIGHTEST_PX = 9
"""Side of the square of which the brightest part tells the light: tiles are white, and one is no larger."""
_SOFT_PX = 6.0
"""Standard deviation of the blur by which light goes over from one place to the next."""
_LIT = 80
"""Percentile of the light that is taken for that of the lit parts."""
_SHARE = 0.7
"""So much of the difference is taken away, as a power: what is dark by itself stays darker than the rest."""
_MOST = 3.0
"""No part is brightened more than so many times: there would be noise alone."""
_LEAST = 1.2
"""A picture that no part of needs more than this stays as it is."""
_ONE = 64
"""Eight bits stand for factors from 0 to 4."""


def without_shade(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture (H, W, 3) whose shaded parts are nearly as bright as the lit ones; the same if none are.

    Light is told by the brightest of each neighbourhood, as in the white-patch kind of Retinex (Land and McCann
    1971, "Lightness and Retinex Theory"), so that a tile on a dark table keeps its own white.
    """
    height, width = image_bgr.shape[:2]
    scale = _SIDE_PX / max(height, width)
    size_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.cvtColor(cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    brightest = cv2.dilate(small, np.ones((_BRIGHTEST_PX, _BRIGHTEST_PX), np.uint8))
    light = cv2.GaussianBlur(brightest.astype(np.float32), (0, 0), _SOFT_PX)
    gain = np.clip((np.percentile(light, _LIT) / np.maximum(light, 8)) ** _SHARE, 1, _MOST)
    if float(gain.max()) < _LEAST:
        return image_bgr
    factors = cv2.resize(np.rint(gain * _ONE).astype(np.uint8), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(image_bgr, cv2.merge([factors] * 3), scale=1 / _ONE), np.uint8)
