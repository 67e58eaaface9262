"""The command line: ``tileref COMMAND ...``.

Each command is a module in ``tileref.commands`` with ``add_arguments(parser)`` and ``run(arguments, session)``,
which returns the exit status. Only the module of the command that was called is imported.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import logging
import os
import platform
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn

from tileref import __version__
from tileref.status import Status

if TYPE_CHECKING:
    from tileref.session import Session
    from vision.picture_reader import MakeReader

__all__ = ["COMMANDS", "main"]

COMMANDS = MappingProxyType(
    {
        "read": "print the sets on a table, or the rows of a rack",
        "check": "say whether every set on a table is legal",
        "score": "add up the tiles left on racks",
        "judge": "judge tables and turns written as JSON lines",
        "moves": "find legal moves, and the best of them, for positions written as JSON lines",
        "review": "find and judge the turns of recorded games, and report on each game",
        "watch": "referee a game live, through a camera",
        "serve": "open the dashboard at the table, in the browser",
        "demo": "open the dashboard on a recorded game, without a camera",
        "doctor": "find out what is missing or wrong on this computer, or in a photograph of the table",
        "report-problem": "pack the last minute and the versions into one file that can be shared",
        "learn": "learn your own tile set from two photographs of it",
        "evaluate": "measure the reading on labelled photographs or recorded games",
        "bench": "time every stage of the reading on this machine",
        "settings": "list the settings with their values",
    }
)

STATUSES = """\
exit status: 0 fine, 1 a sure fault, 2 unusable input, 3 something not read surely or an open question;
of several, 2 is told before 1, 1 before 3."""

INTERRUPTED = 130
"""The status that shells give a programme stopped by Ctrl-C."""
PIPE_CLOSED = 141
"""The status that shells give a programme whose reader went away."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Say in one line what is wrong, instead of the whole usage."""
        self.exit(Status.UNUSABLE, f"{self.prog}: {message} (see '{self.prog} --help')\n")


def main(argv: Sequence[str] | None = None, make_reader: MakeReader | None = None) -> int:
    """Run one command and return its exit status; ``make_reader`` replaces the shipped reader."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # names and lines may hold what the terminal cannot
    try:
        status = _run(arguments, make_reader)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("tileref: stopped.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Python would complain again while closing; give it a place to write to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return status


def _run(arguments: list[str], make_reader: MakeReader | None) -> int:
    if not arguments:
        print(_welcome())
        return Status.FINE
    name = arguments[0]
    if name not in COMMANDS:
        parser = _Parser(prog="tileref", description=_welcome(), epilog=STATUSES, formatter_class=_RAW)
        parser.add_argument("--version", action="version", version=f"tileref {__version__}")
        parser.add_argument("command", type=_command, metavar="COMMAND")
        parser.parse_args(arguments)
    try:
        command = importlib.import_module(f"tileref.commands.{name.replace('-', '_')}")
    except ImportError as error:
        return _unloadable(error)
    parser = _Parser(
        prog=f"tileref {name}",
        description=command.__doc__,
        epilog=STATUSES,
        formatter_class=_RAW,
    )
    command.add_arguments(parser)
    _add_common(parser)
    parsed = parser.parse_args(arguments[1:])
    session = _session(parsed, make_reader)
    if session is None:
        return Status.UNUSABLE
    session.command_line = tuple(arguments)
    start = time.perf_counter()
    session.remark(f"tileref {__version__} begins '{name}' with Python {platform.python_version()}.")
    status = _guarded(command.run, parsed, session)
    session.remark(f"'{name}' ended with status {status} after {time.perf_counter() - start:.2f} s.")
    return status


_RAW = argparse.RawDescriptionHelpFormatter


def _command(text: str) -> str:
    """Return the name of a command; argparse's own error, with the nearest name, where it is none."""
    if text in COMMANDS:
        return text
    near = difflib.get_close_matches(text.lower(), list(COMMANDS), n=1)
    meant = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(COMMANDS)}"
    raise argparse.ArgumentTypeError(f"{text!r} is no command; {meant}")


def _add_common(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("common options")
    group.add_argument("--settings", type=Path, metavar="FILE", help="read settings from this TOML file")
    group.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set one setting, such as read.tile_bar=0.95; 'tileref settings' lists them",
    )
    group.add_argument(
        "--tile-set",
        metavar="NAME",
        help="the tile set on the table, as 'tileref learn' named it, or its file; short for read.tile_set",
    )
    group.add_argument(
        "--verbose", action="store_true", help="also tell what the program does, and how long it took"
    )


def _session(parsed: argparse.Namespace, make_reader: MakeReader | None) -> Session | None:
    from referee.editions import EDITIONS
    from tileref.arguments import DEFAULT_EDITION
    from tileref.session import Session
    from tileref.settings import SettingsError, load_settings
    from vision.picture_reader import shipped_reader

    try:
        own = [] if parsed.tile_set is None else [f"read.tile_set={parsed.tile_set}"]
        settings = load_settings(parsed.settings, os.environ, [*parsed.set, *own])
    except SettingsError as error:
        print(f"tileref: {error}", file=sys.stderr)
        return None
    if parsed.verbose:
        form = "%(name)s %(asctime)s.%(msecs)03d %(message)s"
        logging.basicConfig(level=logging.INFO, format=form, datefmt="%H:%M:%S")
    edition = EDITIONS[getattr(parsed, "edition", DEFAULT_EDITION)]
    settings = replace(settings, read=settings.read.for_faces(edition.faces))
    return Session(settings, make_reader or shipped_reader, edition.rules, edition.faces, parsed.verbose)


def _guarded(run: object, parsed: argparse.Namespace, session: Session) -> int:
    from vision.errors import VisionError

    try:
        return int(run(parsed, session))  # type: ignore[operator]
    except VisionError as error:
        session.complain(str(error))
        return Status.UNUSABLE
    except ImportError as error:
        return _unloadable(error)


def _unloadable(error: ImportError) -> int:
    """Say what mends a library that cannot be loaded; any other failed import is a fault of the program."""
    from tileref.opencv_trouble import import_sentence

    sentence = import_sentence(error)
    if sentence is None:
        raise error
    print(f"tileref: {sentence}", file=sys.stderr)
    return Status.UNUSABLE


def _welcome() -> str:
    lines = [
        "tileref, a referee that sees: it watches a Rummikub game, or a photograph, and judges the table.",
        "",
        "What to do next:",
        "  tileref demo                     watch it referee a recorded game, without a camera",
        "  tileref check photo.jpg          is every set on your photograph legal?",
        "  tileref serve                    the dashboard: set up your own game, with or without a camera",
        "  tileref doctor                   does everything work on this computer?",
        "  tileref doctor --photo photo.jpg does the camera see your table well?",
        "",
        "Commands:",
        *(f"  {name:<14} {what}" for name, what in COMMANDS.items()),
        "",
        "'tileref COMMAND --help' tells what a command takes.",
    ]
    return "\n".join(lines)
