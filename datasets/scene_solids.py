"""Paints round things: limbs, drums, cords; and picks the painter for any solid."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import NEAR
from datasets.light import to_linear
from datasets.scene import Block, Cord, Drum, Limb, Solid
from datasets.scene_paint import COVERED, Canvas, blend, outline_mask, paint_block, roi_of

__all__ = ["paint_solid"]

Array = NDArray[Any]  # float64
Map = NDArray[Any]  # float32


def paint_solid(canvas: Canvas, solid: Solid) -> None:
    """Paint any solid over the canvas."""
    if isinstance(solid, Block):
        paint_block(canvas, solid)
    elif isinstance(solid, Limb):
        _paint_limb(canvas, solid)
    elif isinstance(solid, Drum):
        _paint_drum(canvas, solid)
    elif isinstance(solid, Cord):
        _paint_cord(canvas, solid)
    else:
        raise TypeError(f"no painter for {type(solid).__name__}")


def _tone(rgb: tuple[float, float, float]) -> Array:
    return to_linear(np.asarray(rgb, np.float32)).astype(np.float64)


def _paint_limb(canvas: Canvas, limb: Limb) -> None:
    """Paint round segments as one smooth body, from a relief towards the lens."""
    cam = canvas.camera
    ends, depth = cam.project(limb.segments[:, :6].reshape(-1, 2, 3))
    keep = (depth > max(NEAR, 1.0)).all(axis=1)
    if not keep.any():
        return
    ends, depth = ends[keep], depth[keep]
    radii = limb.segments[keep, 6:8] * cam.focal_px / depth
    colours = to_linear(limb.colours[keep])
    reach = np.concatenate([ends - radii[..., None], ends + radii[..., None]]).reshape(-1, 2)
    box = roi_of(reach, cam.size_wh)
    if box is None:
        return
    x1, y1, x2, y2 = box
    scale = 2 if (x2 - x1) * (y2 - y1) > 60_000 else 1
    w, h = (x2 - x1 + scale - 1) // scale, (y2 - y1 + scale - 1) // scale
    base = depth.mean()
    relief = np.full((h, w), -1e6, np.float32)
    edge: Map = np.full((h, w), -1e3, np.float32)
    colour: Map = np.zeros((h, w, 3), np.float32)
    for k in range(len(ends)):
        part = roi_of(
            np.concatenate([ends[k] - radii[k][:, None], ends[k] + radii[k][:, None]]), cam.size_wh, 2 * scale
        )
        if part is None:
            continue
        px1, py1 = (part[0] - x1) // scale, (part[1] - y1) // scale
        px2, py2 = min((part[2] - x1) // scale + 1, w), min((part[3] - y1) // scale + 1, h)
        px1, py1 = max(px1, 0), max(py1, 0)
        if px2 <= px1 or py2 <= py1:
            continue
        xs = (np.arange(px1, px2, dtype=np.float32) * scale + x1)[None]
        ys = (np.arange(py1, py2, dtype=np.float32) * scale + y1)[:, None]
        a, b = ends[k].astype(np.float32)
        way = b - a
        length2 = max(float(way @ way), 1e-6)
        along = np.clip(((xs - a[0]) * way[0] + (ys - a[1]) * way[1]) / length2, 0, 1)
        dx, dy = xs - (a[0] + along * way[0]), ys - (a[1] + along * way[1])
        r0, r1 = (np.float32(v) for v in radii[k])
        r = r0 + along * (r1 - r0)
        inside = r - np.sqrt(dx * dx + dy * dy)
        near = np.float32((base - depth[k, 0]) * cam.focal_px / base)
        far = np.float32((base - depth[k, 1]) * cam.focal_px / base)
        bulge = np.sqrt(np.maximum(r * r - dx * dx - dy * dy, 0)) + near + along * (far - near)
        here = relief[py1:py2, px1:px2]
        over = (inside > -1) & (bulge > here)
        here[over] = bulge[over]
        np.maximum(edge[py1:py2, px1:px2], inside, out=edge[py1:py2, px1:px2])
        c0, c1 = colours[k].astype(np.float32)
        colour[py1:py2, px1:px2][over] = (c0 + along[..., None] * (c1 - c0))[over]
    covered = edge > -1
    if not covered.any():
        return
    floor = float(relief[covered].min())
    smooth: Map = cv2.GaussianBlur(
        np.maximum(relief, floor), (0, 0), float(np.clip(0.1 * radii.mean() / scale, 0.6, 5))
    )
    colour = (
        cv2.GaussianBlur(colour, (0, 0), 1.0)
        / np.maximum(cv2.GaussianBlur(covered.astype(np.float32), (0, 0), 1.0), 1e-3)[..., None]
    )
    if limb.grain > 0:
        grain = np.random.default_rng(len(limb.segments) * 7919 + w).standard_normal((h, w), dtype=np.float32)
        smooth += cv2.GaussianBlur(grain, (0, 0), 1.2) * np.float32(limb.grain * radii.mean() * 0.08)
    nx = -cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=0.125 / scale)
    ny = -cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=0.125 / scale)
    steep = np.minimum(1, 2.5 / np.maximum(np.sqrt(nx * nx + ny * ny), 1e-3))  # silhouettes never go black
    local = np.stack([nx * steep, ny * steep, -np.ones_like(nx)], axis=-1)
    local /= np.sqrt((local * local).sum(-1, keepdims=True))
    normals = (local @ cam.rotation.astype(np.float32)) * np.array([1, 1, -1], np.float32)
    lit: Map = colour * canvas.lamps.diffuse(normals)
    view = cam.position - limb.middle()
    views = np.broadcast_to((view / np.linalg.norm(view)).astype(np.float32), normals.shape)
    if limb.gloss > 0:
        lit += canvas.lamps.mirrored(normals, views, limb.gloss)
    if scale > 1:
        lit = cv2.resize(lit, (w * scale, h * scale), interpolation=cv2.INTER_LINEAR)
        edge = cv2.resize(edge, (w * scale, h * scale), interpolation=cv2.INTER_LINEAR)
    size = (slice(0, y2 - y1), slice(0, x2 - x1))
    blend(canvas, box, lit[size], np.clip(edge[size] + 0.5, 0, 1), COVERED)


def _ring(centre: Array, radius: float, count: int = 40) -> Array:
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    ring: Array = centre + radius * np.stack([np.cos(angles), np.sin(angles), np.zeros(count)], axis=1)
    return ring


def _paint_drum(canvas: Canvas, drum: Drum) -> None:
    """Paint an upright round thing: side, then rings seen from above."""
    cam = canvas.camera
    foot, rim = drum.centre, drum.centre + np.array([0, 0, drum.height])
    low, low_depth = cam.project(_ring(foot, drum.radii[0]))
    top, top_depth = cam.project(_ring(rim, drum.radii[1]))
    if min(low_depth.min(), top_depth.min()) < NEAR or max(np.abs(low).max(), np.abs(top).max()) > 2e4:
        return
    if drum.handle is not None:
        _paint_handle(canvas, drum)
    hull = cv2.convexHull(np.concatenate([low, top]).astype(np.float32))[:, 0].astype(np.float64)
    box = roi_of(hull, cam.size_wh)
    if box is None:
        return
    x1, y1, x2, y2 = box
    # Across the picture from one flank to the other the side turns its normal from left to right.
    axis = cam.project(np.stack([foot, rim]))[0]
    upward = axis[1] - axis[0]
    upward = (
        upward / max(float(np.linalg.norm(upward)), 1e-6)
        if np.linalg.norm(upward) > 1
        else np.array([0.0, -1.0])
    )
    right = np.array([-upward[1], upward[0]])
    middle = (axis[0] + axis[1]) / 2
    half = max(float(np.abs((hull - middle) @ right).max()), 1.0)
    xs, ys = np.arange(x1, x2, dtype=np.float32)[None], np.arange(y1, y2, dtype=np.float32)[:, None]
    across = np.clip(((xs - middle[0]) * right[0] + (ys - middle[1]) * right[1]) / half, -0.999, 0.999)
    towards = cam.position - drum.centre
    towards = towards * [1, 1, 0]
    towards = towards / max(float(np.linalg.norm(towards)), 1e-6)
    local_right = (np.array([right[0], right[1], 0.0]) @ cam.rotation) * [1, 1, -1]
    local_right = local_right * [1, 1, 0]
    local_right = local_right / max(float(np.linalg.norm(local_right)), 1e-6)
    turn = across[..., None].astype(np.float32)
    normals = turn * local_right.astype(np.float32) + np.sqrt(1 - turn**2) * towards.astype(np.float32)
    lit = _tone(drum.side_rgb).astype(np.float32) * canvas.lamps.diffuse(normals)
    views = np.broadcast_to(towards.astype(np.float32), normals.shape)
    lit += canvas.lamps.mirrored(normals, views, drum.gloss)
    blend(canvas, box, lit, outline_mask(hull, box) * np.float32(drum.opacity), COVERED, 0.45)
    up = np.array([0.0, 0.0, 1.0])
    glow = canvas.lamps.on_normal(up)
    for share, rgb in drum.rings:
        ring, _ = cam.project(_ring(rim, drum.radii[1] * share))
        part = roi_of(ring, cam.size_wh)
        if part is None:
            continue
        layer = np.empty((part[3] - part[1], part[2] - part[0], 3), np.float32)
        layer[:] = _tone(rgb) * glow
        if share < 0.97:  # inside, the wall on the lamp's side is in its own shadow
            ramp = np.linspace(-1, 1, layer.shape[1], dtype=np.float32)
            layer *= (1 - 0.25 * ramp * np.sign(canvas.lamps.lamps[0].direction[0]))[None, :, None]
        blend(canvas, part, layer, outline_mask(ring, part) * np.float32(drum.opacity), COVERED, 0.45)


def _paint_handle(canvas: Canvas, drum: Drum) -> None:
    angle = float(drum.handle or 0.0)
    way = np.array([np.cos(angle), np.sin(angle), 0.0])
    bow = np.linspace(-np.pi / 2, np.pi / 2, 9)
    reach = drum.radii[1] * 0.95 + 0.75 * drum.radii[1] * np.cos(bow)
    points = drum.centre + reach[:, None] * way
    points[:, 2] = drum.height * (0.55 + 0.33 * np.sin(bow))
    segments = np.concatenate([points[:-1], points[1:], np.full((8, 2), 0.12 * drum.radii[1])], axis=1)
    colours = np.broadcast_to(np.asarray(drum.side_rgb, np.float32), (8, 2, 3))
    _paint_limb(canvas, Limb(segments, colours, gloss=drum.gloss))


def _paint_cord(canvas: Canvas, cord: Cord) -> None:
    """Paint a cable as a bent tube."""
    step = max(1, len(cord.points) // 40)
    points = cord.points[::step]
    count = len(points) - 1
    segments = np.concatenate([points[:-1], points[1:], np.full((count, 2), cord.radius)], axis=1)
    colours = np.broadcast_to(np.asarray(cord.rgb, np.float32), (count, 2, 3))
    _paint_limb(canvas, Limb(segments, colours, gloss=0.4))
