"""Learn the table's own tile set from two photographs of its faces.

Lay each colour in one row from 1 to 13, the colours in any order, two colours
in a photograph, the joker below the last row, everything the same way up; take
the photographs from above, sharp and in colour. All in one photograph will do,
and so will more than two. The set is kept as a small file. Use it with
--tile-set NAME, or for good with the setting read.tile_set.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from referee.tiles import Colour
from tileref.session import Session, emit_json
from tileref.status import Status
from vision.picture import load_picture


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="photographs of the set, laid in order")
    parser.add_argument("--name", required=True, help="what to call the set, such as kitchen")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="keep it there, in FILE.tileset, instead of in your own folder"
    )
    parser.add_argument(
        "--colours",
        type=_colours,
        metavar="R,B,K,O",
        help="the colours of the rows in reading order, photograph after photograph, where they cannot be told",
    )
    parser.add_argument(
        "--as-laid", action="store_true", help="the tiles lie in order, whatever they seem to read"
    )
    parser.add_argument("--cards", action="store_true", help="the tiles have the faces of playing cards")
    parser.add_argument("--weights", type=Path, metavar="DIR", help="learn for the models in DIR instead")
    parser.add_argument("--json", action="store_true", help="print what was learnt as one JSON object")


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Learn the set and keep it."""
    from vision.reader import Reader
    from vision.tile_set import save_tile_set
    from vision.tile_set_learn import learn_tile_set
    from vision.user_data import tile_set_path

    path = tile_set_path(_shown(arguments))
    pictures = [
        (photo, load_picture(photo, session.settings.read.max_megapixels)) for photo in arguments.photos
    ]
    reader = Reader.load(
        session.settings.read, weights_folder=arguments.weights, any_set=True, cards=arguments.cards
    )
    learnt = learn_tile_set(
        pictures, reader, arguments.name, colours=arguments.colours, as_laid=arguments.as_laid
    )
    size = save_tile_set(learnt.tile_set, path)
    if arguments.json:
        emit_json(
            {
                "name": arguments.name, "file": str(path), "bytes": size, "faces": learnt.tile_set.faces,
                "photos": [
                    {"photo": photo, "rows": [colour.letter for colour in rows], "jokers": jokers}
                    for photo, rows, jokers in learnt.rows
                ],
                "read_otherwise_before": [[str(tile), str(read)] for tile, read in learnt.misread],
            }
        )  # fmt: skip
        return Status.FINE
    for photo, rows, jokers in learnt.rows:
        named = ", ".join(f"{colour.name.lower()} 1-13" for colour in rows)
        print(f"{photo}: {named}{f', {jokers} joker' if jokers else ''}{'s' if jokers > 1 else ''}")
    if learnt.misread:
        pairs = ", ".join(f"{tile} as {read}" for tile, read in learnt.misread)
        print(f"Read otherwise before: {pairs}. Look whether these lie where they should.")
    print(
        f"The set {arguments.name!r} is learnt: {path}, {size} bytes. "
        f"Use it with --tile-set {_shown(arguments)}."
    )
    return Status.FINE


def _shown(arguments: argparse.Namespace) -> str:
    return arguments.name if arguments.out is None else str(arguments.out.with_suffix(".tileset"))


def _colours(text: str) -> list[Colour]:
    try:
        return [Colour(letter.strip().upper()) for letter in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} names no colours: write letters such as R,B,K,O") from None
