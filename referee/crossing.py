"""Sets that cross: the French variant lays groups across runs like a crossword.

Source: Wikipedia's article on the Pressman rules, "French": one tile lies in two sets. The article's example
loses its colours; that the two are a group and a run, and meet in one tile only, follows from the picture of a
crossword.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referee.messages import Problem
from referee.readings import Reading
from referee.table import Table

__all__ = ["judge_crossings"]


def judge_crossings(
    table: Table, readings: Sequence[tuple[Reading, ...]], *, allowed: bool
) -> tuple[Problem, ...]:
    """Judge the tiles that lie in two sets, given every set's readings (none where a set is in doubt)."""
    problems: list[Problem] = []
    if not allowed:
        return tuple(Problem("tile-shared", (seen,)) for seen in table.shared_tiles())
    meetings = Counter((one[0], other[0]) for one, other in table.shared)
    for (row, column), count in meetings.items():
        if count > 1:
            problems.append(Problem("crossing-twice", (*table.sets[row], *table.sets[column])))
    for (one, other), seen in zip(table.shared, table.shared_tiles(), strict=True):
        first, second = readings[one[0]], readings[other[0]]
        if not first or not second:
            continue
        pairs = [(a, b) for a in first for b in second if a.kind != b.kind]
        if not pairs:
            problems.append(Problem("crossing-same-kind", (seen,)))
        elif all(a.tiles[one[1]] != b.tiles[other[1]] for a, b in pairs):
            problems.append(Problem("crossing-joker", (seen,)))
    return tuple(problems)
