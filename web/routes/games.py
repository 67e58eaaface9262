"""Past games, and what can be taken out of one."""

from __future__ import annotations

import csv
import io
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from referee import EventError, StartMatch, export_log, import_log
from web.desk.ledger import Ledger
from web.desk.scores import Sheet, sheet_of
from web.errors import Refused
from web.live.hub import dumps
from web.routes.actions import back_to, see_other
from web.routes.pages import game_list
from web.security.guard import need
from web.site import site
from web.store.matches import StoredMatch

__all__ = ["blueprint"]

blueprint = Blueprint("games", __name__)


@blueprint.get("/games")
def games() -> str:
    """List past games."""
    need("referee")
    query = request.args.get("q", "")[:200]
    return render_template("games.html", games=game_list(site(), query, 200), query=query)


@blueprint.post("/games/import")
def take_log() -> Response:
    """Take a log of the referee in as a match."""
    need("referee")
    sent = request.files.get("log")
    if sent is None:
        raise Refused("log-unusable", why="no file was sent")
    try:
        events = import_log(sent.read().decode("utf-8"))
    except (EventError, UnicodeDecodeError, ValueError) as error:
        raise Refused("log-unusable", why=str(error)) from error
    if not events or not isinstance(events[0], StartMatch):
        raise Refused("log-unusable", why="it begins with no match")
    here = site()
    now = here.config.now()
    title = ", ".join(events[0].players)[:100]
    match_id = here.store.create(title, "full", events, now, {})
    if request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html":
        return see_other(back_to("/games"))
    return jsonify({"ok": True, "id": match_id})


def _wanted() -> tuple[StoredMatch, Sheet]:
    """The match that is asked for, the open one without a wish, with its sheet."""
    here = site()
    match_id = request.args.get("match")
    if match_id is None or need().role != "referee":
        match_id = here.desk.match.id
    stored = here.store.load(match_id[:64])
    return stored, sheet_of(Ledger.of(stored.entries), stored.notes)


def _download(text: str, kind: str, name: str) -> Response:
    response = Response(text.encode(), content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@blueprint.get("/export/log.jsonl")
def log() -> Response:
    """The referee's log."""
    need("referee")
    stored, _ = _wanted()
    text = export_log(entry.event for entry in stored.entries)
    return _download(text, "application/x-ndjson; charset=utf-8", f"tileref-{stored.id}.jsonl")


@blueprint.get("/export/scores.json")
def scores_json() -> Response:
    """The score sheet as JSON."""
    need()
    stored, sheet = _wanted()
    return _download(
        dumps(_plain(stored, sheet)), "application/json; charset=utf-8", f"tileref-{stored.id}.json"
    )


def _plain(stored: StoredMatch, sheet: Sheet) -> dict[str, Any]:
    now = sheet.state.standing
    players = list(sheet.state.players)
    return {
        "title": stored.title,
        "started_at": stored.started_at,
        "players": players,
        "games": [
            {
                "game": number + 1,
                "scores": list(game.scores),
                "scored": list(game.scored),
                "winner": game.winner,
            }
            for number, game in enumerate(sheet.games)
        ],
        "totals": list(now.points) if now else [0 for _ in players],
        "games_won": list(now.games_won) if now else [0 for _ in players],
        "leader": sheet.leader,
    }


@blueprint.get("/export/scores.csv")
def scores_csv() -> Response:
    """The score sheet for a spreadsheet."""
    need()
    stored, sheet = _wanted()
    text = io.StringIO()
    writer = csv.writer(text)
    players = sheet.state.players
    writer.writerow(["game", *map(_harmless, players), "winner"])
    for number, game in enumerate(sheet.games, 1):
        writer.writerow([number, *game.scores, _harmless(players[game.winner])])
    now = sheet.state.standing
    if now is not None:
        leader = sheet.leader
        writer.writerow(["total", *now.points, "" if leader is None else _harmless(players[leader])])
    # The mark at the beginning is what spreadsheets know UTF-8 by.
    return _download("\ufeff" + text.getvalue(), "text/csv; charset=utf-8", f"tileref-{stored.id}.csv")


def _harmless(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name
