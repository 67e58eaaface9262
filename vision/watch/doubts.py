"""From a table as it lies to what is said of a turn: whatever was not seen surely becomes a question.

Before anyone is accused, the turn is judged again with everything open that could have been misseen: tiles
read less than very surely, cuts between sets that touch, tiles that changed into one that looks alike. Only a
fault that survives all this is called one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from itertools import groupby

import numpy as np

from referee import ANY_TILE, Colour, Question, SeenTile, SetRules, Table, Tile, judge_set
from vision.beyond import missing
from vision.readings import Corners
from vision.watch.court import Court
from vision.watch.finding import Finding
from vision.watch.recut import recut
from vision.watch.strays import strays, without
from vision.watch.types import LyingSet, LyingTable, LyingTile

__all__ = [
    "changed_places",
    "find",
    "goes_on",
    "in_bad_sets",
    "only_hidden_went",
    "same_in_view",
    "same_table",
    "trusted",
    "unread",
    "went_from",
]

_ELSEWHERE = 0.5
"""Tile widths from which on a tile has been put elsewhere."""
_FAULT_BAR = 0.99
"""A tile read less surely than this is open to its other readings before it makes a fault."""
_LISTED = 0.001
"""Readings under this are not opened."""


def find(
    court: Court,
    before: LyingTable,
    after: LyingTable,
    *,
    drew: bool = False,
    accepted: AbstractSet[int] = frozenset(),
    unseen: AbstractSet[int] = frozenset(),
    seat: int | None = None,
    opened: bool | None = None,
) -> Finding:
    """Say what is to be said if the turn ends with ``after`` on the table.

    ``accepted`` are the keys of tiles in sets that were called illegal and that the players left so: they are
    not judged while they lie unchanged, and nobody is accused over them. ``unseen`` are those that were out of
    view when the turn before ended, and ever since: nobody is accused of taking them, nor what was never read.
    ``seat`` is whose turn it is, and ``opened`` whether that player has opened, where that is not what the
    court keeps.
    """
    before, after = _without(accepted, before, after), _without(accepted, after, before)
    old = trusted(before, before)
    finding = court.judge(old, trusted(after, before), drew=drew, seat=seat, opened=opened)
    if finding.verdict != "illegal":
        return finding
    for question, table in _otherwise(before, after, finding, court.rules.sets):
        other = court.judge(old, table, drew=drew, seat=seat, opened=opened)
        if other.verdict != "illegal":
            beyond = question.code == "goes-beyond?"  # what may be there is not asked about by itself
            return finding.asking(question, *(() if beyond else other.questions))
    if gone := (unseen | unread(before)) & before.keys - after.keys:
        # Whoever laid it may have taken it back before the turn was over.
        asked = tuple(tile.seen for tile in before.tiles if tile.key in gone)
        rest = without(before, gone)
        other = court.judge(trusted(rest, rest), trusted(after, before), drew=drew, seat=seat, opened=opened)
        if other.verdict != "illegal":
            return finding.asking(Question("really-so?", asked, ("yes", "no")), *other.questions)
    disputed = {key for row in after.rows - before.rows for key in row if key in accepted}
    shown = tuple(tile.seen for tile in after.tiles if tile.key in disputed)
    if shown and all(not problem.tiles or set(problem.tiles) & set(shown) for problem in finding.problems):
        return finding.asking(Question("really-so?", shown, ("yes", "no")))
    return finding


def goes_on(court: Court, before: LyingTable, foul: LyingTable, now: LyingTable, seat: int) -> bool:
    """True where an illegal turn's sets lie as they were left, and the rest is a legal turn of ``seat``."""
    if same_table(foul, now):
        return False
    left = foul.rows - before.rows
    if not left or not left <= now.rows:
        return False
    keys = frozenset(key for one in left for key in one)
    finding = find(court, foul, now, accepted=keys, seat=seat)
    return finding.verdict == "legal" and bool(finding.played)


def _without(accepted: AbstractSet[int], one: LyingTable, other: LyingTable) -> LyingTable:
    """Leave out accepted sets that lie the same in both tables."""
    if not accepted:
        return one
    there = other.rows
    kept = [s for s in one.sets if not (accepted >= set(s.keys) and frozenset(s.keys) in there)]
    return replace(one, sets=tuple(kept))


def same_in_view(one: LyingTable, other: LyingTable) -> bool:
    """True where the same tiles are in view, and lie together in the same sets, whatever is hidden of these."""
    seen = one.in_view
    if seen != other.in_view:
        return False
    return {row & seen for row in one.rows if row & seen} == {row & seen for row in other.rows if row & seen}


def same_table(one: LyingTable, other: LyingTable) -> bool:
    """True where nothing was added, taken or put elsewhere: by the tiles' identity, or by what they show.

    What lies alone in one of them and was not read surely is no change yet: a shadow, or a tile in a hand.
    """
    if _rows_but(strays(one, other), one) == _rows_but(strays(other, one), other):
        return True
    table, another = one.table, other.table
    if not table.is_sure or not another.is_sure:
        return False
    return _faces(table) == _faces(another)


def changed_places(one: LyingTable, other: LyingTable) -> list[Corners]:
    """Return where tiles, (4, 2) each, lie in one of the tables only, or have been put elsewhere."""
    old, new = ({tile.key: tile.corners_xy_px for tile in lying.tiles} for lying in (one, other))
    places = [old[key] for key in old.keys() - new.keys()] + [new[key] for key in new.keys() - old.keys()]
    for key in old.keys() & new.keys():
        away = float(np.linalg.norm(new[key].mean(axis=0) - old[key].mean(axis=0)))
        if away > _ELSEWHERE * float(np.linalg.norm(new[key][1] - new[key][0])):
            places += [old[key], new[key]]
    return places


def _rows_but(alone: AbstractSet[int], lying: LyingTable) -> frozenset[frozenset[int]]:
    return lying.rows - {frozenset({key}) for key in alone}


def went_from(before: LyingTable, now: LyingTable) -> frozenset[int]:
    """The tiles that have left the table, where it lies as before but for them; else none."""
    gone = before.keys - now.keys
    left = {row - gone for row in before.rows} - {frozenset()}
    return gone if left == now.rows else frozenset()


def only_hidden_went(before: LyingTable, now: LyingTable) -> bool:
    """True where the table lies as before, but for tiles that were out of view and have left it."""
    gone = went_from(before, now)
    return bool(gone) and gone <= before.hidden


def _faces(table: Table) -> list[tuple[int, ...]]:
    return sorted(tuple(sorted(seen.index for seen in tiles)) for tiles in table.sets)


def trusted(lying: LyingTable, baseline: LyingTable) -> Table:
    """Return the table with tiles that are hidden in a set of the baseline taken for what they were there."""
    known = baseline.rows
    tiles = {tile.key: tile.seen for tile in lying.tiles}

    def shown(lying_set: LyingSet) -> tuple[SeenTile, ...]:
        seen = [tiles[key] for key in lying_set.keys]
        if frozenset(lying_set.keys) in known:
            return tuple(replace(tile, hidden=False) if tile.hidden else tile for tile in seen)
        return tuple(seen)

    return Table(tuple(shown(lying_set) for lying_set in lying.sets))


def _otherwise(
    before: LyingTable, after: LyingTable, finding: Finding, rules: SetRules
) -> Iterator[tuple[Question, Table]]:
    """Yield what the table may be instead, each with the question that would settle it."""
    covered = _covered_sets(before, after)
    if covered:
        yield _but_for(covered, before, after)
    opened = _opened_up(before, after)
    if opened is not None:
        unsure, change = opened
        question = Question("really-so?", unsure, ("yes", "no"))
        yield question, _with_tiles(after, before, change)
    if nothing := _perhaps_nothing(before, after):
        shown = tuple(tile.seen for tile in after.tiles if tile.key in nothing)
        yield Question("really-so?", shown, ("yes", "no")), trusted(_torn_at(after, nothing), before)
    for recut_question, another in recut(before, after):
        yield recut_question, trusted(another, before)
        if opened is not None:
            # A misread tile fits nowhere, and so it is cut off from its neighbours: both at once.
            yield recut_question, _with_tiles(another, before, opened[1])
    yield from _taken_for_another(before, after, finding, rules)
    if beyond := _beyond_the_box(after, finding, rules):
        yield _but_for(beyond, before, after)
    yield from _beyond_the_picture(before, after, rules)


def _but_for(doubted: Sequence[LyingSet], before: LyingTable, after: LyingTable) -> tuple[Question, Table]:
    """The table without these sets, and whether they really are so."""
    shown = tuple(tile.seen for tile in after.tiles if any(tile.key in one.keys for one in doubted))
    rest = tuple(one for one in after.sets if one not in doubted)
    return Question("really-so?", shown, ("yes", "no")), trusted(replace(after, sets=rest), before)


def _perhaps_nothing(before: LyingTable, after: LyingTable) -> frozenset[int]:
    """What came to lie amid a row and was never read at all: bare ground between two sets, in poor light."""
    blank = unread(after) - before.keys
    return frozenset(key for one in after.sets for key in one.keys[1:-1] if key in blank)


def unread(lying: LyingTable) -> frozenset[int]:
    """The tiles of which no look has read anything."""
    return frozenset(tile.key for tile in lying.tiles if tile.seen.candidates == ANY_TILE.candidates)


def _torn_at(lying: LyingTable, keys: AbstractSet[int]) -> LyingTable:
    """Leave out those tiles, and let what lies on either side of them be two sets."""
    parts = (
        replace(one, keys=tuple(part))
        for one in lying.sets
        for torn, part in groupby(one.keys, key=keys.__contains__)
        if not torn
    )
    return replace(without(lying, keys), sets=tuple(parts))


def _covered_sets(before: LyingTable, after: LyingTable) -> tuple[LyingSet, ...]:
    """New sets of which nothing is in view: they may have been taken back."""
    known, hidden = before.rows, after.hidden
    return tuple(one for one in after.sets if hidden >= set(one.keys) and frozenset(one.keys) not in known)


def _with_tiles(lying: LyingTable, baseline: LyingTable, change: Callable[[LyingTile], SeenTile]) -> Table:
    changed = replace(lying, tiles=tuple(replace(tile, seen=change(tile)) for tile in lying.tiles))
    return trusted(changed, baseline)


def _opened_up(
    before: LyingTable, after: LyingTable
) -> tuple[tuple[SeenTile, ...], Callable[[LyingTile], SeenTile]] | None:
    """Every tile that is not read very surely, and what opens each of them to its other readings."""
    unsure = {
        tile.key: SeenTile.of(
            tile.seen.candidates | {other.tile for other, p in tile.alternatives if p >= _LISTED},
            hidden=tile.seen.hidden,
        )
        for tile in after.tiles
        if tile.seen.is_sure and tile.confidence < _FAULT_BAR and tile.alternatives
    }
    if not unsure:
        return None
    shown = tuple(tile.seen for tile in after.tiles if tile.key in unsure)
    return shown, lambda tile: unsure.get(tile.key, tile.seen)


def _taken_for_another(
    before: LyingTable, after: LyingTable, finding: Finding, rules: SetRules
) -> Iterator[tuple[Question, Table]]:
    """A tile that vanished while one that looks alike came is rather the same tile, read in two ways."""
    gone = [seen for seen in finding.gone if seen.is_sure]
    came = [seen for seen in finding.played if seen.is_sure]
    old = before.keys
    # A true exchange of tiles leaves good sets behind; a misread tile spoils the set it lies in.
    spoilt = in_bad_sets(after, rules)
    too_many = _too_many(finding)
    for lost in gone:
        for new in came:
            alike, akin = _alike(lost.tile, new.tile), _akin(lost.tile, new.tile)
            for tile in after.tiles:
                if tile.seen != new or tile.key in old:
                    continue
                if alike or (akin and (tile.key in spoilt or new in too_many)):
                    question = Question("same-tile?", (new,), ("yes", "no"), (("gone", str(lost)),))
                    yield question, _with_tiles(after, before, partial(_swapped, tile.key, lost))
                    break


def _beyond_the_box(after: LyingTable, finding: Finding, rules: SetRules) -> tuple[LyingSet, ...]:
    """Sets that are none and hold a tile too many for the box: one tile misread explains both.

    So does the table's shine in which tiles are mirrored.
    """
    too_many, spoilt = _too_many(finding), in_bad_sets(after, rules)
    excess = {tile.key for tile in after.tiles if tile.key in spoilt and tile.seen in too_many}
    return tuple(one for one in after.sets if not excess.isdisjoint(one.keys))


def _beyond_the_picture(
    before: LyingTable, after: LyingTable, rules: SetRules
) -> Iterator[tuple[Question, Table]]:
    """Sets that want tiles, and lie so that these may be where the picture ends."""
    sets: list[tuple[SeenTile, ...]] = []
    wanting: list[SeenTile] = []
    for one, tiles in zip(after.sets, trusted(after, before).sets, strict=True):
        faulty = one.may_go_on and judge_set(tiles, rules).verdict == "illegal"
        more = missing(tiles, rules) if faulty else ()
        sets.append((*tiles, *more))
        wanting += tiles if more else ()
    if wanting:
        yield Question("goes-beyond?", tuple(wanting), ("yes", "no")), Table(tuple(sets))


def _too_many(finding: Finding) -> set[SeenTile]:
    """The tiles of which more lie there than the box holds."""
    return {tile for one in finding.problems if one.code == "too-many-copies" for tile in one.tiles}


def in_bad_sets(lying: LyingTable, rules: SetRules) -> frozenset[int]:
    """The keys of all tiles whose set is neither group nor run."""
    tiles = {tile.key: tile.seen for tile in lying.tiles}
    bad = [one for one in lying.sets if judge_set([tiles[key] for key in one.keys], rules).verdict == "illegal"]
    return frozenset(key for one in bad for key in one.keys)


def _swapped(key: int, other: SeenTile, tile: LyingTile) -> SeenTile:
    return other if tile.key == key else tile.seen


_ALIKE_NUMBERS: Sequence[frozenset[int]] = tuple(
    frozenset(pair)
    for pair in ((6, 9), (1, 7), (3, 8), (5, 6), (8, 9), (6, 8), (11, 1), (10, 1), (12, 2), (13, 3))
)
_ALIKE_COLOURS = frozenset({Colour.RED, Colour.ORANGE}), frozenset({Colour.BLUE, Colour.BLACK})


def _akin(one: Tile, other: Tile) -> bool:
    """True for two numbered tiles of one colour or of one number."""
    if one.is_joker or other.is_joker:
        return False
    return one.colour is other.colour or one.number == other.number


def _alike(one: Tile, other: Tile) -> bool:
    """True for tiles that are easily taken for each other: number or colour the same, the other near."""
    if one.is_joker or other.is_joker or one.colour is None or other.colour is None:
        return False
    if one.colour is other.colour:
        return frozenset({one.number, other.number}) in _ALIKE_NUMBERS
    return one.number == other.number and frozenset({one.colour, other.colour}) in _ALIKE_COLOURS
