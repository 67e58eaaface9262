"""Readings from probabilities: doubts stay doubts, sure readings are never overruled by the box."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee.tiles import JOKER, Inventory, Tile
from vision.classify import FaceReadings
from vision.decide import decide

QUAD = np.float32([[0, 0], [10, 0], [10, 14], [0, 14]])


def faces(*rows: dict[str, float]) -> FaceReadings:
    """Each row gives tile names their probability ("B4": 0.9, "J": 0.1, "none": 0.2); one colour a row."""
    number, colour = np.full((len(rows), 15), 1e-9), np.full((len(rows), 4), 1e-9)
    for k, row in enumerate(rows):
        for name, p in row.items():
            if name == "J":
                number[k, 13] += p
            elif name == "none":
                number[k, 14] += p
            else:
                number[k, int(name[1:]) - 1] += p
                colour[k, "RBKO".index(name[0])] += p
        colour[k] += 1e-9
    number /= number.sum(axis=1, keepdims=True)
    colour /= colour.sum(axis=1, keepdims=True)
    turn = np.zeros((len(rows), 4))
    turn[:, 0] = 1
    return FaceReadings(number, colour, colour, turn)


def read(*rows: dict[str, float], grey: bool = False, inventory: Inventory | None = None):
    return decide(
        faces(*rows), [QUAD] * len(rows), inventory or Inventory(), tile_bar=0.9, unreadable_bar=0.1, grey=grey
    )


def test_sure_and_doubtful() -> None:
    sure, doubt = read({"B4": 0.98, "B9": 0.02}, {"R6": 0.6, "R9": 0.4}).readings
    assert sure is not None
    assert doubt is not None
    assert (str(sure.tile), sure.doubt) == ("B4", False)
    assert (str(doubt.tile), doubt.doubt) == ("R6", True)
    assert str(doubt.alternatives[0][0]) == "R9"
    assert abs(doubt.alternatives[0][1] - 0.4) < 0.01


def test_among_many_doubts_only_what_is_very_sure_is_sure() -> None:
    well, very = {"B4": 0.97, "B9": 0.03}, {"K1": 0.999, "K7": 0.001}
    doubtful = {"R6": 0.6, "R9": 0.4}
    readings = read(well, very, doubtful, {"O2": 0.999}, {"O3": 0.999}).readings
    assert [r.doubt for r in readings if r] == [True, False, True, False, False]
    readings = read(well, very, {"R6": 0.999}, {"O2": 0.999}, {"O3": 0.999}).readings
    assert not any(r.doubt for r in readings if r)


def test_doubtful_third_copy_gives_way_and_stays_a_doubt() -> None:
    third = read({"B4": 0.99}, {"B4": 0.99}, {"B4": 0.6, "B9": 0.4}).readings[2]
    assert third is not None
    assert str(third.tile) == "B9"
    assert third.doubt
    assert str(third.alternatives[0][0]) == "B4"


def test_sure_third_copy_stays_and_is_reported() -> None:
    decision = read({"B4": 0.99}, {"B4": 0.99}, {"B4": 0.99})
    assert [str(r.tile) for r in decision.readings if r] == ["B4"] * 3
    assert not any(r.doubt for r in decision.readings if r)
    assert len(decision.notes) == 1
    assert "B4" in decision.notes[0]


def test_exclusion_alone_never_makes_a_sure_joker() -> None:
    third = read({"B4": 0.99}, {"B4": 0.99}, {"B4": 0.7, "J": 0.3}).readings[2]
    assert third is not None
    assert third.tile == JOKER
    assert third.doubt


def test_grey_pictures_leave_every_colour_a_doubt_but_not_the_joker() -> None:
    number, joker = read({"B4": 1.0}, {"J": 1.0}, grey=True).readings
    assert number is not None
    assert joker is not None
    assert number.doubt
    assert number.tile.number == 4
    assert {t for t, _ in number.alternatives} >= {Tile.parse(c + "4") for c in "RBKO"} - {number.tile}
    assert not joker.doubt


def test_no_numeral_is_no_reading() -> None:
    assert read({"none": 0.95, "B4": 0.05}).readings == (None,)


def test_what_rather_shows_no_numeral_is_a_guess_as_probable_as_that_it_shows_one() -> None:
    (guess,) = read({"none": 0.7, "B4": 0.3}).readings
    assert guess is not None
    assert str(guess.tile) == "B4"
    assert guess.doubt
    assert abs(guess.confidence - 0.3) < 0.01
    assert abs(guess.no_numeral - 0.7) < 0.01


@given(st.lists(st.sampled_from(["R1", "B1", "K7", "J"]), max_size=12), st.data())
def test_doubtful_faces_never_exceed_the_box_beyond_the_sure(names: list[str], data: st.DataObject) -> None:
    rows = [{n: data.draw(st.sampled_from([0.55, 0.99])), "O13": 0.01} for n in names]
    box = Inventory()
    decision = read(*rows)
    for name in set(names):
        got = [r for r in decision.readings if r and str(r.tile) == name]
        sure = sum(not r.doubt for r in got)
        assert len(got) <= max(sure, box.count(Tile.parse(name)))
