"""Rows of a rack: all tiles on one step, gaps or not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.layout.plane import Floats, TileFrames

Ints = NDArray[np.intp]

_STEP = 0.3
"""Tile heights; tiles on one step differ less, tiles on two steps more."""


def standing_on(corners: Floats, racks: Sequence[Floats]) -> Ints:
    """Return for each tile, shape (N,), the index of the rack that it stands on, or -1.

    ``corners``: shape (N, 4, 2); ``racks``: fronts, each (4, 2), clockwise from the rack's own upper left.
    A tile of the top step may rise above the rack's front, so the front is stretched upwards.
    """
    owner = np.full(len(corners), -1, dtype=np.intp)
    if len(corners) == 0:
        return owner
    middles = corners.mean(axis=1)
    down = 0.5 * (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1])
    height = float(np.median(np.hypot(down[:, 0], down[:, 1])))
    for index, front in enumerate(racks):
        rise = 0.5 * (front[0] - front[3] + front[1] - front[2])
        rise = rise / max(float(np.hypot(*rise)), 1e-9) * height * 0.6
        area = front + np.array([rise, rise, [0.0, 0.0], [0.0, 0.0]])
        edges = np.roll(area, -1, axis=0) - area
        away = middles[:, None] - area[None]
        inside = (edges[None, :, 0] * away[..., 1] - edges[None, :, 1] * away[..., 0] >= 0).all(axis=1)
        owner[inside & (owner < 0)] = index
    return owner


def rack_rows(frames: TileFrames) -> list[tuple[list[int], bool]]:
    """Group tiles that stand on one rack into rows: top step first, left to right, each with its doubt.

    Steps are parallel in the rectified picture, though the tiles' own axes say only roughly at which slope:
    of the slopes that the tiles allow, the one that makes the sharpest rows decides.
    """
    right = _common(frames.right_xy)
    down = np.array([-right[1], right[0]])
    along = frames.centre_xy @ right
    below = frames.centre_xy @ down / frames.height
    best: tuple[float, Floats] | None = None
    for slope in np.linspace(-0.15, 0.15, 31):
        level = below - slope * (along - along.mean())
        steps = np.diff(np.sort(level))
        cost = float((np.minimum(steps, _STEP) ** 2).sum()) + 25.0 * float(slope**2)
        if best is None or cost < best[0]:
            best = (cost, level)
    assert best is not None
    level = best[1]
    order = np.argsort(level, kind="stable")
    rows: list[tuple[list[int], bool]] = []
    row: list[int] = []
    doubt = False
    for place, tile in enumerate(order):
        step = float(level[tile] - level[order[place - 1]]) if place else 0.0
        unsure = abs(step - _STEP) < 0.08
        if row and step > _STEP:
            rows.append((row, doubt or unsure))
            row, doubt = [], unsure
        elif unsure:
            doubt = True
        row.append(int(tile))
    rows.append((row, doubt))
    return [(sorted(members, key=lambda tile: float(along[tile])), unsure) for members, unsure in rows]


def _common(right: Floats) -> Floats:
    """Return the direction that most tiles share; tiles upside down do not turn it."""
    doubled = np.stack([right[:, 0] ** 2 - right[:, 1] ** 2, 2 * right[:, 0] * right[:, 1]], axis=1)
    middle = np.median(doubled, axis=0)
    angle = 0.5 * np.arctan2(middle[1], middle[0])
    axis = np.array([np.cos(angle), np.sin(angle)])
    votes = float(np.sign(right @ axis).sum())
    if votes == 0:
        votes = float(axis[0])
    return axis if votes >= 0 else -axis
