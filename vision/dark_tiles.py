"""Tiles with dark bodies and pale numerals: read in a picture whose lightness is turned round.

The networks know pale tiles only. Turned round in CIELAB's lightness, a black tile is a pale one, a white
numeral a black one, and hues stay. But bright yellow would come out nearly black, and light blue as dark teal:
on black such inks are what orange and blue are on white, so these they become.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture import Picture
from vision.quads import usual_width
from vision.readings import PhotoReading

_BRIGHT = (100.0, 160.0)
"""Lightness, 0..255, from which on ink is no longer dark, and from which on it is bright."""

__all__ = ["reads_better", "sure_width", "turned_round", "worth_turning_round"]

_FEW = 4
"""A picture in which so many tiles and more are read surely, half of those found, shows pale ones."""
_FEW_IN_DIM = 12
"""The same of a dim picture, which may be one of dark tiles: brightened, some of them read."""
_MANY, _FEW_OF_MANY = 20, 10
"""Of more finds than the first at least as many as the second are read surely, where tiles are pale."""
_PLAINLY_MORE = 1.6
"""So many times as much has to be found."""
_POOL = 8
"""A picture with so many backs shows pale tiles, too: on black ones the finder sees a few at most."""
_LEAST = 3
"""So few tiles may be things of another kind, turned round."""
_SURE_SHARE = 0.55
"""Share of what is found that has to be read surely: of dark keys turned round few are."""
_LEAST_OF_NONE, _SURE_OF_NONE = 2, 0.2
"""The same two where the picture as it is shows nothing at all, and what has no tile's body is left out."""
_TABLE, _MANY_TIMES, _SURE_OF_TABLE = 10, 5, 0.35
"""So many read surely, and so many times as many as in the picture as it is, are a table seen badly."""


@dataclass(frozen=True, slots=True)
class _Ink:
    """A bright ink on black, in CIELAB as OpenCV has it in bytes; hues in degrees."""

    hue: float
    within: float
    """So far from that hue it is wholly this ink; ``_FADES`` further on not at all."""
    chroma: tuple[float, float]
    """From the first on it is no white under a lamp, from the second on wholly this ink."""
    becomes: tuple[float, float]
    """Lightness and hue that it has on a pale tile."""


_FADES = 30.0
_BRIGHT_INKS = (
    _Ink(hue=88, within=12, chroma=(30, 60), becomes=(160, 72)),  # yellow: orange
    _Ink(hue=-125, within=25, chroma=(18, 38), becomes=(105, -80)),  # light blue: blue
)


def worth_turning_round(reading: PhotoReading, *, dim: Callable[[], bool] = lambda: False) -> bool:
    """True where so little was read that the tiles may be dark; ``dim`` says whether the whole picture is."""
    sure, found = reading.sure_tiles, len(reading.tiles) + len(reading.unreadable)
    doubtful = 2 * sure < found and (found <= _MANY or sure < _FEW_OF_MANY)
    few = sure < _FEW or doubtful or (sure < _FEW_IN_DIM and dim())
    return few and len(reading.face_down_xy_px) < _POOL


def turned_round(picture: Picture) -> Picture:
    """Return the picture with light for dark, and its hues; bright inks as they are on pale tiles."""
    lab = cv2.cvtColor(picture.image_bgr, cv2.COLOR_BGR2LAB).astype(np.int32)
    to_inks = _to_inks()[(lab[..., 0] >> 3 << 14) + (lab[..., 1] >> 1 << 7) + (lab[..., 2] >> 1)]
    lab[..., 0] = 255 - lab[..., 0]
    lab = np.clip(lab + to_inks, 0, 255)
    image = np.asarray(cv2.cvtColor(lab.astype(np.uint8), cv2.COLOR_LAB2BGR), np.uint8)
    return replace(picture, image_bgr=image, recall=None)


@lru_cache(maxsize=1)
def _to_inks() -> NDArray[np.int16]:
    """Return by what turned colours differ from those that inks have on pale tiles, shape (32 x 128 x 128, 3).

    By lightness in steps of 8 and both colours in steps of 2.
    """
    light, a, b = np.meshgrid(np.arange(4, 256, 8), np.arange(0, 256, 2), np.arange(0, 256, 2), indexing="ij")
    plain = np.stack([255 - light, a, b], axis=-1).reshape(-1, 3).astype(np.float32)
    inks = _as_on_pale(255 - plain[:, 0], plain[:, 1] - 128, plain[:, 2] - 128)
    return np.asarray(np.rint(inks - plain), np.int16)


def _as_on_pale(
    light: NDArray[np.float32], a: NDArray[np.float32], b: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return inks' colours (N, 3) turned round, of lightness 0..255 and ``a`` and ``b`` around 0, each (N,)."""
    chroma, hue = np.hypot(a, b), np.degrees(np.arctan2(b, a))
    bright, turned, shown = _rising(light, _BRIGHT), 255 - light, hue.copy()
    for ink in _BRIGHT_INKS:
        near = 1 - _rising(np.abs(hue - ink.hue), (ink.within, ink.within + _FADES))
        share = bright * near * _rising(chroma, ink.chroma)
        turned += share * (ink.becomes[0] - turned)
        shown += share * (ink.becomes[1] - shown)
    angle = np.radians(shown)
    return np.stack([turned, chroma * np.cos(angle) + 128, chroma * np.sin(angle) + 128], axis=1)


def _rising(values: NDArray[np.float32], over: tuple[float, float]) -> NDArray[np.float32]:
    """Return 0 up to the first of ``over``, 1 from the second on, evenly between."""
    return np.asarray(np.clip((values - over[0]) / (over[1] - over[0]), 0, 1), np.float32)


def sure_width(reading: PhotoReading) -> float | None:
    """Return how wide the tiles are that were read surely, pixels; None where there are none.

    Turned round, a picture shows no tiles of another size, but grains of its cloth that look like some.
    """
    return usual_width([tile.corners_xy_px for tile in reading.tiles if not tile.doubt])


def reads_better(turned: PhotoReading, plain: PhotoReading, *, bodies: bool = False) -> bool:
    """True where a picture turned round shows tiles, and plainly more of them than the picture as it is.

    ``bodies``: what has no tile's body is not among them.
    """
    sure, found = turned.sure_tiles, len(turned.tiles) + len(turned.unreadable)
    if bodies and not (plain.tiles or plain.unreadable):
        return sure >= max(_LEAST_OF_NONE, _SURE_OF_NONE * found)
    if bodies and sure >= max(_TABLE, _MANY_TIMES * plain.sure_tiles, _SURE_OF_TABLE * found):
        return True
    least = max(_LEAST, 2 * plain.sure_tiles, len(plain.tiles))
    more = found >= _PLAINLY_MORE * len(plain.tiles)
    return more and sure >= least and sure >= _SURE_SHARE * found
