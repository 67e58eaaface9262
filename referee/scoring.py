"""The score sheet of one game, from what is left on the racks.

When a player goes out, each loser counts minus what is left on his rack, and the winner plus all of that
(RU, UA, HE, CR, PW alike). When nobody goes out, the axis ``none_out`` decides: by ``sum`` (RU, UA, HE, CR,
XP) the lowest sum wins, and each other player counts minus the difference; by ``tiles`` (PW) the fewest tiles
win, and each other player counts minus what he holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.axes import Rules
from referee.rack import PointRange, rack_points
from referee.seen import SeenTile

__all__ = ["ScoreLine", "ScoreSheet", "score_sheet"]


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
    question: str | None = None
    """What has to be settled first, in one sentence; None where nothing is open."""


def score_sheet(
    racks: Sequence[Sequence[SeenTile]],
    rules: Rules,
    joker_value: int | None = None,
    *,
    another_is_out: bool = False,
) -> ScoreSheet:
    """Score a game that has ended with ``racks``.

    ``joker_value`` replaces the rules' points for a joker. ``another_is_out`` says that a player whose rack
    is not among them went out. Sums are ranges where tiles are doubtful. Two empty racks, or two lowest ones,
    are a question: no sheet settles them.
    """
    joker = rules.joker_points if joker_value is None else joker_value
    held = [rack_points(rack, joker) for rack in racks]
    out = [place for place, rack in enumerate(racks) if not rack]
    if len(out) + another_is_out > 1:
        return _open(racks, held, "More than one rack is empty, but only one player can go out.")
    if out or another_is_out:
        return _paid(racks, held, held, out[0] if out else None)
    measures = held if rules.none_out == "sum" else [PointRange(len(rack), len(rack)) for rack in racks]
    lowest = min(range(len(racks)), key=lambda place: measures[place].most)
    for place, measure in enumerate(measures):
        if place != lowest and measure.least <= measures[lowest].most:
            tie = measure == measures[lowest] and measure.is_sure
            what = "sums are" if rules.none_out == "sum" else "numbers of tiles are"
            why = f"The lowest two {what} equal." if tie else "Doubtful tiles leave open who holds least."
            return _open(racks, held, f"Nobody went out. {why}")
    if rules.none_out == "tiles":
        return _paid(racks, held, held, lowest)
    low = held[lowest]
    return _paid(racks, held, [PointRange(h.least - low.most, h.most - low.least) for h in held], lowest)


def _open(racks: Sequence[Sequence[SeenTile]], held: list[PointRange], question: str) -> ScoreSheet:
    lines = tuple(ScoreLine(h, len(rack), None) for h, rack in zip(held, racks, strict=True))
    return ScoreSheet(lines, None, None, question)


def _paid(
    racks: Sequence[Sequence[SeenTile]], held: list[PointRange], owed: list[PointRange], winner: int | None
) -> ScoreSheet:
    """Every loser pays what he owes; the winner gets it all."""
    payers = [debt for place, debt in enumerate(owed) if place != winner]
    total = sum(payers, PointRange(0, 0))
    lines = tuple(
        ScoreLine(h, len(rack), total if place == winner else PointRange(-debt.most, -debt.least))
        for place, (h, rack, debt) in enumerate(zip(held, racks, owed, strict=True))
    )
    return ScoreSheet(lines, winner, total)
