"""Tiles that the finder passed over: beside a tile of a row, and under a find that proved to be none.

Tiles of a set lie side by side, so that a row says where its next tile would lie. What looks like a tile's body
there and reads clearly, as it is and with the refiner's corners, is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find import distinct
from vision.quads import are_elsewhere, are_free, is_elsewhere, quad_axes, quad_sides, sides_apart
from vision.readings import FoundTile, corners_of, stacked
from vision.rectify import Pyramid

__all__ = ["between", "bodies_of", "passed_over"]

_ASIDE = 0.35
"""Widths by which a find may miss the place between two tiles."""
_IN_VIEW = 0.55
"""Share of a tile that has to lie in the picture to be worth a look."""
_STEP = 1.03
"""Widths from one tile of a row to the next."""
_BODY_WH = (12, 16)
"""Pixels of the cut-outs that tell what a face's body looks like."""
_ALIKE_BODIES = 30.0
"""Grey levels of any channel by which two bodies side by side may differ."""
_SAME_BODY, _SAME_SHARE = 10.0, 0.05
"""The same, and as a share of a body's brightest channel, where nothing is read: a gap that shows pale paper or
cloth differs from the tiles beside it by little more."""
_ALIKE_SIDES = 0.25
"""Logarithm by which the refiner may change the sides."""
_WORTH, _CLEAR = 0.5, 0.97
"""Probability of its likeliest number from which on a place is worth refining, and that of a tile."""
_MOST = 24
"""Of more places those beside the surest tiles are looked at."""


def passed_over(
    pyramid: Pyramid,
    corners: NDArray[np.float32],
    clear: NDArray[np.float64],
    finds: Sequence[FoundTile],
    refine: Callable[[Sequence[FoundTile]], list[FoundTile]],
    read: Callable[[NDArray[np.float32]], NDArray[np.float64]],
) -> NDArray[np.float32]:
    """Return the corners (M, 4, 2) of further tiles, pixels.

    ``corners`` (N, 4, 2) are the faces of the picture, upright, ``clear`` (N,) how probable each one's
    likeliest tile is; ``finds`` are all that was found, refined. ``refine`` finds exact corners, ``read`` tells
    how probable each number and the joker are at corners (K, 4, 2), shape (K, 14).
    """
    none = stacked([])
    if not len(corners):
        return none
    places = np.concatenate([_beside(pyramid, corners, clear), _left_over(finds, corners)])
    places = places[are_free(places, corners)]
    if not len(places):
        return none
    told = read(places)
    worth = np.flatnonzero(told.max(axis=1) >= _WORTH)
    if not len(worth):
        return none
    refined = refine([FoundTile(places[k], float(told[k].max())) for k in worth])
    quads = np.stack([one.corners_xy_px for one in refined])
    again = read(quads)
    good = (
        (told[worth].argmax(axis=1) == again.argmax(axis=1))
        & (again.max(axis=1) >= _CLEAR)
        & ~np.array([one.refused for one in refined])
        & (sides_apart(quad_sides(quads), quad_sides(places[worth])) < _ALIKE_SIDES)
        & are_free(quads, corners)
    )
    # What reads clearly shows no back, however pale it is.
    kept = distinct([one for one, is_good in zip(refined, good, strict=True) if is_good])
    return corners_of(kept)


def between(pyramid: Pyramid, corners: NDArray[np.float32], finds: Sequence[FoundTile]) -> NDArray[np.float32]:
    """Return where tiles (K, 4, 2) lie that were found between two others of a row, whatever they read.

    ``corners`` (N, 4, 2) are the other faces, upright, ``finds`` all that was found. What is as wide as a tile,
    looks like one and has one on either side is no gap in the row: a joker of a strange design, say.
    """
    middles = corners.mean(axis=1)
    places: list[NDArray[np.float32]] = []
    across = _STEP * quad_axes(corners)[0] if len(corners) > 1 else np.zeros((0, 2), np.float32)
    for find in finds:
        quad = find.corners_xy_px
        if not len(across) or find.face_down or not is_elsewhere(quad, middles):
            continue
        near = _ASIDE * np.linalg.norm(across, axis=1)
        away = quad.mean(axis=0) - middles[: len(corners)]
        left = np.flatnonzero(np.linalg.norm(away - across, axis=1) < near)
        right = np.flatnonzero(np.linalg.norm(away + across, axis=1) < near)
        if len(left) and len(right):
            sides = corners[[left[0], right[0]]]
            place = sides.mean(axis=0)
            bodies = bodies_of(pyramid, np.stack([place, *sides]))
            if np.abs(bodies[0] - bodies[1:]).max() <= min(_SAME_BODY, _SAME_SHARE * bodies[1:].max()):
                places.append(place)
                middles = np.concatenate([middles, place.mean(axis=0)[None]])
    quads = stacked(places)
    return quads[are_free(quads, corners)]


def _beside(pyramid: Pyramid, corners: NDArray[np.float32], clear: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return where tiles (K, 4, 2) of the same body would lie beside the clear ones."""
    height, width = pyramid.level(0).shape[:2]
    own = np.flatnonzero(clear >= _CLEAR)
    if not len(own):
        return stacked([])
    across = _STEP * quad_axes(corners)[0]
    of = np.concatenate([own, own])
    places = np.concatenate([corners[own] + across[own, None], corners[own] - across[own, None]])
    seen = np.array([_share_in_view(quad, width, height) for quad in places])
    middles = corners.mean(axis=1)
    vacant = are_elsewhere(places, middles)
    able = np.flatnonzero((seen >= _IN_VIEW) & vacant)
    bodies, known = bodies_of(pyramid, places[able]), bodies_of(pyramid, corners[own])
    # Where a numeral fills its tile, what is around it is no body: most tiles tell.
    beside, usual = known[able % len(own)], np.median(known, axis=0)
    apart = [np.abs(bodies - one).max(axis=1) for one in (beside, usual)]
    able = able[np.minimum(*apart) <= _ALIKE_BODIES]
    return np.asarray(places[able[np.argsort(-clear[of[able]], kind="stable")][:_MOST]])


def _left_over(finds: Sequence[FoundTile], corners: NDArray[np.float32]) -> NDArray[np.float32]:
    faces = stacked([one.corners_xy_px for one in finds if not (one.refused or one.face_down)])
    return faces[are_elsewhere(faces, corners.mean(axis=1))]


def _share_in_view(quad: NDArray[np.float32], width: int, height: int) -> float:
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    area = abs(float(cv2.contourArea(quad)))
    return float(cv2.intersectConvexConvex(quad, frame)[0]) / max(area, 1e-6)


def bodies_of(pyramid: Pyramid, corners: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the colour (N, 3) around what is printed on faces (N, 4, 2): the median of their outer pixels."""
    crops = pyramid.crops(corners, _BODY_WH, 0.0)[:, 1:-1, 1:-1]
    edge = np.ones(crops.shape[1:3], bool)
    edge[2:-2, 2:-2] = False
    return np.asarray(np.median(crops[:, edge], axis=1), np.float64)
