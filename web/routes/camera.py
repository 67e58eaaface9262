"""Pictures: the live one, the table alone, kept ones, and those that a page sends from its own camera."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from vision.errors import SourceError
from web.errors import NotAllowed, NotFound, Refused, WrongMoment
from web.live.picture import BOUNDARY, multipart
from web.security.guard import address, need
from web.site import site

__all__ = ["blueprint"]

blueprint = Blueprint("pictures", __name__)

_KEPT = "private, max-age=31536000, immutable"


@blueprint.get("/live.mjpg")
def live() -> Response:
    """Stream the live picture."""
    need("referee", "player")
    here, mine = site(), address()
    if here.live.newest is None:
        raise NotFound("no-camera")
    here.streams.enter(mine)
    response = Response(
        multipart(here.live.frames()), content_type=f"multipart/x-mixed-replace; boundary={BOUNDARY}"
    )
    # Not in the generator: one that was never begun, as for HEAD, has no end either.
    response.call_on_close(lambda: here.streams.leave(mine))
    return response


@blueprint.get("/live.jpg")
def live_once() -> Response:
    """Return the newest picture."""
    need("referee", "player")
    jpeg = site().live.newest
    if jpeg is None:
        raise NotFound("no-camera")
    return Response(jpeg, content_type="image/jpeg")


@blueprint.get("/still.jpg")
def still() -> Response:
    """Return the table alone, as it was read last."""
    need()
    jpeg = site().live.still
    if jpeg is None:
        raise NotFound("no-such-picture")
    return Response(jpeg, content_type="image/jpeg")


@blueprint.get("/pictures/<name>.jpg")
def kept(name: str) -> Response:
    """Return a kept picture: of racks only to the referee, and to the player whose rack it is."""
    who, here = need(), site()
    jpeg, kind = here.pictures.read(name)
    if kind == "rack" and who.role != "referee":
        match = here.desk.view().match
        own = (
            match.racks.get(who.seat)
            if match is not None and who.role == "player" and who.seat is not None
            else None
        )
        if own is None or own.picture != name:
            raise NotAllowed("not-allowed")
    response = Response(jpeg, content_type="image/jpeg")
    response.headers["Cache-Control"] = _KEPT
    return response


@blueprint.post("/camera/frame")
def camera_frame() -> Response:
    """Take a picture that a page sends from its own camera."""
    need("referee")
    pushed = site().watch.source_pushed
    if pushed is None:
        raise WrongMoment("no-camera")
    if request.mimetype != "image/jpeg":
        raise Refused("bad-request", why="a picture is sent as image/jpeg")
    try:
        pushed.push_jpeg(request.get_data(cache=False))
    except SourceError as error:
        raise Refused("source-unusable", why=str(error)) from error
    return jsonify({"ok": True})
