"""Train the net that tells tiles from what looks like them, on what the shipped finder and refiner find.

Finds are cut out where the reader takes them to be, in pictures of look-alikes, of printed cloths, of tiles on
both, and in photographs in other designs.

``python -m vision.training.lookalikes see --photos FOLDER --out .work/finds --seconds 1500``
``python -m vision.training.lookalikes train --data .work/finds --out .work/lookalikes --minutes 20``
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional as F

from datasets.design import Design, sample_design
from datasets.grounds_prints import printed_cloth
from datasets.labels import LabelledPicture
from datasets.negatives import ALONE, add_beside
from datasets.photos import load_photos
from datasets.profiles import PROFILES, make_plan
from datasets.profiles_types import Plan
from datasets.redesign import redesign
from datasets.render import render_picture
from vision.evaluation.matching import Outlines
from vision.light import cleared
from vision.lookalikes import bodies
from vision.models import LOOKALIKES
from vision.reader import Reader
from vision.rectify import Pyramid
from vision.settings import ReadSettings
from vision.training.export import export_squares
from vision.training.net import Residual, annealed, averaged, conv

_GENEROUS = 0.12
"""Finds are heard from this score on, so that there are more look-alikes among them than the reader keeps."""
_A_TILE, _NO_TILE = 0.5, 0.12
"""Overlap with a true tile from which on a find is one, and up to which it is none; between lies neither."""
_LONGEST_PX = 1280
_PER_FILE = 4000
_BATCH = 256
_DOUBTED = 0.02
"""Share of the finds whose label is thought to be wrong."""


class BodyNet(nn.Module):
    """``squares`` (N, 3, 64, 64) RGB 0..1 to ``none`` (N, 2): a tile, none; see ``lookalikes.bodies``."""

    def __init__(self) -> None:
        """Build with fresh weights."""
        super().__init__()
        self.trunk = nn.Sequential(
            conv(3, 32, 2), conv(32, 32, 2), Residual(32), Residual(32), conv(32, 64, 2), conv(64, 64, 2),
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(64 * 4 * 4, 48), nn.ReLU(), nn.Linear(48, 2),
        )  # fmt: skip

    def forward(self, squares: torch.Tensor) -> torch.Tensor:
        """See the class."""
        logits: torch.Tensor = self.trunk(squares * 2 - 1)
        return logits


def see(folder: Path, out: Path, split: str, seconds: float, first: int) -> int:
    """Write what is found, cut out, with whether it is a tile; files of 4,000 finds; return how many."""
    out.mkdir(parents=True, exist_ok=True)
    reader = Reader.load(ReadSettings(threads=1, find_score=_GENEROUS), any_set=True)
    deadline, made = time.time() + seconds, 0
    squares, tiles, kinds = list[NDArray[np.uint8]](), list[NDArray[np.bool_]](), list[NDArray[np.int64]]()
    for pictures, (kind, picture) in enumerate(_pictures(folder, split, first), 1):
        told = _found(picture, reader)
        if told is not None:
            squares.append(told[0])
            tiles.append(told[1])
            kinds.append(np.full(len(told[1]), kind))
        done = time.time() > deadline
        if squares and (done or sum(len(t) for t in tiles) >= _PER_FILE):
            cut, true = np.concatenate(squares), np.concatenate(tiles)
            path = out / f"finds-{first:06d}-{made:06d}.npz"
            np.savez(path, allow_pickle=False, squares=cut, tile=true, kind=np.concatenate(kinds))
            made += len(true)
            print(f"{pictures} pictures, {made} finds, {float(true.mean()):.2f} of these tiles", flush=True)
            squares, tiles, kinds = [], [], []
        if done:
            break
    return made


def _pictures(folder: Path, split: str, first: int) -> Iterator[tuple[int, LabelledPicture]]:
    """Yield pictures without end, with a kind: 0 photographs, 1 prints, 2 look-alikes, 3 tiles beside these."""
    photos = [photo for photo in load_photos(folder, split="train") if photo.kind is not None and photo.upright]
    shown = [photo.masked() for photo in photos]
    seed = first
    while True:
        rng = np.random.default_rng([seed, 89])
        design, kind = sample_design(rng, split=split), (0, 1, 2, 3, 1)[seed % 5]
        if kind == 0:
            yield kind, redesign(shown[int(rng.integers(len(shown)))], rng, design=design)
        elif kind == 1:
            yield kind, render_picture(seed, split="train", design=design, arrange=_on_print)
        elif kind == 2:
            yield kind, render_picture(seed, split="train", design=design, profile=ALONE)
        else:
            yield kind, render_picture(seed, split="train", design=design, arrange=_beside)
        seed += 1


def _on_print(design: Design, rng: Generator, split: str) -> Plan:
    """Plan a picture on a printed cloth, two in five of them without a tile."""
    plan = make_plan("empty" if rng.random() < 0.4 else _profile(rng), design, rng, split)
    plan.ground = printed_cloth(split)
    return plan


def _beside(design: Design, rng: Generator, split: str) -> Plan:
    """Plan a picture of tiles with look-alikes beside them."""
    plan = make_plan(_profile(rng), design, rng, split)
    add_beside(plan, rng, split)
    return plan


def _profile(rng: Generator) -> str:
    names = [name for name in PROFILES if name != "empty"]
    shares = np.array([PROFILES[name] for name in names])
    return names[int(rng.choice(len(names), p=shares / shares.sum()))]


def _found(picture: LabelledPicture, reader: Reader) -> tuple[NDArray[np.uint8], NDArray[np.bool_]] | None:
    """Return the finds of a picture, cut out, and which are tiles; None where there is none."""
    image = picture.image_bgr
    scale = min(_LONGEST_PX / max(image.shape[:2]), 1.0)
    image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    pyramid = Pyramid(cleared(image))
    faces = [find.corners_xy_px for find in reader.find(pyramid) if not find.face_down]
    if not faces:
        return None
    size = (image.shape[1], image.shape[0])
    true = [(tile.corners_xy_px + 0.5) * scale - 0.5 for tile in picture.tiles]
    overlap = Outlines(faces, size).overlaps(Outlines(true, size)).max(axis=1, initial=0.0)
    told = (overlap >= _A_TILE) | (overlap <= _NO_TILE)
    if not told.any():
        return None
    return bodies(pyramid, np.stack(faces)[told]), overlap[told] >= _A_TILE


class Finds:
    """What was seen."""

    def __init__(self, *folders: Path) -> None:
        """Load every file of the folders."""
        files = [file for folder in folders for file in sorted(folder.glob("finds-*.npz"))]
        if not files:
            raise SystemExit(f"There is nothing in {', '.join(map(str, folders))}; run 'see' first.")
        loaded = [np.load(file) for file in files]
        self.squares = torch.from_numpy(np.concatenate([one["squares"] for one in loaded]))
        self.none = torch.from_numpy(~np.concatenate([one["tile"] for one in loaded])).long()

    def __len__(self) -> int:
        return len(self.none)


def _varied(squares: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Return squares (N, 64, 64, 3), bytes of BGR, as the net takes them, each in another pose and light."""
    x = squares.permute(0, 3, 1, 2).flip(1).float() / 255
    n = len(x)

    def drawn(*shape: int) -> torch.Tensor:
        return torch.randn(n, *shape, generator=generator)

    # Corners err; what a body is does not depend on which way it lies, nor on left and right.
    turn, size = 0.05 * drawn(), (0.06 * drawn()).exp()
    flips = 1 - 2 * torch.randint(2, (n, 2), generator=generator)
    cos, sin = size * turn.cos(), size * turn.sin()
    pose = torch.stack([cos * flips[:, 0], -sin, sin, cos * flips[:, 1]], 1).reshape(n, 2, 2)
    theta = torch.cat([pose, 0.04 * drawn(2, 1)], 2)
    grid = F.affine_grid(theta, list(x.shape), align_corners=False)
    x = F.grid_sample(x, grid, padding_mode="border", align_corners=False)
    soft = F.interpolate(F.avg_pool2d(x, 2), scale_factor=2, mode="bilinear")
    x = torch.where(torch.rand(n, 1, 1, 1, generator=generator) < 0.2, soft, x)
    gain, tint = (0.25 * drawn(1, 1, 1)).exp(), (0.1 * drawn(3, 1, 1)).exp()
    noise = 0.04 * torch.rand(n, 1, 1, 1, generator=generator) * torch.randn(x.shape, generator=generator)
    return (x * gain * tint + noise).clamp(0, 1)


def train(
    folders: list[Path], out: Path, minutes: float, seed: int = 0, rate: float = 2e-3, batch: int = _BATCH
) -> BodyNet:
    """Train for ``minutes`` on what ``see`` wrote; return the mean net, also written as ``lookalikes.onnx``."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    finds, generator = Finds(*folders), torch.Generator().manual_seed(seed)
    net = BodyNet().to(memory_format=torch.channels_last)
    mean = averaged(net, 0.999)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.05)
    print(f"{len(finds)} finds, {int(finds.none.sum())} of them no tiles", flush=True)
    start, step, running = time.time(), 0, 0.0
    while (done := (time.time() - start) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * annealed(done)
        some = torch.randint(len(finds), (batch,), generator=generator)
        x = _varied(finds.squares[some], generator).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = net(x)
        loss = F.cross_entropy(logits.float(), finds.none[some], label_smoothing=2 * _DOUBTED)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        mean.update_parameters(net)
        step, running = step + 1, 0.99 * running + 0.01 * loss.item()
        if step % 200 == 0:
            said = f"loss {running / (1 - 0.99**step):.4f}"
            print(f"{time.time() - start:.0f} s, step {step}: {said}", flush=True)
    out.mkdir(parents=True, exist_ok=True)
    trained: BodyNet = mean.module
    told = {"what": "tells tiles from what looks like them", "licence": "AGPL-3.0-or-later", "steps": str(step)}
    print(export_squares(trained, out / f"{LOOKALIKES}.onnx", ["none"], told), flush=True)
    return trained


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_subparsers(dest="what", required=True)
    seeing = what.add_parser("see", help="write what is found")
    seeing.add_argument("--photos", type=Path, required=True, help="labelled photographs")
    seeing.add_argument("--out", type=Path, required=True)
    seeing.add_argument("--designs", default="ship", choices=["train", "ship", "heldout", "reserved"])
    seeing.add_argument("--seconds", type=float, default=1500.0)
    seeing.add_argument("--first", type=int, default=0, help="seed of the first picture")
    training = what.add_parser("train", help="train on it")
    training.add_argument("--data", type=Path, nargs="+", required=True)
    training.add_argument("--out", type=Path, required=True)
    training.add_argument("--minutes", type=float, default=20.0)
    training.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.what == "see":
        print(f"{see(asked.photos, asked.out, asked.designs, asked.seconds, asked.first)} finds", flush=True)
    else:
        train(asked.data, asked.out, asked.minutes, asked.seed)


if __name__ == "__main__":
    main()
