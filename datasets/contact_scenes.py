"""Writes contact sheets of rendered pictures: ``python -m datasets.contact_scenes --out sheet.jpg --n 24``."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.labels import LabelledPicture
from datasets.negatives import ALONE
from datasets.render import PROFILES, render_picture

__all__ = ["draw_labels", "main"]


def draw_labels(picture: LabelledPicture) -> NDArray[np.uint8]:
    """Return the picture with its truth drawn on it: outlines, upper left corners, names, places, racks."""
    image = picture.image_bgr.copy()
    for rack in picture.racks_xy_px:
        cv2.polylines(image, [np.round(rack * 16).astype(np.int32)], True, (255, 0, 255), 2, cv2.LINE_AA, 4)
    for decoy in picture.decoys_xy_px:
        cv2.polylines(image, [np.round(decoy * 16).astype(np.int32)], True, (255, 255, 0), 1, cv2.LINE_AA, 4)
    for tile in picture.tiles:
        corners = tile.corners_xy_px
        tone = (
            (0, 200, 0)
            if tile.numeral_visible >= 0.95
            else (0, 160, 255)
            if tile.numeral_visible > 0
            else (0, 0, 255)
        )
        tone = (255, 160, 0) if tile.face_down else tone
        cv2.polylines(image, [np.round(corners * 16).astype(np.int32)], True, tone, 1, cv2.LINE_AA, 4)
        spot = tuple(int(v) for v in np.round(corners[0]))
        cv2.circle(image, spot, 2, (0, 0, 255), -1)
        name = "back" if tile.tile is None else str(tile.tile)
        if tile.set_index is not None:
            name += f" {tile.set_index}.{tile.place}"
        middle = corners.mean(axis=0) + (corners[3] - corners[0]) * 0.25
        at = (int(middle[0]) - 12, int(middle[1]))
        cv2.putText(image, name, at, cv2.FONT_HERSHEY_SIMPLEX, 0.36, (200, 0, 200), 1, cv2.LINE_AA)
    return image


def _cell(image: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    h, w = image.shape[:2]
    scale = side / max(h, w)
    small = cv2.resize(
        image, (max(1, round(w * scale)), max(1, round(h * scale))), interpolation=cv2.INTER_AREA
    )
    cell = np.full((side, side, 3), 24, np.uint8)
    cell[: small.shape[0], : small.shape[1]] = small
    return cell


def main(arguments: list[str] | None = None) -> int:
    """Render ``--n`` pictures from ``--seed`` on and write them as one sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    parser.add_argument("--n", type=int, default=24, help="number of pictures")
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--columns", type=int, default=6, help="pictures in a row")
    parser.add_argument("--side", type=int, default=420, help="pixels of a cell")
    parser.add_argument("--split", default="train", choices=["train", "heldout", "final"])
    parser.add_argument("--profile", choices=[*PROFILES, ALONE], help="only this profile")
    parser.add_argument("--labels", action="store_true", help="draw the truth")
    given = parser.parse_args(arguments)
    cells = []
    for seed in range(given.seed, given.seed + given.n):
        picture = render_picture(seed, split=given.split, profile=given.profile)
        cells.append(_cell(draw_labels(picture) if given.labels else picture.image_bgr, given.side))
    while len(cells) % given.columns:
        cells.append(np.zeros_like(cells[0]))
    rows = [np.hstack(cells[k : k + given.columns]) for k in range(0, len(cells), given.columns)]
    if not cv2.imwrite(str(given.out), np.vstack(rows)):
        raise SystemExit(f"The sheet could not be written to {given.out}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
