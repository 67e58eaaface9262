"""What the referee raises.

``RefereeError`` (a ValueError) is the root; ``NotationError`` is text that is not in the notation.
"""

from __future__ import annotations

__all__ = ["NotationError", "RefereeError"]


class RefereeError(ValueError):
    """Root of everything that the referee raises on purpose."""


class NotationError(RefereeError):
    """A text that names no tile, set or table; the message quotes it."""
