"""An open box, a tin or a bag with tiles thrown together."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from datasets.ground_noise import fbm
from datasets.layouts import NO_PLANE, Deck, box_of_tiles, scatter
from datasets.profiles_types import Plan
from datasets.scene import Block, Skin, flat_frame

__all__ = ["jumbled_box"]


def jumbled_box(plan: Plan, deck: Deck, rng: Generator) -> None:
    """Put a box with jumbled tiles on the table, or a heap without a box."""
    wide, deep = float(rng.uniform(5, 12)), float(rng.uniform(4, 8))
    count = int(rng.integers(12, 70))
    box_of_tiles(plan.layout, deck, rng, count, (wide, deep))
    if rng.random() < 0.3:
        outside = int(rng.integers(1, 8))
        plan.layout.taken.append(np.array([[-wide, -deep], [wide, -deep], [wide, deep], [-wide, deep]]) / 2)
        scatter(plan.layout, deck, rng, outside, 0.3)
    if rng.random() < 0.35:  # just a heap
        return
    scene, tone = plan.scene, rng.uniform(0.05, 0.95, 3) * rng.uniform(0.4, 1)
    surface = np.clip(tone * (1 + 0.06 * fbm(rng, 64, 20, 2)[..., None]), 0, 1).astype(np.float32)
    side = (float(tone[0]), float(tone[1]), float(tone[2]))
    high, wall = float(rng.uniform(0.6, 2.2)), float(rng.uniform(0.06, 0.3))

    def slab(x: float, y: float, up: float, size: tuple[float, float, float], lift: float) -> None:
        frame = flat_frame(x, y, up, 0.0)
        scene.solids.append(
            Block(
                frame,
                size,
                lambda _: Skin(surface),
                side_rgb=side,
                radius=0.05,
                bevel=0.04,
                gloss=0.3,
                plane=NO_PLANE,
                group=scene.new_group(),
                lift=lift,
            )
        )

    slab(0, 0, 0.05, (wide, deep, 0.05), -30.0)
    # The far walls go under the tiles, the near one over them: the camera looks from the near side.
    for x, y, size in (
        (-wide / 2, 0.0, (wall, deep, high)),
        (wide / 2, 0.0, (wall, deep, high)),
        (0.0, -deep / 2, (wide, wall, high)),
    ):
        slab(x, y, high, size, -20.0)
    slab(0.0, deep / 2, high, (wide, wall, high), 20.0)
    plan.azimuth = lambda r: float(r.normal(0, 12))
    plan.elevation = lambda r: float(r.uniform(50, 88))
    plan.families["box"] = "box"
