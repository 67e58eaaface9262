"""Kinds of light: window, lamp, ceiling, sun, shade, mixed, flash, dim. Sizes in mm, colours linear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from datasets.traced import assets
from datasets.traced.meshes import Floats

__all__ = ["STYLES", "Light", "make_lights"]

STYLES: Final = ("window", "window", "lamp", "ceiling", "sun", "shade", "mixed", "flash", "dim", "room")
"""The kinds of light, the commoner ones more often."""


@dataclass(frozen=True, eq=False)
class Light:
    """One light: ``probe`` (a surrounding picture), ``sphere``, or ``panel`` (with window bars if ``bars``)."""

    kind: str
    strength: float
    """What it sheds on the table, as irradiance; for a probe its mean radiance."""
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    size: tuple[float, float] = (1.0, 1.0)
    """Radius of a sphere (first value); width and height of a panel."""
    probe: str = ""
    turn: float = 0.0
    bars: bool = False

    def radiance(self) -> float:
        """Radiance of a sphere or panel that sheds ``strength`` on the middle of the table."""
        away = float(np.linalg.norm(self.centre))
        area = np.pi * self.size[0] ** 2 if self.kind == "sphere" else self.size[0] * self.size[1]
        return float(self.strength / (area / away**2 * max(0.15, self.centre[2] / away)))


def _around(
    rng: np.random.Generator, rise: tuple[float, float], away: float, eye: Floats
) -> tuple[float, float, float]:
    """A place ``away`` mm from the table's middle, ``rise`` degrees high, and not between it and the camera."""
    view = eye / np.linalg.norm(eye)
    for _ in range(50):
        angle, up = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(*rise))
        way = np.array([np.cos(up) * np.cos(angle), np.cos(up) * np.sin(angle), np.sin(up)])
        if way @ view < 0.8:
            break
    x, y, z = (float(c) for c in way * away)
    return (x, y, z)


def make_lights(style: str, rng: np.random.Generator, eye: Floats) -> list[Light]:
    """Return the lights of ``style``; ``eye`` is where the camera stands, for its flash."""
    day, warm = (0.88, 0.98, 1.14), (1.25, 0.95, 0.58)
    outside = style in ("sun", "shade")
    name = str(rng.choice(assets.OUTDOOR if outside else assets.INDOOR))
    base = {"room": 1.0, "shade": 1.0, "sun": 0.8, "dim": 0.12, "flash": 0.12}.get(
        style, float(rng.uniform(0.15, 0.6))
    )
    lights = [Light("probe", base, probe=name, turn=float(rng.uniform(0, 2 * np.pi)))]
    if style in ("window", "mixed"):
        size = (float(rng.uniform(700, 1600)), float(rng.uniform(900, 1500)))
        at = _around(rng, (18, 45), float(rng.uniform(1500, 2800)), eye)
        lights.append(Light("panel", float(rng.uniform(2, 6)), day, at, size, bars=bool(rng.random() < 0.7)))
    if style in ("lamp", "mixed", "dim"):
        at = _around(rng, (30, 85), float(rng.uniform(700, 1300)), eye)
        lights.append(
            Light(
                "sphere",
                {"dim": 0.9, "mixed": 2.0}.get(style, 3.5),
                warm,
                at,
                (float(rng.uniform(30, 90)), 0.0),
            )
        )
    if style == "ceiling":
        white = ((1.0, 1.0, 1.0), (1.1, 1.0, 0.85), (0.92, 1.02, 1.05))[rng.integers(3)]
        at = _around(rng, (48, 88), 1900.0, eye)
        lights.append(
            Light("panel", 3.5, white, at, (float(rng.uniform(200, 600)), float(rng.uniform(600, 1200))))
        )
    if style == "sun":
        sphere = Light(
            "sphere",
            float(rng.uniform(5, 14)),
            (1.1, 1.0, 0.86),
            _around(rng, (22, 65), 20000.0, eye),
            (110.0, 0.0),
        )
        lights.append(sphere)
    if style == "flash":
        x, y, z = (float(c) for c in eye + np.array([14.0, 6.0, 4.0]))
        lights.append(Light("sphere", 4.0, (1.0, 1.0, 1.05), (x, y, z), (4.0, 0.0)))
    return lights
