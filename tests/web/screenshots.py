"""The README's pictures, taken of the running program: ``python tests/web/screenshots.py [OUT]``.

The recorded game that comes with the program is shown to ``tileref serve`` picture by picture, as a browser's
camera would; the program reads and judges it, and a browser takes the pictures. It takes about five minutes.
"""

from __future__ import annotations

import argparse
import http.cookiejar
import json
import re
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from browser_support import FLAGS, ROOT, Program, chromium, why_no_browser

GAME = ROOT / "vision" / "recorded"
JPEG_QUALITY = 82
PATIENCE_S = 90.0


class Referee:
    """The referee's hand: what is pressed, and what is sent."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )
        page = self._opener.open(address + "/settings").read().decode()
        self._token = re.findall(r'name="csrf" content="([^"]+)"', page)[0]

    def post(self, path: str, data: bytes, kind: str) -> dict[str, Any]:
        headers = {"Content-Type": kind, "X-CSRF-Token": self._token, "Accept": "application/json"}
        request = urllib.request.Request(self.address + path, data, headers)
        answer: dict[str, Any] = json.loads(self._opener.open(request).read())
        return answer

    def do(self, action: str, **body: Any) -> dict[str, Any]:
        return self.post(f"/do/{action}", json.dumps(body).encode(), "application/json")

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._opener.open(self.address + "/state.json").read())
        return found

    def until(self, what: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Wait until the state is so; SystemExit where it never is."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            state = self.state
            if what(state):
                return state
            time.sleep(0.25)
        raise SystemExit(f"The table reads as {state['table']['notation']}: the recorded game is not followed.")


class Film(threading.Thread):
    """Shows a recording to the program up to the moment that ``to`` names, and holds it there."""

    def __init__(self, referee: Referee, path: Path) -> None:
        super().__init__(daemon=True)
        self._referee, self._film = referee, cv2.VideoCapture(str(path))
        self._fps = self._film.get(cv2.CAP_PROP_FPS)
        self._t_s, self._until_s, self.over = 0.0, 0.0, False

    def run(self) -> None:
        count, noise = 0, np.random.default_rng(0)
        shown = np.zeros((720, 1280, 3), np.uint8)
        while not self.over:
            began = time.monotonic()
            if self._t_s < self._until_s:
                going, picture = self._film.read()
                if not going:
                    return
                count, shown = count + 1, picture
                self._t_s = count / self._fps
            # A held film still has a camera's noise; without it the camera would pass for frozen.
            image = cv2.add(shown, noise.integers(0, 3, shown.shape, np.uint8))
            jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
            try:
                self._referee.post("/camera/frame", jpeg, "image/jpeg")
            except OSError:
                if not self.over:
                    raise
            time.sleep(max(0.0, 1 / self._fps - (time.monotonic() - began)))

    def to(self, t_s: float) -> None:
        self._until_s = t_s
        while self.is_alive() and self._t_s < t_s - 1e-6:
            time.sleep(0.05)


def lies(state: dict[str, Any], table: str) -> bool:
    """Whether the table reads as ``table``, in whatever order, with nothing in doubt."""

    def key(rows: list[list[str]]) -> list[list[str]]:
        return sorted(sorted(row) for row in rows)

    seen = [[tile["text"] for tile in one["tiles"]] for one in state["table"]["sets"]]
    return key(seen) == key([one.split() for one in table.split("|") if one.strip()])


def at_work(state: dict[str, Any]) -> int:
    """How much a picture of this moment tells of a turn under way."""
    tiles = [tile for one in state["table"]["sets"] for tile in one["tiles"]]
    if state["table"]["doubtful"] or state["camera"]["moving"] or any(tile["hidden"] for tile in tiles):
        return 0
    new = sum(tile["new"] for tile in tiles)
    return new + 3 * any(one["state"] == "unfinished" for one in state["table"]["sets"])


def play(referee: Referee, page: Any, out: Path) -> None:
    """Play the recorded game, and take the pictures of a turn under way and of a foul."""
    turns = [json.loads(line) for line in (GAME / "turns.jsonl").read_text("utf-8").splitlines()]
    film = Film(referee, GAME / "film.mp4")
    players = json.loads((GAME / "game.json").read_text("utf-8"))["players"]
    referee.do(
        "start", players=players, edition="ru", mode="full", automatic=False, help=True, source="browser"
    )
    film.start()
    referee.do("deal", starter=0)
    page.goto(referee.address + "/table", wait_until="domcontentloaded")
    best = 0
    for turn in turns:
        moments = range(int(turn["start_s"]) + 3, int(turn["end_s"]), 1) if turn["turn"] == 6 else ()
        for t_s in moments:
            film.to(float(t_s))
            time.sleep(1.0)
            worth = at_work(referee.state)
            if worth > best:
                best = worth
                page.screenshot(path=out / "play.jpg", type="jpeg", quality=JPEG_QUALITY)
        # Near the end of a turn the tiles lie as they stay, and no hand is over them.
        film.to(turn["end_s"] - 0.2)
        referee.until(lambda state, after=turn["after"]: lies(state, after))
        entries = len(referee.state["history"])
        referee.do("end-turn" if turn["action"] == "play" else "draw")
        state = referee.until(lambda state, entries=entries: len(state["history"]) > entries)
        print(
            f"{turn['turn']:2} {turn['player']}: {turn['action']}, {state['last_turn']['verdict']}", flush=True
        )
        if turn["turn"] == 8:
            page.locator("#verdict .illegal").wait_for()
            page.wait_for_timeout(1500)
            page.set_viewport_size({"width": 1366, "height": 1040})
            page.screenshot(path=out / "verdict.jpg", type="jpeg", quality=JPEG_QUALITY)
            page.set_viewport_size({"width": 1366, "height": 768})
    film.over = True
    film.join()


def count(referee: Referee, phone: Any, out: Path) -> None:
    """Photograph the racks with a phone, and take the picture of the sheet."""
    for player in referee.state["players"]:
        photo = GAME / "racks" / f"{player['name'].lower()}.jpg"
        if not photo.is_file():
            continue
        phone.goto(f"{referee.address}/rack/{player['seat']}")
        phone.set_input_files("#photo", str(photo))
        phone.locator("#rack .tile").first.wait_for(timeout=PATIENCE_S * 1000)
        phone.screenshot(path=out / "rack.jpg", type="jpeg", quality=JPEG_QUALITY)
        phone.click("#accept")
        phone.locator(".told.good").first.wait_for()
    phone.goto(referee.address + "/scores")
    phone.locator("#sheet tbody tr").first.wait_for()
    phone.screenshot(path=out / "scores.jpg", type="jpeg", quality=JPEG_QUALITY)


def main() -> int:
    """Take the pictures; the exit status is 0, or a sentence that says why not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "out", nargs="?", type=Path, default=ROOT / "docs" / "pictures", help="the folder (%(default)s)"
    )
    out: Path = parser.parse_args().out
    reason = why_no_browser()
    if reason is not None:
        sys.exit(reason)
    from playwright.sync_api import sync_playwright

    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium(), args=FLAGS)
        looks: dict[str, Any] = {"locale": "en-US", "reduced_motion": "reduce"}
        laptop = browser.new_page(viewport={"width": 1366, "height": 768}, color_scheme="light", **looks)
        phone_size = {"width": 390, "height": 844}
        phone = browser.new_page(viewport=phone_size, color_scheme="dark", device_scale_factor=2, **looks)
        program = Program(Path(data))
        referee = Referee(program.start())
        try:
            play(referee, laptop, out)
            count(referee, phone, out)
        finally:
            program.stop()
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
