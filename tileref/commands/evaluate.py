"""Measure the reading on labelled photographs: tiles, corners, numbers, colours, sets, milliseconds.

The folder holds images/NAME.jpg, labels/NAME.txt (class x1 y1 x2 y2 ..., in
fractions) and classes.txt, or a truth.jsonl that also says which way is up and
which tiles form sets. It needs a clone of the repository: what reads labels is
not installed with the program. --rendered measures on pictures made for it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tileref.session import Session
from tileref.status import Status
from vision.errors import VisionError
from vision.picture import Picture
from vision.readings import PhotoReading

if TYPE_CHECKING:
    from vision.evaluation.run import Outcome
    from vision.evaluation.score import PictureScore

_PARTS = ("all", "train", "test")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("folder", type=Path, metavar="FOLDER", nargs="?", help="labelled photographs")
    what.add_argument(
        "--rendered",
        type=_count,
        metavar="N",
        help="N rendered pictures of designs kept out of training instead",
    )
    parser.add_argument(
        "--weights", type=Path, metavar="DIR", help="measure the models in DIR instead of the shipped ones"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write photos.csv and summary.md there")
    parser.add_argument(
        "--gallery", type=Path, metavar="DIR", help="write contact sheets of the failures there, one a kind"
    )
    parser.add_argument("--split", choices=_PARTS, default="all", help="only this part of the photographs")
    parser.add_argument(
        "--limit", type=_count, metavar="N", help="at most so many photographs, spread over all of them"
    )
    parser.add_argument("--truth", type=Path, metavar="FILE", help="a truth text instead of the folder's own")


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Measure, print the summary and write what was asked for."""
    try:
        from vision.evaluation.gallery import Gallery
        from vision.evaluation.rendered import rendered_pictures
        from vision.evaluation.run import evaluate_folder, evaluate_pictures
        from vision.reader import Reader
    except ModuleNotFoundError as error:
        # The wheel carries no datasets; there is also another project's package of that name.
        if (error.name or "").split(".")[0] != "datasets":
            raise
        session.complain(
            "'tileref evaluate' works only in a clone of the repository, because what reads labelled "
            "photographs is not installed with the program."
        )
        return Status.UNUSABLE
    if arguments.weights is not None:
        session.make_reader = lambda settings, box: Reader.load(settings, box, arguments.weights)
    gallery = Gallery() if arguments.gallery is not None else None

    def told(score: PictureScore) -> None:
        if score.error:
            session.complain(score.error)
        session.remark(f"{score.name}: {score.right} of {score.true} tiles right, {score.false} false.")

    def read(picture: Picture) -> PhotoReading:
        return session.reader().read(picture)

    if arguments.rendered is not None:
        pictures = rendered_pictures(arguments.rendered)
        outcome = evaluate_pictures(pictures, read, gallery, told, place=lambda p: p.kind)
    else:
        outcome = evaluate_folder(
            arguments.folder,
            read,
            truth=arguments.truth,
            split=None if arguments.split == "all" else arguments.split,
            limit=arguments.limit,
            gallery=gallery,
            told=told,
        )
    sys.stdout.write(outcome.summary)
    try:
        if arguments.out is not None:
            outcome.write(arguments.out)
        if gallery is not None:
            gallery.write(arguments.gallery)
    except OSError as error:
        raise VisionError(f"{error.filename} cannot be written: {error.strerror}.") from error
    return _status(outcome)


def _status(outcome: Outcome) -> Status:
    return Status.UNUSABLE if any(score.error for score in outcome.scores) else Status.FINE


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of photographs: write 1 or more")
    return number
