"""What every command shares: settings, the reader, and how errors and remarks reach the user."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from referee.axes import Rules
from referee.editions import Faces, plain_suits, show_text
from tileref.settings import SettingsOfAllRooms
from vision.errors import PictureError
from vision.picture_reader import MakeReader, PictureReader, shipped_reader

if TYPE_CHECKING:  # these load OpenCV, and 'tileref doctor' has to run where it cannot be loaded
    from vision.picture import Picture
    from vision.readings import PhotoReading

__all__ = ["ReadPhoto", "Session", "Unusable", "emit_json"]


@dataclass(frozen=True, slots=True, eq=False)
class ReadPhoto:
    """A photograph that was read."""

    photo: str
    """The path as given."""
    picture: Picture
    """Its pixels, upright."""
    reading: PhotoReading
    """What was read from it."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A photograph that could not be read."""

    photo: str
    """The path as given."""
    error: str
    """Why, in one sentence."""


@dataclass(slots=True)
class Session:
    """One run of the program."""

    settings: SettingsOfAllRooms
    """Values in force."""
    make_reader: MakeReader = shipped_reader
    """Builds the reader; called at most once, at the first usable picture."""
    rules: Rules = field(default_factory=Rules)
    """The rules that are played by; they also say what the box holds."""
    faces: Faces = "numbers"
    """What is printed on the tiles; JSON has the plain notation in either case."""
    verbose: bool = False
    """True where the user asked for the machine's remarks too."""
    command_line: tuple[str, ...] = ()
    """The arguments as they were given, the command first."""
    _reader: PictureReader | None = field(default=None, init=False)

    def reader(self) -> PictureReader:
        """Return the one reader of this run."""
        if self._reader is None:
            start = time.perf_counter()
            self._reader = self.make_reader(self.settings.read, self.rules.inventory)
            self.remark(f"The models were loaded in {_ms_since(start):.0f} ms.")
        return self._reader

    def photos(self, paths: Iterable[str]) -> Iterator[ReadPhoto | Unusable]:
        """Read photographs one by one, in the given order; an unusable one stops nothing."""
        for path in paths:
            try:
                yield self.photo(path)
            except PictureError as error:
                self.complain(str(error))
                yield Unusable(path, str(error))

    def photo(self, path: str) -> ReadPhoto:
        """Read one photograph; PictureError where it cannot be used."""
        from vision.picture import load_picture

        start = time.perf_counter()
        picture = load_picture(path, self.settings.read.max_megapixels)
        load_ms = _ms_since(start)
        reading = self.reader().read(picture)
        reading = replace(reading, ms={**reading.ms, "load": load_ms})
        stages = ", ".join(f"{stage} {ms:.0f}" for stage, ms in reading.ms.items())
        width, height = picture.size_wh
        self.remark(f"{path}: {width} x {height}{', grey' if picture.is_grey else ''}; milliseconds: {stages}.")
        return ReadPhoto(path, picture, reading)

    def show(self, text: str) -> str:
        """A text for people, its tiles as their faces show them, as far as the terminal has suits."""
        shown = show_text(text, self.faces)
        try:
            shown.encode(sys.stdout.encoding or "utf-8")
        except UnicodeEncodeError:
            return plain_suits(shown)
        return shown

    def complain(self, sentence: str) -> None:
        """Tell the user what is wrong, on one line of standard error."""
        print(f"tileref: {sentence}", file=sys.stderr, flush=True)

    def remark(self, sentence: str) -> None:
        """Tell, to one who asked for it, what the program does, with the time of day."""
        if self.verbose:
            now = datetime.now().strftime("%H:%M:%S.%f")[:-3]
            print(f"tileref {now} {sentence}", file=sys.stderr, flush=True)


def emit_json(value: dict[str, Any]) -> None:
    """Print one JSON object on one line, at once, so that a reading program can follow."""
    print(json.dumps(value, ensure_ascii=True, allow_nan=False), flush=True)


def _ms_since(start: float) -> float:
    return (time.perf_counter() - start) * 1000
