"""What may be asked of a game to be filmed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from datasets.games.fouls import KINDS
from datasets.games.script import Difficulty
from referee.axes import Rules
from referee.editions import edition as edition_of

Signals = Literal["all", "quiet", "none"]
Side = Literal["near", "right", "far", "left"]

SIDES: dict[int, tuple[Side, ...]] = {
    2: ("near", "far"),
    3: ("near", "right", "far"),
    4: ("near", "right", "far", "left"),
}
NAMES = ("Anna", "Boris", "Clara", "Dmytro", "Esther", "Felix", "Galina", "Hugo", "Irina", "Jakob")
"""Who may play."""

MOST_ON_TABLE = 78
"""Nobody lays more than this many tiles on the table."""

_SHORTEST_CLOCK_S = 25.0


class GameError(ValueError):
    """A game that cannot be drawn as it was asked for; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a game should be like."""

    seed: int
    """Settles everything."""
    players: int = 3
    """2 to 4."""
    edition: str = "ru"
    """Whose rules."""
    turns: int = 30
    """How many turns at most, put-backs among them."""
    difficulty: Difficulty = "normal"
    """How much goes on besides."""
    fouls: tuple[str, ...] | None = None
    """Kinds of fouls to put in; None for every kind that is illegal by the edition, in whole games."""
    foul_rate: float = 0.15
    """The share of turns in which a foul is tried."""
    turn_seconds: float | None = None
    """A clock, and time-outs with it; None for none."""
    pace: float = 1.0
    """2 is twice as fast."""
    half_size: tuple[float, float] | None = None
    """Half the part of the table in view, tile widths; None for what fits."""
    signals: Signals = "all"
    """What the players press."""
    middle_game: bool = False
    """True to begin with tiles on the table."""
    pool_in_view: bool | None = None
    """Whether the pool lies in view; None leaves it to the seed."""
    another_way: float = 0.2
    """How often a foul is put right by another legal table, where there is one, in place of the old one."""

    def check(self) -> Rules:
        """Return the rules; GameError for what cannot be played."""
        rules = edition_of(self.edition).rules
        if self.players not in SIDES:
            raise GameError(f"2 to 4 can play a filmed game, not {self.players}")
        if self.turns < 1:
            raise GameError(f"a game has at least one turn, not {self.turns}")
        for kind in self.fouls or ():
            if kind not in KINDS:
                raise GameError(f"there is no kind of foul {kind!r}; the kinds are {', '.join(KINDS)}")
        if self.turn_seconds is not None and self.turn_seconds < _SHORTEST_CLOCK_S:
            raise GameError(f"a filmed turn takes up to {_SHORTEST_CLOCK_S:.0f} s, not {self.turn_seconds}")
        if not 0.3 <= self.pace <= 4:
            raise GameError(f"the pace is 0.3 to 4, not {self.pace}")
        return rules
