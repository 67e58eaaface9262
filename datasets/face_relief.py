"""Height fields of faces: recesses, grooves, raised rings and rims, in tile widths, up positive."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from datasets.design import Design

__all__ = ["Field", "back_relief", "face_relief", "rim_distance"]

Field = NDArray[np.float32]
"""Shape (H, W)."""


def _grid(height_px: int, width_px: int) -> tuple[Field, Field]:
    """Return x and y of each pixel's centre in tile widths, from the face's upper left."""
    y, x = np.mgrid[0:height_px, 0:width_px].astype(np.float32)
    return (x + 0.5) / width_px, (y + 0.5) / width_px


def _step(values: Field) -> Field:
    """Smooth step from 0 at 0 to 1 at 1."""
    t = np.clip(values, 0, 1)
    return (t * t * (3 - 2 * t)).astype(np.float32)


def rim_distance(height_px: int, width_px: int, radius: float) -> Field:
    """Return each pixel's distance inwards from the face's rounded outline, tile widths."""
    x, y = _grid(height_px, width_px)
    tall = height_px / width_px
    dx, dy = np.abs(x - 0.5) - (0.5 - radius), np.abs(y - tall / 2) - (tall / 2 - radius)
    outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0)
    return np.asarray(radius - outside, dtype=np.float32)


def _round(kind: str, distance: Field, design: Design) -> Field:
    """Return a relief about a centre; ``distance`` is in radii."""
    depth, radius = design.relief_depth, design.relief_radius
    if kind.startswith(("groove", "ridge")):
        wide = 0.02 + 0.03 * (design.texture_seed % 7) / 6
        return np.asarray(-depth * np.exp(-((((distance - 1) * radius) / wide) ** 2)), dtype=np.float32)
    # A dish, or a flat floor with a sloped wall.
    wall = (0.06, 0.25, 1.0)[design.texture_seed % 3]
    return -depth * _step((1 - distance) / wall)


@lru_cache(maxsize=16)
def face_relief(design: Design, height_px: int) -> Field | None:
    """Return what all faces of a design share, or None for a smooth face."""
    width_px = round(height_px / design.aspect)
    kind, frame = design.families["relief"], design.families["frame"]
    if kind == "none" and frame in ("none", "printed"):
        return None
    x, y = _grid(height_px, width_px)
    total = np.zeros((height_px, width_px), np.float32)
    dx, dy = x - 0.5, y - design.relief_y * design.aspect
    radius = design.relief_radius
    if kind == "square":
        total += _round("dent", np.maximum(np.abs(dx), np.abs(dy)) / radius, design)
    elif kind == "bar-below":
        total += _round("ridge", 1 + np.maximum(np.abs(dx) - 0.3, np.abs(dy)).clip(0) / radius, design)
    elif kind != "none":
        total += _round(kind, np.hypot(dx, dy) / radius, design)
    if frame not in ("none", "printed"):
        total += _frame(frame, rim_distance(height_px, width_px, design.corner_radius), design)
    return total


def _frame(kind: str, rim: Field, design: Design) -> Field:
    beyond = rim - design.frame_inset
    if kind == "groove":
        return np.asarray(-design.frame_depth * np.exp(-((beyond / 0.018) ** 2)), dtype=np.float32)
    if kind == "raised":
        return np.asarray(design.frame_depth * np.exp(-((beyond / 0.022) ** 2)), dtype=np.float32)
    return -design.frame_depth * _step(beyond / 0.05)


@lru_cache(maxsize=16)
def back_relief(design: Design, height_px: int) -> Field | None:
    """Return the back's height field without its word, or None for a smooth back."""
    width_px = round(height_px / design.aspect)
    kind = design.families["back"]
    if kind in ("plain", "word-relief", "coloured"):
        return None
    x, y = _grid(height_px, width_px)
    depth, middle = abs(design.relief_depth) + 0.01, design.aspect / 2
    if kind == "seam":
        across = x - 0.5 if design.texture_seed % 2 else y - middle
        return np.asarray(depth * np.exp(-((across / 0.025) ** 2)), dtype=np.float32)
    if kind == "cross":
        slope = 2 * middle
        near = np.minimum(np.abs(x * slope - y), np.abs((1 - x) * slope - y)) / np.hypot(1, slope)
        return np.asarray(-depth * np.exp(-((near / 0.022) ** 2)), dtype=np.float32)
    if kind == "ring":
        distance = np.hypot(x - 0.5, y - middle)
        return np.asarray(-depth * np.exp(-(((distance - 0.32) / 0.03) ** 2)), dtype=np.float32)
    if kind == "lines":
        return np.asarray(0.4 * depth * np.sin(y * 40), dtype=np.float32)
    return _frame("recessed", rim_distance(height_px, width_px, design.corner_radius), design)
