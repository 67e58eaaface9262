"""Joker drawings: families with random details, drawn with vector primitives.

``draw_joker`` gives colour and coverage; the same family, seed and inks give the same drawing.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.jokers_figures import FIGURES
from datasets.jokers_folk import FOLK
from datasets.jokers_pen import Pen
from datasets.jokers_words import WORDS

__all__ = ["HELDOUT_JOKERS", "JOKER_FAMILIES", "RESERVED_JOKERS", "draw_joker"]

_DRAWINGS: Final = MappingProxyType({**FIGURES, **FOLK, **WORDS})

JOKER_FAMILIES: Final[Mapping[str, float]] = MappingProxyType(
    {n: weight for n, (_, weight) in _DRAWINGS.items()}
)
"""Names of the families and how common each is."""

HELDOUT_JOKERS: Final = frozenset({"sun", "mirrored", "bearded", "word-arched", "king", "wizard", "two-tone"})
"""Families that the ``train`` split never uses."""

RESERVED_JOKERS: Final = frozenset({"wizard", "two-tone", "word-arched"})
"""Those of them that the ``ship`` split does not use either."""


def draw_joker(
    family: str,
    seed: int,
    size_px: int,
    inks: tuple[tuple[float, float, float], tuple[float, float, float]],
    *,
    committed_only: bool = False,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return a joker's colour (N, N, 3) sRGB and coverage (N, N), both 0..1, on a square of ``size_px``.

    The drawing is about 0.74 of the square wide; cut it by its coverage. ValueError for an unknown family.
    """
    if family not in _DRAWINGS:
        raise ValueError(f"{family!r} is no joker family; there are {', '.join(_DRAWINGS)}")
    rng = np.random.default_rng(seed)
    pen = Pen(size_px, *inks, line=float(rng.uniform(0.06, 0.13)))
    pen.committed_only = committed_only
    _DRAWINGS[family][0](pen, rng)
    return pen.finish()
