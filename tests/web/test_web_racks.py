"""Racks photographed with a phone, put right, accepted and scored."""

from __future__ import annotations

import io
import json
import re

import numpy as np
import pytest
from PIL import Image
from web_support import House, begin


def photograph(kind: str) -> bytes:
    data = io.BytesIO()
    image = Image.fromarray(np.full((300, 400, 3), 120, np.uint8))
    if kind == "HEIF":
        import pillow_heif

        pillow_heif.register_heif_opener()
    image.save(data, kind)
    return data.getvalue()


def finished(house: House, players: tuple[str, ...] = ("Ann", "Ben", "Cem")) -> None:
    begin(house.referee, players)
    house.referee.do("end-turn", table="R10 B10 K10 O10 | R1 R2 R3 R4 R5 | B1 B2 B3 B4 B5")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "HEIF"])
def test_a_photograph_becomes_tiles_and_a_sum(house: House, kind: str) -> None:
    finished(house)
    house.reader.text = "K1 K2 J | B6/B9 ??"
    response = house.referee.send_photo(1, photograph(kind))
    assert response.status_code == 200, response.get_data(as_text=True)
    rack = response.get_json()["rack"]
    assert [tile["text"] for tile in rack["tiles"]] == ["K1", "K2", "J", "B6/B9", "??"]
    assert rack["points"] == {"least": 1 + 2 + 30 + 6 + 1, "most": 1 + 2 + 30 + 9 + 30}
    assert [other["tile"] for other in rack["tiles"][3]["likely"]] == ["B9"]
    corners = np.asarray(rack["tiles"][0]["corners"])
    assert corners.min() >= 0
    assert corners.max() <= 1
    assert house.referee.get(rack["picture"]).content_type == "image/jpeg"


def test_phones_send_racks_and_the_last_acceptance_scores_the_game(open_house: House) -> None:
    finished(open_house)
    me, ben, cem = open_house.referee, open_house.paired("player", 1), open_house.paired("player", 2)
    open_house.reader.text = "K1 B6/B9"
    rack = ben.send_photo(1, photograph("JPEG")).get_json()["rack"]
    assert ben.send_photo(2, photograph("JPEG")).status_code == 403
    assert cem.get(rack["picture"]).status_code == 403
    assert ben.get(rack["picture"]).status_code == 200
    ben.do("rack-tile", seat=1, at=1, tile="B9")
    ben.do("rack-tile", seat=1, at=2, tile="O3")  # one that the picture does not show
    ben.do("rack-tile", seat=1, at=0, tile=None)  # one that is none
    assert [tile["text"] for tile in ben.state["racks"][0]["tiles"]] == ["B9", "O3"]
    ben.do("rack-accept", seat=1)
    assert me.state["phase"] == "ended"
    assert cem.refused("rack-accept", 409, seat=2) == "photo-missing"
    cem.do("rack", seat=2, tiles="J")
    cem.do("rack-accept", seat=2)
    state = me.state
    assert state["score"]["totals"] == [42, -12, -30]
    assert state["phase"] == "set-up"
    assert state["racks"] == []


def test_before_a_rack_is_accepted_it_is_told_what_is_odd_about_it(house: House) -> None:
    """A photograph may show a few of its tiles; then the match was won by them without a word."""
    finished(house)
    me = house.referee
    house.reader.text = "K1 J J J"
    told = me.send_photo(2, photograph("JPEG")).get_json()["rack"]["told"]
    assert {one["code"] for one in told} >= {"rack-size-differs", "too-many-copies-shown"}
    me.do("rack", seat=2, tiles="K1 K2 K3 K4 K5 K6 K7 K8 K9 K11 K12 K13 O1 J")
    assert me.state["racks"][2]["told"] == []


def test_a_rack_that_was_scored_can_still_be_looked_at(house: House) -> None:
    finished(house, ("Ann", "Ben"))
    me = house.referee
    me.do("rack", seat=1, tiles="K1 K2 J")
    me.do("rack-accept", seat=1)

    def shown(seat: int) -> tuple[bool, list[str], dict[str, int]]:
        page = me.get(f"/rack/{seat}").get_data(as_text=True)
        found = re.search(r'id="rack-data">(.*?)</script>', page)
        assert found is not None
        rack = json.loads(found[1])
        return rack["accepted"], [tile["text"] for tile in rack["tiles"]], rack["points"]

    assert shown(0) == (True, [], {"least": 0, "most": 0})
    assert shown(1) == (True, ["K1", "K2", "J"], {"least": 33, "most": 33})
    number = next(one["number"] for one in me.state["history"] if one["kind"] == "racks")
    me.do("correct", number=number, to={"event": "racks", "racks": ["", "K1 K2"]})
    assert shown(1) == (True, ["K1", "K2"], {"least": 3, "most": 3})
    me.do("deal", starter=0)
    assert shown(1) == (False, [], {"least": 0, "most": 0})


def test_an_accepted_doubt_is_a_question_and_not_a_score(house: House) -> None:
    finished(house, ("Ann", "Ben"))
    me = house.referee
    me.do("rack", seat=1, tiles="K1 B6/B9")
    me.do("rack-accept", seat=1)
    state = me.state
    assert state["phase"] == "ended"
    assert state["questions"][0]["code"] == "racks-in-doubt"
    assert state["score"]["games"] == []
    me.do("rack-tile", seat=1, at=1, tile="B6")
    me.do("rack-accept", seat=1)
    assert me.state["score"]["totals"] == [7, -7]
    assert me.state["questions"] == []


def test_two_lowest_racks_are_settled_by_the_players(house: House) -> None:
    me = house.referee
    me.do("start", players=["Ann", "Ben"], edition="ru", rules={"rack_size": 20, "pool_empty": "stuck"})
    me.do("deal", starter=0)
    while me.state["pool"]:
        me.do("draw")
    me.do("pass")
    me.do("pass")
    me.do("racks", racks=["K1 K2", "R3"])
    (question,) = [one for one in me.state["questions"] if one["code"] == "equal-lowest-sum"]
    assert (question["answers"], question["answers_are"]) == (["0", "1"], "seats")
    me.do("answer", id=question["id"], answer="1")
    assert me.state["score"]["games"][0]["winner"] == 1


def test_racks_are_counted_only_when_the_game_is_over(house: House) -> None:
    begin(house.referee)
    assert house.referee.send_photo(0, photograph("JPEG")).status_code == 409
    assert house.referee.refused("rack-accept", 409, seat=0) == "not-ended"


def test_card_faces_are_read_with_their_own_profile(house: House) -> None:
    begin(house.referee, edition="cards")
    match = house.site.desk.match
    assert match.faces == "cards"
    box = match.state.rules.inventory
    for faces in ("numbers", match.faces, match.faces):
        assert house.site.readers.reader(box, faces) is house.reader
    assert [read.tile_set for read in house.read_with] == ["", "cards"]
