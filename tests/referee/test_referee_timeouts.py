"""Time-outs, edition by edition."""

from __future__ import annotations

import pytest

from referee import Rules, Table, edition, judge_turn, parse_table, parse_tiles
from referee.timeouts import TimeoutJudgement, judge_timeout

BEFORE = "B4 B5 B6 B7 | R6 R7 R8"


def timeout(
    code: str, now: str, before: str | None = BEFORE, *, pool: int = 20, own: str = "", **house: object
) -> TimeoutJudgement:
    return judge_timeout(
        parse_table(now),
        None if before is None else parse_table(before),
        opened=True,
        rules=edition(code).rules.with_house_rules(house),
        pool=pool,
        own=parse_tiles(own),
    )


@pytest.mark.parametrize(("code", "tiles"), [("ru", 1), ("ua", 1), ("en", 1), ("pressman2009", 1)])
def test_t01_nothing_moved(code: str, tiles: int) -> None:
    judged = timeout(code, "R8 R7 R6 | B4 B5 B6 B7")
    assert (judged.kind, judged.rack_change, judged.pool_change) == ("untouched", tiles, -tiles)


@pytest.mark.parametrize("code", ["he", "cards", "xp"])
def test_t01_where_the_sheet_is_silent_one_tile_is_offered(code: str) -> None:
    judged = timeout(code, BEFORE)
    assert (judged.kind, judged.penalty, judged.rack_change) == ("untouched", None, None)
    assert judged.questions[0].answers == ("1",)


@pytest.mark.parametrize(
    ("code", "tiles"), [("ru", 1), ("ua", 3), ("he", 3), ("cards", 3), ("xp", 3), ("pressman2009", 3)]
)
def test_t02_the_old_table_is_known(code: str, tiles: int) -> None:
    judged = timeout(code, "B4 | B5 B6 | B7 K7 O7 | R6 R7 R8")
    assert (judged.kind, judged.rack_change, judged.pool_change) == ("restorable", tiles, -tiles)
    assert judged.own == parse_tiles("K7 O7")
    assert judged.table == parse_table(BEFORE)
    assert judged.strays == ()


def test_t02_where_the_sheet_is_silent() -> None:
    judged = timeout("pressman", "B4 | B5 B6 B7 | R6 R7 R8")
    assert (judged.penalty, judged.pool_change) == (None, None)
    assert judged.questions[0].answers == ("1", "3")
    assert judged.questions[0].message.endswith("How many do you draw?")


@pytest.mark.parametrize("code", ["ru", "ua", "he", "cards", "xp", "pressman2009"])
def test_t03_homeless_tiles_go_to_the_pool(code: str) -> None:
    judged = timeout(code, "B4 B5 B6 | R6 R7 | K9 O9", None, own="K9 O9")
    assert (judged.kind, judged.penalty, judged.strays_to) == ("unrestorable", 3, "pool")
    assert (judged.own, judged.strays) == (parse_tiles("K9 O9"), parse_tiles("R6 R7"))
    assert judged.table == parse_table("B4 B5 B6")
    assert (judged.rack_change, judged.pool_change) == (3, 2 - 3)


@pytest.mark.parametrize(
    ("where", "rack", "pool"),
    [("pool", 3, -1), ("rack", 5, -3), ("under-pool", 5, -3)],  # New Zealand: to the rack; Taiwan: 2 more
)
def test_t03_house_rules_on_strays(where: str, rack: int, pool: int) -> None:
    judged = timeout("he", "B4 B5 B6 | R6 R7", None, timeout_strays=where)
    assert (judged.rack_change, judged.pool_change) == (rack, pool)


def test_t03_own_tiles_are_taken_from_sets_that_do_not_stand() -> None:
    judged = timeout("ru", "R6 R7 R8 | R8 K8", None, own="R8")
    assert judged.table == parse_table("R6 R7 R8")
    assert judged.strays == parse_tiles("K8")


def test_a_vanished_tile_makes_the_table_unrestorable() -> None:
    assert timeout("ru", "B4 B5 B6 | R6 R7 R8").kind == "unrestorable"


def test_t04_a_pool_smaller_than_the_penalty() -> None:
    judged = timeout("he", "B4 | B5 B6 B7 | R6 R7 R8", pool=2)
    assert (judged.penalty, judged.rack_change, judged.pool_change) == (2, 2, -2)
    assert judged.notes[0].message.startswith("The penalty is 3 tiles and only 2 are left")
    assert timeout("he", "B4 | B5 B6 B7 | R6 R7 R8", pool=0).penalty == 0


def test_t05_a_complete_turn_at_the_buzzer_stands() -> None:
    judged = timeout("ru", "B4 B5 B6 B7 | R6 R7 R8 R9")
    assert (judged.kind, judged.penalty, judged.rack_change) == ("accepted", 0, 0)
    assert timeout("ru", "B4 B6 B5 B7 | R6 R7 R8 R9").kind == "open"


@pytest.mark.parametrize("code", ["ru", "ua", "he", "cards", "pressman"])
def test_t06_a_draw_ends_the_turn(code: str) -> None:
    before, after = parse_table(BEFORE), parse_table(BEFORE + " R9")
    rules = edition(code).rules
    judged = judge_turn(before, after, opened=True, rules=rules, drew=True)
    assert [problem.code for problem in judged.problems] == ["played-after-drawing"]
    assert judge_turn(before, after, opened=True, rules=rules).verdict == "legal"
    assert judge_turn(before, before, opened=True, rules=rules, drew=True).verdict == "legal"


@pytest.mark.parametrize("axis", ["timeout_untouched", "timeout_restorable", "timeout_unrestorable"])
def test_each_penalty_axis_decides_its_case(axis: str) -> None:
    cases = {
        "timeout_untouched": (BEFORE, BEFORE),
        "timeout_restorable": ("B4 | B5 B6 B7 | R6 R7 R8", BEFORE),
        "timeout_unrestorable": ("B4 | B5 B6 B7 | R6 R7 R8", None),
    }
    now, before = cases[axis]
    assert [timeout("ru", now, before, **{axis: tiles}).penalty for tiles in (0, 2)] == [0, 2]


def test_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="not -1"):
        timeout("ru", BEFORE, pool=-1)
    with pytest.raises(ValueError, match="O1 is not on the table"):
        timeout("ru", BEFORE, None, own="O1")
    assert judge_timeout(Table(), Table(), opened=False, rules=Rules(), pool=5).kind == "untouched"
