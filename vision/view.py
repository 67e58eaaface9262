"""How well a camera sees the table: measured on the tiles that were found in one photograph.

Everything is measured on the faces of tiles, which are near-white and carry dark or coloured figures: how wide
they are, how much they are foreshortened, how soft the edges of their figures are, how bright and how much
washed out they look, and where a lamp shines back from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners, PhotoReading
from vision.rectify import Pyramid
from vision.view_settings import ViewSettings

__all__ = ["Finding", "Grade", "ViewMeasure", "grade_view", "measure_view", "worst_grade"]

Grade = Literal["good", "borderline", "bad"]
Property = Literal["tiles", "size", "angle", "sharpness", "light", "exposure", "glare"]

_LEAST_TILES: Final = 4
"""Fewer tiles than this do not tell the camera's angle."""
_ASPECT: Final = 1.4
"""Height of a tile in its widths: about 38 x 27 mm."""
_RIM: Final = 0.08
"""Share of the width and height that is left out on each side: the edge and shadow of the body are there."""
_CROP_PX: Final = 64
"""Width of the upright crop on which edges are measured, at most."""
_SAMPLING_PX: Final = 0.66
"""The softness that pixels themselves have, measured on sharp photographs of 17 to 170 pixels a tile."""
_LEAST_CONTRAST: Final = 8.0
"""Grey levels; on a face without a figure there is no edge to measure."""
_LOST_LEVEL: Final = 250
"""A pixel all of whose colours reach this has lost what was printed there."""
_GLARE_SHARE: Final = 0.06
"""A tile with this much more of its face lost than the usual one lies under glare; a glossy rim does not."""


@dataclass(frozen=True, slots=True)
class ViewMeasure:
    """What was measured in one photograph; None where there is nothing to measure it on."""

    tiles: int
    """Faces found, those without a reading included."""
    tile_px: float | None
    """Width of the usual (median) tile, pixels."""
    smallest_tile_px: float | None
    """Width that nine of ten tiles reach, pixels."""
    angle_deg: float | None
    """How steeply the camera looks down on the tiles, degrees; 90 is straight from above."""
    blur: float | None
    """Standard deviation of the softness of edges, tile widths."""
    luma: float | None
    """Brightness of the usual face's ground, 0..255."""
    washed_out: float | None
    """Share of the usual face that is too bright to show anything printed there."""
    glare: float | None
    """Share of the tiles that a light shines back from."""
    doubts: float | None
    """Share of the faces whose reading is a doubt, or that have none."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One property of the view, graded."""

    name: Property
    """What was looked at."""
    grade: Grade
    """How good it is."""
    told: str
    """One sentence with the figure."""
    mend: str | None = None
    """What to do about it; None where nothing needs to be done."""


def measure_view(image_bgr: NDArray[np.uint8], reading: PhotoReading) -> ViewMeasure:
    """Measure the view of an upright picture, shape (H, W, 3), from what was read in it."""
    faces = [tile.corners_xy_px for tile in reading.tiles] + list(reading.unreadable)
    if not faces:
        return ViewMeasure(0, None, None, None, None, None, None, None, None)
    quads = np.stack(faces).astype(np.float64)
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    widths = (sides[:, 0] + sides[:, 2]) / 2
    pyramid = Pyramid(image_bgr)
    looks = [_look(pyramid, corners, width) for corners, width in zip(faces, widths, strict=True)]
    lost = np.array([look.lost for look in looks])
    blurs = [look.blur for look in looks if np.isfinite(look.blur)]
    usual = float(np.median(lost))
    unsure = sum(tile.doubt for tile in reading.tiles) + len(reading.unreadable)
    return ViewMeasure(
        tiles=len(faces),
        tile_px=float(np.median(widths)),
        smallest_tile_px=float(np.percentile(widths, 10)),
        angle_deg=_angle_deg(quads),
        blur=float(np.median(blurs)) if blurs else None,
        luma=float(np.median([look.luma for look in looks])),
        washed_out=usual,
        glare=float((lost > usual + _GLARE_SHARE).mean()) if usual < _GLARE_SHARE else 0.0,
        doubts=unsure / len(faces),
    )


@dataclass(frozen=True, slots=True)
class _Look:
    blur: float
    luma: float
    lost: float


def _look(pyramid: Pyramid, corners: Corners, width_px: float) -> _Look:
    """Measure one face, without its rim."""
    across = int(np.clip(round(width_px), 12, _CROP_PX))
    crop = pyramid.crop(corners, (across, round(across * _ASPECT)), margin=-_RIM)
    luma = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    # In the darkest of the three, an orange or red figure stands out as a black one does.
    ink = crop.min(axis=2).astype(np.float32)
    low, high = np.percentile(ink, [2, 80])
    contrast = float(high - low)
    dx = cv2.Sobel(ink, cv2.CV_32F, 1, 0, ksize=1) / 2
    dy = cv2.Sobel(ink, cv2.CV_32F, 0, 1, ksize=1) / 2
    steepest = float(np.percentile(np.hypot(dx, dy), 98))
    # An edge of height c, softened by a Gaussian of s, is c / (s sqrt(2 pi)) steep in its middle.
    blur_px = contrast / max(steepest, 1e-3) / np.sqrt(2 * np.pi) if contrast >= _LEAST_CONTRAST else np.nan
    lost = float((crop.min(axis=2) >= _LOST_LEVEL).mean())
    own_px = _SAMPLING_PX / width_px * across / (1 - 2 * _RIM)
    blur_px = float(np.sqrt(max(blur_px**2 - own_px**2, 0.0))) if np.isfinite(blur_px) else blur_px
    return _Look(blur_px / across * (1 - 2 * _RIM), float(np.percentile(luma, 80)), lost)


def _angle_deg(quads: NDArray[np.float64]) -> float | None:
    """Return how steeply the tiles (N, 4, 2) are looked down on; None for too few to tell.

    Under the angle e the plane is foreshortened by sin e along the line of sight. Each tile tells it, given the
    shape that tiles have; the median is steady where a shared shape or plane fitted to noisy corners is not.
    The shape of this box's tiles may differ by a tenth: that is up to eight degrees at fifty.
    """
    if len(quads) < _LEAST_TILES:
        return None
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    along = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    slopes = np.stack([across, along / _ASPECT], axis=2)
    large, small = np.linalg.svd(slopes, compute_uv=False).T
    return float(np.degrees(np.arcsin(np.clip(np.median(small / np.maximum(large, 1e-9)), 0.0, 1.0))))


def grade_view(measure: ViewMeasure, settings: ViewSettings | None = None) -> tuple[Finding, ...]:
    """Return every property of the view with its grade, by the bounds of ``settings``."""
    s = settings or ViewSettings()
    if not measure.tiles:
        mend = "Take the picture from nearer, with more light, and with tiles lying face up on the table."
        return (Finding("tiles", "bad", "No tile was found.", mend),)
    found: list[Finding] = []

    def add(name: Property, value: float | None, good: float, worst: float, told: str, mend: str) -> None:
        if value is None:
            return
        sign = 1.0 if good >= worst else -1.0
        grade: Grade = (
            "good" if sign * value >= sign * good else "borderline" if sign * value >= sign * worst else "bad"
        )
        found.append(Finding(name, grade, told, None if grade == "good" else mend))

    size, angle = measure.smallest_tile_px or 0.0, measure.angle_deg
    add(
        "size", size, s.good_tile_px, s.least_tile_px,
        f"Nine of ten tiles are at least {size:.0f} pixels wide; {s.good_tile_px:.0f} are wanted.",
        "Bring the camera nearer, or choose a higher resolution (--size 1920x1080).",
    )  # fmt: skip
    if angle is not None:
        add(
            "angle", angle, s.good_angle_deg, s.least_angle_deg,
            f"The camera looks down at about {angle:.0f} degrees; {s.good_angle_deg:.0f} are wanted.",
            "Raise the camera, or tilt it further down.",
        )  # fmt: skip
    add(
        "sharpness", measure.blur, s.good_blur, s.most_blur,
        f"Edges are soft over {measure.blur or 0.0:.3f} tile widths; up to {s.good_blur:g} is sharp.",
        "Clean the lens, focus on the table, and hold the camera still, or give more light.",
    )  # fmt: skip
    luma, washed_out, glare = measure.luma or 0.0, measure.washed_out or 0.0, measure.glare or 0.0
    add(
        "light", luma, s.good_luma, s.least_luma,
        f"The tiles' faces have a brightness of {luma:.0f} of 255; {s.good_luma:.0f} are wanted.",
        "Give more light, best from the side or from a bright ceiling.",
    )  # fmt: skip
    add(
        "exposure", washed_out, s.good_washed_out, s.most_washed_out,
        f"Of the usual face {washed_out:.0%} is too bright to show a figure; {s.good_washed_out:.0%} may be.",
        "Lower the camera's exposure, or turn off the lamp that shines straight on the table.",
    )  # fmt: skip
    add(
        "glare", glare, s.good_glare, s.most_glare,
        f"A light shines back from {glare:.0%} of the tiles.",
        "Move the lamp aside, or the camera, until it does not mirror in the tiles.",
    )  # fmt: skip
    return tuple(found)


def worst_grade(findings: Sequence[Finding]) -> Grade:
    """Return the worst grade of a view."""
    order: tuple[Grade, ...] = ("good", "borderline", "bad")
    return max((finding.grade for finding in findings), key=order.index, default="good")
