"""Why a set is illegal: every problem, with the tiles that it is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from referee.messages import Problem
from referee.readings import SetRules
from referee.seen import SeenTile
from referee.table import TileSet
from referee.tiles import Tile

__all__ = ["diagnose"]

_Natural = tuple[SeenTile, Tile]


def diagnose(tiles: TileSet, rules: SetRules) -> tuple[Problem, ...]:
    """Return every problem of a set that is neither a group nor a run, never an empty tuple.

    The set is taken for whichever of the two it misses by fewer tiles. Doubtful tiles are left out of the
    comparison; if the sure ones alone show no fault, the problem is ``no-completion``.
    """
    problems: list[Problem] = []
    if len(tiles) < 3:
        problems.append(Problem("too-few", tiles))
    elif len(tiles) > rules.longest_run:
        problems.append(Problem("too-many", tiles, (("kind", "run"), ("limit", rules.longest_run))))
    sure = all(seen.is_sure for seen in tiles)
    naturals = [(seen, seen.tile) for seen in tiles if seen.is_sure and not seen.tile.is_joker]
    jokers = tuple(seen for seen in tiles if seen.is_sure and seen.tile.is_joker)
    spare = len(tiles) - len(naturals)
    if naturals:
        as_group = _group_problems(tiles, naturals, jokers, rules)
        as_run = _run_problems(tiles, naturals, jokers, spare, rules)
        problems += as_run if _misfit(as_run) < _misfit(as_group) else as_group
    if not problems:
        problems.append(Problem("no-set" if sure else "no-completion", tiles))
    return tuple(dict.fromkeys(problems))


_MISFITS: Final = ("numbers-differ", "mixed-colours")


def _misfit(problems: list[Problem]) -> tuple[int, int]:
    """How far a set is from a form: first the tiles that do not belong, then the number of problems."""
    odd = sum(len(problem.tiles) for problem in problems if problem.code in _MISFITS)
    return odd, len(problems)


def _commonest(values: Iterable[object]) -> object:
    return Counter(values).most_common(1)[0][0]


def _group_problems(
    tiles: TileSet, naturals: list[_Natural], jokers: TileSet, rules: SetRules
) -> list[Problem]:
    """What keeps the set from being a group."""
    problems = []
    number = _commonest(tile.number for _, tile in naturals)
    odd = tuple(seen for seen, tile in naturals if tile.number != number)
    if odd:
        problems.append(Problem("numbers-differ", odd, (("number", str(number)),)))
    per_colour = Counter(tile.colour for _, tile in naturals)
    repeated = tuple(seen for seen, tile in naturals if per_colour[tile.colour] > 1)
    if repeated:
        problems.append(Problem("colour-repeated", repeated))
    if len(tiles) > rules.longest_group:
        problems.append(Problem("too-many", tiles, (("kind", "group"), ("limit", rules.longest_group))))
        if jokers and not repeated:
            problems.append(Problem("no-place-for-joker", tiles))
    return problems


def _run_problems(
    tiles: TileSet, naturals: list[_Natural], jokers: TileSet, spare: int, rules: SetRules
) -> list[Problem]:
    """What keeps the set from being a run; ``spare`` tiles may fill its gaps."""
    problems = []
    colour = _commonest(tile.colour for _, tile in naturals)
    odd = tuple(seen for seen, tile in naturals if tile.colour is not colour)
    if odd:
        problems.append(Problem("mixed-colours", odd))
    own = [(seen, tile) for seen, tile in naturals if tile.colour is colour]
    per_number = Counter(tile.number for _, tile in own)
    repeated = tuple(seen for seen, tile in own if per_number[tile.number] > 1)
    if repeated:
        problems.append(Problem("number-repeated", repeated))
    if len(tiles) < 3:
        return problems
    numbers = sorted(number for number in per_number if number is not None)
    missing = [number for number in range(numbers[0], numbers[-1]) if number not in per_number]
    if len(missing) > spare:
        run = tuple(seen for seen, _ in own)
        if _fits_round_the_corner(numbers, spare, rules):
            problems.append(Problem("wrap", run))
        else:
            letter = own[0][0].tile.colour
            names = ", ".join(f"{letter.letter if letter else ''}{number}" for number in missing)
            problems.append(Problem("gap", run, (("missing", names),)))
    if len(tiles) > rules.longest_run and jokers:
        problems.append(Problem("no-place-for-joker", tiles))
    return problems


def _fits_round_the_corner(numbers: list[int], spare: int, rules: SetRules) -> bool:
    """True where the set would be a run if the lowest number followed the highest."""
    if rules.lowest not in numbers or rules.highest not in numbers:
        return False
    steps = [after - before - 1 for before, after in pairwise(numbers)]
    return sum(steps) - max(steps) <= spare
