"""Train the part that settles a table's colours, on what the shipped classifier says of tiles in mixed light.

A window's sheen, a lamp beside it or a shadow over half of a table lies on some tiles and not on others: black
ink under blue sheen has a blue tint, orange under it is nearly red. What each crop says by itself stays; learnt
is how a table's tiles tell of each other.

``python -m vision.training.colours see --photos FOLDER --out .work/lights --seconds 900``
``python -m vision.training.colours train --data .work/lights --out .work/colours --minutes 15``
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as F

from datasets.design import Design, sample_design
from datasets.labels import LabelledPicture
from datasets.mixed_light import in_mixed_light
from datasets.photos import load_photos
from datasets.redesign import redesign
from datasets.render import render_picture
from referee.tiles import Colour
from vision.classify import COLOUR_LETTERS, Classifier
from vision.light import cleared
from vision.models import COLOURS, load_weights
from vision.rectify import Pyramid
from vision.training.export import export_colours
from vision.training.net import TileNet, annealed, averaged, between
from vision.training.seen import see_and_train
from vision.training.unfused import unfuse

_LIGHTS = 3
"""Each picture is seen in so many lights, and as it is."""
_TIMES = 3
"""Pictures that were not made for this are seen so often, each time at another size."""
_LEAST_PX, _MOST_PX = 18.0, 130.0
_ERROR = 0.02
"""Corners err by this, in tile widths, as found ones do."""
_SEEN = 0.7
_TABLES = 48
_TILES = 24
_JOKER = -1
_PER_FILE = 200
_SHARE = 0.8
_PLAIN = 0.5
"""Share of the tables trained on that are in ordinary light."""
_GREEN, _NEARLY_GREEN = 0.2, ("blue-teal", "blue-greenteal")
_LEARNT = ("token", "layers", "colour.")
_SHIPPED = Path(__file__).parents[1] / "weights" / f"{COLOURS}.onnx"


def see(folder: Path, out: Path, split: str, seconds: float, first: int, as_they_are: bool = False) -> int:
    """Write what the shipped classifier says of tiles in mixed light, files of 200 tables; return how many.

    Half of the pictures are photographs in ``folder`` of the train part in other designs of ``split``, half are
    rendered ones, until time is up; ``as_they_are``: all are those of ``folder``, each a few times.
    """
    out.mkdir(parents=True, exist_ok=True)
    classifier = Classifier(load_weights(1))
    deadline, seen, made = time.time() + seconds, list[dict[str, NDArray[np.float32]]](), 0
    for picture, rng in _as_they_are(folder) if as_they_are else _pictures(folder, split, first):
        if time.time() > deadline:
            break
        lights = [picture, *(in_mixed_light(picture, rng) for _ in range(_LIGHTS))]
        told = [_told(lit, classifier, rng) for lit in lights]
        # As it is first, then in the other lights: or none of them, where few tiles can be read.
        seen += [one for one in told if one is not None]
        if len(seen) >= _PER_FILE:
            made += _write(seen, out / f"lights-{first:06d}-{made:06d}.npz")
            seen = []
    return made + (_write(seen, out / f"lights-{first:06d}-{made:06d}.npz") if seen else 0)


def _as_they_are(folder: Path) -> Iterator[tuple[LabelledPicture, np.random.Generator]]:
    photos = [photo for photo in load_photos(folder) if photo.tiles]
    for again in range(_TIMES):
        for k, photo in enumerate(photos):
            yield photo.masked(), np.random.default_rng([again, k, 84])


def _pictures(folder: Path, split: str, first: int) -> Iterator[tuple[LabelledPicture, np.random.Generator]]:
    photos = [photo for photo in load_photos(folder, split="train") if photo.kind == "table" and photo.tiles]
    shown = [photo.masked() for photo in photos]
    seed = first
    while True:
        rng = np.random.default_rng([seed, 83])
        design = _perhaps_green(sample_design(rng, split=split), rng)
        if seed % 2:
            yield redesign(shown[int(rng.integers(len(shown)))], rng, design=design), rng
        else:
            yield render_picture(seed, split="train", design=design), rng
        seed += 1


def _perhaps_green(design: Design, rng: np.random.Generator) -> Design:
    """Return some designs with green for their fourth colour: sets that have one are sold, too."""
    if rng.random() >= _GREEN or design.families["blue"] in _NEARLY_GREEN:
        return design
    dark = rng.uniform(0.3, 0.7)
    ink = (dark * rng.uniform(0.1, 0.45), dark, dark * rng.uniform(0.3, 0.6))
    return replace(design, inks={**design.inks, Colour.ORANGE: ink})


def _told(
    picture: LabelledPicture, classifier: Classifier, rng: np.random.Generator
) -> dict[str, NDArray[np.float32]] | None:
    """Return what is said of a picture's tiles, at a size drawn at random; None where few can be read."""
    tiles = [tile for tile in picture.tiles if tile.tile is not None and tile.numeral_visible >= _SEEN]
    if len(tiles) < 2:
        return None
    corners = np.stack([tile.corners_xy_px for tile in tiles]).astype(np.float32)
    width = float(np.median(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)))
    scale = min(float(np.exp(rng.uniform(np.log(_LEAST_PX), np.log(_MOST_PX)))) / max(width, 1.0), 1.0)
    image = cv2.resize(picture.image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    corners = (corners + 0.5) * scale - 0.5
    corners += rng.normal(0, _ERROR * width * scale, corners.shape)
    pyramid = Pyramid(cleared(np.asarray(image, np.uint8)))
    out = classifier.logits(pyramid.crops(list(corners.astype(np.float32))))
    faces = [tile.tile for tile in tiles]
    colour = [_JOKER if t is None or t.is_joker else COLOUR_LETTERS.index(str(t)[0]) for t in faces]
    return {
        "features": out["features"].astype(np.float16),
        "colour_alone": out["colour_alone"],
        "white": out["white"],
        "colour": np.array(colour, np.float32),
    }


def _write(seen: list[dict[str, NDArray[np.float32]]], path: Path) -> int:
    whole = {name: np.concatenate([table[name] for table in seen]) for name in seen[0]}
    whole["counts"] = np.array([len(table["colour"]) for table in seen])
    np.savez(path, allow_pickle=False, **whole)
    return len(seen)


class Tables:
    """What was seen, table by table."""

    def __init__(self, folder: Path) -> None:
        """Load every file of ``folder``."""
        files = sorted(folder.glob("lights-*.npz"))
        if not files:
            raise SystemExit(f"There is nothing in {folder}; run 'see' first.")
        loaded = [np.load(file) for file in files]
        whole = {
            name: torch.from_numpy(np.concatenate([f[name] for f in loaded]).astype(np.float32))
            for name in ("features", "colour_alone", "white", "colour")
        }
        self.features, self.alone, self.white = whole["features"], whole["colour_alone"], whole["white"]
        self.colour = whole["colour"].long()
        self.count = torch.from_numpy(np.concatenate([f["counts"] for f in loaded])).long()
        self.first = torch.cumsum(self.count, 0) - self.count

    def __len__(self) -> int:
        return len(self.count)

    def drawn(self, generator: torch.Generator) -> torch.Tensor:
        """Return the indices of a batch of tables, half of them in the light they were taken in."""
        at = torch.randint(len(self), (_TABLES,), generator=generator)
        plain = torch.arange(_TABLES) < _PLAIN * _TABLES
        return torch.where(plain, at - at % (1 + _LIGHTS), at)

    def some(self, tables: torch.Tensor, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        """Return tile indices (B, T) of some tiles of each table, and where there is none (padding)."""
        count = self.count[tables]
        few = (torch.rand(len(tables), generator=generator) * count).long() + 1
        take = torch.where(torch.rand(len(tables), generator=generator) < 0.4, few, count).clamp(max=_TILES)
        order = torch.rand(len(tables), int(count.max()), generator=generator)
        order[torch.arange(order.shape[1])[None] >= count[:, None]] = 2.0
        chosen = order.argsort(dim=1)[:, :_TILES]
        absent = torch.arange(chosen.shape[1])[None] >= take[:, None]
        index = self.first[tables][:, None] + torch.where(absent, 0, chosen)
        return index, absent

    def logits(self, net: TileNet, index: torch.Tensor, absent: torch.Tensor) -> torch.Tensor:
        """Return the joint colour logits (B, T, 4)."""
        return net.together(self.features[index], self.alone[index], self.white[index], absent)


def train(
    data: Path, out: Path, minutes: float, seed: int, rate: float, warm: Path, share: float = _SHARE
) -> None:
    """Train on, beginning with ``warm``; write ``colours.onnx`` into ``out``.

    Written is the mean of what it began with and what came out, to this ``share`` of the latter: it forgets
    least of ordinary light (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    tables, net = Tables(data), TileNet()
    fresh = unfuse(warm, net, partly=True)
    if any(name.startswith(_LEARNT) for name in fresh):
        raise SystemExit(f"{warm} does not hold what settles colours.")
    learning = [p for part in (net.token, net.layers, net.colour) for p in part.parameters()]
    began = {name: value.clone() for name, value in net.state_dict().items()}
    mean = averaged(net, 0.999)
    optimiser = torch.optim.AdamW(learning, lr=rate, weight_decay=0.01)
    generator = torch.Generator().manual_seed(seed)
    start, step, running = time.time(), 0, 0.0
    while (done := (time.time() - start) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * annealed(done)
        chosen = tables.drawn(generator)
        index, absent = tables.some(chosen, generator)
        known = ~absent & (tables.colour[index] >= 0)
        logits = tables.logits(net, index, absent)
        loss = F.cross_entropy(logits[known], tables.colour[index][known])
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimiser.step()
        mean.update_parameters(net)
        step, running = step + 1, 0.99 * running + 0.01 * loss.item()
        if step % 500 == 0:
            print(
                f"{time.time() - start:.0f} s, step {step}: loss {running / (1 - 0.99**step):.4f}", flush=True
            )
    net.load_state_dict(between(began, mean.module.state_dict(), share))
    out.mkdir(parents=True, exist_ok=True)
    export_colours(net, out / f"{COLOURS}.onnx", {"steps": str(step), "tables": str(len(tables))})


def main() -> None:
    """Run from the command line."""
    parser, training = see_and_train(
        __doc__ or "",
        "write what the classifier says of tiles in mixed light",
        seconds=900.0,
        minutes=15.0,
        rate=1e-3,
        as_they_are=True,
    )
    training.add_argument("--share", type=float, default=_SHARE, help="of what came out, in the mean written")
    training.add_argument("--warm", type=Path, default=_SHIPPED, help="an exported part to begin with")
    asked = parser.parse_args()
    if asked.what == "see":
        made = see(asked.photos, asked.out, asked.designs, asked.seconds, asked.first, asked.as_they_are)
        print(f"{made} tables", flush=True)
    else:
        train(asked.data, asked.out, asked.minutes, asked.seed, asked.rate, asked.warm, asked.share)


if __name__ == "__main__":
    main()
