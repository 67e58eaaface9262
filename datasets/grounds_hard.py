"""Hard table tops: wood, stone, laminate, cork, tiles, leather.

Each maker takes (rng, size, texel): a square of ``size`` texels, ``texel`` texels to the tile width, and
returns sRGB 0..1, float32 (size, size, 3).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator

from datasets.ground_noise import Map, colourise, fbm, finish, lit_bumps, mix, noise, rgb, stretch, wobble

__all__ = [
    "concrete", "cork", "floor_tiles", "glass_top", "granite", "laminate", "leather", "marble", "planks",
    "terrazzo", "wood",
]  # fmt: skip

WOODS = {
    "walnut": (rgb(62, 36, 26), rgb(104, 62, 44), rgb(78, 46, 34)),
    "oak": (rgb(176, 134, 88), rgb(206, 168, 120), rgb(154, 112, 70)),
    "light_oak": (rgb(212, 184, 146), rgb(228, 204, 170), rgb(196, 164, 124)),
    "beech": (rgb(214, 170, 128), rgb(226, 188, 148), rgb(202, 154, 112)),
    "pine": (rgb(226, 186, 124), rgb(238, 206, 152), rgb(198, 146, 84)),
    "maple": (rgb(232, 210, 176), rgb(240, 222, 194), rgb(220, 194, 156)),
    "cherry": (rgb(142, 74, 44), rgb(176, 100, 62), rgb(122, 58, 34)),
    "mahogany": (rgb(96, 38, 26), rgb(132, 58, 40), rgb(72, 26, 20)),
    "teak": (rgb(150, 98, 52), rgb(176, 122, 70), rgb(120, 74, 38)),
    "wenge": (rgb(42, 32, 28), rgb(64, 50, 42), rgb(30, 24, 22)),
    "grey_wash": (rgb(150, 144, 136), rgb(176, 170, 162), rgb(118, 112, 106)),
    "white_wash": (rgb(226, 222, 214), rgb(238, 235, 229), rgb(204, 198, 188)),
    "painted_blue": (rgb(70, 96, 120), rgb(82, 110, 136), rgb(58, 80, 102)),
}


def _grain(rng: Generator, size: int, texel: float, tones: tuple[Map, Map, Map]) -> Map:
    cells = size / texel
    broad = fbm(rng, size, max(2.0, cells * 0.5), 3, 0.5, aspect=rng.uniform(6, 14))
    rings = broad * rng.uniform(1.5, 5)
    saw = np.abs((rings + noise(rng, size, 3, 2) * 2) % 1.0 * 2 - 1)
    fine = fbm(rng, size, cells * rng.uniform(5, 9), 2, 0.6, aspect=rng.uniform(12, 30))
    field = 0.45 + 0.3 * (saw - 0.5) * rng.uniform(0.4, 1.2) + 0.18 * fine + 0.1 * broad
    picture = colourise(np.clip(field, 0, 1), [tones[0], tones[1], tones[2]])
    pores = fbm(rng, size, cells * 14, 1, 0.5, aspect=16)
    picture *= (1 - 0.16 * np.clip(pores - 0.5, 0, 1) * rng.uniform(0, 2))[..., None]
    return picture


def _turn(rng: Generator, picture: Map) -> Map:
    return np.ascontiguousarray(np.rot90(picture)) if rng.random() < 0.5 else picture


def wood(kind: str):  # type: ignore[no-untyped-def]
    """Return a maker of a plain board of that wood."""

    def make(rng: Generator, size: int, texel: float) -> Map:
        return _turn(rng, _grain(rng, size, texel, WOODS[kind]))

    return make


def planks(kind: str):  # type: ignore[no-untyped-def]
    """Return a maker of boards side by side."""

    def make(rng: Generator, size: int, texel: float) -> Map:
        picture = _grain(rng, size, texel, WOODS[kind])
        width = max(8, int(texel * rng.uniform(2.0, 7.0)))
        gap = max(1, int(texel * rng.uniform(0.02, 0.12)))
        staves = rng.random() < 0.5
        for x in range(0, size, width):
            end = min(x + width, size)
            shift = int(rng.integers(0, size))
            part = np.roll(picture[:, x:end], shift, axis=0) * np.float32(rng.uniform(0.86, 1.12))
            picture[:, x:end] = part
            picture[:, x : min(x + gap, size)] *= np.float32(rng.uniform(0.35, 0.8))
            if staves:
                length = int(texel * rng.uniform(8, 30))
                for y in range(int(rng.integers(0, length)), size, length):
                    picture[y : y + gap, x:end] *= np.float32(0.6)
                    picture[y : y + length, x:end] *= np.float32(rng.uniform(0.92, 1.08))
        return _turn(rng, np.clip(picture, 0, 1))

    return make


def marble(base: tuple[float, float, float], vein: tuple[float, float, float]):  # type: ignore[no-untyped-def]
    """Return a maker of marble with veins."""

    def make(rng: Generator, size: int, texel: float) -> Map:
        cells = max(2.0, size / texel / rng.uniform(5, 14))
        clouds = fbm(rng, size, cells, 4)
        warp = fbm(rng, size, cells, 4, 0.6)
        ridge = np.abs(fbm(rng, size, cells * 0.7, 2) + 0.35 * warp)
        lines = np.clip(1 - ridge / np.float32(rng.uniform(0.015, 0.05)), 0, 1)
        lines *= np.clip(0.5 + noise(rng, size, cells * 1.5), 0, 1)
        faint = np.clip(1 - np.abs(fbm(rng, size, cells * 2, 3)) / np.float32(0.08), 0, 1) * 0.25
        share = np.clip(lines * rng.uniform(0.4, 0.95) + faint * rng.uniform(0, 1) + 0.1 * (clouds + 0.3), 0, 1)
        return mix(rgb(*base), rgb(*vein), share)

    return make


def _specks(rng: Generator, picture: Map, texel: float, tones: list[Map], per_tile: float, r: float) -> Map:
    size = picture.shape[0]
    count = min(int(per_tile * (size / texel) ** 2), 4000)
    spots = rng.uniform(0, size, (count, 2))
    for (x, y), radius in zip(spots, rng.exponential(r, count), strict=True):
        tone = tones[int(rng.integers(len(tones)))]
        radius_px = max(radius * texel, 0.6)
        if radius_px < 2.5:
            cv2.circle(picture, (int(x), int(y)), round(radius_px), tone.tolist(), -1)
        else:
            angles = np.sort(rng.uniform(0, 2 * np.pi, 7))
            corners = np.stack([x + radius_px * np.cos(angles), y + radius_px * np.sin(angles)], 1)
            cv2.fillConvexPoly(picture, corners.astype(np.int32), tone.tolist())
    return picture


def terrazzo(rng: Generator, size: int, texel: float) -> Map:
    """Chips of stone in cement."""
    base = rgb(*(rng.uniform(180, 240) + rng.uniform(-8, 8, 3)))
    tones = [rgb(*rng.uniform(60, 240, 3)) * 0.4 + rgb(150, 145, 140) * 0.6 for _ in range(4)]
    picture = np.empty((size, size, 3), np.float32)
    picture[:] = base
    return _specks(rng, picture, texel, tones, rng.uniform(2, 14), rng.uniform(0.03, 0.12))


def granite(rng: Generator, size: int, texel: float) -> Map:
    """Speckled kitchen stone, dark to light."""
    cells = size / texel * rng.uniform(2, 5)
    dark = rng.random() < 0.5
    stops = [rgb(24, 24, 26), rgb(60, 58, 58), rgb(120, 114, 110)] if dark else [
        rgb(96, 90, 88), rgb(176, 168, 160), rgb(222, 216, 208)
    ]  # fmt: skip
    field = 0.5 + 0.35 * fbm(rng, size, cells, 3, 0.8) + 0.1 * fbm(rng, size, cells / 12, 2)
    return colourise(np.clip(field, 0, 1), stops)


def laminate(base: tuple[float, float, float]):  # type: ignore[no-untyped-def]
    """Return a maker of a plain painted or plastic top, with a hint of unevenness."""

    def make(rng: Generator, size: int, texel: float) -> Map:
        colour = np.clip(rgb(*base) + rng.normal(0, 0.02, 3).astype(np.float32), 0.02, 0.98)
        field = 1 + np.float32(rng.uniform(0, 0.02)) * fbm(rng, size, 3, 3)
        field += np.float32(rng.choice([0.0, 0.004, 0.012, 0.03])) * fbm(rng, size, size / texel * 10, 2, 0.9)
        picture = np.clip(field[..., None] * colour, 0, 1).astype(np.float32)
        if rng.random() < 0.25:  # fine scratches and crumbs
            for _ in range(int(rng.integers(2, 14))):
                a, d = rng.uniform(0, size, 2), rng.normal(0, texel * 1.5, 2)
                tone = (colour * rng.uniform(0.8, 1.15)).clip(0, 1).tolist()
                cv2.line(picture, tuple(a.astype(int).tolist()), tuple((a + d).astype(int).tolist()), tone, 1)
        return finish(picture)

    return make


def cork(rng: Generator, size: int, texel: float) -> Map:
    """Cork mat."""
    cells = size / texel * rng.uniform(3, 6)
    field = 0.5 + 0.3 * fbm(rng, size, cells, 3, 0.7)
    picture = colourise(np.clip(field, 0, 1), [rgb(120, 78, 44), rgb(184, 136, 86), rgb(214, 172, 122)])
    return _specks(rng, picture, texel, [rgb(92, 58, 34), rgb(226, 190, 144)], 5, 0.04)


def concrete(rng: Generator, size: int, texel: float) -> Map:
    """Cement, plaster or slate."""
    tone = rng.uniform(70, 200)
    tint = rng.uniform(-8, 8, 3)
    field = 1 + 0.1 * fbm(rng, size, size / texel / 6, 5, 0.6) + 0.04 * fbm(rng, size, size / texel * 8, 2, 0.9)
    return finish(field[..., None] * rgb(*(tone + tint)))


def floor_tiles(rng: Generator, size: int, texel: float) -> Map:
    """Ceramic squares with joints; white ones may look like game tiles."""
    pitch = max(6, int(texel * rng.choice([0.9, 1.2, 2.0, 4.0, 8.0])))
    joint = max(1, int(pitch * rng.uniform(0.02, 0.08)))
    base = rgb(*(rng.choice([60, 150, 205, 236]) + rng.uniform(-14, 14, 3)))
    picture = np.empty((size, size, 3), np.float32)
    picture[:] = base
    rows = (size + pitch - 1) // pitch
    per_tile = rng.normal(1, rng.uniform(0, 0.05), (rows, rows)).astype(np.float32)
    picture *= cv2.resize(per_tile, (rows * pitch, rows * pitch), interpolation=cv2.INTER_NEAREST)[
        :size, :size, None
    ]
    picture *= (1 + 0.05 * fbm(rng, size, size / texel / 3, 3))[..., None]
    grout = rgb(*([rng.uniform(60, 220)] * 3))
    for k in range(0, size, pitch):
        picture[k : k + joint], picture[:, k : k + joint] = grout, grout
    return finish(picture)


def leather(rng: Generator, size: int, texel: float) -> Map:
    """Leather or a desk pad."""
    base = [rgb(40, 32, 28), rgb(96, 56, 34), rgb(140, 92, 58), rgb(30, 48, 44), rgb(190, 178, 160)]
    colour = base[int(rng.integers(len(base)))]
    cells = size / texel * rng.uniform(4, 8)
    bumps = np.abs(fbm(rng, size, cells, 2, 0.6))
    shade = lit_bumps(bumps, rng, 2.5) * (1 + 0.08 * fbm(rng, size, 4, 3))
    return finish(shade[..., None] * colour)


def glass_top(rng: Generator, size: int, texel: float) -> Map:
    """A dark or bright polished top with blurred reflections of a room."""
    dark = rng.random() < 0.6
    stops = [rgb(14, 16, 18), rgb(48, 54, 60), rgb(120, 130, 138)] if dark else [
        rgb(150, 164, 166), rgb(196, 210, 210), rgb(238, 244, 244)
    ]  # fmt: skip
    map_x, map_y = wobble(rng, size, 3, size * 0.05)
    field = stretch(
        cv2.remap(fbm(rng, size, 3, 2), map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    )
    return colourise(field, stops)
