"""The game that comes with the program: its files, and that the program itself sees what happens in it.

A whole review takes longer than a test may: ``tileref evaluate --games vision/recorded`` compares all 13 turns.
"""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import pytest

from datasets.games.sample import draw_sample
from datasets.games.script import TrueTurn
from datasets.games.write import load_game
from referee import parse_table
from vision.picture import load_picture
from vision.reader import Reader
from vision.recorded import DEMO, BundledGame, bundled_game
from vision.review.signals import read_signals
from vision.sources.frame import Frame
from vision.sources.held import held
from vision.sources.open import open_source
from vision.watch.setup import WatchSetup
from vision.watch.types import TurnEnded, TurnRecord
from vision.watch.watcher import Watcher
from web.config import bundled_game as film_of_the_dashboard

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "vision" / "recorded"


@pytest.fixture(scope="module")
def game() -> BundledGame:
    found = bundled_game()
    assert found is not None
    return found


def sets_of(text: str) -> set[str]:
    """The sets of a table, whatever their order."""
    return {" ".join(map(str, one)) for one in parse_table(text).sets}


def test_it_is_small_and_lasts_two_to_three_minutes(game: BundledGame) -> None:
    assert game.film.stat().st_size < 12_000_000
    with open_source(DEMO) as source:
        assert source.duration_s is not None
        assert 120 <= source.duration_s <= 180
    assert film_of_the_dashboard() == game.film
    assert hashlib.sha256(game.film.read_bytes()).hexdigest() in (FOLDER / "README.md").read_text("utf-8")


def test_its_truth_is_that_of_the_game_written_down() -> None:
    kept, script = load_game(FOLDER), draw_sample()
    assert kept.turns == script.turns
    assert kept.signals == script.signals
    assert kept.racks == script.racks
    assert (kept.players, kept.edition) == (script.players, script.edition)


def test_an_installed_program_has_all_of_it() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    shipped = {
        path
        for pattern in settings["tool"]["setuptools"]["package-data"]["vision"]
        for path in (ROOT / "vision").glob(pattern)
    }
    assert {
        path for path in FOLDER.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")
    } <= shipped


def test_the_photographed_racks_are_read_whole(game: BundledGame) -> None:
    reader, script = Reader.load(), draw_sample()
    for photo, rack in zip(game.racks, script.racks, strict=True):
        assert (photo is None) == (not rack)
        if photo is not None:
            reading = reader.read(load_picture(photo))
            assert sorted(str(tile.tile) for tile in reading.tiles) == sorted(rack)
            assert not any(tile.doubt for tile in reading.tiles)
            assert reading.kind == "rack"


def test_a_low_opening_its_put_back_and_a_good_opening_are_seen(game: BundledGame) -> None:
    """The first 45 seconds, by the whole pipeline."""
    signals = [signal for signal in read_signals(game.signals) if signal.t_s < 45]
    setup = WatchSetup(game.players, game.edition).told_by(read_signals(game.signals))
    watcher = Watcher(Reader.load(), setup)
    found: list[TurnRecord] = []
    with open_source(DEMO) as source:
        for frame in source.frames():
            assert isinstance(frame, Frame)
            if frame.t_s > 45:
                break
            events = [
                event for signal in signals if signal.t_s <= frame.t_s for event in watcher.signal(signal)
            ]
            signals = [signal for signal in signals if signal.t_s > frame.t_s]
            events += watcher.push(frame)
            found += [event.record for event in events if isinstance(event, TurnEnded)]
    assert_first_three(found, game)
    assert found[0].opening_points == 28


def test_they_are_seen_in_one_picture_a_turn_too(game: BundledGame) -> None:
    """As someone photographs the table after each turn: no hands, no signals, a minute from one to the next."""
    moments = [0.0, *(turn.end_s for turn in load_game(FOLDER).turns[:3])]
    pictures: list[Frame] = []
    with open_source(DEMO) as source:
        for frame in source.frames():
            assert isinstance(frame, Frame)
            if frame.t_s >= moments[len(pictures)]:
                pictures.append(Frame.of_bgr(len(pictures), 60.0 * len(pictures), frame.image_bgr.copy()))
                if len(pictures) == len(moments):
                    break
    watcher = Watcher(Reader.load(), WatchSetup(game.players, game.edition))
    events = [event for frame in held(pictures) if isinstance(frame, Frame) for event in watcher.push(frame)]
    assert_first_three([event.record for event in events if isinstance(event, TurnEnded)], game)


def assert_first_three(found: list[TurnRecord], game: BundledGame) -> None:
    """A too low opening, its put-back and a good one."""
    true: list[TrueTurn] = list(load_game(FOLDER).turns[:3])
    assert [turn.action for turn in true] == ["play", "put-back", "play"]
    for record, turn in zip(found, true, strict=True):
        assert (record.action, record.verdict) == (turn.action, turn.verdict)
        assert game.players[record.seat or 0] == turn.player
        assert tuple(problem.code for problem in record.problems) == turn.violations
        assert sets_of(str(record.after)) == sets_of(turn.after)
        assert sorted(map(str, record.played)) == sorted(turn.played)
        assert not record.questions
