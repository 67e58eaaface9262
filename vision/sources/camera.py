"""A webcam by its number."""

from __future__ import annotations

from vision.opencv_camera import OpenCvCamera
from vision.sources.feed import FeedLostError, Shot
from vision.sources.live import LiveSource
from vision.sources.settings import SourceSettings

__all__ = ["CameraSource"]

_MISSES_ALLOWED = 5


class CameraSource(LiveSource):
    """Reads a webcam. Use it as a context manager."""

    def __init__(
        self, index: int, settings: SourceSettings | None = None, *, backend: str = "", fourcc: str = ""
    ) -> None:
        """Prepare the camera with that number, from 0; see ``OpenCvCamera`` for backend and coding."""
        settings = settings or SourceSettings()
        super().__init__(f"Camera {index}", lambda: _OpenCamera(index, settings, backend, fourcc), settings)


class _OpenCamera:
    def __init__(self, index: int, settings: SourceSettings, backend: str, fourcc: str) -> None:
        self._index = index
        self._misses = 0
        self._camera = OpenCvCamera(
            index,
            settings.camera_width_px,
            settings.camera_height_px,
            settings.camera_rate_hz,
            backend,
            fourcc,
        )

    def read(self) -> Shot | None:
        image_bgr = self._camera.read()
        if image_bgr is not None:
            self._misses = 0
            return Shot.of_bgr(image_bgr)
        self._misses += 1
        if self._misses >= _MISSES_ALLOWED:
            raise FeedLostError("unplugged", f"Camera {self._index} gives no pictures: is it plugged in?")
        return None

    def interrupt(self) -> None:
        """A wait for the camera ends with its next picture or the driver's time-out."""

    def close(self) -> None:
        self._camera.close()
