"""How surely photographs are read that are turned, smaller or in another light.

``python -m vision.evaluation.changed FOLDER`` reads every labelled photograph of the test part again in each of
:data:`CHANGES`. A reader that knows its photographs by heart shows it here: a few hundred tiles become ten
thousand. It needs a clone of the repository; :mod:`vision.evaluation.degraded` tells where a view gets too bad.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.photos import LabelledPhoto, PhotoLabelsError, load_photos
from vision.evaluation.score import PictureScore, score
from vision.evaluation.summary import Totals
from vision.evaluation.truth import PictureTruth
from vision.picture import Picture, picture_from_array
from vision.reader import Reader
from vision.readings import PhotoReading

__all__ = ["CHANGES", "changed", "measure_change", "truth_moved"]

Image = NDArray[np.uint8]
Affine = NDArray[np.float64]
Change = Callable[[Image], tuple[Image, Affine]]
"""A picture (H, W, 3) in; out come another, and the way from pixels of the one to the other's, (2, 3)."""

_SAME = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def _sized(across: float, down: float | None = None) -> Change:
    by = (across, across if down is None else down)

    def change(image_bgr: Image) -> tuple[Image, Affine]:
        height, width = image_bgr.shape[:2]
        size = (round(width * by[0]), round(height * by[1]))
        way = cv2.INTER_AREA if min(by) < 1 else cv2.INTER_CUBIC
        to = np.array([[size[0] / width, 0.0, 0.0], [0.0, size[1] / height, 0.0]])
        return np.asarray(cv2.resize(image_bgr, size, interpolation=way), np.uint8), to

    return change


def _turned(degrees: float) -> Change:
    def change(image_bgr: Image) -> tuple[Image, Affine]:
        height, width = image_bgr.shape[:2]
        to = np.asarray(cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1.0), np.float64)
        size = np.rint(np.abs(to[:, :2]) @ [width, height]).astype(int)
        to[:, 2] += (size - [width, height]) / 2
        # Grey corners: what a border repeats of a tile that it cuts would be taken for another one.
        grey = (114.0, 114.0, 114.0)
        whole = cv2.warpAffine(image_bgr, to, size.tolist(), flags=cv2.INTER_CUBIC, borderValue=grey)
        return np.asarray(whole, np.uint8), to

    return change


def _toned(tone: Callable[[NDArray[np.float32]], Any]) -> Change:
    def change(image_bgr: Image) -> tuple[Image, Affine]:
        toned = np.asarray(tone(image_bgr.astype(np.float32)))
        return np.ascontiguousarray(np.clip(np.rint(toned), 0, 255).astype(np.uint8)), _SAME

    return change


def _shaken(image: NDArray[np.float32]) -> NDArray[np.float32]:
    path = np.zeros((9, 9), np.float32)
    cv2.line(path, (1, 6), (7, 2), 1.0)
    return np.asarray(cv2.filter2D(image, -1, path / path.sum()), np.float32)


def _packed(image_bgr: Image) -> tuple[Image, Affine]:
    _, packed = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 20])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), _SAME


def _shaded(image: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(image * np.linspace(0.35, 1.0, image.shape[1])[None, :, None], np.float32)


def _noisy(image: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(image + np.random.default_rng(1).normal(0, 18, image.shape), np.float32)


CHANGES: dict[str, Change] = {
    "as it is": lambda image_bgr: (image_bgr, _SAME),
    "half the size": _sized(0.5),
    "a third of the size": _sized(0.35),
    "twice the size": _sized(2.0),
    "three quarters as wide": _sized(0.75, 1.0),
    "9/16 as wide": _sized(9 / 16, 1.0),
    "9/16 as high": _sized(1.0, 9 / 16),
    "upside down": _turned(180),
    "a quarter turn": _turned(90),
    "turned by 45 degrees": _turned(45),
    "turned by 20 degrees": _turned(20),
    "dark": _toned(lambda image: 0.7 * 255 * (image / 255) ** 2.2),
    "bright": _toned(lambda image: 255 * (image / 255) ** 0.5),
    "warm light": _toned(lambda image: image * np.array([0.6, 0.85, 1.05])),
    "cold light": _toned(lambda image: image * np.array([1.1, 0.9, 0.65])),
    "greenish light": _toned(lambda image: image * np.array([0.75, 1.05, 0.75])),
    "shade from one side": _toned(_shaded),
    "little contrast": _toned(lambda image: 0.35 * image + 120),
    "soft": _toned(lambda image: cv2.GaussianBlur(image, (0, 0), 2.0)),
    "shaken": _toned(_shaken),
    "noise": _toned(_noisy),
    "JPEG of quality 20": _packed,
}
"""What is done to every photograph, by its name in the table."""


def changed(truth: PictureTruth, image_bgr: Image, change: Change) -> tuple[PictureTruth, Image]:
    """Return a picture changed, and its truth with it."""
    other, to = change(image_bgr)
    return truth_moved(truth, to, (other.shape[1], other.shape[0])), other


def truth_moved(truth: PictureTruth, to: Affine, size_wh: tuple[int, int]) -> PictureTruth:
    """Return the truth of a picture whose pixels went the way ``to``, (2, 3), into one of another size."""

    def moved(corners: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(corners @ to[:, :2].T + to[:, 2], np.float32)

    tiles = tuple(replace(tile, corners_xy_px=moved(tile.corners_xy_px)) for tile in truth.tiles)
    ignore = tuple(moved(corners) for corners in truth.ignore_xy_px)
    return replace(truth, tiles=tiles, ignore_xy_px=ignore, size_wh=size_wh)


def measure_change(
    change: Change, photos: Sequence[LabelledPhoto], read: Callable[[Picture], PhotoReading]
) -> Totals:
    """Read every photograph changed, and return the score."""
    scores: list[PictureScore] = []
    for photo in photos:
        truth, image = changed(PictureTruth.of_photo(photo), photo.image_bgr(), change)
        scores.append(score(truth, read(picture_from_array(image)))[0])
    return Totals(scores)


def _rows(photos: Sequence[LabelledPhoto], read: Callable[[Picture], PhotoReading]) -> Iterator[str]:
    yield "| photographs | tiles | right | false | wrong, sure | doubts | F1 |"
    yield "|---" * 7 + "|"
    for name, change in CHANGES.items():
        total = measure_change(change, photos, read)
        yield (
            f"| {name} | {total.true} | {total.right} | {total.false} | {total.wrong_sure} | {total.doubts} | "
            f"{total.f1:.4f} |"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluation.changed", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="labelled photographs")
    asked = parser.parse_args(arguments)
    try:
        photos = load_photos(asked.folder, None, "test")
    except PhotoLabelsError as error:
        parser.error(str(error))
    for line in _rows(photos, Reader.load().read):
        print(line, flush=True)


if __name__ == "__main__":
    main()
