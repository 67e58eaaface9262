"""Senses from where hands reach in, in the cells of a film's changes; see :mod:`vision.watch.reach`."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.watch.reach import Arm, Grid, Reach, Stirred
from vision.watch.tones import Picture, ToneSense

__all__ = ["ReachSense"]

_BINS = 36
_RIM_CELLS = 2
"""Cells from the rim within which an arm crosses it."""
_LEAST_DEPTH = 0.15
"""Share of the way to the middle that must be reached: those who sort their racks at the rim reach less far."""
_CLOSE = np.ones((5, 5), np.uint8)
"""An even sleeve changes at its edges only."""
_ARM_BINS = 2
"""An arm sways by so many bins to either side."""
_SWAYED = (np.arange(_BINS)[:, None] + np.arange(-_ARM_BINS, _ARM_BINS + 1)) % _BINS
"""Of each direction, as a bin, those to which it sways,"""
_BESIDE = (np.arange(_BINS)[:, None] + np.array([0, -1, 1])) % _BINS
"""and itself with the two beside it."""
_ONE_ARM_BINS = 4
"""It does not cross the rim in two places farther apart than so many."""
_LEAST_RIM = 2
"""Cells of the rim that an arm crosses at least."""
_LEAST_ARM = 0.1
"""An arm is at least this share of all that came in."""
_INSIDE_CELLS, _STIRRED_CELLS = 5, 6
"""What first crosses a rim where, within so many cells of it, as many were stirred before comes from inside."""
_PAUSE_S = 0.4
"""Hands that rest over the table for no longer come from where they came before."""
_BEHIND_CELLS = 8.0
"""So far behind the rim, along the arm, is whoever reaches in: to a far corner it crosses the rim elsewhere."""
_ARM_CELLS, _LEAST_SEEN = 12.0, 4
"""Cells of an arm within so many of where it crosses the rim tell how it lies, if so many are seen."""


class ReachSense:
    """Follows which cells of the gate's grid change, frame by frame, while something moves."""

    def __init__(self) -> None:
        """Begin with nothing moving."""
        self._weight = np.zeros(_BINS)
        self._behind = np.zeros(_BINS, np.complex128)
        """Of what crosses the rim in each direction, from where it comes behind it, by that weight."""
        self._begin_s: float | None = None
        self._end_s = 0.0
        self._frames = 0
        self._swept = np.zeros((_BINS, 0, 0), np.bool_)
        self._shared = self._swept
        self._crossed = np.zeros(_BINS, np.intp)
        self._from_inside, self._first, self._last = np.zeros((3, _BINS), np.bool_)
        self._stirred: Grid = self._swept[0]
        self._all_seen = True
        self._cell_px = 1.0
        self._inside: Grid | None = None
        self._bins = np.zeros((0, 0), np.intp)
        self._depth = np.zeros((0, 0), np.float32)
        self._middle, self._half = np.zeros((2, 2))
        self._tones = ToneSense()

    def lies_bare(self, image_bgr: NDArray[np.uint8], cell_px: float) -> None:
        """Take in a picture, (h, w, 3), over which nothing reaches in."""
        self._tones.lies_bare(image_bgr, cell_px)

    def moving(
        self,
        t_s: float,
        changed: Grid | None,
        inside: Grid,
        cell_px: float = 1.0,
        crept: Grid | None = None,
        picture: Picture | None = None,
    ) -> Reach:
        """Take in a frame in which something moves; return the reach so far.

        ``changed`` are the cells that changed in the area, bool (h, w); None where that cannot be told, because
        the camera shakes or the light changes. ``inside`` are the cells of the area itself, ``cell_px`` is
        their side. ``crept`` are those that are otherwise than a while ago, where that is known.
        """
        if self._begin_s is None or self._stirred.shape != inside.shape:
            self._begin_s, self._frames = t_s, 0
            self._weight[:] = self._behind[:] = 0
            self._crossed[:] = 0
            if t_s - self._end_s > _PAUSE_S or self._stirred.shape != inside.shape:
                self._from_inside, self._first = np.zeros((2, _BINS), np.bool_)
            self._last = np.zeros(_BINS, np.bool_)
            self._swept, self._shared = np.zeros((2, _BINS, *inside.shape), np.bool_)
            self._stirred, self._all_seen = np.zeros(inside.shape, np.bool_), True
            self._tones.begin()
        self._end_s, self._cell_px = t_s, cell_px
        if changed is None:
            self._all_seen = False
        else:
            crossed = self._take(changed, inside)
            if picture is not None and crossed.any():
                self._tones.crossing(t_s, picture, crossed, self._bins, self._depth, cell_px)
            self._stirred |= changed if crept is None else changed | crept
        return self._so_far()

    def still(self) -> Reach | None:
        """Nothing moves any more: return the reach that is over, if there was one."""
        if self._begin_s is None:
            return None
        swept = np.any(self._swept | self._shared, axis=0)
        stirred = Stirred(self._stirred, self._cell_px, self._inside, swept) if self._all_seen else None
        self._reached_across()
        reach = replace(self._so_far(), arms=self._arms(), stirred=stirred)
        self._begin_s = None
        return reach

    def _arms(self) -> tuple[Arm, ...]:
        """What came in, the strongest first."""
        rest, whole = self._weight.copy(), float(self._weight.sum())
        arms = []
        while whole and float(rest.max()) > 0:
            around = _SWAYED[int(_with_beside(rest).argmax())]
            weight = float(rest[around].sum())
            if weight >= _LEAST_ARM * whole:
                own = around[rest[around] > 0]
                swept, shared = (np.any(by_bin[own], axis=0) for by_bin in (self._swept, self._shared))
                direction = float(np.angle(self._behind[own].sum()))
                frames = int(self._crossed[around].sum())
                cells = np.asarray(swept), np.asarray(shared), self._cell_px
                arms.append(Arm(direction, weight / whole, frames, *cells, self._tones.of(own)))
            rest[around] = 0
        return tuple(arms)

    def _so_far(self) -> Reach:
        assert self._begin_s is not None
        whole = float(self._weight.sum())
        if not whole:
            return Reach(self._begin_s, self._end_s, None)
        near = _with_beside(self._weight)
        peak = int(near.argmax())
        around = _BESIDE[peak]
        direction = float(np.angle(self._behind[around].sum()))
        share, tones = float(near[peak]) / whole, self._tones.of(around)
        return Reach(self._begin_s, self._end_s, direction, share, self._frames, tones=tones)

    def _take(self, changed: Grid, inside: Grid) -> NDArray[np.bool_]:
        """Take in the cells that changed; return in which directions, (bins,), something crosses the rim."""
        if (
            self._inside is None
            or self._inside.shape != inside.shape
            or not np.array_equal(self._inside, inside)
        ):
            self._measure(inside)
        closed = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, _CLOSE)
        count, labels = cv2.connectedComponents(closed, connectivity=8)
        at_rim = (self._depth <= _RIM_CELLS) & inside
        half = float(self._depth.max())
        crossed = np.zeros(_BINS, np.bool_)
        before = _swayed(self._crossed > 0)
        for label in range(1, count):
            blob = labels == label
            rim = blob & at_rim
            deep = float(self._depth[blob].max()) / max(half, 1.0)
            if np.count_nonzero(rim) < _LEAST_RIM or deep < _LEAST_DEPTH:
                continue
            came_at = self._directions(rim)
            crossed[came_at] = True
            alone = len(came_at) == 1
            behind = self._behind_rim(blob, rim) if alone else _towards(np.array(came_at))
            for at, towards in zip(came_at, behind, strict=True):
                self._weight[at] += deep * deep / len(came_at)
                self._behind[at] += towards * deep * deep / len(came_at)
                self._crossed[at] += 1
            for at, cells in self._parts(changed & blob, at_rim) if not alone else []:
                self._swept[at] |= cells
                blob = blob & ~cells
            kept = self._swept if alone else self._shared
            kept[came_at] |= blob
        if crossed.any():
            self._frames += 1
            self._first = self._first if self._first.any() else crossed
            self._last = crossed
            self._see_from_where(crossed & ~before, inside)
        return crossed

    def _see_from_where(self, new: NDArray[np.bool_], inside: Grid) -> None:
        """Note which of the directions that are crossed for the first time, (bins,), come from inside."""
        near_rim = inside & self._stirred & (self._depth > _RIM_CELLS)
        near_rim &= self._depth <= _RIM_CELLS + _INSIDE_CELLS
        for at in np.flatnonzero(new):
            beside = _swayed(np.arange(_BINS) == at)
            if np.count_nonzero(near_rim & beside[self._bins]) >= _STIRRED_CELLS:
                self._from_inside |= beside

    def _reached_across(self) -> None:
        """Take what came from one place of the rim, went back there and reached another between for one arm."""
        home = _swayed(self._first) & self._last
        across = self._from_inside & ~_swayed(home)
        if not home.any() or not (self._weight * across).any():
            return
        at = int(np.where(home, self._weight, -1.0).argmax())
        self._behind[at] *= 1 + self._weight[across].sum() / max(self._weight[at], 1e-9)
        self._behind[across] = 0
        for kept in (self._weight, self._crossed):
            kept[at] += kept[across].sum()
            kept[across] = 0
        for cells in (self._swept, self._shared):
            cells[at] |= np.any(cells[across], axis=0)
            cells[across] = False
        self._tones.moved(across, at)

    def _parts(self, changed: Grid, at_rim: Grid) -> list[tuple[int, Grid]]:
        """Return what hangs together of the changed cells and comes from one direction, with that direction."""
        count, labels = cv2.connectedComponents(changed.astype(np.uint8), connectivity=8)
        parts = []
        for label in range(1, count):
            part = labels == label
            if np.count_nonzero(part & at_rim) < _LEAST_RIM:
                continue
            came_at = self._directions(part & at_rim)
            if len(came_at) == 1:
                parts.append((came_at[0], part))
        return parts

    def _behind_rim(self, blob: Grid, rim: Grid) -> NDArray[np.complex128]:
        """Return where whoever reaches in is, (1,): behind these cells of the rim, along the arm."""
        crosses = np.argwhere(rim).mean(axis=0)[::-1]
        arm = np.argwhere(blob & (self._depth > _RIM_CELLS))[:, ::-1]
        arm = arm[np.linalg.norm(arm - crosses, axis=1) <= _ARM_CELLS]
        way = (arm.mean(axis=0) if len(arm) >= _LEAST_SEEN else self._middle) - crosses
        x, y = (crosses - _BEHIND_CELLS * way / max(float(np.hypot(*way)), 1e-6) - self._middle) / self._half
        return np.asarray([np.exp(1j * np.arctan2(y, x))])

    def _directions(self, rim: Grid) -> list[int]:
        """Return the directions, as bins, from which what crosses these cells of the rim comes."""
        count, parts = cv2.connectedComponents(rim.astype(np.uint8), connectivity=8)
        cells = [self._bins[parts == part] for part in range(1, count)]
        middles = [_middle(part) for part in cells if len(part) >= _LEAST_RIM]
        apart = [abs((one - other + _BINS // 2) % _BINS - _BINS // 2) for one in middles for other in middles]
        if max(apart, default=0) <= _ONE_ARM_BINS:
            return [_middle(self._bins[rim])]
        return sorted(set(middles))

    def _measure(self, inside: Grid) -> None:
        """Say for each cell how far from the rim it lies, and in which direction from the middle."""
        self._inside = inside.copy()
        padded = cv2.copyMakeBorder(inside.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
        self._depth = np.asarray(cv2.distanceTransform(padded, cv2.DIST_C, 3)[1:-1, 1:-1], np.float32)
        ys, xs = np.nonzero(inside)
        low, high = np.array([xs.min(), ys.min()]), np.array([xs.max(), ys.max()])
        middle, half = (low + high) / 2, np.maximum((high - low) / 2, 1.0)
        rows, columns = np.mgrid[0 : inside.shape[0], 0 : inside.shape[1]]
        self._middle, self._half = middle, half
        angle = np.arctan2((rows - middle[1]) / half[1], (columns - middle[0]) / half[0]) % (2 * np.pi)
        self._bins = np.asarray((angle / (2 * np.pi) * _BINS).astype(np.intp) % _BINS)


def _swayed(bins: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return directions (bins,) with those beside them to which an arm sways."""
    return np.asarray(bins[_SWAYED].any(axis=1))


def _with_beside(weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weight (bins,) of each direction and the two beside it."""
    return np.asarray(weight[_BESIDE].sum(axis=1))


def _towards(bins: NDArray[np.intp]) -> NDArray[np.complex128]:
    """Return the middles of directions given as bins, as complex numbers of length one."""
    return np.asarray(np.exp(2j * np.pi * (bins + 0.5) / _BINS))


def _middle(bins: NDArray[np.intp]) -> int:
    """Return the mean of directions given as bins, as a bin."""
    return int(float(np.angle(_towards(bins).mean())) % (2 * np.pi) / (2 * np.pi) * _BINS) % _BINS
