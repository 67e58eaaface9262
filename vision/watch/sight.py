"""What the turn keeper is told of a picture that was read, and what it writes down of a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.watch.doubts import trusted
from vision.watch.finding import Finding
from vision.watch.reach import Reach
from vision.watch.types import Action, LyingTable, TurnRecord

__all__ = ["LastPlay", "Ripe", "Sight", "Suspect", "only_adds_single_tiles", "turn_record"]

_LEFT_SO_S = 2.0
"""For so long nobody leaves a table in the middle of a turn, to take a tile back that was just played."""

_AWAY_S = 4.0
"""For so long nobody holds a tile of the table in the hand, away from it, to lay it down again."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A reading of the table, with what was going on around it."""

    lying: LyingTable
    """The table."""
    still_since_s: float
    """Since when nothing moves."""
    clear: bool
    """Whether nothing lies over the table that reaches in from outside."""
    looks: int
    """How many looks since things came to rest."""
    image_bgr: NDArray[np.uint8] | None = None
    """The picture that was read."""
    seen_whole: bool = False
    """Whether each place was free of that in some look since the table lies so."""

    @property
    def is_open(self) -> bool:
        """True where the whole table was seen to lie so, at once or part by part."""
        return self.clear or self.seen_whole


@dataclass(frozen=True, slots=True)
class Suspect:
    """A table against the rules that lay still for a while and then was touched again."""

    sight: Sight
    finding: Finding
    end_s: float
    lay_s: float
    """For how long it lay so."""
    by: int | None
    """Whose hands surely made it so; None where that is not sure."""
    acting: int
    """Whose turn it was taken for."""
    out_of_turn: bool
    """Whether that was so without any draw of those before."""
    told: bool = False
    """Whether the button was pressed over it: its player had done."""
    clear_s: float = 0.0
    """For how long it lay so before a hand came that rested over it, if one did."""
    was_left: bool = False
    """Whether its player rather was done, by how long nobody came."""
    came: tuple[Reach, ...] = ()
    """The hands that made it, as far as it was seen whose they were."""

    def lay_by(self, now: Sight) -> bool:
        """True where it lay there no later than what is seen ``now``."""
        return self.sight.still_since_s <= now.still_since_s

    def lay_open(self, now: Sight) -> bool:
        """True where no hand lay over it: what hid tiles then, if anything did, hides the same ones still, and
        is known by now to stand there.

        Where it was told, and is put back, a clear look at the rest is enough.
        """
        return self.sight.is_open or (now.clear and (self.told or now.lying.hidden == self.sight.lying.hidden))

    def gives_way_to(self, before: LyingTable, now: Sight, finding: Finding) -> bool:
        """True for another table with as many tiles and more.

        Those with fewer are steps of the putting-back, and so is one on which the sets are as ``before`` the
        turn again, with tiles alone beside them.
        """
        if self.was_taken_back(now) or len(finding.played) < len(self.finding.played):
            return False
        step = only_adds_single_tiles(before, now.lying)
        return not step or only_adds_single_tiles(before, self.sight.lying)

    def was_taken_back(self, now: Sight) -> bool:
        """True where a fault lay there, and not all of it lies there now.

        A tile that was played with it lies nowhere, or one that was missing is back.
        """
        if self.finding.verdict != "illegal" or (self.lay_s < _LEFT_SO_S and not self.told):
            return False
        then = {tile.key: tile.seen for tile in self.sight.lying.tiles}
        here = {tile.key: tile.seen for tile in now.lying.tiles}
        fresh = [here[key] for key in here.keys() - then.keys()]
        if self.lay_s >= _AWAY_S and any(seen.is_sure and seen in self.finding.gone for seen in fresh):
            return True
        away = [then[key] for key in then.keys() - here.keys()]
        played = [seen for seen in away if seen.is_sure and seen in self.finding.played]
        return any(all(seen.candidates.isdisjoint(new.candidates) for new in fresh) for seen in played)


def only_adds_single_tiles(before: LyingTable, lying: LyingTable) -> bool:
    """True where all sets are as they were, and besides them tiles lie alone."""
    fresh = lying.rows - before.rows
    return before.rows <= lying.rows and all(len(row) == 1 for row in fresh)


@dataclass(frozen=True, slots=True)
class Ripe:
    """A legal table that lay clear and still for a moment: the turn is over if somebody else comes next."""

    sight: Sight
    end_s: float
    since_s: float
    """Since when it has lain so in clear looks, whoever came and left it as it was."""
    waited_s: float
    """How long it lay so by then."""


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The turn before this one, where it was a play that passed."""

    before: Sight
    """The table before it."""
    seat: int | None
    """Whose it was."""
    had_opened: bool | None
    """Whether that player had opened before it."""
    laid: frozenset[int] = frozenset()
    """Tiles that came to the table with it."""
    asked: bool = False
    """Whether it was asked about."""
    came: tuple[Reach, ...] = ()
    """The hands that made it, as far as it was seen whose they were."""
    arms: tuple[Reach, ...] = ()
    """Every arm that was there meanwhile, as a reach of its own, where none was alone."""
    drew: tuple[Reach, ...] = ()
    """Those that drew since."""
    draws: int = 0
    """How many draws were told since."""


def turn_record(
    number: int,
    seat: int | None,
    from_to_s: tuple[float, float],
    action: Action,
    before_after: tuple[Sight, Sight],
    finding: Finding,
    events: Sequence[int],
    *,
    inferred: bool,
) -> TurnRecord:
    """Return what is written down of a turn that is over."""
    before, after = before_after
    baseline = before.lying if action != "draw" else after.lying
    old = before.lying.keys
    return TurnRecord(
        turn=number,
        seat=seat,
        start_s=from_to_s[0],
        end_s=from_to_s[1],
        action=action,
        inferred=inferred,
        before=trusted(before.lying, before.lying),
        after=trusted(after.lying, baseline),
        played=finding.played if action in ("play", "put-back", "time-out") else (),
        verdict=finding.verdict,
        problems=finding.problems,
        questions=finding.questions,
        events=tuple(events),
        lying_before=before.lying,
        lying_after=after.lying,
        picture_before=before.image_bgr,
        picture_after=after.image_bgr,
        added_keys=tuple(tile.key for tile in after.lying.tiles if tile.key not in old),
        opening_points=finding.opening_points,
    )
