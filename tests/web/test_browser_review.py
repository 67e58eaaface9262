"""The page of one review, in a real browser, while the review goes on."""

import json
import re

import pytest
from browser_support import Screen

TURN = {
    "seat": 0, "player": "Ann", "start": "0:02", "end": "0:11", "action": "play", "inferred": False,
    "verdict": "legal", "told": [], "before": [], "after": [], "played": [], "put_back": [],
    "opening_points": None, "picture_before": None, "picture_after": None,
}  # fmt: skip


@pytest.fixture
def screen(browser, program):
    with Screen(browser, program) as made:
        yield made


def send(page, name, text):
    """Send a file as the page's form does."""
    page.set_input_files("#recording", {"name": name, "mimeType": "video/mp4", "buffer": text})
    page.fill("#names", "Ann, Ben")
    page.locator("#review-form button.main").click()


def upload(page, name, text):
    """Send a recording; return the review's id."""
    send(page, name, text)
    page.wait_for_url(re.compile("/review/[0-9a-f]{16}$"))
    return page.url.rsplit("/", 1)[1]


def test_a_review_is_looked_at_while_it_goes_on(screen):
    page = screen.go("/review")
    review = upload(page, "friday.mp4", b"this is no film")
    told = page.locator("#review-told", has_text="not a video")
    told.wait_for()
    assert "reviewed: friday.mp4 is not a video" in told.inner_text(), (
        "by its own name, not by where it is kept"
    )

    going_on = {"id": review, "name": "friday.mp4", "edition": "ru", "state": "running", "progress": 0.5}
    turns = [{**TURN, "number": 1}]

    def with_turns(route):
        data = json.dumps({**going_on, "turns": turns})
        if route.request.url.endswith(".json"):
            return route.fulfill(body=data, content_type="application/json")
        answer = route.fetch()
        block = r'(<script type="application/json" id="review">).*?(</script>)'
        return route.fulfill(
            response=answer, body=re.sub(block, rf"\g<1>{data}\g<2>", answer.text(), flags=re.S)
        )

    page.route(f"**/review/{review}*", with_turns)
    page.reload()
    page.locator("#turn-view h2", has_text="Turn 1").wait_for()
    assert page.locator("#turn-view .number", has_text="0:02 – 0:11").count() == 1
    on = page.locator("#turn-view [data-focus=on]")
    assert on.is_disabled(), "there is no further turn yet"
    turns.append({**TURN, "number": 2})
    page.locator("#turn-view [data-focus=on]:enabled").click()
    page.locator("#turn-view h2", has_text="Turn 2").wait_for()
    assert on.is_disabled()


def test_what_is_no_recording_is_refused_in_the_pages_own_language(browser, program):
    with Screen(browser, program, language="ru-RU", ok=("status of 400", "ERR_FAILED")) as screen:
        page = screen.go("/review")
        send(page, "notes.txt", b"a shopping list")
        page.locator("#toasts", has_text="Запись — это файл, например .mp4").wait_for()

        page.route("**/review", lambda route: route.abort())
        send(page, "friday.mp4", b"a film")
        page.locator("#toasts", has_text="Компьютер судьи не отвечает").wait_for()
