"""Reads a settled picture: brings it home, keeps tiles, sets, pool and ground, says how the table lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from referee import JOKER
from vision.beyond import may_go_on
from vision.picture import picture_from_array
from vision.picture_reader import PictureReader
from vision.readings import Corners, PhotoReading, stacked
from vision.recall import Recall
from vision.settings import ReadSettings
from vision.sources.frame import Frame
from vision.watch.beside import Beside
from vision.watch.cover import Ground
from vision.watch.doubts import same_table
from vision.watch.furniture import Furniture
from vision.watch.home_view import Mask
from vision.watch.lay import SetKeeper, lying_table
from vision.watch.look import (
    Look,
    backs_beside,
    bring,
    laid_anew,
    laid_bare_by,
    look_of,
    shared_area,
    tile_width,
    without_gaps,
    without_misfits,
)
from vision.watch.open_racks import OpenRacks
from vision.watch.patches import HomePicture, PatchMemory
from vision.watch.place import Place, PlaceKind
from vision.watch.pool import PoolKeeper
from vision.watch.reach import ANYWHERE, Touch
from vision.watch.scenery import Scenery
from vision.watch.settings import WatchSettings
from vision.watch.setup import WatchSetup
from vision.watch.steadied import Steadied
from vision.watch.sun_light import SunLight
from vision.watch.tracks import Fate, Tracker
from vision.watch.types import LyingSet, LyingTable
from vision.watch.upright import without_upright
from vision.watch.veil import Veil

__all__ = ["Eye", "Glimpse"]


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """What one settled picture says."""

    lying: LyingTable | None
    """The table; None where the picture could not be brought home."""
    clear: bool
    """Whether nothing that reaches in from outside lies over the table."""
    place: PlaceKind
    """What became of the camera."""
    shift: float = 0.0
    """By how much its picture has shifted since, in widths of it; infinite where nothing can be compared."""
    seen_whole: bool = False
    """Whether each place was free of that in some look since the table lies so."""


class Eye:
    """Looks at the table, picture after picture, and remembers."""

    def __init__(
        self,
        reader: PictureReader,
        setup: WatchSetup,
        settings: WatchSettings,
        read: ReadSettings,
        *,
        begun: bool = False,
    ) -> None:
        """Begin without any picture; ``begun``: sets were laid in this game before."""
        self._reader, self._setup, self._read = reader, setup, read
        self._place = Place(settings)
        self._ground = Ground(settings, setup.area_xy_px)
        self._furniture = Furniture()
        self._beside, self._beside_backs, self._veil = Beside(), Beside(), Veil()
        self._racks = OpenRacks()
        whole_pool = None if begun else setup.whole_pool
        self._scenery = Scenery(whole_pool, setup.rules.inventory.count(JOKER))
        self._tracker = Tracker(copies=setup.rules.inventory.count)
        self._sets = SetKeeper()
        self._pool = PoolKeeper(whole_pool)
        self._memory = PatchMemory()
        self._recall, self._steadied = Recall(), Steadied()
        self._doubted = np.zeros((0, 4), np.float32)
        self._last: tuple[NDArray[np.float32], Glimpse] | None = None
        self._never_seen: Mask = np.zeros((0, 0), np.bool_)
        """What was hidden in each look since the table lies so, (h, w) at home."""

    def turn_over(self) -> None:
        """A turn is over: tiles that are gone will not come back."""
        self._tracker.settle()
        self._racks.turn_over()
        self._recall.settle()

    @property
    def takes_sets_for_print(self) -> bool:
        """True where good sets lay there before the first turn, and count as printed on something."""
        return self._scenery.took_sets_for_print

    @property
    def sun(self) -> SunLight:
        """What hard shadows do to what they fall on, as far as it was seen."""
        return self._ground.sun

    @property
    def learning(self) -> bool:
        """True while another look at the same still table is likely to show more of the pool."""
        return self._pool.learning

    def same_as_last(self, frame: Frame) -> Glimpse | None:
        """Return the last glimpse again where the picture shows just the same; None where it has to be read."""
        if self._last is None or self._last[1].lying is None:
            return None
        before, glimpse = self._last
        now = _cells(frame)
        if before.shape != now.shape:
            return None
        gain = float(np.median(before)) / max(float(np.median(now)), 1.0)
        differ = np.abs(now * gain - before)
        return glimpse if float(differ.max()) < _SAME_LEVELS else None

    def look(
        self, frame: Frame, *, touch: Touch = ANYWHERE, quick: bool = False, afresh: bool = True
    ) -> Glimpse:
        """Read a picture; ``touch``: where hands may have been since the last one.

        ``quick``: someone waits, and a pool that is known need not be found whole again. ``afresh``: a second
        look, which reads anew what has changed in this turn and what is in doubt. All else is taken over where
        the picture shows the same.
        """
        if afresh:
            self._recall.once_more(self._doubted)
        else:
            self._veil.moved()
        quads = [track.corners_xy_px for track in self._tracker.lying()]
        placed = self._place.settle(frame.luma, frame.t_s, np.stack(quads) if quads else None)
        if placed.kind == "lost":
            return Glimpse(None, False, placed.kind)
        whole, upright = without_upright(
            self._read_at_home(frame, placed.to_home, quick=quick and not self._pool.learning)
        )
        look = without_gaps(whole, self._pool.places)
        uncovered = laid_bare_by(whole, look)
        look, standing = self._racks.without(look, frame.size_wh)
        image = frame.image_bgr
        from_home = np.asarray(np.linalg.inv(placed.to_home), np.float64)
        picture = HomePicture(image, from_home)
        bare = self._scenery.without(
            look,
            picture,
            again=afresh,
            came=lambda home: touch.by_arm(bring(home, from_home)),
            uncovered=uncovered,
        )
        look = bare if bare is look else laid_anew(bare, frame.size_wh)
        look, never_tiles = without_misfits(look, [track.home for track in self._tracker.lying()])
        seen = [face.corners_xy_px for face in look.faces]
        backs = (bring(quad, from_home) for quad in (*look.backs, *upright))
        everything = [*seen, *standing, *backs]
        surely = [f.corners_xy_px for f in look.faces if f.listed and max(f.listed.values()) >= _TAKES_A_PLACE]
        self._memory.see([face.home for face in look.faces], picture)
        sun = self._ground.sun
        sun.passes()
        sun.learn_from_bodies(self._memory.bodies())

        things, tiles, step = self._ground.things(image, everything, placed.to_home)

        def fate_of(homes: Sequence[Corners], hidden_by: Beside | None = None) -> list[Fate]:
            if not homes:
                return []
            here = [bring(home, from_home) for home in homes]
            covers = self._ground.look(image, here, everything, placed.to_home)
            fates: list[Fate] = []
            for cover, quad, home in zip(covers, here, homes, strict=True):
                if any(home is one for one in never_tiles):
                    fates.append("taken")
                    continue
                came = hidden_by is not None and hidden_by.came(home, things, step)
                gone = self._memory.gone(
                    home,
                    picture,
                    covered=cover.kind == "covered",
                    like_ground=cover.bare_share >= _LIKE_GROUND,
                    beside=came,
                )
                if gone and cover.kind == "tile" and cover.foreign_share >= _LIKE_NO_GROUND:
                    gone = not self._memory.is_partly_there(home, picture)
                kind = cover.kind
                otherwise = self._memory.is_otherwise_around(home, picture)
                under = self._veil.may_cover(home, otherwise=otherwise and not cover.own_grain)
                veiled = under or (came and kind == "bare")
                if kind == "covered" and not came and self._memory.may_have_gone(home, picture):
                    kind = "unsure"
                fate = _fate(kind, quad, surely, tile_width([quad]), veiled=veiled)
                taken = fate == "taken" and hidden_by is self._beside  # a tile's place, by another one
                fates.append("bare" if gone and not (under or taken) else fate)
            return fates

        keys = self._tracker.update(
            look,
            partial(fate_of, hidden_by=self._beside),
            self._memory.untouched,
            lambda home: self._beside.touches(home, things, step),
        )
        lie = [track.home for track in self._tracker.lying()]
        self._memory.keep(lie)
        in_view = [
            face.home for face, key in zip(look.faces, keys, strict=True) if key not in self._tracker.misread
        ]
        self._beside.see(in_view, lie, things, tiles)
        faces = [face.home for face in look.faces]

        def touched(home: Corners) -> bool:
            return placed.kind != "same" or touch.took_at(bring(home, from_home))

        backs_seen = backs_beside(look, lie)
        self._pool.update(
            backs_seen, partial(fate_of, hidden_by=self._beside_backs), picture, faces,
            touched=touched, sun=sun, perhaps=look.perhaps,
        )  # fmt: skip
        self._beside_backs.see(backs_seen, self._pool.places, things, tiles)
        sets = self._sets.update(look, keys, self._tracker)
        river = self._in_river()
        lying = lying_table(
            frame.t_s, self._tracker, sets, self._pool, river,
            bar=self._read.tile_bar, alternative_bar=self._read.alternative_bar,
        )  # fmt: skip
        gone = tuple(replace(back, place=bring(back.place, from_home)) for back in self._pool.gone)
        lying = replace(lying, taken_from=gone, sets=_cut_by_the_border(lying, frame.size_wh))
        # A back that the finder missed is still no hand.
        everything += [bring(home, from_home) for home in (*self._pool.homes, *self._racks.bodies)]
        over = self._ground.occluders(image, everything, placed.to_home)
        self._ground.learn(image, everything, placed.to_home)
        width = self._tracker.width_px or 0.03 * frame.size_wh[0]
        least = (width / over.mask_scale) ** 2
        racks = [body / over.mask_scale for body in self._racks.bodies]
        reaches_in = self._furniture.reaches_in(over.mask, over.seen, frame.t_s, least, racks)
        shift = placed.shift_px / frame.size_wh[0]
        glimpse = Glimpse(lying, not reaches_in, placed.kind, shift, self._is_seen_whole(lying, least))
        self._last = _cells(frame), glimpse
        return glimpse

    def _is_seen_whole(self, lying: LyingTable, least: float) -> bool:
        """Take in what was hidden in this look, and say whether less than so many cells were in each since."""
        hidden = self._furniture.hidden
        lay = None if self._last is None else self._last[1].lying
        if lay is None or self._never_seen.shape != hidden.shape or not same_table(lying, lay):
            self._never_seen = hidden
        else:
            self._never_seen = self._never_seen & hidden
        return bool(np.count_nonzero(self._never_seen) < least)

    def _read_at_home(self, frame: Frame, to_home: NDArray[np.float64], *, quick: bool) -> Look:
        """Read the part of the picture that is the table."""
        image, area = frame.image_bgr, self._setup.area_xy_px
        image, read_to_home = self._steadied.picture(image, to_home)
        if area is None:
            return look_of(self._reading(image, quick=quick), frame.t_s, read_to_home, seen_to_home=to_home)
        here = bring(area, np.asarray(np.linalg.inv(read_to_home), np.float64))
        margin = _BEYOND * (self._tracker.width_px or 0.04 * image.shape[1])
        low = np.maximum(np.floor(here.min(axis=0) - margin), 0).astype(int)
        high = np.minimum(np.ceil(here.max(axis=0) + margin), image.shape[1::-1]).astype(int)
        if (high - low).min() < 32:
            return Look(frame.t_s, (), (), (), to_home)
        part = np.ascontiguousarray(image[low[1] : high[1], low[0] : high[0]])
        reading = self._reading(part, quick=quick)
        at = (int(low[0]), int(low[1]))
        return look_of(reading, frame.t_s, read_to_home, at, area, seen_to_home=to_home)

    def _reading(self, image: NDArray[np.uint8], *, quick: bool) -> PhotoReading:
        reading = self._reader.read(picture_from_array(image, recall=self._recall), quick=quick)
        doubted = [tile.corners_xy_px for tile in reading.tiles if tile.doubt]
        quads = stacked([*doubted, *reading.unreadable])
        self._doubted = np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1)
        if self._pool.learning and reading.face_down_xy_px:
            backs = stacked(reading.face_down_xy_px)
            width = tile_width(reading.face_down_xy_px)
            low, high = backs.min(axis=(0, 1)) - width, backs.max(axis=(0, 1)) + width
            self._doubted = np.concatenate([self._doubted, np.concatenate([low, high])[None]])
        return reading

    def _in_river(self) -> frozenset[int]:
        river = self._setup.river_xy_px
        if river is None:
            return frozenset()
        outline = np.asarray(river, np.float32)
        return frozenset(
            track.key
            for track in self._tracker.lying()
            if cv2.pointPolygonTest(outline, [float(v) for v in track.middle], False) >= 0
        )


def _cut_by_the_border(lying: LyingTable, size_wh: tuple[int, int]) -> tuple[LyingSet, ...]:
    """Return the sets with those marked that may go on where the picture ends."""
    places = {tile.key: tile.corners_xy_px for tile in lying.tiles}
    return tuple(
        replace(one, may_go_on=may_go_on([places[key] for key in one.keys], size_wh)) for one in lying.sets
    )


_BEYOND = 3
"""Tile widths beyond the area's border that are read too: a set may lie across it."""
_LIKE_GROUND = 0.95
"""Share of a place from which on all of it has the ground's colour."""
_LIKE_NO_GROUND = 0.9
"""The same of a place that shows no ground: something lies there yet, if only a part of the tile."""
_TAKES_A_PLACE = 0.9
"""What reads less surely than this may be a mug that stands on the tile, and takes no tile's place."""
_TAKEN_UP = 0.55
"""Share of a tile's place from which on, with tiles in view over it, no other lies there."""
_SAME_LEVELS = 9.0
"""Grey levels by which no cell of the picture may differ for it to show the same: pale tiles on a pale cloth
differ by twice that, noise by less than half."""
_CELL_PX = 4


def _cells(frame: Frame) -> NDArray[np.float32]:
    """The picture in cells smaller than a far tile, smoothed, so that neither noise nor codec matters."""
    width, height = frame.size_wh
    size = (width // _CELL_PX, height // _CELL_PX)
    small = cv2.resize(frame.luma, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small.astype(np.float32), (3, 3)))


def _fate(cover: str, quad: Corners, seen: Sequence[Corners], width_px: float, *, veiled: bool = False) -> Fate:
    """A place that other tiles take up, one of them or two together: what lay there lies elsewhere."""
    middle = quad.mean(axis=0)
    away = [float(np.linalg.norm(other.mean(axis=0) - middle)) / width_px for other in seen]
    near = [other for other, widths in zip(seen, away, strict=True) if widths < 2]
    taken_up = sum(shared_area(other, quad) for other in near) >= _TAKEN_UP * cv2.contourArea(quad)
    if taken_up or any(widths < 0.6 for widths in away):
        return "taken"
    if cover == "bare":
        return "unsure" if veiled else "bare"
    return "unsure" if cover == "unsure" else "covered"
