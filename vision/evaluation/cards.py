"""How surely faces of playing cards are read, A 2..10 J Q K with a suit, on rendered designs never trained on.

``python -m vision.evaluation.cards --designs 20`` renders, for each of that many designs of held-out families,
a table of sets, tiles lying about and a full table, and reads them. It needs a clone of the repository.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from datasets.design import sample_design
from datasets.labels import LabelledPicture
from datasets.render import render_picture
from vision.errors import VisionError
from vision.evaluation.gallery import Gallery
from vision.evaluation.run import evaluate_pictures
from vision.models import CARDS
from vision.reader import Reader
from vision.settings import ReadSettings

__all__ = ["card_pictures"]

_SIZE_WH = (1280, 960)
_PROFILES = ("sets", "scatter", "full")
_SEED = 80_000_000


def card_pictures(designs: range) -> Iterator[tuple[str, LabelledPicture]]:
    """Render three pictures of each of ``designs``, numbers of held-out card designs, with names."""
    for number in designs:
        design = sample_design(np.random.default_rng([number, 32]), "heldout", skin="cards")
        for k, profile in enumerate(_PROFILES):
            seed = _SEED + 10 * number + k
            picture = render_picture(seed, split="heldout", size_wh=_SIZE_WH, profile=profile, design=design)
            yield f"{profile}-{seed}", picture


def main() -> None:
    """Print the summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--designs", type=int, default=20, help="how many designs")
    parser.add_argument("--first", type=int, default=0, help="number of the first design")
    parser.add_argument("--weights", type=Path, help="folder of other models")
    parser.add_argument("--out", type=Path, help="also write tables and sheets of failures")
    asked = parser.parse_args()
    try:
        reader = Reader.load(ReadSettings(tile_set=CARDS), weights_folder=asked.weights)
    except VisionError as error:
        parser.error(str(error))
    gallery = Gallery()
    outcome = evaluate_pictures(
        card_pictures(range(asked.first, asked.first + asked.designs)), reader.read, gallery
    )
    outcome.tell(asked.out, gallery)


if __name__ == "__main__":
    main()
