"""Legal moves: the sheets' own examples, and every rule against all tables that there are, one by one."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter

import pytest
from moves_by_hand import every_table, laid_table, position

from referee import (
    Rules,
    Table,
    TurnJudgement,
    edition,
    judge_set,
    judge_table,
    judge_turn,
    parse_table,
    parse_tiles,
)
from referee.editions import EDITIONS
from referee.seen import SURE_TILES, SeenTile
from referee.solver import QUESTIONS, Accept, BestMove, MoveError, Question, find_move
from referee.table import TileSet


def ask(
    table: str,
    rack: str,
    question: Question = "most-tiles",
    *,
    opened: bool = True,
    rules: Rules | str = "he",
    accept: Accept = "legal",
    time_limit_s: float = 60,
) -> BestMove:
    rules = edition(rules).rules if isinstance(rules, str) else rules
    return find_move(
        parse_table(table),
        parse_tiles(rack),
        opened=opened,
        rules=rules,
        question=question,
        accept=accept,
        time_limit_s=time_limit_s,
    )


def played(answer: BestMove) -> str:
    assert answer.status == "optimal"
    assert answer.move is not None
    return " ".join(map(str, answer.move.played))


# --- the sheets' examples -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "rack", "most"),
    [
        ("B4 B5 B6 | K8 R8 O8", "B3 B8", 2),  # sheet ex. 1: two sets extended
        ("B4 R4 K4 O4", "B3 B5 B6", 3),  # ex. 2: a tile out of a group of four
        ("B8 B9 B10", "B11 K8 O8", 3),  # ex. 3: the run shifts
        ("R4 R5 R6 R7 R8", "R6", 1),  # ex. 4: the run splits
        ("O1 O2 O3 O4 | B1 K1 R1 O1", "B1", 1),  # ex. 5: from a run and a group
        ("O5 O6 O7 | R5 R6 R7 | K5 K6 K7 K8 K9", "K10 B5", 2),  # ex. 6: runs become groups
        ("R3 R4 R5 R6", "R8", 0),  # a gap
        ("K11 K12 K13", "K1", 0),  # 1 never follows 13
        ("B7 R7 K7 O7", "R7", 0),  # no fifth tile
        ("-", "R5 B5 K5 J", 4),  # a joker that the set could do without
        ("R3 B3 J", "K3 O3 O10 O11", 4),  # the joker freed, and laid in a new set
    ],
)
def test_most_tiles_of_the_printed_examples(table: str, rack: str, most: int) -> None:
    answer = ask(table, rack)
    if most:
        assert len(played(answer).split()) == most
    else:
        assert answer == BestMove("infeasible", None)


def test_fewest_sets_touched() -> None:
    """R7 ends either run, which touches one set; with R8 and R9 beside it, none has to be touched."""
    one = ask("R4 R5 R6 | B4 B5 B6 | K4 K5 K6", "R7", "fewest-sets")
    assert one.move is not None
    assert (one.move.touched, str(one.move.table)) == (1, "B4 B5 B6 | K4 K5 K6 | R4 R5 R6 R7")
    none = ask("R4 R5 R6 | B4 B5 B6", "R7 R8 R9 B7", "fewest-sets")
    assert none.move is not None
    assert (none.move.touched, played(none)) == (0, "R7 R8 R9")


def test_most_points_is_not_most_tiles() -> None:
    """One joker: with it, four small tiles in a run, or two thirteens; it counts 30 either way."""
    rack = "R1 R2 R4 R5 B13 K13 J"
    tiles, points = ask("-", rack, "most-tiles"), ask("-", rack, "most-points")
    assert played(tiles) == "R1 R2 R4 R5 J"
    assert played(points) == "B13 K13 J"
    assert tiles.move is not None
    assert points.move is not None
    assert (tiles.move.points, points.move.points) == (42, 56)


def test_runs_that_follow_each_other_are_joined() -> None:
    answer = ask("R1 R2 R3 R4 R5 R6 R7 R8", "R9")
    assert answer.move is not None
    assert str(answer.move.table) == "R1 R2 R3 R4 R5 R6 R7 R8 R9"


# --- openings -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "rack", "points"),
    [
        ("he", "R9 B9 K9", None),  # 27
        ("he", "R9 B9 K9 O1 R1 B1", 30),  # 27 + 3
        ("he", "R5 R6 R7 B4 K4 O4", 30),  # 18 + 12
        ("he", "R10 B10 J", 30),
        ("he", "R9 R10 J", 30),  # the joker as 11; as 8 it would be 27
        ("he", "R11 R12 J R13", 33),  # the joker as 10; all three without it are 36
        ("ua", "R10 B10 J", None),  # the sheet is unclear about the joker: that would be asked
        ("he", "O9 J J", None),  # 30 as a run and 27 as a group: that would be asked
        ("he", "R1 B1 K1 R2 B2 K2 R3 B3 K3", None),  # 18, however many tiles
    ],
)
def test_smallest_opening(rules: str, rack: str, points: int | None) -> None:
    answer = ask("R4 R5 R6", rack, "smallest-opening", opened=False, rules=rules)
    assert (answer.move and answer.move.points) == points


def test_openings_that_would_be_asked_about_are_found_on_request() -> None:
    for rules, rack in (("ua", "R10 B10 J"), ("he", "O9 J J")):
        answer = ask("-", rack, "any", opened=False, rules=rules, accept="ask")
        assert answer.move is not None
        assert answer.move.judged.verdict == "ask"


def test_an_opening_is_enough_as_it_lies() -> None:
    answer = ask("-", "R10 J R9", "smallest-opening", opened=False, accept="ask")
    assert answer.move is not None
    assert (str(answer.move.table), answer.move.points) == ("R9 R10 J", 30)


def test_an_opening_leaves_the_table_alone() -> None:
    assert ask("R10 B10 K10 O10", "O11 O12", "any", opened=False).status == "infeasible"
    answer = ask("R10 B10 K10 O10", "O10 O11 O12 K9", "most-tiles", opened=False)
    assert played(answer) == "O10 O11 O12"


def test_one_set_has_to_be_enough_where_the_house_says_so() -> None:
    rules = edition("he").rules.with_house_rules({"opening_sets": "one"})
    assert ask("-", "R5 R6 R7 B4 K4 O4", "any", opened=False, rules=rules).status == "infeasible"
    assert played(ask("-", "B3 B4 B5 B6 B7 B8", opened=False, rules=rules)) == "B3 B4 B5 B6 B7 B8"


# --- jokers, sheet by sheet -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "accept", "most"),
    [
        ("cards", "legal", 2),  # a freed joker may go anywhere
        ("he", "legal", 1),  # into a new set: the other is asked about
        ("he", "ask", 2),
        ("pressman2009", "ask", 1),  # the other is a fault
    ],
)
def test_where_a_freed_joker_may_go(rules: str, accept: Accept, most: int) -> None:
    """K3 and O3 free the joker only if it may extend O9 O10 O11; else one of them lies beside it."""
    answer = ask("R3 B3 J | O9 O10 O11", "K3 O3", rules=rules, accept=accept)
    assert len(played(answer).split()) == most


# --- every table ------------------------------------------------------------------------------------------

HOUSE: dict[str, tuple[object, ...]] = {
    "joker_reuse": ("any", "new", "new+rack", "new+2rack", "frozen"),
    "joker_freed": ("any", "figures", "replaced", "exact-rack"),
    "joker_strict": ("ask", "fault"),
    "joker_sets": ("free", "add-only"),
    "group_of_three": ("one", "both"),
    "rearrange": ("yes", "yes", "yes", "ask", "no"),
    "opening_build": ("no", "ask", "yes"),
    "opening_joker": ("yes", "yes", "ask", "no"),
    "opening_sets": ("several", "one"),
    "run_order": ("ask", "any", "laid"),
    "opening_points": (15, 30, 0),
}

SHEETS = [code for code, sheet in EDITIONS.items() if sheet.rules.ace == "low"]


def random_rules(rng: random.Random) -> Rules:
    rules = EDITIONS[rng.choice(SHEETS)].rules
    if rng.random() < 0.4:
        return rules
    return rules.with_house_rules({axis: rng.choice(of) for axis, of in HOUSE.items() if rng.random() < 0.4})


def as_group(tiles: TileSet) -> tuple[int, ...]:
    return tuple(sorted(seen.index for seen in tiles))


def worth(
    question: Question, before: Table, after: Table, judged: TurnJudgement, rules: Rules, opening: bool
) -> int:
    """What the question wants to be great."""
    old, new = Counter(map(as_group, before.sets)), Counter(map(as_group, after.sets))
    if question == "any":
        return 0
    if question == "most-tiles":
        return len(judged.played)
    if question == "fewest-sets":
        return -(old - new).total()
    points = opening_points(before, after, judged, rules) if opening else rack_points(judged.played, rules)
    return points if question == "most-points" else -points


def rack_points(tiles: tuple[SeenTile, ...], rules: Rules) -> int:
    return sum(seen.tile.number or rules.joker_points for seen in tiles)


def opening_points(before: Table, after: Table, judged: TurnJudgement, rules: Rules) -> int:
    """As the sets lie; where the table was built on as well, as the referee counts them."""
    spare = Counter(map(as_group, before.sets))
    total = 0
    for tiles in after.sets:
        if spare[as_group(tiles)]:
            spare[as_group(tiles)] -= 1
            continue
        laid = [r.value for r in judge_set(tiles, rules.sets).readings if r.as_laid or rules.run_order == "any"]
        total += max(laid)
    return judged.opening_points or 0 if spare.total() else total


@pytest.mark.parametrize("start", range(0, 200, 25))
def test_every_question_against_every_table(start: int) -> None:
    """Whatever the rules, no table that the referee accepts is better than the solver's."""
    for seed in range(start, start + 25):
        rng = random.Random(seed)
        rules = random_rules(rng)
        before, held = position(rng, rules, rng.choice((0, 7, 9, 11)), rng.choice((3, 4, 5)), close=True)
        opened = rng.random() < 0.75
        accept: Accept = rng.choice(("legal", "ask"))
        rack = [SURE_TILES[index] for index in held]
        accepted = []
        for sets in every_table(rules, Counter(s.index for s in before.tiles()), Counter(held)):
            after = laid_table(list(sets))
            judged = judge_turn(before, after, opened=opened, rules=rules, rack=rack)
            # An opening counts as it lies, even where the referee would ask whether a joker is to be slid.
            slid = [told for told in judged.turn_questions if told.code == "opening-slide?"]
            questions = judged.turn_questions if accept == "legal" else slid
            if not judged.turn_problems and not questions and judged.table.verdict != "illegal":
                accepted.append((after, judged))
        opening = not opened and rules.opening_points > 0
        for question in QUESTIONS:
            if question == "smallest-opening" and not opening:
                continue
            best = max((worth(question, before, *found, rules, opening) for found in accepted), default=None)
            answer = find_move(
                before, rack, opened=opened, rules=rules, question=question, accept=accept, time_limit_s=600
            )
            where = f"seed {seed}, {question}, {accept}: {before} with {' '.join(map(str, rack))}"
            assert answer.status == ("infeasible" if best is None else "optimal"), where
            if answer.move is not None:
                move = answer.move
                assert worth(question, before, move.table, move.judged, rules, opening) == best, where
                assert move.judged == judge_turn(before, move.table, opened=opened, rules=rules, rack=rack)
                assert judge_table(move.table, rules.inventory, rules.sets).verdict == "legal", where
                if question in ("most-points", "smallest-opening"):
                    assert move.points == abs(best or 0), where


# --- what cannot be asked ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "rack", "question", "words"),
    [
        ("B4 B5 B?", "B3", "any", "B? is in doubt"),
        ("B4 B5 B6", "R?", "any", "R? is in doubt"),
        ("B4 B5 B7", "B6", "any", "the table is not legal"),
        ("B4 B5 B6 | B4 B5 B6", "B4", "any", "B4 is on table and rack 3 times"),
        ("R3 R4#1 R5 | R4#1 K4 B4", "R6", "any", "cross"),
        ("B4 B5 B6", "B7", "smallest-opening", "the player has opened"),
    ],
)
def test_positions_that_cannot_be_asked_about(table: str, rack: str, question: Question, words: str) -> None:
    with pytest.raises(MoveError) as caught:
        ask(table, rack, question)
    assert words in str(caught.value)


def test_a_search_that_the_clock_stops_says_so() -> None:
    answer = ask("B4 B5 B6", "B7", time_limit_s=1e-9)
    assert answer == BestMove("time-limit", None)


def test_a_time_limit_is_positive() -> None:
    with pytest.raises(MoveError):
        ask("B4 B5 B6", "B7", time_limit_s=0)


def test_the_referee_does_not_load_the_solver() -> None:
    told = "import sys, referee; print(any(name.startswith('highspy') for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
