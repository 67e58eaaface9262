"""Turns and the summary of a review, for a person at a terminal."""

from __future__ import annotations

from collections.abc import Callable

from vision.review.report import clock
from vision.review.summary import Summary
from vision.review.turn import ReviewedTurn

__all__ = ["printable", "summary_text", "turn_text"]

_VERDICTS = {"legal": "legal", "illegal": "FOUL", "ask": "question"}


def printable(text: str) -> str:
    """A text without control characters: names must not steer the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def turn_text(turn: ReviewedTurn, show: Callable[[str], str] = str) -> list[str]:
    """Return the turn on one line, then every fault, question and step of a put-back.

    ``show`` turns the notation of tiles into what their faces show.
    """
    player = "?" if turn.player is None else printable(turn.player)
    what = turn.action + (" (inferred)" if turn.inferred else "")
    played = f" {show(' '.join(turn.played))}" if turn.played else ""
    opening = "" if turn.opening_points is None else f", opening {turn.opening_points}"
    times = f"{clock(turn.start_s)}-{clock(turn.end_s)}"
    lines = [f"{turn.turn:>3}  {times:<13} {player}: {what}{played}{opening}: {_VERDICTS[turn.verdict]}"]
    lines += [f"     Fault: {show(fault.message)}" for fault in turn.faults]
    lines += [f"     Question: {show(asked.message)}" for asked in turn.questions]
    lines += [f"     To put back: {show(step)}" for step in turn.put_back]
    return lines


def summary_text(summary: Summary) -> list[str]:
    """Return what the whole review comes to."""
    lines = [
        f"{_counted(summary.turns, 'turn')}, {_counted(summary.fouls, 'foul')}, "
        f"{_counted(summary.questions, 'question')} in {clock(min(summary.watched_s, summary.reached_s))}"
        f"{'' if summary.finished else ', not finished'}."
    ]
    for player in summary.players:
        opening = "not opened" if player.opening_points is None else f"opened with {player.opening_points}"
        score = "" if player.score is None else f", scores {player.score:+d}"
        lines.append(
            f"  {printable(player.name)}: {_counted(player.turns, 'turn')}, "
            f"{_counted(player.tiles, 'tile')} played, "
            f"{opening}, {_counted(player.draws, 'draw')}, {_counted(player.fouls, 'foul')}, "
            f"{clock(player.seconds)} in all{score}"
        )
    if summary.winner is not None:
        lines.append(f"{printable(summary.winner)} has won.")
    return lines


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
