"""A recorded game as a folder: the recording, and the truth beside it. ``README.md`` tells the format."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal, cast, get_args

from datasets.games.script import Action, Difficulty, GameScript, TrueTurn
from referee import Verdict, parse_table, parse_tiles

__all__ = ["FORMAT", "RecordedGame", "RecordedGameError", "Recording", "load_game", "load_games", "write_game"]

FORMAT: Final = "tileref-recorded-game"
_VERSION: Final = 1


SignalKind = Literal["end-turn", "draw", "pass"]
Points = tuple[tuple[float, float], ...]


class RecordedGameError(Exception):
    """A folder that is no recorded game; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Recording:
    """How a game was recorded."""

    kind: str
    """Such as ``drawn``, ``cutout``, or ``camera``."""
    file: str
    """The video's name in the folder, or ``stills``."""
    size_wh: tuple[int, int]
    """Width and height of the upright picture, pixels."""
    fps: float
    """Frames a second; the mean where the rate varies."""
    tile_looks: str = ""
    """Names the tiles' looks."""
    table_looks: str = ""
    """Names the ground's looks."""
    area_xy_px: Points | None = None
    """Corners of the part of the picture that is the table, without racks and pool; None for all of it."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A recorded game with its truth."""

    folder: Path
    """Where it is."""
    recording: Recording
    """How it was recorded."""
    players: tuple[str, ...]
    """Names, by seat; the first starts."""
    edition: str
    """Whose rules."""
    turns: tuple[TrueTurn, ...]
    """What happened, in order."""
    signals: tuple[tuple[float, SignalKind], ...] = ()
    """What the players pressed: seconds and signal."""
    racks: tuple[tuple[str, ...], ...] = ()
    """What each player holds at the end; empty where that is not known."""
    turn_seconds: float | None = None
    """The time a turn may take; None without a clock."""
    seed: int | None = None
    """What it was drawn from; None for a game that was really played."""
    difficulty: Difficulty = "normal"
    """How much went on besides."""
    duration_s: float = 0.0
    """How long the recording is."""
    middle_game: bool = False
    """True where tiles lie there from the beginning: then ``opened`` and ``rack_sizes`` have to be told."""
    opened: tuple[bool, ...] = ()
    """Who has opened before the first turn, by seat."""
    rack_sizes: tuple[int, ...] = ()
    """How many tiles each holds before the first turn, by seat."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What else was chosen."""

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def source(self) -> Path:
        """The video, or the folder of stills."""
        return self.folder / self.recording.file

    @property
    def signals_path(self) -> Path | None:
        """The file of signals; None where nothing was pressed."""
        return self.folder / "signals.csv" if self.signals else None


def write_game(folder: Path, script: GameScript, recording: Recording) -> RecordedGame:
    """Write a script's truth beside its recording, ``game.json`` last, and return the game."""
    folder.mkdir(parents=True, exist_ok=True)
    turns = "".join(json.dumps(asdict(turn), ensure_ascii=False) + "\n" for turn in script.turns)
    (folder / "turns.jsonl").write_text(turns, encoding="utf-8")
    rows = "".join(f"{t_s:.3f},{kind}\n" for t_s, kind in script.signals)
    (folder / "signals.csv").write_text("t_s,signal\n" + rows, encoding="utf-8")
    racks = dict(zip(script.players, map(list, script.racks), strict=True)) if script.racks else {}
    (folder / "racks.json").write_text(_json(racks), encoding="utf-8")
    game = {
        "format": FORMAT,
        "version": _VERSION,
        "players": script.players,
        "edition": script.edition,
        "turn_seconds": script.turn_seconds,
        "seed": script.seed,
        "difficulty": script.difficulty,
        "duration_s": script.duration_s,
        "middle_game": script.options.get("middle_game") == "yes",
        "opened": [word == "yes" for word in script.options.get("opened", "").split(",") if word],
        "rack_sizes": [int(word) for word in script.options.get("rack_sizes", "").split(",") if word],
        "recording": asdict(recording),
        "options": script.options,
    }
    (folder / "game.json").write_text(_json(game), encoding="utf-8")
    return load_game(folder)


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def load_game(folder: Path) -> RecordedGame:
    """Return the recorded game in ``folder``; RecordedGameError for one that cannot be used."""
    folder = Path(folder)
    try:
        told = json.loads((folder / "game.json").read_text(encoding="utf-8"))
        if told["format"] != FORMAT or told["version"] != _VERSION:
            raise RecordedGameError(f"{folder / 'game.json'} is not of version {_VERSION} of {FORMAT}")
        lines = (folder / "turns.jsonl").read_text(encoding="utf-8").splitlines()
        game = RecordedGame(
            folder=folder,
            recording=_recording(told["recording"]),
            players=tuple(told["players"]),
            edition=told["edition"],
            turns=tuple(_turn(json.loads(line)) for line in lines if line.strip()),
            signals=_signals(folder / "signals.csv"),
            racks=_racks(folder / "racks.json", told["players"]),
            turn_seconds=told.get("turn_seconds"),
            seed=told.get("seed"),
            difficulty=told.get("difficulty", "normal"),
            duration_s=float(told.get("duration_s", 0.0)),
            middle_game=bool(told.get("middle_game", False)),
            opened=tuple(told.get("opened", ())),
            rack_sizes=tuple(told.get("rack_sizes", ())),
            options=told.get("options", {}),
        )
    except OSError as error:
        raise RecordedGameError(f"{folder} is no recorded game: {error.filename} cannot be read") from error
    except KeyError as error:
        raise RecordedGameError(f"{folder} is no recorded game: {error} is missing") from error
    except (TypeError, ValueError) as error:
        raise RecordedGameError(f"{folder} is no recorded game: {error}") from error
    if not game.source.exists():
        raise RecordedGameError(f"{folder} has no recording: {game.recording.file} is missing")
    return game


def load_games(folder: Path) -> tuple[RecordedGame, ...]:
    """Return every recorded game under ``folder``, by name; one that has no ``game.json`` yet is left out.

    Raises RecordedGameError where there is none, or one cannot be used.
    """
    found = tuple(load_game(path.parent) for path in sorted(Path(folder).glob("**/game.json")))
    if not found:
        raise RecordedGameError(f"there is no recorded game in {folder}")
    return found


def _recording(told: Mapping[str, Any]) -> Recording:
    area = told.get("area_xy_px")
    return Recording(
        kind=told["kind"],
        file=told["file"],
        size_wh=(int(told["size_wh"][0]), int(told["size_wh"][1])),
        fps=float(told["fps"]),
        tile_looks=told.get("tile_looks", ""),
        table_looks=told.get("table_looks", ""),
        area_xy_px=None if area is None else tuple((float(x), float(y)) for x, y in area),
    )


def _turn(told: dict[str, Any]) -> TrueTurn:
    known = {item.name for item in fields(TrueTurn)}
    if unknown := set(told) - known:
        raise ValueError(f"a turn has no {sorted(unknown)[0]!r}")
    for key in ("played", "violations"):
        if key in told:
            told[key] = tuple(told[key])
    turn = TrueTurn(**told)
    for table in (turn.before, turn.after):
        if not isinstance(table, str):
            raise ValueError(f"turn {turn.turn} has a table that is no text, such as 'R5 R6 R7 | K1 O1 B1'")
        parse_table(table)
    parse_tiles(" ".join(turn.played))
    named = ("action", turn.action, get_args(Action)), ("verdict", turn.verdict, get_args(Verdict))
    for key, one, may_be in named:
        if one not in may_be:
            raise ValueError(f"turn {turn.turn} has {one!r} for its {key}")
    return turn


def _signals(path: Path) -> tuple[tuple[float, SignalKind], ...]:
    if not path.exists():
        return ()
    found = []
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["signal"] not in get_args(SignalKind):
                raise ValueError(f"{row['signal']!r} is no signal")
            found.append((float(row["t_s"]), cast(SignalKind, row["signal"])))
    return tuple(found)


def _racks(path: Path, players: list[str]) -> tuple[tuple[str, ...], ...]:
    told = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return tuple(tuple(told[name]) for name in players) if told else ()
