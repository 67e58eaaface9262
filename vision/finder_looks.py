"""Looks of the finder at a picture: at all of it, at a window, or only at what a film shows anew.

The finder is a one-stage pose network on a scaled copy of what it is shown. Corners and boxes are (x, y) in
pixels of the full picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import Network
from vision.recall import Recall, Window

__all__ = ["BEST_TILE_PX", "LARGEST_LOOK_PX", "Candidates", "FinderModel", "OnnxFinder", "look_anew", "windows"]

_STRIDE = 32
_GREY = 114
BEST_TILE_PX = 44.0
"""Width of tiles in the scaled copy at which the finder sees them best."""
LARGEST_LOOK_PX = 1280
"""Longer side of what the network is shown at once, where that is a part of what is looked at."""
_LARGEST_WHOLE = 1.25
"""So many times the area of such a square is shown at once where that is all: nothing is looked at twice."""
_OVERLAP = 0.2
"""Share of such a side by which parts overlap."""
_FORGOTTEN_NEAR, _NEW_NEAR = 0.25, 0.5
"""Shares of its box around a find: what changes within the first takes the old find out, and within the
second, wider, brings the new one in, so that none is lost between them."""
_AROUND_CHANGE = 3.3
"""What the network has to be shown around what has changed, in tile widths."""
_LITTLE_AROUND = 1.0
"""Finds with their middles nearer than this to where a part was cut off are another part's, in tile widths."""
_LIKE_A_RACK = 0.25
"""From this score on what looks like a rack may be seen as one in the next picture."""


class FinderModel(Protocol):
    """What a backend must do; :class:`OnnxFinder` is the one at the table."""

    def raw(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return (4 + 3 + 8, anchors): box centre x, y, width, height; scores of tile, back, rack; corners.

        ``image_bgr`` is (H, W, 3), H and W multiples of 32; all in its pixels.
        """
        ...


class OnnxFinder:
    """The finder on ONNX Runtime."""

    def __init__(self, model: Network) -> None:
        """Wrap a loaded model."""
        self._model = model

    def raw(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
        """See :class:`FinderModel`."""
        objects = self._model({"image_bgr": image_bgr[None]})["objects"]
        return np.asarray(objects[0], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What a look saw, N of them, several of each tile and rack."""

    scores: NDArray[np.float32]
    """(N, 3) tile, back, rack."""
    corners: NDArray[np.float32]
    """(N, 4, 2) pixels of the full picture."""
    boxes: NDArray[np.float32]
    """(N, 4) left, top, right, bottom in pixels of the full picture."""

    def near_change(self, recall: Recall, share: float, since: object) -> NDArray[np.bool_]:
        """Tell which of them the picture has changed at, or within a ``share`` of their boxes around, (N,)."""
        reach = share * (self.boxes[:, 2:] - self.boxes[:, :2])
        return recall.touched(self.boxes + np.concatenate([-reach, reach], axis=1), since)

    def well_inside(self, part: Window, whole: Window, margin_px: float) -> Candidates:
        """Return those whose middles are not near where a ``part`` was cut off from the ``whole``.

        There the network was shown little around them, and another part shows more.
        """
        middles = (self.boxes[:, :2] + self.boxes[:, 2:]) / 2
        low, high = np.array(part[:2], np.float64), np.array(part[2:], np.float64)
        low = np.where(low > whole[:2], low + margin_px, -np.inf)
        high = np.where(high < whole[2:], high - margin_px, np.inf)
        return self.only(np.asarray(((middles >= low) & (middles <= high)).all(axis=1)))

    def shows_a_rack(self) -> bool:
        """True where something looks rather like a rack."""
        return bool((self.scores[:, 2] >= _LIKE_A_RACK).any())

    def only(self, which: NDArray[np.bool_]) -> Candidates:
        """Return some of them; ``which`` is (N,)."""
        return Candidates(self.scores[which], self.corners[which], self.boxes[which])

    def weakened(self, worth: float) -> Candidates:
        """Return them with so many times their scores."""
        return Candidates(self.scores * worth, self.corners, self.boxes)

    def from_score(self, least: float) -> Candidates:
        """Return those with at least this score."""
        return self.only(self.scores.max(axis=1) >= least)

    @staticmethod
    def join(parts: list[Candidates]) -> Candidates:
        """Return those of all parts."""
        return Candidates(
            np.concatenate([p.scores for p in parts]),
            np.concatenate([p.corners for p in parts]),
            np.concatenate([p.boxes for p in parts]),
        )


def look_anew(
    image_bgr: NDArray[np.uint8], whole: Window, scale: float, model: FinderModel, score: float,
    recall: Recall | None, *, tile_px: float | None = BEST_TILE_PX, for_racks: bool = False,
) -> Candidates:  # fmt: skip
    """Look at a window, or only at those parts of it that are otherwise than in the picture before.

    ``tile_px`` is how wide tiles are in the scaled copy; where nothing tells, all of the window is looked at.
    ``for_racks``: so it is where racks were seen in it, which parts may cut in two.
    """

    def look(part: Window) -> Candidates:
        near = windows(part, round(LARGEST_LOOK_PX / scale))
        return Candidates.join([_look(image_bgr, window, scale, model, score) for window in near])

    if recall is None:
        return look(whole)
    key = ("finds", whole, scale)
    before: Candidates | None = recall.whole(key)
    if before is None:
        found = look(whole)
    else:
        width = None if tile_px is None or (for_racks and before.shows_a_rack()) else tile_px / scale
        parts = recall.parts(whole, None if width is None else _AROUND_CHANGE * width, key)
        fresh = [look(part).well_inside(part, whole, _LITTLE_AROUND * (width or 0)) for part in parts]
        stay = before.only(~before.near_change(recall, _FORGOTTEN_NEAR, key))
        found = Candidates.join([stay, *(new.only(new.near_change(recall, _NEW_NEAR, key)) for new in fresh)])
    recall.keep(key, found)
    return found


def _look(
    image_bgr: NDArray[np.uint8], window: Window, scale: float, model: FinderModel, score: float
) -> Candidates:
    x0, y0, x1, y1 = window
    part = image_bgr[y0:y1, x0:x1]
    size = (max(round((x1 - x0) * scale), 1), max(round((y1 - y0) * scale), 1))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    padded = np.full((-(-size[1] // _STRIDE) * _STRIDE, -(-size[0] // _STRIDE) * _STRIDE, 3), _GREY, np.uint8)
    padded[: size[1], : size[0]] = small
    raw = model.raw(padded)
    raw = np.asarray(raw[:, raw[4:7].max(axis=0) >= score], np.float32)
    corners = raw[7:15].T.reshape(-1, 4, 2)
    to_full = np.array([(x1 - x0) / size[0], (y1 - y0) / size[1]], np.float32)
    corners = (corners + 0.5) * to_full - 0.5 + np.array([x0, y0], np.float32)
    # A tile cut by the window's edge is seen whole by a neighbour; one cut by the picture's edge is not.
    height, width = image_bgr.shape[:2]
    middle, reach = raw[:2].T * to_full + [x0, y0], raw[2:4].T * to_full / 2
    boxes = np.concatenate([middle - reach, middle + reach], axis=1).astype(np.float32)
    low = np.where(np.array([x0, y0]) > 0, [x0 + 2, y0 + 2], -np.inf)
    high = np.where(np.array([x1, y1]) < [width, height], [x1 - 2, y1 - 2], np.inf)
    whole = (boxes[:, :2] >= low).all(axis=1) & (boxes[:, 2:] <= high).all(axis=1)
    return Candidates(raw[4:7].T[whole], corners[whole].astype(np.float32), boxes[whole])


def windows(part: Window, window: int) -> list[Window]:
    """Cover part of a picture with windows of at most ``window`` pixels that overlap by a fifth of that.

    With one where it takes in little more than such a square.
    """
    overlap = _OVERLAP * window
    lengths = part[2] - part[0], part[3] - part[1]
    at_once = lengths[0] * lengths[1] <= _LARGEST_WHOLE * window**2
    spans = []
    for low, length in zip(part[:2], lengths, strict=True):
        n = 1 if at_once or length <= window else int(np.ceil((length - overlap) / (window - overlap)))
        side = min(int(np.ceil((length + (n - 1) * overlap) / n)), length)
        starts = low + np.linspace(0, length - side, n).round().astype(int)
        spans.append([(int(s), int(s) + side) for s in starts])
    return [(x0, y0, x1, y1) for y0, y1 in spans[1] for x0, x1 in spans[0]]
