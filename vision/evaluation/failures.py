"""Where readings fail: every true tile by the first stage that failed it, summed by design, size and blur."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evaluation.matching import Matches, Outlines
from vision.evaluation.score import CORNERS_BAR, PictureScore, TileScore
from vision.evaluation.truth import PictureTruth, counts
from vision.readings import Corners, PhotoReading
from vision.rectify import Pyramid

__all__ = ["STAGES", "Failures", "TileFate", "edge_width"]

STAGES = (
    "not found", "split", "merged", "taken for a back", "corners off", "upside down", "joker", "number",
    "colour", "doubt", "right", "back not found", "back",
)  # fmt: skip
"""What becomes of a true tile, first failure first; *doubt* is read right, but doubted."""

_SIZES_PX = (16, 24, 40, 80)
_EDGES = (3.0, 5.0)
_EDGE_NAMES = ("sharp (edge under 1/16 width)", "soft", "blurred (edge over 1/10 width)")
_FACE_WH = (48, 64)


@dataclass(frozen=True, slots=True)
class TileFate:
    """What became of one true tile that counts."""

    picture: str
    """The picture's name."""
    design: str
    """The tile set's design, as far as the truth knows it."""
    tile: str
    """What it shows; ``back`` for its back."""
    width_px: float
    """Its width in the picture, pixels."""
    edge: float
    """How wide its edges are, in 48ths of its width; see :func:`edge_width`."""
    stage: str
    """One of ``STAGES``."""
    read: str
    """What it was read as; empty where it was not read."""


def edge_width(face_bgr: NDArray[np.uint8]) -> float:
    """Return how wide the steepest edges of an upright crop (64, 48, 3) are, pixels of the crop.

    The contrast of the face over its steepest slope: two pixels for a sharp print, more for a blurred or shaken
    or far one. A face without contrast is as wide as can be.
    """
    grey = cv2.cvtColor(face_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    low, high = np.percentile(grey, (2, 98))
    right, down = cv2.Scharr(grey, cv2.CV_32F, 1, 0) / 32, cv2.Scharr(grey, cv2.CV_32F, 0, 1) / 32
    steepest = float(np.percentile(np.hypot(right, down), 99.5))
    return (
        float(min((high - low) / max(steepest, 1e-3), _FACE_WH[0])) if high - low >= 4 else float(_FACE_WH[0])
    )


@dataclass(slots=True)
class Failures:
    """Gathers what became of every tile while pictures are scored."""

    fates: list[TileFate] = field(default_factory=list)
    """So far, in the order of the pictures."""

    def add(
        self,
        pyramid: Pyramid,
        truth: PictureTruth,
        reading: PhotoReading,
        score: PictureScore,
        matches: Matches,
    ) -> None:
        """Take one scored picture, with what :func:`vision.evaluation.score.score` returned."""
        found = {tile.true_index: tile for tile in score.tiles}
        quads = [*(tile.corners_xy_px for tile in reading.tiles), *reading.unreadable]
        faces = [k for k, tile in enumerate(truth.tiles) if counts(tile)]
        true = Outlines([truth.tiles[k].corners_xy_px for k in faces], truth.size_wh)
        backs = Outlines(reading.face_down_xy_px, truth.size_wh).intersections(true)
        parts = Outlines([quads[k] for k in sorted(matches.split)], truth.size_wh).intersections(true)
        several = Outlines([quads[k] for k in sorted(matches.merged)], truth.size_wh).intersections(true)
        areas = np.maximum(np.array(true.areas), 1e-6)
        for place, k in enumerate(faces):
            tile = truth.tiles[k]
            on_back = backs[:, place].max(initial=0.0) >= 0.5 * areas[place]
            if tile.face_down:
                stage = "back" if on_back else "back not found"
            elif k in found:
                stage = _stage(found[k], score.upright_known)
            elif several[:, place].max(initial=0.0) >= 0.5 * areas[place]:
                stage = "merged"
            elif parts[:, place].max(initial=0.0) > 0.1 * areas[place]:
                stage = "split"
            else:
                stage = "taken for a back" if on_back else "not found"
            read = found[k].read if k in found else None
            corners: Corners = tile.corners_xy_px
            width = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2
            self.fates.append(
                TileFate(
                    truth.name, truth.design, str(tile.tile or "back"), width,
                    edge_width(pyramid.crop(corners, _FACE_WH, 0.0)), stage, str(read) if read else "",
                )
            )  # fmt: skip

    def tables(self) -> str:
        """Return the Markdown tables: by design, by size in pixels, by blur."""
        text = [
            "What became of every true tile that counts, by the first stage that failed it. A doubt that is "
            "right is a *doubt*, one that is wrong counts where it is wrong.",
            "",
        ]
        designs = sorted({fate.design for fate in self.fates})
        sizes = [_size_name(width) for width in (0, *_SIZES_PX)]
        groupings: list[tuple[str, Sequence[str], Callable[[TileFate], str]]] = [
            ("design", designs, lambda fate: fate.design),
            ("width", sizes, lambda fate: _size_name(fate.width_px)),
            ("blur", _EDGE_NAMES, lambda fate: _EDGE_NAMES[int(np.searchsorted(_EDGES, fate.edge, "right"))]),
        ]
        for what, names, of in groupings:
            text += [f"| {what} | tiles | {' | '.join(STAGES)} |", f"|---|---|{'---|' * len(STAGES)}"]
            for name in names:
                own = [fate.stage for fate in self.fates if of(fate) == name]
                if own:
                    cells = [str(own.count(stage) or "") for stage in STAGES]
                    text.append(f"| {name or 'unknown'} | {len(own)} | {' | '.join(cells)} |")
            text.append("")
        return "\n".join(text)

    def write(self, folder: Path) -> None:
        """Write ``failures.md`` and ``failures.csv``, a line a tile; OSError where it cannot."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "failures.md").write_text(self.tables(), "utf-8")
        with (folder / "failures.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["picture", "design", "tile", "width_px", "edge_48ths", "stage", "read"])
            for f in self.fates:
                writer.writerow(
                    [f.picture, f.design, f.tile, f"{f.width_px:.1f}", f"{f.edge:.2f}", f.stage, f.read]
                )


def _size_name(width_px: float) -> str:
    bounds = (0, *_SIZES_PX)
    k = int(np.searchsorted(_SIZES_PX, width_px, "right"))
    return f"{bounds[k]} px or more" if k == len(_SIZES_PX) else f"{bounds[k]} to {_SIZES_PX[k]} px"


def _stage(tile: TileScore, upright_known: bool) -> str:
    """Return the first stage that failed a tile that was found."""
    if tile.right:
        return "doubt" if tile.doubt else "right"
    if tile.corner_mean > CORNERS_BAR:
        return "corners off"
    if tile.turned and upright_known:
        return "upside down"
    if tile.true.is_joker or (tile.read is not None and tile.read.is_joker):
        return "joker"
    return "colour" if tile.number_right else "number"
