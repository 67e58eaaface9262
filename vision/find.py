"""Find tiles in a picture: four ordered corners each, whether they show their back, and the racks.

The finder is a one-stage pose network on a scaled copy of the picture; big pictures with small tiles are read
again in overlapping parts of themselves. Corners are (x, y) in pixels of the full picture, clockwise from the
tile's own upper left; they may lie outside the picture where a tile is cut off.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.far_rows import FarRows, far_rows
from vision.finder_looks import BEST_TILE_PX, LARGEST_LOOK_PX, Candidates, FinderModel, look_anew, windows
from vision.quads import SAME_MIDDLE, are_elsewhere, quad_sides, usual_width
from vision.readings import Found, FoundTile, corners_of
from vision.recall import Recall, Window

_RACK_SCORE = 0.5
_SAME_TILE = 0.3
"""Two finds whose boxes' middles are nearer than this share of the box's shorter side are one tile: half a
tile's width where it lies level, less where it is turned and its box larger."""
_LEAST_TILE_PX, _MOST_TILE_PX = 30.0, 160.0
"""Widths of tiles in the scaled copy: narrower or wider ones than the bounds get a look at the best width."""
_MAY_MISLEAD, _SURELY = 8, 0.75
"""So few finds, most of them less sure than this, may be things that look like large tiles."""
_TILE_PX = "width of tiles"
"""What is known of the picture before, where many tiles were found in it surely."""
_NEAR_ONES = 1.5
"""So many times as wide as most tiles the nearest are, on a table that is seen from low."""
_SECOND_WITHIN = 0.2
"""In a film the second look keeps its scale while the one that is wanted is within this share of it."""
_MUCH_SMALLER, _FAIRLY, _RATHER = 0.6, 0.3, 0.5
"""Finds so much narrower than those, and fairly sure, tell how wide tiles are where they are more; those
that are rather sure are tiles in any case."""
_SAME_LOOK = 0.1
"""Looks at scales that differ by no more see the same."""
_CROWDED = 1.6
"""So many times nearer blank backs of a crowded pool are seen, where nothing else is on the table."""
_MOST_ENLARGED = 2.5
_MOST_WINDOWS, _MOST_FAR_WINDOWS = 6, 2
"""More would take seconds."""
_NEIGHBOURS, _FEW = 6, 3
"""So many of the nearest finds tell a tile's size; few finds tell nothing."""
_FIRST_LOOK_WORTH = 0.7
"""A find of the first look counts so much less than one of the second."""


def find_tiles(
    image_bgr: NDArray[np.uint8],
    model: FinderModel,
    score: float = 0.3,
    size: int = 640,
    faint: float = 1.0,
    recall: Recall | None = None,
    tile_px: float | None = None,
) -> Found:
    """Find every tile in ``image_bgr`` (H, W, 3).

    A first look at a copy of at most ``size`` pixels a side says how large the tiles are; where they are far
    from the size that the finder sees best, a second look brings them there, in overlapping parts where the
    whole would be too large. Where the first finds nothing, or little and none of it surely, looks in between
    tell. ``score`` is the least confidence of a find, ``faint`` that of one that needs more to be a tile; from
    ``score`` on there is none of those. ``recall`` knows what was found in the picture before it, where it is
    one of a film. ``tile_px`` is how wide tiles are, where that is known.
    """
    height, width = image_bgr.shape[:2]
    scale = min(size / max(height, width), _MOST_ENLARGED)
    whole: Window = (0, 0, width, height)
    # Half and a quarter of the size cost little, and close-ups of a few tiles are seen better so.
    low = min(score, faint)
    scales = [scale / shrink for shrink in (1, 2, 4)]
    before_px = known_width(recall) if recall is not None else None
    first = [
        look_anew(image_bgr, whole, at, model, low, recall, tile_px=_largest(before_px, at), for_racks=True)
        for at in scales
    ]
    seen = Candidates.join(first)
    tiles = _merge(seen.from_score(score))
    racks = _merge_racks(seen)
    # Tiles too small for the first look are not there at all in it.
    between = min(2 * scale, 1.0) if scale < 1 else None
    nearer: dict[float, Candidates] = {}
    tile_px = tile_px or before_px
    if tile_px is None:
        rather = [tile for tile in tiles if tile.score >= _RATHER]
        tile_px = usual_width([tile.corners_xy_px for tile in (rather if len(rather) >= _FEW else tiles)])
        if between is not None and _may_mislead(tiles, tile_px, scale):
            best = max((tile.score for tile in tiles), default=0.0)
            for at in (between, _CROWDED * between):
                nearer[at] = look_anew(image_bgr, whole, at, model, low, recall)
                smaller = _smaller(nearer[at], tile_px)
                seen = Candidates.join([seen, smaller.from_score(_RATHER)])
                small = _merge(smaller.from_score(_FAIRLY))
                if _tell_the_width(small, tiles):
                    tile_px = usual_width([tile.corners_xy_px for tile in small])
                    break
                # What a closer look takes for tiles in the grounds of one photograph, a film knows for scenery.
                if best >= _RATHER or (recall is None and tile_px is not None):
                    break
    second = _second_scale(tile_px, scale, between)
    if second is not None:
        second = second if recall is None else recall.steady_look("second", second, _SECOND_WITHIN)
        second = _in_few_windows(whole, second, _MOST_WINDOWS)
        near = next((looked for at, looked in nearer.items() if abs(at / second - 1) < _SAME_LOOK), None)
        near = near or look_anew(image_bgr, whole, second, model, low, recall)
        seen = Candidates.join([near, seen.weakened(_FIRST_LOOK_WORTH)])
    every = _merge(seen.from_score(low))
    if recall is None:
        sure = [tile.corners_xy_px for tile in every if tile.score >= _RATHER and not tile.face_down]
        far = far_rows(sure, (width, height), second or scale)
        if far is not None:
            every = _merge(_with_far(image_bgr, far, seen, model, low).from_score(low))
    tiles = [tile for tile in every if tile.score >= score]
    weak = [tile for tile in every if tile.score < score]
    if recall is not None and sum(tile.score >= _SURELY for tile in tiles) >= _MAY_MISLEAD:
        recall.keep(_TILE_PX, usual_width([tile.corners_xy_px for tile in tiles]))
    return Found(tuple(tiles), tuple(racks), tuple(elsewhere(weak, tiles)))


def _with_far(
    image_bgr: NDArray[np.uint8], far: FarRows, seen: Candidates, model: FinderModel, score: float
) -> Candidates:
    """Return what was seen and what a nearer look sees of far rows, which counts for more there."""
    scale = _in_few_windows(far.window, far.scale, _MOST_FAR_WINDOWS)
    near = look_anew(image_bgr, far.window, scale, model, score, None)
    off = far.hold(seen.corners.mean(axis=1))
    before = [seen.only(~off), seen.only(off).weakened(_FIRST_LOOK_WORTH)]
    return Candidates.join([near.only(far.hold(near.corners.mean(axis=1))), *before])


def _in_few_windows(part: Window, scale: float, most: int) -> float:
    """Return the scale, made smaller until at most so many windows cover the part of a picture."""
    while len(windows(part, round(LARGEST_LOOK_PX / scale))) > most:
        scale *= 0.8
    return scale


def known_width(recall: Recall) -> float | None:
    """Return how wide most tiles were in the picture before, pixels; None where too few were found surely."""
    width_px: float | None = recall.whole(_TILE_PX)
    return width_px


def _largest(width_px: float | None, scale: float) -> float | None:
    """Return how wide the nearest tiles are in a copy of that scale, by how wide most are, if that is known."""
    return None if width_px is None else max(BEST_TILE_PX, _NEAR_ONES * width_px * scale)


def _may_mislead(tiles: Sequence[FoundTile], width_px: float | None, scale: float) -> bool:
    """True where there may be more tiles, too small for the first look, at that scale, that found these."""
    if width_px is None:
        return True
    if width_px * scale < _LEAST_TILE_PX:
        return False
    if len(tiles) > _MAY_MISLEAD:
        return all(tile.score < _RATHER for tile in tiles)
    return float(np.median([tile.score for tile in tiles])) < _SURELY


def _smaller(seen: Candidates, width_px: float | None) -> Candidates:
    """Return what a look saw that is much narrower than ``width_px``, or all where that is None.

    A mug looks like a large tile, beside which tiles too small for the first look are not there at all.
    """
    most = np.inf if width_px is None else _MUCH_SMALLER * width_px
    return seen.only(quad_sides(seen.corners)[:, 0] < most)


def _tell_the_width(small: Sequence[FoundTile], tiles: Sequence[FoundTile]) -> bool:
    """True where finds narrower than those of the first look are more of them, or surer than any of those."""
    if len(small) > max(len(tiles), _FEW):
        return True
    sure = sum(tile.score >= _SURELY for tile in small)
    return sure > 1 or (sure == 1 and all(tile.score < _RATHER for tile in tiles))


def _second_scale(tile_px: float | None, scale: float, between: float | None) -> float | None:
    """Return the scale of a second look, or None where the first will do: ``between`` where no tile tells."""
    if tile_px is None:
        return between
    narrow = tile_px * scale
    if _LEAST_TILE_PX <= narrow <= _MOST_TILE_PX:
        return None
    best = min(scale * BEST_TILE_PX / narrow, _MOST_ENLARGED)
    return best if abs(np.log(best / scale)) > 0.25 else None


def look_again(
    image_bgr: NDArray[np.uint8], tile: FoundTile, model: FinderModel, score: float = 0.3, size: int = 320
) -> FoundTile | None:
    """Find one tile again in an enlarged cut-out around it; None where it is not met again."""
    centre = tile.corners_xy_px.mean(axis=0)
    reach = 1.6 * max(_sides(tile.corners_xy_px))
    x0, y0, x1, y1 = in_picture(image_bgr, centre - reach, centre + reach + 1)
    if x1 - x0 < 8 or y1 - y0 < 8:
        return None
    scale = size / max(x1 - x0, y1 - y0)
    near = look_near(image_bgr, (x0, y0, x1, y1), scale, model, score)
    distance = [float(np.linalg.norm(t.corners_xy_px.mean(axis=0) - centre)) for t in near]
    if not near or min(distance) > 0.4 * float(_sides(tile.corners_xy_px)[0]):
        return None
    return near[int(np.argmin(distance))]


def look_near(
    image_bgr: NDArray[np.uint8],
    window: Window,
    scale: float,
    model: FinderModel,
    score: float,
    recall: Recall | None = None,
    tile_px: float = BEST_TILE_PX,
) -> list[FoundTile]:
    """Find what lies whole in a window (left, top, right, bottom) of a picture, in a copy of this ``scale``.

    ``recall`` knows what was found there in the picture before; ``tile_px`` is how wide tiles are in that copy.
    """
    scale = min(scale, LARGEST_LOOK_PX / max(window[2] - window[0], window[3] - window[1]))
    return _merge(look_anew(image_bgr, window, scale, model, score, recall, tile_px=tile_px))


def in_picture(
    image_bgr: NDArray[np.uint8], low: NDArray[np.float32], high: NDArray[np.float32]
) -> tuple[int, int, int, int]:
    """Return left, top, right, bottom of what lies between two points (2,) and in the picture, whole pixels."""
    height, width = image_bgr.shape[:2]
    x0, y0, x1, y1 = np.clip([low, high], 0, [width, height]).astype(int).ravel().tolist()
    return x0, y0, x1, y1


def _sides(corners: NDArray[np.float32]) -> tuple[float, float]:
    """Return mean width and height of a quad, pixels."""
    width, height = quad_sides(corners[None])[0].tolist()
    return width, height


def _merge(found: Candidates) -> list[FoundTile]:
    """Gather the candidates of each tile into one, corners averaged, their order settled by vote."""
    which = np.flatnonzero(found.scores[:, :2].max(axis=1) > found.scores[:, 2])
    if not len(which):
        return []
    scores, quads, boxes = found.scores[which, :2], found.corners[which], found.boxes[which]
    best = scores.max(axis=1)
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    short = (boxes[:, 2:] - boxes[:, :2]).min(axis=1)
    group = np.full(len(best), -1)
    likeliest: list[int] = []
    for k in np.argsort(-best):
        if group[k] >= 0:
            continue
        away = centres - centres[k]
        near = (group < 0) & (away[:, 0] ** 2 + away[:, 1] ** 2 < (_SAME_TILE * short[k]) ** 2)
        near[k] = True
        group[near] = len(likeliest)
        likeliest.append(int(k))
    return _vote(scores, quads, boxes, group, np.array(likeliest))


def distinct(tiles: list[FoundTile]) -> list[FoundTile]:
    """Keep, of tiles that turned out to lie in the same place, the likeliest one."""
    if not tiles:
        return []
    ordered = sorted(tiles, key=lambda t: -t.score)
    corners = np.stack([t.corners_xy_px for t in ordered])
    centres = corners.mean(axis=1)
    reach = SAME_MIDDLE * quad_sides(corners).min(axis=1)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2) > reach[:, None]
    kept: list[int] = []
    for k in range(len(ordered)):
        if apart[k, kept].all():
            kept.append(k)
    return [ordered[k] for k in kept]


def elsewhere(finds: Sequence[FoundTile], known: Sequence[FoundTile]) -> list[FoundTile]:
    """Return the finds that are none of the ``known`` tiles found again."""
    if not (known and finds):
        return list(finds)
    new = are_elsewhere(corners_of(finds), corners_of(known).mean(axis=1))
    return [find for find, is_new in zip(finds, new, strict=True) if is_new]


def usual_sides(tiles: Sequence[FoundTile]) -> NDArray[np.float32] | None:
    """Return for each find the sides (N, 2) of its middling neighbour by size; None where finds are few."""
    if len(tiles) <= _FEW:
        return None
    corners = np.stack([tile.corners_xy_px for tile in tiles])
    sides, middles = quad_sides(corners), corners.mean(axis=1)
    areas = sides.prod(axis=1)
    away = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    around = np.argsort(away, axis=1)[:, 1 : 1 + _NEIGHBOURS]
    by_area = np.take_along_axis(around, np.argsort(areas[around], axis=1), axis=1)
    return np.asarray(sides[by_area[:, by_area.shape[1] // 2]])


def _vote(
    scores: NDArray[np.float32],
    quads: NDArray[np.float32],
    boxes: NDArray[np.float32],
    group: NDArray[np.intp],
    best: NDArray[np.intp],
) -> list[FoundTile]:
    """Merge the candidates of each group into one tile; ``best`` is each group's likeliest candidate."""
    count, corner = len(best), np.arange(4)
    weight = scores.max(axis=1).astype(np.float64) ** 2
    reference = quads[best]
    # Distances to the best quad read from each of its four corners say how each candidate is turned.
    turns = reference[:, (corner[:, None] + corner) % 4]
    distance = np.linalg.norm(quads[:, None] - turns[group], axis=3).mean(axis=2)
    turn = distance.argmin(axis=1)
    size = np.maximum(np.linalg.norm(reference[:, 1] - reference[:, 0], axis=1), 1.0)
    close = distance.min(axis=1) < 0.25 * size[group]
    close[best] = True
    trusted = weight * close
    winner = np.bincount(4 * group + turn, trusted, 4 * count).reshape(count, 4).argmax(axis=1)
    aligned = np.take_along_axis(quads, ((corner - turn[:, None]) % 4)[:, :, None], axis=1)
    mean = _means(aligned.reshape(-1, 8), group, trusted, count).reshape(-1, 4, 2)
    corners = np.take_along_axis(mean, ((corner + winner[:, None]) % 4)[:, :, None], axis=1)
    around = _means(boxes, group, weight, count)
    backs = scores[best, 1] > scores[best, 0]
    return [
        FoundTile(quad.astype(np.float32), float(top), bool(back), (left, top_y, right, bottom))
        for quad, top, back, (left, top_y, right, bottom) in zip(
            corners, scores[best].max(axis=1), backs, around.tolist(), strict=True
        )
    ]


def _means(
    values: NDArray[np.float32], group: NDArray[np.intp], weight: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """Return the weighted mean of ``values`` (N, C) in each of ``count`` groups, shape (count, C)."""
    sums = [np.bincount(group, column * weight, count) for column in values.T]
    return np.stack(sums, axis=1) / np.bincount(group, weight, count)[:, None]


def _merge_racks(found: Candidates) -> list[NDArray[np.float32]]:
    which = np.flatnonzero(found.scores[:, 2] >= _RACK_SCORE)
    racks: list[NDArray[np.float32]] = []
    for k in which[np.argsort(-found.scores[which, 2])]:
        quad = found.corners[k]
        size = min(_sides(quad))
        if all(np.linalg.norm(quad.mean(0) - r.mean(0)) > 0.6 * size for r in racks):
            racks.append(quad)
    return racks
