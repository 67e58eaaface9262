"""The house's own rules: who imports whom, what the wheel carries, and that the papers are current."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tileref import __version__
from tileref.cli import COMMANDS
from tileref.status import Status, worst

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_the_import_contract_holds() -> None:
    lint = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
    done = subprocess.run(
        [sys.executable, "-c", lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Build the wheel from a copy, since building leaves files behind, and list what is in it."""
    pytest.importorskip("setuptools", minversion="77")
    source = tmp_path_factory.mktemp("source")
    wheels = tmp_path_factory.mktemp("wheels")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in ("tileref", "vision", "referee", "web", "datasets", "tests"):
        # Of the two that must stay out, a file each is enough to be found.
        ignore = shutil.ignore_patterns("__pycache__", *(["[!_]*"] if name in ("datasets", "tests") else []))
        shutil.copytree(ROOT / name, source / name, ignore=ignore)
        (source / name / "__init__.py").touch()
    command = [
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--wheel-dir",
        str(wheels),
        ".",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pip", *command], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_the_wheel_carries_neither_datasets_nor_tests(wheel_names: list[str]) -> None:
    tops = {name.split("/")[0] for name in wheel_names}
    assert tops == {"tileref", "vision", "referee", "web", f"tileref-{__version__}.dist-info"}
    assert not any("/tests/" in name for name in wheel_names)


def test_the_wheel_carries_what_reading_needs(wheel_names: list[str]) -> None:
    shipped = {
        path.name
        for path in (ROOT / "vision" / "weights").glob("*")
        if path.suffix in (".onnx", ".json", ".md")
    }
    assert {f"vision/weights/{name}" for name in shipped} <= set(wheel_names)
    assert {"vision/py.typed", "referee/py.typed", "tileref/cli.py"} <= set(wheel_names)
    assert {"vision/review/report.html", "vision/review/report.css"} <= set(wheel_names)
    assert {"vision/recorded/film.mp4", "vision/recorded/game.json"} <= set(wheel_names)
    assert {"web/templates/base.html", "web/translations/he/LC_MESSAGES/messages.mo"} <= set(wheel_names)
    assert "web/store/migrations/001_matches.sql" in wheel_names
    assert any(name.endswith("licenses/LICENSE") for name in wheel_names)


def test_one_version() -> None:
    assert PROJECT["project"]["version"] == __version__
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_readme_names_every_command_option_and_status() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for command in COMMANDS:
        assert f"tileref {command}" in readme, command
    for line in ("python3 go.py check", "python3 go.py test"):
        assert line in readme
    for status in Status:
        assert re.search(rf"^\| {status.value} \|", readme, re.MULTILINE), status


def test_the_licence_is_the_one_that_is_declared() -> None:
    licence = (ROOT / "LICENSE").read_text("utf-8")
    assert PROJECT["project"]["license"] == "AGPL-3.0-or-later"
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in licence
    assert len(licence.splitlines()) > 600


def test_reading_needs_no_torch_and_one_opencv() -> None:
    needs = " ".join(PROJECT["project"]["dependencies"])
    assert not re.search(r"torch|ultralytics|headless", needs)


def test_the_worst_status_wins() -> None:
    fine, fault, unusable, doubt = Status.FINE, Status.FAULT, Status.UNUSABLE, Status.DOUBT
    assert worst([]) is fine
    assert worst([fine, doubt]) is doubt
    assert worst([doubt, fault, fine]) is fault
    assert worst([fault, doubt, unusable]) is unusable
    assert [int(status) for status in (fine, fault, unusable, doubt)] == [0, 1, 2, 3]
