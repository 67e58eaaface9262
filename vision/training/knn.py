"""The classical baseline's memory: gradients and inks of the classifier's own training crops.

``python -m vision.training.knn --data .work/shards .work/photos --out .work/knn.npz``
Sources: Dalal and Triggs 2005 (histograms of oriented gradients), Cover and Hart 1967 (nearest neighbours).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evaluation.classical import described
from vision.rectify import READ_MARGIN, READ_SIZE_WH, face_corners
from vision.training.shards import CROP_MARGIN, CROP_SIZE_WH, JOKER_CLASS, shard_stems

_COMPONENTS = 64


def reading_crops(stored: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return stored crops (N, 88, 66, 3) as the table would cut them, (N, 64, 48, 3)."""
    warp = cv2.getPerspectiveTransform(
        face_corners(CROP_SIZE_WH, CROP_MARGIN), face_corners(READ_SIZE_WH, READ_MARGIN)
    )
    return np.stack([np.asarray(cv2.warpPerspective(c, warp, READ_SIZE_WH), np.uint8) for c in stored])


def remember(folders: list[Path], out: Path, most: int, seed: int = 0) -> int:
    """Write up to ``most`` described faces of the shards' crops with their names; return how many."""
    rng = np.random.default_rng(seed)
    stems = shard_stems(*folders)
    share = most / max(len(stems), 1)
    shapes, inks, numbers, colours = [], [], [], []
    for stem in stems:
        with np.load(stem.with_suffix(".npz")) as shard:
            rows, crops = shard["crop_rows"], shard["crops"]
        faces = np.flatnonzero((rows[:, 1] <= JOKER_CLASS) & (rows[:, 4] == 0) & (rows[:, 3] > 0.7))
        faces = rng.permutation(faces)[: int(share) + int(rng.random() < share % 1)]
        if not len(faces):
            continue
        shape, ink = described(reading_crops(crops[faces]))
        shapes.append(shape)
        inks.append(ink)
        numbers.append(rows[faces, 1].astype(np.int16))
        colours.append(rows[faces, 2].astype(np.int16))
    every = np.concatenate(shapes)
    mean = every.mean(axis=0)
    _, _, directions = np.linalg.svd(every[:: max(1, len(every) // 4000)] - mean, full_matrices=False)
    basis = directions[:_COMPONENTS].T.astype(np.float32)
    np.savez(
        out, mean=mean, basis=basis, shape=(every - mean) @ basis, ink=np.concatenate(inks),
        number=np.concatenate(numbers), colour=np.concatenate(colours),
    )  # fmt: skip
    return len(every)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, default=20_000)
    args = parser.parse_args()
    print(f"{remember(args.data, args.out, args.most)} faces remembered")


if __name__ == "__main__":
    main()
