"""Slips at the table, in a real browser: what was pressed or left out by mistake changes nothing."""

import pytest
from browser_support import FLAGS, Program, Screen, chromium, why_no_browser

REASON = why_no_browser()
pytestmark = pytest.mark.skipif(REASON is not None, reason=str(REASON))

REFUSED = "the server responded with a status of 4"


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        found = player.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("dashboard"))
    made.address = made.start()
    yield made
    made.stop()


@pytest.fixture
def screen(browser, program):
    with Screen(browser, program, ok=(REFUSED,)) as made:
        yield made


def play(screen, *, starter=0, **more):
    """A match of Anna and Boris, its first game dealt; more is of the start."""
    screen.go("/setup")
    screen.do("start", players=["Anna", "Boris"], **{"edition": "ru", **more})
    screen.do("deal", starter=starter)
    return screen.go("/table")


def test_an_emptied_cell_of_the_score_sheet_is_refused_in_its_dialog(screen):
    play(screen, mode="clock")
    screen.do("game-scores", scores=[33, -33], winner=0)
    page = screen.go("/scores")
    page.locator("#sheet tbody button").first.click()
    page.fill("#cell-points", "")
    page.locator("dialog form button.main").click()
    page.locator("dialog [role=alert]", has_text="whole number").wait_for()
    assert screen.state()["score"]["totals"] == [33, -33]
