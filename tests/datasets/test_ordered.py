"""Pictures of a set laid in order, for learning it."""

import numpy as np

from datasets.design import sample_design
from datasets.ordered import learning_pictures, ordered_rows
from referee.tiles import JOKER, Colour


def test_rows_rise_and_jokers_come_last() -> None:
    rows = ordered_rows([Colour.BLUE, Colour.RED], jokers=2)
    assert [str(tile) for tile in rows[0]] == [f"B{n}" for n in range(1, 14)]
    assert rows[2] == [JOKER, JOKER]
    assert len(ordered_rows(list(Colour))) == 4


def test_two_pictures_show_all_faces_in_order() -> None:
    design = sample_design(np.random.default_rng(3), "train", committed_only=True)
    pair = learning_pictures(5, design, split="train", size_wh=(480, 360))
    assert {str(t.tile) for picture in pair for t in picture.tiles} == {
        *(f"{c}{n}" for c in "RBKO" for n in range(1, 14)), "J",
    }  # fmt: skip
    for picture in pair:
        for one in sorted({t.set_index for t in picture.tiles}):
            row = [t for t in picture.tiles if t.set_index == one]
            middles = np.array([t.corners_xy_px.mean(axis=0) for t in sorted(row, key=lambda t: t.place)])
            if len(row) > 1:
                assert [t.tile.number for t in sorted(row, key=lambda t: t.place)] == list(range(1, 14))
                steps = np.diff(middles, axis=0)
                assert (steps @ (middles[-1] - middles[0]) > 0).all()
