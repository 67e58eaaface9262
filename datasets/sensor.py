"""From linear light to a phone's or webcam's JPEG: lens, exposure, colour, noise, sharpening, compression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.light import to_srgb

__all__ = ["Sensor", "blur_by_depth", "develop", "sample_sensor"]

Map = NDArray[Any]  # float32


@dataclass(frozen=True, slots=True)
class Sensor:
    """How a picture is taken and stored."""

    kind: str
    """phone, webcam, low_light, grey."""
    exposure: float
    """Gain over what the automatic exposure chose."""
    balance: tuple[float, float, float]
    """Colour gains that remain after white balance, linear."""
    contrast: float
    """Strength of the tone curve, 0 straight."""
    saturation: float
    """1 leaves colours alone."""
    vignette: float
    """Darkening of the corners, 0..1."""
    blur_px: float
    """Gaussian softness of lens and demosaicing."""
    defocus_px: float
    """Radius of the defocus disc; 0 is in focus."""
    motion_px: tuple[float, float]
    """Motion blur as a vector."""
    noise: float
    """Noise at mid grey, share of full scale."""
    chroma: float
    """Size of coloured blotches left by denoising, as noise."""
    smear: bool
    """Whether heavy denoising smeared fine detail."""
    sharpen: float
    """Amount of sharpening; halos above 1."""
    fringe: float
    """Chromatic aberration: relative growth of the red picture."""
    shrink: float
    """Below 1: taken at that share of the size and enlarged."""
    jpeg: int
    """Quality."""


def sample_sensor(rng: Generator, tile_px: float, clean: bool) -> Sensor:
    """Draw a sensor; ``clean`` is an ordinary phone in good light. Blurs are kept readable."""
    kind = (
        "phone"
        if clean
        else str(rng.choice(["phone", "webcam", "low_light", "grey"], p=[0.5, 0.24, 0.22, 0.04]))
    )
    rough = 0.25 if clean else 1.0
    readable = max(tile_px, 12.0)

    def often(share: float) -> bool:
        return bool(rng.random() < share * (0.3 if clean else 1.0))

    shake = rng.uniform(0.01, 0.07) * readable if often(0.25) else 0.0
    way = rng.uniform(0, np.pi)
    webcam, dim = kind == "webcam", kind == "low_light"
    return Sensor(
        kind=kind,
        exposure=float(np.exp(rng.normal(0, 0.1 if clean else 0.25)) * (0.7 if dim else 1.0)),
        balance=tuple(float(x) for x in np.exp(rng.normal(0, 0.05 * (0.6 + rough), 3))),  # type: ignore[arg-type]
        contrast=float(rng.uniform(0.0, 0.6)),
        saturation=float(np.clip(rng.normal(0.96, 0.1 + 0.1 * rough), 0.55, 1.5)),
        vignette=float(rng.uniform(0, 0.3) if rng.random() < 0.6 else 0.0),
        blur_px=float(rng.uniform(0.3, 0.75) + (rng.uniform(0, 0.5) if webcam else 0)),
        defocus_px=float(rng.uniform(0.008, 0.045) * readable) if often(0.3) else 0.0,
        motion_px=(float(shake * np.cos(way)), float(shake * np.sin(way))),
        noise=float(
            rng.uniform(0.002, 0.008)
            if clean
            else rng.uniform(0.002, 0.02) + (rng.uniform(0, 0.03) if dim else 0)
        ),
        chroma=float(rng.uniform(0, 0.02) if dim else rng.uniform(0, 0.004)),
        smear=bool(often(0.15) or (dim and rng.random() < 0.5)),
        sharpen=float(rng.choice([0.0, 0.4, 0.8, 1.5], p=[0.35, 0.35, 0.2, 0.1])),
        fringe=float(rng.uniform(-0.0015, 0.0015) if often(0.3) else 0.0),
        shrink=float(rng.uniform(0.5, 0.85)) if webcam and tile_px > 34 and rng.random() < 0.6 else 1.0,
        jpeg=int(rng.integers(78, 96))
        if clean
        else int(rng.choice([rng.integers(25, 60), rng.integers(60, 96)], p=[0.25, 0.75])),
    )


def _motion(image: Map, vector: tuple[float, float]) -> Map:
    length = float(np.hypot(*vector))
    if length < 0.7:
        return image
    size = int(np.ceil(length)) * 2 + 3
    kernel = np.zeros((size, size), np.float32)
    for part in np.linspace(-0.5, 0.5, 4 * size):
        x, y = size / 2 - 0.5 + part * vector[0], size / 2 - 0.5 + part * vector[1]
        x0, y0 = int(x), int(y)
        fx, fy = x - x0, y - y0
        kernel[y0, x0] += (1 - fx) * (1 - fy)
        kernel[y0, x0 + 1] += fx * (1 - fy)
        kernel[y0 + 1, x0] += (1 - fx) * fy
        kernel[y0 + 1, x0 + 1] += fx * fy
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT))


def disc(image: Map, radius: float) -> Map:
    """Blur with a soft-edged disc, as a lens out of focus does."""
    if radius < 0.5:
        return image
    size = int(np.ceil(radius)) * 2 + 3
    grid = np.arange(size, dtype=np.float32) - size // 2
    kernel = np.clip(radius + 0.5 - np.hypot(grid[None], grid[:, None]), 0, 1).astype(np.float32)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT))


def blur_by_depth(image: Map, amount: Map, radius: float) -> Map:
    """Blur (H, W, 3) with discs of ``radius`` pixels where ``amount`` (H, W) is 1, not where it is 0."""
    half, full = disc(image, radius / 2), disc(image, radius)
    share = np.clip(amount, 0, 1)[..., None] * np.float32(2)
    low, high = np.minimum(share, 1), np.maximum(share - 1, 0)
    mixed = image + (half - image) * low
    mixed += (full - mixed) * high
    return np.asarray(mixed, dtype=np.float32)


def _expose(light: Map, white: float, rng: Generator, sensor: Sensor) -> float:
    """Return the gain that an automatic exposure would choose; ``white`` is how bright a white sheet is."""
    small = light[::8, ::8].mean(axis=2)
    mean, bright = float(small.mean()), float(np.percentile(small, 97))
    by_mean = rng.uniform(0.23, 0.42) / max(mean, 1e-3)
    by_bright = rng.uniform(0.72, 0.95) / max(bright, 1e-3)
    gain = by_mean * by_bright / max(0.5 * (by_mean + by_bright), 1e-6)  # between the two, nearer the lower
    # A dark cloth stays dark: cameras only go part of the way.
    return float(np.clip(gain, 0.5 / white, rng.uniform(0.85, 1.2) / white)) * sensor.exposure


def _tone(image: Map, contrast: float) -> Map:
    """Return sRGB of linear light: a soft shoulder keeps highlights from clipping hard, then an S-curve."""
    steps = np.linspace(0, 1, 4096, dtype=np.float32)
    linear = steps * steps * 6
    curve = to_srgb(np.where(linear > 0.75, 1 - 0.25 * np.exp(-(linear - 0.75) / 0.25), linear))
    curve += np.float32(contrast) * (curve * curve * (3 - 2 * curve) - curve)
    index = np.sqrt(np.clip(image, 0, 6), dtype=np.float32)
    index *= np.float32(4095 / np.sqrt(6))
    return np.asarray(np.take(curve, index.astype(np.uint16)), dtype=np.float32)


def develop(light: Map, white: float, sensor: Sensor, rng: Generator) -> NDArray[np.uint8]:
    """Return the picture (H, W, 3) BGR uint8 that the sensor stores of linear ``light`` (H, W, 3) RGB.

    ``white`` is how bright a white sheet on the table is.
    """
    h, w = light.shape[:2]
    gain = _expose(light, white, rng, sensor)
    gains = np.asarray(sensor.balance, np.float32) * np.float32(gain)
    image = light * gains
    if sensor.vignette > 0:
        xs = ((np.arange(w, dtype=np.float32) - w / 2) / (w / 2)) ** 2
        ys = ((np.arange(h, dtype=np.float32) - h / 2) / (h / 2)) ** 2
        image *= (1 - np.float32(sensor.vignette / 2) * (xs[None] + ys[:, None]))[..., None]
    image = disc(_motion(image, sensor.motion_px), sensor.defocus_px)
    if sensor.shrink < 1:
        image = cv2.resize(image, None, fx=sensor.shrink, fy=sensor.shrink, interpolation=cv2.INTER_AREA)
    if sensor.fringe:
        turn = np.array(
            [[1 + sensor.fringe, 0, -sensor.fringe * w / 2], [0, 1 + sensor.fringe, -sensor.fringe * h / 2]]
        )
        size = (image.shape[1], image.shape[0])
        red = cv2.warpAffine(np.ascontiguousarray(image[..., 0]), turn, size, borderMode=cv2.BORDER_REPLICATE)
        image[..., 0] = red
    image = cv2.GaussianBlur(image, (0, 0), sensor.blur_px)
    image = _tone(image, sensor.contrast)
    luma = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    saturation = 0.0 if sensor.kind == "grey" else sensor.saturation
    image *= np.float32(saturation)
    image += (luma * np.float32(1 - saturation))[..., None]
    if sensor.noise > 0.003:
        grain = rng.standard_normal(image.shape[:2], dtype=np.float32)
        if sensor.shrink < 1 or sensor.kind == "low_light":
            grain = cv2.GaussianBlur(grain, (0, 0), 0.7) * np.float32(2.0)
        image += (grain * (np.float32(sensor.noise) * (1.2 - 0.7 * luma)))[..., None]
    if sensor.chroma > 0.003 and sensor.kind != "grey":
        blotch = rng.standard_normal((h // 3 + 1, w // 3 + 1, 3), dtype=np.float32) * np.float32(sensor.chroma)
        image += cv2.resize(blotch, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_LINEAR)
    stored = cv2.convertScaleAbs(np.maximum(image, 0), alpha=255)
    if sensor.smear:
        stored = cv2.medianBlur(stored, 3)
    if sensor.sharpen > 0:
        soft = cv2.GaussianBlur(stored, (0, 0), 1.2)
        stored = cv2.addWeighted(stored, 1 + sensor.sharpen * 0.6, soft, -sensor.sharpen * 0.6, 0)
    if sensor.shrink < 1:
        stored = cv2.resize(stored, (w, h), interpolation=cv2.INTER_CUBIC)
    bgr = np.ascontiguousarray(stored[..., ::-1])
    ok, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
    if not ok:
        raise RuntimeError("OpenCV could not encode a JPEG")
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
