"""A position as an integer programme: which sets stay, which are laid, which tiles are played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from referee.axes import Rules
from referee.jokers import IndexSet
from referee.solver_clause import Fresh, add_clause, has_clause
from referee.solver_milp import Programme
from referee.solver_sets import SHORT_RUN, buildable, catalogue, same_tiles, set_values, unlike
from referee.tiles import ALL_TILES, JOKER, Tile

__all__ = ["QUESTIONS", "Built", "Position", "Question", "build", "rack_value"]

Question = Literal["any", "most-tiles", "most-points", "fewest-sets", "smallest-opening"]
"""Any move at all; the most tiles; the most points; the fewest sets of the table touched; the least opening."""

QUESTIONS: Final[tuple[Question, ...]] = ("any", "most-tiles", "most-points", "fewest-sets", "smallest-opening")

_J: Final = JOKER.index


def rack_value(tile: Tile, rules: Rules) -> int:
    """What a tile costs that is left on a rack."""
    return rules.joker_points if tile.number is None else tile.number


@dataclass(frozen=True, slots=True)
class Position:
    """A question about a table and a rack of sure tiles."""

    old: tuple[IndexSet, ...]
    """The sets on the table."""
    held: Counter[int]
    """The rack, by index in ``ALL_TILES``."""
    rules: Rules
    """The rules that are played by."""
    question: Question
    """What is to be best."""
    opening: bool
    """True where the move has to be an opening."""
    beyond_question: bool
    """True where the referee should have nothing to ask about the move."""

    @property
    def uses_table(self) -> bool:
        """True where a best move may need the table's tiles.

        An opening that builds on the table as well is no better than its own sets alone, unless tiles count.
        """
        if not self.opening:
            return True
        allowed = ("yes",) if self.beyond_question else ("yes", "ask")
        return self.question == "most-tiles" and self.rules.opening_build in allowed

    @property
    def has_clause(self) -> bool:
        """True where rules on jokers, or on taking sets apart, may forbid what the sets alone allow."""
        return self.uses_table and has_clause(self.old, self.rules, self.beyond_question)

    @property
    def jokers_on_table(self) -> int:
        """How many jokers lie on the table."""
        return sum(tiles.count(_J) for tiles in self.old)


@dataclass(frozen=True, slots=True)
class Built:
    """A programme, and what its variables mean."""

    programme: Programme
    """The programme."""
    old: tuple[IndexSet, ...]
    """The sets on the table."""
    keep: tuple[int, ...]
    """The 0-1 variable of each: it stays."""
    fresh: tuple[Fresh, ...]
    """The sets that may be laid."""

    def chosen(self, values: Sequence[int]) -> tuple[list[int], list[IndexSet]]:
        """The places of the sets that stay, and the sets that are laid; what is laid again as it was stays."""
        laid = [one.tiles for one in self.fresh for _ in range(values[one.variable])]
        kept = []
        for row, (tiles, keep) in enumerate(zip(self.old, self.keep, strict=True)):
            again = next((at for at, other in enumerate(laid) if same_tiles(other) == same_tiles(tiles)), None)
            if values[keep]:
                kept.append(row)
            elif again is not None:
                kept.append(row)
                del laid[again]
        return kept, laid


def build(position: Position, *, with_clause: bool, longest_run: int | None = None) -> Built:
    """Build the programme of ``position``, with runs of up to ``longest_run`` tiles, of any length without it.

    Without its clause, every set is once in it, however it lies, and short runs are enough.
    """
    longest = position.rules.sets.longest_run if longest_run is None else longest_run
    return _Builder(position, with_clause, longest if with_clause else SHORT_RUN).build()


class _Builder:
    def __init__(self, position: Position, with_clause: bool, longest_run: int) -> None:
        self._position = position
        self._longest_run = longest_run
        self._with_clause = with_clause
        self._programme = Programme()
        self._played: dict[int, int] = {}
        self._fresh: list[Fresh] = []
        self._own: list[Fresh] = []
        self._table = Counter(index for tiles in position.old for index in tiles)
        self._most = sum(position.held.values()) + position.held[_J] + 1
        self._supply = [0] * len(ALL_TILES)
        for index, count in position.held.items():
            if index != _J or self._may_open_with_joker:
                self._supply[index] = count

    def build(self) -> Built:
        position = self._position
        for index in sorted(position.held):
            self._played[index] = self._programme.variable(self._supply[index], self._tile_cost(index))
        if position.opening:
            self._opening_sets()
        touched = self._most if position.question == "fewest-sets" else 1
        keep = tuple(self._programme.variable(1, -touched) for _ in position.old)
        if position.uses_table:
            self._table_sets()
        else:
            for variable in keep:
                self._programme.row({variable: 1}, at_least=1)
        self._tiles(keep)
        self._programme.row(dict.fromkeys(self._played.values(), 1), at_least=1)
        if self._with_clause:
            add_clause(
                self._programme,
                position.old,
                keep,
                self._fresh,
                self._played,
                position.rules,
                beyond_question=position.beyond_question,
            )
        return Built(self._programme, position.old, keep, tuple(self._fresh))

    @property
    def _may_open_with_joker(self) -> bool:
        if not self._position.opening:
            return True
        allowed = ("yes",) if self._position.beyond_question else ("yes", "ask")
        return self._position.rules.opening_joker in allowed

    # --- costs: what is asked for weighs more than all that comes second ----------------------------------

    def _tile_cost(self, index: int) -> float:
        position = self._position
        sets = len(position.old) + 1
        match position.question:
            case "most-tiles":
                return -sets * (_POINTS if position.opening else 1)
            case "most-points":
                return -1 if position.opening else -sets * rack_value(ALL_TILES[index], position.rules)
            case "fewest-sets":
                return -1
            case "smallest-opening":
                return 2 if index == _J else 1  # a joker is worth keeping
            case "any":
                return 0

    def _opening_cost(self, points: int) -> float:
        match self._position.question:
            case "most-points":
                return -self._most * points
            case "smallest-opening":
                return self._most * points
            case "most-tiles":
                return -points
            case _:
                return 0

    # --- sets -----------------------------------------------------------------------------------------------

    def _opening_sets(self) -> None:
        """Sets from the rack alone, as laid, worth enough between them."""
        rules = self._position.rules
        enough: dict[int, float] = {}
        least: dict[int, float] = {}
        jokers = self._supply[_J]
        for tiles in buildable(catalogue(rules.sets, jokers, rules.sets.longest_run), self._supply):
            points, poorer = set_values(tiles, rules.sets)
            one = self._add(tiles, self._opening_cost(points))
            self._own.append(one)
            if rules.opening_sets == "one":
                points, poorer = int(points >= rules.opening_points), int(poorer >= rules.opening_points)
            enough[one.variable] = points
            least[one.variable] = poorer
        need = 1 if rules.opening_sets == "one" else rules.opening_points
        self._programme.row(least if self._position.beyond_question else enough, at_least=need)

    def _table_sets(self) -> None:
        """Sets from table and rack together."""
        for index, count in self._table.items():
            self._supply[index] += count
        rules = self._position.rules.sets
        found = buildable(catalogue(rules, self._supply[_J], self._longest_run), self._supply)
        if not self._with_clause:
            found = unlike(found)
        for tiles in found:
            self._add(tiles, 0)

    def _add(self, tiles: IndexSet, cost: float) -> Fresh:
        jokers = tiles.count(_J)
        upper = min(self._supply[index] // (jokers if index == _J else 1) for index in tiles)
        one = Fresh(tiles, self._programme.variable(upper, cost), upper)
        self._fresh.append(one)
        return one

    def _tiles(self, keep: Sequence[int]) -> None:
        """What is laid is what was on the table and what is played; an opening is made of what is played."""
        rows: dict[int, dict[int, float]] = {index: {} for index in {*self._table, *self._position.held}}
        for variable, tiles in (
            *((one.variable, one.tiles) for one in self._fresh),
            *zip(keep, self._position.old, strict=True),
        ):
            for index in tiles:
                rows[index][variable] = rows[index].get(variable, 0) + 1
        for index, terms in rows.items():
            if index in self._played:
                terms[self._played[index]] = -1
            count = self._table[index]
            self._programme.row(terms, at_least=count, at_most=count)
        if self._position.uses_table:
            for index, variable in self._played.items():
                own: dict[int, float] = {
                    one.variable: one.tiles.count(index) for one in self._own if index in one.tiles
                }
                if own:
                    self._programme.row({**own, variable: -1}, at_most=0)


_POINTS: Final = 2000
"""More than any opening is worth."""
