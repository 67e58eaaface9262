"""A camera that sags or sways a little: its pictures as the one shows that was read before.

What is known of a film by what its pictures show (:mod:`vision.recall`) is known by pixels: where the camera
has moved by one, the edges of all that lies there show something else, and all of it would be read anew.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.watch.ways import Homography, mapped, picture_corners

__all__ = ["Steadied"]

_LEAST_PX = 0.25
"""A picture that has moved by less shows the same."""
_MOST = 0.012
"""Of the picture's longer side: by more it is read from where it is, since its border has moved out of view."""


class Steadied:
    """Lays each picture of a film over the one that was read as it came."""

    def __init__(self) -> None:
        """Begin without a picture."""
        self._to_home: Homography | None = None
        self._shown: NDArray[np.uint8] = np.zeros((0, 0, 3), np.uint8)

    def picture(
        self, image_bgr: NDArray[np.uint8], to_home: Homography
    ) -> tuple[NDArray[np.uint8], Homography]:
        """Return the picture (H, W, 3) as it is to be read, and the way home from that, 3x3.

        ``to_home`` is the way home from the picture as it came.
        """
        size_wh = (image_bgr.shape[1], image_bgr.shape[0])
        known = self._to_home
        if known is not None and image_bgr.shape == self._shown.shape:
            way = np.asarray(np.linalg.inv(known) @ to_home, np.float64)
            away_px = _farthest_px(way, size_wh)
            if away_px < _LEAST_PX:
                return image_bgr, to_home
            if away_px <= _MOST * max(size_wh):
                # What has moved out of view at its border is shown as it was.
                self._shown = np.asarray(
                    cv2.warpPerspective(
                        image_bgr, way, size_wh, dst=self._shown.copy(),
                        flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_TRANSPARENT,
                    ), np.uint8,
                )  # fmt: skip
                return self._shown, known
        self._to_home, self._shown = to_home, image_bgr
        return image_bgr, to_home


def _farthest_px(way: Homography, size_wh: tuple[int, int]) -> float:
    """Return by how much it moves that corner of a picture which it moves most."""
    corners = picture_corners(size_wh)
    return float(np.linalg.norm(mapped(way, corners) - corners, axis=1).max())
