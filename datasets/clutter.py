"""Things that are not game tiles: around the tiles, over them, and alone as hard negatives."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from datasets.camera import Camera
from datasets.clutter_hands import reach_in
from datasets.clutter_things import HARD_NEGATIVES, THINGS, lay_cable, lay_stick
from datasets.layouts import Layout, footprint
from datasets.profiles_types import Plan
from datasets.scene import Cord, Limb

__all__ = ["add_clutter"]


def _free_spot(layout: Layout, rng: Generator, reach: float, span: float) -> tuple[float, float] | None:
    for attempt in range(12):
        x, y = rng.normal(0, span * (0.6 + attempt / 12), 2)
        if layout.free(footprint(float(x), float(y), 0.0, 2 * reach, 2 * reach), 0.0):
            return float(x), float(y)
    return None


def add_clutter(plan: Plan, rng: Generator, profile: str) -> None:
    """Put things around, hands over; without tiles, more and larger things."""
    empty = profile == "empty"
    points = np.array([t.frame.origin[:2] for t in plan.layout.tiles]).reshape(-1, 2)
    span = float(max(np.abs(points).max() if len(points) else 5.0, 3.0)) + 1.0
    names = list(THINGS)
    count = 0
    if empty:
        count = int(rng.integers(0, 7))
    elif rng.random() < 0.42:
        count = int(rng.integers(1, 5))
    tempting = rng.random() < 0.5
    seen = []
    for _ in range(count):
        name = (
            str(rng.choice(HARD_NEGATIVES))
            if tempting and rng.random() < 0.7
            else names[int(rng.integers(len(names)))]
        )
        put, reach = THINGS[name]
        heading = float(rng.uniform(0, 2 * np.pi))
        flat = name in ("paper", "note", "calendar", "cards", "number_cards")
        spot = (
            tuple(rng.normal(0, span * 0.6, 2))
            if flat or empty
            else _free_spot(plan.layout, rng, reach * 0.7, span)
        )
        if spot is None:
            continue
        put(plan.scene, rng, float(spot[0]), float(spot[1]), heading)
        if not flat:
            plan.layout.taken.append(footprint(float(spot[0]), float(spot[1]), 0.0, reach, reach))
        seen.append(name)
    if not empty and rng.random() < 0.05:  # a cable or a pen across the tiles
        before = len(plan.scene.solids)
        put = lay_cable if rng.random() < 0.6 else lay_stick
        put(
            plan.scene,
            rng,
            float(rng.normal(0, span / 3)),
            float(rng.normal(0, span / 3)),
            float(rng.uniform(0, 6.28)),
        )
        for solid in plan.scene.solids[before:]:
            solid.lift = 6.0
            if isinstance(solid, Cord):
                solid.points[:, 2] += plan.layout.thickness
            elif isinstance(solid, Limb):
                solid.segments[:, [2, 5]] += plan.layout.thickness
        seen.append("across")
    share = 0.22 if empty else 0.16
    if rng.random() < share:
        covering = float(rng.uniform(0, 1))

        def hands(cam: Camera, tile_px: float, draw: Generator) -> None:
            reach_in(plan.scene, cam, tile_px, draw, covering)

        plan.occluders.append(hands)
        seen.append("hand")
    plan.families["clutter"] = "+".join(sorted(set(seen))) or "none"
