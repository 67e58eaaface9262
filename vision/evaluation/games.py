"""The score of a reviewed game against what truly happened in it.

A true turn and a found one belong together where their ends are at most ``END_S`` apart; each belongs to one
other at most, as many pairs as can be, then the nearest. What is told of turns counts over *all* true turns:
one that was not found is wrong in every respect, and a foul that was not found has passed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from datasets.games.script import TrueTurn
from referee import NotationError, SeenTile, parse_table
from vision.review.turn import ReviewedTurn

__all__ = ["END_S", "METRICS", "Failure", "GameScore", "Share", "pair_turns", "score_game"]

END_S: Final = 3.0
"""The ends of a turn, true and found, are at most so far apart."""

METRICS: Final[Mapping[str, str]] = {
    "played": "tiles played exactly right",
    "verdict": "verdict right",
    "player": "player right",
    "action": "action right",
    "before": "table before exactly right",
    "after": "table after exactly right",
    "draws": "draws found as draws",
    "legal-as-illegal": "legal turns called illegal",
    "legal-as-ask": "legal turns asked about",
    "illegal-as-legal": "fouls passed as legal, or not found",
}
"""What is counted, by its key in JSON; the last three are to be low."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    count: int = 0
    """Those that are as the metric says."""
    of: int = 0
    """All of them."""

    def __add__(self, other: Share) -> Share:
        """Both together."""
        return Share(self.count + other.count, self.of + other.of)


@dataclass(frozen=True, slots=True)
class Failure:
    """A turn that was not wholly right."""

    game: str
    """The game."""
    turn: int | None
    """The true turn's number; None for a turn that was made up."""
    found: int | None
    """The found turn's number; None for one that was missed."""
    t_s: float
    """When it ended."""
    what: tuple[str, ...]
    """What is wrong with it."""


@dataclass(frozen=True, slots=True)
class GameScore:
    """One game, measured."""

    game: str
    """Its name."""
    kind: str
    """How the recording was made."""
    difficulty: str
    """How much went on besides."""
    true: int = 0
    """Turns that there were."""
    found: int = 0
    """Turns that were found."""
    paired: int = 0
    """True turns that were found, their ends near enough."""
    shares: dict[str, Share] = field(default_factory=dict)
    """Counts by metric."""
    phantom_fouls: int = 0
    """Turns called illegal that belong to no true turn."""
    failures: tuple[Failure, ...] = ()
    """Every turn that was not wholly right."""
    watched_s: float = 0.0
    """Seconds of recording."""
    decoding_s: float = 0.0
    """Time spent on decoding."""
    processing_s: float = 0.0
    """Time spent on everything else."""
    error: str | None = None
    """Why the game could not be reviewed; it then counts as nothing found."""

    @property
    def f1(self) -> float:
        """F1 of the turns found; 1 where there was none and none was found."""
        whole = self.true + self.found
        return 2 * self.paired / whole if whole else 1.0


def pair_turns(true_ends_s: Sequence[float], found_ends_s: Sequence[float]) -> list[tuple[int, int]]:
    """Return pairs (true, found) of indices: as many as can be, then the least time apart in all.

    Both must ascend. Two pairs that cross can always be uncrossed without losing a pair or time, so an
    alignment finds the best.
    """
    rows, columns = len(true_ends_s), len(found_ends_s)
    best: list[list[tuple[int, float]]] = [[(0, 0.0)] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for k in range(columns - 1, -1, -1):
            best[i][k] = max(best[i + 1][k], best[i][k + 1])
            apart = abs(true_ends_s[i] - found_ends_s[k])
            if apart <= END_S:
                count, cost = best[i + 1][k + 1]
                best[i][k] = max(best[i][k], (count + 1, cost - apart))
    pairs = []
    i = k = 0
    while i < rows and k < columns:
        if best[i][k] == best[i + 1][k]:
            i += 1
        elif best[i][k] == best[i][k + 1]:
            k += 1
        else:
            pairs.append((i, k))
            i, k = i + 1, k + 1
    return pairs


def score_game(
    game: str, kind: str, difficulty: str, true: Sequence[TrueTurn], found: Sequence[ReviewedTurn]
) -> GameScore:
    """Measure the turns found in one game."""
    true = sorted(true, key=lambda turn: turn.end_s)
    found = sorted(found, key=lambda turn: turn.end_s)
    pairs = dict(pair_turns([turn.end_s for turn in true], [turn.end_s for turn in found]))
    shares = {metric: Share() for metric in METRICS}
    failures = []
    for place, turn in enumerate(true):
        partner = found[pairs[place]] if place in pairs else None
        for metric, is_so in _judged(turn, partner).items():
            shares[metric] += Share(int(is_so), 1)
        wrong = ("not found",) if partner is None else _wrong(turn, partner)
        if wrong:
            number = None if partner is None else partner.turn
            failures.append(Failure(game, turn.turn, number, turn.end_s, wrong))
    made_up = [turn for place, turn in enumerate(found) if place not in set(pairs.values())]
    for phantom in made_up:
        told = f"made up: {phantom.player} {phantom.action} {' '.join(phantom.played)} {phantom.verdict}"
        failures.append(Failure(game, None, phantom.turn, phantom.end_s, (told,)))
    return GameScore(
        game,
        kind,
        difficulty,
        true=len(true),
        found=len(found),
        paired=len(pairs),
        shares=shares,
        phantom_fouls=sum(turn.verdict == "illegal" for turn in made_up),
        failures=tuple(sorted(failures, key=lambda failure: failure.t_s)),
    )


def _judged(true: TrueTurn, found: ReviewedTurn | None) -> dict[str, bool]:
    """Every metric to which the turn counts, and whether it is so."""
    judged = {
        "played": found is not None and _same_tiles(true.played, found.played),
        "verdict": found is not None and found.verdict == true.verdict,
        "player": found is not None and found.player == true.player,
        "action": found is not None and found.action == true.action,
        "before": found is not None and _same_table(true.before, found.before),
        "after": found is not None and _same_table(true.after, found.after),
    }
    if true.action == "draw":
        judged["draws"] = found is not None and found.action == "draw"
    if true.verdict == "legal":
        judged["legal-as-illegal"] = found is not None and found.verdict == "illegal"
        judged["legal-as-ask"] = found is not None and found.verdict == "ask"
    if true.verdict == "illegal":
        judged["illegal-as-legal"] = found is None or found.verdict == "legal"
    return judged


def _wrong(true: TrueTurn, found: ReviewedTurn) -> tuple[str, ...]:
    """What is wrong with a found turn, each with what it should be."""
    wrong = []
    if not _same_tiles(true.played, found.played):
        wrong.append(f"played {' '.join(found.played) or '-'}, truly {' '.join(true.played) or '-'}")
    if found.verdict != true.verdict:
        codes = [fault.code for fault in found.faults] + [asked.code for asked in found.questions]
        foul = f" ({true.foul})" if true.foul else ""
        wrong.append(f"{found.verdict} ({' '.join(codes) or '-'}), truly {true.verdict}{foul}")
    if found.player != true.player:
        wrong.append(f"{found.player}, truly {true.player}")
    if found.action != true.action:
        wrong.append(f"{found.action}, truly {true.action}")
    for when in ("before", "after"):
        was, told = getattr(true, when), getattr(found, when)
        if not _same_table(was, told):
            wrong.append(f"{when} {told or '-'}, truly {was or '-'}")
    return tuple(wrong)


def _same_tiles(one: Sequence[str], other: Sequence[str]) -> bool:
    return Counter(map(_tile, one)) == Counter(map(_tile, other))


def _tile(text: str) -> SeenTile:
    return SeenTile(SeenTile.parse(text).candidates)  # a covered tile counts as what is remembered


def _same_table(one: str, other: str) -> bool:
    """True for the same sets; neither their order nor that of tiles within a set counts."""
    try:
        return _sets(one) == _sets(other)
    except NotationError:
        return False


def _sets(text: str) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(sorted(str(SeenTile(seen.candidates)) for seen in tiles)) for tiles in parse_table(text).sets
    )
