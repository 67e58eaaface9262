"""Numerals and words as coverage masks, cut close to their ink.

A mask is float32, 0..1, shape (H, W). Masks are drawn large once per font and text, and scaled from there.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

__all__ = ["Mask", "digit_height", "fit", "stroke_share", "text_mask"]

Mask = NDArray[np.float32]
"""Coverage 0..1, shape (H, W)."""

_SIZE = 220
"""Font size, pixels, at which masks are drawn before they are scaled."""


@lru_cache(maxsize=256)
def _font(path: Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), _SIZE)


@lru_cache(maxsize=256)
def digit_height(path: Path) -> int:
    """Return the ink height of the font's figures (that of ``0``), pixels of an unscaled mask."""
    _, top, _, bottom = _font(path).getbbox("0", anchor="ls")
    return max(1, int(bottom - top))


@lru_cache(maxsize=600)
def stroke_share(path: Path) -> float:
    """Return how thick the strokes of the figures are, as a share of their height (bold is about 0.2)."""
    ink = (_draw(path, "8", 0.0, 0.0) > 0.5).astype(np.uint8)
    inside = cv2.distanceTransform(cv2.copyMakeBorder(ink, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 5)
    # Of a stroke of width t, the mean distance to the edge is a quarter of t.
    return float(4 * inside[inside > 0].mean() / digit_height(path))


def _draw(path: Path, text: str, tracking: float, bar: float, own_spacing: bool = False) -> Mask:
    """Draw text at the large size; ``bar`` above 0 is the width of a 1 that is a plain bar."""
    font = _font(path)
    gap = tracking * _SIZE
    # Kerning is cut from the fonts, and figures of equal width leave holes beside a 1: unless the font's own
    # spacing is wanted, the distance of ink to ink is set.
    boxes = [font.getbbox(character, anchor="ls") for character in text]
    if bar:
        tall = font.getbbox("0", anchor="ls")
        boxes = [(0, tall[1], bar, tall[3]) if c == "1" else b for c, b in zip(text, boxes, strict=True)]
    top, bottom = min(b[1] for b in boxes), max(b[3] for b in boxes)
    x, places = 0.0, []
    for box in boxes:
        places.append(x - box[0])
        x += box[2] - box[0] + gap
    if own_spacing and not bar:
        x, places = 0.0, []
        for character in text:
            places.append(x - boxes[0][0])
            x += font.getlength(character) + 0.3 * gap
        x = places[-1] + boxes[-1][2] + gap
    width = int(np.ceil(x - gap)) + 4
    canvas = Image.new("L", (max(1, width), max(1, int(bottom - top)) + 4))
    pen = ImageDraw.Draw(canvas)
    for character, place in zip(text, places, strict=True):
        # Overlapping characters add up instead of rubbing each other out.
        layer = Image.new("L", canvas.size) if gap < 0 else canvas
        target = ImageDraw.Draw(layer) if gap < 0 else pen
        if bar and character == "1":
            target.rectangle((place + 2, 2, place + 2 + bar, bottom - top + 2), fill=255)
            if gap < 0:
                canvas.paste(255, mask=layer)
            continue
        target.text((round(place) + 2, 2 - top), character, fill=255, font=font, anchor="ls")
        if gap < 0:
            canvas.paste(255, mask=layer)
    ink = np.asarray(canvas)
    rows, columns = np.flatnonzero(ink.max(axis=1) > 8), np.flatnonzero(ink.max(axis=0) > 8)
    if not rows.size:
        return np.zeros((1, 1), np.float32)
    cut = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return np.asarray(cut / np.float32(255), dtype=np.float32)


@lru_cache(maxsize=120)
def _text_mask(
    path: Path,
    text: str,
    tracking: float,
    weight: float,
    shear: float,
    crossed: bool,
    plain_one: bool,
    own_spacing: bool,
) -> Mask:
    bar = stroke_share(path) * digit_height(path) if plain_one else 0.0
    mask = _draw(path, text, tracking, bar, own_spacing)
    if crossed:
        mask = _cross_sevens(mask, text, path)
    pad = int(np.ceil(abs(weight) * _SIZE)) + 2
    if weight:
        mask = np.asarray(cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT))
        size = 2 * round(abs(weight) * _SIZE / 2) + 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        mask = np.asarray(cv2.dilate(mask, kernel) if weight > 0 else cv2.erode(mask, kernel))
    if shear:
        h, w = mask.shape
        matrix = np.array([[1, -shear, shear * h if shear > 0 else 0], [0, 1, 0]])
        mask = np.asarray(cv2.warpAffine(mask, matrix, (int(w + abs(shear) * h) + 1, h)))
    rows, columns = np.flatnonzero(mask.max(axis=1) > 0.05), np.flatnonzero(mask.max(axis=0) > 0.05)
    if not rows.size:
        return np.zeros((1, 1), np.float32)
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], dtype=np.float32)


def _cross_sevens(mask: Mask, text: str, path: Path) -> Mask:
    """Draw the bar through the stem of a lone 7."""
    if text != "7":
        return mask
    h, w = mask.shape
    bar = np.zeros((h, w), np.uint8)
    row = int(0.52 * h)
    stem = np.flatnonzero(mask[row] > 0.5)
    if not stem.size:
        return mask
    middle, thick = float(stem.mean()), max(4, int(0.6 * stem.size))
    half = 0.30 * w
    cv2.line(
        bar,
        (int(max(middle - half, thick / 2)), row),
        (int(min(middle + half, w - thick / 2)), row),
        255,
        thick,
        cv2.LINE_AA,
    )
    return np.maximum(mask, bar.astype(np.float32) / 255)


def text_mask(
    path: Path,
    text: str,
    *,
    tracking: float = 0.05,
    weight: float = 0.0,
    shear: float = 0.0,
    crossed: bool = False,
    plain_one: bool = False,
    own_spacing: bool = False,
) -> Mask:
    """Return the mask of ``text``, cut to its ink, unscaled.

    ``tracking`` is the gap between the characters' ink, ``weight`` what is added to every stroke, both in
    font sizes; ``shear`` leans the top to the right by that share of the height; ``crossed`` puts a bar
    through a lone 7; ``plain_one`` draws the 1 as a bar;
    ``own_spacing`` spaces by the font's advances instead, plus a part of ``tracking``.
    """
    return _text_mask(
        path, text, round(tracking, 3), round(weight, 3), round(shear, 3), crossed, plain_one, own_spacing
    )


def fit(mask: Mask, width: float, height: float) -> Mask:
    """Return the mask scaled to a size in pixels, at least one pixel each way."""
    size = (max(1, round(width)), max(1, round(height)))
    shrinks = size[0] < mask.shape[1] and size[1] < mask.shape[0]
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR))
