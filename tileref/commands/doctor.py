"""Find out what is missing or wrong on this computer, and how to mend it.

Looks at Python, the packages, OpenCV, the weights and their checksums, the bundled
recording, disk, port and camera. With --photo it looks at a photograph of the
table instead, and tells whether the camera's height, angle, light and resolution
are good, borderline or bad; see docs/guide.md.

  tileref doctor                      everything on this computer
  tileref doctor --camera 1           the second camera
  tileref doctor --photo table.jpg    the view of the table

The status is 0 where all is well, 1 where something failed or a view is bad, 3
where a view is borderline.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from tileref.commands.serve import DEFAULT_PORT
from tileref.doctor.cameras import check_camera
from tileref.doctor.check import Check
from tileref.doctor.computer import (
    check_disk,
    check_extras,
    check_opencv,
    check_packages,
    check_port,
    check_python,
    check_weights,
)
from tileref.session import Session, Unusable, emit_json
from tileref.status import Status, worst
from vision.user_data import data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "--photo", nargs="+", metavar="PHOTO", help="photographs of the table to look at instead"
    )
    parser.add_argument("--camera", type=_number, metavar="N", help="the camera to try, from 0 (0)")
    parser.add_argument("--no-camera", action="store_true", help="do not open a camera")
    parser.add_argument(
        "--port", type=_number, default=DEFAULT_PORT, metavar="N", help=f"the dashboard's port ({DEFAULT_PORT})"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"the dashboard's folder ({data_folder()})")
    parser.add_argument(
        "--json", action="store_true", help="print JSON: one object a line for each check or photo"
    )


def _number(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no such number")
    return number


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Look, and tell."""
    if arguments.photo:
        return _photos(arguments, session)
    failed = 0
    for check in _checks(arguments, session):
        failed += check.state == "failed"
        if arguments.json:
            emit_json(check.line())
            continue
        print(f"{check.state:<6}  {check.name}: {check.told}", flush=True)
        if check.mend:
            print(f"        {check.mend}", flush=True)
    if not arguments.json:
        what = "1 thing has" if failed == 1 else f"{failed} things have"
        print(f"\n{what} to be mended." if failed else "\nAll that is needed works. Next: tileref demo")
    return Status.FAULT if failed else Status.FINE


def _checks(arguments: argparse.Namespace, session: Session) -> Iterator[Check]:
    yield check_python()
    yield check_packages()
    opencv = check_opencv()
    yield opencv
    yield check_weights(resources.files("vision") / "weights")
    loads = opencv.state != "failed"
    if loads:
        yield _recording()
    yield check_disk(arguments.data or data_folder(), session.settings.serve.keep_gb)
    yield check_port(arguments.port)
    if loads and not arguments.no_camera:
        wanted = arguments.camera is not None
        yield check_camera(arguments.camera or 0, session.settings.source, wanted=wanted)
    yield check_extras()


def _recording() -> Check:
    from web.config import bundled_game

    found = bundled_game()
    if found is None:
        return Check(
            "recording", "note", "The recorded game that 'tileref demo' shows is not in this copy.",
            "Install tileref again, or clone the repository; all else works without it.",
        )  # fmt: skip
    return Check("recording", "fine", f"The recorded game for 'tileref demo' is {found}.")


def _photos(arguments: argparse.Namespace, session: Session) -> Status:
    from tileref.doctor.photo import STATUS, photo_json, photo_text, view_of
    from vision.view import worst_grade

    statuses = []
    for read in session.photos(arguments.photo):
        if isinstance(read, Unusable):
            if arguments.json:
                emit_json({"photo": read.photo, "error": read.error})
            statuses.append(Status.UNUSABLE)
            continue
        measure, findings = view_of(read, session.settings.view)
        if arguments.json:
            emit_json(photo_json(read.photo, measure, findings))
        else:
            print("\n".join(photo_text(read.photo, measure, findings)), flush=True)
        statuses.append(STATUS[worst_grade(findings)])
    return worst(statuses)
