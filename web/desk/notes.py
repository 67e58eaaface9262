"""What people settle beside the log: cells of the sheet, partial answers, games kept by the clock alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee import GameResult
from web.store.matches import NoteEntry

__all__ = [
    "CellEdit",
    "ClockGame",
    "agreed_winner",
    "cell_edits",
    "clock_game",
    "partial_answers",
    "standing_notes",
]


@dataclass(frozen=True, slots=True)
class CellEdit:
    """One edit of a cell."""

    game: int
    """The game's number, from 0."""
    seat: int
    """The player."""
    points: int
    """What the cell says since."""
    why: str
    """What the editor wrote."""
    at_s: float
    """When, seconds of the epoch."""


@dataclass(frozen=True, slots=True)
class ClockGame:
    """A match that is kept by clock and score sheet alone, at one moment."""

    turn: int | None = None
    """Whose turn it is; None between games."""
    turn_began_s: float | None = None
    """When it began, seconds since the log began."""
    turns: int = 0
    """How many turns of this game are over."""
    results: tuple[GameResult, ...] = ()
    """The games that are over."""
    scored_at_s: tuple[float, ...] = ()
    """When each was scored, seconds of the epoch."""


def standing_notes(notes: Sequence[NoteEntry]) -> Iterator[tuple[int, NoteEntry]]:
    """Yield the notes that were not taken back, with their numbers."""
    gone = {entry.note["of"] for entry in notes if entry.note["kind"] == "take-back"}
    for number, entry in enumerate(notes):
        if number not in gone and entry.note["kind"] != "take-back":
            yield number, entry


def cell_edits(notes: Sequence[NoteEntry]) -> tuple[CellEdit, ...]:
    """The edits of the score sheet, in order."""
    return tuple(
        CellEdit(e.note["game"], e.note["seat"], e.note["points"], e.note.get("why", ""), e.recorded_at)
        for _, e in standing_notes(notes)
        if e.note["kind"] == "cell"
    )


def agreed_winner(notes: Sequence[NoteEntry]) -> int | None:
    """Who wins the match by agreement."""
    seats = [e.note["seat"] for _, e in standing_notes(notes) if e.note["kind"] == "winner"]
    return seats[-1] if seats else None


def clock_game(notes: Sequence[NoteEntry]) -> ClockGame:
    """Go through the notes of a match that is kept by the clock."""
    now = ClockGame()
    for _, entry in standing_notes(notes):
        note = entry.note
        if note["kind"] == "deal":
            now = ClockGame(note["seat"], note["t_s"], 0, now.results, now.scored_at_s)
        elif note["kind"] == "turn":
            now = ClockGame(note["seat"], note["t_s"], now.turns + 1, now.results, now.scored_at_s)
        elif note["kind"] == "game":
            result = GameResult(tuple(note["scores"]), note["winner"])
            scored_at = (*now.scored_at_s, entry.recorded_at)
            now = ClockGame(None, None, 0, (*now.results, result), scored_at)
    return now


def partial_answers(notes: Sequence[NoteEntry], number: int) -> dict[str, str]:
    """The answers given to questions of event ``number``, others being still open, by the question's key."""
    return {
        e.note["question"]: e.note["answer"]
        for _, e in standing_notes(notes)
        if e.note["kind"] == "answer" and e.note["number"] == number
    }
