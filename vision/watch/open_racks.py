"""Racks whose faces the camera sees: rows that lie there when the game begins and can be no set.

A rack at the near rim shows its owner's tiles to a camera above the table. The reader tells racks by their
look, and only where that is clear; what they hold tells the rest: five tiles and more of several colours and
numbers in one row are no set that anybody lays, not even a faulty one. At the rim gaps may break the row. What
the reader did see to be a rack, on a table without sets, stays one when sets are laid.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee import ANY_TILE, SeenTile, Tile, judge_set
from vision.quads import quad_sides
from vision.readings import Corners
from vision.watch.look import Look, SeenFace, laid_anew, without_faces
from vision.watch.track import top_of

__all__ = ["OpenRacks", "is_set"]

_LEAST_TILES, _LEAST_COLOURS, _LEAST_NUMBERS = 5, 3, 3
"""A run with a wrong tile has two colours, a group with one two numbers."""
_READS = 0.5
"""Tiles read less surely than this say nothing of what a row holds."""
_RIM = 1.6
"""Tile heights from the picture's border within which a rack stands where sets lie on the table already."""
_RACK_RIM = 3.5
"""The same of what the reader saw to be a rack: its upper row stands farther in."""
_HELD, _HELD_RIM = 8, 5.0
"""So many tiles that are in no set, and lie so many heights from a border at most, stand on racks there."""
_ACROSS = 0.7
"""Cosine of the angle from which on a border is not along a row."""
_SIDEWAYS = 0.75
"""Tile heights to either side of a rack's row that are the rack's."""
_IN_LINE = 3.5
"""Tile widths that may be left between two parts of a rack's row."""
_ACROSS_GAPS = 8.0
"""The same of what the reader saw to be a rack."""
_GROWS, _GROWS_AT_RIM = 1.3, 2.5
"""Tile widths beside a row in which the next tile stands: amid the table, and at its rim."""
_BODY_WH = (2.5, 1.3)
"""Tile widths beyond a row's ends, and heights to either side, that the rack itself takes up."""


@dataclass(frozen=True, slots=True, eq=False)
class _Row:
    """A rack's row at home."""

    middle: NDArray[np.float64]
    along: NDArray[np.float64]
    """Unit vector."""
    ends: tuple[float, float]
    """Where it begins and ends, pixels from ``middle``."""
    tile_wh: tuple[float, float]
    outwards: NDArray[np.float64] | None
    """Unit vector to the border of the picture along which it stands; None for a row amid the picture."""
    learnt: tuple[float, float]
    """The ends as they were in the first looks."""

    @property
    def across(self) -> NDArray[np.float64]:
        """Unit vector at right angles to ``along``."""
        return np.array([-self.along[1], self.along[0]])

    def reaches(self, home: Corners, most: float) -> bool:
        """True for a tile in the row's line, and no more than so many widths beyond its ends."""
        away, (width, height) = home.mean(axis=0) - self.middle, self.tile_wh
        at, beside = float(away @ self.along), abs(float(away @ self.across))
        if self.outwards is not None and float(away @ self.outwards) > 0:
            beside = 0.0  # its lower step, between it and the border
        return max(self.ends[0] - at, at - self.ends[1]) <= most * width and beside <= _SIDEWAYS * height

    def reached_at_first(self, home: Corners) -> bool:
        """True for a tile in the row as it was in the first looks."""
        return replace(self, ends=self.learnt).reaches(home, 0)

    @property
    def body(self) -> Corners:
        """The rack about it, (4, 2) at home."""
        beyond, beside = (share * side for share, side in zip(_BODY_WH, self.tile_wh, strict=True))
        across = beside * self.across
        begin, end = (self.middle + at * self.along for at in (self.ends[0] - beyond, self.ends[1] + beyond))
        return np.asarray([begin - across, end - across, end + across, begin + across], np.float32)

    def with_tile(self, home: Corners) -> _Row:
        """Return the row with another tile."""
        at = float((home.mean(axis=0) - self.middle) @ self.along)
        return replace(self, ends=(min(self.ends[0], at), max(self.ends[1], at)))


class OpenRacks:
    """Remembers where racks stand with their faces in view."""

    def __init__(self) -> None:
        """Begin before the first look."""
        self._rows: list[_Row] = []
        self._learning = True

    @property
    def bodies(self) -> list[Corners]:
        """Where they stand, (4, 2) each, at home: what looks otherwise there is no hand over the table."""
        return [row.body for row in self._rows]

    def turn_over(self) -> None:
        """A turn is over: what comes to lie on the table from now on was laid there."""
        self._learning = False

    def without(self, look: Look, size_wh: tuple[int, int]) -> tuple[Look, list[Corners]]:
        """Return the look without what stands on racks, and these tiles' corners in the picture.

        ``size_wh`` is that of the picture; home is the first one of that size.
        """
        if self._learning:
            self._learn(look, size_wh)
        if not self._rows:
            return look, []
        homes = [face.home for face in look.faces]
        laid = {at for members, _ in look.sets if self._is_laid_beside(look, members) for at in members}
        out = self._take(homes, but=laid)
        left = laid_anew(without_faces(look, out), size_wh) if out else look
        return left, [look.faces[at].corners_xy_px for at in sorted(out)]

    def _is_laid_beside(self, look: Look, members: Sequence[int]) -> bool:
        """True for a set that stands in no row as it was in the first looks."""
        if not is_set(look.faces, members):
            return False
        homes = [look.faces[at].home for at in members]
        return not any(row.reached_at_first(home) for row in self._rows for home in homes)

    def _take(
        self, homes: Sequence[Corners], most: float | None = None, but: AbstractSet[int] = frozenset()
    ) -> set[int]:
        """Return which tiles stand in a row, or next to one, up to so many widths; the rows go on to there."""
        out: set[int] = set()
        rest = set(range(len(homes))) - but
        while fresh := {at for at in rest - out if self._takes(homes[at], most)}:
            out |= fresh
        return out

    def _takes(self, home: Corners, most: float | None) -> bool:
        for at, row in enumerate(self._rows):
            grows = _GROWS if row.outwards is None else _GROWS_AT_RIM
            if row.reaches(home, grows if most is None else most):
                self._rows[at] = row.with_tile(home)
                return True
        return False

    def _learn(self, look: Look, size_wh: tuple[int, int]) -> None:
        homes = [face.home for face in look.faces]
        fresh = [m for m, _ in look.sets if not self._knows(homes[m[0]])]
        broken = [line for line in _lines(look, fresh, size_wh) if _is_mixed(look.faces, line)]
        in_line = {at for line in broken for at in line}
        whole = [m for m in fresh if _is_mixed(look.faces, m) and not in_line & set(m)]
        # On a table without sets, nobody has laid what can be none.
        laid = any(len(m) >= 3 and m not in whole and not in_line & set(m) for m in fresh)
        for members in [*broken, *whole]:
            row = _row_of([homes[at] for at in members], size_wh)
            if not laid or row.outwards is not None:
                self._rows.append(row)
                # What is left of it, beyond a gap, stands there in the first looks.
                self._take(homes, _IN_LINE)
        if not laid:
            self._learn_upright(look.standing, size_wh)
        if not self._rows:
            self._learn_held(look, size_wh)

    def _learn_held(self, look: Look, size_wh: tuple[int, int]) -> None:
        """Learn racks from what lies face up along one border though nobody can have laid it there.

        So many tiles in parts that are no sets lie on no table; sets stand on a rack where they are in line.
        """
        odd = [members for members, _ in look.sets if not is_set(look.faces, members)]
        tiles = [at for members in odd for at in members]
        if len(tiles) < _HELD or not _is_mixed(look.faces, tiles):
            return
        parts = sorted(([look.faces[at].home for at in members] for members in odd), key=len, reverse=True)
        rows: list[_Row] = []
        for first, part in enumerate(parts):
            if not any(row.reaches(part[0], 0) for row in rows):
                joined = _joined(parts, first, size_wh, most=_ACROSS_GAPS)
                rows.append(_row_of([home for at in joined for home in parts[at]], size_wh, _HELD_RIM))
        if any(row.outwards is None for row in rows):
            return
        in_sets = [look.faces[at].home for members, _ in look.sets if members not in odd for at in members]
        if all(any(row.reaches(home, _ACROSS_GAPS) for row in rows) for home in in_sets):
            self._rows = rows
            self._take([face.home for face in look.faces], _ACROSS_GAPS)
            self._rows = [replace(row, learnt=row.ends) for row in self._rows]

    def _learn_upright(self, rows: Sequence[Sequence[SeenFace]], size_wh: tuple[int, int]) -> None:
        """Learn the rows that the reader saw to stand on racks."""
        # Sets on an empty table may look so, too.
        faces = [face for row in rows if not is_set(row, range(len(row))) for face in row]
        if not _is_mixed(faces, range(len(faces))):
            return
        parts = sorted(([face.home for face in row] for row in rows), key=len, reverse=True)
        for at, part in enumerate(parts):
            if self._knows(part[0]):
                continue
            joined = _joined(parts, at, size_wh, most=_ACROSS_GAPS)
            row = _row_of([home for other in joined for home in parts[other]], size_wh, _RACK_RIM)
            if row.outwards is not None:
                self._rows.append(row)

    def _knows(self, home: Corners) -> bool:
        return any(row.reaches(home, 0) for row in self._rows)


def _lines(look: Look, sets: Sequence[tuple[int, ...]], size_wh: tuple[int, int]) -> list[tuple[int, ...]]:
    """Return rows along the picture's border that gaps break into parts most of which can become no set."""
    homes = [face.home for face in look.faces]
    at_rim = [m for m in sets if _outwards([homes[at] for at in m], size_wh) is not None]
    odd = {at for m in at_rim if not _may_become_a_set(look.faces, m) for at in m}
    lines: list[tuple[int, ...]] = []
    parts = sorted(at_rim, key=len, reverse=True)
    places = [[homes[at] for at in part] for part in parts]
    for first, part in enumerate(parts):
        if not odd & set(part) or any(part[0] in line for line in lines):
            continue
        joined = _joined(places, first, size_wh, most=_IN_LINE)
        line = tuple(at for other in joined for at in parts[other])
        if len(joined) > 1 and 2 * len(odd & set(line)) > len(line):
            lines.append(line)
    return lines


def _joined(
    parts: Sequence[Sequence[Corners]], first: int, size_wh: tuple[int, int], *, most: float
) -> list[int]:
    """Return which parts make one row with the first, gap by gap, none wider than so many tile widths."""
    joined, row = [first], _row_of(parts[first], size_wh)
    while grown := [at for at in range(len(parts)) if at not in joined and row.reaches(parts[at][0], most)]:
        joined.append(grown[0])
        row = _row_of([home for at in joined for home in parts[at]], size_wh)
    return joined


def _read(faces: Sequence[SeenFace], members: Sequence[int]) -> list[Tile]:
    """Return the tiles that are read surely enough, without jokers."""
    tops = [top_of(listed) for at in members if (listed := faces[at].listed)]
    return [tile for tile, share in tops if share >= _READS and not tile.is_joker]


def _may_become_a_set(faces: Sequence[SeenFace], members: Sequence[int]) -> bool:
    """True for tiles of one colour, or of one number."""
    tiles = _read(faces, members)
    return len({tile.colour for tile in tiles}) <= 1 or len({tile.number for tile in tiles}) <= 1


def is_set(faces: Sequence[SeenFace], members: Sequence[int]) -> bool:
    """True for three tiles and more that may be a set, where two of them are read at least."""
    if len(members) < 3 or len(_read(faces, members)) < 2:
        return False
    tops = [top_of(listed) if (listed := faces[at].listed) else None for at in members]
    seen = [SeenTile.sure(top[0]) if top and top[1] >= _READS else ANY_TILE for top in tops]
    return judge_set(seen).verdict != "illegal"


def _is_mixed(faces: Sequence[SeenFace], members: Sequence[int]) -> bool:
    """True for a row of so many colours and numbers that it is no set, nor what somebody takes for one."""
    if len(members) < _LEAST_TILES:
        return False
    tiles = _read(faces, members)
    colours, numbers = {tile.colour for tile in tiles}, {tile.number for tile in tiles}
    return len(colours) >= _LEAST_COLOURS and len(numbers) >= _LEAST_NUMBERS


def _row_of(homes: Sequence[Corners], size_wh: tuple[int, int], rim: float = _RIM) -> _Row:
    middles = np.stack([home.mean(axis=0) for home in homes]).astype(np.float64)
    middle = middles.mean(axis=0)
    edges = middles - middle if len(homes) > 1 else np.asarray(homes[0][1:2] - homes[0][:1], np.float64)
    along = np.linalg.svd(edges)[2][0]
    at = (middles - middle) @ along
    width, height = np.median(quad_sides(np.stack(homes)), axis=0)
    ends, wh = (float(at.min()), float(at.max())), (float(width), float(height))
    return _Row(middle, along, ends, wh, _outwards(homes, size_wh, rim, along), ends)


def _outwards(
    homes: Sequence[Corners],
    size_wh: tuple[int, int],
    rim: float = _RIM,
    along: NDArray[np.float64] | None = None,
) -> NDArray[np.float64] | None:
    """Return the unit vector to the border of the picture along which tiles stand; None amid the picture.

    ``rim``: heights of a tile from the border that are still along it. ``along``: the row's direction, where
    they make a row: in a corner the nearest border may be the one at its end.
    """
    middles = np.stack([home.mean(axis=0) for home in homes])
    (width, height), within = size_wh, rim * float(np.median(quad_sides(np.stack(homes))[:, 1]))
    x, y = middles[:, 0], middles[:, 1]
    farthest = np.array([x.max(), (width - x).max(), y.max(), (height - y).max()])
    borders = np.array([(-1, 0), (1, 0), (0, -1), (0, 1)], np.float64)
    if along is not None:
        farthest[np.abs(borders @ along) > _ACROSS] = np.inf
    if farthest.min() > within:
        return None
    return np.asarray(borders[int(farthest.argmin())])
