"""The application factory."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from datetime import timedelta
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from typing import Any, Final

from flask import Flask, jsonify, make_response, render_template, request
from flask.wrappers import Response
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from referee import Note
from vision.sources.open import SourceOptions, open_source
from vision.sources.pushed import PushedSource
from vision.watch.last_minute import FOLDER, LastMinute, NotedWatcher
from vision.watch.watcher_like import CorrectableWatcher
from web.config import WebConfig
from web.desk.desk import Desk
from web.desk.timing import DEFAULTS
from web.errors import NotFound, WebError
from web.i18n import init_i18n
from web.live.hub import Hub
from web.live.named import goes_on_by_itself, named_source
from web.live.picture import LivePicture
from web.live.tools import WatchTools
from web.live.watching import Watch
from web.review.jobs import Reviews
from web.routes import actions, camera, games, pages, pairing, racks, review, state
from web.routes.speech import page_state, teller
from web.security.guard import csp_nonce, csrf_token, current_who, init_guard, most_taken
from web.security.hosts import HostCheck
from web.security.limits import Gate, RateLimit
from web.security.pairing import Pairing
from web.security.uploads import UploadRequest
from web.site import EXTENSION, Readers, Site, site
from web.store.database import Database
from web.store.kept import Kept, secret_key
from web.store.matches import MatchStore
from web.store.pictures import PictureStore

__all__ = ["create_app"]

LICENCE: Final = "AGPL-3.0-or-later"
_LOG: Final = logging.getLogger("tileref.web")
_READS_S: Final = 3.0
"""Reading a picture takes less, even on a slow machine."""
_FOR_ACTIONS: Final = 12
"""So many threads answer requests however many streams are open."""


def create_app(config: WebConfig) -> Flask:
    """Return a dashboard that keeps everything in ``config.data_dir``; StoreError where that cannot be used.

    The match that was open when the program last ended is open again. ``site().close()`` ends what runs in the
    background.
    """
    # Relative folders would mean another place to Flask, and to the process of a review.
    folder = config.recordings
    config = replace(
        config, data_dir=config.data_dir.resolve(), recordings=None if folder is None else folder.resolve()
    )
    app = Flask("web")
    app.request_class = UploadRequest
    app.config.update(
        SECRET_KEY=secret_key(config.data_dir),
        SESSION_COOKIE_NAME="tileref",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=config.https,
        PERMANENT_SESSION_LIFETIME=timedelta(days=90),
        SESSION_REFRESH_EACH_REQUEST=False,
        LANGUAGE=config.language,
        TEMPLATES_AUTO_RELOAD=False,
    )
    app.extensions[EXTENSION] = _site(config)
    init_i18n(app)
    init_guard(app)
    for room in (pages, actions, state, camera, racks, games, review, pairing):
        app.register_blueprint(room.blueprint)
    app.context_processor(_context)
    app.register_error_handler(WebError, _refused)
    app.register_error_handler(HTTPException, _http_error)
    return app


def _site(config: WebConfig) -> Site:
    settings = config.settings
    database = Database(config.data_dir / "tileref.db")
    store, kept = MatchStore(database), Kept(database)
    pictures = PictureStore(database, config.data_dir / "pictures")
    (config.data_dir / "uploads").mkdir(parents=True, exist_ok=True)
    for left in (config.data_dir / "uploads").iterdir():
        left.unlink(missing_ok=True)
    hub, live = Hub(), LivePicture()
    defaults = {**DEFAULTS, "keep_gb": settings.keep_gb, "keep_days": settings.keep_days}
    desk = Desk(store, kept, hub.publish, config.now, defaults)
    readers = Readers(config)
    watch = Watch(
        desk, live, pictures, _tools(config, readers), fps=settings.live_fps, width_px=settings.live_width_px
    )
    desk.watching = watch
    made = Site(
        config,
        database,
        store,
        kept,
        pictures,
        desk,
        hub,
        live,
        watch,
        Reviews(database, config.data_dir / "reviews", config.review_settings(), config.now),
        readers,
        Pairing(kept),
        HostCheck(config.lan, config.names),
        RateLimit(settings.pair_tries, config.now),
        # A stream holds a thread: some have to be left for those who act.
        Gate(settings.streams_each, max(2, settings.threads - _FOR_ACTIONS)),
    )
    _open_again(made)
    made.keep_pictures_within()
    threading.Thread(target=_stay_alive, args=(made,), name="alive", daemon=True).start()
    return made


def _tools(config: WebConfig, readers: Readers) -> WatchTools:
    def make_watcher(setup: Any, events: Any) -> CorrectableWatcher:
        from vision.watch.watcher import Watcher  # loads the models' runtime only when a camera is on

        reader: Any = readers.reader(setup.rules.inventory, setup.faces)
        watcher = Watcher(
            reader, setup, config.watch, events, turns=config.turns, read=config.read.for_faces(setup.faces)
        )
        return NotedWatcher(watcher, LastMinute(config.data_dir / FOLDER, config.minute))

    options = SourceOptions(settings=config.source)
    return WatchTools(
        lambda text: open_source(text, options),
        make_watcher,
        lambda: PushedSource(config.source),
        max(config.turns.button_grace_s, config.turns.covered_grace_s) + _READS_S,
    )


def _open_again(made: Site) -> None:
    """Open the match that was open when the program last ended, and the camera that watched it."""
    match_id = made.kept.get("open")
    if match_id is None:
        return
    since = made.alive_file.stat().st_mtime if made.alive_file.exists() else None
    try:
        made.desk.open(match_id, since)
    except NotFound:
        made.kept.set("open", None)
        return
    camera = made.kept.get("camera")
    if camera is not None and goes_on_by_itself(made.config, camera):
        try:
            made.watch.start(named_source(made.config, camera), camera)
        except WebError as error:
            made.desk.camera(error.note, source=camera, state="lost", told=error.note)


def _stay_alive(made: Site) -> None:
    """Leave a sign of life every few seconds, and keep the pictures within their limits."""
    rounds = 0
    while True:
        try:
            made.alive_file.touch()
            if rounds % 300 == 299:
                made.keep_pictures_within()
        except OSError as error:
            _LOG.warning("%s cannot be written: %s", made.alive_file, error)
        rounds += 1
        if made.stopping.wait(2.0):
            return


def _context() -> dict[str, Any]:
    who = current_who()
    return {
        "role": who.role if who else None,
        "seat": who.seat if who else None,
        "state": page_state(),
        "csrf_token": csrf_token,
        "csp_nonce": csp_nonce,
        "version": _version(),
        "licence": LICENCE,
        "lan": site().config.lan,
    }


def _version() -> str:
    try:
        return installed_version("tileref")
    except PackageNotFoundError:
        return "dev"


def _refused(error: WebError) -> Response:
    return _error(error.status, error.note)


def _http_error(error: HTTPException) -> Response:
    code = error.code or 500
    if error.response is not None:
        return make_response(error.get_response())
    if code == 413:
        return _error(413, Note("too-large", args=(("limit", most_taken()),)))
    if code == 404:
        return _error(404, Note("no-such-page"))
    if code >= 500:
        return _error(code, Note("went-wrong"))
    why = error.name or str(code)
    response = _error(code, Note("bad-request", args=(("why", why),)))
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.headers["Allow"] = ", ".join(error.valid_methods)
    return response


def _error(status: int, note: Note) -> Response:
    """Say what is wrong: to a script as JSON, to a person as a page."""
    told = teller().told(note, kind="problem")
    wants_page = request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html"
    if not wants_page or (request.path.startswith("/do/") and request.is_json):
        response = jsonify({"ok": False, "error": told})
    else:
        response = make_response(render_template("error.html", status=status, error=told))
    response.status_code = status
    return response
