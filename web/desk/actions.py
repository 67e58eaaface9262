"""Every action by its name, and who may call it. What an action does is in the rooms beside this one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from web.desk import finishing, fixing, playing, setting_up, timing
from web.desk.body import Body
from web.desk.desk import Desk
from web.desk.who import Role, Who
from web.errors import NotAllowed, NotFound, WrongMoment

__all__ = ["ACTIONS", "Action", "act"]

_REFEREE: Final[tuple[Role, ...]] = ("referee",)
_PLAYERS: Final[tuple[Role, ...]] = ("referee", "player")


@dataclass(frozen=True, slots=True)
class Action:
    """One action."""

    run: Callable[[Desk, Body, Who], dict[str, Any] | None]
    """Carries it out; what it returns is part of the answer."""
    roles: tuple[Role, ...] = _REFEREE
    """Who may call it; players, besides, only for their own turn and rack."""


ACTIONS: Final[Mapping[str, Action]] = MappingProxyType(
    {
        "start": Action(setting_up.start),
        "draw-for-start": Action(setting_up.draw_for_start),
        "deal": Action(setting_up.deal),
        "table": Action(playing.table, _PLAYERS),
        "tile": Action(playing.tile, _PLAYERS),
        "end-turn": Action(playing.end_turn, _PLAYERS),
        "draw": Action(playing.draw, _PLAYERS),
        "pass": Action(playing.pass_turn, _PLAYERS),
        "declare": Action(playing.declare, _PLAYERS),
        "time-out": Action(playing.time_out),
        "count": Action(playing.count),
        "answer": Action(fixing.answer),
        "rule": Action(fixing.rule),
        "undo": Action(fixing.undo),
        "restore": Action(fixing.restore),
        "correct": Action(fixing.correct),
        "preview-correct": Action(fixing.preview_correct),
        "rack": Action(finishing.rack, _PLAYERS),
        "rack-tile": Action(finishing.rack_tile, _PLAYERS),
        "rack-accept": Action(finishing.rack_accept, _PLAYERS),
        "racks": Action(finishing.racks),
        "cell": Action(finishing.cell),
        "agree-winner": Action(finishing.agree_winner),
        "next-turn": Action(finishing.next_turn, _PLAYERS),
        "game-scores": Action(finishing.game_scores),
        "pause": Action(timing.pause),
        "resume": Action(timing.resume),
        "extend": Action(timing.extend),
        "settings": Action(timing.settings),
        "close-match": Action(lambda desk, body, who: desk.close()),
    }
)
"""Actions on the desk. Those that need more of the program are in ``web.routes.actions``."""


def act(desk: Desk, name: str, body: Body, who: Who) -> dict[str, Any]:
    """Carry out an action for ``who``; WebError where it is refused. One action at a time."""
    action = ACTIONS.get(name)
    if action is None:
        raise NotFound("no-such-action", action=name[:40])
    if who.role not in action.roles:
        raise NotAllowed("not-allowed")
    with desk.lock:
        seen_version = body.whole_or_none("version", 0, 10**16)
        if seen_version is not None and seen_version != desk.version:
            raise WrongMoment("moved-on")
        turn = body.whole_or_none("turn", 0, 10**6)
        if turn is not None and turn != desk.match.turn_number:
            raise WrongMoment("moved-on")
        return action.run(desk, body, who) or {}
