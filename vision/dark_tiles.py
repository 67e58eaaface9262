"""Tiles with dark bodies and pale numerals: read in a picture whose lightness is turned round.

The networks know pale tiles only. Turned round in CIELAB's lightness, a black tile is a pale one, a white
numeral a black one, and hues stay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from vision.picture import Picture
from vision.quads import usual_width
from vision.readings import PhotoReading

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


def worth_turning_round(reading: PhotoReading, *, dim: Callable[[], bool] = lambda: False) -> bool:
    """True where so little was read that the tiles may be dark; ``dim`` says whether the whole picture is."""
    sure, found = reading.sure_tiles, len(reading.tiles) + len(reading.unreadable)
    doubtful = 2 * sure < found and (found <= _MANY or sure < _FEW_OF_MANY)
    few = sure < _FEW or doubtful or (sure < _FEW_IN_DIM and dim())
    return few and len(reading.face_down_xy_px) < _POOL


def turned_round(picture: Picture) -> Picture:
    """Return the picture with light for dark, and its hues."""
    lab = cv2.cvtColor(picture.image_bgr, cv2.COLOR_BGR2LAB)
    lab[..., 0] = 255 - lab[..., 0]
    light = np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8)
    return replace(picture, image_bgr=light, recall=None)


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
    least = max(_LEAST, 2 * plain.sure_tiles, len(plain.tiles))
    more = found >= _PLAINLY_MORE * len(plain.tiles)
    return more and sure >= least and sure >= _SURE_SHARE * found
