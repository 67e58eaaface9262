"""Printed and written things as flat pictures: cards, dominoes, pads, receipts, boxes, keys, calendars."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from datasets.traced import assets

__all__ = ["PRINTS", "picture"]

Rng = np.random.Generator
Bytes = NDArray[np.uint8]

PRINTS = {
    "card": (63.0, 88.0, 0.6),
    "domino": (25.0, 50.0, 9.0),
    "letter": (19.0, 19.0, 4.5),
    "pad": (105.0, 148.0, 5.0),
    "receipt": (72.0, 170.0, 0.5),
    "box": (190.0, 260.0, 55.0),
    "phone": (74.0, 152.0, 8.0),
    "remote": (46.0, 170.0, 16.0),
    "calendar": (210.0, 160.0, 1.5),
    "keyboard": (300.0, 110.0, 10.0),
    "paper": (210.0, 297.0, 0.6),
    "die": (16.0, 16.0, 16.0),
    "coaster": (95.0, 95.0, 4.0),
    "ruler": (160.0, 30.0, 2.0),
    "crossword": (120.0, 120.0, 1.0),
}
"""Width, height and thickness in mm of each print."""

_INKS = ((190, 24, 36), (20, 70, 160), (24, 24, 26), (232, 120, 20), (30, 120, 60))


def _pips(
    pen: ImageDraw.ImageDraw, count: int, x: float, y: float, side: float, ink: tuple[int, int, int]
) -> None:
    """Spots as on a die, in a square whose upper left corner is (x, y)."""
    spots = {1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8]}.get(
        count, []
    )
    for spot in spots:
        px, py = x + side * (0.25 + 0.25 * (spot % 3)), y + side * (0.25 + 0.25 * (spot // 3))
        pen.ellipse((px - side * 0.09, py - side * 0.09, px + side * 0.09, py + side * 0.09), ink)


def _scribble(pen: ImageDraw.ImageDraw, rng: Rng, wide: int, tall: int, s: float) -> None:
    """A score pad's lines, names and columns of handwritten figures."""
    names = rng.permutation(["Anna", "Ben", "Oma", "Lia", "Tom", "Mia", "Paul", "Ruth"])[
        : int(rng.integers(2, 5))
    ]
    hand, ink = str(rng.choice(["caveat-700", "kalam-700"])), _INKS[int(rng.choice([1, 2]))]
    for y in np.arange(14 * s, tall, 7.5 * s):
        pen.line((0, y, wide, y), (190, 204, 224), 1)
    for i, name in enumerate(names):
        x = wide * (i + 0.15) / len(names)
        pen.text((x, 3 * s), str(name), ink, font=assets.font(hand, int(8 * s)))
        for row in range(int(rng.integers(1, 11))):
            value = str(int(rng.integers(-90, 190)))
            pen.text(
                (x + rng.uniform(0, 4) * s, (13 + 7.5 * row) * s),
                value,
                ink,
                font=assets.font(hand, int(7 * s)),
            )


def picture(kind: str, rng: Rng) -> Bytes:
    """Return what is printed on the upper side of ``kind``."""
    width, height, _ = PRINTS[kind]
    s = 760 / max(width, height) if kind not in ("die", "letter") else 200 / width
    wide, tall = int(width * s), int(height * s)
    base = tuple(int(c) for c in np.array([(250, 248, 244), (244, 238, 222), (240, 240, 240)][rng.integers(3)]))
    sheet = Image.new("RGB", (wide, tall), base)
    pen = ImageDraw.Draw(sheet)

    def write(
        text: str, x: float, y: float, size: float, ink: tuple[int, int, int], name: str = "roboto-slab-900"
    ) -> None:
        pen.text((x, y), text, ink, font=assets.font(name, max(6, int(size))), anchor="mm")

    if kind == "card":
        red = rng.random() < 0.5
        ink = (196, 20, 34) if red else (20, 20, 22)
        rank, suit = (
            str(rng.choice(["A", *map(str, range(2, 11)), "J", "Q", "K"])),
            "\u2665\u2666"[rng.integers(2)] if red else "\u2660\u2663"[rng.integers(2)],
        )
        if rng.random() < 0.25:
            pen.rectangle((4 * s, 4 * s, wide - 4 * s, tall - 4 * s), _INKS[int(rng.integers(2))])
            for k in range(0, tall, int(3 * s)):
                pen.line((4 * s, k, wide - 4 * s, k + 20 * s), base, 2)
        else:
            mark = Image.new("RGB", (int(12 * s), int(22 * s)), base)
            small = ImageDraw.Draw(mark)
            small.text(
                (6 * s, 7 * s), rank, ink, font=assets.font("playfair-display-900", int(11 * s)), anchor="mm"
            )
            small.text((6 * s, 17 * s), suit, ink, font=assets.emoji(suit, int(8 * s)), anchor="mm")
            sheet.paste(mark, (int(1 * s), int(2 * s)))
            sheet.paste(mark.rotate(180), (wide - int(13 * s), tall - int(24 * s)))
            count = int(rank) if rank.isdigit() else 1
            for i in range(count):
                x, y = (
                    (wide / 2, tall / 2)
                    if count == 1
                    else (
                        wide * (0.35 + 0.3 * (i % 2)),
                        tall * (0.18 + 0.64 * (i // 2) / max(1, (count - 1) // 2)),
                    )
                )
                pen.text(
                    (x, y), suit, ink, font=assets.emoji(suit, int((26 if count == 1 else 10) * s)), anchor="mm"
                )
    elif kind == "domino":
        dark = rng.random() < 0.4
        if dark:
            pen.rectangle((0, 0, wide, tall), (26, 26, 28))
        ink = (244, 240, 230) if dark else (24, 22, 22)
        pen.line((3 * s, tall / 2, wide - 3 * s, tall / 2), ink, int(s))
        for half in range(2):
            _pips(pen, int(rng.integers(0, 7)), 0, half * tall / 2, wide, ink)
    elif kind == "die":
        pen.rectangle((0, 0, wide, tall), ((246, 244, 238), (190, 20, 30), (30, 60, 140))[rng.integers(3)])
        _pips(
            pen,
            int(rng.integers(1, 7)),
            0,
            0,
            wide,
            (20, 20, 20) if sheet.getpixel((2, 2)) == (246, 244, 238) else (250, 250, 250),
        )
    elif kind == "letter":
        pen.rectangle((0, 0, wide, tall), (222, 190, 140))
        write(
            chr(65 + int(rng.integers(26))), wide * 0.47, tall * 0.47, 11 * s, (40, 28, 20), "josefin-sans-700"
        )
        write(str(int(rng.integers(1, 9))), wide * 0.85, tall * 0.83, 3.6 * s, (40, 28, 20))
    elif kind == "pad":
        _scribble(pen, rng, wide, tall, s)
    elif kind in ("receipt", "paper"):
        y = 12 * s
        if kind == "receipt":
            write("MARKET 24", wide / 2, y, 8 * s, (50, 50, 54))
        while y < tall - 14 * s:
            y += 6.0 * s
            if rng.random() < 0.8:
                text = "".join(
                    rng.choice(list("abcdeilmnoprstu  "), int(rng.integers(8, 20 if kind == "receipt" else 46)))
                )
                pen.text((6 * s, y), text, (70, 70, 74), font=assets.font("lato-900", int(4 * s)))
                if kind == "receipt":
                    pen.text(
                        (wide - 18 * s, y),
                        f"{rng.uniform(0, 30):.2f}",
                        (70, 70, 74),
                        font=assets.font("lato-900", int(4 * s)),
                    )
    elif kind == "box":
        pen.rectangle((0, 0, wide, tall), _INKS[int(rng.integers(2))] if rng.random() < 0.6 else (240, 190, 30))
        pen.rounded_rectangle((12 * s, 14 * s, wide - 12 * s, 74 * s), 10 * s, (250, 246, 232))
        for i, letter in enumerate("RUMMY"):
            write(letter, wide * (0.2 + 0.15 * i), 44 * s, 40 * s, _INKS[i % 4], "fredoka-700")
        for _ in range(14):
            x, y, ink = rng.uniform(20, 170) * s, rng.uniform(95, 240) * s, _INKS[int(rng.integers(5))]
            pen.ellipse((x - 15 * s, y - 15 * s, x + 15 * s, y + 15 * s), (250, 250, 244), ink, int(2 * s))
            write(str(int(rng.integers(1, 14))), x, y, 16 * s, ink)
    elif kind == "phone":
        pen.rectangle((0, 0, wide, tall), (12, 12, 14))
        if rng.random() < 0.5:
            pen.rectangle((3 * s, 5 * s, wide - 3 * s, tall - 5 * s), (30, 32, 40))
            write(
                f"{rng.integers(0, 24):02}:{rng.integers(0, 60):02}",
                wide / 2,
                34 * s,
                18 * s,
                (236, 236, 240),
                "montserrat-800",
            )
            for i in range(12):
                x, y = wide * (0.22 + 0.28 * (i % 3)), (70 + 20 * (i // 3)) * s
                pen.ellipse((x - 8 * s, y - 8 * s, x + 8 * s, y + 8 * s), (70, 74, 86))
                write("123456789*0#"[i], x, y, 9 * s, (240, 240, 244), "lato-900")
    elif kind in ("remote", "keyboard"):
        dark = rng.random() < 0.6
        pen.rectangle((0, 0, wide, tall), (34, 34, 36) if dark else (214, 214, 216))
        pitch = 19.0 if kind == "keyboard" else 13.0
        signs = "1234567890QWERTZUIOPASDFGHJKLYXCVBNM,.-+"
        nx, ny = int((width - 6) / pitch), int((height - 6) / pitch)
        for i in range(nx * ny):
            x, y = (3 + (i % nx + 0.5) * pitch) * s, (3 + (i // nx + 0.5) * pitch) * s
            r = pitch * 0.44 * s
            pen.rounded_rectangle(
                (x - r, y - r, x + r, y + r), 2 * s, (58, 58, 62) if dark else (246, 246, 246)
            )
            write(
                signs[i % 10 if kind == "remote" else i % len(signs)],
                x,
                y,
                pitch * 0.45 * s,
                (240, 240, 240) if dark else (40, 40, 40),
                "lato-900",
            )
    elif kind == "calendar":
        month = str(rng.choice(["JANUARY", "MARCH", "MAY", "JULY", "OCTOBER"]))
        write(month, wide / 2, 16 * s, 18 * s, _INKS[int(rng.integers(4))])
        for day in range(1, 32):
            i = day + 1
            ink = (196, 24, 36) if i % 7 == 6 else (30, 30, 34)
            write(
                str(day), wide * (0.09 + 0.137 * (i % 7)), (42 + 23 * (i // 7)) * s, 13 * s, ink, "poppins-700"
            )
    elif kind == "coaster":
        pen.rectangle((0, 0, wide, tall), _INKS[int(rng.integers(5))])
        sign = "\U0001f33f\U0001f431\u2b50\U0001f34b"[rng.integers(4)]
        pen.text((wide / 2, tall / 2), sign, base, font=assets.emoji(sign, int(60 * s)), anchor="mm")
    elif kind == "ruler":
        pen.rectangle((0, 0, wide, tall), (236, 206, 120))
        for mm in range(4, 156):
            pen.line((mm * s, 0, mm * s, (8 if mm % 10 == 4 else 4) * s), (30, 30, 30), 1)
            if mm % 10 == 4:
                write(str(mm // 10), mm * s, 14 * s, 8 * s, (30, 30, 30))
    elif kind == "crossword":
        for i in range(121):
            x, y, c = (6 + i % 11 * 9.8) * s, (6 + i // 11 * 9.8) * s, 9.8 * s
            full = rng.random() < 0.2
            pen.rectangle((x, y, x + c, y + c), (24, 24, 26) if full else base, (60, 60, 60))
            if not full and rng.random() < 0.6:
                write(str(int(rng.integers(1, 10))), x + c / 2, y + c / 2, 7 * s, (30, 30, 60), "caveat-700")
    return np.asarray(sheet)
