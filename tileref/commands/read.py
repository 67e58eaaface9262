"""Print the sets on a table, or the rows of a rack.

Tiles are written B4 (B blue, R red, K black, O orange; J is a joker), sets
apart by bars. A tile that could not be read surely is written with what it
may be: B6/B9, ?6 (a six of any colour), B? (any blue), ?? (anything).
Tiles with card faces (--edition cards) are written A♠ 10♥ J♣; 6? is a six of any
suit, J a joker. JSON has the plain notation.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tileref.arguments import add_edition
from tileref.session import ReadPhoto, Session, Unusable, emit_json
from tileref.status import Status, worst
from tileref.stock import sure_excess
from vision.errors import PictureError
from vision.overlay import draw_overlay
from vision.picture import save_jpeg
from vision.report import is_sure, reading_json, reading_text, seen_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="photographs of tables or racks")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line for each photograph")
    parser.add_argument(
        "--overlay", type=Path, metavar="DIR", help="write each photograph there, tiles outlined and named"
    )
    add_edition(parser)


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Read every photograph; the status tells the worst that was met."""
    overlays = None
    if arguments.overlay is not None:
        overlays = _Overlays(arguments.overlay, arguments.photos)
    statuses = []
    for read in session.photos(arguments.photos):
        if isinstance(read, Unusable):
            if arguments.json:
                emit_json({"photo": read.photo, "error": read.error})
            statuses.append(Status.UNUSABLE)
            continue
        _print(read, session, as_json=arguments.json, with_name=len(arguments.photos) > 1)
        statuses.append(_status(read, session))
        if overlays is not None:
            overlays.write(read, session)
    return worst(statuses)


def _print(read: ReadPhoto, session: Session, *, as_json: bool, with_name: bool) -> None:
    if as_json:
        emit_json(reading_json(read.photo, read.reading))
        for note in read.reading.notes:
            session.complain(f"{read.photo}: {note}")
        return
    if with_name:
        print(f"{read.photo}:")
    for line in reading_text(read.reading, session.settings.read.alternative_bar):
        print(session.show(f"  {line}" if with_name else line), flush=True)


def _status(read: ReadPhoto, session: Session) -> Status:
    table = seen_table(read.reading, session.settings.read.alternative_bar)
    if sure_excess(table.tiles(), session.rules.inventory):
        return Status.FAULT
    return Status.FINE if is_sure(read.reading) else Status.DOUBT


class _Overlays:
    """Names for the drawings: never that of a photograph, never the same one twice in a run."""

    def __init__(self, folder: Path, photos: list[str]) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PictureError(f"The folder {folder} cannot be made: {error.strerror}.") from error
        self._folder = folder
        self._taken = {Path(photo).resolve() for photo in photos}

    def write(self, read: ReadPhoto, session: Session) -> None:
        """Draw and save one reading."""
        drawn = draw_overlay(
            read.picture.image_bgr, read.reading, session.settings.read.alternative_bar, session.faces
        )
        path = self._free_path(Path(read.photo).stem)
        save_jpeg(path, drawn)
        session.remark(f"The drawing is in {path}.")

    def _free_path(self, stem: str) -> Path:
        number = 1
        while True:
            path = self._folder / (f"{stem}-read.jpg" if number == 1 else f"{stem}-read-{number}.jpg")
            if path.resolve() not in self._taken:
                self._taken.add(path.resolve())
                return path
            number += 1
