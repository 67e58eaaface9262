"""The things of ``datasets.clutter``, and how each is put on a table."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets import clutter_games as games
from datasets import clutter_prints as prints
from datasets.clutter_slabs import around, lay_slab
from datasets.scene import Cord, Drum, Limb, Scene

__all__ = ["HARD_NEGATIVES", "THINGS", "lay_cable", "lay_stick"]

Picture = NDArray[Any]
Put = Callable[[Scene, Generator, float, float, float], None]


def _colour(rng: Generator) -> tuple[float, float, float]:
    if rng.random() < 0.35:
        grey = float(rng.uniform(0.04, 0.95))
        return grey, grey, grey
    r, g, b = rng.uniform(0.04, 0.95, 3)
    return float(r), float(g), float(b)


def _dominoes(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    scale = rng.uniform(0.8, 1.2)
    for px, py, turn in around(rng, x, y, heading, int(rng.integers(1, 9)), 1.1 * scale):
        lay_slab(
            scene,
            px,
            py,
            turn,
            (0.95 * scale, 1.9 * scale, 0.35 * scale),
            prints.domino(rng),
            bevel=0.06,
            radius=0.1,
        )


def _dice(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    size = float(rng.uniform(0.45, 0.9))
    for px, py, turn in around(rng, x, y, heading, int(rng.integers(1, 6)), 1.5 * size):
        face = prints.dice_face(rng)
        lay_slab(scene, px, py, turn, (size, size, size), face, radius=0.15 * size, bevel=0.1 * size, gloss=0.6)


def _cards(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    fan = rng.random() < 0.4
    group = scene.new_group()
    for k in range(int(rng.integers(1, 7))):
        turn = heading + (k * 0.16 if fan else rng.uniform(0, 6.28))
        px, py = (x + k * 0.7, y) if fan else (x + rng.normal(0, 2), y + rng.normal(0, 2))
        lay_slab(
            scene,
            px,
            py,
            turn,
            (2.4, 3.4, 0.012),
            prints.card(rng),
            radius=0.15,
            bevel=0,
            gloss=0.3,
            group=group,
            rank=k,
            lift=-1.5,
            up=0.004 * k,
        )


def _keyboard(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    rows, columns = int(rng.integers(3, 6)), int(rng.integers(4, 13))
    base = float(rng.choice([0.06, 0.12, 0.3, 0.85, 0.93]))
    cap = float(np.clip(base + rng.choice([0.0, 0.06, -0.06]), 0.04, 0.97))
    pitch, c, s = 0.75, np.cos(heading), np.sin(heading)
    group = scene.new_group()
    body = np.full((8, 8, 3), base, np.float32)
    lay_slab(
        scene, x, y, heading, (columns * pitch + 0.4, rows * pitch + 0.4, 0.25), body, radius=0.2, group=group
    )
    for row in range(rows):
        for column in range(columns):
            a, b = (column - (columns - 1) / 2) * pitch, (row - (rows - 1) / 2) * pitch
            face = prints.key_cap(rng, (cap, cap, cap))
            lay_slab(
                scene,
                x + a * c - b * s,
                y + a * s + b * c,
                heading,
                (0.66, 0.66, 0.15),
                face,
                radius=0.08,
                bevel=0.06,
                up=0.25,
                group=group,
                rank=1,
                gloss=0.2,
            )


def _flat(make: Callable[[Generator], Picture], width: float) -> Put:
    def put(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
        face = make(rng)
        wide = width * float(rng.uniform(0.7, 1.3))
        size = (wide, wide * face.shape[0] / face.shape[1], 0.008)
        lay_slab(scene, x, y, heading, size, face, radius=0.01, bevel=0, gloss=0.05, lift=-4.0)

    return put


def _solid(make: Callable[[Generator], Picture], width: float, thick: float, gloss: float) -> Put:
    def put(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
        face = make(rng)
        wide = width * float(rng.uniform(0.8, 1.2))
        size = (wide, wide * face.shape[0] / face.shape[1], thick)
        lay_slab(scene, x, y, heading, size, face, radius=0.12 * wide, bevel=0.08, gloss=gloss)

    return put


def _mahjong(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    side = (0.1, 0.4, 0.2) if rng.random() < 0.4 else (0.9, 0.88, 0.8)
    for px, py, turn in around(rng, x, y, heading, int(rng.integers(1, 8)), 1.05):
        lay_slab(
            scene,
            px,
            py,
            turn,
            (1.0, 1.34, 0.8),
            prints.mahjong(rng),
            side=side,
            radius=0.1,
            bevel=0.08,
            gloss=0.5,
        )


def _plain_block(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    """Erasers, boxes, sugar cubes, toy bricks: often white, often the size of a tile."""
    tone = (
        np.array([0.95, 0.94, 0.9]) * rng.uniform(0.85, 1.04) if rng.random() < 0.5 else np.array(_colour(rng))
    )
    face = np.broadcast_to(np.clip(tone, 0, 1).astype(np.float32), (8, 8, 3))
    for px, py, turn in around(rng, x, y, heading, int(rng.choice([1, 1, 2, 4])), 1.6):
        size = (float(rng.uniform(0.5, 3)), float(rng.uniform(0.5, 2.5)), float(rng.uniform(0.1, 1.4)))
        lay_slab(
            scene,
            px,
            py,
            turn,
            size,
            face,
            radius=float(rng.uniform(0.01, 0.2)),
            bevel=0.06,
            gloss=float(rng.random()),
        )


def _book(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    face = np.empty((60, 44, 3), np.float32)
    face[:] = _colour(rng)
    face[8:22, 6:38], face[40:52, 6:26] = _colour(rng), _colour(rng)
    lay_slab(
        scene,
        x,
        y,
        heading,
        (6.0, 8.2, float(rng.uniform(0.3, 1.2))),
        face,
        side=(0.92, 0.9, 0.84),
        radius=0.05,
    )


def _drum(radius: tuple[float, float], height: tuple[float, float], kind: str) -> Put:
    def put(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
        r, h = float(rng.uniform(*radius)), float(rng.uniform(*height))
        side = _colour(rng) if kind != "plate" or rng.random() < 0.4 else (0.93, 0.93, 0.91)
        inner = tuple(float(c) * 0.8 for c in side)
        rings: tuple[tuple[float, tuple[float, float, float]], ...] = ((1.0, side),)
        foot, opacity, handle = r * 0.85, 1.0, None
        if kind == "mug":
            drink = [(0.16, 0.08, 0.04), (0.5, 0.28, 0.12), (0.9, 0.88, 0.84), (0.55, 0.3, 0.08)][
                int(rng.integers(4))
            ]
            rings += ((0.9, (inner[0], inner[1], inner[2])), (0.84, drink))
            handle = heading
        elif kind == "glass":
            side, opacity = (0.8, 0.84, 0.86), 0.4
            rings = ((1.0, (0.95, 0.97, 0.98)), (0.93, (0.7, 0.74, 0.76)))
        elif kind == "plate":
            foot = r * 0.6
            rings += ((0.97, (inner[0], inner[1], inner[2])), (0.68, side))
            if rng.random() < 0.5:
                rings += ((float(rng.uniform(0.2, 0.5)), _colour(rng)),)
        elif kind == "button":
            foot = r
            rings += ((0.75, (inner[0], inner[1], inner[2])), (0.68, side))
        scene.solids.append(
            Drum(
                np.array([x, y, 0.0]),
                (foot, r),
                h,
                side,
                rings,
                opacity=opacity,
                handle=handle,
                gloss=0.7,
                group=scene.new_group(),
                casts=kind != "glass",
            )
        )

    return put


def lay_stick(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    """A pen, a pencil, a knife or a spoon."""
    length, r = float(rng.uniform(3.5, 7)), float(rng.uniform(0.1, 0.22))
    way = np.array([np.cos(heading), np.sin(heading), 0.0])
    middle = np.array([x, y, r])
    a, b, c = middle - way * length / 2, middle + way * length * 0.25, middle + way * length / 2
    body, cap = np.asarray(_colour(rng), np.float32), np.asarray(_colour(rng), np.float32)
    metal = rng.random() < 0.35
    if metal:
        body = cap = np.array([0.72, 0.73, 0.75], np.float32)
    tip = r * (2.2 if metal else 0.35)
    segments = np.array([np.concatenate([a, b, [r, r]]), np.concatenate([b, c, [r, tip]])])
    scene.solids.append(
        Limb(
            segments, np.array([[body, body], [cap, cap]]), gloss=0.9 if metal else 0.5, group=scene.new_group()
        )
    )


def lay_cable(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    """A cable."""
    count, radius = 28, float(rng.uniform(0.05, 0.14))
    turns = np.cumsum(rng.normal(0, 0.18, count)) + heading
    steps = np.stack([np.cos(turns), np.sin(turns)], axis=1) * rng.uniform(0.5, 1.0)
    points = np.zeros((count, 3))
    points[:, :2] = np.cumsum(steps, axis=0)
    points[:, :2] += [x, y] - points[:, :2].mean(axis=0)
    points[:, 2] = radius
    tone = (0.06, 0.06, 0.07) if rng.random() < 0.5 else (0.93, 0.93, 0.92)
    scene.solids.append(Cord(points, radius, tone, group=scene.new_group()))


def _toy(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    """A small figure or an animal's paw: a few round parts."""
    count = int(rng.integers(3, 8))
    spots = np.cumsum(rng.normal(0, 0.6, (count, 3)), axis=0) * [1, 1, 0.3]
    spots += np.array([x, y, 0.7]) - spots.mean(axis=0)
    radii = rng.uniform(0.25, 0.8, count)
    spots[:, 2] = np.maximum(spots[:, 2], radii)
    tones = np.array(
        [_colour(rng) if rng.random() < 0.5 else (0.8, 0.6, 0.4) for _ in range(count)], np.float32
    )
    segments = np.concatenate([spots[:-1], spots[1:], radii[:-1, None], radii[1:, None]], axis=1)
    colours = np.stack([tones[:-1], tones[1:]], axis=1)
    scene.solids.append(
        Limb(segments, colours, gloss=0.3, grain=float(rng.choice([0, 2.0])), group=scene.new_group())
    )


def _pet(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    """A cat's or dog's back, tail or paw: large soft fur."""
    way = np.array([np.cos(heading), np.sin(heading), 0.0])
    start = np.array([x, y, 1.5])
    r = float(rng.uniform(0.6, 3.5))
    tones = [(0.12, 0.1, 0.1), (0.75, 0.5, 0.28), (0.9, 0.88, 0.84), (0.45, 0.4, 0.36)]
    first, last = (np.asarray(tones[int(rng.integers(4))], np.float32) for _ in range(2))
    a, b = start - way * r * 2, start + way * r * 2
    segments = np.array(
        [np.concatenate([a, start, [r, r * 1.1]]), np.concatenate([start, b, [r * 1.1, r * 0.7]])]
    )
    scene.solids.append(
        Limb(segments, np.array([[first, last], [last, first]]), gloss=0.0, grain=4.0, group=scene.new_group())
    )


THINGS: MappingProxyType[str, tuple[Put, float]] = MappingProxyType(
    {
        "mug": (_drum((1.3, 1.8), (3.0, 4.0), "mug"), 1.8),
        "glass": (_drum((1.0, 1.4), (2.0, 5.0), "glass"), 1.5),
        "plate": (_drum((2.5, 5.0), (0.4, 0.8), "plate"), 4.5),
        "coin": (_drum((0.35, 0.5), (0.08, 0.09), "button"), 0.6),
        "button": (_drum((0.3, 0.7), (0.12, 0.3), "button"), 0.8),
        "phone": (_solid(prints.phone, 2.8, 0.3, 0.9), 3.2),
        "pen": (lay_stick, 2.5),
        "cable": (lay_cable, 3.0),
        "book": (_book, 4.5),
        "toy": (_toy, 1.5),
        "pet": (_pet, 4.0),
        "paper": (_flat(prints.paper, 5.0), 3.5),
        "note": (_flat(prints.note, 2.9), 2.2),
        "calendar": (_flat(prints.calendar, 6.0), 4.0),
        "cards": (_cards, 3.0),
        "dominoes": (_dominoes, 2.5),
        "dice": (_dice, 1.5),
        "keyboard": (_keyboard, 4.5),
        "calculator": (_solid(prints.calculator, 3.2, 0.35, 0.3), 3.0),
        "mahjong": (_mahjong, 2.5),
        "letters": (games.letters, 2.0),
        "number_cards": (games.number_cards, 3.0),
        "discs": (games.discs, 2.0),
        "clock": (games.clock, 2.0),
        "ruler": (games.ruler, 4.0),
        "block": (_plain_block, 2.0),
    }
)
"""Everything that may lie about: how to put it, and about how far it reaches, tile widths."""

HARD_NEGATIVES = (
    "dominoes",
    "dice",
    "keyboard",
    "calendar",
    "cards",
    "paper",
    "block",
    "button",
    "note",
    "mahjong",
    "calculator",
    "letters",
    "number_cards",
    "discs",
    "clock",
    "ruler",
)
"""The things that a finder takes for tiles."""
