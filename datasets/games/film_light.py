"""Light and exposure over a film, and what the sensor makes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.games.film_sun import SunShow
from datasets.games.script import GameScript, Incident

__all__ = ["LightShow", "Sensor"]

Map = NDArray[Any]  # float32
Pixels = NDArray[np.uint8]
_UNIT = 128
"""A gain of one in the fields."""
_EIGHTHS = 8
"""Steps of the stored fine noise in one step of brightness."""


@dataclass(slots=True)
class LightShow:
    """How bright each part of the picture is, over time."""

    script: GameScript
    """For its incidents."""
    size_wh: tuple[int, int]
    """Of the picture."""
    seed: int
    """Settles everything random."""
    _base: Map = field(init=False)
    _lamps: list[tuple[Incident, Map, Map]] = field(default_factory=list, init=False)
    _steps: list[tuple[Incident, float]] = field(default_factory=list, init=False)
    _shadows: list[tuple[Incident, Map, tuple[float, ...]]] = field(default_factory=list, init=False)
    _suns: list[SunShow] = field(default_factory=list, init=False)
    _drift: tuple[float, ...] = field(default=(), init=False)
    _last: tuple[tuple[float, ...], Pixels] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Draw lamps and drifts."""
        rng = np.random.default_rng([self.script.seed, self.seed, 41])
        hard = {"easy": 0.4, "normal": 1.0, "hard": 1.6}[self.script.difficulty]
        x, y = self._grid()
        angle = rng.uniform(0, 2 * np.pi)
        slope = x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))
        vignette = 1 - np.float32(rng.uniform(0.04, 0.16)) * (x**2 + y**2)
        gain = rng.uniform(0.9, 1.02)
        tint = np.array([1 + rng.normal(0, 0.02), 1.0, 1 + rng.normal(0, 0.02)])
        base = vignette * (1 + np.float32(rng.uniform(0.02, 0.09) * hard) * slope) * np.float32(gain)
        self._base = (base[..., None] * tint).astype(np.float32)
        self._drift = (
            rng.uniform(0.005, 0.02) * hard,
            rng.uniform(40, 160),
            rng.uniform(0, 6.3),
            rng.uniform(0.002, 0.008) * hard,
            rng.uniform(60, 240),
            rng.uniform(0, 6.3),
        )
        lit = True
        for incident in sorted(self.script.incidents, key=lambda i: i.start_s):
            s = min(incident.strength, 2.0)
            if incident.kind == "lamp":
                # Lamps go on and off in turn.
                lit = not lit
                warm = rng.uniform(-0.06, 0.06) * s
                level = (rng.uniform(0.74, 0.86) if not lit else rng.uniform(1.12, 1.25)) ** s
                way = rng.uniform(0, 2 * np.pi)
                ramp = 1 + np.float32(0.1 * s) * (x * np.float32(np.cos(way)) + y * np.float32(np.sin(way)))
                colour = np.array([1 - warm, 1.0, 1 + warm]) * level
                self._lamps.append((incident, ramp[..., None] * colour, np.ones(3)))
            elif incident.kind == "exposure":
                self._steps.append((incident, float(rng.choice([0.86, 0.9, 1.09, 1.14]) ** s)))
            elif incident.kind == "shadow":
                self._shadows.append((incident, *self._blob(rng, incident, s)))
            elif incident.kind == "sun":
                whole_s = self.script.duration_s
                self._suns.append(SunShow(self.size_wh, whole_s, s, self.script.seed + self.seed))

    def _grid(self) -> tuple[Map, Map]:
        w, h = self.size_wh
        cols, rows = 64, max(4, round(64 * h / w))
        x = np.linspace(-1, 1, cols, dtype=np.float32)[None]
        y = np.linspace(-1, 1, rows, dtype=np.float32)[:, None] * np.float32(h / w)
        return np.broadcast_to(x, (rows, cols)), np.broadcast_to(y, (rows, cols))

    def _blob(self, rng: np.random.Generator, incident: Incident, s: float) -> tuple[Map, tuple[float, ...]]:
        """Return the shape of somebody's shadow, three fields wide, and how it wanders."""
        rows, cols = self._base.shape[:2]
        shape = np.zeros((rows * 3, cols * 3), np.float32)
        at = (cols * 3 // 2, rows * 3 // 2)
        wide = (int(rng.uniform(7, 16)), int(rng.uniform(10, 24)))
        cv2.ellipse(shape, at, wide, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        cv2.circle(shape, (at[0] + wide[0], at[1] - wide[1]), wide[0] // 2 + 2, 1.0, -1)
        shape = cv2.GaussianBlur(shape, (0, 0), float(rng.uniform(2.5, 6)))
        angle = rng.uniform(0, 2 * np.pi)
        return shape, (float(np.cos(angle)), float(np.sin(angle)), float(rng.uniform(0.16, 0.36) * s))

    def field(self, t_s: float) -> Pixels:
        """Return the gain (H, W, 3), BGR in steps of 1/128; the same object while it is the same."""
        state = self._state(t_s)
        suns = [sun.state(t_s) for sun in self._suns]
        key = (*state, *(v for one in suns for v in one))
        if self._last is not None and self._last[0] == key:
            return self._last[1]
        gain = self._base * np.float32(state[0]) * np.array(state[1:4], np.float32)
        for share, (_, ramp, _) in zip(state[4 : 4 + len(self._lamps)], self._lamps, strict=True):
            if share > 0:
                gain = gain * (1 + np.float32(share) * (ramp.astype(np.float32) - 1))
        places = state[4 + len(self._lamps) :]
        for place, (_, shape, (dx, dy, dark)) in zip(places, self._shadows, strict=True):
            if -1 < place < 1:
                rows, cols = gain.shape[:2]
                far = 1.4 * cols * place
                shift = np.array([[1.0, 0, far * dx - cols], [0, 1.0, far * dy - rows]])
                part = cv2.warpAffine(shape, shift, (cols, rows))
                gain = gain * (1 - np.float32(dark) * part)[..., None]
        large = cv2.resize(gain.astype(np.float32), self.size_wh, interpolation=cv2.INTER_LINEAR)
        for sun, places in zip(self._suns, suns, strict=True):
            large *= sun.gain(places, self.size_wh)
        eight = cv2.convertScaleAbs(large, alpha=_UNIT)
        self._last = (key, np.asarray(eight, np.uint8))
        return self._last[1]

    def _state(self, t_s: float) -> tuple[float, ...]:
        """Return gain, BGR balance, shares of lamps and places of shadows, in steps too small to be seen."""
        a, p, q, b, r, u = self._drift
        gain = 1 + a * np.sin(2 * np.pi * t_s / p + q)
        warm = b * np.sin(2 * np.pi * t_s / r + u)
        for incident, step in self._steps:
            if t_s >= incident.start_s:
                long = max(0.15, min(1.5, incident.end_s - incident.start_s))
                s = min(1.0, (t_s - incident.start_s) / long)
                gain *= step ** (s * (2 - s))
        shares = []
        for incident, _, _ in self._lamps:
            s = float(np.clip((t_s - incident.start_s) / 0.12, 0, 1)) if t_s >= incident.start_s else 0.0
            # The camera's own exposure takes back about half of it within two seconds.
            back = 0.45 * (1 - np.exp(-max(0.0, t_s - incident.start_s - 0.2) / 0.8))
            shares.append(round(s * (1 - back), 2))
        places = []
        for incident, _, _ in self._shadows:
            long = max(incident.end_s - incident.start_s, 1e-3)
            place = 2 * (t_s - incident.start_s) / long - 1
            places.append(round(place, 3) if -1 < place < 1 else 9.0)
        balance = (round(1 - warm, 3), 1.0, round(1 + warm, 3))
        return (round(gain * 200) / 200, *balance, *shares, *places)


@dataclass(slots=True)
class Sensor:
    """Noise that grows in the dark, from a small pool of fields."""

    size_wh: tuple[int, int]
    """Of the picture."""
    strength: float
    """Standard deviation on mid grey, eight-bit steps."""
    seed: int
    """Settles the noise."""
    _fine: list[NDArray[np.int8]] = field(default_factory=list, init=False)
    _coarse: list[NDArray[np.int8]] = field(default_factory=list, init=False)
    _order: np.random.Generator = field(init=False)
    _weights: NDArray[np.int8] = field(init=False)

    def __post_init__(self) -> None:
        """Make the pool."""
        rng = np.random.default_rng([self.seed, 51])
        self._order = rng
        luma = np.arange(256) / 255
        self._weights = np.round(64 * (1.35 - 0.75 * luma)).astype(np.int8)
        w, h = self.size_wh
        for _ in range(4):
            self._fine.append(_whole(rng, (h + 32, w + 32), 0.6, _EIGHTHS * self.strength))
            self._coarse.append(_whole(rng, (h // 2 + 16, w // 2 + 16), 1.2, 0.5 * self.strength))

    def expose(self, planes: tuple[Pixels, Pixels, Pixels]) -> tuple[Pixels, Pixels, Pixels]:
        """Return the planes Y (H, W), U and V (H / 2, W / 2) with noise."""
        if self.strength <= 0:
            return planes
        found = []
        weight = cv2.LUT(planes[0], self._weights)
        for plane, pool in zip(planes, (self._fine, self._coarse, self._coarse), strict=True):
            h, w = plane.shape
            noise = pool[int(self._order.integers(len(pool)))]
            room = (noise.shape[0] - h, noise.shape[1] - w)
            y, x = int(self._order.integers(room[0] + 1)), int(self._order.integers(room[1] + 1))
            part = noise[y : y + h, x : x + w]
            if plane is planes[0]:
                part = np.asarray(cv2.multiply(part, weight, scale=1 / (64 * _EIGHTHS)), np.int8)
            found.append(np.asarray(cv2.add(plane, part, dtype=cv2.CV_8U), np.uint8))
        return found[0], found[1], found[2]


def _whole(
    rng: np.random.Generator, shape: tuple[int, int], blur_px: float, strength: float
) -> NDArray[np.int8]:
    """Return noise in whole steps, rounded at random so that weak noise is not lost."""
    noise = np.asarray(cv2.GaussianBlur(rng.standard_normal(shape, dtype=np.float32), (0, 0), blur_px))
    noise = noise * (strength / max(float(noise.std()), 1e-6)) + rng.random(shape, np.float32)
    return np.asarray(np.clip(np.floor(noise), -127, 127), np.int8)
