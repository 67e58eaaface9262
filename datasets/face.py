"""Flat textures of faces and backs: colour, height and where the ink is.

Faces are upright, x right, y down; the numeral is never mirrored. All that is random about a face is settled
by the design and the tile, except a slight shift of the print, so faces may be cached per (design, tile,
copy, height).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.design import Design
from datasets.design_inks import RGB
from datasets.face_glyphs import Mask, digit_height, fit, text_mask
from datasets.face_marks import SUITS, mark
from datasets.face_relief import Field, back_relief, face_relief, rim_distance
from datasets.face_wear import body_texture, cavity_shade, rub, scratch
from datasets.jokers import draw_joker
from referee.tiles import Colour, Tile

__all__ = ["FaceTexture", "render_back", "render_face"]

Box = tuple[float, float, float, float]
_RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_SUIT_OF: Final = dict(zip((Colour.RED, Colour.BLUE, Colour.BLACK, Colour.ORANGE), SUITS, strict=True))
_MARGIN: Final = 0.03
"""Ink keeps this share of the width from the outline."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceTexture:
    """One side of a tile, flat and evenly lit."""

    rgb: NDArray[np.float32]
    """Shape (H, W, 3): albedo as sRGB, 0..1."""
    height: NDArray[np.float32] | None
    """Shape (H, W): height over the face's plane in tile widths, up positive; None for a smooth face."""
    ink_box_xyxy: Box
    """The numeral's or joker drawing's ink: left, top, right, bottom as shares of the face; all of a back."""


class _Canvas:
    """A face in the making."""

    def __init__(
        self, design: Design, rgb: RGB, relief: Field | None, height_px: int, rng: np.random.Generator
    ):
        self.design = design
        self.rng = rng
        self.rgb = body_texture(design, rgb, height_px, rng)
        self.h, self.w = self.rgb.shape[:2]
        self.height = None if relief is None else relief.copy()

    def place(self, mask: Mask, cx: float, cy: float) -> tuple[tuple[slice, slice], Mask]:
        """Return where a mask centred on a pixel falls, and the part of it that is on the face."""
        x, y = round(cx - mask.shape[1] / 2), round(cy - mask.shape[0] / 2)
        x0, y0 = max(0, x), max(0, y)
        x1, y1 = min(self.w, x + mask.shape[1]), min(self.h, y + mask.shape[0])
        if x1 <= x0 or y1 <= y0:
            return (slice(0, 0), slice(0, 0)), mask[:0, :0]
        return (slice(y0, y1), slice(x0, x1)), mask[y0 - y : y1 - y, x0 - x : x1 - x]

    def print(self, mask: Mask, rgb: RGB | NDArray[np.float32], cx: float, cy: float, wear: float) -> Box:
        """Print a mask; return its box as shares of the face."""
        where, part = self.place(mask, cx, cy)
        if part.size:
            covered = rub(part, wear, self.rng)[..., None]
            ink = self.place(rgb, cx, cy)[1] if isinstance(rgb, np.ndarray) else np.asarray(rgb, np.float32)
            self.rgb[where] += covered * (ink - self.rgb[where])
        rows, columns = where
        return (columns.start / self.w, rows.start / self.h, columns.stop / self.w, rows.stop / self.h)

    def press(self, mask: Mask, depth: float, cx: float, cy: float) -> None:
        """Press a mask into the face, ``depth`` tile widths (negative raises it)."""
        pad = 2
        soft = cv2.GaussianBlur(
            cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT), (0, 0), max(0.5, self.w / 220)
        )
        where, part = self.place(np.asarray(soft), cx, cy)
        if self.height is None:
            self.height = np.zeros((self.h, self.w), np.float32)
        self.height[where] -= np.float32(depth) * part

    def finish(self, box: Box) -> FaceTexture:
        scratch(self.rgb, self.design.dirt, self.rng)
        if self.height is not None:
            self.rgb *= cavity_shade(self.height, self.w)[..., None]
        return FaceTexture(np.clip(self.rgb, 0, 1), self.height, box)


def render_face(
    design: Design, tile: Tile, height_px: int, rng: np.random.Generator, *, copy: int = 0
) -> FaceTexture:
    """Return the face of a tile, ``height_px`` high and ``round(height_px / design.aspect)`` wide.

    ``copy`` tells the two tiles of a kind apart: other wear, and the other joker. ``rng`` only shifts the
    print by up to one part in a hundred of the width.
    """
    own = np.random.default_rng((design.texture_seed, tile.index, copy))
    canvas = _Canvas(design, design.body_rgb, face_relief(design, height_px), height_px, own)
    dx, dy = rng.normal(0, 0.003, 2) * canvas.w
    if design.families["frame"] == "printed":
        _printed_frame(canvas)
    ink = _joker_ink(design, copy) if tile.colour is None else _ink(design, tile)
    _logo(canvas, ink)
    if tile.colour is None or tile.number is None:
        box = _joker(canvas, copy, float(dx), float(dy))
    else:
        box = _numeral(canvas, tile.colour, tile.number, ink, float(dx), float(dy))
    return canvas.finish(box)


def render_back(design: Design, height_px: int, rng: np.random.Generator) -> FaceTexture:
    """Return the back of a tile, ``height_px`` high; ``rng`` settles its wear."""
    canvas = _Canvas(design, design.back_rgb, back_relief(design, height_px), height_px, rng)
    if design.families["back"] == "word-relief":
        word = text_mask(design.logo_font.path, design.logo_word)
        wide = 0.8 * canvas.w
        tall = min(wide * word.shape[0] / word.shape[1], 0.3 * canvas.h)
        canvas.press(fit(word, wide, tall), design.logo_depth, canvas.w / 2, canvas.h / 2)
    return canvas.finish((0.0, 0.0, 1.0, 1.0))


def _ink(design: Design, tile: Tile) -> RGB:
    assert tile.colour is not None
    colour = tile.colour
    if design.families["skin"] == "cards" and not design.four_colour_suits:
        colour = Colour.RED if colour in (Colour.RED, Colour.ORANGE) else Colour.BLACK
    return design.inks[colour]


def _joker_ink(design: Design, copy: int) -> RGB:
    return design.joker_inks[copy % 2][0]


def _numeral_mask(design: Design, text: str) -> tuple[Mask, float]:
    """Return the numeral with its dot or line, unscaled, and how far the digits' centre is from its own."""
    path, tall = design.font.path, digit_height(design.font.path)
    mask = text_mask(
        path,
        text,
        tracking=design.tracking,
        weight=design.stroke_gain,
        shear=design.shear,
        crossed=design.crossed_seven,
        plain_one=design.plain_one,
        own_spacing=design.own_spacing,
    )
    kind = design.families["nines"]
    marked = text in ("6", "9") or (kind == "underline-all" and text.isdigit())
    if kind == "none" or not marked or design.families["skin"] == "cards":
        return mask, 0.0
    h, w = mask.shape
    part = (design.texture_seed % 11) / 10
    if kind == "dot-beside":
        r, gap = round((0.055 + 0.04 * part) * tall), round(0.06 * tall)
        wide = np.zeros((h, w + gap + 2 * r + 1), np.float32)
        wide[:, :w] = mask
        wide[h - 2 * r - 1 :, w + gap :] = _dot(r)
        return wide, 0.0
    gap = round((0.06 + 0.08 * part) * tall)
    if kind == "dot-below":
        r = round((0.055 + 0.05 * part) * tall)
        full = np.zeros((h + gap + 2 * r + 1, w), np.float32)
        left = max(0, w // 2 - r)
        full[h + gap :, left : left + 2 * r + 1] = _dot(r)[:, : w - left]
    else:
        thick = max(2, round((0.05 + 0.07 * part) * tall))
        inset = round(0.15 * part * w)
        full = np.zeros((h + gap + thick, w), np.float32)
        full[h + gap :, inset : w - inset] = 1.0
    full[:h] = mask
    return full, (full.shape[0] - h) / 2


def _dot(radius_px: int) -> Mask:
    """Return a disc 2r + 1 pixels wide; OpenCV smooths edges of 8-bit pictures only."""
    size = 2 * radius_px + 1
    disc = cv2.circle(np.zeros((size, size), np.uint8), (radius_px, radius_px), radius_px, 255, -1, cv2.LINE_AA)
    return np.asarray(disc, dtype=np.float32) / np.float32(255)


def _numeral(canvas: _Canvas, colour: Colour, number: int, ink: RGB, dx: float, dy: float) -> Box:
    design, cards = canvas.design, canvas.design.families["skin"] == "cards"
    mask, below = _numeral_mask(design, _RANKS[number - 1] if cards else str(number))
    scale = design.numeral_height * canvas.h / digit_height(design.font.path)
    margin = _margin(design) * canvas.w
    room = min(design.numeral_room * canvas.w, canvas.w - 2 * margin)
    if design.badge != "none":
        room = min(room, 1.5 * _badge_radius(design) * canvas.w)
    tall, wide = mask.shape[0] * scale, mask.shape[1] * scale * design.numeral_stretch
    if wide > room:
        wide *= max(design.squeeze, room / wide)
    shrink = min(1.0, room / wide, (canvas.h - 2 * margin) / tall)
    tall, wide = tall * shrink, wide * shrink
    drawn = fit(mask, wide, tall)
    half = drawn.shape[0] / 2 if design.badge == "none" else _badge_radius(design) * canvas.w
    cy = design.numeral_y * canvas.h + below * scale * shrink
    cy = float(np.clip(cy + dy, margin + half, max(margin + half, canvas.h - margin - half)))
    cx = canvas.w / 2 + dx
    if design.numeral_depth:
        canvas.press(drawn, design.numeral_depth, cx, cy)
    printed = ink
    if design.badge != "none":
        printed = _badge(canvas, ink, cx, cy)
    elif design.numeral_outline:
        pad = max(1, round(design.numeral_outline * canvas.w))
        around = cv2.copyMakeBorder(drawn, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
        dark: RGB = (0.15 * ink[0], 0.15 * ink[1], 0.15 * ink[2])
        canvas.print(np.asarray(cv2.dilate(around, np.ones((2 * pad + 1,) * 2))), dark, cx, cy, design.wear)
    box = canvas.print(drawn, printed, cx, cy, design.wear)
    if cards:
        suit = mark(_SUIT_OF[colour], max(6, round(0.3 * canvas.w)))
        room_below = canvas.h - margin - cy - half
        low = cy + half + max(0.5 * room_below, 0.6 * suit.shape[0])
        other = canvas.print(suit, ink, cx, low, design.wear)
        box = (min(box[0], other[0]), box[1], max(box[2], other[2]), other[3])
    if design.corner_numerals and not cards:
        small = design.corner_numerals * canvas.h / mask.shape[0]
        corner = fit(mask, mask.shape[1] * small, mask.shape[0] * small)
        x, y = margin + corner.shape[1] / 2 + 0.03 * canvas.w, margin + corner.shape[0] / 2 + 0.02 * canvas.h
        canvas.print(corner, ink, x, y, design.wear)
        canvas.print(corner, ink, canvas.w - x, canvas.h - y, design.wear)
    return box


def _margin(design: Design) -> float:
    """Return how far ink keeps from the outline, tile widths: off the rim, and inside a frame."""
    if design.families["frame"] != "none":
        return design.frame_inset + _MARGIN
    return _MARGIN + 0.6 * design.bevel


def _badge_radius(design: Design) -> float:
    return 0.47 - _margin(design)


def _badge(canvas: _Canvas, ink: RGB, cx: float, cy: float) -> RGB:
    """Print a ring or disc around a numeral; return the colour that the numeral then has."""
    radius = min(_badge_radius(canvas.design) * canvas.w, cy, canvas.h - cy)
    y, x = np.mgrid[0 : canvas.h, 0 : canvas.w].astype(np.float32)
    inside = radius - np.hypot(x - cx, y - cy)
    mask = np.clip(inside + 0.5, 0, 1)
    if canvas.design.badge == "ring":
        mask = mask * np.clip(0.035 * canvas.w - inside + 0.5, 0, 1)
    canvas.print(mask.astype(np.float32), ink, canvas.w / 2, canvas.h / 2, canvas.design.wear)
    return ink if canvas.design.badge == "ring" else canvas.design.body_rgb


def _joker(canvas: _Canvas, copy: int, dx: float, dy: float) -> Box:
    """Draw the joker; it is 2 of the pen's 2.7 units wide."""
    design = canvas.design
    wanted = design.joker_size * canvas.w * 1.35
    plane = max(96, round(wanted))
    rgb, mask = _joker_drawing(design, plane, design.joker_inks[copy % 2])
    rows, columns = np.flatnonzero(mask.max(axis=1) > 0.05), np.flatnonzero(mask.max(axis=0) > 0.05)
    cut = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    rgb, mask = np.ascontiguousarray(rgb[cut]), np.ascontiguousarray(mask[cut])
    if copy % 2 and design.joker_flip and not design.families["joker"].startswith(("word", "letter")):
        rgb, mask = np.ascontiguousarray(rgb[:, ::-1]), np.ascontiguousarray(mask[:, ::-1])
    margin = _margin(design) * canvas.w
    shrink = min(
        wanted / plane, (canvas.w - 2 * margin) / mask.shape[1], (canvas.h - 2 * margin) / mask.shape[0]
    )
    if shrink < 1:
        size = (max(1, int(mask.shape[1] * shrink)), max(1, int(mask.shape[0] * shrink)))
        rgb = np.asarray(cv2.resize(rgb, size, interpolation=cv2.INTER_AREA))
        mask = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA))
    half = mask.shape[0] / 2
    cy = float(
        np.clip(design.joker_y * canvas.h + dy, margin + half, max(margin + half, canvas.h - margin - half))
    )
    cx = canvas.w / 2 + dx
    if design.numeral_depth:
        canvas.press(mask, design.numeral_depth, cx, cy)
    if design.joker_caption and not design.families["joker"].startswith("word"):
        text = text_mask(design.font.path, "JOKER", tracking=0.05)
        wide = 0.6 * canvas.w
        drawn = fit(text, wide, min(wide * text.shape[0] / text.shape[1], 0.14 * canvas.h))
        low = cy + half + 0.05 * canvas.h + drawn.shape[0] / 2
        if low + drawn.shape[0] / 2 < canvas.h - margin:
            canvas.print(drawn, design.joker_inks[copy % 2][0], cx, low, design.wear)
    where, _ = canvas.place(mask, cx, cy)
    y0, x0 = round(cy - mask.shape[0] / 2), round(cx - mask.shape[1] / 2)
    inside = rgb[where[0].start - y0 : where[0].stop - y0, where[1].start - x0 : where[1].stop - x0]
    return canvas.print(mask, inside, cx, cy, design.wear)


def _joker_drawing(
    design: Design, plane_px: int, inks: tuple[RGB, RGB]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    family, seed = design.families["joker"], design.joker_seed
    return draw_joker(family, seed, plane_px, inks, committed_only=design.committed_only)


def _logo(canvas: _Canvas, ink: RGB) -> None:
    """Put what stands below the numeral."""
    design, kind = canvas.design, canvas.design.families["logo"]
    if kind == "none":
        return
    cx, cy = canvas.w / 2, design.logo_y * canvas.h
    space = 1.7 * min(1 - design.logo_y, design.logo_y - design.numeral_y) * canvas.h
    colour = design.logo_rgb or ink
    if kind.startswith("word"):
        mask = text_mask(design.logo_font.path, design.logo_word, tracking=0.04)
        wide = design.logo_width * canvas.w
        drawn = fit(mask, wide, min(wide * mask.shape[0] / mask.shape[1], 0.17 * canvas.h))
        if kind == "word-print":
            canvas.print(drawn, colour, cx, cy, design.wear)
            return
        canvas.press(drawn, design.logo_depth, cx, cy)
        if design.texture_seed % 2:
            small = text_mask(design.logo_font.path, "Original", tracking=0.05)
            wide *= 0.4
            top = fit(small, wide, wide * small.shape[0] / small.shape[1])
            canvas.press(top, 0.6 * design.logo_depth, cx - 0.1 * canvas.w, cy - 0.75 * drawn.shape[0])
        return
    wide = max(4.0, min(design.logo_width * canvas.w, space))
    if kind == "small-joker":
        rgb, mask = draw_joker(
            design.families["joker"], design.joker_seed, round(wide * 1.35), (colour, colour)
        )
        canvas.print(mask, rgb, cx, cy, design.wear)
    elif kind.endswith("-relief"):
        canvas.press(mark(kind, round(wide), design.texture_seed), design.logo_depth, cx, cy)
    else:
        if kind == "dot":
            wide = max(3.0, 0.45 * wide)
        elif kind in ("line", "two-lines", "waves"):
            wide = 2.2 * design.logo_width * canvas.w
        canvas.print(mark(kind, round(wide), design.texture_seed), colour, cx, cy, design.wear)


def _printed_frame(canvas: _Canvas) -> None:
    """Print a thin line along the edge."""
    design = canvas.design
    rim = rim_distance(canvas.h, canvas.w, design.corner_radius)
    thick = 0.008 + 0.012 * (design.texture_seed % 5) / 4
    line = np.clip(1 + (thick - np.abs(rim - design.frame_inset)) * canvas.w, 0, 1).astype(np.float32)
    canvas.print(line, design.logo_rgb or design.inks[Colour.BLACK], canvas.w / 2, canvas.h / 2, design.wear)
