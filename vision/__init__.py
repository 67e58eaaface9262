"""Pictures to tiles, sets and table states.

The names of ``__all__`` are the library's public surface; each is loaded when it is first used, so that asking
for an error or a setting loads neither OpenCV nor a model.

    from vision import read_photo
    reading = read_photo("table.jpg")
"""

from __future__ import annotations

import importlib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from vision.errors import PictureError, SourceError, VisionError, WeightsError
    from vision.overlay import draw_overlay
    from vision.picture import Picture, decode_picture, load_picture, picture_from_array
    from vision.reader import Reader, read_photo
    from vision.readings import PhotoReading, SetReading, TileReading
    from vision.report import reading_json, reading_text, seen_table
    from vision.settings import ReadSettings
    from vision.sources.frame import Frame, SourceNotice
    from vision.sources.open import SourceOptions, open_source
    from vision.view import grade_view, measure_view
    from vision.watch.setup import WatchSetup
    from vision.watch.types import Signal, TableSeen, TurnEnded, TurnRecord
    from vision.watch.watcher import Watcher

__all__ = [
    "Frame",
    "PhotoReading",
    "Picture",
    "PictureError",
    "ReadSettings",
    "Reader",
    "SetReading",
    "Signal",
    "SourceError",
    "SourceNotice",
    "SourceOptions",
    "TableSeen",
    "TileReading",
    "TurnEnded",
    "TurnRecord",
    "VisionError",
    "WatchSetup",
    "Watcher",
    "WeightsError",
    "decode_picture",
    "draw_overlay",
    "grade_view",
    "load_picture",
    "measure_view",
    "open_source",
    "picture_from_array",
    "read_photo",
    "reading_json",
    "reading_text",
    "seen_table",
]

_ROOMS: Final = MappingProxyType(
    {
        "vision.errors": ("PictureError", "SourceError", "VisionError", "WeightsError"),
        "vision.overlay": ("draw_overlay",),
        "vision.picture": ("Picture", "decode_picture", "load_picture", "picture_from_array"),
        "vision.reader": ("Reader", "read_photo"),
        "vision.readings": ("PhotoReading", "SetReading", "TileReading"),
        "vision.report": ("reading_json", "reading_text", "seen_table"),
        "vision.settings": ("ReadSettings",),
        "vision.sources.frame": ("Frame", "SourceNotice"),
        "vision.sources.open": ("SourceOptions", "open_source"),
        "vision.view": ("grade_view", "measure_view"),
        "vision.watch.setup": ("WatchSetup",),
        "vision.watch.types": ("Signal", "TableSeen", "TurnEnded", "TurnRecord"),
        "vision.watch.watcher": ("Watcher",),
    }
)
"""Where each public name is at home."""


def __getattr__(name: str) -> Any:
    """Load a public name from the room where it is at home."""
    for room, names in _ROOMS.items():
        if name in names:
            return getattr(importlib.import_module(room), name)
    raise AttributeError(f"module 'vision' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
