"""Exit statuses, the same for every command."""

from __future__ import annotations

import enum
from collections.abc import Iterable

__all__ = ["Status", "worst"]


class Status(enum.IntEnum):
    """How a command ended; see ``worst`` for which of several wins."""

    FINE = 0
    """Everything was read surely and nothing is wrong."""
    FAULT = 1
    """Something is surely against the rules."""
    UNUSABLE = 2
    """Some input could not be used."""
    DOUBT = 3
    """Something could not be read surely, or a question is open."""


_WEIGHT = (Status.UNUSABLE, Status.FAULT, Status.DOUBT, Status.FINE)


def worst(statuses: Iterable[Status]) -> Status:
    """Return the status that tells most: unusable over fault over doubt over fine."""
    return min(statuses, key=_WEIGHT.index, default=Status.FINE)
