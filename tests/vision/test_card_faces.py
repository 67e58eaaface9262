"""Tiles with the faces of playing cards: a suit is told by its shape, whatever its ink, and is learnt, too."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import numpy as np

from datasets.design import sample_design
from datasets.labels import LabelledPicture
from datasets.render import render_picture
from vision.evaluation.run import evaluate_pictures
from vision.evaluation.summary import Totals
from vision.models import CARDS
from vision.reader import Reader
from vision.settings import ReadSettings

WEIGHTS = Path(str(resources.files("vision"))) / "weights"


def a_table(number: int, *, grey: bool = False) -> LabelledPicture:
    """Sets of card faces of a held-out design, hearts and diamonds in one ink, clubs and spades in another."""
    for seed in range(100 * number, 100 * number + 100):
        design = sample_design(np.random.default_rng([seed, 32]), "heldout", skin="cards")
        if not design.four_colour_suits:
            break
    picture = render_picture(
        90_000_000 + number, split="heldout", size_wh=(1280, 960), profile="sets", design=design
    )
    return picture


def test_suits_of_one_ink_are_told_apart() -> None:
    reader = Reader.load(ReadSettings(tile_set=CARDS, threads=1))
    shown = [(str(number), a_table(number)) for number in range(4)]
    told = Totals(evaluate_pictures(shown, reader.read).scores)
    print(told)
    assert told.true > 40
    assert told.right >= 0.9 * told.true
    assert told.right - told.doubts_right >= 0.75 * told.true
    assert told.wrong_sure <= 0.02 * told.true
