"""What happens in a match, as events with a JSON form.

Version 1. A log is JSON Lines: first ``{"format": "tileref-game", "version": 1}``, then one event a line, an
object whose ``event`` names its kind and whose other keys are the fields below, in their order; a field at its
default is left out. Seats count from 0, tables and tiles are in the notation, ``t_s`` is seconds since the log
began.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from types import MappingProxyType
from typing import Any, Final, Literal

from referee.errors import RefereeError
from referee.seen import parse_tiles
from referee.table import parse_table

__all__ = [
    "EVENT_KINDS",
    "HEADER",
    "Correct",
    "Count",
    "Deal",
    "Declare",
    "Draw",
    "DrawForStart",
    "Event",
    "EventError",
    "Pass",
    "Play",
    "Racks",
    "StartMatch",
    "TakeOver",
    "TimeOut",
    "event_from_json",
    "event_line",
    "event_to_json",
    "export_log",
    "import_log",
]

HEADER: Final = '{"format":"tileref-game","version":1}'
"""The first line of a log."""

Ruling = Literal["legal", "illegal"]
"""What the players decided, whatever the referee says."""


class EventError(RefereeError):
    """A text that is no event, or no log, of this version."""


@dataclass(frozen=True, slots=True)
class StartMatch:
    """A match begins: who plays, and by which rules."""

    players: tuple[str, ...]
    """Names, by seat."""
    edition: str
    """The edition's code."""
    rules: tuple[tuple[str, str | int | None], ...] = ()
    """House rules on top of it, by axis."""
    variant: str | None = None
    """A variant on top of the edition."""
    games: int | None = None
    """How many games the match has; None where that is left open."""
    to_points: int | None = None
    """The points that end the match; None where it is not played to points."""


@dataclass(frozen=True, slots=True)
class DrawForStart:
    """Players draw for who starts; the highest tile does, ties draw again."""

    tiles: tuple[str, ...]
    """One tile for each of ``seats``."""
    seats: tuple[int, ...] | None = None
    """Who draws; None for everyone."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A game begins: every player has a full rack."""

    starter: int | None = None
    """Who starts; None for whoever drew the highest tile."""
    t_s: float | None = None
    """When the first turn begins."""


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Refereeing begins, or begins anew, in the middle of a game: what is agreed to be so."""

    table: str
    """The table as it lies."""
    seat: int
    """Whose turn it is."""
    opened: tuple[bool, ...]
    """Who has opened, by seat."""
    tiles_held: tuple[int, ...] | None = None
    """How many tiles each holds, by seat; None for full racks."""
    pool: int | None = None
    """How many are left to draw; None for what the box leaves."""
    t_s: float | None = None
    """When the turn begins."""


@dataclass(frozen=True, slots=True)
class Play:
    """A player has changed the table, and says that the turn is over."""

    seat: int
    """Whose turn it is."""
    table: str
    """The table as it lies."""
    rack: str | None = None
    """What the player held before the turn, if that is known."""
    river_from: int | None = None
    """In the River variant: the place in the river, from 0, of the key tile from which on it was taken."""
    ruling: Ruling | None = None
    """The players' decision; it answers questions and overrules faults."""
    t_s: float | None = None
    """When the turn ended."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A player draws instead of playing."""

    seat: int
    """Whose turn it is."""
    discard: str | None = None
    """In the River variant: the tile laid open at the river's end."""
    t_s: float | None = None
    """When."""


@dataclass(frozen=True, slots=True)
class Pass:
    """A player passes, the pool being empty."""

    seat: int
    """Whose turn it is."""
    ruling: Ruling | None = None
    """The players' decision where the rules oblige those to play who can, or the pool was thought not empty."""
    t_s: float | None = None
    """When."""


@dataclass(frozen=True, slots=True)
class TimeOut:
    """A player's time has run out."""

    seat: int
    """Whose turn it is."""
    table: str
    """The table as it lies."""
    known: bool = True
    """Whether the table before the turn is known, and so can be put back."""
    own: str = ""
    """If it is not: the tiles that the player is known to have put down."""
    penalty: int | None = None
    """What the players draw where the rules do not say."""
    ruling: Ruling | None = None
    """The players' decision where the turn raises questions."""
    t_s: float | None = None
    """When."""


@dataclass(frozen=True, slots=True)
class Declare:
    """A player calls "Rummikub!"."""

    seat: int
    """Who."""
    t_s: float | None = None
    """When."""


@dataclass(frozen=True, slots=True)
class Racks:
    """The racks are shown at the end of a game."""

    racks: tuple[str, ...]
    """What each player holds, by seat."""
    winner: int | None = None
    """Who wins where no sheet settles it."""


@dataclass(frozen=True, slots=True)
class Count:
    """Someone counts tiles."""

    what: Literal["pool", "rack", "river"]
    """Where."""
    tiles: int
    """How many there are."""
    seat: int | None = None
    """Whose rack."""
    agreed: bool = False
    """True where the count holds from now on, a rack's difference being in the pool."""


@dataclass(frozen=True, slots=True)
class Correct:
    """An earlier event was wrong."""

    of: int
    """Which, by its number in the log, from 0."""
    to: Event | None
    """What it should have been; None if it never happened."""


Event = (
    StartMatch
    | DrawForStart
    | Deal
    | TakeOver
    | Play
    | Draw
    | Pass
    | TimeOut
    | Declare
    | Racks
    | Count
    | Correct
)

EVENT_KINDS: Final[Mapping[str, type[Event]]] = MappingProxyType(
    {
        "start-match": StartMatch,
        "draw-for-start": DrawForStart,
        "deal": Deal,
        "take-over": TakeOver,
        "play": Play,
        "draw": Draw,
        "pass": Pass,
        "time-out": TimeOut,
        "declare": Declare,
        "racks": Racks,
        "count": Count,
        "correct": Correct,
    }
)
"""Every kind of event by its name in JSON."""

_NAMES: Final = MappingProxyType({kind: name for name, kind in EVENT_KINDS.items()})


def event_to_json(event: Event) -> dict[str, Any]:
    """Return the event as plain values, fields at their default left out."""
    plain: dict[str, Any] = {"event": _NAMES[type(event)]}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.default is MISSING or value != field.default:
            plain[field.name] = _plain(field.name, value)
    return plain


def _plain(name: str, value: Any) -> Any:
    if name == "rules":
        return dict(value)
    if name == "to":
        return None if value is None else event_to_json(value)
    return list(value) if isinstance(value, tuple) else value


def event_from_json(plain: object) -> Event:
    """Return the event that ``plain`` describes; EventError says what is wrong with it."""
    if not isinstance(plain, dict):
        raise EventError("an event is a JSON object")
    name = plain.get("event")
    if not isinstance(name, str) or name not in EVENT_KINDS:
        raise EventError(f"there is no event {name!r}; the events are {', '.join(EVENT_KINDS)}")
    kind = EVENT_KINDS[name]
    given = {key: value for key, value in plain.items() if key != "event"}
    known = {field.name: field for field in fields(kind)}
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise EventError(f"{name} has no field {unknown[0]!r}; its fields are {', '.join(known)}")
    missing = [key for key, field in known.items() if field.default is MISSING and key not in given]
    if missing:
        raise EventError(f"{name} needs the field {missing[0]!r}")
    return kind(**{key: _checked(name, known[key], value) for key, value in given.items()})


def _checked(kind: str, field: Field[Any], value: Any) -> Any:
    """The value of a field, checked and made immutable."""
    if value is None and (field.default is None or field.name == "to"):
        return None
    try:
        return _CHECKS[field.name](value)
    except ValueError as error:
        raise EventError(f"{field.name} of {kind}: {error}") from error


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{value!r} is no whole number from 0")
    return value


def _seconds(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 1e9:
        raise ValueError(f"{value!r} is no number of seconds")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    value.encode("utf-8")  # half a character cannot be written to disk
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is neither true nor false")
    return value


def _one_of(*words: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in words:
            raise ValueError(f"{value!r} is none of {', '.join(words)}")
        return str(value)

    return check


def _table_text(value: Any) -> str:
    return str(parse_table(_text(value)))


def _tiles_text(value: Any) -> str:
    return " ".join(map(str, parse_tiles(_text(value))))


def _list_of(check: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def checked(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise ValueError(f"{value!r} is no list")
        return tuple(check(item) for item in value)

    return checked


def _axes(value: Any) -> tuple[tuple[str, str | int | None], ...]:
    if not isinstance(value, dict) or not all(isinstance(v, str | int | None) for v in value.values()):
        raise ValueError(f"{value!r} is no object of axes and plain values")
    return tuple(value.items())


_CHECKS: Final[Mapping[str, Callable[[Any], Any]]] = MappingProxyType(
    {
        "players": _list_of(_text),
        "games": _whole,
        "to_points": _whole,
        "edition": _text,
        "rules": _axes,
        "variant": _text,
        "tiles": lambda value: _whole(value) if isinstance(value, int) else _list_of(_tiles_text)(value),
        "seats": _list_of(_whole),
        "opened": _list_of(_flag),
        "tiles_held": _list_of(_whole),
        "pool": _whole,
        "agreed": _flag,
        "starter": _whole,
        "t_s": _seconds,
        "seat": _whole,
        "table": _table_text,
        "rack": _tiles_text,
        "river_from": _whole,
        "ruling": _one_of("legal", "illegal"),
        "discard": _tiles_text,
        "known": _flag,
        "own": _tiles_text,
        "penalty": _whole,
        "racks": _list_of(_tiles_text),
        "winner": _whole,
        "what": _one_of("pool", "rack", "river"),
        "of": _whole,
        "to": event_from_json,
    }
)


def export_log(events: Iterable[Event]) -> str:
    """Return the log as text, one event a line after the header; EventError for an event that cannot be."""
    return "".join(f"{line}\n" for line in (HEADER, *map(event_line, events)))


def event_line(event: Event) -> str:
    """Return an event's one line in a log, its texts in canonical notation, without the line's end."""
    plain = event_to_json(event_from_json(event_to_json(event)))
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def import_log(text: str) -> tuple[Event, ...]:
    """Return the events of a log; EventError names the line that is wrong.

    What ``export_log`` wrote comes back as the same events, and exports to the same bytes.
    """
    lines = text.removesuffix("\n").split("\n")  # a name may hold other characters that end lines
    events: list[Event] = []
    for number, line in enumerate(lines, 1):
        try:
            plain = _json(line)
            if number > 1:
                events.append(event_from_json(plain))
            elif plain != json.loads(HEADER):
                raise EventError(f"a log begins with {HEADER}")
        except EventError as error:
            raise EventError(f"line {number}: {error}") from error
    return tuple(events)


def _json(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise EventError(f"this is not JSON: {error}") from error
