"""Actions on the clock and on the settings of the table."""

from __future__ import annotations

from typing import Any, Final

from referee import Note
from web.desk.body import Body
from web.desk.desk import Desk
from web.desk.who import Who
from web.errors import Refused, WrongMoment

__all__ = ["DEFAULTS", "extend", "pause", "resume", "settings"]

DEFAULTS: Final = {
    "help": True,
    "automatic": True,
    "tick": True,
    "speech": False,
    "extend_seconds": 30,
    "warnings": [30, 10],
    "area": None,
}
"""The settings of the table where nobody has chosen; room and age of kept pictures come from the program's."""


def pause(desk: Desk, body: Body, who: Who) -> None:
    """Stop the clock."""
    if not desk.match.under_way:
        raise WrongMoment("not-playing")
    if desk.match.clock.running:
        desk.commit(clock=desk.match.clock.paused(desk.now()))
        desk.tell(Note("paused"))


def resume(desk: Desk, body: Body, who: Who) -> None:
    """Let the clock run."""
    if not desk.match.under_way:
        raise WrongMoment("not-playing")
    if not desk.match.clock.running:
        desk.commit(clock=desk.match.clock.resumed(desk.now()))
        desk.tell(Note("resumed"))


def extend(desk: Desk, body: Body, who: Who) -> None:
    """Grant this turn more time."""
    if not desk.match.under_way:
        raise WrongMoment("not-playing")
    given = body.has("seconds")
    seconds = body.whole("seconds", 1, 3600) if given else int(desk.settings["extend_seconds"])
    desk.commit(clock=desk.match.clock.extended(seconds, desk.now()))
    desk.tell(Note("extended", args=(("seconds", seconds),)))


def settings(desk: Desk, body: Body, who: Who) -> None:
    """Change settings of the table."""
    changes: dict[str, Any] = {}
    for name in ("help", "automatic", "tick", "speech"):
        if body.has(name):
            changes[name] = body.flag(name, True)
    if body.has("extend_seconds"):
        changes["extend_seconds"] = body.whole("extend_seconds", 1, 3600)
    if body.has("keep_gb"):
        changes["keep_gb"] = body.number("keep_gb", 0.01, 10_000)
    if body.has("keep_days"):
        changes["keep_days"] = body.number("keep_days", 0.01, 10_000)
    if body.has("warnings"):
        warnings = [second for second in body.wholes_or_none("warnings", 1, 3600, 5) if second is not None]
        changes["warnings"] = sorted(set(warnings), reverse=True)
    if not changes:
        raise Refused("bad-request", why="no setting was sent")
    desk.set_settings(changes)
    desk.tell(Note("settings-changed"))
