"""Moments of a recording, as people write them."""

from __future__ import annotations

import re

__all__ = ["read_moment"]


def read_moment(text: str) -> float:
    """Return the seconds that ``text`` names: 95, or 1:35, or 1:02:30. ValueError where it is no time."""
    if not re.fullmatch(r"([0-9]{1,6}:){0,2}[0-9]{1,6}([.][0-9]{1,6})?", text):
        raise ValueError(f"{text!r} is no time: write seconds, or 1:35, or 1:02:30")
    seconds = 0.0
    for part in text.split(":"):
        seconds = 60 * seconds + float(part)
    return seconds
