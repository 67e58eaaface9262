"""Photographs of racks for the bundled game: given tiles, as their owner would take them at the end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.design import Design
from datasets.games.drawn import DrawnTable
from datasets.games.wishes import GameError
from datasets.layouts import Deck, Layout
from datasets.layouts_rack import Rack, build_rack
from datasets.profiles_types import Plan
from datasets.render import render_picture
from datasets.scene import Scene, ShadowPlane, flat_frame
from referee.tiles import Tile

__all__ = ["photograph_rack"]

_TRIES = 400


class _Dealt(Deck):
    """A deck whose tiles come in a given order."""

    def __init__(self, tiles: Sequence[Tile], rng: Generator) -> None:
        super().__init__(rng)
        self._next = iter(tiles)

    def draw(self) -> Tile:
        return next(self._next, None) or super().draw()


def photograph_rack(
    tiles: Sequence[Tile], design: Design, table: DrawnTable, seed: int, size_wh: tuple[int, int] = (1280, 960)
) -> NDArray[np.uint8]:
    """Return a picture (H, W, 3), BGR, of a rack of two rows that holds ``tiles``, all of them in plain sight.

    Raises GameError where none comes out of this seed.
    """
    wanted = sorted(tiles)

    def arrange(design: Design, rng: Generator, split: str) -> Plan:
        for _ in range(_TRIES):
            plan = _stood(tiles, design, table, rng)
            stood = sorted(placed.tile for placed in plan.layout.tiles if placed.tile is not None)
            if stood == wanted and all(placed.frame.u[0] > 0 for placed in plan.layout.tiles):
                return plan
        raise GameError(f"with the seed {seed} the {len(tiles)} tiles do not come to stand on a rack")

    picture = render_picture(seed, split="heldout", size_wh=size_wh, design=design, arrange=arrange)
    seen = sorted(
        labelled.tile for labelled in picture.tiles if labelled.tile and labelled.numeral_visible == 1
    )
    if seen != wanted:
        raise GameError(f"with the seed {seed} not all of the rack is seen")
    return picture.image_bgr


def _stood(tiles: Sequence[Tile], design: Design, table: DrawnTable, rng: Generator) -> Plan:
    layout, scene = Layout(design.aspect, design.thickness), Scene()
    up = np.array([0.0, 0.0, 1.0])
    scene.planes = [ShadowPlane(np.zeros(3), up), ShadowPlane(np.array([0, 0, design.thickness]), up)]
    wide = max(6.0, 0.5 * len(tiles) + 3.0)
    rack = Rack("oak", 2, wide, float(np.radians(62)), 0.98, 1.4, 0.05, 0.75)
    front = build_rack(
        layout, scene, _Dealt(tiles, rng), rack, rng, flat_frame(0, 0, 0, 0.0), 0.5 * len(tiles) / wide + 0.05
    )
    turn = float(rng.normal(0, 5))
    return Plan(
        layout, scene, table.surface, table.surface, "rack", front,
        elevation=lambda r: float(r.uniform(46, 58)), azimuth=lambda r: turn,
        roll=lambda r: float(r.normal(0, 1.5)), tile_share=lambda r: 0.09, fill=0.8, racks=[front],
    )  # fmt: skip
