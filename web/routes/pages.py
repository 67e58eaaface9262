"""Pages to look at. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, make_response, render_template

from referee import AXES, EDITIONS, Axis, Rules, event_to_json
from web.desk.board import log_entry
from web.desk.snapshot import rack_json
from web.errors import NotAllowed, NotFound
from web.live.watching import BROWSER
from web.routes.actions import see_other
from web.routes.speech import teller
from web.security.guard import current_who, need
from web.site import Site, site

__all__ = ["blueprint", "game_list"]

blueprint = Blueprint("pages", __name__)


def game_list(here: Site, query: str, limit: int) -> list[dict[str, Any]]:
    """Return past games as a list shows them."""
    match = here.desk.view().match
    return [
        {
            "id": one.id,
            "title": one.title,
            "mode": one.mode,
            "started_at": one.started_at,
            "last_at": one.last_at,
            "players": list(one.players),
            "edition": one.edition,
            "games": one.games,
            "open": match is not None and match.id == one.id,
            "leader": None,
            "bytes": one.bytes,
        }
        for one in here.store.listed(query, limit)
    ]


def _axis(axis: Axis, default: Any) -> dict[str, Any]:
    return {
        "axis": axis.name,
        "meaning": axis.meaning,
        "values": list(axis.values),
        "low": axis.low,
        "high": axis.high,
        "unit": axis.unit,
        "default": default,
    }


def _axes(names: Sequence[str], rules: Rules) -> list[dict[str, Any]]:
    values = rules.values()
    return [_axis(AXES[name], values[name]) for name in names]


def _editions() -> list[dict[str, Any]]:
    return [
        {
            "code": one.code,
            "title": one.sheet,
            "rules": one.rules.values(),
            "set_up": _axes(one.set_up, one.rules),
            "limits": list(one.limits),
            "faces": one.faces,
        }
        for one in EDITIONS.values()
    ]


def _form(here: Site) -> dict[str, Any]:
    """The fields of a new match, as they were last."""
    empty: dict[str, Any] = {
        "players": [],
        "mode": "full",
        "edition": "ru",
        "variant": None,
        "rules": {},
        "games": None,
        "to_points": None,
        "turn_seconds": None,
        "automatic": True,
        "help": True,
        "source": "given" if here.config.given_source else None,
        "area": None,
    }
    return {**empty, **(here.kept.get("form") or {})}


def _sources(here: Site) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"value": "", "label_code": "source-none", "label": "No camera"}]
    if here.config.given_source is not None:
        found.append({"value": "given", "label_code": None, "label": here.config.given_source})
    if here.config.demo is not None:
        found.append({"value": "demo", "label_code": "source-demo", "label": "The recorded game"})
    found.append({"value": BROWSER, "label_code": "source-browser", "label": "A browser's camera"})
    found += [{"value": str(n), "label_code": f"source-camera-{n}", "label": f"Camera {n}"} for n in range(4)]
    return found


@blueprint.get("/")
def home() -> Response:
    """The beginning."""
    who = current_who()
    if who is None:
        return see_other("/pair")
    if who.role != "referee":
        return see_other("/table" if who.role == "player" else "/watch")
    return make_response(render_template("home.html", games=game_list(site(), "", 5)))


@blueprint.get("/setup")
def setup() -> str:
    """A new match."""
    need("referee")
    here = site()
    return render_template(
        "setup.html",
        form=_form(here),
        editions=_editions(),
        axes=_axes(tuple(AXES), Rules()),
        sources=_sources(here),
    )


@blueprint.get("/table")
def table() -> str:
    """The table."""
    need("referee", "player")
    return render_template("table.html")


@blueprint.get("/correct/<int:number>")
def correct(number: int) -> str:
    """One step of the log, to be put right."""
    need("referee")
    ledger = site().desk.match.ledger
    if number >= len(ledger.entries):
        raise NotFound("no-such-event", number=number)
    shown = ledger.effective[number] or ledger.entries[number].event
    entry = log_entry(ledger, number, teller())
    return render_template("correct.html", entry=entry, event=event_to_json(shown))


@blueprint.get("/rack/<int:seat>")
def rack(seat: int) -> str:
    """One rack at the end of a game."""
    who = need("referee", "player")
    match = site().desk.match
    if seat >= len(match.state.players):
        raise NotFound("no-such-seat", seat=seat)
    if not who.is_at(seat):
        raise NotAllowed("not-allowed")
    return render_template("rack.html", rack=rack_json(match, seat, teller()))


@blueprint.get("/scores")
def scores() -> str:
    """The score sheet."""
    need()
    return render_template("scores.html")


@blueprint.get("/scores/print")
def scores_to_print() -> str:
    """The score sheet on paper."""
    need()
    return render_template("print.html")


@blueprint.get("/watch")
def watch() -> str:
    """For spectators."""
    need()
    return render_template("watch.html")


@blueprint.get("/overlay")
def overlay() -> str:
    """For streaming programs."""
    need()
    return render_template("overlay.html")


@blueprint.get("/camera")
def camera() -> str:
    """A page whose camera watches the table."""
    need("referee")
    return render_template("camera.html")


@blueprint.get("/settings")
def settings() -> str:
    """The settings of the table."""
    need("referee")
    form = site().desk.settings
    return render_template("settings.html", form=form, fields=list(form))
