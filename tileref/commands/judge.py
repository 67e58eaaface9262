"""Judge tables and turns given as text: JSON Lines on stdin, one case a line.

A case is {"id", "edition", "opened", "before" (without it the table alone is
judged), "after", "rack", "rules": {axis: value}, "variant"}; tables are in the
notation, "B4 B5 B6 | K8 R8 J". Each gives one line with its verdict, violations
and questions, or {"id", "error"}.

  echo '{"edition": "ru", "after": "B4 B5 B7 | K8 R8 J"}' | tileref judge
"""

from __future__ import annotations

import argparse
import io
import json
import sys

from referee.cases import judge_line
from tileref.session import Session
from tileref.status import Status, worst

_STATUS = {"legal": Status.FINE, "illegal": Status.FAULT, "ask": Status.DOUBT}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes: nothing, the cases come on stdin."""


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Judge every line; the status tells the worst that was met, a line that is no case being unusable."""
    if sys.stdin.isatty():
        session.complain("Type one JSON object a line, then Enter; 'tileref judge --help' shows one.")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    met: set[Status] = set()
    for line in sys.stdin:
        if not line.strip():
            continue
        judged = judge_line(line)
        print(json.dumps(judged, ensure_ascii=False))
        met.add(Status.UNUSABLE if "error" in judged else _STATUS[judged["verdict"]])
    return worst(list(met))
