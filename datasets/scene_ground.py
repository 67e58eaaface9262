"""Paints what tiles lie on and what lies beyond: the table, the floor, the room."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.camera import Camera
from datasets.grounds import Ground
from datasets.layouts import NO_PLANE
from datasets.light import Light, to_linear
from datasets.scene import Block, Drum, Frame, Scene
from datasets.scene_paint import Canvas, paint_block

__all__ = ["paint_contact", "paint_ground", "paint_reflections", "paint_room"]

Array = NDArray[Any]  # float64
Map = NDArray[Any]  # float32


def _texture_on(
    cam: Camera, texture: Map, texel: float, up: float, angle: float, offset: Array, shrink: int = 1
) -> Map:
    """Return the plane at height ``up`` as the camera sees it (H, W, 3); nonsense above its horizon."""
    w, h = cam.size_wh[0] // shrink, cam.size_wh[1] // shrink
    c, s = np.cos(angle), np.sin(angle)
    middle = texture.shape[0] / 2
    on_table = np.array([[c, -s, offset[0]], [s, c, offset[1]], [0, 0, 1]]) @ np.diag(
        [1 / texel, 1 / texel, 1.0]
    )
    on_table = on_table @ np.array([[1, 0, -middle], [0, 1, -middle], [0, 0, 1.0]])
    warp = np.diag([1 / shrink, 1 / shrink, 1.0]) @ cam.ground_homography(up) @ on_table
    border = cv2.BORDER_REFLECT
    if cam.sees_horizon():
        # OpenCV reflects step by step, which takes ages near the horizon; it wraps at once.
        texture = np.concatenate([texture, texture[::-1]])
        texture, border = np.concatenate([texture, texture[:, ::-1]], axis=1), cv2.BORDER_WRAP
    seen = cv2.warpPerspective(texture, warp, (w, h), flags=cv2.INTER_LINEAR, borderMode=border)
    # At the horizon itself OpenCV reads from where no texture is: values of any size, or none.
    return np.clip(np.nan_to_num(np.asarray(seen, dtype=np.float32), copy=False), 0, 1)


def paint_room(cam: Camera, rng: Generator, texture: Map) -> Map:
    """Return floor and walls (H, W, 3), linear and out of focus."""
    shrink = 4
    floor = _texture_on(cam, texture, 12.0, -rng.uniform(20, 32), rng.uniform(0, 6), np.zeros(2), shrink)
    h, w = floor.shape[:2]
    sinking = cv2.resize(cam.rays(shrink)[..., 2], (w, h), interpolation=cv2.INTER_LINEAR)
    wall = np.empty((h, w, 3), np.float32)
    wall[:] = rng.uniform(0.08, 0.7) * (1 + rng.normal(0, 0.06, 3))
    for _ in range(int(rng.integers(2, 9))):
        x, y = int(rng.integers(-w // 4, w)), int(rng.integers(-h // 4, h))
        span = (int(rng.integers(w // 12, w // 2)), int(rng.integers(h // 12, h)))
        tone = rng.uniform(0.02, 1.0) * (0.75 + rng.uniform(-0.25, 0.25, 3))
        cv2.rectangle(wall, (x, y), (x + span[0], y + span[1]), tone.tolist(), -1)
    lit = to_linear(floor) * np.float32(rng.uniform(0.25, 0.9))
    room = np.where((sinking < -0.02)[..., None], lit, wall)
    room = cv2.GaussianBlur(room, (0, 0), rng.uniform(0.6, 3.0))
    return np.asarray(cv2.resize(room, cam.size_wh, interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def _table_cover(cam: Camera, table: tuple[float, float, float, float, float]) -> Map | None:
    """Return the table's coverage (H, W), or None where it fills the picture.

    ``table`` is (x, y, half width, half depth, corner radius).
    """
    w, h = cam.size_wh
    x, y, half_w, half_d, radius = table

    def inside(rays: Map) -> tuple[Map, Map]:
        down = np.minimum(rays[..., 2], -1e-4)
        reach = -cam.position[2] / down
        qx = np.abs(cam.position[0] + rays[..., 0] * reach - x) - (half_w - radius)
        qy = np.abs(cam.position[1] + rays[..., 1] * reach - y) - (half_d - radius)
        gap = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0) - radius
        return np.where(rays[..., 2] < -1e-4, -gap, -1e3), reach

    rays = cam.rays(2)
    edge = np.concatenate([rays[0], rays[-1], rays[:, 0], rays[:, -1]])
    if inside(edge)[0].min() > 0.1:
        return None
    depth, reach = inside(rays)
    # From tile widths to about pixels, shortened by the slant of the view.
    pixels = depth * cam.focal_px / np.maximum(reach, 1e-3) * np.clip(-rays[..., 2], 0.15, 1)
    cover = np.clip(pixels + 0.5, -8, 8).astype(np.float32)
    return np.clip(cv2.resize(cover, (w, h), interpolation=cv2.INTER_LINEAR), 0, 1)


def paint_ground(
    cam: Camera,
    light: Light,
    ratio: Map | None,
    rng: Generator,
    ground: Ground,
    tile_px: float,
    room: Map,
    table: tuple[float, float, float, float, float],
) -> tuple[Map, Map | None]:
    """Return the bare table under its light (H, W, 3), linear, and its coverage of the picture or None."""
    size = 640 if max(cam.size_wh) <= 1000 else 896
    texel = float(np.clip(tile_px * rng.uniform(0.7, 1.3), 12, 220))
    texture = ground.make(rng, size, texel)
    seen = _texture_on(cam, texture, texel, 0.0, rng.uniform(0, 2 * np.pi), rng.uniform(-3, 3, 2))
    lit = to_linear(seen) * light.white().astype(np.float32)
    if ratio is not None:
        lit *= ratio
    gloss = float(rng.uniform(*ground.gloss))
    if gloss > 0.02:
        step = 8
        views = -cam.rays(step).astype(np.float32)
        normals = np.zeros_like(views)
        normals[..., 2] = 1
        shine = light.mirrored(normals, views, gloss * 0.8)
        big = cv2.resize(shine, (shine.shape[1] * step, shine.shape[0] * step), interpolation=cv2.INTER_LINEAR)
        lit += big[: lit.shape[0], : lit.shape[1]]
    cover = _table_cover(cam, table)
    if cover is None:
        return lit, None
    floor = room if room.shape == lit.shape else np.zeros_like(lit)
    lit -= floor
    lit *= cover[..., None]
    lit += floor
    return lit, cover


def paint_reflections(canvas: Canvas, scene: Scene, opacity: float, blur_px: float) -> None:
    """Mirror what stands on a polished table in it, ``opacity`` strong."""
    cam = canvas.camera
    down = np.array([1.0, 1.0, -1.0])
    bare = canvas.light.copy()
    owners = canvas.owners.copy()
    blocks = [s for s in scene.solids if isinstance(s, Block) and s.size[2] > 0.03]
    for block in sorted(blocks, key=lambda b: -float(np.linalg.norm(b.frame.origin - cam.position))):
        f = block.frame
        mirrored = Frame(f.origin * down, f.u * down, f.v * down, f.n * down)
        paint_block(canvas, replace(block, frame=mirrored, opacity=opacity, label=None, plane=NO_PLANE))
    extra = canvas.light - bare
    bare += cv2.GaussianBlur(extra, (0, 0), max(blur_px, 0.5))
    canvas.light = bare
    canvas.owners = owners


def paint_contact(canvas: Canvas, scene: Scene, tile_px: float) -> None:
    """Darken the table closely around what stands on it, as light cannot reach there."""
    w, h = canvas.camera.size_wh
    scale = 2 if tile_px > 24 else 1
    mask = np.zeros((h // scale, w // scale), np.uint8)
    drawn = False
    for solid in scene.solids:
        if isinstance(solid, Block):
            bw, bh, t = solid.size
            f = solid.frame
            spots = ((-1, -1), (1, -1), (1, 1), (-1, 1))
            foot = np.array([f.point(sx * bw / 2, sy * bh / 2, -t) for sx, sy in spots])
            if foot[:, 2].max() > 0.5 or t < 0.03:
                continue
        elif isinstance(solid, Drum):
            angles = np.linspace(0, 2 * np.pi, 20, endpoint=False)
            ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(20)], axis=1)
            foot = solid.centre + solid.radii[0] * ring
        else:
            continue
        pixels, depth = canvas.camera.project(foot)
        if depth.min() < 0.3 or np.abs(pixels).max() > 2e4:
            continue
        fixed = np.round(((pixels + 0.5) / scale - 0.5) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, fixed, 255, cv2.LINE_8, 4)
        drawn = True
    if not drawn:
        return
    near = cv2.GaussianBlur(mask, (0, 0), float(np.clip(0.07 * tile_px / scale, 0.6, 12)))
    wide = cv2.GaussianBlur(mask, (0, 0), float(np.clip(0.25 * tile_px / scale, 0.8, 24)))
    dark = cv2.addWeighted(near, 0.5, wide, 0.22, 0)
    keep = (255 - cv2.resize(dark, (w, h), interpolation=cv2.INTER_LINEAR)).astype(np.float32) / 255
    canvas.light *= keep[..., None]
