"""How long a read takes: pictures of three sizes with 20, 60 and 106 tiles, by library and threads.

The pictures are rendered, so this needs the repository. Each scene is rendered once, at 4K, and brought to the
smaller sizes, so that a row of the table differs from its neighbour in one thing only.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.design import sample_design
from datasets.ordered import ordered_rows, picture_of_rows
from referee.tiles import Colour, Tile
from vision.picture import Picture
from vision.readings import PhotoReading

__all__ = ["SIZES_WH", "TILES", "SpeedRow", "measure_speed", "speed_scene", "speed_table"]

SIZES_WH = ((1280, 720), (1920, 1080), (3840, 2160))
TILES = (20, 60, 106)
_SEED = 3
_WARM_UPS = 2
_REST_S = 0.3
"""Long enough for threads that wait busily to go to sleep."""

ReadPicture = Callable[[Picture], PhotoReading]


@dataclass(frozen=True, slots=True)
class SpeedRow:
    """What one reader took for one picture; milliseconds are medians."""

    size_wh: tuple[int, int]
    """The picture, pixels."""
    tiles: int
    """Tiles that lie there."""
    read: int
    """Tiles that were read."""
    backend: str
    """The library that ran the networks."""
    threads: int
    """How many threads it had."""
    ms: Mapping[str, float]
    """By stage, as the reader tells them; ``whole`` is the picture in memory to the reading."""
    fastest_ms: float
    """The fastest whole read: what another program on the machine disturbed least."""
    processor_ms: float
    """Processor time of a whole read, all threads together."""


def speed_scene(tiles: int, size_wh: tuple[int, int] = SIZES_WH[-1]) -> NDArray[np.uint8]:
    """Return a table of exactly so many tiles (at most 106), seen from above, (H, W, 3) BGR."""
    every = [tile for _ in range(2) for row in ordered_rows(list(Colour), 1) for tile in row]
    if not 0 < tiles <= len(every):
        raise ValueError(f"a box holds 106 tiles, so {tiles} cannot lie there")
    wide = 13 if tiles > 65 else 10
    rows: list[Sequence[Tile]] = [every[:tiles][k : k + wide] for k in range(0, tiles, wide)]
    design = sample_design(np.random.default_rng(_SEED), split="train")
    return picture_of_rows(rows, _SEED, design, split="train", size_wh=size_wh).image_bgr


def measure_speed(
    readers: Mapping[tuple[str, int], ReadPicture],
    scenes: Mapping[int, NDArray[np.uint8]],
    runs: int,
    sizes_wh: Sequence[tuple[int, int]] = SIZES_WH,
) -> Iterator[SpeedRow]:
    """Time every reader on every picture; ``readers`` go by library and threads, ``scenes`` by tiles.

    Each reader has its runs in one go: idle threads of another library would wait busily beside it.
    """
    for size_wh in sizes_wh:
        for tiles, image_bgr in scenes.items():
            picture = Picture(_brought_to(image_bgr, size_wh), False)
            for (backend, threads), read in readers.items():
                taken: list[Mapping[str, float]] = []
                time.sleep(_REST_S)
                for _ in range(_WARM_UPS):
                    read(picture)
                for _ in range(runs):
                    start, processor = time.perf_counter(), time.process_time()
                    reading = read(picture)
                    whole = (time.perf_counter() - start) * 1000
                    spent = (time.process_time() - processor) * 1000
                    taken.append({**reading.ms, "whole": whole, "processor": spent})
                seen = len(reading.tiles) + len(reading.unreadable)
                median = {name: round(statistics.median(ms[name] for ms in taken), 1) for name in taken[0]}
                processor_ms = median.pop("processor")
                fastest = round(min(ms["whole"] for ms in taken), 1)
                yield SpeedRow(size_wh, tiles, seen, backend, threads, median, fastest, processor_ms)


def speed_table(rows: Sequence[SpeedRow]) -> str:
    """Return the rows as a Markdown table."""
    lines = [
        "| picture | tiles | read | library | threads "
        "| find | refine | classify | all else | whole | fastest | processor time |",
        "|---" * 12 + "|",
    ]
    for row in rows:
        told = [row.ms.get(name, 0.0) for name in ("find", "refine", "classify")]
        rest = max(row.ms["whole"] - sum(told), 0.0)
        times = [*told, rest, row.ms["whole"], row.fastest_ms, row.processor_ms]
        width, height = row.size_wh
        lines.append(
            f"| {width} x {height} | {row.tiles} | {row.read} | {row.backend} | {row.threads} | "
            + " | ".join(f"{ms:.0f}" for ms in times)
            + " |"
        )
    return "\n".join(lines)


def _brought_to(image_bgr: NDArray[np.uint8], size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    if (image_bgr.shape[1], image_bgr.shape[0]) == size_wh:
        return image_bgr
    return np.asarray(cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
