"""Recordings to be reviewed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response, jsonify, render_template, request, send_file

from referee import EDITIONS, RefereeError
from vision.review.moments import read_moment
from vision.watch.setup import WatchSetup
from web.desk.body import Body
from web.desk.setting_up import house_rules, player_names
from web.errors import NotFound, Refused, StoreError
from web.routes.actions import sent
from web.routes.speech import teller
from web.security.guard import need
from web.site import site

__all__ = ["blueprint", "recordings"]

blueprint = Blueprint("review", __name__)

SUFFIXES: Final = (".mp4", ".mov", ".mkv", ".webm", ".avi", ".m4v", ".mts", ".ts", ".3gp")
"""What recordings are called."""


def recordings(folder: Path | None) -> dict[str, Path]:
    """Return the recordings in the one folder that pages may name, by name."""
    if folder is None or not folder.is_dir():
        return {}
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())
    return {path.name: path for path in found}


@blueprint.get("/review")
def reviews() -> str:
    """List reviews."""
    need("referee")
    here = site()
    return render_template(
        "review.html",
        reviews=here.reviews.listed(teller()),
        recordings=list(recordings(here.config.recordings)),
    )


@blueprint.get("/review/<review_id>")
def one(review_id: str) -> str:
    """Show one review."""
    need("referee")
    return render_template("review_one.html", review=site().reviews.one(review_id, teller()))


@blueprint.get("/review/<review_id>.json")
def one_as_json(review_id: str) -> Response:
    """Return one review."""
    need("referee")
    return jsonify(site().reviews.one(review_id, teller()))


@blueprint.get("/review/<review_id>/report")
def report(review_id: str) -> Response:
    """Download the report."""
    need("referee")
    path = site().reviews.file(review_id, "report")
    return send_file(path, "text/html", as_attachment=True, download_name=f"tileref-review-{review_id}.html")


@blueprint.get("/review/<review_id>/pictures/<name>")
def picture(review_id: str, name: str) -> Response:
    """Return a picture of a review."""
    need("referee")
    return send_file(site().reviews.file(review_id, name), "image/jpeg")


def _game(body: Body) -> dict[str, Any]:
    """Who plays by which rules."""
    code = body.word("edition", tuple(EDITIONS), "ru")
    variant = body.text_or_none("variant") or None
    rules = house_rules(body, code, variant)
    players = player_names(body, rules)
    given = body.raw("rules") or {}
    try:
        WatchSetup(players, code, tuple(given.items()), variant)
    except RefereeError as error:
        raise Refused("bad-rules", why=str(error)) from error
    from_s, to_s = _moment(body, "from") or 0.0, _moment(body, "to")
    if to_s is not None and to_s <= from_s:
        raise Refused("ends-first")
    automatic = body.flag("automatic", True)
    return {
        "players": list(players),
        "edition": code,
        "variant": variant,
        "rules": given,
        "automatic": automatic,
        "from_s": from_s,
        "to_s": to_s,
    }


def _moment(body: Body, name: str) -> float | None:
    """A time of the recording; None where none was given."""
    text = (body.text_or_none(name) or "").strip()
    try:
        return read_moment(text) if text else None
    except ValueError as error:
        raise Refused("bad-moment", text=text[:40]) from error


@blueprint.post("/review")
def upload() -> Response:
    """Begin a review of a recording that is sent, or named."""
    need("referee")
    here = site()
    if request.is_json:
        body = sent()
        name = body.text("name", most=300)
        path = recordings(here.config.recordings).get(name)
        if path is None:
            raise NotFound("no-such-recording")
        game = _game(body)
        review_id, _ = here.reviews.folder_for_upload()
    else:
        file = request.files.get("recording")
        suffix = Path(file.filename or "").suffix.lower() if file is not None else ""
        if file is None or suffix not in SUFFIXES:
            raise Refused("not-a-recording", kinds=", ".join(SUFFIXES[:4]))
        names = ",".join(request.form.getlist("players")).split(",")
        game = _game(Body({**request.form.to_dict(), "players": names}))
        name = "".join(c for c in (file.filename or "").replace("\\", "/").split("/")[-1] if c.isprintable())[
            :100
        ]
        review_id, folder = here.reviews.folder_for_upload()
        path = folder / f"recording{suffix}"
        try:
            file.save(path)
        except OSError as error:
            here.reviews.forget_upload(review_id)
            raise StoreError("store-unusable", path=str(here.config.data_dir), why=str(error)) from error
    here.reviews.begin(review_id, path, name, game)
    return jsonify({"ok": True, "id": review_id, "review": here.reviews.one(review_id, teller())})


@blueprint.post("/review/<review_id>/stop")
def stop(review_id: str) -> Response:
    """Stop a review."""
    need("referee")
    site().reviews.stop(review_id)
    return jsonify({"ok": True})


@blueprint.post("/review/<review_id>/resume")
def resume(review_id: str) -> Response:
    """Let a review go on."""
    need("referee")
    site().reviews.resume(review_id)
    return jsonify({"ok": True})


@blueprint.post("/review/<review_id>/delete")
def delete(review_id: str) -> Response:
    """Remove a review with its files."""
    need("referee")
    site().reviews.delete(review_id)
    return jsonify({"ok": True})
