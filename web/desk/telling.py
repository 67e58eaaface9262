"""From what the referee and the program say to plain values with a sentence, for one language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from referee import Note, Problem, Question, SeenTile, print_tiles
from web.desk.answers import answers_are

__all__ = ["Say", "Teller", "english"]

Say = Callable[[str, Mapping[str, str | int], str], str]
"""Makes a sentence of a code, its arguments and its tiles."""


class Teller:
    """Tells notes, problems and questions."""

    def __init__(self, say: Say) -> None:
        """Take what makes the sentences."""
        self._say = say

    def told(self, note: Note | Question, **more: Any) -> dict[str, Any]:
        """Return what is said as plain values."""
        args = dict(note.args)
        kind = "question" if isinstance(note, Question) else "problem" if isinstance(note, Problem) else "note"
        plain: dict[str, Any] = {
            "kind": kind,
            "code": note.code,
            "args": args,
            "tiles": texts(note.tiles),
            "text": self._say(note.code, args, print_tiles(note.tiles)),
        }
        if isinstance(note, Question):
            plain |= {"answers": list(note.answers), "answers_are": answers_are(note), "lean": note.lean}
        return {**plain, **more}

    def all(self, notes: Iterable[Note | Question]) -> list[dict[str, Any]]:
        """Return several."""
        return [self.told(note) for note in notes]

    def said(self, note: Note) -> dict[str, Any]:
        """Return something that is announced."""
        return self.told(note, kind="said")


def english(code: str, args: Mapping[str, str | int], tiles: str) -> str:
    """The English sentence of a code of referee or desk."""
    from referee import ENGLISH
    from web.desk.words import ENGLISH_OF_DESK

    return {**ENGLISH, **ENGLISH_OF_DESK}[code].format(tiles=tiles, **args)


def texts(tiles: Iterable[SeenTile]) -> list[str]:
    """Tiles in the notation."""
    return [str(seen) for seen in tiles]
