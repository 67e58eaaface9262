"""Turns a tile design into blocks with faces, drawn as finely as they are seen and no finer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from datasets.design import Design
from datasets.face import render_back, render_face
from datasets.layouts import PlacedTile
from datasets.scene import Block, Skin
from referee.tiles import Tile

__all__ = ["FaceBook"]

_STEPS = (24, 32, 44, 60, 84, 116, 160, 224, 320, 450, 640)


class FaceBook:
    """The faces of one tile set; each is drawn once per size."""

    def __init__(self, design: Design, rng: Generator) -> None:
        self.design = design
        self._seed = int(rng.integers(2**31))
        self._drawn: dict[tuple[int, int, int], Skin] = {}
        self._copies: dict[int, int] = {}

    def _skin(self, tile: Tile | None, copy: int, height_px: int) -> Skin:
        size = next((s for s in _STEPS if s >= height_px), _STEPS[-1])
        key = (-1 if tile is None else tile.index, copy, size)
        if key not in self._drawn:
            # Seeded by what is drawn, so that the order of drawing does not matter.
            rng = np.random.default_rng([self._seed, key[0] + 1, copy])
            if tile is None:
                face = render_back(self.design, size, rng)
            else:
                face = render_face(self.design, tile, size, rng, copy=copy)
            x1, y1, x2, y2 = (float(v) for v in face.ink_box_xyxy)
            self._drawn[key] = Skin(face.rgb, face.height, None, (x1, y1, x2, y2))
        return self._drawn[key]

    def ink_box(self, tile: Tile | None) -> tuple[float, float, float, float]:
        """Return x1, y1, x2, y2 of the numeral or joker drawing, fractions of the face."""
        index = -1 if tile is None else tile.index
        for (drawn, _, _), skin in self._drawn.items():
            if drawn == index and skin.ink_box is not None:
                return skin.ink_box
        return self._skin(tile, 0, 60).ink_box or (0.0, 0.0, 1.0, 1.0)

    def block(self, placed: PlacedTile, index: int) -> Block:
        """Return the tile as a block with ``index`` as its label."""
        design, tile = self.design, placed.tile
        kind = -1 if tile is None else tile.index
        copy = self._copies.get(kind, 0)
        self._copies[kind] = (copy + 1) % 2

        def skin(height_px: int) -> Skin:
            return self._skin(tile, copy, height_px)

        give: Callable[[int], Skin] = skin
        return Block(
            frame=placed.frame,
            size=(1.0, design.aspect, design.thickness),
            skin=give,
            side_rgb=design.side_rgb,
            radius=design.corner_radius,
            bevel=design.bevel,
            gloss=design.gloss,
            label=index,
            plane=placed.plane,
            group=placed.group,
            rank=placed.rank,
            lift=placed.lift,
        )
