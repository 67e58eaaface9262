"""Fixtures of the dashboard's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_support import FLAGS, Program, chromium, why_no_browser
from web_support import House, house_in


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A dashboard that answers on this computer only."""
    with house_in(tmp_path / "data") as made:
        yield made


@pytest.fixture(scope="module")
def browser():
    """A real browser; without one its tests are skipped."""
    if (reason := why_no_browser()) is not None:
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        found = player.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def program(browser, tmp_path_factory):
    """A dashboard in a process of its own, for that browser."""
    made = Program(tmp_path_factory.mktemp("dashboard"))
    made.address = made.start()
    yield made
    made.stop()


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[House]:
    """A dashboard that answers in the local network."""
    with house_in(tmp_path / "data", lan=True) as made:
        yield made
