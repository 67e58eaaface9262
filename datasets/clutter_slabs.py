"""Lays blocks on a table: the plain means behind ``datasets.clutter_things`` and ``datasets.clutter_games``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.layouts import NO_PLANE
from datasets.scene import Block, Scene, Skin, flat_frame

__all__ = ["around", "lay_slab"]

Picture = NDArray[Any]  # float32 sRGB (H, W, 3)


def lay_slab(
    scene: Scene,
    x: float,
    y: float,
    heading: float,
    size: tuple[float, float, float],
    face: Picture,
    *,
    radius: float = 0.05,
    bevel: float = 0.03,
    gloss: float = 0.3,
    side: tuple[float, float, float] | None = None,
    up: float = 0.0,
    group: int | None = None,
    rank: float = 0.0,
    lift: float = 0.0,
) -> None:
    """Lay a block with ``face`` on it flat on the table."""
    r, g, b = (float(c) for c in face[:: face.shape[0] - 1].mean(axis=(0, 1)))
    edge = side if side is not None else (r, g, b)
    scene.solids.append(
        Block(
            flat_frame(x, y, up + size[2], heading),
            size,
            lambda _: Skin(face),
            side_rgb=edge,
            radius=radius,
            bevel=bevel,
            gloss=gloss,
            casts=size[2] > 0.02,
            plane=NO_PLANE if size[2] > 0.1 else 0,
            group=scene.new_group() if group is None else group,
            rank=rank,
            lift=lift,
        )
    )


def around(
    rng: Generator, x: float, y: float, heading: float, count: int, pitch: float
) -> list[tuple[float, float, float]]:
    """Return places for a handful of like things: in a row or strewn."""
    if rng.random() < 0.5:
        c, s = np.cos(heading), np.sin(heading)
        return [
            (x + (k - count / 2) * pitch * c, y + (k - count / 2) * pitch * s, heading + rng.normal(0, 0.04))
            for k in range(count)
        ]
    spread = pitch * np.sqrt(count)
    return [(x + rng.normal(0, spread), y + rng.normal(0, spread), rng.uniform(0, 6.28)) for _ in range(count)]
