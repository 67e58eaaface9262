"""One look at the table: a picture read, with everything brought home."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from referee import Tile
from vision.layout import read_layout
from vision.layout.plane import slack_of_size, tile_frames
from vision.quads import quad_sides, usual_width
from vision.readings import Corners, PhotoReading, stacked
from vision.watch.evidence import probabilities

__all__ = [
    "Look",
    "SeenFace",
    "backs_beside",
    "bring",
    "known_at",
    "known_at_each",
    "laid_anew",
    "laid_bare_by",
    "look_of",
    "shared_area",
    "still_known",
    "tile_width",
    "without_faces",
    "without_gaps",
    "without_misfits",
]

_SAME_PLACE = 0.3
"""Tile widths within which the middles of two places are one place."""
_OVER = 0.6
"""Tile widths between middles under which what reads as a tile lies over a back: no place for one."""
_SURELY = 0.9
"""Of several that lie together one that reads so surely is a tile."""
_FOR_CERTAIN = 0.98
"""No gap between backs reads so surely as a number or a joker."""
_BESIDE, _AMID = 1.6, 3
"""Widths of a back within which its neighbours' middles lie, above it and beside it; among so many nobody lays
a tile alone."""

_ENOUGH = 6
"""Fewer tiles than this say little of how large a tile is."""
_TOO_LONG = 2.5
"""Widths that no tile is long; the longest of 36,800 that were read surely was 2.05 long."""
_READS_AS_ONE = 0.5
"""What lies alone and reads as no tile so surely may be a rack, where its shape says so."""
_LEAST_ROW = 3
"""Tiles of a row that tells how large a tile is where it lies."""
_TWO_TILES = 1.6
"""Times a tile's area from which on what lies in its place is not that tile."""

Homography = NDArray[np.float64]
"""Shape (3, 3)."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenFace:
    """One face of a look."""

    listed: Mapping[Tile, float] | None
    """Its probabilities as far as they are listed; None for a face that could not be read."""
    corners_xy_px: Corners
    """Where it is in the picture."""
    home: Corners
    """Where it is at home."""
    misfit: bool = False
    """True where it has not the shape of a tile, and one lay there: something hides a part of that."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What one picture shows of the table."""

    t_s: float
    """The picture's time."""
    faces: tuple[SeenFace, ...]
    """Face-up tiles on the table; racks and what is outside the area are left out."""
    sets: tuple[tuple[tuple[int, ...], bool], ...]
    """Faces that lie together, by index in ``faces``, in reading order, each with its doubt."""
    backs: tuple[Corners, ...]
    """Face-down tiles, at home."""
    to_home: Homography
    """From the picture's pixels to home's."""
    standing: tuple[tuple[SeenFace, ...], ...] = ()
    """Rows that the reader saw to stand on a rack."""
    perhaps: tuple[Corners, ...] = ()
    """What may be a face-down tile, at home, where one was known before."""


def bring(corners: Corners, matrix: Homography) -> Corners:
    """Return points (N, 2) mapped by a homography."""
    points = np.column_stack([corners, np.ones(len(corners))]) @ matrix.T
    return np.asarray(points[:, :2] / points[:, 2:], np.float32)


_Known = TypeVar("_Known")


def known_at(known: Sequence[tuple[Corners, _Known]], home: Corners) -> _Known | None:
    """Return what is known of the place ``home``, (4, 2); None where no place there is known."""
    return known_at_each(known, [home])[0]


def known_at_each(known: Sequence[tuple[Corners, _Known]], homes: Sequence[Corners]) -> list[_Known | None]:
    """Return the same of each place."""
    here = _in_places([place for place, _ in known], homes)
    return [known[int(place.argmax())][1] if place.any() else None for place in here.T]


def still_known(
    known: Sequence[tuple[Corners, _Known]], lying: Sequence[Corners], fresh: Sequence[Corners]
) -> list[tuple[Corners, _Known]]:
    """Return what is known of places where a tile is still ``lying`` that is not one of the ``fresh`` ones."""
    places = [place for place, _ in known]
    keep = _same_places(places, lying) & ~_same_places(places, fresh)
    return [one for one, kept in zip(known, keep, strict=True) if kept]


def _same_places(homes: Sequence[Corners], others: Sequence[Corners]) -> NDArray[np.bool_]:
    """Tell of each place, (4, 2) at home, whether a tile of ``others`` lies in it, shape (N,)."""
    return np.asarray(_in_places(homes, others).any(axis=1))


def _in_places(homes: Sequence[Corners], others: Sequence[Corners]) -> NDArray[np.bool_]:
    """Tell of each place, (4, 2) at home, which of M ``others`` lie in it, shape (N, M)."""
    places = stacked(homes)
    within = _SAME_PLACE * np.linalg.norm(places[:, 1] - places[:, 0], axis=1)
    apart = places.mean(axis=1)[:, None] - stacked(others).mean(axis=1)[None]
    return np.asarray(np.hypot(apart[..., 0], apart[..., 1]) <= within[:, None])


def shared_area(one: Corners, other: Corners) -> float:
    """Return the area, square pixels, that two places of tiles, (4, 2) each, have in common."""
    hull, rim = (cv2.convexHull(np.asarray(quad, np.float32)) for quad in (one, other))
    return float(cv2.intersectConvexConvex(hull, rim)[0])


def tile_width(quads: Sequence[Corners]) -> float:
    """Return the median width of tiles in pixels; 0 without one."""
    return usual_width(quads) or 0.0


def look_of(
    reading: PhotoReading,
    t_s: float,
    to_home: Homography,
    offset_xy: tuple[int, int] = (0, 0),
    area_home: Corners | None = None,
    seen_to_home: Homography | None = None,
) -> Look:
    """Return a photograph's reading as a look; ``offset_xy`` is where the part that was read begins.

    ``seen_to_home`` is the way home from the picture as it came, where another was read in its place.
    """
    offset = np.array(offset_xy, np.float32)
    seen_to_home = to_home if seen_to_home is None else seen_to_home
    seen_from_home = None if seen_to_home is to_home else np.asarray(np.linalg.inv(seen_to_home), np.float64)
    standing = set(reading.on_rack)
    faces: list[SeenFace] = []
    sets = []
    stand = []

    def face_of(member: int) -> SeenFace:
        corners = reading.unreadable[-1 - member] if member < 0 else reading.tiles[member].corners_xy_px
        corners = np.asarray(corners + offset, np.float32)
        guess = member < 0 or reading.tiles[member].is_guess
        home = bring(corners, to_home)
        here = corners if seen_from_home is None else bring(home, seen_from_home)
        return SeenFace(None if guess else probabilities(reading.tiles[member]), here, home)

    for lying in reading.sets:
        own = [face_of(member) for member in lying.members if member not in standing]
        if upright := tuple(face_of(member) for member in lying.members if member in standing):
            stand.append(upright)
        # Half a set would be called illegal: one that lies across the area's border counts whole.
        if any(_inside(face.home, area_home) for face in own):
            sets.append((tuple(range(len(faces), len(faces) + len(own))), lying.doubt))
            faces += own

    def in_area(quads: Sequence[Corners]) -> tuple[Corners, ...]:
        homes = (bring(np.asarray(quad + offset, np.float32), to_home) for quad in quads)
        return tuple(home for home in homes if _inside(home, area_home))

    backs, perhaps = in_area(reading.face_down_xy_px), in_area(reading.maybe_down_xy_px)
    return Look(t_s, tuple(faces), tuple(sets), backs, seen_to_home, tuple(stand), perhaps)


def without_gaps(look: Look, pool: Sequence[Corners]) -> Look:
    """Leave out what lies alone over a back, of the look or the ``pool``, or beside one with nothing to read.

    Where a back was taken out of a block of them, the gap itself has the outline of a tile. And the meeting
    edges of several backs read as a numeral now and then, and so does one that lies half under others of a
    heap. Several in a row go where none is read surely.
    """
    backs = [*look.backs, *pool]
    if not backs:
        return look
    within, over = _BESIDE * tile_width(backs), _OVER * tile_width(backs)
    middles = np.stack([back.mean(axis=0) for back in backs])

    def is_gap(at: int, *, alone: bool) -> bool:
        face = look.faces[at]
        away = np.linalg.norm(middles - face.home.mean(axis=0), axis=1)
        if face.listed is None:
            return bool(away.min() <= within)
        surely = max(face.listed.values()) >= _SURELY
        if surely and not alone:
            return False
        amid = not surely and np.count_nonzero(away <= within) >= _AMID
        return bool(amid or away.min() <= over)

    gaps = [m for m, _ in look.sets if all(is_gap(at, alone=len(m) == 1) for at in m)]
    return without_faces(look, {at for members in gaps for at in members})


def laid_bare_by(whole: Look, look: Look) -> list[Corners]:
    """Return the places at home of what was left out as a gap: what shows there may be the table's own.

    Not of what reads as a tile for certain: it was laid where a back had been pushed aside.
    """
    left_out = [face for face in whole.faces if face not in look.faces]
    return [face.home for face in left_out if max((face.listed or {}).values(), default=0.0) < _FOR_CERTAIN]


def backs_beside(look: Look, lying: Sequence[Corners]) -> list[Corners]:
    """Return the backs of a look but those over a tile that is ``lying`` there, hidden now: they are its rim.

    What a mug leaves free of a tile is blank. ``lying`` are corners at home.
    """
    if not lying:
        return list(look.backs)
    within = _OVER * tile_width(lying)
    middles = np.stack([home.mean(axis=0) for home in lying])
    return [back for back in look.backs if _away(back, middles) > within]


def without_misfits(look: Look, known: Sequence[Corners]) -> tuple[Look, list[Corners]]:
    """Leave out rows of what is far larger or smaller than the tiles, unless a ``known`` one lies there.

    All tiles have one size and one shape; a mesh in a carpet that reads as a 1 has not, nor has the handle of a
    mug, nor have two tiles found as one. On an empty table the shape has to tell: a rack seen from above is
    four times as long as it is wide. ``known`` are corners of tiles at home. Those that never fitted, either,
    and that are left out now, are returned, too. What stays as one that fitted lies there is marked.
    """
    look = without_faces(look, {members[0] for members, _ in look.sets if _is_long(look, members)})
    homes = [face.home for face in look.faces]
    if len(homes) <= _ENOUGH:
        return look, []
    unlike = _unlike_the_rows(look, np.asarray([*homes, *known], np.float64).reshape(-1, 4, 2))
    within = 0.5 * tile_width(homes)

    def there(own: Corners) -> list[int]:
        """Return which of the known ones lie there, by index, and are about as large."""
        middle, size = own.mean(axis=0), cv2.contourArea(own)
        return [
            at
            for at, quad in enumerate(known)
            if float(np.linalg.norm(quad.mean(axis=0) - middle)) <= within
            and max(size, cv2.contourArea(quad)) < _TWO_TILES * min(size, cv2.contourArea(quad))
        ]

    never = set(np.flatnonzero(unlike[len(homes) :]).tolist())
    met = {at: there(homes[at]) for at in np.flatnonzero(unlike[: len(homes)]).tolist()}
    misfits = {at for at, ones in met.items() if never >= {*ones}}
    out = {at for members, _ in look.sets if misfits >= {*members} for at in members}
    hidden = met.keys() - misfits
    faces = (replace(face, misfit=True) if at in hidden else face for at, face in enumerate(look.faces))
    return without_faces(replace(look, faces=tuple(faces)), out), [
        known[one] for at in sorted(out) for one in met[at]
    ]


def _unlike_the_rows(look: Look, homes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which of these quads, (N, 4, 2), the look's faces first, have not the size and shape of a tile.

    By rows of tiles where there are enough of them: the table's plane bends to a few that lie alone, and then
    they look like tiles, as numbers on a score pad do.
    """
    shaping = np.zeros(len(homes), np.bool_)
    shaping[[at for members, _ in look.sets if len(members) >= _LEAST_ROW for at in members]] = True
    if shaping.sum() < _ENOUGH:
        return tile_frames(homes, np.arange(len(homes)) < len(look.faces)).unlike()
    frames = tile_frames(homes, shaping)
    middles = homes.mean(axis=1)
    sizes = np.log(np.maximum(frames.size[shaping], 1e-6))
    return frames.unlike(slack_of_size(middles, middles[shaping], sizes))


def _is_long(look: Look, members: Sequence[int]) -> bool:
    """True for what lies alone, cannot be read and is far longer than wide."""
    face = look.faces[members[0]]
    if len(members) > 1 or (face.listed and max(face.listed.values()) >= _READS_AS_ONE):
        return False
    sides = quad_sides(face.home[None])[0]
    return bool(sides.max() > _TOO_LONG * sides.min())


def _away(home: Corners, middles: NDArray[np.float32]) -> float:
    """Pixels from the middle of a tile to the nearest of ``middles`` (N, 2), at home."""
    return float(np.linalg.norm(middles - home.mean(axis=0), axis=1).min())


def without_faces(look: Look, out: Set[int]) -> Look:
    """Return the look without these faces, by index."""
    if not out:
        return look
    place = {at: new for new, at in enumerate(at for at in range(len(look.faces)) if at not in out)}
    sets = ((tuple(place[at] for at in members if at in place), doubt) for members, doubt in look.sets)
    return replace(
        look,
        faces=tuple(look.faces[at] for at in place),
        sets=tuple((members, doubt) for members, doubt in sets if members),
    )


def laid_anew(look: Look, size_wh: tuple[int, int]) -> Look:
    """Return the look with its sets read again, by these faces alone: what stands bends the table's plane."""
    if not look.faces:
        return look
    layout = read_layout(np.stack([face.corners_xy_px for face in look.faces]), size_wh=size_wh)
    return replace(look, sets=tuple((lying.members, lying.doubt) for lying in layout.sets))


def _inside(home: Corners, area: Corners | None) -> bool:
    """True for a tile whose middle lies in the area."""
    if area is None:
        return True
    middle = home.mean(axis=0)
    edges = np.roll(area, -1, axis=0) - area
    away = middle - area
    side = edges[:, 0] * away[:, 1] - edges[:, 1] * away[:, 0]
    return bool((side >= 0).all() or (side <= 0).all())
