"""Small things about a household: keys, pills, sweets, buttons, batteries. Lengths in mm."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from datasets.traced.canvas import BLUE, BOLD, GREEN, RED, WHITE, YELLOW, Canvas, Colour, darker, pick, vary
from datasets.traced.meshes import Material, Mesh, Part, lathe, move, pose, slab, tube
from datasets.traced.noise import noise, to_bytes
from datasets.traced.things_shapes import at, cube6, disc, prism, spread

__all__ = ["batteries", "blister", "buttons", "chocolate", "mosaic_coaster", "numbered_keys", "sugar"]

Rng = np.random.Generator


def numbered_keys(rng: Rng) -> list[Part]:
    """Keys on a ring with a numbered fob of plastic or brass."""
    steel = Material(pick(rng, ((190, 190, 194), (204, 176, 110))), 0.25, metallic=1.0)
    a = np.linspace(0, 2 * np.pi, 30)
    out = [Part(tube(np.column_stack([13 * np.cos(a), 13 * np.sin(a), 0 * a + 3.2]), 0.9), steel)]
    for angle in rng.uniform(1.2, 5.0, int(rng.integers(1, 3))):
        m = pose(0, 0, 0, float(angle))
        teeth = [
            (0, -3.5),
            *[p for k in range(5) for p in ((5 + 5 * k, -3.5), (7 + 5 * k, -1.2 - rng.uniform(0, 1.5)))],
            (32, 0),
            (29, 3),
            (0, 3.5),
        ]
        blade = prism([(x - 16, y) for x, y in teeth], 2.2, 0.2)
        out.append(Part(move(blade, m @ pose(44, 0, 0.6)), steel))
        out.append(Part(move(disc(11.5, 2.4, 0.5), m @ pose(21, 0, 0.5)), steel))
    brass = rng.random() < 0.4
    tone = (205, 170, 90) if brass else pick(rng, (RED, BLUE, GREEN, YELLOW, WHITE, (140, 90, 50)))
    ink = (50, 40, 30) if brass or sum(tone) > 430 else WHITE
    rx, ry = pick(rng, ((18, 18), (17, 26), (14, 21)))
    c = Canvas(2 * rx, 2 * ry, tone, 9)
    if rng.random() < 0.5:
        c.oval(rx, ry, rx * 0.86, ry * 0.86, line=ink, width=0.6)
    c.text(
        pick(rng, [*map(str, range(1, 14)), "101", "24", "207", "18"]), rx, ry, rx * 0.85, ink, pick(rng, BOLD)
    )
    out.append(
        Part(
            move(disc(rx, 3.0, 0.6, ry=ry), pose(0, 13 + ry - 3, 0)),
            Material(c.array(), 0.3, metallic=0.9 if brass else 0.0),
        )
    )
    return out


def blister(rng: Rng) -> list[Part]:
    """A pack of pills, some of them pressed out, numbered or with weekdays."""
    nx, ny = int(rng.integers(4, 8)), 2
    pitch = rng.uniform(12, 16)
    w, h = nx * pitch + 6, ny * pitch + 9
    r, tone = pitch * 0.32, pick(rng, (WHITE, (240, 220, 120), (230, 150, 150), (120, 170, 210)))
    c = Canvas(w, h, (196, 198, 202), 8)
    for i in range(nx):
        c.text(
            pick(rng, ("MO", "DI", "MI", "DO", "FR")) if rng.random() < 0.3 else str(i + 1),
            3 + pitch * (i + 0.5),
            h / 2,
            4,
            (60, 70, 120),
        )
    out = [Part(move(slab(w, h, 0.5, 4, 0.15), pose(0, 0)), Material(c.array(), 0.3, metallic=0.7))]
    a = np.linspace(0, np.pi / 2, 8)
    dome = lathe([(float(r * np.cos(t)) + 1e-3, float(3.5 * np.sin(t))) for t in a], 28)
    for i in range(nx):
        for j in range(ny):
            here = move(dome, pose(-w / 2 + 3 + pitch * (i + 0.5), (j * 2 - 1) * (pitch * 0.5 + 1.5), 0.5))
            empty = rng.random() < 0.3
            out.append(Part(here, Material((150, 152, 156) if empty else tone, 0.12)))
    return out


def chocolate(rng: Rng) -> list[Part]:
    """Chocolate, in one piece or broken."""
    tone = pick(rng, ((70, 38, 22), (110, 64, 36), (238, 220, 180)))
    w, h, out = rng.uniform(20, 30), rng.uniform(20, 36), []
    brown = vary(rng, tone, 6)
    m = Material(brown, 0.3)
    letter = rng.random() < 0.5
    if rng.random() < 0.5:
        nx, ny = int(rng.integers(2, 5)), int(rng.integers(1, 5))
        out.append(Part(slab(nx * w, ny * h, 4, 1, 0.3), m))
        places = [((i - (nx - 1) / 2) * w, (j - (ny - 1) / 2) * h, 0.0) for i in range(nx) for j in range(ny)]
        z = 3.0
    else:
        places, z = spread(rng, [(w, h)] * int(rng.integers(2, 7)), False), 0.0
    for p in places:
        material = m
        if letter:
            c = Canvas(w, h, brown, 8)
            c.text("CHOC", w / 2, h / 2, w * 0.24, darker(brown, 0.75), "lato-900", 30)
            material = Material(c.array(), 0.3)
        out.append(Part(move(slab(w - 1.5, h - 1.5, 6, 1, 2.4), at(p, z)), material))
    return out


def sugar(rng: Rng) -> list[Part]:
    """Lumps of sugar."""
    w, d = rng.uniform(14, 18), rng.uniform(9, 12)
    tone = pick(rng, ((246, 246, 244), (246, 246, 244), (190, 140, 80)))
    grain = to_bytes(np.array(tone) * (1 + 0.03 * noise(rng, (96, 96), 0.1))[..., None])
    return [
        Part(move(cube6(w, w * 1.15, d, 0.8), at(p)), Material(grain, 0.8))
        for p in spread(rng, [(w, w * 1.15)] * int(rng.integers(2, 9)), None, 2)
    ]


def buttons(rng: Rng) -> list[Part]:
    """Buttons with two or four holes."""
    out, r0 = [], rng.uniform(6, 14)
    for p in spread(rng, [(2.2 * r0, 2.2 * r0)] * int(rng.integers(3, 12)), False, 1):
        r = r0 * rng.uniform(0.7, 1.1)
        tone = vary(
            rng,
            pick(rng, (WHITE, (236, 222, 190), RED, BLUE, (90, 60, 40), (40, 40, 42), (120, 170, 150), YELLOW)),
            6,
        )
        c = Canvas(2 * r, 2 * r, tone, 10)
        c.oval(r, r, r * 0.72, fill=darker(tone, 0.92), line=darker(tone, 0.75), width=0.4)
        q = r * 0.22
        holes = ((-q, -q), (q, -q), (-q, q), (q, q)) if rng.random() < 0.6 else ((-q, 0), (q, 0))
        for x, y in holes:
            c.oval(r + x, r + y, r * 0.12, fill=(30, 28, 26))
        out.append(Part(move(disc(r, 2.8, 0.9), at(p)), Material(c.array(), 0.2)))
    return out


def mosaic_coaster(rng: Rng) -> list[Part]:
    """A coaster of tesserae, of shell discs or with a house number in mosaic."""
    r, n = rng.uniform(44, 58), int(rng.integers(6, 12))
    square = rng.random() < 0.5
    c = Canvas(2 * r, 2 * r, (150, 146, 140), 7)
    tones: list[Colour] = []
    for _ in range(4):
        red, green, blue = (int(v) for v in rng.integers(60, 250, 3))
        tones.append((red, green, blue))
    tones.append((246, 240, 228))
    step = 2 * r / n
    for i in range(n):
        for j in range(n):
            c.rect(
                i * step + 0.5,
                j * step + 0.5,
                (i + 1) * step - 0.5,
                (j + 1) * step - 0.5,
                vary(rng, pick(rng, tones), 10),
                r=0.8,
            )
    m = Material(c.array(), 0.2)
    return [Part(slab(2 * r, 2 * r, 5, 3, 0.8) if square else disc(r, 5, 0.8), m)]


def batteries(rng: Rng) -> list[Part]:
    """Round batteries."""
    r, long = pick(rng, ((7.0, 50.0), (5.2, 44.0)))
    out = []
    tone = pick(rng, ((200, 150, 60), (40, 42, 46), (30, 110, 70), (190, 40, 40)))
    body = [
        (0.01, 0),
        (r * 0.9, 0),
        (r, 0.8),
        (r, 2),
        (r, long - 3),
        (r, long - 1),
        (r * 0.9, long),
        (r * 0.4, long),
        (r * 0.38, long + 1.6),
        (0.01, long + 1.7),
    ]
    c = Canvas(2 * np.pi * r, long, tone, 6)
    c.rect(0, 0, 2 * np.pi * r, long * 0.2, (30, 30, 32))
    c.text("AA 1.5V" if r > 6 else "AAA", np.pi * r * 0.7, long * 0.6, 6, WHITE, "lato-900", 90)
    c.text("LR6 07-2031", np.pi * r * 1.5, long * 0.55, 4, WHITE, "lato-700", 90)
    line = np.array(body)
    fine = np.concatenate([np.linspace(a, b, 5, endpoint=False) for a, b in pairwise(line)] + [line[-1:]])
    mesh = lathe([(float(a), float(b)) for a, b in fine], 32)
    u = mesh.uv.copy()
    u[:, 1] = np.clip(mesh.points[:, 2] / long, 0.002, 0.998)
    mesh = Mesh(mesh.points, mesh.normals, u, mesh.faces)
    for p in spread(rng, [(long + 2, 2 * r)] * int(rng.integers(1, 5)), None):
        spin = pose(0, 0, 0, rng.uniform(0, 6.28))
        lie = np.array([[0, 0, 1, -long / 2], [1, 0, 0, 0], [0, 1, 0, r], [0, 0, 0, 1.0]])
        out.append(Part(move(mesh, at(p) @ lie @ spin), Material(c.array(), 0.25, metallic=0.2)))
    return out
