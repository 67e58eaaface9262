"""The recorded game that comes with the program; ``README.md`` beside it tells what it is and how it is made.

Only the film is ever watched. The truth beside it (``turns.jsonl``) is for tests and evaluation: nothing that a
user sees is taken from there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["DEMO", "BundledGame", "bundled_game"]

DEMO: Final = "demo"
"""What a user writes for the bundled film where a recording or a source is asked for."""


@dataclass(frozen=True, slots=True)
class BundledGame:
    """The bundled game's files, and what is agreed before it begins."""

    film: Path
    """The recording."""
    signals: Path
    """What its players press."""
    players: tuple[str, ...]
    """Who plays, by seat; the first starts."""
    edition: str
    """Whose rules they play by."""
    racks: tuple[Path | None, ...]
    """Photographs of what is left on the racks, by seat; None for an empty one."""


def bundled_game() -> BundledGame | None:
    """Return the game that comes with the program; None where this copy has none."""
    folder = Path(__file__).resolve().parent
    told, film = folder / "game.json", folder / "film.mp4"
    if not (told.is_file() and film.is_file()):
        return None
    game = json.loads(told.read_text(encoding="utf-8"))
    players = tuple(game["players"])
    photos = [folder / "racks" / f"{name.lower()}.jpg" for name in players]
    return BundledGame(
        film,
        folder / "signals.csv",
        players,
        game["edition"],
        tuple(photo if photo.is_file() else None for photo in photos),
    )
