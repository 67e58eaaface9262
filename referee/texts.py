"""The English sentences, by code."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["ENGLISH"]

ENGLISH: Final[Mapping[str, str]] = MappingProxyType(
    {
        # Problems of a set.
        "too-few": "{tiles} is not enough for a set: a set has at least 3 tiles.",
        "too-many": "{tiles} is too long: a {kind} has at most {limit} tiles.",
        "numbers-differ": "{tiles} does not fit the group: its other tiles show {number}.",
        "colour-repeated": "{tiles} share a colour: the colours of a group all differ.",
        "mixed-colours": "{tiles} does not fit the run: a run has one colour.",
        "number-repeated": "{tiles} repeats a number: every number comes once in a run.",
        "gap": "{tiles} has a gap at {missing} that nothing fills.",
        "wrap": "{tiles} goes round the corner: 1 never follows 13.",
        "no-place-for-joker": "There is no tile left in {tiles} that the joker could stand for.",
        "no-set": "{tiles} is neither a group nor a run.",
        "no-completion": "However the doubtful tiles are read, {tiles} is neither a group nor a run.",
        # Problems of a table.
        "too-many-copies": "The table shows {tile} {count} times, and the box holds {limit}.",
        # The racks against the table.
        "total-ok": "The racks hold {counted} points, as they must: {box} less the table is {expected}.",
        "total-mismatch": "The racks hold {counted} points, but {box} less the table is {expected}: "
        "a tile is missing, or was misread.",
        "total-unknown": "The racks hold {counted} points and {box} less the table is {expected}: "
        "the doubtful tiles leave open whether it adds up.",
        # Questions about a set.
        "sort-or-slide": "{tiles} is no run as it lies. Is it meant as {answer}?",
        "only-jokers": "{tiles} holds nothing but jokers. Which tiles do they stand for?",
        "doubtful-tile": "One tile reads as {tile}. Which tile is it?",
        "hidden-tile": "Something covers {tiles}. Is it still what lay there before?",
        # Questions about a table.
        "hidden-copies": "{tile} shows {count} times with what is covered, and the box holds {limit}. "
        "Is the covered tile still {tile}?",
    }
)
