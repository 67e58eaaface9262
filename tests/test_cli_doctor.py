"""``tileref doctor``: each check both ways, the command as a whole, and the words for a missing library."""

from __future__ import annotations

import hashlib
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from cli_support import Desk

from tileref.cli import main
from tileref.commands import doctor
from tileref.doctor.cameras import check_camera
from tileref.doctor.check import Check
from tileref.doctor.computer import (
    check_disk,
    check_extras,
    check_opencv,
    check_packages,
    check_port,
    check_python,
    check_weights,
)
from tileref.opencv_trouble import import_sentence, opencv_sentence
from vision.errors import SourceError
from vision.sources.settings import SourceSettings

ROOT = Path(__file__).resolve().parents[1]


def test_python_must_be_new_enough() -> None:
    assert check_python((3, 13, 1)).state == "fine"
    old = check_python((3, 10, 12))
    assert old.state == "failed"
    assert "3.11" in old.told
    assert old.mend


def test_packages_are_compared_with_what_is_declared() -> None:
    needs = ["numpy>=1.26", "flask>=3.0", "torch==2.13.0 ; extra == 'train'"]
    there = {"numpy": "2.1.0", "flask": "3.0.2"}
    assert check_packages(needs, there.get).state == "fine"
    old = check_packages(needs, {"numpy": "1.9.9"}.get)
    assert old.state == "failed"
    assert old.figures["missing"] == ["numpy 1.26 (found 1.9.9)", "flask"]


def test_two_flavours_of_opencv_are_one_too_many() -> None:
    both = {"opencv-python": "5.0", "opencv-python-headless": "5.0"}
    check = check_opencv(both.get)
    assert check.state == "failed"
    assert "pip uninstall --yes opencv-python opencv-python-headless" in (check.mend or "")
    assert check_opencv().state == "fine"


@pytest.mark.parametrize(
    ("said", "mend"),
    [
        (
            "ImportError: libGL.so.1: cannot open shared object file: No such file",
            "apt-get install libgl1 libglib",
        ),
        ("ModuleNotFoundError: No module named 'cv2'", "pip install opencv-python"),
        ("", ""),
    ],
)
def test_an_opencv_that_does_not_load_is_mended(tmp_path: Path, said: str, mend: str) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nprintf "Traceback:\\n{said}\\n" >&2\nexit 1\n')
    python.chmod(0o755)
    check = check_opencv({"opencv-python": "5.0"}.get, str(python))
    assert check.state == "failed"
    assert mend in (check.mend or "")


def test_the_sentence_for_a_missing_library_names_both_debian_packages() -> None:
    for library in ("libGL.so.1", "libgthread-2.0.so.0"):
        sentence = opencv_sentence(ImportError(f"{library}: cannot open shared object file: No such file"))
        assert sentence is not None
        assert "sudo apt-get install libgl1 libglib2.0-0" in sentence
        assert library in sentence
    missing = ModuleNotFoundError("No module named 'flask'", name="flask")
    assert opencv_sentence(missing) is None
    assert "The package flask is missing" in (import_sentence(missing) or "")
    assert import_sentence(ModuleNotFoundError("No module named 'vision.x'", name="vision.x")) is None


def test_a_command_that_cannot_load_opencv_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    class _NoLibGl:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "cv2":
                raise ImportError("libGL.so.1: cannot open shared object file: No such file or directory")

    for name in [name for name in sys.modules if name.split(".")[0] == "cv2"]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("tileref.commands.read", "vision.overlay", "vision.picture"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "meta_path", [_NoLibGl(), *sys.meta_path])
    assert main(["read", str(tmp_path / "a.jpg")]) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert "libgl1 libglib2.0-0" in told


def test_weights_are_compared_with_their_checksums(tmp_path: Path) -> None:
    (tmp_path / "a.onnx").write_bytes(b"model")
    entry = {"file": "a.onnx", "sha256": hashlib.sha256(b"model").hexdigest()}
    (tmp_path / "manifest.json").write_text(json.dumps({"about": {}, "finder": entry}))
    assert check_weights(tmp_path).state == "fine"
    (tmp_path / "a.onnx").write_bytes(b"modem")
    assert "differs" in check_weights(tmp_path).told
    (tmp_path / "a.onnx").unlink()
    assert "missing" in check_weights(tmp_path).told
    (tmp_path / "manifest.json").write_text("{")
    assert "damaged" in check_weights(tmp_path).told
    (tmp_path / "manifest.json").unlink()
    assert check_weights(tmp_path).state == "failed"


def test_disk_and_port(tmp_path: Path) -> None:
    assert check_disk(tmp_path / "not" / "there", 0.01).state == "fine"
    assert not (tmp_path / "not").exists()
    assert check_disk(tmp_path, 1e9).state == "note"
    (tmp_path / "file").touch()
    assert check_disk(tmp_path / "file", 0.01).state == "failed"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        check = check_port(port)
        assert check.state == "failed"
        assert "--port" in (check.mend or "")
    assert check_port(port).state == "fine"


def test_extras_are_told_and_never_needed() -> None:
    assert check_extras({}.get).state == "fine"
    assert "openvino 2025.1" in check_extras({"openvino": "2025.1"}.get).told


class _Camera:
    def __init__(self, size_wh: tuple[int, int], rate_hz: float) -> None:
        self.now_s, self._step_s = 0.0, 1 / rate_hz
        self._image = np.zeros((size_wh[1], size_wh[0], 3), np.uint8)
        self.closed = False

    def read(self) -> np.ndarray | None:
        self.now_s += self._step_s
        return self._image if self._image.size else None

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("size_wh", "rate_hz", "state", "words"),
    [
        ((1920, 1080), 30.0, "fine", "1920 x 1080 at 30.0"),
        ((640, 480), 30.0, "note", "not the 1920 x 1080"),
        ((1920, 1080), 5.0, "note", "5.0 pictures a second, not the 30"),
        ((0, 0), 10.0, "failed", "no picture"),
    ],
)
def test_a_camera_is_measured(size_wh: tuple[int, int], rate_hz: float, state: str, words: str) -> None:
    camera = _Camera(size_wh, rate_hz)
    check = check_camera(
        0, SourceSettings(), wanted=True, open_it=lambda index, asked: camera, clock=lambda: camera.now_s
    )
    assert (check.state, camera.closed) == (state, True)
    assert words in check.told
    assert (check.mend is None) == (state == "fine")


def test_no_camera_fails_only_where_one_was_asked_for() -> None:
    def none(index: int, asked: SourceSettings) -> _Camera:
        raise SourceError("Camera 3 cannot be opened.")

    assert check_camera(3, SourceSettings(), wanted=True, open_it=none).state == "failed"
    assert check_camera(3, SourceSettings(), wanted=False, open_it=none).state == "note"


def test_the_command_tells_every_check_and_its_status(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    status, out, _ = desk.run("doctor", "--no-camera", "--data", str(tmp_path), "--port", "0")
    assert status == 0
    for name in ("python", "opencv", "weights", "disk", "port", "extras"):
        assert f" {name}: " in out

    def failing(*_: object) -> Iterator[Check]:
        yield Check("opencv", "failed", "It is broken.", "Do this.")

    monkeypatch.setattr(doctor, "_checks", failing)
    status, out, _ = desk.run("doctor")
    assert status == 1
    assert "Do this." in out
    status, lines = desk.run_json("doctor")
    assert (status, lines[0]["state"], lines[0]["mend"]) == (1, "failed", "Do this.")


def test_photos_of_the_table_are_graded(desk: Desk, tmp_path: Path) -> None:
    photo = desk.photo("a.png", "B4 B5 B6 | K8 R8 O8")
    status, objects = desk.run_json("doctor", "--photo", photo)
    assert (status, objects[0]["grade"], objects[0]["measured"]["tiles"]) == (0, "good", 6)
    assert objects[0]["measured"]["tile_px"] == 30
    assert objects[0]["measured"]["blur"] is None  # there is nothing printed on these tiles
    status, out, _ = desk.run("doctor", "--photo", photo, "--set", "view.good_tile_px=31")
    assert status == 3
    assert "borderline size: Nine of ten tiles are at least 30 pixels wide; 31 are wanted." in out
    status, out, _ = desk.run("doctor", "--photo", photo, desk.photo("b.png", ""))
    assert status == 1
    assert "b.png: bad (no tile)" in out
    status, _, err = desk.run("doctor", "--photo", str(tmp_path / "none.png"), photo)
    assert status == 2
    assert len(err.splitlines()) == 1


def test_the_doctor_comes_where_opencv_cannot_be_loaded() -> None:
    """It is called when something is wrong: it must not need what it looks for."""
    code = "import sys, tileref.cli, tileref.commands.doctor; print('cv2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "False"
