"""When a table came to lie as it lies, also where a hand rested over it meanwhile."""

from __future__ import annotations

from vision.watch.sight import Sight

__all__ = ["BETWEEN_S", "RestKeeper", "between_s"]

_MOST_S = 2.5
"""A hand that rests longer than twice this over a table is more likely its player's, who goes on thinking."""
BETWEEN_S, _LEFT_S = 5.4, 0.25
"""Whoever may have been busy once more, and was gone no later than this, may as well have been done before; and
hands have left by so much before nothing moves any more."""


class RestKeeper:
    """Keeps since when the table has lain so."""

    def __init__(self) -> None:
        """Begin with a table that has always lain so."""
        self.since_s = 0.0
        """Since when it has been seen to lie so, or hands that may be its player's have been gone."""
        self._earlier_s = 0.0
        self._first_s = 0.0
        """Since when it was seen to lie so, whoever may have been busy after that."""
        self._again_s: float | None = None
        """When its player's hands were gone that had come back soon, and left it as it was."""
        self._left_s = 0.0
        """When the hands that left it so were gone, whatever moved by itself since: a hunting lens, a lamp."""
        self._gone_s: float | None = None
        """When the last hands since the last look were gone."""
        self._covered_s: float | None = None
        self._uncovered_s: float | None = None

    def over_s(self, after_s: float) -> float:
        """Return when whoever laid it was done: ``after_s`` after it came to lie so.

        A hand that rested over it was its player's or somebody else's: then that was when it came to rest or
        when it had gone, and the middle is said. So it is where hands came back that may have been busy still.
        """
        told_s = min(self.since_s, self._left_s) + after_s
        if self._earlier_s:
            told_s -= min((self._earlier_s + after_s) / 2, _MOST_S)
        other_s = self._first_s + after_s if self._again_s is None else self._again_s
        if self._again_s is not None and abs(told_s - other_s) > BETWEEN_S:
            told_s = self.since_s + after_s  # whoever came back was no other than the one who rested there
        if abs(told_s - other_s) > BETWEEN_S:
            return told_s
        if self._again_s is None or self._earlier_s:
            return (told_s + other_s) / 2
        return between_s(told_s - after_s, other_s)

    @property
    def last_s(self) -> float:
        """Since when its player's hands have been gone, who may have come back."""
        return max(self.since_s, self._again_s or 0.0)

    def hands_gone(self, end_s: float) -> None:
        """Hands that came in over the rim, or may have, are gone or rest."""
        self._gone_s = end_s

    def saw(self, sight: Sight, *, anew: bool, busy: bool, perhaps: bool = False, again: bool = False) -> None:
        """Take in a look: ``anew`` lies otherwise than in the last one, ``busy`` hands were its player's.

        They may have been at something else, where it is ``perhaps``. ``again``: its player's hands were back
        soon, and have left it as it was.
        """
        since_s = sight.still_since_s
        gone_s, self._gone_s = self._gone_s, None
        if not sight.clear:
            self._uncovered_s = None
            if self._covered_s is None or anew:
                self._covered_s = since_s
        elif self._uncovered_s is None:
            self._uncovered_s = since_s
        elif since_s > self._uncovered_s + 1e-6:
            self._covered_s = None
        if anew or busy:
            self.since_s, self._earlier_s = since_s, 0.0
            self._left_s = gone_s if sight.clear and gone_s is not None else since_s
            if sight.clear and self._covered_s is not None:
                self._earlier_s = since_s - self._covered_s
        if anew or (busy and not perhaps):
            self._first_s, self._again_s = min(since_s, self._left_s), None
        elif again and since_s > self.last_s:
            near = since_s - min(self.since_s, self._left_s) <= BETWEEN_S
            # Who comes back once more, long after, takes a nut.
            self._again_s = since_s if near or self._again_s is None else self._again_s


def between_s(one_s: float, other_s: float) -> float:
    """Return when a turn was over whose player's hands were gone at one of two moments, seconds."""
    return (one_s + other_s) / 2 - _LEFT_S
