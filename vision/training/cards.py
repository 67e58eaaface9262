"""Learn the profile ``cards``: faces A 2..10 J Q K with a suit, by the same few weights as a set of one's own.

``python -m vision.training.cards --weights vision/weights --out vision/weights/cards.tileset``
Red stands for hearts, black for spades, orange for diamonds, blue for clubs; A is 1, J, Q and K are 11 to 13.
The profile belongs to the classifier it was learnt with: run this anew after each export. ``--measure N`` reads
pictures of N held-out designs with and without it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from datasets.design import sample_design
from datasets.labels import LabelledPicture
from datasets.ordered import ordered_rows, picture_of_rows
from datasets.render import render_picture
from referee.tiles import Colour
from vision.classify import Classifier
from vision.evaluation.run import evaluate_pictures
from vision.evaluation.summary import Totals
from vision.models import load_weights
from vision.reader import Reader
from vision.rectify import Pyramid
from vision.settings import ReadSettings
from vision.tile_set import TileSet, load_tile_set, save_tile_set
from vision.tile_set_labels import NamedPhoto
from vision.tile_set_learn import fitted

_RIDGE = 0.002
_LOOKS = 6
_SIZE_WH = (1280, 960)


def card_photographs(designs: int, classifier: Classifier, split: str = "train") -> Iterator[NamedPhoto]:
    """Render one photograph of all faces of each of ``designs`` card designs, named by their truth."""
    seed = 0
    while designs:
        seed += 1
        design = sample_design(np.random.default_rng([seed, 31]), split, skin="cards")
        rows = ordered_rows(list(Colour), jokers=2)
        picture = picture_of_rows(rows, seed, design, split=split, size_wh=_SIZE_WH)
        if picture.families["sensor"] == "grey":
            continue
        shown = [t for t in picture.tiles if t.tile is not None and t.numeral_visible > 0.9]
        quads = np.stack([t.corners_xy_px for t in shown])
        pyramid = Pyramid(picture.image_bgr)
        tiles = tuple(t.tile for t in shown if t.tile is not None)
        yield NamedPhoto(f"cards {seed}", pyramid, quads, tiles, classifier.read(pyramid.crops(quads)), ())
        designs -= 1


def learn_cards(designs: int, classifier: Classifier, seed: int = 0) -> TileSet:
    """Return the profile."""
    photos = list(card_photographs(designs, classifier))
    return fitted(photos, classifier, "cards", np.random.default_rng(seed), looks=_LOOKS, ridge=_RIDGE)


def _held_out(designs: int) -> Iterator[tuple[str, LabelledPicture]]:
    for number in range(designs):
        design = sample_design(np.random.default_rng([number, 32]), "heldout", skin="cards")
        for k, profile in enumerate(("sets", "scatter", "full")):
            seed = 80_000_000 + 10 * number + k
            yield (
                f"{profile}-{seed}",
                render_picture(seed, split="heldout", size_wh=_SIZE_WH, profile=profile, design=design),
            )


def measure(designs: int, weights: Path | None, tile_set: TileSet) -> str:
    """Return figures of held-out card designs, read without and with the profile."""
    shown = list(_held_out(designs))
    lines = []
    for name, own in (("without", None), ("with", tile_set)):
        reader = Reader.load(ReadSettings(threads=1), weights_folder=weights, tile_set=own, any_set=True)
        scores = evaluate_pictures(shown, reader.read).scores
        t, tiles = Totals(scores), [tile for score in scores for tile in score.tiles]
        number, colour = sum(x.number_right for x in tiles), sum(x.colour_right for x in tiles)
        lines.append(
            f"{name} the profile: {t.true} tiles, {t.found} found, number {number}, colour {colour}, "
            f"right {t.right}, doubts {t.doubts} ({t.doubts_right} right), wrong and not flagged {t.wrong_sure}"
        )
    return "\n".join(lines)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, help="the models to learn it with; default: the shipped ones")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--designs", type=int, default=40)
    parser.add_argument("--measure", type=int, default=0, metavar="N", help="on N held-out designs")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    classifier = Classifier(load_weights(1, args.weights))
    tile_set = learn_cards(args.designs, classifier)
    print(f"{save_tile_set(tile_set, args.out)} bytes, {tile_set.faces} faces", flush=True)
    if args.measure:
        print(measure(args.measure, args.weights, load_tile_set(args.out)))


if __name__ == "__main__":
    main()
