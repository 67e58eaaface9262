"""From one picture to another: the homographies that a camera can have moved by, and points that tell them.

Convention: homographies are 3x3, float64, applied to column vectors (x, y, 1) in pixels.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Gray", "Homography", "fit", "follow", "is_sane", "mapped", "picture_corners", "scaled"]

Homography = NDArray[np.float64]
"""Shape (3, 3)."""
Gray = NDArray[np.uint8]
"""Shape (H, W)."""


def scaled(matrix: Homography, by: float) -> Homography:
    """Return the same map for pictures ``by`` times as large; pixel centres are at integers."""
    grow = np.array([[by, 0, (by - 1) / 2], [0, by, (by - 1) / 2], [0, 0, 1.0]])
    found = grow @ matrix @ np.linalg.inv(grow)
    return np.asarray(found / found[2, 2], np.float64)


def mapped(matrix: Homography, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``points`` (N, 2) mapped."""
    found = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), matrix)
    return np.asarray(found.reshape(-1, 2), np.float64)


def picture_corners(size_wh: tuple[int, int]) -> NDArray[np.float64]:
    """Return the corners (4, 2) of a picture of this size, clockwise from the upper left."""
    width, height = size_wh
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def is_sane(matrix: Homography | None, size_wh: tuple[int, int]) -> bool:
    """Say whether a camera could have moved like that: no mirror, no crease, no collapse."""
    if matrix is None or not np.isfinite(matrix).all():
        return False
    width, height = size_wh
    corners = picture_corners(size_wh)
    depths = np.column_stack([corners, np.ones(4)]) @ matrix[2]
    if depths.min() <= 0.2 * depths.max() or depths.min() <= 0:
        return False
    quad = mapped(matrix, corners)
    area = 0.5 * float(np.sum(quad[:, 0] * np.roll(quad[:, 1], -1) - quad[:, 1] * np.roll(quad[:, 0], -1)))
    convex = bool(cv2.isContourConvex(quad.astype(np.float32).reshape(-1, 1, 2)))
    return convex and 0.2 < area / (width * height) < 5


def follow(base: Gray, gray: Gray, spots: NDArray[np.float32], levels: int) -> Homography | None:
    """Follow ``spots`` (N, 1, 2) of ``base`` to ``gray``, there and back; return the map from gray to base."""
    if len(spots) < 6:
        return None
    size = (15, 15)
    there, found, _ = cv2.calcOpticalFlowPyrLK(base, gray, spots, spots.copy(), winSize=size, maxLevel=levels)
    back, returned, _ = cv2.calcOpticalFlowPyrLK(gray, base, there, spots.copy(), winSize=size, maxLevel=levels)
    kept = (np.asarray(found).ravel() == 1) & (np.asarray(returned).ravel() == 1)
    kept &= np.linalg.norm((np.asarray(back) - spots).reshape(-1, 2), axis=1) < 0.4
    here = np.asarray(there, np.float32).reshape(-1, 2)[kept]
    return fit(here, spots.reshape(-1, 2)[kept], 1.2)


def fit(here: NDArray[np.float32], there: NDArray[np.float32], tolerance_px: float) -> Homography | None:
    """Return the map from ``here`` to ``there`` (N, 2) that most points agree on; None where too few do.

    Few points, or points all in one corner, do not bear eight degrees of freedom: then it is a similarity.
    """
    if len(here) < 6:
        return None
    matrix, inliers = cv2.findHomography(
        here, there, cv2.USAC_MAGSAC, tolerance_px, maxIters=3000, confidence=0.999
    )
    good = inliers.ravel().astype(bool) if inliers is not None else np.zeros(len(here), bool)
    if matrix is not None and np.count_nonzero(good) >= 30:
        spread = np.ptp(here[good], axis=0) / np.maximum(np.ptp(here, axis=0), 1)
        if spread.min() > 0.5:
            return np.asarray(matrix, np.float64)
    similar, inliers = cv2.estimateAffinePartial2D(
        here, there, method=cv2.RANSAC, ransacReprojThreshold=1.5 * tolerance_px, confidence=0.999
    )
    if similar is None or np.count_nonzero(inliers) < max(6, 0.15 * len(here)):
        return None
    return np.asarray(np.vstack([similar, [0, 0, 1]]), np.float64)
