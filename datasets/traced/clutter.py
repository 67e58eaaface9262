"""Things that lie about: mugs, glasses, fruit, pens, coins, keys, hands, printed things. Lengths in mm."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from datasets.traced.meshes import Floats, Material, Mesh, Part, blob, lathe, move, pose, slab, tube
from datasets.traced.noise import mix, noise, to_bytes
from datasets.traced.prints import PRINTS, picture

__all__ = ["LOOKALIKES", "THINGS", "make_hand", "make_thing"]

Rng = np.random.Generator

THINGS: Final = (
    "mug",
    "mug",
    "glass",
    "bowl",
    "plate",
    "fruit",
    "fruit",
    "nuts",
    "coins",
    "keys",
    "pen",
    "pen",
    "pad",
    "pad",
    "phone",
    "receipt",
    "box",
    "card",
    "card",
    "die",
    "coaster",
    "remote",
    "paper",
    "spectacles",
    "bottle",
    "domino",
)
"""What lies beside tiles, the commoner ones more often."""

LOOKALIKES: Final = (
    "card",
    "card",
    "domino",
    "domino",
    "die",
    "letter",
    "calendar",
    "keyboard",
    "box",
    "phone",
    "remote",
    "ruler",
    "crossword",
    "pad",
    "receipt",
    "coins",
)
"""What may be taken for a tile."""

_PAINTS: Final = (
    (236, 234, 228),
    (40, 60, 110),
    (170, 40, 40),
    (60, 110, 80),
    (230, 180, 60),
    (60, 60, 64),
    (190, 150, 170),
)


def _paint(rng: Rng, rough: float = 0.15) -> Material:
    red, green, blue = _PAINTS[rng.integers(len(_PAINTS))]
    return Material((red, green, blue), rough)


def _wall(radius: float, high: float, thick: float, foot: float) -> list[tuple[float, float]]:
    """Profile of an open vessel: up the outside, down the inside."""
    outside = [
        (0.0, 0.0),
        (foot * 0.97, 0.0),
        (foot, 1.5),
        (foot + (radius - foot) * 0.6, high * 0.4),
        (radius, high - 1),
    ]
    return [
        *outside,
        (radius - thick / 2, high),
        (radius - thick, high - 1),
        (foot + (radius - foot) * 0.6 - thick, high * 0.4),
        (foot - thick, thick + 1),
        (0.0, thick),
    ]


def _sharp(profile: list[tuple[float, float]], steps: int = 5) -> Mesh:
    """A lathed body whose profile is divided so that smooth shading keeps its edges."""
    line = np.array(profile)
    fine = np.concatenate([np.linspace(a, b, steps, endpoint=False) for a, b in pairwise(line)] + [line[-1:]])
    return lathe([(float(r), float(z)) for r, z in fine])


def _flat(kind: str, rng: Rng) -> list[Part]:
    """Something printed on top."""
    width, height, thick = PRINTS[kind]
    parts = []
    count = {
        "card": int(rng.integers(1, 8)),
        "domino": int(rng.integers(1, 7)),
        "die": int(rng.integers(1, 5)),
        "letter": int(rng.integers(2, 9)),
    }
    tidy = rng.random() < 0.5
    for i in range(count.get(kind, 1)):
        corner, bevel = {
            "card": (4, 0.2),
            "die": (3, 1.6),
            "phone": (9, 1.2),
            "remote": (6, 3),
            "domino": (2, 0.7),
        }.get(kind, (1, 0.3))
        rough = {"phone": 0.06, "paper": 0.8, "receipt": 0.7, "pad": 0.8}.get(kind, 0.3)
        mesh = slab(width, height, thick, corner, bevel)
        pitch = width * (1.06 if kind != "card" else 0.5)
        x, y = (
            (i * pitch, rng.normal(0, 1.5))
            if tidy
            else rng.normal(0, pitch * 0.9, 2) * (i > 0)
            if kind == "card"
            else (i * pitch * 1.5, rng.normal(0, 25))
        )
        turn = rng.normal(0, 0.03 if tidy else 0.5)
        parts.append(
            Part(
                move(mesh, pose(x, y, i * 0.65 if kind == "card" else 0, turn)),
                Material(picture(kind, rng), rough),
            )
        )
    if kind == "pad":
        parts += [
            Part(
                move(p.mesh, pose(rng.uniform(-20, 20), rng.uniform(-30, 30), thick, rng.uniform(0, 6))),
                p.material,
            )
            for p in make_thing("pen", rng)
        ]
    return parts


def make_thing(kind: str, rng: Rng) -> list[Part]:
    """Return a thing that stands on z = 0 about x = y = 0."""
    if kind in PRINTS:
        return _flat(kind, rng)
    if kind == "mug":
        radius, high, coat = rng.uniform(36, 46), rng.uniform(80, 105), _paint(rng)
        arc = np.linspace(-1.75, 1.75, 20)
        path = np.column_stack([radius - 3 + 27 * np.cos(arc), 0 * arc, high * 0.5 + 30 * np.sin(arc)])
        drink = Material(((44, 24, 12), (120, 74, 40), (150, 90, 30))[rng.integers(3)], 0.06)
        return [
            Part(_sharp(_wall(radius, high, 4, radius * 0.9)), coat),
            Part(tube(path, 5), coat),
            Part(
                move(
                    _sharp([(0.01, 0), (radius - 4, 0), (radius - 4, 0.5), (0.01, 0.6)]),
                    pose(0, 0, high * 0.75),
                ),
                drink,
            ),
        ]
    if kind == "glass":
        radius = rng.uniform(30, 38)
        drink = Material(((200, 120, 30), (180, 30, 50), (210, 190, 120))[rng.integers(3)], 0.05)
        return [
            Part(
                _sharp(_wall(radius, rng.uniform(90, 140), 2.5, radius * 0.8)),
                Material((255, 255, 255), glass=True),
            ),
            Part(_sharp([(0.01, 4), (radius * 0.76, 4), (radius * 0.82, 50), (0.01, 50.5)]), drink),
        ]
    if kind == "bottle":
        hull = [
            (0, 0),
            (34, 0),
            (36, 3),
            (36, 130),
            (30, 155),
            (14, 185),
            (13, 215),
            (15, 216),
            (15, 232),
            (0, 233),
        ]
        return [
            Part(
                _sharp([(float(a), float(b)) for a, b in hull]),
                Material(((30, 70, 40), (90, 50, 20), (190, 30, 30))[rng.integers(3)], 0.05),
            )
        ]
    if kind in ("bowl", "plate"):
        radius = rng.uniform(60, 85) if kind == "bowl" else rng.uniform(75, 115)
        parts = [
            Part(_sharp(_wall(radius, 50 if kind == "bowl" else 15, 3.5, radius * 0.5)), _paint(rng, 0.12))
        ]
        high = 12 if kind == "bowl" else 6
        return parts + [Part(move(p.mesh, pose(0, 0, high)), p.material) for p in make_thing("nuts", rng)]
    if kind == "fruit":
        radius, squash = rng.uniform(31, 42), rng.uniform(0.85, 0.98)
        angle = np.linspace(-np.pi / 2, np.pi / 2, 24)
        dent = 1 - 0.28 * np.exp(-((np.abs(angle) - np.pi / 2) ** 2) / 0.08)
        body = lathe(
            [
                (float(max(radius * np.cos(a), 0.01)), float(radius * squash * (1 + np.sin(a) * d)))
                for a, d in zip(angle, dent, strict=True)
            ]
        )
        skins = (
            ((190, 30, 30), (220, 170, 60)),
            ((110, 160, 40), (190, 190, 70)),
            ((240, 140, 20), (245, 160, 40)),
            ((220, 200, 60), (235, 210, 80)),
        )
        first, second = skins[rng.integers(len(skins))]
        skin = Material(to_bytes(mix(first, second, 0.4 + 0.3 * noise(rng, (128, 128), 1.6))), 0.25)
        stem = np.array(
            [[0, 0, radius * squash * 1.6], [1, 1, radius * squash * 1.9], [4, 2, radius * squash * 2.08]],
            float,
        )
        return [Part(body, skin), Part(tube(stem, 1.5), Material((70, 46, 24), 0.7))]
    if kind == "nuts":
        tone = Material(((190, 130, 70), (120, 70, 36), (230, 190, 90), (160, 30, 40))[rng.integers(4)], 0.5)
        out = []
        for _ in range(int(rng.integers(6, 22))):
            a = np.linspace(-np.pi / 2, np.pi / 2, 9)
            r = rng.uniform(6, 9)
            nut = lathe([(float(max(r * np.cos(t), 0.01)), float(r * 0.8 * (1 + np.sin(t)))) for t in a], 14)
            out.append(Part(move(nut, pose(*rng.normal(0, 17, 2))), tone))
        return out
    if kind == "coins":
        out = []
        for _ in range(int(rng.integers(2, 8))):
            radius = float(rng.choice([9, 10, 11.5, 13]))
            metal = Material(
                ((200, 170, 90), (190, 190, 192), (170, 100, 60))[rng.integers(3)], 0.3, metallic=1.0
            )
            rim = [
                (0, 0),
                (radius, 0),
                (radius, 2),
                (radius - 1, 2),
                (radius - 1.4, 1.7),
                (radius * 0.5, 1.7),
                (radius * 0.45, 1.9),
                (0, 1.9),
            ]
            out.append(
                Part(move(_sharp([(float(a), float(b)) for a, b in rim]), pose(*rng.normal(0, 24, 2))), metal)
            )
        return out
    if kind == "keys":
        metal = Material((186, 186, 190), 0.25, metallic=1.0)
        turn = np.linspace(0, 2 * np.pi, 24)
        out = [Part(tube(np.column_stack([14 * np.cos(turn), 14 * np.sin(turn), 0 * turn + 2]), 1), metal)]
        for angle in rng.uniform(0, 6, 3):
            c, s = np.cos(angle), np.sin(angle)
            out += [
                Part(move(slab(24, 22, 2, 8, 0.4), pose(25 * c, 25 * s, 1, angle)), metal),
                Part(move(slab(34, 7, 2, 1, 0.4), pose(50 * c, 50 * s, 1, angle)), metal),
            ]
        return out
    if kind == "spectacles":
        turn, frame = np.linspace(0, 2 * np.pi, 28), _paint(rng)
        out = [
            Part(tube(np.column_stack([x + 25 * np.cos(turn), 0 * turn, 22 + 19 * np.sin(turn)]), 1.6), frame)
            for x in (-33, 33)
        ]
        for x in (-58.0, 58.0):
            out.append(
                Part(
                    tube(np.array([[x, 0, 28], [x, 60, 22], [x * 0.98, 120, 16], [x * 0.95, 140, 2]]), 1.8),
                    frame,
                )
            )
        return [*out, Part(tube(np.array([[-9.0, 0, 26], [0, -1, 29], [9, 0, 26]]), 1.6), frame)]
    length, ends = 142.0, _paint(rng, 0.2)
    shaft = [(0.01, 0), (1.2, 2), (4.2, 14), (4.4, 15), (4.4, length - 12), (4.2, length - 2), (0.01, length)]
    turned = pose(0, 0, 4.5, rng.uniform(0, 6.28), np.pi / 2)
    return [Part(move(_sharp(shaft), turned @ pose(0, 0, -length / 2)), ends)]


def make_hand(rng: Rng) -> list[Part]:
    """Return a hand and a forearm that come from -y and point at x = y = 0, the palm down."""
    spread = rng.uniform(0.6, 1.2)

    def at(x: float, y: float, z: float) -> Floats:
        return np.array([x, y, z])

    bones: list[tuple[Floats, Floats, float, float]] = [
        (at(0, -330, 52), at(0, -130, 38), 38, 24),
        (at(-16, -108, 30), at(-22, -62, 34), 15, 14),
        (at(14, -108, 30), at(22, -64, 32), 16, 13),
    ]
    for i, (x, reach) in enumerate(((-30, -8), (-11, 0), (9, -4), (27, -22))):
        knuckle, mid = at(x, -62, 36), at(x * (1 + 0.25 * spread), -30 + reach * 0.5, 33)
        bones += [
            (knuckle, mid, 9.5, 8.5),
            (mid, at(x * (1 + 0.4 * spread), reach, 10 + (i == 3) * 4), 8.5, 6.5),
        ]
    bones += [
        (at(-28, -100, 30), at(-52, -68, 24), 12, 10),
        (at(-52, -68, 24), at(-58 + 8 * spread, -42, 12), 10, 8),
    ]
    mesh = blob(bones, 3.5)
    if rng.random() < 0.5:
        mesh = Mesh(mesh.points * (-1, 1, 1), mesh.normals * (-1, 1, 1), mesh.uv, mesh.faces[:, ::-1])
    tone = ((226, 178, 150), (204, 150, 118), (150, 100, 72), (96, 62, 46), (236, 196, 174))[rng.integers(5)]
    parts = [Part(mesh, Material(tone, 0.5, None, 0.3))]
    if rng.random() < 0.6:
        sleeve = [(47.0, 0.0), (46, 60), (44, 120), (43, 122), (41, 118), (42, 0)]
        place = pose(0, -330, 54, 0, -np.pi / 2)
        parts.append(Part(move(_sharp(sleeve), place), _paint(rng, 0.9)))
    return parts
