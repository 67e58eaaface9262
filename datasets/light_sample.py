"""Draws the light of a scene: where lamps and windows are, how hard, how warm, and what stands before them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.camera import Camera
from datasets.light import Lamp, Light, kelvin_rgb

__all__ = ["sample_light"]

Array = NDArray[np.float64]


def _towards(elevation: float, azimuth: float) -> Array:
    e, a = np.radians([elevation, azimuth])
    return np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])


def _spread(rng: Generator, direction: Array, radius: float, count: int) -> Array:
    """Return ``count`` directions within ``radius`` radians of ``direction``, evenly strewn."""
    if count == 1:
        return direction[None]
    side = np.cross(direction, [0.3, -0.8, 0.5])
    side /= np.linalg.norm(side)
    other = np.cross(direction, side)
    k = np.arange(count)
    r = radius * np.sqrt((k + 0.5) / count)
    angle = k * 2.39996 + rng.uniform(0, 6.28)
    points = direction + (r * np.cos(angle))[:, None] * side + (r * np.sin(angle))[:, None] * other
    points[:, 2] = np.maximum(points[:, 2], 0.12)
    result: Array = points / np.linalg.norm(points, axis=1, keepdims=True)
    return result


def _hand_shadow(picture: NDArray[np.uint8], rng: Generator) -> None:
    """Blot out the shadow of a hand and arm that are above the picture's frame."""
    wide = int(rng.integers(26, 60))
    x, y = int(rng.integers(100, 280)), int(rng.integers(140, 260))
    cv2.ellipse(picture, (x, y), (wide, int(wide * 1.15)), 0, 0, 360, 0, -1)
    cv2.line(picture, (x, y), (x + int(rng.normal(0, 80)), 500), 0, int(wide * 1.3))
    for k in range(4):
        lean = (k - 1.5) * rng.uniform(0.1, 0.25)
        length = wide * rng.uniform(0.9, 2.4)
        root = (x + int((k - 1.5) * wide * 0.5), y - wide // 2)
        tip = (int(root[0] + length * np.sin(lean)), int(root[1] - length * np.cos(lean)))
        cv2.line(picture, root, tip, 0, max(int(wide * 0.36), 2))
    thumb = (x + int(wide * 1.7), y - int(wide * rng.uniform(0, 0.8)))
    cv2.line(picture, (x + wide // 2, y + wide // 3), thumb, 0, max(int(wide * 0.4), 2))


def _gobo(rng: Generator) -> NDArray[np.uint8]:
    """Return a shadow pattern: window bars, slats, leaves, a leaning person, a straight edge."""
    size = 384
    picture = np.full((size, size), 255, np.uint8)
    kind = str(
        rng.choice(
            ["slats", "window", "leaves", "person", "edge", "hand"], p=[0.18, 0.17, 0.13, 0.22, 0.1, 0.2]
        )
    )
    if kind == "slats":
        pitch = int(rng.integers(18, 70))
        for y in range(0, size, pitch):
            picture[y : y + int(pitch * rng.uniform(0.3, 0.6))] = 0
    elif kind == "window":
        picture[:] = 0
        panes, gap = int(rng.integers(1, 4)), int(rng.integers(6, 18))
        span = (size - 60) // panes
        for i in range(panes):
            for j in range(panes):
                y, x = 30 + i * span, 30 + j * span
                picture[y : y + span - gap, x : x + span - gap] = 255
    elif kind == "leaves":
        for _ in range(int(rng.integers(40, 200))):
            spot = tuple(int(v) for v in rng.integers(0, size, 2))
            axes = (int(rng.integers(6, 30)), int(rng.integers(3, 12)))
            cv2.ellipse(picture, spot, axes, float(rng.uniform(0, 180)), 0, 360, 0, -1)
    elif kind == "person":
        x = int(rng.integers(80, 300))
        head = int(rng.integers(35, 60))
        cv2.ellipse(picture, (x, 190), (head, int(head * 1.3)), 0, 0, 360, 0, -1)
        cv2.ellipse(picture, (x, 430), (head * 3, 190), 0, 0, 360, 0, -1)
        if rng.random() < 0.6:  # the phone held up
            cv2.line(picture, (x + head * 2, 330), (x + head, 120), 0, int(head * 0.8))
            cv2.rectangle(picture, (x - head, 80), (x + head, 120), 0, -1)
    elif kind == "hand":
        _hand_shadow(picture, rng)
    else:
        picture[:, : int(rng.integers(60, 300))] = 0
    soft = float(rng.choice([0.8, 2.0, 6.0, 14.0]))
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), soft), dtype=np.uint8)


def sample_light(rng: Generator, cam: Camera, span: float, shadows: int) -> Light:
    """Draw a light for a view of ``span`` tile widths; fewer samples for many ``shadows``."""
    kind = str(rng.choice(["overcast", "room", "lamp", "sun"], p=[0.26, 0.34, 0.24, 0.16]))
    radius, share = {
        "overcast": (rng.uniform(0.5, 0.9), rng.uniform(0.3, 0.6)),
        "room": (rng.uniform(0.15, 0.5), rng.uniform(0.35, 0.7)),
        "lamp": (rng.uniform(0.03, 0.16), rng.uniform(0.45, 0.85)),
        "sun": (0.008, rng.uniform(0.5, 0.85)),
    }[kind]
    fine = 14 if shadows < 50 else 8
    count = max(1, min(fine, int(radius * 60)))
    main = _towards(rng.uniform(28, 85) if kind != "sun" else rng.uniform(22, 65), rng.uniform(0, 360))
    if rng.random() < 0.2 and kind in ("lamp", "room"):
        # Where the lens sees the lamp mirrored: glare somewhere on the table.
        rays = cam.rays(16)
        ray = rays[int(rng.integers(rays.shape[0])), int(rng.integers(rays.shape[1]))]
        if ray[2] < -0.3:
            main = ray * [1, 1, -1]
    warm, cool = float(rng.uniform(2500, 4500)), float(rng.uniform(4500, 9000))
    temperature = {"overcast": cool, "sun": 5300.0}.get(kind, warm if rng.random() < 0.55 else cool)
    other = float(np.clip(temperature * np.exp(rng.normal(0, 0.25)), 2500, 9500))
    # The camera's white balance takes most of the cast away, by the mixture of both.
    cast = share * kelvin_rgb(temperature) + (1 - share) * kelvin_rgb(other)
    balance = cast ** -float(rng.uniform(0.75, 1.0))

    def tint(kelvin: float) -> Array:
        colour = kelvin_rgb(kelvin) * balance
        result: Array = colour / colour.mean()
        return result

    lamps = []
    gobo = mapping = None
    if rng.random() < (0.38 if kind == "sun" else 0.2 if kind == "lamp" else 0.08):
        gobo = _gobo(rng)
        scale = gobo.shape[0] / (span * rng.uniform(0.8, 2.5))
        angle = rng.uniform(0, 2 * np.pi)
        c, s = scale * np.cos(angle), scale * np.sin(angle)
        centre = gobo.shape[0] * rng.uniform(0.25, 0.75, 2)
        mapping = np.array([[c, -s, centre[0]], [s, c, centre[1]], [0, 0, 1.0]])
    strength = share / max(main[2], 0.35)
    lamps.append(Lamp(_spread(rng, main, radius, count), tint(temperature) * strength, gobo, mapping))
    sky = 1 - share
    if rng.random() < 0.35:
        second = _towards(rng.uniform(30, 85), rng.uniform(0, 360))
        part = sky * rng.uniform(0.2, 0.5)
        wide = rng.uniform(0.04, 0.4)
        samples = _spread(rng, second, wide, max(1, min(fine // 2, int(wide * 40))))
        lamps.append(Lamp(samples, tint(other) * part / max(second[2], 0.35)))
        sky -= part
    sky_rgb = tint(other) * sky
    bounce = sky_rgb * rng.uniform(0.4, 0.8) + tint(temperature) * share * rng.uniform(0.1, 0.3)
    return Light(tuple(lamps), sky_rgb, bounce, sky_rgb * rng.uniform(0.6, 2.5))
