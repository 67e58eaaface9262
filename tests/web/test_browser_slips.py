"""Slips at the table, in a real browser: what was pressed or left out by mistake changes nothing."""

import json
import re

import pytest
from browser_support import Screen

REFUSED = "the server responded with a status of 4"


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


def drawn(screen):
    return [one["player"] for one in reversed(screen.state()["history"]) if one["kind"] == "draw"]


def test_a_double_tap_draws_for_one_player_only(screen):
    page = play(screen)
    page.locator("[data-action=draw]").dblclick()
    page.locator("#turn-name", has_text="Boris").wait_for()
    page.keyboard.press("d")
    page.wait_for_timeout(1100)
    assert drawn(screen) == ["Anna"]
    page.keyboard.press("d")
    page.locator("#turn-name", has_text="Anna").wait_for()
    page.keyboard.press("d")
    page.wait_for_timeout(1100)
    assert drawn(screen) == ["Anna", "Boris"]
    page.click("[data-action=draw]")
    page.locator("#turn-name", has_text="Boris").wait_for()
    assert drawn(screen) == ["Anna", "Boris", "Anna"], "a turn of its own, a second later"


def test_a_double_tap_writes_a_foul_down_once(screen):
    page = play(screen)
    screen.do("table", table="R9 K9 O9 | B1 B2")
    page.locator("#sets .tile").first.wait_for()
    page.locator("[data-action=end-turn]").dblclick()
    page.locator("#verdict .illegal").wait_for()
    page.keyboard.press("e")
    page.wait_for_timeout(300)
    assert [one["kind"] for one in screen.state()["history"]].count("play") == 1


def test_two_windows_end_one_turn(browser, program, screen):
    page = play(screen)
    with Screen(browser, program, ok=(REFUSED,)) as other:
        second = other.go("/table")
        second.locator("[data-action=draw]").wait_for()
        second.route("**/events", lambda route: None)  # its picture of the game stays behind
        second.reload(wait_until="commit")
        second.locator("[data-action=draw]").wait_for()
        page.click("[data-action=draw]")
        page.locator("#turn-name", has_text="Boris").wait_for()
        second.click("[data-action=draw]")
        second.locator("#toasts", has_text="moved on").wait_for()
    assert drawn(screen) == ["Anna"]


def test_drawing_with_tiles_on_the_table_asks_first(screen):
    page = play(screen)
    screen.do("table", table="R9 K9 O9")
    page.locator("#sets .tile").first.wait_for()
    page.locator("[data-action=draw]").dblclick()
    page.locator("dialog", has_text="as it was before this turn").wait_for()
    page.locator("dialog button", has_text="Let them lie").click()
    assert drawn(screen) == []
    assert page.locator("#sets .tile").count() == 3
    page.keyboard.press("d")
    page.locator("dialog button.main").click()
    page.locator("#turn-name", has_text="Boris").wait_for()
    assert drawn(screen) == ["Anna"]
    assert page.locator("#sets .tile").count() == 0


@pytest.mark.parametrize("left_s", [-2.5, -603.5], ids=["seconds", "minutes"])
def test_no_page_scrolls_sideways_when_the_time_is_up(screen, left_s):
    page = play(screen)

    def late(route):
        """The page as it is so long after the turn's time."""
        answer = route.fetch()
        head, state, tail = re.split(
            r'(?<=<script type="application/json" id="state">)(.*?)(?=</script>)', answer.text(), flags=re.S
        )
        plain = json.loads(state)
        plain["turn"]["left_s"] = left_s
        route.fulfill(response=answer, body=head + json.dumps(plain) + tail)

    page.route("**/events", lambda route: None)
    for path in ("/table", "/watch", "/overlay"):
        page.route(f"**{path}", late)
        screen.go(path)
        page.locator("#clock[data-level=over]").wait_for()
        for size in ((1366, 768), (1280, 800), (1920, 1080), (390, 844)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], (path, size)
            clock, note = (page.locator(one).bounding_box() for one in ("#clock", "#clock-note"))
            assert note["x"] + note["width"] <= clock["x"] + clock["width"] + 1, (path, size)


def test_the_page_of_a_scored_rack_says_so_and_leads_to_its_correction(screen):
    play(screen)
    screen.do("end-turn", table="R10 B10 K10 O10 | R1 R2 R3 R4 R5 | B1 B2 B3 B4 B5")
    screen.do("rack", seat=1, tiles="K1 K2 J")
    screen.do("rack-accept", seat=1)
    page = screen.go("/rack/1")
    page.locator("#rack-told", has_text="This rack was accepted").wait_for()
    assert page.inner_text("#sum") == "33"
    assert page.locator("#rack button").count() == 0, "what was scored is not changed by a tap"
    page.click("#rack-told a[href^='/correct/']")
    page.wait_for_url("**/correct/*")
    page.locator("#edit summary", has_text="Boris").wait_for()
