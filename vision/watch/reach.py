"""From where hands reach in: the place at the picture's rim that an arm crosses, for every stretch of motion.

People keep their places at a table. So the side an arm comes from tells who acts, without knowing anyone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners
from vision.watch.tones import Tone

__all__ = ["ANYWHERE", "FROM_THE_BEGINNING", "Arm", "Grid", "Reach", "Stirred", "Touch"]

Grid = NDArray[np.bool_]

_CUT_S = 0.3
"""No hand comes, takes something and is gone in so short a time."""
_FEW_PLACES = 4
_SMALL = 0.04
"""Share of the picture: a set that is laid, a back that is taken; a knock changes edges everywhere."""


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """What came in over one place of the rim."""

    from_rad: float
    """Its direction, as in :class:`Reach`."""
    share: float
    """The part of the reach that it was, 0..1."""
    frames: int
    """In how many frames it crossed the rim."""
    swept: Grid
    """The cells (h, w) that it moved over."""
    shared: Grid
    """Those that it and another one moved over while they touched."""
    cell_px: float
    """Side of a cell, pixels of the picture."""
    tones: tuple[Tone, ...] = ()
    """Colours that it had where it crossed the rim."""

    def was_at(self, quads: Sequence[Corners]) -> bool:
        """True where it moved over one of these places, (4, 2) pixels each, or right beside it."""
        return any(self.swept[_cells(quad, self.cell_px)].any() for quad in quads)

    def may_have_been_at(self, quads: Sequence[Corners]) -> bool:
        """True where it, or another that it touched, did so."""
        return self.was_at(quads) or any(self.shared[_cells(quad, self.cell_px)].any() for quad in quads)


@dataclass(frozen=True, slots=True, eq=False)
class Stirred:
    """Where anything changed while hands were over the table."""

    cells: Grid
    """Bool (h, w)."""
    cell_px: float
    """Side of a cell, pixels of the picture."""
    inside: Grid | None = None
    """The cells that were watched, bool (h, w); None where all were."""
    swept: Grid | None = None
    """The cells over which something moved that hung together with the rim, bool (h, w); None: not known."""

    def at(self, quad: Corners) -> bool:
        """True where something changed at a place, (4, 2) pixels of the picture, or right beside it."""
        return bool(self.cells[_cells(quad, self.cell_px)].any())

    def by_arm(self, quad: Corners) -> bool:
        """True where what came in over the rim may have been at a place, (4, 2) pixels, or right beside it."""
        return self.swept is None or bool(self.swept[_cells(quad, self.cell_px)].any())

    def watched(self, quad: Corners) -> bool:
        """True where all of a place, (4, 2) pixels, was watched, as far as it is in the picture."""
        return self.inside is None or bool(self.inside[_cells(quad, self.cell_px)].all())

    @property
    def in_few_places(self) -> bool:
        """True where something small changed in a place or two, and nothing elsewhere."""
        places = cv2.connectedComponents(self.cells.astype(np.uint8), connectivity=8)[0] - 1
        return 0 < places <= _FEW_PLACES and float(self.cells.mean()) < _SMALL


@dataclass(frozen=True, slots=True)
class Touch:
    """Where hands may have been: anywhere, unless that is told."""

    stirred: tuple[Stirred | None, ...] = (None,)
    """What changed while they were there, each time; None where that is not known."""
    begins: bool = False
    """Whether nothing has moved yet since the first picture: nothing can have gone."""

    def took_at(self, quad: Corners) -> bool:
        """True where they may have taken something from a place, (4, 2) pixels of the picture."""
        return not self.begins and self.at(quad)

    def at(self, quad: Corners) -> bool:
        """True where they may have been at a place, (4, 2) pixels of the picture, or right beside it."""
        return any(one is None or one.at(quad) or not one.watched(quad) for one in self.stirred)

    def by_arm(self, quad: Corners) -> bool:
        """The same of what came in over the rim, not of what changes by itself."""
        return any(one is None or one.by_arm(quad) or not one.watched(quad) for one in self.stirred)


ANYWHERE, FROM_THE_BEGINNING = Touch(), Touch(begins=True)


@dataclass(frozen=True, slots=True)
class Reach:
    """Hands over the table, from their coming to their going."""

    begin_s: float
    """When something began to move."""
    end_s: float
    """The last frame that is in here."""
    from_rad: float | None
    """Direction from the area's middle to where most of it came in, x to the right, y down, as if the area were
    square; None where nothing came over the rim."""
    share: float = 0.0
    """The part of it that came from there, 0..1: less than about 0.6 is more than one person."""
    frames: int = 0
    """In how many frames something crossed the rim."""
    arms: tuple[Arm, ...] = ()
    """What came in, by places of the rim; empty while it is not over, or not known."""
    stirred: Stirred | None = None
    """Where anything changed; None while it is not over, or where the camera shook or the light changed."""
    tones: tuple[Tone, ...] = ()
    """Colours of what came from there, where it crossed the rim."""

    @property
    def is_small(self) -> bool:
        """True where something small changed in a place or two, and nothing came in over the rim."""
        return not self.frames and self.stirred is not None and self.stirred.in_few_places

    @property
    def is_cut(self) -> bool:
        """True where that changed from one picture to the next: the film leaves out the hands."""
        return self.is_small and self.end_s - self.begin_s <= _CUT_S

    @property
    def each(self) -> tuple[Reach, ...]:
        """What came in over each place of the rim, as reaches of one arm; itself where none are known."""
        return tuple(map(self._of, self.arms)) or (self,)

    def _of(self, arm: Arm) -> Reach:
        own = replace(self, from_rad=arm.from_rad, share=1.0, frames=arm.frames)
        return replace(own, arms=(arm,), tones=arm.tones)

    def at(self, quads: Sequence[Corners]) -> Reach | None:
        """Return what of it was at one of these places, (4, 2) each; None where nothing was.

        All of it where it is not known who was where.
        """
        if not self.arms:
            return self
        there = [arm for arm in self.arms if arm.may_have_been_at(quads)]
        if len(there) != 1 or not there[0].was_at(quads):
            return self if there else None
        return self._of(there[0])


def _cells(quad: Corners, cell_px: float) -> tuple[slice, slice]:
    """Return rows and columns of the cells of a place, (4, 2) pixels, and of those right beside it."""
    low = np.floor(quad.min(axis=0) / cell_px).astype(int) - 1
    high = np.ceil(quad.max(axis=0) / cell_px).astype(int) + 1
    (left, top), (right, bottom) = np.maximum(low, 0), np.maximum(high, 0)
    return slice(int(top), int(bottom)), slice(int(left), int(right))
