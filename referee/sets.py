"""Groups, runs, and the judgement of a set or a table.

Definitions, on which all sheets agree. A *group* has 3 or 4 tiles of one number and different colours; a
*run* has 3 to 13 consecutive numbers of one colour, 1 low. A joker stands for any tile that fits, and a set
has at least one natural tile. A reading of a run is *as laid* when the tiles lie in order, in either
direction, for the camera may face the player; it is *free* when they have to be sorted or a joker slid first.
A set with no reading is illegal, with a free one only it is asked about.

Doubt: a set with doubtful tiles is illegal only if every completion is, legal only if every completion is. A
hidden tile is judged as what is remembered, but as it may have been changed under the hand, a set is illegal
only if it were so whatever lay there. A completion of the table that takes more copies than the box holds is an
illegal one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from referee.completions import can_stand, surely_legal
from referee.crossing import judge_crossings
from referee.diagnosis import diagnose
from referee.messages import Problem, Question, Verdict
from referee.readings import STANDARD_SETS, Reading, SetRules, readings
from referee.seen import ANY_TILE, SeenTile, print_tiles
from referee.stock import judge_copies, stock_in_doubt
from referee.table import Table, TileSet
from referee.tiles import STANDARD, Inventory

__all__ = ["SetJudgement", "TableJudgement", "judge_set", "judge_table"]


@dataclass(frozen=True, slots=True)
class SetJudgement:
    """What the rules say about one set."""

    tiles: TileSet
    """The set, as laid."""
    verdict: Verdict
    """Legal, illegal, or to be asked about."""
    problems: tuple[Problem, ...] = ()
    """Every fault; not empty exactly when the verdict is illegal."""
    questions: tuple[Question, ...] = ()
    """What has to be asked; not empty exactly when the verdict is ask."""
    readings: tuple[Reading, ...] = ()
    """Every reading of a set whose tiles are all sure, those as laid first; empty where one is doubtful."""


@dataclass(frozen=True, slots=True)
class TableJudgement:
    """What the rules say about a table."""

    verdict: Verdict
    """Illegal with any sure fault, else ask with any question, else legal."""
    sets: tuple[SetJudgement, ...]
    """One judgement for each set, in the table's order."""
    table_problems: tuple[Problem, ...] = ()
    """Faults of the table as a whole: more copies than the box holds."""
    table_questions: tuple[Question, ...] = ()
    """Questions about the table as a whole."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every fault, of the sets and of the table."""
        return (*(p for judged in self.sets for p in judged.problems), *self.table_problems)

    @property
    def questions(self) -> tuple[Question, ...]:
        """Every question, of the sets and of the table; also kept beside sure faults."""
        return (*(q for judged in self.sets for q in judged.questions), *self.table_questions)


_DOUBT_SHOWN: Final = 13
_MOST_COMPLETIONS: Final = 4096


def judge_set(tiles: Sequence[SeenTile], rules: SetRules = STANDARD_SETS) -> SetJudgement:
    """Judge one set. Raises ValueError for a set without tiles."""
    tiles = tuple(tiles)
    if not tiles:
        raise ValueError("a set has at least one tile")
    if any(seen.hidden for seen in tiles):
        return _judge_hidden(tiles, rules)
    if not all(seen.is_sure for seen in tiles):
        return _judge_doubtful(tiles, rules)
    found = readings(tuple(seen.index for seen in tiles), rules)
    if found and (found[0].as_laid or rules.order == "any"):
        return SetJudgement(tiles, "legal", readings=found)
    if found and rules.order == "laid":
        return SetJudgement(tiles, "illegal", problems=(Problem("out-of-order", tiles),))
    if found:
        answers = tuple(dict.fromkeys(_sorted_text(tiles, reading) for reading in found))
        question = Question(
            "sort-or-slide", tiles, (*answers, "no"), (("answer", " / ".join(answers)),), lean="legal"
        )
        return SetJudgement(tiles, "ask", questions=(question,), readings=found)
    if 3 <= len(tiles) <= rules.longest_run and all(seen.tile.is_joker for seen in tiles):
        return SetJudgement(tiles, "ask", questions=(Question("only-jokers", tiles),))
    return SetJudgement(tiles, "illegal", problems=diagnose(tiles, rules))


def _sorted_text(tiles: TileSet, reading: Reading) -> str:
    """The set's tiles in the order in which a free reading of a run needs them."""
    order = sorted(range(len(tiles)), key=reading.places.__getitem__)
    return print_tiles(tiles[place] for place in order)


def _judge_doubtful(tiles: TileSet, rules: SetRules) -> SetJudgement:
    """Judge a set of which some tile has several candidates."""
    if rules.order != "ask" and prod(len(seen.candidates) for seen in tiles) <= _MOST_COMPLETIONS:
        return _judge_completions(tiles, rules)
    if not can_stand(tiles, rules):
        return SetJudgement(tiles, "illegal", problems=diagnose(tiles, rules))
    if surely_legal(tiles, rules):
        return SetJudgement(tiles, "legal")
    return SetJudgement(tiles, "ask", questions=_doubt_questions(tiles))


def _judge_completions(tiles: TileSet, rules: SetRules) -> SetJudgement:
    """Judge every completion: what a house rule on the order of runs needs, and a few doubts allow."""
    verdicts = {
        judge_set([SeenTile.sure(tile) for tile in completion], rules).verdict
        for completion in product(*(seen.candidates for seen in tiles))
    }
    if verdicts == {"legal"}:
        return SetJudgement(tiles, "legal")
    if verdicts == {"illegal"}:
        return SetJudgement(tiles, "illegal", problems=diagnose(tiles, rules))
    return SetJudgement(tiles, "ask", questions=_doubt_questions(tiles))


def _doubt_questions(tiles: TileSet) -> tuple[Question, ...]:
    """One question for each doubtful tile; its candidates are the answers unless they are too many."""
    questions = []
    for seen in tiles:
        if not seen.is_sure:
            listed = tuple(str(tile) for tile in sorted(seen.candidates))
            answers = listed if len(listed) <= _DOUBT_SHOWN else ()
            questions.append(Question("doubtful-tile", (seen,), answers, (("tile", str(seen)),)))
    return tuple(questions)


def _judge_hidden(tiles: TileSet, rules: SetRules) -> SetJudgement:
    """Judge a set that is partly covered: by what is remembered, unless that would make it illegal."""
    remembered = judge_set([SeenTile(seen.candidates) for seen in tiles], rules)
    if remembered.verdict == "illegal":
        unknown = tuple(ANY_TILE if seen.hidden else seen for seen in tiles)
        if can_stand(unknown, rules):
            covered = tuple(seen for seen in tiles if seen.hidden)
            return SetJudgement(tiles, "ask", questions=(Question("hidden-tile", covered, ("yes", "no")),))
    return SetJudgement(
        tiles, remembered.verdict, remembered.problems, remembered.questions, remembered.readings
    )


def judge_table(
    table: Table,
    inventory: Inventory = STANDARD,
    rules: SetRules | None = None,
    *,
    crossing: bool = False,
) -> TableJudgement:
    """Judge every set, and the number of copies of each tile against ``inventory``.

    ``rules`` defaults to those that follow from the inventory. Only tiles that are seen and sure make too
    many copies a fault; with a covered one it is a question. ``crossing`` says that a tile may lie in a group
    and a run at once (the French variant).
    """
    rules = SetRules.of(inventory) if rules is None else rules
    sets = tuple(judge_set(tiles, rules) for tiles in table.sets)
    problems, questions = judge_copies(table, inventory)
    if table.shared:
        problems += judge_crossings(table, [judged.readings for judged in sets], allowed=crossing)
    if problems or any(judged.verdict == "illegal" for judged in sets):
        verdict: Verdict = "illegal"
    elif questions or any(judged.verdict == "ask" for judged in sets):
        verdict = "ask"
    else:
        verdict = "legal"
    if verdict != "illegal" and not table.is_sure:
        stock = stock_in_doubt(table, inventory, lambda tiles: judge_set(tiles, rules).verdict == "illegal")
        doubtful = tuple(seen for seen in table.tiles() if not seen.is_sure)
        if stock == "never":
            # Whatever the order of the sets, it is one and the same fault.
            told = tuple(sorted(doubtful, key=str))
            return TableJudgement("illegal", sets, (Problem("never-all-legal", told),), questions)
        if stock == "open" and verdict == "legal":
            return TableJudgement("ask", sets, problems, (*questions, *_doubt_questions(doubtful)))
    return TableJudgement(verdict, sets, problems, questions)
