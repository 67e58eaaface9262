"""Renders a series: ``python -m datasets.traced.make --out DIR --count N --seed S --designs seen|unseen``.

Writes ``DIR/images/NAME.jpg`` and appends to ``DIR/truth.jsonl`` (and, for the maker, ``DIR/notes.jsonl``) as
each picture is done. Pictures that the truth already lists are kept; a file ``DIR/STOP`` ends the run.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import get_args

import numpy as np

from datasets.traced.around import Clutter
from datasets.traced.designs import FAMILIES
from datasets.traced.develop import develop, make_recipe
from datasets.traced.scene import make_scene
from datasets.traced.truth import truth_of

__all__ = ["main", "make_picture"]


def make_picture(
    folder: Path, index: int, seed: int, family: str, passes: int = 2, clutter: Clutter = "usual"
) -> str:
    """Render picture ``index`` of a series into ``folder`` and return its name."""
    from datasets.traced.adapter import Tracer

    start = time.monotonic()
    name = f"{family[0]}{seed % 100:02}{index:03}"
    scene = make_scene(index, seed, family, clutter=clutter)
    rng = np.random.default_rng((seed, index, 77))
    recipe = make_recipe(rng, scene.style, scene.webcam)
    tracer = Tracer(scene)
    light = tracer.render(passes, (seed * 1009 + index) % 1_000_003)
    picture, data = develop(light, scene.camera, recipe, rng)
    line = truth_of(name, scene, recipe, tracer.sees, picture)
    (folder / "images").mkdir(parents=True, exist_ok=True)
    (folder / "images" / f"{name}.jpg").write_bytes(data)
    notes = {
        "name": name,
        "design": scene.design.name,
        "light": scene.style,
        "seconds": round(time.monotonic() - start, 1),
    }
    with (folder / "notes.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(notes) + "\n")
    with (folder / "truth.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    return name


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="datasets.traced.make", description="Render pictures of tiles with exact truth."
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to render into")
    parser.add_argument("--count", type=int, required=True, help="how many pictures the series has")
    parser.add_argument("--seed", type=int, required=True, help="the series")
    parser.add_argument("--designs", choices=sorted(FAMILIES), required=True, help="family of tiles")
    parser.add_argument("--first", type=int, default=0, help="first picture of the series to render")
    parser.add_argument("--passes", type=int, default=2, help="passes of 4 samples a pixel")
    parser.add_argument(
        "--clutter", choices=get_args(Clutter), default="usual", help="what lies about (default: usual)"
    )
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    listed = options.out / "truth.jsonl"
    done = (
        {json.loads(line)["name"] for line in listed.read_text(encoding="utf-8").splitlines()}
        if listed.exists()
        else set()
    )
    for index in range(options.first, options.count):
        if (options.out / "STOP").exists():
            break
        if f"{options.designs[0]}{options.seed % 100:02}{index:03}" not in done:
            name = make_picture(
                options.out, index, options.seed, options.designs, options.passes, options.clutter
            )
            print(name, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
