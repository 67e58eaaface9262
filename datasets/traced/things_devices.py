"""Things with keys, dials and scales. Lengths in mm."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from datasets.traced.canvas import BLACK, BLUE, BOLD, GREEN, RED, WHITE, YELLOW, Canvas, Colour, pick, vary
from datasets.traced.meshes import Floats, Material, Mesh, Part, move, pose, slab
from datasets.traced.things_shapes import cube6, disc, leaf

__all__ = ["calculator", "handset", "keycaps", "kitchen_timer", "measuring", "watch"]

Rng = np.random.Generator


Grid = Sequence[Sequence[tuple[str | None, Colour, Colour]]]
"""Rows of keys: label, body, ink."""


def _arched(x: Floats, y: Floats) -> Floats:
    """The height of a steel tape."""
    return np.asarray(1.5 - 0.02 * y * y)


def _wavy(x: Floats, y: Floats) -> Floats:
    """The height of a soft tape."""
    return np.asarray(0.9 + 0.7 * np.sin(x / 30))


def _keys(
    parts: list[Part],
    grid: Grid,
    first: tuple[float, float],
    pitch: tuple[float, float],
    size: tuple[float, float],
    z: float,
    high: float,
    corner: float = 1.6,
) -> None:
    """Raised keys, rows going down from the ``first`` one's middle; no key where the label is None."""
    kw, kh = size
    flat = [
        (key, first[0] + i * pitch[0], first[1] - j * pitch[1])
        for j, row in enumerate(grid)
        for i, key in enumerate(row)
    ]
    for (label, body, ink), x, y in flat:
        if label is None:
            continue
        c = Canvas(kw, kh, body, 10)
        if label:
            c.text(label, kw / 2, kh / 2, kh * (0.62 if len(label) < 2 else 0.42), ink, "lato-700")
        parts.append(Part(move(slab(kw, kh, high, corner, 0.6), pose(x, y, z)), Material(c.array(), 0.4)))


def _lcd(rng: Rng, w: float, h: float, text: str, dark: bool = False) -> Material:
    """A display that shows ``text``, dark on light or, ``dark``, red on black."""
    base, ink = ((20, 24, 22), (250, 70, 50)) if dark else (vary(rng, (176, 190, 170), 8), (34, 40, 38))
    c = Canvas(w, h, base, 10)
    size = min(h * 0.62, w / (len(text) * 0.86))
    c.seven(text, w - len(text) * size * 0.78 - 1.5, h / 2, size, ink)
    return Material(c.array(), 0.1)


def calculator(rng: Rng) -> list[Part]:
    """A pocket calculator with raised keys."""
    w = rng.uniform(62, 100)
    h = w * rng.uniform(1.45, 1.7)
    body = pick(rng, ((40, 42, 46), (212, 214, 216), (236, 232, 222), (120, 150, 180), (226, 160, 170)))
    parts = [Part(slab(w, h, 9, 6, 2), Material(vary(rng, body, 4), 0.4))]
    parts.append(
        Part(
            move(slab(w * 0.86, h * 0.17, 0.6, 1.5, 0.2), pose(0, h * 0.36, 8.8)),
            _lcd(rng, w * 0.86, h * 0.17, pick(rng, ("0", "12.5", "137", "1024", "88.90", "4711", "365"))),
        )
    )
    dark = rng.random() < 0.5
    num = ((60, 62, 66), WHITE) if dark else (WHITE, BLACK)
    op = pick(rng, (((230, 120, 40), WHITE), ((120, 124, 130), WHITE), ((190, 40, 50), WHITE)))
    rows = ["CM%/", "789*", "456-", "123+", "0.=+"]
    grid: Grid = [
        [({"*": "x", "/": ":"}.get(s, s), *(num if s in "0123456789." else op)) for s in row] for row in rows
    ]
    _keys(parts, grid, (-w * 0.33, h * 0.17), (w * 0.22, h * 0.135), (w * 0.18, h * 0.095), 8.8, 2.4)
    return parts


def handset(rng: Rng) -> list[Part]:
    """A cordless telephone or a push-button remote control."""
    phone = rng.random() < 0.5
    w, h = rng.uniform(44, 52), rng.uniform(140, 185)
    body = pick(rng, ((34, 34, 36), (206, 208, 210), (240, 238, 232), (60, 70, 90)))
    key, ink = pick(rng, (((246, 246, 246), BLACK), ((70, 70, 74), WHITE), ((24, 24, 26), WHITE)))
    parts = [Part(slab(w, h, 18, 10, 5), Material(body, 0.35))]
    top = h * 0.32
    if phone:
        parts.append(
            Part(
                move(slab(w * 0.76, h * 0.2, 0.6, 2, 0.2), pose(0, h * 0.3, 17.8)),
                _lcd(rng, w * 0.76, h * 0.2, f"{rng.integers(10, 24)}:{rng.integers(10, 60)}"),
            )
        )
        top = h * 0.1
    else:
        _keys(
            parts,
            [[("", RED, WHITE), (None, key, ink), ("", key, ink)]],
            (-w * 0.3, h * 0.42),
            (w * 0.3, 9),
            (w * 0.2, 6),
            17.8,
            1.6,
            2.9,
        )
    rows = ["123", "456", "789", "*0#" if phone else "-0+"]
    _keys(
        parts,
        [[(s, key, ink) for s in row] for row in rows],
        (-w * 0.29, top),
        (w * 0.29, h * 0.085),
        (w * 0.22, h * 0.058),
        17.8,
        1.8,
        pick(rng, (1.5, 4.5)),
    )
    if not phone:
        _keys(
            parts,
            [[("", t, WHITE) for t in (RED, GREEN, YELLOW, BLUE)]],
            (-w * 0.33, -h * 0.12),
            (w * 0.22, 9),
            (w * 0.16, 5),
            17.8,
            1.6,
        )
        parts.append(Part(move(disc(w * 0.3, 1.6, 0.5), pose(0, -h * 0.29, 17.8)), Material(key, 0.3)))
        parts.append(Part(move(disc(w * 0.12, 2.4, 0.5), pose(0, -h * 0.29, 17.8)), Material(body, 0.3)))
    return parts


def kitchen_timer(rng: Rng) -> list[Part]:
    """A wind-up dial, a digital timer or a thermometer with a display."""
    if rng.random() < 0.4:
        r = rng.uniform(28, 36)
        body = pick(rng, (WHITE, RED, (90, 170, 160), YELLOW, (190, 192, 194)))
        c = Canvas(2 * r, 2 * r, body, 7)
        ink = BLACK if sum(body) > 380 else WHITE
        for k in range(60):
            a = k * np.pi / 30
            q = 0.82 if k % 5 else 0.76
            c.line(
                [
                    (r + r * 0.9 * np.sin(a), r - r * 0.9 * np.cos(a)),
                    (r + r * q * np.sin(a), r - r * q * np.cos(a)),
                ],
                ink,
                0.4,
            )
            if k % 5 == 0:
                c.text(str(k), r + r * 0.6 * np.sin(a), r - r * 0.6 * np.cos(a), r * 0.2, ink, "lato-900")
        turn = rng.uniform(0, 6.28)
        return [
            Part(disc(r * 1.1, 9, 2), Material(vary(rng, pick(rng, (WHITE, (60, 60, 62), body)), 3), 0.3)),
            Part(move(disc(r, 11, 3), pose(0, 0, 9, turn)), Material(c.array(), 0.3)),
            Part(move(slab(r * 0.16, r * 1.1, 7, 2, 1), pose(0, 0, 20, turn)), Material(body, 0.3)),
        ]
    w, h = rng.uniform(58, 80), rng.uniform(48, 70)
    body = pick(rng, (WHITE, (60, 62, 66), RED, (150, 200, 190), (200, 202, 204)))
    parts = [Part(slab(w, h, 14, 6, 2), Material(body, 0.35))]
    text = pick(
        rng,
        (
            f"{rng.integers(0, 60):02}:{rng.integers(0, 60):02}",
            f"{rng.uniform(15, 30):.1f}",
            f"{rng.integers(1, 14)}",
            f"{rng.integers(10, 99)}",
        ),
    )
    parts.append(
        Part(
            move(slab(w * 0.84, h * 0.46, 0.8, 2, 0.2), pose(0, h * 0.17, 13.7)),
            _lcd(rng, w * 0.84, h * 0.46, text, rng.random() < 0.2),
        )
    )
    ink = WHITE if sum(body) < 380 else BLACK
    _keys(
        parts,
        [[(s, vary(rng, pick(rng, ((120, 124, 130), WHITE, body)), 3), ink) for s in ("M", "S", "ON")]],
        (-w * 0.29, -h * 0.27),
        (w * 0.29, 10),
        (w * 0.22, h * 0.2),
        13.7,
        2,
    )
    return parts


def keycaps(rng: Rng) -> list[Part]:
    """A numeric keypad of a computer."""
    p = 19.0
    body, cap, ink = pick(
        rng,
        (
            ((40, 42, 46), (70, 72, 76), WHITE),
            ((214, 212, 204), (240, 238, 230), BLACK),
            ((226, 226, 228), WHITE, (60, 60, 64)),
        ),
    )
    parts = [Part(slab(4 * p + 8, 5 * p + 8, 10, 4, 2), Material(body, 0.4))]
    grid: Grid = [
        [(s, cap, ink) for s in row] for row in (("Nm", "/", "*", "-"), "789+", "456+", "123=", "00.=")
    ]
    _keys(parts, grid, (-1.5 * p, 2 * p), (p, p), (16, 16), 9.5, 5, 2)
    return parts


def watch(rng: Rng) -> list[Part]:
    """A wrist watch on its strap, or a bedside clock's dial lying on its back."""
    r = rng.uniform(16, 22) if rng.random() < 0.7 else rng.uniform(34, 48)
    face = pick(rng, (WHITE, BLACK, (240, 228, 196), (30, 50, 90)))
    ink = WHITE if sum(face) < 380 else BLACK
    c = Canvas(2 * r, 2 * r, face, 9)
    name = pick(rng, BOLD)
    for k in range(1, 13):
        a = k * np.pi / 6
        c.text(str(k), r + r * 0.74 * np.sin(a), r - r * 0.74 * np.cos(a), r * 0.26, ink, name)
    for a, long, w in ((rng.uniform(0, 6.28), 0.45, 0.08), (rng.uniform(0, 6.28), 0.66, 0.05)):
        c.line(
            [(r, r), (r + long * r * np.sin(a), r - long * r * np.cos(a))],
            ink if rng.random() < 0.7 else RED,
            w * r,
        )
    steel = Material(pick(rng, ((196, 196, 200), (210, 176, 100))), 0.2, metallic=1.0)
    out = [
        Part(disc(r * 1.12, 8, 1.5), steel),
        Part(move(disc(r, 0.6, 0.2), pose(0, 0, 7.8)), Material(c.array(), 0.08)),
    ]
    if r < 25:
        strap = Material(pick(rng, ((80, 50, 30), (30, 30, 32), (150, 100, 60), (40, 60, 100))), 0.6)
        for side in (-1, 1):
            out.append(Part(move(slab(r * 0.95, 90, 3, 4, 0.8), pose(0, side * (r + 43), 1)), strap))
    return out


def measuring(rng: Rng) -> list[Part]:
    """A steel tape drawn out of its case, a folding rule or a tailor's tape."""
    kind = pick(rng, ("steel", "fold", "tailor"))
    tone = pick(rng, ((250, 214, 40), (246, 244, 236), (244, 240, 220)))
    length = rng.uniform(120, 260)

    def strip(long: float, w: float, first: int) -> Material:
        c = Canvas(long, w, tone, 7)
        for mm in range(2, int(long)):
            c.line([(mm, 0), (mm, w * (0.5 if mm % 10 == 2 else 0.36 if mm % 5 == 2 else 0.22))], BLACK, 0.2)
            if mm % 10 == 2 and mm > 4:
                n = first + mm // 10
                c.text(str(n), mm, w * 0.72, w * 0.4, RED if n % 10 == 0 else BLACK, "lato-900")
        return Material(c.array(), 0.35)

    if kind == "fold":
        out, x, y, turn = [], 0.0, 0.0, 0.0
        long = 118.0
        for i in range(int(rng.integers(2, 5))):
            m = pose(x, y, 3.2 * (i % 2), turn) @ pose(long / 2, 0)
            out.append(Part(move(slab(long + 12, 16, 3.2, 3, 0.4), m), strip(long + 12, 16, i * 12)))
            x, y = x + long * np.cos(turn), y + long * np.sin(turn)
            turn += float(rng.choice([-1, 1])) * rng.uniform(0.5, 1.8)
        return out
    w = 16.0 if kind == "steel" else 19.0
    bend = 0.0 if kind == "steel" else rng.uniform(-0.0025, 0.0025)
    mesh = leaf(length, w, _arched if kind == "steel" else _wavy, 40)
    if bend:
        p = mesh.points.copy()
        a = p[:, 0] * bend
        p[:, 0], p[:, 1] = (1 / bend - p[:, 1]) * np.sin(a), 1 / bend - (1 / bend - p[:, 1]) * np.cos(a)
        mesh = Mesh(p, mesh.normals, mesh.uv, mesh.faces)
    out = [Part(mesh, strip(length, w, int(rng.integers(0, 90)) if kind == "tailor" else 0))]
    if kind == "steel":
        out.append(
            Part(
                move(cube6(55, 55, 28, 6), pose(length / 2 + 26, 18)),
                Material(pick(rng, (RED, YELLOW, (50, 54, 60))), 0.35),
            )
        )
    return out
