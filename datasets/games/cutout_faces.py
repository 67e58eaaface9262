"""Tiles cut out of photographs: outlines made sharp, light evened, the ground taken away.

Colours are linear light, RGB. A *print* is the light of a face over the light of its own bare body: about 1
where nothing is printed. Points are (x, y) pixels, pixel centres at integers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.labels import LabelledTile
from datasets.light import to_linear
from datasets.photos import LabelledPhoto
from referee.tiles import Tile

__all__ = ["ASPECT", "Cutout", "bare_back", "cut_out_all", "opacity"]

Map = NDArray[Any]  # float32

ASPECT: Final = 1.41
"""Height of the photographed tiles over their width, median of those seen from straight above."""
_LEAST_PX: Final = 44.0
"""Narrower tiles are not cut out: a film shows none smaller that is to be read."""
_MOST_PX: Final = 200
"""No cut-out is kept wider: a film shows none larger."""
_RADIUS: Final = 0.055
"""Radius of the rounded corners, tile widths."""
_SEARCH: Final = 0.035
"""The true edge is looked for so far to both sides of the labelled one, tile widths."""
_NEAR: Final = 0.10
"""Closer neighbours, in tile widths, may hide where a tile ends."""
_WORST_ASPECT: Final = 0.09
"""Tiles seen so slantwise that their shape is off by more than this share are not used."""
_WORST_BLUR: Final = 0.035
"""Softer edges of the print, standard deviation in tile widths, are not used."""
_GROUND_BELOW: Final = 0.6
"""At the very rim, what gives back less than this of the body's light is ground, or the shadow beside it."""
_LUMA: Final = np.array([0.2126, 0.7152, 0.0722], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Cutout:
    """One tile, upright, in even light."""

    tile: Tile
    """What it shows."""
    print: Map
    """Shape (H, W, 3); beyond the rounded outline goes on as its rim, so nothing of the ground is in it."""
    photo: str
    """Name of the photograph."""
    place: str
    """Where that was taken."""
    split: str
    """The part of the photographs that it belongs to, or empty."""
    width_px: float
    """How wide the tile was in the photograph."""
    score: float
    """How well it is seen: about the number of points that can be told apart across it."""
    ink: Map
    """Shape (3,): the print at its strongest."""


def cut_out_all(photos: Iterable[LabelledPhoto]) -> list[Cutout]:
    """Return every tile that is seen well enough, in the order of the photographs.

    Those on racks, those that the border cuts, and faces whose rim something covers are left out.

    Raises:
        PhotoLabelsError: a photograph is damaged.
    """
    found = []
    for photo in photos:
        if photo.kind != "table" or not photo.upright or not any(map(_worth_it, photo.tiles)):
            continue
        light = to_linear(photo.image_bgr()[:, :, ::-1].astype(np.float32) / 255)
        for k, tile in enumerate(photo.tiles):
            others = [other.corners_xy_px for j, other in enumerate(photo.tiles) if j != k]
            cutout = _cut_out(light, tile, others, photo) if _worth_it(tile) else None
            if cutout is not None:
                found.append(cutout)
    return found


def opacity(width: int, height: int) -> Map:
    """Return how much of each pixel a tile of that size covers, shape (height, width): a rounded rectangle."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    radius = _RADIUS * width
    dx = np.abs(x + 0.5 - width / 2) - (width / 2 - radius)
    dy = np.abs(y + 0.5 - height / 2) - (height / 2 - radius)
    outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0) - radius
    return np.asarray(np.clip(0.5 - outside, 0, 1), np.float32)


def bare_back(cutouts: list[Cutout], width: int) -> Map:
    """Return the print (H, W, 3) of a back made of the fronts' own body, for the photographs show none.

    The bevelled rim is the median of the fronts' rims; what they enclose is bare and as grainy as the fronts.
    """
    height = round(ASPECT * width)
    fronts = np.stack([cv2.resize(c.print, (width, height), interpolation=cv2.INTER_AREA) for c in cutouts])
    median = np.asarray(np.median(fronts, axis=0), np.float32)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) + 0.5
    rim = np.minimum(np.minimum(x, width - x), np.minimum(y, height - y)) / width
    inner = np.clip((rim - 0.05) / 0.03, 0, 1)[..., None]
    # Between the dish and the rim nothing is printed: the whole back is as grainy as that is on the fronts.
    strips = fronts[:, round(0.12 * height) : round(0.6 * height), round(0.08 * width) : round(0.14 * width)]
    fine = [strip - cv2.GaussianBlur(strip, (0, 0), 1.5) for strip in strips]
    grain = np.random.default_rng(0).normal(0, 1, (height, width)).astype(np.float32)
    grain = cv2.GaussianBlur(grain, (0, 0), 0.6)[..., None] * (
        float(np.median(np.std(fine, axis=(1, 2)))) / 0.47
    )
    return np.asarray(inner * (1 + grain) + (1 - inner) * median, np.float32)


def _sides(corners: NDArray[Any]) -> tuple[float, float]:
    """Return the mean width and height of a quadrilateral."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2


def _worth_it(tile: LabelledTile) -> bool:
    width, height = _sides(tile.corners_xy_px)
    seen = tile.tile is not None and tile.visible >= 0.999 and tile.numeral_visible >= 1
    return seen and width >= _LEAST_PX and abs(height / width / ASPECT - 1) < _WORST_ASPECT


def _cut_out(
    light: Map, tile: LabelledTile, others: list[NDArray[np.float32]], photo: LabelledPhoto
) -> Cutout | None:
    """Return one tile of a photograph in linear light; None where it is not seen well."""
    assert tile.tile is not None
    corners = _sharpened(light, tile.corners_xy_px)
    across = _sides(corners)[0]
    width = min(round(across), _MOST_PX)
    height = round(ASPECT * width)
    face, _ = _upright(light, corners, width, height, 0)
    body = _bare_light(face)
    if body is None or float((body @ _LUMA).min()) < 0.02:
        return None
    printed = np.asarray(face / body, np.float32)
    clipped = float((face.min(axis=2) > 0.97).mean())
    blur = _blur(printed)
    if blur is None or clipped > 0.25 or blur > _WORST_BLUR * width or _is_covered(printed):
        return None
    gap = min((_distance(corners, other) for other in others), default=across) / across
    points = across / max(blur * across / width, 0.8)
    amiss = float((_rim_is_ground(printed) & (opacity(width, height) > 0.99)).sum()) / (width + height)
    score = min(points, float(_MOST_PX)) * (1 - clipped) * (1.0 if gap > _NEAR else 0.85) / (1 + 3 * amiss)
    deep = 1 - printed.min(axis=2)
    strong = deep > 0.85 * np.percentile(deep, 99)
    ink = np.median(printed[strong], axis=0)
    return Cutout(
        tile.tile, _without_ground(printed), photo.name, photo.place, photo.split or "", across, score,
        np.asarray(ink, np.float32),
    )  # fmt: skip


def _upright(
    light: Map, corners: NDArray[Any], width: int, height: int, margin: int
) -> tuple[Map, NDArray[np.float64]]:
    """Return the rectified tile with a margin around it, and the matrix from its pixels to the picture's."""
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5 + margin
    to_picture = np.asarray(cv2.getPerspectiveTransform(target, corners.astype(np.float32)), np.float64)
    size = (width + 2 * margin, height + 2 * margin)
    finer = _sides(corners)[0] / width
    if finer > 1.2:  # a photograph larger than is needed: softened before, so that nothing is skipped
        light = cv2.GaussianBlur(light, (0, 0), 0.4 * finer)
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    crop = cv2.warpPerspective(light, to_picture, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.maximum(np.asarray(crop, np.float32), 1e-4), to_picture


def _sharpened(light: Map, corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Move each side of a labelled tile to where the body ends and the ground begins.

    A side without a clear edge, such as one that touches a neighbour, stays as it is labelled.
    """
    width = int(np.clip(_sides(corners)[0], 40, 220))
    height = round(ASPECT * width)
    reach = max(2, round(_SEARCH * width))
    margin = 2 * reach
    crop, to_picture = _upright(light, corners, width, height, margin)
    grey = np.sqrt(crop @ _LUMA)
    lines = []
    for turn in range(4):
        # The side in question lies level, the body below it.
        turned = np.rot90(grey, turn)
        long = turned.shape[1] - 2 * margin
        ends = []
        for a, b in ((0.12, 0.42), (0.58, 0.88)):
            strip = turned[: 2 * margin + 1, margin + round(a * long) : margin + round(b * long)]
            ends.append(((a + b) / 2 * long + margin - 0.5, _edge(strip, margin, reach)))
        lines.append(ends)
    wide_tall = crop.shape[1] - 1, crop.shape[0] - 1
    sides = []
    for turn, ends in enumerate(lines):
        points = np.array(ends)
        for before in reversed(range(turn)):  # undo the quarter turns, which were counter-clockwise
            points = np.stack([wide_tall[before % 2] - points[:, 1], points[:, 0]], axis=1)
        sides.append(points)
    # rot90 brings the top first, then the right, the bottom and the left side to the top.
    quad = np.array([_crossing(sides[3], sides[0]), _crossing(sides[0], sides[1]),
                     _crossing(sides[1], sides[2]), _crossing(sides[2], sides[3])])  # fmt: skip
    moved = cv2.perspectiveTransform(quad[None], to_picture)[0]
    return np.asarray(moved, np.float32)


def _edge(strip: Map, labelled: int, reach: int) -> float:
    """Return the row (between pixels) at which the body below begins, or the labelled one."""
    profile = np.median(strip, axis=1)
    step = np.abs(np.diff(profile))
    step = np.convolve(step, (0.25, 0.5, 0.25), "same")
    first = labelled - reach - 1
    window = step[first : labelled + reach]
    body = float(np.median(profile[labelled + reach :]))
    if len(window) < 3 or window.max() < 0.10 * body:
        return labelled - 0.5
    k = int(np.argmax(window))
    shift = 0.0
    if 0 < k < len(window) - 1:
        before, at, after = (float(v) for v in window[k - 1 : k + 2])
        shift = 0.5 * (before - after) / min(before - 2 * at + after, -1e-6)
    return first + k + shift + 0.5


def _crossing(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where two lines, each through two points (2, 2), cross."""
    a, b = (np.cross([*p[0], 1.0], [*p[1], 1.0]) for p in (first, second))
    point = np.cross(a, b)
    return np.asarray(point[:2] / point[2], np.float64)


def _bare_light(face: Map) -> Map | None:
    """Return the light (H, W, 3) on the bare body, a plane; None where little of it is in view."""
    height, width = face.shape[:2]
    grey = face @ _LUMA
    bright = float(np.percentile(grey, 75))
    inner = np.zeros((height, width), bool)
    edge = round(0.08 * width)
    inner[edge:-edge, edge:-edge] = True
    sure = inner & (grey > 0.8 * bright) & (face.min(axis=2) > 0.2 * face.max(axis=2))
    if sure.sum() < 0.3 * inner.sum():
        return None
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    plane = np.stack([np.ones_like(x), x / width - 0.5, y / height - 0.5], axis=-1)
    factors, *_ = np.linalg.lstsq(plane[sure], face[sure], rcond=None)
    slope = plane @ factors
    return np.asarray(np.maximum(slope, 0.2 * bright), np.float32)


def _blur(printed: Map) -> float | None:
    """Return the unsharpness of the print's edges, standard deviation in pixels; None without a print."""
    grey = printed.min(axis=2)
    contrast = 1 - float(np.percentile(grey, 3))
    edge = round(0.12 * grey.shape[1])
    middle = grey[edge:-edge, edge:-edge]
    if contrast < 0.3:
        return None
    steep = np.hypot(cv2.Sobel(middle, cv2.CV_32F, 1, 0), cv2.Sobel(middle, cv2.CV_32F, 0, 1)) / 8
    # An edge blurred by a Gaussian is steepest in its middle: contrast / (sigma * sqrt(2 pi)).
    return contrast / (max(float(np.percentile(steep, 98)), 1e-3) * 2.5066)


def _is_covered(printed: Map) -> bool:
    """Tell whether something lies over a tile's rim, where nothing is ever printed."""
    height, width = printed.shape[:2]
    near, far = round(0.05 * width), round(0.10 * width)
    ring = np.zeros((height, width), bool)
    ring[near : height - near, near : width - near] = True
    ring[far : height - far, far : width - far] = False
    grey = printed[ring] @ _LUMA
    return bool((np.abs(grey - 1) > 0.45).mean() > 0.10)


def _distance(corners: NDArray[Any], other: NDArray[Any]) -> float:
    """Return the distance between two quadrilaterals, about: from corners and middles of sides to the other."""
    nearest = np.inf
    for one, two in ((corners, other), (other, corners)):
        points = np.concatenate([one, (one + np.roll(one, -1, axis=0)) / 2])
        hull = two.astype(np.float32).reshape(-1, 1, 2)
        nearest = min(nearest, *(-cv2.pointPolygonTest(hull, (float(x), float(y)), True) for x, y in points))
    return float(nearest)


def _rim_is_ground(printed: Map) -> NDArray[np.bool_]:
    """Return where the outermost part of a crop (H, W) shows no tile, such as a gap to a slanting neighbour."""
    height, width = printed.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    rim = np.minimum(np.minimum(x, width - 1 - x), np.minimum(y, height - 1 - y)) / width
    odd = np.abs(printed / np.maximum(printed @ _LUMA, 1e-3)[..., None] - 1).max(axis=2) > 0.35
    return np.asarray((rim < 0.06) & ((printed @ _LUMA < _GROUND_BELOW) | odd))


def _without_ground(printed: Map) -> Map:
    """Let the body's own rim go on where the ground shines in, and beyond the outline."""
    height, width = printed.shape[:2]
    inset = round(max(1.0, 0.012 * width))
    known = np.zeros((height, width), np.uint8)
    known[inset : height - inset, inset : width - inset] = opacity(width - 2 * inset, height - 2 * inset) > 0.99
    # A pixel more all round, for edges are soft.
    ground = cv2.dilate(_rim_is_ground(printed).astype(np.uint8), np.ones((3, 3), np.uint8))
    known[ground > 0] = 0
    _, labels = cv2.distanceTransformWithLabels(1 - known, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    colours = np.zeros((int(labels.max()) + 1, 3), np.float32)
    colours[labels[known > 0]] = printed[known > 0]
    return np.asarray(np.where(known[..., None] > 0, printed, colours[labels]), np.float32)
