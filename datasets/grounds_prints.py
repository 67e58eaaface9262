"""Printed cloths: fruit, leaves, flowers, letters and thousands of other motifs in repeats, rows and patches.

Makers as in ``datasets.grounds_hard``. Motifs are about as large as tiles, so that a finder is tempted; they
have neither body, edge nor shadow of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from datasets.assets import fonts, symbol_fonts
from datasets.ground_noise import Map, fbm, finish
from datasets.grounds import Ground
from datasets.icons import FIRST_ICON

__all__ = ["printed_cloth"]

Sprite = NDArray[Any]
"""Shape (S, S, 4), float32 0..1: sRGB and coverage."""

_SIDE = 96
_ICONS = 3000
_MOST = 700
"""Motifs of one cloth."""
_PALES = ((248, 246, 240), (240, 230, 206), (226, 234, 240), (244, 226, 222), (232, 238, 222), (246, 238, 190))


def printed_cloth(split: str) -> Ground:
    """Return a cloth of random print, with the fonts of ``split``."""

    def make(rng: Generator, size: int, texel: float) -> Map:
        picture = _base(rng, size, texel)
        motifs = [_motif(rng, split) for _ in range(int(rng.integers(1, 5)))]
        pitch = max(texel * float(np.exp(rng.uniform(np.log(0.7), np.log(3.2)))), 10.0)
        zoom = pitch * float(rng.uniform(0.55, 1.0))
        for x, y, turn, which in _places(rng, size, pitch):
            _lay(picture, motifs[which % len(motifs)], x, y, turn, zoom * float(rng.uniform(0.92, 1.08)))
        thread = 1 + np.float32(rng.uniform(0, 0.08)) * fbm(rng, size, size / max(texel * 0.1, 1.5), 1)
        folds = 1 + np.float32(rng.uniform(0, 0.2)) * fbm(rng, size, size / texel / 6, 2)
        return finish(picture * (thread * folds)[..., None])

    return Ground("printed_cloth", "printed_cloth", make, (0.0, 0.5))


def _vivid(rng: Generator) -> Map:
    hsv = np.array([[[rng.uniform(0, 360), rng.uniform(0.4, 1.0), rng.uniform(0.25, 0.95)]]], np.float32)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0], np.float32)


def _tone(rng: Generator, pale: float) -> Map:
    if rng.random() < pale:
        return np.asarray(_PALES[int(rng.integers(len(_PALES)))], np.float32) / np.float32(255)
    return np.full(3, rng.uniform(0.05, 0.3), np.float32) if rng.random() < 0.15 else _vivid(rng)


def _base(rng: Generator, size: int, texel: float) -> Map:
    """Return the cloth under its print: plain, striped, checked, or patches of several tones."""
    picture = np.empty((size, size, 3), np.float32)
    picture[:] = _tone(rng, 0.6)
    kind = rng.random()
    if kind < 0.45:
        return picture
    pitch = max(texel * float(np.exp(rng.uniform(np.log(0.5), np.log(3.0)))), 6.0)
    place = np.arange(size, dtype=np.float32) / np.float32(pitch)
    if kind < 0.75:
        line = (place % 1 < rng.uniform(0.1, 0.6)).astype(np.float32) * np.float32(rng.uniform(0.3, 1))
        across = np.broadcast_to(line[None], (size, size))
        cover = across if rng.random() < 0.4 else (across + across.T) / 2
        return np.asarray(picture + (_tone(rng, 0.3) - picture) * cover[..., None], np.float32)
    tones = np.stack([_tone(rng, 0.5) for _ in range(int(rng.integers(2, 7)))])
    rows, columns = place.astype(int), (place / np.float32(rng.choice([1.0, 1.0, 0.75]))).astype(int)
    picture[:] = tones[
        (rows[:, None] * int(rng.integers(1, 6)) + columns[None] * int(rng.integers(1, 6))) % len(tones)
    ]
    if rng.random() < 0.5:
        for seam in (place % 1 < 0.04, place % 1 > 0.97):
            picture[seam] = picture[:, seam] = _tone(rng, 0.5)
    return picture


def _places(rng: Generator, size: int, pitch: float) -> list[tuple[float, float, float, int]]:
    """Return where motifs lie: x, y, turn in degrees, and which one."""
    kind, turned = rng.random(), float(rng.choice([0.0, 12.0, 180.0]))
    if kind < 0.4:
        count = min(int(0.7 * (size / pitch) ** 2), _MOST)
        return [
            (float(x), float(y), float(rng.uniform(0, 360)), int(rng.integers(9)))
            for x, y in rng.uniform(0, size, (count, 2))
        ]
    shift = float(rng.choice([0.0, 0.5, 0.33]))
    tall, step = pitch * float(rng.uniform(0.8, 1.5)), max(size / pitch / _MOST**0.5, 1.0)
    found = []
    for row in range(int(size / tall / step) + 2):
        for column in range(int(size / pitch / step) + 2):
            x = (column + shift * (row % 3)) * pitch * step
            quarter = 90.0 * int(rng.integers(4)) if kind > 0.9 else 0.0
            found.append((x, row * tall * step, quarter + float(rng.normal(0, 1)) * turned, row + column))
    return found


def _lay(picture: Map, motif: Sprite, x: float, y: float, turn: float, side: float) -> None:
    """Print a motif (S, S, 4) with its middle at (x, y), turned clockwise by ``turn``, of ``side`` texels."""
    n = max(int(np.ceil(side * 1.42)), 2)
    warp = cv2.getRotationMatrix2D(((_SIDE - 1) / 2,) * 2, -turn, side / _SIDE)
    warp[:, 2] = warp[:, 2] + (n - _SIDE) / 2
    if side < _SIDE / 2:
        motif = np.asarray(cv2.GaussianBlur(motif, (0, 0), 0.35 * _SIDE / side), np.float32)
    laid = cv2.warpAffine(motif, warp, (n, n), flags=cv2.INTER_LINEAR)
    left, top = round(x - n / 2), round(y - n / 2)
    x1, y1, x2, y2 = max(left, 0), max(top, 0), min(left + n, picture.shape[1]), min(top + n, picture.shape[0])
    if x2 <= x1 or y2 <= y1:
        return
    part = laid[y1 - top : y2 - top, x1 - left : x2 - left]
    view, cover = picture[y1:y2, x1:x2], part[..., 3:]
    view += (part[..., :3] - view) * cover


# ---------------------------------------------------------------- motifs


def _motif(rng: Generator, split: str) -> Sprite:
    makers: tuple[tuple[float, Callable[[], Sprite]], ...] = (
        (0.34, lambda: _icon(rng)),
        (0.2, lambda: _fruit(rng)),
        (0.14, lambda: _leaf(rng)),
        (0.12, lambda: _blossom(rng)),
        (0.12, lambda: _letters(rng, split)),
        (0.08, lambda: _badge(rng, split)),
    )
    shares = np.array([share for share, _ in makers])
    return makers[int(rng.choice(len(makers), p=shares / shares.sum()))][1]()


def _blank(tone: Map) -> Sprite:
    sprite = np.zeros((_SIDE, _SIDE, 4), np.float32)
    sprite[..., :3] = tone
    return sprite


def _over(sprite: Sprite, cover: Map, tone: Map) -> None:
    """Paint ``tone`` ((3,) or (S, S, 3)) where ``cover`` (S, S) says."""
    sprite[..., :3] += (tone - sprite[..., :3]) * cover[..., None]
    sprite[..., 3] = np.maximum(sprite[..., 3], cover)


def _grid() -> tuple[Map, Map]:
    axis = (np.arange(_SIDE, dtype=np.float32) + np.float32(0.5)) / np.float32(_SIDE / 2) - 1
    return axis[None], axis[:, None]


def _oval(x: float, y: float, a: float, b: float, turn: float) -> Map:
    """Return the coverage (S, S) of an ellipse, in a plane of -1..1."""
    gx, gy = _grid()
    c, s = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    u, v = (gx - x) * c + (gy - y) * s, (gy - y) * c - (gx - x) * s
    return np.asarray(
        np.clip((1 - np.sqrt((u / a) ** 2 + (v / b) ** 2)) * min(a, b) * _SIDE / 2 + 0.5, 0, 1), np.float32
    )


def _shaded(rng: Generator, tone: Map) -> Map:
    """Return a tone (S, S, 3) that grows lighter to one side."""
    gx, gy = _grid()
    way = rng.uniform(0, 2 * np.pi)
    slope = gx * np.float32(np.cos(way)) + gy * np.float32(np.sin(way))
    return np.clip(tone * (1 + np.float32(rng.uniform(0.05, 0.4)) * slope)[..., None], 0, 1).astype(np.float32)


def _fruit(rng: Generator) -> Sprite:
    """A lemon, apple, cherry, berry or the like."""
    tone = _vivid(rng)
    sprite = _blank(tone)
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        x, y = rng.uniform(-0.3, 0.3, 2)
        a = float(rng.uniform(0.35, 0.65))
        turn = float(rng.uniform(0, np.pi))
        if rng.random() < 0.5:
            tip = np.array([np.cos(turn), np.sin(turn)]) * a * 0.95
            _over(sprite, _oval(x + tip[0], y + tip[1], a * 0.25, a * 0.2, turn), tone * np.float32(0.85))
        _over(sprite, _oval(x, y, a, a * float(rng.uniform(0.65, 1)), turn), _shaded(rng, tone))
        if rng.random() < 0.4:
            for _ in range(int(rng.integers(4, 20))):
                dx, dy = rng.uniform(-0.5, 0.5, 2) * a
                _over(sprite, _oval(x + dx, y + dy, 0.04, 0.06, turn), tone * np.float32(rng.uniform(0.4, 1.4)))
        if rng.random() < 0.6:
            _over(
                sprite,
                _oval(x - a / 3, y - a / 3, a / 4, a / 6, turn) * np.float32(0.6),
                np.ones(3, np.float32),
            )
    for _ in range(int(rng.integers(0, 3))):
        _frond(sprite, rng, _spot(rng, 0.6), float(rng.uniform(0.2, 0.4)))
    return np.clip(sprite, 0, 1)


def _spot(rng: Generator, reach: float) -> tuple[float, float]:
    x, y = rng.uniform(-reach, reach, 2)
    return float(x), float(y)


def _frond(sprite: Sprite, rng: Generator, at: tuple[float, float], reach: float) -> None:
    """Paint a leaf with its ribs."""
    x, y = at
    tone, turn = _vivid(rng), float(rng.uniform(0, 2 * np.pi))
    if rng.random() < 0.7:
        tone = tone * np.array([0.45, 1.0, 0.4], np.float32)
    slim = reach * float(rng.uniform(0.3, 0.6))
    # Two circles' lens: a leaf with pointed ends.
    cover = np.minimum(
        _oval(x + slim * 0.4 * np.sin(turn), y - slim * 0.4 * np.cos(turn), reach * 1.1, slim, turn),
        _oval(x - slim * 0.4 * np.sin(turn), y + slim * 0.4 * np.cos(turn), reach * 1.1, slim, turn),
    )
    _over(sprite, np.asarray(cover, np.float32), _shaded(rng, tone))
    rib = np.minimum(_oval(x, y, reach, 0.02, turn), cover) * np.float32(rng.uniform(0, 1))
    _over(sprite, np.asarray(rib, np.float32), np.clip(tone * np.float32(rng.choice([0.5, 1.6])), 0, 1))


def _leaf(rng: Generator) -> Sprite:
    sprite = _blank(_vivid(rng))
    sprite[..., 3] = 0
    for _ in range(int(rng.choice([1, 1, 2, 3, 5]))):
        _frond(sprite, rng, _spot(rng, 0.25), float(rng.uniform(0.4, 0.75)))
    return np.clip(sprite, 0, 1)


def _blossom(rng: Generator) -> Sprite:
    """A flower: rings of petals round a heart."""
    tone = _vivid(rng)
    sprite, start = _blank(tone), float(rng.uniform(0, 2 * np.pi))
    for ring, reach in enumerate(np.linspace(0.55, 0.2, int(rng.integers(1, 4)))):
        count, tint = int(rng.integers(4, 9)), tone * np.float32(0.75 + 0.18 * ring)
        for k in range(count):
            way = start + 2 * np.pi * k / count + ring
            x, y = reach * np.cos(way), reach * np.sin(way)
            _over(
                sprite,
                _oval(x, y, 0.38, float(rng.uniform(0.2, 0.36)), way),
                np.clip(tint * np.float32(rng.uniform(0.9, 1.1)), 0, 1),
            )
    _over(sprite, _oval(0, 0, 0.2, 0.2, 0), _vivid(rng))
    if rng.random() < 0.5:
        _frond(sprite, rng, _spot(rng, 0.7), 0.3)
    return np.clip(sprite, 0, 1)


def _written(path: str, text: str) -> Map:
    """Return text as coverage (S, S), as large as fits."""
    font = ImageFont.truetype(path, _SIDE)
    left, top, right, bottom = (int(v) for v in font.getbbox(text))
    canvas = Image.new("L", (max(right - left, 1), max(bottom - top, 1)))
    ImageDraw.Draw(canvas).text((-left, -top), text, fill=255, font=font)
    scale = 0.94 * _SIDE / max(canvas.size)
    inner = canvas.resize((max(int(canvas.width * scale), 1), max(int(canvas.height * scale), 1)))
    whole = Image.new("L", (_SIDE, _SIDE))
    whole.paste(inner, ((_SIDE - inner.width) // 2, (_SIDE - inner.height) // 2))
    return np.asarray(whole, np.float32) / np.float32(255)


def _icon(rng: Generator) -> Sprite:
    """One of thousands of drawings, in one tone or on a blot of another."""
    every = symbol_fonts("icons")
    if not every:
        return _blossom(rng)
    cover = _written(str(every[0].path), chr(FIRST_ICON + int(rng.integers(_ICONS))))
    tone = _tone(rng, 0.1)
    sprite = _blank(tone)
    if rng.random() < 0.4:
        blot = cv2.GaussianBlur(cv2.dilate(cover, np.ones((9, 9))), (0, 0), 2)
        solid = cv2.morphologyEx(blot, cv2.MORPH_CLOSE, np.ones((25, 25)))
        _over(sprite, np.asarray(solid, np.float32), _shaded(rng, _tone(rng, 0.5)))
    _over(sprite, cover, _shaded(rng, tone))
    return np.clip(sprite, 0, 1)


def _letters(rng: Generator, split: str) -> Sprite:
    """A numeral or a few letters."""
    every = fonts(split)
    font = every[int(rng.integers(len(every)))]
    if rng.random() < 0.6 or not font.letters:
        text = str(int(rng.integers(0, 21)))
    else:
        text = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVWaegknrst"), int(rng.choice([1, 1, 2, 4]))))
    sprite = _blank(_tone(rng, 0.05))
    _over(sprite, _written(str(font.path), text), sprite[0, 0, :3].copy())
    return sprite


def _badge(rng: Generator, split: str) -> Sprite:
    """Another motif in a printed frame, disc or box."""
    inner = (_icon(rng), _letters(rng, split), _fruit(rng))[int(rng.integers(3))]
    sprite = _blank(_tone(rng, 0.6))
    if rng.random() < 0.5:
        cover = _oval(0, 0, 0.95, float(rng.uniform(0.7, 0.95)), 0.0)
    else:
        gx, gy = _grid()
        wide = np.float32(rng.uniform(0.6, 0.95))
        cover = ((np.abs(gx) < wide) & (np.abs(gy) < 0.95)).astype(np.float32)
    _over(sprite, cover, _tone(rng, 0.6))
    if rng.random() < 0.5:
        edge = cover - cv2.erode(cover, np.ones((5, 5)))
        _over(sprite, np.asarray(edge, np.float32), _tone(rng, 0.1))
    small = np.zeros_like(sprite)
    n = int(_SIDE * rng.uniform(0.45, 0.7))
    at = (_SIDE - n) // 2
    small[at : at + n, at : at + n] = cv2.resize(inner, (n, n), interpolation=cv2.INTER_AREA)
    _over(sprite, np.ascontiguousarray(small[..., 3]), small[..., :3])
    return np.clip(sprite, 0, 1)
