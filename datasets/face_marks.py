"""Small printed or embossed marks: suits, rings, stars, flowers and lines, as coverage masks."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from datasets.face_glyphs import Mask, fit
from datasets.jokers_head import star
from datasets.jokers_pen import CLEAR, Pen, arc_points

__all__ = ["MARKS", "SUITS", "mark"]

SUITS: Final = ("heart", "club", "spade", "diamond")
"""Marks for red, blue, black and orange tiles of the cards skin."""
MARKS: Final = (
    *(*SUITS, "ring", "disc", "dot", "flower", "star", "star-relief", "line", "two-lines", "waves"),
)
"""All marks."""


@lru_cache(maxsize=128)
def mark(name: str, size_px: int, seed: int = 0) -> Mask:
    """Return a mark, ``size_px`` its longer side, cut to its ink; ValueError for an unknown one."""
    if name not in MARKS:
        raise ValueError(f"{name!r} is no mark; there are {', '.join(MARKS)}")
    rng = np.random.default_rng(seed)
    # Thin lines vanish when they are drawn small, so small marks are drawn large and shrunk.
    pen = Pen(max(64, round(size_px * 1.35)), (0, 0, 0), (0, 0, 0))
    _DRAW[name](pen, rng)
    mask = pen.finish()[1]
    rows, columns = np.flatnonzero(mask.max(axis=1) > 0.1), np.flatnonzero(mask.max(axis=0) > 0.1)
    cut = np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
    scale = size_px / max(cut.shape)
    return fit(cut, cut.shape[1] * scale, cut.shape[0] * scale)


def _heart(pen: Pen, rng: np.random.Generator) -> None:
    pen.polygon(
        arc_points((-0.47, -0.35), 0.5, 0.5, 150, 370)
        + arc_points((0.47, -0.35), 0.5, 0.5, 170, 390)
        + [(0, 0.95)]
    )
    pen.polygon([(-0.93, -0.15), (0.93, -0.15), (0, 0.98)])


def _spade(pen: Pen, rng: np.random.Generator) -> None:
    pen.polygon([(-0.9, 0.2), (0, -1.0), (0.9, 0.2)])
    for s in (-1, 1):
        pen.oval((s * 0.45, 0.28), 0.48)
    pen.polygon([(-0.06, 0.2), (0.06, 0.2), (0.34, 1.0), (-0.34, 1.0)])


def _club(pen: Pen, rng: np.random.Generator) -> None:
    for where in ((0, -0.5), (-0.5, 0.25), (0.5, 0.25)):
        pen.oval(where, 0.45)
    pen.oval((0, 0.05), 0.25)
    pen.polygon([(-0.06, 0.1), (0.06, 0.1), (0.34, 1.0), (-0.34, 1.0)])


def _diamond(pen: Pen, rng: np.random.Generator) -> None:
    pen.polygon([(0, -1.0), (0.78, 0), (0, 1.0), (-0.78, 0)])


def _ring(pen: Pen, rng: np.random.Generator) -> None:
    width = float(rng.uniform(0.08, 0.4))
    pen.ring((0, 0), 1 - width / 2, width=width)
    if rng.random() < 0.25:
        pen.oval((0, 0), 0.25)


def _disc(pen: Pen, rng: np.random.Generator) -> None:
    pen.oval((0, 0), 1.0)


def _flower(pen: Pen, rng: np.random.Generator) -> None:
    petals = int(rng.integers(5, 9))
    for angle in np.linspace(0, 2 * np.pi, petals, endpoint=False):
        pen.oval((0.62 * float(np.cos(angle)), 0.62 * float(np.sin(angle))), 1.9 / petals)
    pen.oval((0, 0), 0.5)
    if rng.random() < 0.7:
        pen.oval((0, 0), 0.26, paint=CLEAR)


def _star(pen: Pen, rng: np.random.Generator) -> None:
    points = int(rng.choice([4, 5, 5, 6, 8]))
    pen.polygon(star((0, 0), 1.05, float(rng.uniform(0.35, 0.55)), points))


def _line(pen: Pen, rng: np.random.Generator) -> None:
    pen.line([(-1.0, 0), (1.0, 0)], float(rng.uniform(0.06, 0.25)))


def _two_lines(pen: Pen, rng: np.random.Generator) -> None:
    for y in (-0.15, 0.15):
        pen.line([(-1.0, y), (1.0, y)], 0.09)


def _waves(pen: Pen, rng: np.random.Generator) -> None:
    xs = np.linspace(-1, 1, 30)
    for y in (-0.25, 0.15):
        pen.line([(float(x), y + 0.12 * float(np.sin(9 * x))) for x in xs], 0.1)


_DRAW: Final = {"heart": _heart, "spade": _spade, "club": _club, "diamond": _diamond, "ring": _ring} | {
    **{"disc": _disc, "dot": _disc, "flower": _flower, "star": _star, "star-relief": _star, "line": _line},
    **{"two-lines": _two_lines, "waves": _waves},
}
