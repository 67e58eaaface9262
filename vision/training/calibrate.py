"""Find the temperatures that make the classifier's probabilities honest, on shards it was not trained on.

``python -m vision.training.calibrate --data .work/heldout --classifier .work/run/classifier.pt``
Source: Guo et al. 2017, "On Calibration of Modern Neural Networks".
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from torch.nn import functional as F

from vision.training.classifier import Crops, augmented
from vision.training.net import TileNet, tile_white


def fit_temperature(logits: torch.Tensor, truth: torch.Tensor) -> float:
    """Return the temperature with the least negative log-likelihood; logits (N, C), truth (N,)."""
    grid = torch.logspace(-0.6, 0.9, 91)
    losses = torch.stack([F.cross_entropy(logits / t, truth) for t in grid])
    return float(grid[losses.argmin()])


def calibrate(
    folders: list[Path], checkpoint: Path, pictures: int = 1500, jitter: bool = True
) -> dict[str, float]:
    """Return temperatures and the hit rates on up to ``pictures`` pictures."""
    data = Crops.load(folders, "cpu")
    net = TileNet()
    net.load_state_dict(torch.load(checkpoint, map_location="cpu", weights_only=True))
    net.eval()
    generator = torch.Generator().manual_seed(0)
    numbers, colours, number_truth, colour_truth = [], [], [], []
    with torch.no_grad():
        for k in range(min(pictures, len(data.count))):
            span = slice(int(data.first[k]), int(data.first[k] + data.count[k]))
            crops, turn = augmented(data.crops[span], jitter, generator)
            number, joint, _, _ = net(crops, tile_white(crops))
            upright, truth, colour = turn == 0, data.number[span], data.colour[span]
            numbers.append(number[upright])
            number_truth.append(truth[upright])
            inked = upright & (colour >= 0)
            colours.append(joint[inked])
            colour_truth.append(colour[inked])
    n, nt, c, ct = (torch.cat(x) for x in (numbers, number_truth, colours, colour_truth))
    return {
        "number": fit_temperature(n, nt),
        "colour": fit_temperature(c, ct),
        "number_hits": float((n.argmax(1) == nt).float().mean()),
        "colour_hits": float((c.argmax(1) == ct).float().mean()),
        "faces": float(len(nt)),
    }


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--classifier", type=Path, required=True)
    parser.add_argument("--pictures", type=int, default=1500)
    args = parser.parse_args()
    print(json.dumps(calibrate(args.data, args.classifier, args.pictures), indent=2))


if __name__ == "__main__":
    main()
