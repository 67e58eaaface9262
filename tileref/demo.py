"""The dashboard on the recorded game: a match is set up, the film is watched live, and its buttons are pressed.

Nothing is taken from stored readings. What the players of the film pressed is pressed at the same moments, by
the same actions as those of anyone at the table; whoever looks on may press, correct and answer as well.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from flask import Flask, request

from vision.recorded import BundledGame
from vision.review.signals import read_signals
from vision.watch.types import Signal
from web.desk.actions import act
from web.desk.body import Body
from web.desk.who import Who
from web.errors import WebError
from web.site import EXTENSION, Site

__all__ = ["Demo"]

TITLE: Final = "The recorded game"
_REFEREE: Final = Who("referee")
_PAGES: Final = ("/table", "/watch", "/overlay")
_LOG: Final = logging.getLogger("tileref.demo")


class Demo:
    """Plays the recorded game to a dashboard, from the moment at which someone first looks at the table."""

    def __init__(
        self, app: Flask, game: BundledGame, clock: Callable[[], float] = time.monotonic, settle_s: float = 1.0
    ) -> None:
        """Set the match up; ``settle_s`` after the first look the film begins.

        Raises SignalsError where the film's signals cannot be read, WebError where the match cannot be set up.
        """
        self._site: Site = app.extensions[EXTENSION]
        self._game, self._clock, self._settle_s = game, clock, settle_s
        self._signals = read_signals(game.signals) if game.signals.is_file() else ()
        self._looked_at = threading.Event()
        desk = self._site.desk
        with desk.lock:
            if desk.view().match is not None:
                act(desk, "close-match", Body({}), _REFEREE)
            asked = {"players": list(game.players), "edition": game.edition, "title": TITLE, "games": 1}
            act(desk, "start", Body({**asked, "source": "demo"}), _REFEREE)
            act(desk, "deal", Body({"starter": 0}), _REFEREE)
            # The first player's clock waits with the film.
            act(desk, "pause", Body({}), _REFEREE)
        app.before_request(self._look)
        self._thread = threading.Thread(target=self._play, name="demo", daemon=True)
        self._thread.start()

    def begin(self) -> None:
        """Begin without waiting for anyone to look."""
        self._looked_at.set()

    def _look(self) -> None:
        if request.path in _PAGES:
            self._looked_at.set()

    def _play(self) -> None:
        stopping = self._site.stopping
        while not self._looked_at.wait(0.2):
            if stopping.is_set():
                return
        if stopping.wait(self._settle_s):
            return
        try:
            with self._site.desk.lock:
                act(self._site.desk, "resume", Body({}), _REFEREE)
            self._site.watch.start(str(self._game.film))
        except WebError as error:
            _LOG.warning("The recorded game cannot be watched: %s", error)
            return
        began = self._clock()
        for signal in self._signals:
            # A film is shown by its own times from the moment at which it is opened.
            if stopping.wait(max(0.0, signal.t_s - (self._clock() - began))):
                return
            self._press(signal)

    def _press(self, signal: Signal) -> None:
        try:
            with self._site.desk.lock:
                if not self._site.stopping.is_set():
                    act(self._site.desk, signal.kind, Body({}), _REFEREE)
        except WebError as error:
            # Someone at the table was quicker, or is correcting something: it is theirs to decide.
            _LOG.info("The button %s at %.1f s was not taken: %s", signal.kind, signal.t_s, error)
