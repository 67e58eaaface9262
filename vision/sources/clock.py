"""From a recording's time stamps to seconds that only go forward."""

from __future__ import annotations

__all__ = ["FrameClock"]

_TICK_S = 0.001
_NEW_SCALE_S = 1.0


class FrameClock:
    """Turns the stamps of frames, in the order in which they come, into strictly increasing seconds.

    Sound stamps pass unchanged. A frame without a stamp comes one interval after the one before. A stamp that
    does not advance is put a thousandth of a second after the one before; one that falls back by more than a
    second begins a new scale, as where two recordings were joined.
    """

    def __init__(self, interval_s: float) -> None:
        self._interval_s = interval_s
        self._shift_s = 0.0
        self._last_s: float | None = None

    def at(self, stamp_s: float | None) -> float:
        """Return the frame's time, seconds; ``stamp_s`` counts from the recording's first frame."""
        last_s = self._last_s
        if last_s is None:
            t_s = stamp_s or 0.0
        elif stamp_s is None:
            t_s = last_s + self._interval_s
        else:
            t_s = stamp_s + self._shift_s
            if t_s <= last_s - _NEW_SCALE_S:
                self._shift_s = last_s + self._interval_s - stamp_s
                t_s = last_s + self._interval_s
            elif t_s <= last_s:
                t_s = last_s + _TICK_S
        self._last_s = t_s
        return t_s
