"""What colour arms have where they cross the rim, sleeve or skin: beside their place, that tells who acts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Picture", "SeatTones", "Tone", "ToneSense", "mostly_right"]

Tone = NDArray[np.float32]
"""A colour in Lab, shape (3,), in the light in which the table lay bare."""
Picture = Callable[[], NDArray[np.uint8]]
"""Makes a frame in colour, shape (h, w, 3)."""
_Key = tuple[int, tuple[int, ...], tuple[int, ...]]

_PER_CELL = 4
"""Pixels of the reduced picture along a cell of the gate's grid."""
_APART_S = 0.15
"""Between two samples; an arm shows the hand first, then the sleeve."""
_MOST_SAMPLES = 5
"""Of one reach: every one costs a picture in colour."""
_OTHERWISE = 9.0
"""Levels of Lab from which on a pixel is not the table's."""
_SPARSE = 3
"""The light is asked at every so-manieth pixel of the reduced picture."""
_NEAR_CELLS, _AT_RIM_CELLS = 6.0, 1.0
"""Within so many cells of the rim an arm is looked at, and has to cross it."""
_LEAST_NEAR, _LEAST_AT_RIM = 12, 3
"""Reduced pixels that have to be an arm there."""
_BESIDE_BINS = 2
"""An arm sways by so many directions to either side."""

_KEPT = 48
"""So many samples of a seat are remembered."""
_MOST_KEPT = 256
"""Answers that are kept until something is learnt: the same is asked with every frame."""
_LEAST_KNOWN = 6
"""Samples that each seat has to have shown before any is told by them: all bare arms look alike."""
_LEARNT = 4
"""Samples that are kept of one reach."""
_SPREADS = np.array([[3.5, 2.5, 2.5], [9.0, 6.0, 6.0]])
"""How far an arm's colour strays from one reach to the next, and in light and shade, of as many samples each:
standard deviations in Lab."""
_ANY_COLOUR = 1 / (60.0 * 60.0 * 80.0)
"""Density of colours where nothing is known."""
_UNSEEN_YET = 4.0
"""So many samples count for colours that a seat has not shown yet."""
_ALIKE = 0.5
"""Share of seats that look like one of those that have shown themselves."""
_STRANGE = 0.1
"""Share of samples that show something else: a tile, a shadow, another one's arm."""
_LEAST_TELL, _TELLS = 2, 3
"""One sample may show something else; so many are believed each for itself, more of them say the same again."""
_MOST = 2.5
"""Natural logarithm of how many times as likely colours make one seat than another, at most."""
_TOLD, _FORGIVEN = 24, 1
"""Of so many turns whose player was known it is kept whether colours named it; one miss is forgiven, since a
hand comes first, its sleeve later."""
_HITS_A_MISS = 3
"""Whoever is believed must have been right so many times as often as wrong."""


class ToneSense:
    """Samples the colour of arms that cross the rim, against the table as it lay before."""

    def __init__(self) -> None:
        """Begin without any picture of the table."""
        self._bare: tuple[NDArray[np.uint8], float] | None = None
        self._ground: NDArray[np.float32] | None = None
        """The same reduced, once something crosses the rim."""
        self._last_s = -1e9
        self.samples: list[tuple[int, Tone]] = []
        """Of the reach under way: the direction, as a bin, and the colour."""

    def lies_bare(self, image_bgr: NDArray[np.uint8], cell_px: float) -> None:
        """Take in a picture, (h, w, 3), over which nothing reaches in; ``cell_px`` is the side of a cell."""
        self._bare, self._ground = (image_bgr, cell_px), None

    def begin(self) -> None:
        """Hands begin to reach in."""
        self.samples = []

    def crossing(
        self,
        t_s: float,
        picture: Picture,
        crossed: NDArray[np.bool_],
        bins: NDArray[np.intp],
        depth: NDArray[np.float32],
        cell_px: float,
    ) -> None:
        """Sample arms that cross the rim in these directions, (n,), each a bin.

        ``bins`` and ``depth``, (h, w), are the direction of each cell and how many cells it is from the rim,
        0 where it is not watched.
        """
        if self._bare is None or t_s - self._last_s < _APART_S or len(self.samples) >= _MOST_SAMPLES:
            return
        self._last_s = t_s
        if self._ground is None:
            self._ground = _reduced(*self._bare)
        now = _reduced(picture(), cell_px)
        if now.shape != self._ground.shape:
            return
        away = now - self._ground
        light = np.median(away[::_SPARSE, ::_SPARSE].reshape(-1, 3), axis=0)
        now, away = now - light, away - light
        other = (np.maximum.reduce([np.abs(one) for one in cv2.split(away)]) > _OTHERWISE).astype(np.uint8)
        other = cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        bins = bins.repeat(_PER_CELL, axis=0).repeat(_PER_CELL, axis=1)
        depth = depth.repeat(_PER_CELL, axis=0).repeat(_PER_CELL, axis=1)
        height, width = (min(sides) for sides in zip(other.shape, depth.shape, strict=True))
        bins, depth = bins[:height, :width], depth[:height, :width]
        now, near = now[:height, :width], (other[:height, :width] > 0) & (depth <= _NEAR_CELLS) & (depth > 0)
        for at in np.flatnonzero(crossed):
            apart = np.abs((bins - at + len(crossed) // 2) % len(crossed) - len(crossed) // 2)
            arm = near & (apart <= _BESIDE_BINS)
            at_rim = np.count_nonzero(arm & (depth <= _AT_RIM_CELLS))
            if at_rim >= _LEAST_AT_RIM and np.count_nonzero(arm) >= _LEAST_NEAR:
                self.samples.append((int(at), np.asarray(np.median(now[arm], axis=0), np.float32)))

    def moved(self, across: NDArray[np.bool_], home: int) -> None:
        """What came from these directions, (n,), came from ``home``."""
        self.samples = [(home if across[at] else at, tone) for at, tone in self.samples]

    def of(self, own: Sequence[int] | NDArray[np.intp]) -> tuple[Tone, ...]:
        """Return the samples from these directions."""
        return tuple(tone for at, tone in self.samples if at in own)


class SeatTones:
    """The colours that the arms of each seat have shown."""

    def __init__(self, seats: int) -> None:
        """Begin with ``seats`` players of whom nobody knows any."""
        self._seen: list[deque[Tone]] = [deque(maxlen=_KEPT) for _ in range(seats)]
        self._told: deque[bool] = deque(maxlen=_TOLD)
        self._kept: dict[_Key, tuple[tuple[Tone, ...], NDArray[np.float64]]] = {}
        """What was found of samples by their identity, with the samples, which so stay what they are."""

    def learn(self, seat: int, tones: Sequence[Tone]) -> None:
        """Take in the samples of a reach that is known to be a seat's."""
        self._seen[seat].extend(_some(tones, _LEARNT))
        self._kept.clear()

    def check(self, seat: int, reaches: Sequence[Sequence[Tone]]) -> None:
        """Compare what the reaches of a turn say with whose it is known to be, before they are learnt."""
        said = np.zeros(len(self._seen))
        for tones in reaches:
            said = said + self._said(tones)
        best = int(said.argmax())
        if np.count_nonzero(said >= said[best] - np.log(2)) == 1:
            self._told.append(best == seat)

    def evidence(
        self, tones: Sequence[Tone], own: tuple[int, Sequence[Tone]] | None = None
    ) -> NDArray[np.float64]:
        """Return for each seat, (n,), the logarithm of how likely it makes one person's samples, up to a sum.

        ``own``: a seat, and samples that are taken for its own besides those that were learnt.
        """
        if min(map(len, self._seen)) < _LEAST_KNOWN or not mostly_right(self._told, _FORGIVEN):
            return np.zeros(len(self._seen))
        return self._said(tones, own)

    def _said(
        self, tones: Sequence[Tone], own: tuple[int, Sequence[Tone]] | None = None
    ) -> NDArray[np.float64]:
        seat, more = own if own is not None else (-1, ())
        key = seat, tuple(map(id, tones)), tuple(map(id, more))
        if key not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = (*tones, *more), self._compared(tones, seat, more)
        return self._kept[key][1]

    def _compared(self, tones: Sequence[Tone], own: int, more: Sequence[Tone]) -> NDArray[np.float64]:
        if len(tones) < _LEAST_TELL:
            return np.zeros(len(self._seen))
        some = np.stack(_some(tones, _MOST_SAMPLES))
        shown = [[*seen, *(more if seat == own else ())] for seat, seen in enumerate(self._seen)]
        counts = np.array([len(seen) for seen in shown])
        known = counts > 0
        if not known.any():
            return np.zeros(len(self._seen))
        densities = np.stack([_nearness(some, seen) / max(len(seen), 1) for seen in shown])
        logs = np.log((1 - _STRANGE) * densities / _ANY_COLOUR + _STRANGE).mean(axis=1)
        alike = np.exp(logs * min(len(some), _TELLS))
        # Who has not shown all may well wear what another one does, or bare skin; or anything.
        unseen = _ALIKE * alike[known].max() + (1 - _ALIKE)
        share = _UNSEEN_YET / (counts + _UNSEEN_YET)
        said = np.log((1 - share) * np.where(known, alike, 0) + share * unseen)
        return np.asarray(np.maximum(said - said.max(), -_MOST))


def mostly_right(told: Sequence[bool], forgiven: int = 0) -> bool:
    """Say whether what was told was right often enough to be believed, but for so many misses."""
    hits = sum(told)
    return hits >= _HITS_A_MISS * (len(told) - hits - forgiven)


def _nearness(some: NDArray[np.float32], known: Sequence[Tone]) -> NDArray[np.float64]:
    """Return the sum of the densities of these samples, (n, 3), around each of those that are known, (n,)."""
    if not known:
        return np.zeros(len(some))
    off = some[:, None] - np.stack(known)[None]
    peaks = (2 * np.pi) ** 1.5 * _SPREADS.prod(axis=1)
    by_spread = [np.exp(-((off / spread) ** 2).sum(axis=2) / 2).sum(axis=1) for spread in _SPREADS]
    return np.asarray((np.stack(by_spread, axis=1) / peaks).mean(axis=1))


def _some(tones: Sequence[Tone], most: int) -> list[Tone]:
    """Return so many of them at most, evenly over the reach."""
    if len(tones) <= most:
        return list(tones)
    return [tones[at] for at in np.linspace(0, len(tones) - 1, most).astype(int)]


def _reduced(image_bgr: NDArray[np.uint8], cell_px: float) -> NDArray[np.float32]:
    """Return the picture in Lab, (h, w, 3), with so many pixels to a cell."""
    step = max(1, round(cell_px / _PER_CELL))
    height, width = (side // step for side in image_bgr.shape[:2])
    half = image_bgr[: height * step : max(1, step // 2), : width * step : max(1, step // 2)]
    small = cv2.resize(half, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), np.float32)
