"""``tileref moves``: JSON lines in and out."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from referee.solver_cases import answer_line

GOOD = {
    "id": 7,
    "edition": "ru",
    "opened": True,
    "table": "B4 B5 B6 | K8 R8 O8",
    "rack": "B3 B8 R1",
    "question": "most-tiles",
}


def test_an_answer() -> None:
    answer = answer_line(json.dumps(GOOD))
    assert answer.pop("ms") >= 0
    assert answer == {
        "id": 7,
        "question": "most-tiles",
        "status": "optimal",
        "table": "R8 B8 K8 O8 | B3 B4 B5 B6",
        "played": ["B3", "B8"],
        "points": 11,
        "touched": 2,
        "verdict": "legal",
    }


def test_no_move() -> None:
    answer = answer_line(json.dumps({**GOOD, "rack": "R1", "question": "any"}))
    assert (answer["status"], answer["table"], answer["played"]) == ("infeasible", None, None)


def test_house_rules_and_variants() -> None:
    case = {**GOOD, "opened": False, "rack": "R5 B5 K5", "question": "smallest-opening"}
    assert answer_line(json.dumps(case))["status"] == "infeasible"
    assert answer_line(json.dumps({**case, "rules": {"opening_points": 15}}))["points"] == 15
    assert answer_line(json.dumps({**case, "variant": "river"}))["status"] == "infeasible"
    assert "cross" in answer_line(json.dumps({**case, "variant": "french"}))["error"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"question": "best"}, "there is no question 'best'"),
        ({"question": None}, "question is missing"),
        ({"edition": "fr"}, "there is no edition 'fr'"),
        ({"opened": 1}, "opened is true or false"),
        ({"table": "B4 B5 X9"}, "'X9' is not a tile"),
        ({"rack": 5}, "rack is a text"),
        ({"time_limit_s": "long"}, "time_limit_s is a number"),
        ({"time_limit_s": True}, "time_limit_s is a number"),
        ({"time_limit_s": -1}, "the time limit is"),
        ({"accept": "all"}, "accept takes legal or ask"),
        ({"variant": 3}, "variant is a text"),
        ({"rules": []}, "rules is an object"),
    ],
)
def test_bad_lines(change: dict[str, object], words: str) -> None:
    answer = answer_line(json.dumps({**GOOD, **change}))
    assert answer["id"] == 7
    assert words in answer["error"]


def test_the_command_goes_on_after_a_bad_line() -> None:
    lines = [json.dumps(GOOD), "{", "", json.dumps({**GOOD, "id": "\u05d0", "question": "any"})]
    done = subprocess.run(
        [sys.executable, "-m", "tileref", "moves"],
        input="\n".join(lines).encode(),
        capture_output=True,
        check=False,
        timeout=120,
    )
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert [answer["id"] for answer in answers] == [7, None, "\u05d0"]
    assert ["error" in answer for answer in answers] == [False, True, False]
    assert done.returncode == 2
    assert done.stderr == b""
