"""What a picture shows, in the format of ``datasets/truth``; which faces can be read is measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from datasets.traced.develop import Recipe
from datasets.traced.meshes import Floats
from datasets.traced.scene import Scene

__all__ = ["truth_of"]

HIDDEN: Final = 0.4
"""A face is left out where more than this share of its ink is hidden or beyond the border."""
SMALLEST: Final = 7.0
"""Height in pixels below which a numeral is left out."""
FAINTEST: Final = 16.0
"""Difference of sRGB bytes between ink and body below which a numeral is left out."""

Sees = Callable[[Floats, Floats], NDArray[np.bool_]]


@dataclass(frozen=True)
class _Seen:
    """One face-up tile in the picture."""

    corners: Floats
    inside: float
    """Share of the ink within the picture."""
    clear: float
    """Share of the ink that nothing hides."""
    tall: float
    """A digit's smaller side in the picture, pixels, as if seen upright."""
    blur: float
    contrast: float


def _look(scene: Scene, cell: int, matrix: Floats, sees: Sees, picture: NDArray[np.uint8]) -> _Seen:
    """Measure one face."""
    assert scene.sheet is not None
    design, camera, sheet = scene.design, scene.camera, scene.sheet

    def world(flat: Floats, z: float = design.thick) -> Floats:
        return np.column_stack([flat, np.full(len(flat), z)]) @ matrix[:3, :3].T + matrix[:3, 3]

    ease = 0.3 * design.bevel
    half = np.array([design.width / 2 - ease * 0.5, design.height / 2 - ease * 0.5])
    rim = np.array([[-1.0, 1], [1, 1], [1, -1], [-1, -1]]) * half
    corners, _ = camera.project(world(rim, design.thick - ease))
    spots = world(sheet.ink[cell])
    flat, depth = camera.project(spots)
    limits = np.array([camera.width, camera.height])
    inside = ((flat >= 0) & (flat < limits)).all(1)
    facing = float((camera.origin - spots.mean(0)) @ matrix[:3, 2]) > 0
    clear = (
        sees(world(sheet.ink[cell], design.thick + 0.25), camera.origin)
        if facing
        else np.zeros(len(spots), bool)
    )
    wide, high = sheet.box[cell]
    middle = sheet.ink[cell].mean(0)
    ends, _ = camera.project(world(middle + np.array([[0, 0], [wide, 0], [0, high]])))
    across, along = ends[1] - ends[0], ends[2] - ends[0]
    area = abs(float(across[0] * along[1] - across[1] * along[0]))
    tall = min(area / float(np.linalg.norm(across)), area / float(np.linalg.norm(along)) / 0.55)
    body, _ = camera.project(world(sheet.plain[cell]))

    def colour(at: Floats) -> Floats:
        near = np.floor(at).astype(int)
        near = near[((near >= 0) & (near < limits)).all(1)]
        return picture[near[:, 1], near[:, 0]].astype(float).mean(0) if len(near) else np.zeros(3)

    shown = inside & clear
    contrast = float(np.linalg.norm(colour(flat[shown]) - colour(body))) if shown.any() else 0.0
    return _Seen(
        corners / limits,
        float(inside.mean()),
        float(clear.mean()),
        tall,
        float(camera.blur(depth).mean()),
        contrast,
    )


def truth_of(name: str, scene: Scene, recipe: Recipe, sees: Sees, picture: NDArray[np.uint8]) -> dict[str, Any]:
    """Return the line of the truth for a picture; ``sees`` tells which points the camera sees."""
    tiles: list[dict[str, Any]] = []
    ignore: list[list[list[float]]] = []
    places: dict[int, int] = {}
    lost: set[int] = set()
    cell = -1
    for i, placed in enumerate(scene.layout.placed):
        if placed.tile is None:
            continue
        cell += 1
        seen = _look(scene, cell, placed.matrix, sees, picture)
        low, high = seen.corners.min(0), seen.corners.max(0)
        if (high < 0).any() or (low > 1).any():
            lost.add(i)
            continue
        corners = [[round(float(x), 4), round(float(y), 4)] for x, y in seen.corners]
        soft = float(np.hypot(seen.blur, np.hypot(recipe.shake, 2.2 * recipe.defocus)))
        unread = (
            seen.clear < 1 - HIDDEN
            or seen.tall < SMALLEST
            or soft > 0.42 * seen.tall
            or seen.contrast < FAINTEST
        )
        if unread or seen.inside == 0:
            ignore.append(corners)
            lost.add(i)
            continue
        places[i] = len(tiles)
        line: dict[str, Any] = {"tile": placed.tile, "corners": corners}
        if seen.inside < 1 - HIDDEN:
            line["cut"] = True
        tiles.append(line)
    sets, unsure = [], False
    for group in scene.layout.sets:
        kept = [i for i in group if i in places]
        # A face lost between two others leaves it open whether they belong together.
        where = [i in places for i in group]
        if kept and not all(where[where.index(True) : len(where) - where[::-1].index(True)]):
            unsure = True
        if kept:
            sets.append([places[i] for i in kept])
    out: dict[str, Any] = {
        "name": name,
        "size": [scene.camera.width, scene.camera.height],
        "kind": scene.kind,
        "place": scene.place,
        "scene": name,
        "split": "test",
        "tiles": tiles,
        "sets": sets,
        "sets_unsure": unsure,
    }
    if ignore:
        out["ignore"] = ignore
    return out
