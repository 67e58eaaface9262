"""The values that reading a photograph passes from stage to stage.

Convention: pictures are ``image_bgr`` uint8 arrays of shape (H, W, 3), upright (EXIF applied). Points are
(x, y) in pixels of that upright picture, x to the right, y down, pixel centres at integers. The four corners
of a tile run clockwise from the tile's *own* upper left: upper left, upper right, lower right, lower left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee.tiles import Tile

Kind = Literal["table", "rack", "empty"]
"""What a photograph shows: a table, a rack, or no tile at all."""

Corners = NDArray[np.float32]
"""Shape (4, 2): the corners of a tile, see the module's convention."""


def as_corners(values: object) -> Corners:
    """Return ``values`` as corners of shape (4, 2), float32; ValueError names the actual shape."""
    corners = np.asarray(values, dtype=np.float32)
    if corners.shape != (4, 2):
        raise ValueError(f"corners must have shape (4, 2), not {corners.shape}")
    return corners


def stacked(quads: Sequence[Corners]) -> NDArray[np.float32]:
    """Return corners (4, 2) each as one array (N, 4, 2), N may be 0."""
    return np.stack(quads) if quads else np.zeros((0, 4, 2), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class FoundTile:
    """A tile as the finder saw it: where it is, not yet what it is."""

    corners_xy_px: Corners
    """Corners in the upright picture; the first is the tile's own upper left as far as the finder can tell."""
    score: float
    """The finder's confidence, 0..1."""
    face_down: bool = False
    """True for a tile that shows its back; its corners then start anywhere."""
    box_xyxy_px: tuple[float, float, float, float] | None = None
    """The upright box of what the frame shows of it (left, top, right, bottom), where the finder says so."""
    refused: bool = False
    """True where the refiner takes it for no tile."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "corners_xy_px", as_corners(self.corners_xy_px))


def corners_of(finds: Sequence[FoundTile]) -> NDArray[np.float32]:
    """Return the corners of finds as one array (N, 4, 2), N may be 0."""
    return stacked([find.corners_xy_px for find in finds])


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """All that the finder saw in one picture."""

    tiles: tuple[FoundTile, ...]
    """Tiles, face up and face down, in no particular order."""
    racks_xy_px: tuple[Corners, ...] = ()
    """Racks in view, each as the four corners of its front."""
    faint: tuple[FoundTile, ...] = ()
    """What scored too little to be a tile by itself, elsewhere than ``tiles``."""


@dataclass(frozen=True, slots=True, eq=False)
class TileReading:
    """One face-up tile, read."""

    tile: Tile
    """The best reading, also where it is doubtful."""
    confidence: float
    """Calibrated probability of the best reading, 0..1."""
    doubt: bool
    """True where the reading is below the bar: it may be asked about, never judged on."""
    corners_xy_px: Corners
    """Corners in the upright picture."""
    alternatives: tuple[tuple[Tile, float], ...] = ()
    """Other likely readings with their probabilities, likeliest first."""
    no_numeral: float = 0.0
    """Probability that it shows no numeral and no joker at all, 0..1."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "corners_xy_px", as_corners(self.corners_xy_px))

    @property
    def is_guess(self) -> bool:
        """True where it rather shows no numeral at all, so that the tile is a guess."""
        return self.no_numeral > 0.5


@dataclass(frozen=True, slots=True)
class SetReading:
    """Tiles that lie together: a set on the table, or a row of a rack."""

    members: tuple[int, ...]
    """Indices into ``PhotoReading.tiles``, in reading order; an unreadable face stands as ``-1 - k``, where
    ``k`` is its index in ``PhotoReading.unreadable``."""
    doubt: bool = False
    """True where the cut between this set and a neighbour is uncertain."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoReading:
    """Everything read from one photograph."""

    size_wh: tuple[int, int]
    """Width and height of the upright picture, pixels."""
    kind: Kind
    """Table, rack or empty."""
    tiles: tuple[TileReading, ...] = ()
    """Face-up tiles that have a reading."""
    sets: tuple[SetReading, ...] = ()
    """Sets in reading order, then rows of racks in view (on a rack: its rows first); every tile is in exactly
    one."""
    face_down_xy_px: tuple[Corners, ...] = ()
    """Tiles that show their back."""
    unreadable: tuple[Corners, ...] = ()
    """Faces that were found but have no reading at all."""
    on_rack: tuple[int, ...] = ()
    """Members, written as in ``sets``, that stand on a rack in view."""
    notes: tuple[str, ...] = ()
    """Sentences for the user about the reading as a whole, such as more copies than the box holds."""
    ms: dict[str, float] = field(default_factory=dict)
    """Milliseconds by stage."""
    maybe_down_xy_px: tuple[Corners, ...] = ()
    """(4, 2) each, pixels: what may be a tile face down, and is too faint to count where none was known."""

    @property
    def lying(self) -> tuple[SetReading, ...]:
        """Those of the sets that are no row of a rack."""
        standing = set(self.on_rack)
        return tuple(one for one in self.sets if standing.isdisjoint(one.members))

    @property
    def standing(self) -> tuple[SetReading, ...]:
        """The rows of racks."""
        standing = set(self.on_rack)
        return tuple(one for one in self.sets if not standing.isdisjoint(one.members))

    @property
    def sure_tiles(self) -> int:
        """How many tiles are no doubts."""
        return sum(not tile.doubt for tile in self.tiles)
