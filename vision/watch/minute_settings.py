"""How much of the last minute is kept on disk for a report of a problem."""

from __future__ import annotations

from dataclasses import dataclass

from vision.settings import SettingsOfRoom, setting

__all__ = ["MinuteSettings"]


@dataclass(frozen=True, slots=True)
class MinuteSettings(SettingsOfRoom):
    """What is kept of the last minute. ValueError where a value is out of its range."""

    keep_s: float = setting(
        60.0,
        unit="seconds",
        low=0.0,
        high=600.0,
        help="So much of what was watched last is kept for 'tileref report-problem'; 0 keeps nothing.",
    )
    apart_s: float = setting(
        0.5, unit="seconds", low=0.05, high=60.0, help="Kept pictures come at least so far apart."
    )
    room_mb: float = setting(
        40.0, unit="MB", low=0.1, high=10000.0, help="Kept pictures take this much room; the oldest go first."
    )
    width_px: int = setting(
        1280, unit="pixels", low=160, high=7680, help="Kept pictures are at most this wide."
    )
