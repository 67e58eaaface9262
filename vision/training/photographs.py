"""Make shards of labelled photographs, for the last stage of training.

``python -m vision.training.photographs FOLDER --split train --out .work/photos``
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from datasets.photos import Split, load_photos
from datasets.redesign import redesign
from vision.training.shards import ShardWriter


def write_photographs(folder: Path, out: Path, split: Split, repeat: int) -> int:
    """Write the photographs of ``split`` ``repeat`` times (each pass shuffles crops anew); return how many."""
    out.mkdir(parents=True, exist_ok=True)
    # Nobody has labelled the racks' fronts: such pictures would teach the finder that there are none.
    photos = [photo for photo in load_photos(folder, split=split) if photo.kind != "rack"]
    for k in range(repeat):
        writer = ShardWriter()
        rng = np.random.default_rng(k)
        for photo in photos:
            writer.add(photo.masked(), rng)
        writer.write(out / f"photos-{split}-{k:03d}")
    return len(photos)


def write_redesigned(folder: Path, out: Path, split: Split, variants: range, designs: str = "train") -> int:
    """Write each photograph of ``split`` in as many designs as ``variants``; return how many photographs.

    ``designs`` is the split of ``datasets.design_families`` whose families they are drawn from.
    """
    out.mkdir(parents=True, exist_ok=True)
    photos = [photo for photo in load_photos(folder, split=split) if photo.kind == "table"]
    for k in variants:
        writer = ShardWriter()
        for place, photo in enumerate(photos):
            rng = np.random.default_rng([k, place, 1])
            writer.add(redesign(photo.masked(), rng, designs), rng)
        writer.write(out / f"redesigned-{split}-{k:03d}")
    return len(photos)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="train", choices=["train", "test"])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--repeat", type=int, default=6)
    parser.add_argument(
        "--redesign",
        type=int,
        default=0,
        metavar="N",
        help="also write N other tile designs of each photograph",
    )
    parser.add_argument(
        "--first", type=int, default=0, metavar="K", help="number of the first of these designs"
    )
    parser.add_argument(
        "--designs", default="train", choices=["train", "ship"], help="families that they are drawn from"
    )
    args = parser.parse_args()
    if args.redesign:
        variants = range(args.first, args.first + args.redesign)
        done = write_redesigned(args.folder, args.out, args.split, variants, args.designs)
        print(f"{done} photographs in {args.redesign} other designs each", flush=True)
    print(f"{write_photographs(args.folder, args.out, args.split, args.repeat)} photographs", flush=True)


if __name__ == "__main__":
    main()
