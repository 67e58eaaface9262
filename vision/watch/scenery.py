"""What looks like a tile and was there before the game: motifs of a tablecloth, seen in its first picture.

Where a tile is laid the picture changes. What is found later in a place that still looks as it did in the first
picture, when no set lay there, is a part of the table.
"""

from __future__ import annotations

import numpy as np

from vision.readings import Corners
from vision.watch.look import Look, SeenFace, without_faces
from vision.watch.open_racks import is_set
from vision.watch.patches import HomePicture, Patch
from vision.watch.track import top_of

__all__ = ["Scenery"]

_SURELY = 0.9
"""What reads as a number so surely counts as read."""
_LEAST_ROW, _LEAST_READ = 3, 2
"""Tiles of a row that is none of the cloth, and how many of them were read, jokers left out."""
_BESIDE = 1.6
"""Tile widths within which a tile belongs to the row that lies there, though the finder missed it at first."""
_SAME_PLACE = 0.5
"""The same of what lay there alone."""
_ALIKE = 0.75
"""Correlation from which on a place shows what it showed."""
_PLAIN_LEVELS = 4.0
"""Standard deviation of a place that shows no figure: of such a one nothing is said."""
_INNER = (slice(6, 18), slice(5, 15))
"""A tile's place in a patch, with its edges."""


class Scenery:
    """Remembers the first picture, and where tiles lay in it."""

    def __init__(self) -> None:
        """Begin without any picture."""
        self._first: HomePicture | None = None
        self._tiles: list[Corners] = []
        self._alone: list[Corners] = []
        self._begins = True

    def without(self, look: Look, now: HomePicture, *, again: bool) -> Look:
        """Return the look without what was there before the game; ``again``: nothing moved since the last."""
        self._begins = self._begins and (again or self._first is None)
        self._first = self._first or now
        if self._begins:
            self._tiles += [look.faces[at].home for members in _rows(look) for at in members]
        odd = {at for at, face in enumerate(look.faces) if not self._lay_here(face.home)}
        homes = [look.faces[at].home for at in sorted(odd)]
        same = [
            _looks_alike(before, after)
            for before, after in zip(self._first.patches(homes), now.patches(homes), strict=True)
        ]
        there = {at for at, alike in zip(sorted(odd), same, strict=True) if alike}
        if not self._begins:
            there -= self._laid_on(look, there)
        return without_faces(look, there)

    def _lay_here(self, home: Corners) -> bool:
        if any(_is_near(home, tile, _BESIDE) for tile in self._tiles):
            return True
        return any(_is_near(home, tile, _SAME_PLACE) for tile in self._alone)

    def _laid_on(self, look: Look, there: set[int]) -> set[int]:
        """Return those that are tiles all the same.

        They are a set that the first looks missed, or became one with tiles that were laid since.
        """
        tiles: set[int] = set()
        for members in _rows(look):
            if there.issuperset(members) and is_set(look.faces, members):
                tiles |= set(members)
                self._tiles += [look.faces[at].home for at in members]
        for members, _ in look.sets:
            read = {at for at in there.intersection(members) if _is_read(look.faces[at])}
            if read and not there.issuperset(members) and is_set(look.faces, members):
                tiles |= read
                self._alone += [look.faces[at].home for at in read]
        return tiles


def _rows(look: Look) -> list[tuple[int, ...]]:
    """Return the rows in which so many tiles were read that they are no motifs."""
    return [
        members
        for members, _ in look.sets
        if len(members) >= _LEAST_ROW and sum(_is_read(look.faces[at]) for at in members) >= _LEAST_READ
    ]


def _is_read(face: SeenFace) -> bool:
    if not face.listed:
        return False
    tile, share = top_of(face.listed)
    return share >= _SURELY and not tile.is_joker


def _is_near(home: Corners, tile: Corners, widths: float) -> bool:
    """Say whether the middle of a place lies within so many tile widths of another's."""
    away = float(np.linalg.norm(home.mean(axis=0) - tile.mean(axis=0)))
    return away <= widths * float(np.linalg.norm(tile[1] - tile[0]))


def _looks_alike(before: Patch, after: Patch) -> bool:
    """Say whether a place shows the figure that it showed, in whatever light."""
    old, new = (patch.mean(axis=2)[_INNER] for patch in (before, after))
    if min(float(old.std()), float(new.std())) < _PLAIN_LEVELS:
        return False
    return float(np.corrcoef(old.ravel(), new.ravel())[0, 1]) >= _ALIKE
