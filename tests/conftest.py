"""Fixtures that several tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_support import Desk


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """A folder of photographs with known contents, and the program to run on them."""
    return Desk(tmp_path, capsys)
