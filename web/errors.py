"""What can go wrong at the desk. Every error is a code with arguments; the sentence is made at the edge.

WebError
├── Refused          the request is wrong in itself (400)
├── NotAllowed       this role may not (403)
├── NotFound         there is no such thing (404)
├── WrongMoment      it does not fit the moment (409)
├── TooLarge         more than the limit (413)
├── TooOften         too many tries (429)
└── StoreError       the data folder cannot be used
"""

from __future__ import annotations

from typing import Self

from referee import ENGLISH, Note
from web.desk.words import ENGLISH_OF_DESK

__all__ = [
    "NotAllowed",
    "NotFound",
    "Refused",
    "StoreError",
    "TooLarge",
    "TooOften",
    "WebError",
    "WrongMoment",
]


class WebError(Exception):
    """Anything that the dashboard refuses, as a code of ``web.desk.words`` with its arguments."""

    status = 500
    """The HTTP status that goes with it."""

    def __init__(self, code: str, **args: str | int) -> None:
        super().__init__(code)
        self.note = Note(code, (), tuple(args.items()))

    @classmethod
    def saying(cls, note: Note) -> Self:
        """The error that says what the referee says."""
        error = cls(note.code)
        error.note = note
        return error

    def __str__(self) -> str:
        """The English sentence."""
        return self.note.sentence({**ENGLISH, **ENGLISH_OF_DESK})


class Refused(WebError):
    """The request is wrong in itself."""

    status = 400


class NotAllowed(WebError):
    """The role of whom asks does not allow it."""

    status = 403


class NotFound(WebError):
    """There is no such thing."""

    status = 404


class WrongMoment(WebError):
    """It does not fit the moment."""

    status = 409


class TooLarge(WebError):
    """It is larger than the limit."""

    status = 413


class TooOften(WebError):
    """It was tried too often."""

    status = 429


class StoreError(WebError):
    """The data folder cannot be used."""
