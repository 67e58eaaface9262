"""Where this system keeps a user's data, and the tile sets in it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from vision.tile_set import TileSetError

__all__ = ["data_folder", "tile_set_path", "tile_sets_folder"]

_NAME = re.compile(r"[\w][\w -]{0,59}")
_ENDING = ".tileset"


def data_folder() -> Path:
    """Return the folder where this system keeps a user's data."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "tileref"


def tile_sets_folder() -> Path:
    """Return the folder of the tile sets that were learnt here."""
    return data_folder() / "tile-sets"


def tile_set_path(name_or_file: str) -> Path:
    """Return where a tile set is kept: a name stands in the user's folder, anything else is a file.

    TileSetError where it is neither.
    """
    if name_or_file.endswith(_ENDING) or "/" in name_or_file or "\\" in name_or_file:
        return Path(name_or_file)
    if not _NAME.fullmatch(name_or_file):
        raise TileSetError(
            f"{name_or_file!r} names no tile set: a name has letters, digits, blanks and dashes, and a "
            f"file ends in {_ENDING}."
        )
    return tile_sets_folder() / f"{name_or_file}{_ENDING}"
