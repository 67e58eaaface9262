"""What tests of the renderer share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from datasets import grounds


@pytest.fixture
def no_photographed_grounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Render as where no photographs of grounds were fetched: the same everywhere."""
    monkeypatch.setenv("TILEREF_ASSETS", str(tmp_path))
    grounds.photographs.cache_clear()
    yield
    grounds.photographs.cache_clear()
