"""Whether there is anything to see: black and frozen pictures, and what is said of them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sources.frame import NoticeCode, SourceNotice
from vision.sources.settings import SourceSettings

__all__ = ["Backoff", "Health"]

_DARK_SHARE = 0.98
_SAMPLE_SIDE = 160


class Backoff:
    """Pauses between attempts: each twice as long as the one before, up to a longest."""

    def __init__(self, first_s: float, longest_s: float) -> None:
        self._first_s, self._longest_s = first_s, longest_s
        self._next_s = first_s

    def pause_s(self) -> float:
        """Return the pause before the next attempt, in seconds."""
        pause_s = self._next_s
        self._next_s = min(2 * pause_s, self._longest_s)
        return pause_s

    def reset(self) -> None:
        """Begin with the shortest pause again."""
        self._next_s = self._first_s


class Health:
    """Follows a source's state and speaks at its changes only."""

    def __init__(self, name: str, settings: SourceSettings, *, live: bool, watch_frozen: bool = True) -> None:
        """Follow the source that messages call ``name``, a sentence's beginning such as ``Camera 0``."""
        self._name = name
        self._settings = settings
        self._live = live
        self._watch_frozen = watch_frozen
        self._trouble: NoticeCode | None = None
        self._black_since_s: float | None = None
        self._still_since_s = 0.0
        self._still: _Seen | None = None

    @property
    def trouble(self) -> NoticeCode | None:
        """What is the matter now; None while all is well."""
        return self._trouble

    def picture(self, t_s: float, luma: NDArray[np.uint8]) -> tuple[bool, tuple[SourceNotice, ...]]:
        """Take in a picture's brightness, shape (H, W).

        Returns whether the picture is worth handing out, and what there is to say before it. Black pictures
        never are; those of a frozen live source are not, once that it is frozen has been said.
        """
        seen = _Seen(luma, _sample(luma))
        if self._is_black(seen):
            self._still = None
            if self._black_since_s is None:
                self._black_since_s = t_s
            if t_s - self._black_since_s < self._settings.black_s:
                return False, ()
            return False, self.failure(t_s, "black", f"{self._name} gives only black pictures.")
        self._black_since_s = None
        if self._watch_frozen and self._has_frozen(t_s, seen):
            message = f"{self._name} gives the same picture over and over."
            return not self._live, self.failure(t_s, "frozen", message)
        return True, self._recovered(t_s)

    def failure(self, t_s: float, code: NoticeCode, message: str) -> tuple[SourceNotice, ...]:
        """Take in that something is the matter; returns a notice unless the same was the matter already."""
        if code not in ("black", "frozen"):
            self._black_since_s = None
            self._still = None
        if code == self._trouble:
            return ()
        self._trouble = code
        return (SourceNotice(t_s, code, message),)

    def _recovered(self, t_s: float) -> tuple[SourceNotice, ...]:
        if self._trouble is None:
            return ()
        self._trouble = None
        return (SourceNotice(t_s, "back", f"{self._name} gives pictures again."),)

    def _is_black(self, seen: _Seen) -> bool:
        dark = np.count_nonzero(seen.sample <= self._settings.black_level)
        return bool(dark >= _DARK_SHARE * seen.sample.size)

    def _has_frozen(self, t_s: float, seen: _Seen) -> bool:
        """Tell whether the picture has been the same for long; compared with the first of its kind, so that
        a slow change adds up."""
        if self._still is None or not self._same(self._still, seen):
            self._still, self._still_since_s = seen, t_s
            return False
        return t_s - self._still_since_s >= self._settings.frozen_s

    def _same(self, one: _Seen, other: _Seen) -> bool:
        if one.luma.shape != other.luma.shape:
            return False
        level = self._settings.frozen_level
        if cv2.norm(one.sample, other.sample, cv2.NORM_L1) > level * other.sample.size:
            return False
        return level > 0 or bool(np.array_equal(one.luma, other.luma))


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A picture's brightness (H, W), and a sample of it: taken once, and compared often."""

    luma: NDArray[np.uint8]
    sample: NDArray[np.uint8]


def _sample(luma: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return about 160 x 160 of the pixels: enough to tell black or changed, and quick."""
    step_y, step_x = (max(1, side // _SAMPLE_SIDE) for side in luma.shape)
    return np.ascontiguousarray(luma[::step_y, ::step_x])
