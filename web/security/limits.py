"""How often something may be tried."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from web.errors import TooOften

__all__ = ["Gate", "RateLimit"]


class RateLimit:
    """So many tries a minute, each address for itself, and ten times as many for all together."""

    def __init__(self, tries: int, now: Callable[[], float], per_s: float = 60.0) -> None:
        """Take how many tries in how many seconds."""
        self._tries, self._now, self._per_s = tries, now, per_s
        self._lock = threading.Lock()
        self._of: dict[str, deque[float]] = {}
        self._all: deque[float] = deque()

    def take(self, address: str) -> None:
        """Count a try; TooOften where it is one too many."""
        now = self._now()
        with self._lock:
            for known in [one for one, times in self._of.items() if not times or times[-1] < now - self._per_s]:
                del self._of[known]
            mine = self._of.setdefault(address, deque())
            for times, most in ((mine, self._tries), (self._all, self._tries * 10)):
                while times and times[0] <= now - self._per_s:
                    times.popleft()
                if len(times) >= most:
                    raise TooOften("too-often", seconds=max(1, round(times[0] + self._per_s - now)))
            mine.append(now)
            self._all.append(now)

    def forgive(self, address: str) -> None:
        """Forget the last try of an address: it was right."""
        with self._lock:
            if self._of.get(address):
                self._of[address].pop()
            if self._all:
                self._all.pop()


class Gate:
    """So many at once, each address for itself, and so many of all together."""

    def __init__(self, most: int, most_of_all: int) -> None:
        """Take how many of one address, and how many of all."""
        self._most, self._most_of_all = most, most_of_all
        self._lock = threading.Lock()
        self._in: dict[str, int] = {}

    def enter(self, address: str) -> None:
        """Let one more in; TooOften where that is one too many."""
        with self._lock:
            mine = self._in.get(address, 0)
            if mine >= self._most or sum(self._in.values()) >= self._most_of_all:
                raise TooOften("too-many-streams")
            self._in[address] = mine + 1

    def leave(self, address: str) -> None:
        """Let one out."""
        with self._lock:
            left = self._in.get(address, 0) - 1
            if left > 0:
                self._in[address] = left
            else:
                self._in.pop(address, None)
