"""Open the dashboard: a referee at the table, in the browser.

It needs no internet and no camera. Without options it answers on this computer
only, at http://127.0.0.1:8377/. Everything is kept in one folder (--data); a game
that was broken off, by whatever, goes on where it stood.

  tileref serve                       play, with or without a camera
  tileref serve --source 0            with the first camera
  tileref serve --lan                 let phones, tablets and televisions in; they
                                      need the pairing code that is shown
  tileref serve --lan --https         so that a phone can be the camera, too
  tileref serve --backup games.db     write a copy of all games, also while it runs
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from tileref.session import Session
from tileref.status import Status
from vision.user_data import data_folder
from web.errors import WebError

if TYPE_CHECKING:
    from web.config import WebConfig
    from web.server import Server

DEFAULT_PORT = 8377
LANGUAGES = ("en", "ru", "uk", "he")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "--port",
        type=port_number,
        default=DEFAULT_PORT,
        metavar="N",
        help=f"where it answers ({DEFAULT_PORT}; 0: any port that is free)",
    )
    parser.add_argument(
        "--lan", action="store_true", help="answer in the local network, too, to devices that were paired"
    )
    parser.add_argument(
        "--https", action="store_true", help="serve over TLS with a certificate made on this computer"
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="another host name under which this computer is found; may be given again",
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"where everything is kept ({data_folder()})")
    parser.add_argument(
        "--source", metavar="SOURCE", help="what watches the table: a camera's number, an address, a recording"
    )
    parser.add_argument(
        "--recordings", type=Path, metavar="DIR", help="a folder whose recordings may be reviewed by name"
    )
    parser.add_argument("--backup", type=Path, metavar="FILE", help="write a copy of all games there, and end")
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        default="en",
        help="for browsers that ask for none of these (en)",
    )


def port_number(text: str) -> int:
    """Return a port from the command line; argparse's own error where it is none."""
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: 0 to 65535")
    return number


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Serve until someone ends it."""
    data: Path = arguments.data or data_folder()
    try:
        if arguments.backup is not None:
            return _backup(data, arguments.backup)
        if arguments.recordings is not None and not arguments.recordings.is_dir():
            session.complain(f"There is no folder {arguments.recordings}.")
            return Status.UNUSABLE
        if arguments.source is not None:
            _refuse_no_source(arguments.source, session)
        return _serve(arguments, session, data)
    except WebError as error:
        session.complain(str(error))
        return Status.UNUSABLE


def _refuse_no_source(source: str, session: Session) -> None:
    """SourceError where it is no source at all; a camera or an address is tried when a game begins."""
    from vision.sources.open import SourceOptions, open_source

    open_source(source, SourceOptions(settings=session.settings.source)).close()


def _backup(data: Path, to: Path) -> Status:
    from web.errors import StoreError
    from web.store.database import Database

    if to.exists():
        raise StoreError("backup-exists", path=str(to))
    if not (data / "tileref.db").is_file():
        raise StoreError("store-unusable", path=str(data), why="no games are kept there")
    database = Database(data / "tileref.db")
    try:
        database.backup(to)
    finally:
        database.close()
    print(f"All games are in {to}; the pictures stay in {data / 'pictures'}.")
    return Status.FINE


def _serve(arguments: argparse.Namespace, session: Session, data: Path) -> Status:
    from web.app import create_app
    from web.security.certificate import certificate_for
    from web.security.hosts import certificate_names
    from web.server import Server
    from web.store.lock import FolderLock

    with FolderLock(data):
        config = _config(arguments, session, data)
        certificate = certificate_for(certificate_names(config.names), data) if arguments.https else None
        app = create_app(config)
        server = Server(app, "0.0.0.0" if arguments.lan else "127.0.0.1", arguments.port, certificate)
        serve_until_ended(server, lambda: _greet(server, config))
    print("tileref: ended; every game is kept.", file=sys.stderr)
    return Status.FINE


def _config(arguments: argparse.Namespace, session: Session, data: Path) -> WebConfig:
    from web.config import bundled_game

    return replace(
        common_config(arguments, session, data),
        lan=arguments.lan,
        https=arguments.https,
        names=tuple(arguments.name),
        recordings=arguments.recordings,
        demo=bundled_game(),
        given_source=arguments.source,
    )


def common_config(arguments: argparse.Namespace, session: Session, data: Path) -> WebConfig:
    """Return what every dashboard is started with: the folder, ``--port``, ``--language``, all settings."""
    from web.config import WebConfig

    chosen = session.settings
    return WebConfig(
        data_dir=data,
        port=arguments.port,
        language=arguments.language,
        settings=chosen.serve,
        read=chosen.read,
        source=chosen.source,
        watch=chosen.watch,
        turns=chosen.turns,
        minute=chosen.minute,
        make_reader=session.make_reader,
    )


def serve_until_ended(server: Server, begin: Callable[[], None]) -> None:
    """Serve until Ctrl-C or a signal that means the same; ``begin`` is called once it can be ended so."""
    with _ended_by(signal.SIGTERM, signal.SIGINT):
        try:
            begin()
            server.serve()
        except KeyboardInterrupt:
            pass
        finally:
            server.stop()


@contextmanager
def _ended_by(*signals: signal.Signals) -> Iterator[None]:
    """Let these signals end the program as Ctrl-C does."""

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = [signal.signal(one, end) for one in signals]
    try:
        yield
    finally:
        for one, was in zip(signals, before, strict=True):
            signal.signal(one, was)


def _greet(server: Server, config: WebConfig) -> None:
    scheme = "https" if config.https else "http"
    print(f"tileref is at {scheme}://127.0.0.1:{server.port}/ (Ctrl-C ends it).", flush=True)
    for line in server.invitation():
        print(line, flush=True)
