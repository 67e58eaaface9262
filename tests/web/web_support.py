"""A dashboard to be asked, its wall clock in the test's hand, its reader a text."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from cli_support import reading_of
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee import Inventory
from vision.picture import Picture
from vision.readings import PhotoReading
from vision.settings import ReadSettings
from web.app import create_app
from web.config import WebConfig
from web.settings import ServeSettings
from web.site import EXTENSION, Site

PAGES = (
    *(
        "/",
        "/setup",
        "/table",
        "/scores",
        "/scores/print",
        "/games",
        "/review",
        "/watch",
        "/overlay",
        "/camera",
    ),
    *("/settings", "/pairing", "/pair", "/state.json", "/history.json", "/correct/0"),
    *("/export/scores.csv", "/export/scores.json", "/export/log.jsonl"),
)


@dataclass
class WallClock:
    """A clock that stands still until it is told otherwise."""

    now_s: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now_s

    def later(self, seconds: float) -> None:
        self.now_s += seconds


@dataclass
class TextReader:
    """Reads every picture as the text that was put there."""

    text: str = ""

    def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
        return reading_of(self.text, "rack")


@dataclass
class Browser:
    """One browser: cookies, the token of its pages, its address."""

    client: FlaskClient
    address: str = "127.0.0.1"
    host: str = "localhost:8377"
    _token: str | None = field(default=None, init=False)

    def _around(self) -> dict[str, Any]:
        return {"environ_overrides": {"REMOTE_ADDR": self.address}, "base_url": f"http://{self.host}"}

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.client.get(path, **self._around(), **more)

    @property
    def token(self) -> str:
        if self._token is None:
            page = self.get("/pair").get_data(as_text=True)
            found = re.search(r'name="csrf" content="([^"]+)"', page)
            assert found is not None
            self._token = found[1]
        return self._token

    def post(self, path: str, json: Any = None, **more: Any) -> TestResponse:
        headers = {"X-CSRF-Token": self.token, "Accept": "application/json", **more.pop("headers", {})}
        return self.client.post(path, json=json, headers=headers, **self._around(), **more)

    def send_photo(self, seat: int, data: bytes, name: str = "IMG_0001.jpg") -> TestResponse:
        """Send a photograph of a seat's rack."""
        return self.post(f"/rack/{seat}/photo", data={"photo": (io.BytesIO(data), name)})

    def do(self, action: str, **body: Any) -> dict[str, Any]:
        """Carry out an action that must succeed."""
        response = self.post(f"/do/{action}", body)
        assert response.status_code == 200, (action, body, response.get_data(as_text=True))
        answer: dict[str, Any] = response.get_json()
        assert answer["ok"] is True
        return answer

    def refused(self, action: str, status: int, **body: Any) -> str:
        """Carry out an action that must be refused; return the code."""
        response = self.post(f"/do/{action}", body)
        assert response.status_code == status, (action, body, response.get_data(as_text=True))
        answer = response.get_json()
        assert answer["ok"] is False
        assert answer["error"]["text"]
        return str(answer["error"]["code"])

    @property
    def state(self) -> dict[str, Any]:
        response = self.get("/state.json")
        assert response.status_code == 200, response.get_data(as_text=True)
        found: dict[str, Any] = response.get_json()
        return found


class House:
    """A dashboard and those who look at it."""

    def __init__(self, folder: Path, settings: Mapping[str, Any] | None = None, **config: Any) -> None:
        self.folder = folder
        self.clock: WallClock = config.pop("clock", None) or WallClock()
        self.reader = TextReader()
        self.read_with: list[ReadSettings] = []

        def make_reader(read: ReadSettings, inventory: Inventory) -> TextReader:
            self.read_with.append(read)
            return self.reader

        self.config = WebConfig(
            folder,
            settings=ServeSettings(**{"beat_s": 0.2, **(settings or {})}),
            make_reader=make_reader,
            now=self.clock,
            **config,
        )
        self.app = create_app(self.config)
        self.site: Site = self.app.extensions[EXTENSION]
        self.referee = Browser(self.app.test_client())

    def stranger(self, address: str = "192.168.1.50") -> Browser:
        return Browser(self.app.test_client(), address, "192.168.1.2:8377")

    def paired(self, role: str, seat: int | None = None, address: str = "192.168.1.50") -> Browser:
        code = next(c for c in self.site.pairing.codes(6) if (c.role, c.seat) == (role, seat))
        browser = self.stranger(address)
        response = browser.post("/pair", {"code": code.code})
        assert response.status_code == 303
        return browser

    def close(self) -> None:
        self.site.close()


@contextmanager
def house_in(folder: Path, **config: Any) -> Iterator[House]:
    house = House(folder, **config)
    try:
        yield house
    finally:
        house.close()


def begin(browser: Browser, players: tuple[str, ...] = ("Ann", "Ben"), **more: Any) -> None:
    """Begin a match and deal its first game."""
    browser.do("start", **{"players": list(players), "edition": "ru", **more})
    browser.do("deal", starter=0)


def picture_bgr() -> np.ndarray:
    return np.full((300, 400, 3), (90, 120, 90), np.uint8)


def everything(folder: Path, house: House) -> object:
    """All that is kept, but for the sign of life."""
    dump = list(house.site.database._connection.iterdump())
    files = sorted(str(p) for p in folder.rglob("*") if p.is_file() and "tileref.db" not in p.name)
    return dump, files


def finish_game(me: Browser) -> None:
    """Let Ann, who holds 14 tiles, lay them all."""
    me.do("end-turn", table="R10 B10 K10 O10 | R1 R2 R3 R4 R5 | B1 B2 B3 B4 B5")
