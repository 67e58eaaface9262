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
from vision.watch.patches import PLACE_IN_PATCH, HomePicture, Patch, correlation
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
        there = {
            at for at, before, after in patches if _looks_alike(before, after, _bare(quads, at, after.shape))
        }
        if not self._begins:
            there -= self._laid_on(look, there)
        return without_faces(look, there)

    def _lay_here(self, home: Corners) -> bool:
        lay = ((self._tiles, _BESIDE), (self._alone, _SAME_PLACE))
        return any(_are_near(home, stacked(tiles), widths).any() for tiles, widths in lay)

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


def _are_near(home: Corners, tiles: NDArray[np.float32], widths: float) -> Mask:
    """Say of which tiles, (N, 4, 2), the middle lies within so many of their widths of a place's."""
    away = np.linalg.norm(tiles.mean(axis=1) - home.mean(axis=0), axis=1)
    return np.asarray(away <= widths * np.linalg.norm(tiles[:, 1] - tiles[:, 0], axis=1))


def _bare(quads: NDArray[np.float32], at: int, shape: tuple[int, ...]) -> Mask:
    """Return what of a find's place, shape (12, 10), lies under no other: a tile was laid beside a motif.

    ``quads`` (N, 4, 2) are the places of all finds at home, ``shape`` is a patch's.
    """
    near = _are_near(quads[at], quads, _BESIDE)
    near[at] = False
    over = np.zeros(shape[:2], np.uint8)
    if near.any():
        to_patch = cv2.getPerspectiveTransform(quads[at], PLACE_IN_PATCH)
        for quad in cv2.perspectiveTransform(quads[near], to_patch):
            cv2.fillConvexPoly(over, np.round(quad).astype(np.int32), 1)
    bare = over[_INNER] == 0
    return np.asarray(bare if bare.mean() >= _LEAST_BARE else np.ones_like(bare))


def _looks_alike(before: Patch, after: Patch, bare: Mask) -> bool:
    """Say whether a place shows the figure that it showed, in whatever light, where it lies ``bare``."""
    old, new = (patch.mean(axis=2)[_INNER][bare] for patch in (before, after))
    return min(float(old.std()), float(new.std())) >= _PLAIN_LEVELS and correlation(old, new) >= _ALIKE
