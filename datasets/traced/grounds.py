"""What the tiles lie on: procedural, seamless materials, and how many mm their textures cover."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from datasets.traced import assets
from datasets.traced.meshes import Material
from datasets.traced.noise import Floats, lookup, mix, noise, relief, to_bytes

__all__ = ["GROUNDS", "OUTSIDE", "SIDE", "Ground", "fine", "make_ground", "printed", "woven"]

SIDE: Final = 1536
"""Texels along a ground's side."""

Rng = np.random.Generator


@dataclass(frozen=True, eq=False)
class Ground:
    """A material, and how many mm its texture covers before it repeats."""

    material: Material
    span: float


def _grid() -> tuple[Floats, Floats]:
    """Rows and columns as shares of the side."""
    axis = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE
    y, x = np.meshgrid(axis, axis, indexing="ij")
    return y, x


def fine(rng: Rng, fall: float = 0.2, stretch: float = 1.0) -> Floats:
    """Return noise of a ground's size."""
    return noise(rng, (SIDE, SIDE), fall, stretch)


def wood(rng: Rng, span: float) -> Material:
    """Planks of a random wood, oiled or varnished."""
    tones = (
        ((92, 52, 30), (54, 28, 16)),
        ((176, 124, 78), (134, 86, 50)),
        ((214, 178, 132), (182, 140, 96)),
        ((120, 80, 52), (82, 50, 30)),
        ((66, 44, 34), (38, 25, 20)),
        ((190, 150, 104), (150, 104, 60)),
    )
    light, dark = tones[rng.integers(len(tones))]
    y, x = _grid()
    planks = int(rng.integers(2, 7)) if rng.random() < 0.8 else 1
    board = np.floor(y * planks).astype(int)
    coarse, thin, pores = (noise(rng, (SIDE, SIDE), f, s) for f, s in ((1.7, 9), (0.9, 26), (0.25, 30)))
    shift = rng.integers(0, SIDE, planks)[board]
    rows = np.arange(SIDE)[:, None] + 0 * x
    drawn = lookup(coarse, rows, x * SIDE + shift)
    rings = np.sin(drawn * 5 + lookup(noise(rng, (SIDE, SIDE), 1.9, 5), rows, x * SIDE + shift) * 6)
    share = 0.45 + 0.16 * drawn + 0.12 * rings + 0.12 * lookup(thin, rows, x * SIDE + shift) + 0.05 * pores
    share = share + rng.normal(0, 0.09, planks)[board]
    picture = mix(light, dark, share.astype(np.float32))
    seam = np.abs((y * planks + 0.5) % 1 - 0.5) / planks * span < 0.5
    if planks > 1:
        picture[seam] *= 0.45
    height = -0.02 * np.maximum(pores, 1) - 0.3 * seam * (planks > 1)
    return Material(
        to_bytes(picture), float(rng.choice([0.18, 0.3, 0.45])), relief(height.astype(np.float32), span / SIDE)
    )


def laminate(rng: Rng, span: float) -> Material:
    """A smooth table top of one colour, faintly speckled."""
    tones = (
        (232, 230, 226),
        (200, 196, 188),
        (150, 152, 156),
        (96, 100, 106),
        (222, 210, 186),
        (178, 196, 196),
        (40, 42, 46),
    )
    tone = np.array(tones[rng.integers(len(tones))], np.float32)
    picture = tone + rng.uniform(0, 6) * fine(rng)[..., None] + 2 * fine(rng, 1.8)[..., None]
    return Material(to_bytes(picture), float(rng.uniform(0.12, 0.5)), None)


def glossy(rng: Rng, _span: float) -> Material:
    """Black or dark lacquer, or glass over something dark: it mirrors lamps and windows."""
    tone = np.array(((14, 14, 16), (34, 22, 18), (22, 30, 30), (60, 18, 16))[rng.integers(4)], np.float32)
    dust = np.maximum(fine(rng, 0.1) - 3.2, 0) * 40
    return Material(to_bytes(tone + dust[..., None]), float(rng.uniform(0.04, 0.16)), None, specular=0.6)


def glass(rng: Rng, _span: float) -> Material:
    """Frosted or greenish glass."""
    tone = np.array(((150, 178, 170), (196, 208, 206), (96, 118, 112))[rng.integers(3)], np.float32)
    return Material(
        to_bytes(tone + 2 * fine(rng, 1.7)[..., None]), float(rng.uniform(0.05, 0.2)), None, specular=0.8
    )


def marble(rng: Rng, _span: float) -> Material:
    """White, grey or black marble with veins."""
    light, dark = (
        ((236, 234, 230), (120, 120, 124)),
        ((60, 62, 64), (190, 188, 184)),
        ((222, 210, 192), (150, 116, 84)),
    )[rng.choice(3, p=[0.6, 0.2, 0.2])]
    rows, columns = np.mgrid[:SIDE, :SIDE].astype(np.float32)
    bend = [120 * fine(rng, 2.0), 120 * fine(rng, 2.0)]
    field = lookup(noise(rng, (SIDE, SIDE), 1.7, 2.5), rows + bend[0], columns + bend[1])
    veins = np.exp(-np.abs(field) * 22) * np.clip(fine(rng, 1.9) + 0.3, 0, 1.2)
    share = 0.08 + 0.05 * fine(rng, 1.8) + 0.9 * veins
    return Material(to_bytes(mix(light, dark, share.astype(np.float32))), float(rng.uniform(0.08, 0.35)), None)


def _weave(threads: int, rng: Rng) -> Floats:
    """Height of a plain weave, 0..1."""
    y, x = _grid()
    wobble = 0.12 * fine(rng, 1.2)
    a, b = x * threads + wobble, y * threads + 0.12 * fine(rng, 1.2)
    over = (np.floor(a).astype(int) + np.floor(b).astype(int)) % 2 == 0
    fa, fb = np.abs(np.sin(np.pi * a)), np.abs(np.sin(np.pi * b))
    return np.where(over, fa * (0.6 + 0.4 * fb), fb * (0.6 + 0.4 * fa)).astype(np.float32)


def woven(rng: Rng, span: float, picture: Floats, thread: float = 0.8) -> Material:
    """Return cloth of the given colours, with threads ``thread`` mm wide and soft creases."""
    threads = max(8, int(span / thread) // 2 * 2)
    weave = _weave(threads, rng)
    picture = picture * (0.8 + 0.26 * weave)[..., None] * (1 + 0.03 * fine(rng, 0.3, 6))[..., None]
    crease = rng.uniform(0, 2.2) * fine(rng, 2.4)
    return Material(
        to_bytes(picture), 0.85, relief((0.1 * thread * weave + crease).astype(np.float32), span / SIDE), 0.2
    )


def cloth(rng: Rng, span: float) -> Material:
    """Plain, striped or checked cloth."""
    tones = (
        (228, 224, 214),
        (168, 40, 44),
        (40, 70, 120),
        (70, 110, 78),
        (206, 178, 110),
        (90, 90, 96),
        (196, 160, 150),
    )
    first, second = (np.array(tones[i], np.float32) for i in rng.choice(len(tones), 2, replace=False))
    y, x = _grid()
    kind = rng.choice(["plain", "check", "stripe", "gingham"])
    n = int(rng.integers(5, 16))
    if kind == "plain":
        picture = np.broadcast_to(first, (SIDE, SIDE, 3)).astype(np.float32)
    elif kind == "stripe":
        picture = mix(tuple(first), tuple(second), ((x * n) % 1 < 0.4).astype(np.float32))
    else:
        cross = ((x * n) % 1 < 0.5).astype(np.float32) + ((y * n) % 1 < 0.5)
        picture = mix(
            tuple(first),
            (245.0, 242.0, 236.0),
            (cross / 2 if kind == "gingham" else (cross == 1)).astype(np.float32),
        )
    return woven(rng, span, picture, float(rng.uniform(0.5, 1.4)))


def printed(rng: Rng, span: float, signs: str = "") -> Material:
    """Cloth or oilcloth printed with leaves, fruit, hearts; with ``signs``, printed with those signs."""
    base = ((240, 236, 226), (226, 234, 238), (60, 84, 74), (244, 226, 196), (90, 40, 50))[rng.integers(5)]
    sheet = Image.new("RGB", (SIDE, SIDE), base)
    pen = ImageDraw.Draw(sheet)
    motifs = signs or "".join(
        rng.permutation(list("\U0001f34b\U0001f33f\U0001f338\U0001f353\u2764\u2b50\U0001f343"))[:3]
    )
    tall = int(rng.uniform(24, 60) * SIDE / span)
    tones = [tuple(int(c) for c in rng.integers(30, 220, 3)) for _ in range(4)]
    step = int(tall * rng.uniform(1.3, 2.0))
    step = SIDE // max(1, SIDE // step)
    for row, y in enumerate(range(0, SIDE - step // 2, step)):
        for x in range(0, SIDE - step // 2, step):
            sign = motifs[int(rng.integers(len(motifs)))]
            letter = assets.font("roboto-slab-900", tall) if signs else assets.emoji(sign, tall)
            pen.text((x + (row % 2) * step // 2, y), sign, tones[int(rng.integers(4))], font=letter)
    picture = np.asarray(sheet, np.float32)
    if rng.random() < 0.4:
        return Material(to_bytes(picture), 0.25, relief(rng.uniform(0, 1.5) * fine(rng, 2.4), span / SIDE))
    return woven(rng, span, picture)


def felt(rng: Rng, span: float) -> Material:
    """Felt or baize."""
    tone = np.array(
        ((22, 92, 58), (120, 24, 32), (34, 56, 110), (70, 72, 76), (150, 130, 100))[rng.integers(5)], np.float32
    )
    fuzz = fine(rng, 0.4)
    picture = tone * (1 + 0.07 * fuzz + 0.03 * fine(rng, 1.5))[..., None]
    return Material(to_bytes(picture), 0.95, relief(0.08 * fuzz, span / SIDE), 0.1)


def carpet(rng: Rng, span: float) -> Material:
    """Carpet of loops or of coarse wool."""
    light, dark = (
        ((206, 200, 190), (96, 100, 112)),
        ((172, 150, 120), (98, 76, 54)),
        ((120, 128, 138), (56, 60, 70)),
        ((160, 60, 56), (70, 26, 34)),
    )[rng.integers(4)]
    y, x = _grid()
    n = int(span / rng.uniform(3, 7))
    wob = 0.25 * fine(rng, 1.0)
    a, b = x * n * 0.5 + wob, y * n + 0.25 * fine(rng, 1.0)
    row = np.floor(b)
    loops = np.abs(np.sin(np.pi * (a + 0.5 * (row % 2)))) ** 0.7 * np.abs(np.sin(np.pi * b)) ** 0.7
    share = 0.5 + 0.25 * noise(rng, (SIDE, SIDE), 0.9, 5) + 0.12 * fine(rng, 0.5) - 0.35 * (loops - 0.5)
    picture = mix(light, dark, share.astype(np.float32))
    height = 1.2 * loops + 0.12 * fine(rng, 0.6, 4)
    return Material(to_bytes(picture), 0.95, relief(height.astype(np.float32), span / SIDE), 0.1)


def slats(rng: Rng, span: float) -> Material:
    """A garden table: weathered or painted slats with dark gaps."""
    tone = ((150, 140, 128), (236, 236, 232), (62, 86, 72), (164, 112, 70), (86, 120, 140))[rng.integers(5)]
    y, _ = _grid()
    n = max(2, int(span / rng.uniform(60, 110)))
    gap = np.abs((y * n) % 1 - 0.5) > 0.5 - 3.0 * n / span
    grain = noise(rng, (SIDE, SIDE), 0.9, 24)
    worn = np.clip(fine(rng, 1.6) - 1.1, 0, 1)
    picture = (
        np.array(tone, np.float32)
        * (1 + 0.07 * grain + rng.normal(0, 0.05, n)[np.floor(y * n).astype(int)])[..., None]
    )
    picture = picture * (1 - 0.35 * worn[..., None])
    picture[gap] = (14, 13, 12)
    return Material(to_bytes(picture), 0.6, relief((0.06 * grain - 2.0 * gap).astype(np.float32), span / SIDE))


def stone(rng: Rng, span: float) -> Material:
    """Concrete, granite or terrazzo."""
    tone = np.array(((150, 148, 144), (110, 112, 112), (186, 178, 166))[rng.integers(3)], np.float32)
    chips = np.clip(2.5 * fine(rng, 0.9) - rng.uniform(0.5, 2), -1, 1) * rng.uniform(2, 24)
    picture = tone + 7 * fine(rng, 0.4)[..., None] + 6 * fine(rng, 1.6)[..., None] + chips[..., None]
    return Material(to_bytes(picture), float(rng.uniform(0.2, 0.8)), relief(0.04 * fine(rng, 0.7), span / SIDE))


GROUNDS: Final = MappingProxyType(
    {
        "wood": wood,
        "laminate": laminate,
        "glossy": glossy,
        "glass": glass,
        "marble": marble,
        "cloth": cloth,
        "print": printed,
        "felt": felt,
        "carpet": carpet,
        "garden": slats,
        "stone": stone,
    }
)
"""The grounds by the word that the truth gives as place."""

OUTSIDE: Final = ("garden", "stone", "wood", "cloth", "glass", "print")
"""Grounds for playing in the open."""


def make_ground(name: str, rng: Rng, span: float) -> Ground:
    """Return the ground ``name`` with a texture of ``span`` mm."""
    make: Callable[[Rng, float], Material] = GROUNDS[name]
    return Ground(make(rng, span), span)
