"""Arms, mugs and people who lean in: painted once as round solids, then moved about as pictures.

A sprite is painted by the film's own camera where the middle of the table is, at a few directions; to stand
elsewhere it is shifted, scaled and turned by little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Camera
from datasets.games.film_motion import HandAt
from datasets.games.film_tiles import Patch, Sun
from datasets.light import Lamp, Light, to_srgb
from datasets.scene import Drum, Limb, Solid
from datasets.scene_paint import BARE, Canvas
from datasets.scene_solids import paint_solid

__all__ = ["LimbPainter", "Sprite", "room_light"]

Array = NDArray[Any]  # float64
Pixels = NDArray[np.uint8]
_SKINS = (
    (242, 208, 186),
    (234, 192, 166),
    (222, 172, 144),
    (204, 150, 118),
    (184, 128, 96),
    (148, 98, 70),
    (112, 74, 52),
    (84, 54, 40),
)
_SMALL = 4
_BIN = np.radians(12)


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A thing seen from the film's camera."""

    pixels: Pixels
    """Shape (h, w, 4), premultiplied BGR and opacity."""
    anchor_xy: Array
    """Shape (2,): the pixel that is put somewhere."""
    px: float
    """How wide a tile is there."""
    way: Array
    """Shape (2,): a direction in the sprite, to turn it by."""
    shadow: Pixels
    """A quarter as large, and wider by ``pad_px`` on each side: how much light it takes, soft."""
    pad_px: int
    """In pixels of ``shadow``."""


@dataclass(frozen=True, slots=True)
class _Person:
    skin: tuple[float, float, float]
    nail: tuple[float, float, float]
    cloth: tuple[float, float, float]
    hair: tuple[float, float, float]
    sleeve: float
    size: float
    left: bool


def room_light(sun: Sun, warm: float) -> Light:
    """Return the light on round things that goes with the shadows of tiles; ``warm`` -1..1."""
    way = np.array([-sun.slant_xy[0], -sun.slant_xy[1], 1.0])
    way /= np.linalg.norm(way)
    tint = np.array([1 + 0.06 * warm, 1.0, 1 - 0.08 * warm])
    lamp = Lamp(way[None], tint * 0.5 / max(way[2], 0.4))
    sky = np.array([0.5, 0.5, 0.51])
    return Light((lamp,), sky, sky * 0.5, sky * 0.8)


def _segment(a: Array, b: Array, ra: float, rb: float) -> Array:
    return np.concatenate([a, b, [ra, rb]])


def _person(seed: Sequence[int]) -> _Person:
    rng = np.random.default_rng(list(seed))
    skin = np.array(_SKINS[int(rng.integers(len(_SKINS)))]) / 255 * rng.uniform(0.94, 1.05)
    nail = skin * np.array([1.03, 0.97, 0.97]) + 0.05 if rng.random() < 0.8 else rng.uniform(0.1, 0.9, 3)
    grey = rng.uniform(0.05, 0.8)
    cloth = np.clip(grey + rng.normal(0, 0.16, 3), 0.03, 0.9)
    hair = np.array([0.24, 0.17, 0.12]) * rng.uniform(0.25, 2.4)
    return _Person(
        _rgb(np.clip(skin, 0, 1)),
        _rgb(np.clip(nail, 0, 1)),
        _rgb(cloth),
        _rgb(np.clip(hair, 0.02, 0.8)),
        float(rng.choice([rng.uniform(0.3, 1.6), rng.uniform(3, 9), 30.0], p=[0.5, 0.3, 0.2])),
        float(rng.uniform(0.85, 1.1)),
        bool(rng.random() < 0.15),
    )


def _rgb(values: Array) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])


def _hand(person: _Person, angle: float, open_: float, grip: str) -> list[Limb]:
    """Return hand and arm with what they grip at (0, 0, 0), the shoulder in the direction ``angle``."""
    forward = -np.array([np.cos(angle), np.sin(angle), 0.0])
    side = np.array([-forward[1], forward[0], 0.0]) * (-1 if person.left else 1)
    up = np.array([0.0, 0.0, 1.0])
    s = person.size

    def at(f: float, r: float, h: float) -> Array:
        return np.asarray((f * forward + r * side + h * up) * s)

    o = open_
    if grip == "flat":
        tips = [at(0.9, -0.9, 0.1), at(1.3, -0.25, 0.1), at(1.1, 0.45, 0.1), at(0.5, 1.1, 0.1)]
        thumb, knuckle_h, back = at(-1.2, -2.1, 0.1), 0.75, -2.0
    elif grip == "slide":
        tips = [
            at(0.25, -0.3, 0.15 + 0.3 * o),
            at(0.35, 0.3, 0.15 + 0.3 * o),
            at(-0.5, 0.95, 0.3),
            at(-0.9, 1.4, 0.35),
        ]
        thumb, knuckle_h, back = at(-0.9, -1.2, 0.15), 1.5, -2.2
    else:
        tips = [
            at(0.35, 0.2 + 0.35 * o, -0.02 + 0.3 * o),
            at(0.22, 0.62 + 0.4 * o, -0.05 + 0.25 * o),
            at(-0.35, 1.1 + 0.25 * o, 0.15 + 0.15 * o),
            at(-0.85, 1.45 + 0.15 * o, 0.3),
        ]
        thumb, knuckle_h, back = at(-0.1, -0.62 - 0.5 * o, 0.0), 1.75, -1.9
    segments: list[Array] = []
    colours: list[Array] = []
    skin = np.array(person.skin)
    red = np.clip(skin * [1.03, 0.9, 0.88], 0, 1)
    dim = np.clip(skin * [0.95, 0.9, 0.88], 0, 1)

    def add(segment: Array, first: Array, last: Array) -> None:
        segments.append(segment)
        colours.append(np.stack([first, last]).astype(np.float32))

    wrist = at(back - 3.4, 0.35, 1.3 if grip != "flat" else 0.85)
    roots = [at(back - 0.1 * abs(k - 1), -0.95 + 0.7 * k, knuckle_h - 0.12 * abs(k - 1)) for k in range(4)]
    for k, (root, tip) in enumerate(zip(roots, tips, strict=True)):
        wide = (0.36, 0.37, 0.35, 0.3)[k] * s
        add(_segment(wrist + (root - at(back, 0.1, knuckle_h)) * 0.55, root, 0.66 * s, 0.47 * s), skin, red)
        bend = 0.55 * (root + tip) + up * (0.5 if grip != "flat" else 0.12) * s - forward * 0.05 * s
        bend = bend - 0.05 * (root + tip)
        points = []
        for u in (0.0, 0.42, 0.74, 1.0):
            points.append((1 - u) ** 2 * root + 2 * u * (1 - u) * bend + u * u * tip)
        for n in range(3):
            taper = 1 - 0.1 * n
            first, last = (skin, dim) if n < 2 else (skin, red)
            add(_segment(points[n], points[n + 1], wide * taper, wide * (taper - 0.1)), first, last)
        last_way = points[3] - points[2]
        last_way = last_way / max(float(np.linalg.norm(last_way)), 1e-6)
        top = points[3] + up * 0.17 * s
        nail = np.array(person.nail)
        add(_segment(top - last_way * 0.28 * s, top - last_way * 0.02 * s, 0.2 * s, 0.19 * s), nail, nail)
    base = wrist + 0.9 * s * forward - 1.15 * s * side - 0.2 * s * up
    add(_segment(wrist - 0.35 * s * side, base, 0.78 * s, 0.66 * s), skin, skin)
    joint = 0.5 * (base + thumb) - 0.35 * s * side + 0.2 * s * up
    add(_segment(base, joint, 0.6 * s, 0.46 * s), skin, dim)
    add(_segment(joint, thumb, 0.44 * s, 0.34 * s), skin, red)
    far = wrist - forward * 34 * s + up * 6.5 * s + side * 2.0
    elbow = wrist + (far - wrist) * 0.3
    add(_segment(wrist, elbow, 1.0 * s, 1.55 * s), skin, skin)
    add(_segment(elbow, far, 1.55 * s, 1.9 * s), skin, skin)
    limbs = [Limb(np.array(segments), np.array(colours, np.float32), gloss=0.08, grain=0.12)]
    if person.sleeve < 25:
        begin = wrist + (far - wrist) * (person.sleeve / 34)
        wide = 1.25 + 0.02 * person.sleeve
        both = np.broadcast_to(np.array(person.cloth, np.float32), (2, 2, 3)).copy()
        both[0] *= 0.9  # the cuff
        cuff = begin + (far - begin) * 0.04
        parts = [
            _segment(begin, cuff, wide * 1.02 * s, wide * 1.08 * s),
            _segment(begin, far, wide * 1.04 * s, 2.5 * s),
        ]
        limbs.append(Limb(np.array(parts), both, gloss=0.0, grain=0.5))
    return limbs


def _leaner(person: _Person, angle: float) -> list[Limb]:
    """Return head and shoulders whose crown is at (0, 0, 0), seen from above, the body towards ``angle``."""
    out = np.array([np.cos(angle), np.sin(angle), 0.0])
    side = np.array([-out[1], out[0], 0.0])
    up = np.array([0.0, 0.0, 1.0])
    cloth, skin, hair = (np.array(c, np.float32) for c in (person.cloth, person.skin, person.hair))
    head = out * 3.0
    body = out * 9.0 - up * 5
    trunk = np.array(
        [
            _segment(body - side * 6.5, body + side * 6.5, 3.0, 3.0),
            _segment(body, body + out * 16, 5.0, 6.5),
            _segment(body - side * 6.5, body - side * 6.0 + out * 12, 2.6, 3.2),
            _segment(body + side * 6.5, body + side * 6.0 + out * 12, 2.6, 3.2),
        ]
    )
    neck = np.array([_segment(body - up * 0.2, head - up * 0.6, 2.0, 2.2)])
    skull = np.array([_segment(head - out * 0.6, head + out * 1.0, 2.9, 3.1)])
    tones = [np.broadcast_to(c, (n, 2, 3)) for c, n in ((cloth, 4), (skin, 1), (hair, 1))]
    return [
        Limb(trunk, tones[0], gloss=0.0, grain=1.0),
        Limb(neck, tones[1], gloss=0.05),
        Limb(skull, tones[2], gloss=0.2, grain=1.4),
    ]


def _mug(seed: Sequence[int]) -> list[Solid]:
    rng = np.random.default_rng(list(seed))
    colour = np.clip(rng.uniform(0.15, 0.95) + rng.normal(0, 0.12, 3), 0.05, 0.97)
    inner = np.clip(colour * 0.85 + 0.1, 0, 1) if rng.random() < 0.5 else np.array([0.93, 0.92, 0.9])
    drink = np.array([(0.2, 0.11, 0.06), (0.5, 0.27, 0.1), (0.75, 0.62, 0.5)][int(rng.integers(3))])
    wide = float(rng.uniform(1.4, 1.75))
    rings = ((1.0, _rgb(np.clip(colour * 1.06, 0, 1))), (0.91, _rgb(inner * 0.8)), (0.84, _rgb(drink)))
    return [
        Drum(
            np.zeros(3),
            (wide * 0.9, wide),
            float(rng.uniform(3.0, 3.8)),
            _rgb(colour),
            rings,
            0.5,
            handle=float(rng.uniform(-0.6, 3.7)),
        )
    ]


@dataclass(slots=True)
class LimbPainter:
    """Makes sprites and keeps them."""

    camera: Camera
    """The canvas's camera at the beginning."""
    light: Light
    """On round things."""
    sun: Sun
    """For shadows."""
    seed: tuple[int, int]
    """Who these people are."""
    _kept: dict[tuple[object, ...], Sprite] = field(default_factory=dict, init=False)
    _easel: tuple[NDArray[np.float32], NDArray[np.int16]] | None = field(default=None, init=False)

    def hand(self, cam: Camera, hand: HandAt) -> tuple[Sprite, Array, Array]:
        """Return a hand's sprite and the maps (2, 3) that put it, and its shadow, on the canvas."""
        bin_ = round(hand.reach_angle / float(_BIN))
        step = round(hand.open_ * 3)
        key = ("hand", hand.look, bin_, step, hand.grip)
        angle = bin_ * float(_BIN)
        if key not in self._kept:
            # Below zero: a player's other hand.
            seat = hand.look if hand.look >= 0 else -1 - hand.look
            person = _person((*self.seed, 31, seat))
            person = replace(person, left=not person.left) if hand.look < 0 else person
            self._kept[key] = self._sprite(list(_hand(person, angle, step / 3, hand.grip)), angle, 0.6)
        spot = np.array([*hand.tip_xy, hand.up])
        return self._placed(cam, self._kept[key], spot, hand.angle, hand.up + 1.0)

    def leaner(self, cam: Camera, who: int, spot: Array, angle: float) -> tuple[Sprite, Array, Array]:
        """Return head and shoulders with the crown at ``spot`` (3,)."""
        bin_ = round(angle / float(_BIN))
        key = ("lean", who, bin_)
        if key not in self._kept:
            person = _person((*self.seed, 32, who))
            self._kept[key] = self._sprite(list(_leaner(person, bin_ * float(_BIN))), bin_ * float(_BIN), 1.6)
        return self._placed(cam, self._kept[key], spot, angle, float(spot[2]))

    def mug(self, cam: Camera, which: int, spot: Array) -> tuple[Sprite, Array, Array]:
        """Return a mug that stands at ``spot`` (3,)."""
        key = ("mug", which)
        if key not in self._kept:
            self._kept[key] = self._sprite(_mug((*self.seed, 33, which)), 0.0, 0.25)
        return self._placed(cam, self._kept[key], spot, 0.0, float(spot[2]) + 1.2)

    def _sprite(self, solids: Sequence[Solid], angle: float, blur: float) -> Sprite:
        """Paint solids, whose anchor is the origin, in the middle of a picture twice as large."""
        cam = self.camera
        w, h = (2 * n for n in cam.size_wh)
        wide = Camera((w, h), cam.focal_px, cam.rotation, cam.position)
        middle = np.linalg.inv(cam.ground_homography()) @ np.array(
            [(cam.size_wh[0] - 1) / 2, (cam.size_wh[1] - 1) / 2, 1.0]
        )
        spot = np.array([middle[0] / middle[2], middle[1] / middle[2], 0.4])
        _move(solids, spot)
        if self._easel is None:
            self._easel = np.zeros((h, w, 3), np.float32), np.full((h, w), BARE, np.int16)
        light, owners = self._easel
        canvas = Canvas(light, owners, wide, self.light, [])
        for solid in solids:
            paint_solid(canvas, solid)
        mask = (owners != BARE).astype(np.uint8) * np.uint8(255)
        x, y, across, down = cv2.boundingRect(mask)
        low, high = np.maximum([y - 3, x - 3], 0), np.minimum([y + down + 3, x + across + 3], (h, w))
        cut = (slice(int(low[0]), int(high[0])), slice(int(low[1]), int(high[1])))
        opacity = cv2.GaussianBlur(mask[cut].astype(np.float32) / np.float32(255), (0, 0), 0.6)[..., None]
        # The rim was blended with black: divide that out as far as it can be known.
        colour = np.clip(to_srgb(light[cut] / np.maximum(opacity, 0.5)), 0, 1) * opacity
        light[cut] = 0
        owners[cut] = BARE
        pixels = np.dstack([colour[..., ::-1], opacity])
        rim = cv2.GaussianBlur(np.asarray(pixels, np.float32), (0, 0), 0.7)
        eight = np.round(rim * 255).astype(np.uint8)
        anchor = wide.project(spot)[0] - [low[1], low[0]]
        ahead = wide.project(spot + 2 * np.array([np.cos(angle), np.sin(angle), 0]))[0] - [low[1], low[0]]
        px = cam.focal_px / float(cam.project(spot)[1])
        small = cv2.resize(eight[..., 3], None, fx=1 / _SMALL, fy=1 / _SMALL, interpolation=cv2.INTER_AREA)
        unsharp = max(0.8, (blur + self.sun.soft) * px / _SMALL)
        pad = int(3 * unsharp) + 1
        wide_mask = cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(0,))
        soft = cv2.GaussianBlur(wide_mask, (0, 0), unsharp)
        return Sprite(eight, anchor, px, ahead - anchor, np.asarray(soft, np.uint8), pad)

    def _placed(
        self, cam: Camera, sprite: Sprite, spot: Array, angle: float, up: float
    ) -> tuple[Sprite, Array, Array]:
        pixel, depth = cam.project(spot)
        ahead = cam.project(spot + 2 * np.array([np.cos(angle), np.sin(angle), 0]))[0] - pixel
        scale = cam.focal_px / max(float(depth), 1.0) / sprite.px
        turn = float(np.arctan2(ahead[1], ahead[0]) - np.arctan2(sprite.way[1], sprite.way[0]))
        c, s = scale * np.cos(turn), scale * np.sin(turn)
        linear = np.array([[c, -s], [s, c]])
        shift = np.array(self.sun.slant_xy) * up
        ground = cam.project(np.array([spot[0] + shift[0], spot[1] + shift[1], 0.0]))[0]
        onto = np.column_stack([linear, pixel - linear @ sprite.anchor_xy])
        small = linear * _SMALL
        offset = ground - linear @ (sprite.anchor_xy - (_SMALL - 1) / 2 + _SMALL * sprite.pad_px)
        return sprite, onto, np.column_stack([small, offset])


def _move(solids: Sequence[Solid], by: Array) -> None:
    for solid in solids:
        if isinstance(solid, Limb):
            solid.segments[:, :3] += by
            solid.segments[:, 3:6] += by
        elif isinstance(solid, Drum):
            solid.centre = solid.centre + by - [0, 0, 0.4]


def warp_patch(pixels: Pixels, onto: Array, within: tuple[int, int, int, int], empty: int) -> Patch | None:
    """Return a picture (h, w[, 4]) moved by a map (2, 3), cut to a box of the canvas; None if outside."""
    h, w = pixels.shape[:2]
    corners = np.array([[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]], float) @ onto.T
    x1, y1 = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, within[:2])
    x2, y2 = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, within[2:])
    if x2 <= x1 or y2 <= y1:
        return None
    local = onto.copy()
    local[:, 2] -= [x1, y1]
    border = (empty,) * 4
    moved = cv2.warpAffine(pixels, local, (int(x2 - x1), int(y2 - y1)), borderValue=border)
    return Patch((int(x1), int(y1), int(x2), int(y2)), np.asarray(moved, np.uint8))
