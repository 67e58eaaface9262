"""The backs of a pool: close blocks of them, whose edges a finder hardly sees, are read again and joined."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find import distinct, elsewhere, in_picture, look_near
from vision.finder_looks import FinderModel
from vision.quads import edge_to_edge, linked, quad_axes, quad_sides, with_neighbours
from vision.readings import Corners, FoundTile, corners_of
from vision.recall import Recall, Window
from vision.robust import quantile

_POOL = 4
"""Fewer sure backs are no pool."""
_BACK_PX, _AROUND_POOL = 80.0, 5.0
"""How wide backs of a close pool are looked at, and how far around those that were found, in widths."""
_SNAP_PX = 32
_LINE, _STRONGER = 0.06, 3.0
"""Edges between backs are made stronger before the nearer look: their breadth, in widths; how much stronger."""
_OPEN = 3
"""So many places beside backs that look like backs, but were not found, are a part of the pool not seen."""
_PATCH, _SAME_GREY, _PLAIN = 0.3, 14.0, 6.0
"""What looks like a back: patch, in widths, whose median is so near to the back's in each channel, and whose
grey levels spread so little."""
_LARGER = 1.65
"""So many times as large as most sure backs is none: near ones of a pool seen from low are less."""
_LOOKS = 3
"""A nearer look may show more places that need one."""
_LARGE, _TOO_LONG = 2.5, 2.0
"""So many times as wide as a tile of which nothing is known, what was found may be a whole block of them; so
many times as long as wide it rather is."""
_BLOCK = "block of backs"
_USUAL = 0.03
"""Width of a tile where none is known, by the picture's longer side."""


def crowd_again(
    image_bgr: NDArray[np.uint8],
    backs: Sequence[FoundTile],
    others: Sequence[FoundTile],
    model: FinderModel,
    sure: float,
    score: float,
    recall: Recall | None = None,
) -> list[FoundTile]:
    """Look again, nearer, at a close pool of which not all is seen; nothing where that is not so.

    That is where few of the ``backs`` are ``sure``, or where places beside them look like backs in which
    nothing was found. The edges between the backs of a close block are faint lines, which a copy of the picture
    loses: here they are enlarged, and made stronger. ``recall`` knows what was found so in the picture before.
    """
    known = [*backs, *others]
    if recall is None:
        block = _block(image_bgr, known, model, score) if _may_be_blocks(image_bgr, known) else []
    else:
        block = _block_not_found(image_bgr, known, model, score, recall)
    if not (backs or block):
        return []
    few = len(backs) >= _POOL and 2 * sum(back.score >= sure for back in backs) < len(backs)
    faces = [tile.corners_xy_px.mean(axis=0) for tile in others]
    seen: list[FoundTile] = []
    for nth in range(_LOOKS):
        near = corners_of(block or [*backs, *seen])
        if block:
            few, block = True, []
        if not few:
            beside = open_places(image_bgr, near, np.stack([*near.mean(axis=1), *faces]))
            if beside.sum() < _OPEN:
                break
            near = near[beside > 0]
        few = False
        found = distinct([*seen, *_look(image_bgr, near, model, score, recall, nth)])
        if len(found) <= len(seen):
            break
        seen = found
    return seen


def _block_not_found(
    image_bgr: NDArray[np.uint8], known: Sequence[FoundTile], model: FinderModel, score: float, recall: Recall
) -> list[FoundTile]:
    """Return backs of a close block of which nothing was found, in the first look at a table, and since.

    Its edges may be too faint for the finder all over: then none of it is ``known`` beside which more could be.
    """
    block: list[FoundTile] | None = recall.whole(_BLOCK)
    if block is None:
        block = _block(image_bgr, known, model, score)
    recall.keep(_BLOCK, block)
    return elsewhere(block, without_blocks(known, block))


def _width_unknown(image_bgr: NDArray[np.uint8]) -> float:
    """Return how wide a tile is of which nothing is known, pixels."""
    return float(_USUAL * max(image_bgr.shape[:2]))


def _may_be_blocks(image_bgr: NDArray[np.uint8], known: Sequence[FoundTile]) -> bool:
    """True where one is far too large and too long for a tile."""
    if not known:
        return False
    sides = quad_sides(corners_of(known))
    large = sides.min(axis=1) > _LARGE * _width_unknown(image_bgr)
    return bool((large & (sides.max(axis=1) > _TOO_LONG * sides.min(axis=1))).any())


def _block(
    image_bgr: NDArray[np.uint8], known: Sequence[FoundTile], model: FinderModel, score: float
) -> list[FoundTile]:
    """Look for a close block, with its backs as wide as what is known, or as tiles are for the most part."""
    usual = _width_unknown(image_bgr)
    width = _usual_width(corners_of(known)) if known else usual
    block = _block_of(image_bgr, width, known, model, score)
    if not block and width > _LARGE * usual:
        block = _block_of(image_bgr, usual, known, model, score)
    return block


def _block_of(
    image_bgr: NDArray[np.uint8], width: float, known: Sequence[FoundTile], model: FinderModel, score: float
) -> list[FoundTile]:
    whole: Window = (0, 0, image_bgr.shape[1], image_bgr.shape[0])
    finds = look_near(_stronger_edges(image_bgr, whole, width), whole, 1.0, model, score)
    backs = in_blocks([find for find in finds if find.face_down])
    return in_blocks(elsewhere(backs, without_blocks(known, backs)))


def without_blocks(tiles: Sequence[FoundTile], backs: Sequence[FoundTile]) -> list[FoundTile]:
    """Leave out what holds a pool of these ``backs``: a close block that was taken for one tile."""
    if len(backs) < _POOL:
        return list(tiles)
    middles = corners_of(backs).mean(axis=1)

    def holds(tile: FoundTile) -> bool:
        quad = np.asarray(tile.corners_xy_px, np.float32)
        near = middles[((middles >= quad.min(axis=0)) & (middles <= quad.max(axis=0))).all(axis=1)]
        if len(near) < _POOL:
            return False
        return sum(cv2.pointPolygonTest(quad, (float(x), float(y)), False) >= 0 for x, y in near) >= _POOL

    return [tile for tile in tiles if not holds(tile)]


def in_blocks(finds: Sequence[FoundTile]) -> list[FoundTile]:
    """Return the finds that lie edge to edge with others of their size, as many as make a pool.

    Stronger edges make a back of other plain things, too: of a piece of a rack.
    """
    if len(finds) < _POOL:
        return []
    reach = linked(edge_to_edge(np.stack([find.corners_xy_px for find in finds])))
    return [find for find, many in zip(finds, reach.sum(axis=1) >= _POOL, strict=True) if many]


def _look(
    image_bgr: NDArray[np.uint8], corners: NDArray[np.float32], model: FinderModel, score: float,
    recall: Recall | None, nth: int,
) -> list[FoundTile]:  # fmt: skip
    """Find what lies around backs (N, 4, 2) in an enlarged copy with stronger edges; the ``nth`` such look."""
    width = max(_usual_width(corners), 1.0)
    around = _AROUND_POOL * width
    low, high = corners.min(axis=(0, 1)) - around, corners.max(axis=(0, 1)) + around
    if recall is not None:
        # In a film the window stays where it is when a back at the pool's rim is found a little otherwise.
        low, high = np.floor(low / _SNAP_PX) * _SNAP_PX, np.ceil(high / _SNAP_PX) * _SNAP_PX
    window = in_picture(image_bgr, low, high)
    look = f"crowd, {nth}"
    window = window if recall is None else recall.steady_window(look, window)
    x0, y0, x1, y1 = window
    if x1 <= x0 or y1 <= y0:
        return []
    clearer = _stronger_edges(image_bgr, window, width)
    scale = _BACK_PX / width
    scale = scale if recall is None else recall.steady_look(look, scale)
    return look_near(clearer, window, scale, model, score, recall, tile_px=_BACK_PX)


def _usual_width(corners: NDArray[np.float32]) -> float:
    """Return how wide most of N tiles, (N, 4, 2), are, pixels, whichever of their sides is the shorter one."""
    return float(np.median(quad_sides(corners).min(axis=1)))


def _stronger_edges(image_bgr: NDArray[np.uint8], window: Window, width: float) -> NDArray[np.uint8]:
    """Return the picture with the edges in a window of it made stronger, for backs so wide, pixels."""
    x0, y0, x1, y1 = window
    part = image_bgr[y0:y1, x0:x1]
    soft = cv2.GaussianBlur(part, (0, 0), max(_LINE * width, 0.5))
    clearer = image_bgr.copy()
    clearer[y0:y1, x0:x1] = cv2.addWeighted(part, 1 + _STRONGER, soft, -_STRONGER, 0)
    return clearer


def open_places(
    image_bgr: NDArray[np.uint8], backs: NDArray[np.float32], taken_xy_px: NDArray[np.float32]
) -> NDArray[np.int_]:
    """Count places beside each of ``backs`` (N, 4, 2) that look like it and are not ``taken`` (M, 2)."""
    counts = np.zeros(len(backs), np.int_)
    height, width = image_bgr.shape[:2]
    axes, sides = quad_axes(backs), quad_sides(backs).min(axis=1).tolist()
    for k, (middle, across, down, side) in enumerate(zip(backs.mean(axis=1), *axes, sides, strict=True)):
        own = _patch(image_bgr, middle, side)
        if not len(own):
            continue  # cut off by the picture's border
        own_grey, plain = quantile(own.T, 0.5), max(_PLAIN, 1.5 * _grain(own))
        for step in (across, -across, down, -down):
            place = middle + step
            if not (side / 2 <= place[0] < width - side / 2 and side / 2 <= place[1] < height - side / 2):
                continue
            if np.linalg.norm(taken_xy_px - place, axis=1).min() < side / 2:
                continue
            there = _patch(image_bgr, place, side)
            alike = np.abs(quantile(there.T, 0.5) - own_grey).max() < _SAME_GREY
            counts[k] += alike and _grain(there) < plain
    return counts


def _patch(image_bgr: NDArray[np.uint8], middle: NDArray[np.float32], side: float) -> NDArray[np.float32]:
    """Return the pixels (N, 3) around a point."""
    reach = max(side * _PATCH, 1.0)
    x0, y0, x1, y1 = in_picture(image_bgr, middle - reach, middle + reach + 1)
    return image_bgr[y0:y1, x0:x1].reshape(-1, 3).astype(np.float32)


def _grain(pixels: NDArray[np.float32]) -> float:
    """Return how much pixels (N, 3) spread in the channel in which they do most."""
    return float(cv2.meanStdDev(pixels[:, None])[1].max())


def _of_one_size(finds: Sequence[FoundTile], bar: float) -> list[FoundTile]:
    """Return the finds but for those that are much larger than the sure ones of a pool: squares of a cloth."""
    if len(finds) < _POOL:
        return list(finds)
    sides = np.sqrt(quad_sides(np.stack([find.corners_xy_px for find in finds])).prod(axis=1))
    sure = np.array([find.score >= bar for find in finds])
    among = sides[sure] if sure.sum() >= _POOL else sides
    usual = float(np.sort(among)[(len(among) - 1) // 2])
    return [find for find, side in zip(finds, sides, strict=True) if side < _LARGER * max(usual, 1e-6)]


def backs_among(finds: Sequence[FoundTile], bar: float) -> list[Corners]:
    """Return the backs among finds that show no face: the sure ones, and those that touch one of these.

    The edges between the backs of a close pool are faint, and some of it are never surely seen. In a pool, what
    is less sure than ``bar`` but lies edge to edge with a back of its size is one. So is the one that makes a
    pool of a row of sure ones.
    """
    finds = _of_one_size(finds, bar)
    kept = [find.score >= bar for find in finds]
    if sum(kept) == _POOL - 1:
        row = in_blocks(finds)
        if len(row) == _POOL and sum(find.score >= bar for find in row) == _POOL - 1:
            return [find.corners_xy_px for find in row]
    if sum(kept) < _POOL or all(kept):
        return [find.corners_xy_px for find, keep in zip(finds, kept, strict=True) if keep]
    corners = np.stack([find.corners_xy_px for find in finds])
    pool = with_neighbours(corners, np.array(kept), np.ones(len(finds), bool))
    return [quad for quad, keep in zip(corners, pool, strict=True) if keep]
