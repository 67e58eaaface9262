"""The clock of a match: seconds since the log began, standing still in pauses, held back by extensions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

__all__ = ["Clock"]


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock at one moment; all its methods return another one or a number.

    It was at ``anchor_t_s`` when the wall showed ``anchor_wall_s``. From there on, an extension that is
    granted is used up first: so long the clock does not advance.
    """

    anchor_wall_s: float
    """Seconds of the epoch."""
    anchor_t_s: float = 0.0
    """Seconds since the log began."""
    running: bool = True
    """False while it stands still."""
    extra_s: float = 0.0
    """What is left of extensions."""
    extended_s: float = 0.0
    """All extensions of this turn."""

    def _elapsed(self, now_s: float) -> float:
        return max(0.0, now_s - self.anchor_wall_s) if self.running else 0.0

    def t_s(self, now_s: float) -> float:
        """Seconds since the log began."""
        return round(self.anchor_t_s + max(0.0, self._elapsed(now_s) - self.extra_s), 3)

    def anchored(self, now_s: float) -> Clock:
        """The same clock, told from now on."""
        used = max(0.0, self.extra_s - self._elapsed(now_s))
        return replace(self, anchor_wall_s=now_s, anchor_t_s=self.t_s(now_s), extra_s=used)

    def paused(self, now_s: float) -> Clock:
        """Standing still."""
        return replace(self.anchored(now_s), running=False)

    def resumed(self, now_s: float) -> Clock:
        """Running."""
        return replace(self.anchored(now_s), running=True)

    def extended(self, seconds: float, now_s: float) -> Clock:
        """With so many seconds more for this turn."""
        now = self.anchored(now_s)
        return replace(now, extra_s=now.extra_s + seconds, extended_s=now.extended_s + seconds)

    def new_turn(self, now_s: float) -> Clock:
        """Told from now on, without what was granted to the turn before."""
        return replace(self.anchored(now_s), extra_s=0.0, extended_s=0.0)

    def wound_to(self, t_s: float, now_s: float) -> Clock:
        """Showing ``t_s`` now: for a turn that is taken up again."""
        return replace(self, anchor_wall_s=now_s, anchor_t_s=t_s, extra_s=0.0, extended_s=0.0)

    def in_turn_s(self, began_s: float, now_s: float) -> float:
        """How much of the turn that began at ``began_s`` is gone, less what is left of extensions."""
        return self.anchor_t_s + self._elapsed(now_s) - self.extra_s - began_s

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Clock:
        """The clock of ``to_json``."""
        return cls(**plain)
