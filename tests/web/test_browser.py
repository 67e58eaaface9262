"""The whole story at the table, in a real browser: issue 5, "Must show"."""

import json
import re

import pytest
from browser_support import ROOT, Screen, begin, end_turn, lay

RACK = "R1 B13 J"


@pytest.fixture
def screen(browser, program):
    with Screen(browser, program) as made:
        yield made


def drawn(page, root="#sets"):
    """The tiles that are drawn, set by set."""
    return [
        [tile.get_attribute("data-tile") for tile in one.query_selector_all(".tile")]
        for one in page.query_selector_all(f"{root} .set")
    ]


def test_the_story_of_a_game(browser, program, screen):
    page = screen.go("/setup")
    assert page.locator("[data-question]").count() == 0
    page.select_option("#edition", "ua")
    asked = page.locator("[data-question]")
    assert asked.count() == 3, "each question that the Ukrainian sheet leaves open is asked"
    assert "joker" in asked.first.inner_text()
    page.locator("#all-axes").locator("xpath=..").locator("summary").click()
    assert page.locator("#all-axes select").first.bounding_box()["width"] > 200, "house rules can be chosen"
    begin(page, "Anna", "Boris")

    # Whoever starts is chosen; the clock runs.
    page.click("[data-starter='0']")
    page.locator("#turn-name", has_text="Anna").wait_for()
    assert re.fullmatch(r"0:[0-5]\d|1:00", page.inner_text("#clock-face"))

    # Turn 1: help before the verdict, then a legal opening.
    lay(page, "R9 K9 O9")
    page.locator("#opening", has_text="27 of 30").wait_for()
    lay(page, "R9 K9 O9 | B1 B2")
    page.locator("#sets .set.unfinished").wait_for()
    assert page.locator("#sets .set.good").count() == 1
    # What may be read in two ways is asked, never guessed: one tap answers.
    lay(page, "R9 K9 O9 | B1 B2 B3/B8")
    page.locator("#sets .set.doubtful").wait_for()
    page.click("#sets button.tile.doubtful")
    likely = page.locator("dialog .likely .tile")
    assert [likely.nth(at).get_attribute("data-tile") for at in range(likely.count())] == ["B3", "B8"]
    page.keyboard.press("Escape")
    page.locator("#questions [data-focus$='-B3']").click()
    page.locator("#questions").wait_for(state="hidden")
    end_turn(page, "Anna: the turn counts")
    page.locator("#turn-name", has_text="Boris").wait_for()

    # Turn 2: a foul, spoken aloud, named with its tiles, and the way back as pictures.
    page.evaluate(
        "() => { window.heard = [];"
        " speechSynthesis.speak = (words) => heard.push(`${words.lang} ${words.text}`); }"
    )
    page.check("#opt-speech")
    lay(page, "R9 K9 O9 | B1 B2 | B3 K12 O12")
    end_turn(page, "Boris: the turn does not count")
    assert page.locator("#verdict .tile.faulty").count() > 0
    assert page.locator("#sets .tile.faulty").count() > 0, "the table below shows the faults, too"
    page.locator("#announce", has_text="not legal").wait_for(state="attached")
    assert "en The turn of Boris is not legal. Please put it back." in page.evaluate("heard")
    page.uncheck("#opt-speech")
    steps = int(re.search(r"of (\d+)", page.inner_text(".put-back h3"))[1])
    for _ in range(steps - 1):
        page.click("[data-focus=step-on]")
    page.locator(".put-back details summary").click()
    assert sorted(map(sorted, drawn(page, ".put-back details"))) == [["B1", "B2", "B3"], ["K9", "O9", "R9"]]
    assert page.locator("[data-focus=step-on]").is_disabled()

    # He puts back and draws, by key; the way back is seen to be gone; the table is as it was before.
    lay(page, "R9 K9 O9 | B1 B2 B3")
    page.locator(".put-back .told.good").wait_for()
    assert page.locator("#sets .tile.faulty").count() == 0
    page.keyboard.press("d")
    page.locator("#turn-name", has_text="Anna").wait_for()
    assert drawn(page) == [["R9", "K9", "O9"], ["B1", "B2", "B3"]]

    # Turn 3, then the power fails: nothing that was on the screen is lost, and the clock stands still.
    lay(page, "R9 K9 O9 | B1 B2 B3 B4")
    end_turn(page, "Anna: the turn counts")
    seen = screen.state()
    program.kill()
    program.start()
    page.locator("#offline").wait_for(state="hidden", timeout=30000)
    page.reload()
    page.locator("#turn-name", has_text="Boris").wait_for()
    again = screen.state()
    assert [one["event"] for one in again["history"]] == [one["event"] for one in seen["history"]]
    assert drawn(page) == [["R9", "K9", "O9"], ["B1", "B2", "B3", "B4"]]

    # A past turn is corrected: what would change is shown first, nothing is overwritten.
    number = next(one["number"] for one in seen["history"] if one["kind"] == "play")
    page = screen.go(f"/correct/{number}")
    page.locator("#edit .editor details summary").first.click()
    page.locator("#edit .editor input[type=text]").first.fill("R9 K9 O9 | B1 B2 B3 B4 B5")
    page.locator("#apply:not([disabled])").wait_for()
    page.locator("#change-list li").first.wait_for()
    page.click("#apply")
    page.wait_for_url("**/table")
    page.locator("#history .entry.changed").wait_for()
    assert drawn(page) == [["R9", "K9", "O9"], ["B1", "B2", "B3", "B4", "B5"]]
    assert page.locator("[data-focus^=restore-]").count() == 1


def test_racks_and_scores(browser, program, screen):
    page = screen.go("/setup")
    begin(page, "Anna", "Boris")
    page.click("[data-starter='0']")
    page.locator("#turn-name", has_text="Anna").wait_for()
    # Anna lays her whole rack at once, and is out.
    lay(page, "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 | B1 B2 B3")
    page.click("[data-action=end-turn]")
    page.locator("#start-panel a[href='/rack/1']").wait_for()

    # Boris photographs his rack with a phone: an ordinary upload, read by the same eyes.
    with Screen(browser, program, size=(390, 844)) as phone:
        rack = phone.go("/rack/1")
        assert rack.locator("#photo").get_attribute("capture") == "environment"
        rack.set_input_files("#photo", str(ROOT / "samples" / "bench.jpg"))
        rack.locator("#rack .tile").first.wait_for(timeout=60000)
        assert rack.locator("#photo-shown img").is_visible()
        # It was the wrong picture: he lays his tiles by hand instead, and corrects one by tapping.
        rack.click("#by-hand")
        rack.locator("dialog details summary").click()
        rack.locator("dialog input[type=text]").fill("R1 B13 K5")
        rack.locator("dialog button.main").click()
        rack.locator("#sum", has_text="19").wait_for()
        rack.click("#rack [data-tile=K5]")
        rack.click("dialog .palette [data-tile=J]")
        rack.locator("#sum", has_text="44").wait_for()
        rack.click("#accept")
        rack.locator(".told.good").wait_for()

    page = screen.go("/scores")
    page.locator("#sheet tbody tr:not(.round)").wait_for()
    points = [text.replace("−", "-") for text in page.locator("#sheet tbody button").all_inner_texts()]
    assert list(map(int, points)) == [44, -44]
    assert "Anna" in page.inner_text("#leader")

    # A cell is edited; its history stays, and a sheet that does not add up says so.
    page.locator("#sheet tbody button").nth(1).click()
    page.fill("#cell-points", "-40")
    page.fill("#cell-why", "counted again")
    page.locator("dialog form button.main").click()
    page.locator("#score-told .problem").wait_for()
    assert page.locator("#score-change-list").inner_text().replace("−", "-").strip().endswith("-44 → -40")

    page.goto(program.address + "/scores/print")
    page.locator("#sheet tbody tr:not(.round)").wait_for()
    page.emulate_media(media="print")
    assert not page.locator(".top").is_visible()
    csv = page.evaluate("fetch('/export/scores.csv').then((answer) => answer.text())")
    assert "Anna" in csv
    assert "44" in csv


def test_clock_and_scores_without_a_camera(screen):
    page = screen.go("/setup?mode=clock")
    begin(page, "Dana", "Eli", "Fira", edition=None)
    page.click("[data-starter='1']")
    page.locator("#turn-name", has_text="Eli").wait_for()
    page.keyboard.press("e")
    page.locator("#turn-name", has_text="Fira").wait_for()
    page.click("[data-focus=pause]")
    page.locator("#clock-note", has_text="Paused").wait_for()
    page.keyboard.press("Space")
    page.locator("#clock:not(.paused)").wait_for()
    left = screen.state()["turn"]["left_s"]
    page.click("[data-focus=extend]")
    page.wait_for_function(
        "(left) => fetch('/state.json').then((a) => a.json()).then((s) => s.turn.left_s > left)", arg=left
    )
    page = screen.go("/scores")
    page.fill("#score-0", "-12")
    page.fill("#score-1", "30")
    page.select_option("#score-winner", label="Eli")
    page.locator("#enter button.main").click()
    page.locator("#sheet tbody tr:not(.round)").wait_for()
    points = [text.replace("−", "-") for text in page.locator("#sheet tbody button").all_inner_texts()]
    assert list(map(int, points)) == [-12, 30, -18]


LANGUAGES = [
    ("en-US", "ltr", "A referee that sees the table"),
    ("ru-RU", "ltr", "Судья, который видит стол"),
    ("uk-UA", "ltr", "Суддя, який бачить стіл"),
    ("he-IL", "rtl", "שופט שרואה את השולחן"),
]


@pytest.mark.parametrize(("locale", "direction", "head"), LANGUAGES)
def test_four_languages_at_phone_width(browser, program, locale, direction, head):
    with Screen(browser, program, size=(360, 740), language=locale, dark=direction == "rtl") as phone:
        page = phone.go("/")
        assert page.inner_text("h1") == head
        assert page.get_attribute("html", "dir") == direction
        for path in (
            "/",
            "/setup",
            "/table",
            "/scores",
            "/games",
            "/review",
            "/settings",
            "/pairing",
            "/watch",
            "/camera",
        ):
            page = phone.go(path)
            page.wait_for_timeout(150)
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{path} is {wide} px too wide in {locale}"
            assert page.locator("h1").count() == 1, path
            nameless = page.evaluate(
                "[...document.querySelectorAll('button, a, input:not([type=hidden]), select')]"
                ".filter((e) => e.offsetParent"
                " && !(e.textContent.trim() || e.ariaLabel || e.title || e.labels?.length))"
                ".map((e) => e.outerHTML)"
            )
            assert nameless == [], path


def test_language_is_changed_on_the_page(browser, program):
    with Screen(browser, program) as screen:
        page = screen.go("/scores")
        page.select_option("#language", "he")
        page.wait_for_selector("html[dir=rtl]")
        assert page.url.endswith("/scores")
        page.select_option("#language", "uk")
        page.wait_for_selector("html[lang=uk]")


def test_a_language_chosen_before_the_scripts_have_come_counts(browser, program):
    with Screen(browser, program) as screen:
        page, held = screen.page, []
        page.route("**/js/frame.js*", lambda route: held.append(route), times=1)
        with page.expect_request("**/js/frame.js*"):
            page.goto(screen.address + "/scores", wait_until="commit")
        page.select_option("#language", "uk")
        held[0].continue_()
        page.wait_for_selector("html[lang=uk]")


def test_rows_of_tiles_stay_left_to_right_in_hebrew(browser, program):
    with Screen(browser, program, language="he-IL") as screen:
        page = screen.go("/")
        tiles = page.locator("#hero-tiles .set").first.locator(".tile")
        boxes = [tiles.nth(at).bounding_box()["x"] for at in range(tiles.count())]
        assert boxes == sorted(boxes)


def test_keyboard_theme_and_marks(browser, program):
    with Screen(browser, program) as screen:
        page = screen.go("/")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        ground = "getComputedStyle(document.body).backgroundColor"
        light = page.evaluate(ground)
        page.click("#theme")
        assert page.get_attribute("html", "data-theme") == "dark"
        dark = page.evaluate(ground)
        assert dark != light
        page = screen.go("/settings")
        assert page.get_attribute("html", "data-theme") == "dark", "the choice is kept"
        assert page.evaluate(ground) == dark
        page.click("#theme")
        assert page.evaluate(ground) == light
        names = page.locator("#settings-form label").all_inner_texts()
        assert any("Help" in name for name in names)


def test_spectators_and_streams(browser, program):
    with Screen(browser, program, size=(1920, 1080)) as screen:
        page = screen.go("/watch")
        page.locator("#watch-players li").first.wait_for()
        assert page.locator("main button").count() == 0, "a spectator presses nothing"
        page = screen.go("/overlay?position=top-right")
        page.locator("#strip").wait_for()
        clear = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert clear == "rgba(0, 0, 0, 0)"
        assert page.get_attribute("body", "data-position") == "top-right"


def test_past_games_are_found_opened_and_deleted(screen):
    page = screen.go("/games")
    before = page.locator("[data-game]").count()
    assert before >= 1
    page = screen.go("/games?q=Dana")
    assert page.locator("[data-game]").count() == 1
    page = screen.go("/games?q=nobody")
    assert page.locator("[data-game]").count() == 0
    page = screen.go("/games?q=Anna")
    page.locator("[data-open]").first.click()
    page.wait_for_url("**/table")
    assert screen.state()["match"]["title"].startswith("Anna")
    page = screen.go("/games?q=Dana")
    page.locator("[data-delete]").click()
    page.locator("dialog button.danger").click()
    page.locator("[data-game]").wait_for(state="detached")
    assert json.dumps(screen.state()["match"]["title"]).count("Dana") == 0
