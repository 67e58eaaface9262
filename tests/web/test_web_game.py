"""The story of a match, asked for over HTTP: set up, play, foul, put right, finish, go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from web_support import House, begin, house_in

from referee import import_log, replay, replay_json
from web.desk.clock import Clock

OPENING = "R10 B10 K10"


def test_a_match_from_setting_up_to_the_winner(house: House) -> None:
    me = house.referee
    assert me.state["phase"] == "no-match"
    answer = me.do("start", players=["Ann", "Ben"], edition="ua", games=1, rules={"run_order": "any"})
    assert answer["id"] == me.state["match"]["id"]
    assert me.state["phase"] == "set-up"
    asked = {one["args"]["axis"] for one in me.state["questions"]}
    assert asked  # what the sheet leaves open is asked
    for one in me.state["questions"]:
        me.do("answer", id=one["id"], answer=(one["answers"] or ["3"])[0])
    assert me.state["questions"] == []
    me.do("draw-for-start", tiles=["R3", "B9"])
    assert me.state["starter"] == 1
    me.do("deal")
    state = me.state
    assert (state["phase"], state["turn"]["seat"], state["turn"]["left_s"]) == ("playing", 1, 60)
    assert me.do("end-turn", table=OPENING)["verdict"] == "legal"
    assert me.state["players"][1]["opened"] is True
    house.clock.later(20)
    assert me.do("draw")["verdict"] == "legal"
    assert me.state["players"][0]["rack"] == 15

    # Ben plays everything else he has, eleven tiles.
    rest = f"{OPENING} O10 | R1 R2 R3 R4 R5 | B1 B2 B3 B4 B5"
    assert me.do("end-turn", table=rest)["verdict"] == "legal"
    state = me.state
    assert state["phase"] == "ended"
    assert [rack["accepted"] for rack in state["racks"]] == [False, True]
    me.do("rack", seat=0, tiles="K1 K2 J B6/B9")
    assert me.state["racks"][0]["points"] == {"least": 39, "most": 42}
    me.do("rack-tile", seat=0, at=3, tile="B9")
    me.do("rack-accept", seat=0)
    state = me.state
    assert state["phase"] == "match-over"
    (game,) = state["score"]["games"]
    assert [cell["points"] for cell in game["cells"]] == [-42, 42]
    assert game["check"] is None
    assert state["score"]["leader"] == 1

    csv = me.get("/export/scores.csv").get_data(as_text=True).splitlines()
    assert csv[1:] == ["1,-42,42,Ben", "total,-42,42,Ben"]
    plain = json.loads(me.get("/export/scores.json").get_data())
    assert plain["totals"] == [-42, 42]
    log = import_log(me.get("/export/log.jsonl").get_data(as_text=True))
    assert replay(log).state.results[0].scores == (-42, 42)


def test_a_foul_is_told_with_its_tiles_and_the_way_back(house: House) -> None:
    me = house.referee
    begin(me)
    me.do("table", table="R10 B10 R10")
    live = me.state["table"]
    assert live["source"] == "typed"
    assert live["sets"][0]["state"] == "unfinished"  # no verdict before the turn ends
    assert me.do("end-turn")["verdict"] == "illegal"
    last = me.state["last_turn"]
    assert last["verdict"] == "illegal"
    assert last["table"]["sets"][0]["state"] == "faulty"
    assert [tile["faulty"] for tile in last["table"]["sets"][0]["tiles"]].count(True) >= 2
    assert {told["code"] for told in last["told"]} >= {"colour-repeated"}
    assert [step["kind"] for step in last["put_back"]] == ["to-rack"] * 3
    assert last["put_back"][-1]["table"] == []
    state = me.state
    assert state["turn"]["seat"] == 0  # the turn goes on
    assert me.do("end-turn", table=OPENING)["verdict"] == "legal"
    assert me.state["turn"]["seat"] == 1


def test_help_before_the_verdict_can_be_switched_off(house: House) -> None:
    me = house.referee
    begin(me)
    me.do("table", table="R7 B7 K7")
    assert me.state["help"]["opening"] == {"points": 21, "needed": 30}
    assert me.state["table"]["sets"][0]["state"] == "good"
    me.do("settings", help=False)
    state = me.state
    assert state["help"] == {"enabled": False, "opening": None, "verdict": None, "told": []}
    assert state["table"]["sets"][0]["state"] is None


def test_undo_and_restore_add_events_and_change_none(house: House) -> None:
    me = house.referee
    begin(me)
    me.do("end-turn", table=OPENING)
    before = me.state["history"][0]
    me.do("undo")
    state = me.state
    assert state["turn"]["seat"] == 0
    assert state["table"]["sets"] == []
    taken = next(one for one in state["history"] if one["number"] == before["number"])
    assert taken["state"] == "taken-back"
    me.do("restore", number=before["number"])
    assert me.state["turn"]["seat"] == 1
    assert me.refused("restore", 409, number=before["number"]) == "nothing-to-restore"
    events = house.site.store.load(me.state["match"]["id"]).entries
    assert len(events) == 5  # start, deal, play, correct, correct


def test_correcting_a_past_turn_tells_what_it_changes(house: House) -> None:
    me = house.referee
    begin(me)
    me.do("end-turn", table=OPENING)
    me.do("draw")
    me.do("end-turn", table=f"{OPENING} O10")
    version = me.state["version"]
    wrong = {"event": "play", "seat": 0, "table": "R9 B9 K9"}
    changes = me.do("preview-correct", number=2, to=wrong)["changes"]
    assert me.state["version"] == version
    assert {change["number"] for change in changes} >= {2}
    assert changes[0]["before"]["verdict"] == "legal"
    assert changes[0]["after"]["told"][0]["code"] == "opening-too-low"
    me.do("correct", number=2, to=wrong)
    states = {entry["number"]: entry["state"] for entry in me.state["history"]}
    assert states[2] == "refused"
    assert states[3] == "refused"  # it was not Ben's turn yet
    assert states[5] == "correction"


def test_a_doubtful_tile_is_asked_and_answered(house: House) -> None:
    me = house.referee
    begin(me)
    assert me.do("end-turn", table="R10 B10 K10/K9")["verdict"] == "ask"
    (question,) = [one for one in me.state["questions"] if one["code"] == "doubtful-tile"]
    assert question["answers_are"] == "tiles"
    me.do("answer", id=question["id"], answer="K10")
    state = me.state
    assert [one for one in state["questions"] if one["number"]] == []
    assert state["last_turn"]["verdict"] == "legal"
    assert me.refused("answer", 409, id=question["id"], answer="K10") == "no-such-question"


def test_a_reading_of_the_table_as_it_lies_is_put_right_by_its_key(house: House) -> None:
    me = house.referee
    begin(me)
    me.do("table", table="R10 B10 K10/K9")
    (question,) = [one for one in me.state["questions"] if one["id"].startswith("t")]
    me.do("tile", key=question["key"], tile="K10")
    assert me.state["table"]["notation"] == OPENING
    assert me.refused("tile", 404, key="9.9", tile="K10") == "no-such-tile"


def test_one_yes_does_not_answer_another_question(house: House) -> None:
    me = house.referee
    me.do(
        "start",
        players=["Ann", "Ben"],
        edition="ru",
        rules={"opening_joker": "ask", "opening_build": "ask", "run_order": "any"},
    )
    me.do("deal", starter=0)
    me.do("end-turn", table="R10 B10 K10")
    me.do("end-turn", table="R10 B10 K10 O10 | R11 B11 J")  # Ben opens with a joker, and builds
    asked = {one["code"]: one["id"] for one in me.state["questions"] if one["number"]}
    assert {"joker-in-opening?", "built-in-opening?"} <= set(asked)
    me.do("answer", id=asked["joker-in-opening?"], answer="yes")
    left = {one["code"] for one in me.state["questions"] if one["number"]}
    assert "built-in-opening?" in left
    assert "joker-in-opening?" not in left
    me.do("answer", id=asked["built-in-opening?"], answer="yes")
    assert [one for one in me.state["questions"] if one["number"]] == []
    assert me.state["last_turn"]["ruled"] == "legal"


def test_a_no_takes_the_turn_back(house: House) -> None:
    me = house.referee
    me.do("start", players=["Ann", "Ben"], edition="ru", rules={"opening_joker": "ask"})
    me.do("deal", starter=0)
    me.do("end-turn", table="R11 B11 J")
    (question,) = [one for one in me.state["questions"] if one["code"] == "joker-in-opening?"]
    assert me.state["turn"]["seat"] == 1
    me.do("answer", id=question["id"], answer="no")
    assert me.state["turn"]["seat"] == 0


def test_what_the_referee_refuses_is_not_written_down(house: House) -> None:
    me = house.referee
    begin(me)
    count = len(me.state["history"])
    assert me.refused("pass", 409) == "pool-not-empty"
    assert me.refused("end-turn", 409) == "no-play"
    assert me.refused("deal", 409, starter=1) == "not-set-up"
    assert me.refused("undo-nothing", 404) == "no-such-action"
    assert len(me.state["history"]) == count


def test_a_stale_page_is_told_so(house: House) -> None:
    me = house.referee
    begin(me)
    version = me.state["version"]
    me.do("draw", version=version)
    assert me.refused("draw", 409, version=version) == "moved-on"


def test_time_out_draws_the_penalty(house: House) -> None:
    me = house.referee
    begin(me)
    house.clock.later(75)
    assert me.state["turn"]["left_s"] == -15
    me.do("table", table="R1 R2 R3")
    me.do("time-out")
    state = me.state
    assert state["players"][0]["rack"] == 14 + state["match"]["rules"]["timeout_restorable"]
    assert state["turn"]["seat"] == 1
    assert [step["kind"] for step in state["last_turn"]["put_back"]] == ["to-rack"] * 3
    assert not state["last_turn"]["puts_back"]  # time that is up is no foul


# --- the clock ---------------------------------------------------------------------------------------------


def test_pause_and_extension_hold_the_clock_back_and_no_overtime_is_told(house: House) -> None:
    me = house.referee
    begin(me)
    house.clock.later(50)
    me.do("pause")
    house.clock.later(500)
    assert me.state["turn"]["left_s"] == 10
    me.do("resume")
    me.do("extend", seconds=30)
    house.clock.later(35)
    state = me.state["turn"]
    assert (state["left_s"], state["extended_s"]) == (5, 30)
    me.do("draw")
    assert me.state["last_turn"]["told"] == []
    assert me.state["turn"]["left_s"] == 60
    house.clock.later(61)
    me.do("draw")
    assert [told["code"] for told in me.state["last_turn"]["told"]] == ["overtime"]


@pytest.mark.parametrize(("used", "granted"), [(10, 30), (40, 30), (0, 5)])
def test_an_extension_that_was_not_used_up_ends_with_its_turn(used: float, granted: float) -> None:
    clock = Clock(1000.0).extended(granted, 1000.0)
    assert clock.in_turn_s(0.0, 1000.0 + used) == used - granted
    anchored = clock.anchored(1000.0 + used)
    assert anchored.in_turn_s(0.0, 1000.0 + used) == pytest.approx(used - granted)
    assert clock.new_turn(1000.0 + used).t_s(1001.0 + used) == pytest.approx(max(0, used - granted) + 1)


# --- without a camera, and without a table -----------------------------------------------------------------


def test_clock_and_score_sheet_work_alone(house: House) -> None:
    me = house.referee
    me.do("start", players=["Ann", "Ben", "Cem"], edition="ru", mode="clock", games=2)
    me.do("deal", starter=2)
    assert me.state["turn"]["seat"] == 2
    house.clock.later(10)
    assert me.state["turn"]["left_s"] == 50
    me.do("next-turn")
    assert (me.state["turn"]["seat"], me.state["turn"]["left_s"], me.state["turn"]["number"]) == (0, 60, 2)
    me.do("undo")
    assert (me.state["turn"]["seat"], me.state["turn"]["left_s"]) == (2, 50)
    assert me.refused("end-turn", 409, table="R1 R2 R3") == "wrong-mode"
    me.do("game-scores", scores=[None, -12, -30], winner=0)
    assert me.state["score"]["totals"] == [42, -12, -30]
    assert me.state["phase"] == "set-up"
    me.do("deal", starter=0)
    me.do("game-scores", scores=[-10, 20, -12], winner=1)
    state = me.state
    assert state["phase"] == "match-over"
    assert state["score"]["games"][1]["check"]["code"] == "scores-do-not-add-up"
    me.do("cell", game=1, seat=1, points=22, why="added up anew")
    cell = me.state["score"]["games"][1]["cells"][1]
    assert [entry["points"] for entry in cell["history"]] == [20, 22]
    assert me.state["score"]["games"][1]["check"] is None


def test_a_level_match_is_won_by_agreement(house: House) -> None:
    me = house.referee
    me.do("start", players=["Ann", "Ben"], edition="ru", mode="clock", games=2)
    for winner, scores in ((0, [10, -10]), (1, [-10, 10])):
        me.do("deal", starter=0)
        me.do("game-scores", scores=scores, winner=winner)
    assert me.state["score"]["leader"] is None
    assert me.state["score"]["told"][0]["code"] == "match-tied"
    me.do("agree-winner", seat=1)
    assert (me.state["score"]["leader"], me.state["score"]["leader_agreed"]) == (1, True)


# --- past games ----------------------------------------------------------------------------------------------


def test_a_match_goes_on_after_another_and_can_be_deleted(house: House) -> None:
    me = house.referee
    begin(me, ("Ann", "Ben"), title="Friday")
    first = me.state["match"]["id"]
    me.do("end-turn", table=OPENING)
    begin(me, ("Cem", "Dov"))
    second = me.state["match"]["id"]
    house.clock.later(3600)
    me.do("open-match", id=first)
    state = me.state
    assert state["table"]["notation"] == OPENING
    assert state["turn"]["running"] is False  # nobody was at the table
    assert state["turn"]["left_s"] == 60
    listed = me.get("/games?q=frid").get_data(as_text=True)
    assert "Friday" in listed
    assert "Cem, Dov" not in listed
    assert me.refused("delete-match", 409, id=first, confirm=first) == "match-open"
    assert me.refused("delete-match", 400, id=second, confirm="yes") == "not-confirmed"
    name = house.site.pictures.add(b"jpeg", "table", second, house.clock())
    me.do("delete-match", id=second, confirm=second)
    assert me.refused("open-match", 404, id=second) == "no-such-match"
    assert me.get(f"/pictures/{name}.jpg").status_code == 404
    assert not list((house.folder / "pictures").iterdir())


def test_kept_pictures_have_the_limits_that_people_set(house: House) -> None:
    me = house.referee
    begin(me)
    match_id = me.state["match"]["id"]
    old = house.site.pictures.add(b"old", "table", match_id, house.clock())
    house.clock.later(2 * 86400)
    new = house.site.pictures.add(b"new", "table", match_id, house.clock())
    assert house.site.keep_pictures_within() == 0
    me.do("settings", keep_days=1.0)
    assert house.site.keep_pictures_within() == 1
    assert me.get(f"/pictures/{old}.jpg").status_code == 404
    assert me.get(f"/pictures/{new}.jpg").status_code == 200
    house.site.pictures.add(b"x" * 20_000_000, "table", match_id, house.clock.now_s + 1)
    me.do("settings", keep_gb=0.01)
    assert house.site.keep_pictures_within() == 2


def test_a_log_of_the_referee_comes_in_and_goes_out_the_same(house: House, tmp_path: Path) -> None:
    import io

    me = house.referee
    begin(me)
    me.do("end-turn", table=OPENING)
    text = me.get("/export/log.jsonl").get_data()
    response = me.client.post(
        "/games/import",
        data={"log": (io.BytesIO(text), "../../x.jsonl")},
        headers={"X-CSRF-Token": me.token, "Accept": "application/json"},
        base_url="http://localhost:8377",
    )
    match_id = response.get_json()["id"]
    assert me.get(f"/export/log.jsonl?match={match_id}").get_data() == text
    me.do("open-match", id=match_id)
    assert me.state["table"]["notation"] == OPENING


def test_what_was_confirmed_is_there_for_the_next_program(tmp_path: Path) -> None:
    with house_in(tmp_path) as house:
        begin(house.referee)
        house.referee.do("end-turn", table=OPENING)
        house.referee.do("table", table=f"{OPENING} O10")
        house.clock.later(7)
        before = house.referee.state
        stored = house.site.store.load(before["match"]["id"])
        clock = house.clock
    with house_in(tmp_path, clock=clock) as again:
        after = again.referee.state
        assert after["table"]["notation"] == before["table"]["notation"]
        assert after["turn"]["seat"] == 1
        assert after["history"] == before["history"]
        events = [entry.event for entry in stored.entries]
        match = again.site.desk.match
        assert replay_json(replay(events)) == replay_json(replay(match.ledger.events))
