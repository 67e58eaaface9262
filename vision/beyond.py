"""Sets that may go on beyond the picture: beside their last tile, another one would be cut by its border."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vision.find import quad_axes
from vision.readings import Corners, PhotoReading, SetReading

__all__ = ["may_go_on"]


def may_go_on(reading: PhotoReading, one: SetReading) -> bool:
    """Tell whether a further tile of a set on the table could lie where the picture ends."""
    limit = np.array(reading.size_wh, np.float32)
    quads = [reading.tiles[m].corners_xy_px if m >= 0 else reading.unreadable[-1 - m] for m in one.members]
    return any(bool(((quad < 0) | (quad > limit)).any()) for quad in _next_places(quads))


def _next_places(quads: list[Corners]) -> Iterator[Corners]:
    """Yield where a tile before the first of these, (4, 2) each, and one after the last would lie, pixels."""
    across, _ = quad_axes(np.stack([quads[0], quads[-1]]))
    for quad, width, sign in ((quads[0], across[0], -1), (quads[-1], across[-1], 1)):
        course = quads[-1].mean(axis=0) - quads[0].mean(axis=0) if len(quads) > 1 else width
        along = course / max(float(np.linalg.norm(course)), 1e-6)
        yield quad + sign * along * float(np.linalg.norm(width))
