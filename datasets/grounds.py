"""Surfaces that tiles lie on: procedural families, and photographs where they have been fetched.

``python -m datasets.grounds`` fills the cache of photographs (see ``datasets.grounds_fetch``); with an empty
cache every ground is procedural.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from datasets import grounds_hard as hard
from datasets import grounds_soft as soft
from datasets.assets import assets_dir
from datasets.ground_noise import Map

__all__ = ["HELD_OUT", "PROCEDURAL", "Ground", "cache_folder", "photographs", "sample_ground"]

Maker = Callable[[Generator, int, float], Map]


@dataclass(frozen=True, slots=True)
class Ground:
    """One kind of surface."""

    name: str
    """Unique name."""
    family: str
    """What it is made of; whole families are held out."""
    make: Maker
    """See ``datasets.grounds_hard``."""
    gloss: tuple[float, float] = (0.0, 0.15)
    """Range of how polished it is, 0..1."""
    weight: float = 1.0
    """How often it is drawn, relative to others."""


_LAMINATES = {
    "white": (240, 240, 238),
    "cold_white": (232, 238, 244),
    "cream": (240, 230, 206),
    "ivory": (246, 240, 222),
    "pale_grey": (206, 208, 210),
    "grey": (160, 162, 166),
    "blue_grey": (170, 178, 196),
    "dark_grey": (78, 80, 84),
    "black": (26, 26, 28),
    "red": (170, 36, 34),
    "green": (46, 104, 70),
    "blue": (44, 82, 150),
    "beige": (212, 190, 156),
    "brown": (104, 70, 46),
    "yellow": (232, 200, 96),
    "teal": (38, 120, 124),
    "pink": (232, 178, 186),
    "orange": (226, 130, 54),
}
_FELTS = {
    "green": (28, 92, 56),
    "dark_green": (16, 58, 38),
    "red": (142, 24, 32),
    "blue": (30, 56, 120),
    "burgundy": (88, 18, 30),
    "grey": (120, 120, 122),
    "black": (28, 28, 30),
    "purple": (78, 44, 110),
    "beige": (200, 180, 146),
    "turquoise": (40, 140, 146),
}
_CLOTHS = {
    "white": (240, 240, 236),
    "cream": (238, 228, 204),
    "red": (176, 26, 34),
    "dark_red": (120, 16, 26),
    "green": (36, 98, 62),
    "blue": (40, 70, 140),
    "light_blue": (150, 184, 214),
    "yellow": (238, 208, 110),
    "grey": (150, 150, 152),
    "linen": (206, 192, 166),
    "brown": (110, 80, 58),
    "black": (34, 34, 38),
    "pink": (226, 170, 180),
    "lilac": (186, 170, 206),
}
_MARBLES = {
    "white": ((236, 236, 234), (120, 122, 126)),
    "warm_white": ((240, 232, 218), (150, 120, 92)),
    "grey": ((186, 188, 192), (90, 92, 98)),
    "black": ((28, 28, 32), (190, 186, 178)),
    "green": ((38, 72, 58), (150, 176, 160)),
    "beige": ((216, 196, 166), (160, 126, 92)),
}


def _procedural() -> tuple[Ground, ...]:
    found: list[Ground] = []
    for kind in hard.WOODS:
        found.append(Ground(f"wood/{kind}", f"wood_{kind}", hard.wood(kind), (0.0, 0.6)))
        found.append(Ground(f"planks/{kind}", f"wood_{kind}", hard.planks(kind), (0.0, 0.5)))
    for kind, (base, vein) in _MARBLES.items():
        found.append(Ground(f"marble/{kind}", f"marble_{kind}", hard.marble(base, vein), (0.1, 0.8)))
    for kind, tone in _LAMINATES.items():
        weight = 2.0 if kind in ("white", "cold_white", "cream", "ivory", "pale_grey") else 1.0
        found.append(Ground(f"laminate/{kind}", "laminate", hard.laminate(tone), (0.0, 0.7), weight))
    for kind, tone in _FELTS.items():
        found.append(Ground(f"felt/{kind}", "felt", soft.felt(tone), (0, 0)))
    for kind, tone in _CLOTHS.items():
        weight = 2.0 if kind in ("red", "white", "cream") else 1.0
        found.append(Ground(f"cloth/{kind}", "cloth", soft.cloth(tone), (0, 0.1), weight))
    for kind in ("grey", "beige", "mixed", "dark", "red"):
        found.append(Ground(f"carpet/{kind}", "carpet", soft.carpet(kind), (0, 0), 1.5))
    singles: list[tuple[str, Maker, tuple[float, float], float]] = [
        ("terrazzo", hard.terrazzo, (0.1, 0.6), 1.5),
        ("granite", hard.granite, (0.1, 0.8), 2),
        ("cork", hard.cork, (0, 0), 1),
        ("concrete", hard.concrete, (0, 0.3), 2),
        ("floor_tiles", hard.floor_tiles, (0.1, 0.7), 2),
        ("leather", hard.leather, (0, 0.4), 1),
        ("glass_top", hard.glass_top, (0.5, 1.0), 2),
        ("knit", soft.knit, (0, 0), 2),
        ("fur", soft.fur, (0, 0), 3),
        ("stripes", soft.stripes, (0, 0.1), 3),
        ("checks", soft.checks, (0, 0.2), 3),
        ("tartan", soft.tartan, (0, 0), 2),
        ("flowers", soft.flowers, (0, 0.4), 3),
        ("sheet", soft.sheet, (0, 0), 3),
        ("newspaper", soft.newspaper, (0, 0.1), 2),
        ("grass", soft.grass, (0, 0), 1),
        ("plastic", soft.plastic, (0.3, 0.8), 1.5),
    ]
    found += [Ground(name, name, make, gloss, weight) for name, make, gloss, weight in singles]
    return tuple(found)


PROCEDURAL = _procedural()
"""The procedural grounds."""

HELD_OUT = frozenset(
    {
        "wood_cherry",
        "wood_light_oak",
        "marble_warm_white",
        "marble_green",
        "knit",
        "newspaper",
        "terrazzo",
        "tartan",
        "photo_heldout",
    }
)
"""Families that split "train" never shows."""


def cache_folder() -> Path:
    """Return where fetched photographs of grounds are kept; TILEREF_ASSETS overrides the checkout's own."""
    return assets_dir() / "grounds"


@lru_cache(maxsize=1)
def photographs() -> tuple[Path, ...]:
    """Return the fetched photographs, in a fixed order; empty when none were fetched."""
    return tuple(sorted(cache_folder().glob("*.jpg")))


@lru_cache(maxsize=24)
def _photo(path: Path) -> Map:
    bgr = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if bgr is None:
        raise ValueError(f"{path.name} in the cache of grounds is not a picture; fetch the grounds again")
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), dtype=np.float32) / np.float32(255)


def _from_photo(path: Path) -> Maker:
    def make(rng: Generator, size: int, texel: float) -> Map:
        picture = _photo(path)
        # Photographs are of anything: show a part of them at any scale, as a surface or a print.
        side = min(picture.shape[:2])
        cut = int(side * rng.uniform(0.35, 1.0))
        y, x = (int(rng.integers(0, n - cut + 1)) for n in picture.shape[:2])
        part = picture[y : y + cut, x : x + cut]
        grown = cv2.resize(part, (size, size), interpolation=cv2.INTER_AREA if cut > size else cv2.INTER_CUBIC)
        grown = np.rot90(grown, int(rng.integers(4)))
        gain = rng.uniform(0.75, 1.25, 3).astype(np.float32) ** np.float32(0.6)
        return np.clip(np.ascontiguousarray(grown) * gain, 0, 1).astype(np.float32)

    return make


def _photo_family(path: Path) -> str:
    # A fixed sixth is held out, by name, so that adding photographs never moves one across.
    return "photo_heldout" if sum(path.stem.encode()) % 6 == 0 else "photo"


def sample_ground(rng: Generator, split: str, photo_share: float = 0.3) -> Ground:
    """Draw a ground: "train" leaves out the families of ``HELD_OUT``, "heldout" draws only those."""

    def wanted(family: str) -> bool:
        return split == "final" or (family in HELD_OUT) == (split == "heldout")

    photos = [p for p in photographs() if wanted(_photo_family(p))]
    if photos and rng.random() < photo_share:
        path = photos[int(rng.integers(len(photos)))]
        return Ground(f"photo/{path.stem}", _photo_family(path), _from_photo(path), (0.0, 0.5))
    pool = [g for g in PROCEDURAL if wanted(g.family)]
    weights = np.array([g.weight for g in pool])
    return pool[int(rng.choice(len(pool), p=weights / weights.sum()))]


if __name__ == "__main__":
    from datasets.grounds_fetch import main

    raise SystemExit(main())
