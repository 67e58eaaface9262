"""A real dashboard process and a real browser, for tests of the pages."""

import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--mute-audio"]


def chromium() -> str | None:
    """Where a Chromium is; None where this machine has none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


def why_no_browser() -> str | None:
    """Why the pages cannot be tested here; None where they can."""
    if find_spec("playwright") is None:
        return "Playwright is not installed (pip install playwright)"
    if os.name == "nt":
        return "the process is killed as on POSIX"
    return None if chromium() else "there is no Chromium (Debian: apt-get install chromium)"


class Program:
    """``tileref serve`` on a free port, with one folder of data; it can be killed and started again."""

    def __init__(self, data: Path, *options: str):
        self.data, self.options = data, options
        self.process: subprocess.Popen[str] | None = None
        # A port of its own, not 0: only a port that was asked for can be taken again at once after a kill.
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def start(self) -> str:
        """Start it, and return its address."""
        command = [sys.executable, "-m", "tileref", "serve", "--port", str(self.port), "--data", str(self.data)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "2", "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [*command, *self.options], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        while True:
            ready, _, _ = select.select([self.process.stdout], [], [], 60)
            assert ready, "the program does not say where it is"
            line = self.process.stdout.readline()
            assert line, f"the program ended with {self.process.wait()}"
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            if found:
                return found[0].rstrip("/")

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=20)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def stop(self) -> None:
        """End it politely."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(timeout=20)
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()


class Screen:
    """A browser's window at the dashboard; what its console complains of fails the test."""

    def __init__(self, browser, program, *, size=(1366, 768), language="en-US", dark=False, ok=()):
        self.address, self.complaints = program.address, []
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(15000)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._hear)
        self._ok = ok

    def _hear(self, message):
        expected = (
            "ERR_CONNECTION_REFUSED",
            "ERR_INCOMPLETE_CHUNKED_ENCODING",
            "ERR_CONNECTION_RESET",
            *self._ok,
        )
        if message.type == "error" and not any(word in message.text for word in expected):
            self.complaints.append(message.text)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.context.close()
        if error[0] is None:
            assert self.complaints == []

    def go(self, path):
        self.page.goto(self.address + path, wait_until="domcontentloaded")
        return self.page

    def state(self):
        return self.page.evaluate("fetch('/state.json').then((answer) => answer.json())")

    def do(self, action, **body):
        """Do an action as the page's own scripts do; return the status of the answer."""
        return act(self.page, action, **body)


def act(page, action, **body):
    """Do an action as the page's own scripts do; return the status of the answer."""
    return page.evaluate(
        """async ([action, body]) => {
            const token = document.querySelector('meta[name="csrf"]').content;
            const answer = await fetch(`/do/${action}`, { method: "POST", body: JSON.stringify(body),
                headers: { "Content-Type": "application/json", "X-CSRF-Token": token } });
            return answer.status;
        }""",
        [action, body],
    )


def lay(page, notation):
    """Lay the table by hand, in letters, as a person without a camera does."""
    page.click("#type-table")
    page.locator("dialog details summary").click()
    page.locator("dialog input[type=text]").fill(notation)
    page.locator("dialog button.main").click()
    page.locator("dialog").wait_for(state="detached")


def end_turn(page, head):
    """End the turn, and wait until the verdict's head says ``head``."""
    page.click("[data-action=end-turn]")
    page.locator("#verdict h2", has_text=head).wait_for()


def begin(page, *players, edition="ru"):
    """Set a match up and begin it."""
    names = page.locator("input.player-name")
    names.first.wait_for()
    while names.count() < len(players):
        page.click("#add-player")
    for at, name in enumerate(players):
        names.nth(at).fill(name)
    if edition:
        page.select_option("#edition", edition)
    page.click("#begin")
    page.wait_for_url("**/table")
