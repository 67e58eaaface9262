"""Makes other tile designs of real photographs, keeping their light, edges and surroundings.

Each face is rectified and split into the light on its bare body and what is printed on it. Then the body is
recoloured, and either the real numeral gets another ink, or another numeral is printed. What lies outside the
faces, side walls and cast shadows among it, stays as it is.

Colours here are linear light, RGB. A *print* is what ink and relief leave of the light of the bare body, 1 for
all of it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.design import Design, sample_design
from datasets.design_inks import RGB, lch_to_rgb
from datasets.face import render_face
from datasets.labels import LabelledPicture, LabelledTile
from datasets.light import to_linear, to_srgb
from datasets.photos import LabelledPhoto
from referee.tiles import ALL_TILES, JOKER, NATURAL_TILES, Colour, Tile

__all__ = ["Mode", "redesign"]

Map = NDArray[Any]  # float32

Mode = Literal["recolour", "replace"]
"""``recolour`` keeps the real numerals and what they say; ``replace`` prints others."""

_IVORY: Final = lch_to_rgb(91, 12, 90)
"""The body that photographs are taken to show."""
_STROKE: Final = 0.26
"""No stroke is wider, face widths."""
_INK_BELOW: Final = 0.78
"""A pixel whose weakest channel keeps less of the body's light is ink."""
_RIM: Final = (0.02, 0.055)
"""From the first distance off the face's edge (face widths) to the second, real pixels give way to new ones."""
_COARSE_PX: Final = 96
"""The light on a bare body is smooth; it is found on faces no wider than this."""
_FINE: Final = 1.3
"""Pixels of the rectified face to one of the picture."""
_LEAST_PX: Final = 9.0
"""Faces that are narrower are left as they are: nothing can be read on them."""
_LUMA: Final = np.array([0.2126, 0.7152, 0.0722], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Face:
    """A tile's face, rectified, and taken apart."""

    index: int
    """Of the tile in the picture."""
    to_picture: NDArray[np.float64]
    """Shape (3, 3): maps its pixels to the picture's."""
    fine_xy: tuple[float, float]
    """Its pixels to one of the picture, across and down."""
    light: Map
    """Shape (H, W, 3): as photographed."""
    white: Map
    """Shape (H, W, 3): the light of the bare body."""
    ink: NDArray[np.bool_]
    """Shape (H, W): where something is printed."""
    inside: NDArray[np.bool_]
    """Shape (H, W): what the frame of the picture holds."""

    @property
    def print(self) -> Map:
        """Shape (H, W, 3)."""
        return np.asarray(self.light / self.white, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """What all faces of a picture share."""

    design: Design
    body: Map
    """Shape (3,): the new body over the old one."""
    veil: float
    """Share of the body's light that even black ink gives back."""
    blur_px: float
    """Standard deviation of the picture's unsharpness."""
    sun_xy: NDArray[np.float64]
    """Horizontal part of the direction to the lamp, in the picture, for a height of 1."""
    mode: Mode
    keep_logo: bool
    """With ``recolour``: the relief of the body stays."""
    inks: dict[Colour, Map]
    """With ``recolour``: prints (3,) of the old inks."""


def redesign(
    photo: LabelledPhoto | LabelledPicture,
    rng: Generator,
    split: str = "train",
    *,
    mode: Mode | None = None,
    design: Design | None = None,
) -> LabelledPicture:
    """Return the photograph as if its tiles were of another design, one design for all of them.

    Corners, visibility and sets are kept. With ``replace`` the tiles have new identities, at most two of a
    kind. Backs, tiles that something covers, and tiles too small to read are left as they are. The same
    generator state gives the same picture.

    Args:
        photo: with ordered corners; its tiles are taken to be ivory.
        rng: settles everything.
        split: of the families that the design is drawn from, see ``sample_design``.
        mode: drawn where None.
        design: drawn where None.

    Raises:
        ValueError: nobody has said which way is up in the photograph, or there is no such split.
        PhotoLabelsError: the photograph is damaged.
    """
    picture = photo.picture() if isinstance(photo, LabelledPhoto) else photo
    if design is None:
        design = sample_design(rng, split=split)
    drawn: Mode = "recolour" if rng.random() < 0.35 else "replace"
    mode = mode or drawn
    light = to_linear(picture.image_bgr[:, :, ::-1].astype(np.float32) / 255)
    faces = [face for k, tile in enumerate(picture.tiles) if (face := _take_apart(light, tile, k)) is not None]
    families = {**design.families, **picture.families, "redesign": mode}
    if not faces:
        return replace(picture, families=families)
    look = _look(faces, picture, design, mode, rng)
    tiles = list(picture.tiles)
    names = _identities(picture, faces, mode, rng)
    seen: Counter[Tile] = Counter()
    result = light.copy()
    for face in faces:
        old = picture.tiles[face.index]
        tile = names[face.index]
        if mode == "recolour":
            print_, numeral = _recoloured(face, tile, look), old.numeral_visible
        else:
            print_, box = _printed(face, tile, seen[tile] % 2, look, rng)
            numeral = _share_in_frame(face, box)
        seen[tile] += 1
        tiles[face.index] = replace(old, tile=tile, numeral_visible=numeral)
        _put_back(result, face, print_, look, rng)
    image = np.clip(to_srgb(result) * 255 + 0.5, 0, 255).astype(np.uint8)[:, :, ::-1]
    same = _weakest((result == light).astype(np.uint8)) > 0
    image[same] = picture.image_bgr[same]
    return replace(picture, image_bgr=np.ascontiguousarray(image), tiles=tuple(tiles), families=families)


def _take_apart(light: Map, tile: LabelledTile, index: int) -> _Face | None:
    """Rectify a face and find the light of its bare body; None for what is to be left as it is."""
    quad = tile.corners_xy_px.astype(np.float64)
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    across, down = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    if tile.tile is None or across < _LEAST_PX or down < _LEAST_PX:
        return None
    seen = max(across, down / 1.4)
    width = round(min(_FINE * seen, max(seen, 320)))
    height = round(1.4 * width)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    square = cv2.getPerspectiveTransform(target.astype(np.float32), quad.astype(np.float32))
    to_picture = np.asarray(square, np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpPerspective(light, to_picture, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    inside = (
        cv2.warpPerspective(np.ones(light.shape[:2], np.uint8), to_picture, (width, height), flags=flags) > 0
    )
    if tile.visible < float(inside.mean()) - 0.04 or inside.mean() < 0.15:
        return None
    white, ink = _bare_body(np.maximum(crop, 1e-3), inside)
    return _Face(index, to_picture, (width / across, height / down), np.maximum(crop, 1e-3), white, ink, inside)


def _bare_body(light: Map, inside: NDArray[np.bool_]) -> tuple[Map, NDArray[np.bool_]]:
    """Return the light (H, W, 3) of the body without ink and small relief, and where ink is (H, W)."""
    height, width = light.shape[:2]
    small = (min(width, _COARSE_PX), min(height, round(1.4 * _COARSE_PX)))
    coarse = cv2.resize(light, small, interpolation=cv2.INTER_AREA)
    held = cv2.resize(inside.astype(np.uint8), small, interpolation=cv2.INTER_NEAREST) > 0
    wide = small[0]
    soft = cv2.GaussianBlur(coarse, (0, 0), max(0.6, 0.012 * wide))
    reach = int(_STROKE * wide) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    # Closing fills what is darker and narrower than the kernel: strokes, but no shadow's edge.
    rough = cv2.GaussianBlur(cv2.morphologyEx(soft, cv2.MORPH_CLOSE, kernel), (0, 0), 0.05 * wide)
    y, x = np.mgrid[0 : small[1], 0 : small[0]]
    rim = np.minimum(np.minimum(x, small[0] - 1 - x), np.minimum(y, small[1] - 1 - y)) / wide
    ink = _weakest(soft / np.maximum(rough, 1e-3)) < _INK_BELOW
    ink &= rim > 0.035
    around = int(0.05 * wide) | 1
    printed = cv2.dilate(ink.astype(np.uint8), np.ones((around, around), np.uint8)) > 0
    known = (~printed & held & (rim > 0.03)).astype(np.float32)
    total = np.zeros_like(coarse)
    weight = np.full(coarse.shape[:2], 1e-6, np.float32)
    # Near pixels say more than far ones; where there are none, far ones do.
    for sigma, trust in ((0.05, 1.0), (0.12, 0.03), (0.4, 0.0003)):
        total += trust * cv2.GaussianBlur(coarse * known[..., None], (0, 0), sigma * wide)
        weight += np.float32(trust) * cv2.GaussianBlur(known, (0, 0), sigma * wide)
    white = rough if weight.max() < 1e-4 else np.maximum(total / weight[..., None], 2e-3)
    white = cv2.resize(white, (width, height), interpolation=cv2.INTER_LINEAR)
    weak = _weakest(light / white) < _INK_BELOW
    weak &= cv2.resize(printed.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0
    return white, _strong_parts(weak, light / white)


def _weakest(rgb: Map) -> Map:
    """Return the least channel (H, W)."""
    return np.asarray(cv2.min(cv2.min(rgb[..., 0], rgb[..., 1]), rgb[..., 2]), np.float32)


def _strong_parts(weak: NDArray[np.bool_], print_: Map) -> NDArray[np.bool_]:
    """Keep the parts (H, W) that are strong somewhere: numerals, not the shades of a relief."""
    strength = 1 - _weakest(print_)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(weak.astype(np.uint8), connectivity=8)
    if count < 2:
        return weak
    best = np.zeros(count)
    for k in range(1, count):
        x, y, w, h, area = stats[k]
        if area > 0.001 * weak.size:
            spot = np.s_[y : y + h, x : x + w]
            best[k] = np.percentile(strength[spot][labels[spot] == k], 80)
    keep = best > 0.6 * best.max()
    keep[0] = False
    return np.asarray(keep[labels], bool)


def _look(faces: list[_Face], picture: LabelledPicture, design: Design, mode: Mode, rng: Generator) -> _Look:
    """Measure what the faces have in common, and draw the rest."""
    body = to_linear(np.array(design.body_rgb, np.float32)) / to_linear(np.array(_IVORY, np.float32))
    brightest = max(float(np.percentile((face.white * body)[face.inside], 90)) for face in faces)
    body = body * min(1.0, 0.96 / brightest)
    dark = [
        np.percentile(_weakest(face.print)[face.ink], 3) for face in faces if np.count_nonzero(face.ink) > 20
    ]
    veil = float(np.clip(0.7 * np.median(dark), 0.004, 0.08)) if dark else 0.02
    blurs = [blur for face in faces if (blur := _blur_px(face)) is not None]
    turn, low = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 1.2)
    found: dict[Colour, list[Map]] = {}
    for face in faces:
        tile = picture.tiles[face.index].tile
        if tile is not None and tile.colour is not None and (own := _own_ink(face)) is not None:
            found.setdefault(tile.colour, []).append(own)
    return _Look(
        design=design,
        body=body.astype(np.float32),
        veil=veil,
        blur_px=float(np.clip(np.median(blurs), 0.4, 4)) if blurs else 0.8,
        sun_xy=low * np.array([np.cos(turn), np.sin(turn)]),
        mode=mode,
        keep_logo=bool(rng.random() < 0.4),
        inks={colour: np.median(prints, axis=0).astype(np.float32) for colour, prints in found.items()},
    )


def _blur_px(face: _Face) -> float | None:
    """Return the standard deviation of the blur of the face's edges, pixels of the picture."""
    if np.count_nonzero(face.ink) < 20:
        return None
    grey = _weakest(face.print)
    contrast = 1 - float(np.percentile(grey[face.ink], 8))
    if contrast < 0.25:
        return None
    fx, fy = face.fine_xy
    gx = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3) / 8 * fx
    gy = cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3) / 8 * fy
    edge = cv2.morphologyEx(face.ink.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    # The outline of the ink is where the edge begins: look for the steepest spot beside it.
    wide = int(0.05 * grey.shape[1]) | 3
    beside = cv2.dilate(np.hypot(gx, gy), np.ones((wide, wide), np.uint8))
    steepest = float(np.median(beside[edge & face.inside]))
    # An edge blurred by a Gaussian is steepest in its middle: contrast / (sigma * sqrt(2 pi)).
    return contrast / (max(steepest, 1e-3) * 2.5066)


def _own_ink(face: _Face) -> Map | None:
    """Return the print (3,) of a face's ink at its strongest; None without any."""
    if np.count_nonzero(face.ink) < 12:
        return None
    prints = face.print[face.ink]
    lost = (1 - prints).sum(axis=1)
    return np.asarray(np.median(prints[lost >= np.percentile(lost, 80)], axis=0), np.float32)


def _identities(picture: LabelledPicture, faces: list[_Face], mode: Mode, rng: Generator) -> dict[int, Tile]:
    """Return the tile that each face is to show."""
    old = {k: tile.tile for k, tile in enumerate(picture.tiles) if tile.tile is not None}
    if mode == "recolour":
        return old
    painted = {face.index for face in faces}
    stays = Counter(tile for k, tile in old.items() if k not in painted)
    pool = [tile for tile in (*NATURAL_TILES, JOKER) for _ in range(2 - min(2, stays[tile]))]
    # More tiles than one box holds: then a kind comes oftener.
    pool += [tile for tile in ALL_TILES for _ in range(len(painted))] if len(painted) > len(pool) else []
    chances = np.array([4.0 if tile.is_joker else 1.0 for tile in pool])
    drawn = rng.choice(len(pool), len(painted), replace=False, p=chances / chances.sum())
    return {**old, **{k: pool[place] for k, place in zip(sorted(painted), drawn, strict=True)}}


def _veiled(ink: RGB | Map, look: _Look) -> Map:
    """Return the print (..., 3) of an sRGB colour on the new body."""
    body = to_linear(np.array(look.design.body_rgb, np.float32))
    share = to_linear(np.asarray(ink, np.float32)) / np.maximum(body, 0.02)
    return np.asarray(look.veil + (1 - look.veil) * share, np.float32)


def _recoloured(face: _Face, tile: Tile, look: _Look) -> Map:
    """Return the face's print with its numeral in the new ink."""
    real = face.print
    own = _own_ink(face)
    colour = tile.colour
    if colour is None and own is not None:
        colour = Colour.BLACK if own.min() > 0.5 * own.max() else Colour.RED
    old = own if tile.colour is None else look.inks.get(tile.colour, own)
    relief = real if look.keep_logo else 1 + 0.12 * (real - 1)
    if old is None or colour is None:
        return np.asarray(relief, np.float32)
    away = 1 - old
    cover = np.clip((1 - real) @ away / max(float(away @ away), 1e-3), 0, 1)
    wide = round(2.2 * look.blur_px * max(face.fine_xy)) * 2 + 1
    # Only beside what is surely ink: a shade on the body would take its colour.
    misfit = np.linalg.norm(real - 1 + cover[..., None] * away, axis=2)
    sure = (cover > 0.55) & face.ink & (misfit < 0.35 * cover * np.linalg.norm(away))
    near = cv2.dilate(sure.astype(np.float32), np.ones((wide, wide), np.float32))
    cover = (cover * cv2.GaussianBlur(near, (0, 0), max(0.6, wide / 4)))[..., None].astype(np.float32)
    rest = real - (1 + cover * (old - 1))
    new = 1 + cover * (_veiled(look.design.inks[colour], look) - 1)
    bare = rest if look.keep_logo else 0.12 * rest
    return np.asarray(new + bare * (1 - 0.7 * cover), np.float32)


def _printed(
    face: _Face, tile: Tile, copy: int, look: _Look, rng: Generator
) -> tuple[Map, tuple[float, float, float, float]]:
    """Return the print of a new face, as unsharp as the picture, and its ink box as shares of the face."""
    height, width = face.light.shape[:2]
    texture = render_face(look.design, tile, int(np.clip(height, 40, 640)), rng, copy=copy)
    print_ = _veiled(texture.rgb, look)
    if texture.height is not None:
        print_ *= _relief_shade(texture.height, face, look)[..., None]
    print_ = cv2.resize(print_, (width, height), interpolation=cv2.INTER_AREA)
    fx, fy = face.fine_xy
    # Printing the face here and putting it back resamples twice, which blurs about half a pixel.
    blur = np.sqrt(max(look.blur_px**2 - 0.35**2, 0.1))
    print_ = cv2.GaussianBlur(print_, (0, 0), sigmaX=blur * fx, sigmaY=blur * fy)
    return np.asarray(print_, np.float32), texture.ink_box_xyxy


def _relief_shade(relief: Map, face: _Face, look: _Look) -> Map:
    """Return the light (H, W) on a height field over that on a flat face."""
    width = relief.shape[1]
    middle = np.array([face.light.shape[1] / 2, face.light.shape[0] / 2])
    ends = middle + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    seen = cv2.perspectiveTransform(ends[None].astype(np.float64), face.to_picture)[0]
    axes = (seen[1:] - seen[0]) / np.linalg.norm(seen[1:] - seen[0], axis=1, keepdims=True)
    sun = axes @ look.sun_xy
    slope_x = cv2.Sobel(relief, cv2.CV_32F, 1, 0, ksize=3) / 8 * width
    slope_y = cv2.Sobel(relief, cv2.CV_32F, 0, 1, ksize=3) / 8 * width
    lamp = (1 - slope_x * sun[0] - slope_y * sun[1]) / np.sqrt(1 + slope_x**2 + slope_y**2)
    return np.asarray(0.4 + 0.6 * np.clip(lamp, 0, 1.6), np.float32)


def _share_in_frame(face: _Face, box: tuple[float, float, float, float]) -> float:
    """Return the share of an ink box that the frame of the picture holds."""
    height, width = face.inside.shape
    x1, y1, x2, y2 = np.array(box) * (width, height, width, height)
    part = face.inside[int(y1) : int(np.ceil(y2)), int(x1) : int(np.ceil(x2))]
    share = float(part.mean()) if part.size else 0.0
    return 1.0 if share > 0.985 else share


def _put_back(result: Map, face: _Face, print_: Map, look: _Look, rng: Generator) -> None:
    """Lay a face with its new print into the picture (H, W, 3)."""
    height, width = face.light.shape[:2]
    quad = cv2.perspectiveTransform(
        np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64) - 0.5, face.to_picture
    )[0]
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 1, (result.shape[1], result.shape[0]))
    move = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float64) @ face.to_picture
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    y, x = (y + 0.5) / width, (x + 0.5) / width
    tall, round_ = height / width, 0.06
    dx, dy = np.abs(x - 0.5) - (0.5 - round_), np.abs(y - tall / 2) - (tall / 2 - round_)
    rim = round_ - np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) - np.minimum(np.maximum(dx, dy), 0)
    new = np.clip((rim - _RIM[0]) / (_RIM[1] - _RIM[0]), 0, 1)
    edge = np.clip(rim / 0.02, 0, 1)
    laid: tuple[Map, ...] = (face.white * print_, new, edge)
    size = (int(x1 - x0), int(y1 - y0))
    planes = [cv2.warpPerspective(np.asarray(p, np.float32), move, size) for p in laid]
    painted, new_w, edge_w = planes[0], planes[1][..., None], planes[2][..., None]
    noise = np.asarray(rng.normal(0, 1, painted.shape), np.float32)
    grain = cv2.GaussianBlur(noise, (0, 0), 0.6)
    painted = painted * (1 + 2.1 * _grain(face) * grain)
    part = result[y0:y1, x0:x1]
    mixed = part + new_w * (painted - part)
    result[y0:y1, x0:x1] = mixed * (1 + edge_w * (look.body - 1))


def _grain(face: _Face) -> float:
    """Return the noise of the bare body, as a share of its light."""
    grey = (face.print @ _LUMA).astype(np.float32)
    wide = int(0.06 * grey.shape[1]) | 1
    bare = (cv2.dilate(face.ink.astype(np.uint8), np.ones((wide, wide), np.uint8)) == 0) & face.inside
    if np.count_nonzero(bare) < 30:
        return 0.0
    fine = (grey - cv2.GaussianBlur(grey, (0, 0), 1.2))[bare]
    return min(1.4826 * float(np.median(np.abs(fine))) * 1.5, 0.05)
