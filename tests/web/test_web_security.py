"""What guards every request: method, token, origin, host, headers, cookies."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from web_support import PAGES, House, begin, everything, house_in

from web.app import create_app
from web.config import WebConfig
from web.desk.actions import ACTIONS
from web.security.hosts import HostCheck


def test_looking_changes_nothing(house: House) -> None:
    begin(house.referee)
    house.referee.do("end-turn", table="R10 B10 K10")
    before = everything(house.folder, house)
    version = house.referee.state["version"]
    for page in PAGES:
        response = house.referee.get(page)
        assert response.status_code in (200, 303), (page, response.status_code)
    assert house.referee.state["version"] == version
    assert everything(house.folder, house) == before


@pytest.mark.parametrize("path", [f"/do/{name}" for name in (*ACTIONS, "camera", "new-codes", "delete-match")])
def test_no_action_is_done_by_get_or_without_the_token(house: House, path: str) -> None:
    begin(house.referee)
    before = everything(house.folder, house)
    assert house.referee.get(path).status_code == 405
    for headers in (
        {},
        {"X-CSRF-Token": "guess"},
        {"X-CSRF-Token": ""},
        {"X-CSRF-Token": "é".encode().decode("latin-1")},
    ):
        response = house.referee.client.post(path, json={}, headers=headers, base_url="http://localhost:8377")
        assert response.status_code == 403
    assert everything(house.folder, house) == before


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_even_with_a_token_another_site_is_refused(house: House, headers: dict[str, str]) -> None:
    assert house.referee.post("/do/start", {"players": ["a", "b"]}, headers=headers).status_code == 403
    same = {"Origin": "http://localhost:8377", "Sec-Fetch-Site": "same-origin"}
    assert house.referee.post("/do/start", {"players": ["a", "b"]}, headers=same).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example:8377",
        "192.168.1.2",
        "[::2]",
        "x" * 300,
    ],
)
def test_a_strange_host_is_refused(house: House, host: str) -> None:
    response = house.referee.client.get("/state.json", base_url="http://localhost", headers={"Host": host})
    assert response.status_code in (400, 421)
    assert b"players" not in response.get_data()


def test_which_hosts_are_this_program() -> None:
    alone, lan = HostCheck(False, ("table.test",)), HostCheck(True)
    for host in ("localhost", "LOCALHOST:8377", "127.0.0.1:1", "[::1]:8377", "table.test"):
        assert alone.allows(host), host
    assert not alone.allows("192.168.1.2:8377")
    assert lan.allows("192.168.1.2:8377")
    assert lan.allows("[fe80::1]:8377")
    assert not lan.allows("rebind.example")


def test_every_answer_carries_the_policy(house: House) -> None:
    for path in ("/", "/state.json", "/nothing", "/static/css/base.css"):
        with house.referee.get(path) as response:
            headers = response.headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in house.referee.get("/state.json").headers["Cache-Control"]
    page = house.referee.get("/table").get_data(as_text=True)
    assert "<script>" not in page
    assert " onclick=" not in page


def test_cookies_are_for_this_site_alone(tmp_path: Path) -> None:
    with house_in(tmp_path, https=True) as house:
        cookie = house.referee.get("/pair").headers["Set-Cookie"]
        for word in ("HttpOnly", "SameSite=Lax", "Secure"):
            assert word in cookie


def test_no_debugger() -> None:
    source = "".join(path.read_text("utf-8") for path in (Path(__file__).parents[2] / "web").rglob("*.py"))
    assert "debug=True" not in source
    assert "app.run(" not in source


def test_the_key_of_cookies_is_for_its_owner_alone(tmp_path: Path) -> None:
    app = create_app(WebConfig(tmp_path))
    assert (tmp_path / "secret.key").stat().st_mode & 0o077 == 0
    assert len(app.config["SECRET_KEY"]) >= 32
    app.extensions["tileref"].close()
    assert isinstance(app.test_client(), FlaskClient)
