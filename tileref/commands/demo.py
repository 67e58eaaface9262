"""Open the dashboard on the recorded game that comes with the program: no camera is needed.

The film is read live by the same pipeline as any camera: an opening that is too low,
its putting-back, legal turns, a second foul, a freed joker, draws, and an end with
two racks to score (their photographs are named when the program starts: upload them
on the racks' page). The film begins when the page is open.

The game is kept nowhere, unless --data names a folder.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import webbrowser
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tileref.commands import serve
from tileref.session import Session
from tileref.status import Status
from web.errors import WebError

if TYPE_CHECKING:
    from vision.recorded import BundledGame
    from web.config import WebConfig


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--no-browser", action="store_true", help="open no browser; the address is printed")
    parser.add_argument(
        "--port",
        type=serve.port_number,
        default=0,
        metavar="N",
        help="where it answers (any port that is free)",
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="keep the game in this folder")
    parser.add_argument(
        "--language", choices=serve.LANGUAGES, default="en", help="for browsers that ask for none of these (en)"
    )


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Serve until someone ends it."""
    from vision.recorded import bundled_game

    game = bundled_game()
    if game is None:
        session.complain(
            "The recorded game is not in this copy of tileref; install it again, or play: tileref serve."
        )
        return Status.UNUSABLE
    try:
        with ExitStack() as stack:
            data: Path = arguments.data or Path(stack.enter_context(_passing_folder()))
            return _serve(arguments, session, data, game)
    except WebError as error:
        session.complain(str(error))
        return Status.UNUSABLE


def _passing_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="tileref-demo-", ignore_cleanup_errors=True)


def _serve(arguments: argparse.Namespace, session: Session, data: Path, game: BundledGame) -> Status:
    from tileref.demo import Demo
    from web.app import create_app
    from web.server import Server
    from web.store.lock import FolderLock

    config = _config(arguments, session, data, game)
    with FolderLock(data):
        app = create_app(config)
        server = Server(app, "127.0.0.1", arguments.port)

        def begin() -> None:
            Demo(app, game)
            address = f"http://127.0.0.1:{server.port}/table"
            print(f"The recorded game is at {address} (Ctrl-C ends it).", flush=True)
            for name, photo in zip(game.players, game.racks, strict=True):
                if photo is not None:
                    print(f"The rack of {name}, to be scored at the end: {photo}", flush=True)
            if not arguments.no_browser and not webbrowser.open(address):
                session.complain(f"No browser could be opened; open {address} yourself.")

        serve.serve_until_ended(server, begin)
    print("tileref: the demo has ended.", file=sys.stderr)
    return Status.FINE


def _config(arguments: argparse.Namespace, session: Session, data: Path, game: BundledGame) -> WebConfig:
    return replace(serve.common_config(arguments, session, data), demo=game.film)
