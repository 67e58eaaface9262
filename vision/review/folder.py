"""A review's folder: what is done is kept there, so that an interrupted review goes on where it stopped.

``game.json`` is the referee's log, ``turns.csv`` the turns, ``report.html`` the report. ``review.json`` and
``pictures/`` are the state of the work: which recording by which options, how far, which turns so far.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from referee import Event, EventError, GameLog, export_log, import_log
from vision.errors import VisionError
from vision.review.turn import ReviewedTurn

__all__ = ["Notice", "ReviewError", "ReviewFolder", "ReviewState", "source_identity", "turns_csv"]

VERSION = 1
_HEAD_BYTES = 1 << 20
STATE, LOG, TURNS, REPORT, SEEN, FILM = (
    "review.json",
    "game.json",
    "turns.csv",
    "report.html",
    "seen.jsonl",
    "annotated.mp4",
)


class ReviewError(VisionError):
    """A review cannot be made, or cannot be kept."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that the source or the watching had to say."""

    t_s: float
    """When, seconds of the recording."""
    code: str
    """What it says."""
    message: str
    """One sentence."""


@dataclass(slots=True)
class ReviewState:
    """How far a review is."""

    identity: str
    """Which recording by which options; another one's state is of no use."""
    recording: str
    """The recording as given."""
    turns: list[ReviewedTurn] = field(default_factory=list)
    """Every turn so far."""
    log_lengths: list[int] = field(default_factory=list)
    """For each turn, how many events the log held after it."""
    notices: list[Notice] = field(default_factory=list)
    """What was said so far."""
    reached_s: float = 0.0
    """How far the recording was looked at."""
    duration_s: float | None = None
    """How long the recording says it is."""
    frames: int = 0
    """Frames looked at, those of an abandoned attempt included."""
    watched_s: float = 0.0
    """Seconds of recording looked at, those of an abandoned attempt included."""
    decoding_s: float = 0.0
    """Time spent on decoding."""
    processing_s: float = 0.0
    """Time spent on everything else."""
    finished: bool = False
    """True once the recording was looked at to its end."""

    def rewound(self) -> tuple[ReviewState, float, int]:
        """Return the state to go on from, when to begin in the recording, and how many events the log then has.

        It goes back to the last turn after which the log's table is the table in view: watching can begin anew
        there, as it can at the beginning.
        """
        kept = 0
        for place, turn in enumerate(self.turns[: len(self.log_lengths)], start=1):
            if turn.leaves_the_game_as_seen:
                kept = place
        start_s = self.turns[kept - 1].end_s if kept else 0.0
        length = self.log_lengths[kept - 1] if kept else 0
        state = ReviewState(
            self.identity,
            self.recording,
            self.turns[:kept],
            self.log_lengths[:kept],
            [notice for notice in self.notices if kept and notice.t_s <= start_s],
            start_s,
            self.duration_s,
            self.frames,
            self.watched_s,
            self.decoding_s,
            self.processing_s,
        )
        return state, start_s, length


def source_identity(recording: str, options: object) -> str:
    """Return what tells a recording and its options from others: sizes, and a hash of the recording's head."""
    digest = hashlib.sha256(repr(options).encode("utf-8", "backslashreplace"))
    path = Path(recording)
    try:
        if path.is_dir():
            for entry in sorted(path.iterdir()):
                digest.update(f"{entry.name}:{entry.stat().st_size}\n".encode("utf-8", "backslashreplace"))
        elif path.is_file():
            digest.update(str(path.stat().st_size).encode())
            with path.open("rb") as stream:
                digest.update(stream.read(_HEAD_BYTES))
        else:
            digest.update(recording.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise ReviewError(f"{recording} cannot be read: {error.strerror}.") from error
    return digest.hexdigest()


class ReviewFolder:
    """The files of one review. ReviewError where one cannot be written."""

    def __init__(self, path: Path) -> None:
        """Open or make the folder."""
        self.path = path
        self._plain: dict[int, tuple[ReviewedTurn, dict[str, Any]]] = {}
        """What was written of turns, by identity: most are as they were at the last writing."""
        try:
            (path / "pictures").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ReviewError(f"{path} cannot be made a folder for the review: {error.strerror}.") from error

    def load(self, identity: str) -> ReviewState | None:
        """Return the unfinished review of that recording with those options, if there is one.

        Raises ReviewError where the folder holds the log of a game that no review wrote: it would be lost.
        """
        path = self.path / STATE
        if not path.exists():
            if (self.path / LOG).exists():
                raise ReviewError(
                    f"{self.path} holds the log of a game watched live; name another folder with --out."
                )
            return None
        try:
            plain = json.loads(path.read_text("utf-8"))
            state = _state_from(plain)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # damaged, or of another version: the review begins anew, and nothing else is lost
        return None if state.finished or state.identity != identity else state

    def events(self, length: int) -> tuple[Event, ...] | None:
        """Return the log's first ``length`` events and drop the others; None where the log is not there."""
        try:
            text = (self.path / LOG).read_text("utf-8")
            events = import_log(text[: text.rfind("\n") + 1])
        except (OSError, UnicodeDecodeError, EventError):
            return None
        if len(events) < length:
            return None
        self._write(LOG, export_log(events[:length]).encode("utf-8"))
        return events[:length]

    def begin(self) -> None:
        """Remove what an earlier review left."""
        for name in (STATE, LOG, TURNS, REPORT, SEEN, FILM):
            (self.path / name).unlink(missing_ok=True)
        for picture in (self.path / "pictures").glob("turn-*.jpg"):
            picture.unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove the review's files, and the folder if nothing else is in it."""
        self.begin()
        for folder in (self.path / "pictures", self.path):
            with contextlib.suppress(OSError):  # not empty: something of the user's is in it
                folder.rmdir()

    def log(self) -> GameLog:
        """Open the log."""
        try:
            return GameLog(self.path / LOG)
        except OSError as error:
            raise ReviewError(f"{self.path / LOG} cannot be written: {error.strerror}.") from error

    def save(self, state: ReviewState) -> None:
        """Keep the state and the turns so far; a crash in between leaves the old ones."""
        plain = {
            "version": VERSION,
            **{name: getattr(state, name) for name in _PLAIN},
            "notices": [asdict(notice) for notice in state.notices],
            "turns": [self._plain_of(turn) for turn in state.turns],
        }
        self._write(STATE, json.dumps(plain, ensure_ascii=False).encode("utf-8", "backslashreplace"))
        self._write(TURNS, turns_csv(state.turns).encode("utf-8", "backslashreplace"))

    def _plain_of(self, turn: ReviewedTurn) -> dict[str, Any]:
        if id(turn) not in self._plain:
            self._plain[id(turn)] = turn, turn.to_json()
        return self._plain[id(turn)][1]

    def write_report(self, html: str) -> None:
        """Write the report."""
        self._write(REPORT, html.encode("utf-8", "backslashreplace"))

    def _write(self, name: str, data: bytes) -> None:
        path = self.path / name
        aside = path.with_name(f"{name}.new")
        try:
            aside.write_bytes(data)
            os.replace(aside, path)
        except OSError as error:
            raise ReviewError(f"{path} cannot be written: {error.strerror}.") from error


_PLAIN = (
    "identity",
    "recording",
    "log_lengths",
    "reached_s",
    "duration_s",
    "frames",
    "watched_s",
    "decoding_s",
    "processing_s",
    "finished",
)


def _state_from(plain: dict[str, Any]) -> ReviewState:
    if plain["version"] != VERSION:
        raise ValueError(f"version {plain['version']}")
    return ReviewState(
        **{name: plain[name] for name in _PLAIN},
        notices=[Notice(**notice) for notice in plain["notices"]],
        turns=[ReviewedTurn.from_json(turn) for turn in plain["turns"]],
    )


_COLUMNS = (
    "turn",
    "player",
    "start_s",
    "end_s",
    "action",
    "inferred",
    "before",
    "after",
    "played",
    "verdict",
    "violations",
    "questions",
    "opening_points",
)


def turns_csv(turns: Sequence[ReviewedTurn]) -> str:
    """Return the turns as CSV with a line of names; lists are apart by blanks, questions by their codes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for turn in turns:
        line = turn.line()
        writer.writerow(
            [
                line["turn"],
                _cell(line["player"] or ""),
                line["start_s"],
                line["end_s"],
                line["action"],
                "yes" if line["inferred"] else "no",
                line["before"],
                line["after"],
                " ".join(line["played"]),
                line["verdict"],
                " ".join(line["violations"]),
                " ".join(asked["code"] for asked in line["questions"]),
                "" if turn.opening_points is None else turn.opening_points,
            ]
        )
    return text.getvalue()


def _cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula: names come from strangers."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
