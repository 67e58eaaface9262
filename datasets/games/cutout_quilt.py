"""Grows a picture from pieces of others: quilting with seams cut where two pieces agree best.

After Efros and Freeman's image quilting, with graph cuts for seams of any shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

__all__ = ["Sample", "quilt"]

Map = NDArray[Any]  # float32

_MATCH_PX: Final = 40
"""Pieces are compared no finer than this many pixels across."""
_TOLERANCE: Final = 1.15
"""Pieces that fit worse than the best by up to this factor may be taken."""
_MOST_SHIFT: Final = 0.12
"""A piece is made brighter or darker by no more than this, sRGB 0..1."""
_LEAST_PX: Final = 12
"""No piece is smaller."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A picture to take pieces from."""

    rgb: Map
    """Shape (H, W, 3), 0..1."""
    usable: NDArray[np.bool_]
    """Shape (H, W): what may be taken."""


def quilt(samples: list[Sample], size_wh: tuple[int, int], piece_px: int, rng: Generator) -> Map:
    """Return a picture (H, W, 3) of the wanted size.

    The first sample is laid down as it is, as much as there is room for; what it leaves open is filled with
    pieces of all samples.

    Args:
        samples: the first is the one to look like.
        size_wh: width and height of the result.
        piece_px: width of a piece, where the samples hold pieces so large.
        rng: settles which of the fitting pieces are taken.

    Raises:
        ValueError: no sample has a usable piece.
    """
    width, height = size_wh
    piece = _largest_piece(samples, min(piece_px, width, height))
    around = piece  # room to work beyond the borders
    canvas = np.zeros((height + 2 * around, width + 2 * around, 3), np.float32)
    known = np.zeros(canvas.shape[:2], bool)
    _lay_first(canvas, known, samples[0], piece, rng)
    scale = min(1.0, _MATCH_PX / piece)
    library = _Library(samples, piece, scale)
    wanted = np.zeros_like(known)
    wanted[around:-around, around:-around] = True
    while True:
        corner = _next_place(known, wanted, piece)
        if corner is None:
            break
        _fill(canvas, known, corner, piece, library, rng)
    return np.clip(canvas[around:-around, around:-around], 0, 1)


class _Library:
    """All usable pieces, small, with how often what is near them was taken."""

    def __init__(self, samples: list[Sample], piece: int, scale: float) -> None:
        self.samples, self.piece, self.scale = samples, piece, scale
        self.small_piece = max(4, round(piece * scale))
        self.small: list[Map] = []
        self.cost: list[Map] = []
        for sample in samples:
            small = cv2.resize(sample.rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            whole = cv2.erode(sample.usable.astype(np.uint8), np.ones((3, 3), np.uint8))
            usable = cv2.resize(whole, small.shape[1::-1], interpolation=cv2.INTER_AREA)
            self.small.append(np.asarray(small, np.float32))
            self.cost.append(_window_cost(usable, self.small_piece))

    def best(self, target: Map, known: NDArray[np.bool_], rng: Generator) -> tuple[int, int, int]:
        """Return sample, x and y (full size) of a piece that goes on well from what is known of ``target``."""
        side = self.small_piece
        template = cv2.resize(target, (side, side), interpolation=cv2.INTER_AREA)
        weight = cv2.resize(known.astype(np.float32), (side, side), interpolation=cv2.INTER_AREA)
        sure = np.repeat((weight > 0.99)[..., None], 3, axis=2).astype(np.float32)
        area = max(float(sure.sum()), 1.0)
        fits = []
        for small, cost in zip(self.small, self.cost, strict=True):
            if cost.size and np.isfinite(cost).any():
                misfit = cv2.matchTemplate(small, template, cv2.TM_SQDIFF, mask=sure) if area > 1 else 0 * cost
                fits.append(np.maximum(misfit / area, 0) + cost)
            else:
                fits.append(np.full((1, 1), np.inf, np.float32))
        least = min(float(fit.min()) for fit in fits)
        good = [np.argwhere(fit <= least * _TOLERANCE + 1e-5) for fit in fits]
        pick = int(rng.integers(sum(map(len, good))))
        for k, places in enumerate(good):
            if pick < len(places):
                y, x = (int(v) for v in places[pick])
                self._used(k, x, y)
                sample = self.samples[k].rgb
                return (
                    k,
                    int(np.clip(round(x / self.scale), 0, sample.shape[1] - self.piece)),
                    int(np.clip(round(y / self.scale), 0, sample.shape[0] - self.piece)),
                )
            pick -= len(places)
        raise AssertionError("a pick lies among the places it was drawn from")

    def _used(self, k: int, x: int, y: int) -> None:
        """Make what was just taken dearer, so that no repetition strikes the eye."""
        cost = self.cost[k]
        rows, columns = np.ogrid[0 : cost.shape[0], 0 : cost.shape[1]]
        near = np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / (2 * (0.4 * self.small_piece) ** 2))
        spread = float(np.var(self.small[k]))
        cost += np.where(np.isfinite(cost), 0.4 * spread * near, 0).astype(np.float32)


def _window_cost(usable: NDArray[Any], side: int) -> Map:
    """Return 0 where a window whose upper left is there is usable, infinity elsewhere."""
    if min(usable.shape) < side:
        return np.zeros((0, 0), np.float32)
    total = cv2.integral((usable > 0).astype(np.uint8))
    count = total[side:, side:] - total[:-side, side:] - total[side:, :-side] + total[:-side, :-side]
    return np.where(count == side * side, 0, np.inf).astype(np.float32)


def _largest_piece(samples: list[Sample], wanted: int) -> int:
    """Return the largest width of piece, up to the wanted one, of which there are enough to choose from."""
    piece = wanted
    while piece >= _LEAST_PX:
        choice = sum(
            int(np.isfinite(_window_cost(sample.usable.astype(np.uint8), piece)).sum()) for sample in samples
        )
        if choice > 4 * piece:
            return piece
        piece = int(piece * 0.8)
    raise ValueError("no sample is usable")


def _lay_first(canvas: Map, known: NDArray[np.bool_], sample: Sample, piece: int, rng: Generator) -> None:
    """Lay the sample on the canvas, at random where one is larger than the other."""
    here, there = [], []
    for large, small in zip(canvas.shape[:2], sample.usable.shape, strict=True):
        if small >= large:
            start = int(rng.integers(small - large + 1))
            here.append(slice(0, large))
            there.append(slice(start, start + large))
        else:
            start = int(rng.integers(large - small + 1))
            here.append(slice(start, start + small))
            there.append(slice(0, small))
    canvas[here[0], here[1]] = sample.rgb[there[0], there[1]]
    known[here[0], here[1]] = sample.usable[there[0], there[1]] & _ragged(canvas.shape[:2], here, piece, rng)


def _ragged(shape: tuple[int, ...], here: list[slice], piece: int, rng: Generator) -> NDArray[np.bool_]:
    """Return what to keep (H, W) of a rectangle on the canvas, for a straight edge there strikes the eye."""
    laid = np.zeros(shape, np.uint8)
    laid[here[0], here[1]] = 1
    inside = cv2.distanceTransform(laid, cv2.DIST_L2, 5)[here[0], here[1]]
    waves = cv2.GaussianBlur(rng.normal(0, 1, inside.shape).astype(np.float32), (0, 0), 0.12 * piece)
    depth = 0.2 * piece * (1.2 + waves / max(float(waves.std()), 1e-6))
    return np.asarray(inside > depth) if not laid.all() else np.ones(inside.shape, bool)


def _next_place(known: NDArray[np.bool_], wanted: NDArray[np.bool_], piece: int) -> tuple[int, int] | None:
    """Return the corner (x, y) of the window in which most is known beside something open; None when done."""
    open_ = wanted & ~known
    if not open_.any():
        return None
    step = max(1, piece // 12)
    sums = [np.asarray(cv2.integral(mask.astype(np.uint8)), np.int64) for mask in (known, open_)]
    last_y, last_x = known.shape[0] - piece, known.shape[1] - piece
    y, x = np.meshgrid(np.arange(0, last_y + 1, step), np.arange(0, last_x + 1, step), indexing="ij")
    held, gaps = (s[y + piece, x + piece] - s[y, x + piece] - s[y + piece, x] + s[y, x] for s in sums)
    # Enough overlap leaves a seam room to wind; more is slow.
    share = held / piece**2
    worth = np.minimum(gaps / piece**2, 0.5) - 3 * np.maximum(0.45 - share, 0)
    worth = np.where(gaps > 0, worth, -np.inf)
    if not np.isfinite(worth).any():
        rows, columns = np.nonzero(open_)
        return int(np.clip(columns[0] - piece // 2, 0, last_x)), int(np.clip(rows[0] - piece // 2, 0, last_y))
    k = int(np.argmax(worth))
    return int(x.flat[k]), int(y.flat[k])


def _fill(
    canvas: Map,
    known: NDArray[np.bool_],
    corner: tuple[int, int],
    piece: int,
    library: _Library,
    rng: Generator,
) -> None:
    """Lay the piece that fits best into a window of the canvas."""
    x, y = corner
    window = np.s_[y : y + piece, x : x + piece]
    held = known[window].copy()
    k, from_x, from_y = library.best(canvas[window], held, rng)
    new = library.samples[k].rgb[from_y : from_y + piece, from_x : from_x + piece].copy()
    if held.any():
        new += _difference(canvas[window], new, held)
        taken = _seam(canvas[window], new, held)
        soft = cv2.GaussianBlur(taken.astype(np.float32), (0, 0), 1.0)[..., None]
        soft = np.where(held[..., None], soft, 1.0)
        new = canvas[window] * (1 - soft) + new * soft
    canvas[window] = new
    known[window] = True


def _difference(old: Map, new: Map, held: NDArray[np.bool_]) -> Map:
    """Return what makes the new piece as bright as what is there, slowly changing, shape (H, W, 3)."""
    weight = held.astype(np.float32)
    apart = (old - new) * weight[..., None]
    total, share = np.zeros_like(apart), np.full(held.shape, 1e-6, np.float32)
    for sigma, trust in ((0.3, 1.0), (1.0, 0.02)):
        total += trust * cv2.GaussianBlur(apart, (0, 0), sigma * held.shape[0])
        share += np.float32(trust) * cv2.GaussianBlur(weight, (0, 0), sigma * held.shape[0])
    return np.asarray(np.clip(total / share[..., None], -_MOST_SHIFT, _MOST_SHIFT), np.float32)


def _seam(old: Map, new: Map, held: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return where the new piece is to be seen (H, W): everywhere open, and up to the least visible seam."""
    if held.all():
        held = held.copy()
        middle = old.shape[0] // 2
        held[middle - 1 : middle + 1, middle - 1 : middle + 1] = False
    frame = 2
    padded = [_framed(part, frame) for part in (old, new)]
    mask_old = _framed((held * 255).astype(np.uint8), frame)
    mask_new = np.zeros_like(mask_old)
    mask_new[frame:-frame, frame:-frame] = 255
    finder = cv2.detail.GraphCutSeamFinder("COST_COLOR")
    umat: Any = cv2.UMat  # its stub does not know arrays
    masks = [umat(mask_old), umat(mask_new)]
    finder.find([umat((part * 255).astype(np.float32)) for part in padded], [(0, 0), (0, 0)], masks)
    taken = masks[1].get()[frame:-frame, frame:-frame] > 0
    return np.asarray(taken | ~held)


def _framed(image: NDArray[Any], width: int) -> NDArray[Any]:
    """Return an image with its border repeated all round."""
    return np.asarray(cv2.copyMakeBorder(image, width, width, width, width, cv2.BORDER_REPLICATE))
