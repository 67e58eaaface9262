"""Bare tables of any size, grown from the tile-free parts of photographs.

The light of each photograph is evened, and its white set by its own tiles, so that pieces of several
photographs of one place go together, and lie under cut-out tiles as they did under the real ones. Photographs
without tiles keep the white that the camera chose.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.games.cutout_quilt import Sample, quilt
from datasets.games.sprites import Rgb
from datasets.light import to_linear, to_srgb
from datasets.photos import LabelledPhoto

__all__ = ["CutoutGround", "GroundSource", "grounds_of"]

Map = NDArray[Any]  # float32

_EMPTY: Final = MappingProxyType(
    {
        "rummyBackground-6": ("marble", 85.0),
        "rummyBackground-7": ("marble", 100.0),
        "rummyBackground-8": ("desk", 100.0),
        "rummyBackground-9": ("carpet", 160.0),
        "rummyBackground-11": ("wood", 170.0),
    }
)
"""Photographs without tiles show the tables of others: which, and how many pixels wide a tile would be, both
judged by eye."""
_MOST_PHOTOS: Final = 5
"""No ground is grown from more photographs."""
_FIRSTS: Final = 3
"""One of so many photographs, those that show most of the table, is the one to look like."""
_CLEAR: Final = 0.35
"""What is nearer to a tile than this, in tile widths, may lie in its shadow."""
_COARSEST: Final = 1.3
"""Photographs that would have to be enlarged more are left aside, for they would look soft."""
_COARSER: Final = 2.4
"""A table of which a photograph shows little may be drawn up to so much coarser than it is."""
_ENOUGH: Final = 0.45
"""Photographs that fill this share of the wanted picture need no others beside them."""
_BARE: Final = 4.0
"""Photographs without tiles are so much rather the first."""
_SLOW: Final = 1.2
"""Light that changes over more than this, in tile widths (a standard deviation), is evened."""
_SLOW_TINT: Final = 0.4
"""The same for its tint, which a table's own pattern changes less."""
_SHADOW_PX: Final = 14.0
"""The edges of shadows are looked for at this width of a tile."""
_SMOOTH: Final = 0.06
"""Where the light (median share) differs less from place to place, edges of shadows strike the eye."""
_PIECE: Final = 3.5
"""Width of a piece, tile widths."""
_SHADING: Final = 0.3
"""So much of the uneven light of the photograph is kept (a power)."""
_GRAIN: Final = 0.12
"""A texture less directed than this (0..1) has no grain to be turned."""
_LUMA: Final = np.array([0.2126, 0.7152, 0.0722], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class GroundSource:
    """A photograph of a table."""

    photo: LabelledPhoto
    """It, not yet read."""
    tile_px: float
    """Median width of its tiles, or what it would be."""
    extent: float
    """How much bare table it shows, square tile widths."""


@dataclass(frozen=True, slots=True, eq=False)
class CutoutGround:
    """The table of one place. Satisfies ``TableLooks``."""

    name: str
    """Names the place."""
    sources: tuple[GroundSource, ...]
    """What it is grown from; what shows most comes first."""
    white: Map
    """Shape (3,): the body of the tiles that are to lie on it, linear light."""

    def ground(self, size_wh: tuple[int, int], tile_px: float, rng: Generator) -> Rgb:
        """Return the bare table as uint8 RGB of shape (H, W, 3), at the scale of a tile ``tile_px`` wide.

        Takes seconds. The same generator state gives the same picture.

        Raises:
            PhotoLabelsError: a photograph is damaged.
        """
        first = self._first(tile_px, rng)
        wanted = size_wh[0] * size_wh[1]
        # A table of which little is shown is grown of coarser, but larger, parts.
        coarser = np.clip(np.sqrt(wanted / tile_px**2 / first.extent), 1, _COARSER)
        scale_px = max(tile_px, min(tile_px * float(coarser), first.tile_px))
        even, usable, slow = _evened(first, self.white, None)
        heading = _heading(even, usable)
        middle = np.asarray(np.median(even[usable], axis=0), np.float32)
        samples = [_at_scale(even, usable, scale_px / first.tile_px, 0.0)]
        shown = first.extent * scale_px**2
        for other in self._others(first, scale_px):
            if shown > _ENOUGH * wanted or len(samples) == _MOST_PHOTOS:
                break
            even, usable, _ = _evened(other, self.white, middle)
            own = _heading(even, usable)
            turn = 0.0 if heading is None or own is None else (heading - own + 90) % 180 - 90
            samples.append(_at_scale(even, usable, scale_px / other.tile_px, turn))
            shown += other.extent * scale_px**2
        picture = quilt(samples, size_wh, max(16, round(_PIECE * tile_px)), rng)
        shade = cv2.resize(slow**_SHADING, size_wh, interpolation=cv2.INTER_LINEAR)[..., None]
        light = to_linear(picture) * shade
        return np.clip(to_srgb(light) * 255 + 0.5, 0, 255).astype(np.uint8)

    def _first(self, tile_px: float, rng: Generator) -> GroundSource:
        """Return the photograph to look like: one of those that show most, rather one without any tile."""
        fine = [one for one in self.sources if tile_px <= _COARSEST * one.tile_px] or list(self.sources)
        bare = [one for one in fine if not one.photo.tiles]
        among = [*bare, *(one for one in fine if one.photo.tiles)][: _FIRSTS + len(bare)]
        weights = np.array([one.extent * (1.0 if one.photo.tiles else _BARE) for one in among])
        return among[int(rng.choice(len(weights), p=weights / weights.sum()))]

    def _others(self, first: GroundSource, scale_px: float) -> list[GroundSource]:
        """Return what may be set beside a photograph: those of its own scene first."""
        fine = [one for one in self.sources if one is not first and scale_px <= _COARSEST * one.tile_px]
        same = [one for one in fine if one.photo.tiles and first.photo.tiles]
        return sorted(same, key=lambda one: one.photo.scene != first.photo.scene)


def grounds_of(photos: list[LabelledPhoto], white: Map) -> list[CutoutGround]:
    """Return a ground for every place of which a photograph shows a table, in the order of their names.

    Places that differ only after a hyphen are one table. Photographs are not read yet.
    """
    places: dict[str, list[GroundSource]] = defaultdict(list)
    for photo in photos:
        widths = [_width(tile.corners_xy_px) for tile in photo.tiles]
        if photo.kind == "table" and widths:
            place, tile_px = photo.place.split("-")[0], float(np.median(widths))
        elif photo.name in _EMPTY and photo.kind == "empty":
            place, tile_px = _EMPTY[photo.name]
        else:
            continue
        bare = _bare(photo, tile_px, 0.1)
        extent = float(np.count_nonzero(bare)) / (0.1 * tile_px) ** 2
        places[place].append(GroundSource(photo, tile_px, extent))
    grounds = []
    for place, found in sorted(places.items()):
        found.sort(key=lambda one: (-one.extent, one.photo.name))
        # Only tiles tell how bright the table is beside them.
        if found[0].extent > 4 and any(one.photo.tiles for one in found):
            grounds.append(CutoutGround(place, tuple(found), white))
    return grounds


def _width(corners: NDArray[np.float32]) -> float:
    return float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2


def _bare(photo: LabelledPhoto, tile_px: float, scale: float) -> NDArray[np.bool_]:
    """Return where no tile and no shadow of one is, shape (H, W) of the photograph times ``scale``."""
    width, height = (max(1, round(side * scale)) for side in photo.size_wh)
    mask = np.zeros((height, width), np.uint8)
    for quad in (*(tile.corners_xy_px for tile in photo.tiles), *photo.ignore_xy_px):
        cv2.fillConvexPoly(mask, np.round(quad * scale).astype(np.int32), 1)
    away = cv2.distanceTransform(1 - mask, cv2.DIST_L2, 5)
    return np.asarray(away > _CLEAR * tile_px * scale)


def _evened(source: GroundSource, white: Map, middle: Map | None) -> tuple[Map, NDArray[np.bool_], Map]:
    """Return a photograph in even light as sRGB 0..1 (H, W, 3), what of it may be used, and its light (small).

    Its white is that of its tiles; ``middle`` (sRGB, shape (3,)), where given, is what its median is set to.
    """
    image = source.photo.image_bgr()[:, :, ::-1].astype(np.float32) / 255
    bare = _bare(source.photo, source.tile_px, 1.0)
    light = to_linear(image)
    body = _white_of(light, source.photo)
    small = tuple(max(8, side // 8) for side in (image.shape[1], image.shape[0]))
    weight = cv2.resize(bare.astype(np.float32), small, interpolation=cv2.INTER_AREA)
    part = cv2.resize(light * bare[..., None], small, interpolation=cv2.INTER_AREA)
    mean = light[bare].mean(axis=0)
    near = source.tile_px * small[0] / image.shape[1]
    slow = _smoothed(part, weight, mean, _SLOW * near)
    tint = _smoothed(part, weight, mean, _SLOW_TINT * near)
    tint /= (tint @ _LUMA)[..., None]
    slow = np.maximum((slow @ _LUMA)[..., None] * tint, 1e-3)
    even = light / cv2.resize(slow, image.shape[1::-1], interpolation=cv2.INTER_LINEAR) * mean
    even = even / _shadows(even / mean, bare, source.tile_px)
    if body is not None:
        even = even / body * white
    rgb = to_srgb(even)
    if middle is not None:
        own = np.median(rgb[bare], axis=0)
        # Neighbouring photographs of one table differ a little; those without tiles may differ much.
        rgb = rgb * (middle / np.maximum(own, 1e-3))
    grey = cv2.GaussianBlur(slow @ _LUMA, (0, 0), 0.15 * max(small))
    return np.asarray(np.clip(rgb, 0, 1), np.float32), bare, np.asarray(grey / grey.mean(), np.float32)


def _smoothed(part: Map, weight: Map, mean: Map, sigma: float) -> Map:
    """Return the average (H, W, 3) of what is known around each pixel, far from all of it the mean."""
    total, share = np.zeros_like(part) + 1e-6 * mean, np.full(weight.shape, 1e-6, np.float32)
    for reach, trust in ((1.0, 1.0), (4.0, 1e-3)):
        total += trust * cv2.GaussianBlur(part, (0, 0), reach * sigma)
        share += np.float32(trust) * cv2.GaussianBlur(weight, (0, 0), reach * sigma)
    return np.asarray(total / share[..., None], np.float32)


def _shadows(even: Map, bare: NDArray[np.bool_], tile_px: float) -> Map:
    """Return what is left of shadows with an edge, about 1 (H, W, 3); 1 on a table whose texture hides them."""
    scale = min(1.0, _SHADOW_PX / tile_px)
    small = (max(8, round(even.shape[1] * scale)), max(8, round(even.shape[0] * scale)))
    known = cv2.resize(bare.astype(np.float32), small, interpolation=cv2.INTER_AREA) > 0.99
    coarse = np.asarray(cv2.resize(even, small, interpolation=cv2.INTER_AREA), np.float32)
    if not known.any() or np.median(np.abs(coarse[known] @ _LUMA - 1)) > _SMOOTH:
        return np.ones((1, 1, 3), np.float32)
    coarse[~known] = 1
    levels = np.clip(coarse * 128 + 0.5, 0, 255).astype(np.uint8)
    # A median keeps the edges of shadows, and leaves out veins and scratches, which are narrow.
    middle = cv2.medianBlur(levels, 2 * round(0.6 * _SHADOW_PX) + 1).astype(np.float32) / 128
    middle = cv2.GaussianBlur(middle, (0, 0), 1.0)
    size = (even.shape[1], even.shape[0])
    return np.asarray(np.clip(cv2.resize(middle, size, interpolation=cv2.INTER_LINEAR), 0.5, 2), np.float32)


def _white_of(light: Map, photo: LabelledPhoto) -> Map | None:
    """Return the light (3,) of the bare body of the photograph's tiles, their median; None without tiles."""
    whites = []
    for tile in photo.tiles:
        mask = np.zeros(light.shape[:2], np.uint8)
        middle = tile.corners_xy_px.mean(axis=0)
        inner = middle + 0.8 * (tile.corners_xy_px - middle)
        cv2.fillConvexPoly(mask, np.round(inner).astype(np.int32), 1)
        if np.count_nonzero(mask) > 50:
            # Ink covers less than a third of a face.
            whites.append(np.percentile(light[mask > 0], 65, axis=0))
    return np.asarray(np.median(whites, axis=0), np.float32) if whites else None


def _heading(rgb: Map, usable: NDArray[np.bool_]) -> float | None:
    """Return which way the grain runs, degrees 0..180 from the x axis towards y; None without a grain."""
    grey = cv2.GaussianBlur(rgb @ _LUMA, (0, 0), 2.0)
    inner = cv2.erode(usable.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    gx, gy = (cv2.Sobel(grey, cv2.CV_32F, *axis)[inner] for axis in ((1, 0), (0, 1)))
    if not gx.size:
        return None
    xx, yy, xy = float((gx * gx).mean()), float((gy * gy).mean()), float((gx * gy).mean())
    directed = np.hypot(xx - yy, 2 * xy) / max(xx + yy, 1e-12)
    across = 0.5 * np.degrees(np.arctan2(2 * xy, xx - yy))
    return float((across + 90) % 180) if directed > _GRAIN else None


def _at_scale(rgb: Map, usable: NDArray[np.bool_], scale: float, turn: float) -> Sample:
    """Return a photograph resized and turned, ``turn`` degrees from the x axis towards y."""
    size = (max(1, round(rgb.shape[1] * scale)), max(1, round(rgb.shape[0] * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small = cv2.resize(rgb, size, interpolation=how)
    held = cv2.resize(usable.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    if abs(turn) > 2:
        matrix = cv2.getRotationMatrix2D(((size[0] - 1) / 2, (size[1] - 1) / 2), -turn, 1.0)
        small = cv2.warpAffine(small, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
        held = cv2.warpAffine(held, matrix, size, flags=cv2.INTER_LINEAR)
    return Sample(np.asarray(np.clip(small, 0, 1), np.float32), np.asarray(held > 0.999))
