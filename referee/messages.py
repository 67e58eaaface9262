"""What the referee says: notes, problems and questions as codes with arguments, and their English sentences.

A translation is another mapping from the same codes to templates; tiles come in as ``{tiles}``, every other
argument under its own name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from referee.seen import SeenTile, print_tiles
from referee.texts import ENGLISH
from referee.tiles import Tile

__all__ = ["Arguments", "Note", "Problem", "Question", "Verdict"]

Verdict = Literal["legal", "illegal", "ask"]
"""``ask`` says that it cannot be judged before a question is answered."""

Lean = Literal["legal", "illegal"]
"""Where an unanswered question leans, as the dossier's ?V and ?X."""

Arguments = tuple[tuple[str, str | int], ...]
"""Names and values that a sentence needs besides its tiles."""

_Show = Callable[[Iterable[SeenTile | Tile]], str]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a player may want to know."""

    code: str
    """What it says: a key of ``ENGLISH``."""
    tiles: tuple[SeenTile, ...] = ()
    """The tiles that it is about."""
    args: Arguments = ()
    """What else the sentence needs."""

    def __str__(self) -> str:
        """What it says, as an English sentence."""
        return self.message

    def sentence(self, templates: Mapping[str, str] = ENGLISH, show: _Show = print_tiles) -> str:
        """What it says, in the language of ``templates``, tiles drawn by ``show``."""
        return templates[self.code].format(tiles=show(self.tiles), **dict(self.args))

    @property
    def message(self) -> str:
        """What it says, as an English sentence."""
        return self.sentence()


class Problem(Note):
    """A sure fault."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Question:
    """Something that only the players, or their house rules, can settle."""

    code: str
    """What kind of question: a key of ``ENGLISH``."""
    tiles: tuple[SeenTile, ...] = ()
    """The tiles that it is about."""
    answers: tuple[str, ...] = ()
    """The answers on offer: texts in the notation, or words such as ``yes`` and ``no``."""
    args: Arguments = ()
    """What else the sentence needs."""
    lean: Lean | None = None
    """The verdict that the wording favours; None where nothing favours either."""

    def __str__(self) -> str:
        """The question as an English sentence."""
        return self.message

    def sentence(self, templates: Mapping[str, str] = ENGLISH, show: _Show = print_tiles) -> str:
        """The question as a sentence, in the language of ``templates``, tiles drawn by ``show``."""
        return templates[self.code].format(tiles=show(self.tiles), **dict(self.args))

    @property
    def message(self) -> str:
        """The question as an English sentence."""
        return self.sentence()
