"""A pen for joker drawings: unit coordinates, antialiased by drawing large.

The drawing plane runs from -1.35 to 1.35 each way, x right, y down; a figure of usual size fills -1..1.
Colours are ``ink`` and ``ink2`` of the joker, or ``CLEAR``, which lays the tile's body bare.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

__all__ = ["CLEAR", "EXTENT", "Paint", "Pen", "Point"]

Point = tuple[float, float]
Paint = tuple[int, int, int, int]

CLEAR: Final[Paint] = (0, 0, 0, 0)
"""Paint that lays the body bare."""
EXTENT: Final = 1.35
"""Half the width of the drawing plane."""


class Pen:
    """Draws on a square plane of ``size_px`` pixels, four times as fine inside.

    ``turn`` mirrors or turns whatever is drawn: a function of points.
    """

    def __init__(self, size_px: int, ink: Sequence[float], ink2: Sequence[float], line: float = 0.08) -> None:
        """Start a clear plane; ``line`` is the usual stroke width."""
        self.size_px = size_px
        self._n = size_px * 3
        self._scale = self._n / (2 * EXTENT)
        self.ink: Paint = _paint(ink)
        self.ink2: Paint = _paint(ink2)
        self.line_width = line
        self.committed_only = False
        self.flip_x = 1.0
        self.flip_y = 1.0
        self.shift: Point = (0.0, 0.0)
        self.zoom = 1.0
        # Clear pixels carry the ink's colour, so that edges do not fringe when the plane is shrunk.
        self._image = Image.new("RGBA", (self._n, self._n), CLEAR)
        self._draw = ImageDraw.Draw(self._image)

    def _to(self, point: Point) -> Point:
        x = self.flip_x * point[0] * self.zoom + self.shift[0]
        y = self.flip_y * point[1] * self.zoom + self.shift[1]
        return ((x + EXTENT) * self._scale, (y + EXTENT) * self._scale)

    def _width(self, width: float | None) -> int:
        return max(1, round((self.line_width if width is None else width) * self._scale * self.zoom))

    def polygon(self, points: Iterable[Point], paint: Paint | None = None) -> None:
        """Fill a polygon."""
        self._draw.polygon([self._to(p) for p in points], fill=self.ink if paint is None else paint)

    def line(self, points: Iterable[Point], width: float | None = None, paint: Paint | None = None) -> None:
        """Draw a line with round joins and ends."""
        fill = self.ink if paint is None else paint
        where, thick = [self._to(p) for p in points], self._width(width)
        self._draw.line(where, fill=fill, width=thick, joint="curve")
        for x, y in (where[0], where[-1]):
            r = thick / 2
            self._draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)

    def outline(self, points: Iterable[Point], width: float | None = None, paint: Paint | None = None) -> None:
        """Draw a closed line."""
        corners = list(points)
        self.line([*corners, *corners[:2]], width, paint)

    def oval(self, centre: Point, rx: float, ry: float | None = None, paint: Paint | None = None) -> None:
        """Fill an ellipse."""
        ry = rx if ry is None else ry
        (x0, y0), (x1, y1) = (
            self._to((centre[0] - rx, centre[1] - ry)),
            self._to((centre[0] + rx, centre[1] + ry)),
        )
        box = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        self._draw.ellipse(box, fill=self.ink if paint is None else paint)

    def ring(
        self,
        centre: Point,
        rx: float,
        ry: float | None = None,
        width: float | None = None,
        paint: Paint | None = None,
        inside: Paint | None = None,
    ) -> None:
        """Draw an ellipse's line, centred on its radius; ``inside`` fills it."""
        w = self.line_width if width is None else width
        self.oval(centre, rx + w / 2, (rx if ry is None else ry) + w / 2, paint)
        self.oval(centre, rx - w / 2, (rx if ry is None else ry) - w / 2, CLEAR if inside is None else inside)

    def arc(
        self,
        centre: Point,
        rx: float,
        ry: float,
        start_deg: float,
        end_deg: float,
        width: float | None = None,
        paint: Paint | None = None,
    ) -> None:
        """Draw part of an ellipse; 0 is right, 90 is down."""
        self.line(arc_points(centre, rx, ry, start_deg, end_deg), width, paint)

    def curve(self, points: Sequence[Point], width: float | None = None, paint: Paint | None = None) -> None:
        """Draw a smooth line through points."""
        self.line(smooth(points), width, paint)

    def blob(self, points: Sequence[Point], paint: Paint | None = None) -> None:
        """Fill a smooth closed shape through points."""
        self.polygon(smooth([*points, points[0]], closed=True), paint)

    def glyphs(
        self,
        font: ImageFont.FreeTypeFont,
        text: str,
        centre: Point,
        width: float,
        height: float,
        *,
        turn_deg: float = 0.0,
        paint: Paint | None = None,
    ) -> None:
        """Draw text, its ink scaled into a box, turned clockwise about its centre."""
        left, top, right, bottom = font.getbbox(text, anchor="ls")
        if right <= left or bottom <= top:
            return
        mask = Image.new("L", (int(right - left) + 2, int(bottom - top) + 2))
        ImageDraw.Draw(mask).text((1 - left, 1 - top), text, fill=255, font=font, anchor="ls")
        k = self._scale * self.zoom
        mask = mask.resize((max(1, round(width * k)), max(1, round(height * k))), Image.Resampling.BILINEAR)
        if turn_deg:
            mask = mask.rotate(-turn_deg, expand=True, resample=Image.Resampling.BILINEAR)
        x, y = self._to(centre)
        fill = self.ink if paint is None else paint
        self._image.paste(fill, (round(x - mask.width / 2), round(y - mask.height / 2)), mask)

    def finish(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return colour (N, N, 3) and coverage (N, N), both 0..1, at ``size_px``."""
        fine = np.asarray(self._image, dtype=np.float32).reshape(self.size_px, 3, self.size_px, 3, 4) / 255
        alpha = fine[..., 3]
        weight = alpha.sum(axis=(1, 3))
        colour = (fine[..., :3] * alpha[..., None]).sum(axis=(1, 3)) / np.maximum(weight, 1e-6)[..., None]
        return colour, weight / 9


def _paint(rgb: Sequence[float]) -> Paint:
    r, g, b = (round(255 * min(1.0, max(0.0, float(c)))) for c in rgb)
    return (r, g, b, 255)


def arc_points(centre: Point, rx: float, ry: float, start_deg: float, end_deg: float) -> list[Point]:
    """Return points along part of an ellipse."""
    count = max(6, int(abs(end_deg - start_deg) / 6))
    angles = np.deg2rad(np.linspace(start_deg, end_deg, count))
    return [(centre[0] + rx * float(np.cos(a)), centre[1] + ry * float(np.sin(a))) for a in angles]


def smooth(points: Sequence[Point], *, closed: bool = False, steps: int = 8) -> list[Point]:
    """Return a Catmull-Rom curve through points."""
    p = np.asarray(points, dtype=np.float64)
    if len(p) < 3:
        return list(points)
    ends = (p[-2], p[1]) if closed else (2 * p[0] - p[1], 2 * p[-1] - p[-2])
    q = np.vstack([ends[0], p, ends[1]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    out = [
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(q[:-3], q[1:-2], q[2:-1], q[3:], strict=True)
    ]
    return [(float(x), float(y)) for x, y in np.vstack([*out, p[-1:]])]
