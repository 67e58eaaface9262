"""The whole recipe in one command: render, train finder, refiner and classifier, keep what is needed.

``python -m vision.training.recipe --out .work/run --render-minutes 60 --train-minutes 100`` on two cores;
with ``--device cuda --workers 16 --size 640 --batch 64`` on a GPU.
Rendering goes on where it stopped; ``--warm vision/weights`` starts from exported models, another folder's
``.safetensors`` from those of an earlier run.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

import torch

from vision.training.generate import generate


def compact_finder(checkpoint: Path, out: Path) -> None:
    """Keep of an ultralytics checkpoint the averaged model: ``finder.pt``, ``finder.safetensors``."""
    from safetensors.torch import save_file

    from vision import ultralytics_adapter as ultra

    ultra.go_quiet()
    saved = torch.load(checkpoint, map_location="cpu", weights_only=False)
    model = (saved["ema"] or saved["model"]).half()
    torch.save({"ema": model, "model": None}, out / "finder.pt")
    state = {k: v.contiguous() for k, v in model.state_dict().items()}
    save_file(state, out / "finder.safetensors")


def compact_classifier(checkpoint: Path, out: Path) -> None:
    """Copy the classifier's averaged weights as ``classifier.pt`` and ``classifier.safetensors``."""
    from safetensors.torch import save_file

    state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    torch.save(state, out / "classifier.pt")
    save_file({k: v.contiguous() for k, v in state.items()}, out / "classifier.safetensors")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(".work/shards"))
    parser.add_argument(
        "--more-data", type=Path, nargs="*", default=[], help="further shards, such as photographs"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--split", default="train", choices=["train", "final"])
    parser.add_argument("--count", type=int, default=200_000, help="most pictures to render")
    parser.add_argument("--render-minutes", type=float, default=60)
    parser.add_argument("--train-minutes", type=float, default=100)
    parser.add_argument("--classifier-minutes", type=float, help="default: half of --train-minutes")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--size", type=int, default=640)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--lr", type=float, default=0.002)
    parser.add_argument("--warm", type=Path, help="folder with .onnx or .safetensors models")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    start = time.time()
    if args.render_minutes > 0:
        made = generate(args.data, args.count, args.split, args.workers, args.render_minutes * 60)
        print(f"rendered {made} pictures in {time.time() - start:.0f} s", flush=True)
    folders = [str(f) for f in [args.data, *args.more_data]]
    common = ["--data", *folders, "--device", args.device]
    classifier_minutes = args.classifier_minutes or args.train_minutes / 2
    commands = {
        "finder": [
            "vision.training.finder", *common, "--out", str(args.out / "finder"), "--minutes",
            str(args.train_minutes), "--size", str(args.size), "--batch", str(args.batch), "--workers",
            str(max(1, args.workers - 2)), "--lr", str(args.lr),
        ],
        "classifier": [
            "vision.training.classifier", *common, "--out", str(args.out / "classifier"), "--minutes",
            str(classifier_minutes),
        ],
    }  # fmt: skip
    commands["refiner"] = [
        "vision.training.refiner", "--data", *folders, "--out", str(args.out / "refiner"), "--minutes",
        str(args.train_minutes / 4),
    ]  # fmt: skip
    running = {}
    for role, command in commands.items():
        if args.warm is not None:
            kept = (args.warm / f"{role}.{ending}" for ending in ("onnx", "safetensors", "pt"))
            command += ["--warm", str(next((f for f in kept if f.exists()), args.warm / f"{role}.onnx"))]
        log = (args.out / f"{role}.log").open("w")
        running[role] = subprocess.Popen([sys.executable, "-m", *command], stdout=log, stderr=subprocess.STDOUT)
        if args.device == "cpu":
            running[role].wait()
    failed = [role for role, process in running.items() if process.wait() != 0]
    if "finder" not in failed:
        compact_finder(args.out / "finder" / "weights" / "last.pt", args.out)
    if "classifier" not in failed:
        compact_classifier(args.out / "classifier" / "classifier.pt", args.out)
    if "refiner" not in failed:
        shutil.copy(args.out / "refiner" / "refiner.pt", args.out / "refiner.pt")
    for role in commands:
        tail = (args.out / f"{role}.log").read_text().splitlines()[-12:]
        print(f"--- {role}", *tail, sep="\n", flush=True)
    print(f"done in {time.time() - start:.0f} s", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
