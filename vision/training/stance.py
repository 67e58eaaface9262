"""Train the stance net: does a tile stand on a rack, or lie on a table? From a cut-out three tiles wide.

``python -m vision.training.stance --data .work/shards --out .work/stance --minutes 8``
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
from torch import nn
from torch.nn import functional as F

from vision.rectify import LOOSE_SIDE_PX, STANCE_SPAN, Pyramid, square_around
from vision.training.net import Residual, conv
from vision.training.shards import RACK, TILE, shard_stems

_PER_PICTURE = 5


class StanceNet(nn.Module):
    """``squares`` (N, 3, 64, 64) RGB 0..1 to ``stance`` (N, 2): lies, stands on a rack."""

    def __init__(self) -> None:
        """Build with fresh weights."""
        super().__init__()
        self.trunk = nn.Sequential(
            conv(3, 32, 2), conv(32, 32, 2), Residual(32), conv(32, 64, 2), Residual(64), conv(64, 64, 2),
            nn.Flatten(), nn.Linear(64 * 4 * 4, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 2),
        )  # fmt: skip

    def forward(self, squares: torch.Tensor) -> torch.Tensor:
        """See the class."""
        logits: torch.Tensor = self.trunk(squares * 2 - 1)
        return logits


def collect(folders: list[Path], seed: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Cut squares (M, 64, 64, 3) around tiles, with whether each stands on a rack (its middle is on one)."""
    rng = np.random.default_rng(seed)
    squares, stands = [], []
    for stem in shard_stems(*folders):
        with np.load(stem.with_suffix(".npz")) as shard:
            offsets, objects = shard["offsets"], shard["objects"]
        coded = np.memmap(stem.with_suffix(".bin"), np.uint8, mode="r")
        for k in range(len(offsets) - 1):
            rows = objects[objects[:, 0] == k]
            racks = [r[4:].reshape(4, 2) for r in rows[rows[:, 1] == RACK]]
            tiles = rows[rows[:, 1] == TILE]
            # Racks are the rarer: every picture of one counts, of the others each third.
            if not len(tiles) or (not racks and rng.random() > 0.35):
                continue
            flag = cv2.IMREAD_COLOR
            image = np.asarray(cv2.imdecode(np.asarray(coded[offsets[k] : offsets[k + 1]]), flag), np.uint8)
            pyramid = Pyramid(image)
            for i in rng.permutation(len(tiles))[:_PER_PICTURE]:
                quad = tiles[i, 4:].reshape(4, 2)
                centre, size = (quad.min(0) + quad.max(0)) / 2, float((quad.max(0) - quad.min(0)).max())
                if size < 10:
                    continue
                side = size * STANCE_SPAN * float(np.exp(rng.normal(0, 0.1)))
                around = square_around(centre + rng.normal(0, 0.05, 2) * size, side)
                squares.append(pyramid.crop(around, (LOOSE_SIDE_PX,) * 2, 0.0))
                middle = (float(centre[0]), float(centre[1]))
                reach = [cv2.pointPolygonTest(r.reshape(-1, 1, 2), middle, True) for r in racks]
                stands.append(int(max(reach, default=-1e9) > -0.15 * size))
    return np.stack(squares), np.asarray(stands, np.int64)


def train_stance(
    folders: list[Path], out: Path, minutes: float, batch: int = 128, lr: float = 2e-3, seed: int = 0
) -> Path:
    """Train for ``minutes``; write and return ``out/stance.pt``."""
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    pixels, truth = collect(folders, seed)
    squares, stands = torch.from_numpy(pixels), torch.from_numpy(truth)
    print(f"{len(stands)} squares, {float(stands.float().mean()):.2f} on racks", flush=True)
    net = StanceNet().to(memory_format=torch.channels_last)
    ema = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.997), use_buffers=True
    )
    optimizer = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=0.05)
    generator = torch.Generator().manual_seed(seed)
    start, step = time.time(), 0
    while time.time() - start < minutes * 60:
        done = (time.time() - start) / (minutes * 60)
        for group in optimizer.param_groups:
            group["lr"] = lr * min(done / 0.03 + 0.01, 1.0) * (0.01 + 0.495 * (1 + math.cos(math.pi * done)))
        index = torch.randint(len(stands), (batch,), generator=generator)
        x = squares[index].permute(0, 3, 1, 2).flip(1).float() / 255
        x = torch.rot90(x, int(torch.randint(4, (1,), generator=generator)), dims=(2, 3))
        # Nothing here reads digits: a mirrored picture shows as good a rack.
        x = x.flip(3) if torch.rand(1, generator=generator) < 0.5 else x
        n = len(x)
        gain = (0.2 * torch.randn(n, 1, 1, 1, generator=generator)).exp()
        tint = (0.12 * torch.randn(n, 3, 1, 1, generator=generator)).exp()
        x = (x * gain * tint).clamp(0, 1).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = net(x)
        loss = F.cross_entropy(logits.float(), stands[index])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        ema.update_parameters(net)
        if step % 200 == 0:
            right = float((logits.argmax(1) == stands[index]).float().mean())
            print(f"{step} {time.time() - start:.0f} s loss {loss.item():.4f} right {right:.3f}", flush=True)
        step += 1
    path = out / "stance.pt"
    torch.save(ema.module.state_dict(), path)
    return path


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--threads", type=int)
    args = parser.parse_args()
    if args.threads is not None:
        torch.set_num_threads(args.threads)
        cv2.setNumThreads(args.threads)
    print(train_stance(args.data, args.out, args.minutes))


if __name__ == "__main__":
    main()
