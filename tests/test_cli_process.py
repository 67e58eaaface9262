"""The program as a process: bad input, closed pipes, Ctrl-C, and what it says without a command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TILEREF_")}
    return {**kept, "PYTHONPATH": str(ROOT)}


def tileref(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tileref", *map(str, arguments)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=60,
        env={**environment(), **variables},
        encoding="utf-8",
        check=False,
    )


def assert_refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """Status 2, one line on standard error, no traceback."""
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    for word in words:
        assert word in done.stderr


def test_without_arguments_it_says_what_to_do_next() -> None:
    done = tileref()
    assert (done.returncode, done.stderr) == (0, "")
    assert "tileref check photo.jpg" in done.stdout
    for name in ("read", "check", "score", "bench", "settings"):
        assert f"\n  {name} " in done.stdout


def test_help_and_version() -> None:
    assert tileref("--version").stdout.startswith("tileref ")
    assert "exit status" in tileref("--help").stdout
    for name in ("read", "check", "score", "bench", "settings"):
        done = tileref(name, "--help")
        assert done.returncode == 0
        assert "exit status" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("raed",),
        ("--wrong",),
        ("read",),
        ("read", "--wrong", "a.jpg"),
        ("score",),
        ("score", "a.jpg", "--edition", "x"),
    ],
)
def test_wrong_arguments_are_one_line(arguments: tuple[str, ...]) -> None:
    assert_refused(tileref(*arguments), "--help")


def test_a_mistyped_command_is_told_what_was_meant() -> None:
    assert_refused(tileref("chekc"), "did you mean check?")
    assert_refused(tileref("xyzzy"), "'xyzzy' is no command", "check", "serve")


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "a.jpg", "--joker", "many"),
        ("bench", "--runs", "many"),
        ("watch", "0", "--players", "Ann,Bo", "--rate", "fast"),
        ("watch", "0", "--players", "Ann,Bo", "--rate", "0"),
    ],
)
def test_no_argument_is_refused_in_the_words_of_the_program_itself(arguments: tuple[str, ...]) -> None:
    done = tileref(*arguments)
    assert_refused(done, repr(arguments[-1]))
    assert "invalid" not in done.stderr


def test_the_dashboard_does_not_begin_with_what_is_not_there(tmp_path: Path) -> None:
    data = ("--port", "0", "--data", str(tmp_path / "data"))
    assert_refused(tileref("serve", "--source", "gone.mp4", *data), "There is no file or folder gone.mp4")
    assert_refused(tileref("serve", "--recordings", tmp_path / "gone", *data), "There is no folder")
    (tmp_path / "file").touch()
    assert_refused(tileref("serve", "--port", "0", "--data", tmp_path / "file"), "it is no folder")
    assert_refused(tileref("report-problem", "--game", tmp_path / "gone"), "There is no folder")


@pytest.mark.parametrize("command", ["read", "check", "score"])
def test_bad_pictures_are_refused_in_one_line_each(tmp_path: Path, command: str) -> None:
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "text.jpg").write_text("no picture")
    Image.effect_noise((200, 100), 80).save(tmp_path / "whole.png")
    data = (tmp_path / "whole.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(data[: len(data) // 2])
    (tmp_path / "folder.jpg").mkdir()
    bad = {
        "empty.jpg": "empty",
        "text.jpg": "not a picture",
        "cut.png": "cut short",
        "folder.jpg": "folder",
        "gone.jpg": "no file",
    }
    for name, word in bad.items():
        assert_refused(tileref(command, tmp_path / name), name, word)
    done = tileref(command, *(tmp_path / name for name in bad), "--json")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == len(bad)
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert [Path(one["photo"]).name for one in objects] == list(bad)
    assert all(list(one) == ["photo", "error"] for one in objects)


def test_too_many_megapixels(tmp_path: Path) -> None:
    Image.new("L", (1000, 1000)).save(tmp_path / "a.png")
    photo = tmp_path / "a.png"
    assert_refused(tileref("read", photo, "--set", "read.max_megapixels=0.5"), "1.0 megapixels")
    assert_refused(tileref("read", photo, TILEREF_READ_MAX_MEGAPIXELS="0.5"), "1.0 megapixels")


def test_wrong_settings_are_refused_with_the_nearest_name(tmp_path: Path) -> None:
    assert_refused(tileref("settings", "--set", "read.tilebar=0.9"), "Did you mean read.tile_bar?")
    assert_refused(tileref("settings", TILEREF_READ_TILE_BRA="0.9"), "Did you mean TILEREF_READ_TILE_BAR?")
    file = tmp_path / "mine.toml"
    file.write_text("[read]\ntile_bar = 7\n")
    assert_refused(tileref("settings", "--settings", file), "between 0.5 and 1")


def test_a_closed_pipe_is_quiet() -> None:
    command = [sys.executable, "-m", "tileref", "read", *["gone.jpg"] * 3000, "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        process.wait(timeout=60)
    assert "Traceback" not in errors
    assert "BrokenPipe" not in errors


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no such signal to one process")
def test_ctrl_c_is_quiet(tmp_path: Path) -> None:
    # The settings file is a pipe that nobody writes to, so the program waits there until it is stopped.
    pipe = tmp_path / "settings.toml"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "tileref", "settings", "--settings", str(pipe)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), text=True
    ) as process:
        writer = _open_when_read(pipe)
        process.send_signal(signal.SIGINT)
        # A signal just before the program begins to wait does not wake it: the end of the pipe does.
        os.close(writer)
        _, errors = process.communicate(timeout=60)
    assert errors == "tileref: stopped.\n"
    assert process.returncode == 130


def _open_when_read(pipe: Path) -> int:
    """Open the pipe for writing as soon as the program has it open for reading."""
    for _ in range(600):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.05)
    raise TimeoutError("the program never opened its settings")
