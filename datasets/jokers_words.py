"""Joker families that are words, letters and symbols."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import ImageFont

from datasets import assets
from datasets.icons import FIRST_ICON
from datasets.jokers_head import features, star
from datasets.jokers_pen import CLEAR, Paint, Pen

__all__ = ["WORDS"]

Rng = np.random.Generator

_ICONS = 3600
"""Icons that a collection is taken to hold."""


@lru_cache(maxsize=64)
def _load(path: Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), 160)


def _font(pen: Pen, rng: Rng) -> ImageFont.FreeTypeFont:
    """Draw a font that holds JOKER: all of the numeral fonts do."""
    choice = assets.fonts("final", committed_only=pen.committed_only)
    return _load(choice[int(rng.integers(len(choice)))].path)


def _word(rng: Rng) -> str:
    return str(rng.choice(["JOKER", "JOKER", "JOKER", "Joker", "joker"]))


def word(pen: Pen, rng: Rng) -> None:
    """The word across, maybe framed or underlined."""
    height = float(rng.uniform(0.35, 0.8))
    pen.glyphs(_font(pen, rng), _word(rng), (0, 0), 2.2, height)
    kind = rng.random()
    if kind < 0.2:
        pen.line([(-1.0, height / 2 + 0.15), (1.0, height / 2 + 0.15)], 0.07, pen.ink2)
    elif kind < 0.4:
        pen.polygon(star((0, -height / 2 - 0.4), 0.3, 0.12, 5), pen.ink2)


def word_down(pen: Pen, rng: Rng) -> None:
    """Letters one below the other."""
    font, text = _font(pen, rng), "JOKER"
    width = float(rng.uniform(0.3, 0.5))
    for k, letter in enumerate(text):
        pen.glyphs(font, letter, (0, -1.04 + 0.52 * k), 0.7 * width if letter == "J" else width, 0.42)


def word_turned(pen: Pen, rng: Rng) -> None:
    """The word turned a quarter."""
    turn = 90.0 if rng.random() < 0.4 else -90.0
    pen.glyphs(_font(pen, rng), _word(rng), (0, 0), 2.4, float(rng.uniform(0.4, 0.8)), turn_deg=turn)


def word_slanted(pen: Pen, rng: Rng) -> None:
    """The word rising to the right (or falling)."""
    turn = float(rng.uniform(20, 50)) * (-1 if rng.random() < 0.8 else 1)
    pen.glyphs(_font(pen, rng), _word(rng), (0, 0), 2.3, float(rng.uniform(0.4, 0.7)), turn_deg=turn)


def word_arched(pen: Pen, rng: Rng) -> None:
    """Letters on an arch, maybe over a face or a star."""
    font = _font(pen, rng)
    for letter, angle in zip("JOKER", np.linspace(-56, 56, 5), strict=True):
        a = np.deg2rad(float(angle))
        where = (1.05 * float(np.sin(a)), 0.15 - 1.05 * float(np.cos(a)))
        pen.glyphs(font, letter, where, 0.3, 0.42, turn_deg=float(angle))
    pen.shift, pen.zoom = (0.0, 0.3), 0.55
    if rng.random() < 0.6:
        pen.ring((0, 0), 0.95, width=0.13)
        features(pen, rng)
    else:
        pen.polygon(star((0, 0), 1.0, 0.42, 5), pen.ink2)
    pen.shift, pen.zoom = (0.0, 0.0), 1.0


def letter(pen: Pen, rng: Rng) -> None:
    """A big J, maybe in a ring, with a star or left bare in a disc."""
    font, kind = _font(pen, rng), rng.random()
    if kind < 0.25:
        pen.ring((0, 0), 1.05)
    elif kind < 0.4:
        pen.oval((0, 0), 1.05)
    solid = 0.25 <= kind < 0.4
    scale = 0.62 if kind < 0.4 else 1.0
    pen.glyphs(font, "J", (0, 0), 1.05 * scale, 1.9 * scale, paint=CLEAR if solid else pen.ink)
    if kind > 0.7:
        pen.polygon(star((-0.62, -0.62), 0.3, 0.13, 5), pen.ink2)


def symbol(pen: Pen, rng: Rng) -> None:
    """A symbol of a font: a smiling face, a fool's card, a star."""
    choice = assets.symbol_fonts(committed_only=pen.committed_only)
    order = rng.permutation(len(assets.JOKER_SYMBOLS))
    for index in order if choice else ():
        sign = assets.JOKER_SYMBOLS[int(index)]
        for pick in rng.permutation(len(choice)):
            if _holds(choice[int(pick)].path, sign):
                _sign(pen, choice[int(pick)].path, sign)
                return
    pen.polygon(star((0, 0), 1.1, 0.45, 5))


def icon(pen: Pen, rng: Rng) -> None:
    """One of thousands of drawings, maybe in a ring, bare in a disc, or beside a J."""
    fonts = assets.symbol_fonts("icons", committed_only=pen.committed_only)
    if not fonts:
        symbol(pen, rng)
        return
    path = fonts[int(rng.integers(len(fonts)))].path
    signs = [chr(FIRST_ICON + int(code)) for code in rng.integers(_ICONS, size=20)]
    sign = next((one for one in signs if _holds(path, one)), chr(FIRST_ICON))
    kind = rng.random()
    if kind < 0.15:
        pen.ring((0, 0), 1.1)
    elif kind < 0.25:
        pen.oval((0, 0), 1.15)
    elif kind < 0.32:
        pen.glyphs(_font(pen, rng), "J", (-0.85, -0.85), 0.4, 0.55)
    paint = CLEAR if 0.15 <= kind < 0.25 else pen.ink2 if kind > 0.9 else pen.ink
    _sign(pen, path, sign, 1.4 if kind < 0.25 else 2.0, paint)


def _sign(pen: Pen, path: Path, sign: str, size: float = 2.0, paint: Paint | None = None) -> None:
    """Draw a sign in the middle, ``size`` long its longer way."""
    font = _load(path)
    left, top, right, bottom = font.getbbox(sign, anchor="ls")
    scale = size / max(right - left, bottom - top)
    pen.glyphs(font, sign, (0, 0), (right - left) * scale, (bottom - top) * scale, paint=paint)


@lru_cache(maxsize=8192)
def _holds(path: Path, sign: str) -> bool:
    """Whether a font draws a sign and not the box for a missing one."""
    font = _load(path)
    drawn, missing = font.getmask(sign), font.getmask("\U000f1234")
    return drawn.getbbox() is not None and bytes(drawn) != bytes(missing)


WORDS = {
    "word": (word, 1.5),
    "word-down": (word_down, 1.2),
    "word-turned": (word_turned, 0.8),
    "word-slanted": (word_slanted, 0.8),
    "word-arched": (word_arched, 1.0),
    "letter-j": (letter, 1.2),
    "symbol": (symbol, 4.0),
    "icon": (icon, 10.0),
}
"""Name: drawing and how common it is."""
