"""Tells every open page of changes: waits, remembers what was announced, and makes each snapshot once."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from referee import Note
from web.desk.desk import View
from web.desk.snapshot import snapshot
from web.desk.telling import Say, Teller
from web.desk.who import Who

__all__ = ["Hub", "dumps", "stream"]

_REMEMBERED: Final = 200
"""So many announcements are kept for pages that come back."""
_FRESH_S: Final = 0.5
"""A snapshot is given out again for so long; after that the clock in it would be stale."""


class Hub:
    """Where changes are announced and waited for."""

    def __init__(self) -> None:
        """Begin with nothing announced."""
        self._changed = threading.Condition()
        self._version = 0
        self._said: deque[tuple[int, Note]] = deque(maxlen=_REMEMBERED)
        self._making = threading.Lock()
        self._made: dict[tuple[Who, str], tuple[int, float, str]] = {}
        self.closed = False

    def publish(self, version: int, said: Sequence[Note]) -> None:
        """Announce a change."""
        with self._changed:
            self._version = version
            self._said.extend((version, note) for note in said)
            self._changed.notify_all()

    def wait(self, version: int, timeout_s: float) -> int:
        """Return the number of the last change as soon as it is greater than ``version``, or after a while."""
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self._version > version, timeout_s)
            return self._version

    def said_since(self, version: int) -> list[tuple[int, Note]]:
        """Return what was announced after ``version``, as far as it is remembered."""
        with self._changed:
            return [(number, note) for number, note in self._said if number > version]

    def close(self) -> None:
        """Let every stream end."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    def state(
        self, view: Callable[[], View], who: Who, language: str, say: Say, now_s: float
    ) -> tuple[int, str]:
        """Return the number and the JSON of the present snapshot; pages of one kind share it."""
        with self._making:
            kept = self._made.get((who, language))
            now = view()
            if kept is not None and kept[0] == now.version and 0 <= now_s - kept[1] < _FRESH_S:
                return kept[0], kept[2]
            text = dumps(snapshot(now, who, say, now_s))
            self._made[(who, language)] = (now.version, now_s, text)
            return now.version, text


def dumps(value: Any) -> str:
    """Return JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def event_text(name: str, data: str, number: int | None = None) -> str:
    """Return one server-sent event."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\ndata: {data}\n\n"


def stream(
    hub: Hub,
    view: Callable[[], View],
    who: Who,
    language: str,
    say: Say,
    now: Callable[[], float],
    beat_s: float,
    last_id: int | None,
    valid: Callable[[], bool],
) -> Iterator[str]:
    """Yield server-sent events until the program ends or ``valid`` says no more."""
    teller = Teller(say)
    yield "retry: 1500\n\n"
    newest = view().version
    seen = newest if last_id is None or last_id > newest else last_id
    first = True
    while not hub.closed and valid():
        if hub.wait(seen, 0 if first else beat_s) > seen or first:
            made, text = hub.state(view, who, language, say, now())
            for number, note in hub.said_since(seen):
                if number <= made:
                    yield event_text("said", dumps(teller.said(note)), number)
            seen, first = made, False
            yield event_text("state", text, made)
        else:
            yield event_text("beat", dumps(beat(view(), now())))


def beat(view: View, now_s: float) -> dict[str, Any]:
    """Return what a page hears while nothing happens."""
    left = None
    running = False
    match = view.match
    if match is not None and match.turn is not None and match.turn_began_s is not None:
        running = match.clock.running
        seconds = match.state.rules.turn_seconds
        if seconds is not None:
            left = round(seconds - match.clock.in_turn_s(match.turn_began_s, now_s), 2)
    return {"now_s": round(now_s, 3), "left_s": left, "running": running, "version": view.version}
