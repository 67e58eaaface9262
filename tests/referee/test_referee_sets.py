"""Groups, runs, doubt, and the judgement of tables."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import (
    ALL_TILES,
    JOKER,
    STANDARD,
    XP,
    SeenTile,
    Table,
    Tile,
    judge_set,
    judge_table,
    parse_table,
    parse_tiles,
)
from referee.readings import STANDARD_SETS, SetRules, readings

AMERICAN = SetRules(ace_high=True)


def verdict(text: str) -> str:
    return judge_set(parse_tiles(text)).verdict


def codes(text: str) -> list[str]:
    return [problem.code for problem in judge_set(parse_tiles(text)).problems]


@pytest.mark.parametrize(
    "text",
    [
        "B7 R7 K7",
        "B7 R7 K7 O7",
        "B3 B4 B5 B6",
        "K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13",
        "R11 J R13",
        "R13 J R11",
        "R3 B3 J",
        "B5 J J B8",
        "B5 J J",
        "R3 B3 K3/O3",
        "R3 B3 K3/O3/J",
        "B5/R7/O12 J J",
        "J J R5 J R3/R7",
        "B4 ~B5 B6",
    ],
)
def test_legal_sets(text: str) -> None:
    judged = judge_set(parse_tiles(text))
    assert (judged.verdict, judged.problems, judged.questions) == ("legal", (), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B7 R7", ["too-few"]),
        ("B7", ["too-few"]),
        ("J", ["too-few"]),
        ("B7 R9", ["too-few", "numbers-differ"]),
        ("B7 R7 R7", ["colour-repeated"]),
        ("R3 R3 J", ["colour-repeated"]),
        ("B7 R7 K7 O7 J", ["too-many", "no-place-for-joker"]),
        ("B7 R7 K7 O7 R7", ["colour-repeated", "too-many"]),
        ("B3 B4 R5", ["mixed-colours"]),
        ("B7 R7 K8", ["numbers-differ"]),
        ("B1 B2 B4", ["gap"]),
        ("B5 J B8", ["gap"]),
        ("R12 R13 R1", ["wrap"]),
        ("R13 R1 R2", ["wrap"]),
        ("K11 K12 K13 K1", ["wrap"]),
        ("R13 R1 R5", ["gap"]),
        ("R6 R6 R7 R9", ["number-repeated", "gap"]),
        ("J K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13", ["too-many", "no-place-for-joker"]),
        ("B4 ?4 B9", ["gap"]),
        ("B4 R4 K9/O9", ["no-completion"]),
        ("B? B? R?", ["no-completion"]),
        ("?? ??", ["too-few"]),
    ],
)
def test_illegal_sets_name_every_problem(text: str, expected: list[str]) -> None:
    judged = judge_set(parse_tiles(text))
    assert judged.verdict == "illegal"
    assert [problem.code for problem in judged.problems] == expected


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("R12 R13 J", "sort-or-slide"),
        ("J R1 R2", "sort-or-slide"),
        ("B4 B6 B5", "sort-or-slide"),
        ("J J J", "only-jokers"),
        ("B4 B5 B?", "doubtful-tile"),
        ("B4 B5 B6/B9", "doubtful-tile"),
        ("?? ?? ??", "doubtful-tile"),
        ("B4 ~R9 B6", "hidden-tile"),
        ("B7 R7 K7 O7 ~J", None),
    ],
)
def test_questions(text: str, question: str | None) -> None:
    judged = judge_set(parse_tiles(text))
    if question is None:
        # Whatever is under the hand, five tiles with four sevens in them are no set.
        assert judged.verdict == "illegal"
    else:
        assert judged.verdict == "ask"
        assert {q.code for q in judged.questions} == {question}
        assert not judged.problems


def test_the_question_offers_the_sorted_set() -> None:
    (question,) = judge_set(parse_tiles("B4 B6 B5")).questions
    assert question.answers == ("B4 B5 B6", "no")
    (question,) = judge_set(parse_tiles("R12 R13 J")).questions
    assert question.answers == ("J R12 R13", "no")
    assert question.message == "R12 R13 J is no run as it lies. Is it meant as J R12 R13?"


def test_readings_of_a_tile_and_two_jokers() -> None:
    found = readings(tuple(seen.tile.index for seen in parse_tiles("O9 J J")))
    assert {(reading.kind, reading.as_laid, reading.value) for reading in found} == {
        ("group", True, 27),
        ("run", True, 30),  # 9 10 11
        ("run", True, 24),  # 9 8 7, for a camera that faces the player
        ("run", False, 27),  # 8 9 10, when the nine is moved between the jokers
    }


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("R9 R10 J", {30, 27}),  # as laid J = 11; slid to the other end J = 8
        ("J R9 R10", {27, 30}),
        ("R12 R13 J", {36}),
        ("R10 B10 K10 J", {40}),
        ("R5 J R7", {18}),
    ],
)
def test_values(text: str, values: set[int]) -> None:
    found = readings(tuple(seen.tile.index for seen in parse_tiles(text)))
    assert {reading.value for reading in found} == values


def test_a_high_ace_where_the_rules_have_it() -> None:
    assert judge_set(parse_tiles("R12 R13 R1"), AMERICAN).verdict == "legal"
    assert judge_set(parse_tiles("R13 R1 R2"), AMERICAN).verdict == "illegal"
    assert judge_set(parse_tiles("R12 R13 J"), AMERICAN).verdict == "legal"


# --- against brute force ---------------------------------------------------------------------------------

SMALL = SetRules(highest=5)


def is_group(tiles: tuple[Tile, ...]) -> bool:
    naturals = [tile for tile in tiles if not tile.is_joker]
    return (
        3 <= len(tiles) <= 4
        and len({tile.number for tile in naturals}) == 1
        and len({tile.colour for tile in naturals}) == len(naturals)
    )


def is_laid_run(tiles: tuple[Tile, ...], highest: int = 13) -> bool:
    """The definition, word for word: some start and direction fits every natural tile."""
    if not 3 <= len(tiles) <= highest or len({tile.colour for tile in tiles if not tile.is_joker}) != 1:
        return False
    return any(
        all(tile.is_joker or tile.number == number for tile, number in zip(row, range(start, 99), strict=False))
        for row in (tiles, tiles[::-1])
        for start in range(1, highest - len(tiles) + 2)
    )


def naive_verdict(tiles: tuple[Tile, ...], highest: int = 13) -> str:
    if is_group(tiles) or is_laid_run(tiles, highest):
        return "legal"
    if 3 <= len(tiles) <= highest and all(tile.is_joker for tile in tiles):
        return "ask"
    return "ask" if any(is_laid_run(row, highest) for row in permutations(tiles)) else "illegal"


handy = st.sampled_from([seen.tile for seen in parse_tiles("R1 R2 R3 R4 R5 B3 B4 B5 K3 O3 J")])
handy_seen = st.frozensets(handy, min_size=1, max_size=3).map(SeenTile)


@given(st.lists(handy, min_size=1, max_size=6).map(tuple))
def test_sure_sets_agree_with_the_definition(tiles: tuple[Tile, ...]) -> None:
    judged = judge_set([SeenTile.sure(tile) for tile in tiles], SMALL)
    assert judged.verdict == naive_verdict(tiles, highest=5)
    assert bool(judged.problems) == (judged.verdict == "illegal")
    assert bool(judged.questions) == (judged.verdict == "ask")


@settings(max_examples=300)
@given(st.lists(handy_seen, min_size=1, max_size=5))
def test_doubtful_sets_agree_with_all_their_completions(tiles: list[SeenTile]) -> None:
    verdicts = {naive_verdict(tiles, 5) for tiles in product(*(seen.candidates for seen in tiles))}
    expected = verdicts.pop() if len(verdicts) == 1 else "ask"
    assert judge_set(tiles, SMALL).verdict == expected


@settings(max_examples=150)
@given(st.data())
def test_nearly_legal_doubts_agree_with_all_their_completions(data: st.DataObject) -> None:
    """Doubts built from a legal set with few more candidates: the verdicts are evenly mixed."""
    rules = data.draw(st.sampled_from([STANDARD_SETS, AMERICAN]))
    rows = ["R3 J J", "J J J R2", "R1 R2 J", "R3 B3 J", "R3 B3 K3 O3", "J J R3 J J"]
    row = data.draw(st.sampled_from(rows))
    extra = st.frozensets(handy, max_size=2)
    tiles = [SeenTile(seen.candidates | data.draw(extra)) for seen in parse_tiles(row)]
    verdicts = {
        judge_set([SeenTile.sure(tile) for tile in completion], rules).verdict
        for completion in product(*(seen.candidates for seen in tiles))
    }
    expected = verdicts.pop() if len(verdicts) == 1 else "ask"
    assert judge_set(tiles, rules).verdict == expected


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["?? J J", "R3 B3 ??", "R3 ?? R5", "B3 ?3 J", "B3 B? J", "?3 ?4", "R? J J"]))
def test_wide_doubts_agree_with_all_their_completions(text: str) -> None:
    tiles = parse_tiles(text)
    verdicts = {naive_verdict(tiles) for tiles in product(*(seen.candidates for seen in tiles))}
    expected = verdicts.pop() if len(verdicts) == 1 else "ask"
    assert judge_set(tiles).verdict == expected


@given(st.integers(min_value=3, max_value=13))
def test_a_set_of_unknown_tiles_is_asked_about(length: int) -> None:
    assert judge_set([SeenTile.parse("??")] * length).verdict == "ask"


ORDER = {"legal": 0, "ask": 1, "illegal": 2}


@given(st.lists(handy_seen, min_size=1, max_size=5), st.data())
def test_more_doubt_never_makes_a_judgement_surer(tiles: list[SeenTile], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(tiles) - 1))
    wider = SeenTile(tiles[place].candidates | data.draw(st.frozensets(handy, max_size=2)))
    before = judge_set(tiles).verdict
    after = judge_set([*tiles[:place], wider, *tiles[place + 1 :]]).verdict
    assert after in (before, "ask")


@given(st.lists(handy, min_size=1, max_size=5), st.data())
def test_covering_a_tile_never_makes_a_set_illegal(tiles: list[Tile], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(tiles) - 1))
    seen = [SeenTile.sure(tile) for tile in tiles]
    covered = [SeenTile(s.candidates, hidden=at == place) for at, s in enumerate(seen)]
    before, after = judge_set(seen).verdict, judge_set(covered).verdict
    assert after == before or (before, after) == ("illegal", "ask")


@given(st.lists(handy, min_size=3, max_size=4), st.randoms())
def test_order_in_a_group_never_matters(tiles: list[Tile], random: object) -> None:
    shuffled = list(tiles)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    if is_group(tuple(tiles)):
        assert judge_set([SeenTile.sure(t) for t in shuffled]).verdict == "legal"


# --- golden counts ---------------------------------------------------------------------------------------


def test_golden_counts_without_jokers() -> None:
    """Groups: 13 numbers x (4 choose 3) = 52 triples and 13 x 1 = 13 quadruples. Runs of one colour: a run of
    length n starts at 1..14-n, so 11 + 10 + ... + 1 = 66, times 4 colours = 264."""
    naturals = ALL_TILES[:-1]
    groups = sum(
        1
        for size in (3, 4)
        for number in range(1, 14)
        for tiles in subsets([tile for tile in naturals if tile.number == number], size)
        if judge_set([SeenTile.sure(tile) for tile in tiles]).verdict == "legal"
    )
    assert groups == 52 + 13
    runs = 0
    for colour_of in range(4):
        line = naturals[13 * colour_of : 13 * colour_of + 13]
        for start in range(13):
            for stop in range(start + 1, 14):
                runs += judge_set([SeenTile.sure(tile) for tile in line[start:stop]]).verdict == "legal"
    assert runs == 264


def test_golden_count_of_all_triples_with_jokers() -> None:
    """Kinds of three tiles (at most two of each, as in the box), by what they can be laid as.

    No joker: 52 groups and 44 runs. One joker: two tiles of one number and different colours, 13 x 6 = 78
    groups; two of one colour one or two apart, 4 x (12 + 11) = 92 runs. Two jokers: any natural, 52.
    """
    counts = {0: 0, 1: 0, 2: 0}
    for tiles in multisets(ALL_TILES, 3):
        if max(tiles.count(tile) for tile in tiles) > 2:
            continue
        counts[tiles.count(JOKER)] += bool(readings(tuple(tile.index for tile in tiles)))
    assert counts == {0: 52 + 44, 1: 78 + 92, 2: 52}


def test_golden_count_of_four_tiles_with_jokers() -> None:
    """As above for four tiles, by the closed forms of the definition.

    No joker: 13 groups, 4 x 10 = 40 runs. One joker: 13 x 4 = 52 groups of three colours; three numbers of a
    colour within a stretch of four, 4 x (11 stretches of exactly 3 wide + 10 x 2 of exactly 4 wide) = 124.
    Two jokers: 78 groups; two numbers one, two or three apart, 4 x (12 + 11 + 10) = 132.
    """
    counts = {0: 0, 1: 0, 2: 0}
    for jokers in counts:
        for naturals in multisets(ALL_TILES[:-1], 4 - jokers):
            tiles = naturals + (JOKER,) * jokers
            indices = tuple(tile.index for tile in tiles)
            counts[jokers] += bool(readings(indices))
    assert counts == {0: 13 + 40, 1: 52 + 124, 2: 78 + 132}


def subsets(tiles: list[Tile], size: int) -> list[tuple[Tile, ...]]:
    return [s for s in multisets(tuple(tiles), size) if len(set(s)) == size]


def multisets(tiles: tuple[Tile, ...], size: int) -> list[tuple[Tile, ...]]:
    if size == 0:
        return [()]
    return [(*rest, tile) for at, tile in enumerate(tiles) for rest in multisets(tiles[: at + 1], size - 1)]


# --- tables ----------------------------------------------------------------------------------------------


def test_a_third_copy_is_a_fault_of_the_table() -> None:
    table = parse_table("R9 B9 K9 | R9 B9 K9 | R9 R10 R11")
    judged = judge_table(table)
    assert judged.verdict == "illegal"
    assert [(p.code, [str(t) for t in p.tiles]) for p in judged.problems] == [("too-many-copies", ["R9"] * 3)]
    assert judged.problems[0].message == "The table shows R9 3 times, and the box holds 2."
    assert judge_table(table, XP).verdict == "legal"


def test_doubtful_and_covered_copies_are_no_fault() -> None:
    assert judge_table(parse_table("R9 B9 K9 | R9 B9 K9 | R9/O9 R10/O10 R11/O11")).verdict == "ask"
    judged = judge_table(parse_table("R9 B9 K9 | R9 B9 K9 | ~R9 R10 R11"))
    assert (judged.verdict, [q.code for q in judged.questions]) == ("ask", ["hidden-copies"])


def test_a_sure_fault_wins_but_the_questions_stay() -> None:
    judged = judge_table(parse_table("R9 B9 | B4 B5 B? | K1 K2 K3"))
    assert judged.verdict == "illegal"
    assert [s.verdict for s in judged.sets] == ["illegal", "ask", "legal"]
    assert [p.code for p in judged.problems] == ["too-few"]
    assert [q.code for q in judged.questions] == ["doubtful-tile"]


def test_an_empty_table_is_legal() -> None:
    assert judge_table(parse_table("")).verdict == "legal"


some_sets = st.lists(st.lists(handy_seen, min_size=1, max_size=4).map(tuple), min_size=1, max_size=4)


def test_what_can_never_be_all_legal_is_told_alike_in_every_order_of_the_sets() -> None:
    told = [
        judge_table(parse_table(text)).problems for text in ("R1 J R1/R2 | R1 J J/R1", "R1 J J/R1 | R1 J R1/R2")
    ]
    assert [problem.code for problem in told[0]] == ["never-all-legal"]
    assert told[0] == told[1]


@given(some_sets, st.randoms())
def test_order_of_sets_never_matters(sets: list[tuple[SeenTile, ...]], random: object) -> None:
    shuffled = list(sets)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = judge_table(Table(tuple(sets))), judge_table(Table(tuple(shuffled)))
    assert one.verdict == other.verdict
    assert sorted(map(repr, one.problems)) == sorted(map(repr, other.problems))
    assert {q.code for q in one.questions} == {q.code for q in other.questions}


@given(some_sets)
def test_every_message_is_a_sentence(sets: list[tuple[SeenTile, ...]]) -> None:
    judged = judge_table(Table(tuple(sets)), STANDARD)
    for told in (*judged.problems, *judged.questions):
        assert told.message.endswith((".", "?"))
        assert "{" not in told.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R9 B9 K9 | R9 B9 K9/O9", "legal"),  # a second K9 is in the box
        ("R9 B9 K9 | R8 B8 K8 | K9 K10 K11 | R9 B9 K9/O9", "ask"),  # a third is not
        ("R9 B9 K9 | R9 B9 K9 | B8 B9/B13 B10", "illegal"),  # a third B9, or no run
        ("R9 B9 K9 | R9 B9 K9/O9 | R7 R8 R9/R6", "ask"),
        ("R9 B9 K9 | R9 B9 K9 | R9/B9 O9 J", "illegal"),
        ("R9 B9 K9 | R9 B9 K9 | ?9 O9 J", "illegal"),  # an O9 beside an O9 is no group
        ("?? ?? ?? | ?? ?? ??", "ask"),
    ],
)
def test_completions_that_the_box_does_not_hold(text: str, expected: str) -> None:
    judged = judge_table(parse_table(text))
    assert judged.verdict == expected
    assert bool(judged.problems) == (expected == "illegal")
    assert judged.questions or expected != "ask"


stock_tiles = st.sampled_from([seen.tile for seen in parse_tiles("R3 B3 K3 O3 R4 R5 J")])
stock_seen = st.one_of(
    stock_tiles.map(SeenTile.sure), st.frozensets(stock_tiles, min_size=2, max_size=3).map(SeenTile)
)


@settings(max_examples=300)
@given(st.lists(st.lists(stock_seen, min_size=3, max_size=4).map(tuple), min_size=2, max_size=3))
def test_doubtful_tables_agree_with_all_their_completions(sets: list[tuple[SeenTile, ...]]) -> None:
    flat = [seen for tiles in sets for seen in tiles]
    if sum(not seen.is_sure for seen in flat) > 5:
        return
    verdicts = set()
    for choice in product(*(sorted(seen.candidates) for seen in flat)):
        supply = iter(choice)
        verdicts.add(
            judge_table(Table(tuple(tuple(SeenTile.sure(next(supply)) for _ in s) for s in sets))).verdict
        )
    expected = verdicts.pop() if len(verdicts) == 1 else "ask"
    assert judge_table(Table(tuple(sets))).verdict == expected
