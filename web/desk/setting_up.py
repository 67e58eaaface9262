"""Actions before a game: a match begins, players draw for the start, tiles are dealt."""

from __future__ import annotations

from typing import Any, Final

from referee import (
    EDITIONS,
    VARIANTS,
    Deal,
    DrawForStart,
    Note,
    Problem,
    RefereeError,
    Rules,
    StartMatch,
    edition,
)
from web.desk.body import Body
from web.desk.desk import Desk
from web.desk.who import Who
from web.errors import Refused, WrongMoment
from web.store.matches import Mode

__all__ = ["area_of", "deal", "draw_for_start", "house_rules", "refuse_if_illegal", "start"]

MOST_PLAYERS: Final = 6
MOST_NAME: Final = 40


def start(desk: Desk, body: Body, who: Who) -> dict[str, Any]:
    """Begin a match."""
    code = body.word("edition", tuple(EDITIONS), "ru")
    variant = body.text_or_none("variant") or None
    rules = house_rules(body, code, variant)
    given = body.raw("rules") or {}
    axes = tuple((axis, value) for axis, value in given.items())
    if body.has("turn_seconds") and body.raw("turn_seconds") != "":
        seconds = body.whole("turn_seconds", 0, 3600) or None
        axes = (*(axis for axis in axes if axis[0] != "turn_seconds"), ("turn_seconds", seconds))
    try:
        rules = rules.with_house_rules(dict(axes))
    except RefereeError as error:
        raise Refused("bad-rules", why=str(error)) from error
    players = player_names(body, rules)
    mode: Mode = body.word("mode", ("full", "clock"), "full")
    event = StartMatch(
        players,
        code,
        axes,
        variant,
        body.whole_or_none("games", 1, 1000),
        body.whole_or_none("to_points", 1, 100_000),
    )
    body.text_or_none("source")
    title = body.text("title", "", most=100).strip() or ", ".join(players)
    form = {
        name: body.raw(name)
        for name in (
            "players", "mode", "edition", "variant", "rules", "games", "to_points", "turn_seconds", "automatic",
            "help", "source", "area",
        )
    }  # fmt: skip
    table = {
        "help": body.flag("help", True),
        "automatic": body.flag("automatic", True),
        "area": area_of(body),
    }
    with desk.lock:
        desk.begin(title, mode, event)
        desk.kept.set("form", form)
        desk.set_settings(table)
    return {"id": desk.match.id}


def area_of(body: Body) -> list[list[float]] | None:
    """Four corners of the table in shares of the picture, or None."""
    area = body.raw("area")
    if not area:
        return None
    wrong = Refused("bad-request", why="area must be four [x, y], each from 0 to 1")
    if not isinstance(area, list) or len(area) != 4:
        raise wrong
    corners = []
    for point in area:
        if not isinstance(point, list) or len(point) != 2:
            raise wrong
        for share in point:
            if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
                raise wrong
        corners.append([float(point[0]), float(point[1])])
    return corners


def house_rules(body: Body, code: str, variant: str | None) -> Rules:
    """Return the rules of edition, variant and house rules; Refused where they cannot be."""
    given = body.raw("rules") or {}
    if not isinstance(given, dict) or not all(isinstance(v, str | int | None) for v in given.values()):
        raise Refused("bad-request", why="rules must be an object of axes and values")
    if variant is not None and variant not in VARIANTS:
        raise Refused("bad-request", why=f"variant must be one of {', '.join(VARIANTS)}")
    try:
        rules = edition(code).rules
        if variant is not None:
            rules = rules.with_house_rules(VARIANTS[variant])
        return rules.with_house_rules(given)
    except (RefereeError, TypeError) as error:
        raise Refused("bad-rules", why=str(error)) from error


def player_names(body: Body, rules: Rules) -> tuple[str, ...]:
    """Return the players' names; Refused where there are too many, none, or two the same."""
    names = [" ".join(name.split()) for name in body.texts("players", most=MOST_PLAYERS + 2)]
    names = [name for name in names if name]
    same = len({name.casefold() for name in names}) < len(names)
    if same or not 2 <= len(names) <= rules.players_max or not all(n.isprintable() for n in names):
        raise Refused("bad-players", most=rules.players_max)
    if max(map(len, names)) > MOST_NAME:
        raise Refused("bad-request", why=f"a name may have {MOST_NAME} characters")
    return tuple(names)


def refuse_if_illegal(outcome: Any) -> None:
    """Raise WrongMoment with the referee's reason for an event that would change nothing."""
    if outcome.verdict == "illegal":
        raise WrongMoment.saying(outcome.problems[0] if outcome.problems else Problem("unusable-event"))


def draw_for_start(desk: Desk, body: Body, who: Who) -> None:
    """Players drew a tile each."""
    match = desk.match
    if match.mode != "full":
        raise WrongMoment("wrong-mode")
    seats = body.wholes_or_none("seats", 0, MOST_PLAYERS) if body.has("seats") else None
    wanted = DrawForStart(
        tuple(body.texts("tiles")), None if seats is None else tuple(seat for seat in seats if seat is not None)
    )
    event, outcome, after = desk.preview(wanted)
    refuse_if_illegal(outcome)
    said = []
    if after.starter is not None:
        said.append(Note("starter-drawn", args=(("player", match.name(after.starter)),)))
    elif after.drawing:
        names = ", ".join(match.name(seat) for seat in after.drawing)
        said.append(Note("draw-again", args=(("players", names),)))
    desk.log(event, *said)


def deal(desk: Desk, body: Body, who: Who) -> None:
    """Begin a game."""
    match = desk.match
    now = desk.now()
    seat = body.seat_or_none("starter", len(match.state.players))
    if match.mode == "clock":
        if match.under_way or seat is None:
            raise WrongMoment("wrong-phase" if match.under_way else "no-starter")
        clock = match.clock.new_turn(now).resumed(now)
        said = Note("game-begins", args=(("player", match.name(seat)),))
        desk.note({"kind": "deal", "seat": seat, "t_s": clock.anchor_t_s}, said, clock=clock)
        return
    event, outcome, after = desk.preview(Deal(seat, match.clock.t_s(now)))
    refuse_if_illegal(outcome)
    desk.log(event, Note("game-begins", args=(("player", match.name(after.turn)),)))
