"""Who may what: strangers, spectators, players, and how codes are given and limited."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from web_support import PAGES, House, begin, everything, finish_game, house_in

from web.desk.actions import ACTIONS
from web.errors import TooOften
from web.security.limits import Gate, RateLimit


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


def test_spectators_hear_that_there_is_a_camera_but_not_which(open_house: House) -> None:
    begin(open_house.referee, source="browser")
    assert open_house.referee.state["camera"]["source"] == "browser"
    camera = open_house.paired("spectator").state["camera"]
    assert (camera["source"], camera["live"]) == ("camera", None)


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
    for address in range(10):
        limit.take(str(address))
        limit.take(str(address))
    with pytest.raises(TooOften):
        limit.take("new")
    now[0] = 60.0
    limit.take("new")


def test_streams_leave_room_for_those_who_act() -> None:
    gate = Gate(2, 3)
    for address in ("a", "a", "b"):
        gate.enter(address)
    for address in ("a", "b", "c"):
        with pytest.raises(TooOften):
            gate.enter(address)
    gate.leave("a")
    gate.enter("c")


def test_streams_that_nobody_reads_are_not_counted_for_ever(tmp_path: Path) -> None:
    with house_in(tmp_path, settings={"streams_each": 2}) as house:
        me = house.referee
        for _ in range(3):
            asked = me.client.head("/events", base_url="http://localhost:8377")
            assert asked.status_code == 200
            asked.close()
        for _ in range(3):
            stream = me.get("/events")  # not read
            assert stream.status_code == 200
            stream.close()
        held = [me.get("/events") for _ in range(2)]
        assert me.get("/events").status_code == 429
        for stream in held:
            stream.close()
