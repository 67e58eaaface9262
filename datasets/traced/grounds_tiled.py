"""Grounds of many pieces: six-sided tiles, tesserae, numbered fields."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from datasets.traced import assets
from datasets.traced.canvas import BOLD, HANDS, Colour, pick, vary
from datasets.traced.grounds import SIDE, fine
from datasets.traced.meshes import Floats, Material
from datasets.traced.noise import relief, to_bytes

__all__ = ["hextile", "mosaic", "playmat"]

Rng = np.random.Generator


def _nearest(points: Floats, span: float) -> tuple[Floats, NDArray[np.int64]]:
    """How far each texel is from the border of its cell, in mm, and which point the cell is about."""
    texel = span / SIDE
    reach = int(2.6 * span / np.sqrt(len(points)) / texel) + 2
    first = np.full((SIDE, SIDE), np.inf, np.float32)
    second = np.full((SIDE, SIDE), np.inf, np.float32)
    cell = np.zeros((SIDE, SIDE), np.int64)
    other = np.zeros((SIDE, SIDE), np.int64)
    for i, (px, py) in enumerate(points):
        column, row = int(px / texel), int(py / texel)
        rows, columns = np.arange(row - reach, row + reach + 1), np.arange(column - reach, column + reach + 1)
        down, right = (rows + 0.5) * texel - py, (columns + 0.5) * texel - px
        away = (down[:, None] ** 2 + right[None] ** 2).astype(np.float32)
        where = np.ix_(rows % SIDE, columns % SIDE)
        one, two, which, then = first[where], second[where], cell[where], other[where]
        nearest, next_ = away < one, (away >= one) & (away < two)
        second[where] = np.where(nearest, one, np.where(next_, away, two))
        other[where] = np.where(nearest, which, np.where(next_, i, then))
        first[where] = np.where(nearest, away, one)
        cell[where] = np.where(nearest, i, which)
    apart = points[cell] - points[other]
    apart -= np.rint(apart / span) * span
    return (second - first) / (2 * np.linalg.norm(apart, axis=-1) + 1e-6), cell


def _cells(
    points: Floats,
    span: float,
    tones: Sequence[Colour],
    rng: Rng,
    grout: Colour,
    gap: float,
    rough: float,
    spread: float,
) -> Material:
    """Cells about ``points`` (mm, within the span) with grout between."""
    edge, cell = _nearest(points, span)
    colours = np.array([vary(rng, pick(rng, tones), spread) for _ in points], np.float32)
    share = np.clip((edge - gap) / 0.5, 0, 1)[..., None]
    picture = colours[cell] * (1 + 0.03 * fine(rng, 1.6))[..., None]
    picture = picture * share + (np.array(grout, np.float32) + 5 * fine(rng, 0.3)[..., None]) * (1 - share)
    height = np.clip((edge - gap) / 1.2, 0, 1) * 0.7
    return Material(to_bytes(picture), float(rough), relief(height.astype(np.float32), span / SIDE))


def hextile(rng: Rng, span: float) -> Material:
    """Six-sided ceramic tiles."""
    n = max(4, round(span / rng.uniform(22, 55)))
    a = span / n
    m = max(2, round(span / (a * 3**0.5)))
    b = span / m
    grid = [(i * a + k * a / 2, j * b + k * b / 2) for i in range(n) for j in range(m) for k in (0, 1)]
    tones: Sequence[Colour] = pick(
        rng,
        (
            ((240, 238, 232),),
            ((240, 238, 232), (240, 238, 232), (40, 44, 50)),
            ((90, 140, 150), (200, 214, 212)),
            ((196, 110, 70), (170, 90, 60)),
            ((60, 66, 74), (90, 96, 104)),
            ((240, 236, 226), (230, 190, 90), (90, 120, 160)),
        ),
    )
    return _cells(
        np.array(grid),
        span,
        tones,
        rng,
        pick(rng, ((190, 186, 178), (90, 88, 84), (230, 228, 222))),
        rng.uniform(0.7, 1.6),
        rng.uniform(0.1, 0.35),
        4,
    )


def mosaic(rng: Rng, span: float) -> Material:
    """A garden table of tesserae, square or broken."""
    n = max(6, round(span / rng.uniform(14, 34)))
    i, j = np.mgrid[:n, :n].reshape(2, -1)
    wild = float(pick(rng, (0.02, 0.3)))
    points = (np.column_stack([i, j]) + 0.5 + rng.uniform(-wild, wild, (n * n, 2))) * span / n
    tones: Sequence[Colour] = pick(
        rng,
        (
            ((250, 246, 236), (40, 90, 160), (120, 170, 210)),
            ((220, 190, 140), (180, 90, 60), (240, 230, 210), (90, 120, 100)),
            ((230, 230, 226), (200, 200, 198), (250, 250, 248)),
            ((30, 60, 80), (60, 120, 130), (220, 210, 180), (210, 150, 60)),
        ),
    )
    return _cells(
        points % span,
        span,
        tones,
        rng,
        pick(rng, ((210, 206, 198), (110, 106, 100))),
        rng.uniform(0.6, 1.4),
        rng.uniform(0.1, 0.4),
        14,
    )


def playmat(rng: Rng, span: float) -> Material:
    """A printed board or mat with a path of numbered, coloured fields."""
    n = max(5, round(span / rng.uniform(38, 60)))
    q = SIDE / n
    sheet = Image.new("RGB", (SIDE, SIDE), (236, 228, 206))
    pen, name = ImageDraw.Draw(sheet), pick(rng, (*BOLD, *HANDS))
    tones = [
        vary(rng, t, 12)
        for t in ((244, 214, 120), (180, 214, 230), (236, 170, 160), (190, 220, 160), (248, 244, 232))
    ]
    round_ = rng.random() < 0.4
    for k in range(n * n):
        i, j = k % n if (k // n) % 2 == 0 else n - 1 - k % n, k // n
        box = (i * q + q * 0.06, j * q + q * 0.06, (i + 1) * q - q * 0.06, (j + 1) * q - q * 0.06)
        (pen.ellipse if round_ else pen.rectangle)(box, pick(rng, tones), (70, 60, 50), 3)
        pen.text(
            ((i + (0.5 if round_ else 0.3)) * q, (j + (0.5 if round_ else 0.28)) * q),
            str(k + 1),
            pick(rng, ((60, 50, 44), (170, 40, 40), (40, 70, 130))),
            font=assets.font(name, int(q * 0.3)),
            anchor="mm",
        )
    return Material(
        np.asarray(sheet),
        float(rng.uniform(0.25, 0.6)),
        relief(rng.uniform(0, 0.6) * fine(rng, 2.4), span / SIDE),
    )
