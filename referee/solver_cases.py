"""Questions about moves as JSON Lines; ``docs/moves.md`` describes both sides."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

from referee.cases import CaseError, case_rules, parsed_line
from referee.errors import RefereeError
from referee.seen import parse_tiles
from referee.solver import ACCEPTS, QUESTIONS, BestMove, Question, find_move
from referee.table import parse_table

__all__ = ["answer_case", "answer_line"]

DEFAULT_TIME_LIMIT_S: Final = 10.0
"""The time limit of a case that names none, in seconds."""


def answer_line(line: str) -> dict[str, Any]:
    """Answer the case on one line, as values for JSON; ``{"id", "error"}`` where it cannot be answered."""
    name: object = None
    try:
        case = parsed_line(line)
        name = case.get("id")
        return answer_case(case)
    except RefereeError as error:
        return {"id": name, "error": str(error)}


def answer_case(case: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one case; RefereeError says what is wrong with it."""
    for key in ("edition", "table", "rack", "question"):
        if not isinstance(case.get(key), str):
            raise CaseError(f"{key} is missing" if case.get(key) is None else f"{key} is a text")
    if not isinstance(case.get("variant"), str | None):
        raise CaseError("variant is a text")
    opened = case.get("opened")
    if not isinstance(opened, bool):
        raise CaseError("opened is true or false")
    question = next((known for known in QUESTIONS if known == case["question"]), None)
    if question is None:
        raise CaseError(f"there is no question {case['question']!r}; the questions are {', '.join(QUESTIONS)}")
    accept = next((known for known in ACCEPTS if known == case.get("accept", "legal")), None)
    if accept is None:
        raise CaseError(f"accept takes {' or '.join(ACCEPTS)}, not {case['accept']!r}")
    time_limit_s = case.get("time_limit_s", DEFAULT_TIME_LIMIT_S)
    if not isinstance(time_limit_s, int | float) or isinstance(time_limit_s, bool):
        raise CaseError("time_limit_s is a number of seconds")
    start_s = time.perf_counter()
    answer = find_move(
        parse_table(case["table"]),
        parse_tiles(case["rack"]),
        opened=opened,
        rules=case_rules(case["edition"], case.get("variant"), case.get("rules")),
        question=question,
        accept=accept,
        time_limit_s=time_limit_s,
    )
    ms = round((time.perf_counter() - start_s) * 1000)
    return {"id": case.get("id"), **_answer_json(question, answer), "ms": ms}


def _answer_json(question: Question, answer: BestMove) -> dict[str, Any]:
    move = answer.move
    return {
        "question": question,
        "status": answer.status,
        "table": None if move is None else str(move.table),
        "played": None if move is None else [str(tile) for tile in move.played],
        "points": None if move is None else move.points,
        "touched": None if move is None else move.touched,
        "verdict": None if move is None else move.judged.verdict,
    }
