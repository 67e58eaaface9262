"""Tables seen at a flat angle: read in a picture that is stretched until tiles have their height again.

Where the camera stands as low as the players sit, a tile is wider than high. The finder knows few such ones,
and takes the tile's front side for a part of its face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.picture import Picture
from vision.quads import quad_axes, quad_sides
from vision.readings import Corners, PhotoReading, TileReading, stacked

__all__ = ["Stretch", "reads_more", "stretched", "taken_back", "worth_stretching"]

_HEIGHT = 1.42
"""A tile's height in widths, of most sets."""
_FLAT = 0.83
"""Things that look shorter by this share along one side of the picture are seen at a flat angle."""
_ALONG = 0.85
"""Cosine between that side and the way in which they look shorter."""
_MORE = 1.35
"""Faces seem higher than they are by about this, as their fronts are taken in."""
_MOST = 2.2
_MOST_PIXELS = 16e6
"""A stretched picture has no more, or a phone's largest ones would take gigabytes."""
_KNOWN = 3
"""So many tiles have to be read surely, or they may be things of another kind."""
_GAIN = 2
"""By so many more sure tiles a stretched picture is better."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """How a picture is stretched: by factors of its width and its height."""

    wide: float
    high: float


def worth_stretching(reading: PhotoReading) -> Stretch | None:
    """Return how to stretch a picture of which this was read; None where all is sure, or seen from above."""
    unsure = len(reading.unreadable) + sum(tile.doubt for tile in reading.tiles)
    if not unsure or reading.sure_tiles < _KNOWN:
        return None
    quads = stacked([tile.corners_xy_px for tile in reading.tiles])
    across, down = quad_axes(quads)
    down = down / _HEIGHT
    # Of a square seen from above both eigenvalues are one, whichever way it lies.
    shapes = across[:, :, None] * across[:, None, :] + down[:, :, None] * down[:, None, :]
    shapes /= np.maximum(np.trace(shapes, axis1=1, axis2=2), 1e-6)[:, None, None]
    values, ways = np.linalg.eigh(np.median(shapes, axis=0))
    flat, (x, y) = float(np.sqrt(max(values[0], 0.0) / values[1])), np.abs(ways[:, 0])
    if flat > _FLAT or max(x, y) < _ALONG:
        return None
    by = min(_MORE / max(flat, 1e-6), _MOST)
    return Stretch(by, 1.0) if x > y else Stretch(1.0, by)


def stretched(picture: Picture, by: Stretch) -> Picture:
    """Return the picture, stretched; a very large one smaller by as much as it takes."""
    height, width = picture.image_bgr.shape[:2]
    less = min(1.0, (_MOST_PIXELS / (width * by.wide * height * by.high)) ** 0.5)
    how = cv2.INTER_AREA if less < 1 else cv2.INTER_CUBIC
    image = cv2.resize(picture.image_bgr, None, fx=by.wide * less, fy=by.high * less, interpolation=how)
    return replace(picture, image_bgr=np.asarray(image, np.uint8), recall=None)


def reads_more(reading: PhotoReading, plain: PhotoReading) -> bool:
    """True where of the stretched picture, taken back, plainly more was read surely.

    What gainsays a sure tile of the ``plain`` reading does not count: half a wide 12 is a sure 2.
    """
    known = [tile for tile in plain.tiles if not tile.doubt]
    quads = stacked([tile.corners_xy_px for tile in known])
    middles, reach = quads.mean(axis=1), quad_sides(quads).min(axis=1) / 2

    def gainsays(one: TileReading) -> bool:
        on = np.linalg.norm(middles - one.corners_xy_px.mean(axis=0), axis=1) < reach
        return any(known[k].tile != one.tile for k in np.flatnonzero(on))

    agreed = sum(not (tile.doubt or gainsays(tile)) for tile in reading.tiles)
    return agreed >= plain.sure_tiles + _GAIN


def taken_back(reading: PhotoReading, plain: PhotoReading) -> PhotoReading:
    """Return what was read of a stretched picture with its corners as they are in the ``plain`` one."""
    scale = np.array(plain.size_wh, np.float32) / np.array(reading.size_wh, np.float32)

    def back(quads: Sequence[Corners]) -> tuple[Corners, ...]:
        return tuple(((quad + 0.5) * scale - 0.5).astype(np.float32) for quad in quads)

    moved = back([tile.corners_xy_px for tile in reading.tiles])
    return replace(
        reading,
        size_wh=plain.size_wh,
        tiles=tuple(replace(t, corners_xy_px=q) for t, q in zip(reading.tiles, moved, strict=True)),
        face_down_xy_px=back(reading.face_down_xy_px),
        unreadable=back(reading.unreadable),
        maybe_down_xy_px=back(reading.maybe_down_xy_px),
    )
