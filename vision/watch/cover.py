"""Hidden or gone: what is where a tile lay, told from how the table looks when it is bare.

Convention: quadrilaterals are (N, 4, 2) in full-resolution pixels of the picture at hand; ``to_home`` (3, 3)
maps that picture to home. What is remembered lies in home's plane, reduced to about 480 pixels.

A pixel's look is three numbers: two of colour, log(R/G) and log(B/G), which no change of the light's strength
moves, and log brightness, from which each picture's own exposure is taken out first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners
from vision.robust import quantile
from vision.watch.bared import bared
from vision.watch.cover_place import Cover, Places, body_look
from vision.watch.home_view import Floats, HomeGrid, HomeView, Mask, detail_of, mean_around, rim
from vision.watch.lamp_light import lamp_light
from vision.watch.settings import WatchSettings
from vision.watch.sun_light import SunLight

__all__ = ["Ground", "Occluders"]

_NOMINAL_PX = 64
"""A size to begin with, before the first picture tells its own."""
_FOREIGN = 1.0
"""Distance, in tolerances, from which on a pixel is not ground."""
_DARKER, _BRIGHTER = 0.75, 0.22
"""Log brightness by which a shadow may darken the ground, and anything may brighten it."""
_COLOUR = 0.7
"""Weight of a tolerance in colour beside those in brightness."""
_GRAIN = 13
"""Cells over which grain is compared."""
_SAME_GRAIN, _LEAST_GRAIN = 0.6, 0.012
"""Correlation from which on it is the same grain, and the least standard deviation of any, log brightness."""
_GRAINED = 0.07
"""Standard deviation of log brightness from which on ground is told from smooth things by its grain."""
_SETTLED = 3
"""Looks after which a spot's look is remembered for good."""
_LARGER_THAN_ARMS = 0.2
"""Share of the table from which on what differs from the rest of it is a part of it."""
_OTHER_LOOKS = 12
"""Looks after which what stays on a known spot is taken as part of the scene; for bare ground only where it
looks like the ground around it."""


@dataclass(frozen=True, slots=True, eq=False)
class Occluders:
    """What lies or reaches over the table and is neither ground nor tile."""

    share: float
    """Share of the area that it hides, 0..1."""
    mask: Mask
    """Where, at home, reduced; multiply by ``mask_scale`` for pixels of home."""
    mask_scale: float
    """Pixels of home to one pixel of the mask."""
    seen: Mask
    """The part of home that the picture shows, as the mask."""
    reaching_in: bool
    """Something touches the picture's border: a hand, an arm, someone leaning in."""
    standing: bool
    """Something does not: a mug, a sheet of paper."""


class _Told(NamedTuple):
    """What is told of each pixel of a view, (h, w)."""

    foreign: Mask
    """It is not ground."""
    strange: Mask
    """The same, but for what may be ground, which was never seen, in another light."""
    known: Mask
    """The ground itself is known there."""
    bared: Mask
    """It is ground that shows since something was taken away."""


class Ground:
    """Remembers how each spot of the table looks without anything on it."""

    def __init__(self, settings: WatchSettings | None = None, area_home_px: Corners | None = None) -> None:
        """Know nothing yet; ``area_home_px`` (4, 2) is the table at home, None for all of the picture."""
        self._settings = settings or WatchSettings()
        self._area_home_px = area_home_px
        self._viewed: tuple[NDArray[np.uint8], tuple[bytes, bytes], HomeView] | None = None
        self._told: tuple[HomeView, _Told] | None = None
        self._surroundings: tuple[int, tuple[Floats, Floats]] | None = None
        self._begun = False
        self._sun = SunLight()
        self._begin((_NOMINAL_PX, _NOMINAL_PX))

    @property
    def sun(self) -> SunLight:
        """What the sun's light does to the ground, as far as it was seen."""
        return self._sun

    def learn(self, image_bgr: NDArray[np.uint8], tile_quads_xy_px: Sequence[Corners], to_home: object) -> None:
        """Remember the ground of a settled picture (H, W, 3).

        ``tile_quads_xy_px`` are all tiles in it: face up, face down, and the places of hidden ones, so that
        what hides them is never taken for ground. ValueError where the first picture is empty.
        """
        view = self._view(image_bgr, tile_quads_xy_px, to_home)
        free = view.free
        _, foreign, known, laid_bare = self._tell(view)
        near = cv2.dilate(self._blobs(foreign & free).astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)
        calm = free & ~near
        fits = calm & known & ~foreign & ~laid_bare
        rate = np.where(fits, 1 / np.minimum(self._count + 1, 12), 0).astype(np.float32)
        self._forget_told()
        self._look += rate[..., None] * (view.look - self._look)
        self._count[fits] += 1
        self._other_count[fits] = 0
        # A spot that was never seen bare is ground where it looks like the ground around it; what one or two
        # pictures taught may have been a hand, and gives way to that, too.
        fresh = calm & ~known & ~foreign if self._begun else calm
        young = free & known & foreign & (self._count < _SETTLED)
        if self._begun and young.any():
            around, spread = self._around(known)
            fresh |= young & (self._distance(view.look, around, view.noise + spread) < _FOREIGN)
        # On a motley cloth a hand over a motif looks like the cloth around it: what is ground stays.
        like = self._like_other(view)
        stays = calm & laid_bare & like & (self._other_count >= _OTHER_LOOKS)
        self._learn_other(view, free & (foreign | laid_bare) & ~fresh, like)
        fresh |= stays
        self._look[fresh] = view.look[fresh]
        self._count[fresh] = 1
        self._forget_told()
        self._begun = True

    def _forget_told(self) -> None:
        """What was told of a view was told by the ground as it was known then."""
        self._told = self._surroundings = None

    def look(
        self,
        image_bgr: NDArray[np.uint8],
        quads_xy_px: Sequence[Corners],
        tile_quads_seen: Sequence[Corners],
        to_home: object,
    ) -> list[Cover]:
        """Return what is at each of ``quads_xy_px``, places of tiles of which none is found there now."""
        if not len(quads_xy_px):
            return []
        view = self._view(image_bgr, tile_quads_seen, to_home)
        foreign, _, known, _ = self._tell(view)
        places = Places(
            grid=self._grid,
            settings=self._settings,
            view=view,
            foreign=foreign,
            blobs=self._blobs(foreign & view.free),
            known=known,
            ground=self._look,
            body=body_look(self._grid, view, self._grid.home(tile_quads_seen, to_home)),
            near_px=self._nearby_px(),
            spread=lambda: self._near_by(known)[1],
        )
        return [places.cover(quad) for quad in self._grid.home(quads_xy_px, to_home)]

    def things(
        self, image_bgr: NDArray[np.uint8], tile_quads_seen: Sequence[Corners], to_home: object
    ) -> tuple[Mask, Mask, float]:
        """Return what is neither ground nor tile, however long, where tiles were seen, and home's px to one."""
        view = self._view(image_bgr, tile_quads_seen, to_home)
        foreign = self._tell(view).strange
        return self._blobs(foreign & view.free), view.tiles, float(self._grid.step)

    def occluders(
        self, image_bgr: NDArray[np.uint8], tile_quads_seen: Sequence[Corners], to_home: object
    ) -> Occluders:
        """Return what lies or reaches over the table and is neither ground nor a tile that was seen."""
        view = self._view(image_bgr, tile_quads_seen, to_home)
        foreign = self._tell(view).strange
        staying = (self._other_count >= _OTHER_LOOKS) & self._like_other(view)
        blobs = self._blobs(foreign & view.free & ~staying)
        count, labels = cv2.connectedComponents(blobs.astype(np.uint8), connectivity=8)
        at_border = set(np.unique(labels[rim(view.valid, 2)])) - {0}
        seen = self._inside & view.valid
        share = float(np.count_nonzero(blobs & seen)) / max(int(np.count_nonzero(seen)), 1)
        return Occluders(
            share, blobs, float(self._grid.step), view.valid, bool(at_border), len(at_border) < count - 1
        )

    def _begin(self, size_wh: tuple[int, int]) -> None:
        self._grid = HomeGrid(size_wh)
        self._look = np.zeros((*self._grid.shape, 3), np.float32)
        self._count = np.zeros(self._grid.shape, np.int32)
        self._other = np.zeros((*self._grid.shape, 3), np.float32)
        self._other_count = np.zeros(self._grid.shape, np.int32)
        self._tile_area = 0.0
        self._begun = False
        self._viewed = None
        self._forget_told()
        inside = np.ones(self._grid.shape, np.uint8)
        if self._area_home_px is not None:
            inside[:] = 0
            cv2.fillConvexPoly(inside, np.round(self._grid.reduced(self._area_home_px)).astype(np.int32), 1)
        self._inside = inside.astype(bool)
        self._larger_than_arms = _LARGER_THAN_ARMS * np.count_nonzero(self._inside)

    def _view(self, image_bgr: NDArray[np.uint8], tile_quads: Sequence[Corners], to_home: object) -> HomeView:
        size_wh = (image_bgr.shape[1], image_bgr.shape[0])
        if size_wh != self._grid.size_wh:
            self._begin(size_wh)
        matrix = np.asarray(to_home, np.float64)
        key = (np.asarray(tile_quads, np.float32).tobytes(), matrix.tobytes())
        if self._viewed is not None and self._viewed[0] is image_bgr and self._viewed[1] == key:
            return self._viewed[2]  # learning, looking and searching mostly come in one go
        quads = self._grid.home(tile_quads, matrix)
        if len(quads):
            sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
            self._tile_area = float(np.median(sides[:, ::2].mean(axis=1) * sides[:, 1::2].mean(axis=1)))
        if self._viewed is None or self._viewed[0] is not image_bgr or self._viewed[1][1] != key[1]:
            self._plain = self._grid.view(image_bgr, matrix)
        view = self._grid.with_tiles(self._plain, quads)
        self._expose(view)
        self._viewed = (image_bgr, key, view)
        return view

    def _expose(self, view: HomeView) -> None:
        """Take this picture's exposure and white balance out, by the ground that is known."""
        known = view.free & self._inside & (self._count > 0)
        if np.count_nonzero(known) < 200:
            return
        apart = np.stack([channel[known] for channel in cv2.split(cv2.subtract(view.look, self._look))])
        middle = quantile(apart, 0.5)
        # What is covered pulls the median: once more, with what is near it.
        near = np.maximum.reduce(np.abs(apart - middle[:, None])) < 0.25
        if np.count_nonzero(near) > 100:
            middle = quantile(np.compress(near, apart, axis=1), 0.5)
        middle[:2] = np.clip(middle[:2], -0.15, 0.15)
        view.look[:] -= middle.astype(np.float32)
        if middle[2] > 0.05:
            view.noise[view.clipped] += np.float32(
                0.1
            )  # brighter than it was remembered: what clips loses its colour
        self._take_lamp_out(view, known)

    def _take_lamp_out(self, view: HomeView, known: Mask) -> None:
        apart = np.asarray(view.look - self._look, np.float32)
        in_tolerances = _in_tolerances(apart, view.noise)
        light = lamp_light(apart, in_tolerances, _length(in_tolerances) > _FOREIGN, known)
        if light is not None:
            view.look[:] -= light

    def _distance(self, look: Floats, ground: Floats, tolerance: Floats) -> Floats:
        """Return how far each pixel is from a ground's look, in tolerances."""
        return _length(_in_tolerances(look - ground, tolerance))

    def _tell(self, view: HomeView) -> _Told:
        """Return what is told of each pixel by the ground as it is known now."""
        if self._told is not None and self._told[0] is view:
            return self._told[1]
        told = self._told_of(view)
        self._told = view, told
        return told

    def _told_of(self, view: HomeView) -> _Told:
        known = self._count > 0
        if not self._begun:
            stranger = self._stranger(view)
            return _Told(stranger, stranger, known, np.zeros_like(known))
        around, spread = self._near_by(known)
        own = self._distance(view.look, self._look, view.noise + 0.3 * spread)
        other = self._distance(view.look, around, view.noise + 1.5 * spread)
        foreign = np.asarray(np.where(known, own, other) > _FOREIGN)
        apart = np.asarray(view.look - self._look, np.float32)
        grained = self._shows_its_grain(view, foreign & known)
        self._sun.learn(apart, grained)
        seen = known & view.free
        self._sun.learn_from_opposites(apart, foreign & seen, seen & ~foreign, view.look[..., 2])
        self._sun.learn_from_shadow(apart, foreign & seen)
        sunny = self._sun.explains(apart, view.noise)
        perhaps = np.zeros_like(known)
        if self._sun.is_out and not known.all():
            unlike = np.asarray(view.look - around, np.float32)
            perhaps = ~known & self._sun.explains(unlike, view.noise + 1.5 * spread)
            # On smooth ground a tile's body in the shade would pass for ground in the sun.
            sunny = (known & sunny) | (perhaps & self._is_grained(view, known & ~foreign))
        foreign &= ~(grained | sunny)
        laid_bare = bared(view, self._look, known, foreign)
        foreign &= ~laid_bare
        return _Told(foreign, foreign & ~perhaps, known, laid_bare)

    def _is_grained(self, view: HomeView, ground: Mask) -> bool:
        return float(view.detail[ground & view.free].std()) > _GRAINED if ground.any() else False

    def _shows_its_grain(self, view: HomeView, where: Mask) -> Mask:
        """Return where the remembered ground's own grain is seen, though its colour or light is another.

        Wood stays itself under a lamp, a camera's other white, or where a film was packed so tightly that dark
        places lose their colour; an arm has not its grain.
        """
        if not where.any():
            return where
        before, now = detail_of(self._look[..., 2]), view.detail

        def mean(values: Floats) -> Floats:
            return np.asarray(cv2.blur(values, (_GRAIN, _GRAIN)), np.float32)

        old, new = mean(before), mean(now)
        both = mean(before * now) - old * new
        spread = (mean(before * before) - old * old, mean(now * now) - new * new)
        least = np.minimum(*spread)
        like = both >= _SAME_GRAIN * np.sqrt(np.maximum(spread[0] * spread[1], 1e-12))
        return np.asarray(where & like & (least >= _LEAST_GRAIN**2))

    def _near_by(self, known: Mask) -> tuple[Floats, Floats]:
        """Return how the ground looks near each pixel, worked out once for what is known now."""
        side = self._nearby_px()
        if self._surroundings is None or self._surroundings[0] != side:
            self._surroundings = side, self._around(known)
        return self._surroundings[1]

    def _nearby_px(self) -> int:
        return int(max(9, 5 * np.sqrt(max(self._tile_area, 16.0)))) | 1

    def _around(self, known: Mask) -> tuple[Floats, Floats]:
        """Return how the ground looks near each pixel, and how much that varies in colour."""
        side = self._nearby_px()
        weight = known[..., None].astype(np.float32)
        everywhere = (self._look * weight).mean(axis=(0, 1)) / np.maximum(float(weight.mean()), 1e-6)
        local, share = mean_around(self._look, known, side)
        enough = share > 0.02
        around = np.where(enough[..., None], local, everywhere).astype(np.float32)
        apart = np.square(self._look - around)[..., :2].sum(axis=2, keepdims=True)
        # Rounding may leave less than nothing.
        spread = np.sqrt(np.maximum(mean_around(apart, known, side)[0][..., 0], 0))
        return around, np.where(enough, spread, 0.1).astype(np.float32)

    def _stranger(self, view: HomeView) -> Mask:
        """In the first picture: what reaches in from the border and differs from most of the table.

        A mat under the tiles differs, too, but ends on the table, or is larger than any arm.
        """
        free = view.free & self._inside
        if np.count_nonzero(free) < 100:
            return np.zeros(self._grid.shape, bool)
        middle = np.median(view.look[free], axis=0)
        apart = np.abs(view.look - middle)
        usual = np.median(apart[free], axis=0)
        colour = np.hypot(apart[..., 0], apart[..., 1])
        unlike = free & (colour > 0.2 + 4 * float(usual[:2].max()))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(unlike.astype(np.uint8), connectivity=8)
        at_rim = np.unique(labels[unlike & rim(view.valid, 2)])
        arms = stats[at_rim, cv2.CC_STAT_AREA] < self._larger_than_arms
        return np.asarray(np.isin(labels, at_rim[arms]))

    def _blobs(self, foreign: Mask) -> Mask:
        """Keep what is as large as the setting says, without threads and specks, holes filled.

        Not those as large as a part of the table: what goes round it is no arm over it.
        """
        area = self._tile_area or 0.0012 * self._grid.shape[0] * self._grid.shape[1]
        side = max(3, int(0.3 * np.sqrt(area)) | 1)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
        mask = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
        outlines, nested = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        filled = np.zeros(self._grid.shape, np.uint8)
        least, sizes = self._settings.occluder_tiles * area, [cv2.contourArea(one) for one in outlines]
        # The largest first: an outline, what is bare within it, and what lies there.
        for k in sorted(range(len(outlines)), key=lambda k: -sizes[k]):
            is_hole = nested[0][k][3] >= 0
            if is_hole and sizes[k] >= self._larger_than_arms:
                cv2.drawContours(filled, [outlines[k]], -1, 0, cv2.FILLED)
            elif not is_hole and sizes[k] + 0.5 * len(outlines[k]) >= least:
                cv2.drawContours(filled, [outlines[k]], -1, 1, cv2.FILLED)
        return filled.astype(bool)

    def _like_other(self, view: HomeView) -> Mask:
        """Return where what was there last that is not the ground is there still."""
        return np.asarray(self._distance(view.look, self._other, view.noise) < _FOREIGN)

    def _learn_other(self, view: HomeView, mask: Mask, like: Mask) -> None:
        """Count for how long the same other thing has been on known ground: where it is ``like`` it was."""
        again = mask & like & (self._other_count > 0)
        anew = mask & ~again
        self._other_count[again] += 1
        self._other[anew] = view.look[anew]
        self._other_count[anew] = 1


def _in_tolerances(apart: Floats, tolerance: Floats) -> Floats:
    """Return the differences of looks, (h, w, 3), in ``tolerance`` of colour, (h, w), and what light may do."""
    # A shadow takes light and, softly, a little colour; nothing gives light to the ground but a lamp.
    light = np.where(apart[..., 2] > 0, np.float32(1 / _BRIGHTER), np.float32(1 / _DARKER))
    colour = np.float32(_COLOUR) / tolerance
    return np.asarray(cv2.multiply(apart, cv2.merge([colour, colour, light])), np.float32)


def _length(apart: Floats) -> Floats:
    squares = cv2.transform(cv2.multiply(apart, apart), np.ones((1, 3), np.float32))
    return np.asarray(cv2.sqrt(squares), np.float32)
