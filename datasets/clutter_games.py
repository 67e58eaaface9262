"""Pieces of other games, and other things with figures on them, that a reader must not take for tiles."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.clutter_slabs import around, lay_slab
from datasets.scene import Scene

__all__ = ["clock", "discs", "letters", "number_cards", "ruler"]

Picture = NDArray[Any]  # float32 sRGB (H, W, 3)
_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)
_BRIGHT = ((206, 34, 40), (32, 84, 178), (236, 184, 30), (40, 140, 66), (30, 30, 32))


def _centred(
    image: NDArray[Any], text: str, x: float, y: float, high: float, ink: tuple[int, ...], font: int
) -> None:
    """Write ``text`` with its middle at (x, y), ``high`` pixels high."""
    scale, thick = high / 22, max(1, int(high * 0.12))
    (wide, tall), _ = cv2.getTextSize(text, font, scale, thick)
    cv2.putText(image, text, (int(x - wide / 2), int(y + tall / 2)), font, scale, ink, thick, cv2.LINE_AA)


def _done(image: NDArray[Any]) -> Picture:
    return image.astype(np.float32) / 255


def letters(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    """Letter tiles with a small value: square, of wood or plastic."""
    base = ((226, 190, 134), (240, 230, 206), (246, 246, 244))[int(rng.integers(3))]
    size, font = float(rng.uniform(0.6, 0.9)), _FONTS[int(rng.integers(4))]
    for px, py, turn in around(rng, x, y, heading, int(rng.integers(2, 9)), size * 1.04):
        image = np.full((96, 96, 3), base, np.uint8)
        _centred(image, str(rng.choice(list("ABCDEFGHIJKLMNOPRSTUVW"))), 44, 44, 46, (30, 26, 24), font)
        _centred(image, str(int(rng.integers(1, 11))), 76, 76, 16, (30, 26, 24), font)
        lay_slab(scene, px, py, turn, (size, size, 0.18), _done(image), radius=0.06, bevel=0.03, gloss=0.25)


def number_cards(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    """Coloured cards with one large figure."""
    group = scene.new_group()
    font = _FONTS[int(rng.integers(4))]
    for k, (px, py, turn) in enumerate(around(rng, x, y, heading, int(rng.integers(1, 7)), 2.3)):
        tone = _BRIGHT[int(rng.integers(5))]
        image = np.full((280, 180, 3), 246, np.uint8)
        whole = rng.random() < 0.7
        figure = str(int(rng.integers(0, 16)))
        if whole:
            cv2.rectangle(image, (10, 10), (169, 269), tone, -1)
            cv2.ellipse(
                image,
                (90, 140),
                (58, 104),
                25,
                0,
                360,
                (246, 246, 246),
                -1 if rng.random() < 0.5 else 5,
                cv2.LINE_AA,
            )
        _centred(image, figure, 90, 140, 80, tone if image[140, 60].min() > 200 else (250, 250, 250), font)
        _centred(image, figure, 34, 36, 26, (250, 250, 250) if whole else tone, font)
        size = (2.2, 3.4, 0.012)
        lay_slab(
            scene, px, py, turn, size, _done(image), radius=0.15, bevel=0, gloss=0.3, up=0.004 * k,
            group=group, rank=float(k), lift=-1.5,
        )  # fmt: skip


def discs(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    """Round counters with numbers: lotto barrels, chips, lids."""
    size, thick = float(rng.uniform(0.6, 1.5)), float(rng.uniform(0.1, 1.0))
    base = ((222, 180, 124), (240, 238, 230), (200, 40, 44), (46, 80, 160))[int(rng.integers(4))]
    ink = (
        (170, 24, 30)
        if base[0] > 210 and rng.random() < 0.5
        else (28, 26, 26)
        if base[1] > 100
        else (244, 244, 244)
    )
    font = _FONTS[int(rng.integers(4))]
    for px, py, turn in around(rng, x, y, heading, int(rng.integers(1, 9)), size * 1.1):
        image = np.full((96, 96, 3), base, np.uint8)
        if rng.random() < 0.6:
            cv2.circle(image, (48, 48), 38, ink, 2, cv2.LINE_AA)
        _centred(image, str(int(rng.integers(1, 91))), 48, 48, 34, ink, font)
        lay_slab(
            scene, px, py, turn, (size, size, thick), _done(image), radius=0.49 * size, bevel=0.04, gloss=0.35
        )


def clock(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    """A clock or a kitchen timer lying on the table."""
    image = np.full((300, 300, 3), 242 if rng.random() < 0.7 else 30, np.uint8)
    ink = (30, 30, 32) if image[0, 0, 0] > 100 else (238, 238, 236)
    font = _FONTS[int(rng.integers(4))]
    for hour in range(1, 13):
        angle = hour * np.pi / 6
        _centred(image, str(hour), 150 + 112 * np.sin(angle), 150 - 112 * np.cos(angle), 26, ink, font)
    for length, width in ((60, 8), (95, 5)):
        angle = rng.uniform(0, 6.28)
        tip = (int(150 + length * np.sin(angle)), int(150 - length * np.cos(angle)))
        cv2.line(image, (150, 150), tip, ink, width, cv2.LINE_AA)
    wide = float(rng.uniform(1.6, 6))
    lay_slab(scene, x, y, heading, (wide, wide, 0.5), _done(image), radius=0.49 * wide, bevel=0.12, gloss=0.7)


def ruler(scene: Scene, rng: Generator, x: float, y: float, heading: float) -> None:
    """A ruler or a folding rule."""
    base = ((236, 204, 84), (244, 240, 226), (214, 176, 120), (200, 216, 222))[int(rng.integers(4))]
    image = np.full((50, 480, 3), base, np.uint8)
    for k in range(1, 16):
        cv2.line(image, (k * 30, 0), (k * 30, 16), (30, 30, 30), 2)
        _centred(image, str(k), k * 30, 32, 14, (30, 30, 30), _FONTS[0])
    lay_slab(scene, x, y, heading, (8.0, 0.83, 0.06), _done(image), radius=0.02, bevel=0.01, gloss=0.4)
