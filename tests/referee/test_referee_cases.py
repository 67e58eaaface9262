"""Cases as JSON Lines, and sets that cross."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee import NotationError, parse_table
from referee.cases import judge_lines


def judge(**case: Any) -> dict[str, Any]:
    (line,) = judge_lines([json.dumps({"id": 1, "edition": "ru", **case})])
    return json.loads(line)


def codes(judged: dict[str, Any]) -> list[str]:
    return [told["code"] for told in judged["violations"]]


def test_a_legal_turn() -> None:
    assert judge(opened=True, before="R3 R4 R5", after="R3 R4 R5 R6", rack="R6") == {
        "id": 1,
        "verdict": "legal",
        "lean": None,
        "violations": [],
        "questions": [],
        "played": ["R6"],
        "opening_points": None,
    }


def test_an_illegal_turn_says_why() -> None:
    judged = judge(opened=False, before="", after="R9 B9 K9")
    assert (judged["verdict"], judged["lean"], judged["opening_points"]) == ("illegal", None, 27)
    assert judged["violations"] == [
        {
            "code": "opening-too-low",
            "tiles": ["R9", "B9", "K9"],
            "message": "The opening is worth 27 points, and it takes 30.",
        }
    ]


def test_a_question_offers_answers() -> None:
    judged = judge(after="B4 B6 B5")
    assert (judged["verdict"], judged["lean"]) == ("ask", "legal")
    assert judged["questions"] == [
        {
            "code": "sort-or-slide",
            "message": "B4 B6 B5 is no run as it lies. Is it meant as B4 B5 B6?",
            "answers": ["B4 B5 B6", "no"],
        }
    ]


def test_house_rules_and_doubt() -> None:
    assert judge(opened=False, before="", after="R9 B9 K9", rules={"opening_points": 0})["verdict"] == "legal"
    assert judge(opened=True, before="B3 B4 B5", after="B3 B4 B5 B6/B9")["verdict"] == "ask"
    assert judge(edition="xp", after="R9 B9 K9 | R9 B9 K9 | R9 R10 R11")["verdict"] == "legal"


@pytest.mark.parametrize(
    ("line", "name", "says"),
    [
        ("{", None, "not JSON"),
        ("[]", None, "a JSON object"),
        ('{"id": NaN}', None, "not JSON"),
        ("[" * 100_000, None, "not JSON"),
        ("9" * 5000, None, "not JSON"),
        ('{"id": 7}', 7, "edition is missing"),
        ('{"id": 7, "edition": "ru"}', 7, "after is missing"),
        ('{"id": 7, "edition": "de", "after": ""}', 7, "no edition 'de'"),
        ('{"id": 7, "edition": 3, "after": ""}', 7, "edition is a text"),
        ('{"id": 7, "edition": "ru", "after": ["B4"]}', 7, "after is a text"),
        ('{"id": 7, "edition": "ru", "after": "G4"}', 7, "'G4' is not a tile"),
        ('{"id": 7, "edition": "ru", "after": "B4 |"}', 7, "a set without tiles"),
        ('{"id": 7, "edition": "ru", "before": "", "after": ""}', 7, "opened is true or false"),
        ('{"id": 7, "edition": "ru", "before": "", "after": "", "opened": 1}', 7, "opened is true or false"),
        ('{"id": 7, "edition": "ru", "after": "", "rules": []}', 7, "rules is an object"),
        ('{"id": 7, "edition": "ru", "after": "", "rules": {"joker": 1}}', 7, "no rule axis"),
        ('{"id": 7, "edition": "ru", "after": "", "rules": {"jokers": [1]}}', 7, "plain texts"),
        ('{"id": 7, "edition": "ru", "after": "", "variant": "lake"}', 7, "the variants are river, french"),
        (
            '{"id": 7, "edition": "ru", "after": "", "rules": {"opening_points": true}}',
            7,
            "opening_points takes",
        ),
        ('{"id": 7, "edition": "ru", "after": "' + "B4 " * 501 + '"}', 7, "after has 501 tiles"),
        ('{"id": "a", "edition": "ru", "after": "B4#1 B5 B6"}', "a", "the tag #1 is on 1 tiles"),
    ],
)
def test_a_bad_line_is_told_and_the_rest_go_on(line: str, name: object, says: str) -> None:
    good = '{"id": 8, "edition": "ru", "after": "B4 B5 B6"}'
    bad, fine = map(json.loads, judge_lines([line, "", good]))
    assert bad["id"] == name
    assert says in bad["error"]
    assert set(bad) == {"id", "error"}
    assert (fine["id"], fine["verdict"]) == (8, "legal")


# --- the French variant ----------------------------------------------------------------------------------

CROSSED = "R2 R3 R4#1 R5 | R4#1 K4 B4"


def test_a_shared_tile_is_french_only() -> None:
    """V03 of the dossier."""
    case = {"opened": True, "before": "R3 R4 R5", "after": CROSSED, "rack": "R2 K4 B4"}
    french = judge(edition="pressman", variant="french", **case)
    assert (french["verdict"], french["played"]) == ("legal", ["R2", "K4", "B4"])
    assert codes(judge(edition="pressman", **case)) == ["tile-shared"]
    assert judge(edition="pressman", rules={"crossing": "yes"}, **case)["verdict"] == "legal"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("R3 R4#1 R5 | R4#1 K4 B4", []),
        ("R3 R4#1 R5#2 | R4#1 K4 B4 | R5#2 K5 B5", []),
        ("R3 R4#1 R5 | R4#1 R5 R6", ["crossing-same-kind"]),
        ("R4#1 K4 B4 | R4#1 K4 O4", ["crossing-same-kind"]),
        ("R3 J#1 R5 | J#1 K4 B4", []),
        ("R3 J#1 R5 | J#1 K6 B6", ["crossing-joker"]),
        ("R3 R4#1 R5 | R4#1 K4", ["too-few"]),
    ],
)
def test_crossings(after: str, expected: list[str]) -> None:
    assert codes(judge(variant="french", after=after)) == expected


def test_a_shared_tile_counts_once() -> None:
    table = "R3 R4#1 R5 | R4#1 K4 B4 | R4 O4 K4"
    assert judge(variant="french", after=table)["verdict"] == "legal"
    gone = judge(variant="french", opened=True, before=table, after="R3 R4 R5 | O4 K4 B4")
    assert codes(gone) == ["tile-vanished"]
    lifted = judge(
        variant="french", opened=True, before="R3 R4#1 R5 | R4#1 K4 B4", after="R3 R4 R5 | O4 K4 B4", rack="O4"
    )
    assert lifted["verdict"] == "legal"


def test_a_crossed_opening_needs_its_own_tiles() -> None:
    own = judge(variant="french", opened=False, before="", after="R9 R10#1 R11 | R10#1 K10 B10")
    assert (own["verdict"], own["opening_points"]) == ("legal", 60)
    borrowed = judge(variant="french", opened=False, before="R9 R10 R11", after="R9 R10#1 R11 | R10#1 K10 B10")
    assert "opening-too-low" in codes(borrowed)


def test_doubt_beside_a_crossing_is_asked_about() -> None:
    judged = judge(variant="french", opened=True, before="R3 R4 R5", after="R3 R4#1 R5/R8 | R4#1 K4 B4")
    assert judged["verdict"] == "ask"


@pytest.mark.parametrize("text", [CROSSED, "R3 R4#1 R5#2 | R4#1 K4 B4 | R5#2 K5 B5"])
def test_crossings_print_as_they_parse(text: str) -> None:
    assert str(parse_table(text)) == text
    assert str(parse_table(text.replace("#1", "#x"))) == text


@pytest.mark.parametrize("text", ["R4#1 | K4#1", "R4#1 R4#1 B4", "R4#1 | R4#1 | R4#1", "R4#1 B4 | B4"])
def test_tags_that_mean_nothing(text: str) -> None:
    with pytest.raises(NotationError):
        parse_table(text)
