"""Where the camera stands: every settled picture is brought home, to the plane of the first one.

Convention: homographies are 3x3, float64, applied to column vectors (x, y, 1) in full-resolution pixels, and
map the current picture to home.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.watch.settings import WatchSettings
from vision.watch.ways import Gray, Homography, fit, follow, is_sane, mapped, scaled

__all__ = ["Place", "PlaceKind", "Placement"]

PlaceKind = Literal["same", "nudged", "moved", "lost"]
"""``same``: as before. ``nudged``: it drifted or sagged, and was followed. ``moved``: bumped or turned, and
found again. ``lost``: this picture cannot be brought home; another view, or the lens is covered."""

_QUICK_SIDE_PX = 480
_SIDE_PX = 960
_PATCH_PX = 24
"""Side of the patches in which two pictures are compared, pixels of the picture at hand."""
_ALIKE = 0.8
"""Correlation from which on two patches show the same."""
_DEFAULT_TILE_SHARE = 0.03
"""Width of a tile, in shares of the picture's, where no tile is known."""
_SURE = 0.5
"""Support from which on no other way is tried."""
_POSSIBLE = 0.3
"""Least support that is believed."""
_POSSIBLE_COARSE = 0.6
"""The same at half the size, where noise hides it at the whole."""
_LEAST_STRUCTURE = 2.0
"""Root mean square of a patch's detail, grey levels, below which it says nothing."""
_MANY_PATCHES, _NONE_STAYS = 20, 0.15
"""Of so many patches with structure, fewer than this share stay in another view."""
_FEW_PATCHES = 6
"""Fewer patches with structure do not tell whether the camera moved."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """How a settled picture lies to home."""

    t_s: float
    """The picture's time."""
    to_home: Homography
    """Current picture to home; for ``lost`` the last one that was known, not to be used on this picture."""
    kind: PlaceKind
    """What became of the camera's place since it was last said to have changed."""
    shift_px: float
    """How far the picture's points have shifted since then, root mean square over it; 0 if ``lost``,
    infinite where a picture of another size cannot be compared."""
    support: float
    """Share of the patches with any structure that agree after the shift, 0..1."""


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """A picture whose way home is known."""

    to_home: Homography
    quick: Floats
    gray: Gray
    flat: Gray
    """``gray`` with its contrast evened out."""
    spots: NDArray[np.float32]
    """Corners to follow, shape (N, 1, 2)."""

    @classmethod
    def of(cls, to_home: Homography, quick: Floats, gray: Gray) -> _Known:
        flat = _flat(gray)
        return cls(to_home, quick, gray, flat, _spots(flat))


def _flat(gray: Gray) -> Gray:
    return np.asarray(cv2.createCLAHE(3.0, (4, 4)).apply(gray), np.uint8)


def _spots(flat: Gray) -> NDArray[np.float32]:
    spots = cv2.goodFeaturesToTrack(flat, 400, 0.005, 9, blockSize=5)
    return np.zeros((0, 1, 2), np.float32) if spots is None else np.asarray(spots, np.float32)


def _reduce(luma: Gray, side_px: int) -> Gray:
    step = max(1, round(max(luma.shape) / side_px))
    height, width = (side // step for side in luma.shape)
    cut = luma[: height * step, : width * step]
    if step == 1:
        return np.ascontiguousarray(cut)
    return np.asarray(
        cv2.resize(np.ascontiguousarray(cut), (width, height), interpolation=cv2.INTER_AREA), np.uint8
    )


def _detail(gray: Gray) -> Floats:
    values = cv2.GaussianBlur(gray, (3, 3), 0).astype(np.float32)
    return np.asarray(values - cv2.blur(values, (15, 15)), np.float32)


def _patches(values: Floats) -> Floats:
    shape = (max(2, values.shape[1] // _PATCH_PX), max(2, values.shape[0] // _PATCH_PX))
    return np.asarray(cv2.resize(values, shape, interpolation=cv2.INTER_AREA), np.float32)


def _structured(detail: Floats) -> NDArray[np.bool_]:
    """Tell which patches have structure of their own."""
    return np.asarray(_patches(np.square(detail)) > _LEAST_STRUCTURE**2)


def _alike(one: Floats, two: Floats, valid: Floats | None = None) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the correlation of each patch, and which patches have structure to correlate."""
    weight = np.ones_like(one) if valid is None else valid
    a, b, ab = (
        _patches(np.asarray(x * y * weight, np.float32)) for x, y in ((one, one), (two, two), (one, two))
    )
    share = _patches(weight)
    least = _LEAST_STRUCTURE**2
    telling = (np.maximum(a, b) > least) & (share > 0.6)
    return np.asarray(ab / np.sqrt(np.maximum(a * b, 1e-6)), np.float32), telling


class Place:
    """Keeps the camera's place from settled picture to settled picture. Pictures must have one size."""

    def __init__(self, settings: WatchSettings | None = None) -> None:
        """Begin without a home: the first settled picture that is not blank will be it."""
        self._settings = settings or WatchSettings()
        self._home: _Known | None = None
        self._last: _Known | None = None
        self._quick: Floats = np.zeros((0, 0), np.float32)
        """The detail that is there unless the camera moves: the table fills, and what changes is taken over."""
        self._recent: Gray | None = None
        """The latest picture since ``_last`` in which the camera had not moved."""
        self._said = np.eye(3)
        self._size_wh = (0, 0)

    def settle(self, luma: Gray, t_s: float, quads_xy_px: NDArray[np.float32] | None = None) -> Placement:
        """Bring a settled picture home.

        ``luma`` (H, W) is the picture, ``quads_xy_px`` (N, 4, 2) the tiles known in it, which only say how
        large a tile is. A picture of another size than before begins a new home, as ``moved``.
        """
        size_wh = (luma.shape[1], luma.shape[0])
        other_size = self._home is not None and size_wh != self._size_wh
        if self._home is None or other_size:
            self._size_wh = size_wh
            gray = _reduce(luma, _SIDE_PX)
            quick = _detail(_reduce(luma, _QUICK_SIDE_PX))
            self._home = _Known.of(np.eye(3), quick, gray)
            self._keep(self._home)
            self._said = np.eye(3)
            if other_size:
                return Placement(t_s, np.eye(3), "moved", np.inf, 1.0)
            return Placement(t_s, np.eye(3), "same", 0.0, 1.0)
        assert self._last is not None
        quick = _detail(_reduce(luma, _QUICK_SIDE_PX))
        support = self._unmoved(quick)
        if support is not None:
            self._recent = luma
            return self._placed(t_s, self._last.to_home, support, quads_xy_px)
        found = self._find(_reduce(luma, _SIDE_PX), quick)
        if found is None and self._is_plain and not self._is_another_view(quick):
            # On a plain table nothing but what was laid there tells, and that comes and goes.
            self._quick, self._recent = quick, luma
            return self._placed(t_s, self._last.to_home, 0.0, quads_xy_px)
        if found is None:
            return Placement(t_s, self._last.to_home, "lost", 0.0, 0.0)
        known, support = found
        self._keep(known)
        return self._placed(t_s, known.to_home, support, quads_xy_px)

    @property
    def _is_plain(self) -> bool:
        """True where the first picture shows nothing by which its place could be known."""
        return self._home is not None and int(np.count_nonzero(_structured(self._home.quick))) < _FEW_PATCHES

    def _is_another_view(self, quick: Floats) -> bool:
        """True where much lay there, and next to nothing of it is to be seen: that was no hand."""
        had = _structured(self._quick)
        count = int(np.count_nonzero(had))
        stays = np.count_nonzero(had & (_alike(self._quick, quick)[0] > _ALIKE))
        return count >= _MANY_PATCHES and bool(stays < _NONE_STAYS * count)

    def _keep(self, known: _Known) -> None:
        self._last, self._quick, self._recent = known, known.quick, None

    def _placed(
        self, t_s: float, to_home: Homography, support: float, quads_xy_px: NDArray[np.float32] | None
    ) -> Placement:
        width, height = self._size_wh
        tile_px = _DEFAULT_TILE_SHARE * width
        if quads_xy_px is not None and len(quads_xy_px):
            quads = np.asarray(quads_xy_px, np.float64).reshape(-1, 4, 2)
            sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
            tile_px = float(np.median(sides.min(axis=1)))
        xs, ys = np.meshgrid(np.linspace(0, width, 5), np.linspace(0, height, 5))
        points = np.column_stack([xs.ravel(), ys.ravel()])
        apart = mapped(to_home, points) - mapped(self._said, points)
        shift_px = float(np.sqrt(np.mean(np.sum(apart**2, axis=1))))
        kind: PlaceKind = "same"
        if shift_px > max(self._settings.same_place * tile_px, 1.5):
            kind = "nudged" if shift_px <= self._settings.moved_place * tile_px else "moved"
            self._said = to_home
        return Placement(t_s, to_home, kind, shift_px, support)

    def _unmoved(self, quick: Floats) -> float | None:
        """Return the share of patches that stayed; None where that does not show that the camera did.

        What changed while it stayed is what the next picture is compared with.
        """
        before = self._quick
        if quick.shape != before.shape:
            return None
        like, telling = _alike(before, quick)
        # What is new on bare ground does not tell of the camera; what was there before does.
        had = _structured(before)
        count = int(np.count_nonzero(had))
        if count < _FEW_PATCHES:
            return None
        stays = had & (like > _ALIKE)
        support = float(np.count_nonzero(stays)) / count
        if support < 0.6:
            return None
        # One step of Lucas and Kanade in every patch that stayed: a sag of a fraction of a pixel shows, too.
        ix = cv2.Scharr(before, cv2.CV_32F, 1, 0, scale=1 / 32)
        iy = cv2.Scharr(before, cv2.CV_32F, 0, 1, scale=1 / 32)
        dt = quick - before
        xx, yy, xy, xt, yt = (
            _patches(np.asarray(p, np.float32)) for p in (ix * ix, iy * iy, ix * iy, ix * dt, iy * dt)
        )
        det = xx * yy - xy * xy
        good = stays & (det > 0.05 * np.square(xx + yy)) & (det > 1.0)
        if np.count_nonzero(good) < 4:
            total = [float(part[stays].sum()) for part in (xx, yy, xy, xt, yt)]
            whole = total[0] * total[1] - total[2] ** 2
            if whole <= 1e-3:
                self._take_over(quick, telling & ~stays)
                return support
            dx = [-(total[1] * total[3] - total[2] * total[4]) / whole]
            dy = [-(total[0] * total[4] - total[2] * total[3]) / whole]
        else:
            dx = list(-(yy * xt - xy * yt)[good] / det[good])
            dy = list(-(xx * yt - xy * xt)[good] / det[good])
        far = np.hypot(np.median(dx), np.median(dy))
        # The ends of the picture shift opposite ways when it turns or grows: the middle would not tell.
        spread = float(np.median(np.hypot(dx, dy)))
        if far >= 0.12 or spread >= 0.25:
            return None
        self._take_over(quick, telling & ~stays)
        return support

    def _take_over(self, quick: Floats, changed: NDArray[np.bool_]) -> None:
        size = (quick.shape[1], quick.shape[0])
        mask = cv2.resize(changed.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST).astype(bool)
        self._quick = np.where(mask, quick, self._quick)

    def _find(self, gray: Gray, quick: Floats) -> tuple[_Known, float] | None:
        """Return the picture with its way home, wherever it lies, and its support; None where it has none."""
        assert self._home is not None
        assert self._last is not None
        scale = round(self._size_wh[0] / gray.shape[1])
        flat = _flat(gray)
        best: tuple[Homography, float] | None = None
        via = self._home
        for known in self._seen_since():
            found = self._reach(gray, flat, known)
            if found is not None and (best is None or found[1] > best[1]):
                best = (np.asarray(scaled(known.to_home, 1 / scale) @ found[0], np.float64), found[1])
                via = known
            if best is not None and best[1] > _SURE:
                break
        if best is None or best[1] < _POSSIBLE:
            return None
        way, support = best
        if via is not self._home:
            # Straight to home where it can still be seen, so that small errors do not add up.
            direct = self._refine(flat, self._home, way)
            again = None if direct is None else self._support(gray, self._home.gray, direct)
            if direct is not None and again is not None and again > max(_POSSIBLE, 0.6 * support):
                way, support = direct, again
        return _Known(scaled(way / way[2, 2], scale), quick, gray, flat, _spots(flat)), support

    def _seen_since(self) -> Iterator[_Known]:
        """Pictures whose way home is known, the latest first."""
        assert self._home is not None
        assert self._last is not None
        if self._recent is not None:
            yield _Known.of(self._last.to_home, self._quick, _reduce(self._recent, _SIDE_PX))
        yield self._last
        if self._last is not self._home:
            yield self._home

    def _reach(self, gray: Gray, flat: Gray, known: _Known) -> tuple[Homography, float] | None:
        """Return the map to a known picture with its support: the near is tried first, then the dear."""
        best: tuple[Homography, float] | None = None
        for attempt in (self._track, self._match, self._align):
            way = attempt(flat, known)
            if way is None or not is_sane(way, (gray.shape[1], gray.shape[0])):
                continue
            refined = None if attempt == self._track else self._refine(flat, known, way)
            way = way if refined is None else refined
            support = self._support(gray, known.gray, way)
            if support is not None and (best is None or support > best[1]):
                best = way, support
            if best is not None and best[1] > _SURE:
                break
        return best

    def _track(self, flat: Gray, known: _Known) -> Homography | None:
        """Follow corners of a known picture to one that lies near it."""
        return follow(known.flat, flat, known.spots, levels=4)

    def _refine(self, flat: Gray, known: _Known, guess: Homography) -> Homography | None:
        """Return ``guess`` made exact by following corners over what little is left; None where none can be."""
        size_wh = (known.flat.shape[1], known.flat.shape[0])
        warped = np.asarray(cv2.warpPerspective(flat, guess, size_wh), np.uint8)
        valid = cv2.warpPerspective(np.full(flat.shape, 255, np.uint8), guess, size_wh)
        mask = cv2.erode(valid, np.ones((25, 25), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
        at = known.spots.reshape(-1, 2).astype(int)
        rest = follow(known.flat, warped, known.spots[mask[at[:, 1], at[:, 0]] > 0], levels=2)
        if rest is None or not is_sane(rest, size_wh):
            return None
        exact = np.asarray(rest @ guess, np.float64)
        return exact if is_sane(exact, size_wh) else None

    def _match(self, flat: Gray, known: _Known) -> Homography | None:
        """Match features, wherever the picture may have gone."""
        orb = cv2.ORB.create(nfeatures=1500, fastThreshold=8)
        spots, words = orb.detectAndCompute(flat, None)
        base_spots, base_words = orb.detectAndCompute(known.flat, None)
        if words is None or base_words is None or min(len(spots), len(base_spots)) < 12:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(words, base_words, k=2)
        kept = [p[0] for p in pairs if len(p) == 2 and p[0].distance < 0.8 * p[1].distance]
        if len(kept) < 10:
            return None
        here = np.array([spots[m.queryIdx].pt for m in kept], np.float32)
        there = np.array([base_spots[m.trainIdx].pt for m in kept], np.float32)
        return fit(here, there, 3.0)

    def _align(self, flat: Gray, known: _Known) -> Homography | None:
        """Align pictures almost without corners by all that they have: a shift first, then a turn."""
        small = [_detail(_reduce(picture, _SIDE_PX // 2)) for picture in (flat, known.flat)]
        if min(float(part.std()) for part in small) < 0.3:
            return None
        window = cv2.createHanningWindow((small[0].shape[1], small[0].shape[0]), cv2.CV_32F)
        (x0, y0), _ = cv2.phaseCorrelate(small[0], small[0], window)
        (dx, dy), response = cv2.phaseCorrelate(small[0], small[1], window)
        if response < 0.05:
            return None
        start = np.array([[1, 0, -(dx - x0)], [0, 1, -(dy - y0)]], np.float32)
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
        whole = np.full(small[0].shape, 255, np.uint8)
        try:
            _, warp = cv2.findTransformECC(small[1], small[0], start, cv2.MOTION_EUCLIDEAN, stop, whole, 5)
        except cv2.error:  # it does not converge
            warp = start
        back = np.linalg.inv(np.vstack([np.asarray(warp, np.float64), [0, 0, 1.0]]))
        return scaled(np.asarray(back, np.float64), flat.shape[1] / small[0].shape[1])

    def _support(self, gray: Gray, base: Gray, way: Homography) -> float | None:
        """Return the share of telling patches that agree with ``gray`` laid on ``base``; None if few tell.

        In a dark picture every patch seems to tell, and tells of noise; smaller pictures have less of it.
        """
        fine = self._agreeing(gray, base, way)
        if fine is not None and fine >= _POSSIBLE:
            return fine
        small, below = (_reduce(picture, max(picture.shape) // 2) for picture in (gray, base))
        coarse = self._agreeing(small, below, scaled(way, 0.5))
        return coarse if coarse is not None and coarse >= _POSSIBLE_COARSE else fine

    def _agreeing(self, gray: Gray, base: Gray, way: Homography) -> float | None:
        size = (base.shape[1], base.shape[0])
        warped = np.asarray(cv2.warpPerspective(gray, way, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
        valid = cv2.warpPerspective(np.ones(gray.shape, np.float32), way, size)
        like, telling = _alike(_detail(base), _detail(warped), np.asarray(valid, np.float32))
        count = int(np.count_nonzero(telling))
        if count < 4 or float(valid.mean()) < 0.15:
            return None
        return float(np.count_nonzero(telling & (like > 0.6))) / count
