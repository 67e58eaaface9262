"""Drawn tiles and tables for films: designs and grounds that training never sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.design import Design, sample_design
from datasets.face import FaceTexture, render_back, render_face
from datasets.games.sprites import Rgb, Rgba
from datasets.grounds import Ground, sample_ground
from datasets.light import to_linear, to_srgb
from referee.tiles import Tile

__all__ = ["DrawnTable", "DrawnTiles", "drawn_table", "drawn_tiles"]

Map = NDArray[Any]  # float32
_FINE = 2
_GROUND_PX = 1400
_ASPECTS = (1.3, 1.41)


@dataclass(frozen=True, slots=True, eq=False)
class DrawnTiles:
    """Tiles of one drawn design; see ``TileLooks``."""

    name: str
    """Names the design."""
    aspect: float
    """Height of a tile over its width."""
    design: Design
    """What they look like."""
    light_xy: tuple[float, float] = (-0.4, -0.6)
    """Direction towards the light along the face, at most 1 long."""
    _kept: dict[tuple[int, int, int], Rgba] = field(default_factory=dict)

    def face(self, tile: Tile, copy: int, width_px: float) -> Rgba:
        """Return the face upright, ``width_px`` wide, lit, with rounded corners."""
        return self._drawn(tile.index, tile, copy, width_px)

    def back(self, width_px: float) -> Rgba:
        """Return the back."""
        return self._drawn(-1, None, 0, width_px)

    def _drawn(self, index: int, tile: Tile | None, copy: int, width_px: float) -> Rgba:
        width = max(8, round(width_px))
        key = (index, copy, width)
        if key not in self._kept:
            tall = min(900, _FINE * round(width * self.aspect))
            rng = np.random.default_rng([self.design.texture_seed, index + 1, copy])
            if tile is None:
                texture = render_back(self.design, tall, rng)
            else:
                texture = render_face(self.design, tile, tall, rng, copy=copy)
            lit = _lit(texture, self.design, self.light_xy)
            small = cv2.resize(lit, (width, round(width * self.aspect)), interpolation=cv2.INTER_AREA)
            cover = np.maximum(small[..., 3:], 1e-3)
            rgb = np.clip(to_srgb(small[..., :3] / cover), 0, 1)
            self._kept[key] = np.round(np.dstack([rgb, small[..., 3:]]) * 255).astype(np.uint8)
        return self._kept[key]


def _lit(texture: FaceTexture, design: Design, light_xy: tuple[float, float]) -> Map:
    """Return linear light times coverage, and coverage (H, W, 4), of a face under a lamp and a bright room."""
    rows, cols = texture.rgb.shape[:2]
    x = np.abs((np.arange(cols, dtype=np.float32) + 0.5) / cols - 0.5)[None]
    y = np.abs((np.arange(rows, dtype=np.float32) + 0.5) / rows - 0.5)[:, None] * np.float32(design.aspect)
    r = np.float32(max(design.corner_radius, 0.03))
    qx, qy = np.broadcast_arrays(x - (0.5 - r), y - (np.float32(design.aspect) / 2 - r))
    ox, oy = np.maximum(qx, 0), np.maximum(qy, 0)
    corner = np.hypot(ox, oy)
    inside = r - corner - np.minimum(np.maximum(qx, qy), 0)
    cover = np.clip(inside * cols + 0.5, 0, 1)
    slope_x, slope_y = np.zeros_like(inside), np.zeros_like(inside)
    bevel = np.float32(max(design.bevel, 0.02))
    fall = np.minimum(1, np.clip((bevel - inside) / bevel, 0, 1) * 2) * np.float32(0.7)
    sx = np.where(np.arange(cols) < cols / 2, np.float32(-1), np.float32(1))[None]
    sy = np.where(np.arange(rows) < rows / 2, np.float32(-1), np.float32(1))[:, None]
    away = np.maximum(corner, 1e-6)
    slope_x = np.where(corner > 0, ox / away, (qx > qy).astype(np.float32)) * sx * fall
    slope_y = np.where(corner > 0, oy / away, (qx <= qy).astype(np.float32)) * sy * fall
    if texture.height is not None:
        slope_x = slope_x - cv2.Sobel(texture.height, cv2.CV_32F, 1, 0, ksize=3, scale=cols / 8)
        slope_y = slope_y - cv2.Sobel(texture.height, cv2.CV_32F, 0, 1, ksize=3, scale=cols / 8)
    steep = np.sqrt(1 + slope_x**2 + slope_y**2)
    lamp = np.clip((slope_x * light_xy[0] + slope_y * light_xy[1] + 1) / steep, 0, 1.8)
    light = np.float32(0.38) + np.float32(0.1) / steep + np.float32(0.4) * lamp
    ramp = np.linspace(-1, 1, rows, dtype=np.float32)[:, None] * np.float32(0.03 * light_xy[1])
    albedo = to_linear(texture.rgb)
    return np.dstack([albedo * (light * (1 + ramp) * cover)[..., None], cover]).astype(np.float32)


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A drawn ground; see ``TableLooks``."""

    name: str
    """Names the ground."""
    surface: Ground
    """What it is."""
    bright: float = 0.9
    """How much light it gets."""

    def ground(self, size_wh: tuple[int, int], tile_px: float, rng: Generator) -> Rgb:
        """Return the bare table as seen from straight above."""
        scale = min(1.0, _GROUND_PX / max(size_wh))
        side = round(max(size_wh) * scale)
        flat = self.surface.make(rng, side, max(6.0, tile_px * scale))
        lit = np.clip(to_srgb(to_linear(flat) * np.float32(self.bright)), 0, 1)
        part = lit[: round(size_wh[1] * scale), : round(size_wh[0] * scale)]
        eight = np.round(part * 255).astype(np.uint8)
        if scale < 1:
            eight = np.asarray(cv2.resize(eight, size_wh, interpolation=cv2.INTER_CUBIC), np.uint8)
        return np.ascontiguousarray(eight)


def drawn_tiles(rng: Generator, split: str = "heldout") -> DrawnTiles:
    """Draw a design; "heldout" holds only what is absent from training.

    Its tiles are about as high as the scripts leave room for.
    """
    design = sample_design(rng, split=split)
    while not _ASPECTS[0] <= design.aspect <= _ASPECTS[1]:
        design = sample_design(rng, split=split)
    angle = rng.uniform(0, 2 * np.pi)
    light = (float(0.6 * np.cos(angle)), float(0.6 * np.sin(angle)))
    return DrawnTiles(f"drawn/{design.texture_seed}", design.aspect, design, light)


def drawn_table(rng: Generator, split: str = "heldout") -> DrawnTable:
    """Draw a ground; "heldout" holds only families absent from training."""
    surface = sample_ground(rng, split, photo_share=0.0)  # few photographs make a plausible table
    return DrawnTable(surface.name, surface, float(rng.uniform(0.75, 1.0)))
