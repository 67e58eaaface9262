"""Grounds of printed or sewn cloth, and newspaper."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from datasets.traced import assets
from datasets.traced.canvas import Colour, pick, vary
from datasets.traced.grounds import SIDE, fine, woven
from datasets.traced.meshes import Material
from datasets.traced.noise import noise, relief, to_bytes

__all__ = ["fruitcloth", "newspaper", "oilcloth", "quilt"]

Rng = np.random.Generator


def _fruit(
    pen: ImageDraw.ImageDraw, kind: str, place: tuple[float, float], r: float, turn: float, rng: Rng
) -> None:
    """Draw one fruit about ``r`` pixels large."""
    x, y = place
    c, s = np.cos(turn), np.sin(turn)

    def p(dx: float, dy: float) -> tuple[float, float]:
        return float(x + r * (c * dx - s * dy)), float(y + r * (s * dx + c * dy))

    def oval(dx: float, dy: float, rx: float, ry: float, tone: Colour, n: int = 26) -> None:
        pen.polygon([p(dx + rx * np.cos(a), dy + ry * np.sin(a)) for a in np.linspace(0, 6.283, n)], tone)

    def leaf(dx: float, dy: float, long: float, a: float) -> None:
        pts = [
            (0, 0),
            (0.3 * long, 0.2 * long),
            (0.7 * long, 0.18 * long),
            (long, 0),
            (0.7 * long, -0.18 * long),
            (0.3 * long, -0.2 * long),
        ]
        pen.polygon(
            [p(dx + u * np.cos(a) - v * np.sin(a), dy + u * np.sin(a) + v * np.cos(a)) for u, v in pts],
            vary(rng, (60, 130, 60), 12),
        )

    if kind == "lemon":
        leaf(0.8, 0, 0.8, -0.6)
        pen.polygon(
            [
                p((1 + 0.14 * abs(np.cos(a)) ** 12) * np.cos(a), 0.68 * np.sin(a))
                for a in np.linspace(0, 6.283, 40)
            ],
            vary(rng, (244, 212, 50), 6),
        )
        oval(-0.2, -0.25, 0.3, 0.13, (252, 236, 130))
    elif kind == "cherry":
        leaf(0.1, -1.0, 0.7, 0.2)
        pen.line([p(-0.4, 0.3), p(0.1, -1.0), p(0.5, 0.5)], (90, 100, 40), max(2, int(r * 0.06)))
        for dx, dy in ((-0.45, 0.35), (0.5, 0.5)):
            oval(dx, dy, 0.42, 0.4, vary(rng, (180, 24, 40), 8))
            oval(dx - 0.12, dy - 0.14, 0.1, 0.07, (240, 150, 150))
    elif kind == "strawberry":
        pen.polygon(
            [
                p(0.7 * np.sin(a) * (1 - 0.25 * np.cos(a)), -0.8 * np.cos(a) + 0.1)
                for a in np.linspace(0, 6.283, 30)
            ][::-1],
            vary(rng, (214, 40, 44), 8),
        )
        for _ in range(16):
            oval(rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.55), 0.035, 0.06, (246, 220, 120), 8)
        for a in (-2.6, -2.0, -1.2, -0.5):
            leaf(0, -0.7, 0.5, a)
    elif kind == "orange":
        oval(0, 0, 0.8, 0.8, (240, 140, 30))
        oval(0, 0, 0.7, 0.7, (252, 232, 190))
        for k in range(8):
            a = k * 0.7854
            pen.polygon(
                [
                    p(0.1 * np.cos(a), 0.1 * np.sin(a)),
                    *[p(0.62 * np.cos(a + d), 0.62 * np.sin(a + d)) for d in (-0.3, 0, 0.3)],
                ],
                (246, 160, 50),
            )
    elif kind == "grape":
        leaf(0, -0.8, 0.8, -0.4)
        tone = pick(rng, ((90, 50, 120), (140, 170, 70)))
        for row in range(4):
            for k in range(4 - row):
                oval((k - (3 - row) / 2) * 0.42, -0.5 + row * 0.4, 0.24, 0.24, vary(rng, tone, 10), 16)
    else:
        oval(0, 0, 0.75, 0.7, vary(rng, pick(rng, ((190, 36, 40), (140, 180, 60))), 8))
        pen.line([p(0, -0.6), p(0.08, -1)], (80, 56, 30), max(2, int(r * 0.08)))
        leaf(0.06, -0.9, 0.5, -0.3)


def fruitcloth(rng: Rng, span: float) -> Material:
    """A table cloth printed with coloured fruit."""
    base = pick(rng, ((246, 242, 230), (236, 242, 246), (250, 236, 190), (90, 130, 150), (250, 250, 250)))
    sheet = Image.new("RGB", (SIDE, SIDE), base)
    pen = ImageDraw.Draw(sheet)
    kinds = rng.permutation(["lemon", "cherry", "strawberry", "orange", "grape", "apple"]).tolist()[
        : int(rng.integers(1, 4))
    ]
    n = max(3, round(span / rng.uniform(45, 85)))
    step = SIDE / n
    for i in range(n):
        for j in range(n):
            x, y = (i + 0.5 + rng.normal(0, 0.1)) * step, (j + 0.5 + rng.normal(0, 0.1)) * step
            state, kind, turn = rng.integers(1 << 30), str(pick(rng, kinds)), rng.uniform(0, 6.28)
            for dx in (-SIDE, 0, SIDE):
                for dy in (-SIDE, 0, SIDE):
                    if -step < x + dx < SIDE + step and -step < y + dy < SIDE + step:
                        _fruit(pen, kind, (x + dx, y + dy), step * 0.36, turn, np.random.default_rng(state))
    picture = np.asarray(sheet, np.float32)
    if rng.random() < 0.4:
        return Material(to_bytes(picture), 0.2, relief(rng.uniform(0, 1.2) * fine(rng, 2.4), span / SIDE))
    return woven(rng, span, picture, float(rng.uniform(0.5, 1.0)))


def quilt(rng: Rng, span: float) -> Material:
    """Sewn patches, each with its own small print, puffed between the seams."""
    n = max(3, round(span / rng.uniform(45, 95)))
    edges = np.linspace(0, SIDE, n + 1).astype(int)
    sheet = Image.new("RGB", (SIDE, SIDE))
    tones = [
        vary(
            rng,
            pick(
                rng,
                (
                    (220, 200, 180),
                    (190, 60, 70),
                    (70, 100, 150),
                    (240, 230, 210),
                    (110, 140, 100),
                    (226, 180, 90),
                    (200, 150, 170),
                ),
            ),
            14,
        )
        for _ in range(6)
    ]
    for i in range(n):
        for j in range(n):
            side = edges[1] + 2
            first, second = pick(rng, tones), pick(rng, [*tones, (250, 248, 240)])
            patch = Image.new("RGB", (side, side), first)
            pen, kind, m = (
                ImageDraw.Draw(patch),
                pick(rng, ("plain", "dots", "stripe", "check", "sign", "halves")),
                int(rng.integers(5, 11)),
            )
            q = side / m
            if kind == "stripe":
                for k in range(m):
                    pen.rectangle((k * q, 0, k * q + q * 0.45, side), second)
            elif kind == "halves":
                pen.polygon([(0, 0), (side, 0), (0, side)], second)
            elif kind != "plain":
                sign = pick(rng, "\u2b50\u2764\U0001f338\U0001f33f")
                letter = assets.emoji(sign, max(6, int(q * 0.8)))
                for a in range(m):
                    for b in range(m):
                        x, y = (a + 0.5) * q, (b + 0.5) * q
                        if kind == "dots":
                            pen.ellipse((x - q / 4, y - q / 4, x + q / 4, y + q / 4), second)
                        elif kind == "check" and (a + b) % 2:
                            pen.rectangle((a * q, b * q, a * q + q, b * q + q), second)
                        elif kind == "sign" and (a + b) % 2:
                            pen.text((x, y), sign, second, font=letter, anchor="mm")
            d = 3 * SIDE / span
            thread = pick(rng, ((250, 248, 240), (60, 50, 50)))
            for t in np.arange(d, side - d, 5 * SIDE / span / 2):
                for box in (
                    (t, d, t + d * 0.4, d + 1),
                    (t, side - d, t + d * 0.4, side - d + 1),
                    (d, t, d + 1, t + d * 0.4),
                    (side - d, t, side - d + 1, t + d * 0.4),
                ):
                    pen.rectangle(box, thread)
            sheet.paste(patch.rotate(90 * int(rng.integers(4))), (int(edges[i]), int(edges[j])))
    axis = np.abs(np.sin(np.pi * np.arange(SIDE) / SIDE * n)).astype(np.float32)
    puff = np.minimum(axis[:, None], axis[None]) ** 0.35
    picture = (
        np.asarray(sheet, np.float32) * (0.78 + 0.22 * puff)[..., None] * (1 + 0.03 * fine(rng, 0.4))[..., None]
    )
    return Material(
        to_bytes(picture), 0.9, relief((2.2 * puff + 0.3 * fine(rng, 1.9)).astype(np.float32), span / SIDE), 0.2
    )


def oilcloth(rng: Rng, span: float) -> Material:
    """Chequered oilcloth, straight or on its tip, with little pictures in the light squares."""
    first, second = pick(
        rng,
        (
            ((200, 40, 44), (248, 246, 240)),
            ((60, 110, 170), (248, 248, 246)),
            ((240, 200, 60), (250, 248, 236)),
            ((40, 40, 44), (236, 232, 224)),
            ((90, 150, 100), (246, 246, 234)),
            ((230, 150, 170), (250, 244, 240)),
        ),
    )
    n = max(4, 2 * round(span / rng.uniform(18, 55) / 2))
    y, x = np.mgrid[:SIDE, :SIDE].astype(np.float32) / SIDE * n
    tip = rng.random() < 0.35
    a, b = (np.floor(x + y), np.floor(x - y)) if tip else (np.floor(x), np.floor(y))
    odd = ((a + b) % 2).astype(bool) if not tip else ((a % 2) != (b % 2))
    picture = np.where(odd[..., None], np.array(first, np.float32), np.array(second, np.float32))
    if not tip and rng.random() < 0.6:
        sheet = Image.fromarray(to_bytes(picture))
        pen, q = ImageDraw.Draw(sheet), SIDE / n
        sign = pick(rng, "\U0001f338\U0001f353\U0001f34b\u2764\U0001f98b\U0001f413")
        letter = assets.emoji(sign, max(8, int(q * 0.7)))
        for i in range(n):
            for j in range(n):
                if (i + j) % 2 == 0:
                    pen.text(
                        ((i + 0.5) * q, (j + 0.5) * q),
                        sign,
                        pick(rng, (first, (60, 120, 70))),
                        font=letter,
                        anchor="mm",
                    )
        picture = np.asarray(sheet, np.float32)
    return Material(
        to_bytes(picture),
        float(rng.uniform(0.12, 0.3)),
        relief(rng.uniform(0.2, 1.2) * fine(rng, 2.3), span / SIDE),
    )


def newspaper(rng: Rng, span: float) -> Material:
    """Newspaper spread over the table: headlines, columns, pictures, tables of results."""
    tone, side = vary(rng, (226, 220, 206), 5), 2048
    s = side / span
    sheet = Image.new("RGB", (side, side), tone)
    pen = ImageDraw.Draw(sheet)
    columns = max(4, round(span / 48))
    wide = side / columns
    words = [
        "die",
        "der",
        "und",
        "in",
        "Stadt",
        "zum",
        "Rat",
        "heute",
        "Jahr",
        "neue",
        "mehr",
        "nach",
        "Spiel",
        "gegen",
        "Ende",
        "Markt",
        "the",
        "of",
        "and",
        "city",
        "report",
        "12",
        "game",
        "new",
        "2031",
        "last",
        "7",
        "year",
        "people",
    ]

    def text(x0: float, x1: float, y: float, size: float, name: str, ink: Colour = (40, 38, 40)) -> None:
        line, f = "", assets.font(name, int(size * s))
        while True:
            word = pick(rng, words)
            if pen.textlength(line + word, font=f) > x1 - x0:
                break
            line += word + " "
        pen.text((x0, y), line, ink, font=f)

    col = 0
    while col < columns:
        k = min(int(rng.integers(1, 4)), columns - col)
        x0, x1, y = col * wide + 2 * s, (col + k) * wide - 2 * s, 2 * s
        while y < side - 12 * s:
            kind = pick(rng, ("head", "text", "text", "picture", "results", "score"))
            if kind == "head":
                size = rng.uniform(7, 16)
                for _ in range(int(rng.integers(1, 3))):
                    text(x0, x1, y, size, "libre-baskerville-700", (24, 22, 24))
                    y += size * 1.25 * s
            elif kind == "text":
                rows = int(rng.integers(8, 24))
                for c in range(k):
                    for r in range(rows):
                        if y + r * 3.3 * s < side - 4 * s:
                            text(
                                col * wide + c * wide + 2 * s,
                                col * wide + (c + 1) * wide - 2 * s,
                                y + r * 3.3 * s,
                                2.5,
                                "libre-baskerville-400",
                            )
                y += rows * 3.3 * s + 3 * s
            elif kind == "picture":
                high = min((x1 - x0) * rng.uniform(0.5, 0.8), side - y - 4 * s)
                if high > 20:
                    grey = 0.5 + 0.22 * noise(rng, (int(high), int(x1 - x0)), 1.9)
                    tint = np.array(
                        pick(rng, ((235, 230, 220), (235, 230, 220), (200, 215, 235), (240, 215, 180)))
                    )
                    sheet.paste(
                        Image.fromarray(to_bytes(np.clip(grey, 0, 1)[..., None] * tint)), (int(x0), int(y))
                    )
                y += high + 3 * s
            elif kind == "results":
                for _ in range(int(rng.integers(4, 10))):
                    pen.text(
                        (x0, y),
                        pick(rng, ("Bern", "Basel", "Wien", "Lyon", "Roma")),
                        (40, 38, 40),
                        font=assets.font("lato-700", int(4 * s)),
                    )
                    for q in range(3):
                        pen.text(
                            (x0 + (x1 - x0) * (0.5 + 0.17 * q), y),
                            str(int(rng.integers(0, 40))),
                            (40, 38, 40),
                            font=assets.font("lato-900", int(4 * s)),
                        )
                    y += 5.5 * s
                y += 3 * s
            else:
                pen.rectangle(
                    (x0, y, x1, y + 20 * s),
                    pick(rng, ((190, 30, 40), (30, 60, 120), (60, 60, 62), (240, 200, 60))),
                )
                pen.text(
                    ((x0 + x1) / 2, y + 10 * s),
                    f"{rng.integers(0, 14)} : {rng.integers(0, 14)}",
                    (250, 250, 246),
                    font=assets.font("anton-400", int(14 * s)),
                    anchor="mm",
                )
                y += 23 * s
        pen.line((x1 + s, 0, x1 + s, side), (120, 116, 110), 1)
        col += k
    fold = 0.6 * np.abs(np.sin(np.pi * np.arange(2048) / 2048)).astype(np.float32) ** 0.1
    height = 2.0 * noise(rng, (side, side), 2.4) * rng.uniform(0.3, 1) + fold[None] + fold[:, None]
    return Material(np.asarray(sheet), 0.9, relief(height.astype(np.float32), span / side), 0.2)
