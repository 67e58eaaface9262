"""Arguments that several commands share."""

from __future__ import annotations

import argparse

from referee.editions import EDITIONS

__all__ = ["DEFAULT_EDITION", "add_edition"]

DEFAULT_EDITION = "ru"
"""The edition without any wish."""


def add_edition(parser: argparse.ArgumentParser) -> None:
    """Add ``--edition NAME``."""
    sheets = "; ".join(f"{code}: {edition.sheet}" for code, edition in EDITIONS.items())
    parser.add_argument(
        "--edition",
        choices=list(EDITIONS),
        default=DEFAULT_EDITION,
        metavar="NAME",
        help=f"the rules that you play by, {DEFAULT_EDITION} unless you choose ({sheets})",
    )
