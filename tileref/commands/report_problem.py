"""Pack the last minute and the versions into one file that can be shared.

While it watches, tileref keeps the pictures, readings and events of the last minute
(settings minute.*) in its data folder. This packs them, with the log of the newest
game, the versions of everything and what 'tileref doctor' says, into one zip file.
Nothing is sent anywhere.

  tileref report-problem --blur        all but the tiles is blurred, names are replaced
  tileref report-problem --game DIR    of a game that 'tileref watch --out DIR' wrote

With --blur no face is looked for, as one that is not found would be shown: what was
not read as a tile is blurred, all of it.
"""

from __future__ import annotations

import argparse
from datetime import datetime
from importlib import resources
from pathlib import Path
from typing import Any

from tileref.session import Session, emit_json
from tileref.settings import settings_table
from tileref.status import Status
from vision.user_data import data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="the file to write (tileref-problem-TIME.zip here)"
    )
    parser.add_argument("--blur", action="store_true", help="blur all but the tiles, and replace names")
    parser.add_argument("--what", metavar="TEXT", default="", help="what went wrong, in your words")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--data", type=Path, metavar="DIR", help=f"the dashboard's folder ({data_folder()})")
    where.add_argument("--game", type=Path, metavar="DIR", help="a folder that 'tileref watch --out' wrote")
    parser.add_argument("--json", action="store_true", help="print JSON: one object that says what was packed")


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Pack, and say what is in it."""
    from tileref.problem import log_of_file, newest_log, pack
    from vision.watch.last_minute import FOLDER

    folder: Path = arguments.game or arguments.data or data_folder()
    if arguments.game is not None and not folder.is_dir():
        session.complain(f"There is no folder {folder}.")
        return Status.UNUSABLE
    log_path = folder / "game.json"
    log = log_of_file(log_path) if arguments.game is not None and log_path.exists() else ()
    if arguments.game is None:
        log = newest_log(folder)
    out: Path = arguments.out or Path(f"tileref-problem-{datetime.now():%Y%m%d-%H%M%S}.zip")
    about = {"told": arguments.what, "settings": _changed(session), "doctor": _doctor(folder, session)}
    packed = pack(
        out, folder / FOLDER, log, about, keep_s=session.settings.minute.keep_s or 60.0, blur=arguments.blur
    )
    if arguments.json:
        emit_json(
            {
                "file": str(out), "pictures": packed.pictures, "lines": packed.lines, "events": packed.events,
                "bytes": packed.bytes, "blurred": arguments.blur,
            }
        )  # fmt: skip
        return Status.FINE
    print(
        f"{out} ({packed.bytes / 1e6:.1f} MB) holds {packed.pictures} pictures, {packed.lines} lines of what "
        f"was read and said, {packed.events} events of the game, and the versions of everything."
    )
    if not packed.pictures:
        print(f"No picture was kept in {folder / FOLDER}: nothing was watched there lately.")
    elif arguments.blur:
        print(
            "All but the tiles is blurred, and names are replaced. Look at the pictures before you share them."
        )
    else:
        print("The pictures show the room as it was; --blur hides all but the tiles.")
    return Status.FINE


def _changed(session: Session) -> dict[str, Any]:
    """Return the settings that differ from their defaults."""
    changed = {}
    for full_name, row in settings_table().items():
        room, name = full_name.split(".")
        value = getattr(getattr(session.settings, room), name)
        if value != row.default:
            changed[full_name] = value.replace(str(Path.home()), "~") if isinstance(value, str) else value
    return changed


def _doctor(folder: Path, session: Session) -> list[dict[str, Any]]:
    """Return what can be told of this computer without opening a camera."""
    from tileref.doctor.computer import check_disk, check_opencv, check_packages, check_weights

    weights = check_weights(resources.files("vision") / "weights")
    disk = check_disk(folder, session.settings.serve.keep_gb)
    found = (check_packages(), check_opencv(), weights, disk)
    home = str(Path.home())
    return [
        {
            key: value.replace(home, "~") if isinstance(value, str) else value
            for key, value in check.line().items()
        }
        for check in found
    ]
