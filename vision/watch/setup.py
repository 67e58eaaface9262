"""What is agreed before the watching begins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from referee import Faces, RefereeError, Rules, StartMatch, edition
from referee.editions import VARIANTS
from vision.readings import Corners
from vision.watch.types import Signal

HouseRules = tuple[tuple[str, str | int | None], ...]


@dataclass(frozen=True, slots=True, eq=False)
class WatchSetup:
    """Who plays, by which rules, and where in the picture. RefereeError where that cannot be played."""

    players: tuple[str, ...]
    """Names, by seat; the first starts."""
    edition: str = "ru"
    """The edition's code."""
    house_rules: HouseRules = ()
    """House rules on top of it, by axis."""
    variant: str | None = None
    """A variant on top of the edition, such as ``river``."""
    turn_seconds: int | None = None
    """The time a turn may take; None for the edition's own."""
    automatic: bool = True
    """Whether a turn may end by itself; False where only the button ends it."""
    draws_told: bool = False
    """Whether every draw and pass is told by a button or a signal; then the pool in view tells of none."""
    draws_told_apart: bool = False
    """Whether draws and passes are told otherwise than other ends of turns, which then tell of a play."""
    only_plays_told: bool = False
    """Whether nothing but ends of turns is told: draws, and what is put back, may be seen and not told."""
    area_xy_px: Corners | None = None
    """The part of the picture that is the table; None for all of it."""
    river_xy_px: Corners | None = None
    """The part in which the river is laid out; never a set. None where there is none."""
    opened: tuple[bool | None, ...] | None = None
    """Who has opened already, where watching begins in mid-game; None within it for whom that is not known."""
    rack_sizes: tuple[int | None, ...] | None = None
    """How many tiles each holds, where watching begins in mid-game."""
    extras: dict[str, Any] = field(default_factory=dict)
    """What the caller wants to find again with the setup; it is not looked at."""

    def __post_init__(self) -> None:
        """Refuse what no match can begin with."""
        rules = self.rules
        if not 2 <= len(self.players) <= rules.players_max:
            raise RefereeError(f"a match has 2 to {rules.players_max} players, not {len(self.players)}")
        for given, what in ((self.opened, "who has opened"), (self.rack_sizes, "rack sizes")):
            if given is not None and len(given) != len(self.players):
                raise RefereeError(f"{what} must be told for {len(self.players)} players, not {len(given)}")

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        rules = edition(self.edition).rules
        if self.variant is not None:
            if self.variant not in VARIANTS:
                raise RefereeError(f"there is no variant {self.variant!r}")
            rules = rules.with_house_rules(VARIANTS[self.variant])
        return rules.with_house_rules(dict(self.all_house_rules))

    @property
    def whole_pool(self) -> int | None:
        """How many tiles the pool holds before the first turn; None where watching begins in mid-game."""
        if self.opened is not None or self.rack_sizes is not None:
            return None
        return self.rules.inventory.total - self.rules.rack_size * len(self.players)

    @property
    def racks_counted(self) -> bool:
        """True where it is known how many tiles each player held as watching began in the middle of a game."""
        return self.rack_sizes is not None and None not in self.rack_sizes

    @property
    def faces(self) -> Faces:
        """What is printed on the tiles."""
        return edition(self.edition).faces

    def told_by(self, signals: Iterable[Signal]) -> WatchSetup:
        """Return the setup for a recording whose signals are known beforehand.

        Where they tell ends of turns, no play ends by itself; where they tell draws or passes, they tell all.
        """
        kinds = {signal.kind for signal in signals}
        tell_draws = bool(kinds & {"draw", "pass"})
        return replace(
            self,
            automatic=self.automatic and "end-turn" not in kinds,
            draws_told=self.draws_told or tell_draws,
            only_plays_told=self.only_plays_told or kinds == {"end-turn"},
            draws_told_apart=self.draws_told_apart or tell_draws,
        )

    @property
    def all_house_rules(self) -> HouseRules:
        """The house rules with the turn's time among them."""
        if self.turn_seconds is None:
            return self.house_rules
        others = tuple(rule for rule in self.house_rules if rule[0] != "turn_seconds")
        return (*others, ("turn_seconds", self.turn_seconds))

    @property
    def start(self) -> StartMatch:
        """The event with which the log begins."""
        return StartMatch(self.players, self.edition, self.all_house_rules, self.variant)
