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


def write_redesigned(folder: Path, out: Path, split: Split, variants: int) -> int:
    """Write ``variants`` other tile designs of each photograph of ``split``; return how many photographs.

    Designs are drawn from the families that training may use.
    """
    out.mkdir(parents=True, exist_ok=True)
    photos = [photo for photo in load_photos(folder, split=split) if photo.kind == "table"]
    for k in range(variants):
        writer = ShardWriter()
        for place, photo in enumerate(photos):
            rng = np.random.default_rng([k, place, 1])
            writer.add(redesign(photo.masked(), rng), rng)
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
    args = parser.parse_args()
    if args.redesign:
        done = write_redesigned(args.folder, args.out, args.split, args.redesign)
        print(f"{done} photographs in {args.redesign} other designs each", flush=True)
    print(f"{write_photographs(args.folder, args.out, args.split, args.repeat)} photographs", flush=True)


if __name__ == "__main__":
    main()
