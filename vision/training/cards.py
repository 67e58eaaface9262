"""The net that reads card faces: rank, suit and which way is up, each face by itself.

``python -m vision.training.cards --data SHARDS --calibrate OTHERS --minutes 25 --out DIR`` trains it on
shards of ``vision.training.generate --skin cards`` and writes ``DIR/cards.onnx``, which computes in bytes, and
``DIR/cards.json`` with its temperatures, found on shards of other designs.

Inputs and outputs are named as the classifier's, so that it takes the classifier's place: ``number`` (N, 15)
for A 2..10 J Q K, joker and no face; ``colour`` for hearts, clubs, spades, diamonds (R B K O). A suit is told
by its shape, and so ``colour`` and ``colour_alone`` are one.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from vision.training.calibrate import fit_temperature
from vision.training.classifier import Crops, augmented
from vision.training.net import Residual, annealed, averaged, conv, tile_white
from vision.training.quantise import classifier_inputs, quantise
from vision.training.shards import NO_NUMERAL_CLASS
from vision.training.stored import finish

__all__ = ["CardNet", "train_cards"]

_FEATURES = 64
_BATCH = 256
_OUTPUTS = ["number", "colour", "colour_alone", "turn", "features"]


class CardNet(nn.Module):
    """See the module; a sixth of the classifier."""

    def __init__(self) -> None:
        """Build with fresh weights."""
        super().__init__()
        self.trunk = nn.Sequential(
            conv(3, 32, 2), conv(32, 32, 2), Residual(32), conv(32, 64, 2), Residual(64), conv(64, 64, 2)
        )
        self.squeeze = nn.Sequential(nn.Flatten(), nn.Linear(64 * 4 * 3, _FEATURES), nn.ReLU())
        self.number, self.suit = nn.Linear(_FEATURES, 15), nn.Linear(_FEATURES, 4)
        self.turn = nn.Linear(_FEATURES, 4)

    def forward(self, crops: torch.Tensor, white: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Read crops (N, 3, 64, 48), RGB 0..1, of the white (N, 3) of each; return the outputs in order."""
        relative = (crops / white[:, :, None, None].clamp(min=0.04)).clamp(max=1.6)
        f = self.squeeze(self.trunk(relative * 2 - 1.4))
        suit = self.suit(f)
        return self.number(f), suit, suit, self.turn(f), f


def _losses(
    net: CardNet, data: Crops, some: torch.Tensor, generator: torch.Generator
) -> dict[str, torch.Tensor]:
    with torch.autocast("cpu", enabled=False):
        crops, turn = augmented(data.crops[some], True, generator)
    white = tile_white(crops)
    number, suit = data.number[some], data.colour[some]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        told = net(crops.contiguous(memory_format=torch.channels_last), white)
    upright, faced, suited = turn == 0, number != NO_NUMERAL_CLASS, suit >= 0
    readable, told = upright | ~faced, tuple(one.float() for one in told)
    suited &= upright
    return {
        "number": F.cross_entropy(told[0][readable], number[readable]),
        "suit": F.cross_entropy(told[1][suited], suit[suited]),
        "turn": F.cross_entropy(told[3][faced], turn[faced]),
        "hit_number": (told[0][readable].argmax(1) == number[readable]).float().mean(),
        "hit_suit": (told[1][suited].argmax(1) == suit[suited]).float().mean(),
    }


def train_cards(folders: list[Path], out: Path, minutes: float, lr: float = 2e-3, seed: int = 0) -> CardNet:
    """Train for ``minutes`` on shards in ``folders``; return the mean net, also kept as ``out/cards.pt``."""
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    data, generator = Crops.load(folders, "cpu"), torch.Generator().manual_seed(seed)
    net = CardNet().to(memory_format=torch.channels_last)
    ema = averaged(net, 0.9995)
    optimizer = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=0.02)
    print(f"{len(data.number)} crops of {len(data.count)} pictures", flush=True)
    start, step = time.time(), 0
    while (done := (time.time() - start) / (minutes * 60)) < 1:
        for group in optimizer.param_groups:
            group["lr"] = lr * max(annealed(done), 0.01)
        net.train()
        some = torch.randint(len(data.number), (_BATCH,), generator=generator)
        parts = _losses(net, data, some, generator)
        optimizer.zero_grad(set_to_none=True)
        (parts["number"] + parts["suit"] + 0.5 * parts["turn"]).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        ema.update_parameters(net)
        if step % 500 == 0:
            said = " ".join(f"{k} {v.item():.4f}" for k, v in parts.items())
            print(f"{step} {time.time() - start:.0f} s {said}", flush=True)
            torch.save(ema.module.state_dict(), out / "cards.pt")
        step += 1
    print(f"{step} steps", flush=True)
    torch.save(ema.module.state_dict(), out / "cards.pt")
    trained: CardNet = ema.module
    trained.eval()
    return trained


def temperatures(net: CardNet, folders: list[Path]) -> dict[str, float]:
    """Return the temperatures of number and colour, and the hits, on shards that were not trained on."""
    data, generator = Crops.load(folders, "cpu"), torch.Generator().manual_seed(1)
    numbers, suits, truths = [], [], []
    with torch.no_grad():
        for some in torch.arange(len(data.number)).split(_BATCH):
            crops, turn = augmented(data.crops[some], True, generator)
            told = net(crops, tile_white(crops))
            upright = turn == 0
            numbers.append(told[0][upright])
            suits.append(told[1][upright])
            truths.append(torch.stack([data.number[some], data.colour[some]], 1)[upright])
    number, suit, truth = torch.cat(numbers), torch.cat(suits), torch.cat(truths)
    suited = truth[:, 1] >= 0
    return {
        "number": fit_temperature(number, truth[:, 0]),
        "colour": fit_temperature(suit[suited], truth[suited, 1]),
        "number_hits": float((number.argmax(1) == truth[:, 0]).float().mean()),
        "suit_hits": float((suit[suited].argmax(1) == truth[suited, 1]).float().mean()),
    }


def export_cards(net: CardNet, folders: list[Path], path: Path) -> None:
    """Write the net as a file that computes in bytes; ``folders`` show the ranges of what it computes."""
    example = (torch.rand(3, 3, 64, 48), torch.rand(3, 3) * 0.5 + 0.5)
    axes = {name: {0: "tiles"} for name in ["crops", "white", *_OUTPUTS]}
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "cards.onnx"
        torch.onnx.export(
            net.float().eval(), example, plain, input_names=["crops", "white"], output_names=_OUTPUTS,
            opset_version=17, dynamic_axes=axes, dynamo=False,
        )  # fmt: skip
        finish(plain, {"what": "reads faces of playing cards", "licence": "AGPL-3.0-or-later"})
        quantise(plain, classifier_inputs(folders), path)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--calibrate", type=Path, nargs="+", required=True, help="shards of other designs")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    net = train_cards(args.data, args.out, args.minutes)
    told = temperatures(net, args.calibrate)
    (args.out / "cards.json").write_text(json.dumps(told, indent=2) + "\n", "utf-8")
    export_cards(net, args.data, args.out / "cards.onnx")
    print(json.dumps(told), (args.out / "cards.onnx").stat().st_size, "bytes", flush=True)


if __name__ == "__main__":
    main()
