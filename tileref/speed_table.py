"""``tileref bench --speed-table``: reading timed by size of picture, tiles, library and threads."""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from tileref.machine import this_machine
from tileref.session import Session, emit_json
from tileref.status import Status

if TYPE_CHECKING:
    from vision.network import OpenNetwork
    from vision.picture import Picture
    from vision.readings import PhotoReading

__all__ = ["run_speed_table"]

_THREADS = (1, 2)


def run_speed_table(arguments: argparse.Namespace, session: Session) -> Status:
    """Measure and print; the status only tells whether it could be measured."""
    try:
        from vision.evaluation.speed import TILES, measure_speed, speed_scene, speed_table
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "datasets":
            raise
        session.complain("The pictures of the table are rendered, which takes a clone of the repository.")
        return Status.UNUSABLE
    from vision.onnx_adapter import OnnxModel
    from vision.reader import Reader

    libraries: dict[str, OpenNetwork] = {"ONNX Runtime": OnnxModel}
    if importlib.util.find_spec("openvino") is None:
        session.complain("OpenVINO is not installed, so only ONNX Runtime is timed.")
    else:
        from vision.openvino_adapter import OpenVinoModel

        libraries["OpenVINO"] = OpenVinoModel
    readers: dict[tuple[str, int], Callable[[Picture], PhotoReading]] = {}
    for name, library in libraries.items():
        for threads in _THREADS:
            settings = replace(session.settings.read, threads=threads)
            readers[name, threads] = Reader.load(settings, open_network=library).read
    scenes = {}
    for tiles in TILES:
        session.remark(f"A table of {tiles} tiles is rendered.")
        scenes[tiles] = speed_scene(tiles)
    rows = []
    for row in measure_speed(readers, scenes, arguments.runs):
        rows.append(row)
        width, height = row.size_wh
        session.remark(
            f"{width} x {height}, {row.tiles} tiles, {row.backend}, {row.threads} threads: "
            f"{row.ms['whole']:.0f} ms."
        )
    machine = this_machine()
    if arguments.json:
        emit_json({"machine": asdict(machine), "runs": arguments.runs, "rows": [asdict(row) for row in rows]})
    else:
        print(f"{machine.processor}, {machine.cores} cores; {machine.system}, Python {machine.python}")
        print(f"milliseconds, medians of {arguments.runs} runs; the picture is in memory\n")
        print(speed_table(rows))
    return Status.FINE
