"""Take away the veil of light that a bright window, a lens or a bad exposure lays over a picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["without_veil"]

_DARK = 50.0
"""Grey, 0..255, at which the darkest parts lie at most; ink and shadows of an ordinary picture are darker."""
_SHARE = 0.001
"""Share of the picture that is taken for its darkest parts."""


def without_veil(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a picture (H, W, 3) whose darkest parts are dark; the same picture where they are.

    Black ink under a veil is grey, and grey with a tint is what blue ink is to the classifier.
    """
    grey = cv2.cvtColor(image_bgr[::2, ::2], cv2.COLOR_BGR2GRAY)
    counts = cv2.calcHist([grey], [0], None, [256], [0, 256]).ravel()
    darkest = int(np.searchsorted(np.cumsum(counts), _SHARE * grey.size))
    if darkest <= _DARK or darkest >= 255:
        return image_bgr
    tones = 255 - (255 - np.arange(256, dtype=np.float32)) * ((255 - _DARK) / (255 - darkest))
    return np.asarray(cv2.LUT(image_bgr, np.clip(np.rint(tones), 0, 255).astype(np.uint8)), np.uint8)
