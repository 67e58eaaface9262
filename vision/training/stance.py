"""Train the stance net: does a tile stand on a rack, or lie on a table? From a cut-out a few tiles wide.

Half of the pictures are of racks: rendered ones, and photographs of the train part. Many are squeezed, as data
sets and video calls squeeze them: a tile that leans and one that is squeezed are not alike.

``python -m vision.training.stance see --photos FOLDER --out .work/stances --seconds 900``
``python -m vision.training.stance train --data .work/stances --out .work/stance --minutes 12``
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional as F

from datasets.design import sample_design
from datasets.labels import LabelledPicture
from datasets.photos import load_photos
from datasets.redesign import redesign
from datasets.render import render_picture
from vision.light import cleared
from vision.rectify import Pyramid
from vision.stance import surroundings
from vision.training.net import Residual, annealed, averaged, conv
from vision.training.seen import see_and_train
from vision.training.unfused import spread_norms, unfuse

_PER_PICTURE = 6
"""At most so many tiles of a picture, or of it squeezed, are cut out."""
_LEAST_PX = 10.0
_LONGEST_PX = 1280
_SQUEEZED = 0.6
"""Up to so much narrower or flatter: 16:9 made square is 0.56."""
_ROLL_RAD = 0.25
_PER_FILE = 4000
_BATCH = 128
_NORM_BATCHES = 20


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


def see(folder: Path, out: Path, split: str, seconds: float, first: int) -> int:
    """Write tiles with what lies around them, and whether each stands; files of 4,000; return how many."""
    out.mkdir(parents=True, exist_ok=True)
    deadline, made = time.time() + seconds, 0
    squares, stands = list[NDArray[np.uint8]](), list[bool]()
    for seed, picture in enumerate(_pictures(folder, split, first), first):
        rng = np.random.default_rng([seed, 97])
        for squeeze in (np.ones(2), _squeeze(rng)):
            cut, on_rack = _cut(picture, squeeze, rng)
            squares += cut
            stands += on_rack
        done = time.time() > deadline
        if squares and (done or len(squares) >= _PER_FILE):
            name = f"stances-{first:06d}-{made:06d}.npz"
            np.savez(out / name, allow_pickle=False, squares=np.stack(squares), stands=np.array(stands))
            made += len(squares)
            print(f"{seed + 1 - first} pictures, {made} tiles, {np.mean(stands):.2f} stand", flush=True)
            squares, stands = [], []
        if done:
            break
    return made


def _pictures(folder: Path, split: str, first: int) -> Iterator[LabelledPicture]:
    photos = [photo for photo in load_photos(folder, split="train") if photo.tiles and photo.upright]
    shown = {kind: [p.masked() for p in photos if p.kind == kind] for kind in ("rack", "table")}
    seed = first
    while True:
        rng = np.random.default_rng([seed, 101])
        design, of_rack = sample_design(rng, split=split), seed % 2 == 0
        if rng.random() < 0.2:
            of_kind = shown["rack" if of_rack else "table"]
            yield redesign(of_kind[int(rng.integers(len(of_kind)))], rng, design=design)
        else:
            yield render_picture(seed, split="train", design=design, profile="rack" if of_rack else None)
        seed += 1


def _squeeze(rng: Generator) -> NDArray[np.float64]:
    """Draw by how much a picture is made narrower or flatter, (2,)."""
    shares = np.ones(2)
    shares[int(rng.integers(2))] = np.exp(rng.uniform(np.log(_SQUEEZED), np.log(0.9)))
    return shares


def _cut(
    picture: LabelledPicture, squeeze: NDArray[np.float64], rng: Generator
) -> tuple[list[NDArray[np.uint8]], list[bool]]:
    """Return the surroundings (64, 64, 3) of some tiles of a picture squeezed, and whether each stands."""
    height, width = picture.image_bgr.shape[:2]
    scale = squeeze * min(_LONGEST_PX / max(height, width), 1.0) * np.exp(rng.uniform(np.log(0.5), 0))
    size = np.rint(np.array([width, height]) * scale).astype(int)
    image = cv2.resize(picture.image_bgr, size.tolist(), interpolation=cv2.INTER_AREA)
    by = (size / [width, height]).astype(np.float32)
    on_rack_photo = picture.kind == "rack" and not picture.racks_xy_px
    quads, stand = list[NDArray[np.float32]](), list[bool]()
    for k in rng.permutation(len(picture.tiles)):
        tile = picture.tiles[k]
        quad = (tile.corners_xy_px + 0.5) * by - 0.5
        side = float(np.ptp(quad, axis=0).max())
        if tile.visible < 0.5 or side < _LEAST_PX or len(quads) == _PER_PICTURE:
            continue
        # As found, not as it is.
        quads.append((quad + rng.normal(0, 0.04, quad.shape) * side).astype(np.float32))
        stand.append(tile.on_rack or on_rack_photo)
    if not quads:
        return [], []
    return list(surroundings(Pyramid(cleared(np.asarray(image, np.uint8))), np.stack(quads))), stand


def _varied(squares: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Return squares (N, 64, 64, 3), bytes of BGR, as the net takes them, turned, each in another light."""
    x = squares.permute(0, 3, 1, 2).flip(1).float() / 255
    x = torch.rot90(x, int(torch.randint(4, (1,), generator=generator)), dims=(2, 3))
    # Nothing here reads digits: a mirrored picture shows as good a rack.
    x = x.flip(3) if torch.rand(1, generator=generator) < 0.5 else x
    n = len(x)
    # Cameras lean.
    turn, size = (
        _ROLL_RAD * torch.randn(n, generator=generator),
        (0.06 * torch.randn(n, generator=generator)).exp(),
    )
    cos, sin, still = size * turn.cos(), size * turn.sin(), torch.zeros(n)
    theta = torch.stack([cos, -sin, still, sin, cos, still], 1).reshape(n, 2, 3)
    grid = F.affine_grid(theta, list(x.shape), align_corners=False)
    x = F.grid_sample(x, grid, padding_mode="reflection", align_corners=False)
    soft = F.interpolate(F.avg_pool2d(x, 2), scale_factor=2, mode="bilinear")
    x = torch.where(torch.rand(n, 1, 1, 1, generator=generator) < 0.2, soft, x)
    gain = (0.25 * torch.randn(n, 1, 1, 1, generator=generator)).exp()
    tint = (0.12 * torch.randn(n, 3, 1, 1, generator=generator)).exp()
    return (x * gain * tint).clamp(0, 1).contiguous(memory_format=torch.channels_last)


def train(
    folder: Path, out: Path, minutes: float, seed: int = 0, rate: float = 2e-3, warm: Path | None = None
) -> Path:
    """Train for ``minutes`` on what ``see`` wrote; write and return ``out/stance.pt``.

    ``warm``: an exported stance net to begin with.
    """
    files = sorted(folder.glob("stances-*.npz"))
    if not files:
        raise SystemExit(f"There is nothing in {folder}; run 'see' first.")
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    loaded = [np.load(file) for file in files]
    squares = torch.from_numpy(np.concatenate([one["squares"] for one in loaded]))
    stands = torch.from_numpy(np.concatenate([one["stands"] for one in loaded])).long()
    print(f"{len(stands)} tiles, {float(stands.float().mean()):.2f} on racks", flush=True)
    net, generator = StanceNet(), torch.Generator().manual_seed(seed)

    def batches() -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        while True:
            index = torch.randint(len(stands), (_BATCH,), generator=generator)
            yield _varied(squares[index], generator), stands[index]

    drawn = batches()
    if warm is not None:
        unfuse(warm, net)
        spread_norms(net, lambda: [net(x) for x, _ in islice(drawn, _NORM_BATCHES)])
    net = net.train().to(memory_format=torch.channels_last)
    mean = averaged(net, 0.997)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.05)
    start, step, running = time.time(), 0, 0.0
    while (done := (time.time() - start) / (minutes * 60)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * annealed(done)
        x, true = next(drawn)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = net(x)
        loss = F.cross_entropy(logits.float(), true)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        mean.update_parameters(net)
        step, running = step + 1, 0.99 * running + 0.01 * loss.item()
        if step % 200 == 0:
            print(
                f"{time.time() - start:.0f} s, step {step}: loss {running / (1 - 0.99**step):.4f}", flush=True
            )
    out.mkdir(parents=True, exist_ok=True)
    path = out / "stance.pt"
    torch.save(mean.module.state_dict(), path)
    return path


def main() -> None:
    """Run from the command line."""
    parser, training = see_and_train(
        __doc__ or "", "write tiles with what lies around them", seconds=900.0, minutes=12.0, rate=2e-3
    )
    training.add_argument("--warm", type=Path, metavar="FILE", help="an exported stance net to begin with")
    asked = parser.parse_args()
    if asked.what == "see":
        print(f"{see(asked.photos, asked.out, asked.designs, asked.seconds, asked.first)} tiles", flush=True)
    else:
        print(train(asked.data, asked.out, asked.minutes, asked.seed, asked.rate, asked.warm))


if __name__ == "__main__":
    main()
