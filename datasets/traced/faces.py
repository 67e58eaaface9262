"""Draws the faces and backs of tiles into one sheet of textures (a cell each), and says where the ink lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from datasets.traced import assets
from datasets.traced.designs import RGB, Design
from datasets.traced.meshes import Material
from datasets.traced.noise import Floats, noise, relief, to_bytes

__all__ = ["Sheet", "draw_sheet"]

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Sheet:
    """The sheet, and for each cell its window (u0, v0, u1, v1) and where the numeral lies.

    ``ink`` and ``plain`` are places on the face in mm from its middle (x right, y up): of the numeral's own
    ink, and of bare body close around it.
    """

    material: Material
    windows: list[tuple[float, float, float, float]]
    ink: list[NDArray[np.float64]]
    plain: list[NDArray[np.float64]]
    box: list[tuple[float, float]]
    """Width and height of one digit (or of the joker's picture), mm."""


def _text(
    size: tuple[int, int], middle: tuple[float, float], text: str, name: str, tall: float, wide: float
) -> Image.Image:
    """A mask with ``text`` drawn so that it is ``tall`` pixels high and at most ``wide`` wide."""
    big = assets.emoji(text, 200) if name == "emoji" else assets.font(name, 200)
    box = big.getbbox(text)
    mark = Image.new("L", (int(box[2] - box[0]) + 8, int(box[3] - box[1]) + 8))
    ImageDraw.Draw(mark).text((4 - box[0], 4 - box[1]), text, 255, font=big)
    mark = mark.crop(mark.getbbox())
    scale = min(tall / mark.height, wide / mark.width)
    # A little squeezing is what makers do with two digits; more looks wrong.
    high = min(tall / mark.height, scale * 1.25)
    mark = mark.resize(
        (max(1, round(mark.width * scale)), max(1, round(mark.height * high))), Image.Resampling.LANCZOS
    )
    out = Image.new("L", size)
    out.paste(mark, (round(middle[0] - mark.width / 2), round(middle[1] - mark.height / 2)))
    return out


def _joker(kind: str, size: tuple[int, int], middle: tuple[float, float], s: float) -> Image.Image:
    """A mask with a joker about 17 mm wide; ``s`` is pixels a mm."""
    x, y = middle
    out = Image.new("L", size)
    pen = ImageDraw.Draw(out)

    def dot(px: float, py: float, r: float, ink: int = 255) -> None:
        pen.ellipse((x + (px - r) * s, y + (py - r) * s, x + (px + r) * s, y + (py + r) * s), ink)

    if kind in ("smile", "jester"):
        dot(0, 0, 8)
        dot(0, 0, 6.9, 0)
        for side in (-1, 1):
            dot(2.6 * side, -2, 1.1)
        pen.arc((x - 4.4 * s, y - 4.4 * s, x + 4.4 * s, y + 4.4 * s), 20, 160, 255, round(1.1 * s))
        dot(0, 0.6, 0.8)
        if kind == "jester":
            for side in (-1, 0, 1):
                tip = (x + side * 8 * s, y - (12 - 2.5 * abs(side)) * s)
                pen.polygon(
                    [(x + (side * 4 - 3) * s, y - 6 * s), tip, (x + (side * 4 + 3) * s, y - 6 * s)], 255
                )
                dot(side * 8, -(12 - 2.5 * abs(side)), 1.5)
    elif kind == "star":
        turn = np.arange(10) * np.pi / 5 - np.pi / 2
        reach = np.where(np.arange(10) % 2, 3.7, 9.0) * s
        pen.polygon([(x + r * np.cos(a), y + r * np.sin(a)) for r, a in zip(reach, turn, strict=True)], 255)
        dot(0, 0, 1.6, 0)
    elif kind == "word":
        return _text(size, middle, "JOKER", "oswald-700", 9 * s, 22 * s)
    elif kind == "column":
        for i, letter in enumerate("JOKER"):
            part = _text(size, (x, y + (i - 2) * 5.6 * s), letter, "m-plus-rounded-1c-900", 4.7 * s, 8 * s)
            out = Image.fromarray(np.maximum(np.array(out), np.array(part)))
    else:
        return _text(size, middle, kind, "emoji", 17 * s, 19 * s)
    return out


def _mark(design: Design, size: tuple[int, int], s: float) -> Image.Image:
    """The small sign under the numeral (or around it) as a mask."""
    out = Image.new("L", size)
    pen = ImageDraw.Draw(out)
    x, y = size[0] / 2, size[1] * 0.8
    line = max(1, round(0.6 * s))

    def ring(cx: float, cy: float, r: float, fill: int | None) -> None:
        pen.ellipse((cx - r * s, cy - r * s, cx + r * s, cy + r * s), fill, 255, line)

    if design.mark == "dot":
        ring(x, y, 1.6, 255)
    elif design.mark == "ring":
        ring(x, y, 3.0, None)
    elif design.mark == "circle":
        ring(x, size[1] * design.centre, design.height * design.size * 0.5 + 3.4, None)
    elif design.mark == "diamond":
        pen.polygon([(x, y - 2.4 * s), (x + 1.7 * s, y), (x, y + 2.4 * s), (x - 1.7 * s, y)], 255)
    elif design.mark == "bar":
        pen.rounded_rectangle(
            (x - 5 * s, size[1] * 0.86 - 0.7 * s, x + 5 * s, size[1] * 0.86 + 0.7 * s), s * 0.6, 255
        )
    elif design.mark == "frame":
        pen.rounded_rectangle((2.6 * s, 2.6 * s, size[0] - 2.6 * s, size[1] - 2.6 * s), 2 * s, None, 255, line)
    elif design.mark in ("logo", "dish"):
        return _text(size, (x, size[1] * 0.86), "Rummy Tiles", "kalam-700", 3.6 * s, size[0] * 0.8)
    return out


def _body(design: Design, rng: np.random.Generator, shape: tuple[int, int], colour: RGB) -> Floats:
    """The bare surface of one tile."""
    spread = 0.006 + 0.016 * design.wear
    # Tiles of one box differ in lightness and yellowness, never towards green or pink.
    tint = np.array(colour) * (
        1 + rng.normal(0, spread) + abs(rng.normal(0, spread)) * np.array([0.0, -0.3, -1.6])
    )
    body: Floats = np.broadcast_to(tint.astype(np.float32), (*shape, 3)).copy()
    if design.grain in ("wood", "bamboo"):
        grain = noise(rng, shape[::-1], 1.1, 14 if design.grain == "wood" else 40).T
        body *= (1 + (0.07 if design.grain == "wood" else 0.05) * grain)[..., None] * rng.uniform(0.9, 1.07)
    elif design.grain == "bakelite":
        cloud = noise(rng, shape, 2.0, 0.6)
        body = body * (1 + 0.03 * cloud[..., None]) - np.maximum(cloud, 0)[..., None] * (2, 6, 12)
    elif design.grain == "speckle":
        body += 14 * noise(rng, shape, 0.5)[..., None]
    grime = noise(rng, shape, 1.9)[..., None]
    return body * (1 - 0.02 * design.wear * np.maximum(grime, 0) ** 2)


def _points(mask: NDArray[np.bool_], s: float, count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Up to ``count`` places in a mask, in mm from the face's middle, y up."""
    rows, columns = np.nonzero(mask)
    pick = rng.choice(len(rows), min(count, len(rows)), replace=False)
    high, wide = mask.shape
    return np.column_stack([(columns[pick] + 0.5 - wide / 2) / s, (high / 2 - rows[pick] - 0.5) / s])


def _face(
    design: Design, tile: str, rng: np.random.Generator, s: float
) -> tuple[Floats, Floats, Bytes, NDArray[np.bool_], tuple[float, float]]:
    """One face: colours, roughness, normals, where the numeral's ink is, and a digit's size in mm."""
    over = 3
    big = (round(design.width * s) * over, round(design.height * s) * over)
    shape = (big[1] // over, big[0] // over)
    middle, sb = (big[0] / 2, big[1] * design.centre), s * over
    joker = tile == "J"
    letter = str(rng.choice(design.joker_inks)) if joker else tile[0]
    tall = design.height * design.size
    if joker:
        centre = (middle[0], big[1] * (0.5 if design.joker in ("word", "column") else 0.45))
        numeral = _joker(design.joker, big, centre, sb * design.width / 27)
        digit = (10.0, 13.0)
    else:
        numeral = _text(big, middle, tile[1:], design.font, tall * sb, big[0] * 0.76)
        digit = (tall * 0.55, tall)
        if design.underline and tile[1:] in ("6", "9"):
            y = middle[1] + (tall / 2 + 1.6) * sb
            ImageDraw.Draw(numeral).rectangle(
                (middle[0] - 3.5 * sb, y - 0.55 * sb, middle[0] + 3.5 * sb, y + 0.55 * sb), 255
            )
    mark = _mark(design, big, sb)

    def small(image: Image.Image, blur: float = 0.0) -> Floats:
        if blur:
            image = image.filter(ImageFilter.GaussianBlur(blur * sb))
        return np.asarray(image.resize(shape[::-1], Image.Resampling.BOX), np.float32) / 255

    cover = small(numeral)
    engraved = design.relief * small(numeral, 0.18)
    painted = cover
    if design.mark in ("logo", "dish"):
        engraved += 0.22 * small(mark, 0.1)
    else:
        engraved += (
            min(design.relief, -0.12) * small(mark, 0.15) * (0 if joker and design.mark == "circle" else 1)
        )
        if design.mark_inked and not (joker and design.mark in ("dot", "diamond", "bar")):
            painted = np.maximum(cover, small(mark))
    if design.mark == "dish":
        yy, xx = np.mgrid[: shape[0], : shape[1]] / s
        away = np.hypot(xx - design.width / 2, yy - design.height * design.centre)
        engraved -= (0.35 / (1 + np.exp((away - design.width * 0.39) / 0.25))).astype(np.float32)
    engraved += design.wear * 0.004 * noise(rng, shape, 1.0)
    ink = np.array(design.inks[letter], np.float32) * rng.normal(1, 0.02)
    worn = painted * np.clip(1 - 0.25 * design.wear * np.maximum(noise(rng, shape, 1.2) - 0.6, 0), 0.35, 1)
    body = _body(design, rng, shape, design.body)
    colours = body * (1 - worn[..., None]) + ink * worn[..., None]
    rough = design.rough + (design.ink_rough - design.rough) * painted
    normals = relief(engraved, 1 / s)
    edge = max(2, round(0.4 * s))
    flat = np.ones(shape, bool)
    flat[edge:-edge, edge:-edge] = False
    normals[flat] = (128, 128, 255)
    return colours, rough.astype(np.float32), normals, cover > 0.6, digit


def draw_sheet(design: Design, tiles: Sequence[str | None], rng: np.random.Generator, scale: float) -> Sheet:
    """Return a sheet with a cell for each of ``tiles`` (None: a back) at ``scale`` pixels a mm."""
    high, wide = round(design.height * scale), round(design.width * scale)
    columns = int(np.ceil(np.sqrt(len(tiles) * high / wide)))
    rows = int(np.ceil(len(tiles) / columns))
    albedo = np.zeros((rows * high, columns * wide, 3), np.uint8)
    rough = np.full((rows * high, columns * wide), 90, np.uint8)
    normal = np.full((rows * high, columns * wide, 3), (128, 128, 255), np.uint8)
    windows, inks, plains, boxes = [], [], [], []
    for i, tile in enumerate(tiles):
        y, x = i // columns * high, i % columns * wide
        cell = (slice(y, y + high), slice(x, x + wide))
        if tile is None:
            albedo[cell] = to_bytes(_body(design, rng, (high, wide), design.back or design.body))
            rough[cell] = round(255 * design.rough)
            ink = plain = np.zeros((0, 2))
            box = (0.0, 0.0)
        else:
            colours, shine, normals, cover, box = _face(design, tile, rng, scale)
            albedo[cell], rough[cell], normal[cell] = to_bytes(colours), to_bytes(shine * 255), normals
            ink = _points(cover, scale, 60, rng)
            low, top = cover.nonzero()[0].min(), cover.nonzero()[0].max()
            left, right = cover.nonzero()[1].min(), cover.nonzero()[1].max()
            near = np.zeros_like(cover)
            near[low : top + 1, left : right + 1] = True
            soft = np.asarray(Image.fromarray(cover).convert("L").filter(ImageFilter.BoxBlur(0.7 * scale)))
            plain = _points(
                near & (soft == 0) if (near & (soft == 0)).sum() > 20 else soft == 0, scale, 60, rng
            )
        inset = 0.5
        full = (columns * wide, rows * high)
        windows.append(
            (
                (x + inset) / full[0],
                1 - (y + high - inset) / full[1],
                (x + wide - inset) / full[0],
                1 - (y + inset) / full[1],
            )
        )
        inks.append(ink)
        plains.append(plain)
        boxes.append(box)
    return Sheet(Material(albedo, rough, normal), windows, inks, plains, boxes)
