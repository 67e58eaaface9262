"""How surely tile designs are read that training never saw, in real photographs.

``python -m vision.evaluation.redesigned FOLDER --variants 6 --out DIR`` gives the tiles of every labelled
photograph of the test part other designs, of held-out families, one a photograph and variant: light, shadows,
sharpness and ground stay as photographed, only what is printed on the tiles is new (:mod:`datasets.redesign`).
It needs a clone of the repository.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from datasets.design import Split
from datasets.labels import LabelledPicture
from datasets.photos import LabelledPhoto, PhotoLabelsError, load_photos
from datasets.redesign import redesign
from vision.errors import VisionError
from vision.evaluation.gallery import Gallery
from vision.evaluation.run import evaluate_pictures
from vision.reader import Reader

__all__ = ["redesigned"]

_SEED = 99


def redesigned(
    photos: Sequence[LabelledPhoto], variants: range, split: Split = "heldout"
) -> Iterator[tuple[str, LabelledPicture]]:
    """Make the photographs in designs of ``split``, each with a name; those without tiles are left out.

    The same photographs, variants and split give the same pictures.
    """
    for variant in variants:
        for place, photo in enumerate(photos):
            if photo.tiles:
                rng = np.random.default_rng([variant, place, _SEED])
                yield f"{photo.name}-{variant}", redesign(photo.masked(), rng, split)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the summary."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluation.redesigned", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="labelled photographs")
    parser.add_argument("--variants", type=int, default=6, help="designs a photograph")
    parser.add_argument("--first", type=int, default=0, help="number of the first variant")
    parser.add_argument("--weights", type=Path, help="folder of other models")
    parser.add_argument("--out", type=Path, help="also write tables and sheets of failures")
    parser.add_argument(
        "--designs", default="heldout", choices=["heldout", "reserved"], help="split of the families"
    )
    asked = parser.parse_args(arguments)
    try:
        photos, reader = load_photos(asked.folder, None, "test"), Reader.load(weights_folder=asked.weights)
    except (PhotoLabelsError, VisionError) as error:
        parser.error(str(error))
    gallery = Gallery()
    variants = range(asked.first, asked.first + asked.variants)
    outcome = evaluate_pictures(
        redesigned(photos, variants, asked.designs),
        reader.read,
        gallery,
        place=lambda picture: picture.families["redesign"],
    )
    outcome.tell(asked.out, gallery)


if __name__ == "__main__":
    main()
