"""``tileref judge`` as a process."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys

import pytest

GOOD = {"id": "a", "edition": "ru", "after": "B4 B5 B6"}


def judge(text: bytes) -> tuple[int, list[dict[str, object]], bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "tileref", "judge"], input=text, capture_output=True, check=False, timeout=60
    )
    return done.returncode, [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()], done.stderr


@pytest.mark.parametrize(
    ("cases", "status"),
    [
        ([], 0),
        ([GOOD], 0),
        ([GOOD, {**GOOD, "after": "B4 B6 B5"}], 3),
        ([GOOD, {**GOOD, "after": "B4 B6 B5"}, {**GOOD, "after": "B4 B6"}], 1),
        ([{**GOOD, "after": "B4 B6"}, {**GOOD, "edition": "?"}, GOOD], 2),
    ],
)
def test_status_tells_the_worst(cases: list[dict[str, object]], status: int) -> None:
    text = "\n".join(json.dumps(case) for case in cases).encode()
    code, judged, stderr = judge(text)
    assert code == status
    assert len(judged) == len(cases)
    assert b"Traceback" not in stderr


def test_lines_that_are_not_utf8_are_told_and_the_rest_go_on() -> None:
    code, judged, stderr = judge(b"\xff\xfe{\n" + json.dumps({**GOOD, "id": "\u05d0\ud800"}).encode() + b"\r\n")
    assert code == 2
    assert "error" in judged[0]
    assert judged[1]["verdict"] == "legal"
    assert b"Traceback" not in stderr


@pytest.mark.parametrize("command", ["judge", "moves"])
def test_the_line_that_the_help_shows_is_answered(command: str) -> None:
    module = importlib.import_module(f"tileref.commands.{command}")
    example = re.search(r"echo '(\{.+\})'", module.__doc__ or "")
    assert example is not None
    done = subprocess.run(
        [sys.executable, "-m", "tileref", command], input=example[1].encode(), capture_output=True, check=False
    )
    answer = json.loads(done.stdout)
    assert "verdict" in answer, answer
