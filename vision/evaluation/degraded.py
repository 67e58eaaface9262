"""How the reading fails as a view gets worse: ``python -m vision.evaluation.degraded FOLDER``.

Labelled photographs of tables are made smaller, softer, darker and brighter, and read again. This is where
bounds of ``vision.view_settings`` and tables of docs/guide.md come from. It needs a clone of the repository.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.photos import LabelledPhoto, load_photos
from vision.evaluation.changed import truth_moved
from vision.evaluation.score import PictureScore, score
from vision.evaluation.summary import Totals
from vision.evaluation.truth import PictureTruth
from vision.picture import Picture, picture_from_array
from vision.reader import Reader
from vision.readings import PhotoReading
from vision.view import ViewMeasure, measure_view

__all__ = ["STEPS", "Step", "measure_step"]

Image = NDArray[np.uint8]
_NOISE = 2.5


@dataclass(frozen=True, slots=True)
class Step:
    """One way to make a view worse."""

    width_px: float = 40.0
    """To this the usual tile's width is brought first, pixels."""
    blur: float = 0.0
    """Standard deviation of a Gaussian, tile widths."""
    light: float = 1.0
    """How many times the light; below 1 with a camera's noise."""

    def apply(self, image_bgr: Image, seed: int = 1) -> Image:
        """Return the picture, whose tiles are ``width_px`` wide already, made worse."""
        if self.blur:
            image_bgr = np.asarray(cv2.GaussianBlur(image_bgr, (0, 0), self.blur * self.width_px), np.uint8)
        if self.light == 1.0:
            return image_bgr
        dim = self.light < 1
        noise = np.random.default_rng(seed).normal(0, _NOISE, image_bgr.shape) if dim else 0.0
        linear = np.clip((image_bgr / 255.0) ** 2.2 * self.light, 0, 1)
        return np.asarray((linear ** (1 / 2.2) * 255 + noise).clip(0, 255), np.uint8)


STEPS: tuple[Step, ...] = (
    *(Step(width_px=width) for width in (48.0, 36.0, 28.0, 24.0, 20.0, 17.0, 14.0, 11.0)),
    *(Step(blur=blur) for blur in (0.03, 0.05, 0.07, 0.1, 0.14)),
    *(Step(light=light) for light in (0.5, 0.25, 0.125, 0.0625, 0.03)),
    *(Step(light=light) for light in (1.5, 2.0, 3.0, 4.0)),
)
"""What the guide's tables show."""


def measure_step(
    step: Step, photos: Sequence[LabelledPhoto], read: Callable[[Picture], PhotoReading]
) -> tuple[Totals, list[ViewMeasure]]:
    """Read every photograph made worse by ``step``; return the score and what is measured of the view."""
    scores: list[PictureScore] = []
    views = []
    for photo in photos:
        truth, image = _scaled(photo, step.width_px)
        worse = step.apply(image)
        reading = read(picture_from_array(worse))
        scores.append(score(truth, reading)[0])
        views.append(measure_view(worse, reading))
    return Totals(scores), views


def _scaled(photo: LabelledPhoto, width_px: float) -> tuple[PictureTruth, Image]:
    """Bring a photograph to a size at which its usual tile is so wide, its truth with it."""
    truth, image = PictureTruth.of_photo(photo), photo.image_bgr()
    quads = np.stack([tile.corners_xy_px for tile in truth.tiles])
    sides = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    # Corners of photographs may begin anywhere: the shorter side is the width.
    width = float(np.median(np.minimum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2))
    scale = width_px / width
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=way), np.uint8)
    return truth_moved(truth, scale * np.eye(2, 3), (image.shape[1], image.shape[0])), image


def _rows(photos: Sequence[LabelledPhoto], read: Callable[[Picture], PhotoReading]) -> Iterator[str]:
    yield "| width, px | blur | light | tiles | F1 | sure | wrong, sure | softness | brightness | washed out |"
    yield "|---" * 10 + "|"
    for step in STEPS:
        total, views = measure_step(step, photos, read)
        seen = [_median([getattr(view, name) for view in views]) for name in ("blur", "luma", "washed_out")]
        yield (
            f"| {step.width_px:g} | {step.blur:g} | {step.light:g} | {total.true} | {total.f1:.3f} | "
            f"{total.f1_sure:.3f} | {total.wrong_sure} | {seen[0]:.3f} | {seen[1]:.0f} | {seen[2]:.2f} |"
        )


def _median(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else math.nan


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluation.degraded", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="labelled photographs")
    parser.add_argument(
        "--count", type=int, default=20, metavar="N", help="so many tables of the test part (20)"
    )
    asked = parser.parse_args(arguments)
    tables = [p for p in load_photos(asked.folder, None, "test") if p.kind == "table" and p.sets is not None]
    tables = [tables[k * len(tables) // asked.count] for k in range(asked.count)]
    for line in _rows(tables, Reader.load().read):
        print(line, flush=True)


if __name__ == "__main__":
    main()
