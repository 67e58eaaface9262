"""Train the net that tells tiles from what looks like them, on what the shipped finder and refiner find.

Finds are cut out where the reader takes them to be, in pictures of look-alikes, of printed cloths, of tiles on
both, and in photographs in other designs.

``python -m vision.training.lookalikes see --photos FOLDER --out .work/finds --seconds 1500``
``python -m vision.training.lookalikes see --photos TRACED --as-they-are --out .work/traced``
``python -m vision.training.lookalikes train --data .work/finds .work/traced --out DIR --minutes 20``
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
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
from vision.classify import read_faces
from vision.decide import faced
from vision.evaluation.matching import Outlines
from vision.light import cleared
from vision.lookalikes import SIGNS, bodies, signs
from vision.models import LOOKALIKES
from vision.reader import Reader
from vision.rectify import Pyramid
from vision.settings import ReadSettings
from vision.training.export import export_squares
from vision.training.net import TOKEN, Attend, Residual, annealed, averaged, between, conv
from vision.training.seen import see_and_train
from vision.training.unfused import spread_norms, unfuse

_GENEROUS = 0.12
"""Finds are heard from this score on, so that there are more look-alikes among them than the reader keeps."""
_A_TILE, _NO_TILE = 0.5, 0.12
"""Overlap with a true tile from which on a find is one, and up to which it is none; between lies neither."""
_IS_TILE, _IS_NONE, _NEITHER = 0, 1, -1
_LONGEST_PX = 1280
_PER_FILE = 4000
_AS_IT_IS, _SMALLER = 4, 0.6
"""The kind of pictures that were not made for this, and the share of their size at which they are seen, too."""
_PICTURES, _FINDS = 16, 28
_NORM_BATCHES = 20
_CLEAR = (0.0, 0.4, 0.8)
"""Of each picture trained on, what reads less clearly than one of these is left out."""
_FEWER, _UNTOLD = 0.25, 0.1
"""Shares of the pictures of which only some finds are shown, and of which no signs are told."""
BODY = 48
"""So many numbers tell of a body."""
_DOUBTED = 0.02
"""Share of the finds whose label is thought to be wrong."""


class BodyNet(nn.Module):
    """``squares`` (N, 3, 64, 64) RGB 0..1 and ``signs`` (N, S) of the finds of one picture to logits (N, 2).

    ``none``: a tile, none, each find by its body; ``among``: the same, each beside the others. See
    :mod:`vision.lookalikes`.
    """

    def __init__(self) -> None:
        """Build with fresh weights."""
        super().__init__()
        self.trunk = nn.Sequential(
            conv(3, 32, 2), conv(32, 32, 2), Residual(32), Residual(32), conv(32, 64, 2), conv(64, 64, 2),
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(64 * 4 * 4, BODY), nn.ReLU(), nn.Linear(BODY, 2),
        )  # fmt: skip
        self.token = nn.Linear(BODY + 2 + SIGNS, TOKEN)
        self.layers = nn.ModuleList([Attend(), Attend()])
        self.beside = nn.Sequential(nn.LayerNorm(TOKEN), nn.Linear(TOKEN, 2))

    def alone(self, squares: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what is seen of each body (N, ``BODY``), and the logits (N, 2) by that alone."""
        body = self.trunk[:-1](squares * 2 - 1)
        return body, self.trunk[-1](body)

    def together(
        self, body: torch.Tensor, none: torch.Tensor, signs: torch.Tensor, absent: torch.Tensor | None
    ) -> torch.Tensor:
        """Return the logits (B, T, 2) of B pictures of T finds; ``absent`` (B, T) is true for padding."""
        x = self.token(torch.cat([body, none, signs], dim=-1))
        for layer in self.layers:
            x = layer(x, absent)
        logits: torch.Tensor = none + self.beside(x)
        return logits

    def forward(self, squares: torch.Tensor, signs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """See the class."""
        body, none = self.alone(squares)
        return none, self.together(body[None], none[None], signs[None], None)[0]


def see(folder: Path, out: Path, split: str, seconds: float, first: int, as_they_are: bool = False) -> int:
    """Write what is found, cut out, with whether it is a tile; files of 4,000 finds; return how many.

    ``as_they_are``: in the pictures of ``folder``, once; else in pictures made without end, until time is up.
    """
    out.mkdir(parents=True, exist_ok=True)
    reader = Reader.load(ReadSettings(threads=1, find_score=_GENEROUS), any_set=True)
    deadline, made = time.time() + seconds, 0
    seen = list[dict[str, NDArray[np.generic]]]()

    def write(pictures: int) -> int:
        whole = {name: np.concatenate([one[name] for one in seen]) for name in seen[0]}
        whole["counts"] = np.array([len(one["tile"]) for one in seen])
        np.savez(out / f"finds-{first:06d}-{made:06d}.npz", allow_pickle=False, **whole)
        tiles = float((whole["tile"] == _IS_TILE).mean())
        print(f"{pictures} pictures, {made + len(whole['tile'])} finds, {tiles:.2f} of these tiles", flush=True)
        seen.clear()
        return len(whole["tile"])

    pictures = 0
    for kind, picture in _as_they_are(folder) if as_they_are else _pictures(folder, split, first):
        pictures += 1
        told = _found(picture, reader)
        if told is not None:
            seen.append({**told, "kind": np.array([kind])})
        if sum(len(one["tile"]) for one in seen) >= _PER_FILE:
            made += write(pictures)
        if time.time() > deadline:
            break
    return made + write(pictures) if seen else made


def _as_they_are(folder: Path) -> Iterator[tuple[int, LabelledPicture]]:
    """Yield the pictures of a folder once, each as it is and smaller, as kind 4."""
    for photo in load_photos(folder):
        picture = photo.masked()
        yield _AS_IT_IS, picture
        image = cv2.resize(picture.image_bgr, None, fx=_SMALLER, fy=_SMALLER, interpolation=cv2.INTER_AREA)
        tiles = (replace(t, corners_xy_px=(t.corners_xy_px + 0.5) * _SMALLER - 0.5) for t in picture.tiles)
        yield _AS_IT_IS, replace(picture, image_bgr=np.asarray(image, np.uint8), tiles=tuple(tiles))


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


def _found(picture: LabelledPicture, reader: Reader) -> dict[str, NDArray[np.generic]] | None:
    """Return the finds of a picture, cut out, with what they read and which are tiles; None without any."""
    image = picture.image_bgr
    scale = min(_LONGEST_PX / max(image.shape[:2]), 1.0)
    image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    pyramid = Pyramid(cleared(image))
    faces = [find.corners_xy_px for find in reader.find(pyramid) if not find.face_down]
    if not faces:
        return None
    readings, corners = read_faces(pyramid, np.stack(faces), reader.classifier, cuts=False)
    size = (image.shape[1], image.shape[0])
    true = [(tile.corners_xy_px + 0.5) * scale - 0.5 for tile in picture.tiles]
    overlap = Outlines(list(corners), size).overlaps(Outlines(true, size)).max(axis=1, initial=0.0)
    told = np.where(overlap >= _A_TILE, _IS_TILE, np.where(overlap <= _NO_TILE, _IS_NONE, _NEITHER))
    return {
        "squares": bodies(pyramid, corners),
        "tile": told.astype(np.int8),
        "corners": corners.astype(np.float32),
        "number": readings.number.astype(np.float32),
        "clear": faced(readings).max(axis=1).astype(np.float32),
        "size": np.array([size]),
    }


class Finds:
    """What was seen, picture by picture."""

    def __init__(self, *folders: Path) -> None:
        """Load every file of the folders."""
        files = [file for folder in folders for file in sorted(folder.glob("finds-*.npz"))]
        if not files:
            raise SystemExit(f"There is nothing in {', '.join(map(str, folders))}; run 'see' first.")
        loaded = [np.load(file) for file in files]
        whole = {name: np.concatenate([one[name] for one in loaded]) for name in loaded[0].files}
        self.squares = torch.from_numpy(whole["squares"])
        self.kind = torch.from_numpy(whole["tile"]).long()
        self.count = whole["counts"]
        self._first = np.cumsum(self.count) - self.count
        self._clear, self._number, self._corners = whole["clear"], whole["number"], whole["corners"]
        self._size = whole["size"]

    def __len__(self) -> int:
        return len(self.kind)

    def some(self, picture: int, rng: Generator) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """Return some finds of a picture, at most ``_FINDS``, and their signs."""
        at = self._first[picture] + np.arange(self.count[picture])
        # The reader hears what it reads clearly, and little else.
        clear = at[self._clear[at] >= rng.choice(_CLEAR)]
        at = rng.permutation(clear if len(clear) else at)
        at = at[: int(rng.integers(1, len(at) + 1)) if rng.random() < _FEWER else _FINDS][:_FINDS]
        width, height = self._size[picture]
        told = signs(self._clear[at], self._number[at], self._corners[at], (int(width), int(height)))
        if rng.random() < _UNTOLD:
            told = np.zeros_like(told)
        return at, told + rng.normal(0, 0.03, told.shape).astype(np.float32)

    def drawn(self, pictures: int, rng: Generator) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return indices (B, T), signs (B, T, S) and what is padding (B, T), of as many pictures."""
        some = [self.some(int(k), rng) for k in rng.integers(len(self.count), size=pictures)]
        longest = max(len(at) for at, _ in some)
        index = np.zeros((pictures, longest), np.int64)
        told = np.zeros((pictures, longest, SIGNS), np.float32)
        absent = np.ones((pictures, longest), np.bool_)
        for k, (at, of_these) in enumerate(some):
            index[k, : len(at)], told[k, : len(at)], absent[k, : len(at)] = at, of_these, False
        return torch.from_numpy(index), torch.from_numpy(told), torch.from_numpy(absent)


def _varied(squares: torch.Tensor, picture: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Return squares (N, 64, 64, 3), bytes of BGR, as the net takes them, each in another pose and light.

    Those of one ``picture`` (N,) are in one light, or nearly.
    """
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
    x = torch.where((torch.rand(n, 1, 1, 1, generator=generator) < 0.2)[picture], soft, x)
    gain = (0.25 * drawn(1, 1, 1)[picture] + 0.04 * drawn(1, 1, 1)).exp()
    tint = (0.1 * drawn(3, 1, 1)[picture] + 0.015 * drawn(3, 1, 1)).exp()
    noise = (
        0.04 * torch.rand(n, 1, 1, 1, generator=generator)[picture] * torch.randn(x.shape, generator=generator)
    )
    return (x * gain * tint + noise).clamp(0, 1)


def train(
    folders: list[Path], out: Path, minutes: float, seed: int = 0, rate: float = 2e-3,
    batch: int = _PICTURES, warm: Path | None = None, share: float = 1.0,
) -> BodyNet:  # fmt: skip
    """Train for ``minutes`` on what ``see`` wrote; return the mean net, also written as ``lookalikes.onnx``.

    ``batch``: pictures a step. ``warm``: an exported net to begin with. Written is the mean of that and of what
    came out, to this ``share`` of the latter, as :mod:`vision.training.colours` does.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    finds, rng, generator = Finds(*folders), np.random.default_rng(seed), torch.Generator().manual_seed(seed)
    net = BodyNet()
    if warm is not None:
        unfuse(warm, net)

    def batches() -> Iterator[tuple[torch.Tensor, ...]]:
        while True:
            index, told, absent = finds.drawn(batch, rng)
            here = ~absent
            picture = here.nonzero()[:, 0]
            x = _varied(finds.squares[index[here]], picture, generator)
            yield x.contiguous(memory_format=torch.channels_last), told, absent, finds.kind[index[here]]

    drawn = batches()
    if warm is not None:
        spread_norms(net, lambda: [net.alone(x) for x, *_ in islice(drawn, _NORM_BATCHES)])
    began = {name: value.clone() for name, value in net.state_dict().items()}
    net = net.train().to(memory_format=torch.channels_last)
    mean = averaged(net, 0.999)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.05)
    print(f"{len(finds)} finds, {int((finds.kind == _IS_NONE).sum())} of them no tiles", flush=True)
    start, step, running = time.time(), 0, np.zeros(2)
    while (done := (time.time() - start) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * annealed(done)
        x, told, absent, kind = next(drawn)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            seen, alone = net.alone(x)
        body, none = (torch.zeros(*absent.shape, part.shape[1]) for part in (seen, alone))
        body[~absent], none[~absent] = seen.float(), alone.float()
        among = net.together(body, none, told, absent)[~absent]
        losses = [
            F.cross_entropy(said.float(), kind, label_smoothing=2 * _DOUBTED, ignore_index=_NEITHER)
            for said in (alone, among)
        ]
        optimiser.zero_grad(set_to_none=True)
        (losses[0] + losses[1]).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        mean.update_parameters(net)
        step, running = step + 1, 0.99 * running + 0.01 * np.array([loss.item() for loss in losses])
        if step % 200 == 0:
            by_body, beside = running / (1 - 0.99**step)
            said = f"loss by the body {by_body:.4f}, beside the others {beside:.4f}"
            print(f"{time.time() - start:.0f} s, step {step}: {said}", flush=True)
    out.mkdir(parents=True, exist_ok=True)
    trained: BodyNet = mean.module
    trained.load_state_dict(between(began, trained.state_dict(), share))
    told_of = {
        "what": "tells tiles from what looks like them",
        "licence": "AGPL-3.0-or-later",
        "steps": str(step),
    }
    file = out / f"{LOOKALIKES}.onnx"
    print(export_squares(trained, file, ["none", "among"], told_of, signs=SIGNS, small=True), flush=True)
    return trained


def main() -> None:
    """Run from the command line."""
    parser, training = see_and_train(
        __doc__ or "",
        "write what is found",
        seconds=1500.0,
        minutes=20.0,
        rate=2e-3,
        folders=True,
        as_they_are=True,
    )
    training.add_argument("--warm", type=Path, metavar="FILE", help="an exported net to begin with")
    training.add_argument("--share", type=float, default=1.0, help="of what came out, in the mean written")
    asked = parser.parse_args()
    if asked.what == "see":
        made = see(asked.photos, asked.out, asked.designs, asked.seconds, asked.first, asked.as_they_are)
        print(f"{made} finds", flush=True)
    else:
        train(asked.data, asked.out, asked.minutes, asked.seed, asked.rate, warm=asked.warm, share=asked.share)


if __name__ == "__main__":
    main()
