"""Actions at the end of a game and of a match: racks, the score sheet, and games that the clock alone keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee import Correct, Note, Racks, RefereeError, SeenTile, parse_tiles, print_tiles
from web.desk.body import Body
from web.desk.desk import Desk, OpenMatch
from web.desk.fixing import seen_or_none
from web.desk.racks import RackNow
from web.desk.scores import sheet_of
from web.desk.seen import TileNow
from web.desk.setting_up import refuse_if_illegal
from web.desk.who import Who
from web.errors import NotAllowed, NotFound, Refused, WrongMoment

__all__ = [
    "agree_winner",
    "cell",
    "game_scores",
    "next_turn",
    "rack",
    "rack_accept",
    "rack_of",
    "rack_tile",
    "racks",
    "take_rack",
]

MOST_RACK = 200
"""No rack holds more tiles."""


def _tiles(text: str) -> tuple[SeenTile, ...]:
    try:
        tiles = parse_tiles(text)
    except RefereeError as error:
        raise Refused("bad-notation", why=str(error)) from error
    if len(tiles) > MOST_RACK:
        raise Refused("bad-request", why=f"a rack has at most {MOST_RACK} tiles")
    return tiles


def _as_lying(tiles: Sequence[SeenTile]) -> tuple[TileNow, ...]:
    return tuple(TileNow(str(at), seen) for at, seen in enumerate(tiles))


def _rack_seat(desk: Desk, body: Body, who: Who) -> tuple[OpenMatch, int]:
    match = desk.match
    seat = body.seat("seat", len(match.state.players))
    may_count(match, seat, who)
    return match, seat


def may_count(match: OpenMatch, seat: int, who: Who) -> None:
    """Raise where this rack cannot be counted now, or not by this one."""
    if not who.is_at(seat):
        raise NotAllowed("not-allowed")
    if not 0 <= seat < len(match.state.players):
        raise NotFound("no-such-seat", seat=seat)
    if match.mode != "full":
        raise WrongMoment("wrong-mode")
    if match.state.phase != "ended":
        raise WrongMoment("not-ended")


def rack_of(match: OpenMatch, seat: int) -> RackNow:
    """A rack as far as it is known; that of the player who went out is empty."""
    if seat in match.racks:
        return match.racks[seat]
    scored = match.ledger.racks_scored()
    shown = None if scored is None else match.ledger.effective[scored]
    if isinstance(shown, Racks):
        return RackNow(_as_lying(parse_tiles(shown.racks[seat])), given=True, accepted=True)
    return RackNow(given=True, accepted=True) if match.state.out == seat else RackNow()


def take_rack(desk: Desk, seat: int, rack_now: RackNow, *said: Note) -> None:
    """Keep a rack as far as it is known."""
    desk.commit(racks={**desk.match.racks, seat: rack_now})
    desk.tell(*said)


def rack(desk: Desk, body: Body, who: Who) -> None:
    """A rack, typed."""
    match, seat = _rack_seat(desk, body, who)
    tiles = _as_lying(_tiles(body.text("tiles")))
    take_rack(desk, seat, replace(rack_of(match, seat), tiles=tiles, given=True, accepted=False))


def rack_tile(desk: Desk, body: Body, who: Who) -> None:
    """Put one tile of a rack right."""
    match, seat = _rack_seat(desk, body, who)
    before = rack_of(match, seat)
    if len(before.tiles) >= MOST_RACK:
        raise Refused("bad-request", why=f"a rack has at most {MOST_RACK} tiles")
    take_rack(desk, seat, before.with_tile(body.whole("at", 0, MOST_RACK), seen_or_none(body, "tile")))


def rack_accept(desk: Desk, body: Body, who: Who) -> None:
    """Let a rack count as it is; the last one shows them all."""
    match, seat = _rack_seat(desk, body, who)
    now = rack_of(match, seat)
    accepted = body.flag("accepted", True)
    if accepted and not now.given:
        raise WrongMoment("photo-missing")
    said = Note("rack-accepted", args=(("player", match.name(seat)),))
    take_rack(desk, seat, replace(now, accepted=accepted), *((said,) if accepted else ()))
    all_racks = [rack_of(desk.match, place) for place in range(len(match.state.players))]
    if all(one.accepted for one in all_racks):
        _show(desk, [print_tiles(one.seen) for one in all_racks], None)


def racks(desk: Desk, body: Body, who: Who) -> None:
    """All racks at once."""
    match = desk.match
    if match.mode != "full":
        raise WrongMoment("wrong-mode")
    texts = [print_tiles(_tiles(text)) for text in body.texts("racks")]
    _show(desk, texts, body.seat_or_none("winner", len(match.state.players)))


def _show(desk: Desk, texts: Sequence[str], winner: int | None) -> None:
    """Show the racks; where they were shown and left a question open, these take the place of those."""
    match = desk.match
    asked = match.ledger.racks_in_question()
    shown = Racks(tuple(texts), winner)
    event = shown if asked is None else Correct(asked, shown)
    checked, outcome, after = desk.preview(event)
    refuse_if_illegal(outcome)
    said = []
    if len(after.results) > len(match.state.results):
        said.append(Note("game-scored", args=(("player", match.name(after.results[-1].winner)),)))
    desk.log(checked, *said)
    _announce_match(desk)


def _announce_match(desk: Desk) -> None:
    match = desk.match
    sheet = sheet_of(match.ledger, match.notes)
    if sheet.games and sheet.state.match_over and sheet.leader is not None:
        desk.tell(Note("match-won", args=(("player", match.name(sheet.leader)),)))


def cell(desk: Desk, body: Body, who: Who) -> None:
    """Edit a cell of the score sheet."""
    match = desk.match
    games = sheet_of(match.ledger, match.notes).games
    game, seat = body.whole("game", 0, 10_000), body.whole("seat", 0, 100)
    if game >= len(games) or seat >= len(match.state.players):
        raise NotFound("no-such-cell")
    try:
        points = body.whole("points", -100_000, 100_000)
    except Refused as error:
        raise Refused("points-needed") from error
    why = body.text("why", "", most=200)
    desk.note({"kind": "cell", "game": game, "seat": seat, "points": points, "why": why}, Note("cell-edited"))


def agree_winner(desk: Desk, body: Body, who: Who) -> None:
    """Say who wins a match that is level."""
    match = desk.match
    seat = body.seat("seat", len(match.state.players))
    now = sheet_of(match.ledger, match.notes).state.standing
    if now is None or now.leader is not None:
        raise WrongMoment("wrong-phase")
    desk.note({"kind": "winner", "seat": seat}, Note("winner-agreed", args=(("player", match.name(seat)),)))


# --- by the clock alone ----------------------------------------------------------------------------------


def _by_clock(desk: Desk) -> OpenMatch:
    match = desk.match
    if match.mode != "clock":
        raise WrongMoment("wrong-mode")
    if not match.under_way:
        raise WrongMoment("not-playing")
    return match


def next_turn(desk: Desk, body: Body, who: Who) -> None:
    """Hand the turn on."""
    match = _by_clock(desk)
    players = len(match.state.players)
    if not who.is_at(match.turn):
        raise NotAllowed("not-allowed")
    seat = body.seat_or_none("seat", players)
    if seat is None:
        seat = ((match.turn or 0) + 1) % players
    now = desk.now()
    clock = match.clock.new_turn(now).resumed(now)
    said = Note("turn-begins", args=(("player", match.name(seat)),))
    desk.note({"kind": "turn", "seat": seat, "t_s": clock.anchor_t_s}, said, clock=clock)


def game_scores(desk: Desk, body: Body, who: Who) -> None:
    """Write the scores of a game; one that is missing is what the others leave."""
    match = _by_clock(desk)
    players = len(match.state.players)
    scores = body.wholes_or_none("scores", -100_000, 100_000)
    winner = body.seat_or_none("winner", players)
    if len(scores) != players or scores.count(None) > 1 or winner is None:
        raise Refused("scores-needed")
    rest = -sum(score for score in scores if score is not None)
    full = [rest if score is None else score for score in scores]
    now = desk.now()
    clock = match.clock.new_turn(now).paused(now)
    said = Note("game-scored", args=(("player", match.name(winner)),))
    desk.note({"kind": "game", "scores": full, "winner": winner}, said, clock=clock)
    _announce_match(desk)
