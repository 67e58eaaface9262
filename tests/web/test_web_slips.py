"""Slips at the table: what was pressed twice, left out or overlooked is refused, and changes nothing."""

from __future__ import annotations

import pytest
from web_support import House, begin, finish_game

OPENING = "R10 B10 K10"


@pytest.mark.parametrize("points", ["", None, "ten", "1.5", 1.5])
def test_a_cell_without_points_stays_as_it_was(house: House, points: object) -> None:
    me = house.referee
    me.do("start", players=["Ann", "Ben"], edition="ru", mode="clock", games=2)
    me.do("deal", starter=0)
    me.do("game-scores", scores=[33, -33], winner=0)
    assert me.refused("cell", 400, game=0, seat=0, points=points) == "points-needed"
    assert [cell["points"] for cell in me.state["score"]["games"][0]["cells"]] == [33, -33]
    me.do("cell", game=0, seat=0, points="-12")
    assert me.state["score"]["games"][0]["cells"][0]["points"] == -12


def test_laid_tiles_do_not_vanish_by_a_draw(house: House) -> None:
    me = house.referee
    begin(me)
    me.do("end-turn", table=f"{OPENING} O10")
    assert me.state["table"]["laid"] is False
    me.do("table", table=f"{OPENING} O10 | R1 R2 R3")
    assert me.state["table"]["laid"] is True
    assert me.refused("draw", 409) == "tiles-laid"
    assert me.state["table"]["notation"] == f"{OPENING} O10 | R1 R2 R3"
    me.do("draw", put_back=True)
    assert me.state["table"]["notation"] == f"{OPENING} O10"
    assert me.state["turn"]["seat"] == 0


def test_a_table_that_lies_as_before_may_be_drawn_at(house: House) -> None:
    me = house.referee
    begin(me)
    me.do("end-turn", table=f"{OPENING} | R1 R2 R3")
    me.do("table", table=f"R1 R2 R3 | {OPENING} | K1 K2")
    assert me.do("end-turn")["verdict"] == "illegal"
    assert me.refused("draw", 409) == "tiles-laid"  # the foul still lies there
    me.do("table", table="R1 R2 R3 | K10 R10 B10")  # put back, side by side in another order
    me.do("draw")
    assert me.state["turn"]["seat"] == 0


def test_laid_tiles_do_not_vanish_by_a_pass(house: House) -> None:
    me = house.referee
    me.do("start", players=["Ann", "Ben"], edition="ru", rules={"rack_size": 20})
    me.do("deal", starter=0)
    while me.state["pool"]:
        me.do("draw")
    me.do("table", table="R1 R2 R3")
    assert me.refused("pass", 409) == "tiles-laid"
    me.do("pass", put_back=True)
    assert me.state["table"]["sets"] == []


def test_a_press_for_a_turn_that_is_over_does_nothing(house: House) -> None:
    me = house.referee
    begin(me)
    for action in ("draw", "end-turn", "time-out"):
        turn = me.state["turn"]["number"]
        me.do("draw", turn=turn)
        count = len(me.state["history"])
        assert me.refused(action, 409, turn=turn) == "moved-on"
        assert len(me.state["history"]) == count
    begin(me)
    finish_game(me)
    assert me.refused("draw", 409, turn=1) == "moved-on"


def test_a_press_by_the_clock_alone_is_for_its_turn_too(house: House) -> None:
    me = house.referee
    me.do("start", players=["Ann", "Ben"], edition="ru", mode="clock")
    me.do("deal", starter=0)
    me.do("next-turn", turn=1)
    assert me.refused("next-turn", 409, turn=1) == "moved-on"
    assert me.state["turn"]["seat"] == 1
