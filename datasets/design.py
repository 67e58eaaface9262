"""What makes one tile set look as it does, and the seeded draw of new sets.

Lengths are in tile widths (the face is 1 wide and ``aspect`` high) unless a field says otherwise; colours are
sRGB, 0..1, the surface's albedo.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from datasets import assets
from datasets.design_families import (
    BACKS,
    FAMILY_KINDS,
    FRAMES,
    HELDOUT_FAMILIES,
    INKS,
    LOGOS,
    NINES,
    RELIEFS,
    RESERVED_FAMILIES,
    SIZES,
    Skin,
    Split,
    Weights,
)
from datasets.design_inks import (
    BODY_FAMILIES,
    INK_FAMILIES,
    RGB,
    delta_e,
    lch_to_rgb,
    sample_colour,
    sample_inks,
)
from datasets.face_glyphs import stroke_share
from datasets.jokers import JOKER_FAMILIES
from referee.tiles import Colour

__all__ = ["FAMILY_KINDS", "HELDOUT_FAMILIES", "Design", "Skin", "Split", "sample_design"]

_WORDS: Final = (
    *("Rummy", "Rumi", "Remi", "Ramino", "Okey", "Tiles", "Domo", "Klassik", "Original", "Rumba", "Ludo"),
    *("Numero", "Royal", "Family", "Master", "Travel", "Luxe", "Joko", "Romme", "Rami", "Toko", "Game"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """One tile set's looks. Compares by identity, so it can key a cache of faces."""

    families: Mapping[str, str]
    """Family names by kind, see ``FAMILY_KINDS``; ``font`` is the clan."""
    aspect: float
    """Height of the face over its width, 1.25..1.6."""
    thickness: float
    """Of the body, 0.15..0.45."""
    corner_radius: float
    """Of the face's outline, 0.03..0.2."""
    bevel: float
    """Width of the sloped or rounded rim inside the outline, 0..0.12."""
    body_rgb: RGB
    """Face."""
    side_rgb: RGB
    """Sides of the body; the body's own colour, or that of its lower half."""
    gloss: float
    """0 matt .. 1 polished."""
    inks: Mapping[Colour, RGB]
    """The four inks, as printed on this body."""
    font: assets.Font
    """Of the numerals."""
    tracking: float
    """Gap between the ink of two digits, in font sizes; negative overlaps."""
    own_spacing: bool
    """Digits stand as the font would have it, instead of ``tracking`` apart."""
    stroke_gain: float
    """Added to every stroke, in font sizes."""
    shear: float
    """Lean of the numerals, top to the right, share of their height."""
    crossed_seven: bool
    """Bar through the 7."""
    plain_one: bool
    """The 1 is a plain bar."""
    numeral_height: float
    """Height of a digit, share of the face's height."""
    numeral_stretch: float
    """Width of the digits over what the font says."""
    numeral_y: float
    """Centre of the numeral, share of the face's height from the top."""
    numeral_room: float
    """Widest a numeral may be, share of the face's width."""
    squeeze: float
    """Wide numerals are made this much narrower (down to 0.5) before they are made smaller."""
    numeral_depth: float
    """Depth of engraved numerals; negative for raised ones, 0 for flat print."""
    numeral_outline: float
    """Width of a dark line around the numerals, tile widths; 0 for none."""
    badge: str
    """``ring`` or ``disc``: a printed ring around the numeral, or a disc that leaves it bare; else ``none``."""
    corner_numerals: float
    """Height of small numerals repeated in two corners, share of the face's height; 0 for none."""
    relief_y: float
    """Centre of the recess, groove or ring, share of the face's height."""
    relief_radius: float
    """Its radius."""
    relief_depth: float
    """Its depth; negative for raised."""
    logo_y: float
    """Centre of what stands below the numeral, share of the face's height."""
    logo_width: float
    """Its width."""
    logo_rgb: RGB | None
    """Its ink; None for the tile's own ink."""
    logo_word: str
    """The word, where there is one."""
    logo_font: assets.Font
    """Of the word."""
    logo_depth: float
    """Depth of a relief logo; negative for raised."""
    frame_inset: float
    """Distance of the frame from the outline."""
    frame_depth: float
    """Its depth; negative for raised."""
    joker_seed: int
    """Settles the details of the joker's drawing."""
    joker_inks: tuple[tuple[RGB, RGB], tuple[RGB, RGB]]
    """Main and second ink of the two jokers."""
    joker_y: float
    """Centre of the drawing, share of the face's height."""
    joker_size: float
    """Its width."""
    joker_flip: bool
    """The second joker's drawing is the first one's mirror picture (words never are)."""
    joker_caption: bool
    """The word JOKER below the drawing."""
    back_rgb: RGB
    """Back."""
    wear: float
    """Rubbed ink, 0..1."""
    dirt: float
    """Dirt, scratches and yellowing, 0..1."""
    grain: float
    """Mottle or wood grain of the body, 0..1."""
    texture_seed: int
    """Settles wear and grain, with the tile's index."""
    four_colour_suits: bool = True
    """Cards skin: each suit its own ink, else red and black only."""
    committed_only: bool = False
    """Words and symbols too keep to the fonts that come with the repository."""


def _pick(rng: np.random.Generator, kind: str, weights: Weights, split: str, forced: Mapping[str, str]) -> str:
    """Draw a family of a kind within the split; a held-out design has some held-out families, not all."""
    names = list(weights)
    if kind in forced:
        if forced[kind] not in weights:
            raise ValueError(f"{forced[kind]!r} is no {kind} family; there are {', '.join(names)}")
        return forced[kind]
    apart = RESERVED_FAMILIES if split in ("ship", "reserved") else HELDOUT_FAMILIES
    held = apart.get(kind, frozenset())
    often = 1.0 if kind == "joker" else 0.5 if kind in INKS else 0.3
    if split in ("train", "ship"):
        names = [name for name in names if name not in held]
    elif split in ("heldout", "reserved") and rng.random() < often:
        names = [name for name in names if name in held] or names
    chances = np.array([weights[name] for name in names])
    return str(rng.choice(names, p=chances / chances.sum()))


def _choose_font(
    rng: np.random.Generator, split: str, forced: Mapping[str, str], committed: bool
) -> assets.Font:
    """Draw a clan, then a face of it: bold grotesques and their like first."""
    pool = assets.fonts(split, committed_only=committed)
    if "font" in forced:
        pool = tuple(f for f in assets.fonts("final", committed_only=committed) if f.clan == forced["font"])
        if not pool:
            raise ValueError(f"no font of the family {forced['font']!r} is here")
    favour = {"serif": 0.5, "hand": 0.4, "mono": 0.5, "stencil": 0.3, "display": 0.8, "slab": 0.8}
    clans = sorted({font.clan for font in pool})
    styles = {font.clan: font.style for font in pool}
    chances = np.array([favour.get(styles[clan], 1.0) for clan in clans])
    clan = str(rng.choice(clans, p=chances / chances.sum()))
    faces = [font for font in pool if font.clan == clan]
    heavy = np.array([0.4 if font.name.endswith(("-400", "-500", "regular")) else 1.0 for font in faces])
    return faces[int(rng.choice(len(faces), p=heavy / heavy.sum()))]


def _choose_colours(
    rng: np.random.Generator, split: str, forced: Mapping[str, str]
) -> tuple[dict[str, str], RGB, Mapping[Colour, RGB]]:
    """Draw body and inks until the inks can be told apart."""
    for _ in range(400):
        names = {
            kind: _pick(rng, kind, {n: r[3] for n, r in INK_FAMILIES[colour].items()}, split, forced)
            for kind, colour in INKS.items()
        }
        names["body"] = _pick(rng, "body", {n: r[3] for n, r in BODY_FAMILIES.items()}, split, forced)
        body = sample_colour(rng, BODY_FAMILIES[names["body"]])
        fade = float(rng.uniform(0, 0.06) if rng.random() < 0.75 else rng.uniform(0.06, 0.3))
        inks = sample_inks(rng, {colour: names[kind] for kind, colour in INKS.items()}, body, fade)
        if inks is not None:
            return names, body, inks
    raise ValueError(f"no inks of these families can be told apart: {dict(forced)}")


def _joker_inks(
    rng: np.random.Generator, inks: Mapping[Colour, RGB], body: RGB
) -> tuple[tuple[RGB, RGB], tuple[RGB, RGB]]:
    """Draw the jokers' inks: mostly one red and one black, or both alike; sometimes a colour of their own."""
    colours = list(Colour)

    def one() -> RGB:
        if rng.random() < 0.06:
            own = lch_to_rgb(rng.uniform(30, 60), rng.uniform(30, 70), rng.uniform(0, 360))
            if delta_e(own, body) > 35:
                return own
        return inks[colours[int(rng.choice(4, p=(0.38, 0.12, 0.38, 0.12)))]]

    if rng.random() < 0.35:
        first, second = inks[Colour.RED], inks[Colour.BLACK]
    else:
        first = one()
        second = first if rng.random() < 0.6 else one()
    extra = one() if rng.random() < 0.25 else None
    pair = ((first, extra or first), (second, extra or second))
    return pair if rng.random() < 0.5 else (pair[1], pair[0])


def sample_design(
    rng: np.random.Generator,
    split: str = "train",
    families: Mapping[str, str] | None = None,
    *,
    skin: str = "numbers",
    committed_only: bool = False,
) -> Design:
    """Draw a tile set's looks; the same generator state gives the same design.

    ``split`` is one of ``Split``; ``families`` forces families by kind; ``skin`` is one of ``Skin``;
    ``committed_only`` keeps to the fonts that come with the repository, whatever else is collected. Raises
    ValueError for an unknown split, skin, kind or family, or for inks that cannot be told apart.
    """
    forced = dict(families or {})
    unknown = set(forced) - set(FAMILY_KINDS)
    if unknown:
        raise ValueError(f"no such kind of family: {', '.join(sorted(unknown))}")
    if skin not in ("numbers", "cards"):
        raise ValueError(f"a skin is numbers or cards, not {skin!r}")
    font = _choose_font(rng, split, forced, committed_only)
    colours, body, inks = _choose_colours(rng, split, forced)
    names = {"font": font.clan, "skin": skin, **colours}
    for kind, weights in (("joker", JOKER_FAMILIES), ("size", SIZES), ("relief", RELIEFS), ("logo", LOGOS)):
        names[kind] = _pick(rng, kind, weights, split, forced)
    for kind, weights in (("frame", FRAMES), ("nines", NINES), ("back", BACKS)):
        names[kind] = _pick(rng, kind, weights, split, forced)

    size = names["size"]
    low, high = {"small": (0.27, 0.36), "medium": (0.36, 0.5), "large": (0.5, 0.68), "filling": (0.68, 0.95)}[
        size
    ]
    height = float(rng.uniform(low, high))
    if size in ("large", "filling"):
        # Nothing else has room beside such numerals.
        for kind in ("logo", "relief", "frame") if size == "filling" else ("logo", "relief"):
            if kind not in forced and (kind != "relief" or rng.random() < 0.85):
                names[kind] = "none"
    badge = str(rng.choice(["none", "ring", "disc"], p=(0.95, 0.03, 0.02))) if height < 0.5 else "none"
    if badge != "none":
        height = min(height, 0.38)
        for kind in ("relief", "logo", "nines"):
            if kind not in forced:
                names[kind] = "none"
    if skin == "cards":
        badge = "none"
        height = min(height, 0.42)
        for kind in ("logo", "nines"):
            names[kind] = "none"
    free = 0.5 * (1 - height)
    centred = size == "filling" or (size == "large" and rng.random() < 0.7) or rng.random() < 0.15
    y = 0.5 + rng.uniform(-0.1, 0.1) * free if centred else 0.5 - free * rng.uniform(0.25, 0.72)
    aspect = float(np.clip(rng.normal(1.42, 0.08), 1.25, 1.6))
    bevel = float(rng.choice([rng.uniform(0, 0.03), rng.uniform(0.03, 0.12)]))
    below = names["relief"].endswith("-below")
    numeral_bottom = y + height / 2
    logo_y = float(numeral_bottom + (1 - numeral_bottom) * rng.uniform(0.4, 0.62))
    radius = float(rng.uniform(0.34, 0.47) if rng.random() < 0.8 else rng.uniform(0.26, 0.34))
    if below:
        radius = min(float(rng.uniform(0.16, 0.4)), 0.46 * (1 - numeral_bottom) * aspect)
    radius = max(radius, 0.08)
    side = body if rng.random() < 0.75 else sample_colour(rng, BODY_FAMILIES[names["body"]])
    back = body
    if names["back"] == "coloured":
        back = lch_to_rgb(rng.uniform(25, 70), rng.uniform(15, 60), rng.uniform(0, 360))
        side = back if rng.random() < 0.5 else side
    corner = float(rng.uniform(0.1, 0.15)) if rng.random() < 0.02 and height < 0.5 else 0.0
    joker_size = float(np.clip(rng.normal(0.62 + 0.3 * (height - 0.3), 0.1), 0.42, 0.92))
    if names["relief"] in ("dent", "groove", "ridge") and rng.random() < 0.7:
        joker_size = min(joker_size, 1.8 * radius)
    letters = [f for f in assets.fonts("final", committed_only=committed_only) if f.letters]
    word = str(rng.choice(_WORDS))
    relief_sign = -1.0 if names["relief"].startswith(("ridge", "bar")) else 1.0
    logo_colours = [
        None,
        *inks.values(),
        lch_to_rgb(rng.uniform(30, 70), rng.uniform(0, 60), rng.uniform(0, 360)),
    ]
    return Design(
        families=MappingProxyType(names),
        aspect=aspect,
        thickness=float(rng.uniform(0.15, 0.45)),
        corner_radius=float(rng.uniform(0.03, 0.2) if rng.random() < 0.4 else rng.uniform(0.03, 0.1)),
        bevel=bevel,
        body_rgb=body,
        side_rgb=side,
        gloss=float(rng.beta(1.3, 1.3)),
        inks=inks,
        font=font,
        tracking=float(rng.uniform(-0.01, 0.1)),
        own_spacing=bool(rng.random() < 0.35),
        stroke_gain=_stroke_gain(rng, font),
        shear=float(rng.uniform(0.05, 0.18)) if rng.random() < 0.06 else 0.0,
        crossed_seven=bool(rng.random() < 0.1 and stroke_share(font.path) < 0.19),
        plain_one=bool(rng.random() < 0.03),
        numeral_height=height,
        numeral_stretch=float(np.clip(rng.normal(1.0, 0.1), 0.75, 1.35)),
        numeral_y=float(y),
        numeral_room=0.5 if corner else float(rng.uniform(*((0.85, 0.96) if height > 0.5 else (0.55, 0.9)))),
        squeeze=float(rng.uniform(0.45, 0.65) if rng.random() < 0.6 else rng.uniform(0.65, 1.0)),
        numeral_depth=_numeral_depth(rng),
        numeral_outline=float(rng.uniform(0.012, 0.03)) if rng.random() < 0.02 else 0.0,
        badge=badge,
        corner_numerals=corner,
        relief_y=logo_y if below else float(y + rng.uniform(-0.01, 0.02)),
        relief_radius=radius,
        relief_depth=relief_sign * float(0.006 + 0.034 * rng.beta(1.2, 2.5)),
        logo_y=logo_y,
        logo_width=float(
            rng.uniform(0.5, 0.85) if names["logo"].startswith("word") else rng.uniform(0.1, 0.34)
        ),
        logo_rgb=logo_colours[int(rng.choice(6, p=(0.45, 0.1, 0.1, 0.15, 0.1, 0.1)))],
        logo_word=word.upper() if rng.random() < 0.2 else word,
        logo_font=letters[int(rng.integers(len(letters)))] if letters else font,
        logo_depth=float(rng.uniform(0.004, 0.022)) * (1 if rng.random() < 0.6 else -1),
        frame_inset=float(bevel + rng.uniform(0.03, 0.08)),
        frame_depth=float(rng.uniform(0.008, 0.035)),
        joker_seed=int(rng.integers(2**31)),
        joker_inks=_joker_inks(rng, inks, body),
        joker_y=float(y if rng.random() < 0.7 else rng.uniform(0.36, 0.52)),
        joker_size=joker_size,
        joker_flip=bool(rng.random() < 0.3),
        joker_caption=bool(rng.random() < 0.12 and names["logo"] == "none"),
        back_rgb=back,
        wear=float(rng.beta(1, 7)),
        dirt=float(rng.beta(1, 3.5)),
        grain=float(rng.uniform(0.5, 1) if names["body"] == "wood" else rng.beta(1, 5)),
        texture_seed=int(rng.integers(2**31)),
        four_colour_suits=bool(rng.random() < 0.5),
        committed_only=committed_only,
    )


def _stroke_gain(rng: np.random.Generator, font: assets.Font) -> float:
    """Make thin fonts bolder more often than not: a tile's numerals are read from across the table."""
    gain = max(0.0, rng.normal(0.0, 0.01))
    missing = 0.16 - stroke_share(font.path)
    if missing > 0 and rng.random() < 0.75:
        gain += missing * rng.uniform(0.3, 1.0) * 0.75
    return float(min(gain, 0.07))


def _numeral_depth(rng: np.random.Generator) -> float:
    kind = rng.random()
    if kind < 0.6:
        return 0.0
    return float(rng.uniform(0.008, 0.035)) if kind < 0.93 else -float(rng.uniform(0.008, 0.02))
