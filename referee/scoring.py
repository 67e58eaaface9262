"""The score of one game.

When a player goes out, each loser counts minus what is left on his rack, and the winner plus all of that
(RU, UA, HE, CR, PW alike). When nobody goes out, the axis ``none_out`` decides: by ``sum`` (RU, UA, HE, CR, XP,
P09) the lowest sum wins, and each other player counts minus the difference; by ``tiles`` (PW) the fewest tiles
win, and each other player counts minus what he holds. Scores of a game sum to zero, save where a sheet pays a
player's points to more than one other: PW does so for one who never opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.axes import Rules
from referee.messages import Problem, Question
from referee.rack import PointRange, rack_points
from referee.seen import SeenTile

__all__ = ["ScoreLine", "ScoreSheet", "check_scores", "score_sheet"]


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One player's line of a score sheet."""

    held: PointRange
    """Points left on the rack."""
    tiles: int
    """How many tiles are left on the rack."""
    score: PointRange | None
    """What the player scores; None where that is open."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """One game, scored."""

    lines: tuple[ScoreLine, ...]
    """One line a rack, in the order given."""
    winner: int | None
    """The winner's place in ``lines``; None where it is another player, or open."""
    winner_score: PointRange | None
    """What the winner scores, also where his rack was not given; None where the winner is open."""
    question: Question | None = None
    """What has to be settled first; None where nothing is open."""
    surplus: int = 0
    """What the scores sum to: 0, but for points that a sheet pays more than once; the least, in doubt."""


def score_sheet(
    racks: Sequence[Sequence[SeenTile]],
    rules: Rules,
    joker_value: int | None = None,
    *,
    another_is_out: bool = False,
    opened: Sequence[bool] | None = None,
    tie_winner: int | None = None,
) -> ScoreSheet:
    """Score a game that has ended with ``racks``.

    ``joker_value`` replaces the rules' points for a joker. ``another_is_out`` says that a player whose rack is
    not among them went out. ``opened`` says who opened, all of them if it is left out. Sums are ranges where
    tiles are doubtful. Two empty racks, or two lowest ones, are a question: no sheet settles them, but
    ``tie_winner`` may say which of the lowest the players agreed on. Raises
    ValueError where ``opened`` does not match ``racks``.
    """
    if opened is not None and len(opened) != len(racks):
        raise ValueError(f"opened is for {len(opened)} players, and there are {len(racks)} racks")
    joker = rules.joker_points if joker_value is None else joker_value
    held = [rack_points(rack, joker) for rack in racks]
    sizes = [len(rack) for rack in racks]
    never = [] if opened is None else [place for place, did in enumerate(opened) if not did]
    out = [place for place, size in enumerate(sizes) if not size]
    if len(out) + another_is_out > 1:
        return _open(held, sizes, Question("two-out"))
    if out or another_is_out:
        return _paid(held, sizes, held, out[0] if out else None, never, rules)
    measures = held if rules.none_out == "sum" else [PointRange(size, size) for size in sizes]
    lowest = min(range(len(racks)), key=lambda place: measures[place].most)
    agreed = tie_winner is not None and 0 <= tie_winner < len(racks)
    if agreed and tie_winner is not None and measures[tie_winner] == measures[lowest]:
        lowest = tie_winner
    for place, measure in enumerate(measures):
        if agreed and lowest == tie_winner and measure == measures[lowest] and measure.is_sure:
            continue
        if place != lowest and measure.least <= measures[lowest].most:
            tie = measure == measures[lowest] and measure.is_sure
            code = "lowest-in-doubt" if not tie else f"equal-lowest-{rules.none_out}"
            return _open(held, sizes, Question(code))
    if rules.none_out == "tiles":
        return _paid(held, sizes, held, lowest, never, rules)
    low = held[lowest]
    owed = [PointRange(points.least - low.most, points.most - low.least) for points in held]
    return _paid(held, sizes, owed, lowest, never, rules)


def _open(held: list[PointRange], sizes: list[int], question: Question) -> ScoreSheet:
    lines = tuple(ScoreLine(points, size, None) for points, size in zip(held, sizes, strict=True))
    return ScoreSheet(lines, None, None, question)


def _paid(
    held: list[PointRange],
    sizes: list[int],
    owed: list[PointRange],
    winner: int | None,
    never: list[int],
    rules: Rules,
) -> ScoreSheet:
    """Every loser pays what he owes; the winner gets it all."""
    never = [place for place in never if place != winner]
    if isinstance(rules.never_opened, int):
        fixed = PointRange(rules.never_opened, rules.never_opened)
        owed = [fixed if place in never else debt for place, debt in enumerate(owed)]
    total = sum((debt for place, debt in enumerate(owed) if place != winner), PointRange(0, 0))
    scores = [
        total if place == winner else PointRange(-debt.most, -debt.least) for place, debt in enumerate(owed)
    ]
    surplus = 0
    if rules.never_opened == "opponents":
        for giver in never:
            for place in range(len(scores)):
                if place not in (giver, winner):
                    scores[place] += owed[giver]
                    surplus += owed[giver].least
    lines = tuple(ScoreLine(h, size, score) for h, size, score in zip(held, sizes, scores, strict=True))
    return ScoreSheet(lines, winner, total, None, surplus)


def check_scores(scores: Sequence[int], surplus: int = 0) -> Problem | None:
    """Check a game's scores as the players wrote them down; None where they sum to ``surplus``.

    On every sheet the scores of a game sum to zero; ``surplus`` is what a sheet pays beyond that.
    """
    if sum(scores) == surplus:
        return None
    return Problem("scores-do-not-add-up", args=(("sum", sum(scores)), ("surplus", surplus)))
