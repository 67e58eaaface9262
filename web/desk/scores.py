"""The score sheet of a match: what the referee scored, with the cells that people edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee import GameResult, GameState, Problem, Racks, check_scores, games_in_round
from web.desk.ledger import Ledger
from web.desk.notes import CellEdit, agreed_winner, cell_edits, clock_game
from web.store.matches import NoteEntry

__all__ = ["ScoredGame", "Sheet", "sheet_of"]


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """One game on the sheet."""

    scored: tuple[int, ...]
    """The scores as they were first written, by seat."""
    scored_at_s: float
    """When, seconds of the epoch."""
    edits: tuple[CellEdit, ...]
    """Edits of its cells, in order."""
    winner: int
    """Who won it."""
    surplus: int = 0
    """What the scores sum to by the rules."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores as they stand."""
        now = list(self.scored)
        for edit in self.edits:
            now[edit.seat] = edit.points
        return tuple(now)

    @property
    def check(self) -> Problem | None:
        """What is wrong with the sum."""
        return check_scores(self.scores, self.surplus)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet of a match."""

    games: tuple[ScoredGame, ...]
    """Games that are over."""
    state: GameState
    """The match with the scores as they stand."""
    agreed: int | None
    """Who wins the match by agreement."""
    per_round: int
    """How many games a round has."""

    @property
    def leader(self) -> int | None:
        """Who wins the match if it ends now; None where that is open."""
        now = self.state.standing
        if now is None:
            return None
        return now.leader if now.leader is not None else self.agreed


def sheet_of(ledger: Ledger, notes: Sequence[NoteEntry]) -> Sheet:
    """Return the score sheet of a match."""
    edits = cell_edits(notes)
    by_clock = clock_game(notes)
    found = [(result, at, 0) for result, at in zip(by_clock.results, by_clock.scored_at_s, strict=True)]
    for number, event in enumerate(ledger.effective):
        before, after = ledger.before(number), ledger.states[number]
        if isinstance(event, Racks) and len(after.results) > len(before.results):
            sheet = ledger.outcomes[number].sheet
            surplus = sheet.surplus if sheet else 0
            found.append((after.results[-1], ledger.entries[number].recorded_at, surplus))
    games = tuple(
        ScoredGame(result.scores, at, tuple(e for e in edits if e.game == place), result.winner, surplus)
        for place, (result, at, surplus) in enumerate(found)
    )
    results = tuple(GameResult(game.scores, game.winner) for game in games)
    state = replace(ledger.state, results=results)
    return Sheet(games, state, agreed_winner(notes), games_in_round(max(1, len(state.players))))
