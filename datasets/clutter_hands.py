"""Hands and sleeves that reach into the picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.camera import Camera
from datasets.scene import Limb, Scene

__all__ = ["reach_in"]

Array = NDArray[Any]  # float64

_SKINS = (
    (244, 212, 190),
    (236, 194, 168),
    (224, 174, 146),
    (206, 152, 120),
    (186, 130, 98),
    (150, 100, 72),
    (116, 76, 54),
    (84, 54, 40),
)


def _segment(a: Array, b: Array, ra: float, rb: float) -> Array:
    return np.concatenate([a, b, [ra, rb]])


def _finger(
    root: Array, way: Array, length: float, radius: float, curl: float, drop: float
) -> tuple[list[Array], list[float]]:
    """Return three segments of a finger that bends down, and how far along it each end is (0 root, 1 tip)."""
    segments, marks = [], []
    at, pitch = root, -drop
    for k, part in enumerate((0.45, 0.31, 0.24)):
        pitch -= curl * (0.5, 1.0, 0.8)[k]
        step = length * part * np.array([way[0] * np.cos(pitch), way[1] * np.cos(pitch), np.sin(pitch)])
        following = at + step
        following[2] = max(following[2], radius * 0.8)
        taper = 1 - 0.1 * k
        segments.append(_segment(at, following, radius * taper, radius * (taper - 0.1)))
        marks.append((k + 1) / 3)
        at = following
    return segments, marks


def _hand(rng: Generator, tip: Array, angle: float, scale: float, sleeve: bool) -> list[Limb]:
    """Return a hand whose fingers end near ``tip``, coming from the direction ``angle`` (radians)."""
    forward = np.array([-np.cos(angle), -np.sin(angle), 0.0])  # from the arm to the fingers
    side = np.array([-forward[1], forward[0], 0.0]) * rng.choice([-1.0, 1.0])
    pose = str(rng.choice(["flat", "curled", "point", "pinch"], p=[0.25, 0.3, 0.2, 0.25]))
    lift = float(rng.uniform(0.1, 1.6))
    length = 2.9 * scale
    knuckle = (
        tip
        - forward * length * (0.85 if pose in ("flat", "point") else 0.6)
        + np.array([0, 0, 0.9 * scale + lift])
    )
    wrist = knuckle - forward * 3.4 * scale + np.array([0, 0, rng.uniform(-0.2, 0.9)])
    skin = (
        np.asarray(_SKINS[int(rng.integers(len(_SKINS)))], np.float32)
        / 255
        * np.float32(rng.uniform(0.92, 1.06))
    )
    red = skin * np.array([1.04, 0.9, 0.88], np.float32)
    nail = np.clip(skin * np.array([1.04, 0.97, 0.97], np.float32) + 0.04, 0, 1)
    if rng.random() < 0.15:
        nail = rng.uniform(0.1, 0.9, 3).astype(np.float32)
    segments: list[Array] = []
    colours: list[NDArray[Any]] = []

    def add(segment: Array, first: NDArray[Any], last: NDArray[Any]) -> None:
        segments.append(segment)
        colours.append(np.stack([first, last]).astype(np.float32))

    for k in range(4):
        across = (1.5 - k) * 0.78 * scale
        root = knuckle + side * across - forward * (0.12 * abs(k - 1.2)) * scale
        # The back of the hand: one long segment per finger fills the palm.
        add(_segment(wrist + side * across * 0.62, root, 0.62 * scale, 0.5 * scale), skin, red)
        spread = (1.5 - k) * rng.uniform(0.02, 0.16)
        way = np.cos(spread) * forward + np.sin(spread) * side
        reach = length * (0.92, 1.0, 0.95, 0.76)[k]
        curl = {
            "flat": rng.uniform(0.02, 0.2),
            "curled": rng.uniform(0.4, 0.7),
            "point": 0.08 if k == 0 else rng.uniform(0.8, 1.1),
            "pinch": 0.35 if k < 2 else rng.uniform(0.5, 0.8),
        }[pose]
        drop = min(0.25 + 0.3 * lift / max(scale, 0.1), 0.8) * (0.6 if pose == "flat" else 1.0)
        finger, marks = _finger(root, way, reach, (0.33, 0.35, 0.33, 0.28)[k] * scale, curl, drop)
        for segment, mark in zip(finger, marks, strict=True):
            add(segment, skin if mark < 0.9 else red, skin if mark < 0.9 else red)
        last = finger[-1]
        on_top = np.array([0, 0, 0.16 * scale])
        a, b = last[:3] * 0.35 + last[3:6] * 0.65 + on_top, last[3:6] * 1.0 + on_top
        add(_segment(a, b, 0.2 * scale, 0.19 * scale), nail, nail)
    thumb_root = wrist + side * 1.25 * scale + forward * 0.9 * scale - np.array([0, 0, 0.2])
    add(_segment(wrist + side * 0.5 * scale, thumb_root, 0.7 * scale, 0.55 * scale), skin, skin)
    inward = -0.15 if pose in ("pinch", "curled") else 0.55
    way = np.cos(inward) * forward + np.sin(inward) * side
    finger, _ = _finger(thumb_root, way, 2.4 * scale, 0.4 * scale, 0.15, 0.35)
    for segment in finger:
        add(segment, skin, red)
    far = wrist - forward * 30 + np.array([0, 0, rng.uniform(0, 5.0)])
    cuff = wrist - forward * (rng.uniform(0.2, 7) if sleeve else 30.0)
    add(_segment(wrist, wrist + (far - wrist) * 0.25, 1.05 * scale, 1.45 * scale), skin, skin)
    add(_segment(wrist + (far - wrist) * 0.25, far, 1.45 * scale, 1.8 * scale), skin, skin)
    limbs = [Limb(np.array(segments), np.array(colours), gloss=0.12, grain=float(rng.uniform(0, 0.25)))]
    if sleeve:
        cloth = rng.uniform(0.04, 0.9, 3).astype(np.float32) * np.float32(rng.uniform(0.5, 1))
        both = np.broadcast_to(cloth, (1, 2, 3))
        cuff[2] = wrist[2] + 0.2
        limbs.append(
            Limb(np.array([_segment(cuff, far, 1.75 * scale, 2.3 * scale)]), both, gloss=0.0, grain=1.2)
        )
    return limbs


def reach_in(scene: Scene, cam: Camera, tile_px: float, rng: Generator, covering: float) -> None:
    """Let one or two hands reach in from a border, near it (``covering`` 0) or to the middle (1)."""
    w, h = cam.size_wh
    back = np.linalg.inv(cam.ground_homography())

    def on_table(x: float, y: float) -> Array:
        spot = back @ np.array([x, y, 1.0])
        return np.array([spot[0] / spot[2], spot[1] / spot[2], 0.0])

    for _ in range(1 if rng.random() < 0.7 else 2):
        border = rng.uniform(0, 2 * np.pi)
        depth = rng.uniform(0.15, 0.45 + 0.5 * covering)
        edge = np.array([w / 2 + 0.55 * w * np.cos(border), h / 2 + 0.55 * h * np.sin(border)])
        inner = edge + (np.array([w / 2, h / 2]) + rng.normal(0, 0.12, 2) * [w, h] - edge) * depth
        tip, outer = on_table(*inner), on_table(*edge)
        if not np.isfinite(tip).all() or np.linalg.norm(tip - outer) > 60:
            continue
        angle = float(np.arctan2(outer[1] - tip[1], outer[0] - tip[0]) + rng.normal(0, 0.35))
        group = scene.new_group()
        for rank, limb in enumerate(
            _hand(rng, tip, angle, float(rng.uniform(0.8, 1.25)), bool(rng.random() < 0.6))
        ):
            limb.group, limb.rank = group, float(rank)
            limb.lift = 40.0  # a hand comes from above: over everything that lies
            scene.solids.append(limb)
