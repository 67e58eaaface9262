"""A match at one moment, and what the referee says about the events that led there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from referee.axes import Rules
from referee.match import GameResult, Standing, standing
from referee.messages import Note, Problem, Question, Verdict
from referee.scoring import ScoreSheet
from referee.seen import SeenTile
from referee.table import Table
from referee.turns import TurnJudgement

__all__ = ["Change", "GameState", "Outcome", "Phase", "Replay", "replay_json"]

Phase = Literal["no-match", "set-up", "playing", "ended"]
"""Before a match; between games; in a game; a game is over and its racks are to be shown."""


@dataclass(frozen=True, slots=True)
class GameState:
    """A match at one moment."""

    phase: Phase = "no-match"
    """Before a match; between games; in a game; a game is over and its racks are to be shown."""
    players: tuple[str, ...] = ()
    """Names, by seat."""
    rules: Rules = field(default_factory=Rules)
    """The rules in force."""
    games: int | None = None
    """How many games the match has; None where that is open."""
    to_points: int | None = None
    """The points that end the match; None where it is not played to points."""
    starter: int | None = None
    """Who starts the next game, or started this one; None before that is drawn."""
    drawing: tuple[int, ...] = ()
    """Who has to draw again for the start."""
    turn: int | None = None
    """Whose turn it is; None outside a game."""
    turn_began_s: float | None = None
    """When the turn began, seconds; None where no clock is told."""
    table: Table = field(default_factory=Table)
    """The table at the beginning of the turn."""
    racks: tuple[int, ...] = ()
    """How many tiles each player holds."""
    opened: tuple[bool, ...] = ()
    """Who has opened."""
    pool: int = 0
    """How many tiles are left to draw."""
    river: tuple[SeenTile, ...] = ()
    """The open discards, in the order in which they were laid."""
    passes: int = 0
    """How many have passed in a row."""
    turns_without_pool: int = 0
    """How many turns were taken since the pool ran out."""
    out: int | None = None
    """Who went out."""
    declared: int | None = None
    """Who called "Rummikub!" in this turn."""
    results: tuple[GameResult, ...] = ()
    """The games that are over and scored."""

    @property
    def tiles(self) -> int:
        """How many tiles are on table, racks, pool and river together."""
        return sum(1 for _ in self.table.tiles()) + self.pool + sum(self.racks) + len(self.river)

    @property
    def standing(self) -> Standing | None:
        """How the match stands; None before a game is scored."""
        return standing(self.results, self.rules) if self.results else None

    @property
    def match_over(self) -> bool:
        """True once the agreed games are played, or someone has the agreed points."""
        now = self.standing
        if now is None:
            return False
        enough = self.games is not None and len(self.results) >= self.games
        return enough or (self.to_points is not None and max(now.points) >= self.to_points)

    def seconds_left(self, now_s: float) -> float | None:
        """What the turn's clock shows at ``now_s``, below zero past the time; None without a clock."""
        if self.rules.turn_seconds is None or self.turn_began_s is None:
            return None
        return self.turn_began_s + self.rules.turn_seconds - now_s


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the referee says about one event."""

    number: int
    """The event's number in the log, from 0."""
    verdict: Verdict
    """Legal: it counts. Illegal: it does not. Ask: it counts until it is ruled otherwise."""
    problems: tuple[Problem, ...] = ()
    """Faults; some, such as a tile missing in the count, do not stop the event from counting."""
    questions: tuple[Question, ...] = ()
    """What has to be answered."""
    notes: tuple[Note, ...] = ()
    """What a player may want to know besides."""
    turn: TurnJudgement | None = None
    """The judgement of a play."""
    sheet: ScoreSheet | None = None
    """The score of a game whose racks were shown."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A log, gone through."""

    state: GameState
    """The match after the last event."""
    outcomes: tuple[Outcome, ...]
    """What is to be said of every event, in order."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a correction changed for one event."""

    number: int
    """The event's number in the log."""
    before: Outcome
    """What was said of it."""
    after: Outcome
    """What is said of it now."""


def replay_json(kept: Replay) -> dict[str, Any]:
    """Return a replay as plain values for JSON: the state, and the outcome of every event.

    The same log always gives the same values in the same order, so two replays can be compared byte for byte.
    """
    state = kept.state
    now = state.standing
    return {
        "phase": state.phase,
        "players": list(state.players),
        "rules": state.rules.values(),
        "games": state.games,
        "to_points": state.to_points,
        "starter": state.starter,
        "drawing": list(state.drawing),
        "turn": state.turn,
        "turn_began_s": state.turn_began_s,
        "table": str(state.table),
        "racks": list(state.racks),
        "opened": list(state.opened),
        "pool": state.pool,
        "river": [str(seen) for seen in state.river],
        "passes": state.passes,
        "turns_without_pool": state.turns_without_pool,
        "out": state.out,
        "declared": state.declared,
        "results": [{"scores": list(game.scores), "winner": game.winner} for game in state.results],
        "games_won": list(now.games_won) if now else [],
        "points": list(now.points) if now else [],
        "leader": now.leader if now else None,
        "match_over": state.match_over,
        "outcomes": [
            {
                "verdict": outcome.verdict,
                "problems": [
                    {"code": told.code, "tiles": [str(seen) for seen in told.tiles], "message": told.message}
                    for told in outcome.problems
                ],
                "questions": [
                    {"code": told.code, "message": told.message, "answers": list(told.answers)}
                    for told in outcome.questions
                ],
                "notes": [{"code": told.code, "message": told.message} for told in outcome.notes],
            }
            for outcome in kept.outcomes
        ],
    }
