"""Contact sheets: ``python -m datasets.contact faces --out sheet.png`` (also ``jokers``, ``fonts``).

For looking at what the generator draws beside photographs of real tiles.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets import assets
from datasets.design import Design, sample_design
from datasets.face import FaceTexture, render_back, render_face
from datasets.face_relief import rim_distance
from datasets.jokers import JOKER_FAMILIES, draw_joker
from referee.tiles import Tile

__all__ = ["faces_sheet", "fonts_sheet", "jokers_sheet", "shade"]

_SHOWN = ("R1", "B2", "K3", "O4", "R5", "B6", "K7", "O8", "R9", "B10", "K11", "O12", "R13", "J")
_GROUND = (0.32, 0.3, 0.3)


def shade(texture: FaceTexture, design: Design) -> NDArray[np.float32]:
    """Return a face (H, W, 3) under a plain lamp from the upper left, its rim cut round and sloped."""
    h, w = texture.rgb.shape[:2]
    rim = rim_distance(h, w, design.corner_radius)
    height = np.zeros((h, w), np.float32) if texture.height is None else texture.height
    if design.bevel > 0:
        height = height + 0.6 * np.minimum(rim - design.bevel, 0)
    gy, gx = np.gradient(height * w)
    lit = np.clip((0.35 * gx + 0.5 * gy + 1) / np.sqrt(gx**2 + gy**2 + 1), 0.3, 1.35)
    inside = np.clip(rim * w + 0.5, 0, 1)[..., None]
    return np.asarray(np.clip(texture.rgb * lit[..., None] * 0.93, 0, 1) * inside + (1 - inside) * _GROUND)


def faces_sheet(
    seed: int, rows: int = 12, split: str = "final", skin: str = "numbers", height_px: int = 160
) -> NDArray[np.uint8]:
    """Return a picture (BGR) with a design a row: fourteen faces, the other joker and the back."""
    rng = np.random.default_rng(seed)
    lines = []
    for _ in range(rows):
        design = sample_design(rng, split, skin=skin)
        cells = [shade(render_face(design, Tile.parse(text), height_px, rng), design) for text in _SHOWN]
        cells.append(shade(render_face(design, Tile.parse("J"), height_px, rng, copy=1), design))
        cells.append(shade(render_back(design, height_px, rng), design))
        step = round(height_px / 1.25) + 8
        line = np.full((height_px + 8, step * len(cells), 3), _GROUND, np.float32)
        for k, cell in enumerate(cells):
            line[4 : 4 + height_px, k * step + 4 : k * step + 4 + cell.shape[1]] = cell
        lines.append(line)
    return _picture(np.concatenate(lines))


def jokers_sheet(seed: int, columns: int = 14, size_px: int = 110) -> NDArray[np.uint8]:
    """Return a picture (BGR) with a joker family a row."""
    rng = np.random.default_rng(seed)
    lines = []
    for family in JOKER_FAMILIES:
        cells = []
        for k in range(columns):
            inks = ((0.8, 0.1, 0.15), (0.1, 0.1, 0.1)) if k % 3 else ((0.1, 0.1, 0.12), (0.1, 0.1, 0.12))
            rgb, mask = draw_joker(family, int(rng.integers(2**31)), size_px, inks)
            cells.append(np.array([0.93, 0.9, 0.82]) * (1 - mask[..., None]) + rgb * mask[..., None])
        lines.append(np.concatenate(cells, axis=1))
    return _picture(np.concatenate(lines))


def fonts_sheet(columns: int = 20) -> NDArray[np.uint8]:
    """Return a picture (BGR) with 1..13 of every font, one a cell."""
    from datasets.face_glyphs import fit, text_mask

    cells = []
    for font in assets.fonts("final"):
        mask = text_mask(font.path, "1234567890", tracking=0.04)
        cell = np.ones((26, 200, 3), np.float32)
        drawn = fit(mask, min(192, 20 * mask.shape[1] / mask.shape[0]), 20)
        cell[3 : 3 + drawn.shape[0], 4 : 4 + drawn.shape[1]] -= drawn[..., None]
        cells.append(cell)
    columns = min(columns, 8)
    while len(cells) % columns:
        cells.append(np.ones_like(cells[0]))
    lines = [np.concatenate(cells[k : k + columns], axis=1) for k in range(0, len(cells), columns)]
    return _picture(np.concatenate(lines))


def _picture(rgb: NDArray[np.floating]) -> NDArray[np.uint8]:
    return np.asarray(np.clip(rgb[..., ::-1] * 255 + 0.5, 0, 255), dtype=np.uint8)


def main() -> None:
    """Write a sheet."""
    parser = argparse.ArgumentParser(description="Write a contact sheet of faces, jokers or fonts.")
    parser.add_argument("what", choices=("faces", "jokers", "fonts"))
    parser.add_argument("--out", type=Path, required=True, help="PNG file to write")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--split", default="final", help="train, heldout or final")
    parser.add_argument("--skin", default="numbers", help="numbers or cards")
    given = parser.parse_args()
    if given.what == "faces":
        sheet = faces_sheet(given.seed, split=given.split, skin=given.skin)
    else:
        sheet = jokers_sheet(given.seed) if given.what == "jokers" else fonts_sheet()
    cv2.imwrite(str(given.out), sheet)


if __name__ == "__main__":
    main()
