"""What a picture is of: draws layout, ground, things around, and how the camera frames them."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.clutter import add_clutter
from datasets.clutter_box import jumbled_box
from datasets.design import Design
from datasets.grounds import sample_ground
from datasets.layouts import Deck, Layout, add_pool, footprint, scatter, sets_on_table
from datasets.layouts_rack import build_rack, sample_rack
from datasets.negatives import ALONE, fill_table
from datasets.profiles_types import Draw, Plan
from datasets.scene import Scene, ShadowPlane, flat_frame

__all__ = ["PROFILES", "make_plan"]

Array = NDArray[np.float64]

PROFILES = MappingProxyType({
    "sets": 0.30, "scatter": 0.17, "full": 0.06, "close": 0.08, "tiny": 0.06, "rack": 0.15, "pool": 0.05,
    "box": 0.04, "empty": 0.09,
})  # fmt: skip
"""What pictures are of, and how often."""


def _elevation(rng: Generator) -> float:
    kind = rng.random()
    if kind < 0.4:
        return float(rng.uniform(72, 90))
    return float(rng.uniform(42, 75)) if kind < 0.8 else float(rng.uniform(20, 45))


def _roll(rng: Generator) -> float:
    kind = rng.random()
    if kind < 0.6:
        return float(rng.normal(0, 5))
    return (
        float(rng.choice([90.0, 180.0, 270.0]) + rng.normal(0, 6)) if kind < 0.8 else float(rng.uniform(0, 360))
    )


def _share(middle: float, spread: float) -> Draw:
    def draw(rng: Generator) -> float:
        return float(np.clip(middle * np.exp(rng.normal(0, spread)), 0.014, 0.55))

    return draw


def _tile_points(layout: Layout) -> Array:
    points = [
        t.frame.point(a, b)
        for t in layout.tiles
        for a, b in ((-0.6, -0.9), (0.6, 0.9), (0.6, -0.9), (-0.6, 0.9))
    ]
    return np.array(points) if points else np.array([[-3.0, -2, 0], [3, 2, 0]])


def make_plan(profile: str, design: Design, rng: Generator, split: str) -> Plan:
    """Draw everything about a picture of that ``profile`` (or ``ALONE``) but the camera and the light."""
    layout = Layout(design.aspect, design.thickness)
    deck = Deck(rng)
    scene = Scene()
    up = np.array([0.0, 0.0, 1.0])
    scene.planes = [ShadowPlane(np.zeros(3), up), ShadowPlane(np.array([0, 0, design.thickness]), up)]
    plan = Plan(
        layout, scene, sample_ground(rng, split), sample_ground(rng, split, 0.2), "table", np.zeros((1, 3)),
        _elevation, lambda r: float(r.uniform(0, 360)) if r.random() < 0.3 else float(r.normal(0, 14)), _roll,
        _share(0.085, 0.4),
    )  # fmt: skip
    if profile == "sets":
        sets_on_table(layout, deck, rng, int(np.clip(rng.geometric(0.16), 1, 14)))
    elif profile == "full":
        sets_on_table(layout, deck, rng, int(rng.integers(14, 27)))
        plan.tile_share = _share(0.06, 0.3)
    elif profile == "scatter":
        count = int(np.clip(rng.geometric(0.09), 1, 60))
        overlap = float(rng.choice([0.0, 0.12, 0.3], p=[0.6, 0.25, 0.15]))
        scatter(layout, deck, rng, count, float(rng.choice([0.0, 0.15, 0.4], p=[0.6, 0.2, 0.2])), overlap)
        plan.tile_share = _share(0.1, 0.4)
    elif profile == "close":
        scatter(layout, deck, rng, int(rng.integers(1, 4)), 0.05, 0.1)
        plan.tile_share = _share(0.26, 0.35)
        plan.fill = float(rng.uniform(0.4, 1.1))
    elif profile == "tiny":
        sets_on_table(layout, deck, rng, int(rng.integers(1, 16)))
        if rng.random() < 0.5:
            scatter(layout, deck, rng, int(rng.integers(3, 20)))
        plan.tile_share = lambda r: float(r.uniform(0.016, 0.034))
    elif profile == "pool":
        if rng.random() < 0.7:
            sets_on_table(layout, deck, rng, int(rng.integers(1, 9)))
        add_pool(layout, rng, int(rng.integers(8, 60)))
    elif profile == "box":
        jumbled_box(plan, deck, rng)
    if profile == "rack":
        _racks(plan, deck, rng, split)
    if profile == ALONE:
        fill_table(plan, rng, split)
        return plan
    if profile not in ("close", "empty", "tiny"):
        plan.crowd = float(rng.choice([1.0, rng.uniform(1.05, 2.4)], p=[0.58, 0.42]))
    plan.focus = np.concatenate(plan.racks) if profile == "rack" else _tile_points(layout)
    plan.fill = plan.fill * float(rng.uniform(0.9, 1.25))
    _place_table(plan, rng)
    add_clutter(plan, rng, profile)
    return plan


def _place_table(plan: Plan, rng: Generator) -> None:
    """Give the table an edge in some pictures."""
    if rng.random() < 0.78:
        return
    reach = np.abs(_tile_points(plan.layout)[:, :2]).max(axis=0) + rng.uniform(1.0, 20.0, 2)
    shift = rng.uniform(-1, 1, 2)
    plan.table = (
        float(shift[0]),
        float(shift[1]),
        float(reach[0] + 1),
        float(reach[1] + 1),
        float(rng.uniform(0.05, 2)),
    )
    plan.endless = False


def _racks(plan: Plan, deck: Deck, rng: Generator, split: str) -> None:
    """Stand one rack, rarely more, with other tiles around in some."""
    layout = plan.layout
    plan.kind = "rack"
    plan.elevation = lambda r: float(r.uniform(18, 62)) if r.random() < 0.8 else float(r.uniform(55, 82))
    plan.azimuth = lambda r: float(r.normal(0, 22))
    plan.roll = lambda r: float(r.normal(0, 5)) if r.random() < 0.88 else float(r.choice([90.0, 270.0, 180.0]))
    plan.tile_share = _share(0.09, 0.35)
    fill = float(np.clip(rng.beta(2.2, 1.3), 0.05, 1.0))
    first = sample_rack(rng, split)
    plan.families["rack"] = first.material
    plan.racks.append(build_rack(layout, plan.scene, deck, first, rng, flat_frame(0, 0, 0, 0.0), fill))
    if rng.random() < 0.12:
        for k in range(int(rng.integers(1, 3))):
            other = flat_frame(
                float(rng.uniform(-3, 3)), -(k + 1) * float(rng.uniform(5, 8)), 0, float(rng.normal(0, 0.3))
            )
            plan.racks.append(build_rack(layout, plan.scene, deck, first, rng, other, fill))
    if rng.random() < 0.3:
        around = Layout(layout.aspect, layout.thickness, taken=list(layout.taken))
        if rng.random() < 0.5:
            scatter(around, deck, rng, int(rng.integers(1, 12)), 0.3)
        else:
            sets_on_table(around, deck, rng, int(rng.integers(1, 6)))
        behind = rng.random() < 0.75
        for placed in around.tiles:
            f = placed.frame
            f.origin[1] += -9.0 if behind else 5.0
            h = float(np.arctan2(f.u[1], f.u[0]))
            if layout.free(footprint(f.origin[0], f.origin[1], h, 1.0, layout.aspect), 0.1):
                if placed.set_index is not None:
                    placed.set_index += layout.sets
                layout.tiles.append(placed)
        layout.sets += around.sets
