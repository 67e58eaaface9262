"""What came to lie over tiles and looks like the table: a head as brown as the wood that leans in and stays."""

from __future__ import annotations

from vision.readings import Corners
from vision.watch.look import known_at

__all__ = ["Veil"]

_KEPT = 2
"""Moves after which it is of no use any more since when a place looks otherwise."""


class Veil:
    """Keeps which places look otherwise all around since something moved, and so may be covered.

    Hands that take a tile leave all around it as it was, but for its neighbours. What covers it goes as it
    came: once something has moved again, a place that looks bare is.
    """

    def __init__(self) -> None:
        """Begin with nothing over anything."""
        self._moves = 0
        self._since: list[tuple[Corners, int]] = []

    def moved(self) -> None:
        """Something has moved since the last look."""
        self._moves += 1
        self._since = [(home, since) for home, since in self._since if self._moves - since <= _KEPT]

    def may_cover(self, home: Corners, *, otherwise: bool) -> bool:
        """Say whether a place, (4, 2) at home, may be covered: it looks ``otherwise`` all around."""
        if not otherwise:
            return False
        since = known_at(self._since, home)
        if since is None:
            since = self._moves
            self._since = [*self._since, (home, since)]
        return since == self._moves
