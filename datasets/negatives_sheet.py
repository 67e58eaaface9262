"""A sheet to draw look-alikes on: real fonts, plain shapes, and where on it something tempts a finder.

Colours are sRGB, 0..255; positions are pixels of the sheet, (x, y), y down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from datasets.assets import Font, fonts
from datasets.face_glyphs import digit_height

__all__ = ["BRIGHT", "Look", "Pens", "Sheet", "Tone"]

Tone = tuple[int, int, int]
_DRAWN = 220
"""Font size at which ``digit_height`` measures."""

BRIGHT: tuple[Tone, ...] = (
    (206, 34, 40), (32, 84, 178), (24, 24, 28), (232, 120, 24), (40, 140, 66), (120, 50, 140), (20, 130, 140),
)  # fmt: skip
"""Inks of toys and prints."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What a thing shows from above."""

    rgb: NDArray[np.float32]
    """Shape (H, W, 3): sRGB, 0..1."""
    cells: tuple[tuple[float, float, float, float], ...] = ()
    """x1, y1, x2, y2 of parts that look like tiles of their own, as fractions of the sheet."""
    alpha: NDArray[np.float32] | None = None
    """Shape (H, W): coverage 0..1, or None for a full sheet."""


@dataclass(frozen=True, slots=True)
class Pens:
    """What look-alikes of a split are written with."""

    rng: Generator
    """Source of chance."""
    split: str
    """train, heldout or final: which fonts there are."""
    seed: int = 0
    """What all pieces of one set have in common is drawn from this."""

    def common(self) -> Pens:
        """Return pens that choose the same for every piece of a set."""
        return Pens(np.random.default_rng(self.seed), self.split, self.seed)

    def figures(self) -> Font:
        """Return a font for figures."""
        return self._any(fonts(self.split))

    def words(self) -> Font:
        """Return a font that holds the whole alphabet, where there is one."""
        every = fonts(self.split)
        return self._any([font for font in every if font.letters] or every)

    def hand(self) -> Font:
        """Return a font that looks written by hand, where there is one."""
        every = fonts(self.split)
        return self._any([font for font in every if font.style == "hand"] or every)

    def _any(self, pool: Sequence[Font]) -> Font:
        return pool[int(self.rng.integers(len(pool)))]

    def pick(self, *choices: Any) -> Any:
        """Return one of the choices."""
        return choices[int(self.rng.integers(len(choices)))]

    def ink(self, dark: float = 0.5) -> Tone:
        """Return black in ``dark`` of all cases, else a bright ink."""
        if self.rng.random() < dark:
            return 28, 28, 32
        return BRIGHT[int(self.rng.integers(len(BRIGHT)))]

    def pale(self) -> Tone:
        """Return the tone of paper, ivory or white plastic."""
        r, g, b = self.pick((250, 250, 248), (244, 238, 220), (248, 242, 230), (238, 240, 244), (232, 222, 198))
        gain = float(self.rng.uniform(0.92, 1.02))
        return min(int(r * gain), 255), min(int(g * gain), 255), min(int(b * gain), 255)

    def letters(self, count: int) -> str:
        """Return ``count`` letters that might be a word."""
        pool = "eeeeaaaiioouutttnnnrrrsssllddmmcbpfghkvw"
        return "".join(pool[int(k)] for k in self.rng.integers(0, len(pool), count))

    def number(self, low: int, high: int) -> str:
        """Return a number from ``low`` to ``high``, both included."""
        return str(int(self.rng.integers(low, high + 1)))


@lru_cache(maxsize=400)
def _font(path: Path, px: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), px)


@lru_cache(maxsize=2000)
def _word(path: Path, px: int, text: str) -> NDArray[np.float32]:
    """Return a word as coverage (H, W), cut to its ink."""
    font = _font(path, px)
    left, top, right, bottom = (int(v) for v in font.getbbox(text, anchor="ls"))
    canvas = Image.new("L", (max(right - left, 1), max(bottom - top, 1)))
    ImageDraw.Draw(canvas).text((-left, -top), text, fill=255, font=font, anchor="ls")
    return np.asarray(canvas, dtype=np.float32) / np.float32(255)


class Sheet:
    """A picture that is being drawn."""

    def __init__(self, width: int, height: int, tone: Sequence[float]) -> None:
        """Start with a sheet all of ``tone``."""
        self.rgb = np.empty((height, width, 3), np.uint8)
        self.rgb[:] = np.clip(np.asarray(tone), 0, 255).astype(np.uint8)
        self._cells: list[tuple[float, float, float, float]] = []

    def write(
        self, text: str, x: float, y: float, high: float, ink: Tone, font: Font, *, align: float = 0.5
    ) -> float:
        """Write with figures ``high`` pixels high, the ink's middle at ``y``; return the width.

        ``align`` 0 starts at ``x``, 0.5 has its middle there, 1 ends there.
        """
        px = max(4, round(high * _DRAWN / digit_height(font.path)))
        masks = [_word(font.path, px, word) for word in text.split()]
        gap = 0.42 * high
        wide = sum(m.shape[1] for m in masks) + gap * max(len(masks) - 1, 0)
        at = x - align * wide
        for mask in masks:
            self._blend(mask, round(at), round(y - mask.shape[0] / 2), ink)
            at += mask.shape[1] + gap
        return float(wide)

    def _blend(self, mask: NDArray[np.float32], x: int, y: int, ink: Tone) -> None:
        h, w = self.rgb.shape[:2]
        x1, y1, x2, y2 = max(x, 0), max(y, 0), min(x + mask.shape[1], w), min(y + mask.shape[0], h)
        if x2 <= x1 or y2 <= y1:
            return
        part = mask[y1 - y : y2 - y, x1 - x : x2 - x, None]
        view = self.rgb[y1:y2, x1:x2]
        view[:] = (view * (1 - part) + np.asarray(ink, np.float32) * part + 0.5).astype(np.uint8)

    def box(
        self, x1: float, y1: float, x2: float, y2: float, tone: Tone, width: int = -1, radius: float = 0
    ) -> None:
        """Draw a rectangle, filled unless ``width`` is given; ``radius`` rounds a filled one."""
        a, b = (round(x1), round(y1)), (round(x2), round(y2))
        if radius < 1 or width > 0:
            cv2.rectangle(self.rgb, a, b, tone, width)
            return
        r = round(min(radius, (x2 - x1) / 2, (y2 - y1) / 2))
        cv2.rectangle(self.rgb, (a[0] + r, a[1]), (b[0] - r, b[1]), tone, -1)
        cv2.rectangle(self.rgb, (a[0], a[1] + r), (b[0], b[1] - r), tone, -1)
        for cx, cy in ((a[0] + r, a[1] + r), (b[0] - r, a[1] + r), (b[0] - r, b[1] - r), (a[0] + r, b[1] - r)):
            cv2.circle(self.rgb, (cx, cy), r, tone, -1, cv2.LINE_AA)

    def disc(self, x: float, y: float, r: float, tone: Tone, width: int = -1) -> None:
        """Draw a circle, filled unless ``width`` is given."""
        at = (round(x * 16), round(y * 16))
        cv2.circle(self.rgb, at, max(round(r * 16), 8), tone, width, cv2.LINE_AA, 4)

    def line(self, x1: float, y1: float, x2: float, y2: float, tone: Tone, width: int = 2) -> None:
        """Draw a line."""
        cv2.line(self.rgb, (round(x1), round(y1)), (round(x2), round(y2)), tone, width, cv2.LINE_AA)

    def polygon(self, points: Sequence[tuple[float, float]], tone: Tone) -> None:
        """Draw a filled polygon, which may be concave."""
        corners = np.round(np.asarray(points) * 16).astype(np.int32)
        cv2.fillPoly(self.rgb, [corners], tone, cv2.LINE_AA, 4)

    def cell(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Note a part that looks like a tile of its own."""
        h, w = self.rgb.shape[:2]
        self._cells.append((x1 / w, y1 / h, x2 / w, y2 / h))

    def look(self, alpha: NDArray[np.float32] | None = None) -> Look:
        """Return what was drawn."""
        return Look(self.rgb.astype(np.float32) / np.float32(255), tuple(self._cells), alpha)
