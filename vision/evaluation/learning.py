"""What learning a tile set gains: other pictures of the same designs, read before and after.

``python -m vision.evaluation.learning --designs 10 --pictures 5 --out docs/figures/learning``
The designs are drawn from families that training never saw; each is learnt from two rendered photographs.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.design import Design, sample_design
from datasets.labels import LabelledPicture
from datasets.ordered import learning_pictures
from datasets.render import render_picture
from vision.errors import VisionError
from vision.evaluation.run import evaluate_pictures
from vision.evaluation.score import PictureScore
from vision.evaluation.summary import Totals
from vision.picture import picture_from_array
from vision.reader import Reader
from vision.settings import ReadSettings
from vision.tile_set_learn import learn_tile_set

__all__ = ["DesignOutcome", "learning_table", "measure_design"]

_SIZE_WH = (1280, 960)
_PROFILES = ("sets", "scatter", "full", "sets", "rack")
_LEAST_TILES = 4


@dataclass(frozen=True, slots=True)
class DesignOutcome:
    """One design, read before and after it was learnt."""

    design: int
    """Its seed."""
    before: tuple[PictureScore, ...]
    """Pictures read without knowing the set."""
    after: tuple[PictureScore, ...]
    """The same pictures with the set; equal to ``before`` where it was refused."""
    refused: str = ""
    """Why it could not be learnt; empty where it could."""


def colour_photographs(seed: int, design: Design, split: str) -> tuple[LabelledPicture, LabelledPicture]:
    """Render the two photographs of a design; black-and-white ones, which are refused, are taken again."""
    while True:
        pair = learning_pictures(seed, design, split=split, size_wh=_SIZE_WH)
        if all(picture.families["sensor"] != "grey" for picture in pair):
            return pair
        seed += 500_000


def played_pictures(seed: int, design: Design, split: str, count: int) -> Iterator[tuple[str, LabelledPicture]]:
    """Render ``count`` pictures of a design in play, of several tiles each."""
    made = 0
    while made < count:
        profile = _PROFILES[made % len(_PROFILES)]
        picture = render_picture(seed, split=split, size_wh=_SIZE_WH, profile=profile, design=design)
        seed += 1
        if sum(tile.numeral_visible >= 0.7 for tile in picture.tiles) >= _LEAST_TILES:
            yield f"{profile}-{seed - 1}", picture
            made += 1


def measure_design(
    number: int, pictures: int, settings: ReadSettings, weights: Path | None, split: str = "heldout"
) -> DesignOutcome:
    """Learn design ``number`` from two photographs and read ``pictures`` others of it, before and after."""
    design = sample_design(np.random.default_rng([number, 777]), split)
    plain = Reader.load(settings, weights_folder=weights, any_set=True)
    shown = list(played_pictures(60_000_000 + 1000 * number, design, split, pictures))
    before = evaluate_pictures(shown, plain.read).scores
    pair = colour_photographs(70_000_000 + number, design, split)
    named = [(f"design {number}, photograph {k}", p) for k, p in enumerate(pair, 1)]
    try:
        learnt = learn_tile_set(
            [(name, picture_from_array(p.image_bgr, name)) for name, p in named], plain, str(number)
        )
    except VisionError as error:
        return DesignOutcome(number, before, before, str(error))
    adapted = Reader.load(settings, weights_folder=weights, tile_set=learnt.tile_set)
    return DesignOutcome(number, before, evaluate_pictures(shown, adapted.read).scores)


def _figures(scores: tuple[PictureScore, ...]) -> dict[str, int]:
    totals = Totals(scores)
    tiles = [tile for score in scores for tile in score.tiles]
    return {
        "tiles": totals.true, "found": totals.found, "false": totals.false,
        "number": sum(tile.number_right for tile in tiles), "colour": sum(tile.colour_right for tile in tiles),
        "right": totals.right, "doubts": totals.doubts, "doubts_right": totals.doubts_right,
        "wrong_sure": totals.wrong_sure,
    }  # fmt: skip


def learning_table(outcomes: list[DesignOutcome]) -> str:
    """Return one row a design and their sum, before and after, as a Markdown table."""
    lines = [
        "| design | tiles | found | number | colour | right | doubts (right) | wrong, unflagged | false |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    sums: list[dict[str, int]] = [{}, {}]
    for o in outcomes:
        figures = _figures(o.before), _figures(o.after)
        lines.append(_row(f"{o.design}{' (refused)' if o.refused else ''}", *figures))
        for total, one in zip(sums, figures, strict=True):
            total.update({key: total.get(key, 0) + value for key, value in one.items()})
    lines.append(_row("**all**", *sums))
    lines += ["", *(f"Design {o.design} was refused: {o.refused}" for o in outcomes if o.refused)]
    return "\n".join(lines).rstrip() + "\n"


def _row(name: str, b: dict[str, int], a: dict[str, int]) -> str:
    doubts = f"{b['doubts']} ({b['doubts_right']}) -> {a['doubts']} ({a['doubts_right']})"
    changes = [f"{b[key]} -> {a[key]}" for key in ("found", "number", "colour", "right")]
    wrong = [f"{b[key]} -> {a[key]}" for key in ("wrong_sure", "false")]
    return f"| {' | '.join([name, str(b['tiles']), *changes, doubts, *wrong])} |"


def _write_csv(outcomes: list[DesignOutcome], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["design", "when", *_figures(outcomes[0].before), "refused"])
        for o in outcomes:
            for when, scores in (("before", o.before), ("after", o.after)):
                writer.writerow([o.design, when, *_figures(scores).values(), o.refused])


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--designs", type=int, default=10)
    parser.add_argument(
        "--first", type=int, default=100, help="seed of the first design (0-23 chose the constants)"
    )
    parser.add_argument("--pictures", type=int, default=5, help="of each design")
    parser.add_argument("--split", default="heldout", choices=["heldout", "train"])
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write learning.md and learning.csv there")
    args = parser.parse_args()
    cv2.setNumThreads(args.threads)
    outcomes: list[DesignOutcome] = []
    for number in range(args.first, args.first + args.designs):
        outcomes.append(
            measure_design(number, args.pictures, ReadSettings(threads=args.threads), args.weights, args.split)
        )
        print(learning_table(outcomes[-1:]).splitlines()[2], flush=True)
    text = learning_table(outcomes)
    print(text)
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
        (args.out / "learning.md").write_text(text, "utf-8")
        _write_csv(outcomes, args.out / "learning.csv")


if __name__ == "__main__":
    main()
