"""Grounds that look like tiles: numbered mats, squared boards, cutting mats, printed cloths, brick patterns.

Makers as in ``datasets.grounds_hard``.
"""

from __future__ import annotations

from types import MappingProxyType

import cv2
import numpy as np
from numpy.random import Generator

from datasets.ground_noise import Map, fbm
from datasets.grounds import Ground, Maker
from datasets.negatives_sheet import BRIGHT, Pens, Sheet, Tone

__all__ = ["GROUNDS", "HELD_OUT", "sample"]


def _finish(sheet: Sheet, rng: Generator, turned: bool = True) -> Map:
    """Return the sheet as a ground, a little uneven."""
    size = sheet.rgb.shape[0]
    shade = 1 + np.float32(0.04) * fbm(rng, size, 6, 3)
    picture = sheet.rgb.astype(np.float32) / np.float32(255) * shade[..., None]
    if turned:
        picture = np.rot90(picture, int(rng.integers(4)))
    return np.ascontiguousarray(np.clip(picture, 0, 1), dtype=np.float32)


def _numbered(split: str, hundred: bool) -> Maker:
    """Return a maker of a mat of numbered squares, as children's mats and track games have."""

    def make(rng: Generator, size: int, texel: float) -> Map:
        pens = Pens(rng, split)
        font, pitch = pens.figures(), max(texel * float(rng.uniform(1.0, 2.6)), 16.0)
        base: Tone = (250, 248, 240) if hundred else pens.pale()
        sheet, step = Sheet(size, size, base), int(rng.integers(3, 12))
        columns = int(np.ceil(size / pitch))
        for k in range(columns * columns):
            x, y = (k % columns) * pitch, (k // columns) * pitch
            tone = BRIGHT[(k * step) % len(BRIGHT)]
            number = str((k + step) % (100 if hundred else 40) + 1)
            if hundred:
                sheet.box(x, y, x + pitch, y + pitch, (150, 150, 156), max(1, round(0.03 * pitch)))
                sheet.write(number, x + pitch / 2, y + pitch / 2, 0.36 * pitch, (40, 40, 46), font)
            else:
                sheet.box(x + 1, y + 1, x + pitch - 1, y + pitch - 1, tone, radius=0.12 * pitch)
                sheet.disc(x + pitch / 2, y + pitch / 2, 0.36 * pitch, (252, 250, 244))
                sheet.write(number, x + pitch / 2, y + pitch / 2, 0.32 * pitch, tone, font)
        return _finish(sheet, rng)

    return make


def _board(rng: Generator, size: int, texel: float) -> Map:
    """A board of two tones in squares."""
    pitch = texel * float(rng.uniform(0.9, 2.4))
    cells = (np.arange(size) / pitch).astype(int)
    dark = ((cells[None] + cells[:, None]) % 2).astype(bool)
    pairs = (
        ((240, 224, 190), (120, 78, 46)),
        ((246, 246, 244), (30, 30, 34)),
        ((238, 234, 220), (60, 110, 80)),
    )
    sheet = Sheet(size, size, pairs[int(rng.integers(3))][0])
    sheet.rgb[dark] = pairs[int(rng.integers(3))][1]
    return _finish(sheet, rng)


def _cutting_mat(split: str) -> Maker:
    """Return a maker of a cutting mat: a grid with numbers along its lines."""

    def make(rng: Generator, size: int, texel: float) -> Map:
        pens, pitch = Pens(rng, split), texel * float(rng.uniform(0.8, 1.6))
        base: Tone = pens.pick((34, 96, 70), (40, 60, 110), (60, 60, 64))
        ink: Tone = (214, 220, 190)
        sheet, font = Sheet(size, size, base), pens.figures()
        for k in range(int(size / pitch) + 1):
            sheet.line(k * pitch, 0, k * pitch, size, ink, 1)
            sheet.line(0, k * pitch, size, k * pitch, ink, 1)
            for row in range(0, int(size / pitch) + 1, 6):
                at = (k * pitch + 0.25 * pitch, row * pitch + 0.25 * pitch)
                sheet.write(str(k % 30), *at, max(0.25 * pitch, 5), ink, font)
        return _finish(sheet, rng)

    return make


def _printed_words(split: str) -> Maker:
    """Return a maker of cloth or wrapping paper with numbers and letters strewn all over it."""

    def make(rng: Generator, size: int, texel: float) -> Map:
        pens = Pens(rng, split)
        sheet = Sheet(size, size, pens.pale() if rng.random() < 0.6 else BRIGHT[int(rng.integers(len(BRIGHT)))])
        high = max(texel * float(rng.uniform(0.3, 1.1)), 8.0)
        dark = int(sheet.rgb[0, 0].sum()) < 400
        for _ in range(min(int(0.16 * (size / high) ** 2), 260)):
            x, y = rng.uniform(0, size, 2)
            ink: Tone = (246, 244, 236) if dark else pens.ink(0.2)
            text = pens.number(0, 20) if rng.random() < 0.6 else pens.letters(2).upper()
            sheet.write(text, float(x), float(y), high * float(rng.uniform(0.6, 1)), ink, pens.words())
        return _finish(sheet, rng)

    return make


def _mosaic(rng: Generator, size: int, texel: float) -> Map:
    """Pale upright tiles of a wall or a mosaic, in the proportions of game tiles."""
    w = texel * float(rng.uniform(0.8, 2.0))
    h = w * float(rng.uniform(0.6, 1.6))
    joint = max(1.0, w * float(rng.uniform(0.02, 0.1)))
    sheet = Sheet(size, size, (int(rng.integers(60, 200)),) * 3)
    shift = float(rng.choice([0.0, 0.5]))
    base = rng.uniform(190, 246) + rng.normal(0, 8, 3)
    for row in range(int(size / h) + 1):
        for column in range(-1, int(size / w) + 1):
            x, y = (column + shift * (row % 2)) * w, row * h
            r, g, b = (int(v) for v in np.clip(base * rng.normal(1, 0.03), 0, 255))
            cv2.rectangle(
                sheet.rgb, (round(x + joint), round(y + joint)), (round(x + w), round(y + h)), (r, g, b), -1
            )
    return _finish(sheet, rng)


def _of(split: str) -> MappingProxyType[str, Ground]:
    return MappingProxyType(
        {
            "hundred_square": Ground("hundred_square", "numbered", _numbered(split, hundred=True)),
            "track_mat": Ground("track_mat", "numbered_mat", _numbered(split, hundred=False)),
            "board": Ground("board", "board", _board, (0.0, 0.5)),
            "cutting_mat": Ground("cutting_mat", "cutting_mat", _cutting_mat(split)),
            "number_cloth": Ground("number_cloth", "number_cloth", _printed_words(split)),
            "mosaic": Ground("mosaic", "mosaic", _mosaic, (0.1, 0.6)),
        }
    )


GROUNDS = tuple(_of("final"))
"""Names of the grounds."""

HELD_OUT = frozenset({"track_mat", "cutting_mat"})
"""Grounds that split "train" never shows."""


def sample(rng: Generator, split: str) -> Ground:
    """Draw a ground: "train" leaves out those of ``HELD_OUT``, "heldout" draws only those."""
    pool = [
        g for name, g in _of(split).items() if split == "final" or (name in HELD_OUT) == (split == "heldout")
    ]
    return pool[int(rng.integers(len(pool)))]
