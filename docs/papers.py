"""Writes what is generated in the papers: ``python docs/papers.py`` (needs an installed clone).

The pages hold generated parts between ``<!-- NAME: begin -->`` and ``<!-- NAME: end -->``; a test
(``tests/test_papers.py``) fails where one is out of date. The example pictures of the guide are made by
``python -m datasets.guide --out docs/guide``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee import (
    AXES,
    EDITIONS,
    VARIANTS,
    Correct,
    Deal,
    Draw,
    Event,
    Play,
    StartMatch,
    event_line,
    replay,
)
from referee.events import HEADER

DOCS = Path(__file__).resolve().parent
PAGES = ("rules.md", "game-record.md", "guide.md", "library.md", "record.md")
EXAMPLES = ("read_photo", "judge_turn", "watch_recording")


def value_text(value: object) -> str:
    """Return an axis's value as a table shows it."""
    return "open" if value is None else str(value)


def rules_parts() -> dict[str, str]:
    """Return the generated parts of rules.md: every edition's values, and its sheet's words."""
    codes = list(EDITIONS)
    rules = {code: one.rules.values() for code, one in EDITIONS.items()}
    lines = [f"| rule | {' | '.join(f'`{code}`' for code in codes)} |", "|---" * (len(codes) + 1) + "|"]
    for axis in AXES:
        cells = [
            value_text(rules[code][axis]) + (" (ask)" if axis in EDITIONS[code].set_up else "")
            for code in codes
        ]
        lines.append(f"| `{axis}` | {' | '.join(cells)} |")
    sheets = []
    for code, one in EDITIONS.items():
        sheets += [f"### `{code}`: {one.sheet}", ""]
        if one.limits:
            sheets += [*(f"- {limit}" for limit in one.limits), ""]
        sheets += ["| rule | value | the sheet's words |", "|---|---|---|"]
        for clause in one.clauses:
            sheets.append(f"| `{clause.axis}` | {value_text(clause.value)} | {clause.words} |")
        sheets.append("")
    variants = [
        f"- `{name}`: {', '.join(f'`{axis}` = {value_text(value)}' for axis, value in axes.items())}"
        for name, axes in VARIANTS.items()
    ]
    meanings = [f"- `{name}`: {axis.meaning}" for name, axis in AXES.items()]
    return {
        "meanings": "\n".join(meanings),
        "editions": "\n".join(lines),
        "variants": "\n".join(variants),
        "sheets": "\n".join(sheets).rstrip(),
    }


def example_game() -> tuple[Event, ...]:
    """Return a short game with a foul, its putting-back, an opening, a draw, a correction and the racks."""
    return (
        StartMatch(("Anna", "Boris"), "ru"),
        Deal(0, 0.0),
        Play(0, "R7 B7 K7 O7", t_s=41.5),
        Draw(0, t_s=55.0),
        Play(1, "B10 K10 O10", t_s=80.2),
        Play(0, "B10 K10 O10 | R10 R11 R12", t_s=112.0),
        Draw(1, t_s=130.4),
        Play(0, "R10 R11 R12 | B10 K10 O10 | K1 K2 K3", t_s=164.0),
        Correct(7, Play(0, "R10 R11 R12 | B10 K10 O10 | K1 K2 K3 K4", t_s=164.0)),
        Draw(1, t_s=180.9),
    )


def game_parts() -> dict[str, str]:
    """Return the generated parts of game-record.md: an example log, and what the referee says of each event."""
    events = example_game()
    log = "\n".join(["```json", HEADER, *(event_line(event) for event in events), "```"])
    said = ["| number | event | verdict | what the referee says |", "|---|---|---|---|"]
    kept = replay(events)
    for outcome, event in zip(kept.outcomes, events, strict=True):
        told = " ".join(one.message for one in (*outcome.problems, *outcome.questions, *outcome.notes))
        name = event_line(event).split('"')[3]
        said.append(f"| {outcome.number} | `{name}` | {outcome.verdict} | {told} |")
    state = kept.state
    held = " and ".join(f"{name} {count}" for name, count in zip(state.players, state.racks, strict=True))
    end = f"At its end the table is `{state.table}`; {held} tiles are on the racks, {state.pool} in the pool."
    return {"log": log, "said": "\n".join(said), "end": end}


def library_parts() -> dict[str, str]:
    """Return the generated parts of library.md: the examples, and every public name with its first sentence."""
    import referee
    import vision

    parts = {
        name: f"```python\n{(DOCS.parent / 'examples' / f'{name}.py').read_text('utf-8')}```"
        for name in EXAMPLES
    }
    for package in (vision, referee):
        lines = ["| name | what it is |", "|---|---|"]
        for name in sorted(package.__all__, key=str.lower):
            thing = getattr(package, name)
            told = (inspect.getdoc(thing) or "").split("\n\n")[0]
            if not (inspect.isclass(thing) or inspect.isfunction(thing)):
                told = "A constant." if name.isupper() else "A type."
            lines.append(f"| `{name}` | {' '.join(told.split()).replace('|', '&#124;')} |")
        parts[package.__name__] = "\n".join(lines)
    return parts


def record_parts() -> dict[str, str]:
    """Return the generated part of record.md: the record as tables."""
    from tileref.record import read_record, record_markdown

    return {"record": record_markdown(read_record(DOCS / "record.jsonl"))}


def guide_rows(readings: Mapping[str, tuple[str, list[tuple[str, str, str]]]]) -> str:
    """Return the guide's table of pictures; see ``guide_readings``."""
    lines = ["| picture | view | what `tileref doctor --photo` says |", "|---|---|---|"]
    for name, (grade, findings) in readings.items():
        told = "<br>".join(f"{what}: {sentence}" for _, what, sentence in findings) or "All is good."
        lines.append(f'| <img src="guide/{name}.jpg" width="260" alt="{name}"> | **{grade}** | {told} |')
    return "\n".join(lines)


def guide_readings() -> dict[str, tuple[str, list[tuple[str, str, str]]]]:
    """Read every picture of the guide: its grade, and (grade, name, sentence) of what is not good."""
    from datasets.guide import SHOTS
    from vision.picture import load_picture
    from vision.reader import Reader
    from vision.view import grade_view, measure_view, worst_grade

    reader = Reader.load()
    found: dict[str, Any] = {}
    for shot in SHOTS:
        picture = load_picture(DOCS / "guide" / f"{shot.name}.jpg")
        findings = grade_view(measure_view(picture.image_bgr, reader.read(picture)))
        poor = [(one.grade, one.name, one.told) for one in findings if one.grade != "good"]
        found[shot.name] = (worst_grade(findings), poor)
    return found


def filled(page: str, parts: Mapping[str, str]) -> str:
    """Return a page with its generated parts put in; ValueError where the page has no place for one."""
    for name, text in parts.items():
        pattern = rf"(<!-- {name}: begin -->\n).*?(\n<!-- {name}: end -->)"
        page, count = re.subn(pattern, lambda m, text=text: m[1] + text + m[2], page, flags=re.DOTALL)
        if count != 1:
            raise ValueError(f"the page has {count} places for {name!r}")
    return page


def main() -> None:
    """Write the generated parts into the pages."""
    parts = {
        "rules.md": rules_parts(),
        "game-record.md": game_parts(),
        "library.md": library_parts(),
        "record.md": record_parts(),
        "guide.md": {"pictures": guide_rows(guide_readings())},
    }
    for name in PAGES:
        path = DOCS / name
        path.write_text(filled(path.read_text("utf-8"), parts[name]), encoding="utf-8")


if __name__ == "__main__":
    main()
