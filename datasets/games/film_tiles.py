"""Tiles as the film's camera sees them: small pictures of face, side and shadow, ready to be laid down.

Pictures are BGR with opacity, premultiplied, eight bits; places are canvas pixels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Camera
from datasets.games.film_view import tile_corners
from datasets.games.script import Pose
from datasets.games.sprites import TileLooks
from referee.tiles import Tile

__all__ = ["Patch", "Sun", "TilePainter", "lay", "shade"]

Array = NDArray[Any]  # float64
Pixels = NDArray[np.uint8]
Box = tuple[int, int, int, int]
_FINE = 3
_RADIUS = 0.07


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """Something small and where it is."""

    box: Box
    """x1, y1, x2, y2 (exclusive), canvas pixels; may reach beyond the canvas."""
    pixels: Pixels
    """Shape (h, w, 4), premultiplied BGR and opacity; or (h, w): a shade, 255 none."""


@dataclass(frozen=True, slots=True)
class Sun:
    """Where the light on the table comes from."""

    slant_xy: tuple[float, float]
    """Where the shadow of a point one tile width up falls, from right below it."""
    soft: float
    """How unsharp a shadow of that height is, tile widths."""
    depth: float
    """How dark it is, 0..1."""


def _clip(box: Box, into: Box) -> Box | None:
    x1, y1, x2, y2 = max(box[0], into[0]), max(box[1], into[1]), min(box[2], into[2]), min(box[3], into[3])
    return (x1, y1, x2, y2) if x2 > x1 and y2 > y1 else None


def lay(target: Pixels, origin_xy: tuple[int, int], patch: Patch) -> None:
    """Lay a patch over ``target`` (H, W, 3), a part of the canvas that begins at ``origin_xy``."""
    x0, y0 = origin_xy
    part = _clip(patch.box, (x0, y0, x0 + target.shape[1], y0 + target.shape[0]))
    if part is None:
        return
    x1, y1, x2, y2 = part
    over = patch.pixels[y1 - patch.box[1] : y2 - patch.box[1], x1 - patch.box[0] : x2 - patch.box[0]]
    view = target[y1 - y0 : y2 - y0, x1 - x0 : x2 - x0]
    through = cv2.cvtColor(cv2.bitwise_not(cv2.extractChannel(over, 3)), cv2.COLOR_GRAY2BGR)
    below = cv2.multiply(view, through, scale=1 / 255)
    cv2.add(below, cv2.cvtColor(over, cv2.COLOR_BGRA2BGR), dst=view)


def shade(target: Pixels, origin_xy: tuple[int, int], patch: Patch) -> None:
    """Darken ``target`` (H, W, 3), which begins at ``origin_xy``, by a patch's shade."""
    x0, y0 = origin_xy
    part = _clip(patch.box, (x0, y0, x0 + target.shape[1], y0 + target.shape[0]))
    if part is None:
        return
    x1, y1, x2, y2 = part
    over = patch.pixels[y1 - patch.box[1] : y2 - patch.box[1], x1 - patch.box[0] : x2 - patch.box[0]]
    view = target[y1 - y0 : y2 - y0, x1 - x0 : x2 - x0]
    cv2.multiply(view, cv2.cvtColor(np.ascontiguousarray(over), cv2.COLOR_GRAY2BGR), dst=view, scale=1 / 255)


def _outline(pose: Pose, aspect: float) -> Array:
    """Return points (N, 2) of a tile's rounded outline on the table."""
    angles = np.linspace(0, np.pi / 2, 4)
    turned = np.column_stack([np.cos(angles), np.sin(angles)])
    parts = []
    for sx, sy, start in ((1, 1, 0), (-1, 1, 1), (-1, -1, 2), (1, -1, 3)):
        c, s = np.cos(start * np.pi / 2), np.sin(start * np.pi / 2)
        way = turned @ np.array([[c, s], [-s, c]])
        parts.append(np.array([sx * (0.5 - _RADIUS), sy * (aspect / 2 - _RADIUS)]) + _RADIUS * way)
    points = np.concatenate(parts)
    a = np.radians(pose.heading)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return np.asarray(points @ turn + [pose.x, pose.y])


def _box_of(points: Array, pad: int) -> Box:
    low, high = np.floor(points.min(axis=0)).astype(int), np.ceil(points.max(axis=0)).astype(int)
    return int(low[0]) - pad, int(low[1]) - pad, int(high[0]) + pad + 1, int(high[1]) + pad + 1


@dataclass(slots=True)
class TilePainter:
    """Makes patches of tiles, and keeps the faces it was given."""

    looks: TileLooks
    """How the tiles look."""
    thickness: float
    """Tile widths."""
    sun: Sun
    """Where the light comes from."""
    _faces: dict[tuple[int, int, int], tuple[Pixels, tuple[float, ...]]] = field(
        default_factory=dict, init=False
    )

    def face(self, tile: Tile | None, copy: int, width_px: float) -> tuple[Pixels, tuple[float, ...]]:
        """Return a face (or the back) premultiplied BGRA, about ``width_px`` wide, and its rim's colour."""
        step = _step(max(width_px, 8.0))
        key = (-1 if tile is None else tile.index, copy if tile is not None else 0, step)
        if key not in self._faces:
            rgba = self.looks.back(step) if tile is None else self.looks.face(tile, copy, step)
            bgra = np.asarray(cv2.cvtColor(np.ascontiguousarray(rgba), cv2.COLOR_RGBA2BGRA), np.uint8)
            opacity = cv2.cvtColor(bgra[..., 3], cv2.COLOR_GRAY2BGR)
            flat = cv2.multiply(np.ascontiguousarray(bgra[..., :3]), opacity, scale=1 / 255)
            self._faces[key] = np.dstack([flat, bgra[..., 3]]), _rim_colour(bgra)
        return self._faces[key]

    def patch(self, cam: Camera, tile: Tile | None, copy: int, pose: Pose, up: float) -> Patch:
        """Return a tile (its back where ``tile`` is None) ``up`` tile widths above the table."""
        aspect = self.looks.aspect
        outline = _outline(pose, aspect)
        heights = (up + self.thickness, up + 0.5 * self.thickness, up)
        rims = [cam.project(np.column_stack([outline, np.full(len(outline), h)]))[0] for h in heights]
        quad = cam.project(tile_corners(pose, aspect, up + self.thickness))[0]
        box = _box_of(np.concatenate([*rims, quad]), 2)
        w, h = box[2] - box[0], box[3] - box[1]
        if w * h > 400_000 or w < 1 or h < 1:
            return Patch((box[0], box[1], box[0] + 1, box[1] + 1), np.zeros((1, 1, 4), np.uint8))
        seen = max(float(np.linalg.norm(quad[1] - quad[0])), float(np.linalg.norm(quad[2] - quad[1])) / aspect)
        face, rim = self.face(tile, copy, seen * _FINE)
        fine = np.zeros((h * _FINE, w * _FINE, 4), np.uint8)

        def local(points: Array) -> Array:
            return (points - [box[0], box[1]] + 0.5) * _FINE - 0.5

        for low, dark in ((rims[2], 0.66), (rims[1], 0.8)):
            hull = cv2.convexHull(np.concatenate([rims[0], low]).astype(np.float32))[:, 0]
            colour = (*(float(c) * dark for c in rim), 255.0)
            cv2.fillConvexPoly(fine, np.round(local(hull) * 16).astype(np.int32), colour, cv2.LINE_8, 4)
        rows, cols = face.shape[:2]
        source = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32) - np.float32(0.5)
        warp = cv2.getPerspectiveTransform(source, local(quad).astype(np.float32))
        top = cv2.warpPerspective(face, warp, (w * _FINE, h * _FINE), flags=cv2.INTER_LINEAR)
        through = cv2.merge([cv2.bitwise_not(cv2.extractChannel(top, 3))] * 4)
        both = cv2.add(cv2.multiply(fine, through, scale=1 / 255), top)
        return Patch(box, np.asarray(cv2.resize(both, (w, h), interpolation=cv2.INTER_AREA), np.uint8))

    def shadow(self, cam: Camera, pose: Pose, up: float) -> Patch:
        """Return the shade of a tile on the table: where it stands, and away from the light."""
        outline = _outline(pose, self.looks.aspect)
        slant = np.array(self.sun.slant_xy)
        flat = [
            np.column_stack([outline + slant * h, np.zeros(len(outline))]) for h in (up, up + self.thickness)
        ]
        foot, cast = (cam.project(part)[0] for part in flat)
        tile_px = float(np.linalg.norm(foot.max(axis=0) - foot.min(axis=0))) / 1.7
        soft = max(0.7, (self.sun.soft * (up + self.thickness) + 0.02) * tile_px)
        near = max(0.6, (0.05 + 0.4 * up) * tile_px)
        pad = int(2.5 * max(soft, near)) + 2
        box = _box_of(np.concatenate([foot, cast]), pad)
        w, h = box[2] - box[0], box[3] - box[1]
        if w * h > 400_000 or w < 1 or h < 1:
            return Patch((box[0], box[1], box[0] + 1, box[1] + 1), np.full((1, 1), 255, np.uint8))
        # Soft shadows need few pixels.
        coarse = 4 if min(soft, near) > 4 else 2 if min(soft, near) > 2 else 1
        w, h = -(-w // coarse), -(-h // coarse)
        masks = []
        for points, blur, dark in (
            (cv2.convexHull(np.concatenate([foot, cast]).astype(np.float32))[:, 0], soft, self.sun.depth),
            (foot.astype(np.float32), near, 0.38 / (1 + 3 * up)),
        ):
            mask = np.zeros((h, w), np.uint8)
            spots = np.round(((points - [box[0], box[1]] + 0.5) / coarse - 0.5) * 16).astype(np.int32)
            cv2.fillConvexPoly(mask, spots, 255 * dark, cv2.LINE_AA, 4)
            masks.append(cv2.GaussianBlur(mask, (0, 0), blur / coarse))
        lit = cv2.multiply(cv2.bitwise_not(masks[0]), cv2.bitwise_not(masks[1]), scale=1 / 255)
        if coarse > 1:
            lit = cv2.resize(lit, (w * coarse, h * coarse), interpolation=cv2.INTER_LINEAR)
            box = box[0], box[1], box[0] + w * coarse, box[1] + h * coarse
        return Patch(box, np.asarray(lit, np.uint8))


def _step(width_px: float) -> int:
    """Return the next of a few widths, so that faces are drawn for few sizes only."""
    return int(np.ceil(2 ** (np.ceil(np.log2(width_px) * 2) / 2)))


def _rim_colour(bgra: Pixels) -> tuple[float, ...]:
    """Return the typical colour (blue, green, red) near a face's outline."""
    h, w = bgra.shape[:2]
    inner = np.zeros((h, w), bool)
    inner[round(0.1 * h) : h - round(0.1 * h), round(0.14 * w) : w - round(0.14 * w)] = True
    rim = bgra[(bgra[..., 3] > 240) & ~inner]
    spots = rim if len(rim) else bgra.reshape(-1, 4)
    return tuple(float(c) for c in np.median(spots[:, :3], axis=0))
