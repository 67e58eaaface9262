"""The families a tile set is drawn from, with how common each is, and those kept out of training."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from datasets.design_inks import HELDOUT
from datasets.jokers import HELDOUT_JOKERS, RESERVED_JOKERS
from referee.tiles import Colour

__all__ = ["BACKS", "FAMILY_KINDS", "FRAMES", "HELDOUT_FAMILIES", "INKS", "LOGOS", "NINES"]
__all__ += ["RELIEFS", "RESERVED_FAMILIES", "SIZES", "Skin", "Split", "Weights"]

Split = Literal["train", "heldout", "final", "ship", "reserved"]
"""``train``: all families but the held-out ones; ``heldout``: those; ``final``: everything.

``ship``: all but the reserved ones, for weights whose recipe was chosen on ``heldout``; ``reserved``: those,
which no weights ever learn."""
Skin = Literal["numbers", "cards"]
"""``cards``: A 2..10 J Q K with a suit; red hearts, black spades, orange diamonds, blue clubs."""

Weights = Mapping[str, float]
"""How common each family of a kind is."""
INKS: Final[Mapping[str, Colour]] = MappingProxyType(
    {"red": Colour.RED, "blue": Colour.BLUE, "black": Colour.BLACK, "orange": Colour.ORANGE}
)
"""The kinds of families that are inks."""
SIZES: Final[Weights] = MappingProxyType({"small": 3.0, "medium": 3.5, "large": 2.0, "filling": 1.6})
"""How high the numerals are: 0.27-0.36, 0.36-0.5, 0.5-0.68, 0.68-0.95 of the face's height."""
RELIEFS: Final[Weights] = MappingProxyType(
    {"none": 4.0, "dent": 2.5, "dent-below": 1.0, "groove": 0.8, "groove-below": 0.8, "ridge": 0.5}
    | {"ridge-below": 0.5, "square": 0.4, "bar-below": 0.3}
)
"""Round (or square) recess, groove or raised ring around the numeral or below it."""
LOGOS: Final[Weights] = MappingProxyType(
    {"none": 4.0, "word-relief": 3.0, "word-print": 0.6, "ring": 0.8, "disc": 0.7, "dot": 0.5, "flower": 0.4}
    | {"star": 0.6, "line": 0.4, "two-lines": 0.2, "diamond": 0.3, "heart": 0.2, "small-joker": 0.25}
    | {"star-relief": 0.4, "waves": 0.2}
)
"""What stands below the numeral; ``-relief`` has no colour of its own."""
FRAMES: Final[Weights] = MappingProxyType(
    {"none": 6.0, "groove": 0.8, "raised": 0.8, "recessed": 0.8, "printed": 0.3}
)
"""What runs along the edge of the face."""
NINES: Final[Weights] = MappingProxyType(
    {"none": 4.0, "underline": 2.0, "dot-below": 1.2, "dot-beside": 0.8, "underline-all": 0.25}
)
"""How 6 and 9 are told apart; ``underline-all`` underlines every numeral."""
BACKS: Final[Weights] = MappingProxyType(
    {"plain": 4.0, "word-relief": 1.2, "coloured": 0.8, "seam": 0.7, "cross": 0.6, "ring": 0.7, "recessed": 0.7}
    | {"lines": 0.3}
)
"""What the back shows."""

HELDOUT_FAMILIES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        **HELDOUT,
        "joker": HELDOUT_JOKERS,
        "relief": frozenset({"dent-below", "ridge"}),
        "logo": frozenset({"flower", "ring"}),
        "nines": frozenset({"dot-below"}),
        "frame": frozenset({"recessed"}),
        "back": frozenset({"cross"}),
    }
)
"""Families that the ``train`` split never uses, by kind. Fonts go by ``assets.font_family_is_heldout``."""

RESERVED_FAMILIES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "joker": RESERVED_JOKERS,
        "black": frozenset({"black-green"}),
        "body": frozenset({"translucent"}),
        "relief": frozenset({"ridge"}),
        "logo": frozenset({"flower"}),
        "back": frozenset({"cross"}),
    }
)
"""Those of them that the ``ship`` split does not use either. Fonts go by ``assets.font_family_is_reserved``."""

FAMILY_KINDS: Final = (
    *("font", "red", "blue", "black", "orange", "body", "joker", "size", "relief", "logo", "frame"),
    *("nines", "back", "skin"),
)
"""The keys of ``Design.families``."""
