"""Pictures drawn in millimetres, and the colours and fonts that printed things choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from datasets.traced import assets
from datasets.traced.noise import mix, noise, to_bytes

__all__ = [
    "BLACK",
    "BLUE",
    "BOLD",
    "GREEN",
    "HANDS",
    "INKS",
    "ORANGE",
    "RED",
    "WHITE",
    "YELLOW",
    "Canvas",
    "Colour",
    "darker",
    "pick",
    "vary",
    "wooden",
]

Rng = np.random.Generator
Colour = tuple[int, int, int]
Bytes = NDArray[np.uint8]
T = TypeVar("T")

RED: Final[Colour] = (200, 28, 38)
BLUE: Final[Colour] = (24, 78, 172)
BLACK: Final[Colour] = (26, 26, 28)
ORANGE: Final[Colour] = (236, 124, 26)
GREEN: Final[Colour] = (34, 128, 66)
WHITE: Final[Colour] = (246, 244, 240)
YELLOW: Final[Colour] = (244, 200, 40)
INKS: Final = (RED, BLUE, BLACK, ORANGE, GREEN)

BOLD: Final = (
    "lato-900", "oswald-700", "anton-400", "montserrat-800", "rubik-700", "roboto-slab-900", "poppins-700",
    "nunito-900", "libre-baskerville-700", "josefin-sans-700", "comfortaa-700", "fredoka-700",
)  # fmt: skip
"""Fonts for figures."""
HANDS: Final = ("caveat-700", "kalam-700", "patrick-hand-400")
"""Fonts like handwriting."""

_SEGMENTS: Final = (
    ("0", "abcdef"), ("1", "bc"), ("2", "abged"), ("3", "abgcd"), ("4", "fgbc"), ("5", "afgcd"),
    ("6", "afgedc"), ("7", "abc"), ("8", "abcdefg"), ("9", "abfgcd"), ("-", "g"), (" ", ""),
)  # fmt: skip


def pick(rng: Rng, choices: Sequence[T]) -> T:
    """Return one of ``choices``, each as likely."""
    return choices[int(rng.integers(len(choices)))]


def vary(rng: Rng, colour: Colour, by: float = 8) -> Colour:
    """Return a colour near ``colour``."""
    red, green, blue = (int(c) for c in np.clip(np.array(colour) + rng.normal(0, by, 3), 0, 255))
    return red, green, blue


def darker(colour: Colour, share: float) -> Colour:
    """Return ``colour`` with ``share`` of its light."""
    red, green, blue = (int(c * share) for c in colour)
    return red, green, blue


class Canvas:
    """A picture in mm, y down from the upper left corner."""

    def __init__(self, w: float, h: float, base: Colour, s: float = 8.0) -> None:
        self.s = s
        self.image = Image.new("RGB", (max(2, int(w * s)), max(2, int(h * s))), base)
        self._pen = ImageDraw.Draw(self.image)

    def cover(self, picture: Bytes) -> None:
        """Lay ``picture`` over all that is drawn."""
        self.image.paste(Image.fromarray(picture).resize(self.image.size))

    def text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        ink: Colour,
        name: str = "lato-700",
        turn: float = 0.0,
        anchor: Literal["mm", "lm"] = "mm",
    ) -> None:
        """Write ``text`` with its middle at (x, y), turned by ``turn`` degrees anticlockwise."""
        s, letter = self.s, assets.font(name, max(5, int(size * self.s)))
        if not turn:
            self._pen.text((x * s, y * s), text, ink, font=letter, anchor=anchor)
            return
        box = letter.getbbox(text, anchor="mm")
        side = int(2 * max(abs(v) for v in box)) + 8
        mask = Image.new("L", (side, side), 0)
        ImageDraw.Draw(mask).text((side / 2, side / 2), text, 255, font=letter, anchor="mm")
        self.image.paste(
            ink,
            (int(x * s - side / 2), int(y * s - side / 2)),
            mask.rotate(turn, Image.Resampling.BICUBIC),
        )

    def rect(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        fill: Colour | None = None,
        line: Colour | None = None,
        width: float = 0.3,
        r: float = 0.0,
    ) -> None:
        """Draw a rectangle whose corners have the radius ``r``."""
        s = self.s
        self._pen.rounded_rectangle((x0 * s, y0 * s, x1 * s, y1 * s), r * s, fill, line, max(1, int(width * s)))

    def oval(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float | None = None,
        fill: Colour | None = None,
        line: Colour | None = None,
        width: float = 0.3,
    ) -> None:
        """Draw an ellipse about (x, y)."""
        s, ry = self.s, rx if ry is None else ry
        box = ((x - rx) * s, (y - ry) * s, (x + rx) * s, (y + ry) * s)
        self._pen.ellipse(box, fill, line, max(1, int(width * s)))

    def slanted_oval(self, x: float, y: float, rx: float, ry: float, turn: float, fill: Colour) -> None:
        """Draw an ellipse turned by ``turn`` degrees about the middle of the picture."""
        s, mask = self.s, Image.new("L", self.image.size, 0)
        ImageDraw.Draw(mask).ellipse(((x - rx) * s, (y - ry) * s, (x + rx) * s, (y + ry) * s), fill=255)
        self.image.paste(fill, (0, 0), mask.rotate(turn))

    def line(self, points: Sequence[tuple[float, float]], ink: Colour, width: float = 0.3) -> None:
        """Draw a line through ``points``."""
        s = self.s
        self._pen.line([(x * s, y * s) for x, y in points], ink, max(1, int(width * s)), joint="curve")

    def poly(self, points: Sequence[tuple[float, float]], fill: Colour) -> None:
        """Fill a polygon."""
        self._pen.polygon([(x * self.s, y * self.s) for x, y in points], fill)

    def seven(self, text: str, x: float, y: float, size: float, ink: Colour) -> None:
        """Write seven-segment figures whose left middle lies at (x, y)."""
        on, slant = dict(_SEGMENTS), -0.08
        w, t, h = size * 0.5, size * 0.13, size / 2
        ends = {
            "a": ((0.0, -h), (w, -h)),
            "b": ((w, -h), (w, 0.0)),
            "c": ((w, 0.0), (w, h)),
            "d": ((0.0, h), (w, h)),
            "e": ((0.0, 0.0), (0.0, h)),
            "f": ((0.0, -h), (0.0, 0.0)),
            "g": ((0.0, 0.0), (w, 0.0)),
        }
        for sign in text:
            if sign in ".:":
                for dy in (h,) if sign == "." else (-size * 0.2, size * 0.2):
                    self.rect(x - t, y + dy - t, x, y + dy, ink)
                x += t * 0.8
                continue
            for k in on[sign]:
                (ax, ay), (bx, by) = ends[k]
                dx, dy = float(np.sign(bx - ax)) * t * 0.6, float(np.sign(by - ay)) * t * 0.6
                start = (x + ax + dx + slant * ay, y + ay + dy)
                self.line([start, (x + bx - dx + slant * by, y + by - dy)], ink, t)
            x += w * 1.6

    def array(self) -> Bytes:
        """Return the picture, row 0 the upper edge."""
        return np.asarray(self.image)


def wooden(rng: Rng, w: float, h: float, s: float = 8.0, tone: Colour = (214, 176, 124)) -> Canvas:
    """Return a canvas of wood."""
    out = Canvas(w, h, BLACK, s)
    grain = noise(rng, (max(8, int(h * s)), max(8, int(w * s))), 1.1, pick(rng, (0.12, 9.0)))
    light = np.array(vary(rng, tone, 10), float)
    out.cover(to_bytes(mix(tuple(light), tuple(light * 0.78), 0.35 + 0.22 * grain)))
    return out
