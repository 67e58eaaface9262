"""What lens, sensor and phone make of the light: distortion, blur, exposure, colours, noise, JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.traced.camera import Camera

__all__ = ["Recipe", "develop", "make_recipe"]

Picture = NDArray[np.float32]


@dataclass(frozen=True)
class Recipe:
    """How one picture is developed."""

    stops: float
    balance: tuple[float, float, float]
    grain: float
    """Deviation of the sensor's noise at middle grey, of 1."""
    shake: float
    """Length of the motion blur, pixels."""
    shake_turn: float
    defocus: float
    """Deviation of the overall blur, pixels."""
    sharpen: float
    contrast: float
    colour: float
    fall: float
    """Loss of light in the corners, stops."""
    quality: int


def make_recipe(rng: np.random.Generator, style: str, webcam: bool) -> Recipe:
    """Return a recipe that suits the kind of light."""
    dark = style in ("dim", "lamp", "flash")
    warm = rng.normal(0.05 if dark else 0, 0.07)
    noisy = float(rng.gamma(2.0, 0.011 if dark or webcam else 0.004))
    return Recipe(
        stops=float(rng.normal(-0.35 if style == "dim" else 0.0, 0.38)),
        balance=(float(1 + warm), float(1 + rng.normal(0, 0.02)), float(1 - warm)),
        grain=min(noisy, 0.06),
        shake=float(rng.uniform(2, 6)) if rng.random() < (0.25 if dark else 0.1) else 0.0,
        shake_turn=float(rng.uniform(0, np.pi)),
        defocus=float(rng.choice([0.35, 0.6, 1.0, 1.7], p=[0.4, 0.3, 0.2, 0.1])) + 0.3 * webcam,
        sharpen=float(rng.uniform(0, 1.1)),
        contrast=float(rng.uniform(0.0, 0.5)),
        colour=float(rng.normal(1.08, 0.1)),
        fall=float(rng.uniform(0, 0.8)),
        quality=int(rng.integers(58, 96)),
    )


def _tone(light: Picture, contrast: float) -> Picture:
    """From linear light to display values 0..1, with a soft shoulder and an S-curve."""
    knee = 0.62
    light = np.where(light < knee, light, knee + (1 - knee) * (1 - np.exp(-(light - knee) / (1 - knee))))
    shown = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-6) ** (1 / 2.4) - 0.055)
    shown = np.clip(shown, 0, 1)
    return np.asarray(shown + contrast * (shown**2 * (3 - 2 * shown) - shown), np.float32)


def develop(
    light: Picture, camera: Camera, recipe: Recipe, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], bytes]:
    """Return the picture as it is seen (RGB bytes) and as a JPEG file."""
    x, y = camera.source()
    image = cv2.remap(
        light, x.astype(np.float32), y.astype(np.float32), cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    image = np.maximum(image, 0)
    if recipe.shake:
        size = int(recipe.shake) | 1
        kernel = np.zeros((size + 2, size + 2), np.float32)
        middle, way = (size + 1) / 2, np.array([np.cos(recipe.shake_turn), np.sin(recipe.shake_turn)])
        for t in np.linspace(-recipe.shake / 2, recipe.shake / 2, 40):
            px, py = np.clip(middle + t * way, 0, size + 1)
            kernel[round(py), round(px)] += 1 / 40
        image = cv2.filter2D(image, -1, kernel)
    image = cv2.GaussianBlur(image, (0, 0), recipe.defocus)
    luma = image @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    # Phones neutralise most, not all, of the light's own colour.
    grey = np.array([np.exp(np.log(image[..., c] + 1e-4 * luma.mean()).mean()) for c in range(3)])
    gain = (grey.mean() / grey) ** 0.3 * np.array(recipe.balance)
    key = np.exp(np.log(luma + 1e-3 * luma.mean()).mean())
    exposure = min(0.2 / key, 0.95 / float(np.percentile(luma, 97.5))) * 2.0**recipe.stops
    exposure = max(exposure, 0.42 / float(np.percentile(luma, 97)))
    radius = np.linalg.norm(
        np.mgrid[: camera.height, : camera.width] - camera.middle[::-1, None, None], axis=0
    ) / np.hypot(*camera.middle)
    image = (
        image
        * (gain * exposure).astype(np.float32)
        * (2.0 ** (-recipe.fall * radius**2))[..., None].astype(np.float32)
    )
    hush = rng.standard_normal(image.shape).astype(np.float32)
    coarse = cv2.resize(
        rng.standard_normal((camera.height // 3, camera.width // 3, 3)).astype(np.float32),
        (camera.width, camera.height),
    )
    hush = 0.8 * cv2.GaussianBlur(hush, (0, 0), 0.7) * 1.9 + 0.35 * coarse
    image = np.maximum(image + recipe.grain * np.sqrt(np.maximum(image, 0.01) / 0.2) * hush, 0)
    shown = _tone(image, recipe.contrast)
    grey_image = shown.mean(-1, keepdims=True)
    shown = grey_image + recipe.colour * (shown - grey_image)
    shown = shown + recipe.sharpen * (shown - cv2.GaussianBlur(shown, (0, 0), 1.2))
    seen = np.clip(np.rint(shown * 255), 0, 255).astype(np.uint8)
    done, data = cv2.imencode(".jpg", seen[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, recipe.quality])
    if not done:
        raise RuntimeError("OpenCV could not write the picture as JPEG")
    return seen, data.tobytes()
