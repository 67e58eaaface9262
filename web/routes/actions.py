"""Actions: POST /do/ACTION, by a script with JSON or by a form without one."""

from __future__ import annotations

import json
from typing import Any, Final

from flask import Blueprint, Response, jsonify, redirect, request, session

from referee import Note
from web.desk.actions import act
from web.desk.body import Body
from web.desk.fixing import changes_json
from web.desk.setting_up import area_of
from web.desk.who import Who
from web.errors import NotAllowed, Refused, WebError, WrongMoment
from web.i18n import LANGUAGES
from web.live.named import named_source
from web.routes.speech import teller
from web.security.guard import need
from web.site import Site, site

__all__ = ["PROGRAM", "back_to", "blueprint", "see_other", "sent"]

blueprint = Blueprint("actions", __name__)

_LISTS: Final = ("players", "tiles", "racks", "scores", "seats", "warnings")
"""Fields of forms that may come several times."""


def sent() -> Body:
    """Return what came with the request, from a script or a form."""
    if request.is_json:
        try:
            return Body(json.loads(request.get_data(cache=True)))
        except (ValueError, RecursionError) as error:
            raise Refused("bad-request", why="it is no JSON") from error
    values: dict[str, Any] = {}
    for name in request.form:
        if name.startswith("rules."):
            values.setdefault("rules", {})[name.removeprefix("rules.")] = _plain(request.form[name])
        elif name in _LISTS:
            values[name] = request.form.getlist(name)
        elif name not in ("csrf_token", "back"):
            values[name] = request.form[name]
    return Body(values)


def _plain(text: str) -> str | int | None:
    if text in ("", "null"):
        return None
    return int(text) if text.isdecimal() and len(text) < 6 else text


def back_to(default: str = "/table") -> str:
    """Return the page of this site that a form wants to go back to."""
    back = request.form.get("back", default)
    safe = (
        back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable() and "\\" not in back
    )
    return back if safe else default


def see_other(path: str) -> Response:
    """Send the browser to another page of this site."""
    response = redirect(path, 303)
    assert isinstance(response, Response)
    return response


@blueprint.post("/do/<action>")
def do(action: str) -> Response:
    """Carry out an action."""
    who, here = need(), site()
    body = sent()
    of_program = PROGRAM.get(action)
    if of_program is None:
        answer = act(here.desk, action, body, who)
        if action == "start":
            _begin_watching(here, body)
    else:
        if who.role != "referee":
            raise NotAllowed("not-allowed")
        answer = of_program(here, body, who) or {}
    for name in ("changes", "changed"):
        if name in answer:
            answer[name] = changes_json(answer[name], teller().told)
    if not request.is_json:
        return see_other(back_to())
    return jsonify({"ok": True, "version": here.desk.version, **answer})


@blueprint.post("/language")
def set_language() -> Response:
    """Choose the language of this browser."""
    code = request.form.get("language") or (request.get_json(silent=True) or {}).get("language")
    if code not in LANGUAGES:
        raise Refused("bad-request", why=f"language must be one of {', '.join(LANGUAGES)}")
    session["language"] = code
    return jsonify({"ok": True}) if request.is_json else see_other(back_to("/"))


# --- what needs more of the program than the desk ------------------------------------------------------------


def _begin_watching(here: Site, body: Body) -> None:
    """Turn the camera of a new match on; that it fails is told, and the match goes on without."""
    source = body.text_or_none("source") or None
    here.kept.set("camera", source)
    if source is None:
        if here.watch.running:
            here.watch.stop()
        return
    try:
        here.watch.start(named_source(here.config, source), source)
    except WebError as error:
        here.desk.camera(error.note, source=source, state="lost", told=error.note)


def _camera(here: Site, body: Body, who: Who) -> None:
    if body.has("area") or body.raw("area") == []:
        here.desk.set_settings({"area": area_of(body)})
        here.desk.tell(Note("settings-changed"))
    source = body.text_or_none("source")
    if source:
        here.watch.start(named_source(here.config, source), source)
        here.kept.set("camera", source)
    elif not body.has("area"):
        here.watch.stop()
        here.kept.set("camera", None)
        here.desk.camera(Note("camera-off"))


def _open_match(here: Site, body: Body, who: Who) -> None:
    match_id = body.text("id", most=64)
    view = here.desk.view()
    here.store.load(match_id)
    if view.match is not None and view.match.id != match_id:
        here.desk.close()
    here.desk.open(match_id)


def _delete_match(here: Site, body: Body, who: Who) -> None:
    match_id = body.text("id", most=64)
    if body.text("confirm", "", most=64) != match_id:
        raise Refused("not-confirmed")
    view = here.desk.view()
    if view.match is not None and view.match.id == match_id:
        raise WrongMoment("match-open")
    here.pictures.remove_files(here.store.delete(match_id))
    here.desk.tell(Note("match-deleted"))


def _new_codes(here: Site, body: Body, who: Who) -> None:
    here.pairing.renew()


PROGRAM: Final = {
    "camera": _camera,
    "open-match": _open_match,
    "delete-match": _delete_match,
    "new-codes": _new_codes,
}
"""Actions of the referee that need more of the program than the desk."""
