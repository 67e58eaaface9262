"""Lamps, sky, highlights and cast shadows.

Light is linear; a white, level, unshadowed surface receives about 1. Directions are unit vectors (x, y, up)
*towards* the light.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import NEAR, Camera
from datasets.scene import Block, Drum, Limb, Scene, ShadowPlane, Solid

__all__ = ["Lamp", "Light", "kelvin_rgb", "shadow_ratios", "to_linear", "to_srgb"]

Array = NDArray[Any]  # float64
Map = NDArray[Any]  # float32
POINTS = 16  # outline points of a shadow caster


@dataclass(frozen=True, slots=True, eq=False)
class Lamp:
    """A lamp, a window or the sun, far away."""

    samples: Array
    """Shape (S, 3): directions towards parts of it; the more they spread, the softer its shadows."""
    rgb: Array
    """Shape (3,): what it sheds on a surface that faces it."""
    gobo: NDArray[np.uint8] | None = None
    """Shape (N, N): what part of its light passes (255 all); lies on the table."""
    gobo_from_table: Array | None = None
    """Shape (3, 3): maps (x, y, 1) on the table to pixels of ``gobo``."""

    direction: Array = field(init=False)
    """Shape (3,): unit vector towards its middle."""

    def __post_init__(self) -> None:
        """Work out the middle."""
        mean = self.samples.mean(axis=0)
        object.__setattr__(self, "direction", mean / np.linalg.norm(mean))


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """All light in a scene."""

    lamps: tuple[Lamp, ...]
    """The lamps that throw shadows."""
    sky_rgb: Array
    """Shape (3,): diffuse light from above."""
    bounce_rgb: Array
    """Shape (3,): diffuse light from below and from the walls."""
    mirror_rgb: Array
    """Shape (3,): what a polished surface mirrors of the room."""

    def white(self) -> Array:
        """Return the light (3,) on a level, unshadowed surface."""
        total: Array = self.sky_rgb.copy()
        for lamp in self.lamps:
            total = total + lamp.rgb * max(0.0, lamp.direction[2])
        return total

    def on_normal(self, n: Array) -> Array:
        """Return the light (3,) on an unshadowed surface with unit normal ``n`` (3,)."""
        up = 0.5 + 0.5 * float(n[2])
        total: Array = self.sky_rgb * up + self.bounce_rgb * (1 - up)
        for lamp in self.lamps:
            total = total + lamp.rgb * max(0.0, float(n @ lamp.direction))
        return total

    def diffuse(self, normals: Map) -> Map:
        """Return the light (..., 3) on surfaces with unit normals (..., 3)."""
        up = 0.5 + 0.5 * normals[..., 2:3]
        bounce, sky = self.bounce_rgb.astype(np.float32), self.sky_rgb.astype(np.float32)
        total = bounce + up * (sky - bounce)
        for lamp in self.lamps:
            toward = np.maximum(normals @ lamp.direction.astype(np.float32), 0)
            total = total + toward[..., None] * lamp.rgb.astype(np.float32)
        return np.asarray(total, dtype=np.float32)

    def mirrored(self, normals: Map, views: Map, gloss: float) -> Map:
        """Return the highlights (..., 3); ``views`` (..., 3) are unit vectors towards the lens."""
        facing = np.clip(_dot(normals, views), 0, 1)
        fresnel = np.float32(0.04) + np.float32(0.5) * (1 - facing) ** 5
        power = np.float32(10.0 * 60.0**gloss)
        total = (fresnel * np.float32(gloss))[..., None] * self.mirror_rgb.astype(np.float32)
        for lamp in self.lamps:
            half = views + lamp.direction.astype(np.float32)
            aligned = np.clip(_dot(normals, half) / np.sqrt(_dot(half, half)), 0, 1) ** power
            strength = np.minimum(fresnel * np.float32(gloss) * (power + 8) / 8 * aligned, 1.2)
            total = total + strength[..., None] * lamp.rgb.astype(np.float32)
        return np.asarray(total, dtype=np.float32)


def _dot(a: Map, b: Map) -> Map:
    return np.asarray(np.einsum("...k,...k->...", a, b), dtype=np.float32)


def to_linear(rgb: Map) -> Map:
    """Return linear light of sRGB values 0..1 (a plain power: near enough, and fast)."""
    return np.maximum(np.asarray(rgb, dtype=np.float32), 0) ** np.float32(2.2)


def to_srgb(rgb: Map) -> Map:
    """Undo ``to_linear``."""
    return np.maximum(rgb, 0) ** np.float32(1 / 2.2)


def kelvin_rgb(kelvin: float) -> Array:
    """Return the linear RGB (3,) of a black body, mean 1 (fit by Tanner Helland)."""
    t = kelvin / 100.0
    red = 255.0 if t <= 66 else 329.7 * (t - 60) ** -0.1332
    green = 99.47 * np.log(t) - 161.1 if t <= 66 else 288.1 * (t - 60) ** -0.0755
    blue = 255.0 if t >= 66 else (0.0 if t <= 19 else 138.5 * np.log(t - 10) - 305.0)
    rgb = (np.clip([red, green, blue], 8, 255) / 255.0) ** 2.2
    result: Array = rgb / rgb.mean()
    return result


def _ring(centre: Array, radius: float, count: int) -> Array:
    angles = np.arange(count) * (2 * np.pi / count)
    offsets = np.stack([np.cos(angles), np.sin(angles), np.zeros(count)], axis=1)
    result: Array = centre + radius * offsets
    return result


def caster_points(solid: Solid) -> list[Array]:
    """Return the outlines, each (POINTS, 3), whose convex hulls a solid's shadow is made of."""
    if isinstance(solid, Block):
        w, h, t = solid.size
        inset = 0.3 * solid.radius
        f = solid.frame
        spread = [(-w / 2 + inset, -h / 2 + inset), (w / 2 - inset, -h / 2 + inset)]
        spread += [(w / 2 - inset, h / 2 - inset), (-w / 2 + inset, h / 2 - inset)]
        corners = [f.point(a, b, c) for c in (0.0, -t) for a, b in spread]
        return [np.array([*corners, *corners])]
    if isinstance(solid, Drum):
        foot, rim = solid.centre, solid.centre + np.array([0, 0, solid.height])
        return [np.concatenate([_ring(foot, solid.radii[0], 8), _ring(rim, solid.radii[1], 8)])]
    if isinstance(solid, Limb):
        return [np.concatenate([_ring(s[:3], s[6], 8), _ring(s[3:6], s[7], 8)]) for s in solid.segments]
    return []


def _visibility(
    plane: ShadowPlane, outlines: Array, lamp: Lamp, cam: Camera, scale: int, blur_px: float
) -> NDArray[Any]:
    """Return (h, w) how much of the lamp each pixel of the plane sees, 255 all of it."""
    w, h = (cam.size_wh[0] + scale - 1) // scale, (cam.size_wh[1] + scale - 1) // scale
    shade: NDArray[Any] = np.zeros((h, w), np.uint8)
    if lamp.gobo is not None and lamp.gobo_from_table is not None:
        view = np.diag([1 / scale, 1 / scale, 1.0]) @ cam.ground_homography(float(plane.origin[2]))
        lit = cv2.warpPerspective(
            lamp.gobo, view @ np.linalg.inv(lamp.gobo_from_table), (w, h), borderMode=cv2.BORDER_REPLICATE
        )
        shade = cv2.bitwise_not(lit)
    if len(outlines) == 0:
        return cv2.bitwise_not(shade)
    above = (outlines - plane.origin) @ plane.normal
    above = np.maximum(above, 0)
    cast: NDArray[Any] = np.zeros((h, w), np.uint8)
    mask = np.empty((h, w), np.uint8)
    samples = lamp.samples[lamp.samples @ plane.normal > 0.05]
    for direction in samples:
        reach = above / float(direction @ plane.normal)
        ground = outlines - reach[..., None] * direction
        pixels, depth = cam.project(ground)
        good = (depth > NEAR).all(axis=1) & (np.abs(pixels) < 1e4 * scale).all(axis=(1, 2))
        fixed = np.round(pixels[good] / scale * 16).astype(np.int32)
        mask[:] = 0
        for outline in fixed:
            cv2.fillConvexPoly(mask, cv2.convexHull(outline), 255 // len(samples), cv2.LINE_8, 4)
        cv2.add(cast, mask, cast)
    cast = cv2.GaussianBlur(cast, (0, 0), float(np.clip(blur_px / scale, 0.8, 12.0)))
    return cv2.bitwise_not(cv2.max(shade, cast))


def shadow_ratios(scene: Scene, cam: Camera, light: Light, tile_px: float) -> list[Map | None]:
    """Return for each shadow plane the share (H, W, 3) of its light that arrives; None where all does."""
    casters = [(isinstance(s, Block), p) for s in scene.solids if s.casts for p in caster_points(s)]
    of_block = np.array([block for block, _ in casters], dtype=bool)
    outlines = np.array([p for _, p in casters]).reshape(-1, POINTS, 3)
    w, h = cam.size_wh
    scale = 2 if tile_px > 24 else 1
    ratios: list[Map | None] = []
    for plane in scene.planes:
        above = (outlines - plane.origin) @ plane.normal
        keep = above.max(axis=1) > 0.03 if len(outlines) else np.zeros(0, bool)
        if not plane.of_blocks and len(outlines):
            keep &= ~of_block
        if not keep.any() and all(lamp.gobo is None for lamp in light.lamps):
            ratios.append(None)
            continue
        dark = light.sky_rgb * (0.5 + 0.5 * plane.normal[2]) + light.bounce_rgb * (0.5 - 0.5 * plane.normal[2])
        full = light.on_normal(plane.normal)
        total: Map = np.empty(((h + scale - 1) // scale, (w + scale - 1) // scale, 3), np.float32)
        total[:] = dark / full
        for lamp in light.lamps:
            share = lamp.rgb * max(0.0, float(plane.normal @ lamp.direction)) / full
            if share.max() < 0.01:
                continue
            spread = float(np.linalg.norm(lamp.samples - lamp.direction, axis=1).mean())
            blur = 0.25 * tile_px * spread * 3 / max(len(lamp.samples), 1) ** 0.5 + 0.012 * tile_px
            seen = _visibility(plane, outlines[keep], lamp, cam, scale, blur)
            total += seen[..., None] * (share / 255).astype(np.float32)
        if scale > 1:
            total = cv2.resize(total, (w, h), interpolation=cv2.INTER_LINEAR)
        ratios.append(np.minimum(total, 1))
    return ratios
