"""What the players pressed, from a file: lines ``t_s,signal`` with ``end-turn``, ``draw`` or ``pass``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import cast, get_args

from vision.errors import VisionError
from vision.watch.types import Signal, SignalKind

__all__ = ["SignalsError", "read_signals"]

_KINDS: tuple[str, ...] = get_args(SignalKind)


class SignalsError(VisionError):
    """A file of signals cannot be used."""


def read_signals(path: Path) -> tuple[Signal, ...]:
    """Return the signals of a file, in order of time; SignalsError names the line that is wrong."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise SignalsError(f"The signals {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise SignalsError(f"The signals {path} are no text in UTF-8.") from error
    signals = []
    for number, line in enumerate(text.splitlines(), start=1):
        cells = [cell.strip() for cell in line.split(",")]
        if not any(cells) or (number == 1 and cells == ["t_s", "signal"]):
            continue
        if len(cells) != 2 or cells[1] not in _KINDS:
            raise SignalsError(
                f"{path}, line {number}: write seconds, a comma and one of {', '.join(_KINDS)}, "
                f"not {','.join(cells)!r}."
            )
        signals.append(Signal(_seconds(cells[0], path, number), cast(SignalKind, cells[1])))
    return tuple(sorted(signals, key=lambda signal: signal.t_s))


def _seconds(text: str, path: Path, number: int) -> float:
    try:
        t_s = float(text)
    except ValueError:
        t_s = math.nan
    if not 0 <= t_s < 1e9:
        raise SignalsError(f"{path}, line {number}: {text!r} is no number of seconds from 0.")
    return t_s
