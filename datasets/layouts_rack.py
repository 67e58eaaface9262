"""Racks of one to three steps, and the tiles that stand on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.ground_noise import fbm, finish
from datasets.layouts import Deck, Layout, PlacedTile, footprint
from datasets.scene import Block, Frame, Scene, ShadowPlane, Skin
from datasets.scene_paint import lean_frame

__all__ = ["Rack", "build_rack", "sample_rack"]

Array = NDArray[Any]  # float64

MATERIALS: dict[str, tuple[tuple[float, float, float], float, float]] = {
    # sRGB, gloss, opacity
    "black": ((0.07, 0.07, 0.075), 0.35, 1.0),
    "charcoal": ((0.17, 0.17, 0.18), 0.25, 1.0),
    "blue": ((0.12, 0.24, 0.55), 0.5, 1.0),
    "navy": ((0.07, 0.10, 0.24), 0.4, 1.0),
    "white": ((0.88, 0.88, 0.86), 0.5, 1.0),
    "ivory": ((0.90, 0.86, 0.74), 0.45, 1.0),
    "grey": ((0.52, 0.53, 0.55), 0.3, 1.0),
    "red": ((0.62, 0.08, 0.09), 0.5, 1.0),
    "green": ((0.10, 0.36, 0.20), 0.45, 1.0),
    "brown": ((0.30, 0.18, 0.12), 0.35, 1.0),
    "oak": ((0.74, 0.56, 0.36), 0.15, 1.0),
    "pine": ((0.87, 0.71, 0.47), 0.15, 1.0),
    "walnut": ((0.36, 0.22, 0.15), 0.2, 1.0),
    "clear": ((0.86, 0.89, 0.90), 0.9, 0.35),
    "yellow": ((0.92, 0.76, 0.18), 0.4, 1.0),
}


@dataclass(frozen=True, slots=True)
class Rack:
    """What a rack is like."""

    material: str
    """A key of ``MATERIALS``."""
    rows: int
    """Steps, 1 to 3."""
    width: float
    """Tile widths."""
    tilt: float
    """Radians by which the tiles lean back from lying; 90 degrees stands upright."""
    rise: float
    """How far along the slope one row is above the other, tile heights."""
    step: float
    """How far one row is behind the other, tile thicknesses."""
    lip: float
    """Height of the ledge's front edge, tile widths."""
    back: float
    """Height of the top row's back, tile heights."""


def sample_rack(rng: Generator, split: str) -> Rack:
    """Draw a rack; yellow and walnut ones are held out."""
    held = {"yellow", "walnut"}
    names = [n for n in MATERIALS if split == "final" or (n in held) == (split == "heldout")]
    return Rack(
        material=names[int(rng.integers(len(names)))],
        rows=int(rng.choice([1, 2, 3], p=[0.22, 0.46, 0.32])),
        width=float(rng.uniform(7.5, 16)),
        tilt=float(np.radians(rng.uniform(48, 82))),
        rise=float(rng.uniform(0.78, 1.08)),
        step=float(rng.uniform(1.05, 2.4)),
        lip=float(rng.choice([0.0, 0.05, 0.14])),
        back=float(rng.choice([0.35, 0.75, 1.02, 1.1])),
    )


def _texture(rng: Generator, material: str) -> NDArray[np.float32]:
    """Return the surface (rows, cols, 3) of a panel."""
    base = np.asarray(MATERIALS[material][0], np.float32)
    grain = fbm(rng, 256, 20, 3, 0.7, aspect=0.06 if material in ("oak", "pine", "walnut") else 1.0)
    strength = 0.16 if material in ("oak", "pine", "walnut") else float(rng.choice([0.0, 0.04, 0.12]))
    return finish(base * (1 + np.float32(strength) * grain[..., None]))


def _place_row(
    layout: Layout, deck: Deck, rng: Generator, spots: int, width: float, style: str
) -> list[tuple[float, float, float]]:
    """Return (along, turn, lift off the panel) for the tiles of a row, left to right."""
    room = width - 1.0
    if style == "tight":
        gaps = rng.uniform(0, 0.02, spots)
    elif style == "sets":
        gaps = np.where(rng.random(spots) < 0.25, rng.uniform(0.3, 1.5, spots), rng.uniform(0, 0.03, spots))
    else:
        gaps = rng.uniform(0, 0.8, spots)
    at, result = 0.0, []
    for gap in gaps:
        if at > room:
            break
        crooked = rng.normal(0, 0.1) if rng.random() < 0.06 else rng.normal(0, 0.008)
        result.append((at, float(crooked), 0.0))
        at += 1.0 + gap
    used = result[-1][0] + 1.0 if result else 0.0
    start = -width / 2 + 0.5 + rng.uniform(0, 1) * max(0.0, width - used)
    placed = [(start + a, t, lift) for a, t, lift in result]
    if len(placed) > 2 and rng.random() < 0.12:  # one tile half in front of its neighbour
        k = int(rng.integers(1, len(placed)))
        a, t, _ = placed[k]
        placed[k] = (a - rng.uniform(0.1, 0.45), t, 1.0)
    return placed


def build_rack(
    layout: Layout, scene: Scene, deck: Deck, rack: Rack, rng: Generator, at: Frame, fill: float
) -> Array:
    """Stand a rack at ``at`` (origin on the table, middle of its foot; u along it) and put tiles on it.

    Returns its front (4, 3), clockwise from its own upper left.
    """
    group = scene.new_group()
    heading = float(np.arctan2(at.u[1], at.u[0]))
    lean = lean_frame(heading, rack.tilt)
    base_rgb, gloss, opacity = MATERIALS[rack.material]
    surface = _texture(rng, rack.material)
    h, t = layout.aspect, layout.thickness
    deep = rack.step * t
    foot = np.array([at.origin[0], at.origin[1], 0.0]) + lean.n * t * np.cos(rack.tilt) * 0.5
    foot = foot + np.array([0, 0, 0.18 + (t + 0.1) * np.cos(rack.tilt)])
    fallen_rgb = (base_rgb[0] * 0.9, base_rgb[1] * 0.9, base_rgb[2] * 0.9)
    style = str(rng.choice(["tight", "sets", "loose"], p=[0.4, 0.35, 0.25]))

    def panel(frame: Frame, size: tuple[float, float, float], rank: float, plane: int) -> None:
        scene.solids.append(
            Block(
                frame, size, lambda _: Skin(surface), side_rgb=fallen_rgb, radius=0.05, bevel=0.04, gloss=gloss,
                opacity=opacity, plane=plane, group=group, rank=rank,
            )
        )  # fmt: skip

    for row in range(rack.rows - 1, -1, -1):
        base = foot + row * (-lean.v * rack.rise * h - lean.n * deep)
        top_row = row == rack.rows - 1
        high = (rack.back if top_row else rack.rise) * h
        scene.planes.append(ShadowPlane(base, lean.n))
        panel_plane = len(scene.planes) - 1
        scene.planes.append(ShadowPlane(base + t * lean.n, lean.n, of_blocks=False))
        rank = float(rack.rows - 1 - row) * 10
        middle = base - lean.v * (high / 2)
        panel(
            Frame(middle, lean.u, lean.v, lean.n),
            (rack.width, high, 0.12 if top_row else deep),
            rank,
            panel_plane,
        )
        spots = int(np.clip(rng.normal(fill, 0.15), 0, 1.1) * rack.width)
        if rng.random() < 0.05:
            spots = 0
        for place, (along, turn, lift) in enumerate(_place_row(layout, deck, rng, spots, rack.width, style)):
            c, s = np.cos(turn), np.sin(turn)
            u, v = c * lean.u + s * lean.v, c * lean.v - s * lean.u
            raised = 0.5 * h + 0.5 * abs(np.sin(turn))
            flip = -1.0 if rng.random() < 0.01 else 1.0
            origin = base + along * lean.u - raised * lean.v + (t * (1.02 + lift)) * lean.n
            tile = None if rng.random() < 0.01 else deck.draw()
            layout.tiles.append(
                PlacedTile(
                    tile, Frame(origin, flip * u, flip * v, lean.n),
                    None if tile is None else layout.sets, place, on_rack=True, group=group,
                    rank=rank + 2 + lift, plane=panel_plane + 1,
                )
            )  # fmt: skip
        layout.sets += 1
        lip = rack.lip if row == 0 or rack.lip < 0.1 else 0.0
        shelf = t + 0.1
        if row == 0 or lip > 0:
            ledge = Frame(base + (shelf - 0.02) * lean.n + (0.06 - lip / 2) * lean.v, lean.u, lean.v, lean.n)
            panel(ledge, (rack.width, 0.12 + lip, shelf if lip == 0 else 0.1), rank + 5, 0)
    top = foot + (rack.rows - 1) * (-lean.v * rack.rise * h - lean.n * deep) - lean.v * rack.back * h
    half = rack.width / 2
    quad = np.array([top - half * lean.u, top + half * lean.u, foot + half * lean.u, foot - half * lean.u])
    depth = float(np.ptp(quad @ lean_frame(heading, 0).v)) + 1.0
    centre = quad.mean(axis=0)
    layout.taken.append(footprint(centre[0], centre[1], heading, rack.width + 0.5, depth + 0.5))
    return quad
