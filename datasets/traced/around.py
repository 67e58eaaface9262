"""What lies about other than usually: things and grounds to train on, and others held out to measure with."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final, Literal

import numpy as np

from datasets.traced import (
    grounds_cloths,
    grounds_tiled,
    things_blocks,
    things_devices,
    things_games,
    things_paper,
    things_small,
)
from datasets.traced.camera import Camera
from datasets.traced.designs import Design
from datasets.traced.grounds import Ground, make_ground
from datasets.traced.layouts import Layout, Quad, footprint, free
from datasets.traced.meshes import Floats, Material, Part, move, plane, pose, slab

__all__ = ["MORE_GROUNDS", "MORE_THINGS", "Choice", "Clutter", "kind_of", "lay_ground", "lay_things"]

Rng = np.random.Generator
Choice = Literal["train", "heldout"]
Clutter = Literal["usual", "train", "heldout"]
"""What lies about: the usual things, or others that look like tiles, of one half or of the other."""

MORE_THINGS: Final = MappingProxyType(
    {
        "train": (
            things_games.poker_chips,
            things_blocks.digit_dice,
            things_games.colour_cards,
            things_blocks.number_bricks,
            things_devices.calculator,
            things_paper.day_calendar,
            things_paper.price_tags,
            things_games.bingo_balls,
            things_devices.kitchen_timer,
            things_paper.tickets,
            things_small.blister,
            things_small.chocolate,
            things_blocks.toy_bricks,
            things_games.fifteen,
            things_games.flash_cards,
            things_small.batteries,
        ),
        "heldout": (
            things_blocks.role_dice,
            things_blocks.mahjong,
            things_blocks.toy_blocks,
            things_devices.handset,
            things_paper.stickers,
            things_small.numbered_keys,
            things_paper.luggage_tag,
            things_paper.sticky_notes,
            things_devices.measuring,
            things_paper.bank_card,
            things_small.sugar,
            things_small.buttons,
            things_small.mosaic_coaster,
            things_devices.watch,
            things_devices.keycaps,
            things_games.game_shapes,
        ),
    }
)
"""The makers of things by choice; no thing is of both."""

MORE_GROUNDS: Final = MappingProxyType(
    {
        "train": (grounds_cloths.fruitcloth, grounds_cloths.newspaper, grounds_cloths.quilt),
        "heldout": (
            grounds_tiled.hextile,
            grounds_tiled.mosaic,
            grounds_cloths.oilcloth,
            grounds_tiled.playmat,
        ),
    }
)
"""The makers of grounds by choice; no ground is of both."""


def kind_of(index: int, choice: Choice) -> str:
    """Return whether picture ``index`` is a table, a rack or, more often than usually, empty."""
    if choice == "train":
        return "empty" if index % 5 in (1, 4) else "rack" if index % 10 == 2 else "table"
    return "empty" if index % 5 == 4 else "rack" if index % 6 == 2 else "table"


def lay_ground(
    rng: Rng, choice: Choice, index: int, place: str, reach: float
) -> tuple[str, list[Part], Floats | None]:
    """Return the ground's name, the table or the floor under all, and the table's half sides and middle.

    Half the pictures lie on grounds of the choice, the others on ``place``; a floor has no sides.
    """
    span = float(np.clip(reach * 1.6, 260, 700))
    if (index + index // 10) % 2 == 0:
        makers: tuple[Callable[[Rng, float], Material], ...] = MORE_GROUNDS[choice]
        make = makers[(index * 3 // 2 + int(rng.integers(2))) % len(makers)]
        place, base = make.__name__, Ground(make(rng, span), span)
    else:
        base = make_ground(place, rng, span)
    turn = float(rng.choice([0, np.pi / 2])) + rng.normal(0, 0.12) * (place not in ("wood", "garden"))
    if place == "newspaper":
        turn = rng.uniform(-0.6, 0.6)
    if place in ("carpet", "felt", "quilt") or rng.random() < 0.25:
        return place, [Part(move(plane(6000, 6000, span), pose(0, 0, 0, turn)), base.material)], None
    wide, deep = 2 * (reach + rng.uniform(150, 600)), 2 * (reach + rng.uniform(110, 350))
    top = slab(wide, deep, 28, float(rng.choice([4, 40])), 2, face=(0, 0, wide / span, deep / span))
    shift = rng.uniform(-0.15, 0.15, 2) * (wide - 2 * reach, deep - 2 * reach)
    parts = [Part(move(top, pose(float(shift[0]), float(shift[1]), -28)), base.material)]
    floor = make_ground(str(rng.choice(["wood", "carpet", "stone", "laminate"])), rng, 900)
    parts.append(Part(plane(9000, 9000, 900, -720), floor.material))
    return place, parts, np.array([[wide / 2, deep / 2], shift])


def _outlines(layout: Layout, design: Design) -> list[Quad]:
    """The tiles' own outlines: some lie beyond their set's rectangle."""
    out = []
    for placed in layout.placed:
        m = placed.matrix
        if abs(m[2, 2]) > 0.9:
            turn = np.arctan2(m[1, 0], m[0, 0]) if m[2, 2] > 0 else np.arctan2(-m[0, 1], m[1, 1])
            out.append(footprint(m[0, 3], m[1, 3], design.width + 1, design.height + 1, float(turn)))
    return out


def _point(rng: Rng, camera: Camera) -> Floats | None:
    """A point of the ground in the picture, or now and then just outside it; None above the horizon."""
    size = np.array([camera.width, camera.height])
    pixel = (rng.uniform(-0.06, 1.06, 2) * size - size / 2) / camera.focal
    ray = camera.axes.T @ np.array([pixel[0], pixel[1], 1.0])
    if ray[2] > -0.08:
        return None
    return np.asarray((camera.origin - ray * camera.origin[2] / ray[2])[:2])


def _hides(quad: Quad, tall: float, camera: Camera, middle: Floats, layout: Layout) -> bool:
    """Whether a thing ``tall`` mm high would stand before the tiles."""
    eye = camera.origin
    toward = eye[:2] / (np.linalg.norm(eye[:2]) + 1e-6)
    rise = eye[2] / (np.linalg.norm(eye[:2] - middle) + 1e-6)
    return not free(quad - toward * min(tall / max(rise, 0.15), 120.0), layout.taken)


def lay_things(
    rng: Rng,
    choice: Choice,
    layout: Layout,
    design: Design,
    camera: Camera,
    table: Floats | None,
    reach: float,
) -> list[Part]:
    """Return 6 to 14 things of the choice in view, on the table, clear of the tiles and of one another."""
    taken = [*layout.taken, *_outlines(layout, design)]
    eye, makers = camera.origin, MORE_THINGS[choice]
    low = eye[2] < 0.75 * np.linalg.norm(eye)
    count = int(rng.integers(6, 15))
    done: list[str] = []
    out: list[Part] = []
    for _ in range(3 * count):
        if len(done) >= count:
            break
        make = makers[int(rng.integers(len(makers)))]
        if done.count(make.__name__) > 1:
            continue
        parts = make(rng)
        points = np.concatenate([p.mesh.points for p in parts])
        size, middle = np.ptp(points[:, :2], axis=0), (points[:, :2].max(0) + points[:, :2].min(0)) / 2
        tall = float(points[:, 2].max())
        for _ in range(120):
            here = _point(rng, camera)
            if here is None or np.linalg.norm(here) > 2.6 * reach + 150:
                continue
            turn = float(rng.uniform(0, 2 * np.pi) if rng.random() < 0.6 else rng.normal(0, 0.2))
            quad = footprint(float(here[0]), float(here[1]), size[0] + 3, size[1] + 3, turn)
            if table is not None and (np.abs(quad - table[1]) > table[0] - 8).any():
                continue
            if low and tall > 12 and layout.placed and _hides(quad, tall, camera, here, layout):
                continue
            if np.linalg.norm(quad - eye[:2], axis=1).min() < 40 and eye[2] < 150:
                continue
            if free(quad, taken):
                taken.append(quad)
                matrix = pose(float(here[0]), float(here[1]), 0, turn) @ pose(-middle[0], -middle[1])
                out += [Part(move(p.mesh, matrix), p.material) for p in parts]
                done.append(make.__name__)
                break
    return out
