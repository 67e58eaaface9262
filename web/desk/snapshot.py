"""The state of the table as plain values, for one role and one language; docs/dashboard-api.md describes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from referee import (
    EDITIONS,
    Note,
    Problem,
    Question,
    TurnJudgement,
    judge_table,
    judge_turn,
    rack_points,
    rack_remarks,
)
from web.desk.answers import answers_are
from web.desk.board import last_turn, log_entry, set_json, texts_of, tile_json
from web.desk.desk import OpenMatch, View
from web.desk.finishing import rack_of
from web.desk.fixing import open_questions, table_questions
from web.desk.ledger import Ledger
from web.desk.playing import has_laid
from web.desk.scores import Sheet, sheet_of
from web.desk.seen import SeenNow
from web.desk.telling import Say, Teller
from web.desk.who import Who

__all__ = ["HISTORY_SHOWN", "history", "snapshot"]

HISTORY_SHOWN: Final = 60
"""So many entries of the history come with every snapshot."""


def snapshot(view: View, who: Who, say: Say, now_s: float) -> dict[str, Any]:
    """Return the state as ``who`` may see it."""
    teller = Teller(say)
    plain: dict[str, Any] = {
        "version": view.version,
        "now_s": round(now_s, 3),
        "role": who.role,
        "seat": who.seat,
    }
    match = view.match
    if match is None:
        return plain | _without_match() | _around(view, who, teller)
    sheet = sheet_of(match.ledger, match.notes)
    state = match.state
    lying = view.seen if view.seen is not None else match.table_now()
    judged = _judged(match, lying)
    helped = bool(view.settings["help"])
    plain |= {
        "match": _match(match),
        "phase": _phase(match, sheet),
        "players": _players(match, sheet),
        "drawing": list(state.drawing) if state.phase == "set-up" else [],
        "starter": state.starter,
        "turn": _turn(match, view.settings, now_s),
        "table": _table(view, lying, judged if helped else None, match, teller),
        "before": {
            "sets": texts_of(state.table),
            "notation": str(state.table),
            "lying": _before_corners(match, lying),
        },
        "pool": state.pool,
        "backs": lying.backs,
        "river": [str(seen) for seen in state.river],
        "help": _help(match, judged, helped, teller),
        "last_turn": last_turn(match, teller),
        "questions": _questions(match, lying, who, teller),
        "history": history(match.ledger, teller, None),
        "score": _score(match, sheet, teller),
        "racks": _racks(match, who, teller),
    }
    plain |= _around(view, who, teller)
    plain["can"] = _can(match, sheet, who)
    return plain


def _without_match() -> dict[str, Any]:
    return {
        "match": None,
        "phase": "no-match",
        "players": [],
        "drawing": [],
        "starter": None,
        "turn": None,
        "table": {
            "sets": [],
            "notation": "",
            "backs": None,
            "picture": None,
            "source": "log",
            "doubtful": False,
            "laid": False,
        },
        "before": {"sets": [], "notation": "", "lying": []},
        "pool": 0,
        "backs": None,
        "river": [],
        "help": {"enabled": False, "opening": None, "verdict": None, "told": []},
        "last_turn": None,
        "questions": [],
        "history": [],
        "score": None,
        "racks": [],
        "can": [],
    }


def _around(view: View, who: Who, teller: Teller) -> dict[str, Any]:
    """Camera, settings and rights."""
    camera = view.camera
    on = camera.state in ("running", "starting", "lost", "ended")
    live = "/live.mjpg" if on and who.role != "spectator" else None
    return {
        "camera": {
            "source": camera.source if who.role == "referee" or camera.source is None else "camera",
            "state": camera.state,
            "moving": camera.moving,
            "waiting": camera.waiting,
            "told": teller.said(camera.told) if camera.told is not None else None,
            "live": live,
            "still": f"/still.jpg?v={view.version}" if on and view.seen is not None else None,
        },
        "settings": dict(view.settings),
        "can": ["start", "open-match", "camera", "settings"] if who.role == "referee" else [],
    }


def _match(match: OpenMatch) -> dict[str, Any]:
    start = match.ledger.effective[0]
    edition = getattr(start, "edition", "")
    return {
        "id": match.id,
        "title": match.title,
        "mode": match.mode,
        "edition": edition,
        "edition_title": EDITIONS[edition].sheet if edition in EDITIONS else edition,
        "variant": getattr(start, "variant", None),
        "rules": match.state.rules.values(),
        "games": match.state.games,
        "to_points": match.state.to_points,
        "started_at": match.started_at,
    }


def _phase(match: OpenMatch, sheet: Sheet) -> str:
    by_clock = "playing" if match.under_way else "set-up"
    phase = by_clock if match.mode == "clock" else match.state.phase
    return "match-over" if phase == "set-up" and sheet.games and sheet.state.match_over else phase


def _players(match: OpenMatch, sheet: Sheet) -> list[dict[str, Any]]:
    state, now = match.state, sheet.state.standing
    kept = match.mode == "full" and len(state.racks) == len(state.players)
    return [
        {
            "seat": seat,
            "name": name,
            "rack": state.racks[seat] if kept else None,
            "opened": state.opened[seat] if kept else None,
            "points": now.points[seat] if now else 0,
            "games_won": now.games_won[seat] if now else 0,
            "is_turn": match.turn == seat,
            "declared": state.declared == seat,
            "out": state.out == seat,
        }
        for seat, name in enumerate(state.players)
    ]


def _turn(match: OpenMatch, settings: Mapping[str, Any], now_s: float) -> dict[str, Any] | None:
    if match.turn is None:
        return None
    began = match.turn_began_s
    seconds = match.state.rules.turn_seconds
    gone = None if began is None else match.clock.in_turn_s(began, now_s)
    return {
        "number": match.turn_number,
        "seat": match.turn,
        "seconds": seconds,
        "left_s": None if seconds is None or gone is None else round(seconds - gone, 2),
        "elapsed_s": None if gone is None else round(gone + match.clock.extended_s, 2),
        "running": match.clock.running,
        "paused": not match.clock.running,
        "extended_s": match.clock.extended_s,
        "thresholds": [*settings["warnings"], 0],
    }


def _judged(match: OpenMatch, lying: SeenNow) -> TurnJudgement | None:
    """What the referee would say if the turn ended now."""
    state = match.state
    if state.turn is None:
        return None
    return judge_turn(state.table, lying.table, opened=state.opened[state.turn], rules=state.rules)


def _table(
    view: View, lying: SeenNow, judged: TurnJudgement | None, match: OpenMatch, teller: Teller
) -> dict[str, Any]:
    state = match.state
    sets = judged.table.sets if judged else None
    if judged is None and state.turn is None and lying.source != "log":
        sets = judge_table(lying.table, state.rules.inventory, state.rules.sets).sets
    new = list(judged.played) if judged else []
    rows = []
    for place, tiles in enumerate(lying.sets):
        row = set_json(lying, tiles, new, sets[place] if sets else None, "unfinished", teller)
        row["doubt"] = lying.cuts_in_doubt[place] if place < len(lying.cuts_in_doubt) else False
        if row["doubt"] and row["state"] == "unfinished":
            row["state"] = "doubtful"
        rows.append(row)
    return {
        "sets": rows,
        "notation": str(lying.table),
        "backs": lying.backs,
        "picture": f"/still.jpg?v={view.version}" if lying.source == "camera" else None,
        "source": lying.source,
        "at_s": lying.at_s,
        "doubtful": not lying.table.is_sure,
        "laid": state.turn is not None and has_laid(match, lying),
    }


def _before_corners(match: OpenMatch, lying: SeenNow) -> list[dict[str, Any]]:
    """The tiles of the table before the turn that a picture shows, with their corners, for laying over it."""
    return [
        {"key": tile.key, "text": str(lying.tile(tile)), "corners": [list(corner) for corner in tile.corners]}
        for tiles in lying.before
        for tile in tiles
        if tile.corners is not None
    ]


def _help(match: OpenMatch, judged: TurnJudgement | None, enabled: bool, teller: Teller) -> dict[str, Any]:
    if judged is None or not enabled:
        return {"enabled": enabled, "opening": None, "verdict": None, "told": []}
    state = match.state
    opening = None
    if state.turn is not None and not state.opened[state.turn] and state.rules.opening_points:
        opening = {"points": judged.opening_points or 0, "needed": state.rules.opening_points}
    touched = bool(judged.played or judged.gone or judged.verdict != "legal")
    return {
        "enabled": True,
        "opening": opening,
        "verdict": judged.verdict if touched else None,
        "told": teller.all((*judged.turn_problems, *judged.turn_questions)) if touched else [],
    }


def _questions(match: OpenMatch, lying: SeenNow, who: Who, teller: Teller) -> list[dict[str, Any]]:
    if who.role == "spectator":
        return []
    found = []
    if who.role == "referee":
        found = [
            teller.told(_with_seats(question, match), id=name, number=number)
            for name, number, question in open_questions(match)
        ]
    if lying.source != "log" and who.is_at(match.turn):
        found += [
            teller.told(question, id=name, number=None, key=key)
            for name, key, question in table_questions(lying)
        ]
    return found


def _with_seats(question: Question, match: OpenMatch) -> Question:
    """A question whose answers are players, with their seats as answers."""
    if answers_are(question) != "seats":
        return question
    return replace(question, answers=tuple(str(seat) for seat in range(len(match.state.players))))


def history(ledger: Ledger, teller: Teller, before: int | None) -> list[dict[str, Any]]:
    """Return entries of the log, the newest first; those before number ``before`` where that is given."""
    last = len(ledger.entries) if before is None else min(before, len(ledger.entries))
    numbers = range(last - 1, max(-1, last - 1 - HISTORY_SHOWN), -1)
    return [log_entry(ledger, number, teller) for number in numbers]


def _score(match: OpenMatch, sheet: Sheet, teller: Teller) -> dict[str, Any]:
    now = sheet.state.standing
    seats = range(len(match.state.players))
    games = []
    for number, game in enumerate(sheet.games):
        cells = []
        for seat in seats:
            edits = [edit for edit in game.edits if edit.seat == seat]
            first = {"points": game.scored[seat], "why": "", "at": game.scored_at_s}
            cells.append(
                {
                    "seat": seat,
                    "points": game.scores[seat],
                    "edited": bool(edits),
                    "history": [first, *({"points": e.points, "why": e.why, "at": e.at_s} for e in edits)],
                }
            )
        check = game.check
        games.append(
            {
                "number": number,
                "round": number // sheet.per_round,
                "cells": cells,
                "winner": game.winner,
                "surplus": game.surplus,
                "check": teller.told(check) if check is not None else None,
            }
        )
    tied = now.question if now else None
    return {
        "games": games,
        "totals": list(now.points) if now else [0 for _ in seats],
        "games_won": list(now.games_won) if now else [0 for _ in seats],
        "games_in_round": sheet.per_round,
        "leader": sheet.leader,
        "leader_agreed": bool(now and now.leader is None and sheet.leader is not None),
        "match_over": bool(sheet.games) and sheet.state.match_over,
        "told": [teller.told(_with_seats(tied, match))] if tied is not None and sheet.agreed is None else [],
    }


def _racks(match: OpenMatch, who: Who, teller: Teller) -> list[dict[str, Any]]:
    if match.mode != "full" or match.state.phase != "ended":
        return []
    return [rack_json(match, seat, teller) for seat in range(len(match.state.players)) if who.is_at(seat)]


def rack_json(match: OpenMatch, seat: int, teller: Teller) -> dict[str, Any]:
    """Return a rack that is being counted."""
    rack = rack_of(match, seat)
    points = rack_points(rack.seen, match.state.rules.joker_points)
    kept = match.state.racks[seat] if seat < len(match.state.racks) else None
    return {
        "seat": seat,
        "name": match.name(seat),
        "accepted": rack.accepted,
        "given": rack.given,
        "tiles": [tile_json(tile.key, tile.seen, tile.likely, tile.corners) for tile in rack.tiles],
        "points": {"least": points.least, "most": points.most},
        "expected_tiles": kept,
        "picture": f"/pictures/{rack.picture}.jpg" if rack.picture else None,
        "told": [
            *(teller.said(Note("rack-note", args=(("why", note),))) for note in rack.notes),
            *teller.all(_rack_remarks(match, seat)),
        ],
    }


def _rack_remarks(match: OpenMatch, seat: int) -> tuple[Problem, ...]:
    """What the referee finds odd about a rack, beside those that have been told so far."""
    if match.state.phase != "ended":
        return ()
    racks = [rack_of(match, one) for one in range(len(match.state.players))]
    return rack_remarks(match.state, [one.seen if one.given else None for one in racks])[seat]


def _can(match: OpenMatch, sheet: Sheet, who: Who) -> list[str]:
    """What this role may do at this moment; the referee of the rules may still refuse it."""
    if who.role == "spectator":
        return []
    mine = who.is_at(match.turn) and match.turn is not None
    phase, full = match.state.phase, match.mode == "full"
    referee = who.role == "referee"
    can: list[str] = []
    if mine and full:
        can += ["end-turn", "table", "tile", "declare", "answer"]
        can.append("draw" if match.state.pool else "pass")
    if mine and not full:
        can.append("next-turn")
    if full and phase == "ended":
        can += ["rack", "rack-tile", "rack-accept"]
        can += ["declare"] if who.is_at(match.state.out) and match.state.declared is None else []
    if not referee:
        return can
    between = phase == "set-up" if full else not match.under_way
    if between and not (sheet.games and sheet.state.match_over):
        can += ["deal", "draw-for-start"] if full else ["deal"]
    if match.under_way:
        can += ["pause" if match.clock.running else "resume", "extend"]
        can += ["time-out", "count"] if full else ["game-scores"]
    if full and phase == "ended":
        can.append("racks")
    if match.ledger.last_step() is not None or (not full and match.notes):
        can.append("undo")
    if full:
        can += ["correct", "preview-correct", "restore", "rule", "answer"]
    if sheet.games:
        can.append("cell")
        now = sheet.state.standing
        can += ["agree-winner"] if now is not None and now.leader is None else []
    can += ["start", "open-match", "close-match", "camera", "settings", "new-codes"]
    return list(dict.fromkeys(can))
