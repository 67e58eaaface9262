"""What is decided about a picture before the camera stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.camera import Camera
from datasets.grounds import Ground
from datasets.layouts import Layout
from datasets.scene import Scene

__all__ = ["Draw", "Plan"]

Array = NDArray[np.float64]
Draw = Callable[[Generator], float]


@dataclass(slots=True, eq=False)
class Plan:
    """All that is decided before the camera is placed."""

    layout: Layout
    """Tiles."""
    scene: Scene
    """Solids other than tiles."""
    ground: Ground
    """What the table is made of."""
    floor: Ground
    """What lies beyond it."""
    kind: Literal["table", "rack"]
    """What the picture is of, if any tile is seen."""
    focus: Array
    """Shape (N, 3): points that the picture should hold."""
    elevation: Draw
    """Degrees above the table."""
    azimuth: Draw
    """Degrees; 0 looks from the near side."""
    roll: Draw
    """Degrees."""
    tile_share: Draw
    """The widest that a tile may be, share of the picture's width."""
    fill: float = 0.85
    """How much of the picture the focus takes up."""
    crowd: float = 1.0
    """Above 1 the camera is nearer than needed, and tiles are cut off."""
    drift: float = 0.03
    """How far off the middle the camera looks, share of the picture."""
    least_px: float = 14.0
    """The least width of a tile."""
    table: tuple[float, float, float, float, float] = (0.0, 0.0, 60.0, 60.0, 0.2)
    """Middle, half width, half depth, corner radius of the table top."""
    racks: list[Array] = field(default_factory=list)
    """Fronts (4, 3)."""
    decoys: list[Array] = field(default_factory=list)
    """Corners (4, 3) of what looks like a tile and is none."""
    families: dict[str, str] = field(default_factory=dict)
    """Names of what is in it."""
    endless: bool = True
    """Whether the table has no edge near."""
    occluders: list[Callable[[Camera, float, Generator], None]] = field(default_factory=list)
    """Called once the camera stands; put hands and the like into the scene."""

    def add_occluders(self, cam: Camera, tile_px: float, rng: Generator) -> None:
        """Put into the scene what depends on the view."""
        for occluder in self.occluders:
            occluder(cam, tile_px, rng)
