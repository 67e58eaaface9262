"""What was left on the racks at the end, from a file: ``{"Ann": ["R4", "J"], "Bo": []}``, or texts."""

from __future__ import annotations

import json
from pathlib import Path

from referee import NotationError, parse_tiles, print_tiles
from vision.errors import VisionError

__all__ = ["RacksError", "read_racks"]


class RacksError(VisionError):
    """A file of racks cannot be used."""


def read_racks(path: Path, players: tuple[str, ...]) -> tuple[str, ...]:
    """Return every player's rack in the notation, by seat; RacksError says what is wrong with the file."""
    try:
        told = json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise RacksError(f"The racks {path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise RacksError(f"The racks {path} are not JSON.") from error
    if not isinstance(told, dict) or set(told) != set(players):
        raise RacksError(f"{path} must tell one rack for each of {', '.join(players)}.")
    racks = []
    for name in players:
        tiles = told[name]
        text = " ".join(tiles) if isinstance(tiles, list) and all(isinstance(t, str) for t in tiles) else tiles
        if not isinstance(text, str):
            raise RacksError(f"{path}: the rack of {name} must be a list of tiles.")
        try:
            racks.append(print_tiles(parse_tiles(text)))
        except NotationError as error:
            raise RacksError(f"{path}: the rack of {name}: {error}.") from error
    return tuple(racks)
