"""The examples run and print what they promise, and the library's public names are all there."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import referee
import vision
from vision.sources.frame import Frame, SourceNotice
from vision.sources.open import open_source

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def example(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The example of that name, imported as a module."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    sys.modules.pop(request.param, None)
    return importlib.import_module(request.param)


@pytest.mark.parametrize("example", ["judge_turn"], indirect=True)
def test_judge_turn(example: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    example.main()
    foul, step, doubt = capsys.readouterr().out.splitlines()
    assert foul.startswith("illegal")
    assert step == "to-rack K7: R3 R4 R5 | B7 K7 O7"
    assert doubt.startswith("ask")
    assert "R6/R9" in doubt


@pytest.mark.parametrize("example", ["read_photo"], indirect=True)
def test_read_photo(example: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    example.main(str(ROOT / "samples" / "table.jpg"))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines[0].split(" | ")) == 7
    assert lines[1] == "legal"


class _First:
    """The first seconds of a recording."""

    def __init__(self, text: str, seconds: float) -> None:
        self._source, self._seconds = open_source(text), seconds

    def __enter__(self) -> _First:
        self._source.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._source.close()

    def frames(self) -> Iterator[Frame | SourceNotice]:
        for taken in self._source.frames():
            if taken.t_s > self._seconds:
                return
            yield taken


@pytest.mark.parametrize("example", ["watch_recording"], indirect=True)
def test_watch_recording_finds_the_foul_and_its_putting_back(
    example: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(example, "open_source", lambda text: _First(text, 31.0))
    example.main()
    out = capsys.readouterr().out
    first, reason, *_ = out.splitlines()
    assert "Anna: play illegal: " in first
    assert "28 points" in reason
    assert "Anna: put-back legal: " in out


def test_every_public_name_of_vision_is_there() -> None:
    for name in vision.__all__:
        assert getattr(vision, name).__doc__, name
    assert set(vision.__all__) == {name for names in vision._ROOMS.values() for name in names}
    assert dir(vision) == sorted(vision.__all__)
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = vision.nothing_of_the_kind


def test_every_public_name_of_the_referee_is_there() -> None:
    assert [name for name in referee.__all__ if not hasattr(referee, name)] == []


def test_asking_for_an_error_loads_no_foreign_library() -> None:
    code = (
        "import sys; from vision import VisionError; print([m for m in ('cv2', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
