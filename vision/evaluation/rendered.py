"""Pictures of renderer families that training never saw: the stand-in for unseen tile designs."""

from __future__ import annotations

from collections.abc import Iterator

from datasets.labels import LabelledPicture
from datasets.negatives import ALONE
from datasets.render import render_picture

FIRST_SEED = 50_000_000
"""Far beyond the seeds of training."""


def rendered_pictures(count: int, split: str = "heldout") -> Iterator[tuple[str, LabelledPicture]]:
    """Render ``count`` pictures of ``split``, each with a name made of its seed."""
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        yield f"{split}-{seed}", render_picture(seed, split=split)


def negative_pictures(count: int, split: str = "heldout") -> Iterator[tuple[str, LabelledPicture]]:
    """Render ``count`` pictures of look-alikes of ``split`` without a tile, each named by its seed."""
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        yield f"{split}-negatives-{seed}", render_picture(seed, split=split, profile=ALONE)
