"""What was read of one picture of a film, for the next: where a picture shows the same, it reads the same.

After a turn a few tiles lie otherwise and all others as before; only those few need the networks. Whether a
spot shows the same is asked of the picture itself, in small cells of all three colours, and against the picture
in which the spot was read, so that slow changes add up.

Boxes are (N, 4) left, top, right, bottom in pixels of the picture; windows are the same in whole pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Recall", "Window"]

_CELLS, _LEAST_CELL_PX = 480, 2
"""Cells along the picture's longer side, and the least side of one."""
_LEVELS = 9.0
"""Levels of one colour by which a cell shows something else: the stroke of a figure makes twice that, noise and
compression half."""
_ANOTHER = 0.5
"""Share of the picture that has changed from which on it is another one: the camera has moved."""
_FEWEST_CELLS = 3
"""Fewer changed cells in one place are noise: edges of the table's grain, as compression has them."""
_LEAST_OF_A_TILE = 0.05
"""So are fewer than this share of a tile's width squared: of another figure thrice as many change."""
_RELIT = 0.2
"""Share by which the light of the picture may change and its places still be compared."""
_TO_THE_PIXEL = 50.0
"""Corners that are nearer than a pixel by so much are the same corners, summed in another order."""
_MOST_PARTS, _MOST_SHARE = 12, 0.8
"""More parts that have changed than this, or a larger share of a window: all of it is looked at."""
_SAME_SCALE = 0.12
"""A scale that is wanted stays the one of the picture before where it is within this share of it."""
_LITTLE_NEARER = 1.5
"""So many times as near a look may be as the one that is wanted, where that one has asked for it before."""
_LITTLE_MORE = 1.6
"""So many times the window that is wanted one that it lies in may be, and take its place."""
_LOOKED_AWAY = 3
"""So many pictures may not ask for what was kept before it is forgotten."""

Window = tuple[int, int, int, int]
Rows = dict[str, NDArray[np.float32]]
_Floats = NDArray[np.float32]
_Flags = NDArray[np.bool_]


class Recall:
    """Knows one picture of a film at a time, and what was read of it."""

    def __init__(self) -> None:
        """Know none yet."""
        self._forget()

    def _forget(self) -> None:
        """Know nothing: the next picture is read as if it were the first."""
        self._reference: _Floats | None = None
        self._rows: dict[tuple[str, bytes], tuple[_Floats, Rows]] = {}
        self._asked: set[tuple[str, bytes]] = set()
        self._wholes: dict[object, Any] = {}
        self._last_wholes: dict[object, Any] = {}
        self._missed: dict[object, list[NDArray[np.uint8]]] = {}
        self._scales: dict[str, float] = {}
        self._scales_before: dict[str, float] = {}
        self._cell = 1
        self._changed: NDArray[np.uint8] = np.ones((1, 1), np.uint8)
        self._of_late: NDArray[np.uint8] = np.ones((1, 1), np.uint8)
        self._once_more: _Floats | None = None
        self._read_once = True
        self._sums = cv2.integral(self._changed)

    def settle(self) -> None:
        """What has changed up to now needs no second look any more."""
        self._of_late[:] = 0

    def once_more(self, boxes: _Floats) -> None:
        """Read anew in the next picture what has changed since it last settled, and what these boxes hold.

        And all of it, where it was read once only.
        """
        self._once_more = boxes

    def see(self, image_bgr: NDArray[np.uint8], tile_px: float | None = None) -> None:
        """Go on to the next picture (H, W, 3); what was read where it shows something else is forgotten.

        ``tile_px`` is how wide most tiles are in it, where that is known: much smaller changes are noise.
        """
        height, width = image_bgr.shape[:2]
        cell = max(_LEAST_CELL_PX, round(max(height, width) / _CELLS))
        size = (max(width // cell, 1), max(height // cell, 1))
        small = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        now = np.asarray(cv2.blur(small, (3, 3)), np.float32)
        gain = self._gain(now)
        if gain is None or self._reference is None:
            self._begin(now, cell)
            return
        now = now / gain
        differ = np.abs(now - self._reference)
        most = cv2.max(cv2.max(differ[..., 0], differ[..., 1]), differ[..., 2])
        changed = _without_specks(most > _LEVELS, 0.0 if tile_px is None else tile_px / cell)
        if float(changed.mean()) > _ANOTHER:
            self._begin(now, cell)
            return
        self._of_late[changed] = 1
        if self._once_more is not None:
            changed |= self._of_late > 0
            for x0, y0, x1, y1 in (self._once_more / cell).clip(0).tolist():
                changed[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1] = True
            changed[:] |= self._read_once
            self._once_more, self._read_once = None, False
        self._reference[changed] = now[changed]
        self._hand_on()
        self._take(changed.astype(np.uint8))
        known = {key: row for key, row in self._rows.items() if key in self._asked}
        self._asked = set()
        boxes = np.array([box for box, _ in known.values()], np.float32).reshape(-1, 4)
        stays = ~self.touched(boxes)
        self._rows = {key: row for (key, row), same in zip(known.items(), stays, strict=True) if same}

    def _hand_on(self) -> None:
        """Keep for the next picture what was kept of the last one, or of one before that it did not ask for."""
        unasked = [key for key in self._last_wholes if key not in self._wholes]
        missed = {key: [*self._missed.get(key, []), self._changed] for key in unasked}
        self._missed = {key: masks for key, masks in missed.items() if len(masks) <= _LOOKED_AWAY}
        self._last_wholes = {key: self._last_wholes[key] for key in self._missed} | self._wholes
        self._wholes = {}

    def _changed_since(self, key: object) -> NDArray[np.uint8]:
        """Return the cells that have changed since something was kept under this key."""
        return np.asarray(np.bitwise_or.reduce([self._changed, *self._missed.get(key, ())]), np.uint8)

    def touched(self, boxes: _Floats, since: object = None) -> _Flags:
        """Tell of each box whether the picture shows something else in it than before, shape (N,).

        ``since``: than in the picture in which something was kept under this key.
        """
        rows, columns = self._changed.shape
        cells = np.asarray(boxes, np.float64) / self._cell
        x0, y0 = np.floor(cells[:, 0]), np.floor(cells[:, 1])
        x1, y1 = np.ceil(cells[:, 2]), np.ceil(cells[:, 3])
        x0, x1 = (np.clip(x, 0, columns).astype(int) for x in (np.minimum(x0, columns - 1), np.maximum(x1, 1)))
        y0, y1 = (np.clip(y, 0, rows).astype(int) for y in (np.minimum(y0, rows - 1), np.maximum(y1, 1)))
        sums = cv2.integral(self._changed_since(since)) if since in self._missed else self._sums
        return np.asarray(sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0] > 0)

    def rows(self, kind: str, keys: _Floats, boxes: _Floats, read: Callable[[NDArray[np.intp]], Rows]) -> Rows:
        """Return what is read of N places, by name, each (N, ...): read once, while the picture stays the same.

        Args:
            kind: what is read.
            keys: (N, K) pixels, what tells the places apart.
            boxes: (N, 4) all that is looked at for it.
            read: reads those of the places that are asked for, by index.
        """
        named = [(kind, key.tobytes()) for key in np.round(keys * _TO_THE_PIXEL).astype(np.int32)]
        self._asked.update(named)
        new = [k for k, name in enumerate(named) if name not in self._rows]
        if new:
            told = read(np.array(new, np.intp))
            for place, k in enumerate(new):
                self._rows[named[k]] = boxes[k], {name: values[place] for name, values in told.items()}
        every = [self._rows[name][1] for name in named]
        return {name: np.stack([row[name] for row in every]) for name in (every[0] if every else ())}

    def whole(self, key: object) -> Any:
        """Return what was kept under this key of the picture before, or shortly before; None without any."""
        return self._last_wholes.get(key)

    def keep(self, key: object, value: object) -> None:
        """Keep something under a key for the next picture, and for some more that do not ask for it."""
        self._wholes[key] = value

    def steady(self, kind: str, scale: float, within: float = _SAME_SCALE) -> float:
        """Return the scale or length that there was before, where the one that is wanted now is much the same.

        ``within`` tells how much, as a share of it.
        """
        if abs(scale / self._scales.get(kind, np.inf) - 1) > within:
            self._scales[kind] = scale
        return self._scales[kind]

    def steady_look(self, kind: str, scale: float, within: float = _SAME_SCALE) -> float:
        """Return the scale of a look as :meth:`steady` does.

        Where each of two scales shows what asks for the other, the nearer look stays.
        """
        had, before = self._scales.get(kind, np.inf), self._scales_before.get(kind, np.inf)
        if abs(scale / before - 1) <= within and scale < had <= _LITTLE_NEARER * scale:
            return had
        now = self.steady(kind, scale, within)
        if now != had:
            self._scales_before[kind] = had
        return now

    def steady_window(self, kind: str, window: Window) -> Window:
        """Return the window that such a look had before, where it holds this one and little more.

        So that one whose border moves a little is not looked at anew.
        """
        had: Window | None = self.whole(("window", kind))
        if had is not None and _around(had, window) == had and _area(had) <= _LITTLE_MORE * _area(window):
            window = had
        self.keep(("window", kind), window)
        return window

    def parts(self, window: Window, around_px: float | None, since: object = None) -> list[Window]:
        """Return the parts of a window that have to be looked at: what has changed, and ``around_px`` about it.

        They may lie over each other. The window itself where they are not much less, or ``around_px`` is None.
        ``since`` is as in :meth:`touched`.
        """
        left, top, right, bottom = window
        cell = self._cell
        x, y = left // cell, top // cell
        inside = self._changed_since(since)[y : -(-bottom // cell), x : -(-right // cell)]
        if not inside.any():
            return []
        if around_px is None:
            return [window]
        reach = int(np.ceil(around_px / cell))
        # Changes that are nearer to each other than a third of that belong together in any case.
        close = reach // 3
        near = cv2.dilate(inside, np.ones((2 * close + 1, 2 * close + 1), np.uint8))
        count, _, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
        rows, columns = near.shape
        more = reach - close
        boxes = _joined([
            (max(a - more, 0), max(b - more, 0), min(a + w + more, columns), min(b + h + more, rows))
            for a, b, w, h, _ in stats[1:count].tolist()
        ])  # fmt: skip
        if len(boxes) > _MOST_PARTS or sum(map(_area, boxes)) > _MOST_SHARE * near.size:
            return [window]
        return [
            (
                max(left, (x + a) * cell),
                max(top, (y + b) * cell),
                min(right, (x + c) * cell),
                min(bottom, (y + d) * cell),
            )
            for a, b, c, d in boxes
        ]

    def _begin(self, now: _Floats, cell: int) -> None:
        """Take a picture that has little to do with the one before: all of it is read, and read once more."""
        self._forget()
        self._cell, self._reference = cell, now
        self._take(np.ones(now.shape[:2], np.uint8))
        self._of_late = np.zeros_like(self._changed)

    def _gain(self, now: _Floats) -> _Floats | None:
        """Return how much brighter each colour is than in the reference; None where they cannot be compared."""
        if self._reference is None or self._reference.shape != now.shape:
            return None
        ratio = (now[::4, ::4] + 1) / (self._reference[::4, ::4] + 1)
        gain = np.median(ratio.reshape(-1, 3), axis=0).astype(np.float32)
        return gain if float(np.abs(gain - 1).max()) < _RELIT else None

    def _take(self, changed: NDArray[np.uint8]) -> None:
        self._changed, self._sums = changed, cv2.integral(changed)


def _without_specks(changed: _Flags, tile_cells: float) -> _Flags:
    """Return the cells that changed (h, w) less those nearly alone, tiles being so many cells wide."""
    cells = changed.astype(np.uint8)
    kept = changed & (_around_each(cells, 3) >= _FEWEST_CELLS)
    fewest = _LEAST_OF_A_TILE * tile_cells**2
    if fewest > _FEWEST_CELLS:
        kept &= _around_each(cells, 2 * round(tile_cells / 2) + 1) >= fewest
    return np.asarray(kept)


def _around_each(cells: NDArray[np.uint8], side: int) -> NDArray[np.int32]:
    """Return the sum (h, w) of the cells in a square of an odd side about each."""
    return np.asarray(
        cv2.boxFilter(cells, cv2.CV_32S, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
    )


def _joined(boxes: Sequence[Window]) -> list[Window]:
    """Return boxes that cover the given ones, those in one that together cost no more so."""
    apart: list[Window] = []
    for one in boxes:
        while met := next((b for b in apart if _area(_around(one, b)) <= _area(one) + _area(b)), None):
            apart.remove(met)
            one = _around(one, met)
        apart.append(one)
    return apart


def _around(one: Window, other: Window) -> Window:
    """Return the box about two boxes."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _area(box: Window) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
