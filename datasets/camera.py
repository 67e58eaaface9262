"""A perspective camera over a table.

Convention: the world is measured in tile widths, (x, y, up): x right and y down as seen from straight above,
up away from the table, whose top is the plane up = 0. Pictures as everywhere: (x, y) pixels, y down, pixel
centres at integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Camera", "distortion_maps", "undistort_coordinates"]

Array = NDArray[Any]  # float64
NEAR = 0.3  # tile widths: nearer than this to the lens nothing is drawn


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A pinhole camera; lens distortion is applied to the finished picture (``distortion_maps``)."""

    size_wh: tuple[int, int]
    """Picture width and height in pixels."""
    focal_px: float
    """Focal length in pixels."""
    rotation: Array
    """Shape (3, 3): rows are the camera's right, down and forward in (x, y, -up)."""
    position: Array
    """Shape (3,): the lens in (x, y, up), tile widths."""

    @classmethod
    def look(
        cls,
        target_xy: tuple[float, float],
        elevation_deg: float,
        azimuth_deg: float,
        roll_deg: float,
        fov_deg: float,
        tile_px: float,
        size_wh: tuple[int, int],
    ) -> Camera:
        """Place a camera that looks at ``target_xy`` on the table.

        ``elevation_deg`` 90 is straight from above; azimuth 0 looks from the near side (large y) away;
        ``fov_deg`` spans the longer side; a level tile at the target is ``tile_px`` wide.
        """
        focal = 0.5 * max(size_wh) / np.tan(np.radians(fov_deg) / 2)
        distance = focal / tile_px
        e, a, r = np.radians([elevation_deg, azimuth_deg, roll_deg])
        back = np.array([np.sin(a) * np.cos(e), np.cos(a) * np.cos(e), np.sin(e)])
        position = np.array([target_xy[0], target_xy[1], 0.0]) + distance * back
        forward = -back * [1, 1, -1]
        right = np.array([np.cos(a), -np.sin(a), 0.0])
        down = np.cross(forward, right)
        turned = np.cos(r) * right + np.sin(r) * down
        rotation = np.stack([turned, np.cross(forward, turned), forward])
        return cls(size_wh, float(focal), rotation, position)

    def _to_camera(self, points: Array) -> Array:
        offset = np.asarray(points, dtype=np.float64) - self.position
        offset[..., 2] *= -1
        result: Array = offset @ self.rotation.T
        return result

    def project(self, points: Array) -> tuple[Array, Array]:
        """Return pixels (..., 2) and depths (...,) in tile widths of world points (..., 3).

        Points behind the lens get a huge pixel position and a depth below ``NEAR``.
        """
        local = self._to_camera(points)
        depth = local[..., 2]
        safe = np.maximum(depth, 1e-3)
        centre = (np.array(self.size_wh) - 1) / 2
        return local[..., :2] * (self.focal_px / safe)[..., None] + centre, depth

    def turn(self, directions: Array) -> Array:
        """Return world directions (..., 3) in the camera's frame: right, down, forward."""
        result: Array = (np.asarray(directions, dtype=np.float64) * [1, 1, -1]) @ self.rotation.T
        return result

    def plane_homography(self, origin: Array, u: Array, v: Array) -> Array:
        """Return the (3, 3) map from (a, b, 1) on the plane ``origin + a u + b v`` to picture pixels."""
        flip = np.array([1.0, 1.0, -1.0])
        columns = np.stack([u * flip, v * flip, (origin - self.position) * flip], axis=1)
        cx, cy = (self.size_wh[0] - 1) / 2, (self.size_wh[1] - 1) / 2
        k = np.array([[self.focal_px, 0, cx], [0, self.focal_px, cy], [0, 0, 1.0]])
        result: Array = k @ self.rotation @ columns
        return result

    def ground_homography(self, up: float = 0.0) -> Array:
        """Return the (3, 3) map from (x, y, 1) at height ``up`` to picture pixels."""
        return self.plane_homography(np.array([0.0, 0.0, up]), np.array([1.0, 0, 0]), np.array([0, 1.0, 0]))

    def rays(self, step: int = 1) -> NDArray[np.float32]:
        """Return the unit viewing directions (h, w, 3), (x, y, up), of every ``step``-th pixel."""
        w, h = self.size_wh
        xs = ((np.arange(0, w, step) - (w - 1) / 2) / self.focal_px).astype(np.float32)
        ys = ((np.arange(0, h, step) - (h - 1) / 2) / self.focal_px).astype(np.float32)
        scale = 1 / np.sqrt(1 + xs[None] ** 2 + ys[:, None] ** 2)
        turn = (self.rotation * [1, 1, -1]).astype(np.float32)
        rays = np.empty((len(ys), len(xs), 3), np.float32)
        for k in range(3):
            rays[..., k] = (xs[None] * turn[0, k] + ys[:, None] * turn[1, k] + turn[2, k]) * scale
        return rays

    def sees_horizon(self, margin: float = 0.1) -> bool:
        """Tell whether any corner of the picture looks less than ``margin`` (sine) down."""
        w, h = self.size_wh
        spots = np.array([(x, y, self.focal_px) for x in (-w / 2, w / 2) for y in (-h / 2, h / 2)])
        down = (spots @ self.rotation)[:, 2] / np.linalg.norm(spots, axis=1)
        return bool(down.min() < margin)


def distortion_maps(size_wh: tuple[int, int], k1: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return ``cv2.remap`` maps (h, w) of a radial distortion: source = centre + r (1 + k1 r^2).

    Radii are in half diagonals; k1 > 0 pulls the corners in (barrel).
    """
    w, h = size_wh
    xs = (np.arange(w, dtype=np.float32) - (w - 1) / 2)[None]
    ys = (np.arange(h, dtype=np.float32) - (h - 1) / 2)[:, None]
    radius2 = (xs**2 + ys**2) / np.float32((w * w + h * h) / 4)
    scale = (1 + k1 * radius2) / np.float32(1 + k1)  # the corners stay in the picture
    map_x = (xs * scale + (w - 1) / 2).astype(np.float32)
    map_y = (ys * scale + (h - 1) / 2).astype(np.float32)
    return map_x, map_y


def undistort_coordinates(points: NDArray[np.float64], size_wh: tuple[int, int], k1: float) -> Array:
    """Return where the straight picture's ``points`` (..., 2) lie in the picture remapped with ``k1``."""
    w, h = size_wh
    centre = np.array([(w - 1) / 2, (h - 1) / 2])
    source = np.asarray(points, dtype=np.float64) - centre
    result = source.copy()
    for _ in range(12):  # fixed-point inverse; converges fast for the slight distortions used here
        radius2 = (result**2).sum(-1, keepdims=True) / ((w * w + h * h) / 4)
        result = source * (1 + k1) / (1 + k1 * radius2)
    return np.asarray(result + centre)


def resize_area(image: NDArray[np.float32], size_wh: tuple[int, int]) -> NDArray[np.float32]:
    """Resize without aliasing: area averaging when shrinking, linear when growing."""
    shrinking = size_wh[0] < image.shape[1] or size_wh[1] < image.shape[0]
    mode = cv2.INTER_AREA if shrinking else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size_wh, interpolation=mode), dtype=np.float32)
