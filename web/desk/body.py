"""The JSON object that comes with an action: every value is taken out by its type, or refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from web.errors import Refused

__all__ = ["Body"]

Word = TypeVar("Word", bound=str)

MOST_TEXT = 8000
"""No text that comes with an action is longer: a table of every tile of the largest box is shorter."""


class Body:
    """What came with an action. Each method raises Refused where the value is of another type."""

    def __init__(self, values: object) -> None:
        """Take the decoded JSON."""
        if not isinstance(values, Mapping):
            raise Refused("bad-request", why="it is no JSON object")
        self._values = values

    def has(self, name: str) -> bool:
        """True where the value was sent, and is not null."""
        return self._values.get(name) is not None

    def raw(self, name: str) -> Any:
        """The value as it came; None where it did not."""
        return self._values.get(name)

    def text(self, name: str, default: str | None = None, most: int = MOST_TEXT) -> str:
        """A text."""
        value = self._values.get(name, default)
        if value is None:
            value = default
        if not isinstance(value, str):
            raise Refused("bad-request", why=f"{name} must be a text")
        if len(value) > most:
            raise Refused("bad-request", why=f"{name} may have {most} characters")
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise Refused("bad-request", why=f"{name} holds half a character") from None
        return value

    def text_or_none(self, name: str) -> str | None:
        """A text, or None where there is none."""
        return self.text(name) if self.has(name) else None

    def whole(self, name: str, least: int = 0, most: int = 100_000) -> int:
        """A whole number."""
        value = self._values.get(name)
        if isinstance(value, str) and value.strip().lstrip("-").isdecimal() and len(value) < 12:
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise Refused("bad-request", why=f"{name} must be a whole number from {least} to {most}")
        return value

    def whole_or_none(self, name: str, least: int = 0, most: int = 100_000) -> int | None:
        """A whole number, or None where there is none."""
        return self.whole(name, least, most) if self.has(name) and self._values.get(name) != "" else None

    def number(self, name: str, least: float, most: float) -> float:
        """A number."""
        value = self._values.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise Refused("bad-request", why=f"{name} must be a number from {least:g} to {most:g}")
        return float(value)

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self._values.get(name, default)
        if value is None:
            return default
        if value in ("on", "true", "1"):
            return True
        if value in ("off", "false", "0", ""):
            return False
        if not isinstance(value, bool):
            raise Refused("bad-request", why=f"{name} must be true or false")
        return value

    def word(self, name: str, words: tuple[Word, ...], default: Word | None = None) -> Word:
        """One of a few words."""
        value = self.text(name, default, most=100)
        for word in words:
            if word == value:
                return word
        raise Refused("bad-request", why=f"{name} must be one of {', '.join(words)}")

    def texts(self, name: str, most: int = 16) -> list[str]:
        """A list of texts."""
        value = self._values.get(name)
        if not isinstance(value, list | tuple) or len(value) > most:
            raise Refused("bad-request", why=f"{name} must be a list of at most {most} texts")
        return [Body({name: one}).text(name) for one in value]

    def wholes_or_none(self, name: str, least: int, most: int, count: int = 16) -> list[int | None]:
        """A list of whole numbers, some of which may be missing."""
        value = self._values.get(name)
        if not isinstance(value, list | tuple) or len(value) > count:
            raise Refused("bad-request", why=f"{name} must be a list of at most {count} numbers")
        return [Body({name: one}).whole_or_none(name, least, most) for one in value]

    def seat(self, name: str, players: int) -> int:
        """A seat of a match."""
        seat = self.whole(name)
        if seat >= players:
            raise Refused("no-such-seat", seat=seat)
        return seat

    def seat_or_none(self, name: str, players: int) -> int | None:
        """A seat of a match, or None where there is none."""
        return self.seat(name, players) if self.has(name) and self._values.get(name) != "" else None
