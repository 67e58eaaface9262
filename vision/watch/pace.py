"""How long nobody's hands come between two turns here, and how long within one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from math import exp, inf, log
from statistics import fmean, median

__all__ = ["MOST_ODDS", "Pace"]

_KEPT_BETWEEN, _KEPT_WITHIN, _LEAST = 12, 40, 5
"""So many pauses of either kind are kept, and so many tell how quick these players are."""
_ALIKE, _AT_LEAST_S = 0.3, 0.2
"""Standard deviation of the logarithm of a pause around one that was seen; shorter ones tell nothing more."""
_STRANGE = 0.05
"""What is added to both densities: anybody may wait for anything."""
MOST_ODDS = 8.0
"""So much a pause tells at most."""
_PAUSES, _PAUSE_S, _FAR_LONGER = 3, 1.0, 3.0
"""Who has paused so often in a turn, and now for so many seconds, so many times the longest of these and more,
rather is done, though nobody knows yet how quick these players are."""


class Pace:
    """Keeps the last pauses of both kinds."""

    def __init__(self) -> None:
        """Begin with players of whom nobody knows how quick they are."""
        self._between_s: deque[float] = deque(maxlen=_KEPT_BETWEEN)
        self._within_s: deque[float] = deque(maxlen=_KEPT_WITHIN)

    def learn(self, *, between_s: Iterable[float] = (), within_s: Iterable[float] = ()) -> None:
        """Take in pauses between two turns and within one, seconds; what is no pause is left out."""
        self._between_s += [pause for pause in between_s if pause > 0]
        self._within_s += [pause for pause in within_s if pause > 0]

    @property
    def usual_pause_s(self) -> float:
        """How long nobody's hands come between two turns here, mostly; infinite before that is known."""
        return median(self._between_s) if len(self._between_s) >= _LEAST else inf

    def odds(self, pause_s: float, in_turn_s: Sequence[float] = ()) -> float:
        """Return how many times as likely so long a pause is between two turns as within one, 1/8 to 8.

        While too few of either were seen, by the pauses of one turn alone, if any are given; else 1.
        """
        if min(len(self._between_s), len(self._within_s)) >= _LEAST:
            odds = _density(pause_s, self._between_s) / _density(pause_s, self._within_s)
            return min(max(odds, 1 / MOST_ODDS), MOST_ODDS)
        if len(in_turn_s) < _PAUSES or pause_s < _PAUSE_S:
            return 1.0
        longer = pause_s / max(_AT_LEAST_S, *in_turn_s)
        return min(longer, MOST_ODDS) if longer >= _FAR_LONGER else 1.0


def _density(pause_s: float, seen_s: Iterable[float]) -> float:
    at = log(max(pause_s, _AT_LEAST_S))
    off = (at - log(max(seen, _AT_LEAST_S)) for seen in seen_s)
    return fmean(exp(-((away / _ALIKE) ** 2) / 2) for away in off) + _STRANGE
