"""Time-outs: what goes back, what is drawn, and where homeless tiles go.

A turn that is complete and legal when time runs out is accepted, though no sheet writes it. Otherwise the table
is put back. If its old state is known, from the camera or the players, it can be restored; if not, the player's
own tiles go back to the rack, sets that stand without them stay, and what is left over are strays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from referee.axes import Rules
from referee.errors import RefereeError
from referee.messages import Note, Question
from referee.seen import SeenTile
from referee.sets import judge_table
from referee.table import Table, TileSet
from referee.turns import judge_turn

__all__ = ["TimeoutJudgement", "judge_timeout"]


@dataclass(frozen=True, slots=True)
class TimeoutJudgement:
    """What follows from a time-out."""

    kind: Literal["accepted", "open", "untouched", "restorable", "unrestorable"]
    """The turn stands; its questions come first; nothing was moved; the table can be put back; it cannot."""
    own: tuple[SeenTile, ...] = ()
    """The player's own tiles, to go back to the rack."""
    strays: tuple[SeenTile, ...] = ()
    """Tiles that nobody can place."""
    strays_to: Literal["pool", "rack", "under-pool"] = "pool"
    """Where the strays go."""
    penalty: int | None = 0
    """Tiles to draw; None where the sheet is silent, and the question has to be answered."""
    table: Table | None = None
    """The table afterwards; None where it is open."""
    rack_change: int | None = 0
    """By how much the rack grows over what it was before the turn; None with an open penalty."""
    pool_change: int | None = 0
    """By how much the pool grows; None with an open penalty."""
    questions: tuple[Question, ...] = ()
    """What has to be settled."""
    notes: tuple[Note, ...] = ()
    """What a player may want to know; nothing here is a fault."""


def judge_timeout(
    now: Table,
    before: Table | None,
    *,
    opened: bool,
    rules: Rules,
    pool: int,
    rack: Sequence[SeenTile] | None = None,
    own: Sequence[SeenTile] = (),
) -> TimeoutJudgement:
    """Judge a time-out with ``now`` on the table.

    ``before`` is the table before the turn, None where nobody knows it; then ``own`` are the tiles that the
    player is known to have put down. ``pool`` is how many tiles the pool holds. A pool smaller than the penalty
    gives what it has, which no sheet writes. Raises RefereeError for a pool below zero, or own tiles that are
    not on the table.
    """
    if pool < 0:
        raise RefereeError(f"a pool holds no fewer than no tiles, not {pool}")
    if before is None:
        return _unrestorable(now, tuple(own), rules, pool)
    judged = judge_turn(before, now, opened=opened, rules=rules, rack=rack)
    if judged.played and judged.verdict == "legal":
        return TimeoutJudgement("accepted", table=now, notes=(Note("timeout-accepted"),))
    if judged.played and judged.verdict == "ask":
        return TimeoutJudgement("open", table=None, questions=judged.questions)
    if judged.gone:
        return _unrestorable(now, judged.played, rules, pool)
    untouched = not judged.played and sorted(map(_key, now.sets)) == sorted(map(_key, before.sets))
    kind: Literal["untouched", "restorable"] = "untouched" if untouched else "restorable"
    wanted = rules.timeout_untouched if untouched else rules.timeout_restorable
    return _drawn(kind, wanted, rules, pool, own=judged.played, table=before)


def _key(tiles: TileSet) -> tuple[str, ...]:
    return tuple(sorted(map(str, tiles)))


def _unrestorable(now: Table, own: tuple[SeenTile, ...], rules: Rules, pool: int) -> TimeoutJudgement:
    """The old table is not known: own tiles go back, legal sets stay, the rest are strays."""
    left = Counter(own)
    sets: list[TileSet] = []
    # Own tiles are taken from sets that do not stand before those that do: fewer sets fall apart.
    order = sorted(range(len(now.sets)), key=lambda at: _stands(now.sets[at], rules))
    for at in order:
        kept = []
        for seen in now.sets[at]:
            if left[seen]:
                left[seen] -= 1
            else:
                kept.append(seen)
        if kept:
            sets.append(tuple(kept))
    if +left:
        raise RefereeError(f"{' '.join(map(str, (+left).elements()))} is not on the table")
    stays = tuple(tiles for tiles in sets if _stands(tiles, rules))
    strays = tuple(seen for tiles in sets if not _stands(tiles, rules) for seen in tiles)
    return _drawn(
        "unrestorable", rules.timeout_unrestorable, rules, pool, own=own, strays=strays, table=Table(stays)
    )


def _stands(tiles: TileSet, rules: Rules) -> bool:
    """True for a set that may stay: one that is not surely illegal."""
    return judge_table(Table((tiles,)), rules.inventory, rules.sets).verdict != "illegal"


def _drawn(
    kind: Literal["untouched", "restorable", "unrestorable"],
    wanted: int | None,
    rules: Rules,
    pool: int,
    *,
    own: tuple[SeenTile, ...],
    table: Table,
    strays: tuple[SeenTile, ...] = (),
) -> TimeoutJudgement:
    """Work out who draws and returns how many tiles."""
    where = rules.timeout_strays
    if wanted is None:
        likely = ("1",) if kind == "untouched" else ("1", "3")
        question = Question("timeout-unwritten", answers=likely, args=(("kind", kind),))
        return TimeoutJudgement(kind, own, strays, where, None, table, None, None, (question,))
    if where == "under-pool":
        wanted += len(strays)
    to_pool = 0 if where == "rack" else len(strays)
    penalty = min(wanted, pool + to_pool)
    notes = []
    if penalty < wanted:
        notes.append(Note("pool-too-small", args=(("wanted", wanted), ("pool", pool + to_pool))))
    to_rack = len(strays) if where == "rack" else 0
    return TimeoutJudgement(
        kind,
        own,
        strays,
        where,
        penalty,
        table,
        penalty + to_rack,
        to_pool - penalty,
        notes=tuple(notes),
    )
