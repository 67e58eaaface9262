"""The settings of all rooms in one table, and their values from a file, the environment and the command line.

Later sources win: defaults, then the TOML file, then the environment, then the command line. In the file a
room is a table (``[read]`` with ``tile_bar = 0.95``); in the environment the same is
``TILEREF_READ_TILE_BAR=0.95``; on the command line ``--set read.tile_bar=0.95``.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vision.settings import ReadSettings, Setting, TextSetting, rows
from vision.sources.settings import SourceSettings
from vision.view_settings import ViewSettings
from vision.watch.minute_settings import MinuteSettings
from vision.watch.settings import WatchSettings
from vision.watch.turn_settings import TurnSettings
from web.settings import ServeSettings

if TYPE_CHECKING:
    from vision.review.work import ReviewSettings

__all__ = [
    "FILE_VARIABLE",
    "SettingsError",
    "SettingsOfAllRooms",
    "load_settings",
    "settings_markdown",
    "settings_table",
]

PREFIX = "TILEREF_"
FILE_VARIABLE = "TILEREF_SETTINGS"
"""Environment variable that names the settings file where the command line does not."""
ROOMS: Mapping[str, type] = {
    "read": ReadSettings,
    "source": SourceSettings,
    "watch": WatchSettings,
    "turns": TurnSettings,
    "serve": ServeSettings,
    "view": ViewSettings,
    "minute": MinuteSettings,
}
"""Every room that has settings, with the dataclass that declares them."""


class SettingsError(Exception):
    """A setting is unknown or out of range; the message is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class SettingsOfAllRooms:
    """The values in force."""

    read: ReadSettings = field(default_factory=ReadSettings)
    """How photographs are read."""
    source: SourceSettings = field(default_factory=SourceSettings)
    """How pictures come in from cameras and recordings."""
    watch: WatchSettings = field(default_factory=WatchSettings)
    """How a game is watched."""
    turns: TurnSettings = field(default_factory=TurnSettings)
    """How turns are followed."""
    serve: ServeSettings = field(default_factory=ServeSettings)
    """The dashboard's limits and rhythms."""
    view: ViewSettings = field(default_factory=ViewSettings)
    """From where on a view of the table is good or bad."""
    minute: MinuteSettings = field(default_factory=MinuteSettings)
    """What is kept of the last minute for a report of a problem."""

    def for_review(self) -> ReviewSettings:
        """Return those of the rooms that a review goes through."""
        from vision.review.work import ReviewSettings  # loads the networks' runtime

        return ReviewSettings(self.read, self.source, self.watch, self.turns)


def settings_table() -> dict[str, Setting | TextSetting]:
    """Return every setting's record by its full name, such as ``read.tile_bar``."""
    return {f"{room}.{row.name}": row for room, kind in ROOMS.items() for row in rows(kind)}


def load_settings(
    file: Path | None, environment: Mapping[str, str], wishes: Iterable[str] = ()
) -> SettingsOfAllRooms:
    """Return the values in force.

    Args:
        file: the TOML file, or None; where it is None, ``TILEREF_SETTINGS`` in the environment may name one.
        environment: the environment's variables; those that begin with ``TILEREF_`` must be settings.
        wishes: texts like ``read.tile_bar=0.95`` from the command line.

    Raises:
        SettingsError: an unknown name (with the nearest known one), a value that is no number or out of
            range, a file that cannot be read.
    """
    if file is None and environment.get(FILE_VARIABLE):
        file = Path(environment[FILE_VARIABLE])
    given: dict[str, Any] = {}
    if file is not None:
        given |= _from_file(file)
    given |= _from_environment(environment)
    given |= _from_wishes(wishes)
    return SettingsOfAllRooms(
        **{
            room: kind(
                **{key.split(".")[1]: value for key, value in given.items() if key.startswith(f"{room}.")}
            )
            for room, kind in ROOMS.items()
        }
    )


def _from_file(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as stream:
            tables = tomllib.load(stream)
    except OSError as error:
        raise SettingsError(f"The settings file {file} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"The settings file {file} is not valid TOML: {error}.") from error
    found = {}
    for room, values in tables.items():
        if not isinstance(values, dict):
            raise SettingsError(f"{file}: {room} stands outside a table; settings stand in tables like [read].")
        for name, value in values.items():
            found[f"{room}.{name}"] = _checked(f"{room}.{name}", value, str(file))
    return found


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    names = {PREFIX + full_name.upper().replace(".", "_"): full_name for full_name in settings_table()}
    found = {}
    for variable, text in environment.items():
        if not variable.startswith(PREFIX) or variable == FILE_VARIABLE:
            continue
        if variable not in names:
            raise SettingsError(f"{variable} is not a setting.{_suggestion(variable, [*names, FILE_VARIABLE])}")
        found[names[variable]] = _checked(names[variable], text, f"the environment ({variable})")
    return found


def _from_wishes(wishes: Iterable[str]) -> dict[str, Any]:
    found = {}
    for wish in wishes:
        full_name, equals, text = wish.partition("=")
        if not equals:
            raise SettingsError(f"{wish!r} sets nothing: write NAME=VALUE, such as read.tile_bar=0.95.")
        found[full_name.strip()] = _checked(full_name.strip(), text, "the command line")
    return found


def _checked(full_name: str, value: Any, source: str) -> float | int | str:
    table = settings_table()
    if full_name not in table:
        raise SettingsError(f"{source}: {full_name} is not a setting.{_suggestion(full_name, table)}")
    try:
        return table[full_name].check(value)
    except (ValueError, OverflowError) as error:
        raise SettingsError(f"{source}: {error}.") from None


def _suggestion(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.65)
    return f" Did you mean {near[0]}?" if near else " 'tileref settings' lists them all."


def settings_markdown() -> str:
    """Return docs/settings.md: every setting with its names, default, unit, range and help."""
    lines = [
        "# Settings",
        "",
        "This page is written by `tileref settings --markdown`; a test fails when it is out of date.",
        "",
        "Later sources win: the defaults below, then a TOML file (`--settings FILE`, or named by the",
        f"variable `{FILE_VARIABLE}`), then the environment, then `--set NAME=VALUE` on the command line.",
        "Unknown names are refused.",
        "",
        "```toml",
        "[read]",
        "tile_bar = 0.95",
        "```",
        "",
        "| Setting | Environment | Default | Unit | Range | What it does |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in settings_table().items():
        variable = PREFIX + name.upper().replace(".", "_")
        if isinstance(row, TextSetting):
            default, bounds = "", f"at most {row.longest} characters"
        else:
            default, bounds = f" {row.default:g}", f"{row.low:g} to {row.high:g}"
        lines.append(f"| `{name}` | `{variable}` |{default} | {row.unit} | {bounds} | {row.help} |")
    return "\n".join(lines) + "\n"
