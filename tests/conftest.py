"""Fixtures that several tests share."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_support import Desk


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test writes into the data folder of the person who runs it."""
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home-data"))


@pytest.fixture(autouse=True, scope="session")
def _programs_heed_ctrl_c() -> Iterator[None]:
    """A shell starts what runs in the background deaf to Ctrl-C, and every program that it starts after it."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, before)


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """A folder of photographs with known contents, and the program to run on them."""
    return Desk(tmp_path, capsys)
