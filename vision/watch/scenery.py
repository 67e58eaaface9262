"""What looks like a tile and was there before the game: motifs of a tablecloth, seen in its first picture.

Where a tile is laid the picture changes. What is found later in a place that still looks as it did in the first
picture, when no set lay there, is a part of the table.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners, stacked
from vision.watch.home_view import Mask
from vision.watch.look import Look, SeenFace, without_faces
from vision.watch.open_racks import is_set
from vision.watch.patches import HomePicture, Patch, correlation
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
_ROWS, _COLUMNS = 24, 20
_FRAME = np.array([[5, 6], [15, 6], [15, 18], [5, 18]], np.float32)
"""A patch, and where in it the corners of the place lie."""
_LEAST_BARE = 0.4
"""Share of a place that no other tile may cover for the rest to be compared alone."""


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
            rows = [members for members, _ in look.sets if _is_row(look, members)]
            self._tiles += [look.faces[at].home for members in rows for at in members]
        odd = [at for at, face in enumerate(look.faces) if not self._lay_here(face.home)]
        homes = [look.faces[at].home for at in odd]
        patches = zip(odd, self._first.patches(homes), now.patches(homes), strict=True)
        quads = stacked([face.home for face in look.faces])
        there = {at for at, before, after in patches if _looks_alike(before, after, _bare(quads, at))}
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
        for members, _ in look.sets:
            own = there.intersection(members)
            if not own or not is_set(look.faces, members):
                continue
            if len(own) < len(members):
                own = {at for at in own if _is_read(look.faces[at])}
                self._alone += [look.faces[at].home for at in own]
            elif _is_row(look, members):
                self._tiles += [look.faces[at].home for at in own]
            else:
                continue
            tiles |= own
        return tiles


def _is_row(look: Look, members: Sequence[int]) -> bool:
    """Say whether so many tiles of a row were read that it is none of motifs."""
    return len(members) >= _LEAST_ROW and sum(_is_read(look.faces[at]) for at in members) >= _LEAST_READ


def _is_read(face: SeenFace) -> bool:
    if not face.listed:
        return False
    tile, share = top_of(face.listed)
    return share >= _SURELY and not tile.is_joker


def _is_near(home: Corners, tile: Corners, widths: float) -> bool:
    """Say whether the middle of a place lies within so many tile widths of another's."""
    away = float(np.linalg.norm(home.mean(axis=0) - tile.mean(axis=0)))
    return away <= widths * float(np.linalg.norm(tile[1] - tile[0]))


def _bare(quads: NDArray[np.float32], at: int) -> Mask:
    """Return what of a find's place, shape (12, 10), lies under no other: a tile was laid beside a motif.

    ``quads`` (N, 4, 2) are the places of all finds at home.
    """
    middles, widths = quads.mean(axis=1), np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    near = np.linalg.norm(middles - middles[at], axis=1) <= _BESIDE * widths
    near[at] = False
    over = np.zeros((_ROWS, _COLUMNS), np.uint8)
    if near.any():
        to_patch = cv2.getPerspectiveTransform(quads[at], _FRAME)
        for quad in cv2.perspectiveTransform(quads[near], to_patch):
            cv2.fillConvexPoly(over, np.round(quad).astype(np.int32), 1)
    bare = over[_INNER] == 0
    return np.asarray(bare if bare.mean() >= _LEAST_BARE else np.ones_like(bare))


def _looks_alike(before: Patch, after: Patch, bare: Mask) -> bool:
    """Say whether a place shows the figure that it showed, in whatever light, where it lies ``bare``."""
    old, new = (patch.mean(axis=2)[_INNER][bare] for patch in (before, after))
    return min(float(old.std()), float(new.std())) >= _PLAIN_LEVELS and correlation(old, new) >= _ALIKE
