"""One physical tile as it is followed, and how a face compares with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from referee import Tile
from vision.readings import Corners
from vision.watch.evidence import Evidence
from vision.watch.look import SeenFace, shared_area

__all__ = [
    "KNOWN_LOOKS",
    "SURE",
    "WELL_KNOWN",
    "Track",
    "agreement_of",
    "alone_surely",
    "exchange",
    "holds_its_row",
    "is_as_large",
    "is_excluded",
    "is_half_seen",
    "is_part",
    "leaves_no_part",
    "shown_surely",
    "top_of",
    "well_known",
    "went_along",
]

WELL_KNOWN, WELL_KNOWN_LOOKS = 0.99, 3
"""A tile that is read so surely in so many looks is not taken for another by weak looks at it."""
KNOWN_LOOKS = 2
"""So many are enough where only a part of it is in view."""
SURE = 0.98
"""A look less sure than this is a weak one."""
_PART, _WITHIN = 0.85, 0.8
"""Share of a tile's size up to which a face is a part of one, if this share of it lies within its place."""
_THOSE_BESIDE = 4
"""So many that lie nearest tell how large a tile is there."""
_SURELY_OTHER = 0.003
"""A reading that gives a tile less than this is another tile, even in the same place."""


_BESIDE, _EACH_MORE = 0.35, 0.1
"""Tile widths by which the next tile of a row may lie aside, and each one after it more."""
_THREE = 3
_NEXT = 1.3
"""Tile widths within which the middle of the next tile of a row lies; that above it lies farther away."""


def holds_its_row(home: Corners, others: Sequence[Corners]) -> bool:
    """Say whether a tile at ``home`` lies between two of ``others``, (4, 2) each, or in a row of just three."""
    across = _across(home)
    middles = [other.mean(axis=0) for other in others]

    def beside(steps: int) -> bool:
        place = home.mean(axis=0) + steps * across
        reach = (_BESIDE + _EACH_MORE * (abs(steps) - 1)) * float(np.linalg.norm(across))
        return any(float(np.linalg.norm(middle - place)) < reach for middle in middles)

    if beside(-1) and beside(1):
        return True
    return any(beside(way) and beside(2 * way) and not beside(_THREE * way) for way in (-1, 1))


def _across(home: Corners) -> NDArray[np.float32]:
    """Return the way from a tile's left to its right, (2,)."""
    return np.asarray((home[1] - home[0] + home[2] - home[3]) / 2)


def went_along(home: Corners, now: Corners, moves: Sequence[tuple[Corners, Corners]]) -> bool:
    """Say whether a tile that lay at ``home`` and one that lies at ``now`` are one, moved with its row.

    ``moves`` are the old and the new places of tiles that were moved: one that lay beside it lies beside it
    again, in the same way.
    """
    width = float(np.linalg.norm(_across(home)))
    for lay, lies in moves:
        before, after = (one.mean(axis=0) - other.mean(axis=0) for one, other in ((lay, home), (lies, now)))
        near = max(float(np.linalg.norm(before)), float(np.linalg.norm(after))) < _NEXT * width
        if near and float(np.linalg.norm(after - before)) < _BESIDE * width:
            return True
    return False


@dataclass(slots=True, eq=False)
class Track:
    """One physical tile."""

    key: int
    """Names it."""
    home: Corners
    """Where it lies, or lay last, at home."""
    corners_xy_px: Corners
    """The same in the last look's picture."""
    evidence: Evidence = field(default_factory=Evidence)
    """All looks at it."""
    state: Literal["lying", "hidden", "gone"] = "lying"
    """In view; covered; or neither."""
    in_part: bool = False
    """True where something covered a part of it in the last look."""
    bare: bool = False
    """Whether it was not found in the last look, and the ground showed there."""
    missed: int = 0
    """Looks in a row in which it was not found though nothing covers its place for sure."""
    moved: bool = True
    """True where the last look found it in another place than the look before, or for the first time."""
    challenged: bool = False
    """True where the last look surely read another tile in the very same place."""
    stirred: bool = False
    """True where its place came to look otherwise in a look that did not read it, nor did any since."""
    since_s: float = 0.0
    """Since when it lies where it lies."""
    rather: tuple[Tile | None, int] = (None, 0)
    """Which other tile a whole face in its place was read as, clearly, and in how many looks in a row."""

    @property
    def middle(self) -> NDArray[np.float32]:
        """The middle at home, (2,)."""
        return np.asarray(self.home.mean(axis=0))


def agreement_of(track: Track, face: SeenFace) -> float:
    """How likely it is, by both readings, that the face shows the track's tile."""
    if face.listed is None or not track.evidence.looks:
        return 0.5
    listed: dict[Tile, float] = dict(face.listed)
    return sum(share * listed.get(tile, 0.0) for tile, share in track.evidence.posterior())


def is_half_seen(track: Track, face: SeenFace, *, part: bool) -> bool:
    """True where a tile that is well known reads otherwise: something covers a part of it.

    It does not read surely so, or is but a ``part`` of the tile: of a 12, a 1 is left.
    """
    tile = well_known(track, KNOWN_LOOKS if part else WELL_KNOWN_LOOKS)
    if face.listed is None or tile is None:
        return False
    top, worth = top_of(face.listed)
    return top != tile and (worth < SURE or part)


def well_known(track: Track, looks: int = WELL_KNOWN_LOOKS) -> Tile | None:
    """What a track's tile is, if it was read so surely, in so many looks; else None."""
    tile, share = track.evidence.best()
    return tile if track.evidence.looks >= looks and share > WELL_KNOWN else None


def is_part(rest: Corners, whole: Corners) -> bool:
    """True where a face lies within a tile's place, and is much smaller."""
    size = cv2.contourArea(rest)
    if size > _PART * cv2.contourArea(whole):
        return False
    return shared_area(rest, whole) >= _WITHIN * size


def is_as_large(home: Corners, faces: NDArray[np.float32]) -> bool:
    """True for a face about as large as those of a look, (N, 4, 2), it among them, that lie nearest to it."""
    away = np.linalg.norm(faces.mean(axis=1) - home.mean(axis=0), axis=1)
    near = np.argsort(away)[1 : 1 + _THOSE_BESIDE]
    if len(near) < _THOSE_BESIDE:
        return False
    usual = float(np.median([cv2.contourArea(quad) for quad in faces[near]]))
    return bool(cv2.contourArea(home) > _PART * usual)


def top_of(listed: Mapping[Tile, float]) -> tuple[Tile, float]:
    """The likeliest tile of a reading, and its probability."""
    return max(listed.items(), key=lambda one: one[1])


def leaves_no_part(own: Tile, other: Tile) -> bool:
    """True for another number, if it is not what a finger over a digit leaves of the ``own`` one.

    Of a joker nobody knows what is left.
    """
    if own.number is None or other.number is None or own.number == other.number:
        return False
    return str(other.number) not in str(own.number)


def is_excluded(track: Track, face: SeenFace) -> bool:
    """True where the face is surely another tile than the track's."""
    if face.listed is None or not track.evidence.looks:
        return False
    return (
        top_of(face.listed)[1] > 0.9
        and track.evidence.best()[1] > 0.9
        and agreement_of(track, face) < _SURELY_OTHER
    )


def exchange(faces: Sequence[SeenFace], keys: list[int | None], tracks: Mapping[int, Track]) -> None:
    """Give faces that surely read as each other's tiles each other's keys: they were laid round.

    In grey, which tells what is untouched, a blue 2 looks just as a black one does.
    """
    others: dict[Tile, tuple[int, Tile]] = {}
    for at, (face, key) in enumerate(zip(faces, keys, strict=True)):
        if key is None or not face.listed:
            continue
        own, (top, worth) = well_known(tracks[key]), top_of(face.listed)
        if own not in (None, top) and worth >= SURE:
            others[own] = at, top
    for own in list(others):
        ring, following = [own], others[own][1] if own in others else None
        while following in others and following not in ring:
            ring.append(following)
            following = others[following][1]
        if following == own:
            theirs = {tile: keys[others[tile][0]] for tile in ring}
            for tile in ring:
                at, top = others.pop(tile)
                keys[at] = theirs[top]


def alone_surely(faces: Sequence[SeenFace], keys: Sequence[int | None]) -> list[tuple[Tile, SeenFace]]:
    """Return the faces without a track that are read surely, each with what it shows."""
    alone = [(face, face.listed) for face, key in zip(faces, keys, strict=True) if key is None]
    tops = [(face, top_of(listed)) for face, listed in alone if listed]
    return [(tile, face) for face, (tile, share) in tops if share >= SURE]


def shown_surely(faces: Sequence[SeenFace], keys: Sequence[int | None]) -> frozenset[Tile]:
    """Return the tiles that faces without a track surely show: one may well have been moved there."""
    return frozenset(tile for tile, _ in alone_surely(faces, keys))
