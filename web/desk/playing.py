"""Actions in a game: plays, draws, passes, time-outs."""

from __future__ import annotations

from typing import Any, Literal

from referee import (
    Count,
    Declare,
    Draw,
    Event,
    GameState,
    Note,
    Outcome,
    Pass,
    Play,
    RefereeError,
    Table,
    TimeOut,
    parse_table,
)
from web.desk.answers import read_tile
from web.desk.body import Body
from web.desk.desk import Desk, OpenMatch
from web.desk.seen import SeenNow
from web.desk.setting_up import refuse_if_illegal
from web.desk.who import Who
from web.errors import NotAllowed, Refused, WrongMoment

__all__ = [
    "announce",
    "count",
    "declare",
    "draw",
    "end_turn",
    "has_laid",
    "judge_as_it_lies",
    "pass_turn",
    "table",
    "tile",
    "time_out",
]

MOST_TILES = 430
"""No table has more tiles: the largest box that the rules allow holds 424."""


def _turn_of(desk: Desk, who: Who) -> tuple[OpenMatch, int]:
    """The match, and whose turn it is; NotAllowed for others than that player and the referee."""
    match = desk.match
    if match.mode != "full":
        raise WrongMoment("wrong-mode")
    if match.state.turn is None:
        raise WrongMoment("not-playing")
    if not who.is_at(match.state.turn):
        raise NotAllowed("not-allowed")
    return match, match.state.turn


def table_text(body: Body, name: str) -> str:
    """A table in the notation, in canonical form."""
    try:
        parsed = parse_table(body.text(name))
    except RefereeError as error:
        raise Refused("bad-notation", why=str(error)) from error
    if sum(map(len, parsed.sets)) > MOST_TILES:
        raise Refused("bad-request", why=f"a table has at most {MOST_TILES} tiles")
    return str(parsed)


def table(desk: Desk, body: Body, who: Who) -> None:
    """Take the table as someone typed it."""
    _turn_of(desk, who)
    desk.commit(typed_table=table_text(body, "table"))
    desk.tell()


def tile(desk: Desk, body: Body, who: Who) -> None:
    """Put one reading of the table as it lies right."""
    _turn_of(desk, who)
    desk.read_as(body.text("key", most=100), read_tile(body.text("tile", most=400)))


def end_turn(desk: Desk, body: Body, who: Who) -> dict[str, Any]:
    """Judge the table as it lies, or hand the button on to whoever watches."""
    match, seat = _turn_of(desk, who)
    if not body.has("table") and desk.watching is not None and desk.watching.signal("end-turn"):
        desk.camera(waiting=True)
        return {"waiting": True}
    text = table_text(body, "table") if body.has("table") else str(desk.lying().table)
    river_from = body.whole_or_none("river_from", 0, 500)
    event = Play(seat, text, body.text_or_none("rack"), river_from, t_s=match.clock.t_s(desk.now()))
    return _take(desk, event)


def judge_as_it_lies(desk: Desk, picture: str | None) -> None:
    """End the turn with the table as it lies; WebError where no turn is under way."""
    with desk.lock:
        match = desk.match
        if match.state.turn is None:
            raise WrongMoment("not-playing")
        _take(desk, Play(match.state.turn, str(desk.lying().table), t_s=match.clock.t_s(desk.now())), picture)


def draw(desk: Desk, body: Body, who: Who) -> dict[str, Any]:
    """The player draws."""
    match, seat = _turn_of(desk, who)
    if not body.has("discard") and _passed_on(desk, "draw"):
        return {"waiting": True}
    _keep_what_was_laid(desk, body)
    return _take(desk, Draw(seat, body.text_or_none("discard"), match.clock.t_s(desk.now())))


def pass_turn(desk: Desk, body: Body, who: Who) -> dict[str, Any]:
    """The player passes."""
    match, seat = _turn_of(desk, who)
    if _passed_on(desk, "pass"):
        return {"waiting": True}
    _keep_what_was_laid(desk, body)
    return _take(desk, Pass(seat, t_s=match.clock.t_s(desk.now())))


def has_laid(match: OpenMatch, lying: SeenNow) -> bool:
    """Whether the table that someone typed is another than the one before the turn."""
    return lying.source == "typed" and _sets(lying.table) != _sets(match.state.table)


def _sets(table: Table) -> list[list[str]]:
    """The sets in an order of their own: where they lie means nothing."""
    return sorted(sorted(map(str, tiles)) for tiles in table.sets)


def _keep_what_was_laid(desk: Desk, body: Body) -> None:
    """Refuse what would take laid tiles from the table unasked."""
    if has_laid(desk.match, desk.lying()) and not body.flag("put_back", False):
        raise WrongMoment("tiles-laid")


def _passed_on(desk: Desk, kind: Literal["draw", "pass"]) -> bool:
    passed = desk.watching is not None and desk.watching.signal(kind)
    if passed:
        desk.camera(waiting=True)
    return passed


def time_out(desk: Desk, body: Body, who: Who) -> dict[str, Any]:
    """The player's time is up."""
    match, seat = _turn_of(desk, who)
    text = table_text(body, "table") if body.has("table") else str(desk.lying().table)
    known = body.flag("known", True)
    penalty = body.whole_or_none("penalty", 0, 100)
    own = body.text("own", "")
    event = TimeOut(seat, text, known, own, penalty, t_s=match.clock.t_s(desk.now()))
    return _take(desk, event)


def declare(desk: Desk, body: Body, who: Who) -> dict[str, Any]:
    """Someone calls "Rummikub!"."""
    match = desk.match
    seat = body.seat_or_none("seat", len(match.state.players))
    seat = seat if seat is not None else match.state.out if match.state.turn is None else match.state.turn
    if match.mode != "full" or seat is None:
        raise WrongMoment("not-playing")
    if not who.is_at(seat):
        raise NotAllowed("not-allowed")
    return _take(desk, Declare(seat, match.clock.t_s(desk.now())))


def count(desk: Desk, body: Body, who: Who) -> dict[str, Any]:
    """Someone counted tiles."""
    match = desk.match
    what: Literal["pool", "rack", "river"] = body.word("what", ("pool", "rack", "river"))
    seat = body.seat_or_none("seat", len(match.state.players))
    counted = Count(what, body.whole("tiles", 0, 1000), seat)
    event, outcome, _ = desk.preview(counted)
    if outcome.verdict == "illegal" and outcome.problems[0].code != "count-differs":
        refuse_if_illegal(outcome)
    desk.log(event, Note("counted"))
    return {"verdict": outcome.verdict}


def _take(desk: Desk, event: Event, picture: str | None = None) -> dict[str, Any]:
    """Write an event down, unless it is refused out of hand; say what came of it."""
    event, outcome, after = desk.preview(event)
    if outcome.verdict == "illegal" and outcome.turn is None and not _ruled(event):
        refuse_if_illegal(outcome)
    said = announce(desk.match, event, outcome, after)
    desk.log(event, *said, picture=picture)
    return {"verdict": outcome.verdict}


def _ruled(event: Event) -> bool:
    return getattr(event, "ruling", None) == "illegal"


def announce(
    match: OpenMatch, event: Event, outcome: Outcome, after: GameState, *, put_back: bool = False
) -> list[Note]:
    """What is to be announced after an event; ``put_back``: it tells that a faulty table was put back."""
    seat = getattr(event, "seat", None)
    player = (("player", match.name(seat)),)
    both = (*player, ("next", match.name(after.turn)))
    said: list[Note] = []
    match event:
        case Play():
            over = after.phase == "ended" and outcome.verdict != "illegal"
            code = "verdict-ask" if outcome.verdict == "ask" else f"verdict-{outcome.verdict}"
            said.append(Note("went-out", args=player) if over and after.out == seat else Note(code, args=both))
        case Draw():
            said.append(Note("drew", args=both))
        case Pass():
            said.append(
                Note("verdict-ask", args=both) if outcome.verdict == "ask" else Note("passed", args=both)
            )
        case TimeOut():
            said.append(Note("was-put-back", args=both) if put_back else Note("timed-out", args=player))
            if outcome.verdict == "ask":
                said.append(Note("verdict-ask", args=both))
        case Declare():
            said.append(Note("declared", args=player))
    if after.phase == "ended" and match.state.phase == "playing":
        said.append(Note("game-over"))
    elif after.turn is not None and after.turn != seat and outcome.verdict == "ask":
        said.append(Note("turn-begins", args=(("player", match.name(after.turn)),)))
    return said
