"""The reader beside simpler ones, on the same pictures in one run.

``python -m vision.evaluation.compare FOLDER --split test --knn .work/knn.npz --yolo .work/yolo53.onnx``
Tiles are matched by their upright boxes, since the plain detector knows no others, at an overlap of one half. A
doubt counts as its best reading; what is cut off or buried beyond reading never counts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.photos import Split, load_photos
from vision.evaluation.classical import ClassicalReader
from vision.evaluation.matching import match
from vision.evaluation.plain_detector import PlainDetector
from vision.evaluation.rendered import rendered_pictures
from vision.evaluation.summary import wilson
from vision.evaluation.truth import PictureTruth, counts
from vision.picture import Picture, load_picture, picture_from_array
from vision.reader import Reader
from vision.readings import Corners, PhotoReading
from vision.settings import ReadSettings

__all__ = ["Compared", "compare", "comparison_table", "score_boxes"]

Read = Callable[[Picture], PhotoReading]
Shown = tuple[PictureTruth, Picture]


@dataclass(frozen=True, slots=True)
class Compared:
    """How one reader did on one picture. Counts, unless said otherwise."""

    true: int
    """Tiles that count."""
    found: int
    """Those that were found."""
    read: int
    """Tiles that were read, on what counts."""
    right: int
    """Those that were read right."""
    doubts: int
    """Readings on true tiles that are doubts."""
    wrong_sure: int
    """Readings on true tiles that are wrong without a doubt."""
    ms: float
    """Milliseconds for everything."""

    @property
    def whole(self) -> bool:
        """True where every tile is right, and nothing else was read."""
        return self.right == self.true == self.read


def _box(quad: Corners, size_wh: tuple[int, int]) -> Corners:
    """Return the upright box of what the frame shows of a quad, as corners (4, 2)."""
    limit = np.array(size_wh, np.float32)
    (left, top), (right, bottom) = np.clip(quad.min(axis=0), 0, limit), np.clip(quad.max(axis=0), 0, limit)
    return np.asarray([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


def score_boxes(truth: PictureTruth, reading: PhotoReading, ms: float) -> Compared:
    """Score one reading by upright boxes."""
    size = truth.size_wh
    faces = [tile for tile in truth.tiles if not tile.face_down and counts(tile)]
    free = [_box(t.corners_xy_px, size) for t in truth.tiles if not counts(t)]
    free += [_box(quad, size) for quad in truth.ignore_xy_px]
    boxes = [_box(tile.corners_xy_px, size) for tile in reading.tiles]
    matches = match(boxes, [_box(t.corners_xy_px, size) for t in faces], free, size)
    pairs = [(reading.tiles[f], faces[t].tile) for f, t in matches.true_of.items()]
    return Compared(
        true=len(faces),
        found=len(pairs),
        read=len(boxes) - len(matches.ignored),
        right=sum(read.tile == tile for read, tile in pairs),
        doubts=sum(read.doubt for read, _ in pairs),
        wrong_sure=sum(read.tile != tile and not read.doubt for read, tile in pairs),
        ms=ms,
    )


def compare(pictures: Iterable[Shown], readers: dict[str, Read]) -> dict[str, list[Compared]]:
    """Read every picture with every reader in turn."""
    scores: dict[str, list[Compared]] = {name: [] for name in readers}
    for truth, picture in pictures:
        for name, read in readers.items():
            start = time.perf_counter()
            reading = read(picture)
            scores[name].append(score_boxes(truth, reading, (time.perf_counter() - start) * 1000))
    return scores


def comparison_table(scores: dict[str, list[Compared]], on: str) -> str:
    """Return one row a reader, as a Markdown table."""
    lines = [
        f"| {on} | tiles F1 | found | right | read where nothing is | wrong, unflagged | doubts "
        "| every tile right | ms, median |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, own in scores.items():
        true, found, read, right, doubts, wrong = (
            sum(getattr(one, key) for one in own)
            for key in ("true", "found", "read", "right", "doubts", "wrong_sure")
        )
        with_tiles = [one for one in own if one.true]
        whole = sum(one.whole for one in with_tiles)
        low, high = wilson(whole, len(with_tiles))
        f1 = 2 * right / (true + read) if true + read else float("nan")
        share = f"{whole}/{len(with_tiles)} ({low:.0%}-{high:.0%})"
        ms = float(np.median([one.ms for one in own])) if own else float("nan")
        lines.append(
            f"| {name} | {f1:.4f} | {found}/{true} | {right}/{true} | {read - found} | {wrong} | {doubts} "
            f"| {share} | {ms:.0f} |"
        )
    return "\n".join(lines) + "\n"


def _photographs(folder: Path, split: Split | None) -> Iterable[Shown]:
    for photo in load_photos(folder, split=split):
        yield PictureTruth.of_photo(photo), load_picture(photo.path)


def _rendered(count: int) -> Iterable[Shown]:
    for name, picture in rendered_pictures(count):
        image: NDArray[np.uint8] = picture.image_bgr
        yield PictureTruth.of_picture(name, picture), picture_from_array(image, name)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="labelled photographs")
    parser.add_argument("--split", default="test", choices=["all", "train", "test"])
    parser.add_argument("--rendered", type=int, default=0, help="so many held-out rendered pictures, too")
    parser.add_argument("--weights", type=Path, help="the reader's models")
    parser.add_argument("--knn", type=Path, help="what vision.training.knn wrote")
    parser.add_argument("--yolo", type=Path, help="the ONNX file that vision.training.yolo53 exported")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write the tables there")
    args = parser.parse_args()
    cv2.setNumThreads(args.threads)
    readers: dict[str, Read] = {
        "tileref": Reader.load(ReadSettings(threads=args.threads), weights_folder=args.weights).read
    }
    if args.knn is not None:
        readers["contours and nearest neighbours"] = ClassicalReader(args.knn).read
    if args.yolo is not None:
        readers["plain 53-class YOLO"] = PlainDetector.from_file(args.yolo, args.threads).read
    text = ""
    if args.folder is not None:
        shown = _photographs(args.folder, None if args.split == "all" else args.split)
        text += comparison_table(compare(shown, readers), f"photographs, {args.split}")
    if args.rendered:
        text += "\n" + comparison_table(
            compare(_rendered(args.rendered), readers), "held-out rendered pictures"
        )
    print(text)
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
