"""What of the dashboard can be set by number; see :mod:`vision.settings` for how settings are declared."""

from __future__ import annotations

from dataclasses import dataclass

from vision.settings import SettingsOfRoom, setting

__all__ = ["ServeSettings"]


@dataclass(frozen=True, slots=True)
class ServeSettings(SettingsOfRoom):
    """Limits and rhythms of the server. ValueError where a value is out of its range."""

    threads: int = setting(
        96,
        unit="threads",
        low=8,
        high=1024,
        help="How many requests are answered at once; every open page holds one or two of them.",
    )
    beat_s: float = setting(
        2.0, unit="seconds", low=0.2, high=30.0, help="How often a page hears that the server is alive."
    )
    photo_mb: float = setting(
        30.0, unit="MB", low=0.1, high=500.0, help="A photograph of a rack may be this large as a file."
    )
    photo_megapixels: float = setting(
        60.0,
        unit="million pixels",
        low=0.1,
        high=500.0,
        help="A photograph of a rack may have this many pixels.",
    )
    recording_mb: float = setting(
        4000.0, unit="MB", low=1.0, high=100000.0, help="An uploaded recording may be this large."
    )
    json_kb: float = setting(
        256.0, unit="kB", low=4.0, high=65536.0, help="What a page sends with an action may be this long."
    )
    keep_gb: float = setting(
        4.0, unit="GB", low=0.01, high=10000.0, help="Kept pictures take this much room; the oldest go first."
    )
    keep_days: float = setting(
        90.0, unit="days", low=0.01, high=10000.0, help="Pictures older than this are removed."
    )
    live_fps: float = setting(
        8.0, unit="pictures a second", low=0.5, high=30.0, help="The live picture shows at most this many."
    )
    live_width_px: int = setting(
        1280, unit="pixels", low=160, high=7680, help="The live picture is at most this wide."
    )
    pair_tries: int = setting(
        5,
        unit="tries a minute",
        low=1,
        high=100,
        help="So many wrong pairing codes are taken from one address.",
    )
    streams_each: int = setting(
        60, unit="streams", low=2, high=1000, help="So many streams one address may hold open at once."
    )
