"""The values that watching a game passes on.

Convention: ``home`` is the picture plane of the first settled picture; the camera may be bumped or sag later,
and every later picture is brought home by a homography. Times are seconds of the source.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from referee import Event, Problem, Question, SeenTile, Table, Verdict
from vision.readings import Corners

SignalKind = Literal["end-turn", "draw", "pass"]
Action = Literal["play", "put-back", "draw", "pass", "time-out", "unknown"]


@dataclass(frozen=True, slots=True)
class Signal:
    """Someone pressed a button, or a ``--signals`` file says so."""

    t_s: float
    """When."""
    kind: SignalKind
    """What it says of the turn that is under way."""


@dataclass(frozen=True, slots=True, eq=False)
class LyingTile:
    """A tile with its identity: the same physical tile keeps its ``key`` from picture to picture."""

    key: int
    """Names the physical tile; never given to another one."""
    seen: SeenTile
    """What it is, as far as all looks at it together tell; ``hidden`` while something covers it."""
    corners_xy_px: Corners
    """Where it lies, in the picture of ``LyingTable.t_s``; for a hidden tile, where it lay last."""
    confidence: float
    """Probability of the likeliest reading, all looks together."""
    looks: int = 1
    """How many times it was read."""
    alternatives: tuple[tuple[SeenTile, float], ...] = ()
    """Other likely readings with their probabilities, likeliest first."""
    clearest: float = 1.0
    """Probability of the likeliest reading in the one look that showed it best."""


@dataclass(frozen=True, slots=True)
class LyingSet:
    """Tiles that lie together."""

    keys: tuple[int, ...]
    """Tiles by key, in reading order."""
    doubt: bool = False
    """True where the cut between this set and a neighbour is uncertain."""
    may_go_on: bool = False
    """True where a further tile of it would be cut by the picture's border."""


@dataclass(frozen=True, slots=True, eq=False)
class GoneBack:
    """A face-down tile that was seen to go."""

    place: Corners
    """Where it lay, (4, 2)."""
    of_heap: bool = False
    """True where only a heap told of it that looks otherwise: another one beside may have gone."""


@dataclass(frozen=True, slots=True, eq=False)
class LyingTable:
    """The table as it lies at one moment, as far as it was seen."""

    t_s: float
    """The picture's time."""
    tiles: tuple[LyingTile, ...] = ()
    """Face-up tiles on the table."""
    sets: tuple[LyingSet, ...] = ()
    """Every tile of ``tiles`` in exactly one set."""
    backs: int | None = None
    """Face-down tiles in view; None where none was ever seen."""
    river: tuple[int, ...] = ()
    """Keys of tiles in the river's area: never a set."""
    taken: int = 0
    """Face-down tiles that were seen to go, since the beginning."""
    taken_from: tuple[GoneBack, ...] = ()
    """These, by where they lay in the picture of ``t_s``, the last one last."""
    pool_unsure: bool = False
    """True where a face-down tile seems to be gone, and another look will tell."""
    tiles_unsure: bool = False
    """The same of a tile on the table, or it reads as another."""
    seem_gone: frozenset[int] = frozenset()
    """Keys of tiles that were not found where the ground shows, and of which another look will tell."""

    @property
    def table(self) -> Table:
        """The sets as the referee takes them."""
        by_key = {tile.key: tile.seen for tile in self.tiles}
        return Table(tuple(tuple(by_key[key] for key in lying.keys) for lying in self.sets))

    @property
    def keys(self) -> frozenset[int]:
        """Keys of all its tiles."""
        return frozenset(tile.key for tile in self.tiles)

    @property
    def in_view(self) -> frozenset[int]:
        """Keys of the tiles that are in view."""
        return self.keys - self.hidden

    @property
    def hidden(self) -> frozenset[int]:
        """Keys of the tiles that are out of view."""
        return frozenset(tile.key for tile in self.tiles if tile.seen.hidden)

    @property
    def rows(self) -> frozenset[frozenset[int]]:
        """Keys of what lies together, set by set, in whatever order."""
        return frozenset(frozenset(one.keys) for one in self.sets)

    @property
    def alone(self) -> frozenset[int]:
        """Keys of the tiles that lie by themselves."""
        return frozenset(one.keys[0] for one in self.sets if len(one.keys) == 1)


@dataclass(frozen=True, slots=True, eq=False)
class TurnRecord:
    """One turn as the referee saw it."""

    turn: int
    """Number, from 1; a put-back has a number of its own."""
    seat: int | None
    """Whose turn, from 0; None where that is not known."""
    start_s: float
    """When it began."""
    end_s: float
    """When it ended: the button, or the moment from which the turn counts as over."""
    action: Action
    """What was done."""
    inferred: bool
    """True where nobody said so and no tile shows it."""
    before: Table
    """The table before."""
    after: Table
    """The table after."""
    played: tuple[SeenTile, ...]
    """Tiles that came to the table."""
    verdict: Verdict
    """Legal, illegal, ask."""
    problems: tuple[Problem, ...] = ()
    """Sure faults, with their tiles."""
    questions: tuple[Question, ...] = ()
    """What only the players can settle."""
    events: tuple[int, ...] = ()
    """Numbers of the events in the log that tell of this turn."""
    lying_before: LyingTable | None = field(default=None, repr=False)
    """The table before, with places."""
    lying_after: LyingTable | None = field(default=None, repr=False)
    """The table after, with places."""
    picture_before: NDArray[np.uint8] | None = field(default=None, repr=False)
    """A clear picture of the table before, BGR (H, W, 3)."""
    picture_after: NDArray[np.uint8] | None = field(default=None, repr=False)
    """A clear picture of the table after, BGR (H, W, 3)."""
    added_keys: tuple[int, ...] = ()
    """The tiles of ``lying_after`` that are new."""
    opening_points: int | None = None
    """What an opening counted; None for any other turn."""


# --- what a watcher says, in the order in which it happens ------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class TableSeen:
    """The table was read anew; nothing is judged by it, but it helps while a turn is under way."""

    lying: LyingTable
    """The table."""
    verdict: Verdict
    """What would be said if the turn ended now."""
    problems: tuple[Problem, ...] = ()
    """The faults that there would be."""
    questions: tuple[Question, ...] = ()
    """The questions that there would be."""
    opening_points: int | None = None
    """The opening so far; None where the player has opened."""
    image_bgr: NDArray[np.uint8] | None = field(default=None, repr=False)
    """The picture that was read."""


@dataclass(frozen=True, slots=True)
class HandsOver:
    """Something moves over the table, or lies over it; False when it is clear again."""

    t_s: float
    """When."""
    moving: bool
    """True at the beginning, False at the end."""


@dataclass(frozen=True, slots=True, eq=False)
class TurnEnded:
    """A turn is over and judged."""

    record: TurnRecord
    """The turn."""


@dataclass(frozen=True, slots=True)
class Logged:
    """An event for the referee's log, in order."""

    event: Event
    """The event."""


@dataclass(frozen=True, slots=True)
class WatchNotice:
    """Something the people at the table should know."""

    t_s: float
    """When."""
    code: str
    """What it says, such as ``camera-moved``, ``too-dark``, ``resynchronised``, ``frozen``."""
    message: str
    """One sentence, in English."""


WatchEvent = TableSeen | HandsOver | TurnEnded | Logged | WatchNotice
