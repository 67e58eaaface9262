"""What age and making do to a face: mottle, wood grain, yellowing, rubbed ink, scratches and dirt."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.design import Design
from datasets.face_glyphs import Mask
from datasets.face_relief import Field

__all__ = ["body_texture", "cavity_shade", "rub", "scratch"]


def smooth_noise(rng: np.random.Generator, height_px: int, width_px: int, cells: tuple[int, int]) -> Field:
    """Return noise of about unit spread, ``cells`` lumps down and across."""
    small = rng.standard_normal(cells, dtype=np.float32)
    return np.asarray(cv2.resize(small, (width_px, height_px), interpolation=cv2.INTER_CUBIC))


def body_texture(
    design: Design, rgb: tuple[float, float, float], height_px: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Return the bare face, shape (H, W, 3)."""
    width_px = round(height_px / design.aspect)
    wood = design.families["body"] == "wood"
    lumps = smooth_noise(rng, height_px, width_px, (4, 3))
    strength = 0.006 + 0.012 * design.grain + 0.012 * design.dirt
    light = 1 + strength * lumps
    if wood:
        streaks = smooth_noise(rng, height_px, width_px, (3, max(12, width_px // 4)))
        light += 0.035 * design.grain * streaks
    elif design.grain > 0.3:
        light += 0.012 * design.grain * smooth_noise(rng, height_px, width_px, (28, 20))
    base = np.asarray(rgb, dtype=np.float32)
    face = light[..., None] * base
    # Plastic yellows unevenly; white hardly, old ivory plainly.
    yellow = 0.5 * design.dirt * np.clip(0.5 + 0.5 * smooth_noise(rng, height_px, width_px, (3, 2)), 0, 1)
    face -= yellow[..., None] * np.array([0.02, 0.04, 0.12], np.float32)
    if design.families["body"] == "translucent":
        y, x = np.mgrid[-1 : 1 : height_px * 1j, -1 : 1 : width_px * 1j].astype(np.float32)
        face *= (0.93 + 0.07 * np.exp(-(x * x + y * y)))[..., None]
    if design.dirt > 0.35:
        specks = rng.random((height_px, width_px), dtype=np.float32) < 0.0006 * design.dirt
        face[specks] *= 0.7
    return np.asarray(np.clip(face, 0, 1), dtype=np.float32)


def rub(mask: Mask, wear: float, rng: np.random.Generator) -> Mask:
    """Return the ink's coverage after wear: uneven, thin at edges, chipped."""
    h, w = mask.shape
    coarse = smooth_noise(rng, h, w, (6, 5))
    covered = mask * (1 - 0.1 * wear * np.clip(1 + coarse, 0, 2))
    if wear > 0.15:
        fine = smooth_noise(rng, h, w, (max(8, h // 4), max(8, w // 4)))
        edge = 1 - cv2.blur(mask, (5, 5))
        chips = np.clip((fine + 0.8 * coarse + 1.2 * edge - 3.2 + 1.7 * wear) * 3, 0, 1)
        covered = covered * (1 - chips * min(1.0, 0.5 + wear))
    return np.asarray(covered, dtype=np.float32)


def scratch(face: NDArray[np.float32], dirt: float, rng: np.random.Generator) -> None:
    """Lay thin scratches and a few hairs of dirt on a face, in place."""
    h, w = face.shape[:2]
    for _ in range(int(rng.poisson(2.5 * dirt))):
        x, y, angle = rng.uniform(0, w), rng.uniform(0, h), rng.uniform(0, 2 * np.pi)
        long = rng.beta(1, 3) * 0.5 * w
        ends = (int(x), int(y)), (int(x + long * np.cos(angle)), int(y + long * np.sin(angle)))
        line = np.zeros((h, w), np.uint8)
        cv2.line(line, *ends, 255, 1, cv2.LINE_AA)
        tone = 0.8 if rng.random() < 0.5 else 1.08
        face *= (1 + (tone - 1) * rng.uniform(0.2, 0.8) * line.astype(np.float32) / 255)[..., None]
    np.clip(face, 0, 1, out=face)


def cavity_shade(height: Field, width_px: int) -> Field:
    """Return how much light reaches the bottom of hollows, 0..1: what no normal map gives."""
    size = max(3, 2 * (width_px // 24) + 1)
    hollow = cv2.blur(height, (size, size)) - height
    return np.asarray(1 - np.clip(7 * hollow, -0.02, 0.25), dtype=np.float32)
