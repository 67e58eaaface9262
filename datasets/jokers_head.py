"""Heads of joker drawings: features drawn at random within what a family asks for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from datasets.jokers_pen import CLEAR, Paint, Pen, Point

__all__ = ["brows", "eyes", "features", "mouth", "nose"]


def _one(rng: np.random.Generator, names: Sequence[str]) -> str:
    return str(rng.choice(np.asarray(names)))


def eyes(pen: Pen, rng: np.random.Generator, paint: Paint, bare: Paint, kind: str | None = None) -> None:
    """Draw two eyes; ``bare`` is the colour of their whites."""
    kind = kind or _one(rng, ("dots", "ovals", "almond", "almond", "rings", "arcs", "cross", "wink", "stars"))
    gap, y, r = rng.uniform(0.27, 0.4), rng.uniform(-0.3, -0.1), rng.uniform(0.08, 0.14)
    for side in (-1, 1):
        c = (side * gap, y)
        shape = "arcs" if kind == "wink" and side > 0 else "ovals" if kind == "wink" else kind
        if shape == "dots":
            pen.oval(c, r, paint=paint)
        elif shape == "ovals":
            pen.oval(c, 0.75 * r, 1.5 * r, paint)
        elif shape == "almond":
            w, h = 1.9 * r, rng.uniform(0.55, 0.9) * r if side < 0 else 0.75 * r
            rim = [(c[0] - w, y + 0.1 * h), (c[0], y - h), (c[0] + w, y + 0.1 * h), (c[0], y + h)]
            pen.blob(rim, paint)
            inner = [(c[0] + 0.72 * (px - c[0]), y + 0.62 * (py - y)) for px, py in rim]
            pen.blob(inner, bare)
            pen.oval(c, 0.62 * h, paint=paint)
        elif shape == "rings":
            pen.ring(c, 1.4 * r, width=0.5 * r, paint=paint, inside=bare)
            pen.oval((c[0] + 0.2 * r, y + 0.3 * r), 0.6 * r, paint=paint)
        elif shape == "arcs":
            start = 0 if kind == "wink" else 180
            pen.arc((c[0], y), 1.4 * r, r, start, start + 180, 0.6 * pen.line_width, paint)
        elif shape == "cross":
            for a in (-1, 1):
                pen.line([(c[0] - r, y - a * r), (c[0] + r, y + a * r)], 0.6 * pen.line_width, paint)
        elif shape == "stars":
            pen.polygon(star(c, 1.7 * r, 0.75 * r, 5), paint)


def star(
    centre: tuple[float, float], outer: float, inner: float, points: int, turn_deg: float = -90.0
) -> list[Point]:
    """Return the corners of a star."""
    angles = np.deg2rad(turn_deg + np.arange(2 * points) * 180 / points)
    radii = np.where(np.arange(2 * points) % 2 == 0, outer, inner)
    xs, ys = centre[0] + radii * np.cos(angles), centre[1] + radii * np.sin(angles)
    return [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]


def brows(pen: Pen, rng: np.random.Generator, paint: Paint) -> None:
    """Draw eyebrows, or none."""
    if rng.random() < 0.4:
        return
    y, tilt, w = rng.uniform(-0.5, -0.38), rng.uniform(-0.12, 0.12), rng.uniform(0.4, 1.0) * pen.line_width
    for side in (-1, 1):
        points = [(side * 0.17, y + tilt), (side * 0.36, y - 0.08), (side * 0.55, y + 0.04 - tilt / 2)]
        pen.curve(points, w, paint)


def nose(pen: Pen, rng: np.random.Generator, paint: Paint, kind: str | None = None) -> None:
    """Draw a nose, or none."""
    kind = kind or _one(rng, ("none", "none", "dot", "line", "hook", "triangle", "ball", "arc"))
    w = 0.6 * pen.line_width
    if kind == "dot":
        pen.oval((0, 0.08), 0.06, paint=paint)
    elif kind == "ball":
        pen.oval((0, 0.08), rng.uniform(0.1, 0.19), paint=paint)
    elif kind == "line":
        pen.line([(0, -0.12), (0, 0.14)], w, paint)
    elif kind == "hook":
        pen.curve([(0.02, -0.16), (-0.06, 0.1), (-0.02, 0.17), (0.1, 0.15)], w, paint)
    elif kind == "triangle":
        pen.polygon([(0, -0.05), (-0.11, 0.15), (0.11, 0.15)], paint)
    elif kind == "arc":
        pen.arc((0, 0.08), 0.1, 0.08, 0, 180, w, paint)


def mouth(pen: Pen, rng: np.random.Generator, paint: Paint, bare: Paint, kind: str | None = None) -> None:
    """Draw a mouth."""
    kind = kind or _one(
        rng, ("smile", "smile", "grin", "teeth", "open", "tongue", "lips", "flat", "smirk", "sad")
    )
    w, y, d = rng.uniform(0.28, 0.5), rng.uniform(0.28, 0.42), rng.uniform(0.14, 0.3)
    line = 0.75 * pen.line_width
    if kind == "smile":
        pen.curve([(-w, y), (-0.5 * w, y + 0.75 * d), (0, y + d), (0.5 * w, y + 0.75 * d), (w, y)], line, paint)
        if rng.random() < 0.4:
            for side in (-1, 1):
                pen.line([(side * (w - 0.06), y - 0.05), (side * (w + 0.07), y - 0.01)], line, paint)
    elif kind in ("grin", "teeth", "open", "tongue"):
        rim = [(-w, y)]
        rim += [(w * float(np.cos(a)), y + 1.4 * d * float(np.sin(a))) for a in np.linspace(np.pi, 0, 20)]
        pen.polygon(rim, paint)
        if kind in ("teeth", "grin"):
            pen.polygon(
                [(-0.8 * w, y + 0.05), (0.8 * w, y + 0.05), (0.62 * w, y + 0.4 * d), (-0.62 * w, y + 0.4 * d)],
                bare,
            )
        if kind == "teeth":
            for k in (-0.4, 0.0, 0.4):
                pen.line([(k * w, y), (k * w, y + 0.5 * d)], 0.3 * line, paint)
        if kind == "tongue":
            pen.oval((0.1 * w, y + 1.1 * d), 0.4 * w, 0.35 * d, bare)
    elif kind == "lips":
        pen.blob(
            [(-w, y), (-0.25 * w, y - 0.3 * d), (0, y - 0.12 * d), (0.25 * w, y - 0.3 * d), (w, y), (0, y + d)],
            paint,
        )
        pen.curve([(-0.8 * w, y + 0.02), (0, y + 0.25 * d), (0.8 * w, y + 0.02)], 0.3 * line, bare)
    elif kind == "flat":
        pen.line([(-0.7 * w, y + 0.05), (0.7 * w, y + 0.05)], line, paint)
    elif kind == "smirk":
        pen.curve([(-0.6 * w, y + 0.1), (0, y + 0.14), (w, y - 0.04)], line, paint)
    elif kind == "sad":
        pen.curve([(-0.7 * w, y + 0.16), (0, y), (0.7 * w, y + 0.16)], line, paint)


def features(
    pen: Pen,
    rng: np.random.Generator,
    paint: Paint | None = None,
    bare: Paint = CLEAR,
    *,
    eye: str | None = None,
    mouth_kind: str | None = None,
    nose_kind: str | None = None,
) -> None:
    """Draw eyes, brows, nose and mouth."""
    paint = pen.ink if paint is None else paint
    eyes(pen, rng, paint, bare, eye)
    brows(pen, rng, paint)
    nose(pen, rng, paint, nose_kind)
    mouth(pen, rng, paint, bare, mouth_kind)
    if rng.random() < 0.15:
        for side in (-1, 1):
            pen.oval((side * 0.55, 0.16), 0.09, paint=pen.ink2)
