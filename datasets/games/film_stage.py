"""What lies still in a film: the table, the racks at its rim, the tiles; only what changes is painted anew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.camera import Camera
from datasets.games.film_motion import Rest
from datasets.games.film_tiles import Patch, TilePainter, lay, shade
from datasets.games.film_view import View
from datasets.games.script import GameScript
from datasets.games.sprites import TableLooks
from datasets.light import Light, to_linear, to_srgb
from datasets.scene import Block, Frame, Skin, flat_frame
from datasets.scene_paint import BARE, Canvas
from datasets.scene_solids import paint_solid

__all__ = ["Stage"]

Array = NDArray[Any]  # float64
Pixels = NDArray[np.uint8]
Box = tuple[int, int, int, int]
_REACH = 70.0
"""Tile widths beyond which no table is made."""


@dataclass(frozen=True, slots=True, eq=False)
class _Lies:
    rest: Rest
    patch: Patch
    shadow: Patch
    depth: float


@dataclass(slots=True)
class Stage:
    """The canvas without anything that moves."""

    script: GameScript
    """What is played."""
    view: View
    """The camera."""
    painter: TilePainter
    """Paints tiles."""
    light: Light
    """For racks."""
    table_looks: TableLooks
    """How the table looks."""
    seed: int
    """Settles the table and the racks."""
    canvas: Pixels = field(init=False)
    """Shape (H, W, 3): BGR."""
    _plane: tuple[Pixels, Array] = field(init=False)
    _bare: Pixels = field(init=False)
    _camera: Camera | None = field(default=None, init=False)
    _lying: dict[int, _Lies] = field(default_factory=dict, init=False)
    _pieces: dict[int, tuple[Any, int]] = field(default_factory=dict, init=False)
    _racks: list[Block] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        """Make the table's top."""
        rng = np.random.default_rng([self.script.seed, self.seed, 61])
        self._pieces = {p.key: (p.tile, p.copy) for p in self.script.pieces}
        self._plane = self._table(rng)
        self._racks = self._stood_racks(rng)

    def _table(self, rng: Generator) -> tuple[Pixels, Array]:
        """Return the table from straight above, BGR, and the map from its pixels to tile widths."""
        cam = self.view.camera_at(0.0)
        w, h = self.view.canvas_wh
        back = np.linalg.inv(cam.ground_homography())
        rim = np.array([(x, y, 1.0) for x in (0, w / 2, w) for y in (0, h / 2, h)]) @ back.T
        ahead = rim[:, 2] * np.sign(rim[4, 2]) > 1e-6
        spots = np.clip(rim[ahead, :2] / rim[ahead, 2:], -_REACH, _REACH)
        low, high = spots.min(axis=0) - 3, spots.max(axis=0) + 3
        span = high - low
        tile_px = float(min(self.view.stand.tile_px, 3200 / span.max()))
        size = int(np.ceil(span[0] * tile_px)), int(np.ceil(span[1] * tile_px))
        rgb = self.table_looks.ground(size, tile_px, rng)
        bgr = cv2.GaussianBlur(cv2.cvtColor(np.ascontiguousarray(rgb), cv2.COLOR_RGB2BGR), (0, 0), 0.6)
        to_table = np.array([[1 / tile_px, 0, low[0]], [0, 1 / tile_px, low[1]], [0, 0, 1]])
        return np.asarray(bgr, np.uint8), to_table

    def _stood_racks(self, rng: Generator) -> list[Block]:
        """Return racks with the backs of tiles, at the sides from which no face is seen."""
        if self.script.options.get("racks", "random") == "none" or rng.random() < 0.35:
            return []
        half_w, half_d = self.script.half_size
        tone = np.clip(
            np.array([0.42, 0.26, 0.15]) * rng.uniform(0.6, 2.0) + rng.normal(0, 0.03, 3), 0.04, 0.95
        )
        if rng.random() < 0.4:
            tone = np.clip(rng.uniform(0.05, 0.9) + rng.normal(0, 0.1, 3), 0.03, 0.95)
        wood = _plain(tone)
        back = self.painter.face(None, 0, 64)[0]
        colour = np.median(back[back[..., 3] > 250][:, :3], axis=0)[::-1] / 255
        backs = _plain(colour)
        blocks: list[Block] = []
        for side in dict.fromkeys(self.script.seat_sides):
            if side == "near":
                continue
            wide = float(rng.uniform(9, 14))
            if side == "far":
                middle, heading = np.array([rng.uniform(-0.4, 0.4) * half_w, -half_d - 1.2]), np.pi
            else:
                sign = 1.0 if side == "right" else -1.0
                middle = np.array([sign * (half_w + 1.2), rng.uniform(-0.3, 0.3) * half_d])
                heading = -sign * np.pi / 2
            heading += rng.normal(0, 0.05)
            u = np.array([np.cos(heading), np.sin(heading), 0])
            v = np.array([-np.sin(heading), np.cos(heading), 0])  # towards the player
            low = flat_frame(float(middle[0]), float(middle[1]), 0.5, heading)
            blocks.append(Block(low, (wide, 2.2, 0.5), wood, _rgb(tone * 0.8), 0.1, 0.06, gloss=0.3, group=1))
            up = np.array([0.0, 0.0, 1.0])
            n = int(wide * rng.uniform(0.5, 0.95))
            for k in range(n):
                x = (k - (n - 1) / 2) * 1.02
                foot = np.array([*middle, 0.5]) + x * u + 0.25 * v
                # The face leans away from its reader: what we see is the back.
                rise = up * np.cos(0.3) - v * np.sin(0.3)
                normal = -(up * np.sin(0.3) + v * np.cos(0.3))
                frame = Frame(foot + rise * self.painter.looks.aspect / 2 - v * 0.3, -u, -rise, normal)
                size = (0.98, self.painter.looks.aspect, self.painter.thickness)
                blocks.append(Block(frame, size, backs, _rgb(colour * 0.85), 0.07, 0.04, gloss=0.4, group=1))
        return blocks

    def stand(self, cam: Camera) -> bool:
        """Take the camera's place; return whether that changed everything."""
        if self._camera is cam:
            return False
        self._camera = cam
        plane, to_table = self._plane
        onto = cam.ground_homography() @ to_table
        bare = cv2.warpPerspective(
            plane, onto, self.view.canvas_wh, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
        )
        self._bare = np.asarray(bare, np.uint8)
        if self._racks:
            self._paint_racks(cam)
        self._lying = {key: self._made(cam, key, lies.rest) for key, lies in self._lying.items()}
        self.canvas = self._bare.copy()
        w, h = self.view.canvas_wh
        self._compose((0, 0, w, h))
        return True

    def _paint_racks(self, cam: Camera) -> None:
        w, h = self.view.canvas_wh
        table = to_linear(np.arange(256, dtype=np.float32) / np.float32(255))
        linear = cv2.LUT(cv2.cvtColor(self._bare, cv2.COLOR_BGR2RGB), np.asarray(table, np.float32))
        canvas = Canvas(np.asarray(linear), np.full((h, w), BARE, np.int16), cam, self.light, [])
        for block in sorted(self._racks, key=lambda b: -float(np.linalg.norm(b.middle() - cam.position))):
            paint_solid(canvas, block)
        covered = (canvas.owners != BARE).astype(np.uint8)
        quarter = cv2.resize(covered * 255, (w // 4, h // 4), interpolation=cv2.INTER_AREA)
        near = cv2.GaussianBlur(quarter, (0, 0), 0.07 * self.view.stand.tile_px)
        dark = cv2.multiply(cv2.resize(near, (w, h)), 1 - covered, scale=0.5)
        shade(self._bare, (0, 0), Patch((0, 0, w, h), np.asarray(cv2.bitwise_not(dark), np.uint8)))
        spots = covered > 0
        out = np.clip(to_srgb(canvas.light[spots]), 0, 1)
        self._bare[spots] = np.round(out[..., ::-1] * 255).astype(np.uint8)

    def put(self, rests: dict[int, Rest]) -> list[Box]:
        """Make what lies be ``rests``; return the boxes of the canvas that changed."""
        assert self._camera is not None
        boxes: list[Box] = []
        old = {key: lies.rest for key, lies in self._lying.items()}
        for key in [k for k, rest in old.items() if rests.get(k) != rest]:
            lies = self._lying.pop(key)
            boxes += [lies.patch.box, lies.shadow.box]
        for key in [k for k, rest in rests.items() if old.get(k) != rest]:
            lies = self._made(self._camera, key, rests[key])
            self._lying[key] = lies
            boxes += [lies.patch.box, lies.shadow.box]
        w, h = self.view.canvas_wh
        changed = [_within(b, (0, 0, w, h)) for b in merged(boxes)]
        found = [b for b in changed if b is not None]
        for box in found:
            self._compose(box)
        return found

    def _made(self, cam: Camera, key: int, rest: Rest) -> _Lies:
        tile, copy = self._pieces[key]
        patch = self.painter.patch(cam, None if rest.face_down else tile, copy, rest.pose, 0.0)
        shadow = self.painter.shadow(cam, rest.pose, 0.0)
        depth = float(cam.project(np.array([rest.pose.x, rest.pose.y, 0.0]))[1])
        return _Lies(rest, patch, shadow, depth)

    def _compose(self, box: Box) -> None:
        x1, y1, x2, y2 = box
        part = self._bare[y1:y2, x1:x2].copy()
        for lies in self._lying.values():
            shade(part, (x1, y1), lies.shadow)
        for lies in sorted(self._lying.values(), key=lambda one: -one.depth):
            lay(part, (x1, y1), lies.patch)
        self.canvas[y1:y2, x1:x2] = part


def _plain(rgb: Array) -> Any:
    skin = Skin(np.broadcast_to(np.asarray(rgb, np.float32), (12, 12, 3)).copy())

    def give(height_px: int) -> Skin:
        return skin

    return give


def _rgb(values: Array) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])


def _within(box: Box, whole: Box) -> Box | None:
    x1, y1, x2, y2 = max(box[0], whole[0]), max(box[1], whole[1]), min(box[2], whole[2]), min(box[3], whole[3])
    return (x1, y1, x2, y2) if x2 > x1 and y2 > y1 else None


def merged(boxes: Iterable[Box]) -> list[Box]:
    """Return boxes that do not overlap and cover all of ``boxes``."""
    found: list[Box] = []
    for box in boxes:
        now = box
        again = True
        while again:
            again = False
            for other in found:
                if _within(now, other) is not None:
                    found.remove(other)
                    now = (
                        min(now[0], other[0]),
                        min(now[1], other[1]),
                        max(now[2], other[2]),
                        max(now[3], other[3]),
                    )
                    again = True
                    break
        found.append(now)
    return found
