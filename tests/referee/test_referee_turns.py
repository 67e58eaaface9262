"""Turns: the dossier's judged positions, every axis, and doubt."""

from __future__ import annotations

import csv
from dataclasses import fields
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import (
    AXES,
    EDITIONS,
    JOKER,
    Rules,
    RulesError,
    SeenTile,
    Table,
    Tile,
    TurnJudgement,
    edition,
    judge_turn,
    parse_table,
    parse_tiles,
    show_tile,
)

with (Path(__file__).parent / "positions.tsv").open(encoding="utf-8", newline="") as text:
    POSITIONS = {row["id"]: row for row in csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE)}

COLUMNS = {"ru": "RU", "ua": "UA", "he": "HE", "cards": "CR", "pressman": "PW"}


def judged(name: str, rules: Rules) -> TurnJudgement:
    row = POSITIONS[name]
    alone = row["opened"] == "-"
    return judge_turn(
        None if alone else parse_table(row["before"]),
        parse_table(row["after"]),
        opened=row["opened"] == "y",
        rules=rules,
        rack=None if alone else parse_tiles(row["rack"]),
    )


def letter(judgement: TurnJudgement) -> str:
    """V, X, ?V or ?X as in the dossier; plain ? where nothing leans."""
    if judgement.verdict != "ask":
        return {"legal": "V", "illegal": "X"}[judgement.verdict]
    return "?" + {"legal": "V", "illegal": "X", None: ""}[judgement.lean]


def test_there_are_79_positions() -> None:
    assert len(POSITIONS) == 79


@pytest.mark.parametrize("code", COLUMNS)
@pytest.mark.parametrize("name", POSITIONS)
def test_positions(name: str, code: str) -> None:
    judgement = judged(name, edition(code).rules)
    assert letter(judgement) == POSITIONS[name][COLUMNS[code]], POSITIONS[name]["note"]
    assert bool(judgement.problems) == (judgement.verdict == "illegal")
    for told in (*judgement.problems, *judgement.questions):
        assert told.message.endswith((".", "?"))
        assert "{" not in told.message


OPENING_JOKER = {"O04", "O05", "O06", "O09"}


@pytest.mark.parametrize("name", POSITIONS)
def test_the_english_sheet_is_the_ukrainian_with_jokers_in_the_opening(name: str) -> None:
    expected = POSITIONS[name]["UA"]
    expected = "V" if name in OPENING_JOKER else "?V" if name == "O08" else expected
    assert letter(judged(name, edition("en").rules)) == expected


@pytest.mark.parametrize("name", POSITIONS)
def test_xp_is_the_hebrew_sheet_with_three_copies(name: str) -> None:
    expected = "V" if name == "S22" else POSITIONS[name]["HE"]
    assert letter(judged(name, edition("xp").rules)) == expected


PRESSMAN_2009_REJECTS = {"J04", "J05", "J06", "J08", "J09", "J12", "J13", "J19", "J22"}


@pytest.mark.parametrize("name", POSITIONS)
def test_pressman_2009_rejects_what_its_text_forbids(name: str) -> None:
    """Where the dossier says nothing of Pressman 2009, the English parent's verdict stands for it."""
    expected = "X" if name in PRESSMAN_2009_REJECTS else POSITIONS[name]["HE"]
    assert letter(judged(name, edition("pressman2009").rules)) == expected


# One position for every axis that judges a table or a turn: the two values, and the verdicts they give.
FLIPS = [
    ("S22", "copies", 2, "X", 3, "V"),
    ("B5 J J | R5 R6 J", "jokers", 2, "X", 4, "V"),
    ("S02", "colours", "RBKO", "V", "RBK", "X"),
    ("S11", "highest", 13, "V", 12, "X"),
    ("S09", "ace", "low", "X", "high-or-low", "V"),
    ("S23", "run_order", "ask", "?V", "any", "V"),
    ("S23", "run_order", "ask", "?V", "laid", "X"),
    ("O07", "run_order", "ask", "?X", "any", "V"),
    ("O02", "opening_points", 30, "X", 0, "V"),
    ("O01", "opening_points", 30, "V", 50, "X"),
    ("M16", "opening_points", 30, "X", 0, "V"),
    ("O03", "opening_sets", "several", "V", "one", "X"),
    ("O05", "opening_joker", "yes", "V", "no", "X"),
    ("O05", "opening_joker", "ask", "?X", "no", "X"),
    ("O11", "opening_build", "no", "X", "yes", "V"),
    ("O11", "opening_build", "ask", "?X", "yes", "V"),
    ("J10", "opening_build", "no", "X", "yes", "V"),
    ("M14", "rack_tile", "yes", "X", "no", "V"),
    ("M14", "rack_tile", "ask", "?X", "no", "V"),
    ("M09", "rearrange", "yes", "V", "no", "X"),
    ("M09", "rearrange", "ask", "?X", "no", "X"),
    ("M02", "rearrange", "yes", "V", "no", "?"),
    ("J12", "joker_freed", "any", "V", "figures", "?V"),
    ("J04", "joker_freed", "figures", "V", "replaced", "?V"),
    ("J22", "joker_freed", "replaced", "V", "exact-rack", "?X"),
    ("J08", "joker_reuse", "any", "V", "new", "?X"),
    ("J09", "joker_reuse", "new", "V", "new+rack", "?X"),
    ("J01", "joker_reuse", "new+2rack", "V", "frozen", "?X"),
    ("J09", "joker_reuse", "new+rack", "?X", "new+2rack", "?X"),
    ("J08", "joker_strict", "ask", "?X", "fault", "X"),
    ("J15", "joker_sets", "free", "V", "add-only", "X"),
    ("J01", "group_of_three", "one", "V", "both", "X"),
    ("J03", "group_of_three", "one", "V", "both", "V"),
]


@pytest.mark.parametrize(("name", "axis", "value", "verdict", "other", "other_verdict"), FLIPS)
def test_each_axis_flips_a_verdict(
    name: str, axis: str, value: object, verdict: str, other: object, other_verdict: str
) -> None:
    def judge(setting: object) -> str:
        rules = Rules().with_house_rules({axis: setting})
        if name in POSITIONS:
            return letter(judged(name, rules))
        return letter(judge_turn(None, parse_table(name), opened=True, rules=rules))

    assert (judge(value), judge(other)) == (verdict, other_verdict)


def test_axes_and_rules_name_the_same_things() -> None:
    assert [f.name for f in fields(Rules) if f.init] == list(AXES)
    for axis in AXES.values():
        assert axis.meaning.endswith(".")
        assert axis.values or axis.low is not None


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"opening_point": 30}, "no rule axis 'opening_point'"),
        ({"opening_points": "30"}, "opening_points takes 0 to 100 points"),
        ({"opening_points": True}, "opening_points takes"),
        ({"opening_joker": "maybe"}, "opening_joker takes yes, ask, no"),
        ({"turn_seconds": 5}, "turn_seconds takes null, 15 to 3600 seconds"),
        ({"joker_reuse": None}, "joker_reuse takes"),
    ],
)
def test_house_rules_are_checked(changes: dict[str, object], says: str) -> None:
    with pytest.raises(RulesError, match=says):
        Rules().with_house_rules(changes)


def test_house_rules_that_the_dossier_names_are_all_possible() -> None:
    for changes in (
        *({"opening_points": points} for points in (0, 30, 50)),
        *({"turn_seconds": seconds} for seconds in (15, 60, 120, None)),
        *({"rack_size": size} for size in (14, 16)),
        *({"jokers": jokers} for jokers in (2, 4)),
        *({"players_max": players} for players in range(2, 7)),
        *({"joker_points": points} for points in (25, 30, 50, 100)),
        *({"match_by": way} for way in ("games", "points")),
    ):
        assert Rules().with_house_rules(changes).values() == {**Rules().values(), **changes}


def test_every_clause_of_an_edition_has_words_and_is_in_its_rules() -> None:
    for sheet in EDITIONS.values():
        axes = [clause.axis for clause in sheet.clauses]
        assert len(axes) == len(set(axes)), sheet.code
        for clause in sheet.clauses:
            assert clause.words
            assert getattr(sheet.rules, clause.axis) == clause.value
            assert sheet.words(clause.axis) == clause.words
        assert set(sheet.set_up) <= set(AXES)
    with pytest.raises(RulesError, match="the editions are ru, ua"):
        edition("de")


def test_card_faces_are_for_display_only() -> None:
    shown = [show_tile(Tile.parse(name), "cards") for name in ("B11", "R1", "O13", "K12", "K10", "J")]
    assert shown == ["J♣", "A♥", "K♦", "Q♠", "10♠", "J"]
    assert show_tile(Tile.parse("B11")) == "B11"
    assert str(Tile.parse("B11")) == "B11"


# --- what a judgement tells -------------------------------------------------------------------------------

RU = edition("ru").rules


def codes(judgement: TurnJudgement) -> list[str]:
    return [problem.code for problem in judgement.problems]


def turn(
    before: str, after: str, *, opened: bool = True, rules: Rules = RU, rack: str | None = None
) -> TurnJudgement:
    held = None if rack is None else parse_tiles(rack)
    return judge_turn(parse_table(before), parse_table(after), opened=opened, rules=rules, rack=held)


def test_played_and_gone() -> None:
    judgement = turn("B3 B4 B5 B6", "B4 B5 B6 B7")
    assert [str(tile) for tile in judgement.played] == ["B7"]
    assert [str(tile) for tile in judgement.gone] == ["B3"]
    assert codes(judgement) == ["tile-vanished"]


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("O01", 30),
        ("O02", 27),
        ("O03", 30),
        ("O04", 36),
        ("O07", 30),
        ("O08", 30),
        ("O10", 24),
        ("O12", 0),
        ("M01", None),
    ],
)
def test_opening_points(name: str, points: int | None) -> None:
    assert judged(name, RU).opening_points == points


def test_every_violation_of_a_turn_is_told() -> None:
    judgement = turn("R3 B3 J | K4 K5 K6", "R3 B3 | K4 K5 K6 K7 K9", rack="K7")
    assert codes(judgement) == ["too-few", "gap", "joker-pocketed", "not-on-rack"]


def test_a_tile_that_was_not_on_the_rack() -> None:
    assert turn("R3 R4 R5", "R3 R4 R5 R6", rack="R6 B1").verdict == "legal"
    judgement = turn("R3 R4 R5", "R3 R4 R5 R6", rack="R7 B1")
    assert codes(judgement) == ["not-on-rack"]
    assert [str(tile) for tile in judgement.problems[0].tiles] == ["R6"]


def test_an_unchanged_table_is_a_draw() -> None:
    for after in ("R3 R4 R5 | B7 K7 O7", "O7 K7 B7 | R3 R4 R5"):
        judgement = turn("R3 R4 R5 | B7 K7 O7", after, opened=False)
        assert (judgement.verdict, judgement.played, judgement.opening_points) == ("legal", (), None)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("J01", "replaced"),
        ("J04", "freed"),
        ("J12", "freed"),
        ("J17", "slides"),
        ("J18", "stays"),
        ("J22", "replaced"),
    ],
)
def test_joker_movements(name: str, how: str) -> None:
    (move,) = judged(name, RU).jokers
    assert move.how == how


def test_a_joker_slid_within_an_unchanged_set_is_asked_about() -> None:
    judgement = turn("R9 R10 J | B1 B2 B3", "J R9 R10 | B1 B2 B3 B4")
    assert letter(judgement) == "?V"
    assert [q.code for q in judgement.questions] == ["joker-slides?"]
    # The same set seen from the other side has not changed.
    assert turn("R9 R10 J | B1 B2 B3", "J R10 R9 | B1 B2 B3 B4").verdict == "legal"


def test_the_old_group_and_the_new_run_share_out_equal_tiles_kindly() -> None:
    """Two red tens: the opening may be made of the one from the rack."""
    judgement = turn("R10 B10 K10", "R10 B10 K10 | R9 R10 R11", opened=False)
    assert (judgement.verdict, judgement.opening_points) == ("legal", 30)


# --- doubt ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ("B3 B4 B5", "B3 B4 B5 | R7 K7 O7/B7", "legal"),
        ("R3 B3 K3/O3", "R3 B3 K3/O3 | R7 K7 O7", "legal"),  # an unchanged doubt is the same tile
        ("B3 B4 B5", "B3 B4 B5 B6/B9", "ask"),
        ("B3 B4 B5", "B3 B4 B5 B8/B9", "illegal"),
        ("B3 B4 B5 B6/B9", "B3 B4 B5", "illegal"),  # whichever it was, it is gone
        ("B3 B4 B5", "B3 B4 ??", "ask"),
        ("B3 B4 B5 | K7 O7 R7", "K7 O7 R7 R9/R10", "illegal"),
        ("B3 B4 B5", "B3 B4 B5 | ?? ?? ??", "ask"),
        ("B3 B4 B5 | K7 O7 R7", "B3 B4 B5 | ?? ??", "illegal"),
        ("B3 B4 B5", "B3 B4 ~B5 B6", "legal"),
        ("B3 B4 B5", "~B3 B4 B5", "legal"),
    ],
)
def test_doubtful_turns(before: str, after: str, verdict: str) -> None:
    assert turn(before, after).verdict == verdict


def test_a_doubtful_opening_gives_the_greatest_sum() -> None:
    judgement = turn("", "R9/R10 B9/B10 K9/K10", opened=False)
    assert (judgement.verdict, judgement.opening_points) == ("ask", 30)
    assert turn("", "R9/R8 B9/B8 K9/K8", opened=False).verdict == "illegal"


def test_a_rack_in_doubt() -> None:
    assert turn("R3 R4 R5", "R3 R4 R5 R6", rack="R6/R9").verdict == "ask"
    assert turn("R3 R4 R5", "R3 R4 R5 R6", rack="R8/R9").verdict == "illegal"
    assert turn("R3 R4 R5", "R3 R4 R5 R6", rack="R6 ??").verdict == "legal"


# --- properties -------------------------------------------------------------------------------------------

positions = st.sampled_from([name for name, row in POSITIONS.items() if row["opened"] != "-"])
codes_of_editions = st.sampled_from(sorted(EDITIONS))


@given(positions, codes_of_editions, st.randoms())
def test_order_never_matters(name: str, code: str, random: object) -> None:
    row = POSITIONS[name]

    def shuffled(text: str) -> Table:
        sets = [list(tiles) for tiles in parse_table(text).sets]
        for tiles in sets:
            if len({seen.tile.number for seen in tiles} - {None}) == 1 and len(tiles) > 2:
                random.shuffle(tiles)  # type: ignore[attr-defined]
            elif random.random() < 0.5:  # type: ignore[attr-defined]
                tiles.reverse()
        random.shuffle(sets)  # type: ignore[attr-defined]
        return Table(tuple(map(tuple, sets)))

    rules = edition(code).rules
    if "J J" in row["after"].replace(".", " "):
        return  # beside two jokers the order of a group is the order of a run
    one = judged(name, rules)
    other = judge_turn(
        shuffled(row["before"]), shuffled(row["after"]), opened=row["opened"] == "y", rules=rules
    )
    assert letter(one) == letter(other)
    assert one.opening_points == other.opening_points


@given(positions, codes_of_editions, st.integers(0, 30), st.data())
def test_doubt_never_turns_a_verdict_round(name: str, code: str, at: int, data: st.DataObject) -> None:
    """A tile that may also be another leaves the verdict or makes it a question."""
    row = POSITIONS[name]
    rules = edition(code).rules
    words = row["after"].replace(".", " ").split(" ")
    places = [place for place, word in enumerate(words) if word != "|"]
    place = places[at % len(places)]
    words[place] += "/" + data.draw(st.sampled_from(["R1", "B7", "O13", "J"]))
    sure = judged(name, rules)
    doubtful = judge_turn(
        parse_table(row["before"]), parse_table(" ".join(words)), opened=row["opened"] == "y", rules=rules
    )
    assert doubtful.verdict in (sure.verdict, "ask")


@settings(max_examples=60)
@given(positions, codes_of_editions, st.booleans(), st.data())
def test_doubtful_turns_agree_with_all_their_completions(
    name: str, code: str, told: bool, data: st.DataObject
) -> None:
    row = POSITIONS[name]
    rules = edition(code).rules
    before = parse_table(row["before"])
    sets = [list(tiles) for tiles in parse_table(row["after"]).sets]
    places = [(a, b) for a, tiles in enumerate(sets) for b in range(len(tiles))]
    near = sorted({tile.tile for tile in (*parse_table(row["after"]).tiles(), *before.tiles())})
    for a, b in data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=2, unique=True)):
        others = st.sampled_from([*near, JOKER, Tile.parse("R13")])
        extra = data.draw(st.frozensets(others, min_size=1, max_size=2))
        sets[a][b] = SeenTile(sets[a][b].candidates | extra)
    rack = parse_tiles(row["rack"]) if told else None

    def judge(tiles: list[list[SeenTile]]) -> str:
        table = Table(tuple(map(tuple, tiles)))
        return judge_turn(before, table, opened=row["opened"] == "y", rules=rules, rack=rack).verdict

    verdicts = set()
    for choice in product(*(sorted(seen.candidates) for tiles in sets for seen in tiles)):
        supply = iter(choice)
        verdicts.add(judge([[SeenTile.sure(next(supply)) for _ in tiles] for tiles in sets]))
    assert judge(sets) == (verdicts.pop() if len(verdicts) == 1 else "ask")
