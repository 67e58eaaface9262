"""A draw from a heap: backs lie over each other, the finder sees some of them, and under each lie others.

What can be seen is that the heap looks otherwise in one place about as large as a tile, where a back lay and
now another one shows, or the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners
from vision.watch.home_view import Mask
from vision.watch.look import tile_width
from vision.watch.patches import Places, correlation
from vision.watch.tracks import Fate

__all__ = ["HeapKeeper"]

Crop = NDArray[np.float32]

_LEAST_BACKS = 6
"""Fewer are no heap."""
_TILE_PX = 14
"""The heap is compared in a picture in which a tile is so wide."""
_TILE_AREA = _TILE_PX * _TILE_PX * 4 / 3
_MARGIN = 1.0
"""Tile widths around the outermost backs that belong to it."""
_OTHERWISE, _TIMES = 16.0, 4.0
"""Grey levels, and medians of the differences all over, from which on a pixel looks otherwise."""
_LEAST_TILES, _MOST_TILES = 0.2, 3.0
"""Tiles that the place where it looks otherwise is large: a back with its shadow, of which some lay covered."""
_JOINED = np.ones((13, 13), np.uint8)
"""What is otherwise so near to each other is one place: of a stack the upper and the lower edges."""
_WHOLE = 1.2
"""Tiles of change that each back makes at least, of several that went in one place: others slip after one."""
_IN_ONE_PLACE = 0.7
"""Share of all that looks otherwise that lies in that place."""
_SAME_SHAPES = 0.8
"""Correlation from which on the same things lie there, in another light."""
_LIKE_BACKS = 22.0
"""Distance in a and b of Lab within which a place has the backs' colour."""
_LEAST_BRIGHT = 0.5
"""Share of the backs' brightness that it has at least, with the gaps between them."""
_LEAST_KNOWN = 0.2
"""Share of a place that known backs took up at least, unless it had not the table's hue."""
_OTHER_HUE = 0.1
"""Distance in a and b of Lab, as shares of L, from which on the table's hue is not the backs'."""
_STILL_THERE = 0.4
"""Share of the place that a back takes up, where one of a stack has gone and the next one shows."""
_MOSTLY = 0.65
"""Share of what looks otherwise there that was a back, and that is one now, or the table."""
_MIXED, _IN_SHADOW = 14.0, 1.3
"""Distance in Lab from mixtures of the backs' colour and the table's, and how much darker the table may be."""
_ALIKE = 0.5
"""Share of two changes' pixels that they have in common where they are one."""
_STIRRED_LOOKS = 3
"""So many looks alike with a change that is no draw, and the heap lies otherwise from now on."""


@dataclass(slots=True)
class _Change:
    mask: Mask
    is_draw: bool
    in_one_place: bool
    """Whether it was all that looked otherwise in the first look at it."""
    may_be_one: bool = False
    """Whether another look may tell that it is a draw."""
    looks: int = 1


class HeapKeeper:
    """Compares a heap with how it looked before."""

    def __init__(self) -> None:
        """Begin with none."""
        self._frame: Corners | None = None
        self._scale = 1.0
        self._before: Crop | None = None
        self._seen: Mask | None = None
        self._faces: list[Corners] = []
        self._change: _Change | None = None
        self.gone_from: Corners = np.zeros((4, 2), np.float32)
        """The upright rectangle, at home, from which the last one to be told of went; empty where none has."""

    @property
    def unsure(self) -> bool:
        """True where a back seems to be gone, and another look will tell."""
        return self._change is not None and (self._change.is_draw or self._change.may_be_one)

    def unsure_elsewhere(self, home: Corners) -> bool:
        """True where a back seems to be gone from elsewhere than this place, (4, 2) at home."""
        change = self._change
        return change is not None and self.unsure and not _is_in(self._box(change.mask), home)

    @property
    def changing(self) -> bool:
        """True where it looks otherwise than before, and what that is will be told by the looks that follow."""
        return self._change is not None

    def most_gone(
        self,
        backs: Sequence[Corners],
        known: Sequence[Corners],
        faces: Sequence[Corners],
        now: Places,
        fate_of: Callable[[Sequence[Corners]], Sequence[Fate]],
        touched: Callable[[Corners], bool],
        relit: Callable[[Crop, Crop, Mask], Mask] | None = None,
    ) -> int:
        """Take in a look; return how many backs may have gone at most where it is the second to show it, or 0.

        ``backs``, (4, 2) each, at home, are those that the finder sees, ``known`` all that lay there, ``faces``
        the tiles face up; ``touched`` tells of a place, (4, 2) at home, whether hands may have been there since
        the last look. ``relit`` of two pictures, (h, w, 3) BGR, and of where backs lie in them, (h, w), where
        nothing but the sun's light has changed.
        """
        if len(backs) < _LEAST_BACKS:
            return 0
        width = tile_width(backs)
        if self._frame is None or not _holds(self._frame, backs, width):
            self._frame, self._scale = _around(backs, width), _TILE_PX / width
            self._before = self._change = None
        crop, seen = now.crop(self._frame, self._scale)
        faces_before, self._faces = self._faces, list(faces)
        if self._before is None or self._seen is None or not (self._change or touched(self._frame)):
            self._before, self._seen, self._change = crop, seen, None
            return 0
        pool = self._painted([*known, *backs], crop, grown=_TILE_PX // 2)
        laid = self._painted([*faces, *faces_before], crop, grown=_TILE_PX // 4)
        old = _in_light_of(crop, self._before)
        within = pool & ~laid & seen & self._seen
        if relit is not None:
            within &= ~relit(old, crop, self._painted([*known, *backs], crop))
        changed = _changed(old, crop, within)
        if changed is None:
            self._before, self._seen, self._change = crop, seen, None
            return 0
        there, in_one_place = changed
        bare = seen & ~pool & ~laid
        shows: bool | None = in_one_place and (self.unsure or touched(self._box(there)))
        shows = shows and self._shows_another(old, crop, there, backs, known, bare, fate_of)
        is_draw = bool(shows)
        before, self._change = self._change, _Change(there, is_draw, in_one_place, shows is None)
        if before is None or before.is_draw != is_draw or not _same(before.mask, there):
            return 0
        self._change.looks, self._change.in_one_place = before.looks + 1, before.in_one_place
        if not is_draw and self._change.looks < _STIRRED_LOOKS:
            return 0
        if not is_draw and self._change.in_one_place:
            # Elsewhere a hand may rest just now.
            settled = cv2.dilate(there.astype(np.uint8), _JOINED) > 0
            crop = np.where(settled[..., None], crop, old)
            seen = np.where(settled, seen, self._seen)
        self._before, self._seen, self._change = crop, seen, None
        if not is_draw:
            return 0
        self.gone_from = self._box(there)
        return max(1, int(np.count_nonzero(there) / _TILE_AREA / _WHOLE))

    def went_from(self, home: Corners) -> bool:
        """Say whether the last one to be told of went from this place, (4, 2) at home."""
        return _is_in(self.gone_from, home)

    def _painted(self, quads: Sequence[Corners], crop: Crop, grown: int = 0) -> Mask:
        """Return the pixels of the crop that these places at home take up, ``grown`` by so many."""
        assert self._frame is not None
        mask = np.zeros(crop.shape[:2], np.uint8)
        for quad in quads:
            cv2.fillConvexPoly(mask, np.round((quad - self._frame[0]) * self._scale).astype(np.int32), 1)
        return np.asarray(cv2.dilate(mask, np.ones((2 * grown + 1, 2 * grown + 1), np.uint8)) > 0)

    def _shows_another(
        self,
        old: Crop,
        new: Crop,
        there: Mask,
        backs: Sequence[Corners],
        known: Sequence[Corners],
        bare: Mask,
        fate_of: Callable[[Sequence[Corners]], Sequence[Fate]],
    ) -> bool | None:
        """Say whether a back lay in that place, and another one or the bare table shows there now.

        None where another look may tell.
        """
        if correlation(old.mean(axis=2)[there], new.mean(axis=2)[there]) >= _SAME_SHAPES:
            return False
        shown = self._painted(backs, new)
        if np.count_nonzero(shown & ~there) < _TILE_AREA:
            return False
        colours = _lab(new)
        body = np.median(colours[shown & ~there], axis=0)
        was, now = _lab(old)[there], colours[there]
        if not _are_backs(np.median(was, axis=0), body):
            return False
        around = cv2.dilate(there.astype(np.uint8), np.ones((2 * _TILE_PX + 1, 2 * _TILE_PX + 1), np.uint8)) > 0
        table = colours[around & bare & ~there]
        if _was_table(was, body, table) and self._painted(known, new)[there].mean() < _LEAST_KNOWN:
            return False
        if _still_shows(shown, there) and _stack_is_lower(was, now, body, table):
            return True
        if _are_backs(np.median(now, axis=0), body):
            return True
        (fate,) = fate_of([self._box(there)])
        return None if fate == "unsure" else fate == "bare"

    def _box(self, there: Mask) -> Corners:
        """Return the upright rectangle (4, 2), at home, around pixels of the crop."""
        assert self._frame is not None
        ys, xs = np.nonzero(there)
        box = np.array([[xs.min(), ys.min()], [xs.max(), ys.min()], [xs.max(), ys.max()], [xs.min(), ys.max()]])
        return np.asarray(box / self._scale + self._frame[0], np.float32)


def _is_in(box: Corners, home: Corners) -> bool:
    """Say whether the middle of a place lies in an upright rectangle, (4, 2) both."""
    middle = home.mean(axis=0)
    return bool((box[0] <= middle).all() and (middle <= box[2]).all())


def _in_light_of(crop: Crop, before: Crop) -> Crop:
    """Return how what was seen before would look in the light of now."""
    levels = [np.maximum(np.median(one, axis=(0, 1)), 1.0) for one in (before, crop)]
    return np.asarray(before * np.asarray(levels[1] / levels[0], np.float32))


def _changed(old: Crop, new: Crop, within: Mask) -> tuple[Mask, bool] | None:
    """Return the largest place that looks otherwise, and whether it is the only one and of a draw's size.

    None where nothing does.
    """
    apart = cv2.blur(np.abs(old - new).max(axis=2), (3, 3))
    mask = ((apart > max(_OTHERWISE, _TIMES * float(np.median(apart)))) & within).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    count, labels = cv2.connectedComponents(cv2.dilate(mask, _JOINED), connectivity=8)
    labels[mask == 0] = 0
    sizes = np.bincount(labels.ravel(), minlength=count)[1:]
    if not len(sizes) or sizes.sum() < _LEAST_TILES * _TILE_AREA:
        return None
    largest = int(sizes.argmax())
    in_one = sizes[largest] >= _IN_ONE_PLACE * sizes.sum() and sizes[largest] <= _MOST_TILES * _TILE_AREA
    return labels == 1 + largest, bool(in_one)


def _between(looks: Crop, one: NDArray[np.float32], other: NDArray[np.float32]) -> Mask:
    """Say which colours, (N, 3) of Lab, are one of two or a mixture of them, as at an edge; or in shadow."""
    way = other - one
    share = np.clip((looks - one) @ way / max(float(way @ way), 1e-6), 0, _IN_SHADOW)
    return np.asarray(np.linalg.norm(looks - one - share[:, None] * way, axis=1) < _MIXED)


def _lab(crop: Crop) -> Crop:
    return np.asarray(cv2.cvtColor(np.clip(crop / 255, 0, 1).astype(np.float32), cv2.COLOR_BGR2Lab))


def _are_backs(looks: Crop, body: NDArray[np.float32]) -> Mask:
    """Say which colours, (..., 3) of Lab, are the backs' own."""
    like = np.hypot(*np.moveaxis(looks - body, -1, 0)[1:]) < _LIKE_BACKS
    return np.asarray(like & (looks[..., 0] >= _LEAST_BRIGHT * body[0]))


def _was_table(was: Crop, body: NDArray[np.float32], table: Crop) -> bool:
    """Say whether a place had rather the ``table``'s hue than that of backs: a shadow fell there, or went.

    Colours are (N, 3) of Lab.
    """
    if len(table) < _LEAST_TILES * _TILE_AREA:
        return False
    # Under a lamp of its own colour, a and b shrink as the light does.
    looks = np.stack([np.median(table, axis=0), np.median(was, axis=0), body])
    of_table, hue, of_backs = looks[:, 1:] / np.maximum(looks[:, :1], 1.0)
    if np.hypot(*(of_table - of_backs)) < _OTHER_HUE:
        return False
    return bool(np.hypot(*(hue - of_table)) < np.hypot(*(hue - of_backs)))


def _still_shows(shown: Mask, there: Mask) -> bool:
    """Say whether a back is seen in that place."""
    x, y, width, height = cv2.boundingRect(there.astype(np.uint8))
    return bool(shown[y : y + height, x : x + width].mean() >= _STILL_THERE)


def _stack_is_lower(was: Crop, now: Crop, body: NDArray[np.float32], table: Crop) -> bool:
    """Say whether the next back or the ``table`` shows where a stack's upper one was; colours (N, 3) of Lab.

    Where it threw its shadow the table shows before and after.
    """
    if len(table) < _LEAST_TILES * _TILE_AREA:
        return False
    ground, dark = np.median(table, axis=0), np.zeros(3, np.float32)
    backs = _are_backs(was, body)
    shadow = ~backs & _between(was, dark, ground) & _between(now, dark, ground)
    if np.count_nonzero(backs) < max(_MOSTLY * np.count_nonzero(~shadow), _LEAST_TILES * _TILE_AREA / 2):
        return False
    return bool(_between(now, body, ground).mean() >= _MOSTLY)


def _same(one: Mask, other: Mask) -> bool:
    return bool(np.count_nonzero(one & other) >= _ALIKE * np.count_nonzero(one | other))


def _around(backs: Sequence[Corners], width: float) -> Corners:
    """Return the upright rectangle (4, 2) that holds all backs, and a margin."""
    points = np.stack(backs).reshape(-1, 2)
    (x0, y0), (x1, y1) = points.min(axis=0) - _MARGIN * width, points.max(axis=0) + _MARGIN * width
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def _holds(frame: Corners, backs: Sequence[Corners], width: float) -> bool:
    """Say whether all backs lie within the rectangle but for a part of the margin."""
    points = np.stack(backs).reshape(-1, 2)
    beyond = 0.5 * _MARGIN * width
    return bool(
        (points.min(axis=0) >= frame[0] - beyond).all() and (points.max(axis=0) <= frame[2] + beyond).all()
    )
