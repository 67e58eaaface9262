"""Render training pictures into shards, on all cores, for a given count or time.

``python -m vision.training.generate --out .work/train --count 20000 --workers 2``
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from pathlib import Path

import cv2
import numpy as np

from vision.training.shards import ShardWriter

PER_SHARD = 100


def _work(task: tuple[int, int, int, int, str, str, str, str, float]) -> int:
    worker, workers, first, end, out, split, designs, skin, deadline = task
    # Rendering many pictures side by side is faster with one thread each.
    cv2.setNumThreads(1)
    from datasets.design import sample_design
    from datasets.render import render_picture

    folder = Path(out)
    made = 0
    for shard in range(first // PER_SHARD + worker, (end + PER_SHARD - 1) // PER_SHARD, workers):
        if time.time() > deadline:
            break
        stem = folder / f"{split}-{shard:06d}"
        if stem.with_suffix(".npz").exists():
            continue
        writer = ShardWriter()
        for seed in range(max(shard * PER_SHARD, first), min((shard + 1) * PER_SHARD, end)):
            if time.time() > deadline:
                break
            own = designs != split or skin != "numbers"
            drawn = sample_design(np.random.default_rng((seed, 5)), designs, skin=skin) if own else None
            writer.add(render_picture(seed, split=split, design=drawn), np.random.default_rng((seed, 7)))
        if len(writer):
            writer.write(stem)
        made += len(writer)
    return made


def generate(
    out: Path,
    count: int,
    split: str,
    workers: int,
    seconds: float = 1e9,
    first: int = 0,
    designs: str | None = None,
    skin: str = "numbers",
) -> int:
    """Render up to ``count`` pictures of ``split`` into ``out``, with seeds from ``first`` on; return how many.

    ``designs``: the split that the tiles' designs are of, where it is another one than that of all else;
    ``skin``: what their faces show, numbers or cards.

    Shard n holds seeds 100 n to 100 n + 99. Shards already there are kept, so that an interrupted run goes on
    where it stopped.
    """
    out.mkdir(parents=True, exist_ok=True)
    deadline = time.time() + seconds
    tasks = [
        (k, workers, first, first + count, str(out), split, designs or split, skin, deadline)
        for k in range(workers)
    ]
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        return sum(pool.imap_unordered(_work, tasks))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="seed of the first picture")
    parser.add_argument("--split", default="train", choices=["train", "heldout", "final"])
    parser.add_argument(
        "--designs", choices=["ship", "reserved"], help="split of the tiles' designs, where it is another"
    )
    parser.add_argument("--skin", choices=["numbers", "cards"], default="numbers", help="what the faces show")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this long")
    args = parser.parse_args()
    start = time.time()
    made = generate(
        args.out, args.count, args.split, args.workers, args.seconds, args.first, args.designs, args.skin
    )
    took = time.time() - start
    print(f"{made} pictures in {took:.0f} s, {made / max(took, 1e-9):.1f} a second", flush=True)


if __name__ == "__main__":
    main()
