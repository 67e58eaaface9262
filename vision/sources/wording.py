"""How paths and addresses are named in messages."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

__all__ = ["is_address", "shown"]


def is_address(text: str) -> bool:
    """Tell whether the text has the form ``scheme://...``."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", text) is not None


def shown(text: str) -> str:
    """Return a path or an address for a one-line message: unprintable characters escaped, no password."""
    if is_address(text):
        try:
            parts = urlsplit(text)
        except ValueError:  # such as an unclosed bracket
            parts = None
        if parts is not None and "@" in parts.netloc:
            text = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
