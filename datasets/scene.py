"""What stands and lies in a picture: solids in the world of ``datasets.camera`` (tile widths)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["Block", "Cord", "Drum", "Frame", "Limb", "Scene", "Skin", "Solid", "flat_frame"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Where the top face of a block is, and how it is turned."""

    origin: Array
    """Shape (3,): the centre of the top face."""
    u: Array
    """Shape (3,): unit vector along the face's own right."""
    v: Array
    """Shape (3,): unit vector along the face's own down."""
    n: Array
    """Shape (3,): unit vector out of the face."""

    def point(self, a: float, b: float, c: float = 0.0) -> Array:
        """Return the world point ``a`` right, ``b`` down and ``c`` above the face's centre."""
        return self.origin + a * self.u + b * self.v + c * self.n

    def placed(self, inner: Frame) -> Frame:
        """Return ``inner``, given in this frame's own axes (a, b, c), in the world."""
        axes = np.stack([self.u, self.v, self.n])
        return Frame(self.origin + inner.origin @ axes, inner.u @ axes, inner.v @ axes, inner.n @ axes)


def flat_frame(
    x: float, y: float, up: float, heading: float, lean: float = 0.0, lean_way: float = 0.0
) -> Frame:
    """Return a frame at (x, y, up), turned clockwise by ``heading`` radians as seen from above.

    ``lean`` radians tip the face over towards the direction ``lean_way`` (0: the world's x), after turning.
    """
    u = np.array([np.cos(heading), np.sin(heading), 0.0])
    v = np.array([-np.sin(heading), np.cos(heading), 0.0])
    n = np.array([0.0, 0.0, 1.0])
    if lean:
        way = np.array([np.cos(lean_way), np.sin(lean_way), 0.0])

        def tip(vector: Array) -> Array:
            along, height = float(vector @ way), float(vector[2])
            new_along = along * np.cos(lean) + height * np.sin(lean)
            new_height = height * np.cos(lean) - along * np.sin(lean)
            tipped: Array = vector + (new_along - along) * way + np.array([0, 0, new_height - height])
            return tipped

        u, v, n = tip(u), tip(v), tip(n)
    return Frame(np.array([x, y, up], dtype=np.float64), u, v, n)


@dataclass(frozen=True, slots=True, eq=False)
class Skin:
    """What is printed on a face."""

    rgb: NDArray[np.float32]
    """Shape (H, W, 3): sRGB, 0..1."""
    relief: NDArray[np.float32] | None = None
    """Shape (H, W): height in tile widths, or None for a smooth face."""
    alpha: NDArray[np.float32] | None = None
    """Shape (H, W): coverage 0..1, or None for a full face."""
    ink_box: tuple[float, float, float, float] | None = None
    """x1, y1, x2, y2 of what must be read, as fractions of the face."""


@dataclass(slots=True, eq=False)
class Solid:
    """Anything that is painted; nearer groups are painted over farther ones."""

    group: int = field(default=0, kw_only=True)
    """Solids of one group are painted together, by ``rank``; groups by distance."""
    rank: float = field(default=0.0, kw_only=True)
    """Order within the group, low first; within one rank the farther is painted first."""
    lift: float = field(default=0.0, kw_only=True)
    """Tile widths by which the group counts as nearer than it is (for what lies on top of others)."""
    casts: bool = field(default=True, kw_only=True)
    """Whether it throws a shadow."""

    def middle(self) -> Array:
        """Return a point (3,) in its midst; nearer solids are painted later."""
        raise NotImplementedError


@dataclass(slots=True, eq=False)
class Block(Solid):
    """A box with rounded upright edges, a bevelled top and something printed on it: a tile, a die, a card."""

    frame: Frame
    """Its top face."""
    size: tuple[float, float, float]
    """Width, height and thickness in tile widths."""
    skin: Callable[[int], Skin]
    """Gives the face for a wanted height in pixels."""
    side_rgb: tuple[float, float, float] = (0.8, 0.8, 0.75)
    """sRGB of the sides."""
    radius: float = 0.06
    """Of the corners, tile widths."""
    bevel: float = 0.05
    """Width of the bevelled or rounded rim, tile widths."""
    bevel_slope: float = 0.7
    """How steeply the rim falls off (tangent)."""
    gloss: float = 0.4
    """0 matt .. 1 polished."""
    opacity: float = 1.0
    """Below 1 the ground shows through."""
    label: int | None = None
    """Index of the tile it is, or None for anything else."""
    plane: int = 0
    """Which shadow plane the top lies in: see ``Scene.planes``."""

    def middle(self) -> Array:
        """Return the middle (3,) of the top face."""
        return self.frame.origin


@dataclass(slots=True, eq=False)
class Limb(Solid):
    """A hand, an arm or a toy: round segments that grow into one another."""

    segments: Array
    """Shape (N, 8): two end points (3 + 3) and their radii."""
    colours: NDArray[np.float32]
    """Shape (N, 2, 3): sRGB at both ends of each segment."""
    gloss: float = 0.15
    """0 matt .. 1 polished."""
    grain: float = 0.0
    """Strength of a cloth or skin grain, 0..1."""

    def middle(self) -> Array:
        """Return the mean (3,) of all ends."""
        result: Array = (self.segments[:, :3].mean(axis=0) + self.segments[:, 3:6].mean(axis=0)) / 2
        return result


@dataclass(slots=True, eq=False)
class Drum(Solid):
    """An upright round thing: mug, glass, plate, coin, button, lid."""

    centre: Array
    """Shape (3,): the middle of its foot."""
    radii: tuple[float, float]
    """At the foot and at the rim."""
    height: float
    """Tile widths."""
    side_rgb: tuple[float, float, float]
    """sRGB of the outside."""
    rings: tuple[tuple[float, tuple[float, float, float]], ...]
    """From outside in: (share of the rim's radius, sRGB) of what is seen from above."""
    gloss: float = 0.6
    """0 matt .. 1 polished."""
    opacity: float = 1.0
    """Below 1 for glass."""
    handle: float | None = None
    """Direction of a mug's handle in radians, or None."""

    def middle(self) -> Array:
        """Return the middle (3,) of the foot."""
        return self.centre


@dataclass(slots=True, eq=False)
class Cord(Solid):
    """A cable, a string or hair lying on the table."""

    points: Array
    """Shape (N, 3)."""
    radius: float
    """Tile widths."""
    rgb: tuple[float, float, float]
    """sRGB."""

    def middle(self) -> Array:
        """Return the mean (3,) of its points."""
        result: Array = self.points.mean(axis=0)
        return result


@dataclass(frozen=True, slots=True, eq=False)
class ShadowPlane:
    """A plane that things throw shadows on."""

    origin: Array
    """Shape (3,): a point of it."""
    normal: Array
    """Shape (3,): unit vector towards the light's side."""
    of_blocks: bool = True
    """Whether blocks throw shadows on it, or only hands and other round things."""


@dataclass(slots=True, eq=False)
class Scene:
    """All that there is in front of the camera."""

    solids: list[Solid] = field(default_factory=list)
    """In any order."""
    planes: list[ShadowPlane] = field(default_factory=list)
    """Shadow planes; the first two are the table and the top of the tiles lying on it."""
    next_group: int = 1
    """The next unused group number."""

    def new_group(self) -> int:
        """Return a group number that nothing uses yet."""
        self.next_group += 1
        return self.next_group - 1
