"""The opening: a player's first play, from the rack alone, worth enough points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from referee.axes import Rules
from referee.jokers import IndexSet
from referee.messages import Problem, Question
from referee.readings import readings
from referee.seen import SURE_TILES
from referee.tiles import JOKER

__all__ = ["Opening", "judge_opening"]


@dataclass(frozen=True, slots=True)
class Opening:
    """What was opened with."""

    points: int
    """The greatest value of the new sets that any reading gives."""
    enough: bool
    """True where the points reach what the rules ask, be it by a reading that has to be asked about."""
    built: bool
    """True where sets of the table were used as well."""
    told: tuple[Problem | Question, ...]
    """Faults and questions."""


def judge_opening(
    before: Sequence[IndexSet], after: Sequence[IndexSet], played: Counter[int], rules: Rules
) -> Opening:
    """Judge a first play by its changed sets; ``played`` counts the tiles from the rack, by index.

    New sets are those that the rack alone can have made; where equal tiles leave a choice, the most valuable
    ones. A reading as laid counts. A higher value that needs a joker slid is asked about, and so is a tile
    with two jokers, as much a group as a run, where the points hang on it.
    """
    own = _own_sets(after, played, rules)
    values = [_values(tiles, rules) for tiles in own]
    gather = _greatest if rules.opening_sets == "one" else sum
    laid, most, least_kind = (gather(column) for column in zip(*values, strict=True)) if own else (0, 0, 0)
    need = rules.opening_points
    row = tuple(SURE_TILES[index] for tiles in own for index in tiles)
    told: list[Problem | Question] = []
    if most < need:
        told.append(Problem("opening-too-low", row, (("points", most), ("need", need))))
    elif laid < need:
        args = (("points", laid), ("most", most), ("need", need))
        told.append(Question("opening-slide?", row, ("yes", "no"), args, lean="illegal"))
    elif least_kind < need:
        args = (("points", least_kind), ("most", laid), ("need", need))
        told.append(Question("group-or-run?", row, ("group", "run"), args, lean="legal"))
    jokers = (SURE_TILES[JOKER.index],) * played[JOKER.index]
    if jokers and rules.opening_joker == "no":
        told.append(Problem("joker-in-opening", jokers))
    elif jokers and rules.opening_joker == "ask":
        told.append(Question("joker-in-opening?", jokers, ("yes", "no"), lean="illegal"))
    built = len(own) < len(after) or bool(before)
    if built and rules.opening_build == "no":
        told.append(Problem("built-before-opening"))
    elif built and rules.opening_build == "ask" and most >= need:
        told.append(Question("built-in-opening?", answers=("yes", "no"), lean="illegal"))
    points = sum(value for _, value, _ in values)
    return Opening(points, most >= need, built, tuple(told))


def _greatest(values: Sequence[int]) -> int:
    return max(values)


def _values(tiles: IndexSet, rules: Rules) -> tuple[int, int, int]:
    """A set's value as laid; under any reading; and as the poorer of group and run, where it is both."""
    found = readings(tiles, rules.sets)
    if not found:
        return 0, 0, 0
    laid = [reading for reading in found if reading.as_laid or rules.run_order == "any"] or list(found)
    by_kind: dict[str, int] = {}
    for reading in laid:
        by_kind[reading.kind] = max(reading.value, by_kind.get(reading.kind, 0))
    return max(by_kind.values()), max(reading.value for reading in found), min(by_kind.values())


_MOST_TRIED: Final = 10


def _own_sets(after: Sequence[IndexSet], played: Counter[int], rules: Rules) -> list[IndexSet]:
    """The most valuable choice of sets that ``played`` has the tiles for, all at once."""
    fits = [tiles for tiles in after if not Counter(tiles) - played]
    fits.sort(key=lambda tiles: _values(tiles, rules), reverse=True)
    if not _needed(fits) - played:
        return fits
    fits = fits[:_MOST_TRIED]
    choices = [
        chosen
        for size in range(len(fits) + 1)
        for chosen in combinations(fits, size)
        if not _needed(chosen) - played
    ]
    return list(max(choices, key=lambda chosen: sum(_values(tiles, rules)[0] for tiles in chosen)))


def _needed(sets: Sequence[IndexSet]) -> Counter[int]:
    return Counter(index for tiles in sets for index in tiles)
