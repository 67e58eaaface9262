"""What the rules ask of jokers and of sets that were on the table, as rows of the integer programme.

These rows say what ``referee.jokers`` and ``referee.turns`` say, for every table at once. A joker of a set that
changes needs a slot in a new set; which slots will do depends on whether it stays what it was or comes free.
That all of them find slots at once is Hall's condition: no few of them have fewer slots between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from referee.axes import Rules
from referee.jokers import IndexSet
from referee.readings import readings
from referee.solver_milp import Programme
from referee.solver_sets import same_tiles, stands_for
from referee.tiles import JOKER

__all__ = ["Fresh", "add_clause", "has_clause"]

_J: Final = JOKER.index

_Slot = tuple[int, int]
"""A place for a joker: the number of a fresh set, and the place in it."""

_Part = tuple[frozenset[int], int]
"""A legal set or a part of one: its natural tiles, of which no two are of a kind, and how many jokers."""


def _part(tiles: Iterable[int]) -> _Part:
    listed = list(tiles)
    return frozenset(listed) - {_J}, listed.count(_J)


@dataclass(frozen=True, slots=True)
class Fresh:
    """A set that may be laid anew."""

    tiles: IndexSet
    """Its tiles, as laid."""
    variable: int
    """How often it is laid."""
    upper: int
    """How often there are tiles for it."""

    kinds: frozenset[int] = field(init=False)
    """The natural tiles in it; a legal set has no two of one kind."""
    jokers: int = field(init=False)
    """How many jokers are in it."""

    def __post_init__(self) -> None:
        """Work out once what many rows ask."""
        object.__setattr__(self, "kinds", frozenset(self.tiles) - {_J})
        object.__setattr__(self, "jokers", self.tiles.count(_J))

    def holds(self, part: _Part) -> bool:
        """True where all of ``part`` is in it."""
        return part[0] <= self.kinds and part[1] <= self.jokers


def has_clause(old: Sequence[IndexSet], rules: Rules, beyond_question: bool) -> bool:
    """True where a rule may forbid some table although its sets are legal and no tile is missing."""
    if rules.rearrange == "no" or (beyond_question and rules.rearrange != "yes"):
        return bool(old)
    if not any(_J in tiles for tiles in old):
        return False
    strict = beyond_question or rules.joker_strict == "fault"
    told = rules.joker_reuse != "any" or rules.joker_freed != "any"
    return (strict and told) or rules.joker_sets == "add-only" or rules.group_of_three == "both"


def add_clause(
    programme: Programme,
    old: Sequence[IndexSet],
    keep: Sequence[int],
    fresh: Sequence[Fresh],
    played: Mapping[int, int],
    rules: Rules,
    *,
    beyond_question: bool,
) -> None:
    """Add the rows. ``keep`` has the 0-1 variable of each set of ``old`` that says whether it stays as it is.

    ``played`` has, for each kind on the rack, the variable that counts how many of it are played. With
    ``beyond_question`` nothing may be left that the referee would ask about, else nothing that is a fault.
    """
    _Clause(programme, old, keep, fresh, played, rules, beyond_question).add()


class _Clause:
    def __init__(
        self,
        programme: Programme,
        old: Sequence[IndexSet],
        keep: Sequence[int],
        fresh: Sequence[Fresh],
        played: Mapping[int, int],
        rules: Rules,
        beyond_question: bool,
    ) -> None:
        self._programme = programme
        self._old = old
        self._keep = keep
        self._fresh = fresh
        self._played = played
        self._rules = rules
        self._parts = [_part(tiles) for tiles in old]
        self._beyond = beyond_question
        self._strict = beyond_question or rules.joker_strict == "fault"
        self._ready: dict[int, int] = {}
        self._come: dict[tuple[int, int], int] = {}

    def add(self) -> None:
        """Add every row that the rules call for."""
        self._same_is_kept()
        if self._rules.rearrange != "yes":
            self._extended_only()
        if self._rules.joker_sets == "add-only":
            self._added_to_only()
        frozen = self._rules.joker_reuse == "frozen"
        if frozen and not self._strict:
            return
        jokers = [(row, at) for row, tiles in enumerate(self._old) for at, i in enumerate(tiles) if i == _J]
        if not jokers:
            return
        free = [self._programme.variable(0 if frozen else 1) for _ in jokers]
        for joker, freed in zip(jokers, free, strict=True):
            self._programme.row({freed: 1, self._keep[joker[0]]: 1}, at_most=1)
            if not frozen:
                self._freed(joker, freed)
        self._slots(jokers, free)

    # --- sets of the table ------------------------------------------------------------------------------

    def _same_is_kept(self) -> None:
        """A set laid anew with the tiles of an old one is a second copy: the old one lies unchanged."""
        by_tiles: dict[IndexSet, list[int]] = {}
        for tiles, keep in zip(self._old, self._keep, strict=True):
            by_tiles.setdefault(same_tiles(tiles), []).append(keep)
        for fresh in self._fresh:
            for keep in by_tiles.get(same_tiles(fresh.tiles), ()):
                self._programme.row({fresh.variable: 1, keep: -fresh.upper}, at_most=0)

    def _extended_only(self) -> None:
        """Where sets may not be taken apart, each is kept, or lies whole in a new one."""
        for tiles, keep in zip(self._old, self._keep, strict=True):
            if self._beyond:
                self._programme.row({keep: 1}, at_least=1)
            elif self._rules.rearrange == "no":
                self._any_of(self._containing(_part(tiles)), keep)

    def _added_to_only(self) -> None:
        """A set with a joker is kept, or lies in a new one, whole or with the joker replaced."""
        for tiles, keep in zip(self._old, self._keep, strict=True):
            if _J not in tiles:
                continue
            kinds, jokers = _part(tiles)
            stood = {
                reading.tiles[at].index
                for reading in readings(tiles, self._rules.sets)
                for at, index in enumerate(tiles)
                if index == _J
            }
            wanted = [(kinds, jokers), *((kinds | {index}, jokers - 1) for index in sorted(stood))]
            self._any_of([fresh for some in wanted for fresh in self._containing(some)], keep)

    def _any_of(self, fresh: Iterable[Fresh], keep: int) -> None:
        """The old set is kept, or one of ``fresh`` is laid."""
        self._programme.row({**{one.variable: 1 for one in fresh}, keep: 1}, at_least=1)

    def _containing(self, part: _Part) -> list[Fresh]:
        return [one for one in self._fresh if one.holds(part)]

    # --- how a joker comes free ---------------------------------------------------------------------------

    def _freed(self, joker: tuple[int, int], freed: int) -> None:
        """What has to be so where a joker comes free."""
        row, at = joker
        tiles = self._old[row]
        rules = self._rules
        naturals = frozenset(tiles) - {_J}
        need = sorted(tile.index for tile in stands_for(tiles, at, rules.sets))
        three = rules.group_of_three == "both" and len(tiles) == 3 and tiles.count(_J) == 1
        if three and len(need) > 1:
            by_rack, by_any = self._both_came(naturals, need)
        else:
            by_rack, by_table = self._one_came(row, naturals, need)
            by_any = by_rack + by_table
        if rules.joker_freed == "exact-rack":
            if self._strict:
                self._programme.row({freed: 1, **dict.fromkeys(by_rack, -1)}, at_most=0)
            return
        if three and len({index % 13 for index in naturals}) == 1:
            for one in self._fresh:
                if naturals <= one.kinds and len({index % 13 for index in one.kinds}) == 1:
                    self._only_if(one, freed, by_any)
        if not self._beyond or rules.joker_freed == "any":
            return
        if rules.joker_freed == "replaced":
            self._programme.row({freed: 1, **dict.fromkeys(by_any, -1)}, at_most=0)
            return
        rest = [same_tiles((*naturals, *[_J] * more)) for more in range(tiles.count(_J))]
        for one in self._fresh:
            if same_tiles(one.tiles) in rest:
                self._only_if(one, freed, by_any)

    def _only_if(self, one: Fresh, freed: int, came: Sequence[int]) -> None:
        """``one`` may be laid if the joker does not come free, or something in ``came`` is so."""
        terms = {one.variable: 1, freed: one.upper, **dict.fromkeys(came, -one.upper)}
        self._programme.row(terms, at_most=one.upper)

    def _one_came(self, row: int, naturals: frozenset[int], need: list[int]) -> tuple[list[int], list[int]]:
        """0-1 variables, each true only if a tile took the joker's place: from the rack; from the table."""
        by_rack: list[int] = []
        by_table: list[int] = []
        for index in need:
            covers = [one for one in self._fresh if naturals | {index} <= one.kinds]
            if index in self._played:
                by_rack.append(self._true_if(covers, [self._played[index]]))
            for other, origin in enumerate(self._old):
                if index not in origin or origin == self._old[row]:
                    continue
                kinds, lying = self._parts[other]
                rest = kinds - {index}
                apart = [one for one in covers if rest.isdisjoint(one.kinds) and not (lying and one.jokers)]
                came = self._true_if(apart, [])
                self._programme.row({came: 1, self._keep[other]: 1}, at_most=1)
                by_table.append(came)
        return by_rack, by_table

    def _both_came(self, naturals: frozenset[int], need: list[int]) -> tuple[list[int], list[int]]:
        """As ``_one_came``, where all missing colours come together; the second is from anywhere."""
        covers = [one for one in self._fresh if naturals | set(need) <= one.kinds]
        by_rack = []
        if all(index in self._played for index in need):
            by_rack.append(self._true_if(covers, [self._played[index] for index in need]))
        return by_rack, [self._true_if(covers, [])]

    def _true_if(self, covers: Sequence[Fresh], counts: Sequence[int]) -> int:
        """A 0-1 variable, true only if one of ``covers`` is laid and no count is 0."""
        true = self._programme.variable(1)
        self._programme.row({true: 1, **{one.variable: -1 for one in covers}}, at_most=0)
        for count in counts:
            self._programme.row({true: 1, count: -1}, at_most=0)
        return true

    # --- where a joker goes -------------------------------------------------------------------------------

    def _slots(self, jokers: Sequence[tuple[int, int]], free: Sequence[int]) -> None:
        """Every joker of a changed set finds a slot: Hall's condition for each choice of jokers and ways."""
        stays = [self._staying(joker) for joker in jokers]
        frees = [self._open_to_free(joker) for joker in jokers]
        for ways in product((None, "stays", "free"), repeat=len(jokers)):
            chosen = [at for at, way in enumerate(ways) if way]
            if not chosen:
                continue
            sure: set[_Slot] = set()
            perhaps: set[_Slot] = set()
            for at in chosen:
                sure |= stays[at]
                if ways[at] == "free":
                    sure |= frees[at][0]
                    perhaps |= frees[at][1]
            terms: Counter[int] = Counter(self._fresh[number].variable for number, _ in sure)
            terms.update(self._ready[number] for number, _ in perhaps - sure)
            for at in chosen:
                terms[self._keep[jokers[at][0]]] += 1
                if ways[at] == "stays":
                    terms[free[at]] += 1
            self._programme.row(terms, at_least=len(chosen))

    def _staying(self, joker: tuple[int, int]) -> set[_Slot]:
        """The slots in which a joker stays what it was, beside an old neighbour."""
        row, at = joker
        tiles = self._old[row]
        stood = stands_for(tiles, at, self._rules.sets)
        kinds, lying = self._parts[row]
        found = set()
        for number, one in enumerate(self._fresh):
            if not one.jokers or (kinds.isdisjoint(one.kinds) and (lying == 1 or one.jokers == 1)):
                continue
            for place, index in enumerate(one.tiles):
                if index == _J and (not stood or stood & stands_for(one.tiles, place, self._rules.sets)):
                    found.add((number, place))
        return found

    def _open_to_free(self, joker: tuple[int, int]) -> tuple[set[_Slot], set[_Slot]]:
        """The slots for a joker that comes free: those that will always do; those of sets that may be ready."""
        always: set[_Slot] = set()
        perhaps: set[_Slot] = set()
        reuse = self._rules.joker_reuse
        old = self._parts[joker[0]]
        for number, one in enumerate(self._fresh):
            if not one.jokers or reuse == "frozen":
                continue
            inside = one.holds(old)
            slots = {(number, place) for place, index in enumerate(one.tiles) if index == _J}
            if reuse == "any" or (inside and not self._beyond) or (not inside and not self._strict):
                always |= slots
            elif not inside and self._can_be_ready(number):
                perhaps |= slots
        return always, perhaps

    def _can_be_ready(self, number: int) -> bool:
        """True where the set may take a freed joker; ``_ready`` then counts how often it may.

        It may not where it holds a whole set that was taken off the table, or too few tiles from the rack.
        """
        if number in self._ready:
            return True
        one = self._fresh[number]
        need = {"new+rack": 1, "new+2rack": 2}.get(self._rules.joker_reuse, 0)
        # A second joker that comes from the rack is a tile from the rack, too.
        beside = {index: 1 for index in sorted(one.kinds) if index in self._played}
        if one.jokers > 1 and _J in self._played:
            beside[_J] = one.jokers - 1
        if sum(beside.values()) < need:
            return False
        inside = [row for row, part in enumerate(self._parts) if one.holds(part)]
        if not inside and not need:
            self._ready[number] = one.variable
            return True
        ready = self._programme.variable(one.upper)
        self._programme.row({ready: 1, one.variable: -1}, at_most=0)
        for row in inside:
            self._programme.row({ready: 1, self._keep[row]: -one.upper}, at_most=0)
        if need:
            came = [self._has_come(index, most) for index, most in beside.items()]
            self._programme.row({ready: need, **dict.fromkeys(came, -one.upper)}, at_most=0)
        self._ready[number] = ready
        return True

    def _has_come(self, index: int, most: int) -> int:
        """A variable that is at most ``most`` and at most how many of that kind are played."""
        if (index, most) not in self._come:
            self._come[index, most] = self._programme.variable(most)
            self._programme.row({self._come[index, most]: 1, self._played[index]: -1}, at_most=0)
        return self._come[index, most]
