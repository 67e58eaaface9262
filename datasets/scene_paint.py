"""Paints blocks: the tiles, and everything else with flat faces.

The canvas is linear light, float32 (H, W, 3). ``owners`` (H, W) int16 tells who is seen at a pixel: a tile's
label where its face shows, ``COVERED`` where anything else stands, ``BARE`` for the ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import NEAR, Camera, resize_area
from datasets.light import Light, to_linear
from datasets.scene import Block, Frame

__all__ = ["BARE", "COVERED", "Canvas", "blend", "outline_mask", "paint_block", "roi_of"]

BARE, COVERED = -1, -2
Array = NDArray[Any]  # float64
Map = NDArray[Any]  # float32
Box = tuple[int, int, int, int]


@dataclass(slots=True, eq=False)
class Canvas:
    """A picture in the making."""

    light: Map
    """Shape (H, W, 3): linear light."""
    owners: NDArray[np.int16]
    """Shape (H, W): whose surface is seen."""
    camera: Camera
    """The camera."""
    lamps: Light
    """The light."""
    ratios: list[Map | None]
    """Shadows of each shadow plane, see ``datasets.light.shadow_ratios``."""


def roi_of(pixels: Array, size_wh: tuple[int, int], margin: int = 2) -> Box | None:
    """Return x1, y1, x2, y2 (exclusive) around ``pixels`` (N, 2) within the picture, or None if outside."""
    low = np.floor(pixels.min(axis=0)).astype(int) - margin
    high = np.ceil(pixels.max(axis=0)).astype(int) + margin + 1
    x1, y1 = max(int(low[0]), 0), max(int(low[1]), 0)
    x2, y2 = min(int(high[0]), size_wh[0]), min(int(high[1]), size_wh[1])
    return (x1, y1, x2, y2) if x2 > x1 and y2 > y1 else None


def outline_mask(polygon: Array, box: Box) -> Map:
    """Return the smooth coverage (h, w) of a convex polygon (N, 2) in ``box``."""
    x1, y1, x2, y2 = box
    w, h = x2 - x1, y2 - y1
    fine = 4 if w * h < 40_000 else 2
    local = (polygon - [x1, y1] + 0.5) * fine - 0.5
    mask = np.zeros((h * fine, w * fine), np.uint8)
    cv2.fillConvexPoly(mask, np.round(local * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    small = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) * np.float32(1 / 255)


def blend(canvas: Canvas, box: Box, colour: Map, alpha: Map, owner: int, solid_from: float = 0.5) -> None:
    """Lay ``colour`` (h, w, 3), not premultiplied, over the canvas, and note the owner."""
    x1, y1, x2, y2 = box
    view = canvas.light[y1:y2, x1:x2]
    view += (colour - view) * alpha[..., None]
    canvas.owners[y1:y2, x1:x2][alpha > solid_from] = owner


def rounded_outline(w: float, h: float, radius: float, per_corner: int) -> tuple[Array, Array]:
    """Return points (N, 2) of a rounded rectangle, clockwise from the upper left, and outward normals."""
    r = max(min(radius, 0.49 * min(w, h)), 1e-4)
    angles = np.linspace(0, np.pi / 2, per_corner)
    points, normals = [], []
    corners = [(-1, -1, np.pi), (1, -1, 1.5 * np.pi), (1, 1, 0.0), (-1, 1, 0.5 * np.pi)]
    for sx, sy, start in corners:
        direction = np.stack([np.cos(start + angles), np.sin(start + angles)], axis=1)
        points.append(np.array([sx * (w / 2 - r), sy * (h / 2 - r)]) + r * direction)
        normals.append(direction)
    return np.concatenate(points), np.concatenate(normals)


def _face_normals(size: tuple[int, int], block: Block, relief: Map | None) -> tuple[Map, Map]:
    """Return normals (H, W, 3) in the face's own axes, and the coverage (H, W) of the rounded face."""
    cols, rows = size
    w, h, _ = block.size
    xs = np.abs((np.arange(cols, dtype=np.float32) + 0.5) / cols - 0.5) * np.float32(w)
    ys = np.abs((np.arange(rows, dtype=np.float32) + 0.5) / rows - 0.5) * np.float32(h)
    r = np.float32(max(block.radius, 1e-3))
    qx = np.broadcast_to((xs - (w / 2 - r))[None], (rows, cols))
    qy = np.broadcast_to((ys - (h / 2 - r))[:, None], (rows, cols))
    ox, oy = np.maximum(qx, 0), np.maximum(qy, 0)
    corner = np.sqrt(ox * ox + oy * oy)
    inside = r - corner - np.minimum(np.maximum(qx, qy), 0)
    texel = np.float32(w / cols)
    coverage = np.clip(inside / texel + 0.5, 0, 1)
    normals = np.zeros((rows, cols, 3), np.float32)
    normals[..., 2] = 1
    if block.bevel > 0:
        fall = np.clip((block.bevel - inside) / block.bevel, 0, 1)
        fall = np.minimum(1, fall * 2.5) * np.float32(block.bevel_slope)  # a chamfer with a soft upper edge
        sx = np.where(np.arange(cols) < cols / 2, np.float32(-1), np.float32(1))[None]
        sy = np.where(np.arange(rows) < rows / 2, np.float32(-1), np.float32(1))[:, None]
        in_corner = corner > 0
        away = np.maximum(corner, 1e-6)
        gx = np.where(in_corner, ox / away, (qx > qy).astype(np.float32)) * sx
        gy = np.where(in_corner, oy / away, (qx <= qy).astype(np.float32)) * sy
        normals[..., 0] = gx * fall
        normals[..., 1] = gy * fall
    if relief is not None:
        normals[..., 0] -= cv2.Sobel(relief, cv2.CV_32F, 1, 0, ksize=3, scale=float(1 / (8 * texel)))
        normals[..., 1] -= cv2.Sobel(relief, cv2.CV_32F, 0, 1, ksize=3, scale=float(1 / (8 * texel)))
    normals /= np.sqrt(np.einsum("...k,...k->...", normals, normals))[..., None]
    return normals, coverage


def face_corners(block: Block) -> Array:
    """Return the face's corners (4, 3), clockwise from its own upper left, corner rounding ignored."""
    w, h, _ = block.size
    spots = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([block.frame.point(sx * w / 2, sy * h / 2) for sx, sy in spots])


def _shaded_face(block: Block, canvas: Canvas, quad: Array, corners: Array) -> Map:
    """Return the lit face (H, W, 4): colour times coverage, and coverage; matched to its projected size."""
    edges = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    seen_w, seen_h = max(edges[0], edges[2]), max(edges[1], edges[3])
    w, h, _ = block.size
    fine = 1.15 if block.label is not None or w * h < 6 else 0.7  # large plain things need no more
    full = int(np.clip(fine * max(seen_h, seen_w * h / w), 20, 720))
    skin = block.skin(full)
    rows = int(np.clip(round(fine * seen_h), 3, skin.rgb.shape[0] * 2))
    cols = int(np.clip(round(fine * seen_w), 3, skin.rgb.shape[1] * 2))
    # Light it at least as finely as the bevel needs; shrink with its light to what is seen.
    lit_cols, lit_rows = max(cols, min(24, skin.rgb.shape[1])), max(rows, min(24, skin.rgb.shape[0]))
    albedo = to_linear(resize_area(np.ascontiguousarray(skin.rgb), (lit_cols, lit_rows)))
    relief = None if skin.relief is None else resize_area(skin.relief, (lit_cols, lit_rows))
    normals, coverage = _face_normals((lit_cols, lit_rows), block, relief)
    axes = np.stack([block.frame.u, block.frame.v, block.frame.n]).astype(np.float32)
    normals = normals @ axes
    towards = canvas.camera.position - corners
    towards = (towards / np.linalg.norm(towards, axis=1, keepdims=True)).astype(np.float32)
    along = np.linspace(0, 1, lit_cols, dtype=np.float32)[None, :, None]
    down = np.linspace(0, 1, lit_rows, dtype=np.float32)[:, None, None]
    top = towards[0] + along * (towards[1] - towards[0])
    views = top + down * (towards[3] + along * (towards[2] - towards[3]) - top)
    lit = albedo * canvas.lamps.diffuse(normals)
    if block.gloss > 0:
        lit += canvas.lamps.mirrored(normals, views, block.gloss)
    if skin.alpha is not None:
        coverage = coverage * resize_area(skin.alpha, (lit_cols, lit_rows))
    face = np.dstack([lit * coverage[..., None], coverage]).astype(np.float32)
    return face if (lit_cols, lit_rows) == (cols, rows) else resize_area(face, (cols, rows))


def _side_colours(block: Block, canvas: Canvas, box: Box, top: Array, low: Array, outline: Array) -> Map:
    """Return the sides' colour (h, w, 3) in ``box``; ``top`` and ``low`` are the projected rims (N, 2)."""
    x1, y1, x2, y2 = box
    points, normals = outline[:, :2], outline[:, 2:]
    frame = block.frame
    albedo = to_linear(np.array(block.side_rgb, np.float32)).astype(np.float64)
    layer = np.empty((y2 - y1, x2 - x1, 3), np.float32)
    layer[:] = albedo * canvas.lamps.on_normal(frame.n) * 0.9
    if np.linalg.norm(top - low, axis=1).max() < 0.8:
        return layer
    shift = np.array([x1, y1])
    bands = (0.0, 0.5, 1.0) if np.linalg.norm(top - low, axis=1).max() > 6 else (0.0, 1.0)
    count = len(points)
    for k in range(count):
        following = (k + 1) % count
        n2 = normals[k] + normals[following]
        n3 = n2[0] * frame.u + n2[1] * frame.v
        n3 = n3 / max(np.linalg.norm(n3), 1e-9)
        if float(n3 @ (canvas.camera.position - frame.point(*points[k]))) <= 0:
            continue
        glow = albedo * canvas.lamps.on_normal(n3)
        for lo, hi in pairwise(bands):
            quad = np.array(
                [
                    top[k] + lo * (low[k] - top[k]),
                    top[following] + lo * (low[following] - top[following]),
                    top[following] + hi * (low[following] - top[following]),
                    top[k] + hi * (low[k] - top[k]),
                ]
            )
            colour = glow * (1.0 - 0.3 * (lo + hi) / 2)  # the foot of a side sees less of the room
            cv2.fillConvexPoly(
                layer, np.round((quad - shift) * 16).astype(np.int32), tuple(map(float, colour)), cv2.LINE_8, 4
            )
    return layer


def paint_block(canvas: Canvas, block: Block) -> bool:
    """Paint one block; return whether its face is turned to the lens and in front of it."""
    cam, frame = canvas.camera, block.frame
    w, h, t = block.size
    corners = face_corners(block)
    quad, depth = cam.project(corners)
    if depth.min() < NEAR:
        return False
    seen_px = float(np.abs(quad - np.roll(quad, 1, axis=0)).max())
    per_corner = 3 if seen_px < 40 else 5 if block.radius < 0.25 else 9
    points, normals = rounded_outline(w, h, block.radius, per_corner)
    rim = frame.origin + points[:, :1] * frame.u + points[:, 1:] * frame.v
    top, _ = cam.project(rim)
    low, low_depth = cam.project(rim - t * frame.n)
    if low_depth.min() < NEAR:
        return False
    both = np.concatenate([top, low]).astype(np.float32)
    hull = cv2.convexHull(both)[:, 0].astype(np.float64)
    box = roi_of(hull, cam.size_wh)
    faces_lens = float(frame.n @ (cam.position - frame.origin)) > 0.01
    if box is None:
        return faces_lens
    x1, y1, x2, y2 = box
    layer = _side_colours(block, canvas, box, top, low, np.concatenate([points, normals], axis=1))
    body = outline_mask(hull, box) * np.float32(block.opacity)
    if t > 0.02:
        ratio = canvas.ratios[0] if canvas.ratios else None
        if ratio is not None:
            layer *= 0.5 + 0.5 * ratio[y1:y2, x1:x2]
        blend(canvas, box, layer, body, COVERED)
    if not faces_lens:
        return False
    face = _shaded_face(block, canvas, quad, corners)
    rows, cols = face.shape[:2]
    face = cv2.copyMakeBorder(face, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
    source = np.array([[0.5, 0.5], [cols + 0.5, 0.5], [cols + 0.5, rows + 0.5], [0.5, rows + 0.5]], np.float32)
    target = (quad - [x1, y1]).astype(np.float32)
    warp = cv2.getPerspectiveTransform(source, target)
    warped = cv2.warpPerspective(face, warp, (x2 - x1, y2 - y1), flags=cv2.INTER_LINEAR)
    ratio = canvas.ratios[block.plane] if block.plane < len(canvas.ratios) else None
    if ratio is not None:
        warped[..., :3] *= ratio[y1:y2, x1:x2]
    alpha = warped[..., 3:] * np.float32(block.opacity)
    view = canvas.light[y1:y2, x1:x2]
    view *= 1 - alpha
    view += warped[..., :3] * np.float32(block.opacity)
    owner = COVERED if block.label is None else block.label
    if not (block.opacity < 0.5 and block.label is None):
        canvas.owners[y1:y2, x1:x2][alpha[..., 0] > 0.5] = owner
    return True


def lean_frame(heading: float, tilt: float) -> Frame:
    """Return the axes of a face that leans back ``tilt`` radians from lying, turned by ``heading``."""
    u = np.array([np.cos(heading), np.sin(heading), 0.0])
    front = np.array([-np.sin(heading), np.cos(heading), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    v = np.cos(tilt) * front - np.sin(tilt) * up
    n = np.sin(tilt) * front + np.cos(tilt) * up
    return Frame(np.zeros(3), u, v, n)
