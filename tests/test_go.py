"""go.py: what it says and decides before it installs anything."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, at home in an empty folder."""
    spec = importlib.util.spec_from_file_location("go", ROOT / "go.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path)
    monkeypatch.setattr(module, "PYTHON", Path(sys.executable))
    return module


def test_without_arguments_it_says_what_it_can() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "go.py")], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "python3 go.py check" in done.stdout
    assert "python3 go.py test" in done.stdout


def test_a_set_up_is_current_until_the_project_changes(go: ModuleType, tmp_path: Path) -> None:
    assert not go.is_stamped("run")
    (tmp_path / "stamp-run").write_text(go.fingerprint())
    assert go.is_stamped("run")
    assert not go.is_stamped("dev")
    (tmp_path / "stamp-dev").write_text(go.fingerprint())
    (tmp_path / "stamp-run").unlink()
    assert go.is_stamped("run")  # what the tests need is enough for running
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert not go.is_stamped("run")
    assert not go.is_stamped("dev")


def test_a_set_up_that_was_killed_begins_anew(
    go: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As pip leaves it, half of a package there, it installs nothing more."""
    venv = tmp_path / "venv"
    monkeypatch.setattr(go, "VENV", venv)
    monkeypatch.setattr(go, "UNFINISHED", venv / "unfinished")
    monkeypatch.setattr(go, "make_opencv_work", lambda: None)
    half = venv / "half-a-package"
    half.mkdir(parents=True)
    monkeypatch.setattr(go, "call_quietly_stopped", lambda command: -signal.SIGKILL)
    assert "failed" in go.set_up("run")
    assert half.exists()
    monkeypatch.setattr(go, "call_quietly_stopped", lambda command: 0)
    assert go.set_up("run") is None
    assert not half.exists()
    assert go.is_stamped("run")


def test_an_old_python_is_refused(
    go: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(go.sys, "version_info", (3, 10, 2))
    assert go.main(["check"]) == 2
    assert "Python 3.11 or later" in capsys.readouterr().err


def test_on_a_persons_computer_the_command_is_only_named(
    go: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(go, "is_ours_to_change", lambda: False)
    monkeypatch.setattr(go.shutil, "which", lambda name: f"/usr/bin/{name}")
    sentence = go.install_packages(["libgl1", "libglib2.0-0"], "load OpenCV")
    assert "sudo apt-get install --yes --no-install-recommends libgl1 libglib2.0-0" in sentence
    monkeypatch.setattr(go.shutil, "which", lambda name: None)
    assert "libgl1" in go.install_packages(["libgl1"], "load OpenCV")


def test_libraries_are_installed_where_that_is_ours(go: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    errors = iter(["ImportError: libGL.so.1: cannot open shared object file", None])
    installed: list[list[str]] = []
    monkeypatch.setattr(go, "opencv_error", lambda: next(errors))
    monkeypatch.setattr(go, "install_packages", lambda packages, purpose: installed.append(packages))
    assert go.make_opencv_work() is None
    assert installed == [["libgl1", "libglib2.0-0"]]
    monkeypatch.setattr(go, "opencv_error", lambda: "ImportError: something else")
    assert "something else" in go.make_opencv_work()


def test_who_stops_the_set_up_is_spared_the_installers_last_words() -> None:
    """Ctrl-C goes to every process at the terminal."""
    installer = (
        "import time\nprint('at it', flush=True)\n"
        "try:\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    print('last words', flush=True)\n"
    )
    script = (
        f"import runpy, sys\ngo = runpy.run_path({str(ROOT / 'go.py')!r})\n"
        f"try:\n    go['call_quietly_stopped']([sys.executable, '-c', {installer!r}])\n"
        "except KeyboardInterrupt:\n    sys.exit(130)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as setting_up:
        assert setting_up.stderr is not None
        assert setting_up.stderr.readline() == "at it\n"
        os.killpg(setting_up.pid, signal.SIGINT)
        assert setting_up.stderr.read() == ""
        assert setting_up.wait(timeout=20) == 130
