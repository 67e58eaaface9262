"""Keeping a match: its state is what the log of events makes it, and nothing else.

``replay`` goes through a log and returns the state and, for every event, what the referee says about it. An
event judged illegal changes nothing: a faulty play leaves the table as it was before the turn, and the turn
goes on. One that raises a question counts until it is ruled otherwise. A correction replaces an earlier event,
and everything after it is judged anew.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.events import Correct, Event
from referee.gamestate import Change, GameState, Outcome, Replay
from referee.keeper import Keeper
from referee.messages import Problem

__all__ = ["correction", "replay"]


def replay(events: Sequence[Event]) -> Replay:
    """Go through a log: the same events always give the same state."""
    corrected, faults = _corrected(events)
    state = GameState()
    outcomes = []
    for number, event in enumerate(corrected):
        if event is None or isinstance(event, Correct):
            fault = faults.get(number)
            outcomes.append(Outcome(number, "illegal" if fault else "legal", (fault,) if fault else ()))
            continue
        state, outcome = Keeper(state, number).take(event)
        outcomes.append(outcome)
    return Replay(state, tuple(outcomes))


def correction(events: Sequence[Event], correct: Correct) -> tuple[Change, ...]:
    """Return what ``correct``, put at the end of the log, changes in the judgement of the events before it."""
    old = replay(events).outcomes
    new = replay([*events, correct]).outcomes
    return tuple(
        Change(was.number, was, now) for was, now in zip(old, new, strict=False) if _said(was) != _said(now)
    )


def _said(outcome: Outcome) -> tuple[object, ...]:
    turn = outcome.turn
    played = (turn.played, turn.opening_points) if turn else None
    return outcome.verdict, outcome.problems, outcome.questions, played, outcome.sheet


def _corrected(events: Sequence[Event]) -> tuple[list[Event | None], dict[int, Problem]]:
    """The events as later corrections make them, and what is wrong with the corrections."""
    corrected: list[Event | None] = list(events)
    faults = {}
    for number, event in enumerate(events):
        if isinstance(event, Correct):
            if event.of >= number or isinstance(events[event.of], Correct) or isinstance(event.to, Correct):
                faults[number] = Problem("nothing-to-correct", args=(("number", event.of),))
            else:
                corrected[event.of] = event.to
    return corrected, faults
