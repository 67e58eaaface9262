"""The example pictures of docs/guide.md: ``python -m datasets.guide --out docs/guide``.

One table of one tile set, seen by a camera that stands well, and by others that do not. What dims, brightens or
softens a picture is done to the good one, as a camera with a wrong exposure or focus does it. Rendered, with
the fonts and grounds that come with the repository: the same arguments give the same pictures.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.design import Design, sample_design
from datasets.grounds import sample_ground
from datasets.layouts import Deck, Layout, sets_on_table
from datasets.profiles_types import Plan
from datasets.render import render_picture
from datasets.scene import Scene, ShadowPlane

__all__ = ["SHOTS", "Shot", "take"]

Picture = NDArray[np.uint8]
SIZE_WH: Final = (800, 600)
QUALITY: Final = 72
_TABLE_SEED: Final = 11
_DESIGN_SEED: Final = 4
_SETS: Final = 9


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture."""

    name: str
    """The file's name without its ending: the property that it shows, and how good that is."""
    elevation_deg: float = 72.0
    """How steeply the camera looks down."""
    tile_px: float = 46.0
    """The widest that a tile may be."""
    gain: float = 0.75
    """How much light it gets, against what the renderer's automatic exposure chose."""
    blur_px: float = 0.0
    """How far it is out of focus: the standard deviation of a Gaussian."""
    lamps: int = 0
    """How many lamps mirror in the tiles."""
    light_seed: int = 1
    """Settles the light and the ground's grain."""


def _lit(image_bgr: Picture, gain: float) -> Picture:
    """Return the picture with ``gain`` times the light, and in the dark with noise."""
    noise = np.random.default_rng(5).normal(0, 2.5, image_bgr.shape) if gain < 0.5 else 0.0
    linear = np.clip((image_bgr / 255.0) ** 2.2 * gain, 0, 1)
    return np.asarray((linear ** (1 / 2.2) * 255 + noise).clip(0, 255), np.uint8)


def _shining(image_bgr: Picture, spots: int) -> Picture:
    """Return the picture with as many mirrored lamps, each nearly as wide as two tiles."""
    height, width = image_bgr.shape[:2]
    light = np.zeros((height, width), np.float32)
    for number in range(spots):
        x, y = width * (0.2 + 0.13 * number), height * (0.38 + 0.13 * (number % 3))
        cv2.ellipse(light, (round(x), round(y)), (40, 28), 20, 0, 360, 1.6, -1)
    soft = np.asarray(cv2.GaussianBlur(light, (0, 0), 9))[:, :, None]
    return np.asarray((image_bgr + soft * 255).clip(0, 255), np.uint8)


SHOTS: Final = (
    Shot("good"),
    Shot("angle-borderline", elevation_deg=42),
    Shot("angle-bad", elevation_deg=24),
    Shot("size-borderline", tile_px=21),
    Shot("size-bad", tile_px=13),
    Shot("sharpness-borderline", blur_px=2.3),
    Shot("sharpness-bad", blur_px=3.6),
    Shot("light-borderline", gain=0.11),
    Shot("light-bad", gain=0.05),
    Shot("exposure-borderline", gain=1.04),
    Shot("exposure-bad", gain=3.5),
    Shot("glare-borderline", lamps=1),
    Shot("glare-bad", lamps=6),
)
"""The pictures, in the guide's order."""


def _arranged(shot: Shot) -> Callable[[Design, Generator, str], Plan]:
    def arrange(design: Design, rng: Generator, split: str) -> Plan:
        table = np.random.default_rng(_TABLE_SEED)  # the same table, whatever the camera
        layout = Layout(design.aspect, design.thickness)
        sets_on_table(layout, Deck(table), table, _SETS)
        scene = Scene()
        up = np.array([0.0, 0.0, 1.0])
        scene.planes = [ShadowPlane(np.zeros(3), up), ShadowPlane(np.array([0, 0, design.thickness]), up)]
        corners = ((-0.6, -0.9), (0.6, 0.9), (0.6, -0.9), (-0.6, 0.9))
        points: Any = [tile.frame.point(a, b) for tile in layout.tiles for a, b in corners]
        ground = sample_ground(table, "train", 0.0)
        return Plan(
            layout, scene, ground, ground, "table", np.array(points),
            lambda r: shot.elevation_deg, lambda r: 4.0, lambda r: 0.0, lambda r: shot.tile_px / SIZE_WH[0],
            fill=0.96, drift=0.0, least_px=6.0,
        )  # fmt: skip

    return arrange


def take(shot: Shot) -> Picture:
    """Render one picture, BGR of shape (H, W, 3)."""
    design = sample_design(np.random.default_rng(_DESIGN_SEED), "train", committed_only=True)
    made = render_picture(
        shot.light_seed, size_wh=SIZE_WH, profile="sets", design=design, arrange=_arranged(shot)
    )
    image = _shining(_lit(made.image_bgr, shot.gain), shot.lamps)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), shot.blur_px), np.uint8) if shot.blur_px else image


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description="Write the example pictures of docs/guide.md.")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write them")
    parser.add_argument("--only", metavar="NAME", help="this one alone")
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)
    for shot in SHOTS:
        if given.only in (None, shot.name):
            path = given.out / f"{shot.name}.jpg"
            cv2.imwrite(str(path), take(shot), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


if __name__ == "__main__":
    main()
