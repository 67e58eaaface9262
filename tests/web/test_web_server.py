"""A real server process: streams, TLS, and that nothing confirmed is lost when it is killed."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals as on POSIX")


@dataclass
class Running:
    """A running program, and one browser's cookies."""

    process: subprocess.Popen[str]
    port: int
    https: bool = False
    cookie: str = ""
    token: str = ""
    lines: list[str] = field(default_factory=list)

    def connect(self, timeout_s: float = 20) -> http.client.HTTPConnection:
        if self.https:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout_s, context=context)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        connection = self.connect()
        headers = {"Cookie": self.cookie, "X-CSRF-Token": self.token, "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read().decode()
        if response.getheader("Set-Cookie"):
            self.cookie = str(response.getheader("Set-Cookie")).split(";")[0]
        connection.close()
        return response.status, text

    def come_in(self) -> None:
        _, page = self.ask("GET", "/pair")
        found = re.search(r'name="csrf" content="([^"]+)"', page)
        assert found is not None
        self.token = found[1]

    def do(self, action: str, **body: Any) -> dict[str, Any]:
        status, text = self.ask("POST", f"/do/{action}", body)
        assert status == 200, text
        answer: dict[str, Any] = json.loads(text)
        return answer

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.ask("GET", "/state.json")[1])
        return found


@contextmanager
def serving(data: Path, *options: str) -> Iterator[Running]:
    command = [sys.executable, "-m", "tileref", "serve", "--port", "0", "--data", str(data), *options]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"(https?)://127\.0\.0\.1:(\d+)/", line)
        assert found is not None, line + (process.stderr.read() if process.stderr and not line else "")
        running = Running(process, int(found[2]), found[1] == "https")
        running.come_in()
        yield running
    finally:
        process.kill()
        process.communicate()


def test_killed_after_a_confirmed_action_it_goes_on_where_it_stood(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        first.do("start", players=["Ann", "Ben"], edition="ru")
        first.do("deal", starter=0)
        first.do("end-turn", table="R10 B10 K10")
        first.do("table", table="R10 B10 K10 O10")
        before = first.state
        # Kill it at once: the answer has come, so all of it must be on disk.
        first.do("end-turn")
        first.process.send_signal(signal.SIGKILL)
        first.process.wait(10)
    with serving(tmp_path) as second:
        after = second.state
        assert after["match"]["id"] == before["match"]["id"]
        assert after["table"]["notation"] == "R10 B10 K10 O10" or after["last_turn"]["verdict"] == "illegal"
        assert after["history"][0]["kind"] == "play"
        assert after["history"][1:] == before["history"]
        assert after["version"] > before["version"]
        # An old phone's cookie is still good, since the key is kept.
        second.cookie, second.token = first.cookie, first.token
        second.do("undo")


def test_the_folder_of_the_data_is_for_its_owner_alone(tmp_path: Path) -> None:
    with serving(tmp_path / "data"):
        assert (tmp_path / "data").stat().st_mode & 0o077 == 0


def test_a_backup_is_whole_while_the_program_runs(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as running:
        running.do("start", players=["Ann", "Ben"], edition="ru")
        command = [sys.executable, "-m", "tileref", "serve", "--data", str(tmp_path / "data")]
        target = tmp_path / "copy.db"
        done = subprocess.run(
            [*command, "--backup", str(target)], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        again = subprocess.run(
            [*command, "--backup", str(target)], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert again.returncode == 2
        assert again.stderr.count("\n") == 1
        second = subprocess.run(
            [*command, "--port", "0"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert second.returncode == 2
        assert "in use" in second.stderr
    with sqlite3.connect(target) as copy:
        (count,) = copy.execute("SELECT count(*) FROM events").fetchone()
    copy.close()
    assert count == 1


def test_a_taken_port_is_told_in_one_sentence_and_an_end_is_clean(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "tileref", "serve", "--data", str(tmp_path / "a"), "--port", port]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert (
        done.stderr
        == f"tileref: Port {port} is in use: stop the other program, or choose another with --port.\n"
    )
    with serving(tmp_path / "b") as running:
        with stream_of(running) as stream:
            assert next_event(stream)[0] == "state"
            running.process.send_signal(signal.SIGTERM)
            _, errors = running.process.communicate(timeout=20)
        assert running.process.returncode == 0
        assert errors == "tileref: ended; every game is kept.\n"


@contextmanager
def stream_of(running: Running, last: int | None = None) -> Iterator[http.client.HTTPResponse]:
    connection = running.connect()
    headers = {"Cookie": running.cookie}
    if last is not None:
        headers["Last-Event-ID"] = str(last)
    connection.request("GET", "/events", headers=headers)
    with connection.getresponse() as response:
        assert response.status == 200
        assert str(response.getheader("Content-Type")).startswith("text/event-stream")
        yield response
    connection.close()


def next_event(stream: http.client.HTTPResponse) -> tuple[str, Any, int | None]:
    """Return the next event's name, data and id."""
    name, data, number = "", "", None
    while True:
        line = stream.readline().decode().rstrip("\n")
        if line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: "):
            data = line[6:]
        elif line.startswith("id: "):
            number = int(line[4:])
        elif not line and name:
            return name, json.loads(data), number


def test_the_stream_tells_every_change_beats_and_resumes(tmp_path: Path) -> None:
    with serving(tmp_path, "--set", "serve.beat_s=0.2") as running:
        running.do("start", players=["Ann", "Ben"], edition="ru")
        with stream_of(running) as stream:
            name, state, number = next_event(stream)
            assert (name, state["phase"], state["version"]) == ("state", "set-up", number)
            assert next_event(stream)[0] == "beat"
            running.do("deal", starter=0)
            told = [event for event in (next_event(stream) for _ in range(8)) if event[0] != "beat"]
            assert [event[0] for event in told][:2] == ["said", "state"]
            assert told[0][1]["code"] == "game-begins"
        running.do("draw")  # while nobody listens
        with stream_of(running, told[1][2]) as again:
            missed = next_event(again)
            assert (missed[0], missed[1]["code"]) == ("said", "drew")
            assert next_event(again)[0] == "state"
        with stream_of(running) as fresh:
            assert next_event(fresh)[0] == "state"  # nothing old is announced to one who comes anew


def test_tls_with_a_certificate_of_its_own(tmp_path: Path) -> None:
    with serving(tmp_path, "--https", "--lan", "--name", "table.test") as running:
        assert running.https
        assert running.state["phase"] == "no-match"
        assert "Secure" not in running.cookie  # only name and value are kept here
        key = tmp_path / "certificate.key"
        assert key.stat().st_mode & 0o077 == 0
        context = ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
        plain = socket.create_connection(("127.0.0.1", running.port), 10)
        with context.wrap_socket(plain, server_hostname="table.test") as wrapped:
            assert wrapped.version() in ("TLSv1.2", "TLSv1.3")


def test_help_explains_itself() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tileref", "serve", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for word in ("--lan", "--https", "--data", "--source", "--backup", "--language", "--port", "--recordings"):
        assert word in done.stdout
