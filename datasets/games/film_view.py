"""The camera of a filmed game: where it stands, how it is bumped, sags and shakes, and what its lens bends.

Two kinds of pixels: of the canvas (straight lens, a margin around), and of the picture (what is filmed).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.camera import Camera, distortion_maps, undistort_coordinates
from datasets.games.film_motion import ease
from datasets.games.script import GameScript, Incident, Pose

__all__ = ["Stand", "View", "sample_view", "tile_corners"]

Array = NDArray[Any]  # float64


@dataclass(frozen=True, slots=True)
class Stand:
    """How a camera is set up."""

    target_xy: tuple[float, float]
    """Where it looks, tile widths."""
    elevation_deg: float
    """90 looks straight down."""
    azimuth_deg: float
    """0 looks from the near side."""
    roll_deg: float
    """How it is tilted."""
    fov_deg: float
    """What the longer side of the canvas spans."""
    tile_px: float
    """How wide a tile at the target is."""


@dataclass(slots=True)
class View:
    """The camera over the whole film."""

    stand: Stand
    """How it stands at the beginning."""
    size_wh: tuple[int, int]
    """Of the picture, pixels."""
    margin_px: int
    """What the canvas has more on each side."""
    k1: float
    """Lens distortion, see ``datasets.camera.distortion_maps``."""
    thickness: float
    """Of a tile, tile widths."""
    moves: tuple[tuple[Incident, tuple[float, ...]], ...]
    """Bumps and turns with the changes they make: target x, y, elevation, azimuth, roll."""
    nudges: tuple[tuple[Incident, tuple[float, float, float]], ...]
    """Sags, shakes and sways with x, y in pixels and degrees at their strongest."""
    _last: tuple[Stand, Camera] | None = field(default=None, init=False)

    @property
    def canvas_wh(self) -> tuple[int, int]:
        """Return the size of the canvas."""
        return self.size_wh[0] + 2 * self.margin_px, self.size_wh[1] + 2 * self.margin_px

    def stand_at(self, t_s: float) -> Stand:
        """Return how the camera stands at a time."""
        stand = self.stand
        for incident, (dx, dy, de, da, dr) in self.moves:
            if t_s < incident.start_s:
                break
            long = max(0.12, min(0.5, incident.end_s - incident.start_s))
            share = (t_s - incident.start_s) / long
            s = ease(share)
            if incident.kind == "bump" and 0 < share < 1:
                s += 0.6 * np.sin(3 * np.pi * share) * (1 - share)
            s = round(s, 3)
            stand = replace(
                stand,
                target_xy=(stand.target_xy[0] + s * dx, stand.target_xy[1] + s * dy),
                elevation_deg=stand.elevation_deg + s * de,
                azimuth_deg=stand.azimuth_deg + s * da,
                roll_deg=stand.roll_deg + s * dr,
            )
        return stand

    def camera_at(self, t_s: float) -> Camera:
        """Return the camera of the canvas at a time; the same object while nothing moves it."""
        stand = self.stand_at(t_s)
        if self._last is None or self._last[0] != stand:
            self._last = (stand, _camera(stand, self.canvas_wh))
        return self._last[1]

    def nudge_at(self, t_s: float) -> tuple[float, float, float]:
        """Return by how much sagging and shaking move the picture: x, y in pixels, degrees; in small steps."""
        x = y = turn = 0.0
        for incident, (ax, ay, at) in self.nudges:
            if t_s < incident.start_s:
                continue
            long = max(incident.end_s - incident.start_s, 1e-3)
            if incident.kind == "sag":
                s = min(1.0, (t_s - incident.start_s) / long)
            elif t_s > incident.end_s:
                continue
            elif incident.kind == "sway":
                x += ax * _slowly(t_s, 1.0)
                y += ay * _slowly(t_s, 0.8)
                turn += at * _slowly(t_s, 0.6)
                continue
            else:
                phase = 2 * np.pi * (t_s - incident.start_s)
                fade = min(1.0, (t_s - incident.start_s) / 0.2, (incident.end_s - t_s) / 0.3)
                x += ax * fade * np.sin(phase * 6.3) + 0.4 * ax * fade * np.sin(phase * 11.7 + 1)
                y += ay * fade * np.sin(phase * 7.9 + 2)
                turn += at * fade * np.sin(phase * 5.1 + 0.5)
                continue
            x, y, turn = x + s * ax, y + s * ay, turn + s * at
        return round(x * 6) / 6, round(y * 6) / 6, round(turn * 100) / 100

    def maps(self, t_s: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return ``cv2.remap`` maps (h, w) from the picture to the canvas."""
        w, h = self.size_wh
        map_x, map_y = distortion_maps(self.size_wh, self.k1)
        dx, dy, turn = self.nudge_at(t_s)
        m = self.margin_px
        if (dx, dy, turn) == (0, 0, 0):
            return map_x + np.float32(m), map_y + np.float32(m)
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        cx, cy = (w - 1) / 2, (h - 1) / 2
        x, y = map_x - np.float32(cx + dx), map_y - np.float32(cy + dy)
        back_x = x * np.float32(c) + y * np.float32(s) + np.float32(cx + m)
        back_y = y * np.float32(c) - x * np.float32(s) + np.float32(cy + m)
        return back_x, back_y

    def to_picture(self, points: Array, t_s: float) -> Array:
        """Return where points (..., 2) of the canvas are in the picture."""
        dx, dy, turn = self.nudge_at(t_s)
        centre = (np.array(self.size_wh) - 1) / 2
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        local = np.asarray(points, float) - self.margin_px - centre
        moved = local @ np.array([[c, s], [-s, c]]) + centre + [dx, dy]
        return undistort_coordinates(moved, self.size_wh, self.k1)

    def project(self, points: Array, t_s: float) -> Array:
        """Return the picture's pixels (..., 2) of points (..., 3) in the world."""
        return self.to_picture(self.camera_at(t_s).project(points)[0], t_s)

    def border(self, spot: Array, shoulder: Array) -> Array:
        """Return where, from a place on the table towards a shoulder, a tile is just out of the picture."""
        way = shoulder - spot
        length = float(np.linalg.norm(way))
        steps = np.arange(0.0, length + 30, 0.25)
        line = spot + steps[:, None] * way / max(length, 1e-6)
        cam = _camera(self.stand, self.canvas_wh)
        pixels, depth = cam.project(np.column_stack([line, np.full(len(line), 0.5)]))
        pixels = pixels - self.margin_px
        w, h = self.size_wh
        out = (pixels[:, 0] < 0) | (pixels[:, 1] < 0) | (pixels[:, 0] > w) | (pixels[:, 1] > h) | (depth < 1)
        first = int(np.argmax(out)) if out.any() else len(steps) - 1
        # Clear of the frame by more than half a tile, and of what a bumped camera would see.
        return np.asarray(line[min(first + 5, len(steps) - 1)])


def _camera(stand: Stand, canvas_wh: tuple[int, int]) -> Camera:
    return Camera.look(
        stand.target_xy,
        stand.elevation_deg,
        stand.azimuth_deg,
        stand.roll_deg,
        stand.fov_deg,
        stand.tile_px,
        canvas_wh,
    )


def _fitted(stand: Stand, half: tuple[float, float], size_wh: tuple[int, int], margin: int) -> Stand:
    """Return the stand moved so that the part of the table in play fills the picture."""
    spots = [(x, y, 0.0) for x in (-half[0], 0, half[0]) for y in (-half[1], 0, half[1])]
    points = np.array(spots, float)
    canvas = (size_wh[0] + 2 * margin, size_wh[1] + 2 * margin)
    middle = (np.array(canvas) - 1) / 2
    for _ in range(8):
        cam = _camera(stand, canvas)
        pixels, depth = cam.project(points)
        if depth.min() < 1:
            stand = replace(stand, tile_px=stand.tile_px * 0.6)
            continue
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        fill = float(((high - low) / np.array(size_wh)).max())
        spot = np.linalg.inv(cam.ground_homography()) @ np.array([*((low + high) / 2), 1.0])
        target = spot[:2] / spot[2]
        if not np.isfinite(target).all() or np.abs((low + high) / 2 - middle).max() > 4 * middle.max():
            break
        stand = replace(
            stand,
            target_xy=(float(target[0]), float(target[1])),
            tile_px=float(np.clip(stand.tile_px * 0.985 / fill, 8, 300)),
        )
    return stand


def sample_view(script: GameScript, size_wh: tuple[int, int], seed: int) -> View:
    """Draw the camera of a film; the same script, size and seed give the same camera."""
    rng = np.random.default_rng([script.seed, seed, 21])
    margin = 8 * round(0.035 * max(size_wh) / 8)
    low = {"easy": 66, "normal": 55, "hard": 45}[script.difficulty]
    stand = Stand(
        (0.0, 0.0),
        float(rng.uniform(low, 80)),
        float(rng.normal(0, 4)),
        float(rng.normal(0, 1.2)),
        float(rng.uniform(48, 72)),
        0.03 * size_wh[0],
    )
    half = (script.half_size[0] + 0.3, script.half_size[1] + 0.3)
    stand = _fitted(stand, half, size_wh, margin)
    k1 = float(rng.choice([0.0, rng.uniform(0.0, 0.05)]))
    thickness = float(rng.uniform(0.22, 0.34))
    moves, nudges = [], []
    for incident in sorted(script.incidents, key=lambda i: i.start_s):
        if incident.kind in ("bump", "turn"):
            moves.append((incident, _bump(incident, rng)))
        elif incident.kind == "sway":
            far_px = 10.0 * size_wh[0] / 1280
            x, y, turn = (float(v) for v in rng.uniform(0.6, 1.0, 3) * (far_px, 0.7 * far_px, 0.35))
            nudges.append((incident, (x, y, turn)))
        elif incident.kind in ("sag", "shake"):
            scale = incident.strength * size_wh[0] / 1280
            far = (5.0, 14.0, 0.5) if incident.kind == "sag" else (2.2, 1.8, 0.08)
            x, y, turn = (float(v * s * scale) for v, s in zip(far, rng.uniform(-1, 1, 3), strict=True))
            if incident.kind == "sag":
                y = -abs(y) - 3 * scale  # a camera that sinks shows things higher up
            else:
                x, y = x + np.sign(x) * scale, y + np.sign(y) * scale
            room = 0.6 * margin
            clipped = float(np.clip(x, -room, room)), float(np.clip(y, -room, room))
            nudges.append((incident, (*clipped, float(np.clip(turn, -1, 1)))))
    return View(stand, size_wh, margin, k1, thickness, tuple(moves), tuple(nudges))


def _slowly(t_s: float, pace: float) -> float:
    """Return how far a hand has swayed, -1..1: to and fro in some ten seconds, and trembling a little."""
    phase = 2 * np.pi * pace * t_s
    return float(0.6 * np.sin(phase / 19) + 0.35 * np.sin(phase / 7.3 + 1) + 0.05 * np.sin(phase * 1.7))


def _bump(incident: Incident, rng: Generator) -> tuple[float, ...]:
    s = min(incident.strength, 2.5)
    sign = rng.choice([-1.0, 1.0], 5)
    if incident.kind == "bump":
        sizes = np.array([0.5, 0.3, 0.8, 0.8, 0.8]) * rng.uniform(0.5, 1.2, 5)
    else:
        sizes = np.array([0.2, 0.1, 0.3, 3.0, 1.5]) * rng.uniform(0.6, 1.2, 5)
    return tuple(float(v) for v in sign * sizes * s)


def tile_corners(pose: Pose, aspect: float, up: float) -> Array:
    """Return the corners (4, 3) of a tile's face in the world, clockwise from its own upper left."""
    a = np.radians(pose.heading)
    u, v = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    spots = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    flat = np.array([[pose.x, pose.y] + sx * u + sy * aspect * v for sx, sy in spots])
    return np.column_stack([flat, np.full(4, up)])


def fixed_maps(maps: tuple[NDArray[np.float32], NDArray[np.float32]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return maps as OpenCV takes them fastest."""
    first, second = cv2.convertMaps(maps[0], maps[1], cv2.CV_16SC2)
    return np.asarray(first), np.asarray(second)
