"""Hostile inputs: refused with a sentence, nothing changed, nothing of the disk reached."""

from __future__ import annotations

import json
import struct
import zlib

import pytest
from web_support import House, begin, everything, finish_game


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
    assert "at most 0.256 MB" in response.get_json()["error"]["text"]
    form = {"csrf_token": house.referee.token, "players": "x" * 300_000}
    response = house.referee.client.post("/do/start", data=form, base_url="http://localhost:8377")
    assert response.status_code == 413
    assert "at most 0.256 MB" in response.get_data(as_text=True)


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
    response = house.referee.send_photo(1, data, name)
    assert response.status_code == 400
    text = response.get_json()["error"]["text"]
    assert why in text
    assert str(house.folder) not in text
    assert not list((house.folder / "uploads").iterdir())
    assert house.referee.state["racks"][1]["given"] is False
