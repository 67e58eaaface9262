"""Put-back plans: right, in order, and as short as can be."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import SeenTile, Table, parse_table
from referee.putback import put_back

Sets = tuple[tuple[str, ...], ...]


def texts(now: str, before: str) -> list[str]:
    return [step.message for step in put_back(parse_table(now), parse_table(before))]


def test_nothing_to_do() -> None:
    assert texts("R4 R5 R6 | B7 K7 O7", "O7 K7 B7 | R6 R5 R4") == []


def test_a_tile_goes_home() -> None:
    assert texts("R5 R6 R7 | R8 R9 R10 R11", "R5 R6 | R7 R8 R9 R10 R11") == [
        "Take R7 from R5 R6 R7 and return it to R7 R8 R9 R10 R11."
    ]


def test_own_tiles_go_back_first() -> None:
    """The sheet's third example, taken back."""
    assert texts("B9 B10 B11 | B8 K8 O8", "B8 B9 B10") == [
        "Take B11 from B9 B10 B11 back to the rack.",
        "Take K8 from B8 K8 O8 back to the rack.",
        "Take O8 from B8 O8 back to the rack.",
        "Take B8 from B8 and return it to B8 B9 B10.",
    ]


def test_a_set_that_is_gone_is_begun_anew() -> None:
    assert texts("R3 B3 K3 | R4 B4 K4 | R5 B5 K5", "R3 R4 R5 | B3 B4 B5 | K3 K4 K5")[-1].endswith("K3 K4 K5.")
    moves = put_back(parse_table("B4 B5 B6 R1 R2 R3"), parse_table("B4 B5 B6 | R1 R2 R3"))
    assert [step.kind for step in moves] == ["to-new-set", "to-set", "to-set"]


def test_a_pocketed_tile_comes_back() -> None:
    assert texts("R3 B3 K3", "R3 B3 J") == [
        "Take K3 from R3 B3 K3 back to the rack.",
        "Return J, which is not on the table, to R3 B3 J.",
    ]


def test_a_slid_joker_goes_back_to_its_end() -> None:
    (step,) = put_back(parse_table("J R9 R10"), parse_table("R9 R10 J"))
    assert (str(step.tile), str(step.table)) == ("J", "R9 R10 J")
    assert texts("J R9 R10", "R10 R9 J") == []  # the same set from the other side


def test_crossed_sets_have_no_plan() -> None:
    with pytest.raises(ValueError, match="cross"):
        put_back(parse_table("R3 R4#1 R5 | R4#1 K4 B4"), parse_table("R3 R4 R5"))


# --- against brute force ----------------------------------------------------------------------------------


def canonical(sets: Sets) -> tuple[tuple[str, ...], ...]:
    """Sets in any order; a run from either side, a group in any order."""
    return tuple(
        sorted(min(tiles, tiles[::-1]) if not group(tiles) else tuple(sorted(tiles)) for tiles in sets)
    )


def group(tiles: tuple[str, ...]) -> bool:
    numbers = {tile[1:] for tile in tiles if tile != "J"}
    colours = [tile[0] for tile in tiles if tile != "J"]
    return len(numbers) == 1 and len(set(colours)) == len(colours) and 3 <= len(tiles) <= 4 and len(colours) > 1


def plain(table: Table) -> Sets:
    return tuple(tuple(map(str, tiles)) for tiles in table.sets)


def fewest_moves(now: Sets, before: Sets) -> int:
    """Breadth first over everything that can be done by lifting one tile; the rack gives and takes."""
    spare = Counter(tile for tiles in before for tile in tiles) - Counter(t for tiles in now for t in tiles)
    goal = canonical(before)
    frontier, seen, depth = {(now, tuple(sorted(spare.elements())))}, set(), 0
    while not any(canonical(sets) == goal for sets, _ in frontier):
        seen |= {(canonical(sets), rack) for sets, rack in frontier}
        following = set()
        for sets, rack in frontier:
            for state in neighbours(sets, rack):
                if (canonical(state[0]), state[1]) not in seen:
                    following.add(state)
        frontier, depth = following, depth + 1
    return depth


def neighbours(sets: Sets, rack: tuple[str, ...]) -> list[tuple[Sets, tuple[str, ...]]]:
    found = []
    for tile, left, held in lifted(sets, rack):
        found.append((left, tuple(sorted((*held, tile)))))
        found.append(((*left, (tile,)), held))
        for at, tiles in enumerate(left):
            for place in range(len(tiles) + 1):
                grown = (*tiles[:place], tile, *tiles[place:])
                found.append(((*left[:at], grown, *left[at + 1 :]), held))
    return found


def lifted(sets: Sets, rack: tuple[str, ...]) -> list[tuple[str, Sets, tuple[str, ...]]]:
    found = []
    for at, tiles in enumerate(sets):
        for place, tile in enumerate(tiles):
            rest = (*tiles[:place], *tiles[place + 1 :])
            found.append((tile, (*sets[:at], *((rest,) if rest else ()), *sets[at + 1 :]), rack))
    for place, tile in enumerate(rack):
        found.append((tile, sets, (*rack[:place], *rack[place + 1 :])))
    return found


OLD = ["R1 R2 R3", "R2 R3 J", "R2 B2 K2", "R1 R2 R3 | B2", "R1 R2 | B2 K2 O2"]


@settings(max_examples=100)
@given(st.sampled_from(OLD), st.data())
def test_no_plan_is_shorter(old: str, data: st.DataObject) -> None:
    """Up to three random moves away from the old table, and compared with every way back."""
    sets = plain(parse_table(old))
    rack: tuple[str, ...] = ("O9",)
    for _ in range(data.draw(st.integers(0, 3))):
        options = sorted(neighbours(sets, rack))
        sets, rack = options[data.draw(st.integers(0, len(options) - 1))]
    now = Table(tuple(tuple(map(SeenTile.parse, tiles)) for tiles in sets))
    steps = put_back(now, parse_table(old))
    assert len(steps) == fewest_moves(sets, plain(parse_table(old)))


some_tiles = st.sampled_from(
    [SeenTile.parse(name) for name in ["R1", "R2", "R3", "R4", "B2", "B3", "K2", "K3", "J"]]
)
some_tables = st.lists(st.lists(some_tiles, min_size=1, max_size=5).map(tuple), max_size=4).map(
    lambda sets: Table(tuple(sets))
)


@given(some_tables, some_tables)
def test_the_plan_leads_to_the_old_table(now: Table, before: Table) -> None:
    steps = put_back(now, before)
    last = steps[-1].table if steps else now
    assert canonical(plain(last)) == canonical(plain(before))
    lay = Counter(now.tiles())
    for step in steps:
        after = Counter(step.table.tiles())
        added = {"to-rack": -1, "from-rack": 1}.get(step.kind, 0)
        assert after[step.tile] - lay[step.tile] == added
        assert after.total() - lay.total() == added
        assert step.message.endswith(".")
        lay = after


@given(some_tables, st.randoms())
def test_order_costs_nothing(table: Table, random: object) -> None:
    sets = [tiles if random.random() < 0.5 else tiles[::-1] for tiles in table.sets]  # type: ignore[attr-defined]
    random.shuffle(sets)  # type: ignore[attr-defined]
    assert put_back(Table(tuple(sets)), table) == ()
