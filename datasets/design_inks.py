"""The colours of a tile set: bodies and four inks, drawn together so that a person can tell them apart.

Families are ranges in CIELAB's cylinder (lightness 0..100, chroma, hue in degrees, D65). Colours are sRGB,
0..1, and mean the surface's albedo under a white light.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.tiles import Colour

__all__ = ["BODY_FAMILIES", "HELDOUT", "INK_FAMILIES", "RGB", "delta_e", "lab", "lch_to_rgb", "sample_inks"]

RGB = tuple[float, float, float]
"""An sRGB colour, each 0..1."""

_Range = tuple[tuple[float, float], tuple[float, float], tuple[float, float], float]
"""Lightness, chroma and hue from..to, and how common the family is."""

INK_FAMILIES: Final[Mapping[Colour, Mapping[str, _Range]]] = MappingProxyType(
    {
        Colour.RED: MappingProxyType(
            {
                "red-true": ((40, 52), (62, 85), (26, 38), 4.0),
                "red-pink": ((46, 58), (55, 74), (2, 20), 2.0),
                "red-crimson": ((36, 46), (52, 70), (14, 28), 2.0),
                "red-dark": ((26, 37), (38, 56), (18, 36), 1.0),
                "red-vermilion": ((48, 57), (70, 92), (36, 43), 1.0),
                "red-faded": ((50, 60), (38, 54), (16, 32), 0.7),
            }
        ),
        Colour.BLUE: MappingProxyType(
            {
                "blue-royal": ((30, 44), (48, 75), (278, 298), 3.0),
                "blue-navy": ((17, 30), (28, 48), (276, 296), 1.6),
                "blue-azure": ((42, 56), (42, 58), (258, 278), 3.0),
                "blue-light": ((56, 70), (30, 44), (240, 262), 1.2),
                "blue-cyan": ((54, 70), (32, 44), (215, 240), 1.6),
                "blue-teal": ((40, 58), (24, 38), (192, 216), 1.4),
                "blue-greenteal": ((42, 56), (30, 44), (166, 192), 0.8),
                "blue-faded": ((44, 58), (22, 36), (255, 285), 0.7),
                "blue-violet": ((26, 42), (45, 70), (296, 303), 0.3),
            }
        ),
        Colour.BLACK: MappingProxyType(
            {
                "black-pure": ((4, 14), (0, 3), (0, 360), 4.0),
                "black-soft": ((14, 27), (0, 5), (0, 360), 2.5),
                "black-faded": ((27, 42), (0, 6), (0, 360), 1.0),
                "black-brown": ((14, 27), (5, 13), (45, 75), 0.6),
                "black-green": ((13, 26), (5, 11), (150, 190), 0.5),
                "black-blue": ((8, 20), (4, 10), (260, 290), 0.6),
            }
        ),
        Colour.ORANGE: MappingProxyType(
            {
                "orange-true": ((62, 71), (66, 88), (55, 66), 3.0),
                "orange-mango": ((69, 77), (66, 86), (66, 76), 2.0),
                "orange-yellow": ((76, 85), (70, 90), (77, 89), 1.6),
                "orange-gold": ((60, 71), (54, 74), (72, 84), 1.2),
                "orange-dark": ((53, 62), (64, 84), (49, 58), 1.4),
                "orange-brown": ((48, 60), (40, 56), (56, 70), 0.8),
                "orange-faded": ((66, 76), (42, 58), (56, 72), 0.7),
            }
        ),
    }
)

BODY_FAMILIES: Final[Mapping[str, _Range]] = MappingProxyType(
    {
        "ivory": ((88, 94), (8, 16), (82, 98), 4.0),
        "cream": ((84, 92), (15, 26), (80, 94), 2.0),
        "warm-white": ((92, 97), (3, 8), (75, 105), 3.0),
        "cold-white": ((92, 98), (0, 4), (180, 280), 2.5),
        "paper-white": ((94, 99), (0, 2), (0, 360), 2.0),
        "light-grey": ((78, 88), (0, 4), (60, 270), 0.8),
        "wood": ((68, 84), (18, 34), (68, 84), 0.8),
        "translucent": ((84, 93), (4, 12), (80, 130), 0.8),
        "aged": ((76, 87), (20, 34), (78, 92), 0.8),
        "yellow": ((86, 93), (28, 45), (88, 100), 0.3),
        "pink": ((82, 90), (10, 18), (0, 40), 0.25),
        "mint": ((86, 93), (6, 14), (140, 200), 0.2),
    }
)

HELDOUT: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "red": frozenset({"red-dark"}),
        "blue": frozenset({"blue-teal"}),
        "black": frozenset({"black-green"}),
        "orange": frozenset({"orange-yellow"}),
        "body": frozenset({"translucent", "aged"}),
    }
)
"""Families never used in the ``train`` split."""

_WHITE: Final = np.array([0.95047, 1.0, 1.08883])
_TO_XYZ: Final = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_FROM_XYZ: Final = np.linalg.inv(_TO_XYZ)


def lab(rgb: RGB) -> NDArray[np.float64]:
    """Return an sRGB colour in CIELAB (L 0..100, a, b), D65."""
    values = np.asarray(rgb, dtype=np.float64)
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    scaled = _TO_XYZ @ linear / _WHITE
    f = np.where(scaled > 0.008856, np.cbrt(scaled), 7.787 * scaled + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def lch_to_rgb(lightness: float, chroma: float, hue_deg: float) -> RGB:
    """Return the sRGB colour of a CIELAB lightness, chroma and hue, clipped to what sRGB holds."""
    angle = np.deg2rad(hue_deg)
    fy = (lightness + 16) / 116
    f = np.array([fy + chroma * np.cos(angle) / 500, fy, fy - chroma * np.sin(angle) / 200])
    xyz = np.where(f**3 > 0.008856, f**3, (f - 16 / 116) / 7.787) * _WHITE
    linear = np.clip(_FROM_XYZ @ xyz, 0, 1)
    values = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return (float(values[0]), float(values[1]), float(values[2]))


def delta_e(a: RGB, b: RGB) -> float:
    """Return the CIE 1976 distance of two colours; 10 is plain to see, 2 is hardly visible."""
    return float(np.linalg.norm(lab(a) - lab(b)))


def hue_deg(rgb: RGB) -> float:
    """Return the CIELAB hue, 0..360."""
    _, a, b = lab(rgb)
    return float(np.rad2deg(np.arctan2(b, a)) % 360)


def sample_family(
    rng: np.random.Generator, families: Mapping[str, _Range], allowed: frozenset[str] | None = None
) -> str:
    """Draw a family by how common it is; ``allowed`` narrows the choice."""
    names = [name for name in families if allowed is None or name in allowed]
    weights = np.array([families[name][3] for name in names])
    return str(rng.choice(names, p=weights / weights.sum()))


def sample_colour(rng: np.random.Generator, family: _Range) -> RGB:
    """Draw a colour of a family."""
    return lch_to_rgb(rng.uniform(*family[0]), rng.uniform(*family[1]), rng.uniform(*family[2]))


def _distinct(inks: Mapping[Colour, RGB], body: RGB) -> bool:
    """Whether a person tells the four inks apart at a glance, and each from the body."""
    colours = list(inks.values())
    if any(delta_e(ink, body) < 30 for ink in colours):
        return False
    pairs = [(a, b) for i, a in enumerate(colours) for b in colours[i + 1 :]]
    if any(delta_e(a, b) < 27 for a, b in pairs):
        return False
    red, orange = inks[Colour.RED], inks[Colour.ORANGE]
    # Red and orange are told apart by hue, whatever the light does to lightness.
    return (hue_deg(orange) - hue_deg(red)) % 360 >= 17 and lab(orange)[0] - lab(red)[0] >= 6


def sample_inks(
    rng: np.random.Generator, families: Mapping[Colour, str], body: RGB, fade: float
) -> Mapping[Colour, RGB] | None:
    """Draw the four inks of a set from their families, or None when these families do not go together.

    ``fade`` 0..1 mixes that share of the body's colour into each ink.
    """
    for _ in range(12):
        inks: dict[Colour, RGB] = {}
        for colour in Colour:
            ink = np.array(sample_colour(rng, INK_FAMILIES[colour][families[colour]]))
            r, g, b = ink + fade * (np.array(body) - ink)
            inks[colour] = (float(r), float(g), float(b))
        if _distinct(inks, body):
            return MappingProxyType(inks)
    return None
