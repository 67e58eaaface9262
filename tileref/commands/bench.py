"""Time every stage of reading one photograph on this machine.

Without a photograph it takes the rendered table of 60 tiles, 1920 x 1080, that
lies in the samples of the project. Each figure is the median of the runs, after
two runs that do not count; the cold start is timed in fresh processes.

With --web it times the dashboard instead: a referee acts while a room full of
pages looks on, each with a stream of events, half of them with pictures.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from dataclasses import asdict
from typing import Any

from tileref.clone import ROOT
from tileref.machine import peak_memory_mb, this_machine
from tileref.record import add_record, keep_record
from tileref.session import ReadPhoto, Session, emit_json
from tileref.speed_table import run_speed_table
from tileref.status import Status

SAMPLE = ROOT / "samples" / "bench.jpg"
LEAST_RUNS = 20
WARM_UPS = 2
COLD_STARTS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("photo", nargs="?", metavar="PHOTO", help="the photograph to read again and again")
    parser.add_argument(
        "--runs", type=_runs, default=LEAST_RUNS, metavar="N", help="how often, at least 20 (20)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    add_record(parser)
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--web", action="store_true", help="time the dashboard with a room full of spectators")
    other.add_argument(
        "--speed-table",
        action="store_true",
        help="time reading by size of picture, tiles, library and threads; takes minutes, and is not recorded",
    )
    parser.add_argument(
        "--spectators", type=_people, default=40, metavar="N", help="with --web: so many look on (40)"
    )
    parser.add_argument(
        "--camera", action="store_true", help="with --web: PHOTO comes in from a page's camera all the while"
    )


def _runs(text: str) -> int:
    runs = int(text) if text.isascii() and text.isdigit() else 0
    if runs < LEAST_RUNS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of runs: {LEAST_RUNS} or more make a median")
    return runs


def _people(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of spectators: 1 to 1000")
    return number


def run(arguments: argparse.Namespace, session: Session) -> Status:
    """Measure and print; the status only tells whether it could be measured."""
    if arguments.speed_table:
        return run_speed_table(arguments, session)
    if arguments.photo is None and not SAMPLE.is_file():
        session.complain("The sample is only in the project's folder; give a photograph: tileref bench PHOTO.")
        return Status.UNUSABLE
    photo = arguments.photo or str(SAMPLE)
    if arguments.web:
        return _web(arguments, photo, session)
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
    recorded = {f"{name}, ms": ms for name, ms in figures["median_ms"].items()}
    whole = {name: figures[name] for name in ("tiles", "threads", "cold_start_s", "peak_memory_mb")}
    keep_record(arguments, session, "speed", {**whole, **recorded})
    return Status.FINE


def _web(arguments: argparse.Namespace, photo: str, session: Session) -> Status:
    """Time the dashboard."""
    from vision.picture import load_picture
    from web.bench.load import BenchError, Load, measure
    from web.live.picture import encode

    people = arguments.spectators
    image_bgr = load_picture(photo).image_bgr if arguments.camera else None
    # No two pictures of a camera are the same; different qualities stand for its noise.
    jpegs = () if image_bgr is None else tuple(encode(image_bgr, 1280, quality) for quality in range(80, 88))
    load = Load(people, (people + 1) // 2, actions=max(LEAST_RUNS, arguments.runs), camera_jpegs=jpegs)
    try:
        figures = measure(load)
    except BenchError as error:
        session.complain(str(error))
        return Status.UNUSABLE
    told = {
        "machine": asdict(this_machine()),
        "spectators": people,
        "with_stills": load.with_stills,
        "tablets": load.tablets,
        "camera": arguments.camera,
        "actions": len(figures.answered_ms),
        "answered_ms": _spread(figures.answered_ms),
        "all_saw_ms": _spread(figures.all_saw_ms),
        "stills": figures.stills,
        "live_pictures": figures.live_pictures,
        "sent_mb": round(figures.sent_bytes / 1e6, 1),
        "wall_s": round(figures.wall_s, 1),
        "server_cpu_s": None if figures.server_cpu_s is None else round(figures.server_cpu_s, 1),
    }
    if arguments.json:
        emit_json(told)
    else:
        print("\n".join(_web_text(told)))
    spreads = {
        f"{name}, {which} ms": told[key][which]
        for name, key in (("answered", "answered_ms"), ("all saw it", "all_saw_ms"))
        for which in ("median", "p95", "max")
    }
    whole = {name: told[name] for name in ("spectators", "tablets", "actions", "server_cpu_s")}
    keep_record(arguments, session, "web", {**whole, **spreads})
    return Status.FINE


def _spread(times_ms: list[float]) -> dict[str, float]:
    """Median, 95th percentile (nearest rank) and greatest of some times."""
    ordered = sorted(times_ms)
    rank = max(0, -(-95 * len(ordered) // 100) - 1)
    spread = {"median": statistics.median(ordered), "p95": ordered[rank], "max": ordered[-1]}
    return {name: round(value, 1) for name, value in spread.items()}


def _web_text(told: dict[str, Any]) -> list[str]:
    machine = told["machine"]
    rows = (("answered", told["answered_ms"]), ("all saw it", told["all_saw_ms"]))
    cpu = told["server_cpu_s"]
    return [
        f"{told['actions']} actions of the referee; {told['spectators']} spectators, each with a stream of "
        f"events, {told['with_stills']} with stills; {told['tablets']} tablets; "
        f"camera {'on' if told['camera'] else 'off'}",
        f"{machine['processor']}, {machine['cores']} cores; {machine['system']}, Python {machine['python']}; "
        "server and spectators on the same machine",
        "",
        f"{'':<12} {'median ms':>10} {'p95 ms':>10} {'max ms':>10}",
        *(f"{name:<12} {of['median']:>10.1f} {of['p95']:>10.1f} {of['max']:>10.1f}" for name, of in rows),
        "",
        f"in {told['wall_s']:.0f} s: {told['sent_mb']:.1f} MB of events, {told['stills']} stills, "
        f"{told['live_pictures']} live pictures"
        + ("" if cpu is None else f"; the server took {cpu:.1f} s of processor time"),
    ]


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
