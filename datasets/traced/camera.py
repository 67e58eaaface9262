"""A phone's or webcam's lens: where a point of the scene (mm) falls on the picture (pixels, y down)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.traced.meshes import Floats

__all__ = ["Camera", "aim"]


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole with radial distortion ``bend`` (below 0 barrel) and an aperture for the depth of field."""

    width: int
    height: int
    focal: float
    """Focal length in pixels."""
    origin: Floats
    axes: Floats
    """Rows: right, down, forward, as directions in the scene."""
    bend: float = 0.0
    aperture: float = 1.0
    """Radius of the entrance pupil, mm."""
    focus: float = 400.0
    """Distance of the plane in focus along the axis, mm."""

    @property
    def middle(self) -> Floats:
        """The picture's middle in pixels."""
        return np.array([self.width / 2, self.height / 2])

    def straight(self, points: Floats) -> tuple[Floats, Floats]:
        """Return pixels without distortion, and depths, of N x 3 points."""
        local = (points - self.origin) @ self.axes.T
        depth = np.maximum(local[:, 2], 1e-3)
        return local[:, :2] / depth[:, None] * self.focal + self.middle, local[:, 2]

    def project(self, points: Floats) -> tuple[Floats, Floats]:
        """Return pixels in the picture, and depths, of N x 3 points."""
        flat, depth = self.straight(points)
        half = float(np.hypot(*self.middle))
        away = (flat - self.middle) / half
        radius = np.linalg.norm(away, axis=1)
        bent = radius.copy()
        for _ in range(12):
            bent = radius * (1 + max(self.bend, 0)) / (1 + self.bend * np.minimum(bent, 1.5) ** 2)
        return self.middle + away * half * (bent / np.maximum(radius, 1e-9))[:, None], depth

    def source(self) -> tuple[Floats, Floats]:
        """Return, for every pixel of the picture, the x and y to read in the undistorted rendering."""
        half = float(np.hypot(*self.middle))
        y, x = np.mgrid[: self.height, : self.width] + 0.5
        away = np.stack([x, y], -1) - self.middle
        gain = (1 + self.bend * (away**2).sum(-1) / half**2) / (1 + max(self.bend, 0))
        out = self.middle + away * gain[..., None] - 0.5
        return out[..., 0], out[..., 1]

    def blur(self, depth: Floats) -> Floats:
        """Return the diameter in pixels of the circle of confusion at ``depth``."""
        return 2 * self.aperture * self.focal * np.abs(1 / np.maximum(depth, 1) - 1 / self.focus)


def aim(target: Floats, rise: float, side: float, roll: float, distance: float) -> tuple[Floats, Floats]:
    """Return origin and axes of a camera ``distance`` mm from ``target``.

    ``rise`` is its height over the table as an angle, ``side`` 0 where the owner sits (-y), ``roll`` its turn
    about its own axis; all in radians.
    """
    away = np.array([np.cos(rise) * np.sin(side), -np.cos(rise) * np.cos(side), np.sin(rise)])
    forward = -away
    right = np.array([np.cos(side), np.sin(side), 0.0])
    down = np.cross(forward, right)
    c, s = np.cos(roll), np.sin(roll)
    axes = np.stack([c * right + s * down, c * down - s * right, forward])
    return target + away * distance, axes
