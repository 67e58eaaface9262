"""Takes the pictures of a film: lays what moves over what lies, and lights it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Camera
from datasets.games.film_light import LightShow, Sensor
from datasets.games.film_limbs import LimbPainter, Sprite, room_light, warp_patch
from datasets.games.film_motion import Flying, HandAt, Motion, ease
from datasets.games.film_stage import Stage, merged
from datasets.games.film_tiles import Patch, Sun, TilePainter, lay, shade
from datasets.games.film_view import View, fixed_maps, sample_view
from datasets.games.script import GameScript, Incident
from datasets.games.sprites import TableLooks, TileLooks

__all__ = ["Shot", "shot_of"]

Array = NDArray[Any]  # float64
Pixels = NDArray[np.uint8]
Box = tuple[int, int, int, int]
Planes = tuple[Pixels, Pixels, Pixels]
_SHUTTER_S = 0.012
_HAND_SHADE = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """Something that moves: shades first, then what is seen."""

    shades: list[Patch]
    patches: list[Patch]


@dataclass(slots=True)
class Shot:
    """The film's camera at work. Ask for times in rising order: then only what changed is painted."""

    script: GameScript
    """What is played."""
    view: View
    """The camera."""
    motion: Motion
    """Where everything is."""
    stage: Stage
    """What lies still."""
    limbs: LimbPainter
    """Paints arms, mugs and people."""
    show: LightShow
    """The light."""
    sensor: Sensor
    """The noise."""
    blur_px: float
    """Unsharpness of the lens."""
    _maps: tuple[tuple[float, ...], tuple[Pixels, Pixels]] | None = field(default=None, init=False)
    _flat: Pixels | None = field(default=None, init=False)
    _scratch: Pixels | None = field(default=None, init=False)
    _lit: tuple[Pixels, Pixels, Planes] | None = field(default=None, init=False)
    _changes: list[float] = field(default_factory=list, init=False)
    _until: tuple[float, float] = field(default=(1.0, 0.0), init=False)
    _pieces: dict[int, tuple[Any, int]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Note the times of change."""
        self._changes = self.motion.changes()
        self._pieces = {p.key: (p.tile, p.copy) for p in self.script.pieces}

    def planes(self, t_s: float) -> Planes:
        """Return Y (H, W), U and V (H / 2, W / 2) of the picture at a time, noise included."""
        return self.sensor.expose(self._developed(t_s))

    def picture(self, t_s: float) -> Pixels:
        """Return the picture (H, W, 3), BGR, at a time, without noise."""
        return _to_bgr(self._developed(t_s))

    def _developed(self, t_s: float) -> Planes:
        cam = self.view.camera_at(t_s)
        self._stand(cam, t_s)
        gain = self.show.field(t_s)
        assert self._flat is not None
        if self._lit is None or self._lit[0] is not gain or self._lit[1] is not self._flat:
            lit = cv2.multiply(self._flat, gain, scale=1 / 128)
            self._lit = (gain, self._flat, _to_planes(np.asarray(lit, np.uint8)))
        layers = self._layers(cam, t_s)
        if not layers:
            return self._lit[2]
        still = self._lit[2]
        planes = still[0].copy(), still[1].copy(), still[2].copy()
        boxes = merged(p.box for layer in layers for p in (*layer.shades, *layer.patches))
        for box in boxes:
            self._overlay(planes, layers, box, gain, t_s)
        return planes

    def _stand(self, cam: Camera, t_s: float) -> None:
        """Bring what lies still up to date."""
        fresh = self.stage.stand(cam)
        nudge = self.view.nudge_at(t_s)
        if self._maps is None or self._maps[0] != nudge:
            self._maps = (nudge, fixed_maps(self.view.maps(t_s)))
            fresh = True
        boxes: list[Box] = []
        if not self._until[0] <= t_s < self._until[1]:
            boxes = self.stage.put(self.motion.rests(t_s))
            after = [c for c in self._changes if c > t_s]
            before = [c for c in self._changes if c <= t_s]
            self._until = (before[-1] if before else -1e9, after[0] if after else 1e9)
        if fresh or self._flat is None:
            self._flat = self._through_lens(self.stage.canvas, (0, 0, *self.view.size_wh))
        elif boxes:
            flat = self._flat.copy()
            for box in boxes:
                seen = self._seen(box, t_s)
                if seen is not None:
                    part = self._through_lens(self.stage.canvas, seen)
                    flat[seen[1] : seen[3], seen[0] : seen[2]] = part
            self._flat = flat

    def _seen(self, box: Box, t_s: float) -> Box | None:
        """Return where a box of the canvas is in the picture, its borders even."""
        x1, y1, x2, y2 = box
        xs, ys = np.linspace(x1, x2, 5), np.linspace(y1, y2, 5)
        rim = [(x, y) for x in xs for y in (y1, y2)] + [(x, y) for y in ys for x in (x1, x2)]
        points = self.view.to_picture(np.array(rim, float), t_s)
        w, h = self.view.size_wh
        low = np.maximum((np.floor(points.min(axis=0)).astype(int) - 3) // 2 * 2, 0)
        high = np.minimum((np.ceil(points.max(axis=0)).astype(int) + 5) // 2 * 2, (w, h))
        if (high <= low).any():
            return None
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def _through_lens(self, canvas: Pixels, seen: Box) -> Pixels:
        """Return a box of the picture from the canvas."""
        assert self._maps is not None
        x1, y1, x2, y2 = seen
        w, h = self.view.size_wh
        pad = 3
        px1, py1, px2, py2 = max(x1 - pad, 0), max(y1 - pad, 0), min(x2 + pad, w), min(y2 + pad, h)
        whole, part = self._maps[1]
        if self.view.k1 == 0 and not any(self._maps[0]):
            m = self.view.margin_px
            bent = canvas[py1 + m : py2 + m, px1 + m : px2 + m]
        else:
            first, second = whole[py1:py2, px1:px2], part[py1:py2, px1:px2]
            moved = cv2.remap(canvas, first, second, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            bent = np.asarray(moved, np.uint8)
        if self.blur_px > 0.2:
            span = (5, 5) if self.blur_px > 0.8 else (3, 3)
            bent = np.asarray(cv2.GaussianBlur(bent, span, self.blur_px), np.uint8)
        return np.asarray(bent[y1 - py1 : y2 - py1, x1 - px1 : x2 - px1], np.uint8)

    def _overlay(self, planes: Planes, layers: list[_Layer], box: Box, gain: Pixels, t_s: float) -> None:
        """Paint what moves within a box of the canvas into the planes."""
        seen = self._seen(box, t_s)
        if seen is None:
            return
        assert self._maps is not None
        x1, y1, x2, y2 = seen
        w, h = self.view.size_wh
        spots = self._maps[1][0][max(y1 - 3, 0) : min(y2 + 3, h), max(x1 - 3, 0) : min(x2 + 3, w)]
        rims = (spots[0], spots[-1], spots[:, 0], spots[:, -1])
        cw, ch = self.view.canvas_wh
        ox, oy = (max(min(int(r[..., k].min()) for r in rims) - 3, 0) for k in range(2))
        ex = min(max(int(r[..., 0].max()) for r in rims) + 4, cw)
        ey = min(max(int(r[..., 1].max()) for r in rims) + 4, ch)
        if self._scratch is None:
            self._scratch = np.zeros_like(self.stage.canvas)
        part = self._scratch[oy:ey, ox:ex]
        part[:] = self.stage.canvas[oy:ey, ox:ex]
        for layer in layers:
            for patch in layer.shades:
                shade(part, (ox, oy), patch)
            for patch in layer.patches:
                lay(part, (ox, oy), patch)
        flat = self._through_lens(self._scratch, seen)
        lit = cv2.multiply(flat, gain[y1:y2, x1:x2], scale=1 / 128)
        luma, u, v = _to_planes(np.ascontiguousarray(lit))
        planes[0][y1:y2, x1:x2] = luma
        half = slice(y1 // 2, y2 // 2), slice(x1 // 2, x2 // 2)
        planes[1][half], planes[2][half] = u, v

    def _layers(self, cam: Camera, t_s: float) -> list[_Layer]:
        layers = []
        flying = self.motion.flying(t_s)
        hands = self.motion.hands(t_s)
        for index, incident in enumerate(self.script.incidents):
            if incident.kind == "mug" and incident.where is not None:
                at = self.motion.mug_at(incident, t_s)
                if at is not None:
                    layers.append(self._solid(self.limbs.mug(cam, index, np.array(at)), 0.85))
        layers += [self._tile(cam, piece, t_s) for piece in flying]
        layers += [self._hand(cam, hand, t_s) for hand in hands]
        for index, incident in enumerate(self.script.incidents):
            if incident.kind == "lean" and incident.start_s <= t_s <= incident.end_s:
                layers.append(self._lean(cam, index, incident, t_s))
        return [layer for layer in layers if layer.shades or layer.patches]

    def _tile(self, cam: Camera, piece: Flying, t_s: float) -> _Layer:
        tile, copy = self._pieces[piece.key]
        painter = self.stage.painter
        shown = None if piece.face_down else tile
        patch = painter.patch(cam, shown, copy, piece.pose, piece.up)
        spot = np.array([piece.pose.x, piece.pose.y, piece.up])
        earlier = next((f for f in self.motion.flying(t_s - _SHUTTER_S) if f.key == piece.key), piece)
        before = np.array([earlier.pose.x, earlier.pose.y, earlier.up])
        way = cam.project(spot)[0] - cam.project(before)[0]
        return _Layer([painter.shadow(cam, piece.pose, piece.up)], [_smeared(patch, way)])

    def _hand(self, cam: Camera, hand: HandAt, t_s: float) -> _Layer:
        layer = self._solid(self.limbs.hand(cam, hand), _HAND_SHADE)
        others = [h for h in self.motion.hands(t_s - _SHUTTER_S) if h.look == hand.look]
        earlier = min(others, key=lambda h: np.hypot(*np.subtract(h.tip_xy, hand.tip_xy)), default=hand)
        now, before = (cam.project(np.array([*h.tip_xy, h.up]))[0] for h in (hand, earlier))
        return _Layer(layer.shades, [_smeared(p, now - before) for p in layer.patches])

    def _lean(self, cam: Camera, index: int, incident: Incident, t_s: float) -> _Layer:
        """Let head and shoulders come in over a side and go again."""
        half_w, half_d = self.script.half_size
        rng = np.random.default_rng([self.script.seed, index, 71])
        if incident.where is not None:
            goal = np.array([incident.where.x, incident.where.y])
        else:
            angle = rng.uniform(0, 2 * np.pi)
            goal = np.array([half_w * np.cos(angle), half_d * np.sin(angle)]) * 0.9
        # The head is above the table: put it where it hides that place.
        up = 7.0
        above = np.linalg.inv(cam.ground_homography(up)) @ cam.ground_homography() @ np.array([*goal, 1.0])
        # From the side of the table that is nearest.
        share = goal / np.array([half_w, half_d])
        side = int(np.argmax(np.abs(share)))
        out = np.zeros(2)
        out[side] = np.sign(share[side]) or 1.0
        long = max(incident.end_s - incident.start_s, 0.5)
        come = min(0.9, 0.35 * long)
        inside = ease(min((t_s - incident.start_s) / come, (incident.end_s - t_s) / come, 1.0))
        goal = above[:2] / above[2]
        start = goal + out * (11.0 + abs((1 - abs(share[side])) * (half_w, half_d)[side]))
        sway = 0.15 * np.sin(2 * np.pi * 0.4 * t_s) * np.array([-out[1], out[0]])
        at = start + inside * (goal - start) + sway
        placed = self.limbs.leaner(cam, index, np.array([*at, up]), float(np.arctan2(out[1], out[0])))
        return self._solid(placed, 0.45)

    def _solid(self, placed: tuple[Sprite, Array, Array], dark: float) -> _Layer:
        sprite, onto, shadow_onto = placed
        w, h = self.view.canvas_wh
        patch = warp_patch(sprite.pixels, onto, (0, 0, w, h), 0)
        # Shadows are soft: a quarter of the pixels is enough.
        small = shadow_onto / 4
        small[:, 2] -= 0.375
        mask = warp_patch(sprite.shadow, small, (0, 0, w // 4 + 1, h // 4 + 1), 0)
        shades = []
        if mask is not None:
            x1, y1, x2, y2 = mask.box
            light = cv2.convertScaleAbs(mask.pixels, alpha=-dark, beta=255)
            size = ((x2 - x1) * 4, (y2 - y1) * 4)
            large = cv2.resize(np.asarray(light), size, interpolation=cv2.INTER_LINEAR)
            shades.append(Patch((x1 * 4, y1 * 4, x2 * 4, y2 * 4), np.asarray(large, np.uint8)))
        return _Layer(shades, [] if patch is None else [patch])


def _smeared(patch: Patch, way: Array) -> Patch:
    """Return a patch as it is seen while it moves by ``way`` pixels."""
    length = float(np.linalg.norm(way))
    if length < 1.5:
        return patch
    count = int(min(4, 1 + np.ceil(length / 3)))
    reach = int(min(np.ceil(length / 2), 24)) + 1
    scale = min(1.0, 2 * (reach - 1) / length)
    h, w = patch.pixels.shape[:2]
    total = np.zeros((h + 2 * reach, w + 2 * reach, 4), np.uint8)
    for k in range(count):
        dx, dy = np.round(way * scale * (k / (count - 1) - 0.5)).astype(int) + reach
        view = total[dy : dy + h, dx : dx + w]
        cv2.addWeighted(view, 1.0, patch.pixels, 1 / count, 0, dst=view)
    x1, y1, x2, y2 = patch.box
    return Patch((x1 - reach, y1 - reach, x2 + reach, y2 + reach), np.asarray(total, np.uint8))


def _to_planes(bgr: Pixels) -> Planes:
    h, w = bgr.shape[:2]
    packed = cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420)
    size = h * w // 4
    flat = packed.reshape(-1)
    return (
        np.asarray(packed[:h], np.uint8),
        np.asarray(flat[h * w : h * w + size].reshape(h // 2, w // 2), np.uint8),
        np.asarray(flat[h * w + size :].reshape(h // 2, w // 2), np.uint8),
    )


def _to_bgr(planes: Planes) -> Pixels:
    packed = np.concatenate([plane.reshape(-1) for plane in planes])
    h, w = planes[0].shape
    return np.asarray(cv2.cvtColor(packed.reshape(h * 3 // 2, w), cv2.COLOR_YUV2BGR_I420), np.uint8)


def shot_of(
    script: GameScript,
    tile_looks: TileLooks,
    table_looks: TableLooks,
    size_wh: tuple[int, int] = (1280, 720),
    seed: int = 0,
) -> Shot:
    """Set everything up for filming a game; the same arguments give the same film."""
    rng = np.random.default_rng([script.seed, seed, 81])
    view = sample_view(script, size_wh, seed)
    motion = Motion(script, view.border, view.thickness, seed)
    angle = rng.uniform(0, 2 * np.pi)
    low = float(rng.uniform(0.15, 0.9))
    slant = (low * float(np.cos(angle)), low * float(np.sin(angle)))
    sun = Sun(slant, float(rng.uniform(0.08, 0.5)), float(rng.uniform(0.2, 0.5)))
    light = room_light(sun, float(rng.normal(0, 0.5)))
    painter = TilePainter(tile_looks, view.thickness, sun)
    stage = Stage(script, view, painter, light, table_looks, seed)
    limbs = LimbPainter(view.camera_at(-1e9), light, sun, (script.seed, seed))
    grain = {"easy": (0.6, 1.4), "normal": (1.0, 2.6), "hard": (1.8, 4.0)}[script.difficulty]
    sensor = Sensor(size_wh, float(rng.uniform(*grain)), seed)
    show = LightShow(script, size_wh, seed)
    blur = float(rng.uniform(0.4, 0.8)) * size_wh[0] / 1280
    return Shot(script, view, motion, stage, limbs, show, sensor, blur)
