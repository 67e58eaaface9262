"""Time every stage of reading one photograph on this machine.

Without a photograph it takes the rendered table of 60 tiles, 1920 x 1080, that
lies in the samples of the project. Each figure is the median of the runs, after
two runs that do not count; the cold start is timed in fresh processes.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tileref.machine import peak_memory_mb, this_machine
from tileref.session import ReadPhoto, Session, emit_json
from tileref.status import Status

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "bench.jpg"
LEAST_RUNS = 20
WARM_UPS = 2
COLD_STARTS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("photo", nargs="?", metavar="PHOTO", help="the photograph to read again and again")
    parser.add_argument(
        "--runs", type=_runs, default=LEAST_RUNS, metavar="N", help="how often, at least 20 (20 without a wish)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")


def _runs(text: str) -> int:
    runs = int(text)
    if runs < LEAST_RUNS:
        raise argparse.ArgumentTypeError(f"a median of fewer than {LEAST_RUNS} runs says too little")
    return runs


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Measure and print; the status only tells whether the photograph could be read."""
    if arguments.photo is None and not SAMPLE.is_file():
        session.complain("The sample is only in the project's folder; give a photograph: tileref bench PHOTO.")
        return Status.UNUSABLE
    photo = arguments.photo or str(SAMPLE)
    first = session.photo(photo)
    passed_on = [f"--set={wish}" for wish in arguments.set]
    if arguments.settings:
        passed_on.append(f"--settings={arguments.settings}")
    # Before the runs, so that the fresh processes do not share the machine with a busy thread pool.
    cold = [_cold_start(photo, passed_on) for _ in range(COLD_STARTS)]
    stages = _time_stages(photo, arguments.runs, session)
    threads = session.settings.read.threads or this_machine().cores
    figures = {
        "photo": photo,
        "size": list(first.reading.size_wh),
        "tiles": len(first.reading.tiles) + len(first.reading.unreadable),
        "machine": asdict(this_machine()),
        "threads": threads,
        "runs": arguments.runs,
        "median_ms": {name: round(statistics.median(times), 1) for name, times in stages.items()},
        "slowest_ms": {name: round(max(times), 1) for name, times in stages.items()},
        "cold_start_s": round(statistics.median(cold), 2),
        "cold_starts": COLD_STARTS,
        "peak_memory_mb": None if (peak := peak_memory_mb()) is None else round(peak),
    }
    if arguments.json:
        emit_json(figures)
    else:
        print("\n".join(_text(figures)))
    return Status.FINE


def _time_stages(photo: str, runs: int, session: Session) -> dict[str, list[float]]:
    """Return milliseconds by stage, one entry a run; ``whole`` is the time from file to reading."""
    times: dict[str, list[float]] = {}
    for count in range(-WARM_UPS, runs):
        start = time.perf_counter()
        read: ReadPhoto = session.photo(photo)
        whole = (time.perf_counter() - start) * 1000
        if count >= 0:
            # In the order in which they happen: a picture is loaded first.
            stages = {"load": read.reading.ms["load"], **read.reading.ms, "whole": whole}
            for name, ms in stages.items():
                times.setdefault(name, []).append(ms)
    return times


def _cold_start(photo: str, passed_on: list[str]) -> float:
    """Return the seconds from starting a fresh process to its first result, the end of its first line."""
    command = [sys.executable, "-m", "tileref", "read", photo, "--json", *passed_on]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        return time.perf_counter() - start


def _text(figures: dict[str, Any]) -> list[str]:
    machine = figures["machine"]
    peak = figures["peak_memory_mb"]
    width, height = figures["size"]
    lines = [
        f"{figures['photo']}: {width} x {height}, {figures['tiles']} tiles",
        f"{machine['processor']}, {machine['cores']} cores, {figures['threads']} threads; "
        f"{machine['system']}, Python {machine['python']}",
        f"median of {figures['runs']} runs",
        "",
        f"{'stage':<12} {'median ms':>10} {'slowest ms':>11}",
    ]
    for name, median in figures["median_ms"].items():
        lines.append(f"{name:<12} {median:>10.1f} {figures['slowest_ms'][name]:>11.1f}")
    return [
        *lines,
        "",
        f"cold start to first result: {figures['cold_start_s']:.2f} s (median of {figures['cold_starts']})",
        f"peak memory: {'not told by this system' if peak is None else f'{peak} MB'}",
    ]
