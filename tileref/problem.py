"""Packs what is needed to understand a problem into one file: pictures, readings, events and versions."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from referee import Event, StartMatch, export_log, import_log
from tileref import __version__
from tileref.machine import this_machine
from vision.errors import VisionError
from vision.privacy import tiles_only
from vision.readings import Corners, as_corners
from vision.watch.last_minute import RECORD, last_lines

__all__ = ["Packed", "ReportError", "log_of_file", "newest_log", "pack", "versions"]

PACKAGES: Final = (
    "numpy", "opencv-python", "opencv-python-headless", "onnxruntime", "av", "pillow", "pillow-heif", "flask",
    "flask-babel", "cheroot", "cryptography", "highspy", "jinja2", "segno",
)  # fmt: skip
"""Packages whose versions matter."""
README: Final = """\
This file was written by 'tileref report-problem'. Nothing was sent anywhere: whoever shares it decides.

about.json     versions, the computer, the settings that were changed, and what was told of the problem
said.jsonl     what was read and said in the last minute, one object a line ('at' is in seconds of the epoch)
pictures/      what the camera showed, named by the milliseconds of the epoch
game.jsonl     the log of the game, as docs/game-record.md tells
"""


class ReportError(VisionError):
    """A report cannot be packed; one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Packed:
    """What is in a report."""

    pictures: int
    """Pictures of the last minute."""
    lines: int
    """Lines of what was read and said."""
    events: int
    """Events of the game's log."""
    bytes: int
    """Size of the file."""


def versions() -> dict[str, str]:
    """Return the versions of tileref and of the packages that matter, as far as they are installed."""
    found = {"tileref": __version__}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def newest_log(data: Path) -> tuple[Event, ...]:
    """Return the log of the dashboard's newest match; empty where there is none."""
    from web.errors import StoreError
    from web.store.database import Database
    from web.store.matches import MatchStore

    path = data / "tileref.db"
    if not path.is_file():
        return ()
    try:
        database = Database(path)
    except StoreError as error:
        raise ReportError(str(error)) from error
    try:
        store = MatchStore(database)
        listed = store.listed(limit=1)
        return tuple(entry.event for entry in store.load(listed[0].id).entries) if listed else ()
    finally:
        database.close()


def log_of_file(path: Path) -> tuple[Event, ...]:
    """Return the log that 'tileref watch --out' or 'tileref review' wrote; ReportError where it is none."""
    from referee import EventError

    try:
        return import_log(path.read_text("utf-8"))
    except OSError as error:
        raise ReportError(f"{path} cannot be read: {error.strerror}.") from error
    except (EventError, UnicodeDecodeError) as error:
        raise ReportError(f"{path} is no log of a game: {error}.") from error


def pack(
    out: Path,
    minute: Path,
    log: Sequence[Event],
    about: dict[str, Any],
    *,
    keep_s: float,
    blur: bool,
) -> Packed:
    """Write the report.

    Args:
        out: the file to write; it must not be there yet.
        minute: the folder of the last minute; it may be missing.
        log: the game's log, empty where there is none.
        about: what ``about.json`` says beside versions and computer.
        keep_s: pictures and lines older than this, against the newest, are left out.
        blur: whether everything but the tiles is blurred, and players' names are replaced.

    Raises:
        ReportError: the file is there already or cannot be written, or the last minute cannot be read.
    """
    try:
        pictures = sorted(minute.glob("*.jpg"))
        lines = [json.loads(line) for line in last_lines(minute) if line.startswith("{") and line.endswith("}")]
    except (OSError, ValueError) as error:
        raise ReportError(f"The last minute in {minute} cannot be read: {error}.") from error
    newest_s = max([_at_s(path) for path in pictures[-1:]] + [line["at"] for line in lines[-1:]], default=0.0)
    pictures = [path for path in pictures if _at_s(path) >= newest_s - keep_s]
    lines = [line for line in lines if line["at"] >= newest_s - keep_s]
    names = _names(log) if blur else {}
    if blur:
        about = {**about, "told": _anonymous(str(about.get("told", "")), names)}
    told = {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
        "machine": asdict(this_machine()),
        "blurred": blur,
        **about,
    }
    try:
        with zipfile.ZipFile(out, "x", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("README.txt", README)
            archive.writestr("about.json", json.dumps(told, indent=1, ensure_ascii=False) + "\n")
            record = [json.dumps(_anonymous_line(line, names), ensure_ascii=False) + "\n" for line in lines]
            archive.writestr(RECORD, "".join(record))
            if log:
                archive.writestr("game.jsonl", export_log(_renamed(event, names) for event in log))
            for path in pictures:
                data = path.read_bytes()
                archive.writestr(f"pictures/{path.name}", _blurred(data, path, lines) if blur else data)
    except FileExistsError as error:
        raise ReportError(f"{out} is there already; name another file with --out.") from error
    except OSError as error:
        out.unlink(missing_ok=True)
        raise ReportError(f"{out} cannot be written: {error.strerror or error}.") from error
    return Packed(len(pictures), len(lines), len(log), out.stat().st_size)


def _at_s(path: Path) -> float:
    return int(path.stem) / 1000 if path.stem.isdigit() else 0.0


def _blurred(jpeg: bytes, path: Path, lines: Sequence[dict[str, Any]]) -> bytes:
    """Blur a picture but for the tiles of the reading nearest to it in time; all of it where there is none."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return b""
    at_s = _at_s(path)
    readings = [line for line in lines if line.get("what") == "reading"]
    nearest = min(readings, key=lambda line: abs(line["at"] - at_s), default=None)
    tiles: list[Corners] = []
    if nearest is not None:
        size = np.array([image.shape[1], image.shape[0]], np.float32)
        tiles = [as_corners(np.asarray(corners, np.float32) * size) for _, _, corners in nearest["tiles"]]
    _, data = cv2.imencode(".jpg", tiles_only(np.asarray(image, np.uint8), tiles))
    return data.tobytes()


def _names(log: Sequence[Event]) -> dict[str, str]:
    starts = [event for event in log if isinstance(event, StartMatch)]
    names = dict.fromkeys(name for start in starts for name in start.players)
    return {name: f"Player {number}" for number, name in enumerate(names, 1)}


def _renamed(event: Event, names: dict[str, str]) -> Event:
    """Return the event with other names; only the beginning of a match holds any."""
    if not isinstance(event, StartMatch):
        return event
    return replace(event, players=tuple(names.get(name, name) for name in event.players))


def _anonymous_line(line: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Return a line of the record with other names."""
    if line.get("what") == "notice":
        return {**line, "message": _anonymous(line["message"], names)}
    if line.get("what") == "event" and "players" in line["event"]:
        return {
            **line,
            "event": {**line["event"], "players": [names.get(n, n) for n in line["event"]["players"]]},
        }
    return line


def _anonymous(text: str, names: dict[str, str]) -> str:
    """Return a sentence with other names, where they stand as whole words."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", names[name], text)
    return text
