"""Who asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Role", "Who"]

Role = Literal["referee", "player", "spectator"]


@dataclass(frozen=True, slots=True)
class Who:
    """One who asks, as far as rights and words depend on it."""

    role: Role
    """What they may do."""
    seat: int | None = None
    """A player's seat."""

    def is_at(self, seat: int | None) -> bool:
        """True for the referee, and for the player of ``seat``."""
        return self.role == "referee" or (self.role == "player" and seat is not None and self.seat == seat)
