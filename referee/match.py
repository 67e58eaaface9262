"""Several games: rounds, matches, and who wins them.

RU plays a round of as many games as there are players and agrees on the number of rounds; HE fixes the length
beforehand; P09 plays to agreed points. RU, UA and HE give the match to whoever won most games, and to the
better points among equals; CR, PW, XP and P09 to the most points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.axes import Rules
from referee.messages import Question

__all__ = ["GameResult", "Standing", "games_in_round", "standing"]


@dataclass(frozen=True, slots=True)
class GameResult:
    """One finished game."""

    scores: tuple[int, ...]
    """Every player's points, by seat."""
    winner: int
    """The winner's seat. Raises ValueError where there is no such seat."""

    def __post_init__(self) -> None:
        """Refuse a winner who does not play."""
        if not 0 <= self.winner < len(self.scores):
            raise ValueError(f"there is no seat {self.winner} among {len(self.scores)}")


@dataclass(frozen=True, slots=True)
class Standing:
    """A match so far."""

    games_won: tuple[int, ...]
    """Games won, by seat."""
    points: tuple[int, ...]
    """Points in all, by seat."""
    leader: int | None
    """Who wins the match if it ends now; None where that is open."""
    question: Question | None = None
    """What has to be settled where it is open."""


def games_in_round(players: int) -> int:
    """How many games a round has: as many as players (RU)."""
    return players


def standing(games: Sequence[GameResult], rules: Rules) -> Standing:
    """Return how a match stands; ValueError for no games, or games of different numbers of players."""
    if not games or len({len(game.scores) for game in games}) != 1:
        raise ValueError("a match has at least one game, all with the same players")
    seats = range(len(games[0].scores))
    won = tuple(sum(game.winner == seat for game in games) for seat in seats)
    points = tuple(sum(game.scores[seat] for game in games) for seat in seats)
    ranks = [(won[seat], points[seat]) if rules.match_by == "games" else (points[seat],) for seat in seats]
    first = [seat for seat in seats if ranks[seat] == max(ranks)]
    if len(first) > 1:
        names = ", ".join(str(seat + 1) for seat in first)
        return Standing(won, points, None, Question("match-tied", args=(("players", names),)))
    return Standing(won, points, first[0])
