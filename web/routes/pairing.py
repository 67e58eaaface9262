"""Pairing phones: the codes, and taking one."""

from __future__ import annotations

from html import escape
from typing import Any
from urllib.parse import quote, urlsplit

import segno
from flask import Blueprint, Response, make_response, render_template, request, session

from web.errors import Refused, WebError
from web.routes.actions import see_other, sent
from web.routes.speech import teller
from web.security.guard import address, need
from web.security.hosts import own_addresses
from web.site import Site, site

__all__ = ["address_of", "blueprint"]

blueprint = Blueprint("pairing", __name__)


def address_of(here: Site, port: int) -> str:
    """Return the address under which others in the local network find this program."""
    scheme = "https" if here.config.https else "http"
    name = next(iter((*here.config.names, *own_addresses())), "127.0.0.1")
    shown = f"[{name}]" if ":" in name else name
    return f"{scheme}://{shown}:{port}"


def _port(here: Site) -> int:
    """The port through which this very request came, else the one that was asked for."""
    port = urlsplit(f"//{request.host}").port
    return port if port is not None else here.config.port


@blueprint.get("/pairing")
def codes() -> str:
    """Show the codes."""
    need("referee")
    here = site()
    if not here.config.lan:
        return render_template("pairing.html", codes=[])
    view = here.desk.view()
    players = view.match.state.players if view.match is not None else ()
    shown: list[dict[str, Any]] = []
    for one in here.pairing.codes(len(players)):
        url = f"{address_of(here, _port(here))}/pair?code={quote(one.code)}"
        name = players[one.seat] if one.seat is not None else ""
        qr = segno.make(url, error="m", micro=False)
        svg = qr.svg_inline(
            scale=4, border=2, dark="#000", light="#fff", title=escape(f"{one.role} {name}".strip())
        )
        shown.append(
            {"role": one.role, "seat": one.seat, "name": name, "code": one.code, "url": url, "qr_svg": svg}
        )
    return render_template("pairing.html", codes=shown)


@blueprint.get("/pair")
def pair() -> str:
    """Ask for a code."""
    return render_template("pair.html", code=request.args.get("code", "")[:40], error=None)


@blueprint.post("/pair")
def take() -> Response:
    """Take a code."""
    here = site()
    body = sent()
    try:
        here.pair_limit.take(address())
        who = here.pairing.redeem(body.text("code", "", most=100))
    except WebError as error:
        if request.is_json:
            raise
        told = teller().told(error.note, kind="problem")
        page = make_response(render_template("pair.html", code="", error=told))
        page.status_code = error.status
        return page
    here.pair_limit.forgive(address())
    session["role"], session["seat"], session["epoch"] = who.role, who.seat, here.pairing.epoch
    session.permanent = True
    return see_other({"referee": "/", "player": "/table", "spectator": "/watch"}[who.role])


@blueprint.post("/leave")
def leave() -> Response:
    """Give the role of this browser back."""
    if session.get("role") is None:
        raise Refused("not-paired")
    for name in ("role", "seat", "epoch"):
        session.pop(name, None)
    return see_other("/pair")
