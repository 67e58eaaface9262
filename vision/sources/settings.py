"""What of the sources can be set."""

from __future__ import annotations

from dataclasses import dataclass

from vision.settings import SettingsOfRoom, setting

__all__ = ["SourceSettings"]


@dataclass(frozen=True, slots=True)
class SourceSettings(SettingsOfRoom):
    """How pictures come in, and when a source counts as troubled. ValueError where a value is out of range."""

    black_level: int = setting(
        32,
        unit="grey levels",
        low=0,
        high=128,
        help="A picture of which 98 in 100 pixels are no brighter than this is black.",
    )
    black_s: float = setting(
        1.0,
        unit="seconds",
        low=0.0,
        high=60.0,
        help="How long pictures must be black before it is said.",
    )
    frozen_s: float = setting(
        10.0,
        unit="seconds",
        low=0.1,
        high=600.0,
        help="How long the picture must stay the same before the source counts as frozen.",
    )
    frozen_level: float = setting(
        0.0,
        unit="grey levels",
        low=0.0,
        high=2.0,
        help="Pictures whose mean difference is no more than this are the same; 0 means equal in every pixel.",
    )
    silence_s: float = setting(
        5.0,
        unit="seconds",
        low=0.1,
        high=120.0,
        help="How long no picture may come before the source counts as unplugged.",
    )
    retry_first_s: float = setting(
        1.0,
        unit="seconds",
        low=0.01,
        high=60.0,
        help="The pause before the first new attempt at a lost camera or stream; it doubles at each attempt.",
    )
    retry_longest_s: float = setting(
        30.0,
        unit="seconds",
        low=0.01,
        high=3600.0,
        help="The longest pause between two attempts.",
    )
    open_timeout_s: float = setting(
        10.0,
        unit="seconds",
        low=0.1,
        high=120.0,
        help="How long an address may take to answer.",
    )
    read_timeout_s: float = setting(
        5.0,
        unit="seconds",
        low=0.1,
        high=120.0,
        help="How long an address may pause between two pictures.",
    )
    camera_width_px: int = setting(
        1920,
        unit="pixels",
        low=0,
        high=8192,
        help="The width that a camera is asked for; 0 leaves it to the camera.",
    )
    camera_height_px: int = setting(
        1080,
        unit="pixels",
        low=0,
        high=8192,
        help="The height that a camera is asked for; 0 leaves it to the camera.",
    )
    camera_rate_hz: float = setting(
        30.0,
        unit="pictures a second",
        low=0.0,
        high=240.0,
        help="The rate that a camera is asked for; 0 leaves it to the camera.",
    )
    stills_interval_s: float = setting(
        1.0,
        unit="seconds",
        low=0.001,
        high=3600.0,
        help="The time between two pictures of a folder that has no times.csv and whose pictures do not say "
        "when they were taken.",
    )
    push_max_mb: float = setting(
        16.0,
        unit="million bytes",
        low=0.1,
        high=200.0,
        help="A picture from a browser with more bytes than this is refused.",
    )
    max_megapixels: float = setting(
        60.0,
        unit="million pixels",
        low=0.1,
        high=500.0,
        help="Larger stills and browser pictures are refused before they are decoded.",
    )
    decode_threads: int = setting(
        0,
        unit="threads",
        low=0,
        high=64,
        help="How many processor threads decode a recording; 0 means as many as there are cores.",
    )

    def __post_init__(self) -> None:
        """Check every value against its record, and the bounds against one another."""
        # No super(): a dataclass with slots is another class than the one that super() would mean.
        SettingsOfRoom.__post_init__(self)
        if self.retry_longest_s < self.retry_first_s:
            raise ValueError("retry_longest_s must not be less than retry_first_s")
