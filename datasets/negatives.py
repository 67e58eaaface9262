"""Hard negatives: things that look like game tiles and are none, beside tiles and in pictures of their own.

They carry no label, as they are to be found as nothing. They are drawn from a random stream of their own, so
that the rest of a picture is the same without them. Kinds and grounds of ``HELD_OUT`` are never shown to split
"train"; split "heldout" shows only those, with fonts that training never saw.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets import negatives_games as games
from datasets import negatives_grounds as grounds
from datasets import negatives_prints as prints
from datasets import negatives_things as things
from datasets.layouts import footprint
from datasets.negatives_sheet import Pens
from datasets.negatives_things import Place, Put
from datasets.profiles_types import Plan
from datasets.scene import Block
from datasets.scene_paint import face_corners

__all__ = ["ALONE", "HELD_OUT", "KINDS", "add_beside", "draw_part", "fill_table"]

Array = NDArray[Any]  # float64

ALONE = "negatives"
"""The profile of a picture with look-alikes and no tile."""
_ALONE_SHARE, _BESIDE_SHARE = 0.09, 0.25
_GROUND_BESIDE, _GROUND_ALONE = 0.2, 0.3
_IN_VIEW = 0.6


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of look-alike."""

    put: Put
    """Lays it."""
    reach: float
    """About how far it reaches from its middle, tile widths."""


_WOOD, _IVORY = (224, 190, 138), (244, 236, 214)
_BLACK, _WHITE = (30, 28, 26), (248, 248, 246)

KINDS: MappingProxyType[str, Kind] = MappingProxyType(
    {
        "domino": Kind(things.pieces(partial(games.domino, dark=False), (0.95, 1.9, 0.35), (1, 9)), 3.2),
        "domino_dark": Kind(things.pieces(partial(games.domino, dark=True), (0.95, 1.9, 0.35), (1, 9)), 3.2),
        "domino_numbers": Kind(things.pieces(games.number_domino, (1.0, 2.0, 0.35), (1, 9)), 3.2),
        "dice": Kind(things.dice(figures=False), 1.8),
        "dice_numbers": Kind(things.dice(figures=True), 1.8),
        "cards": Kind(things.cards(partial(games.playing_card, jumbo=False)), 4.0),
        "cards_jumbo": Kind(things.cards(partial(games.playing_card, jumbo=True)), 4.0),
        "colour_cards": Kind(things.cards(partial(games.colour_card, framed=False)), 4.0),
        "colour_cards_framed": Kind(things.cards(partial(games.colour_card, framed=True)), 4.0),
        "mahjong": Kind(things.pieces(games.mahjong_signs, (1.0, 1.33, 0.8), (2, 12)), 3.0),
        "mahjong_characters": Kind(things.pieces(games.mahjong_characters, (1.0, 1.33, 0.8), (2, 12)), 3.0),
        "letters": Kind(things.letters(((_WOOD, _BLACK), (_IVORY, _BLACK)), value=True), 2.6),
        "letters_plastic": Kind(
            things.letters(((_WHITE, (30, 60, 150)), ((200, 36, 44), _WHITE), (_WHITE, _BLACK)), value=False),
            2.6,
        ),
        "letter_blocks": Kind(things.letter_blocks, 2.4),
        "number_puzzle": Kind(things.number_puzzle, 2.8),
        "shape_tiles": Kind(things.pieces(games.shape_tile, (0.9, 0.9, 0.35), (2, 12)), 2.8),
        "chips": Kind(things.pieces(games.chip, (1.5, 1.5, 0.13), (1, 7), round_ones=True), 2.6),
        "month": Kind(things.sheet(prints.month, 7.0), 5.5),
        "year": Kind(things.sheet(prints.year, 9.0), 6.0),
        "tear_off": Kind(things.solid(prints.tear_off, 2.4, 0.4, 0.1), 2.2),
        "receipt": Kind(things.sheet(partial(prints.receipt, wide=False), 3.0, most=2), 4.5),
        "bill": Kind(things.sheet(partial(prints.receipt, wide=True), 6.0), 5.5),
        "book": Kind(things.open_book(prints.book_page), 7.0),
        "school_book": Kind(things.open_book(prints.exercise_page), 7.0),
        "bingo": Kind(things.sheet(partial(prints.bingo_card, lotto=False), 4.5, most=3), 4.5),
        "lotto": Kind(things.sheet(partial(prints.bingo_card, lotto=True), 7.0, most=3), 5.0),
        "sudoku": Kind(things.sheet(prints.sudoku, 4.5), 3.2),
        "note": Kind(things.sheet(partial(prints.sticky_note, lines=True), 2.9, whole=True, most=2), 2.6),
        "note_number": Kind(
            things.sheet(partial(prints.sticky_note, lines=False), 2.4, whole=True, most=4), 2.6
        ),
        "tickets": Kind(things.pieces(prints.ticket, (2.2, 1.1, 0.01), (1, 7), bevel=0, gloss=0.05), 3.2),
        "keyboard": Kind(things.solid(partial(prints.keyboard, pale=False, block=False), 10.0, 0.3), 6.0),
        "keyboard_pale": Kind(things.solid(partial(prints.keyboard, pale=True, block=True), 13.0, 0.25), 7.0),
        "keypad": Kind(things.solid(partial(prints.keypad, door=False), 2.6, 0.4), 2.8),
        "keypad_metal": Kind(things.solid(partial(prints.keypad, door=True), 3.2, 0.5, 0.7), 2.8),
        "buttons": Kind(things.buttons(4), 2.2),
        "buttons_two_holes": Kind(things.buttons(2), 2.2),
    }
)
"""Every kind of look-alike."""

HELD_OUT = frozenset(
    {
        "domino_dark", "domino_numbers", "dice_numbers", "cards_jumbo", "colour_cards_framed",
        "mahjong_characters", "letters_plastic", "number_puzzle", "tear_off", "year", "bill", "school_book",
        "lotto", "note_number", "tickets", "keyboard_pale", "keypad_metal", "buttons_two_holes", "chips",
    }
)  # fmt: skip
"""Kinds that split "train" never shows."""


def _kinds(split: str) -> list[str]:
    return [name for name in KINDS if split == "final" or (name in HELD_OUT) == (split == "heldout")]


def draw_part(rng: Generator, split: str) -> str:
    """Draw what part look-alikes play in a picture: "alone" (no tile), "beside" or "none"; never in "heldout".

    The held-out pictures of a seed stay what they were, so that measurements can be compared.
    """
    roll = float(rng.random())
    if split == "heldout" or roll >= _ALONE_SHARE + _BESIDE_SHARE:
        return "none"
    return "alone" if roll < _ALONE_SHARE else "beside"


def _foot(block: Block) -> Array:
    """Return the corners (4, 2) of what a block takes of the table."""
    return face_corners(block)[:, :2]


def _put(plan: Plan, rng: Generator, split: str, name: str, spot: Array) -> list[Array]:
    """Lay a thing at ``spot`` (2,); return the corners of what tempts a finder."""
    heading = float(rng.normal(0, 0.15)) if rng.random() < 0.4 else float(rng.uniform(0, 2 * np.pi))
    x, y = (float(v) for v in spot)
    place = Place(plan.scene, Pens(rng, split, int(rng.integers(2**31))), x, y, heading)
    before = len(plan.scene.solids)
    KINDS[name].put(place)
    blocks = [solid for solid in plan.scene.solids[before:] if isinstance(solid, Block)]
    # Rows may reach farther than was thought: what would stand in a tile is left out. Paper goes under tiles.
    blocked = {b.group for b in blocks if b.size[2] > 0.02 and not plan.layout.free(_foot(b), 0.02)}
    plan.scene.solids[before:] = [block for block in blocks if block.group not in blocked]
    decoys = [corners for block, corners in place.decoys if block.group not in blocked]
    plan.decoys += decoys
    plan.layout.taken += [_foot(b) for b in blocks if b.group not in blocked and not b.rank]
    told = plan.families.get("negatives")
    if told is None or name not in told.split("+"):
        plan.families["negatives"] = name if told is None else f"{told}+{name}"
    return decoys


def _spot(plan: Plan, rng: Generator, reach: float, near: Array) -> Array | None:
    """Return a free middle (2,) for a thing next to one of ``near`` (N, 2), or None."""
    for attempt in range(30):
        way = rng.uniform(0, 2 * np.pi)
        away = (reach + 0.8) * (1 + attempt / 12 * rng.random())
        spot = near[int(rng.integers(len(near)))] + away * np.array([np.cos(way), np.sin(way)])
        over = np.abs(spot - plan.table[:2]) + reach > plan.table[2:4]
        quad = footprint(float(spot[0]), float(spot[1]), 0.0, 2 * reach, 2 * reach)
        if not over.any() and plan.layout.free(quad):
            return np.asarray(spot)
    return None


def add_beside(plan: Plan, rng: Generator, split: str) -> None:
    """Put look-alikes beside the tiles, or paper under them; in some pictures as the ground, too."""
    names = _kinds(split)
    if rng.random() < _GROUND_BESIDE:
        plan.ground = grounds.sample(rng, split)
    tiles = [t.frame.origin[:2] for t in plan.layout.tiles]
    near = np.array(tiles) if tiles else np.zeros((1, 2))
    in_view = rng.random() < _IN_VIEW
    for _ in range(int(rng.integers(1, 5))):
        name = names[int(rng.integers(len(names)))]
        spot = _spot(plan, rng, 0.75 * KINDS[name].reach, near)
        if spot is None:
            continue
        decoys = _put(plan, rng, split, name, spot)
        if in_view and decoys:
            # The camera stands back until the first thing is in the picture, too.
            plan.focus, in_view = np.concatenate([plan.focus, decoys[0]]), False
        near = np.concatenate([near, spot[None]])


def fill_table(plan: Plan, rng: Generator, split: str) -> None:
    """Lay out a table of look-alikes and nothing else, and let the camera look at them."""
    names = _kinds(split)
    if rng.random() < _GROUND_ALONE:
        plan.ground = grounds.sample(rng, split)
    one = names[int(rng.integers(len(names)))] if rng.random() < 0.35 else None
    near = np.zeros((1, 2))
    for k in range(int(np.clip(rng.geometric(0.3), 1, 7))):
        name = one or names[int(rng.integers(len(names)))]
        reach = KINDS[name].reach
        spot = _spot(plan, rng, 0.7 * reach, near) if k else near[0]
        if spot is None:
            continue
        _put(plan, rng, split, name, spot)
        near = np.concatenate([near, spot[None]])
    plan.endless = bool(rng.random() < 0.85)
    # One of the things fills the picture, or all of them.
    seen = plan.decoys if rng.random() < 0.6 else plan.decoys[:12]
    plan.focus = np.concatenate(seen) if seen else np.array([[-3.0, -2, 0], [3, 2, 0]])
    plan.tile_share = lambda r: float(np.clip(0.11 * np.exp(r.normal(0, 0.6)), 0.02, 0.4))
    plan.fill, plan.crowd = float(rng.uniform(0.7, 1.2)), float(rng.choice([1.0, 1.5, 2.2]))
