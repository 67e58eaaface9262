"""The rule axes: what editions and house rules may differ in.

``Rules`` is one complete choice; ``AXES`` describes each of its fields, its values and its unit, so that house
rules can be checked and offered. Editions themselves are in ``referee.editions``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Literal

from referee.errors import RefereeError
from referee.readings import SetRules
from referee.tiles import Colour, Inventory

__all__ = ["AXES", "Axis", "AxisValue", "Rules", "RulesError"]

AxisValue = str | int | None
"""What an axis may be set to; None stands for none, or for unset."""


class RulesError(RefereeError):
    """An axis that does not exist, or a value that it does not take."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: its name is a field of ``Rules``."""

    name: str
    """The field's name."""
    meaning: str
    """What it decides, one sentence."""
    values: tuple[AxisValue, ...] = ()
    """The words that it takes; also None where the axis may be left unset."""
    low: int | None = None
    """The least number that it takes, if it takes numbers."""
    high: int | None = None
    """The greatest number that it takes."""
    unit: str = ""
    """The numbers' unit."""

    def check(self, value: object) -> AxisValue:
        """Return ``value`` if the axis takes it; RulesError with what it does take otherwise."""
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if is_number and self.low is not None and self.high is not None:
            if self.low <= value <= self.high:  # type: ignore[operator]
                return value  # type: ignore[return-value]
        elif (value is None or isinstance(value, str) or is_number) and value in self.values:
            return value
        takes = [str(word) if word is not None else "null" for word in self.values]
        if self.low is not None:
            takes.append(f"{self.low} to {self.high} {self.unit}".strip())
        raise RulesError(f"{self.name} takes {', '.join(takes)}, not {value!r}")


YesNo = Literal["yes", "ask", "no"]


@dataclass(frozen=True, slots=True)
class Rules:
    """One choice on every axis. The defaults are the dossier's default profile."""

    copies: int = 2
    """How many of each natural tile the box holds."""
    jokers: int = 2
    """How many jokers the box holds."""
    colours: str = "RBKO"
    """The box's colours, by their letters."""
    highest: int = 13
    """The box's highest number."""
    players_max: int = 4
    """How many may play; two at least."""
    rack_size: int = 14
    """Tiles dealt to each player."""
    ace: Literal["low", "high-or-low"] = "low"
    """Whether 1 may also follow the highest number at the end of a run."""
    run_order: Literal["ask", "any", "laid"] = "ask"
    """A run that lies out of order: asked about, taken as sorted, or a fault."""
    opening_points: int = 30
    """What the first play must be worth; 0 means that there is no opening."""
    opening_sets: Literal["several", "one"] = "several"
    """Whether several sets together may reach the opening points, or one set must."""
    opening_joker: YesNo = "yes"
    """Whether the opening may hold a joker from the rack."""
    opening_build: YesNo = "no"
    """Whether the table may be used in the turn of the opening, once the points lie."""
    rack_tile: YesNo = "yes"
    """Whether a turn that changes the table must add a tile from the rack."""
    rearrange: YesNo = "yes"
    """Whether sets on the table may be taken apart; with ``no``, additions are asked about."""
    crossing: Literal["yes", "no"] = "no"
    """Whether a tile may lie in a group and a run at once (French variant)."""
    river: Literal["yes", "no"] = "no"
    """Whether drawn tiles are discarded to an open row that players may take up (River variant)."""
    joker_freed: Literal["any", "figures", "replaced", "exact-rack"] = "figures"
    """What frees a joker: any manoeuvre; what the printed figures show; its tile from anywhere; its tile from
    the rack. What goes beyond is asked about, with ``exact-rack`` a fault."""
    joker_reuse: Literal["any", "new", "new+rack", "new+2rack", "frozen"] = "new"
    """Where a freed joker goes: any set; a new one; a new one with one or two tiles from the rack; nowhere."""
    joker_strict: Literal["ask", "fault"] = "ask"
    """Whether a joker that goes elsewhere is asked about or a fault."""
    joker_sets: Literal["free", "add-only"] = "free"
    """Whether sets with a joker may be taken apart, or only added to."""
    group_of_three: Literal["one", "both"] = "one"
    """Whether one missing colour frees the joker of a group of three, or only both."""
    turn_seconds: int | None = 60
    """Time for a turn, in seconds; None for no limit."""
    timeout_untouched: int | None = 1
    """Tiles drawn for a time-out with nothing moved; None where the sheet is silent."""
    timeout_restorable: int | None = 3
    """Tiles drawn for a time-out where the table can be put back."""
    timeout_unrestorable: int | None = 3
    """Tiles drawn for a time-out where it cannot."""
    timeout_strays: Literal["pool", "rack", "under-pool"] = "pool"
    """Where tiles go that nobody can place: mixed into the pool, to the offender, or under the pool with as
    many more drawn."""
    draw: int = 1
    """Tiles drawn by a player who plays nothing."""
    pool_empty: Literal["stuck", "one-turn", "must-play"] | None = "stuck"
    """With an empty pool the game goes on until all pass in a row; for one turn each; or while players must
    play if they can. None: ask at set-up."""
    none_out: Literal["sum", "tiles"] = "sum"
    """Who wins where nobody goes out: the lowest sum, or the fewest tiles."""
    match_by: Literal["games", "points"] = "games"
    """What decides a match; games that tie fall back on points."""
    joker_points: int = 30
    """Points of a joker left on a rack."""
    never_opened: Literal["none", "opponents"] | int = "none"
    """What befalls a loser who never opened: nothing more; his points to each other player, not to the winner
    alone; or a fixed loss in place of what he holds."""
    inventory: Inventory = field(init=False, repr=False, compare=False)
    """The box."""
    sets: SetRules = field(init=False, repr=False, compare=False)
    """What a set looks like."""

    def __post_init__(self) -> None:
        """Check every axis and build the box."""
        for axis in AXES.values():
            axis.check(getattr(self, axis.name))
        colours = tuple(colour for colour in Colour if colour.letter in self.colours)
        box = Inventory(self.copies, self.jokers, colours, tuple(range(1, self.highest + 1)))
        object.__setattr__(self, "inventory", box)
        object.__setattr__(
            self, "sets", SetRules.of(box, ace_high=self.ace == "high-or-low", order=self.run_order)
        )

    def with_house_rules(self, changes: Mapping[str, object]) -> Rules:
        """Return these rules with some axes set otherwise; RulesError for an unknown axis or value."""
        for name, value in changes.items():
            if name not in AXES:
                raise RulesError(f"there is no rule axis {name!r}; the axes are {', '.join(AXES)}")
            AXES[name].check(value)
        return replace(self, **changes)  # type: ignore[arg-type]

    def values(self) -> dict[str, AxisValue]:
        """Every axis with its value, in order."""
        return {name: getattr(self, name) for name in AXES}


_YES_NO: Final = ("yes", "ask", "no")

_ALL_COLOURS: Final = tuple(
    "".join(colour.letter for place, colour in enumerate(Colour) if chosen >> place & 1)
    for chosen in range(15, 0, -1)
)

AXES: Final[Mapping[str, Axis]] = MappingProxyType(
    {
        axis.name: axis
        for axis in (
            Axis("copies", "Copies of each tile in the box.", low=1, high=8, unit="tiles"),
            Axis("jokers", "Jokers in the box.", low=0, high=8, unit="tiles"),
            Axis("colours", "Colours in the box, by their letters.", _ALL_COLOURS),
            Axis("highest", "The highest number in the box.", low=3, high=13),
            Axis("players_max", "The most players.", low=2, high=6, unit="players"),
            Axis("rack_size", "Tiles dealt to each player.", low=1, high=20, unit="tiles"),
            Axis("ace", "Whether 1 may follow the highest number.", ("low", "high-or-low")),
            Axis("run_order", "What becomes of a run that lies out of order.", ("ask", "any", "laid")),
            Axis("opening_points", "What the first play must be worth.", low=0, high=100, unit="points"),
            Axis("opening_sets", "Whether one set must reach the opening points.", ("several", "one")),
            Axis("opening_joker", "Whether the opening may hold a joker.", _YES_NO),
            Axis("opening_build", "Whether the opening turn may go on to use the table.", _YES_NO),
            Axis("rack_tile", "Whether every change of the table needs a tile from the rack.", _YES_NO),
            Axis("rearrange", "Whether sets on the table may be taken apart.", _YES_NO),
            Axis("crossing", "Whether a tile may lie in a group and a run at once.", ("yes", "no")),
            Axis("river", "Whether there is an open row of discards.", ("yes", "no")),
            Axis("joker_freed", "What frees a joker.", ("any", "figures", "replaced", "exact-rack")),
            Axis(
                "joker_reuse",
                "Where a freed joker may go.",
                ("any", "new", "new+rack", "new+2rack", "frozen"),
            ),
            Axis("joker_strict", "Whether a joker that goes elsewhere is a fault.", ("ask", "fault")),
            Axis("joker_sets", "Whether sets with a joker may be taken apart.", ("free", "add-only")),
            Axis("group_of_three", "Which colours free the joker of a group of three.", ("one", "both")),
            Axis("turn_seconds", "Time for a turn.", (None,), 15, 3600, "seconds"),
            Axis("timeout_untouched", "Tiles for a time-out, nothing moved.", (None,), 0, 14, "tiles"),
            Axis("timeout_restorable", "Tiles for a time-out, put back.", (None,), 0, 14, "tiles"),
            Axis("timeout_unrestorable", "Tiles for a time-out, not put back.", (None,), 0, 14, "tiles"),
            Axis("timeout_strays", "Where tiles without a place go.", ("pool", "rack", "under-pool")),
            Axis("draw", "Tiles drawn instead of a play.", low=1, high=3, unit="tiles"),
            Axis("pool_empty", "How a game goes on without a pool.", ("stuck", "one-turn", "must-play", None)),
            Axis("none_out", "Who wins where nobody goes out.", ("sum", "tiles")),
            Axis("match_by", "What decides a match.", ("games", "points")),
            Axis("joker_points", "Points of a joker left on a rack.", low=0, high=200, unit="points"),
            Axis(
                "never_opened",
                "What befalls a loser who never opened.",
                ("none", "opponents"),
                1,
                500,
                "points",
            ),
        )
    }
)
"""Every axis by name, in the order of ``Rules``."""
