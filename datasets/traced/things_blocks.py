"""Dice, bricks, blocks and tiles of other games. Lengths in mm."""

from __future__ import annotations

import numpy as np

from datasets.traced.canvas import (
    BLACK,
    BLUE,
    BOLD,
    GREEN,
    INKS,
    RED,
    WHITE,
    YELLOW,
    Canvas,
    pick,
    vary,
    wooden,
)
from datasets.traced.meshes import Material, Part, move, pose, slab
from datasets.traced.things_shapes import at, atlas6, cube6, disc, solid, spread

__all__ = ["digit_dice", "mahjong", "number_bricks", "role_dice", "toy_blocks", "toy_bricks"]

Rng = np.random.Generator


def digit_dice(rng: Rng) -> list[Part]:
    """Dice with figures for pips."""
    out, side = [], rng.uniform(14, 22)
    body, ink = pick(
        rng,
        (
            (WHITE, BLACK),
            (WHITE, RED),
            (RED, WHITE),
            (BLUE, WHITE),
            (BLACK, WHITE),
            ((238, 226, 196), BLUE),
            ((214, 176, 124), BLACK),
        ),
    )
    name = pick(rng, BOLD)
    for place in spread(rng, [(side, side)] * int(rng.integers(1, 6)), False, 6):
        cells = []
        for n in rng.permutation(6) + (1 if rng.random() < 0.8 else 7):
            c = Canvas(side, side, body, 9)
            c.text(str(n), side / 2, side / 2, side * 0.66, ink, name, float(pick(rng, (0, 90, 180, 270))))
            if n in (6, 9):
                c.rect(side * 0.3, side * 0.84, side * 0.7, side * 0.88, ink)
            cells.append(c.array())
        out.append(Part(move(cube6(side, side, side, side * 0.12), at(place)), Material(atlas6(cells), 0.2)))
    return out


def role_dice(rng: Rng) -> list[Part]:
    """Dice of 8, 10, 12 and 20 faces with figures."""
    g = (1 + 5**0.5) / 2
    bodies = {
        "d8": np.concatenate([np.eye(3), -np.eye(3)]),
        "d10": [(np.cos(np.pi / 5 * k), np.sin(np.pi / 5 * k), 0.10557 * (-1) ** k) for k in range(10)]
        + [(0, 0, 1), (0, 0, -1)],
        "d12": [(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
        + [p for a in (-g, g) for b in (-1 / g, 1 / g) for p in ((0, b, a), (b, a, 0), (a, 0, b))],
        "d20": [p for a in (-1, 1) for b in (-g, g) for p in ((0, a, b), (a, b, 0), (b, 0, a))],
    }
    out = []
    for place in spread(rng, [(22, 22)] * int(rng.integers(2, 6)), False, 4):
        kind = pick(rng, tuple(bodies))
        points = np.array(bodies[kind], float)
        points *= rng.uniform(9.5, 12) / np.linalg.norm(points, axis=1).max()
        mesh, n = solid(points, int(rng.integers(20)))
        tone = vary(rng, pick(rng, (RED, BLUE, BLACK, GREEN, WHITE, (120, 50, 150), YELLOW, (60, 190, 200))), 8)
        ink = WHITE if sum(tone) < 430 else BLACK
        side = int(np.ceil(np.sqrt(n)))
        c = Canvas(side * 20, side * 20, tone, 7)
        for i in range(n):
            size = {"d8": 8.5, "d10": 7.5, "d12": 9, "d20": 7}[kind]
            c.text(
                str(i if kind == "d10" else i + 1),
                20 * (i % side) + 10,
                20 * (i // side) + 10,
                size,
                ink,
                "lato-900",
            )
        out.append(Part(move(mesh, at(place)), Material(c.array(), 0.15)))
    return out


def number_bricks(rng: Rng) -> list[Part]:
    """Wooden bricks with a figure on each half, as dominoes."""
    w = rng.uniform(20, 27)
    h, out = 2 * w, []
    tone = pick(rng, ((214, 176, 124), (236, 214, 172), (170, 116, 70), (244, 240, 228)))
    name = pick(rng, BOLD)
    many = rng.random() < 0.6
    for place in spread(rng, [(w, h)] * int(rng.integers(2, 8))):
        c = wooden(rng, w, h, 8, tone)
        c.rect(2.5, h / 2 - 0.5, w - 2.5, h / 2 + 0.5, (70, 50, 34))
        ink = pick(rng, INKS)
        for half in range(2):
            c.text(
                str(int(rng.integers(0, 13))),
                w / 2,
                h * (0.25 + half / 2),
                w * 0.55,
                pick(rng, INKS) if many else ink,
                name,
            )
        out.append(Part(move(slab(w, h, 8, 1.8, 0.7), at(place)), Material(c.array(), 0.45)))
    return out


def mahjong(rng: Rng) -> list[Part]:
    """Thick two-layered tiles with rings, sticks, strokes or frames."""
    w = rng.uniform(20, 26)
    h, thick, out = w * 1.33, w * 0.72, []
    back = pick(rng, ((40, 120, 74), (206, 160, 92), (40, 84, 160), (230, 140, 40)))
    base, corner = vary(rng, (242, 236, 218), 4), rng.random() < 0.4
    for place in spread(rng, [(w, h)] * int(rng.integers(2, 11))):
        c = Canvas(w, h, base, 10)
        suit, n = pick(rng, ("ring", "stick", "sign", "wind", "box")), int(rng.integers(1, 10))
        if suit == "ring":
            cols = 1 if n == 1 else 2 if n in (2, 4, 6, 8) else 3
            for i in range(n):
                rows = -(-n // cols)
                x, y = w * (i % cols + 0.75) / (cols + 0.5), h * (i // cols + 0.7) / (rows + 0.4)
                r = min(w / cols, h / rows) * (0.3 if n > 1 else 0.36)
                c.oval(x, y, r, fill=pick(rng, ((30, 110, 70), (30, 60, 140), (190, 30, 36))))
                c.oval(x, y, r * 0.62, line=base, width=0.5)
                c.oval(x, y, r * 0.25, fill=base)
        elif suit == "stick":
            for i in range(n):
                cols = min(n, 3) if n != 4 else 2
                rows = -(-n // cols)
                x, y, long = (
                    w * (i % cols + 0.75) / (cols + 0.5),
                    h * (i // cols + 0.75) / (rows + 0.5),
                    h * 0.38 / rows,
                )
                ink = (34, 120, 66) if i % 3 else (190, 34, 36)
                c.line([(x, y - long), (x, y + long)], ink, 1.6)
                for q in (-long, 0, long):
                    c.oval(x, y + q, 1.3, 0.8, fill=ink)
        elif suit in ("sign", "wind"):
            for y0, ink in (
                ((0.3, BLUE), (0.7, RED)) if suit == "sign" else ((0.5, pick(rng, (BLACK, RED, GREEN))),)
            ):
                size = 0.2 if suit == "sign" else 0.3
                for _ in range(int(rng.integers(4, 8))):
                    x, y = w / 2 + rng.normal(0, 0.1) * w, h * y0 + rng.normal(0, size * 0.4) * h
                    if rng.random() < 0.5:
                        c.line([(x - w * size, y + 0.5), (x + w * size, y - 0.8)], ink, 0.9)
                    else:
                        c.line([(x, y - h * size * 0.6), (x + rng.normal(0, 2), y + h * size * 0.5)], ink, 0.9)
        else:
            c.rect(w * 0.2, h * 0.17, w * 0.8, h * 0.83, line=BLUE, width=1.1)
        if corner:
            c.text(
                str(n) if suit not in ("wind", "box") else pick(rng, tuple("NESW")),
                w * 0.14,
                h * 0.12,
                w * 0.22,
                pick(rng, (RED, BLACK)),
                "lato-700",
            )
        layer = thick * 0.42
        x, y, turn = place
        flip = rng.random() < 0.15
        for z, t, pic in ((0, layer, back), (layer, thick - layer, c.array())):
            if flip:
                z, t = thick - z - t, t
            out.append(
                Part(
                    move(slab(w, h, t, 2.2, 0.9 if t > layer else 0.8), pose(x, y, z, turn)),
                    Material(pic if not flip or isinstance(pic, tuple) else base, 0.2),
                )
            )
    return out


def toy_blocks(rng: Rng) -> list[Part]:
    """Children's wooden cubes with framed letters and figures."""
    side, out = rng.uniform(26, 38), []
    for place in spread(rng, [(side, side)] * int(rng.integers(1, 6)), None, 3):
        cells = []
        for _ in range(6):
            c = wooden(rng, side, side, 6)
            ink = pick(rng, INKS)
            filled = rng.random() < 0.3
            c.rect(side * 0.09, side * 0.09, side * 0.91, side * 0.91, ink if filled else None, ink, 1.6, 2)
            c.text(
                pick(rng, "ABCDEFGHJKLMNPRSTZ0123456789"),
                side / 2,
                side / 2,
                side * 0.62,
                WHITE if filled else ink,
                pick(rng, BOLD),
            )
            cells.append(c.array())
        out.append(Part(move(cube6(side, side, side, 1.6), at(place)), Material(atlas6(cells), 0.5)))
    return out


def toy_bricks(rng: Rng) -> list[Part]:
    """Studded building bricks."""
    out, sizes = (
        [],
        [pick(rng, ((2, 4), (2, 2), (2, 3), (1, 4), (4, 4), (1, 2))) for _ in range(int(rng.integers(2, 8)))],
    )
    for (nx, ny), p in zip(sizes, spread(rng, [(8 * a, 8 * b) for a, b in sizes], False, 3), strict=True):
        tone = vary(
            rng,
            pick(
                rng,
                (
                    WHITE,
                    (232, 216, 170),
                    YELLOW,
                    (200, 204, 208),
                    RED,
                    BLUE,
                    (150, 210, 230),
                    (240, 170, 190),
                    (140, 200, 80),
                ),
            ),
            4,
        )
        m, high = Material(tone, 0.18), float(pick(rng, (9.6, 9.6, 3.2)))
        out.append(Part(move(slab(8 * nx - 0.2, 8 * ny - 0.2, high, 0.4, 0.3), at(p)), m))
        for i in range(nx):
            for j in range(ny):
                out.append(
                    Part(
                        move(
                            disc(2.4, 1.7, 0.2, 24),
                            at(p) @ pose(8 * (i - (nx - 1) / 2), 8 * (j - (ny - 1) / 2), high),
                        ),
                        m,
                    )
                )
    return out
