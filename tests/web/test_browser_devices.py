"""Phones and cameras in a real browser: a camera page that feeds the referee, and what each role may see."""

import cv2
import numpy as np
import pytest
from browser_support import FLAGS, ROOT, Program, act, chromium, why_no_browser

REASON = why_no_browser()
pytestmark = pytest.mark.skipif(REASON is not None, reason=str(REASON))


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("dashboard"), "--lan")
    made.address = made.start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A browser whose camera is pointed at the sample table."""
    from playwright.sync_api import sync_playwright

    film = tmp_path_factory.mktemp("camera") / "table.mjpeg"
    table_bgr = cv2.resize(cv2.imread(str(ROOT / "samples" / "table.jpg")), (1280, 960))
    noise = np.random.default_rng(0)
    with film.open("wb") as file:
        for _ in range(30):  # a camera that gives the very same picture over and over is taken for frozen
            noisy_bgr = cv2.add(table_bgr, noise.integers(0, 4, table_bgr.shape, np.uint8))
            file.write(cv2.imencode(".jpg", noisy_bgr, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())
    fake = [
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    ]
    with sync_playwright() as player:
        found = player.chromium.launch(executable_path=chromium(), args=[*FLAGS, *fake])
        yield found
        found.close()


def window(browser, **more):
    context = browser.new_context(viewport={"width": 1366, "height": 768}, reduced_motion="reduce", **more)
    context.set_default_timeout(20000)
    return context.new_page()


def code_for(page, program, head):
    """The code that the page Phones shows under ``head``."""
    page.goto(program.address + "/pairing")
    card = page.locator(".code-card", has=page.locator("h2", has_text=head))
    assert card.locator(".qr svg").count() == 1
    return card.locator(".code").inner_text()


def join(browser, program, code, **more):
    page = window(browser, **more)
    page.goto(program.address + f"/pair?code={code}")
    assert page.input_value("#code") == code
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/pair" not in url)
    return page


def test_a_camera_that_is_not_there_is_told_before_the_match(browser, program):
    page = window(browser)
    page.goto(program.address + "/setup")
    page.select_option("#source", "3")
    page.locator("#source-note", has_text="Camera 3 cannot be opened").wait_for()
    assert page.locator("#area").is_hidden(), "no corners over a picture that there is not"
    assert page.locator("#source option[value='3']").inner_text() == "Camera 3"
    page.select_option("#source", "")
    page.locator("#source-note").wait_for(state="hidden")


def test_a_browser_is_the_camera(browser, program):
    page = window(browser)
    page.goto(program.address + "/setup")
    page.select_option("#source", "browser")
    assert page.locator("#source-more a").get_attribute("href") == "/camera"
    camera = window(browser)
    camera.goto(program.address + "/camera")
    camera.click("#begin-camera")
    camera.wait_for_function(
        "() => Number(document.querySelector('#camera-line').textContent.match(/[0-9]+/)) > 3"
    )
    page.locator("#area").wait_for()
    page.wait_for_function("() => document.querySelector('#area-live').naturalWidth > 300")

    # The corners move by key, too; then the match begins and the live picture carries outlines and names.
    page.locator(".corner").first.focus()
    page.keyboard.press("ArrowRight")
    page.click("#area-all")
    page.click("#begin")
    page.wait_for_url("**/table")
    page.click("[data-starter='0']")
    page.locator("#outlines polygon").first.wait_for(state="attached", timeout=60000)
    page.locator("#sets .tile").first.wait_for()
    assert page.locator("#outlines text").count() >= page.locator("#outlines polygon").count()

    # At one tap: how the table lay before this turn (it was empty).
    page.click("#see-before")
    page.locator("#drawn.is-before").wait_for()
    assert page.locator("#sets .tile").count() == 0
    page.click("#see-before")

    # A tap on a tile corrects its reading.
    page.locator("#sets button.tile").first.click()
    page.locator("dialog").wait_for()
    if not page.locator("dialog .palette").is_visible():
        page.locator("dialog summary").click()
    page.click("dialog .palette [data-tile=J]")
    page.locator("#sets [data-tile=J]").first.wait_for()

    # The verdict marks the faulty tiles in the picture, too: so many tiles cannot come from one rack.
    page.click("[data-action=end-turn]")
    page.locator("#verdict .illegal").wait_for(timeout=60000)
    page.locator("#outlines polygon.faulty").first.wait_for(state="attached")
    camera.click("#end-camera")
    camera.context.close()
    assert act(page, "camera", source=None, area=None) == 200
    page.context.close()


def test_each_role_sees_what_it_may(browser, program):
    page = window(browser)
    page.goto(program.address + "/setup")
    names = page.locator("input.player-name")
    names.nth(0).fill("Gil")
    names.nth(1).fill("Hana")
    page.select_option("#source", "")
    page.click("#begin")
    page.wait_for_url("**/table")
    page.click("[data-starter='1']")
    page.locator("#turn-name", has_text="Hana").wait_for()

    hana = join(browser, program, code_for(page, program, "Hana"), locale="he-IL")
    hana.goto(program.address + "/table")
    hana.locator("[data-action=draw]").wait_for()
    assert hana.locator("nav a[href='/rack/1']").count() == 1
    assert hana.locator("#history").is_hidden()
    hana.click("[data-action=draw]")
    hana.locator("#turn-name", has_text="Gil").wait_for()
    assert hana.locator("[data-action=draw]").count() == 0, "it is not her turn any more"

    guest = join(browser, program, code_for(page, program, "Spectators"))
    guest.goto(program.address + "/watch")
    guest.locator("#watch-name", has_text="Gil").wait_for()
    assert guest.locator("nav a").count() == 2
    assert (
        guest.evaluate("fetch('/state.json').then((a) => a.json()).then((s) => s.racks.length + s.can.length)")
        == 0
    )
    assert act(guest, "draw") == 403

    # What the referee does reaches every page by its stream.
    page.goto(program.address + "/table")
    page.locator("[data-action=draw]").click()
    guest.locator("#watch-name", has_text="Hana").wait_for()
    hana.locator("[data-action=draw]").wait_for()

    stranger = window(browser)
    stranger.goto(program.address + "/pair")
    stranger.fill("#code", "WRONG123")
    stranger.keyboard.press("Enter")
    stranger.locator("[role=alert]").wait_for()
    for one in (hana, guest, stranger, page):
        one.context.close()
