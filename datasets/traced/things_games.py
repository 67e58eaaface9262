"""Games' own things: chips, cards, balls, sliding puzzles. Lengths in mm."""

from __future__ import annotations

import numpy as np

from datasets.traced.canvas import (
    BLACK,
    BLUE,
    BOLD,
    GREEN,
    INKS,
    ORANGE,
    RED,
    WHITE,
    YELLOW,
    Canvas,
    pick,
    vary,
)
from datasets.traced.meshes import Material, Part, move, pose, slab
from datasets.traced.things_shapes import at, ball, disc, spread

__all__ = ["bingo_balls", "colour_cards", "fifteen", "flash_cards", "game_shapes", "poker_chips"]

Rng = np.random.Generator


def poker_chips(rng: Rng) -> list[Part]:
    """Chips with their value, some of them stacked."""
    r, out = rng.uniform(18.5, 20.5), []
    n = int(rng.integers(3, 10))
    for place in spread(rng, [(2 * r, 2 * r)] * n):
        tone = vary(rng, pick(rng, (RED, BLUE, BLACK, GREEN, WHITE, (120, 60, 140), ORANGE)), 5)
        spot = WHITE if sum(tone) < 600 else pick(rng, (BLUE, RED, BLACK))
        c = Canvas(2 * r, 2 * r, tone, 9)
        for k in range(8):
            a = k * np.pi / 4
            c.poly(
                [
                    (r + q * r * np.cos(a + d), r + q * r * np.sin(a + d))
                    for q, d in ((0.76, -0.16), (1.1, -0.16), (1.1, 0.16), (0.76, 0.16))
                ],
                spot,
            )
        middle = pick(rng, (WHITE, tone, (240, 232, 210)))
        c.oval(r, r, r * 0.66, fill=middle, line=spot)
        ink = pick(rng, (BLACK, tone)) if sum(middle) > 600 else WHITE
        if ink == middle:
            ink = BLACK if sum(middle) > 380 else WHITE
        value = pick(rng, ("1", "2", "5", "10", "10", "20", "25", "50", "100", "5"))
        c.text(value, r, r, r * (0.8 if len(value) < 3 else 0.6), ink, pick(rng, BOLD))
        m, high = Material(c.array(), 0.35), 0.0
        for _ in range(int(rng.choice([1, 1, 1, 2, 5]))):
            out.append(
                Part(
                    move(
                        disc(r, 3.2, 0.5),
                        pose(place[0] + rng.normal(0, 0.3), place[1], high, rng.uniform(0, 6.28)),
                    ),
                    m,
                )
            )
            high += 3.2
    return out


def colour_cards(rng: Rng) -> list[Part]:
    """Cards of one colour with a large figure in a slanted oval."""
    w, h, out = 56.0, 87.0, []
    tidy, step = rng.random() < 0.5, rng.uniform(16, 48)
    for i in range(int(rng.integers(1, 8))):
        tone = pick(rng, ((214, 40, 40), (240, 196, 30), (50, 150, 70), (30, 96, 180), (30, 30, 32)))
        value = pick(rng, (*"0123456789", "+2", "10"))
        c = Canvas(w, h, WHITE, 8)
        c.rect(3.5, 3.5, w - 3.5, h - 3.5, tone, r=3)
        c.slanted_oval(w / 2, h / 2, w * 0.35, h * 0.3125, -28, WHITE)
        c.text(value, w / 2, h / 2, 36 if len(value) < 2 else 27, tone, "rubik-700")
        for x, y, turn in ((9.0, 11.0, 0.0), (w - 9, h - 11, 180.0)):
            c.text(value, x, y, 11 if len(value) < 2 else 8, WHITE, "rubik-700", turn)
        x, y = (i * step, rng.normal(0, 1)) if tidy else rng.normal(0, 40, 2) * (i > 0)
        turn = rng.normal(0, 0.03) if tidy else rng.uniform(0, 6.28)
        out.append(
            Part(
                move(slab(w, h, 0.5, 4, 0.15), pose(float(x), float(y), 0.55 * i, float(turn))),
                Material(c.array(), 0.3),
            )
        )
    return out


def bingo_balls(rng: Rng) -> list[Part]:
    """Balls with a number."""
    r, out = rng.uniform(9, 19), []
    wood = rng.random() < 0.3
    for place in spread(rng, [(2 * r, 2 * r)] * int(rng.integers(2, 9)), False, 2):
        tone = (222, 188, 138) if wood else pick(rng, (RED, BLUE, GREEN, YELLOW, ORANGE, WHITE, (120, 60, 150)))
        c = Canvas(40, 40, tone, 8)
        if not wood:
            c.oval(20, 20, 12, fill=(250, 250, 246), line=BLACK, width=0.5)
        value = int(rng.integers(1, 91))
        c.text(
            str(value),
            20,
            20,
            14,
            BLACK if not wood else pick(rng, (RED, BLACK)),
            pick(rng, ("lato-900", "oswald-700", "roboto-slab-900")),
        )
        if value in (6, 9, 66, 68, 86, 89, 98, 99):
            c.rect(15, 27, 25, 28, BLACK)
        tilt = abs(rng.normal(0, 0.5))
        m = pose(place[0], place[1], r, place[2], tilt) @ pose(0, 0, -r)
        out.append(Part(move(ball(r), m), Material(c.array(), 0.15 if not wood else 0.5)))
    return out


def fifteen(rng: Rng) -> list[Part]:
    """The sliding puzzle with fifteen numbered squares."""
    n = int(rng.choice([3, 4, 4, 5]))
    p = rng.uniform(14, 22)
    frame = pick(rng, (RED, BLACK, (120, 76, 44), BLUE))
    side = n * p + 8
    out = [Part(slab(side, side, 3, 3, 0.6), Material(frame, 0.4))]
    for s in range(4):
        m = pose(0, 0, 3, s * np.pi / 2) @ pose(0, side / 2 - 1.7)
        out.append(Part(move(slab(side, 3.4, 5, 0.6, 0.5), m), Material(frame, 0.4)))
    body, ink = pick(
        rng,
        (
            (WHITE, BLACK),
            ((214, 176, 124), BLACK),
            (WHITE, RED),
            (YELLOW, BLACK),
            (BLUE, WHITE),
            ((238, 226, 196), BLUE),
        ),
    )
    name = pick(rng, BOLD)
    for k, v in enumerate(rng.permutation(n * n)):
        if v:
            c = Canvas(p, p, vary(rng, body, 2), 9)
            c.text(str(v), p / 2, p / 2, p * 0.56, ink, name)
            out.append(
                Part(
                    move(
                        slab(p - 0.6, p - 0.6, 4, 1.2, 0.5),
                        pose((k % n - (n - 1) / 2) * p, ((n - 1) / 2 - k // n) * p, 3),
                    ),
                    Material(c.array(), 0.3),
                )
            )
    return out


def game_shapes(rng: Rng) -> list[Part]:
    """Black or white wooden squares with a coloured shape."""
    side, body, out = rng.uniform(22, 32), pick(rng, (BLACK, (240, 232, 214))), []
    for p in spread(rng, [(side, side)] * int(rng.integers(2, 9)), None, 0.6):
        c, ink = Canvas(side, side, body, 8), pick(rng, (RED, BLUE, GREEN, ORANGE, YELLOW, (140, 60, 160)))
        k, h = pick(rng, ("disc", "square", "diamond", "star", "cross", "clover")), side / 2
        if k == "disc":
            c.oval(h, h, h * 0.62, fill=ink)
        elif k == "square":
            c.rect(h * 0.45, h * 0.45, h * 1.55, h * 1.55, ink)
        elif k == "clover":
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                c.oval(h + dx * h * 0.35, h + dy * h * 0.35, h * 0.35, fill=ink)
        else:
            n, q = {"diamond": (4, 1.0), "star": (16, 0.45), "cross": (8, 0.35)}[k]
            pts = [
                (
                    h + h * 0.72 * (1 if i % 2 == 0 or q == 1 else q) * np.sin(6.2832 * i / n),
                    h - h * 0.72 * (1 if i % 2 == 0 or q == 1 else q) * np.cos(6.2832 * i / n),
                )
                for i in range(n)
            ]
            c.poly(pts, ink)
        out.append(Part(move(slab(side, side, 9, 1.5, 0.6), at(p)), Material(c.array(), 0.4)))
    return out


def flash_cards(rng: Rng) -> list[Part]:
    """Pasteboard cards with a figure in the middle and in the corners, or with a sum."""
    w, h = pick(rng, ((55.0, 85.0), (63.0, 63.0), (45.0, 68.0), (88.0, 57.0)))
    out, sums, name = [], rng.random() < 0.35, pick(rng, BOLD)
    frame = rng.random() < 0.5
    for i in range(int(rng.integers(1, 7))):
        c = Canvas(w, h, vary(rng, (250, 247, 238), 3), 8)
        ink = pick(rng, INKS)
        if frame:
            c.rect(3, 3, w - 3, h - 3, None, ink, 1.4, 3)
        if sums:
            c.text(f"{rng.integers(2, 10)}\u00d7{rng.integers(2, 10)}", w / 2, h / 2, w * 0.3, ink, name)
        else:
            v = str(int(rng.integers(1, 21)))
            c.text(v, w / 2, h / 2, min(w, h) * 0.55, ink, name)
            for x, y, turn in ((0.14, 0.11, 0), (0.86, 0.89, 180)):
                c.text(v, w * x, h * y, w * 0.12, ink, name, turn)
        x, y = rng.normal(0, 0.8 * w, 2) * (i > 0)
        out.append(
            Part(
                move(
                    slab(w, h, 1.0, 4, 0.3),
                    pose(float(x), float(y), 1.05 * i, rng.uniform(0, 6.28) if i else 0.0),
                ),
                Material(c.array(), 0.5),
            )
        )
    return out
