"""The command line of trainings in two steps: ``see`` writes what the shipped nets see, ``train`` learns it."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["see_and_train"]


def see_and_train(
    about: str,
    sees: str,
    *,
    seconds: float,
    minutes: float,
    rate: float,
    folders: bool = False,
    as_they_are: bool = False,
) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser]:
    """Return the parser, whose ``what`` is ``see`` or ``train``, and that of ``train``, for further arguments.

    ``sees``: what the first step does, a line; ``folders``: the second may be given several;
    ``as_they_are``: the first may see pictures as they are, too.
    """
    parser = argparse.ArgumentParser(description=about)
    what = parser.add_subparsers(dest="what", required=True)
    seeing = what.add_parser("see", help=sees)
    seeing.add_argument("--photos", type=Path, required=True, help="labelled photographs")
    seeing.add_argument("--out", type=Path, required=True)
    seeing.add_argument("--designs", default="ship", choices=["train", "ship", "heldout", "reserved"])
    seeing.add_argument("--seconds", type=float, default=seconds)
    seeing.add_argument("--first", type=int, default=0, help="seed of the first picture")
    if as_they_are:
        told = "see the pictures of --photos themselves, in more than one size, and make none"
        seeing.add_argument("--as-they-are", action="store_true", help=told)
    training = what.add_parser("train", help="train on it")
    training.add_argument("--data", type=Path, nargs="+" if folders else None, required=True)
    training.add_argument("--out", type=Path, required=True)
    training.add_argument("--minutes", type=float, default=minutes)
    training.add_argument("--seed", type=int, default=0)
    training.add_argument("--rate", type=float, default=rate)
    return parser, training
