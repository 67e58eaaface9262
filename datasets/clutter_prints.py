"""Printed and moulded faces of things that are not game tiles: dominoes, cards, keys, calendars, receipts.

Each returns an sRGB picture (H, W, 3), float32.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

__all__ = [
    "calculator",
    "calendar",
    "card",
    "dice_face",
    "domino",
    "key_cap",
    "mahjong",
    "note",
    "paper",
    "phone",
]

Picture = NDArray[Any]  # float32
_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


def _sheet(h: int, w: int, tone: object) -> NDArray[np.uint8]:
    return np.full((h, w, 3), np.clip(np.asarray(tone) * 255, 0, 255).astype(np.uint8), np.uint8)


def _done(image: NDArray[np.uint8]) -> Picture:
    return image.astype(np.float32) / 255


def _write(
    image: NDArray[np.uint8], text: str, x: int, y: int, high: float, ink: tuple[int, ...], rng: Generator
) -> None:
    font = _FONTS[int(rng.integers(len(_FONTS)))]
    thick = max(1, int(high * rng.uniform(0.08, 0.16)))
    cv2.putText(image, text, (x, y), font, high / 22, ink, thick, cv2.LINE_AA)


def _ink(rng: Generator) -> tuple[int, ...]:
    return [(20, 20, 24), (190, 30, 36), (30, 60, 160), (20, 110, 60), (90, 90, 94)][
        int(rng.choice(5, p=[0.6, 0.15, 0.12, 0.06, 0.07]))
    ]


_PIPS = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def _pips(
    image: NDArray[np.uint8], n: int, cx: float, cy: float, span: float, r: float, ink: tuple[int, ...]
) -> None:
    for dx, dy in _PIPS[n]:
        cv2.circle(image, (int(cx + dx * span), int(cy + dy * span)), max(int(r), 1), ink, -1, cv2.LINE_AA)


def domino(rng: Generator) -> Picture:
    """A domino: ivory, white or black, 2:1."""
    dark = rng.random() < 0.3
    image = _sheet(
        256, 128, rng.uniform(0.02, 0.12, 3) if dark else np.array([0.95, 0.93, 0.86]) * rng.uniform(0.9, 1.05)
    )
    ink = (240, 240, 235) if dark else _ink(rng)
    for half in (0, 1):
        _pips(image, int(rng.integers(0, 7)), 64, 64 + 128 * half, 34, 13, ink)
    cv2.line(image, (14, 128), (114, 128), ink, 4)
    return _done(image)


def dice_face(rng: Generator) -> Picture:
    """One face of a die."""
    base = [(0.96, 0.96, 0.93), (0.75, 0.08, 0.1), (0.1, 0.2, 0.6), (0.06, 0.06, 0.07)][
        int(rng.choice(4, p=[0.6, 0.15, 0.1, 0.15]))
    ]
    image = _sheet(96, 96, base)
    _pips(image, int(rng.integers(1, 7)), 48, 48, 25, 10, (25, 25, 28) if base[1] > 0.5 else (245, 245, 245))
    return _done(image)


def card(rng: Generator) -> Picture:
    """A playing card, face or back."""
    image = _sheet(280, 200, (0.97, 0.97, 0.95))
    if rng.random() < 0.25:
        tone = _ink(rng)
        cv2.rectangle(image, (12, 12), (188, 268), tone, -1)
        for k in range(-280, 200, 14):
            cv2.line(image, (k, 268), (k + 256, 12), (230, 230, 230), 1)
            cv2.line(image, (k, 12), (k + 256, 268), (230, 230, 230), 1)
        image[:, :12], image[:, 188:] = 246, 246
        return _done(image)
    ink = (200, 24, 34) if rng.random() < 0.5 else (20, 20, 24)
    rank = str(rng.choice(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]))
    _write(image, rank, 8, 36, 28, ink, rng)
    upside = np.ascontiguousarray(image[::-1, ::-1])
    image = np.minimum(image, upside)
    if rank in "JQK":
        cv2.rectangle(image, (48, 40), (152, 240), (200, 170, 60), 2)
        for _ in range(14):
            spot = tuple(int(v) for v in rng.integers((56, 50), (144, 230)))
            cv2.circle(
                image, spot, int(rng.integers(6, 22)), tuple(int(v) for v in rng.integers(20, 240, 3)), -1
            )
        return _done(image)
    count = 1 if rank == "A" else int(rank)
    for k in range(count):
        x = 100 if count < 4 else (70, 130)[k % 2]
        y = int(
            60 + 160 * (k // (1 if count < 4 else 2) + 0.5) / max(1, np.ceil(count / (1 if count < 4 else 2)))
        )
        cv2.circle(image, (x - 7, y), 9, ink, -1, cv2.LINE_AA)
        cv2.circle(image, (x + 7, y), 9, ink, -1, cv2.LINE_AA)
        cv2.fillConvexPoly(image, np.array([[x - 15, y + 3], [x + 15, y + 3], [x, y + 22]]), ink, cv2.LINE_AA)
    return _done(image)


def key_cap(rng: Generator, base: object) -> Picture:
    """A key of a keyboard or calculator; digits are common, as they tempt."""
    image = _sheet(80, 80, base)
    text = str(rng.choice(list("0123456789QWERTYUIOPASDFGHJKL+-=*")))
    tone = (235, 235, 235) if float(np.mean(np.asarray(base))) < 0.5 else (40, 40, 44)
    _write(image, text, 12 if rng.random() < 0.6 else 26, 44, float(rng.uniform(18, 34)), tone, rng)
    return _done(image)


def mahjong(rng: Generator) -> Picture:
    """A mahjong-like tile: no number, signs of strokes, circles or bamboo."""
    image = _sheet(200, 150, np.array([0.96, 0.95, 0.9]) * rng.uniform(0.92, 1.02))
    kind = int(rng.integers(4))
    if kind == 0:
        return _done(image)
    for _ in range(int(rng.integers(1, 10))):
        x, y = int(rng.integers(35, 115)), int(rng.integers(35, 165))
        tone = _ink(rng)
        if kind == 1:
            cv2.circle(image, (x, y), int(rng.integers(8, 22)), tone, 5, cv2.LINE_AA)
        elif kind == 2:
            cv2.line(image, (x, y - 18), (x, y + 18), tone, 8, cv2.LINE_AA)
        else:
            end = (x + int(rng.integers(-45, 45)), y + int(rng.integers(-45, 45)))
            cv2.line(image, (x, y), end, tone, int(rng.integers(3, 9)), cv2.LINE_AA)
    return _done(image)


def calendar(rng: Generator) -> Picture:
    """A month's page or a number grid."""
    image = _sheet(420, 480, rng.uniform(0.9, 1.0, 3))
    columns = 7 if rng.random() < 0.7 else 10
    size, ink = 460 // columns, _ink(rng)
    boxed = rng.random() < 0.5
    start = int(rng.integers(0, 7))
    _write(image, str(rng.choice(["MAY 2024", "JUNI", "2023", "AUG", "BINGO"])), 20, 48, 34, _ink(rng), rng)
    for day in range(1, 32):
        row, column = divmod(day - 1 + start, columns)
        x, y = 12 + column * size, 70 + row * size
        if boxed:
            cv2.rectangle(image, (x, y), (x + size, y + size), (150, 150, 150), 1)
        _write(
            image,
            str(day),
            x + 8,
            y + int(size * 0.6),
            size * 0.36,
            (200, 30, 40) if column == columns - 1 else ink,
            rng,
        )
    return _done(image)


def paper(rng: Generator) -> Picture:
    """A page, a letter or a receipt: lines of words and sums."""
    narrow = rng.random() < 0.4
    image = _sheet(480, 200 if narrow else 360, rng.uniform(0.92, 1.0))
    w = image.shape[1]
    high, y = float(rng.uniform(9, 15)), 30
    while y < 460:
        if rng.random() < 0.12:
            y += int(high)
        words = rng.choice(list("abcdefghijklmnoprstuvw    "), int((w - 30) / (high * 0.75)))
        _write(image, "".join(words), 14, y, high, (60, 60, 64), np.random.default_rng(1))
        if narrow:
            _write(image, f"{rng.uniform(0, 99):.2f}", w - 62, y, high, (40, 40, 44), np.random.default_rng(1))
        y += int(high * 1.7)
    return _done(image)


def note(rng: Generator) -> Picture:
    """A sticky note, a score pad or a blank slip."""
    base = [(0.98, 0.92, 0.45), (0.98, 0.7, 0.78), (0.7, 0.9, 0.75), (0.97, 0.97, 0.95)][int(rng.integers(4))]
    image = _sheet(200, 200, base)
    if rng.random() < 0.7:
        for y in range(45, 190, 32):
            text = "".join(rng.choice(list("0123456789 abcdeimnorst"), 9))
            _write(image, text, 14, y, 17, (40, 50, 120), rng)
    return _done(image)


def phone(rng: Generator) -> Picture:
    """A phone's front: dark glass, or a lit screen with tiles and text."""
    image = _sheet(400, 200, (0.03, 0.03, 0.035))
    if rng.random() < 0.55:
        tone = rng.uniform(0.05, 0.95, 3) if rng.random() < 0.6 else np.full(3, 0.95)
        image[18:382, 9:191] = (tone * 255).astype(np.uint8)
        for _ in range(int(rng.integers(2, 16))):
            x, y = int(rng.integers(12, 150)), int(rng.integers(24, 350))
            cv2.rectangle(
                image,
                (x, y),
                (x + int(rng.integers(20, 40)), y + int(rng.integers(10, 40))),
                tuple(int(v) for v in rng.integers(10, 250, 3)),
                -1,
            )
        _write(image, f"{rng.integers(0, 24)}:{rng.integers(10, 60)}", 50, 90, 34, (250, 250, 250), rng)
    return _done(image)


def calculator(rng: Generator) -> Picture:
    """A pocket calculator or a remote."""
    base = rng.uniform(0.05, 0.9)
    image = _sheet(320, 200, base)
    cv2.rectangle(image, (16, 16), (184, 70), (150, 165, 140), -1)
    _write(image, str(int(rng.integers(0, 99999))), 60, 58, 34, (30, 34, 30), rng)
    cap = float(np.clip(base + rng.choice([-0.35, 0.35]), 0.08, 0.95))
    for k in range(20):
        row, column = divmod(k, 4)
        x, y = 16 + column * 44, 86 + row * 46
        image[y : y + 36, x : x + 36] = cv2.resize(
            (key_cap(rng, (cap, cap, cap)) * 255).astype(np.uint8), (36, 36), interpolation=cv2.INTER_AREA
        )
    return _done(image)
