"""Settings reach every command in the same way, and unknown ones are refused by every command."""

from __future__ import annotations

import argparse
import importlib
import re
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import pytest

from tileref.cli import COMMANDS, main
from tileref.commands import demo, serve
from tileref.session import Session
from tileref.settings import ROOMS, load_settings
from tileref.status import Status
from vision.recorded import BundledGame
from web.config import WebConfig

ARGUMENTS: dict[str, list[str]] = {
    "read": ["a.jpg"],
    "check": ["a.jpg"],
    "score": ["a.jpg"],
    "judge": [],
    "moves": [],
    "review": ["a.mp4", "--players", "A,B"],
    "watch": ["0", "--players", "A,B"],
    "serve": [],
    "demo": [],
    "doctor": [],
    "report-problem": [],
    "learn": ["a.jpg", "b.jpg", "--name", "mine"],
    "evaluate": ["photos"],
    "bench": [],
    "settings": [],
}


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A settings file; nothing of the surroundings' settings."""
    monkeypatch.delenv("TILEREF_SETTINGS", raising=False)
    file = tmp_path / "mine.toml"
    file.write_text("[read]\ntile_bar = 0.6\nthreads = 3\nfind_size_px = 800\n", "utf-8")
    return file


def test_every_command_is_tried_here() -> None:
    assert set(ARGUMENTS) == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_flags_win_over_the_environment_and_that_over_the_file(
    command: str, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Session] = []

    def run(arguments: argparse.Namespace, session: Session) -> Status:
        seen.append(session)
        return Status.FINE

    monkeypatch.setattr(importlib.import_module(f"tileref.commands.{command.replace('-', '_')}"), "run", run)
    monkeypatch.setenv("TILEREF_READ_TILE_BAR", "0.7")
    monkeypatch.setenv("TILEREF_READ_THREADS", "4")
    assert main([command, *ARGUMENTS[command], "--settings", str(mine), "--set", "read.tile_bar=0.8"]) == 0
    read = seen[0].settings.read
    assert (read.tile_bar, read.threads, read.find_size_px) == (0.8, 4, 800)


@pytest.mark.parametrize("way", ["flag", "environment", "file"])
@pytest.mark.parametrize("command", COMMANDS)
def test_unknown_settings_are_refused_with_a_suggestion(
    command: str, way: str, mine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [command, *ARGUMENTS[command]]
    if way == "flag":
        given += ["--set", "read.tile_bra=0.9"]
    elif way == "environment":
        monkeypatch.setenv("TILEREF_READ_TILE_BRA", "0.9")
    else:
        mine.write_text("[read]\ntile_bra = 0.9\n", "utf-8")
        given += ["--settings", str(mine)]
    assert main(given) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert "Did you mean" in told
    assert "tile_bar" in told.lower()


@pytest.mark.parametrize("command", [serve, demo], ids=["serve", "demo"])
def test_the_dashboard_is_started_with_every_room_of_settings(tmp_path: Path, command: ModuleType) -> None:
    """A room that is left out would silently keep its defaults."""
    wishes = ["serve.beat_s=3", "watch.dark_luma=31", "turns.looks=3", "source.black_s=2", "minute.keep_s=20"]
    settings = load_settings(None, {}, wishes)
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    game = BundledGame(tmp_path / "film.mp4", tmp_path / "signals.csv", ("A", "B"), "ru", (None, None))
    given = (parser.parse_args([]), Session(settings), tmp_path)
    config = command._config(*given, game) if command is demo else command._config(*given)
    for room in set(ROOMS) - {"serve", "view"}:  # the view is judged by 'tileref doctor' alone
        assert getattr(config, room) == getattr(settings, room), room
    assert config.settings == settings.serve
    assert {"read", "source", "watch", "turns", "minute"} <= {field.name for field in fields(WebConfig)}


def test_verbose_tells_what_is_done_with_the_time_of_day(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings", "--verbose"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) >= 2
    assert all(re.match(r"tileref \d\d:\d\d:\d\d\.\d{3} ", line) for line in lines)
    assert "'settings' ended with status 0" in lines[-1]
