"""Joker families that are faces and figures. Each function draws one, settled by the generator alone."""

from __future__ import annotations

import numpy as np

from datasets.jokers_head import eyes, features, mouth, nose, star
from datasets.jokers_pen import CLEAR, Paint, Pen, arc_points

__all__ = ["FIGURES"]

Rng = np.random.Generator


def _disc(pen: Pen, rng: Rng, radius: float = 0.95, filled: bool | None = None) -> tuple[Paint, Paint]:
    """Draw a round head, outlined or filled; return the colours for features and for bare parts."""
    filled = bool(rng.random() < 0.25) if filled is None else filled
    rx = radius * rng.uniform(0.86, 1.0) if rng.random() < 0.35 else radius
    if filled:
        pen.oval((0, 0), rx, radius)
        return CLEAR, pen.ink
    pen.ring((0, 0), rx - pen.line_width / 2, radius - pen.line_width / 2)
    return pen.ink, CLEAR


def smiley(pen: Pen, rng: Rng) -> None:
    """A round face of few strokes."""
    paint, bare = _disc(pen, rng, filled=False)
    eyes(pen, rng, paint, bare, str(rng.choice(["dots", "ovals", "arcs", "wink"])))
    mouth(pen, rng, paint, bare, str(rng.choice(["smile", "smile", "open", "grin", "tongue"])))


def smiley_filled(pen: Pen, rng: Rng) -> None:
    """A filled disc with the face left bare."""
    paint, bare = _disc(pen, rng, filled=True)
    if rng.random() < 0.4:
        pen.ring((0, 0), 1.12, width=0.06)
        pen.oval((0, 0), 0.98, paint=CLEAR)
        pen.oval((0, 0), 0.92)
    features(pen, rng, paint, bare)


def round_face(pen: Pen, rng: Rng) -> None:
    """A drawn face, mostly in a thick ring: lidded eyes, brows, a nose, a wide smile."""
    kind = str(rng.choice(["ring", "ring", "ring", "double", "oval", "solid"]))
    ink, bare = (CLEAR, pen.ink) if kind == "solid" else (pen.ink, CLEAR)
    if kind == "solid":
        pen.oval((0, 0), 1.0)
    elif kind == "oval":
        pen.ring((0, 0), 0.78, 0.98, width=float(rng.uniform(0.05, 0.09)))
    else:
        pen.ring((0, 0), 0.95, width=float(rng.uniform(0.08, 0.17)))
        if kind == "double":
            pen.ring((0, 0), 0.79, width=0.05)
    if rng.random() < 0.25:
        top = 180 + float(rng.uniform(15, 40))
        pen.polygon(arc_points((0, 0), 0.8, 0.9, top, 540 - top), pen.ink2 if kind != "solid" else CLEAR)
    pen.zoom = 0.84 if kind in ("oval", "double") else 1.0
    w = float(rng.uniform(0.05, 0.08))
    gap, y = float(rng.uniform(0.3, 0.38)), float(rng.uniform(-0.22, -0.1))
    lid, look = float(rng.uniform(0.06, 0.13)), float(rng.uniform(-0.06, 0.06))
    brow = float(rng.uniform(-0.06, 0.06))
    frown, bags = rng.random() < 0.5, rng.random() < 0.6
    for s in (-1, 1):
        eye = [
            (s * (gap - 0.2), y + 0.03),
            (s * gap, y - lid),
            (s * (gap + 0.22), y + 0.02),
            (s * gap, y + 0.08),
        ]
        pen.blob(eye, ink)
        pen.blob([(s * gap + 0.66 * (px - s * gap), y + 0.5 * (py - y)) for px, py in eye], bare)
        pen.oval((s * gap + look, y), 0.06, paint=ink)
        arch = [(s * (gap - 0.2), y - 0.2 + brow), (s * gap, y - 0.32), (s * (gap + 0.26), y - 0.16 - brow)]
        pen.curve(arch, w, ink)
        if bags:
            under = [(s * (gap - 0.14), y + 0.15), (s * gap, y + 0.18), (s * (gap + 0.18), y + 0.12)]
            pen.curve(under, 0.5 * w, ink)
        if frown:
            pen.line([(s * 0.05, y - 0.2), (s * 0.05, y - 0.13)], 0.5 * w, ink)
    if rng.random() < 0.7:
        pen.curve(
            [(0.0, y + 0.05), (-0.03, y + 0.28), (-0.12, y + 0.42), (0.0, y + 0.48), (0.12, y + 0.42)], w, ink
        )
    else:
        pen.shift = (0.0, 0.12)
        nose(pen, rng, ink)
        pen.shift = (0.0, 0.0)
    m, wide = y + float(rng.uniform(0.62, 0.72)), float(rng.uniform(0.3, 0.5))
    if rng.random() < 0.7:
        lips = [
            (-wide, m - 0.06),
            (0, m + 0.03),
            (wide, m - 0.06),
            (0.5 * wide, m + 0.13),
            (-0.5 * wide, m + 0.13),
        ]
        pen.blob(lips, ink)
        if rng.random() < 0.5:
            pen.curve([(-0.7 * wide, m + 0.0), (0, m + 0.07), (0.7 * wide, m + 0.0)], 0.4 * w, bare)
    else:
        mouth(pen, rng, ink, bare, str(rng.choice(["grin", "teeth", "smile"])))
    for s in (-1, 1):
        pen.line([(s * wide, m - 0.12), (s * (wide + 0.06), m + 0.02)], 0.8 * w, ink)
    if rng.random() < 0.2:
        for s in (-1, 1):
            for k in range(3):
                pen.line([(s * (0.45 + 0.08 * k), 0.1), (s * (0.4 + 0.08 * k), 0.24)], 0.4 * w, ink)
    pen.zoom = 1.0


def bearded(pen: Pen, rng: Rng) -> None:
    """A man with a full beard, maybe with a hat."""
    hair = pen.ink2 if rng.random() < 0.5 else pen.ink
    pen.oval((0, -0.12), 0.66, 0.72, hair)
    length = float(rng.uniform(0.75, 1.15))
    ragged = [(-0.72, -0.05)]
    for k, x in enumerate(np.linspace(-0.68, 0.68, int(rng.integers(5, 11)))):
        ragged.append((float(x), float(length * (1 - 0.55 * abs(x) ** 1.5) - 0.07 * (k % 2))))
    ragged.append((0.72, -0.05))
    pen.polygon(ragged, hair)
    pen.oval((0, -0.16), 0.52, 0.55, CLEAR)
    pen.polygon([(-0.5, -0.1), (0.5, -0.1), (0.36, 0.3), (-0.36, 0.3)], CLEAR)
    pen.zoom = 0.9
    eyes(pen, rng, pen.ink, CLEAR, str(rng.choice(["dots", "ovals", "almond", "rings"])))
    nose(pen, rng, pen.ink, str(rng.choice(["hook", "ball", "triangle", "line"])))
    pen.zoom = 1.0
    moustache = [(0, 0.2), (-0.24, 0.16), (-0.52, 0.3), (-0.22, 0.36), (0, 0.28)]
    pen.blob(moustache, hair)
    pen.blob([(-x, y) for x, y in moustache], hair)
    pen.oval((0, 0.44), 0.2, 0.07, CLEAR)
    if rng.random() < 0.5:
        hat(pen, rng, -0.6)


def hat(pen: Pen, rng: Rng, y: float) -> None:
    """A hat or a crown whose brim lies at ``y``."""
    kind = str(rng.choice(["top", "cone", "bowler", "crown", "cap"]))
    paint = pen.ink2 if rng.random() < 0.5 else pen.ink
    if kind == "crown":
        crown_shape(pen, rng, y, 0.62, 0.5, paint)
    elif kind == "cone":
        pen.polygon([(-0.5, y), (float(rng.uniform(-0.3, 0.3)), y - 0.72), (0.5, y)], paint)
        pen.oval((0, y), 0.72, 0.1, paint)
    elif kind == "cap":
        pen.polygon(arc_points((0, y), 0.62, 0.5, 180, 360), paint)
        pen.line([(0.2, y), (0.95, y + 0.04)], 0.12, paint)
    else:
        height = 0.62 if kind == "top" else 0.3
        pen.polygon([(-0.46, y), (-0.5, y - height), (0.5, y - height), (0.46, y)], paint)
        if kind == "bowler":
            pen.oval((0, y - 0.3), 0.5, 0.3, paint)
        pen.line([(-0.75, y), (0.75, y)], 0.13, paint)
        pen.line([(-0.42, y - 0.14), (0.42, y - 0.14)], 0.05, CLEAR)


def crown_shape(pen: Pen, rng: Rng, y: float, half: float, height: float, paint: Paint) -> None:
    """A crown standing on ``y``."""
    spikes = int(rng.integers(3, 6))
    xs = np.linspace(-half, half, 2 * spikes - 1)
    outer = 1.15
    top = [(float(x * outer), y - height if k % 2 == 0 else y - 0.45 * height) for k, x in enumerate(xs)]
    pen.polygon([(-half, y), *top, (half, y)], paint)
    for x, ty in top[::2]:
        pen.oval((x, ty - 0.03), 0.08, paint=paint)
    pen.line([(-0.8 * half, y - 0.12), (0.8 * half, y - 0.12)], 0.04, CLEAR)


def jester(pen: Pen, rng: Rng) -> None:
    """A fool's face under a cap with bells."""
    tails = int(rng.choice([2, 3, 3, 4]))
    ends = np.linspace(-1.05, 1.05, tails) if tails > 2 else np.array([-1.0, 1.0])
    for k, x in enumerate(ends):
        tip = (float(x), float(-0.42 - (0.72 if abs(x) < 0.5 else 0.2) + rng.uniform(-0.1, 0.1)))
        paint = pen.ink if k % 2 == 0 else pen.ink2
        base = float(np.clip(x, -0.5, 0.5))
        bend = (float(0.75 * x), float(-1.02 + 0.2 * abs(x)))
        pen.blob(
            [(base - 0.34, -0.3), (base - 0.2, -0.7), bend, tip, (base + 0.24, -0.5), (base + 0.34, -0.3)],
            paint,
        )
        pen.ring(tip, 0.11, width=0.06, paint=paint)
    pen.oval((0, 0.1), 0.62, 0.72)
    pen.oval((0, 0.12), 0.54, 0.63, CLEAR)
    pen.line([(-0.6, -0.26), (0, -0.36), (0.6, -0.26)], 0.12, pen.ink)
    pen.shift, pen.zoom = (0, 0.22), 0.72
    features(pen, rng, mouth_kind=str(rng.choice(["smile", "grin", "open", "teeth"])))
    pen.shift, pen.zoom = (0, 0), 1.0
    if rng.random() < 0.6:
        for k, x in enumerate(np.linspace(-0.8, 0.8, 5)):
            y = 1.12 - 0.12 * abs(float(x))
            left, right = (float(x) - 0.2, 0.72), (float(x) + 0.2, 0.72)
            pen.polygon([left, (float(x), y), right], pen.ink if k % 2 else pen.ink2)


def jester_cap(pen: Pen, rng: Rng) -> None:
    """The fool's cap alone."""
    wide, high = float(rng.uniform(0.85, 1.1)), float(rng.uniform(0.8, 1.1))
    for s in (-1, 1):
        tail = [(0.0, 0.5), (0.0, -0.35), (s * 0.35, -0.62), (s * 0.8 * wide, -0.45), (s * wide, 0.12)]
        tail += [(s * 0.72 * wide, -0.08), (s * 0.66, 0.5)]
        pen.blob(tail, pen.ink if s < 0 else pen.ink2)
        pen.oval((s * wide, 0.2), 0.14, paint=pen.ink if s < 0 else pen.ink2)
    if rng.random() < 0.6:
        pen.blob([(-0.3, 0.4), (-0.24, -0.4), (0.1, -high), (0.24, -0.4), (0.3, 0.4)])
        pen.oval((0.1, -high), 0.14)
        pen.line([(-0.3, 0.4), (-0.26, -0.3)], 0.05, CLEAR)
        pen.line([(0.3, 0.4), (0.26, -0.3)], 0.05, CLEAR)
    pen.polygon([(-0.75, 0.5), (0.75, 0.5), (0.7, 0.8), (-0.7, 0.8)])
    pen.line([(-0.75, 0.47), (0.75, 0.47)], 0.05, CLEAR)
    if rng.random() < 0.7:
        for x in (-0.45, 0.0, 0.45):
            pen.polygon(star((x, 0.65), 0.12, 0.06, int(rng.integers(4, 6))), CLEAR)


def double_head(pen: Pen, rng: Rng) -> None:
    """A playing card's two half figures, one the other's half turn."""
    state = rng.integers(2**31)
    for turn in (1.0, -1.0):
        own = np.random.default_rng(state)
        pen.flip_x = pen.flip_y = turn
        pen.shift, pen.zoom = (0.0, -0.52 * turn), 0.52
        kind = own.random()
        if kind < 0.5:
            jester_face(pen, own)
        else:
            pen.ring((0, 0.1), 0.8)
            features(pen, own)
            crown_shape(pen, own, -0.55, 0.6, 0.55, pen.ink2)
    pen.flip_x = pen.flip_y = pen.zoom = 1.0
    pen.shift = (0.0, 0.0)
    pen.line([(-0.75, 0.2), (0.75, -0.2)] if rng.random() < 0.5 else [(-0.7, 0), (0.7, 0)], 0.05)
    if rng.random() < 0.4:
        pen.outline([(-0.8, -1.15), (0.8, -1.15), (0.8, 1.15), (-0.8, 1.15)], 0.05)


def jester_face(pen: Pen, rng: Rng) -> None:
    """A face with a cap of two tails; smaller than ``jester``."""
    for s in (-1, 1):
        paint = pen.ink if s < 0 else pen.ink2
        pen.blob(
            [
                (0, -0.45),
                (s * 0.35, -1.05),
                (s * 1.05, -0.75),
                (s * 1.2, -0.2),
                (s * 0.85, -0.5),
                (s * 0.7, -0.15),
            ],
            paint,
        )
        pen.oval((s * 1.18, -0.12), 0.13, paint=paint)
    pen.ring((0, 0.12), 0.68, 0.72)
    pen.shift = (pen.shift[0], pen.shift[1] + 0.1 * pen.zoom * pen.flip_y)
    features(pen, rng)


def mirrored_face(pen: Pen, rng: Rng) -> None:
    """A face beside or above its mirror picture, or two profiles that look away."""
    kind = str(rng.choice(["profiles", "side", "halves"]))
    state = rng.integers(2**31)
    if kind == "profiles":
        chin = float(rng.uniform(0.7, 0.95))
        line = [(0.04, -1.0), (0.5, -0.9), (0.66, -0.5), (0.62, -0.3), (0.9, 0.05), (0.66, 0.14), (0.74, 0.3)]
        line += [(0.62, 0.38), (0.7, 0.5), (0.6, chin), (0.3, 1.0), (0.04, 0.98)]
        for s in (-1.0, 1.0):
            own = np.random.default_rng(state)
            solid = s > 0 and own.random() < 0.6
            if solid:
                pen.polygon([(s * x, y) for x, y in line])
            else:
                pen.line([(s * x, y) for x, y in line])
            pen.oval((s * 0.42, -0.25), 0.1, 0.07, CLEAR if solid else pen.ink)
            pen.line([(s * 0.3, -0.45), (s * 0.56, -0.5)], 0.06, CLEAR if solid else pen.ink)
            pen.line([(s * 0.45, 0.42), (s * 0.64, 0.38)], 0.06, CLEAR if solid else pen.ink)
        return
    for s in (-1.0, 1.0):
        own = np.random.default_rng(state)
        pen.flip_x = s
        if kind == "side":
            pen.zoom, pen.shift = 0.52, (0.54 * s, 0.0)
            pen.ring((0, 0), 0.92, width=0.12)
            features(pen, own)
        else:
            pen.polygon(arc_points((0, 0), 0.95, 0.95, -90, 90), pen.ink if s > 0 else CLEAR)
            if s < 0:
                pen.arc((0, 0), 0.92, 0.92, -90, 90)
            paint = CLEAR if s > 0 else pen.ink
            y = float(own.uniform(-0.3, -0.15))
            pen.oval((0.36, y), 0.12, float(own.uniform(0.1, 0.2)), paint)
            pen.curve([(0.14, y - 0.28), (0.36, y - 0.36), (0.6, y - 0.24)], 0.06, paint)
            pen.curve([(0.0, 0.5), (0.3, 0.46), (0.56, float(own.uniform(0.2, 0.35)))], 0.09, paint)
            pen.line([(0.02, -0.1), (0.14, 0.16), (0.02, 0.18)], 0.06, paint)
    pen.flip_x = pen.zoom = 1.0
    pen.shift = (0.0, 0.0)


def sun(pen: Pen, rng: Rng) -> None:
    """A sun with rays, mostly with a face."""
    rays, kind = int(rng.integers(8, 21)), str(rng.choice(["wedge", "line", "wave", "two"]))
    radius = float(rng.uniform(0.5, 0.68))
    for k, angle in enumerate(np.linspace(0, 2 * np.pi, rays, endpoint=False)):
        d, n = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        long = 1.12 if kind != "two" or k % 2 == 0 else 0.9
        base = 0.75 * np.pi * radius / rays
        foot, tip = d * radius * 0.95, d * long
        if kind == "line":
            points = [tuple((d * radius * 1.15).tolist()), tuple(tip.tolist())]
            pen.line(points, 0.09)
        elif kind == "wave":
            middle = d * (radius + 0.25)
            shape = [foot - n * base, middle - n * base * 0.1, tip, middle + n * base * 1.4, foot + n * base]
            pen.polygon([tuple(p.tolist()) for p in shape])
        else:
            pen.polygon(
                [tuple(p.tolist()) for p in (foot - n * base, tip, foot + n * base)],
                pen.ink if k % 2 else pen.ink2,
            )
    filled = rng.random() < 0.35
    pen.oval((0, 0), radius)
    if not filled:
        pen.oval((0, 0), radius - 0.09, paint=CLEAR)
    if rng.random() < 0.85:
        pen.zoom = radius * 0.98
        features(pen, rng, CLEAR if filled else pen.ink, pen.ink if filled else CLEAR)
        pen.zoom = 1.0


def star_face(pen: Pen, rng: Rng) -> None:
    """A star, plain, outlined or with a face."""
    points = int(rng.choice([5, 5, 5, 6, 8]))
    inner = float(rng.uniform(0.42, 0.6))
    shape = star((0, 0.05), 1.1, 1.1 * inner, points)
    kind = str(rng.choice(["solid", "outline", "face", "face-solid"]))
    if kind in ("solid", "face-solid"):
        pen.polygon(shape)
    else:
        pen.outline(shape)
    if kind.startswith("face"):
        pen.zoom = 0.55
        features(
            pen, rng, CLEAR if kind == "face-solid" else pen.ink, pen.ink if kind == "face-solid" else CLEAR
        )
        pen.zoom = 1.0


def moon(pen: Pen, rng: Rng) -> None:
    """A crescent, with an eye and a mouth or with a star."""
    s = -1.0 if rng.random() < 0.5 else 1.0
    pen.flip_x = s
    pen.oval((-0.1, 0), 1.0)
    pen.oval(
        (float(rng.uniform(0.3, 0.5)), float(rng.uniform(-0.15, 0.1))),
        float(rng.uniform(0.72, 0.85)),
        paint=CLEAR,
    )
    if rng.random() < 0.6:
        pen.oval((-0.55, -0.25), 0.1, 0.07, CLEAR)
        pen.curve([(-0.35, 0.38), (-0.5, 0.42), (-0.62, 0.34)], 0.06, CLEAR)
    if rng.random() < 0.6:
        pen.polygon(star((0.5, -0.05), 0.36, 0.15, 5), pen.ink2)
    pen.flip_x = 1.0


def king(pen: Pen, rng: Rng) -> None:
    """A crowned head, maybe bearded."""
    pen.ring((0, 0.28), 0.66, 0.72)
    crown_shape(pen, rng, -0.28, 0.66, 0.75, pen.ink2 if rng.random() < 0.5 else pen.ink)
    pen.shift, pen.zoom = (0, 0.32), 0.72
    features(pen, rng)
    if rng.random() < 0.4:
        pen.polygon([(-0.75, 0.3), (0, 1.1), (0.75, 0.3), (0.4, 0.78), (-0.4, 0.78)])
    pen.shift, pen.zoom = (0, 0), 1.0


def crown(pen: Pen, rng: Rng) -> None:
    """A crown alone."""
    crown_shape(pen, rng, 0.7, 0.8, 1.4, pen.ink)
    for x in np.linspace(-0.5, 0.5, int(rng.integers(1, 4))):
        pen.polygon(star((float(x), 0.18), 0.16, 0.09, 2), CLEAR)


FIGURES = {
    "smiley": (smiley, 5.0),
    "smiley-filled": (smiley_filled, 2.0),
    "round-face": (round_face, 4.0),
    "bearded": (bearded, 1.5),
    "jester": (jester, 3.0),
    "jester-cap": (jester_cap, 1.0),
    "double-head": (double_head, 1.0),
    "mirrored": (mirrored_face, 1.5),
    "sun": (sun, 1.5),
    "star": (star_face, 1.5),
    "moon": (moon, 0.7),
    "king": (king, 1.0),
    "crown": (crown, 0.8),
}
"""Name: drawing and how common it is."""
