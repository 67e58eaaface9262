"""Say whether every set on a table is a legal group or run, and name each one that is not.

A set with doubtful tiles is illegal only if it is so however they are read;
else it is a question. Where it is not sure which tiles form a set, that is a
question too, never a fault; so is a set of which no tile was read surely, or
that may go on where the picture ends.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from typing import Any

from referee.axes import Rules
from referee.messages import Problem, Question, Verdict
from referee.seen import print_tiles
from referee.sets import judge_table
from tileref.arguments import add_edition
from tileref.session import ReadPhoto, Session, Unusable, emit_json
from tileref.status import Status, worst
from vision.beyond import may_go_on, missing
from vision.readings import PhotoReading, SetReading
from vision.report import lying_table, seen_sets

_STATUS = {"legal": Status.FINE, "illegal": Status.FAULT, "ask": Status.DOUBT}
_CUT = "doubtful-cut"
_NONE = "perhaps-no-tiles"
_BEYOND = "may-go-on"
_ASKED = {
    _CUT: "It is not sure where this set begins and ends. Do these tiles lie together?",
    _NONE: "Nothing here was read surely. Do tiles lie here?",
    _BEYOND: "This set may go on beyond the picture. Are these all its tiles?",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault or a question, and the set that it is about."""

    place: int | None
    """The set's place on the table, from 0; None for the table as a whole."""
    code: str
    """What kind it is."""
    tiles: tuple[str, ...]
    """The tiles that it is about, in the notation."""
    message: str
    """One sentence or two for the players."""
    answers: tuple[str, ...] = ()
    """For a question: the answers on offer."""


@dataclass(frozen=True, slots=True)
class Check:
    """The verdict on one photographed table."""

    verdict: Verdict
    """Illegal with any sure fault, else ask with any question, else legal."""
    sets: tuple[str, ...]
    """The sets, in the notation."""
    problems: tuple[Finding, ...]
    """Every sure fault."""
    questions: tuple[Finding, ...]
    """Everything that has to be asked."""
    standing: tuple[str, ...] = ()
    """The rows of a rack in view, which are not judged."""


def check_reading(reading: PhotoReading, rules: Rules, likely: float) -> Check:
    """Judge a table that was read; ``likely`` is the least probability of a reading that counts."""
    table = lying_table(reading, likely)
    judged = judge_table(table, rules.inventory, rules.sets)
    problems, questions = [], []
    sets = [one for one in reading.lying if one.members]
    standing = seen_sets(replace(reading, sets=reading.standing), likely)
    for place, (one, seen) in enumerate(zip(judged.sets, sets, strict=True)):
        if seen.doubt:
            questions.append(_asked_first(_CUT, place, print_tiles(one.tiles), one.problems))
        elif one.problems and all(m < 0 or reading.tiles[m].doubt for m in seen.members):
            # A mug's handle may read as a 1: where nothing is sure, not even that tiles lie there is.
            questions.append(_asked_first(_NONE, place, print_tiles(one.tiles), one.problems))
        elif one.problems and _may_go_on(reading, seen) and missing(one.tiles, rules.sets):
            questions.append(_asked_first(_BEYOND, place, print_tiles(one.tiles), one.problems))
        else:
            problems += [_finding(place, problem) for problem in one.problems]
        questions += [_finding(place, question) for question in one.questions]
    problems += [_finding(None, problem) for problem in judged.table_problems]
    questions += [_finding(None, question) for question in judged.table_questions]
    verdict: Verdict = "illegal" if problems else "ask" if questions else "legal"
    shown, unjudged = (tuple(print_tiles(one) for one in sets) for sets in (table.sets, standing))
    return Check(verdict, shown, tuple(problems), tuple(questions), unjudged)


def _may_go_on(reading: PhotoReading, one: SetReading) -> bool:
    quads = [reading.tiles[m].corners_xy_px if m >= 0 else reading.unreadable[-1 - m] for m in one.members]
    return may_go_on(quads, reading.size_wh)


def _finding(place: int | None, what: Problem | Question) -> Finding:
    answers = what.answers if isinstance(what, Question) else ()
    return Finding(place, what.code, tuple(str(tile) for tile in what.tiles), what.message, answers)


def _asked_first(code: str, place: int, tiles: str, problems: tuple[Problem, ...]) -> Finding:
    if_so = "If they are" if code == _BEYOND else "If they do"
    sentences = [_ASKED[code], *(f"{if_so}: {problem.message}" for problem in problems)]
    return Finding(place, code, tuple(tiles.split()), " ".join(sentences), ("yes", "no"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="photographs of tables")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line for each photograph")
    add_edition(parser)


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Check every photograph; the status tells the worst that was met."""
    several = len(arguments.photos) > 1
    return worst(
        [_run_one(read, session, arguments.json, several) for read in session.photos(arguments.photos)]
    )


def _run_one(read: ReadPhoto | Unusable, session: Session, as_json: bool, with_name: bool) -> Status:
    error = read.error if isinstance(read, Unusable) else None
    if isinstance(read, ReadPhoto) and read.reading.kind == "rack":
        error = f"{read.photo} shows a rack; only a table can be checked."
        session.complain(error)
    if error is not None or isinstance(read, Unusable):
        if as_json:
            emit_json({"photo": read.photo, "error": error})
        return Status.UNUSABLE
    check = check_reading(read.reading, session.rules, session.settings.read.alternative_bar)
    if as_json:
        emit_json(check_json(read.photo, check))
    else:
        if with_name:
            print(f"{read.photo}:")
        for line in check_text(check):
            print(session.show(f"  {line}" if with_name else line), flush=True)
    return _STATUS[check.verdict]


def check_json(photo: str, check: Check) -> dict[str, Any]:
    """Return the JSON object of one checked photograph; ``set`` counts from 0, null is the whole table.

    ``standing`` is there where rows of a rack are in view.
    """
    return {
        "photo": photo,
        "verdict": check.verdict,
        "sets": list(check.sets),
        "problems": [
            {"code": p.code, "set": p.place, "tiles": list(p.tiles), "message": p.message}
            for p in check.problems
        ],
        "questions": [
            {
                "code": q.code,
                "set": q.place,
                "tiles": list(q.tiles),
                "message": q.message,
                "answers": list(q.answers),
            }
            for q in check.questions
        ],
        **({"standing": list(check.standing)} if check.standing else {}),
    }


def check_text(check: Check) -> list[str]:
    """Return the verdict for a person: the table, the verdict, then each fault and question with its set."""
    apart = [f"Not judged, as it stands on a rack: {row}." for row in check.standing]
    if not check.sets:
        return [*apart, "Legal: there is nothing on the table."] if apart else [
            "No tiles face up.", "Legal: there is nothing on the table."
        ]  # fmt: skip
    count = len(check.sets)
    sets = "the one set is" if count == 1 else f"all {count} sets are"
    headline = {
        "legal": f"Legal: {sets} a group or a run.",
        "illegal": "Illegal.",
        "ask": "Not certain.",
    }[check.verdict]
    if check.verdict == "legal" and count > 1:
        headline = f"Legal: {sets} groups or runs."
    lines = [" | ".join(check.sets), headline]
    for kind, findings in (("Fault", check.problems), ("Question", check.questions)):
        for finding in findings:
            where = (
                "" if finding.place is None else f" in set {finding.place + 1} ({check.sets[finding.place]})"
            )
            lines.append(f"{kind}{where}: {finding.message}")
    return lines + apart
