"""The dated record of measurements: ``docs/record.jsonl`` in a clone, one object a line, only ever appended to.

An entry says what was measured, when, by which command, on which commit, weights and machine, so that figures
can be compared over the years. ``docs/record.md`` shows it as tables.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from tileref.clone import ROOT
from tileref.machine import this_machine
from tileref.session import Session
from vision.errors import VisionError

__all__ = [
    "Entry",
    "Figure",
    "RecordError",
    "What",
    "add_record",
    "append_record",
    "keep_record",
    "read_record",
    "record_file",
    "record_markdown",
]

What = Literal["photographs", "rendered", "games", "speed", "web"]
"""What was measured: reading on photographs or rendered pictures, watching, speed of reading, the dashboard."""
Figure = float | int | str | None


class RecordError(VisionError):
    """The record cannot be written or read; one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One measurement."""

    date: str
    """The day, UTC, as 2026-11-21."""
    what: What
    """What was measured."""
    command: str
    """The command line, without folders that only this machine has."""
    commit: str
    """The commit, with a + where the working tree differed; empty outside a clone."""
    weights: str
    """The first eight digits of the SHA-256 of the weights' manifest."""
    machine: Mapping[str, Any]
    """The computer, see ``tileref.machine``."""
    figures: Mapping[str, Figure]
    """What came out, by name; shares are texts such as ``91 of 92``."""


def add_record(parser: argparse.ArgumentParser) -> None:
    """Add ``--record [FILE]``."""
    parser.add_argument(
        "--record",
        type=Path,
        nargs="?",
        const=Path(),
        metavar="FILE",
        help="also append what came out, with date, commit and machine, to FILE (docs/record.jsonl)",
    )


def keep_record(
    arguments: argparse.Namespace, session: Session, what: What, figures: Mapping[str, Figure]
) -> None:
    """Append to the record where ``--record`` asks for it; RecordError where it cannot be written."""
    if arguments.record is None:
        return
    file = arguments.record if arguments.record != Path() else record_file()
    append_record(file, what, session.command_line, figures, getattr(arguments, "weights", None))
    session.remark(f"The record is in {file}.")


def record_file() -> Path:
    """Return the record of this clone; RecordError where the program was installed without its repository."""
    if not (ROOT / "docs").is_dir():
        raise RecordError("The record is kept in a clone of the repository; name a file: --record FILE.")
    return ROOT / "docs" / "record.jsonl"


def append_record(
    file: Path,
    what: What,
    command: Sequence[str],
    figures: Mapping[str, Figure],
    weights: Path | None = None,
    today: date | None = None,
) -> Entry:
    """Append an entry, and return it.

    Args:
        file: the record; it is begun where it is missing.
        what: what was measured.
        command: the arguments of ``tileref``.
        figures: what came out.
        weights: the folder of the weights that were measured, None for the shipped ones.
        today: the day; None for the clock's.

    Raises:
        RecordError: the file cannot be written.
    """
    entry = Entry(
        (today or datetime.now(UTC).date()).isoformat(),
        what,
        " ".join(["tileref", *(Path(part).name if Path(part).is_absolute() else part for part in command)]),
        _commit(),
        _weights(weights),
        asdict(this_machine()),
        dict(figures),
    )
    try:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(asdict(entry), ensure_ascii=False, allow_nan=False) + "\n")
    except OSError as error:
        raise RecordError(f"The record {file} cannot be written: {error.strerror}.") from error
    return entry


def read_record(file: Path) -> tuple[Entry, ...]:
    """Return every entry, oldest first; RecordError names the line that is none."""
    entries = []
    try:
        lines = file.read_text("utf-8").splitlines()
    except OSError as error:
        raise RecordError(f"The record {file} cannot be read: {error.strerror}.") from error
    for number, line in enumerate(lines, 1):
        try:
            entries.append(Entry(**json.loads(line)))
        except (ValueError, TypeError) as error:
            raise RecordError(f"{file}, line {number}, is no entry of a record: {error}.") from error
    return tuple(entries)


def record_markdown(entries: Sequence[Entry]) -> str:
    """Return tables of the record, one for each thing that is measured, the newest entry first."""
    lines: list[str] = []
    for what in dict.fromkeys(entry.what for entry in entries):
        group = [entry for entry in reversed(entries) if entry.what == what]
        names = list(dict.fromkeys(name for entry in group for name in entry.figures))
        lines += ["", f"## {what.capitalize()}", ""]
        lines += [f"| date | commit | weights | {' | '.join(names)} | command | machine |"]
        lines += ["|---" * (len(names) + 5) + "|"]
        for entry in group:
            cells = [_cell(entry.figures.get(name)) for name in names]
            machine = f"{entry.machine['cores']} cores, {entry.machine['processor']}"
            head = f"| {entry.date} | {entry.commit or '-'} | {entry.weights} "
            lines.append(f"{head}| {' | '.join(cells)} | `{entry.command}` | {machine} |")
    return "\n".join(lines).strip()


def _cell(value: Figure) -> str:
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def _commit() -> str:
    """Return the short name of the clone's commit; empty where there is no clone, or no git."""
    told = []
    for command in (["rev-parse", "--short=9", "HEAD"], ["status", "--porcelain", "--untracked-files=no"]):
        try:
            done = subprocess.run(
                ["git", "-C", str(ROOT), *command], capture_output=True, text=True, timeout=20, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        if done.returncode != 0:
            return ""
        told.append(done.stdout.strip())
    return told[0] + ("+" if told[1] else "")


def _weights(folder: Path | None) -> str:
    source = resources.files("vision") / "weights" if folder is None else folder
    try:
        return hashlib.sha256((source / "manifest.json").read_bytes()).hexdigest()[:8]
    except OSError:
        return "-"
