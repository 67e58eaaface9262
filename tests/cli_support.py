"""A reader that answers from a text, so that commands are tested apart from sight."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from referee import Inventory, SeenTile, parse_table
from tileref.cli import main
from vision.picture import Picture
from vision.readings import Kind, PhotoReading, SetReading, TileReading
from vision.settings import ReadSettings

TILE_WH = (30.0, 40.0)


def reading_of(
    text: str, kind: Kind = "table", *, doubtful_sets: tuple[int, ...] = (), face_down: int = 0
) -> PhotoReading:
    """What a reader returns for a photograph that shows ``text``; ``??`` becomes an unreadable face."""
    tiles: list[TileReading] = []
    sets: list[SetReading] = []
    unreadable: list[np.ndarray] = []
    for row, seen_set in enumerate(parse_table(text).sets):
        members = []
        for column, seen in enumerate(seen_set):
            corners = corners_at(column, row)
            if str(seen) == "??":
                members.append(-1 - len(unreadable))
                unreadable.append(corners)
                continue
            members.append(len(tiles))
            tiles.append(tile_reading(seen, corners))
        sets.append(SetReading(tuple(members), row in doubtful_sets))
    backs = tuple(corners_at(9, row) for row in range(face_down))
    return PhotoReading(
        (400, 300),
        kind if sets else "empty",
        tuple(tiles),
        tuple(sets),
        backs,
        tuple(unreadable),
        ms={"find": 1.0, "classify": 2.0},
    )


def corners_at(column: int, row: int) -> np.ndarray:
    """Corners of an upright tile in a grid."""
    width, height = TILE_WH
    x, y = 50 + column * width, 10 + row * (height + 10)
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def tile_reading(seen: SeenTile, corners: np.ndarray) -> TileReading:
    """Sure tiles get 0.998; a doubt shares what its candidates have, the first of them ahead."""
    first, *others = sorted(seen.candidates)
    if not others:
        return TileReading(first, 0.998, False, corners, ())
    share = 0.4 / len(others)
    return TileReading(first, 0.6, True, corners, tuple((other, share) for other in others))


@dataclass
class FakeReader:
    """Knows what each photograph shows by its file name."""

    shows: Mapping[str, PhotoReading]

    def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
        return self.shows[Path(picture.path).name]


class Desk:
    """A folder of photographs, and the program to run on them."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys
        self._shows: dict[str, PhotoReading] = {}
        self.read_with: ReadSettings | None = None

    def photo(self, name: str, shows: str | PhotoReading, kind: Kind = "table") -> str:
        """Lay down a photograph that shows a text in the notation."""
        self._shows[name] = reading_of(shows, kind) if isinstance(shows, str) else shows
        path = self.folder / name
        Image.fromarray(np.full((300, 400, 3), (90, 120, 90), np.uint8)).save(path)
        return str(path)

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Return status, standard output and standard error."""

        def make_reader(settings: ReadSettings, inventory: Inventory) -> FakeReader:
            self.read_with = settings
            return FakeReader(self._shows)

        status = main(arguments, make_reader)
        captured = self._capsys.readouterr()
        return status, captured.out, captured.err

    def run_json(self, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
        """Return status and the objects on standard output, one a line."""
        status, out, _ = self.run(*arguments, "--json")
        return status, [json.loads(line) for line in out.splitlines()]
