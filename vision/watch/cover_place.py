"""What is at the place of a tile that is not seen there: the bare table, a tile after all, or a thing over it.

Convention: quadrilaterals are (4, 2) in the cells of a :class:`HomeGrid`, masks (h, w) its cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.watch.home_view import Floats, HomeGrid, HomeView, Mask, detail_of, mean_around
from vision.watch.settings import WatchSettings

__all__ = ["Cover", "CoverKind", "Places", "body_look"]

CoverKind = Literal["bare", "covered", "tile", "unsure"]
"""``bare``: the ground shows, the tile is gone. ``covered``: something else is there, the tile is hidden.
``tile``: what is there looks like a tile, though none was found. ``unsure``: cannot be told."""

_SHRUNK = 0.85
"""The part of a tile's place that is looked at: neighbours may have come closer."""
_GRAIN = 0.035
"""Standard deviation of log brightness below which a surface counts as smooth."""
_OWN_GRAIN = ((0.05, 0.65), (0.01, 0.9))
"""Standard deviation of log brightness from which on grain is known again, and the correlation this takes."""
_AS_STRONG, _FEWEST_CELLS = 1.35, 60
"""How much stronger it may be, and in how many cells it has to be seen: a shadow's edge across a tile is
like the same edge across the ground, but for the tile's figure."""
_ROUND_A_GRAIN = 5
"""Cells around each with which its brightness is compared."""
_MOTLEY = 0.15
"""Spread of the ground's colour from which on a place that was never seen bare is not called bare."""


@dataclass(frozen=True, slots=True)
class Cover:
    """What is where a tile lay."""

    kind: CoverKind
    """The decision."""
    bare_share: float
    """Share of the place on which the ground shows, 0..1."""
    foreign_share: float
    """Share of the place on which something else is, 0..1."""
    own_grain: bool = False
    """Whether the grain is seen that the ground had at this very place: nothing lies over it."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """One picture and the ground under it, asked place by place."""

    grid: HomeGrid
    """The cells."""
    settings: WatchSettings
    """What share of a place has to be bare, or covered."""
    view: HomeView
    """The picture at home."""
    foreign: Mask
    """Where it is not as the ground is."""
    blobs: Mask
    """Where things are that are neither ground nor tile, holes filled."""
    known: Mask
    """Where the ground itself was seen."""
    ground: Floats
    """How it looked there, (h, w, 3)."""
    body: Floats | None
    """How tiles' bodies look, (3,); None where none is seen."""
    near_px: int
    """How far around a place the ground is compared with it, cells, odd."""
    spread: Callable[[], Floats]
    """Tells how much the ground's colour varies near each cell, (h, w); dear, and seldom asked."""

    def cover(self, quad: NDArray[np.float32]) -> Cover:
        """Return what is at the place ``quad`` (4, 2), in cells."""
        place = self.grid.painted(quad[None], _SHRUNK)
        whole = int(np.count_nonzero(place))
        seen = place & self.view.valid
        if whole == 0 or np.count_nonzero(seen) < 0.5 * whole:
            return Cover("unsure", 0.0, 0.0)
        rest = seen & ~self.view.tiles
        if np.count_nonzero(rest) < 0.3 * whole:
            return Cover("tile", 0.0, 0.0)
        count = float(np.count_nonzero(rest))
        other = rest & (self.foreign | self.blobs)
        foreign_share = np.count_nonzero(other) / count
        bare_share = 1 - foreign_share
        if bare_share >= self.settings.bare_share:
            own = self._shows_own_grain(rest)
            sure = own or (self._textured_like_ground(rest) and not self._outlined(quad))
            return Cover("bare" if sure else "unsure", bare_share, foreign_share, own)
        if foreign_share < self.settings.covered_share:
            return Cover("unsure", bare_share, foreign_share)
        if self._like_tile(quad, other):
            return Cover("tile", bare_share, foreign_share)
        return Cover("covered", bare_share, foreign_share)

    def _like_tile(self, quad: NDArray[np.float32], other: Mask) -> bool:
        """Say whether what is there ends where a tile would, and fills its place or has the colour of tiles."""
        around = self.grid.painted(quad[None], 1.9) & ~self.grid.painted(quad[None]) & self.view.free
        if np.count_nonzero(around) < 6 or self.foreign[around].mean() > 0.3:
            return False
        place = self.grid.painted(quad[None], _SHRUNK) & self.view.free
        if self.foreign[place].mean() > 0.9:
            return True
        if self.body is None:
            return False
        apart = np.abs(self.view.look[other] - self.body)
        alike = (np.hypot(apart[:, 0], apart[:, 1]) < 0.1) & (apart[:, 2] < 0.3)
        return bool(alike.mean() > 0.55)

    def _shows_own_grain(self, rest: Mask) -> bool:
        """Say whether the remembered grain of this very place is seen, in whatever light."""
        if np.count_nonzero(rest) < _FEWEST_CELLS or not self.known[rest].all():
            return False
        bright = np.stack([self.ground[..., 2], self.view.look[..., 2]], axis=-1, dtype=np.float32)
        before, now = (bright - mean_around(bright, rest, _ROUND_A_GRAIN)[0])[rest].T
        least, most = sorted((float(before.std()), float(now.std())))
        bars = [bar for strength, bar in _OWN_GRAIN if least >= strength]
        if not bars or most > _AS_STRONG * least:
            return False
        return float(np.corrcoef(before, now)[0, 1]) >= bars[0]

    def _textured_like_ground(self, rest: Mask) -> bool:
        """Say whether the place's grain is the ground's: a hand may have the colour of wood, not its grain."""
        inner = cv2.erode(rest.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
        inner = inner if np.count_nonzero(inner) >= 9 else rest
        near = np.ones((self.near_px, self.near_px), np.uint8)
        ring = cv2.dilate(rest.astype(np.uint8), near).astype(bool)
        ring &= self.known & ~self.foreign & self.view.free
        if np.count_nonzero(ring) < 30:
            return True
        if self.known[inner].mean() > 0.9:
            brightness = self.view.look[..., 2]
            # Where the ground was never seen there is nothing to compare, nor to set off its neighbours.
            unseen = brightness - np.median((brightness - self.ground[..., 2])[ring])
            memory = detail_of(np.where(self.known, self.ground[..., 2], unseen).astype(np.float32))
            rest_of = np.asarray(self.view.detail - memory, np.float32)
            if float(rest_of[inner].std()) > 2.2 * float(rest_of[ring].std()) + 0.5 * _GRAIN:
                return False
            # What the light does to a place it does around it, too: white on white shows by a little.
            apart = self.view.look - self.ground
            here, there = np.median(apart[inner], axis=0), np.median(apart[ring], axis=0)
            spread = np.median(np.abs(apart[ring] - there), axis=0)
            if float(np.hypot(*(here - there)[:2])) > 0.035 + 2.5 * float(spread[:2].max()):
                return False
            return float(here[2]) < float(np.percentile(apart[ring][:, 2], 90)) + 0.04
        grain, usual = float(self.view.detail[inner].std()), float(self.view.detail[ring].std())
        if float(np.median(self.spread()[inner])) > _MOTLEY:
            return False  # among many colours there is always one like the hand's
        # Grain varies from place to place on the table: so the bounds are wide.
        return not (grain > max(2.2 * usual, _GRAIN) or (usual > 2 * _GRAIN and grain < 0.4 * usual))

    def _outlined(self, quad: NDArray[np.float32]) -> bool:
        """Say whether the ground is of the tiles' own colour and an edge runs along the place's outline."""
        inner, rim = self.grid.painted(quad[None], 0.6), self.grid.painted(quad[None], 1.15) & ~self.view.tiles
        rim &= ~self.grid.painted(quad[None], 0.85)
        if self.body is None or min(np.count_nonzero(inner), np.count_nonzero(rim)) < 6:
            return False
        apart = np.abs(np.median(self.view.look[inner], axis=0) - self.body)
        if np.hypot(apart[0], apart[1]) > 0.12 or apart[2] > 0.3:
            return False
        gx = cv2.Sobel(self.view.detail, cv2.CV_32F, 1, 0, scale=1 / 8)
        gy = cv2.Sobel(self.view.detail, cv2.CV_32F, 0, 1, scale=1 / 8)
        slope = cv2.magnitude(gx, gy)
        return bool(slope[rim].mean() > 1.6 * slope[inner].mean() + 0.02)


def body_look(grid: HomeGrid, view: HomeView, tile_quads: NDArray[np.float32]) -> Floats | None:
    """Return the look (3,) of tiles' bodies, seen at ``tile_quads`` (N, 4, 2), in cells; None without any."""
    looks = []
    for part, inside in grid.painted_apart(tile_quads, 0.8):
        mask = inside & view.valid[part]
        if np.count_nonzero(mask) >= 9:
            look = view.look[part][mask]
            looks.append(np.median(look[look[:, 2] >= np.median(look[:, 2])], axis=0))
    return np.asarray(np.median(looks, axis=0), np.float32) if looks else None
