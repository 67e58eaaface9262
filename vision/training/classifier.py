"""Train the classifier on stored crops of shards, all pictures' tiles kept together for the joint colour.

``python -m vision.training.classifier --data .work/train --out .work/classifier --minutes 20``
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from vision.rectify import READ_MARGIN, READ_SIZE_WH, face_corners
from vision.training.net import TileNet, annealed, averaged, tile_white
from vision.training.shards import CROP_MARGIN, CROP_SIZE_WH, NO_NUMERAL_CLASS, shard_stems
from vision.training.unfused import spread_norms, unfuse

TILES = 24
_NORM_PICTURES = 512
_LOOK_FOR_MORE_S = 30.0


@dataclass
class Crops:
    """Stored crops, sorted by picture."""

    crops: torch.Tensor
    """uint8 BGR (M, 88, 66, 3)."""
    number: torch.Tensor
    """int64 (M,), classes of :mod:`vision.training.shards`."""
    colour: torch.Tensor
    """int64 (M,), -1 where there is none to learn (jokers, grey pictures, no face)."""
    first: torch.Tensor
    """int64 (P,), first crop of each picture."""
    count: torch.Tensor
    """int64 (P,), its number of crops."""

    @staticmethod
    def load(folders: list[Path], device: str) -> Crops:
        """Load every whole shard; everything stays on ``device``."""
        return Crops.of_shards(shard_stems(*folders), device)

    @staticmethod
    def of_shards(stems: list[Path], device: str) -> Crops:
        """Load these shards."""
        crops, number, colour, counts = [], [], [], []
        for stem in stems:
            with np.load(stem.with_suffix(".npz")) as shard:
                rows, pixels = shard["crop_rows"], shard["crops"]
            order = np.argsort(rows[:, 0], kind="stable")
            rows = rows[order]
            crops.append(torch.from_numpy(pixels[order]).to(device))
            number.append(rows[:, 1])
            colour.append(np.where(rows[:, 4] > 0, -1, rows[:, 2]))
            counts.append(np.unique(rows[:, 0], return_counts=True)[1])
        count = torch.from_numpy(np.concatenate(counts)).long()
        first = torch.cumsum(count, 0) - count
        return Crops(
            torch.cat(crops),
            torch.from_numpy(np.concatenate(number)).long().to(device),
            torch.from_numpy(np.concatenate(colour)).long().to(device),
            first.to(device),
            count.to(device),
        )

    def with_more(self, more: Crops) -> Crops:
        """Return these and those of other pictures."""
        return Crops(
            torch.cat([self.crops, more.crops]),
            torch.cat([self.number, more.number]),
            torch.cat([self.colour, more.colour]),
            torch.cat([self.first, more.first + len(self.number)]),
            torch.cat([self.count, more.count]),
        )


def _homographies(quads: torch.Tensor, device: str) -> torch.Tensor:
    """Return (N, 3, 3) maps from unit output coordinates [-1, 1] to stored-crop pixels; quads (N, 4, 2)."""
    width, height = READ_SIZE_WH
    face = torch.tensor(face_corners(READ_SIZE_WH, READ_MARGIN), device=device) + 0.5
    unit = face / torch.tensor([width, height], device=device) * 2 - 1
    n = quads.shape[0]
    x, y = unit[:, 0].expand(n, 4), unit[:, 1].expand(n, 4)
    u, v = quads[..., 0], quads[..., 1]
    zero, one = torch.zeros_like(x), torch.ones_like(x)
    rows_u = torch.stack([x, y, one, zero, zero, zero, -u * x, -u * y], -1)
    rows_v = torch.stack([zero, zero, zero, x, y, one, -v * x, -v * y], -1)
    h = torch.linalg.solve(torch.cat([rows_u, rows_v], 1), torch.cat([u, v], 1).unsqueeze(-1)).squeeze(-1)
    return torch.cat([h, torch.ones(n, 1, device=device)], 1).reshape(n, 3, 3)


def augmented(
    stored: torch.Tensor, train: bool, generator: torch.Generator, picture: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Cut reading crops (N, 3, 64, 48) RGB 0..1 from stored ones, corners shifted at random; also the turn.

    A third of the training crops is turned by a half, some by a quarter, for the ``turn`` output. ``picture``
    (N,) says whose they are, from 0 on: with it, many pictures look as if their tiles were of one more design,
    see :func:`_reshaped` and :func:`_redrawn`.
    """
    device, n = str(stored.device), stored.shape[0]
    quad = torch.tensor(face_corners(CROP_SIZE_WH, CROP_MARGIN), device=device) + 0.5
    size = (quad[2] - quad[0]).abs()
    quads = quad.expand(n, 4, 2)
    turn = torch.zeros(n, dtype=torch.long, device=device)
    if train:

        def normal(*shape: int) -> torch.Tensor:
            return torch.randn(*shape, device=device, generator=generator)

        # The whole quad shifts and breathes, and each corner errs on its own, as the finder's do.
        wild = torch.where(torch.rand(n, 1, 1, device=device, generator=generator) < 0.25, 2.0, 1.0)
        centre = quads.mean(1, keepdim=True)
        breathe = 1 + 0.04 * wild * normal(n, 1, 2)
        error = wild * size * (0.03 * normal(n, 1, 2) + 0.025 * normal(n, 4, 2))
        quads = centre + (quads - centre) * breathe + error
        if picture is not None:
            quads = _reshaped(quads, picture, generator)
        chance = torch.rand(n, device=device, generator=generator)
        turn = torch.where(chance < 0.15, 2, torch.where(chance < 0.18, 1, torch.where(chance < 0.21, 3, 0)))
        index = (torch.arange(4, device=device)[None] + turn[:, None]) % 4
        quads = torch.gather(quads, 1, index[..., None].expand(n, 4, 2))
    h = _homographies(quads, device)
    width, height = READ_SIZE_WH
    xs = (torch.arange(width, device=device) + 0.5) / width * 2 - 1
    ys = (torch.arange(height, device=device) + 0.5) / height * 2 - 1
    grid = torch.stack(
        [
            xs.expand(height, width),
            ys[:, None].expand(height, width),
            torch.ones(height, width, device=device),
        ],
        -1,
    )
    mapped = torch.einsum("nij,hwj->nhwi", h, grid)
    points = mapped[..., :2] / mapped[..., 2:]
    points = points / torch.tensor(CROP_SIZE_WH, device=device, dtype=points.dtype) * 2 - 1
    images = stored.permute(0, 3, 1, 2).flip(1).float() / 255
    crops = F.grid_sample(images, points, mode="bilinear", padding_mode="border", align_corners=False)
    if train and picture is not None:
        crops = _redrawn(crops, picture, generator)
    if train:
        crops = _spoil(crops, generator)
    return crops, turn


def _reshaped(quads: torch.Tensor, picture: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Stretch and lean the faces of half of the pictures, alike within each; quads (N, 4, 2)."""
    device, count = str(quads.device), int(picture.max()) + 1
    often = (torch.rand(count, 1, device=device, generator=generator) < 0.5).float()
    shape = often * 0.05 * torch.randn(count, 3, device=device, generator=generator).clamp(-2, 2)
    stretch, lean = shape[:, :2].exp()[picture], shape[:, 2][picture]
    centre = quads.mean(1, keepdim=True)
    x, y = ((quads - centre) * stretch[:, None]).unbind(-1)
    return centre + torch.stack([x + lean[:, None] * y, y], -1)


def _redrawn(crops: torch.Tensor, picture: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Give some pictures heavier or lighter strokes, some stronger or weaker inks, alike within each."""
    device, count = str(crops.device), int(picture.max()) + 1
    chance = torch.rand(count, 2, device=device, generator=generator)
    share = 0.7 * torch.rand(count, device=device, generator=generator)
    ink = 1 + (chance[:, 1] < 0.3) * (0.5 * torch.rand(count, device=device, generator=generator) - 0.3)
    heavier = -F.max_pool2d(-crops, 3, 1, 1)
    lighter = F.max_pool2d(crops, 3, 1, 1)
    wide = (slice(None), None, None, None)
    to = torch.where((chance[:, 0] < 0.2)[picture][wide], heavier, lighter)
    changed = ((chance[:, 0] < 0.4) * share)[picture][wide]
    crops = crops + changed * (to - crops)
    grey = crops.mean(1, keepdim=True)
    return (grey + ink[picture][wide] * (crops - grey)).clamp(0, 1)


def _spoil(crops: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Blur, fade, tint, add noise; gently, since the renderer has done its part."""
    device, n = str(crops.device), crops.shape[0]
    chance = torch.rand(n, 3, 1, 1, 1, device=device, generator=generator)
    small = F.interpolate(F.avg_pool2d(crops, 2), scale_factor=2, mode="bilinear")
    tiny = F.interpolate(F.avg_pool2d(crops, 4), scale_factor=4, mode="bilinear")
    crops = torch.where(chance[:, 0] < 0.06, tiny, torch.where(chance[:, 0] < 0.2, small, crops))
    gain = (0.12 * torch.randn(n, 1, 1, 1, device=device, generator=generator)
            + 0.04 * torch.randn(n, 3, 1, 1, device=device, generator=generator)).exp()  # fmt: skip
    contrast = 1 - 0.25 * torch.rand(n, 1, 1, 1, device=device, generator=generator) * (chance[:, 1] < 0.3)
    mean = crops.mean((2, 3), keepdim=True)
    crops = ((crops - mean) * contrast + mean) * gain
    noise = 0.05 * torch.rand(n, 1, 1, 1, device=device, generator=generator) * (chance[:, 2] < 0.4)
    return (crops + noise * torch.randn(crops.shape, device=device, generator=generator)).clamp(0, 1)


def pick(data: Crops, pictures: torch.Tensor, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Return crop indices (B, T) of some tiles of each picture, and where there is none (padding)."""
    device = str(data.crops.device)
    count, first = data.count[pictures], data.first[pictures]
    # Often only a few tiles are in view: the joint colour must be honest then, too.
    most = torch.where(
        torch.rand(len(pictures), device=device, generator=generator) < 0.5,
        torch.randint(1, 7, (len(pictures),), device=device, generator=generator), TILES,
    )  # fmt: skip
    slots = torch.arange(TILES, device=device)[None]
    start = (torch.rand(len(pictures), 1, device=device, generator=generator) * count[:, None]).long()
    index = first[:, None] + (start + slots) % count[:, None]
    absent = slots >= torch.minimum(count, most)[:, None]
    return index, absent


def losses(
    net: TileNet,
    data: Crops,
    pictures: torch.Tensor,
    train: bool,
    generator: torch.Generator,
    *,
    vary: bool = False,
) -> dict[str, torch.Tensor]:
    """Return the losses and hits over a batch of pictures; ``vary`` their designs as well."""
    index, absent = pick(data, pictures, generator)
    there = ~absent
    picture = there.nonzero()[:, 0] if vary else None
    # Where a crop's pixels lie is nothing to be told in eight bits.
    with torch.autocast(data.crops.device.type, enabled=False):
        crops, turn = augmented(data.crops[index[there]], train, generator, picture)
    white = tile_white(crops)
    crops = crops.contiguous(memory_format=torch.channels_last)
    number, colour = data.number[index[there]], data.colour[index[there]]
    f, own = net.features(crops, white)
    upright = turn == 0

    def padded(x: torch.Tensor) -> torch.Tensor:
        full = torch.zeros(*absent.shape, x.shape[-1], dtype=x.dtype, device=x.device)
        full[there] = x
        return full

    joint = net.together(padded(f), padded(own["colour_alone"]), padded(white.to(f.dtype)), absent)[there]
    inked = (colour >= 0) & upright
    faced = number != NO_NUMERAL_CLASS
    # A crop that is not upright is none to read: at the table it is cut anew the right way up.
    readable = upright | ~faced
    parts = {
        "number": F.cross_entropy(own["number"][readable].float(), number[readable]),
        "colour": F.cross_entropy(joint[inked].float(), colour[inked]),
        "alone": F.cross_entropy(own["colour_alone"][colour >= 0].float(), colour[colour >= 0]),
        "turn": F.cross_entropy(own["turn"][faced].float(), turn[faced]),
    }
    parts["hit_number"] = (own["number"][readable].argmax(1) == number[readable]).float().mean()
    parts["hit_colour"] = (joint[inked].argmax(1) == colour[inked]).float().mean()
    parts["hit_turn"] = (own["turn"][faced].argmax(1) == turn[faced]).float().mean()
    return parts


def train_classifier(
    folders: list[Path], out: Path, minutes: float, device: str, batch: int = 64, lr: float = 2e-3,
    seed: int = 0, warm: Path | None = None, steps: int | None = None, vary: bool = False,
) -> Path:  # fmt: skip
    """Train for ``minutes`` (or ``steps``); write and return ``out/classifier.pt``, checkpointed on the way.

    Shards that come meanwhile are taken in. ``vary`` shows many pictures as if of one more design.

    ``batch`` counts pictures; ``warm`` is an exported ``classifier.onnx`` or an earlier ``.safetensors``. The
    learning rate follows the clock, as in the finder's training.
    """
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    known = shard_stems(*folders)
    data = Crops.of_shards(known, device)
    generator = torch.Generator(device).manual_seed(seed)
    net = TileNet().to(device, memory_format=torch.channels_last)
    path = out / "classifier.pt"
    if warm is not None and warm.suffix == ".onnx":
        unfuse(warm, net)
        some = torch.arange(min(_NORM_PICTURES, len(data.count)), device=device)
        spread_norms(net, lambda: [losses(net, data, part, True, generator) for part in some.split(batch)])
    elif warm is not None:
        from safetensors.torch import load_file

        net.load_state_dict(load_file(warm))
    ema = averaged(net, 0.9995)
    optimizer = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=0.02)
    print(f"{len(data.number)} crops of {len(data.count)} pictures", flush=True)
    start, step = time.time(), 0
    looked = start
    while (time.time() - start < minutes * 60) if steps is None else step < steps:
        done = (time.time() - start) / (minutes * 60) if steps is None else step / steps
        for group in optimizer.param_groups:
            group["lr"] = lr * max(annealed(min(done, 1.0)), 0.01)
        if time.time() - looked > _LOOK_FOR_MORE_S:
            looked = time.time()
            fresh = sorted(set(shard_stems(*folders)) - set(known))
            if fresh:
                known += fresh
                data = data.with_more(Crops.of_shards(fresh, device))
        net.train()
        pictures = torch.randint(len(data.count), (batch,), device=device, generator=generator)
        with torch.autocast(device, dtype=torch.bfloat16):
            parts = losses(net, data, pictures, True, generator, vary=vary)
        loss = parts["number"] + parts["colour"] + 0.3 * parts["alone"] + 0.5 * parts["turn"]
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        ema.update_parameters(net)
        if step % 500 == 0:
            said = " ".join(f"{k} {v.item():.4f}" for k, v in parts.items())
            print(f"{step} {time.time() - start:.0f} s {len(data.count)} pictures {said}", flush=True)
            torch.save(ema.module.state_dict(), path)
        step += 1
    torch.save(ema.module.state_dict(), path)
    print(f"{step} steps", flush=True)
    return path


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--warm", type=Path)
    parser.add_argument("--vary", action="store_true", help="vary the designs of many pictures")
    parser.add_argument("--threads", type=int, help="of the CPU; default: all cores")
    args = parser.parse_args()
    if args.threads is not None:
        torch.set_num_threads(args.threads)
    print(train_classifier(
        args.data, args.out, args.minutes, args.device, args.batch, args.lr, args.seed, args.warm,
        vary=args.vary,
    ))  # fmt: skip


if __name__ == "__main__":
    main()
