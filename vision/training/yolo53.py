"""Train a plain 53-class detector of the finder's size on the finder's own shards, to compare with.

``python -m vision.training.yolo53 --data .work/shards .work/photos --out .work/yolo53 --epochs 60``
An interrupted run goes on with ``--resume``; ``--export-only`` writes the ONNX file of what there is. Where
hours are few, ``--minutes`` ends it on the clock, and ``--warm vision/weights/finder.onnx`` begins with what
the finder knows. The net is the finder's, layer by layer, but for its last ones. Everything is as ultralytics
has it by default, but that digits are never mirrored.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from referee.tiles import ALL_TILES
from vision import ultralytics_adapter as ultra
from vision.training.export import export_finder, load_finder
from vision.training.named_boxes import named_boxes
from vision.training.shards import shard_stems
from vision.training.unfused import begin_with

FINDER = Path(__file__).with_name("finder.yaml")
_HEADS = ("Pose, [nc, kpt_shape]] # Pose", "Detect, [nc]] # Detect")


def write_pictures(folders: list[Path], out: Path, most: int) -> int:
    """Write pictures and labels in ultralytics' layout, with ``data.yaml``; return how many there are."""
    images, labels = out / "images" / "train", out / "labels" / "train"
    images.mkdir(parents=True, exist_ok=True)
    labels.mkdir(parents=True, exist_ok=True)
    made = 0
    for folder in folders:
        for stem in shard_stems(folder):
            if made >= most:
                break
            done = out / f"{folder.name}-{stem.name}.done"
            if done.exists():
                made += int(done.read_text("utf-8"))
                continue
            count = 0
            for count, one in enumerate(named_boxes(stem), 1):
                name = f"{folder.name}-{stem.name}-{count:03d}"
                width, height = one.size_wh
                lines = [
                    f"{kind} {(a + c) / 2 / width:.6f} {(b + d) / 2 / height:.6f} {(c - a) / width:.6f} "
                    f"{(d - b) / height:.6f}"
                    for kind, (a, b, c, d) in zip(one.classes, one.boxes_xyxy_px, strict=True)
                    if c > a and d > b
                ]
                (images / f"{name}.jpg").write_bytes(one.jpeg)
                (labels / f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")
            done.write_text(str(count), "utf-8")
            made += count
    names = {k: str(tile) for k, tile in enumerate(ALL_TILES)}
    # JSON is YAML, too.
    text = json.dumps(
        {"path": str(out.resolve()), "train": "images/train", "val": "images/train", "names": names}
    )
    (out / "data.yaml").write_text(text + "\n", "utf-8")
    return made


def train(
    out: Path,
    epochs: int,
    size: int,
    batch: int,
    device: str,
    threads: int,
    *,
    resume: bool = False,
    minutes: float | None = None,
    warm: Path | None = None,
    lr: float | None = None,
    seed: int = 0,
) -> Path:
    """Train on what ``write_pictures`` wrote in ``out / "data"``; return the checkpoint.

    ``minutes`` goes before ``epochs``; from ``warm``, an exported finder, every layer is taken that fits.
    ``lr`` takes the place of the learning rate that ultralytics chooses, a small one for so many classes.
    """
    import torch

    torch.set_num_threads(threads)
    ultra.go_quiet()
    on_cpu = device == "cpu"
    if on_cpu:
        ultra.use_cpu_bf16()
    last = out / "run" / "weights" / "last.pt"
    net = out / "yolo53.yaml"
    net.write_text(FINDER.read_text("utf-8").replace(*_HEADS), "utf-8")
    overrides = {
        "model": str(net), "data": str(out / "data" / "data.yaml"), "epochs": epochs, "imgsz": size,
        "batch": batch, "device": device, "project": str(out.resolve()), "name": "run", "exist_ok": True,
        "pretrained": False, "fliplr": 0.0, "flipud": 0.0, "val": False, "plots": False,
        "workers": 0, "amp": not on_cpu, "seed": seed, "verbose": True,
    }  # fmt: skip
    if minutes is not None:
        overrides["time"] = minutes / 60
    if lr is not None:
        overrides |= {"optimizer": "AdamW", "lr0": lr}
    if resume and last.exists():
        overrides |= {"model": str(last), "resume": str(last)}
    trainer = ultra.DetectionTrainer(overrides=overrides)

    def on_start(t: ultra.DetectionTrainer) -> None:
        torch.set_num_threads(threads)
        if warm is not None and not resume:
            print(f"warm start, fresh: {', '.join(begin_with(warm, t))}", flush=True)
            t.ema.ema.load_state_dict(t.model.state_dict())
        if on_cpu:
            t.model.to(memory_format=torch.channels_last)

    trainer.add_callback("on_train_start", on_start)
    # vision.evaluation.compare measures it, on pictures it never saw; torchvision may lack what it takes here.
    trainer.final_eval = lambda: None
    trainer.validate = lambda: ({}, 0.0)
    trainer.train()
    return last


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, default=1_000_000, help="at most about so many pictures")
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--size", type=int, default=640)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--minutes", type=float, help="end after so long, whatever --epochs says")
    parser.add_argument("--warm", type=Path, help="an exported finder to begin with")
    parser.add_argument("--lr", type=float, help="learning rate of AdamW; default: as ultralytics chooses")
    parser.add_argument("--resume", action="store_true", help="go on with an interrupted run in --out")
    parser.add_argument("--export-only", action="store_true", help="write the ONNX file of the last checkpoint")
    args = parser.parse_args()
    last = args.out / "run" / "weights" / "last.pt"
    if not args.export_only:
        print(f"{write_pictures(args.data, args.out / 'data', args.most)} pictures", flush=True)
        last = train(
            args.out, args.epochs, args.size, args.batch, args.device, args.threads,
            resume=args.resume, minutes=args.minutes, warm=args.warm, lr=args.lr,
        )  # fmt: skip
    about = {"size_px": str(args.size), "what": "plain 53-class detector, for comparison only"}
    print(export_finder(load_finder(last), args.out / "yolo53.onnx", about), flush=True)


if __name__ == "__main__":
    main()
