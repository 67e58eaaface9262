"""What the gate keeps of a frame, and of two of them compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.watch.sway import Shift

__all__ = ["Compared", "FrameLook", "Moved"]

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class FrameLook:
    """What is kept of a frame."""

    t_s: float
    detail: Floats
    """Fine structure, reduced picture."""
    energy: Floats
    """Mean square of ``detail`` around each cell."""
    level: Floats
    """Mean brightness of each cell."""
    colours: Callable[[], Floats]
    """Makes the reduced picture in colour, (h, w, 3) BGR; dear, and asked only where the sun is out."""


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """Two looks, the first as it would be had the camera moved since; both without their finest edges."""

    one: FrameLook
    two: FrameLook
    shift: Shift


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Two looks, cell by cell."""

    differ: Floats
    """The structure of either that is not a multiple of the other's."""
    ratio: Floats
    """How far their brightness is apart, natural logarithm."""
