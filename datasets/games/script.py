"""A game as it is to be filmed: who moves which tile where and when, what else happens, and the truth.

Places on the table are in tile widths, x to the right and y towards the near side, the middle of the table at
(0, 0); headings are degrees clockwise, 0 for a tile upright as seen from the near side. Times are seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from referee import Verdict
from referee.tiles import Tile

Difficulty = Literal["easy", "normal", "hard"]
Action = Literal["play", "put-back", "draw", "pass", "time-out"]
IncidentKind = Literal[
    "mug", "lean", "bump", "turn", "sag", "shake", "sway", "exposure", "lamp", "shadow", "sun", "hand-rests"
]


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a tile lies."""

    x: float
    """Tile widths."""
    y: float
    """Tile widths."""
    heading: float = 0.0
    """Degrees clockwise."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A physical tile of the game."""

    key: int
    """Names it."""
    tile: Tile
    """What its face shows."""
    copy: int = 0
    """0 or 1: which of the two alike, for jokers that are drawn in two ways."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece in view at the very beginning."""

    key: int
    """The piece."""
    pose: Pose
    """Where."""
    face_down: bool = False
    """True in the pool."""


@dataclass(frozen=True, slots=True)
class Move:
    """A hand moves a piece, or several in turn; the hand reaches in from its seat's side and leaves again."""

    key: int
    """The piece."""
    seat: int
    """Whose hand."""
    grasp_s: float
    """When the hand has it, or when it comes into view from a rack."""
    release_s: float
    """When the hand lets go of it, or when it has left the view."""
    start: Pose | None
    """From where; None from a rack, out of view."""
    end: Pose | None
    """To where; None to a rack, out of view."""
    face_down: bool = False
    """True for a tile drawn from the pool."""


@dataclass(frozen=True, slots=True)
class Reach:
    """A stay of one hand over the table, from where it enters until it has left."""

    seat: int
    """Whose hand."""
    enter_s: float
    """When the first of it comes into view."""
    leave_s: float
    """When the last of it has gone."""


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that is no part of the game."""

    kind: IncidentKind
    """What."""
    start_s: float
    """When it begins."""
    end_s: float
    """When it is over; a bump, a turn, a step of the exposure or a lamp then stays as it has become."""
    where: Pose | None = None
    """Where on the table, for what has a place."""
    strength: float = 1.0
    """1 for what one meets often."""


@dataclass(frozen=True, slots=True)
class TrueTurn:
    """What happened in one turn, from how it was made, never from judging it."""

    turn: int
    """Number, from 1; a put-back has a number of its own."""
    player: str
    """Who."""
    start_s: float
    """When it began: the end of the turn before it."""
    end_s: float
    """When it ended: the hand has left the view for good, or the button was pressed."""
    action: Action
    """What."""
    before: str
    """The table before, in the notation."""
    after: str
    """The table after."""
    played: tuple[str, ...]
    """Tiles that came to the table."""
    verdict: Verdict
    """What it is, by the way it was made."""
    violations: tuple[str, ...] = ()
    """Codes of the faults that were put in, as ``referee`` names them."""
    foul: str | None = None
    """Which kind of foul was put in."""


@dataclass(frozen=True, slots=True)
class GameScript:
    """A whole game to be filmed."""

    seed: int
    """What it was drawn from."""
    players: tuple[str, ...]
    """Names, by seat; the first starts."""
    edition: str
    """Whose rules they play by."""
    seat_sides: tuple[Literal["near", "right", "far", "left"], ...]
    """At which side of the picture each player sits."""
    pieces: tuple[Piece, ...]
    """Every piece that is ever in view."""
    lying: tuple[Lying, ...]
    """What lies there at the beginning."""
    moves: tuple[Move, ...]
    """In order of time."""
    reaches: tuple[Reach, ...]
    """In order of time."""
    incidents: tuple[Incident, ...]
    """In order of time."""
    turns: tuple[TrueTurn, ...]
    """The truth."""
    signals: tuple[tuple[float, Literal["end-turn", "draw", "pass"]], ...]
    """What the players press: seconds and signal."""
    duration_s: float
    """How long the film is."""
    half_size: tuple[float, float]
    """Half the width and half the depth of the part of the table that is in view, tile widths."""
    turn_seconds: float | None = None
    """The time a turn may take; None without a clock."""
    racks: tuple[tuple[str, ...], ...] = ()
    """What each player holds at the end."""
    difficulty: Difficulty = "normal"
    """How much goes on besides."""
    options: dict[str, str] = field(default_factory=dict)
    """What else was chosen."""
