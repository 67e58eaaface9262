"""What one look found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Check", "State"]

State = Literal["fine", "note", "failed"]
"""``note``: it works, and yet the user should know."""


@dataclass(frozen=True, slots=True)
class Check:
    """What one look found."""

    name: str
    """What was looked at."""
    state: State
    """How it is."""
    told: str
    """That in one sentence."""
    mend: str | None = None
    """How to mend it, or get more of it, in one sentence."""
    figures: dict[str, Any] = field(default_factory=dict)
    """What was measured, for programs."""

    def line(self) -> dict[str, Any]:
        """Return the check as a JSON object."""
        return {
            "check": self.name,
            "state": self.state,
            "told": self.told,
            "mend": self.mend,
            "figures": self.figures,
        }
