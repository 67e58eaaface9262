"""Tiles with the faces of playing cards: a suit is told by its shape, whatever its ink."""

from __future__ import annotations

import json
import shutil
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.design import Design, sample_design
from datasets.labels import LabelledPicture
from datasets.ordered import learning_pictures
from datasets.render import render_picture
from tileref.cli import main
from vision.classify import FaceReadings
from vision.errors import WeightsError
from vision.evaluation.run import evaluate_pictures
from vision.evaluation.summary import Totals
from vision.inks import suits_doubted_by_ink
from vision.models import CARDS, checksum, load_weights
from vision.picture import picture_from_array
from vision.reader import Reader
from vision.rectify import Pyramid
from vision.settings import ReadSettings
from vision.tile_set import load_tile_set

WEIGHTS = Path(str(resources.files("vision"))) / "weights"


def a_design(number: int) -> Design:
    """A held-out design with hearts and diamonds in one ink, clubs and spades in another."""
    for seed in range(1000 * number, 1000 * number + 1000):
        design = sample_design(np.random.default_rng([seed, 32]), "heldout", skin="cards", committed_only=True)
        if not design.four_colour_suits:
            return design
    raise AssertionError("no such design")


def a_table(number: int) -> LabelledPicture:
    return render_picture(
        90_000_000 + number, split="heldout", size_wh=(1280, 960), profile="sets", design=a_design(number)
    )


def test_suits_of_one_ink_are_told_apart_surely() -> None:
    reader = Reader.load(ReadSettings(tile_set=CARDS, threads=1))
    shown = [(str(number), a_table(number)) for number in range(4)]
    told = Totals(evaluate_pictures(shown, reader.read).scores)
    assert told.true > 40
    assert told.right >= 0.9 * told.true
    assert told.right - told.doubts_right >= 0.8 * told.true
    assert told.wrong_sure <= 0.02 * told.true


def test_in_a_grey_picture_every_suit_is_a_doubt() -> None:
    """What reads suits never saw one without its ink."""
    grey = cv2.cvtColor(cv2.cvtColor(a_table(2).image_bgr, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    reader = Reader.load(ReadSettings(tile_set=CARDS, threads=1))
    read = reader.read(picture_from_array(np.asarray(grey, np.uint8), "grey"))
    assert len(read.tiles) > 5
    assert all(tile.doubt for tile in read.tiles if not tile.tile.is_joker)


@pytest.mark.parametrize(
    ("ink_rgb", "leading"), [((0.36, 0.2, 0.23), 3), ((0.2, 0.2, 0.21), 2), ((0.28, 0.24, 0.18), 2)]
)
def test_a_spade_in_red_is_rather_a_diamond(ink_rgb: tuple[float, float, float], leading: int) -> None:
    face = np.full((64, 48, 3), 230, np.uint8)
    cv2.putText(face, "7", (12, 34), cv2.FONT_HERSHEY_SIMPLEX, 1, [230 * v for v in ink_rgb[::-1]], 4)
    corners = np.array([[[5, 6], [42, 6], [42, 57], [5, 57]]], np.float32)
    colour = np.array([[0.001, 0.004, 0.985, 0.01]])
    told = FaceReadings(np.eye(15)[[6]], colour, colour, np.eye(4)[[0]])
    settled = suits_doubted_by_ink(Pyramid(face), told, corners).colour[0]
    assert settled.argmax() == leading
    assert settled.sum() == pytest.approx(1)
    assert (settled.max() < 0.9) == (leading == 3)


def test_a_set_of_card_faces_is_learnt_and_read_with_what_reads_cards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = []
    for k, picture in enumerate(learning_pictures(5, a_design(1), split="heldout")):
        photos.append(str(tmp_path / f"{k}.png"))
        cv2.imwrite(photos[-1], picture.image_bgr)
    kept = tmp_path / "club"
    assert main(["learn", *photos, "--cards", "--name", "club", "--out", str(kept)]) == 0, capsys.readouterr()
    learnt = load_tile_set(kept.with_suffix(".tileset"))
    assert learnt.classifier_sha256 == checksum(CARDS)
    reader = Reader.load(ReadSettings(tile_set=str(kept.with_suffix(".tileset")), threads=1))
    assert reader.classifier.suits
    assert not Reader.load(ReadSettings(threads=1)).classifier.suits


def test_weights_without_cards_say_so(tmp_path: Path) -> None:
    shutil.copytree(WEIGHTS, tmp_path / "old")
    path = tmp_path / "old" / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    del manifest[CARDS]
    path.write_text(json.dumps(manifest), "utf-8")
    assert load_weights(1, tmp_path / "old").number_temperature > 0
    assert not checksum(CARDS, tmp_path / "old")
    with pytest.raises(WeightsError, match="read no faces of playing cards"):
        Reader.load(ReadSettings(tile_set=CARDS), weights_folder=tmp_path / "old")
