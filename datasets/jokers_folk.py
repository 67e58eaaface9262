"""More joker families: folk, beasts and signs. Each function draws one, settled by the generator alone."""

from __future__ import annotations

import numpy as np

from datasets.jokers_head import eyes, features, mouth, nose, star
from datasets.jokers_pen import CLEAR, Pen, arc_points

__all__ = ["FOLK"]

Rng = np.random.Generator


def cat(pen: Pen, rng: Rng) -> None:
    """A cat's head."""
    paint, bare = (CLEAR, pen.ink) if rng.random() < 0.4 else (pen.ink, CLEAR)
    solid = paint == CLEAR
    for s in (-1, 1):
        ear = [(s * 0.85, 0.0), (s * 0.8, -1.0), (s * 0.2, -0.6)]
        pen.polygon(ear)
        if not solid:
            pen.polygon([(0.75 * x + s * 0.12, 0.75 * y - 0.1) for x, y in ear], CLEAR)
    pen.oval((0, 0.1), 0.92, 0.78)
    if not solid:
        pen.oval((0, 0.1), 0.83, 0.69, CLEAR)
    eyes(pen, rng, paint, bare, str(rng.choice(["almond", "ovals", "dots"])))
    pen.polygon([(-0.1, 0.12), (0.1, 0.12), (0, 0.24)], paint)
    for s in (-1, 1):
        pen.arc((s * 0.15, 0.28), 0.15, 0.14, 0, 180, 0.05, paint)
        for a in (-0.1, 0.02, 0.14):
            pen.line([(s * 0.32, 0.26 + a / 2), (s * (0.75 if solid else 1.05), 0.2 + 1.6 * a)], 0.035, paint)


def clown(pen: Pen, rng: Rng) -> None:
    """A clown: tufts of hair, a ball nose, a wide mouth."""
    for s in (-1, 1):
        for _ in range(int(rng.integers(4, 8))):
            where = (s * float(rng.uniform(0.72, 1.0)), float(rng.uniform(-0.55, 0.1)))
            pen.oval(where, float(rng.uniform(0.16, 0.26)), paint=pen.ink2)
    pen.ring((0, 0.1), 0.76, 0.85)
    eyes(pen, rng, pen.ink, CLEAR, str(rng.choice(["cross", "ovals", "dots", "stars"])))
    pen.oval((0, 0.12), float(rng.uniform(0.13, 0.22)), paint=pen.ink2)
    pen.blob([(-0.5, 0.38), (0, 0.46), (0.5, 0.38), (0.32, 0.74), (-0.32, 0.74)])
    pen.blob([(-0.34, 0.48), (0, 0.54), (0.34, 0.48), (0.2, 0.63), (-0.2, 0.63)], CLEAR)
    if rng.random() < 0.6:
        pen.shift = (float(rng.uniform(-0.3, 0.3)), 0.0)
        pen.polygon([(-0.35, -0.68), (0.05, -1.3), (0.4, -0.68)], pen.ink)
        pen.oval((0.05, -1.22), 0.12, paint=pen.ink2)
        pen.shift = (0.0, 0.0)


def skull(pen: Pen, rng: Rng) -> None:
    """A skull, maybe on crossed bones."""
    if rng.random() < 0.5:
        for s in (-1, 1):
            pen.line([(-1.0 * s, 0.45), (1.0 * s, 1.1)], 0.13)
    solid = rng.random() < 0.5
    paint = CLEAR if solid else pen.ink
    pen.oval((0, -0.2), 0.8, 0.78)
    pen.polygon([(-0.45, 0.3), (0.45, 0.3), (0.4, 0.85), (-0.4, 0.85)])
    if not solid:
        pen.oval((0, -0.2), 0.7, 0.68, CLEAR)
        pen.polygon([(-0.36, 0.3), (0.36, 0.3), (0.31, 0.76), (-0.31, 0.76)], CLEAR)
    for s in (-1, 1):
        pen.oval((s * 0.32, -0.15), 0.2, float(rng.uniform(0.18, 0.26)), paint)
    pen.polygon([(0, 0.12), (-0.1, 0.3), (0.1, 0.3)], paint)
    for x in (-0.2, 0.0, 0.2):
        pen.line([(x, 0.5), (x, 0.72)], 0.05, paint)


def girl(pen: Pen, rng: Rng) -> None:
    """A face framed by hair."""
    hair = pen.ink2 if rng.random() < 0.5 else pen.ink
    low = float(rng.uniform(0.3, 1.05))
    pen.blob(
        [(-0.95, low), (-0.98, -0.3), (-0.5, -0.98), (0, -1.08), (0.5, -0.98), (0.98, -0.3), (0.95, low)], hair
    )
    if rng.random() < 0.4:
        for s in (-1, 1):
            pen.oval((s * 1.02, -0.2), 0.24, paint=hair)
    pen.oval((0, 0.1), 0.66, 0.78, CLEAR)
    fringe = [(-0.7, -0.2), (-0.6, -0.7), (0.6, -0.7), (0.7, -0.2), (float(rng.uniform(-0.3, 0.3)), -0.55)]
    pen.polygon(fringe, hair)
    if low < 0.7:
        pen.arc((0, 0.1), 0.66, 0.78, 0, 180, 0.07)
    pen.shift, pen.zoom = (0, 0.15), 0.78
    features(pen, rng, eye=str(rng.choice(["almond", "ovals", "rings"])), mouth_kind="lips")
    pen.shift, pen.zoom = (0, 0), 1.0


def gentleman(pen: Pen, rng: Rng) -> None:
    """A moustache, with glasses, a monocle or a hat."""
    pen.ring((0, 0.12), 0.72, 0.85)
    kind = str(rng.choice(["glasses", "monocle", "plain"]))
    pen.shift = (0, 0.1)
    eyes(pen, rng, pen.ink, CLEAR, "dots")
    if kind != "plain":
        for s in (-1, 1) if kind == "glasses" else (1,):
            pen.ring((s * 0.33, -0.2), 0.26, width=0.06, inside=CLEAR)
            pen.oval((s * 0.33, -0.2), 0.08)
        if kind == "glasses":
            pen.line([(-0.08, -0.2), (0.08, -0.2)], 0.06)
    nose(pen, rng, pen.ink, str(rng.choice(["ball", "hook", "line"])))
    curl = float(rng.uniform(-0.3, 0.1))
    half = [(0, 0.28), (0.3, 0.22), (0.62, 0.3 + curl), (0.36, 0.42), (0.05, 0.38)]
    pen.blob(half, pen.ink2)
    pen.blob([(-x, y) for x, y in half], pen.ink2)
    pen.arc((0, 0.5), 0.18, 0.12, 20, 160, 0.06)
    pen.shift = (0, 0)
    if rng.random() < 0.7:
        tall = float(rng.uniform(0.25, 0.6))
        pen.polygon([(-0.52, -0.55), (-0.5, -0.55 - tall), (0.5, -0.55 - tall), (0.52, -0.55)], pen.ink2)
        pen.line([(-0.85, -0.55), (0.85, -0.55)], 0.12, pen.ink2)


def pirate(pen: Pen, rng: Rng) -> None:
    """A patch over one eye and a scarf or a tricorne."""
    pen.ring((0, 0.1), 0.78, 0.86)
    pen.oval((-0.32, -0.08), 0.2, 0.18)
    pen.line([(-0.78, -0.3), (0.7, 0.05)] if rng.random() < 0.3 else [(-0.75, 0.0), (0.6, -0.35)], 0.05)
    pen.oval((0.32, -0.1), 0.1)
    nose(pen, rng, pen.ink)
    mouth(pen, rng, pen.ink, CLEAR, str(rng.choice(["teeth", "smirk", "grin"])))
    if rng.random() < 0.5:
        pen.polygon([*arc_points((0, 0.0), 0.86, 0.95, 200, 340)], pen.ink2)
        pen.polygon([(-0.75, -0.35), (-1.15, -0.1), (-1.05, -0.5)], pen.ink2)
        for x in (-0.4, 0.0, 0.4):
            pen.oval((x, -0.62), 0.08, paint=CLEAR)
    else:
        pen.blob([(-1.1, -0.35), (-0.7, -0.8), (0, -1.1), (0.7, -0.8), (1.1, -0.35), (0, -0.5)], pen.ink2)
        pen.oval((0, -0.75), 0.13, paint=CLEAR)


def devil(pen: Pen, rng: Rng) -> None:
    """Horns, slanted brows, a goatee."""
    for s in (-1, 1):
        pen.blob([(s * 0.35, -0.65), (s * 0.55, -0.85), (s * 0.85, -1.2), (s * 0.88, -0.75), (s * 0.65, -0.4)])
    solid = rng.random() < 0.4
    if solid:
        pen.oval((0, 0), 0.85)
    else:
        pen.ring((0, 0), 0.82)
    paint = CLEAR if solid else pen.ink
    for s in (-1, 1):
        pen.line([(s * 0.12, -0.28), (s * 0.55, -0.48)], 0.09, paint)
        pen.oval((s * 0.33, -0.15), 0.1, paint=paint)
    nose(pen, rng, paint, "hook")
    mouth(pen, rng, paint, pen.ink if solid else CLEAR, str(rng.choice(["teeth", "grin", "smirk"])))
    pen.polygon([(-0.15, 0.8), (0.15, 0.8), (0, 1.2)])


def wizard(pen: Pen, rng: Rng) -> None:
    """A pointed hat with stars over a face and a long beard."""
    pen.polygon([(-0.8, -0.25), (float(rng.uniform(-0.35, 0.35)), -1.3), (0.8, -0.25)], pen.ink2)
    pen.oval((0, -0.25), 1.0, 0.13, pen.ink2)
    for x, y in ((-0.2, -0.5), (0.25, -0.6), (0.02, -0.9)):
        pen.polygon(star((x, y), 0.13, 0.05, 5), CLEAR)
    pen.polygon([(-0.6, 0.1), (-0.45, 0.8), (0, 1.25), (0.45, 0.8), (0.6, 0.1)])
    pen.oval((0, 0.1), 0.5, 0.38, CLEAR)
    for s in (-1, 1):
        pen.oval((s * 0.22, 0.02), 0.08)
        pen.line([(0, 0.36), (s * 0.35, 0.44)], 0.1)
    pen.oval((0, 0.2), 0.09)


def mask(pen: Pen, rng: Rng) -> None:
    """A theatre mask, laughing or crying, or both one over the other."""

    def one(x: float, laughing: bool, solid: bool) -> None:
        shape = [(x - 0.6, -0.6), (x, -0.48), (x + 0.6, -0.6), (x + 0.55, 0.2), (x, 0.75), (x - 0.55, 0.2)]
        pen.blob(shape, pen.ink if solid else pen.ink2)
        if not solid:
            pen.blob([(x + 0.84 * (px - x), 0.84 * py) for px, py in shape], CLEAR)
        paint = CLEAR if solid else pen.ink2
        for s in (-1, 1):
            pen.polygon(arc_points((x + s * 0.25, -0.12), 0.15, 0.13, 180, 360), paint)
        if laughing:
            pen.polygon(arc_points((x, 0.16), 0.3, 0.32, 0, 180), paint)
        else:
            pen.polygon(arc_points((x, 0.42), 0.26, 0.26, 180, 360), paint)

    if rng.random() < 0.5:
        pen.zoom = 0.8
        pen.shift = (0.0, -0.2)
        one(-0.5, False, False)
        pen.shift = (0.0, 0.2)
        one(0.5, True, True)
    else:
        pen.zoom = 1.4
        one(0.0, bool(rng.random() < 0.7), bool(rng.random() < 0.6))
    pen.zoom, pen.shift = 1.0, (0.0, 0.0)


def dog(pen: Pen, rng: Rng) -> None:
    """A dog's head."""
    for s in (-1, 1):
        ear = [(s * 0.55, -0.75), (s * 0.95, -0.6), (s * 1.1, 0.1), (s * 0.85, 0.4), (s * 0.7, -0.2)]
        pen.blob(ear, pen.ink2)
    pen.ring((0, 0.05), 0.74, 0.88)
    pen.oval((0, 0.18), 0.2, 0.14)
    eyes(pen, rng, pen.ink, CLEAR, str(rng.choice(["dots", "ovals", "rings"])))
    pen.line([(0, 0.28), (0, 0.45)], 0.06)
    for s in (-1, 1):
        pen.arc((s * 0.2, 0.42), 0.2, 0.18, 0, 180, 0.07)
    if rng.random() < 0.5:
        pen.oval((0.05, 0.72), 0.14, 0.2, pen.ink2)


def owl(pen: Pen, rng: Rng) -> None:
    """An owl."""
    pen.blob([(-0.7, -0.9), (0, -0.7), (0.7, -0.9), (0.85, 0.2), (0.5, 0.95), (-0.5, 0.95), (-0.85, 0.2)])
    for s in (-1, 1):
        pen.oval((s * 0.33, -0.3), 0.32, paint=CLEAR)
        pen.ring((s * 0.33, -0.3), 0.22, width=0.07)
        pen.oval((s * 0.33, -0.3), 0.1)
    pen.polygon([(-0.12, -0.1), (0.12, -0.1), (0, 0.15)], CLEAR)
    for y in (0.35, 0.55, 0.75):
        for x in (-0.3, 0.0, 0.3):
            pen.arc((x, y), 0.12, 0.1, 0, 180, 0.05, CLEAR)


def robot(pen: Pen, rng: Rng) -> None:
    """A robot's head."""
    solid = rng.random() < 0.4
    pen.polygon([(-0.8, -0.55), (0.8, -0.55), (0.8, 0.85), (-0.8, 0.85)])
    if not solid:
        pen.polygon([(-0.7, -0.45), (0.7, -0.45), (0.7, 0.75), (-0.7, 0.75)], CLEAR)
    paint = CLEAR if solid else pen.ink
    pen.line([(0, -0.55), (0, -0.95)], 0.08)
    pen.oval((0, -1.0), 0.13, paint=pen.ink2)
    for s in (-1, 1):
        pen.polygon([(s * 0.85, -0.1), (s * 1.0, -0.1), (s * 1.0, 0.35), (s * 0.85, 0.35)])
        pen.oval((s * 0.34, -0.05), float(rng.uniform(0.12, 0.2)), paint=paint)
    for k in range(5):
        pen.line([(-0.4 + 0.2 * k, 0.4), (-0.4 + 0.2 * k, 0.58)], 0.07, paint)
    pen.line([(-0.45, 0.49), (0.45, 0.49)], 0.05, paint)


def blossom(pen: Pen, rng: Rng) -> None:
    """A flower with a face."""
    petals = int(rng.integers(5, 11))
    for k, angle in enumerate(np.linspace(0, 2 * np.pi, petals, endpoint=False)):
        where = (0.72 * float(np.cos(angle)), 0.72 * float(np.sin(angle)))
        pen.oval(where, 2.3 / petals, paint=pen.ink2 if k % 2 and petals % 2 == 0 else pen.ink)
    pen.oval((0, 0), 0.58, paint=CLEAR)
    pen.zoom = 0.58
    features(pen, rng)
    pen.zoom = 1.0


def heart(pen: Pen, rng: Rng) -> None:
    """A heart with a face."""
    for s in (-1, 1):
        pen.oval((s * 0.48, -0.35), 0.52)
    pen.polygon([(-0.97, -0.15), (0.97, -0.15), (0, 1.0)])
    pen.polygon([(-0.9, -0.3), (0.9, -0.3), (0.93, -0.1), (-0.93, -0.1)])
    pen.zoom, pen.shift = 0.62, (0.0, -0.1)
    features(pen, rng, CLEAR, pen.ink)
    pen.zoom, pen.shift = 1.0, (0.0, 0.0)


def harlequin(pen: Pen, rng: Rng) -> None:
    """A field of lozenges, maybe with a mask over it."""
    rows = int(rng.integers(3, 5))
    step = 2.0 / rows
    for r in range(rows):
        for c in range(rows):
            x, y = -1 + (c + 0.5) * step, -1 + (r + 0.5) * step
            paint = pen.ink if (r + c) % 2 == 0 else pen.ink2
            half = step * 0.46
            pen.polygon([(x, y - half), (x + 0.8 * half, y), (x, y + half), (x - 0.8 * half, y)], paint)
    if rng.random() < 0.4:
        pen.outline([(-1.1, -1.1), (1.1, -1.1), (1.1, 1.1), (-1.1, 1.1)], 0.06)


def two_tone(pen: Pen, rng: Rng) -> None:
    """A face whose halves are of two colours, or one bare."""
    pen.polygon(arc_points((0, 0), 0.95, 0.95, 90, 270))
    pen.polygon(arc_points((0, 0), 0.95, 0.95, -90, 90), pen.ink2)
    if rng.random() < 0.5:
        pen.polygon(arc_points((0, 0), 0.86, 0.86, -90, 90), CLEAR)
        for paint, bare, s in ((CLEAR, pen.ink, -1), (pen.ink2, CLEAR, 1)):
            pen.oval((s * 0.36, -0.22), 0.12, 0.17, paint)
            pen.curve([(0, 0.45), (s * 0.3, 0.4), (s * 0.52, 0.22)], 0.1, paint)
            pen.oval((s * 0.36, -0.16), 0.05, paint=bare)
    else:
        features(pen, rng, CLEAR, pen.ink)


def ghost(pen: Pen, rng: Rng) -> None:
    """A ghost."""
    hem = [(float(x), 0.95 - 0.18 * (k % 2)) for k, x in enumerate(np.linspace(0.75, -0.75, 9))]
    pen.polygon([*arc_points((0, -0.2), 0.75, 0.85, 180, 360), *hem])
    for s in (-1, 1):
        pen.oval((s * 0.27, -0.25), 0.13, 0.2, CLEAR)
    if rng.random() < 0.7:
        pen.oval((0, 0.2), 0.14, float(rng.uniform(0.08, 0.2)), CLEAR)


def fool(pen: Pen, rng: Rng) -> None:
    """A whole figure of a fool, dancing, with a staff."""
    swing = float(rng.uniform(-0.25, 0.25))
    pen.oval((swing, -0.72), 0.22)
    for x, y in ((-0.45, -0.95), (0.45, -0.95), (0.05, -1.2)):
        pen.polygon([(swing - 0.2, -0.8), (swing + x, y), (swing + 0.2, -0.8)], pen.ink2)
        pen.oval((swing + x, y), 0.07, paint=pen.ink2)
    pen.polygon([(swing - 0.3, -0.5), (swing + 0.3, -0.5), (0.38, 0.3), (0, 0.18), (-0.38, 0.3)], pen.ink2)
    for s in (-1, 1):
        pen.curve(
            [(s * 0.25 + swing, -0.42), (s * 0.65, -0.3), (s * 0.85, float(rng.uniform(-0.7, 0.0)))], 0.13
        )
        knee = (s * float(rng.uniform(0.3, 0.55)), 0.6)
        pen.curve([(s * 0.18, 0.2), knee, (s * float(rng.uniform(0.2, 0.6)), 1.05)], 0.15)
        pen.line([(s * 0.35, 1.08), (s * 0.65, 1.02)], 0.13)
    if rng.random() < 0.6:
        pen.line([(0.85, -0.9), (0.6, 0.9)], 0.05)
        pen.oval((0.86, -0.95), 0.12, paint=pen.ink2)


def spiral(pen: Pen, rng: Rng) -> None:
    """A swirl or a sign of no meaning."""
    turns = float(rng.uniform(2.0, 3.5))
    t = np.linspace(0.05, 1, 120)
    points = [
        (float(r * np.cos(a)), float(r * np.sin(a))) for r, a in zip(t, 2 * np.pi * turns * t, strict=True)
    ]
    if rng.random() < 0.4:
        pen.ring((0, 0), 1.2)
    pen.line(points, float(rng.uniform(0.1, 0.2)))


FOLK = {
    "skull": (skull, 0.6),
    "cat": (cat, 0.7),
    "clown": (clown, 1.5),
    "girl": (girl, 1.0),
    "gentleman": (gentleman, 1.2),
    "pirate": (pirate, 0.8),
    "devil": (devil, 0.7),
    "wizard": (wizard, 0.6),
    "mask": (mask, 0.8),
    "dog": (dog, 0.5),
    "owl": (owl, 0.5),
    "robot": (robot, 0.5),
    "blossom": (blossom, 0.6),
    "heart-face": (heart, 0.4),
    "harlequin": (harlequin, 0.4),
    "two-tone": (two_tone, 1.0),
    "ghost": (ghost, 0.4),
    "fool": (fool, 1.2),
    "spiral": (spiral, 0.3),
}
"""Name: drawing and how common it is."""
