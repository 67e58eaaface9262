"""From probabilities to readings: which tile each face is, what is a doubt, and what the box cannot hold.

Nothing here knows which sets are legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.tiles import JOKER, Colour, Inventory, Tile
from vision.classify import COLOUR_LETTERS, JOKER_CLASS, NO_NUMERAL_CLASS, NUMBERS, FaceReadings
from vision.readings import Corners, TileReading

_TILES: tuple[Tile, ...] = (
    *(Tile(Colour(letter), number) for letter in COLOUR_LETTERS for number in range(1, NUMBERS + 1)),
    JOKER,
)
_LISTED = 6
_MANY_DOUBTS, _OF_AT_LEAST, _SURE_AMONG_DOUBTS = 0.2, 5, 0.99
"""Share of doubts, of how many faces at least, from which on the others are doubts below that probability, too:
what makes most of a picture hard to read is there on all of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """The readings of one picture."""

    readings: tuple[TileReading | None, ...]
    """One for each face, in order; None for a face that has no reading."""
    notes: tuple[str, ...]
    """Sentences about copies that the box does not hold."""


def tile_probabilities(faces: FaceReadings) -> NDArray[np.float64]:
    """Return (N, 53): the probability of each tile of the box, given that there is a face to read."""
    natural = faces.colour[:, :, None] * faces.number[:, None, :NUMBERS]
    joint = np.concatenate([natural.reshape(len(natural), 4 * NUMBERS), faces.number[:, [JOKER_CLASS]]], axis=1)
    return np.asarray(joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-12))


def faced(faces: FaceReadings) -> NDArray[np.float64]:
    """Return (N, 53): the probability that there is a face to read, and that it is that tile."""
    return np.asarray((1 - faces.number[:, NO_NUMERAL_CLASS])[:, None] * tile_probabilities(faces))


def decide(
    faces: FaceReadings,
    corners: Sequence[Corners],
    inventory: Inventory,
    *,
    tile_bar: float,
    unreadable_bar: float,
    grey: bool = False,
) -> Decision:
    """Decide all faces of one picture together.

    ``tile_bar`` is the probability under which a reading is a doubt; where many are, the bar for the others is
    higher. With ``grey`` every colour is one. Where more copies are read than ``inventory`` holds, doubtful
    ones give way to their next reading and stay doubts; sure readings never give way: the excess is reported.
    """
    p = tile_probabilities(faces)
    if grey:
        flat = FaceReadings(faces.number, np.full_like(faces.colour, 0.25), faces.colour_alone, faces.turn)
        p = tile_probabilities(flat)
    none = faces.number[:, NO_NUMERAL_CLASS]
    # What rather shows no numeral is a doubt at best, as probable as that it shows one.
    p *= np.where(none > 0.5, 1 - none, 1.0)[:, None]
    best = p.argmax(axis=1)
    top = p.max(axis=1)
    sure = top >= tile_bar
    if not grey and len(p) >= _OF_AT_LEAST and (~sure).mean() >= _MANY_DOUBTS:
        sure &= top >= _SURE_AMONG_DOUBTS
    no_face = top < unreadable_bar
    best, notes = _within_stock(p, best, sure, no_face, inventory)
    readings: list[TileReading | None] = []
    for k in range(len(p)):
        if no_face[k]:
            readings.append(None)
            continue
        order = [int(i) for i in np.argsort(-p[k])[: _LISTED + 1] if i != best[k]]
        listed = tuple((_TILES[i], float(p[k, i])) for i in order[:_LISTED] if p[k, i] >= 5e-4)
        confidence = float(p[k, best[k]])
        readings.append(
            TileReading(_TILES[best[k]], confidence, not sure[k], corners[k], listed, float(none[k]))
        )
    return Decision(tuple(readings), notes)


def _within_stock(
    p: NDArray[np.float64],
    best: NDArray[np.intp],
    sure: NDArray[np.bool_],
    no_face: NDArray[np.bool_],
    inventory: Inventory,
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Give doubtful faces their likeliest reading that the box still holds, the surest of them first."""
    best = best.copy()
    held = Counter(int(i) for i in best[sure & ~no_face])
    notes = tuple(
        f"{count} copies of {_TILES[i]} are in view, and the box holds {inventory.count(_TILES[i])}."
        for i, count in sorted(held.items())
        if count > inventory.count(_TILES[i])
    )
    doubtful = np.flatnonzero(~sure & ~no_face)
    for k in doubtful[np.argsort(-p[doubtful].max(axis=1))]:
        order = np.argsort(-p[k])
        fits = (int(i) for i in order if held[int(i)] < inventory.count(_TILES[int(i)]))
        best[k] = next(fits, int(order[0]))
        held[int(best[k])] += 1
    return best, notes
