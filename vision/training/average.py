"""Average two exported classifiers of which one was trained on from the other.

``python -m vision.training.average vision/weights/classifier.onnx NEW/classifier.onnx --out mean.pt``

A training that goes on from good weights gains on its own pictures and forgets some of the others; the mean of
both sets of weights keeps most of what either knows. Source: Wortsman et al. 2022, "Robust fine-tuning of
zero-shot models". Export what comes out, with temperatures of its own (``vision.training.calibrate``).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from vision.training.net import TileNet
from vision.training.unfused import unfuse


def average(one: Path, other: Path, share: float = 0.5) -> dict[str, torch.Tensor]:
    """Return the weights of ``one`` and, to this ``share``, of ``other``; ValueError where they do not match.

    Both are ``classifier.onnx`` files; batch norms stay folded, so that the mean needs no pictures.
    """
    states = []
    for file in (one, other):
        net = TileNet()
        unfuse(file, net)
        states.append(net.state_dict())
    first, second = states
    return {
        name: torch.lerp(value, second[name], share) if value.is_floating_point() else value
        for name, value in first.items()
    }


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("one", type=Path, help="the classifier that training began with")
    parser.add_argument("other", type=Path, help="the one that it ended with")
    parser.add_argument("--share", type=float, default=0.5, help="of the second one")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    for file in (args.one, args.other):
        if not file.is_file():
            parser.error(f"There is no file {file}.")
    try:
        mean = average(args.one, args.other, args.share)
    except ValueError as error:
        parser.error(str(error))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(mean, args.out)


if __name__ == "__main__":
    main()
