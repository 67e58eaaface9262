"""Fixtures of the dashboard's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from web_support import House, house_in


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A dashboard that answers on this computer only."""
    with house_in(tmp_path / "data") as made:
        yield made


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[House]:
    """A dashboard that answers in the local network."""
    with house_in(tmp_path / "data", lan=True) as made:
        yield made
