"""A folder of pictures, in natural order, with the times of a ``times.csv`` or of their cameras."""

from __future__ import annotations

import csv
import math
import os
import re
import threading
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import TracebackType

from vision.errors import PictureError, SourceError
from vision.picture import load_picture, taken_s
from vision.sources.frame import Frame, SourceNotice
from vision.sources.health import Health
from vision.sources.settings import SourceSettings
from vision.sources.wording import shown

__all__ = ["SUFFIXES", "TIMES_FILE", "StillsSource"]

TIMES_FILE = "times.csv"
"""Says when each picture was taken: a head line ``file,t_s``, then one line a picture."""
SUFFIXES = frozenset(
    (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif", ".gif", ".bmp", ".tif", ".tiff")
)
"""Files with these endings are pictures."""


class StillsSource:
    """Plays a folder of stills. Use it as a context manager.

    Times are those of ``times.csv`` as they stand there; else those at which the pictures were taken, from 0
    on, where most of them say so and follow one another (the others are left out); else one interval a picture.
    A picture that cannot be read is said and left out, and so is a black one.
    """

    live = False

    def __init__(
        self,
        folder: str | os.PathLike[str],
        settings: SourceSettings | None = None,
        *,
        start_s: float = 0.0,
    ) -> None:
        """List the folder; SourceError says what is wrong with it.

        Args:
            folder: where the pictures lie.
            settings: the interval where there is no ``times.csv``; when pictures count as black.
            start_s: pictures before this time are passed over; index and times stay those of the whole folder.
        """
        self._settings = settings or SourceSettings()
        self._name = shown(os.fspath(folder))
        self._start_s = start_s
        self._closed = threading.Event()
        self._said: list[str] = []
        self._pictures = self._listed(Path(folder))
        self.duration_s: float | None = self._pictures[-1][0]

    def frames(self) -> Iterator[Frame | SourceNotice]:
        """Yield frames and notices, in order of time."""
        health = Health(self._name, self._settings, live=False, watch_frozen=False)
        for message in self._said if self._start_s <= 0 else ():
            yield SourceNotice(0.0, "untimed", message)
        for index, (t_s, path) in enumerate(self._pictures):
            if self._closed.is_set():
                return
            if t_s < self._start_s:
                continue
            try:
                image_bgr = load_picture(path, self._settings.max_megapixels).image_bgr
            except PictureError as error:
                yield SourceNotice(t_s, "unreadable", str(error))
                continue
            frame = Frame.of_bgr(index, t_s, image_bgr)
            worth_it, notices = health.picture(t_s, frame.luma)
            yield from notices
            if worth_it:
                yield frame

    def close(self) -> None:
        """End ``frames``."""
        self._closed.set()

    def __enter__(self) -> StillsSource:
        """Return the source."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the source."""
        self.close()

    def _listed(self, folder: Path) -> list[tuple[float, Path]]:
        try:
            found = [entry for entry in folder.iterdir() if entry.suffix.lower() in SUFFIXES]
        except OSError as error:
            raise SourceError(f"The folder {self._name} cannot be read: {error.strerror}.") from error
        found.sort(key=lambda path: _natural(path.name))
        times = self._times(folder / TIMES_FILE)
        if times is None:
            pictures = _taken(found)
            if pictures:
                timed = {path for _, path in pictures}
                self._leave_out([path for path in found if path not in timed], "There is")
            else:
                interval_s = self._settings.stills_interval_s
                pictures = [(number * interval_s, path) for number, path in enumerate(found)]
                if len(found) > 1 and interval_s == SourceSettings().stills_interval_s:
                    self._said.append(
                        f"The pictures in {self._name} do not say when they were taken: {interval_s:g} s from "
                        "one to the next are assumed (source.stills_interval_s)."
                    )
        else:
            self._leave_out([path for path in found if path.name not in times], f"{TIMES_FILE} gives")
            pictures = sorted((t_s, folder / name) for name, t_s in times.items())
        if not pictures:
            raise SourceError(f"There are no pictures in the folder {self._name}.")
        return pictures

    def _leave_out(self, paths: Sequence[Path], who: str) -> None:
        """Say which pictures have no time."""
        if paths:
            names = ", ".join(shown(path.name) for path in paths[:3]) + (", ..." if len(paths) > 3 else "")
            self._said.append(f"{who} no time for {names} in {self._name}: left out.")

    def _times(self, path: Path) -> dict[str, float] | None:
        """Return the times by file name; None where there is no such file."""
        where = f"{TIMES_FILE} in {self._name}"
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                rows = list(csv.DictReader(file))
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise SourceError(
                f"{where} cannot be read: {getattr(error, 'strerror', None) or error}."
            ) from error
        times: dict[str, float] = {}
        for line, row in enumerate(rows, 2):
            name, text = row.get("file"), row.get("t_s")
            if not name or text is None:
                raise SourceError(f"{where}, line {line}: columns file and t_s are needed.")
            if os.path.basename(name) != name:
                raise SourceError(f"{where}, line {line}: {shown(name)} is not a file name in that folder.")
            try:
                t_s = float(text)
            except ValueError:
                t_s = math.nan
            if not (math.isfinite(t_s) and t_s >= 0):
                raise SourceError(f"{where}, line {line}: {text!r} is not a time in seconds.")
            if name in times or t_s in times.values():
                raise SourceError(f"{where}, line {line}: the file or the time stands there twice.")
            times[name] = t_s
        return times


def _taken(paths: Sequence[Path]) -> list[tuple[float, Path]]:
    """Return the pictures that say when they were taken, with seconds from the first on.

    Empty where fewer than two and fewer than half of all say so, or not in this order.
    """
    told: list[tuple[float, Path]] = []
    for looked_at, path in enumerate(paths):
        if looked_at - len(told) > len(paths) / 2:
            return []  # of a film in stills not every picture has to be opened for that
        at_s = taken_s(path)
        if at_s is not None:
            told.append((at_s, path))
    in_order = all(one < other for (one, _), (other, _) in pairwise(told))
    if not in_order or len(told) < max(2, len(paths) / 2):
        return []
    return [(at_s - told[0][0], path) for at_s, path in told]


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """Return a key by which ``2.jpg`` comes before ``10.jpg``."""
    pieces = re.split(r"(\d+)", name.casefold())
    key = tuple((int(piece), "") if piece.isdecimal() else (-1, piece) for piece in pieces)
    return (*key, (-1, name))
