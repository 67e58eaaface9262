"""The gate: what every frame is asked before anything dear is done with it.

Frames are reduced to about 240 pixels, and compared by their fine structure, cell by cell. A cell has changed
where its structure is not the former one times any gain: so light that comes, goes or drifts changes nothing,
while an edge that comes, goes or moves does. Brightness is compared apart from that.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import SourceError
from vision.readings import Corners, as_corners
from vision.robust import quantile
from vision.sources.frame import Frame
from vision.watch.gate_looks import Compared, FrameLook, Moved
from vision.watch.restless import Restless
from vision.watch.settings import WatchSettings
from vision.watch.sun_light import SunLight
from vision.watch.sway import ShiftFinder

__all__ = ["KNOCK_S", "Activity", "Gate"]

_SIDE_PX = 240
"""Longer side of the reduced picture, about."""
_CELL_PX = 4
"""Side of a cell, reduced pixels."""
_ROW_STEP = 16
"""Sharpness is measured on every so-manieth row."""
_PEAK_S = 8.0
"""Time in which the sharpest frame is forgotten by a factor of e."""
_RELATIVE = 0.06
"""Share of a cell's structure that may differ without motion: tone curves, compression, rounding."""
_RESAMPLED = 0.15
"""The same share where one of the two was shifted onto the other: fine edges do not survive that whole."""
_CREEP_S = 0.5
"""For how long what moves slowly counts as moving after each step that was seen of it."""
_RELIT = 0.4
"""The share that may differ while the light changes at one blow, and brighter parts lose their structure."""
_KNOCKED = 0.025
"""Share that must have changed for a shift to be a knock."""
_ALL_KNOCKED = 0.8
"""Share that no hand changes at once, though no single shift tells of what did."""
KNOCK_S = 1.0
"""A knock of the camera is over by then; hands may come unseen in what lasts longer."""
_SHAKEN = 0.06
"""While the picture shakes, what remains after the shift must be this share to count as motion besides."""
_SWAY_PX = 1.5
"""Reduced pixels that the whole picture may shift within the lag and be read: a phone in a hand sways."""
_SHAKEN_S = 0.3
"""A picture that shakes swings back in this time, and seems to shift little then; it is not read."""
_LAMP = 0.08
"""Change of brightness (natural logarithm) of most of the picture from which on that is so."""
_LEAST_IN_PICTURE = 0.5
"""Share of the area that is in the picture: corners given for a larger one have less, and mistyped ones."""
_LIGHT_ALONE = 0.9
"""Share of a cell and those around that only the light may have changed, where nothing else moves there."""
_EDGE = np.ones((5, 5), np.uint8)
"""Cells that the edge of a shadow which moves does not fill."""
_GRAINED = 3.0
"""Grey levels of structure, in three quarters of the picture, from which on the ground has grain."""
_NOISE_FACTOR = 4.0
"""How much more than the noise a change must be."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Activity:
    """What one frame says about the table."""

    t_s: float
    """The frame's time."""
    moving: bool
    """Something moves over the table: a hand, a tile, a sleeve."""
    still_s: float
    """For how long nothing has moved, shaken or changed its light; 0 while anything does."""
    share: float
    """Share of the area's cells whose structure changed, 0..1."""
    shaking: bool
    """The whole picture has shifted: the camera or the table was knocked."""
    light: bool
    """Brightness changes while edges stay in place: lamp, exposure, shadow; not a hand."""
    sharp: float
    """Sharpness relative to the sharpest of recent frames; 1 is as sharp as that."""
    too_dark: bool
    """Too dark to read anything, also where the lens is covered."""
    changed: NDArray[np.bool_] | None = None
    """The cells (h, w) that something moves over; None while the camera shakes or the light changes."""
    crept: NDArray[np.bool_] | None = None
    """The cells that are otherwise than a while ago, where something moves too slowly for ``changed``."""


def _refuse_elsewhere(area_xy_px: Corners, size_wh: tuple[int, int]) -> None:
    width, height = size_wh
    picture = as_corners([[0, 0], [width, 0], [width, height], [0, height]])
    hull = cv2.convexHull(area_xy_px)
    if cv2.intersectConvexConvex(hull, picture)[0] < _LEAST_IN_PICTURE * cv2.contourArea(hull):
        raise SourceError(f"The area to watch lies outside the picture, which is {width} x {height} pixels.")


def _cells(values: Floats, shape: tuple[int, int]) -> Floats:
    """Return means over 3x3 cells around each cell."""
    mean = cv2.resize(values, (shape[1], shape[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(mean, (3, 3)), np.float32)


class Gate:
    """Looks at every frame, in order of time. Reset it where the picture's size or source changes."""

    def __init__(self, settings: WatchSettings, area_xy_px: Corners | None = None) -> None:
        """Watch the quadrilateral ``area_xy_px`` (4, 2), or the whole picture."""
        self._settings = settings
        self._area_xy_px = area_xy_px
        self._past: deque[FrameLook] = deque()
        self._anchor: FrameLook | None = None
        self._size_wh = (0, 0)
        self._still_since: float | None = None
        self._shaken_until_s = -1.0
        self._all_since_s = float(np.inf)
        self._peak = 0.0
        self._sun: SunLight | None = None

    def heed(self, sun: SunLight) -> None:
        """From here on what such light alone changes moves nothing: the edge of a shadow that wanders."""
        self._sun = sun

    def reset(self, area_xy_px: Corners | None = None) -> None:
        """Forget all frames, and watch another area from here on."""
        self._area_xy_px = area_xy_px
        self._size_wh = (0, 0)

    def look(self, frame: Frame) -> Activity:
        """Return what this frame says, beside those before it; SourceError where the area is not in it."""
        if frame.size_wh != self._size_wh:
            self._begin(frame.size_wh)
        now = self._reduce(frame)
        before = self._before(now.t_s)
        level = float(quantile(self._of_area(now.level), 0.9))
        too_dark = level < self._settings.dark_luma
        sharp = self._sharpness(frame, now)
        if before is None:
            self._start_still(now)
            self._past.append(now)
            return Activity(now.t_s, False, 0.0, 0.0, False, False, sharp, too_dark)
        compared = self._compare(before, now)
        stirred = self._changed(before, now, compared=compared)
        shade = self._shade(before, now, stirred)
        stirred &= ~shade
        changed = stirred & self._restless.calm
        share = self._share(changed)
        shaking = False
        moved = self._shift(before, now) if share > self._bar else None
        if moved is not None:
            apart = self._beside(moved)
            beside = apart & self._restless.calm
            rest = self._share(beside)
            if moved.shift.of_all and moved.shift.px <= _SWAY_PX and now.t_s >= self._shaken_until_s:
                before, stirred, changed, share = moved.one, apart, beside, rest
                compared = self._compare(before, now)
            elif share > _KNOCKED:
                # All that such a shift would change must have changed: a hand moves, too, but alone.
                due = self._changed(before, moved.one)
                everything = bool(np.count_nonzero(due & changed) > 0.7 * np.count_nonzero(due))
                shaking = everything and rest < 0.4 * share
                share = rest if shaking else share
                self._shaken_until_s = now.t_s + _SHAKEN_S if shaking else self._shaken_until_s
        self._all_since_s = min(self._all_since_s, now.t_s) if share > _ALL_KNOCKED else np.inf
        if 0 <= now.t_s - self._all_since_s < KNOCK_S:
            shaking, self._shaken_until_s = True, now.t_s + _SHAKEN_S
        light = self._light(compared, changed | shade)
        self._restless.take(now.t_s, None if shaking or light else stirred, self._bar * self._count)
        moving = share > (_SHAKEN if shaking else self._bar)
        quiet = not (moving or shaking or light)
        crept = None
        if quiet:
            moving, crept = self._slow(now)
        self._learn(compared, now.t_s, quiet and not moving)
        if moving or not quiet:
            self._still_since = None
            if not quiet:
                self._anchor = None
        elif self._still_since is None:
            self._start_still(now)
        still_s = 0.0 if self._still_since is None else now.t_s - self._still_since
        self._past.append(now)
        cells = None if shaking or light else changed
        return Activity(now.t_s, moving, still_s, share, shaking, light, sharp, too_dark, cells, crept)

    @property
    def inside(self) -> NDArray[np.bool_]:
        """The cells (h, w) of the area that is watched; asked for after the first frame."""
        return self._inside

    @property
    def cell_px(self) -> float:
        """Side of a cell, pixels of the picture; asked for after the first frame."""
        return float(self._step * _CELL_PX)

    def _begin(self, size_wh: tuple[int, int]) -> None:
        """Take up pictures of this size; SourceError where hardly any of the area is in the first one.

        A camera that changes the size of its pictures in the middle of a game ends nothing.
        """
        if self._area_xy_px is not None and self._size_wh == (0, 0):
            _refuse_elsewhere(self._area_xy_px, size_wh)
        self._size_wh = size_wh
        # Whole steps: reducing by an odd ratio costs ten times as much.
        self._step = max(1, round(max(size_wh) / _SIDE_PX))
        width, height = (max(_CELL_PX, side // self._step // _CELL_PX * _CELL_PX) for side in size_wh)
        self._small_wh = (width, height)
        self._grid = (height // _CELL_PX, width // _CELL_PX)
        inside = np.ones(self._grid, np.uint8)
        if self._area_xy_px is not None:
            inside[:] = 0
            quad = (np.asarray(self._area_xy_px, np.float64) + 0.5) / (self._step * _CELL_PX) - 0.5
            cv2.fillConvexPoly(inside, np.round(quad * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        self._inside = inside.astype(bool) if inside.any() else np.ones(self._grid, bool)
        self._count = int(self._inside.sum())
        # A 3x3 window spreads every change over nine cells; a quarter of them is the least that is believed.
        self._bar = max(self._settings.motion_share, 3.5 / self._count)
        self._noise = np.zeros(self._grid, np.float32)
        self._light_noise = 0.0
        self._restless = Restless(self._grid)
        self._shifts = ShiftFinder(self._small_wh, self._settings.motion_contrast, 0.2 * _SIDE_PX)
        self._past.clear()
        self._anchor = None
        self._still_since = None
        self._creeps_until = -1.0
        self._shaken_until_s = -1.0
        self._peak = 0.0

    def _reduce(self, frame: Frame) -> FrameLook:
        width, height = self._small_wh
        step = self._step
        luma = frame.luma[: height * step, : width * step]
        if step >= 4 and step % 2 == 0:
            luma = luma[::2]  # half the rows say as much, in half the time
        if luma.strides[1] != 1:
            luma = np.ascontiguousarray(luma[:: max(1, step // 4)])
        elif step >= 8 and step % 4 == 0:
            # OpenCV halves so fast that halving first takes less time than the whole step at once.
            half_wh = (width * step // 2, height * step // 4)
            luma = np.asarray(cv2.resize(luma, half_wh, interpolation=cv2.INTER_AREA), np.uint8)
        small = cv2.resize(luma, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
        detail = small - cv2.blur(small, (9, 9))
        level = cv2.resize(small, self._grid[::-1], interpolation=cv2.INTER_AREA)
        energy = _cells(np.asarray(detail * detail, np.float32), self._grid)

        @cache
        def colours() -> Floats:
            picture = frame.image_bgr[: height * step : max(1, step // 2), : width * step]
            return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.float32)

        fine = np.asarray(detail, np.float32)
        return FrameLook(frame.t_s, fine, energy, np.asarray(level, np.float32), colours)

    def _before(self, t_s: float) -> FrameLook | None:
        """Return the frame from about ``motion_lag_s`` ago and drop what is older."""
        while len(self._past) > 1 and self._past[1].t_s <= t_s - self._settings.motion_lag_s + 1e-6:
            self._past.popleft()
        return self._past[0] if self._past else None

    def _start_still(self, now: FrameLook) -> None:
        self._still_since = now.t_s
        if self._anchor is None:
            self._anchor = now

    def _of_area(self, values: Floats) -> Floats:
        """Return the values of the cells that are watched, shape (N,)."""
        return values.reshape(-1) if self._count == values.size else values[self._inside]

    def _compare(self, one: FrameLook, two: FrameLook) -> Compared:
        both = _cells(np.asarray(one.detail * two.detail, np.float32), self._grid)
        most, least = np.maximum(one.energy, two.energy), np.minimum(one.energy, two.energy)
        common = np.square(np.maximum(both, 0)) / np.maximum(least, 1e-3)
        # What fits the weaker look leaves the stronger one over; a gain beyond 3 is no change of light.
        differ = np.maximum(most - np.minimum(common, 9 * least), 0)
        ratio = np.abs(np.log((two.level + 8) / (one.level + 8)))
        return Compared(np.asarray(differ, np.float32), np.asarray(ratio, np.float32))

    def _beside(self, moved: Moved) -> NDArray[np.bool_]:
        """Return the cells that have changed besides the shift; what came in at the rim is not known."""
        changed = self._changed(moved.one, moved.two, _RESAMPLED)
        rim = 1 + int(moved.shift.px) // _CELL_PX
        changed[:rim], changed[-rim:], changed[:, :rim], changed[:, -rim:] = False, False, False, False
        return changed

    def _changed(
        self, one: FrameLook, two: FrameLook, relative: float = _RELATIVE, *, compared: Compared | None = None
    ) -> NDArray[np.bool_]:
        compared = compared or self._compare(one, two)
        usual = float(quantile(self._of_area(compared.differ), 0.5))
        floor = self._settings.motion_contrast**2
        noise = np.maximum(self._noise, min(usual, 4 * floor))
        relit = float(quantile(self._of_area(compared.ratio), 0.3)) > _LAMP
        relative = _RELIT if relit else relative
        bar = floor + _NOISE_FACTOR * noise + relative * np.maximum(one.energy, two.energy)
        return np.asarray((compared.differ > bar) & self._inside)

    def _share(self, changed: NDArray[np.bool_]) -> float:
        return float(np.count_nonzero(changed)) / self._count

    def _shift(self, one: FrameLook, two: FrameLook) -> Moved | None:
        """Return the looks as they would be without the camera's shift; None where there is no one shift."""
        shift = self._shifts.between(one.detail, two.detail)
        if shift is None:
            return None
        old, new = (
            FrameLook(look.t_s, detail, _cells(np.square(detail), self._grid), look.level, look.colours)
            for look, detail in ((one, shift.old), (two, shift.new))
        )
        return Moved(old, new, shift)

    def _shade(self, one: FrameLook, two: FrameLook, changed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return those cells (h, w) that have changed by a shadow's edge, which moves, and by nothing else."""
        if self._sun is None or not self._sun.is_out or self._share(changed) <= self._bar:
            return np.zeros_like(changed)
        alone = self._sun.alone(one.colours(), two.colours()).astype(np.float32)
        near = cv2.dilate(changed.astype(np.uint8), np.ones((3, 3), np.uint8))
        edges = near > 0
        if float(quantile(self._of_area(two.energy), 0.25)) > _GRAINED**2:
            # Within a shadow the ground's grain stays: only its edge changes. An arm as brown as wood is wider.
            _, labels = cv2.connectedComponents(near, connectivity=8)
            wide = np.unique(labels[cv2.erode(changed.astype(np.uint8), _EDGE) > 0])
            edges &= ~np.isin(labels, wide)
        return np.asarray(edges & (_cells(alone, self._grid) > _LIGHT_ALONE))

    def _light(self, compared: Compared, changed: NDArray[np.bool_]) -> bool:
        """Say whether brightness changes where no structure does."""
        near = cv2.dilate(changed.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)
        calm = self._inside & ~near
        if np.count_nonzero(calm) < 0.1 * self._count:
            return False
        smooth = np.asarray(cv2.blur(compared.ratio, (3, 3))[calm], np.float32)
        return float(quantile(smooth, 0.9)) > max(self._settings.light_step, 3 * self._light_noise)

    def _slow(self, now: FrameLook) -> tuple[bool, NDArray[np.bool_] | None]:
        """Compare with the beginning of the still stretch: whether something creeps, and what has crept."""
        if self._anchor is None:
            return False, None
        crept = self._changed(self._anchor, now) & self._restless.calm
        crept &= ~self._shade(self._anchor, now, crept)
        if self._share(crept) > self._bar:
            moved = self._shift(self._anchor, now)
            if moved is not None and moved.shift.of_all:
                crept = self._beside(moved) & self._restless.calm
        if self._share(crept) > self._bar:
            self._anchor = now
            self._creeps_until = now.t_s + _CREEP_S
            return True, crept
        if now.t_s < self._creeps_until:
            return True, None
        if now.t_s - self._anchor.t_s > self._settings.slow_motion_s:
            self._anchor = now
        return False, None

    def _learn(self, compared: Compared, now_s: float, quiet: bool) -> None:
        """Follow the noise of still stretches: quickly up, slowly down, so that pulses of key frames count."""
        elapsed = min(max(now_s - (self._past[-1].t_s if self._past else now_s), 0.0), 1.0)
        if quiet:
            differ = compared.differ
            rise = np.float32(min(1.0, elapsed / 0.5))
            fall = np.float32(min(1.0, elapsed / 10.0))
            rate = np.where(differ > self._noise, rise, fall)
            self._noise += rate * (differ - self._noise)
            np.minimum(self._noise, 4 * self._settings.motion_contrast**2, out=self._noise)
        # Lamps on mains flicker: what never ends is no event.
        flicker = float(quantile(self._of_area(compared.ratio), 0.9))
        self._light_noise += min(1.0, elapsed / 6.0) * (flicker - self._light_noise)

    def _sharpness(self, frame: Frame, now: FrameLook) -> float:
        """Compare differences of neighbouring pixels, by the picture's brightness, with recent frames."""
        rows = frame.luma[_ROW_STEP // 2 :: _ROW_STEP]
        below = frame.luma[_ROW_STEP // 2 + 1 :: _ROW_STEP][: len(rows)]
        rows = np.ascontiguousarray(rows[: len(below)])
        across = cv2.norm(rows[:, 1:], rows[:, :-1], cv2.NORM_L2SQR)
        down = cv2.norm(rows, np.ascontiguousarray(below), cv2.NORM_L2SQR)
        level = float(now.level[self._inside].mean()) + 8  # the light's strength must not count as sharpness
        value = (across + down) / max(rows.size, 1) / level**2
        elapsed = now.t_s - self._past[-1].t_s if self._past else 0.0
        self._peak = max(value, self._peak * float(np.exp(-max(elapsed, 0.0) / _PEAK_S)))
        return value / self._peak if self._peak > 0 else 1.0
