"""Find legal moves for positions given as text: JSON Lines on stdin, one question a line.

A question is {"id", "edition", "opened", "table", "rack", "question",
"time_limit_s"}; the question is "any", "most-tiles", "most-points",
"fewest-sets" or "smallest-opening". Each gives one line with the status
("optimal", "infeasible" or "time-limit"), the table after the move, the tiles
played, points and sets touched, or {"id", "error"}. docs/moves.md has more.

  echo '{"edition": "ru", "table": "B4 B5 B6", "rack": "B7", "opened": true, "question": "any"}' | tileref moves
"""

from __future__ import annotations

import argparse
import io
import json
import sys

from referee.solver_cases import answer_line
from tileref.session import Session
from tileref.status import Status, worst


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes: nothing, the questions come on stdin."""


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Answer every line as it comes; an answer that the clock cut short is a doubt, a bad line is unusable."""
    if sys.stdin.isatty():
        session.complain("Type one JSON object a line, then Enter; 'tileref moves --help' shows one.")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    met: set[Status] = set()
    for line in sys.stdin:
        if not line.strip():
            continue
        answer = answer_line(line)
        print(json.dumps(answer, ensure_ascii=False), flush=True)
        if "error" in answer:
            met.add(Status.UNUSABLE)
        else:
            met.add(Status.DOUBT if answer["status"] == "time-limit" else Status.FINE)
    return worst(list(met))
