"""Fixtures that several tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_support import Desk


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test writes into the data folder of the person who runs it."""
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home-data"))


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """A folder of photographs with known contents, and the program to run on them."""
    return Desk(tmp_path, capsys)
