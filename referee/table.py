"""A table: the sets that lie on it.

Notation: tiles apart by blanks, sets apart by bars, ``B4 B5 B6 | K8 R8 J``. The dossier's dots between tiles
are read too (``B4.B5.B6 | K8.R8.J``), never printed. An empty table prints as an empty text. Where sets cross
(the French variant), the tile that lies in both carries the same tag in each: ``R3 R4#1 R5 | R4#1 K4 B4``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.errors import NotationError
from referee.seen import SeenTile, parse_tiles

__all__ = ["Place", "Table", "TileSet", "parse_table"]

TileSet = tuple[SeenTile, ...]
"""Tiles that lie together, in laid order; a loose tile is a set of one."""

Place = tuple[int, int]
"""Where a tile lies: the index of its set, and its place in it."""


@dataclass(frozen=True, slots=True)
class Table:
    """Every set on the table. Raises ValueError for a set without tiles, or sets that cannot cross so."""

    sets: tuple[TileSet, ...] = ()
    """The sets; their order means nothing to the rules."""
    shared: tuple[tuple[Place, Place], ...] = ()
    """The tiles that lie in two sets, each by its two places, the first in the earlier set; ascending."""

    def __post_init__(self) -> None:
        """Refuse a set of no tiles, and crossings that cannot be."""
        if not all(self.sets):
            raise ValueError("a set on the table has at least one tile")
        if self.shared:
            self._check_shared()

    def _check_shared(self) -> None:
        places = [place for pair in self.shared for place in pair]
        if len(set(places)) < len(places) or list(self.shared) != sorted(self.shared):
            raise ValueError("a tile crosses once, and crossings are listed in order")
        for one, other in self.shared:
            if one[0] >= other[0]:
                raise ValueError("a tile that crosses lies in two sets, the earlier one first")
            if self._at(one) != self._at(other):
                raise ValueError(f"{self._at(one)} and {self._at(other)} are not one tile")

    def _at(self, place: Place) -> SeenTile:
        return self.sets[place[0]][place[1]]

    def __str__(self) -> str:
        """The notation: ``B4 B5 B6 | K8 R8 J``."""
        tags = {place: f"#{tag}" for tag, pair in enumerate(self.shared, 1) for place in pair}
        return " | ".join(
            " ".join(f"{seen}{tags.get((row, at), '')}" for at, seen in enumerate(tiles))
            for row, tiles in enumerate(self.sets)
        )

    def tiles(self) -> Iterator[SeenTile]:
        """Yield every tile, set by set; one that lies in two sets comes with the first."""
        again = {second for _, second in self.shared}
        for row, tiles in enumerate(self.sets):
            for at, seen in enumerate(tiles):
                if (row, at) not in again:
                    yield seen

    def shared_tiles(self) -> tuple[SeenTile, ...]:
        """The tiles that lie in two sets, each once."""
        return tuple(self._at(one) for one, _ in self.shared)

    @property
    def is_sure(self) -> bool:
        """True where every tile has one candidate."""
        return all([seen.index >= 0 for tiles in self.sets for seen in tiles])


def parse_table(text: str) -> Table:
    """Return the table that ``text`` describes.

    Raises NotationError for a word that is no tile, an empty set, or a tag that is not on one tile in two sets.
    """
    if text.strip() in ("", "-", "∅"):
        return Table()
    if "#" in text:
        return _parse_crossing(text)
    sets = tuple(parse_tiles(part) for part in text.split("|"))
    if not all(sets):
        raise NotationError(f"{text!r} has a set without tiles: put at least one between two bars")
    return Table(sets)


def _parse_crossing(text: str) -> Table:
    """``parse_table`` for a text with tags."""
    places: dict[str, list[Place]] = {}
    plain = []
    for row, part in enumerate(text.split("|")):
        words = part.replace(".", " ").split()
        for at, word in enumerate(words):
            name, mark, tag = word.partition("#")
            words[at] = name
            if mark:
                places.setdefault(tag, []).append((row, at))
        plain.append(" ".join(words))
    table = parse_table("|".join(plain))
    for tag, found in places.items():
        if len(found) != 2:
            raise NotationError(f"the tag #{tag} is on {len(found)} tiles: it belongs to one tile in two sets")
    try:
        return Table(table.sets, tuple(sorted((found[0], found[1]) for found in places.values())))
    except ValueError as error:
        raise NotationError(f"{text!r}: {error}") from error
