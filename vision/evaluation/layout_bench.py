"""Measure the layout reader on synthetic tables, apart from detection.

Every class of layout is drawn at random on the plane, photographed by a pinhole camera, its corners jittered,
some tiles dropped; counted is the share of tables on which every set is right, order included.

Run ``python -m vision.evaluation.layout_bench`` for the table of figures, with ``--truth photos.jsonl`` for
the same on labelled photographs.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.evaluation.layout_classes import CLASSES
from vision.evaluation.layout_tables import LaidTable, draw_rack, draw_table
from vision.layout import Layout, read_layout

Floats = NDArray[np.float64]

RACKS = "racks of 1-3 steps, their fronts given"


def wrong_sets(layout: Layout, table: LaidTable) -> list[tuple[int, ...]]:
    """Return the true sets that were not read as they lie; a set that lost a tile may be split."""
    found = {laid.members for laid in layout.sets}
    wrong = []
    for index, true in enumerate(table.sets):
        if true in found:
            continue
        flips = _ties(true, table)
        parts = [laid for laid in found if set(laid) <= set(true)]
        split = index in table.broken and sum(map(len, parts)) == len(true)
        if not split and not (flips and true[::-1] in found):
            wrong.append(true)
    return wrong


def _ties(true: tuple[int, ...], table: LaidTable) -> bool:
    """Tell whether a set that lost tiles faces both ways in equal parts, so that both orders are right."""
    if len(true) % 2:
        return False
    right = table.corners_xy_px[list(true), 1] - table.corners_xy_px[list(true), 0]
    return float(np.sign(right @ right[0]).sum()) == 0


def measure(tables: int, noises: Sequence[float], missing: float, seed: int, only: str = "") -> None:
    """Print, per class and noise level, tables fully right, and doubts among right and wrong sets."""
    print(f"| class | {' | '.join(f'jitter {noise:.1%}' for noise in noises)} |")
    print("|---|" + "---|" * len(noises))
    spent: list[float] = []
    for number, name in enumerate([*CLASSES, RACKS]):
        if only and only not in name:
            continue
        cells = []
        for noise in noises:
            rng = np.random.default_rng([seed, number, round(noise * 1000)])
            right = sets = doubts = faults = caught = 0
            for _ in range(tables):
                racks = []
                if name == RACKS:
                    table, front = draw_rack(rng, noise)
                    racks = [front]
                else:
                    table = draw_table(rng, name, noise, missing)
                start = time.perf_counter()
                layout = read_layout(table.corners_xy_px, racks)
                spent.append(time.perf_counter() - start)
                wrong = wrong_sets(layout, table)
                right += not wrong
                sets += len(table.sets)
                doubts += sum(laid.doubt for laid in layout.sets)
                unsure = {tile for laid in layout.sets if laid.doubt for tile in laid.members}
                faults += len(wrong)
                caught += sum(bool(unsure & set(true)) for true in wrong)
            cells.append(
                f"{right / tables:.1%} ({right}/{tables}), doubts {doubts / sets:.1%},"
                f" wrong {faults} of {sets} ({caught} in doubt)"
            )
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print(f"\n{np.median(spent) * 1e3:.1f} ms median, {np.max(spent) * 1e3:.1f} ms most")


def measure_photos(truth: Path) -> None:
    """Print how the sets of labelled photographs are read from their true corners, place by place.

    Photographs whose sets two careful people could lay out differently are left out. A rack is given as the
    box round its tiles, since only the tiles are labelled.
    """
    counts: dict[str, list[int]] = {}
    for line in truth.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["kind"] == "empty":
            continue
        size = record["size"]
        corners = np.array([tile["corners"] for tile in record["tiles"]]) * size
        kind = read_layout(corners, size_wh=tuple(size)).kind
        racks = [_box(corners)] if record["kind"] == "rack" else []
        layout = read_layout(corners, racks, tuple(size))
        sure = not record["sets_unsure"]
        true = {tuple(members) for members in record["sets"]}
        read = {laid.members for laid in layout.sets}
        row = counts.setdefault(f"{record['kind']}, {record['place']}", [0] * 7)
        row[0] += 1
        row[1] += kind == record["kind"]
        if sure:
            row[2] += 1
            row[3] += read == true
            row[4] += len(true)
            row[5] += len(true - read)
            row[6] += sum(laid.doubt for laid in layout.sets)
            if read != true:
                print(record["name"], "true", sorted(true - read), "read", sorted(read - true))
    print("\n| kind, place | photos | kind right | sure | all sets right | sets | wrong | doubts |")
    print("|---|---|---|---|---|---|---|---|")
    for name, row in counts.items():
        print(f"| {name} | " + " | ".join(map(str, row)) + " |")


def _box(corners: Floats) -> Floats:
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    return np.array([low, [high[0], low[1]], high, [low[0], high[1]]])


def main() -> None:
    """Run the measurements asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, default=200, help="tables per class and noise level")
    parser.add_argument("--noise", type=float, nargs="*", default=[0.0, 0.015, 0.03, 0.04])
    parser.add_argument("--missing", type=float, default=0.0, help="share of tiles dropped")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="part of a class's name")
    parser.add_argument("--truth", type=Path, help="labelled photographs, photos.jsonl")
    asked = parser.parse_args()
    if asked.truth:
        measure_photos(asked.truth)
    else:
        measure(asked.tables, asked.noise, asked.missing, asked.seed, asked.only)


if __name__ == "__main__":
    main()
