"""What a page may name as a source of pictures."""

from __future__ import annotations

from web.config import WebConfig
from web.errors import Refused
from web.live.watching import BROWSER

__all__ = ["goes_on_by_itself", "named_source"]


def named_source(config: WebConfig, source: str) -> str:
    """Return what a page named as a source; Refused for paths other than the bundled game's.

    A page may name a camera by its number, an address, its own camera or the bundled game. Files are named on
    the command line only.
    """
    if source == "demo" and config.demo is not None:
        return str(config.demo)
    if source == "given" and config.given_source is not None:
        return config.given_source
    if source == BROWSER or _is_camera(source):
        return source
    raise Refused("source-unusable", why="A camera is named by its number or its address.")


def goes_on_by_itself(config: WebConfig, source: str) -> bool:
    """True for a camera, which shows the table as it lies now; a recording would begin anew."""
    if source == "given" and config.given_source is not None:
        return _is_camera(config.given_source)
    return source == BROWSER or _is_camera(source)


def _is_camera(source: str) -> bool:
    is_number = source.isascii() and source.isdigit() and len(source) <= 3
    is_address = source.lower().startswith(("http://", "https://", "rtsp://", "rtsps://"))
    return is_number or (is_address and source.isprintable() and len(source) < 500)
