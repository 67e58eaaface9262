"""The report of a review: one page that needs no network, no script and no other file. The only place that
knows Jinja.

Names come from strangers, so the template escapes everything, and the page itself forbids scripts.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from referee import Colour, Faces, SeenTile, edition, show_text, show_tile
from vision.review.folder import ReviewState
from vision.review.summary import Summary
from vision.review.turn import ReviewedTurn, ShownTile
from vision.watch.setup import WatchSetup

__all__ = ["clock", "report_html"]

_COLOUR_NAMES = {Colour.RED: "red", Colour.BLUE: "blue", Colour.BLACK: "black", Colour.ORANGE: "orange"}
_VERDICTS = {"legal": ("✓", "Legal"), "illegal": ("✕", "Foul"), "ask": ("?", "Question")}
_TICKS_MOST = 8


def report_html(state: ReviewState, setup: WatchSetup, summary: Summary, folder: Path) -> str:
    """Return the page; pictures are taken from ``folder``, and left out where they are not there."""
    end_s = max([summary.reached_s, *(turn.end_s for turn in state.turns)], default=0.0) or 1.0
    return _template().render(
        summary=summary,
        recording=Path(summary.recording).name or summary.recording,
        turns=state.turns,
        players=[_plain(name) for name in setup.players],
        sheet=edition(setup.edition).sheet,
        faces=setup.faces,
        variant=setup.variant,
        lanes=_lanes(state.turns, len(setup.players), end_s),
        ticks=_ticks(end_s),
        verdicts=_VERDICTS,
        picture=lambda name: _data_uri(folder, name),
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"clock": clock, "face": _face, "said": _said, "plain": _plain, "shown": show_text}
    return environment.get_template("report.html")


def clock(t_s: float) -> str:
    """A time as a person reads it: ``2:05``, ``1:02:05``."""
    whole = max(0, round(t_s))
    hours, minutes, seconds = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"


def _plain(text: str | None) -> str:
    """A text without the control characters that a page cannot hold."""
    return "".join(letter for letter in text or "" if letter.isprintable())


@dataclass(frozen=True, slots=True)
class _Face:
    """How a tile is drawn."""

    number: str
    """What stands large on it."""
    letter: str
    """Its colour's letter, small."""
    ink: str
    """Its colour's class."""
    name: str
    """What a screen reader says."""


def _face(tile: ShownTile | str, shown: Faces) -> _Face:
    text, marks = (tile, ()) if isinstance(tile, str) else (tile.text, tile.marks)
    seen = SeenTile.parse(text)
    told = "".join(f", {_MARK_WORDS[mark]}" for mark in marks if mark != "doubt")
    if not seen.is_sure:
        named = show_text(str(seen), shown)
        short = named if len(named) <= 9 else f"{named[:8]}…"
        return _Face(short, "", "doubt", f"in doubt: {named}{told}")
    one = seen.tile
    if one.colour is None:
        return _Face("★", "J", "joker", f"joker{told}")
    if shown == "cards":
        card = show_tile(one, shown)
        return _Face(card[:-1], card[-1], "red" if card[-1] in "♥♦" else "black", f"{card}{told}")
    name = _COLOUR_NAMES[one.colour]
    return _Face(str(one.number), one.colour.letter, name, f"{name} {one.number}{told}")


_MARK_WORDS = {"new": "new", "gone": "gone after this turn", "fault": "part of the fault", "hidden": "covered"}


def _said(turn: ReviewedTurn) -> str:
    """What was done, in words."""
    count = len(turn.played)
    tiles = "1 tile" if count == 1 else f"{count} tiles"
    if turn.action == "play":
        return f"Played {tiles}" if count else "Changed the table"
    words = {
        "put-back": "Put the table back",
        "draw": "Drew a tile",
        "pass": "Passed",
        "time-out": "Ran out of time",
        "unknown": "Not clear what was done",
    }
    return words[turn.action]


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A turn on the timeline, in percent of the whole."""

    turn: ReviewedTurn
    left: float
    width: float


def _lanes(turns: Sequence[ReviewedTurn], seats: int, end_s: float) -> list[list[_Stretch]]:
    """One lane a player; the last one holds turns of whom nobody knows, where there are any."""
    lanes: list[list[_Stretch]] = [[] for _ in range(seats + 1)]
    for turn in turns:
        lane = seats if turn.seat is None or not 0 <= turn.seat < seats else turn.seat
        left = 100 * turn.start_s / end_s
        lanes[lane].append(_Stretch(turn, round(left, 3), round(100 * turn.seconds / end_s, 3)))
    return lanes if lanes[-1] else lanes[:-1]


def _ticks(end_s: float) -> list[tuple[float, str]]:
    """Marks of the time axis at round times: where in percent, and the time."""
    steps = (5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)
    step = next((step for step in steps if end_s / step <= _TICKS_MOST), 14400)
    return [(round(100 * t / end_s, 3), clock(t)) for t in range(0, int(end_s) + 1, step)]


def _data_uri(folder: Path, name: str | None) -> str | None:
    if name is None:
        return None
    try:
        data = (folder / name).read_bytes()
    except OSError:
        return None
    return f"data:image/jpeg;base64,{base64.b64encode(data).decode('ascii')}"
