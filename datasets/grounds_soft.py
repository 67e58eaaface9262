"""Soft and printed table tops: felt, cloth, carpet, knit, sheets, newspaper, oilcloth, grass, plastic.

Makers as in ``datasets.grounds_hard``.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator

from datasets.ground_noise import Map, colourise, fbm, finish, lit_bumps, mix, noise, rgb, stretch, wobble

__all__ = [
    "carpet", "checks", "cloth", "felt", "flowers", "fur", "grass", "knit", "newspaper", "plastic", "sheet",
    "stripes", "tartan",
]  # fmt: skip


def _folds(rng: Generator, size: int, texel: float, depth: float) -> Map:
    """Return shading (size, size) around 1 of soft folds and creases."""
    cells = max(2.0, size / texel / rng.uniform(5, 16))
    angle = rng.uniform(1.0, 5.0)
    height = fbm(rng, size, cells, 2, 0.4, aspect=angle)
    ridged = 1 - np.sqrt(
        fbm(rng, size, cells, 2, 0.5, aspect=angle) ** 2 + np.float32(rng.uniform(0.001, 0.03))
    )
    field = (height + 0.6 * ridged).astype(np.float32)
    if rng.random() < 0.5:
        field = np.ascontiguousarray(field.T)
    shade = lit_bumps(field * np.float32(size / cells * 0.25), rng, 1.0)
    return np.clip(1 + (shade - 1) * np.float32(depth), 0.45, 1.4)


def _threads(rng: Generator, size: int, pitch: float) -> Map:
    """Return shading (size, size) around 1 of a plain weave with threads ``pitch`` texels apart."""
    grid = np.arange(size, dtype=np.float32) * np.float32(np.pi / max(pitch, 1.2))
    sx, sy = np.sin(grid)[None], np.sin(grid)[:, None]
    over = np.where(sx * sy > 0, np.abs(sy), np.abs(sx))
    uneven = 1 + 0.2 * noise(rng, size, size / pitch / 2, 6) + 0.2 * noise(rng, size, 6, size / pitch / 2)
    return np.asarray(0.75 + 0.4 * over * uneven, dtype=np.float32)


def _palette(rng: Generator) -> Map:
    """Return a random cloth colour (3,)."""
    hsv = np.array([[[rng.uniform(0, 360), rng.beta(1.4, 3.0), rng.uniform(0.2, 0.9)]]], np.float32)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0], dtype=np.float32)


_NATURAL = (
    (92, 74, 60),
    (150, 122, 92),
    (206, 190, 164),
    (232, 226, 214),
    (118, 116, 116),
    (60, 58, 60),
    (70, 84, 104),
    (128, 62, 52),
    (96, 104, 78),
)


def _natural(rng: Generator) -> Map:
    """Return a colour (3,) of wool, fur or earth."""
    tone = rgb(*_NATURAL[int(rng.integers(len(_NATURAL)))]) * np.float32(rng.uniform(0.85, 1.1))
    return np.clip(tone + rng.normal(0, 0.02, 3).astype(np.float32), 0.02, 0.98)


def felt(base: tuple[float, float, float]):  # type: ignore[no-untyped-def]
    """Return a maker of felt or baize."""

    def make(rng: Generator, size: int, texel: float) -> Map:
        fuzz = fbm(rng, size, size / texel * 6, 3, 0.9)
        field = 1 + np.float32(rng.uniform(0.03, 0.12)) * fuzz + 0.05 * fbm(rng, size, 4, 2)
        return finish(field[..., None] * rgb(*base))

    return make


def cloth(base: tuple[float, float, float]):  # type: ignore[no-untyped-def]
    """Return a maker of a plain tablecloth with threads and folds."""

    def make(rng: Generator, size: int, texel: float) -> Map:
        shade = _folds(rng, size, texel, rng.uniform(0.1, 0.9))
        pitch = texel * rng.uniform(0.03, 0.09)
        if pitch > 1.5:
            shade = shade * (1 + (_threads(rng, size, pitch) - 1) * rng.uniform(0.1, 0.5))
        return finish(shade[..., None] * rgb(*base))

    return make


def carpet(kind: str):  # type: ignore[no-untyped-def]
    """Return a maker of a coarse woven carpet or rug: ``grey``, ``beige``, ``mixed``, ``dark``."""
    tones = {
        "grey": [rgb(40, 42, 52), rgb(170, 168, 164), rgb(206, 202, 196)],
        "beige": [rgb(130, 110, 84), rgb(190, 170, 140), rgb(216, 200, 176)],
        "mixed": [rgb(60, 70, 96), rgb(180, 120, 90), rgb(210, 196, 170)],
        "dark": [rgb(22, 24, 30), rgb(58, 60, 68), rgb(96, 98, 104)],
        "red": [rgb(70, 14, 18), rgb(140, 34, 36), rgb(180, 110, 80)],
    }[kind]

    def make(rng: Generator, size: int, texel: float) -> Map:
        pitch = max(texel * rng.uniform(0.12, 0.4), 2.0)
        streaks = fbm(rng, size, size / pitch / 2, 2, 0.7, aspect=rng.uniform(4, 14))
        field = np.clip(0.55 + rng.uniform(0.2, 0.5) * streaks, 0, 1)
        picture: Map = colourise(field, tones) * _threads(rng, size, pitch)[..., None]
        map_x, map_y = wobble(rng, size, size / pitch / 3, pitch * 0.5)
        picture = cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        picture = picture * (1 + 0.12 * fbm(rng, size, size / pitch * 3, 1))[..., None]
        return finish(picture)

    return make


def knit(rng: Generator, size: int, texel: float) -> Map:
    """A knitted blanket: columns of V stitches."""
    pitch = max(texel * rng.uniform(0.15, 0.6), 4.0)
    x = np.arange(size, dtype=np.float32)[None] / np.float32(pitch)
    y = np.arange(size, dtype=np.float32)[:, None] / np.float32(pitch * 0.7)
    leg = np.abs((x % 1.0) - 0.5)
    bump = np.abs(np.sin((y + leg * 1.6) * np.pi)) * (0.4 + 0.6 * np.abs(np.sin(x % 1.0 * 2 * np.pi)))
    shade = (0.55 + 0.5 * bump) * _folds(rng, size, texel, 0.5)
    return finish(shade[..., None] * (_natural if rng.random() < 0.5 else _palette)(rng))


def fur(rng: Generator, size: int, texel: float) -> Map:
    """Fleece, fur or a shaggy rug."""
    flow = fbm(rng, size, size / texel * rng.uniform(3, 7), 3, 0.8, aspect=rng.uniform(1, 5))
    map_x, map_y = wobble(rng, size, size / texel / 2, texel * 0.6)
    flow = cv2.remap(flow, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    draw = _natural if rng.random() < 0.75 else _palette
    base = draw(rng)
    patches = np.clip(0.5 + 1.5 * fbm(rng, size, 3, 2), 0, 1) * rng.choice([0.0, 1.0])
    field = 0.85 + 0.3 * flow
    return finish(field[..., None] * mix(base, draw(rng), patches))


def _axis_bands(rng: Generator, size: int, texel: float, count: int) -> Map:
    """Return the cover (size,) of random stripes that repeat."""
    period = max(int(texel * rng.uniform(1.0, 6.0)), 8)
    band = np.zeros(period, np.float32)
    for _ in range(count):
        start, width = rng.integers(0, period), max(1, int(period * rng.uniform(0.04, 0.3)))
        band[start : start + width] = rng.uniform(0.4, 1.0)
    return np.asarray(np.tile(band, size // period + 1)[:size], dtype=np.float32)


def stripes(rng: Generator, size: int, texel: float) -> Map:
    """Striped cloth."""
    base = rgb(236, 232, 222) if rng.random() < 0.5 else _palette(rng)
    cover = np.broadcast_to(_axis_bands(rng, size, texel, 3)[None], (size, size))
    picture = mix(base, _palette(rng), cover) * _folds(rng, size, texel, 0.4)[..., None]
    return finish(picture if rng.random() < 0.5 else picture.transpose(1, 0, 2))


def checks(rng: Generator, size: int, texel: float) -> Map:
    """Gingham and chequered cloth."""
    pitch = texel * rng.uniform(0.3, 2.5)
    line = ((np.arange(size) / pitch).astype(int) % 2).astype(np.float32)
    share = (line[None] + line[:, None]) / 2
    if rng.random() < 0.3:
        share = np.abs(line[None] - line[:, None])
    base = rgb(244, 242, 236) if rng.random() < 0.7 else _palette(rng)
    picture = mix(base, _palette(rng), share) * _folds(rng, size, texel, 0.4)[..., None]
    return finish(picture)


def tartan(rng: Generator, size: int, texel: float) -> Map:
    """Tartan blanket."""
    picture = np.empty((size, size, 3), np.float32)
    picture[:] = _palette(rng)
    for _ in range(3):
        tone, bands = _palette(rng), _axis_bands(rng, size, texel, 2) * 0.5
        picture = mix(picture, tone, np.broadcast_to(bands[None], (size, size)))
        picture = mix(picture, tone, np.broadcast_to(bands[:, None], (size, size)))
    picture *= (1 + 0.1 * fbm(rng, size, size / texel * 6, 2, 0.9))[..., None]
    return finish(picture * _folds(rng, size, texel, 0.4)[..., None])


def flowers(rng: Generator, size: int, texel: float) -> Map:
    """Oilcloth printed with flowers, dots or fruit."""
    picture: Map = np.empty((size, size, 3), np.float32)
    picture[:] = rgb(240, 236, 226) if rng.random() < 0.5 else _palette(rng)
    petals, dots = [_palette(rng) for _ in range(3)], rng.random() < 0.35
    pitch = texel * rng.uniform(0.6, 3.0)
    count = min(int((size / pitch) ** 2), 900)
    for x, y in rng.uniform(0, size, (count, 2)):
        r = pitch * rng.uniform(0.12, 0.4)
        tone = petals[int(rng.integers(3))]
        if dots:
            cv2.circle(picture, (int(x), int(y)), max(int(r), 1), tone.tolist(), -1, cv2.LINE_8)
            continue
        start = rng.uniform(0, np.pi)
        for k in range(5):
            angle = start + k * 2 * np.pi / 5
            spot = (int(x + r * 0.6 * np.cos(angle)), int(y + r * 0.6 * np.sin(angle)))
            cv2.circle(picture, spot, max(int(r * 0.45), 1), (tone * rng.uniform(0.85, 1.0)).tolist(), -1)
        cv2.circle(picture, (int(x), int(y)), max(int(r * 0.3), 1), (0.95, 0.8, 0.25), -1)
    picture = cv2.GaussianBlur(picture, (0, 0), 0.7)
    return finish(picture * _folds(rng, size, texel, 0.3)[..., None])


def sheet(rng: Generator, size: int, texel: float) -> Map:
    """A bed sheet or duvet with many folds."""
    base = rgb(238, 236, 232) if rng.random() < 0.6 else _palette(rng) * 0.5 + 0.45
    shade = _folds(rng, size, texel, rng.uniform(0.6, 1.4)) * _folds(
        rng, size, texel * 0.4, rng.uniform(0.1, 0.6)
    )
    return finish(shade[..., None] * base)


def newspaper(rng: Generator, size: int, texel: float) -> Map:
    """Printed columns of text, headings with figures, grey pictures."""
    picture = np.full((size, size), rng.uniform(0.82, 0.95), np.float32)
    line = max(int(texel * rng.uniform(0.12, 0.3)), 3)
    column = int(line * rng.uniform(14, 24))
    for x in range(int(line), size, column + line):
        y = int(rng.integers(0, 4 * line))
        while y < size:
            roll = rng.random()
            end = min(x + column, size)
            if roll < 0.05:
                high = int(line * rng.uniform(4, 9))
                block = picture[y : y + high, x:end]
                block[:] = 0.5 + 0.3 * noise(rng, size, 9)[: block.shape[0], : block.shape[1]]
                y += high + line
            elif roll < 0.12:
                text = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVW 0123456789"), 8))
                scale = line * rng.uniform(1.5, 2.5) / 22
                strip = np.zeros((int(30 * scale) + 2, max(end - x, 8)), np.uint8)
                thick = max(1, int(3 * scale))
                cv2.putText(
                    strip, text, (0, int(23 * scale)), cv2.FONT_HERSHEY_DUPLEX, scale, 210, thick, cv2.LINE_AA
                )
                rows = picture[y : y + strip.shape[0], x:end]
                rows -= strip[: rows.shape[0], : rows.shape[1]].astype(np.float32) / 255
                y += int(22 * scale) + line
            else:
                for _ in range(int(rng.integers(4, 14))):
                    letters = rng.random(max((end - x) * 2 // line, 1)) < 0.78
                    ink = np.repeat(letters, max(line // 2, 1))[: end - x] * rng.uniform(0.35, 0.6)
                    rows = picture[y : y + max(line // 2, 1), x : x + len(ink)]
                    rows -= ink[None, : rows.shape[1]].astype(np.float32)
                    y += line
                y += line
    picture = np.clip(picture, 0.05, 1) * _folds(rng, size, texel, 0.25)
    tint = rgb(255, 252, 242) if rng.random() < 0.7 else rgb(250, 226, 200)
    return finish(picture[..., None] * tint)


def grass(rng: Generator, size: int, texel: float) -> Map:
    """Grass or an artificial lawn."""
    field = 0.5 + 0.4 * fbm(rng, size, size / texel * 4, 3, 0.9, aspect=rng.uniform(1, 4))
    return colourise(np.clip(field, 0, 1), [rgb(24, 44, 14), rgb(70, 110, 40), rgb(150, 180, 90)])


def plastic(rng: Generator, size: int, texel: float) -> Map:
    """Wrinkled plastic sheet or bag."""
    base = _palette(rng) if rng.random() < 0.5 else rgb(226, 228, 230)
    crinkle = _folds(rng, size, texel * 0.5, 1.2)
    sheen = np.clip(crinkle - 1.15, 0, 1) * 1.5
    return finish(mix(base * crinkle[..., None], rgb(255, 255, 255), stretch(sheen) * 0.5))
