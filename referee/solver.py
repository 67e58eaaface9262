"""Legal moves: is there one, and which is the best, answered exactly by integer programming.

A move is what ``judge_turn`` accepts: every tile of the table stays on it, at least one comes from the rack,
every set is legal, and so is the opening and what becomes of the jokers. First the programme is solved without
the rules on jokers; if the referee has nothing against its answer, that is the answer, and otherwise it is
solved again with them.

This module loads HiGHS, so ``import referee`` leaves it out.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from referee.axes import Rules
from referee.errors import RefereeError
from referee.jokers import IndexSet
from referee.seen import SURE_TILES, SeenTile
from referee.sets import judge_table
from referee.solver_milp import Solution
from referee.solver_position import QUESTIONS, Built, Position, Question, build, rack_value
from referee.solver_sets import SHORT_RUN, layouts, set_values
from referee.table import Table
from referee.tiles import ALL_TILES, Tile
from referee.turns import TurnJudgement, judge_turn

__all__ = ["ACCEPTS", "QUESTIONS", "Accept", "BestMove", "Move", "MoveError", "Question", "Status", "find_move"]

Accept = Literal["legal", "ask"]
"""What a move has to be: legal beyond question, or at least no fault."""

ACCEPTS: Final[tuple[Accept, ...]] = ("legal", "ask")

Status = Literal["optimal", "infeasible", "time-limit"]
"""Proved best (any move, where that was the question); proved that there is none; stopped by the clock."""

_MOST_JOKERS: Final = 4


class MoveError(RefereeError):
    """A position that cannot be asked about."""


@dataclass(frozen=True, slots=True)
class Move:
    """One legal move."""

    table: Table
    """The table after it: sets that stay as they lie first, in their old order, then those laid anew."""
    played: tuple[Tile, ...]
    """The tiles from the rack, in order."""
    points: int
    """Of an opening, what it is worth as it lies; later, what its tiles would cost on the rack at the end."""
    touched: int
    """How many sets of the table do not stay as they were."""
    judged: TurnJudgement
    """The referee's judgement of it."""


@dataclass(frozen=True, slots=True)
class BestMove:
    """The answer to a question."""

    status: Status
    """Whether the answer is proved."""
    move: Move | None
    """The move; where the clock stopped the search, the best that was found, if any was."""


def find_move(
    table: Table,
    rack: Sequence[SeenTile],
    *,
    opened: bool,
    rules: Rules,
    question: Question,
    accept: Accept = "legal",
    time_limit_s: float = 10.0,
) -> BestMove:
    """Answer ``question`` for a player who holds ``rack`` before the ``table``.

    ``opened`` says whether the player has opened. Of equally good moves, one that touches the fewest sets is
    given (for ``fewest-sets``, one that plays the most tiles; for an opening, see ``docs/moves.md``). A joker
    that is played counts as on a rack, ``rules.joker_points``; in an opening as the tile that it stands for.

    Raises MoveError for doubtful tiles, an illegal table, more tiles than the box holds, sets that cross,
    ``smallest-opening`` after the opening, or a time limit that is not positive.
    """
    _check(table, rack, opened, rules, question, time_limit_s)
    position = Position(
        tuple(tuple(seen.index for seen in tiles) for tiles in table.sets),
        Counter(seen.index for seen in rack),
        rules,
        question,
        opening=not opened and rules.opening_points > 0,
        beyond_question=accept == "legal",
    )
    deadline_s = time.perf_counter() + time_limit_s
    return _search(position, _Given(table, tuple(rack), opened, accept, deadline_s))


def _check(
    table: Table, rack: Sequence[SeenTile], opened: bool, rules: Rules, question: Question, time_limit_s: float
) -> None:
    if not time_limit_s > 0:
        raise MoveError("the time limit is a number of seconds above 0")
    if table.shared or rules.crossing == "yes":
        raise MoveError("moves are not worked out where sets may cross (French variant)")
    doubtful = [seen for seen in (*table.tiles(), *rack) if not seen.is_sure]
    if doubtful:
        raise MoveError(f"moves are worked out for sure tiles only, and {doubtful[0]} is in doubt")
    for index, count in Counter(seen.index for seen in (*table.tiles(), *rack)).items():
        tile = ALL_TILES[index]
        if count > rules.inventory.count(tile):
            held = rules.inventory.count(tile)
            raise MoveError(f"{tile} is on table and rack {count} times, and the box holds {held}")
    illegal = [s for s in judge_table(table, rules.inventory, rules.sets).sets if s.verdict == "illegal"]
    if illegal:
        raise MoveError(f"the table is not legal: {illegal[0].problems[0].message}")
    if question == "smallest-opening" and (opened or rules.opening_points == 0):
        raise MoveError("there is no opening to be made: the player has opened, or the rules have none")


def _search(position: Position, given: _Given) -> BestMove:
    """Solve without the rules on jokers; where the answer breaks one, with them, in short runs and then in all.

    The first answer is a bound that nothing beats; an answer in short runs that is as good needs no more.
    """
    if not position.held:
        return BestMove("infeasible", None)
    free = build(position, with_clause=False)
    bound, found = _solve(position, given, free)
    if found is not None or bound.values is None:
        return BestMove(bound.status, found)
    if not position.has_clause:
        raise MoveError(_REFUSED)
    if position.jokers_on_table > _MOST_JOKERS:
        raise MoveError(f"with more than {_MOST_JOKERS} jokers on the table, their rules are not worked out")
    short, found = _solve(position, given, build(position, with_clause=True, longest_run=SHORT_RUN))
    if short.values is not None and found is None:
        raise MoveError(_REFUSED)
    if found is not None and (position.question == "any" or short.cost == bound.cost):
        return BestMove(short.status, found)
    whole = build(position, with_clause=True)
    if short.cost is not None and bound.cost is not None:
        whole.programme.cheaper_than(short.cost, but_at_least=bound.cost)
    last, better = _solve(position, given, whole)
    if last.values is not None and better is None:
        raise MoveError(_REFUSED)
    if last.status == "infeasible" and found is not None:
        return BestMove("optimal", found)
    return BestMove(last.status, better or found)


_REFUSED: Final = "the referee does not accept the move that was found: please report the position"


def _solve(position: Position, given: _Given, built: Built) -> tuple[Solution, Move | None]:
    """Solve one programme; no move where it has none, or the referee does not accept it."""
    left_s = given.deadline_s - time.perf_counter()
    solved = built.programme.solve(left_s, any_will_do=position.question == "any")
    if solved.values is None:
        return solved, None
    kept, fresh = built.chosen(solved.values)
    return solved, _best_laid(position, given, kept, fresh)


@dataclass(frozen=True, slots=True)
class _Given:
    """What was asked, as it was given."""

    table: Table
    rack: tuple[SeenTile, ...]
    opened: bool
    accept: Accept
    deadline_s: float


def _best_laid(position: Position, given: _Given, kept: Sequence[int], fresh: list[IndexSet]) -> Move | None:
    """The move as the referee likes it best: runs joined, and jokers laid so that no rule is broken."""
    stay = [given.table.sets[row] for row in kept]
    found: Move | None = None
    for joined in (True, False):
        for sets in layouts(fresh, position.rules.sets, joined=joined):
            laid = tuple(tuple(SURE_TILES[index] for index in tiles) for tiles in sets)
            judged = judge_turn(
                given.table,
                Table((*stay, *laid)),
                opened=given.opened,
                rules=position.rules,
                rack=given.rack,
            )
            if not _accepted(judged, given.accept):
                continue
            move = _move(position, given, judged, Table((*stay, *laid)), len(kept))
            if not position.opening:
                return move
            if found is None or _worth(position.question, move) > _worth(position.question, found):
                found = move
    return found


def _worth(question: Question, move: Move) -> int:
    return -move.points if question == "smallest-opening" else move.points


def _accepted(judged: TurnJudgement, accept: Accept) -> bool:
    """True where the turn is as good as was asked; a question about a set that stays is an old one.

    An opening has to be enough as it lies, for a joker can as well be laid where it is worth more.
    """
    if judged.turn_problems or judged.table.verdict == "illegal":
        return False
    if any(told.code == "opening-slide?" for told in judged.turn_questions):
        return False
    return accept == "ask" or not judged.turn_questions


def _move(position: Position, given: _Given, judged: TurnJudgement, table: Table, kept: int) -> Move:
    played = tuple(sorted(seen.tile for seen in judged.played))
    if position.opening and position.uses_table:
        points = judged.opening_points or 0
    elif position.opening:
        laid = [tuple(seen.index for seen in tiles) for tiles in table.sets[kept:]]
        points = sum(set_values(tiles, position.rules.sets)[0] for tiles in laid)
    else:
        points = sum(rack_value(tile, position.rules) for tile in played)
    return Move(table, played, points, len(given.table.sets) - kept, judged)
