"""Train the refiner: the exact corners of one tile from a square cut-out around where the finder saw it.

The finder looks at the whole picture and is content with a place; the refiner looks at one tile at its own
size. Cut-outs are (64, 64) pixels, upright in the *picture*; corners are in shares of the cut-out's side from
its middle, clockwise from the tile's own upper left.

``python -m vision.training.refiner --data .work/shards --out .work/refiner --minutes 20``
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F

from vision.rectify import LOOSE_SIDE_PX, LOOSE_SPAN, Pyramid, square_around
from vision.training.finder import CornerLoss
from vision.training.net import Residual, averaged, conv
from vision.training.shards import BACK, NOTHING, TILE, shard_stems
from vision.training.unfused import spread_norms, unfuse

_PER_PICTURE = 24
_LEAST_PX = 7.0
_NEITHER = 2


class Refiner(nn.Module):
    """``squares`` (N, 3, 64, 64) RGB 0..1 to ``corners`` (N, 4, 2) and ``kind`` (N, 3): tile, back, neither."""

    def __init__(self) -> None:
        """Build with fresh weights."""
        super().__init__()
        self.trunk = nn.Sequential(
            conv(3, 32, 2), conv(32, 64, 2), Residual(64), conv(64, 128, 2), Residual(128), Residual(128),
            conv(128, 128, 2), nn.Flatten(), nn.Linear(128 * 4 * 4, 256), nn.ReLU(),
        )  # fmt: skip
        self.corners = nn.Linear(256, 8)
        self.kind = nn.Linear(256, 3)

    def forward(self, squares: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """See the class."""
        f = self.trunk(squares * 2 - 1)
        return self.corners(f).reshape(-1, 4, 2), self.kind(f)


def collect(
    folders: list[Path], seed: int, limit: int | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.int64]]:
    """Cut squares around objects and look-alikes (shifted and scaled as the finder errs), some around nothing.

    Return squares (M, 64, 64, 3) BGR, corners (M, 4, 2) in shares, kinds (M,).
    """
    rng = np.random.default_rng(seed)
    squares, corners, kinds = [], [], []
    for stem in shard_stems(*folders)[:limit]:
        with np.load(stem.with_suffix(".npz")) as shard:
            offsets, objects = shard["offsets"], shard["objects"]
        coded = np.memmap(stem.with_suffix(".bin"), np.uint8, mode="r")
        for k in range(len(offsets) - 1):
            here = objects[objects[:, 0] == k]
            rows = here[here[:, 1] <= BACK]
            image = np.asarray(cv2.imdecode(np.asarray(coded[offsets[k] : offsets[k + 1]]), cv2.IMREAD_COLOR))
            pyramid = Pyramid(image.astype(np.uint8))
            quads = rows[:, 4:].reshape(-1, 4, 2)
            chosen = rows[rng.permutation(len(rows))[:_PER_PICTURE]]
            for row in np.concatenate([chosen, here[here[:, 1] == NOTHING]]):
                quad = row[4:].reshape(4, 2)
                low, high = _shown_box(quad, (image.shape[1], image.shape[0]))
                size = high - low
                if size.max() < _LEAST_PX:
                    continue
                centre = (low + high) / 2 + rng.normal(0, 0.06, 2) * size
                side = float(size.max()) * LOOSE_SPAN * float(np.exp(rng.normal(0, 0.12)))
                squares.append(pyramid.crop(square_around(centre, side), (LOOSE_SIDE_PX,) * 2, 0.0))
                nothing = row[1] == NOTHING
                corners.append(np.zeros((4, 2)) if nothing else (quad - centre) / side)
                kinds.append(_NEITHER if nothing else int(row[1]))
            if len(rows) == 0 or rng.random() < 0.3:
                side = float(np.exp(rng.uniform(np.log(0.05), np.log(0.4)))) * image.shape[1]
                centre = rng.uniform([0, 0], [image.shape[1], image.shape[0]])
                if not len(quads) or np.linalg.norm(quads.mean(1) - centre, axis=1).min() > 0.6 * side:
                    squares.append(pyramid.crop(square_around(centre, side), (LOOSE_SIDE_PX,) * 2, 0.0))
                    corners.append(np.zeros((4, 2)))
                    kinds.append(_NEITHER)
    return np.stack(squares), np.asarray(corners, np.float32), np.asarray(kinds, np.int64)


def _shown_box(
    quad: NDArray[np.float32], size_wh: tuple[int, int]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the box of what the frame shows of a tile, as the finder would draw it."""
    limit = np.asarray(size_wh, np.float32)
    return np.clip(quad.min(axis=0), 0, limit), np.clip(quad.max(axis=0), 0, limit)


def _varied(
    squares: torch.Tensor, corners: torch.Tensor, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Turn a batch by quarter turns, vary light and sharpness; squares (N, 64, 64, 3) bytes."""
    x = squares.permute(0, 3, 1, 2).flip(1).float() / 255
    quarter = int(torch.randint(4, (1,), generator=generator))
    x = torch.rot90(x, -quarter, dims=(2, 3))
    for _ in range(quarter):
        corners = torch.stack([-corners[..., 1], corners[..., 0]], -1)
    n = len(x)
    gain = (0.15 * torch.randn(n, 1, 1, 1, generator=generator)).exp()
    tint = (0.05 * torch.randn(n, 3, 1, 1, generator=generator)).exp()
    soft = F.interpolate(F.avg_pool2d(x, 2), scale_factor=2, mode="bilinear")
    x = torch.where(torch.rand(n, 1, 1, 1, generator=generator) < 0.15, soft, x)
    return (x * gain * tint).clamp(0, 1), corners


def train_refiner(
    folders: list[Path], out: Path, minutes: float, batch: int = 128, lr: float = 2e-3, seed: int = 0,
    limit: int | None = None, warm: Path | None = None,
) -> Path:  # fmt: skip
    """Train for ``minutes``; write and return ``out/refiner.pt``.

    ``warm`` is an exported ``refiner.onnx``, or an earlier ``.safetensors`` (of full or half precision) or
    ``refiner.pt`` to start from.
    """
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    pixels, quads, kinds = collect(folders, seed, limit)
    squares, corners, kind = torch.from_numpy(pixels), torch.from_numpy(quads), torch.from_numpy(kinds)
    print(f"{len(kind)} squares", flush=True)
    net = Refiner().to(memory_format=torch.channels_last)
    if warm is not None and warm.suffix == ".onnx":
        unfuse(warm, net)
        some = _varied(squares[: 8 * batch], corners[: 8 * batch], torch.Generator().manual_seed(seed))[0]
        spread_norms(net, lambda: net(some))
    elif warm is not None:
        safe = warm.suffix == ".safetensors"
        net.load_state_dict(
            load_file(warm) if safe else torch.load(warm, map_location="cpu", weights_only=True)
        )
    ema = averaged(net, 0.998)
    optimizer = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=0.01)
    judge, generator, path = CornerLoss(), torch.Generator().manual_seed(seed), out / "refiner.pt"
    start, step = time.time(), 0
    while time.time() - start < minutes * 60:
        done = (time.time() - start) / (minutes * 60)
        for group in optimizer.param_groups:
            group["lr"] = lr * min(done / 0.03 + 0.01, 1.0) * (0.01 + 0.495 * (1 + math.cos(math.pi * done)))
        index = torch.randint(len(kind), (batch,), generator=generator)
        x, truth = _varied(squares[index], corners[index], generator)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            pred, logits = net(x.contiguous(memory_format=torch.channels_last))
        faced, found = kind[index] == TILE, kind[index] != _NEITHER
        pred, truth_f = pred.float(), truth
        size = (truth_f.amax(1) - truth_f.amin(1)).prod(1, keepdim=True)
        mask = torch.ones(len(index), 4)
        corner = judge(pred[faced], truth_f[faced], mask[faced], size[faced])
        # A back has no up: only its outline counts.
        turned = torch.stack([truth_f.roll(-q, dims=1) for q in range(4)], 1)
        outline = (pred[:, None] - turned).abs().mean((2, 3)).min(1).values[found].mean()
        loss = corner + 2 * outline + 0.3 * F.cross_entropy(logits.float(), kind[index])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        ema.update_parameters(net)
        if step % 200 == 0:
            right = float((logits.argmax(1) == kind[index]).float().mean())
            said = f"corner {corner.item():.4f} outline {outline.item():.4f} kind {right:.3f}"
            print(f"{step} {time.time() - start:.0f} s {said}", flush=True)
            torch.save(ema.module.state_dict(), path)
        step += 1
    torch.save(ema.module.state_dict(), path)
    return path


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--limit", type=int, help="at most so many shards")
    parser.add_argument("--warm", type=Path, help="start from refiner.onnx, an earlier .safetensors or .pt")
    args = parser.parse_args()
    if args.threads is not None:
        torch.set_num_threads(args.threads)
        cv2.setNumThreads(args.threads)
    print(train_refiner(
        args.data, args.out, args.minutes, args.batch, args.lr, limit=args.limit, warm=args.warm
    ))  # fmt: skip


if __name__ == "__main__":
    main()
