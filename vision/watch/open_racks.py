"""Racks whose faces the camera sees: rows that lie there when the game begins and can be no set.

A rack at the near rim shows its owner's tiles to a camera above the table. The reader tells racks by their
look, and only where that is clear; what they hold tells the rest: five tiles and more of several colours and
numbers in one row are no set that anybody lays, not even a faulty one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.readings import Corners
from vision.watch.look import Look, tile_width, without_faces

__all__ = ["OpenRacks"]

_LEAST_TILES, _LEAST_COLOURS, _LEAST_NUMBERS = 5, 3, 3
"""A run with a wrong tile has two colours, a group with one two numbers."""
_READS = 0.5
"""Tiles read less surely than this say nothing of what a row holds."""
_RIM = 1.6
"""Tile heights from the picture's border within which a rack stands where sets lie on the table already."""
_SIDEWAYS = 0.75
"""Tile heights to either side of a rack's row that are the rack's."""
_IN_LINE = 3.5
"""Tile widths that may be left between two parts of a rack's row."""
_GROWS = 1.3
"""Tile widths beside a row in which the next tile stands."""
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

    def gap(self, home: Corners) -> tuple[float, float]:
        """How far a tile lies beyond the row's ends, in widths, and beside its line, in heights."""
        away = home.mean(axis=0) - self.middle
        at, beside = float(away @ self.along), float(away @ np.array([-self.along[1], self.along[0]]))
        return max(self.ends[0] - at, at - self.ends[1], 0.0) / self.tile_wh[0], abs(beside) / self.tile_wh[1]

    @property
    def body(self) -> Corners:
        """The rack about it, (4, 2) at home."""
        beyond, beside = (share * side for share, side in zip(_BODY_WH, self.tile_wh, strict=True))
        across = beside * np.array([-self.along[1], self.along[0]])
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
        out: set[int] = set()
        grown = True
        while grown:
            fresh = {
                at for at, face in enumerate(look.faces) if at not in out and self._takes(face.home, _GROWS)
            }
            out |= fresh
            grown = bool(fresh)
        return without_faces(look, out), [look.faces[at].corners_xy_px for at in sorted(out)]

    def _takes(self, home: Corners, most: float) -> bool:
        """True where a tile stands in a row or next to it; the row goes on to there."""
        for at, row in enumerate(self._rows):
            beyond, beside = row.gap(home)
            if beyond <= most and beside <= _SIDEWAYS:
                self._rows[at] = row.with_tile(home)
                return True
        return False

    def _learn(self, look: Look, size_wh: tuple[int, int]) -> None:
        homes = [face.home for face in look.faces]
        known = [at for at, home in enumerate(homes) if any(_is_in(row, home) for row in self._rows)]
        mixed = [members for members, _ in look.sets if _is_mixed(look, members) and members[0] not in known]
        if not mixed:
            return
        held = {at for members in mixed for at in members}
        # On a table without sets, nobody has laid what can be none.
        laid = any(
            len(members) >= 3 and held.isdisjoint(members) and known.count(members[0]) == 0
            for members, _ in look.sets
        )
        for members in mixed:
            row = _row_of([homes[at] for at in members])
            if laid and not _at_rim([homes[at] for at in members], row, size_wh):
                continue
            self._rows.append(row)
            # What is left of it, beyond a gap, stands there in the first looks.
            while any(self._takes(home, _IN_LINE) for home in homes if not self._holds(home)):
                pass

    def _holds(self, home: Corners) -> bool:
        return any(_is_in(row, home) for row in self._rows)


def _is_in(row: _Row, home: Corners) -> bool:
    beyond, beside = row.gap(home)
    return beyond == 0 and beside <= _SIDEWAYS


def _is_mixed(look: Look, members: Sequence[int]) -> bool:
    """True for a row of so many colours and numbers that it is no set, nor what somebody takes for one."""
    if len(members) < _LEAST_TILES:
        return False
    listed = [look.faces[at].listed for at in members]
    tops = [
        max(shares, key=lambda tile: shares[tile])
        for shares in listed
        if shares and max(shares.values()) >= _READS
    ]
    colours = {tile.colour for tile in tops if tile.colour is not None}
    numbers = {tile.number for tile in tops if tile.number is not None}
    return len(colours) >= _LEAST_COLOURS and len(numbers) >= _LEAST_NUMBERS


def _row_of(homes: Sequence[Corners]) -> _Row:
    middles = np.stack([home.mean(axis=0) for home in homes]).astype(np.float64)
    middle = middles.mean(axis=0)
    along = np.linalg.svd(middles - middle)[2][0]
    at = (middles - middle) @ along
    heights = [float(np.linalg.norm(home[3] - home[0] + home[2] - home[1])) / 2 for home in homes]
    return _Row(
        middle, along, (float(at.min()), float(at.max())), (tile_width(homes), float(np.median(heights)))
    )


def _at_rim(homes: Sequence[Corners], row: _Row, size_wh: tuple[int, int]) -> bool:
    """True where all of a row lies along one border of the picture."""
    middles = np.stack([home.mean(axis=0) for home in homes])
    width, height = size_wh
    x, y = middles[:, 0], middles[:, 1]
    return bool(min(x.max(), (width - x).max(), y.max(), (height - y).max()) <= _RIM * row.tile_wh[1])
