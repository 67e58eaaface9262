"""The state: once, as a stream, and the older history."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from web.i18n import language
from web.live.hub import stream
from web.routes.speech import say_in, teller
from web.security.guard import address, need
from web.site import site

__all__ = ["blueprint"]

blueprint = Blueprint("state", __name__)


@blueprint.get("/state.json")
def state() -> Response:
    """Return the snapshot."""
    who, here = need(), site()
    _, text = here.hub.state(here.desk.view, who, language(), say_in(language()), here.config.now())
    return Response(text, content_type="application/json; charset=utf-8")


@blueprint.get("/history.json")
def older() -> Response:
    """Return entries of the log before a number."""
    need("referee", "player")
    from web.desk.snapshot import history

    before = request.args.get("before", type=int)
    match = site().desk.match
    return jsonify(history(match.ledger, teller(), None if before is None else max(0, before)))


@blueprint.get("/events")
def events() -> Response:
    """Stream the state."""
    who, here = need(), site()
    code = language()
    epoch = here.pairing.epoch
    mine = address()
    last = request.headers.get("Last-Event-ID", "")
    last_id = int(last) if last.isascii() and last.isdigit() and len(last) < 17 else None
    here.streams.enter(mine)
    texts = stream(
        here.hub,
        here.desk.view,
        who,
        code,
        say_in(code),
        here.config.now,
        here.config.settings.beat_s,
        last_id,
        lambda: here.pairing.epoch == epoch,
    )
    response = Response((text.encode() for text in texts), content_type="text/event-stream; charset=utf-8")
    # Not in the generator: one that was never begun, as for HEAD, has no end either.
    response.call_on_close(lambda: here.streams.leave(mine))
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response
