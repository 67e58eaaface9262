"""What is refused: strangers, forged requests, hostile inputs."""

from __future__ import annotations

import io
import json
import struct
import zlib
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from web_support import Browser, House, begin, house_in

from web.app import create_app
from web.config import WebConfig
from web.desk.actions import ACTIONS
from web.security.hosts import HostCheck
from web.security.limits import RateLimit

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


def everything(folder: Path, house: House) -> object:
    """All that is kept, but for the sign of life."""
    dump = list(house.site.database._connection.iterdump())
    files = sorted(str(p) for p in folder.rglob("*") if p.is_file() and "tileref.db" not in p.name)
    return dump, files


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


# --- roles ---------------------------------------------------------------------------------------------------


def test_a_stranger_sees_nothing(open_house: House) -> None:
    begin(open_house.referee)
    stranger = open_house.stranger()
    for page in PAGES:
        response = stranger.get(page)
        if page == "/":
            assert response.headers["Location"].endswith("/pair")
        elif page != "/pair":
            assert response.status_code == 403, page
            assert "Ann" not in response.get_data(as_text=True)
    assert stranger.post("/do/start", {}).status_code == 403


def test_a_spectator_changes_nothing_and_sees_no_rack(open_house: House) -> None:
    me = open_house.referee
    begin(me)
    finish_game(me)
    me.do("rack", seat=1, tiles="K1 K2 J")
    spectator = open_house.paired("spectator")
    before = everything(open_house.folder, open_house)
    state = spectator.state
    assert state["role"] == "spectator"
    assert (state["racks"], state["can"], state["questions"]) == ([], [], [])
    assert "K1 K2" not in json.dumps(state)
    for action in (*ACTIONS, "camera", "open-match", "delete-match", "new-codes"):
        assert spectator.post(f"/do/{action}", {}).status_code == 403, action
    for path in ("/rack/1/photo", "/camera/frame", "/review", "/games/import"):
        assert spectator.post(path, {}).status_code in (400, 403), path
    for page in (
        "/",
        "/setup",
        "/table",
        "/rack/1",
        "/games",
        "/review",
        "/settings",
        "/pairing",
        "/live.mjpg",
        "/export/log.jsonl",
    ):
        assert spectator.get(page).status_code in (303, 403), page
    assert everything(open_house.folder, open_house) == before


def finish_game(me: Browser) -> None:
    """Let Ann, who holds 14 tiles, lay them all."""
    me.do("end-turn", table="R10 B10 K10 O10 | R1 R2 R3 R4 R5 | B1 B2 B3 B4 B5")


def test_a_player_has_own_turn_and_own_rack(open_house: House) -> None:
    me = open_house.referee
    begin(me)
    ann, ben = open_house.paired("player", 0), open_house.paired("player", 1)
    assert ben.refused("draw", 403) == "not-allowed"
    assert ben.refused("end-turn", 403, table="R10 B10 K10") == "not-allowed"
    ann.do("draw")
    ben.do("draw")
    for action in ("undo", "correct", "pause", "start", "cell", "settings", "answer", "racks", "time-out"):
        assert ann.refused(action, 403) == "not-allowed", action
    me.do("undo")
    me.do("undo")
    finish_game(me)
    me.do("rack", seat=1, tiles="K1 K2 J")
    assert [rack["seat"] for rack in ben.state["racks"]] == [1]
    assert [rack["seat"] for rack in ann.state["racks"]] == [0]
    assert ann.refused("rack", 403, seat=1, tiles="") == "not-allowed"
    assert ann.get("/rack/1").status_code == 403
    ben.do("rack-accept", seat=1)
    assert me.state["score"]["totals"] == [33, -33]


def test_pairing_is_limited_and_can_be_renewed(open_house: House) -> None:
    stranger = open_house.stranger()
    for _ in range(5):
        assert stranger.post("/pair", {"code": "ABCDEFGH"}).status_code == 400
    assert stranger.post("/pair", {"code": "ABCDEFGH"}).status_code == 429
    good = open_house.site.pairing.codes(0)[0].code
    assert stranger.post("/pair", {"code": good}).status_code == 429  # also with the right one
    open_house.clock.later(61)
    assert stranger.post("/pair", {"code": good.lower()[:4] + "-" + good[4:]}).status_code == 303
    assert stranger.state["role"] == "referee"
    open_house.referee.do("new-codes")
    assert stranger.get("/state.json").status_code == 403
    assert open_house.site.pairing.codes(0)[0].code != good


def test_a_forged_cookie_gives_no_role(open_house: House) -> None:
    from flask.sessions import SecureCookieSessionInterface

    other = House(open_house.folder.parent / "other", lan=True)
    forged = SecureCookieSessionInterface().get_signing_serializer(other.app)
    assert forged is not None
    cookie = forged.dumps({"role": "referee", "epoch": 1, "csrf": "x"})
    other.close()
    stranger = open_house.stranger()
    stranger.client.set_cookie("tileref", str(cookie), domain="192.168.1.2")
    assert stranger.get("/state.json").status_code == 403


def test_a_proxy_on_this_computer_makes_nobody_a_referee(open_house: House) -> None:
    response = open_house.referee.get("/state.json", headers={"X-Forwarded-For": "203.0.113.9"})
    assert response.status_code == 403


def test_the_rate_limit_counts_each_address_and_all_together() -> None:
    now = [0.0]
    limit = RateLimit(2, lambda: now[0])
    from web.errors import TooOften

    for address in range(10):
        limit.take(str(address))
        limit.take(str(address))
    with pytest.raises(TooOften):
        limit.take("new")
    now[0] = 60.0
    limit.take("new")


# --- hostile inputs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("start", {"players": "Ann"}),
        ("start", {"players": ["Ann"]}),
        ("start", {"players": ["Ann", "ann "]}),
        ("start", {"players": ["Ann", "B" * 41]}),
        ("start", {"players": ["Ann", "Ben\u202e"]}),
        ("start", {"players": ["Ann", {"a": 1}]}),
        ("start", {"players": ["Ann", "Ben"], "edition": "../ru"}),
        ("start", {"players": ["Ann", "Ben"], "edition": ["ru"]}),
        ("start", {"players": ["Ann", "Ben"], "rules": {"jokers": 99}}),
        ("start", {"players": ["Ann", "Ben"], "rules": [1]}),
        ("start", {"players": ["Ann", "Ben"], "rules": {"sets": "x"}}),
        ("start", {"players": ["Ann", "Ben"], "area": [[0, 0], [1, 0], [1, 2], [0, 1]]}),
        ("start", {"players": ["Ann", "Ben"], "variant": "moon"}),
        ("start", {"players": ["Ann", "Ben"], "games": 0}),
        ("start", {"players": ["Ann", "Ben"], "source": 7}),
        ("end-turn", {"table": "R99"}),
        ("end-turn", {"table": 7}),
        ("end-turn", {"table": "R1 " * 5000}),
        ("end-turn", {"table": "J " * 500}),
        ("end-turn", {"table": "R1 R2 R3", "rack": "\ud800"}),
        ("end-turn", {"table": "R1 R2 R3", "river_from": -1}),
        ("correct", {"number": 0, "to": None}),
        ("correct", {"number": 10**9, "to": None}),
        ("correct", {"number": 1, "to": {"event": "boom"}}),
        ("correct", {"number": 1, "to": {"event": "correct", "of": 0, "to": None}}),
        ("correct", {"number": True, "to": None}),
        ("answer", {"id": "e0.0"}),
        ("answer", {"id": "../../etc/passwd", "answer": "yes"}),
        ("cell", {"game": 0, "seat": 0, "points": 1}),
        ("rack", {"seat": 0, "tiles": "K1"}),
        ("extend", {"seconds": 1e9}),
        ("extend", {"seconds": "NaN"}),
        ("settings", {"keep_gb": -1}),
        ("settings", {}),
        ("camera", {"source": "/etc/passwd"}),
        ("camera", {"source": "file:///etc/passwd"}),
        ("camera", {"source": "../samples"}),
        ("open-match", {"id": "' OR 1=1 --"}),
        ("open-match", {"id": {"$gt": ""}}),
    ],
)  # fmt: skip
def test_wrong_inputs_are_refused_in_a_sentence_and_change_nothing(
    house: House, action: str, body: object
) -> None:
    begin(house.referee)
    before = everything(house.folder, house)
    response = house.referee.client.post(
        f"/do/{action}",
        data=json.dumps(body),
        content_type="application/json",
        headers={"X-CSRF-Token": house.referee.token},
        base_url="http://localhost:8377",
    )
    assert 400 <= response.status_code < 500, response.get_data(as_text=True)
    told = response.get_json()["error"]
    assert told["text"].strip()
    assert "{" not in told["text"] or action in ("start", "correct")
    assert str(house.folder) not in told["text"]
    assert everything(house.folder, house) == before


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[" * 100_000, b"null", b"[]", b'"x"', b"\xff\xfe", b'{"a":' * 3000]
)
def test_what_is_no_json_object_is_refused(house: House, text: bytes) -> None:
    response = house.referee.client.post(
        "/do/deal",
        data=text,
        content_type="application/json",
        headers={"X-CSRF-Token": house.referee.token},
        base_url="http://localhost:8377",
    )
    assert response.status_code == 400


def test_huge_bodies_are_refused_unread(house: House) -> None:
    response = house.referee.client.post(
        "/do/deal",
        data=b'{"a":"' + b"x" * 300_000 + b'"}',
        content_type="application/json",
        headers={"X-CSRF-Token": house.referee.token},
        base_url="http://localhost:8377",
    )
    assert response.status_code == 413
    form = {"csrf_token": house.referee.token, "players": "x" * 300_000}
    assert (
        house.referee.client.post("/do/start", data=form, base_url="http://localhost:8377").status_code == 413
    )


@pytest.mark.parametrize(
    "path",
    [
        "/pictures/../tileref.db",
        "/pictures/..%2ftileref.db.jpg",
        "/pictures/%2e%2e/secret.key",
        "/pictures/0123.jpg",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/review/../../x",
        "/review/0000000000000000/report",
        "/review/0000000000000000/pictures/..%2f..%2fjob.json",
        "/export/log.jsonl?match=../../x",
        "/rack/99999999999999999999",
        "/rack/-1",
        "/correct/99999999",
    ],
)
def test_no_path_reaches_the_disk(house: House, path: str) -> None:
    begin(house.referee)
    response = house.referee.get(path)
    assert response.status_code in (404, 400, 308), response.status_code
    assert b"secret" not in response.get_data().lower() or b"<html" in response.get_data()


def test_going_back_leads_nowhere_else(house: House) -> None:
    begin(house.referee)
    for back, lands in (
        ("//evil.example/", "/table"),
        ("/\\evil.example", "/table"),
        ("http://evil.example", "/table"),
        ("/scores", "/scores"),
    ):
        form = {"csrf_token": house.referee.token, "back": back}
        response = house.referee.client.post("/do/pause", data=form, base_url="http://localhost:8377")
        assert response.headers["Location"] == lands
        house.referee.do("resume")


def bomb(width: int, height: int) -> bytes:
    """A small PNG that says it holds a great many pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 3_000_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("rack.png", bomb(30_000, 30_000), "megapixels"),
        ("../../evil.jpg", b"MZ" + b"\0" * 100, "not a picture"),
        ("rack.jpg", b"", "empty"),
        ("rack.jpg", b"\xff\xd8\xff\xe0" + b"\0" * 50, "damaged"),
        ("rack.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a picture"),
    ],
)
def test_hostile_photographs_are_refused(house: House, name: str, data: bytes, why: str) -> None:
    begin(house.referee)
    finish_game(house.referee)
    response = send_photo(house.referee, 1, name, data)
    assert response.status_code == 400
    text = response.get_json()["error"]["text"]
    assert why in text
    assert str(house.folder) not in text
    assert not list((house.folder / "uploads").iterdir())
    assert house.referee.state["racks"][1]["given"] is False


def send_photo(browser: Browser, seat: int, name: str, data: bytes):  # type: ignore[no-untyped-def]
    return browser.client.post(
        f"/rack/{seat}/photo",
        data={"photo": (io.BytesIO(data), name)},
        headers={"X-CSRF-Token": browser.token, "Accept": "application/json"},
        base_url="http://localhost:8377",
    )


def test_the_key_of_cookies_is_for_its_owner_alone(tmp_path: Path) -> None:
    app = create_app(WebConfig(tmp_path))
    assert (tmp_path / "secret.key").stat().st_mode & 0o077 == 0
    assert len(app.config["SECRET_KEY"]) >= 32
    app.extensions["tileref"].close()
    assert isinstance(app.test_client(), FlaskClient)
