"""What a film needs of tiles and tables: drawn by the renderer, or cut out of photographs."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from referee.tiles import Tile

Rgba = NDArray[np.uint8]
"""Shape (H, W, 4): red, green, blue, opacity."""
Rgb = NDArray[np.uint8]
"""Shape (H, W, 3)."""


class TileLooks(Protocol):
    """How the tiles of one box look."""

    @property
    def name(self) -> str:
        """Names the design, or the photographs that the tiles were cut out of."""
        ...

    @property
    def aspect(self) -> float:
        """Height of a tile over its width."""
        ...

    def face(self, tile: Tile, copy: int, width_px: float) -> Rgba:
        """Return the face upright, rounded corners and body and all, the tile ``width_px`` wide.

        The same tile and copy always give the same pixels.
        """
        ...

    def back(self, width_px: float) -> Rgba:
        """Return the back of a tile."""
        ...


class TableLooks(Protocol):
    """How the table looks."""

    @property
    def name(self) -> str:
        """Names the ground."""
        ...

    def ground(self, size_wh: tuple[int, int], tile_px: float, rng: Generator) -> Rgb:
        """Return the bare table as the camera sees it, where a tile is ``tile_px`` wide."""
        ...
