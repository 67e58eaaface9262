"""``tileref demo``: the match that it sets up, when the film begins, and the buttons of the film."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli_support import Desk

from tileref.commands import demo as command
from tileref.demo import Demo
from vision import recorded
from vision.recorded import BundledGame
from vision.watch.types import Signal
from web.app import create_app
from web.config import WebConfig
from web.site import EXTENSION, Site


@pytest.fixture
def game(tmp_path: Path) -> BundledGame:
    (tmp_path / "signals.csv").write_text("t_s,signal\n0.2,draw\n0.4,draw\n", "utf-8")
    return BundledGame(tmp_path / "film.mp4", tmp_path / "signals.csv", ("Anna", "Boris"), "ru", (None, None))


@pytest.fixture
def house(
    tmp_path: Path, game: BundledGame, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Site, list[str], Demo]]:
    """A dashboard on which the demo waits, and the sources that were opened."""
    app = create_app(WebConfig(tmp_path / "data", demo=game.film))
    site: Site = app.extensions[EXTENSION]
    opened: list[str] = []
    monkeypatch.setattr(site.watch, "start", opened.append)
    demo = Demo(app, game, settle_s=0.0)
    try:
        yield site, opened, demo
    finally:
        site.close()


def _until(what: str, test: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not test():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def test_the_film_begins_when_someone_looks_and_its_buttons_are_pressed(
    house: tuple[Site, list[str], Demo], game: BundledGame
) -> None:
    site, opened, demo = house
    match = site.desk.match
    assert (match.state.players, match.state.phase, match.state.turn) == (("Anna", "Boris"), "playing", 0)
    time.sleep(0.3)
    assert opened == []
    # However late the page is opened, the first player's clock waits with the film.
    assert not match.clock.running
    demo.begin()
    _until("the film is opened", lambda: opened == [str(game.film)])
    assert site.desk.match.clock.running
    # Nothing is watched here, so the desk itself answers the two draws.
    _until("both have drawn", lambda: site.desk.match.state.racks == (15, 15))
    assert site.desk.match.state.turn == 0


def test_looking_at_the_table_begins_it(
    tmp_path: Path, game: BundledGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app(WebConfig(tmp_path / "other", demo=game.film))
    site: Site = app.extensions[EXTENSION]
    opened = threading.Event()
    monkeypatch.setattr(site.watch, "start", lambda source: opened.set())
    try:
        Demo(app, game, settle_s=0.0)
        app.test_client().get("/games", base_url="http://127.0.0.1")
        assert not opened.wait(0.5)
        app.test_client().get("/table", base_url="http://127.0.0.1")
        assert opened.wait(10)
    finally:
        site.close()


def test_no_button_is_pressed_once_the_program_ends(house: tuple[Site, list[str], Demo]) -> None:
    site, _, demo = house
    site.close()
    demo._press(Signal(0.2, "draw"))
    assert site.desk.match.state.racks == (14, 14)


def test_a_copy_without_the_film_says_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "bundled_game", lambda: None)
    status, _, err = desk.run("demo", "--no-browser")
    assert status == 2
    assert len(err.splitlines()) == 1
    assert "tileref serve" in err
    assert command.__doc__
