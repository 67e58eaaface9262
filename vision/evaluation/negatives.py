"""What a reader takes for tiles where there are none: false finds on pictures of look-alikes."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from datasets.labels import LabelledPicture
from vision.evaluation.run import Read
from vision.evaluation.summary import wilson
from vision.picture import picture_from_array

__all__ = ["NegativeScore", "negatives_summary", "score_negatives", "write_negatives"]


@dataclass(frozen=True, slots=True)
class NegativeScore:
    """What was found in one picture without a tile."""

    name: str
    """The picture's name."""
    kinds: tuple[str, ...]
    """What lies there."""
    sure: int
    """Tiles that were read without a doubt."""
    doubts: int
    """Tiles that were read in doubt, or found and not read."""
    backs: int
    """Tiles found face down."""

    @property
    def finds(self) -> int:
        """Everything that was found; all of it is false."""
        return self.sure + self.doubts + self.backs


def score_negatives(
    pictures: Iterable[tuple[str, LabelledPicture]],
    read: Read,
    told: Callable[[NegativeScore], None] | None = None,
) -> tuple[NegativeScore, ...]:
    """Read pictures of look-alikes and count what was found.

    Raises:
        ValueError: a picture that holds a tile.
    """
    scores = []
    for name, picture in pictures:
        if picture.tiles:
            raise ValueError(f"{name} holds tiles, so what is found there need not be false")
        reading = read(picture_from_array(picture.image_bgr, name))
        sure = reading.sure_tiles
        doubts = len(reading.tiles) - sure + len(reading.unreadable)
        kinds = tuple(sorted(picture.families.get("negatives", "ground alone").split("+")))
        scores.append(NegativeScore(name, kinds, sure, doubts, len(reading.face_down_xy_px)))
        if told is not None:
            told(scores[-1])
    return tuple(scores)


def negatives_summary(scores: Sequence[NegativeScore]) -> str:
    """Return the false finds as Markdown: altogether, and for the pictures that hold each kind."""
    clean, finds = sum(not s.finds for s in scores), sum(s.finds for s in scores)
    low, high = wilson(clean, len(scores))
    lines = [
        "",
        f"Look-alikes without a tile: {len(scores)} pictures, {finds} false finds"
        f" ({finds / max(len(scores), 1):.2f} a picture), of them {sum(s.sure for s in scores)} sure,"
        f" {sum(s.doubts for s in scores)} in doubt, {sum(s.backs for s in scores)} backs."
        f" Nothing was found in {clean} of {len(scores)} ({low:.1%} to {high:.1%}).",
        "",
        "| pictures that hold | pictures | finds | sure | nothing found |",
        "|---|---|---|---|---|",
    ]
    rows = []
    for kind in {kind for s in scores for kind in s.kinds}:
        here = [s for s in scores if kind in s.kinds]
        found, sure = sum(s.finds for s in here), sum(s.sure for s in here)
        rows.append((-found, f"| {kind} | {len(here)} | {found} | {sure} | {sum(not s.finds for s in here)} |"))
    return "\n".join([*lines, *(row for _, row in sorted(rows))]) + "\n"


def write_negatives(scores: Sequence[NegativeScore], path: Path) -> None:
    """Write one line a picture as CSV; OSError where it cannot."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["name", "kinds", "finds", "sure", "doubts", "backs"])
        writer.writerows([s.name, "+".join(s.kinds), s.finds, s.sure, s.doubts, s.backs] for s in scores)
