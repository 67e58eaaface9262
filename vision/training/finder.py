"""Train the finder: a small ultralytics pose model with four ordered corners a tile.

Classes: 0 a tile showing its face, 1 a tile showing its back, 2 a rack (its front's corners). Corners may lie
outside the frame: a tile cut off by the border is still a whole tile.

``python -m vision.training.finder --data .work/train --out .work/finder --minutes 60``
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch.utils.data import Dataset

from vision import ultralytics_adapter as ultra
from vision.training.net import annealed
from vision.training.shards import RACK, shard_stems
from vision.training.unfused import begin_with

NAMES = {0: "tile", 1: "back", 2: "rack"}
_MIN_SHARE = 0.3
_GREY = 114
MODEL = Path(__file__).with_name("finder.yaml")
"""What the finder is built of."""


class ShardPictures(Dataset[dict[str, Any]]):
    """Pictures of shards as the ultralytics trainer wants them, shifted, scaled and turned at random."""

    def __init__(self, folders: list[Path], size: int, limit: int | None = None) -> None:
        """Open every whole shard in ``folders``; items are ``size`` x ``size``."""
        self.size = size
        self._folders, self._limit = folders, limit
        self._known: set[Path] = set()
        self._index: list[tuple[int, int, int]] = []
        self._bins: list[NDArray[np.uint8]] = []
        self._objects: list[NDArray[np.float32]] = []
        self._sizes: list[tuple[int, int]] = []
        self.labels: list[dict[str, Any]] = []
        self.rescan()

    def rescan(self) -> None:
        """Take in shards that have come since: rendering may go on while training runs."""
        stems = [stem for stem in shard_stems(*self._folders) if stem not in self._known]
        for stem in stems:
            self._known.add(stem)
            with np.load(stem.with_suffix(".npz")) as shard:
                offsets, objects, sizes = shard["offsets"], shard["objects"], shard["pictures"]
            self._bins.append(np.memmap(stem.with_suffix(".bin"), np.uint8, mode="r"))
            for k in range(len(offsets) - 1):
                self._index.append((len(self._bins) - 1, int(offsets[k]), int(offsets[k + 1])))
                # What only looks like a tile is no object.
                self._objects.append(objects[(objects[:, 0] == k) & (objects[:, 1] <= RACK)][:, 1:])
                self._sizes.append((int(sizes[k, 0]), int(sizes[k, 1])))
        if self._limit is not None:
            self._index = self._index[: self._limit]

    def __len__(self) -> int:
        """Return the number of pictures."""
        return len(self._index)

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Return one augmented picture with boxes and corners in shares of the side."""
        return self.varied(index, np.random.default_rng())

    def varied(self, index: int, rng: np.random.Generator) -> dict[str, Any]:
        """Return one picture as ``rng`` augments it."""
        which, start, end = self._index[index]
        objects = self._objects[index]
        coded = np.asarray(self._bins[which][start:end])
        image, corners = _warp(coded, objects[:, 3:].reshape(-1, 4, 2), self._sizes[index], self.size, rng)
        keep, boxes = _boxes(corners, self.size)
        kinds = objects[keep, 0]
        return {
            "img": torch.from_numpy(np.ascontiguousarray(image[:, :, ::-1].transpose(2, 0, 1))),
            "cls": torch.from_numpy(kinds.reshape(-1, 1).astype(np.float32)),
            "bboxes": torch.from_numpy((boxes[keep] / self.size).astype(np.float32)),
            "keypoints": torch.from_numpy((corners[keep] / self.size).astype(np.float32)),
            "batch_idx": torch.zeros(int(keep.sum())),
            "im_file": f"{which}:{start}",
            "ori_shape": (self.size, self.size),
        }

    @staticmethod
    def collate_fn(batch: list[dict[str, Any]]) -> dict[str, Any]:
        """Stack pictures, join labels; ``batch_idx`` says whose they are."""
        out: dict[str, Any] = {key: [item[key] for item in batch] for key in ("im_file", "ori_shape")}
        out["img"] = torch.stack([item["img"] for item in batch])
        for key in ("cls", "bboxes", "keypoints"):
            out[key] = torch.cat([item[key] for item in batch])
        out["batch_idx"] = torch.cat([item["batch_idx"] + k for k, item in enumerate(batch)])
        return out


def _warp(
    coded: NDArray[np.uint8],
    corners: NDArray[np.float32],
    size_wh: tuple[int, int],
    size: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Decode; turn by quarter turns, scale, shift, stretch a little; digits are never mirrored."""
    scale = size / max(size_wh) * float(np.exp(rng.uniform(math.log(0.9), math.log(2.6))))
    stretch = float(np.exp(rng.normal(0, 0.06)))
    angle = (rng.integers(4) if rng.random() < 0.5 else 0) * math.pi / 2 + rng.normal(0, 0.05)
    # A JPEG decodes to half its size in a third of the time, and by area, so that nothing aliases.
    halve = scale < 0.55
    image = np.asarray(cv2.imdecode(coded, cv2.IMREAD_REDUCED_COLOR_2 if halve else cv2.IMREAD_COLOR), np.uint8)
    step = image.shape[1] / size_wh[0]
    if scale / step < 0.7:
        more = max(scale / step * 1.2, 0.2)
        image = np.asarray(cv2.resize(image, None, fx=more, fy=more, interpolation=cv2.INTER_AREA), np.uint8)
        step = image.shape[1] / size_wh[0]
    corners = (corners + 0.5) * step - 0.5
    scale, height, width = scale / step, image.shape[0], image.shape[1]
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    matrix = turn * scale * np.array([[stretch, 1 / stretch]])
    extent = np.abs(matrix) @ np.array([width, height])
    if len(corners) and rng.random() < 0.6:
        # Zoomed in, most windows would show bare ground: look at some tile.
        focus = corners[rng.integers(len(corners))].mean(axis=0)
        slack = np.full(2, 0.35 * size)
    else:
        focus = np.array([width / 2, height / 2])
        slack = np.abs(size - extent) / 2 + 0.08 * size
    shift = size / 2 + rng.uniform(-slack, slack) - matrix @ focus
    affine = np.column_stack([matrix, shift])
    warped = cv2.warpAffine(image, affine, (size, size), borderValue=(_GREY, _GREY, _GREY))
    warped = np.asarray(warped, np.uint8)
    if rng.random() < 0.7:
        gain = np.exp(rng.normal(0, 0.07, 3) + rng.normal(0, 0.15))
        table = np.clip(np.arange(256)[:, None] * gain, 0, 255).astype(np.uint8)
        warped = np.stack([table[:, c][warped[:, :, c]] for c in range(3)], axis=2)
    if rng.random() < 0.04:
        warped = np.repeat(cv2.cvtColor(warped, cv2.COLOR_BGR2GRAY)[:, :, None], 3, axis=2)
    return np.asarray(warped, np.uint8), np.asarray(corners @ matrix.T + shift, np.float32)


def _boxes(corners: NDArray[np.float32], size: int) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
    """Return which objects show enough of themselves, and all boxes (centre x, y, width, height) in pixels."""
    low, high = corners.min(axis=1), corners.max(axis=1)
    inside_low, inside_high = np.clip(low, 0, size), np.clip(high, 0, size)
    shown = (inside_high - inside_low).prod(axis=1) / np.maximum((high - low).prod(axis=1), 1e-6)
    keep = (shown >= _MIN_SHARE) & ((inside_high - inside_low).min(axis=1) >= 6)
    boxes = np.concatenate([(inside_low + inside_high) / 2, inside_high - inside_low], axis=1)
    return keep, boxes.astype(np.float32)


class CornerLoss(torch.nn.Module):
    """How far the four corners are off: as a quad, whichever corner comes first, and in their order.

    Ultralytics' loss judges the order alone. While a net does not know yet which way a tile is up, the best
    answer to that is all corners in the tile's middle, and it leaves that answer late. The quad's own term
    asks for a true outline from the start; the order's wider term then turns it upright.
    """

    ORDER, MIDDLE, FINE = 0.3, 0.12, 0.04
    """Scales, in shares of the square root of the object's area."""

    def forward(
        self, pred: torch.Tensor, truth: torch.Tensor, mask: torch.Tensor, area: torch.Tensor
    ) -> torch.Tensor:
        """Return the mean loss; ``pred`` and ``truth`` are (n, 4, 2), ``mask`` (n, 4), ``area`` (n, 1)."""
        turned = torch.stack([truth[..., :2].roll(-q, dims=1) for q in range(4)], dim=1)
        d = (pred[:, None, :, :2] - turned).pow(2).sum(-1)
        area = area[:, None] + 1e-9

        def off(scale: float) -> torch.Tensor:
            return (1 - torch.exp(-d / (8 * scale * scale * area))).mean(-1)

        quad = (0.7 * off(self.MIDDLE) + 0.5 * off(self.FINE)).min(dim=1).values
        return ((0.5 * off(self.ORDER)[:, 0] + quad) * mask[:, 0]).mean()


class FinderTrainer(ultra.PoseTrainer):
    """Ultralytics' pose trainer on shards, for a set time, without its validation.

    Its own validation would need files in its own layout; choice happens on real photographs and held-out
    renderer families by ``tileref evaluate`` instead.
    """

    folders: list[Path]
    loader_workers: int

    def get_dataset(self) -> dict[str, Any]:
        """Describe the data."""
        return {
            "train": "shards", "val": "shards", "nc": len(NAMES), "names": NAMES, "channels": 3,
            "kpt_shape": [4, 2], "path": ".",
        }  # fmt: skip

    def get_dataloader(
        self, dataset_path: str, batch_size: int = 16, rank: int = 0, mode: str = "train"
    ) -> Any:
        """Return a loader over the shards."""
        size = int(self.args.imgsz)
        pictures = ShardPictures(self.folders, size, None if mode == "train" else 2 * batch_size)
        workers = self.loader_workers if mode == "train" else 0
        loader = torch.utils.data.DataLoader(
            pictures, batch_size, shuffle=mode == "train", num_workers=workers, drop_last=mode == "train",
            collate_fn=ShardPictures.collate_fn, pin_memory=self.device.type == "cuda",
            prefetch_factor=4 if workers else None,
        )  # fmt: skip
        loader.reset = lambda: None
        return loader

    def get_validator(self) -> Any:
        """Return a stand-in; see the class."""
        self.loss_names = "box_loss", "pose_loss", "kobj_loss", "cls_loss", "dfl_loss"
        return SimpleNamespace(metrics=SimpleNamespace(keys=[]), args=copy.copy(self.args))

    def validate(self) -> tuple[dict[str, float], float]:
        """Skip; see the class."""
        return {}, 0.0

    def final_eval(self) -> None:
        """Skip; see the class."""

    def plot_training_samples(self, batch: dict[str, Any], ni: int) -> None:
        """Skip."""

    def read_results_csv(self) -> dict[str, Any]:
        """Skip: only for plots."""
        return {}


def train_finder(
    folders: list[Path], out: Path, minutes: float, size: int = 640, batch: int = 8, device: str = "cpu",
    workers: int = 1, warm: Path | None = None, lr: float = 0.002, model: str = str(MODEL),
    threads: int = 2, resume: bool = False, optimizer: str = "AdamW",
) -> Path:  # fmt: skip
    """Train for ``minutes`` and return the checkpoint ``out/weights/last.pt``.

    The learning rate follows the clock (warm-up, then a cosine down to a hundredth), so that a run always ends
    annealed. ``warm`` starts from an exported ``finder.onnx`` or an earlier run's safetensors; ``resume``
    goes on with an interrupted run in ``out``: its weights, and its place on the clock.
    """
    progress, last = out / "progress.json", out / "weights" / "last.pt"
    before = 0.0
    if resume and progress.exists():
        before = float(json.loads(progress.read_text())["seconds"])
        minutes = max(minutes - before / 60, 0.1)
    ultra.go_quiet()
    if device == "cpu":
        ultra.use_cpu_bf16()
    FinderTrainer.folders, FinderTrainer.loader_workers = folders, workers
    overrides = {
        "model": model, "data": "shards.yaml", "epochs": 1000, "time": minutes / 60, "imgsz": size,
        "batch": batch, "nbs": batch, "device": device, "project": str(out.resolve().parent), "name": out.name,
        "exist_ok": True, "optimizer": optimizer, "lr0": lr, "momentum": 0.937,
        "weight_decay": 5e-4, "warmup_epochs": 0.0, "val": False, "plots": False, "workers": 0, "mosaic": 0.0,
        "close_mosaic": 0, "amp": "bf16" if device != "cpu" else True, "pose": 14.0, "box": 7.5, "cls": 1.0,
        "save_period": -1, "pretrained": False, "verbose": True, "deterministic": False, "cos_lr": True,
    }  # fmt: skip
    if device == "cpu":
        overrides["amp"] = False
    trainer = FinderTrainer(overrides=overrides)
    seconds = minutes * 60 + before
    started: list[float] = []

    def on_start(t: FinderTrainer) -> None:
        state = None
        if before > 0:
            state = torch.load(last, map_location="cpu", weights_only=False)["ema"].float().state_dict()
            if {k: v.shape for k, v in state.items()} != {k: v.shape for k, v in t.model.state_dict().items()}:
                raise SystemExit(f"{last} is of another model; name it with --model, or another --out.")
        elif warm is not None and warm.suffix == ".onnx":
            print(f"warm start, {len(begin_with(warm, t))} layers fresh", flush=True)
            state = t.model.state_dict()
        elif warm is not None:
            own = t.model.state_dict()
            state = {k: v for k, v in load_file(warm).items() if k in own and own[k].shape == v.shape}
            print(f"warm start, {len(own) - len(state)} weights fresh", flush=True)
        if state is not None:
            t.model.load_state_dict(state, strict=False)
            t.ema.ema.load_state_dict(t.model.state_dict())
        t.model.criterion = t.model.init_criterion()
        t.model.criterion.keypoint_loss = CornerLoss()
        if device == "cpu":
            torch.set_num_threads(threads)
            t.model.to(memory_format=torch.channels_last)
        started.append(time.time() - before)

    def on_batch(t: FinderTrainer) -> None:
        done = min((time.time() - started[0]) / seconds, 1.0)
        for group in t.optimizer.param_groups:
            group["lr"] = lr * annealed(done)

    def on_epoch_start(t: FinderTrainer) -> None:
        t.train_loader.dataset.rescan()

    def on_epoch(t: FinderTrainer) -> None:
        said = " ".join(f"{float(x):.3f}" for x in t.tloss.values()) if isinstance(t.tloss, dict) else t.tloss
        took, pictures = time.time() - started[0], len(t.train_loader.dataset)
        progress.write_text(json.dumps({"seconds": took}))
        print(f"epoch {t.epoch} {took:.0f} s {pictures} pictures {said}", flush=True)

    trainer.add_callback("on_train_start", on_start)
    trainer.add_callback("on_train_epoch_start", on_epoch_start)
    trainer.add_callback("on_train_epoch_end", on_epoch)
    trainer.add_callback("on_train_batch_start", on_batch)
    trainer.train()
    return last


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--size", type=int, default=640)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--warm", type=Path)
    parser.add_argument("--lr", type=float, default=0.002)
    parser.add_argument("--resume", action="store_true", help="go on with an interrupted run in --out")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--model", default=str(MODEL))
    parser.add_argument("--optimizer", default="AdamW", choices=["AdamW", "SGD"])
    args = parser.parse_args()
    path = train_finder(
        args.data, args.out, args.minutes, args.size, args.batch, args.device, args.workers, args.warm, args.lr,
        args.model, args.threads, args.resume, args.optimizer,
    )  # fmt: skip
    print(path, flush=True)


if __name__ == "__main__":
    main()
