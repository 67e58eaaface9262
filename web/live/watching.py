"""Watches the table through one source of pictures at a time, and passes on what is pressed."""

from __future__ import annotations

import threading
from typing import Any, Final, Literal

from referee import Note
from vision.errors import VisionError
from vision.sources.pushed import PushedSource
from web.desk.desk import CameraNow, Desk
from web.errors import Refused
from web.live.picture import LivePicture
from web.live.run import Run
from web.live.tools import WatchTools
from web.store.pictures import PictureStore

__all__ = ["BROWSER", "Watch"]

BROWSER: Final = "browser"
"""The source whose pictures a page sends."""


class Watch:
    """Watches through one source at a time. Every method may be called from any thread."""

    def __init__(
        self,
        desk: Desk,
        live: LivePicture,
        pictures: PictureStore,
        tools: WatchTools,
        *,
        fps: float,
        width_px: int,
    ) -> None:
        """Watch for ``desk``; nothing is opened yet."""
        self._desk, self._live, self._pictures, self._tools = desk, live, pictures, tools
        self._fps, self._width_px = fps, width_px
        self._lock = threading.RLock()
        self._run: Run | None = None

    def start(self, source: str, name: str | None = None) -> None:
        """Watch through ``source``, shown as ``name``; WebError where it is refused at once.

        Where it fails later, that is told as a notice.
        """
        self.stop()
        try:
            opened = self._tools.open_pushed() if source == BROWSER else self._tools.open_source(source)
        except VisionError as error:
            raise Refused("source-unusable", why=str(error)) from error
        with self._lock:
            self._run = Run(
                opened, self._desk, self._live, self._pictures, self._tools, self._fps, self._width_px
            )
            self._desk.camera(
                Note("camera-starting"),
                source=name or source,
                state="starting",
                told=None,
                moving=False,
                waiting=False,
            )
            self._run.begin()

    def stop(self) -> None:
        """Let go of the source."""
        with self._lock:
            run, self._run = self._run, None
        if run is not None:
            run.end()
            self._live.show(None)
            self._desk.see(None, **_plain(CameraNow()))

    @property
    def running(self) -> bool:
        """True while a source is watched."""
        return self._run is not None

    @property
    def source_pushed(self) -> PushedSource | None:
        """The source that takes pictures from a page, where that is what is watched."""
        run = self._run
        return run.source if run is not None and isinstance(run.source, PushedSource) else None

    def signal(self, kind: Literal["end-turn", "draw", "pass"]) -> bool:
        """Pass on a button; False where the desk has to answer it itself."""
        run = self._run
        return run is not None and run.press(kind)

    def log_changed(self) -> None:
        """Say that the log has changed by other hands than the watcher's."""
        run = self._run
        if run is not None:
            run.unfollow()


def _plain(camera: CameraNow) -> dict[str, Any]:
    return {name: getattr(camera, name) for name in ("source", "state", "moving", "waiting", "told")}
