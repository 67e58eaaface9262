"""The truth that comes with a picture.

Convention as in the pictures themselves: (x, y) pixels, x right, y down; corners clockwise from the tile's
own upper left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.tiles import Tile


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTile:
    """One tile in a picture, as it truly is."""

    tile: Tile | None
    """What it shows; None for a tile that shows its back."""
    corners_xy_px: NDArray[np.float32]
    """Shape (4, 2): corners of the top of the tile's body (its face), clockwise from its own upper left."""
    visible: float = 1.0
    """Share of the face that is in the frame and not covered, 0..1."""
    numeral_visible: float = 1.0
    """Share of the numeral's (or joker drawing's) ink box that is in the frame and not covered, 0..1."""
    set_index: int | None = None
    """Which set (or, on a rack, which row) it belongs to; None for backs and for what lies outside play."""
    place: int = 0
    """Its place in the set's reading order, from 0."""
    on_rack: bool = False
    """True for a tile standing on a rack."""

    @property
    def face_down(self) -> bool:
        """True for a tile that shows its back."""
        return self.tile is None


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPicture:
    """A picture with its truth."""

    image_bgr: NDArray[np.uint8]
    """Shape (H, W, 3)."""
    tiles: tuple[LabelledTile, ...]
    """All tiles of which any part is in the frame."""
    racks_xy_px: tuple[NDArray[np.float32], ...]
    """Each rack's front, shape (4, 2), clockwise from its own upper left."""
    kind: Literal["table", "rack", "empty"]
    """What the picture shows."""
    seed: int = 0
    """The seed that made it."""
    families: dict[str, str] = field(default_factory=dict)
    """Names of the renderer families in it: font, ink, joker, body, ground, ..."""
    decoys_xy_px: tuple[NDArray[np.float32], ...] = ()
    """Each shape (4, 2): what looks like a tile and is none, in sight and under no tile."""
